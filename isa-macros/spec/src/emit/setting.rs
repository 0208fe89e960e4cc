//! Settings as the semantics see them: the fields that are neither operands nor parts of one.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

use super::names::escape;
use super::variable::word;
use crate::model::paths::kind_type;
use crate::model::{DefaultValue, Field, Init, Model, Opcode};
use crate::plan::Setting;

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
    quote!(::isa_core::__private::at::<#ty>(&[#(#pieces),*], #word))
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
