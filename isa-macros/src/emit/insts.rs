//! The encoding struct of each opcode: the word with typed accessors.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::docs;
use super::exec::emit_execute;
use super::names::{Names, describe_field, getter, kind_type, setter, word_type};
use crate::model::{Field, Init, Model, Opcode};

/// All encoding structs of the call.
pub(crate) fn emit_instructions(model: &Model, names: &Names) -> TokenStream {
    model
        .opcodes
        .iter()
        .enumerate()
        .map(|(index, opcode)| emit_instruction(model, names, index, opcode))
        .collect()
}

fn emit_instruction(model: &Model, names: &Names, index: usize, opcode: &Opcode) -> TokenStream {
    let (ty, vis, word) = (&opcode.type_name, &model.header.vis, word_type(opcode.bits));
    let table = &names.opcodes;
    let doc = docs::opcode_doc(model, opcode);
    let attrs = &model.nodes[opcode.node].docs.attrs;
    let new = emit_new(model, names, index, opcode);
    let accessors = opcode
        .fields
        .iter()
        .map(|&id| (id, &model.fields[id]))
        .filter(|(_, field)| !field.is_fixed() && !field.nameless)
        .map(|(id, field)| emit_accessors(model, names, opcode, id, field));
    let execute = emit_execute(model, opcode);
    let traits = emit_traits(model, opcode);
    quote! {
        #attrs
        #(#[doc = #doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        #vis struct #ty(#word);

        #[automatically_derived]
        #[allow(clippy::should_implement_trait, reason = "fields may be called `not` or `neg`")]
        impl #ty {
            /// The row of the opcode: fields, operands, syntax, exceptions.
            #vis const OPCODE: &'static ::isa_core::table::Opcode = &#table[#index];

            #new
            #(#accessors)*

            /// The instruction with this word.
            ///
            /// # Errors
            ///
            /// A word of another opcode, a reserved value or an illegal combination.
            #vis fn decode(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::OPCODE.validate(word as u128).map(|()| Self(word))
            }

            /// The word of the instruction.
            ///
            /// # Errors
            ///
            /// An illegal combination of values, with the reason.
            #vis fn encode(self) -> ::core::result::Result<#word, ::isa_core::EncodeError> {
                ::isa_core::encode(Self::OPCODE, self.0 as u128).map(|()| self.0)
            }

            /// The operands in the order of the text, with what each is and how it is used.
            #vis fn operands(self) -> ::isa_core::Operands {
                ::isa_core::Operands::new(Self::OPCODE, self.0 as u128)
            }

            #execute

            #[doc(hidden)]
            #[must_use]
            #vis const fn __from_valid(word: u128) -> Self { Self(word as #word) }

            #[doc(hidden)]
            #[must_use]
            #vis const fn __word(self) -> u128 { self.0 as u128 }
        }
        #traits
    }
}

/// `new`, with a parameter for each field that has no default, in the order of the text.
fn emit_new(model: &Model, names: &Names, index: usize, opcode: &Opcode) -> TokenStream {
    let rows = &names.opcodes;
    let (vis, table, word) = (&model.header.vis, &names.fields, word_type(opcode.bits));
    let mut required: Vec<(usize, &Field)> = Vec::new();
    for place in opcode.bind.iter().flatten() {
        let id = opcode.fields[*place];
        let field = &model.fields[id];
        if field.init == Init::Required && !required.iter().any(|(known, _)| *known == id) {
            required.push((id, field));
        }
    }
    // A field may be called `word` too.
    let local = Ident::new("word", Span::mixed_site());
    let param = |field: &Field| {
        let mut name = setter(field);
        name.set_span(Span::call_site());
        name
    };
    let params: Vec<Ident> = required.iter().map(|(_, field)| param(field)).collect();
    let types = required.iter().map(|(_, field)| match &model.kinds[field.kind] {
        kind if kind.is_known() => kind_type(kind),
        _ => quote!(impl ::core::marker::Sized),
    });
    let sets = required.iter().zip(&params).map(|((id, field), param)| {
        if !model.kinds[field.kind].is_known() {
            return quote!(let _ = #param;);
        }
        let bits = to_bits(model, field, quote!(#param));
        quote!(let #local = #table[#id].set(#local, #bits);)
    });
    let doc = match &required[..] {
        [] => "The instruction, every field at its default.".to_owned(),
        _ => "The instruction with these operands, every other field at its default.".to_owned(),
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        #[allow(clippy::too_many_arguments, clippy::new_without_default, reason = "as the syntax has it")]
        #vis fn new(#(#params: #types),*) -> Self {
            const INITIAL: u128 = #rows[#index].initial();
            let #local = INITIAL;
            #(#sets)*
            Self(#local as #word)
        }
    }
}

fn emit_accessors(
    model: &Model,
    names: &Names,
    opcode: &Opcode,
    id: usize,
    field: &Field,
) -> TokenStream {
    let (vis, table, word) = (&model.header.vis, &names.fields, word_type(opcode.bits));
    let kind = &model.kinds[field.kind];
    let (set, get, ty) = (setter(field), getter(field), kind_type(kind));
    if !kind.is_known() {
        return emit_unknown(vis, &set, &get);
    }
    let text = describe_field(field, kind);
    let (set_doc, get_doc) = (format!("Sets {text}."), format!("Gets {text}."));
    let bits = to_bits(model, field, quote!(value.into()));
    let raw = quote!(#table[#id].get(self.0 as u128));
    let value = if kind.is_set() {
        quote!(match #ty::from_bits(#raw) {
            ::core::option::Option::Some(value) => value,
            ::core::option::Option::None => #ty::ALL[0],
        })
    } else {
        quote!(<#ty as ::isa_core::operand::OperandKind>::from_bits(#raw))
    };
    quote! {
        #[doc = #set_doc]
        #[must_use]
        #vis fn #set(self, value: impl ::core::convert::Into<#ty>) -> Self {
            Self(#table[#id].set(self.0 as u128, #bits) as #word)
        }
        #[doc = #get_doc]
        #[must_use]
        #vis fn #get(self) -> #ty { #value }
    }
}

/// The accessors of a field of an unknown type, which take and give whatever is asked for.
fn emit_unknown(vis: &TokenStream, set: &Ident, get: &Ident) -> TokenStream {
    quote! {
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #set(self, _value: impl ::core::marker::Sized) -> Self { ::core::unreachable!() }
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #get<T>(self) -> T { ::core::unreachable!() }
    }
}

fn to_bits(model: &Model, field: &Field, value: TokenStream) -> TokenStream {
    let kind = &model.kinds[field.kind];
    let ty = kind_type(kind);
    if kind.is_set() {
        quote!(#ty::to_bits(#value))
    } else {
        quote!(<#ty as ::isa_core::operand::OperandKind>::to_bits(#value))
    }
}

fn emit_traits(model: &Model, opcode: &Opcode) -> TokenStream {
    let (ty, word, set) = (&opcode.type_name, word_type(opcode.bits), &model.header.name);
    let name = opcode.type_name.to_string();
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Display for #ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::display(Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl ::core::fmt::Debug for #ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::debug(#name, Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<#word> for #ty {
            type Error = ::isa_core::DecodeError;
            fn try_from(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> { Self::decode(word) }
        }
        #[automatically_derived]
        impl ::core::convert::From<#ty> for #set {
            fn from(instruction: #ty) -> Self { Self::#ty(instruction) }
        }
    }
}
