//! The whole pipeline on streams of tokens, outside of a compiler.

mod encodings;
mod faults;
mod fuzz;
mod snapshot;
mod texts;

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;
use crate::{check, model, syntax};

/// The tokens of a specification.
fn tokens(spec: &str) -> TokenStream {
    spec.parse().unwrap_or_else(|e| panic!("{e} in {spec}"))
}

/// What is reported of a specification.
fn faults(spec: &str) -> Vec<String> {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(tokens(spec), &mut diag);
    let model = model::lower(spec, &mut diag);
    check::check(&model, &mut diag);
    diag.messages()
}
