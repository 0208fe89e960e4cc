//! The phases of the compiler in their order.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::core_path::Core;
use crate::diag::Diagnostics;
use crate::syntax::{expand_chunks, expand_fragment, find_import};
use crate::{check, emit, model, plan, syntax};

/// Expands `[path of isa_core] specification`.
pub(crate) fn expand_call(input: TokenStream) -> TokenStream {
    let mut trees = input.clone().into_iter();
    let (path, input) = match trees.next() {
        Some(TokenTree::Group(path)) if path.delimiter() == Delimiter::Bracket => {
            (Some(path.stream()), trees.collect())
        }
        _ => (None, input),
    };
    Core::named(path, || {
        if let Some(calls) = expand_chunks(&input) {
            return calls;
        }
        // The other call passes its declarations to this macro again, so the path is not needed
        // yet.
        if let Some(import) = find_import(&input) {
            return import.expand();
        }
        expand_fragment(&input).unwrap_or_else(|| expand(input))
    })
}

/// Expands one call without imports. Errors become `compile_error!` items next to the code for the
/// rest.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input, &mut diag);
    let model = model::lower(spec, &mut diag);
    let checked = check::check(&model, &mut diag);
    let mut output = diag.finish();
    output.extend(emit::emit(&plan::plan(&model), &checked));
    output
}

/// Returns the errors of one call without imports.
#[cfg(any(test, feature = "positions"))]
pub(crate) fn errors(input: TokenStream) -> Vec<crate::SpecificationError> {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input, &mut diag);
    let model = model::lower(spec, &mut diag);
    check::check(&model, &mut diag);
    diag.located()
}

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};
    use quote::quote;

    use crate::diag::Diagnostics;
    use crate::{check, model, syntax};

    const README: &str = include_str!("../../../README.md");

    /// Returns the first block of Rust in the README.
    fn rust_block() -> &'static str {
        README.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap()
    }

    /// Returns the input of the first call of the macro in the tokens.
    fn first_call(tokens: TokenStream) -> TokenStream {
        let mut trees =
            tokens.into_iter().skip_while(|tree| tree.to_string() != "define_isa").skip(2);
        let Some(TokenTree::Group(input)) = trees.next() else {
            panic!("the README has no call");
        };
        input.stream()
    }

    #[test]
    fn the_path_of_the_core_crate_is_the_callers() {
        let call = first_call(rust_block().parse().unwrap());
        let text = |tokens: TokenStream| super::expand_call(tokens).to_string().replace(' ', "");
        let plain = text(call.clone());
        assert!(plain.contains("::isa_core::table"));
        let renamed = text(quote!([::renamed::core] #call));
        assert_eq!(renamed, plain.replace("::isa_core", "::renamed::core"));
    }

    #[test]
    fn the_mistake_in_the_readme_is_reported_as_shown_there() {
        let wrong = rust_block().replace("op == SUB", "op == ADD");
        let mut diag = Diagnostics::default();
        let spec = syntax::parse_spec(first_call(wrong.parse().unwrap()), &mut diag);
        let model = model::lower(spec, &mut diag);
        check::check(&model, &mut diag);
        let messages = diag.messages();
        assert_eq!(messages.len(), 2, "{messages:#?}");
        for line in messages[0].lines() {
            assert!(README.contains(line), "the README lacks {line}");
        }
    }
}
