//! Settings as the semantics see them: the fields that are neither operands nor parts of one.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use super::names::escape;
use super::variable::{find, word};
use crate::model::paths::kind_type;
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
    pub(super) fn read(&self, model: &Model) -> TokenStream {
        match self.id {
            Some(id) => value_at(model, &model.fields[id]),
            None => escape(self.name).into_token_stream(),
        }
    }

    /// Its value in one opcode: what the word has, or what the opcode fixes it to.
    pub(super) fn value(&self, model: &Model, opcode: &Opcode) -> TokenStream {
        let place = opcode.field(model, &self.field.text);
        let own = &model.fields[place.map_or(0, |place| opcode.fields[place])];
        if own.is_fixed() { default_value(model, own) } else { value_at(model, own) }
    }
}

/// The value of a field in the word that is executed, from where its bits are.
pub(super) fn value_at(model: &Model, field: &Field) -> TokenStream {
    if field.pieces.is_empty() {
        return default_value(model, field);
    }
    let (ty, word) = (kind_type(&model.kinds[field.kind]), word());
    let pieces = field.pieces.iter().map(|&(position, width)| {
        let [position, width] = [position, width].map(Literal::u8_unsuffixed);
        quote!((#position, #width))
    });
    quote!(::isa_core::value_at::<#ty>(&[#(#pieces),*], #word))
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

/// The value that an opcode fixes a field to, or that an operand has without one.
pub(super) fn default_value(model: &Model, field: &Field) -> TokenStream {
    let (ty, bits) = (kind_type(&model.kinds[field.kind]), default_bits(model, field));
    quote!(<#ty as ::isa_core::operand::FieldValue>::from_raw(#bits))
}
