//! Finds the end of quoted text, for all code that searches for the ends of statements or for comments.

/// The character that replaces an opening quote if its line contains no closing quote. Messages show
/// the original quote.
#[cfg(feature = "alloc")]
pub(crate) const OPEN_QUOTE: char = '\u{1}';

/// Returns the length of the quoted text at the start of a text, as in `.ascii`, including both
/// quotes; 0 if there is none. Without a closing quote it extends to the end of the line. Inside
/// it, `;` and the signs of comments are ordinary characters.
///
/// ```
/// use isa_core::text::quoted_len;
///
/// assert_eq!(quoted_len(br#""a; \"b\"" // c"#), 10);
/// assert_eq!(quoted_len(b"\"a; b\nc\""), 5);
/// assert_eq!(quoted_len(b"a"), 0);
/// ```
#[must_use]
pub fn quoted_len(text: &[u8]) -> usize {
    quoted(text).0
}

/// Returns the length of the quoted text at the start of a text, and whether it has a closing
/// quote.
pub(crate) fn quoted(text: &[u8]) -> (usize, bool) {
    if text.first() != Some(&b'"') {
        return (0, false);
    }
    let mut at = 1;
    loop {
        match text.get(at..).unwrap_or_default() {
            [] | [b'\n', ..] => return (at, false),
            [b'"', ..] => return (at + 1, true),
            [b'\\', next, ..] if *next != b'\n' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::quoted_len;

    #[test]
    fn a_text_ends_at_its_quote() {
        for (text, len) in [
            ("\"\"", 2),
            ("\"a;//b\" c", 7),
            ("\"a\\\"b\"", 6),
            ("\"a\\\\\"b\"", 5),
            ("\"a\nb\"", 2),
            ("\"a\\", 3),
            ("\"a\\\nb\"", 3),
            ("a\"\"", 0),
            ("", 0),
        ] {
            assert_eq!(quoted_len(text.as_bytes()), len, "{text}");
        }
    }
}
