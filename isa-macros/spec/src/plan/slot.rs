//! Operands as the semantics see them: a value with its sub-fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::body::seen_in;
use super::semantics::Given;
use crate::diag::place_of;
use crate::model::paths::{kind_type, semantics_name};
use crate::model::{Field, Model, Opcode, Role, Symbol};

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
    pub(crate) alike: Option<Operand<'m>>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    /// The place of the slot with the context that its name has in the body.
    pub(crate) in_body: Span,
    /// The place of the slot with the context that its name has in the guard, where that names it.
    pub(crate) in_guard: Option<Span>,
    /// Whether the body names it.
    pub(crate) is_named: bool,
    /// Where other templates have a slot of this name at its place, with the context of the body.
    pub(crate) elsewhere: Vec<Span>,
    /// Whether the body has the values of several lanes at once.
    pub(crate) by_rows: bool,
}

/// The operand that an opcode has in a slot.
#[derive(Debug)]
pub(crate) struct Operand<'m> {
    pub(crate) value: Given<'m>,
    /// In the order of [`Slot::subs`].
    pub(crate) subs: Vec<Given<'m>>,
}

/// The operands of the semantics that some opcodes share. Hidden ones are operands of all of them.
pub(super) fn slots<'m>(
    model: &'m Model,
    members: &[&'m Opcode],
    body: &TokenStream,
    guard: Option<&TokenStream>,
    by_rows: bool,
) -> Vec<Slot<'m>> {
    let Some(&first) = members.first() else { return Vec::new() };
    let hides =
        |opcode: &Opcode, role: &Role| opcode.hidden.iter().any(|other| other.role == *role);
    let hidden = first.hidden.iter();
    let hidden = hidden.filter(|one| members.iter().all(|opcode| hides(opcode, &one.role)));
    let symbols = model.syntaxes[first.syntax].symbols.iter().chain(hidden);
    let slot = |symbol: &'m Symbol| {
        let (Role::Slot(_) | Role::Hidden(_)) = &symbol.role else { return None };
        let (name, role) = (&symbol.name, &symbol.role);
        let place = slot_place(model, first, role)?;
        let operand = first.operands.iter().find(|operand| operand.field == place)?;
        let field = &model.fields[first.fields[place]];
        let kind = kind_type(&model.kinds[field.kind]);
        let is_alike = members.iter().all(|opcode| {
            let place = slot_place(model, opcode, role);
            place.is_some_and(|place| same_operand(model, opcode, place, first, field))
        });
        let subs = subs(model, members, role);
        let alike = || Operand {
            value: Given::at(model, field),
            subs: subs.iter().map(|(_, sub)| Given::at(model, sub)).collect(),
        };
        let named = seen_in(body, name, symbol.span);
        let in_body = named.unwrap_or(symbol.span);
        Some(Slot {
            symbol,
            carrier: semantics_name(model, &model.nodes[first.semantics?], name),
            value: quote!(<#kind as ::isa_core::operand::OperandKind>::Value),
            alike: is_alike.then(alike),
            subs: subs.iter().map(|&(sub, field)| (sub, Given::init(model, field))).collect(),
            read: operand.read,
            written: operand.written,
            in_body,
            in_guard: guard.and_then(|guard| seen_in(guard, name, symbol.span)),
            is_named: named.is_some(),
            elsewhere: elsewhere(model, members, symbol, in_body),
            by_rows,
        })
    };
    symbols.filter_map(slot).collect()
}

impl<'m> Slot<'m> {
    /// What an opcode passes for the slot, where not all have it alike.
    pub(super) fn passed(&self, model: &'m Model, opcode: &Opcode) -> Option<Operand<'m>> {
        let place = slot_place(model, opcode, &self.symbol.role);
        let own = &model.fields[opcode.fields[place.filter(|_| self.alike.is_none())?]];
        let subs = self.subs.iter().map(|&(sub, absent)| {
            let place = opcode.field(model, &format!("{}.{sub}", own.text));
            place.map_or(absent, |place| Given::at(model, &model.fields[opcode.fields[place]]))
        });
        Some(Operand { value: Given::at(model, own), subs: subs.collect() })
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

/// The place of the field that an opcode has in a slot, or hidden under a name.
fn slot_place(model: &Model, opcode: &Opcode, role: &Role) -> Option<usize> {
    if let Role::Hidden(name) = role {
        return opcode.field(model, name);
    }
    let symbols = &model.syntaxes[opcode.syntax].symbols;
    let index = symbols.iter().position(|symbol| symbol.role == *role)?;
    opcode.bound(index)
}

/// The sub-fields of the operands in a slot, over all members.
fn subs<'m>(model: &'m Model, members: &[&Opcode], role: &Role) -> Vec<(&'m Ident, &'m Field)> {
    let mut found: Vec<(&Ident, &Field)> = Vec::new();
    for opcode in members {
        let Some(place) = slot_place(model, opcode, role) else { continue };
        for part in operand_parts(model, opcode, &model.fields[opcode.fields[place]]) {
            if let Some(sub) = &part.name.sub
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, part));
            }
        }
    }
    found
}

/// Where the templates of some opcodes have a slot as `symbol` is, other than there.
fn elsewhere(model: &Model, members: &[&Opcode], symbol: &Symbol, in_body: Span) -> Vec<Span> {
    let mut syntaxes: Vec<usize> = members.iter().map(|opcode| opcode.syntax).collect();
    syntaxes.dedup();
    let symbols = syntaxes.iter().flat_map(|&syntax| &model.syntaxes[syntax].symbols);
    let same = symbols.filter(|one| one.role == symbol.role && one.name == symbol.name);
    let here = place_of(symbol.span);
    let spans = same.map(|one| one.span).filter(|&span| place_of(span) != here);
    spans.map(|span| span.resolved_at(in_body)).collect()
}
