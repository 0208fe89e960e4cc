//! The bytes of quoted text: `.ascii "one; two\n"`.

use super::data::goes_on;
use crate::error::ParseError;
use crate::text::{Cursor, OperandError, quoted};

/// Parses quoted texts separated by commas, and the `;` after them. Calls `each` with the bytes of
/// every text. If `ends` is true, a byte 0 follows each text.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    ends: bool,
    mut each: impl FnMut(&[u8]),
) -> Result<(), ParseError> {
    loop {
        text(cursor, &mut each).map_err(|fault| ParseError::fault(cursor, fault))?;
        if ends {
            each(&[0]);
        }
        if !goes_on(cursor, "expected `,` or `;` after the string")? {
            return Ok(());
        }
    }
}

fn text(cursor: &mut Cursor<'_>, each: &mut impl FnMut(&[u8])) -> Result<(), OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let (len, true) = quoted(cursor.rest()) else {
        return Err(cursor.fault(start, "expected a quoted string on one line"));
    };
    let len = len.saturating_sub(2);
    let (first, behind) = (start + 1, start + 1 + len);
    let text = cursor.text().get(first..behind).unwrap_or_default();
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let plain = rest.iter().position(|&byte| byte == b'\\').unwrap_or(rest.len());
        let (letters, escape) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        each(letters);
        rest = escape;
        if let [_, escaped @ ..] = escape {
            let Some((byte, length)) = escaped_byte(escaped) else {
                let at = behind - rest.len();
                let message = "unknown escape: expected `\\n`, `\\t`, `\\r`, `\\b`, `\\f`, `\\\\`, `\\\"`, \
                               octal `\\0` to `\\377`, or hexadecimal `\\x1f`";
                return Err(cursor.fault(at, message));
            };
            each(&[byte]);
            rest = escaped.get(length..).unwrap_or_default();
        }
    }
    cursor.seek(behind + 1);
    Ok(())
}

/// The letters that may follow a `\`, each with the byte that it represents.
const NAMED: [[u8; 2]; 7] = [*b"n\n", *b"t\t", *b"r\r", *b"b\x08", *b"f\x0c", *b"\\\\", *b"\"\""];

/// Returns the byte that the text after a `\` represents, and the length of that text.
fn escaped_byte(text: &[u8]) -> Option<(u8, usize)> {
    let first = *text.first()?;
    if let Some([_, byte]) = NAMED.iter().find(|[letter, _]| *letter == first) {
        return Some((*byte, 1));
    }
    // An octal number has at most three digits. A hexadecimal number can have any number of digits.
    let (radix, start, end) = if first == b'x' { (16, 1, text.len()) } else { (8, 0, 3) };
    let (mut number, mut at) = (0u32, start);
    while let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(radix))
        && at < end
    {
        number = number.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    let byte = u8::try_from(number).ok().filter(|_| at > start)?;
    Some((byte, at))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use super::read;
    use crate::text::Cursor;

    #[test]
    fn bytes_are_those_between_the_quotes() {
        let bytes = |text: &str, ends| {
            let mut all = Vec::new();
            let read = read(&mut Cursor::new(text), ends, |bytes| all.extend(bytes));
            read.map(|()| all).map_err(|error| format!("{}: {error}", error.span.start))
        };
        assert_eq!(bytes("\"ab\\n\" , \"\";", false), Ok(b"ab\n".to_vec()));
        assert_eq!(bytes("\"ab\", \"c\";", true), Ok(b"ab\0c\0".to_vec()));
        let escapes = "\"\\\\\\\"\\0\\12\\3777\\x1F\\xaz\\t\\r\\b\\f\u{e9}\";";
        let expected = b"\\\"\0\n\xff7\x1f\nz\t\r\x08\x0c\xc3\xa9";
        assert_eq!(bytes(escapes, false), Ok(expected.to_vec()));
        for (text, place) in [
            ("\"a\\q\";", "2: unknown escape"),
            ("\"\\400\";", "1: unknown escape"),
            ("\"\\x\";", "1: unknown escape"),
            ("\"\\x100\";", "1: unknown escape"),
            ("\"a;", "0: expected a quoted string"),
            ("a;", "0: expected a quoted string"),
            ("\"a\" b;", "3: expected `,` or `;`"),
        ] {
            let error = bytes(text, false).unwrap_err();
            assert!(error.starts_with(place), "{text}: {error}");
        }
    }
}
