//! The compiler's diagnostics for a specification.

use proc_macro2::{TokenStream, TokenTree};

use crate::claims;

/// The errors of a specification, and whether the Rust compiler decides about more.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The messages, each beginning with its code in brackets.
    pub faults: Vec<String>,
    /// Whether the expansion asserts properties of types that only a Rust compiler knows.
    pub claims: bool,
}

impl Verdict {
    /// Returns the codes of the errors, for example `ISA0025`, without the notes at second
    /// locations.
    #[must_use]
    pub fn codes(&self) -> Vec<&str> {
        self.faults.iter().filter_map(|fault| fault.get(1..8)).collect()
    }

    /// Returns the errors with a code.
    pub fn with(&self, code: u32) -> impl Iterator<Item = &str> {
        let head = format!("[ISA{code:04}] ");
        self.faults.iter().filter_map(move |fault| fault.strip_prefix(&head))
    }
}

/// Expands a specification.
///
/// # Panics
///
/// Panics if the text cannot be split into tokens.
#[must_use]
pub fn verdict(text: &str) -> Verdict {
    let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{e} in\n{text}"));
    let output = isa_compiler::expand(tokens);
    let mut verdict = Verdict::default();
    collect(output.clone(), &mut verdict);
    if verdict.claims
        && let Some(failing) = claims::failing(&output)
    {
        // The evaluator could decide the assertions.
        verdict.claims = false;
        verdict.faults.extend(failing);
    }
    verdict
}

fn collect(tokens: TokenStream, verdict: &mut Verdict) {
    // `:: core :: compile_error ! { "..." }`
    let mut expected = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) => {
                expected = name == "compile_error";
                verdict.claims |= name == "are_apart";
            }
            TokenTree::Punct(mark) => expected &= mark.as_char() == '!',
            TokenTree::Group(group) if expected => {
                verdict.faults.push(unescaped(&group.stream().to_string()));
                expected = false;
            }
            TokenTree::Group(group) => collect(group.stream(), verdict),
            TokenTree::Literal(_) => expected = false,
        }
    }
}

/// Returns the value of a string literal.
pub(crate) fn unescaped(literal: &str) -> String {
    let inside = literal.trim().trim_matches('"');
    let mut text = String::new();
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        text.push(match c {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => break,
            },
            c => c,
        });
    }
    text
}
