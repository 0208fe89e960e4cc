#![doc = include_str!("../README.md")]
//!
//! ## Why it holds one function
//!
//! A crate of procedural macros cannot export anything else, and its macros run only inside a
//! compiler. The code behind the macro is therefore a separate library, `isa-compiler`.

/// Defines an instruction set, or a part of one. See `isa_core::define_isa!`.
#[proc_macro]
pub fn define_isa(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    isa_compiler::expand(input.into()).into()
}
