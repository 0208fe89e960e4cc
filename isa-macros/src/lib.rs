#![doc = include_str!("../README.md")]
//!
//! ## Why it holds one function
//!
//! A crate of procedural macros exports nothing else, and its macros run only in a compiler. What
//! they do is therefore a library of its own, `isa-compiler`.

/// Defines an instruction set, or a part of one. See `isa_core::define_isa!`.
#[proc_macro]
pub fn define_isa(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    isa_compiler::expand(input.into()).into()
}
