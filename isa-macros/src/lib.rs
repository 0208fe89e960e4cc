//! The `define_isa!` macro.
use proc_macro::TokenStream;

/// Defines an instruction set.
#[proc_macro]
pub fn define_isa(input: TokenStream) -> TokenStream {
    input
}
