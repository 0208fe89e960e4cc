//! The compiler behind `isa_core::define_isa!`, as a plain library: [`expand`] takes the tokens of a
//! specification and gives Rust source.
//!
//! A call runs through five phases, each a module tree that looks only at those before:
//! `syntax` parses, `model` resolves names, `check` applies the rules, `plan` decides how all is
//! laid out, `emit` writes Rust.

mod check;
mod core_path;
mod diag;
mod emit;
mod model;
mod pipeline;
mod plan;
mod syntax;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

pub use syntax::{Fragment, similar};

/// What `define_isa!` makes of a specification.
///
/// The tokens may begin with the path of `isa-core` in brackets, `[::renamed::core]`, which is then
/// written wherever the expansion names that crate; without it that is `::isa_core`. Every fault of
/// the specification becomes a `compile_error!` beside what could be made of the rest, so that there
/// is no error to return. A call that uses other calls expands to a call of their macros.
///
/// ```
/// let specification = "
///     pub isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { JMP = 1 }
///     opcode JMP {
///         encoding { field<8, 8> Op op == JMP; field<0, 8> Reg ra; }
///         syntax   { JMP Ra; }
///     }
/// ";
/// let source = isa_compiler::expand(specification.parse().unwrap()).to_string();
/// assert!(source.contains("pub enum Tiny"));
/// ```
#[must_use]
pub fn expand(specification: TokenStream) -> TokenStream {
    pipeline::expand_call(specification)
}
