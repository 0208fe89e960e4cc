//! The type of a call's instructions, and its typed accessors.
//!
//! There is one generic struct a call, and each field has its accessors once, however many
//! opcodes have the field. What an opcode has is said by traits:
//!
//! ```text
//! pub struct HaluInstruction<O>(u128, PhantomData<fn() -> O>);
//! impl<O: HaluIsHArith> HaluInstruction<O> { pub fn ftz(self, ..) -> Self; .. }  // one group's
//! impl<O: HaluHasRb> HaluInstruction<O> { pub fn rb(self, ..) -> Self; .. }      // differs
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::effects::{errors_doc, give, outcome};
use super::exec::machine_trait;
use super::gates::{emit_accessors, emit_trait};
use super::names::{Names, set_bits, word_type};
use crate::model::Model;
use crate::plan::Plan;

/// The struct, the traits and the accessors; nothing where the call has no opcodes.
pub(crate) fn emit_family(Plan { model, gates, .. }: &Plan<'_>, names: &Names) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let (base, methods) = (emit_base(model, names), emit_methods(model, names));
    let traits = emit_traits(model, names);
    let gate_traits = gates.iter().map(|gate| emit_trait(model, names, gate));
    let accessors = gates.iter().map(|gate| emit_accessors(model, names, gate));
    quote!(#base #methods #traits #(#gate_traits)* #(#accessors)*)
}

fn emit_base(model: &Model, names: &Names) -> TokenStream {
    let Names { instruction, opcode_trait, execute_trait, type_names, .. } = names;
    let (vis, word, bound) = (&model.header.vis, word_type(set_bits(model)), machine_trait(model));
    let (set, outcome, run_warp) = (&model.header.name, outcome(model), emit_run_warp(model));
    let (count, all) = (model.opcodes.len(), model.opcodes.iter().map(|o| o.type_name.to_string()));
    let doc = format!("An instruction of one opcode of [`{set}`]: its word. `O` names the opcode.");
    let opcode_doc = format!("An opcode of [`{set}`].");
    quote! {
        #[doc = #doc]
        #[repr(transparent)]
        #vis struct #instruction<O>(#word, ::core::marker::PhantomData<fn() -> O>);

        #[doc = #opcode_doc]
        #vis trait #opcode_trait: 'static {
            /// The place of the opcode among those of the set's own call.
            const INDEX: usize;
            /// The name of the type of its instructions.
            const NAME: &'static str = #type_names[Self::INDEX];
        }

        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #type_names: [&str; #count] = [#(#all),*];

        /// An opcode with semantics.
        #vis trait #execute_trait: #opcode_trait {
            #[doc(hidden)]
            fn run<__M: #bound + ?::core::marker::Sized>(word: u128, machine: &mut __M) #outcome;
            #run_warp
        }
    }
}

/// What all instructions of the call have.
fn emit_methods(model: &Model, names: &Names) -> TokenStream {
    let Names { opcodes: table, instruction, opcode_trait, execute_trait, .. } = names;
    let (vis, word, bound) = (&model.header.vis, word_type(set_bits(model)), machine_trait(model));
    let (outcome, errors) = (outcome(model), errors_doc(model));
    let execute_warp = emit_execute_warp(model);
    let run = give(model, &quote!(O::run(self.0 as u128, machine)));
    quote! {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl<O: #opcode_trait> #instruction<O> {
            /// The row of the opcode: fields, operands, syntax, exceptions.
            #vis const OPCODE: &'static ::isa_core::table::Opcode = &#table[O::INDEX];

            #[doc(hidden)]
            #vis const __ROWS: &'static [::isa_core::table::Opcode] = &#table;

            const INITIAL: #word = #table[O::INDEX].start as #word;

            /// The instruction with this word.
            ///
            /// # Errors
            ///
            /// A word of another opcode, a reserved value or an illegal combination.
            #vis fn decode(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::OPCODE.validate(word as u128).map(|()| Self(word, ::core::marker::PhantomData))
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

            #[doc(hidden)]
            #[must_use]
            #vis const fn __from_valid(word: u128) -> Self {
                Self(word as #word, ::core::marker::PhantomData)
            }

            #[doc(hidden)]
            #[must_use]
            #vis const fn __word(self) -> u128 { self.0 as u128 }

            #[inline]
            fn __with<V: ::isa_core::operand::FieldValue>(
                self,
                field: &'static ::isa_core::table::Field,
                value: V,
            ) -> Self {
                Self::__from_valid(field.set(self.0 as u128, value.to_raw()))
            }
        }

        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl<O: #execute_trait> #instruction<O> {
            /// Runs the instruction on a machine: fetches what it reads, computes, and stores
            /// what it writes. Nothing happens where its guard is false.
            #errors
            #[inline]
            #vis fn execute<__M: #bound + ?::core::marker::Sized>(
                self, machine: &mut __M,
            ) #outcome {
                #run
            }

            #execute_warp
        }
    }
}

