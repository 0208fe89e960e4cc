//! The arguments of macros and of directives.

use alloc::vec::Vec;
use core::ops::Range;

use crate::text::{character_len, is_name, quoted_len};

/// Returns the arguments in a range of a text, which are separated by commas outside quotes,
/// parentheses and brackets. If `by_blanks` is true, white space between two words also separates
/// arguments.
pub(super) fn split(text: &str, span: Range<usize>, by_blanks: bool) -> Vec<Range<usize>> {
    let bytes = text.as_bytes().get(..span.end).unwrap_or_default();
    let (mut found, mut start, mut at, mut depth) = (Vec::new(), span.start, span.start, 0_usize);
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|&byte| is_name(byte) || b"\"\\".contains(&byte));
    let mut after_comma = false;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push(trimmed(text, start..at));
                (start, after_comma) = (at + 1, true);
            }
            b' ' | b'\t' | b'\n' | b'\r' if depth == 0 && by_blanks => {
                let length = rest.iter().position(|byte| !byte.is_ascii_whitespace());
                let next = at + length.unwrap_or(rest.len());
                let is_first = text.get(start..at).is_none_or(|before| before.trim().is_empty());
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                if !is_first && is_word(before) && is_word(bytes.get(next)) {
                    found.push(trimmed(text, start..at));
                    (start, after_comma) = (next, false);
                }
                at = next;
                continue;
            }
            _ => {}
        }
        at += quoted_len(rest).max(character_len(bytes, at)).max(1);
    }
    let last = trimmed(text, start..span.end);
    if !last.is_empty() || after_comma {
        found.push(last);
    }
    found
}

/// Returns a range of a text without white space at its ends.
pub(super) fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = text.get(span.clone()).unwrap_or_default();
    let start = span.start + (part.len() - part.trim_start().len());
    start..start.max(span.start + part.trim_end().len())
}

/// Returns a text without the quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    let length = quoted_len(text.as_bytes());
    if length < 2 || length != text.len() {
        return text;
    }
    text.get(1..length - 1).unwrap_or_default()
}
