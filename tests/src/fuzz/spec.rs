//! Fuzz target: runs the macro on any input.

use proc_macro2::{TokenStream, TokenTree};

use super::reached;

/// The maximum length of an input in bytes. Longer inputs have no new results.
const LONGEST: usize = 16 << 10;

/// Runs the target on the text of a specification.
///
/// # Panics
///
/// Panics if the macro panics.
pub fn target(data: &[u8]) -> u64 {
    let Some(text) = data.get(..data.len().min(LONGEST)) else { return 0 };
    let Ok(input) = String::from_utf8_lossy(text).parse::<TokenStream>() else { return 0 };
    let mut codes = Vec::new();
    collect_codes(isa_compiler::expand(input), &mut codes);
    codes.sort_unstable();
    codes.dedup();
    reached(codes)
}

/// Collects the codes of the errors, such as `ISA0005`.
fn collect_codes(output: TokenStream, codes: &mut Vec<String>) {
    for tree in output {
        match tree {
            TokenTree::Group(group) => collect_codes(group.stream(), codes),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let code = text.strip_prefix("\"[").and_then(|rest| rest.get(..7));
                codes.extend(code.filter(|code| code.starts_with("ISA")).map(str::to_owned));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}
