//! Ranges of names that differ only in their numbers, and the comparison and parsing of names at compile
//! time.

/// The names from a first to a last name, which differ only in their numbers.
pub(super) struct NameRange {
    /// The text before the number in each name.
    pub(super) prefix: &'static str,
    /// The number of the first name.
    pub(super) first: u16,
    /// The number of names.
    pub(super) count: u16,
}

impl NameRange {
    /// Returns the names from `first` to `last`, with `step` between consecutive numbers.
    ///
    /// # Panics
    ///
    /// Panics at compile time if a name does not end with a number, if `last` has another prefix or a
    /// lower number, or if its number is not a whole number of steps after the first.
    pub(super) const fn of(first: &'static str, last: &'static str, step: u8) -> Self {
        let (prefix, first) = numbered(first);
        let (other, last) = numbered(last);
        assert!(
            is_same(prefix.as_bytes(), other.as_bytes()),
            "the first and the last name must have the same prefix"
        );
        assert!(first <= last, "the last number must not be below the first");
        assert!(step > 0, "a step must be at least 1");
        let (distance, step) = (last - first, step as u16);
        assert!(
            distance % step == 0,
            "the last name must be a whole number of steps after the first"
        );
        NameRange { prefix, first, count: distance / step + 1 }
    }
}

/// Splits a name into its prefix and its number.
const fn numbered(name: &'static str) -> (&'static str, u16) {
    let bytes = name.as_bytes();
    let mut len = bytes.len();
    while len > 0 && bytes[len - 1].is_ascii_digit() {
        len -= 1;
    }
    assert!(len < bytes.len(), "a name must end with a number");
    assert!(bytes[len] != b'0' || len + 1 == bytes.len(), "a number must not have leading zeros");
    let (mut number, mut at) = (0u16, len);
    while at < bytes.len() {
        number = number * 10 + (bytes[at] - b'0') as u16;
        assert!(number <= 255, "a number must be at most 255");
        at += 1;
    }
    (name.split_at(len).0, number)
}

/// Returns whether two texts are identical.
pub(super) const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Parses a number of at most three digits without leading zeros.
#[inline]
pub(super) fn decimal(digits: &str) -> Option<u8> {
    let digits = digits.as_bytes();
    if digits.is_empty() || digits.len() > 3 || (digits.len() > 1 && digits[0] == b'0') {
        return None;
    }
    let mut number = 0u16;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u16::from(digit);
    }
    u8::try_from(number).ok()
}
