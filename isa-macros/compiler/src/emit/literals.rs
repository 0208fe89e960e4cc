//! Emits numbers, lists of bytes, optional values and masked patterns.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::core_path::CORE;
use crate::model::cube::Cube;

/// Emits masked patterns as a slice.
pub(crate) fn emit_cubes(cubes: &[Cube]) -> TokenStream {
    let cubes = cubes.iter().map(emit_cube);
    quote!(&[#(#cubes),*])
}

/// Emits one masked pattern.
pub(crate) fn emit_cube(cube: &Cube) -> TokenStream {
    let (mask, value) = (hex(cube.mask), hex(cube.value));
    quote!(#CORE::table::Cube::new(#mask, #value))
}

/// Returns a word as a hexadecimal literal.
pub(crate) fn hex(word: u128) -> Literal {
    format!("{word:#x}").parse().unwrap_or_else(|_| Literal::u128_unsuffixed(word))
}

pub(super) fn emit_option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

pub(super) fn byte(index: usize) -> Literal {
    Literal::u8_unsuffixed(u8::try_from(index).unwrap_or(u8::MAX))
}

/// Returns a list of bytes as one token.
pub(super) fn bytes(indices: impl Iterator<Item = usize>) -> Literal {
    let bytes: Vec<u8> = indices.map(|index| u8::try_from(index).unwrap_or(u8::MAX)).collect();
    Literal::byte_string(&bytes)
}
