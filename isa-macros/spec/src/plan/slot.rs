//! Operands as the semantics see them: a value with its sub-fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::seen_in;
use super::semantics::{Given, Semantics};
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
#[derive(Debug)]
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
        let is_alike = members.iter().all(|opcode| {
            let operand = operand_named(model, opcode, name);
            operand.is_some_and(|own| same_operand(model, opcode, own.field, first, field))
        });
        let subs = subs(model, members, name);
        let alike = || OwnOperand {
            value: Given::at(model, field),
            subs: subs.iter().map(|(_, sub)| Given::at(model, sub)).collect(),
        };
        let named = seen_in(body, name, symbol.span);
        let in_body = named.unwrap_or(symbol.span);
        Slot {
            symbol,
            carrier: semantics.name(name),
            value: quote!(<#kind as ::isa_core::operand::OperandKind>::Value),
            alike: is_alike.then(alike),
            subs: subs.iter().map(|&(sub, field)| (sub, Given::init(model, field))).collect(),
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
        let operand = operand_named(model, opcode, &self.symbol.name);
        let own = &model.fields[opcode.fields[operand.filter(|_| self.alike.is_none())?.field]];
        let subs = self.subs.iter().map(|&(sub, absent)| {
            let place = opcode.field(model, &format!("{}.{sub}", own.text));
            place.map_or(absent, |place| Given::at(model, &model.fields[opcode.fields[place]]))
        });
        Some(OwnOperand { value: Given::at(model, own), subs: subs.collect() })
    }
}

/// Whether the operand at `place` and its sub-fields are where `first` has them.
fn same_operand(
    model: &Model,
    opcode: &Opcode,
    place: usize,
    first: &Opcode,
    field: &Field,
) -> bool {
    let own = operand_parts(model, opcode, &model.fields[opcode.fields[place]]);
    let others = operand_parts(model, first, field);
    own.len() == others.len()
        && own
            .iter()
            .zip(others)
            .all(|(a, b)| a.text == b.text && a.kind == b.kind && is_same_place(a, b))
}

/// Whether two fields of one kind have one value in any word.
fn is_same_place(a: &Field, b: &Field) -> bool {
    a.pieces == b.pieces && (!a.pieces.is_empty() || a.init == b.init)
}

/// An operand's field and its sub-fields.
fn operand_parts<'m>(model: &'m Model, opcode: &Opcode, operand: &Field) -> Vec<&'m Field> {
    let fields = opcode.fields.iter().map(|&id| &model.fields[id]);
    fields.filter(|field| field.name.base == operand.name.base).collect()
}

/// The operand that the semantics of an opcode know by a name.
fn operand_named<'m>(model: &'m Model, opcode: &'m Opcode, name: &str) -> Option<&'m Operand> {
    let mut operands = opcode.named_operands(model);
    operands.find(|(symbol, _)| symbol.name == name).map(|(_, operand)| operand)
}

/// The sub-fields of the operands of a name, over all members.
fn subs<'m>(model: &'m Model, members: &[&Opcode], name: &str) -> Vec<(&'m Ident, &'m Field)> {
    let mut found: Vec<(&Ident, &Field)> = Vec::new();
    for opcode in members {
        let Some(operand) = operand_named(model, opcode, name) else { continue };
        for part in operand_parts(model, opcode, &model.fields[opcode.fields[operand.field]]) {
            if let Some(sub) = &part.name.sub
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, part));
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
