//! Parses a decimal number of any length and rounds it once to 16 bits.
//!
//! The number is first rounded to binary64 *to odd*, so that the second rounding gives the same
//! result as rounding the decimal itself: see [`exact`](crate::exact).

use crate::half_float::Half;
use crate::nearest::round_binary64;

/// The number of significant digits that are kept. The remaining digits are reduced to one flag:
/// whether any of them is not zero.
///
/// This is sufficient to compare the number exactly with any number that has at most this many digits.
/// A midpoint is `m * 2^-k` with `m < 2^9` and `k <= 134` in bf16, `m < 2^12` and `k <= 25` in f16, or
/// an integer below 2^128. A midpoint `m * 2^-k` has the significant digits of `m * 5^k`, which are at
/// most 97. An integer has at most 39 digits.
const KEPT: usize = 128;

/// The base of the numbers that contain nine digits.
const BILLION: u64 = 1_000_000_000;

/// A decimal number without a sign: `0.d1d2d3... * 10^scale`, where `d1` is not 0.
pub(crate) struct Decimal {
    /// The digits in ASCII, followed by `1` if a dropped digit is not zero. The rest is filled with
    /// `0`.
    digits: [u8; KEPT + 1],
    /// The power of ten.
    scale: i64,
}

impl Decimal {
    /// Parses digits with an optional point and an optional exponent. Returns `None` for any other
    /// text.
    pub(crate) fn scan(text: &[u8]) -> Option<Self> {
        let (integer, rest) = split_digits(text);
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => split_digits(rest),
            _ => (&[][..], rest),
        };
        if integer.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', exponent @ ..] => scan_exponent(exponent)?,
            _ => return None,
        };
        Some(Self::new(integer, fraction, exponent))
    }

    /// Returns the number with the digits `integer` before the point and the digits `fraction`
    /// after it.
    fn new(integer: &[u8], fraction: &[u8], exponent: i64) -> Self {
        let mut digits = [b'0'; KEPT + 1];
        let leading = integer.iter().chain(fraction).take_while(|&&d| d == b'0');
        let leading = leading.count();
        let mut significant = integer.iter().chain(fraction).skip(leading);
        for (place, &digit) in digits.iter_mut().zip(significant.by_ref().take(KEPT)) {
            *place = digit;
        }
        if significant.any(|&d| d != b'0') {
            digits[KEPT] = b'1';
        }
        // A saturated exponent is larger than the number of digits of any text, so the result is
        // correct.
        let point = integer.len() as i64 - leading as i64;
        Self { digits, scale: exponent.saturating_add(point) }
    }

    /// Returns the nearest value of `H`, ties to even; infinity if the number is too large.
    pub(crate) fn round<H: Half>(&self) -> H {
        round_binary64(self.to_odd().to_bits())
    }

    /// Returns the digit at an index, or 0 outside of the digits.
    fn digit(&self, place: i64) -> u64 {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place));
        digit.map_or(0, |digit| u64::from(digit - b'0'))
    }

    /// Returns the number rounded to odd in binary64. Returns 0 if the number is below half of the
    /// smallest number of any format, and infinity if it is above the largest number of any format.
    fn to_odd(&self) -> f64 {
        // Half of the smallest bf16 is more than 10^-41, and the largest bf16 is less than 10^39.
        if self.digits[0] == b'0' || self.scale < -45 {
            return 0.0;
        }
        if self.scale > 39 {
            return f64::INFINITY;
        }
        let mut whole = 0u128;
        for place in 0..self.scale {
            if whole > u128::MAX / 10 - 1 {
                return f64::INFINITY;
            }
            whole = whole * 10 + u128::from(self.digit(place));
        }
        // The digits after the point in groups of nine: 45 zeros, and all digits that are kept.
        let mut behind = [0; 20];
        for (nine, first) in behind.iter_mut().zip((self.scale..).step_by(9)) {
            *nine = (first..first + 9).fold(0, |number, place| number * 10 + self.digit(place));
        }
        // The number is `whole * 2^-halvings`. The loop ends when `whole` has more than 32 bits, or
        // when there are more bits after the point than in any format.
        let mut halvings = 0;
        while whole >> 32 == 0 && halvings < 160 {
            let mut carry = 0;
            for nine in behind.iter_mut().rev() {
                let doubled = (*nine << 32) + carry;
                (carry, *nine) = (doubled / BILLION, doubled % BILLION);
            }
            whole = whole << 32 | u128::from(carry);
            halvings += 32;
        }
        let dropped = (128 - whole.leading_zeros()).saturating_sub(53);
        let kept = whole >> dropped;
        let inexact = kept << dropped != whole || behind.iter().any(|&nine| nine != 0);
        let unit = f64::from_bits(u64::from(1023 + dropped - halvings) << 52);
        (kept as u64 | u64::from(inexact)) as f64 * unit
    }
}

/// The number of bits after the point in [`round_short`].
const FRACTION: u32 = 28;

/// A number of digits that always fits a `u64`.
const SHORT: usize = 18;

/// The powers of five, up to the exponent [`SHORT`].
const FIVES: [u64; SHORT + 1] = {
    let (mut powers, mut i) = ([1; SHORT + 1], 1);
    while i <= SHORT {
        powers[i] = powers[i - 1] * 5;
        i += 1;
    }
    powers
};

/// Returns the nearest value of `H` to a decimal number with few digits and without an exponent.
/// Returns `None` for other texts and for small numbers.
///
/// The decimal is `n / 10^k`. An integer division truncates it to 28 bits after the point. If there is
/// a remainder, the last of these bits is set. This rounds to odd. For numbers that are at least 2^-19,
/// the last bit of bf16 has at least the value 2^-26, and the last bit of f16 at least 2^-24. At least
/// two of the 28 bits therefore follow the last bit of the format. The second rounding therefore gives
/// the same result as rounding the decimal itself.
pub(crate) fn round_short<H: Half>(text: &[u8]) -> Option<H> {
    if text.len() > SHORT {
        return None;
    }
    let (mut number, mut behind, mut point) = (0u64, 0, None);
    for (place, &byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            number = number * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(place);
        } else {
            return None;
        }
    }
    let digits = text.len() - usize::from(point.is_some());
    if let Some(point) = point {
        behind = digits - point;
    }
    let shift = FRACTION - behind as u32;
    if digits == 0 || number.leading_zeros() < shift {
        return None;
    }
    let (number, five) = (number << shift, *FIVES.get(behind)?);
    let (whole, rest) = (number / five, number % five);
    let odd = whole | u64::from(rest != 0);
    let exact = odd == 0 || (1 << 9..1 << 53).contains(&odd);
    exact.then(|| round_binary64((odd as f64 / f64::from(1u32 << FRACTION)).to_bits()))
}

/// Splits a text after its leading decimal digits.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let count = text.iter().take_while(|d| d.is_ascii_digit()).count();
    text.split_at_checked(count).unwrap_or((text, &[]))
}

/// Parses an optional sign and at least one digit. The result saturates.
fn scan_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let (digits, rest) = split_digits(digits);
    if digits.is_empty() || !rest.is_empty() {
        return None;
    }
    let size = digits.iter().fold(0_i64, |size, &digit| {
        size.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
    });
    Some(if negative { -size } else { size })
}
