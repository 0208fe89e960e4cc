//! Operands as the semantics see them: a value with its sub-fields.
//!
//! An output that is also read is the plain value in a body, to be changed; what is only read comes with
//! its sub-fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::seen_in;
use super::semantics::{Given, Semantics};
use crate::core_path::CORE;
use crate::diag::place_of;
use crate::model::paths::kind_type;
use crate::model::{Field, Model, Opcode, Operand, Symbol};

/// An operand as the semantics see it.
#[derive(Debug)]
pub(crate) struct Slot<'m> {
    pub(crate) symbol: &'m Symbol,
    /// The type that carries the operand with its sub-fields.
    pub(crate) carrier: Ident,
    /// The type of the value behind the operand.
    pub(crate) value: TokenStream,
    /// The sub-fields of all opcodes that share the semantics, each with its value in an operand
    /// that lacks it.
    pub(crate) subs: Vec<(&'m Ident, Given<'m>)>,
    /// The operand, where all those opcodes have it alike.
    pub(crate) alike: Option<OwnOperand<'m>>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    /// The place of the slot with the context that its name has in the body.
    pub(crate) in_body: Span,
    /// The place of the slot with the context that its name has in the guard, where that names it.
    pub(crate) in_guard: Option<Span>,
    /// Whether the body names it.
    pub(crate) is_named: bool,
    /// Where other templates have a slot of this name, with the context of the body.
    pub(crate) elsewhere: Vec<Span>,
    /// Whether the body has the values of several lanes at once.
    pub(crate) by_rows: bool,
}

/// The operand that an opcode has in a slot.
#[derive(Debug, PartialEq)]
pub(crate) struct OwnOperand<'m> {
    pub(crate) value: Given<'m>,
    /// In the order of [`Slot::subs`].
    pub(crate) subs: Vec<Given<'m>>,
}

/// The operands of the semantics that some opcodes share.
pub(super) fn slots_of<'m>(semantics: &Semantics<'m>, members: &[&'m Opcode]) -> Vec<Slot<'m>> {
    let Semantics { model, body, guard, lanes, .. } = *semantics;
    let Some(&first) = members.first() else { return Vec::new() };
    let slot = |(symbol, operand): (&'m Symbol, &Operand)| {
        let name = &symbol.name;
        let field = &model.fields[first.fields[operand.field]];
        let kind = kind_type(&model.kinds[field.kind]);
        let subs = subs(model, members, name);
        let mut own = members.iter().map(|opcode| own_operand(model, opcode, name, &subs));
        let alike = own.next().flatten().filter(|first| own.all(|o| o.as_ref() == Some(first)));
        let named = seen_in(body, name, symbol.span);
        let in_body = named.unwrap_or(symbol.span);
        Slot {
            symbol,
            carrier: semantics.name(name),
            value: quote!(<#kind as #CORE::operand::OperandKind>::Value),
            alike,
            subs,
            read: operand.read,
            written: operand.written,
            in_body,
            in_guard: guard.and_then(|guard| seen_in(guard, name, symbol.span)),
            is_named: named.is_some(),
            elsewhere: elsewhere(model, members, symbol, in_body),
            by_rows: lanes.is_some(),
        }
    };
    first.named_operands(model).map(slot).collect()
}

impl<'m> Slot<'m> {
    /// What an opcode passes for the slot, where not all have it alike.
    pub(super) fn passed(&self, model: &'m Model, opcode: &Opcode) -> Option<OwnOperand<'m>> {
        match self.alike {
            Some(_) => None,
            None => own_operand(model, opcode, &self.symbol.name, &self.subs),
        }
    }
}

/// The field that an opcode has for the operand of a name.
fn operand_field<'m>(model: &'m Model, opcode: &Opcode, name: &str) -> Option<&'m Field> {
    let mut operands = opcode.named_operands(model);
    let (_, operand) = operands.find(|(symbol, _)| symbol.name == name)?;
    Some(&model.fields[opcode.fields[operand.field]])
}

/// The operand of a name as an opcode has it, with these sub-fields.
fn own_operand<'m>(
    model: &'m Model,
    opcode: &Opcode,
    name: &str,
    subs: &[(&Ident, Given<'m>)],
) -> Option<OwnOperand<'m>> {
    let own = operand_field(model, opcode, name)?;
    let subs = subs.iter().map(|&(sub, absent)| {
        let place = opcode.field(model, &format!("{}.{sub}", own.name.base));
        place.map_or(absent, |place| Given::at(model, &model.fields[opcode.fields[place]]))
    });
    Some(OwnOperand { value: Given::at(model, own), subs: subs.collect() })
}

/// The sub-fields of the operands of a name, over all members, each with its value in an operand
/// that lacks it.
fn subs<'m>(model: &'m Model, members: &[&Opcode], name: &str) -> Vec<(&'m Ident, Given<'m>)> {
    let mut found: Vec<(&Ident, Given<'_>)> = Vec::new();
    for opcode in members {
        let Some(own) = operand_field(model, opcode, name) else { continue };
        for part in opcode.fields.iter().map(|&id| &model.fields[id]) {
            if let Some(sub) = &part.name.sub
                && part.name.base == own.name.base
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, Given::init(model, part)));
            }
        }
    }
    found
}

/// Where the templates of some opcodes have a slot of the name of `symbol`, other than there.
fn elsewhere(model: &Model, members: &[&Opcode], symbol: &Symbol, in_body: Span) -> Vec<Span> {
    let mut syntaxes: Vec<usize> = members.iter().map(|opcode| opcode.syntax).collect();
    syntaxes.dedup();
    let slots = syntaxes.iter().flat_map(|&syntax| model.syntaxes[syntax].slots());
    let same = slots.filter(|slot| slot.name == symbol.name);
    let here = place_of(symbol.span);
    let spans = same.map(|one| one.span).filter(|&span| place_of(span) != here);
    spans.map(|span| span.resolved_at(in_body)).collect()
}
