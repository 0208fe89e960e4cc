//! Operands as the semantics see them: a value with its sub-fields.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::find;
use crate::model::paths::{kind_type, semantics_name};
use crate::model::{Field, Model, Opcode, Role, Symbol};

/// An operand as the semantics see it.
pub(crate) struct Slot<'m> {
    pub(crate) symbol: &'m Symbol,
    /// The type that carries the operand with its sub-fields.
    pub(crate) carrier: Ident,
    /// The type of the value behind the operand.
    pub(crate) value: TokenStream,
    /// The operand's field, where all members have it alike.
    pub(crate) field: Option<usize>,
    pub(crate) subs: Vec<(&'m Ident, usize)>,
    pub(crate) read: bool,
    pub(crate) written: bool,
    pub(crate) guards: bool,
    /// Whether the body has the values of several lanes at once.
    pub(crate) by_rows: bool,
}

impl<'m> Slot<'m> {
    pub(crate) fn of(
        model: &'m Model,
        members: &[&'m Opcode],
        symbol: &'m Symbol,
        guard: Option<&TokenStream>,
        by_rows: bool,
    ) -> Option<Self> {
        let (Role::Slot(_) | Role::Hidden(_)) = &symbol.role else { return None };
        let first = *members.first()?;
        let place = slot_place(model, first, &symbol.role)?;
        let operand = first.operands.iter().find(|operand| operand.field == place)?;
        let field = &model.fields[first.fields[place]];
        let kind = kind_type(&model.kinds[field.kind]);
        let alike = members.iter().all(|opcode| {
            let place = slot_place(model, opcode, &symbol.role);
            place.is_some_and(|place| same_operand(model, opcode, place, first, field))
        });
        Some(Slot {
            symbol,
            carrier: semantics_name(model, first, &symbol.name),
            value: quote!(<#kind as ::isa_core::operand::OperandKind>::Value),
            field: alike.then_some(first.fields[place]),
            subs: subs(model, members, &symbol.role),
            read: operand.read,
            written: operand.written,
            guards: guard.is_some_and(|body| find(body.clone(), &symbol.name).is_some()),
            by_rows,
        })
    }

    /// The field that an opcode has in the slot.
    pub(crate) fn own_field(&self, model: &Model, opcode: &Opcode) -> Option<usize> {
        slot_place(model, opcode, &self.symbol.role).map(|place| opcode.fields[place])
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
fn subs<'m>(model: &'m Model, members: &[&Opcode], role: &Role) -> Vec<(&'m Ident, usize)> {
    let mut found: Vec<(&Ident, usize)> = Vec::new();
    for opcode in members {
        let Some(place) = slot_place(model, opcode, role) else { continue };
        let base = &model.fields[opcode.fields[place]].name.base;
        for &id in &opcode.fields {
            let field = &model.fields[id];
            if let Some(sub) = &field.name.sub
                && field.name.base == *base
                && !found.iter().any(|(known, _)| *known == sub)
            {
                found.push((sub, id));
            }
        }
    }
    found
}
