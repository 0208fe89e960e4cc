//! What the compiler says of a specification.

use proc_macro2::{TokenStream, TokenTree};

use crate::claims;

/// The faults of a specification, and whether types decide over others.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The messages, each with its code in brackets in front.
    pub faults: Vec<String>,
    /// Whether the expansion asserts something of types that only a Rust compiler sees.
    pub claims: bool,
}

impl Verdict {
    /// The codes of the faults, `ISA0025`, without the notes at second places.
    #[must_use]
    pub fn codes(&self) -> Vec<&str> {
        self.faults.iter().filter_map(|fault| fault.get(1..8)).collect()
    }

    /// The faults with a code.
    pub fn with(&self, code: u32) -> impl Iterator<Item = &str> {
        let head = format!("[ISA{code:04}] ");
        self.faults.iter().filter_map(move |fault| fault.strip_prefix(&head))
    }
}

/// Expands a specification.
///
/// # Panics
///
/// Where the text is not even tokens.
#[must_use]
pub fn verdict(text: &str) -> Verdict {
    let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{e} in\n{text}"));
    let output = isa_compiler::expand(tokens);
    let mut verdict = Verdict::default();
    collect(output.clone(), &mut verdict);
    if verdict.claims
        && let Some(failing) = claims::failing(&output)
    {
        // Decided after all.
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

/// The value of a string literal.
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
