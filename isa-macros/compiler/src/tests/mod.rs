//! Tests the whole pipeline on token streams, without rustc.

mod aliases;
mod bounds;
mod claims;
mod codes;
mod effects;
mod encodings;
mod examples;
mod faults;
mod fuzz;
mod growing;
mod guards;
mod imports;
mod loops;
mod loops_named;
mod mistakes;
mod pages;
mod phases;
mod properties;
mod references;
mod sentences;
mod size;
mod snapshot;
mod texts;
mod ui;

use proc_macro2::{TokenStream, TokenTree};

use crate::SpecificationError;
use crate::pipeline;

/// Returns a generator of 44-bit pseudorandom numbers, the same in each run.
pub(crate) fn numbers() -> impl FnMut() -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 20
    }
}

/// Returns the tokens of a specification.
fn tokens(spec: &str) -> TokenStream {
    spec.parse().unwrap_or_else(|e| panic!("{e} in {spec}"))
}

/// Returns the messages that the compiler reports for a specification.
fn faults(spec: &str) -> Vec<String> {
    faults_of(tokens(spec)).into_iter().map(|fault| fault.message).collect()
}

/// Returns the errors in the input of a call, with their locations.
fn faults_of(input: TokenStream) -> Vec<SpecificationError> {
    pipeline::errors(input)
}

/// Returns the inputs of all calls of the macro in a file, including calls in modules.
fn calls(file: TokenStream) -> Vec<TokenStream> {
    let mut calls = Vec::new();
    let mut before = [String::new(), String::new()];
    for tree in file {
        if let TokenTree::Group(group) = &tree {
            match before.each_ref().map(String::as_str) {
                ["define_isa", "!"] => calls.push(group.stream()),
                _ => calls.extend(self::calls(group.stream())),
            }
        }
        let [_, last] = before;
        before = [last, tree.to_string()];
    }
    calls
}
