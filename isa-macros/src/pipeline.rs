//! The phases in their order.

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;
use crate::syntax::find_import;
use crate::{check, emit, model, syntax};

/// Expands one call. Faults become `compile_error!` items beside whatever could be made.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if let Some(import) = find_import(&input) {
        return import.expand();
    }
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input, &mut diag);
    let model = model::lower(spec, &mut diag);
    if let Some(model) = &model
        && diag.is_empty()
    {
        check::check(model, &mut diag);
    }
    let broken = !diag.is_empty();
    let mut output = diag.finish();
    output.extend(model.map(|model| emit::emit(&model, broken)));
    output
}
