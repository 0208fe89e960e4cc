//! Splits a statement into tokens by their appearance, even if it is invalid.

use core::ops::Range;

/// A token and its range in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) span: Range<usize>,
    pub(super) kind: TokenKind,
}

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Comment,
    /// Letters, digits and `_`, not beginning with a digit.
    Word,
    /// Letters, digits and `_`, beginning with a digit, and the fraction and exponent of the number.
    Number,
    /// Quoted text.
    Text,
    /// Any other character.
    Sign(char),
}

/// Returns the tokens of a range, which must begin outside of comments.
pub(super) fn tokens(text: &str, range: Range<usize>, sign: &str) -> impl Iterator<Item = Token> {
    let mut at = range.start;
    core::iter::from_fn(move || {
        let rest = text.get(at..range.end).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let (start, rest) = (at + blank, &rest[blank..]);
        let (len, kind) = first(rest, sign)?;
        at = start + len;
        Some(Token { span: start..at, kind })
    })
}

/// Returns the length and the class of the first token.
fn first(text: &str, sign: &str) -> Option<(usize, TokenKind)> {
    let c = text.chars().next()?;
    if text.starts_with("//") || !sign.is_empty() && text.starts_with(sign) {
        return Some((text.find(['\n', '\r']).unwrap_or(text.len()), TokenKind::Comment));
    }
    if let Some(inner) = text.strip_prefix("/*") {
        let len = inner.find("*/").map_or(text.len(), |end| end + 4);
        return Some((len, TokenKind::Comment));
    }
    if let quoted @ 1.. = isa_core::text::quoted_len(text.as_bytes()) {
        return Some((quoted, TokenKind::Text));
    }
    Some(match word_len(text) {
        0 => (c.len_utf8(), TokenKind::Sign(c)),
        len if c.is_ascii_digit() => (number_len(text, len), TokenKind::Number),
        len => (len, TokenKind::Word),
    })
}

fn word_len(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Returns the length of a number whose first `word` bytes are letters and digits, such as `1` in
/// `1.5e-3`.
fn number_len(text: &str, word: usize) -> usize {
    let has_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let mut len = word;
    if text[..len].bytes().all(|byte| byte.is_ascii_digit())
        && let Some(fraction) = text[len..].strip_prefix('.').filter(|rest| has_digit(rest))
    {
        len += 1 + word_len(fraction);
    }
    let is_power = text[..len].ends_with(['e', 'E']) && !text.starts_with("0x");
    match text[len..].strip_prefix(['+', '-']).filter(|rest| is_power && has_digit(rest)) {
        Some(power) => len + 1 + word_len(power),
        None => len,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_as_they_look() {
        let text = "ADD.x R1,0x2-1.5e-3 # c\n/* é */ ü\"; # é\"//";
        let found: Vec<_> =
            tokens(text, 0..text.len(), "#").map(|it| (&text[it.span], it.kind)).collect();
        use TokenKind::{Comment, Number, Sign, Text, Word};
        assert_eq!(
            found,
            [
                ("ADD", Word),
                (".", Sign('.')),
                ("x", Word),
                ("R1", Word),
                (",", Sign(',')),
                ("0x2", Number),
                ("-", Sign('-')),
                ("1.5e-3", Number),
                ("# c", Comment),
                ("/* é */", Comment),
                ("ü", Sign('ü')),
                ("\"; # é\"", Text),
                ("//", Comment),
            ]
        );
    }
}
