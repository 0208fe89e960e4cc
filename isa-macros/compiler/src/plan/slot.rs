//! Collects operands for semantic functions: a value with its sub-fields.
//!
//! In the function, an output that is also an input is a mutable variable with the plain value. If an
//! operand is only an input, its variable also contains its sub-fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::seen_in;
use super::semantics::{Given, Semantics};
use crate::core_path::CORE;
use crate::diag::place_of;
use crate::model::paths::kind_type;
use crate::model::{Field, Model, Opcode, Operand, Symbol};

/// An operand of a semantic function.
#[derive(Debug)]
pub(crate) struct Slot<'m> {
    pub(crate) symbol: &'m Symbol,
    /// The type of the operand together with its sub-fields.
    pub(crate) carrier: Ident,
    /// The type of the operand's value.
    pub(crate) value: TokenStream,
    /// The sub-fields of all opcodes that share the semantics. Each is paired with the value that it
    /// has for an operand without this sub-field.
    pub(crate) subs: Vec<(&'m Ident, Given<'m>)>,
    /// The operand, if it is the same in all of those opcodes.
    pub(crate) alike: Option<OwnOperand<'m>>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    /// The span of the slot, with the hygiene of its name in the semantic function.
    pub(crate) in_body: Span,
    /// The span of the slot, with the hygiene of its name in the guard, if the guard uses the name.
    pub(crate) in_guard: Option<Span>,
    /// Whether the semantic function uses the name.
    pub(crate) is_named: bool,
    /// The spans of slots with this name in other templates, with the hygiene of the semantic function.
    pub(crate) elsewhere: Vec<Span>,
    /// Whether the semantic function gets the values of several lanes at once.
    pub(crate) by_rows: bool,
}

/// The operand of an opcode in a slot.
#[derive(Debug, PartialEq)]
pub(crate) struct OwnOperand<'m> {
    pub(crate) value: Given<'m>,
    /// In the order of [`Slot::subs`].
    pub(crate) subs: Vec<Given<'m>>,
}

/// Returns the operands of `semantics`, which the opcodes in `members` share.
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
    /// Returns the operand that an opcode passes for the slot, if it is not the same in all opcodes.
    pub(super) fn passed(&self, model: &'m Model, opcode: &Opcode) -> Option<OwnOperand<'m>> {
        match self.alike {
            Some(_) => None,
            None => own_operand(model, opcode, &self.symbol.name, &self.subs),
        }
    }
}

/// Returns the opcode's field for the operand `name`.
fn operand_field<'m>(model: &'m Model, opcode: &Opcode, name: &str) -> Option<&'m Field> {
    let mut operands = opcode.named_operands(model);
    let (_, operand) = operands.find(|(symbol, _)| symbol.name == name)?;
    Some(&model.fields[opcode.fields[operand.field]])
}

/// Returns the opcode's operand `name`, with the sub-fields `subs`.
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

/// Returns the sub-fields that the operand `name` has in any of the opcodes. Each is paired with the
/// value that it has for an operand without this sub-field.
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

/// Returns the spans of other operand placeholders with the name of `symbol` in the templates of
/// `members`.
fn elsewhere(model: &Model, members: &[&Opcode], symbol: &Symbol, in_body: Span) -> Vec<Span> {
    let mut syntaxes: Vec<usize> = members.iter().map(|opcode| opcode.syntax).collect();
    syntaxes.dedup();
    let slots = syntaxes.iter().flat_map(|&syntax| model.syntaxes[syntax].slots());
    let same = slots.filter(|slot| slot.name == symbol.name);
    let here = place_of(symbol.span);
    let spans = same.map(|one| one.span).filter(|&span| place_of(span) != here);
    spans.map(|span| span.resolved_at(in_body)).collect()
}
