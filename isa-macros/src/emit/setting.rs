//! Settings as the semantics see them: the fields that are neither operands nor parts of one.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::names::{Names, escape, kind_type};
use super::variable::{find, word};
use crate::model::{DefaultValue, Field, Init, Model, Opcode};

/// A field that is neither an operand nor a part of one.
pub(super) struct Setting<'m> {
    pub(super) name: &'m Ident,
    pub(super) field: &'m Field,
    /// The field, where all members have it alike.
    pub(super) id: Option<usize>,
}

/// The settings that all members have. What an opcode fixes is one only where the body names
/// it, as `optype` in semantics that several optypes share.
pub(super) fn settings<'m>(
    model: &'m Model,
    members: &[&'m Opcode],
    body: &TokenStream,
) -> Vec<Setting<'m>> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, &id) in first.fields.iter().enumerate() {
        let field = &model.fields[id];
        let fixed = field.is_fixed();
        if field.name.sub.is_some()
            || is_operand(first, place)
            || (fixed && find(body.clone(), &field.text).is_none())
        {
            continue;
        }
        let others: Option<Vec<&Field>> =
            rest.iter().map(|opcode| same_setting(model, opcode, field)).collect();
        let Some(others) = others else { continue };
        let alike = !fixed && others.iter().all(|o| !o.is_fixed() && o.pieces == field.pieces);
        found.push(Setting { name: &field.name.base, field, id: alike.then_some(id) });
    }
    found
}

fn is_operand(opcode: &Opcode, place: usize) -> bool {
    opcode.operands.iter().any(|operand| operand.field == place)
}

/// The field by which an opcode has a setting of the same name and type.
fn same_setting<'m>(model: &'m Model, opcode: &Opcode, setting: &Field) -> Option<&'m Field> {
    let place = opcode.field(model, &setting.text)?;
    let field = &model.fields[opcode.fields[place]];
    (field.kind == setting.kind && !is_operand(opcode, place)).then_some(field)
}

impl Setting<'_> {
    /// Its value in the shared function.
    pub(super) fn read(&self, names: &Names) -> TokenStream {
        let (name, table, word) = (escape(self.name), &names.fields, word());
        match self.id {
            Some(id) => quote!(::isa_core::value_of(&#table[#id], #word)),
            None => quote!(#name),
        }
    }

    /// Its value in one opcode: what the word has, or what the opcode fixes it to.
    pub(super) fn value(&self, model: &Model, names: &Names, opcode: &Opcode) -> TokenStream {
        let place = opcode.field(model, &self.field.text);
        let id = place.map_or(0, |place| opcode.fields[place]);
        let (own, table, word) = (&model.fields[id], &names.fields, word());
        if own.is_fixed() {
            default_value(model, own)
        } else {
            quote!(::isa_core::value_of(&#table[#id], #word))
        }
    }
}

/// What a sub-field's bits are where an operand lacks it: the default that its siblings have.
pub(super) fn default_bits(model: &Model, field: &Field) -> TokenStream {
    let ty = kind_type(&model.kinds[field.kind]);
    match &field.init {
        Init::Default(DefaultValue::Number(raw)) | Init::Fixed(raw) => quote!(#raw),
        Init::Default(DefaultValue::Named(name, _)) => {
            let shown = model.kinds[field.kind].name.to_string();
            quote!(const { ::isa_core::operand::bits_of::<#ty>(#shown, #name) })
        }
        Init::Required => quote!(0),
    }
}

/// The value that an opcode fixes a field to.
fn default_value(model: &Model, field: &Field) -> TokenStream {
    let (ty, bits) = (kind_type(&model.kinds[field.kind]), default_bits(model, field));
    quote!(<#ty as ::isa_core::operand::FieldValue>::from_raw(#bits))
}
