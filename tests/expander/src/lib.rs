//! The phases of `define_isa!` as a function.
//!
//! A crate of procedural macros exports nothing else, and its macros run only in a compiler. So
//! this compiles its files a second time, as a plain library.
#![cfg_attr(test, allow(dead_code, reason = "the tests of isa-macros use it"))]

#[path = "../../../isa-macros/src/check/mod.rs"]
mod check;
#[path = "../../../isa-macros/src/diag.rs"]
mod diag;
#[path = "../../../isa-macros/src/emit/mod.rs"]
mod emit;
#[path = "../../../isa-macros/src/model/mod.rs"]
mod model;
#[path = "../../../isa-macros/src/pipeline.rs"]
mod pipeline;
#[path = "../../../isa-macros/src/syntax/mod.rs"]
mod syntax;

/// What `define_isa!` makes of an input.
pub fn expand(input: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    pipeline::expand_call(input)
}
