//! Emits values for semantic functions, and settings: fields that are not operands.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

use super::names::escape;
use super::variable::word;
use crate::core_path::CORE;
use crate::model::paths::kind_type;
use crate::model::{DefaultValue, Init};
use crate::plan::{Bits, Given, Setting};

impl Setting<'_> {
    pub(super) fn ident(&self) -> Ident {
        escape(self.name)
    }

    /// Returns the variable for the setting in the semantic function.
    pub(super) fn in_body(&self) -> Ident {
        let mut name = self.ident();
        name.set_span(self.in_body);
        name
    }

    /// Returns the value of the setting in the shared function.
    pub(super) fn read(&self) -> TokenStream {
        self.alike.map_or_else(|| self.ident().into_token_stream(), |given| given.emit())
    }
}

impl Given<'_> {
    /// Returns the value as an expression.
    pub(super) fn emit(&self) -> TokenStream {
        let ty = kind_type(self.kind);
        let bits = match self.bits {
            Bits::Word(pieces) => {
                let (word, pieces) = (word(), pieces.iter());
                let pieces = pieces.map(|&(position, width)| {
                    let [position, width] = [position, width].map(Literal::u8_unsuffixed);
                    quote!((#position, #width))
                });
                return quote!(#CORE::__private::at::<#ty>(&[#(#pieces),*], #word));
            }
            Bits::Init(Init::Default(DefaultValue::Number(raw)) | Init::Fixed(raw)) => quote!(#raw),
            Bits::Init(Init::Default(DefaultValue::Named(name, _))) => {
                let shown = self.kind.name.to_string();
                quote!(const { #CORE::operand::bits_of::<#ty>(#shown, #name) })
            }
            Bits::Init(Init::Required) => quote!(0),
        };
        quote!(<#ty as #CORE::operand::FieldValue>::from_raw(#bits))
    }
}
