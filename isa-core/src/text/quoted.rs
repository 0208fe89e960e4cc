//! Finds the end of quoted text, for all code that searches for the ends of statements or for comments.

#[cfg(feature = "alloc")]
use crate::text::WORD;

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

/// Returns the number of the character constant at the start of a text, and the length of its text:
/// `'a'`, or `'a` without the second quote. In `'\n'`, the second character names a control character.
#[cfg(feature = "alloc")]
pub(crate) fn character(text: &[u8]) -> Option<(u8, usize)> {
    let (number, length) = match text {
        [b'\'', b'\\', name, ..] => match name {
            b'b' => (8, 3),
            b'f' => (12, 3),
            b'n' => (b'\n', 3),
            b'r' => (b'\r', 3),
            b't' => (b'\t', 3),
            _ => (*name, 3),
        },
        [b'\'', byte, ..] => (*byte, 2),
        _ => return None,
    };
    if !(b' '..=b'~').contains(text.get(length - 1)?) {
        return None;
    }
    Some((number, length + usize::from(text.get(length) == Some(&b'\''))))
}

/// Returns the length of the character constant at a position of a text; 0 if there is none. A quote
/// after a letter or a digit, as in `af'`, does not begin a constant.
#[cfg(feature = "alloc")]
pub(crate) fn character_len(text: &[u8], at: usize) -> usize {
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    let is_word = before.is_some_and(|&byte| WORD[usize::from(byte)] || byte == b'\'');
    let found = if is_word { None } else { character(text.get(at..).unwrap_or_default()) };
    found.map_or(0, |(_, length)| length)
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
