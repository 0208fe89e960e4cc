//! A decimal of any length, rounded once to 16 bits.
//!
//! The text goes through binary64, which is rounding twice: the second rounding
//! goes wrong only where the first lands on a midpoint between two neighbours
//! of the format while the decimal lies beside it. There the decimal is
//! compared with the midpoint digit by digit, and the binary64 is moved by one
//! place to the side where the decimal lies.

use core::cmp::Ordering;
use core::fmt::Write;

use super::format::Half;
use super::round::{is_midpoint, round_binary64};
use super::text::Bounded;

/// How many significant digits are kept; of those beyond, only whether one is
/// not zero.
///
/// That decides every comparison with a number of at most this many digits. A
/// midpoint is `m * 2^-k` with `m < 2^9` and `k <= 134` in bf16, `m < 2^12` and
/// `k <= 25` in f16, or an integer below 2^128. Its significant digits are
/// those of `m * 5^k`, at most 97, or at most 39.
const KEPT: usize = 128;

/// Space for the kept digits, one for those beyond, and an exponent of at most
/// five bytes: see [`Decimal::to_binary64`].
const TEXT: usize = KEPT + 1 + 5;

/// A decimal without sign: `0.d1d2d3... * 10^scale`, where `d1` is not 0.
pub(super) struct Decimal {
    /// The digits as text, then unused space.
    digits: [u8; TEXT],
    /// How many digits there are: 0 for the number 0, at most `KEPT + 1`.
    length: usize,
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
        let mut digits = [b'0'; TEXT];
        let leading = integer.iter().chain(fraction).take_while(|&&d| d == b'0');
        let leading = leading.count();
        let mut significant = integer.iter().chain(fraction).skip(leading);
        let mut length = 0;
        for (place, &digit) in digits.iter_mut().zip(significant.by_ref().take(KEPT)) {
            *place = digit;
            length += 1;
        }
        if significant.any(|&d| d != b'0') {
            digits[KEPT] = b'1';
            length = KEPT + 1;
        }
        // An exponent that saturated outweighs the digits of any text.
        let point = integer.len() as i64 - leading as i64;
        Self { digits, length, scale: exponent.saturating_add(point) }
    }

    /// The nearest value of `H`, ties to even; infinity past the largest.
    pub(super) fn round<H: Half>(&self) -> H {
        let nearest = self.to_binary64();
        let bits = nearest.to_bits();
        let beside = if is_midpoint::<H>(bits) {
            match self.cmp_exact(nearest) {
                Ordering::Less => bits - 1,
                Ordering::Equal => bits,
                Ordering::Greater => bits + 1,
            }
        } else {
            bits
        };
        round_binary64(beside)
    }

    /// The nearest binary64, ties to even.
    fn to_binary64(&self) -> f64 {
        if self.length == 0 {
            return 0.0;
        }
        // Short, and with an exponent that no reader can get wrong. Past 10^400
        // all is infinity, below 10^-400 all is zero.
        let exponent = self.scale.clamp(-400, 400) - self.length as i64;
        let mut text = self.digits;
        let mut end = Bounded::new(&mut text[self.length..]);
        let _ = write!(end, "e{exponent}");
        let length = self.length + end.as_str().len();
        let text = core::str::from_utf8(&text[..length]);
        // Always a number: digits, `e` and an integer.
        text.ok().and_then(|t| t.parse().ok()).unwrap_or(0.0)
    }

    /// Compares with a midpoint, exactly.
    fn cmp_exact(&self, midpoint: f64) -> Ordering {
        // `d.ddd...e-dd` with as many digits as are kept: all that it has.
        let mut buffer = [0; TEXT + 1];
        let mut text = Bounded::new(&mut buffer);
        let _ = write!(text, "{midpoint:.*e}", KEPT - 1);
        let (digits, exponent) = text.as_str().split_once('e').unwrap_or_default();
        let scale = exponent.parse::<i64>().unwrap_or_default() + 1;
        // The kept digit beyond meets the zero that the midpoint has there.
        let exact = digits.bytes().filter(|&d| d != b'.').chain([b'0']);
        let kept = self.digits[..=KEPT].iter().copied();
        self.scale.cmp(&scale).then_with(|| kept.cmp(exact))
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
    let (number, five) = (number << shift, FIVES[behind]);
    let (whole, rest) = (number / five, number % five);
    let odd = whole | u64::from(rest != 0);
    let exact = odd == 0 || (1 << 9..1 << 53).contains(&odd);
    exact.then(|| round_binary64((odd as f64 / f64::from(1u32 << FRACTION)).to_bits()))
}

/// Splits a text after its leading decimal digits.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let count = text.iter().take_while(|d| d.is_ascii_digit()).count();
    text.split_at(count)
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
