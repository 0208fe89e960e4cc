//! The compiler that `isa_core::define_isa!` calls, as a plain library: [`expand`] accepts the
//! tokens of a specification and returns Rust source.
//!
//! A call passes through five phases. Each phase is a module tree that uses only the phases before
//! it: `syntax` parses, `model` resolves names, `check` applies the rules, `plan` lays out the
//! tables, and `emit` prints Rust.

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

#[cfg(any(test, feature = "positions"))]
pub use diag::SpecificationError;
pub use syntax::{Fragment, similar};

/// Expands a specification, as `define_isa!` does.
///
/// The tokens may begin with the path of `isa-core` in brackets, `[::renamed::core]`. The expansion
/// then uses this path; otherwise it uses `::isa_core`. Every error of the specification becomes a
/// `compile_error!` next to the code for the rest, so the function does not return an error. A call
/// that imports other calls expands to a call of their macros.
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

/// Returns the errors of a specification with their positions in its text, without expanding it.
///
/// The specification must not import other calls. Imported names would be reported as unknown.
///
/// ```
/// # #[cfg(feature = "positions")] {
/// let specification = "pub isa Tiny: u16;\nopcode JMP { encoding { field<8, 8> Opp op; } }";
/// let errors = isa_compiler::errors(specification.parse().unwrap());
/// assert!(errors[0].message.starts_with("[ISA0002] "));
/// assert_eq!((errors[0].line, errors[0].column), (2, 37));
/// # }
/// ```
#[cfg(any(test, feature = "positions"))]
#[must_use]
pub fn errors(specification: TokenStream) -> Vec<SpecificationError> {
    pipeline::errors(specification)
}
