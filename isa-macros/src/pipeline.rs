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
    check::check(&model, &mut diag);
    let mut output = diag.finish();
    output.extend(emit::emit(&model));
    output
}
