//! Emits the type of a call's instructions, and its typed accessors.
//!
//! A call has one generic struct, and each field has its accessors once, regardless of the number of
//! opcodes with the field. Traits determine which accessors an opcode has:
//!
//! ```text
//! pub struct HaluInstruction<O>(u128, PhantomData<fn() -> O>);
//! impl<O: HaluIsHArith> HaluInstruction<O> { pub fn ftz(self, ..) -> Self; .. }  // one group's
//! impl<O: HaluHasRb> HaluInstruction<O> { pub fn rb(self, ..) -> Self; .. }      // differs
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::accessor_traits::{emit_accessors, emit_trait};
use super::effects::errors_doc;
use super::exec::machine_trait;
use super::names::{Names, set_bits, word_type};
use crate::core_path::CORE;
use crate::model::Model;
use crate::plan::Plan;

/// Emits the struct, the traits and the accessors, or nothing if the call has no opcodes.
pub(crate) fn emit_family(
    Plan { model, accessor_traits, .. }: &Plan<'_>,
    names: &Names,
) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let base = emit_base(model, names);
    let gate_traits = accessor_traits.iter().map(|accessor| emit_trait(model, names, accessor));
    let accessors = accessor_traits.iter().map(|accessor| emit_accessors(model, names, accessor));
    quote!(#base #(#gate_traits)* #(#accessors)*)
}

/// Emits the items that all instructions of the call share.
fn emit_base(model: &Model, names: &Names) -> TokenStream {
    let Names { opcodes, instruction, opcode_trait, execute_trait, .. } = names;
    let (vis, set, word) = (&model.header.vis, &model.header.name, word_type(set_bits(model)));
    let (machine, trap, errors) = (machine_trait(model), &model.trap, errors_doc(model));
    let lanes = trap.is_none().then(|| quote!(__N: #machine));
    let types = model.opcodes.iter().map(|opcode| opcode.type_name.to_string());
    let doc = format!("An instruction of [`{set}`] with the opcode `O`, stored as its word.");
    let opcode_doc = format!("An opcode of [`{set}`].");
    quote! {
        #CORE::__private::family! {
            #vis #set #word #opcodes [#(#types)*]
            #[doc = #doc] #instruction #[doc = #opcode_doc] #opcode_trait
        }
        #CORE::__private::execute! {
            #vis #instruction #opcode_trait #execute_trait [#machine]
            [#trap] [#errors] [#lanes]
        }
    }
}
