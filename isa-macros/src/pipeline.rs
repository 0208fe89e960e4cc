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

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};

    use crate::diag::Diagnostics;
    use crate::{check, model, syntax};

    const README: &str = include_str!("../../README.md");

    /// The input of the first call of the macro in the tokens.
    fn first_call(tokens: TokenStream) -> TokenStream {
        let mut trees =
            tokens.into_iter().skip_while(|tree| tree.to_string() != "define_isa").skip(2);
        let Some(TokenTree::Group(input)) = trees.next() else {
            panic!("the README has no call");
        };
        input.stream()
    }

    #[test]
    fn the_mistake_in_the_readme_is_reported_as_shown_there() {
        let block = README.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
        let wrong = block.unwrap().replace("op == SUB", "op == ADD");
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
