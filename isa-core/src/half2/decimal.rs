//! A decimal of any length, rounded once to 16 bits.
//!
//! The text goes through binary64, rounded to odd there, so that the second
//! rounding gives what one from the decimal itself would: see
//! [`exact`](super::exact).

use super::format::Half;
use super::round::round_binary64;

/// How many significant digits are kept; of those beyond, only whether one is
/// not zero.
///
/// That decides every comparison with a number of at most this many digits. A
/// midpoint is `m * 2^-k` with `m < 2^9` and `k <= 134` in bf16, `m < 2^12` and
/// `k <= 25` in f16, or an integer below 2^128. Its significant digits are
/// those of `m * 5^k`, at most 97, or at most 39.
const KEPT: usize = 128;

/// Digits of a number to the base 10^9.
const BILLION: u64 = 1_000_000_000;

/// A decimal without sign: `0.d1d2d3... * 10^scale`, where `d1` is not 0.
pub(super) struct Decimal {
    /// The digits as text, one for those that are not kept, and zeros behind them.
    digits: [u8; KEPT + 1],
    /// The power of ten.
    scale: i64,
}

impl Decimal {
    /// Reads digits with an optional point and an optional exponent, and
    /// nothing else.
    pub(super) fn scan(text: &[u8]) -> Option<Self> {
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

    /// The number with these digits before and after the point.
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
        // An exponent that saturated outweighs the digits of any text.
        let point = integer.len() as i64 - leading as i64;
        Self { digits, scale: exponent.saturating_add(point) }
    }

    /// The nearest value of `H`, ties to even; infinity past the largest.
    pub(super) fn round<H: Half>(&self) -> H {
        round_binary64(self.to_odd().to_bits())
    }

    /// The digit at a place, the first at 0; 0 where there is none.
    fn digit(&self, place: i64) -> u64 {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place));
        digit.map_or(0, |digit| u64::from(digit - b'0'))
    }

    /// The binary64 that it is rounded to odd: 0 below what is half of any format's smallest number,
    /// infinity beyond the largest.
    fn to_odd(&self) -> f64 {
        // What is half of the smallest number of bf16 is more than 10^-41, the largest less than 10^39.
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
        // The rest in nines of digits: 45 zeros, and all that are kept.
        let mut behind = [0; 20];
        for (nine, first) in behind.iter_mut().zip((self.scale..).step_by(9)) {
            *nine = (first..first + 9).fold(0, |number, place| number * 10 + self.digit(place));
        }
        // The number is `whole * 2^-halvings`, with 32 bits or more, or as many behind the point as no
        // format has.
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

/// How many bits behind the point [`round_short`] works with.
const FRACTION: u32 = 28;

/// The digits that fit a `u64` with room to spare.
const SHORT: usize = 18;

/// The powers of five up to that of so many digits.
const FIVES: [u64; SHORT + 1] = {
    let (mut powers, mut i) = ([1; SHORT + 1], 1);
    while i <= SHORT {
        powers[i] = powers[i - 1] * 5;
        i += 1;
    }
    powers
};

/// The nearest value of `H` to a decimal of few digits without an exponent; `None` for others, and
/// for small numbers.
///
/// The decimal is `n / 10^k`, cut to 28 bits behind the point by an integer division. Where there
/// is a remainder the last of these bits is set, which is rounding to odd. From 2^-19 on, where
/// bf16 has its last bit at 2^-26 and f16 at 2^-24, two bits at least are behind the last one of
/// the format, so that the second rounding gives what one from the decimal itself would.
pub(super) fn round_short<H: Half>(text: &[u8]) -> Option<H> {
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

/// Reads an optional sign and at least one digit; saturates.
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
