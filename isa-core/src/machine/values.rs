//! Parsing of the values in machine state that is written as text, and the errors of names and values.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::nearest;

/// The reason why a text is not the name of a place, or not a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError(String);

impl NameError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        NameError(message.into())
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for NameError {}

/// Parses one bit, written as a word or as a digit.
pub(super) fn truth(text: &str) -> Result<bool, NameError> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => {
            let meant = nearest(text.as_bytes(), ["true", "false"].into_iter());
            let hint = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            Err(NameError(format!("expected true, false, 1 or 0, found `{text}`{hint}")))
        }
    }
}

/// Parses a number of at most `bits` bits, in hexadecimal with `0x`, or in decimal.
///
/// ```
/// use isa_core::machine::number;
///
/// assert_eq!(number("0x10", 32), Ok(16));
/// assert_eq!(number("3c00", 16).unwrap_err().to_string(),
///     "`3c00` is not a number; did you mean `0x3c00`?");
/// ```
///
/// # Errors
///
/// Returns an error if the text is not a number, or if the number needs more bits.
pub fn number(text: &str, bits: u32) -> Result<u128, NameError> {
    let most = !u128::MAX.unbounded_shl(bits);
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (radix, digits) = hex.map_or((10, text), |digits| (16, digits));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        let is_all = |digits: &str, radix: u32| {
            !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
        };
        return Err(NameError(if digits.strip_prefix('-').is_some_and(|rest| is_all(rest, 10)) {
            format!("`{text}` is out of range: expected 0 to {most:#x}")
        } else if is_all(digits, 16) {
            format!("`{text}` is not a number; did you mean `0x{text}`?")
        } else {
            format!("`{text}` is not a number: expected decimal, or hexadecimal with 0x")
        }));
    }
    let number = u128::from_str_radix(digits, radix).ok().filter(|number| *number <= most);
    let wide = || format!("`{text}` does not fit in {bits} bits: expected 0 to {most:#x}");
    number.ok_or_else(|| NameError(wide()))
}
