//! Converts tokens to assembly text and template text, for examples and for messages.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::ast::Lexeme;

/// Returns the words and punctuation of assembly text, each with its position.
pub(crate) fn lexemes(tokens: TokenStream) -> Vec<Lexeme> {
    let mut found = Vec::new();
    for tree in tokens {
        let TokenTree::Group(group) = tree else {
            let (text, span) = (tree.to_string(), tree.span());
            found.extend(parts(&text).into_iter().map(|text| Lexeme { text, span }));
            continue;
        };
        let (open, close) = delimiters(group.delimiter());
        let mark = |text: &str, span| Lexeme { text: text.to_owned(), span };
        found.push(mark(open, group.span_open()));
        found.extend(lexemes(group.stream()));
        found.push(mark(close, group.span_close()));
    }
    found.retain(|lexeme| !lexeme.text.is_empty());
    found
}

/// Returns whether `c` can be part of a word in a specification.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Splits text into words and single punctuation marks, without white space.
pub(crate) fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if in_word && is_word(c) => last.push(c),
            _ if !c.is_whitespace() => parts.push(c.to_string()),
            _ => {}
        }
        in_word = is_word(c);
    }
    parts
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// Returns the tokens as assembly text. White space in assembly is optional, so spaces are inserted
/// only between two words, and after a comma.
pub(crate) fn assembly(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                space_before_mark(punct.as_char(), text);
                text.push(punct.as_char());
            }
            word => {
                if needs_space(text) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
        }
    }
}

/// Appends a space to `text` if the punctuation character `mark` begins an operand or an attribute,
/// and `text` ends with a word or a comma.
fn space_before_mark(mark: char, text: &mut String) {
    let after_word = text.ends_with(|c: char| c.is_alphanumeric() || c == ',');
    let tag = matches!(mark, '?' | '&') && !text.is_empty();
    if tag
        || (after_word && matches!(mark, '-' | '+' | '!' | '@'))
        || (text.ends_with(',') && mark != ',')
    {
        text.push(' ');
    }
}

fn needs_space(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ',' | ';'))
}

#[cfg(test)]
mod tests {
    use super::assembly;

    #[test]
    fn example_lines_keep_their_words_apart() {
        let text = |source: &str| assembly(source.parse().unwrap());
        assert_eq!(text("HADD2.RN.FTZ R1, -|R4|, -1, 1"), "HADD2.RN.FTZ R1, -|R4|, -1, 1");
        assert_eq!(text("@!P0 HADD2 R1, c[0x0][0x4] ?WAIT4"), "@!P0 HADD2 R1, c[0x0][0x4] ?WAIT4");
        assert_eq!(text("vmin2.s32 r1.h10, r2"), "vmin2.s32 r1.h10, r2");
    }
}