/// The function for a warp that an opcode has; none where an instruction can trap.
fn emit_run_warp(model: &Model) -> Option<TokenStream> {
    let bound = machine_trait(model);
    model.trap.is_none().then(|| {
        quote! {
            #[doc(hidden)]
            fn run_warp<const __N: usize>(
                word: u128, machine: &mut ::isa_core::machine::Warp<'_, __N>,
            ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound;
        }
    })
}

/// The function for a warp that calls it.
fn emit_execute_warp(model: &Model) -> Option<TokenStream> {
    let (vis, bound) = (&model.header.vis, machine_trait(model));
    model.trap.is_none().then(|| {
        quote! {
            /// Runs the instruction on all active lanes of a warp, where its guard is true.
            #vis fn execute_warp<const __N: usize>(
                self, machine: &mut ::isa_core::machine::Warp<'_, __N>,
            ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound {
                O::run_warp(self.0 as u128, machine);
            }
        }
    })
}

/// What every value type has. The derives would ask the same of the opcode.
fn emit_traits(model: &Model, names: &Names) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
    let (set, word) = (&model.header.name, word_type(set_bits(model)));
    let included = model.included.len();
    quote! {
        ::isa_core::__serde!([__O: #opcode_trait] #instruction<__O>, #word);
        #[automatically_derived]
        impl<O> ::core::clone::Clone for #instruction<O> {
            #[inline]
            fn clone(&self) -> Self { *self }
        }
        #[automatically_derived]
        impl<O> ::core::marker::Copy for #instruction<O> {}
        #[automatically_derived]
        impl<O> ::core::cmp::PartialEq for #instruction<O> {
            #[inline]
            fn eq(&self, other: &Self) -> bool { self.0 == other.0 }
        }
        #[automatically_derived]
        impl<O> ::core::cmp::Eq for #instruction<O> {}
        #[automatically_derived]
        impl<O> ::core::hash::Hash for #instruction<O> {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                ::core::hash::Hash::hash(&self.0, state);
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::fmt::Display for #instruction<O> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::display(Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::fmt::Debug for #instruction<O> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::isa_core::debug(O::NAME, Self::OPCODE, self.0 as u128, f)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::convert::TryFrom<#word> for #instruction<O> {
            type Error = ::isa_core::DecodeError;
            fn try_from(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::decode(word)
            }
        }
        #[automatically_derived]
        impl<O: #opcode_trait> ::core::str::FromStr for #instruction<O> {
            type Err = ::isa_core::ParseError;
            fn from_str(text: &str) -> ::core::result::Result<Self, ::isa_core::ParseError> {
                ::isa_core::parse_as(#set::SET, Self::OPCODE, text).map(Self::__from_valid)
            }
        }
        #[automatically_derived]
        impl<__O: #opcode_trait> ::core::convert::From<#instruction<__O>> for #set {
            #[inline]
            fn from(instruction: #instruction<__O>) -> Self {
                Self::__from_valid(#included + __O::INDEX, instruction.0 as u128)
            }
        }
    }
}
