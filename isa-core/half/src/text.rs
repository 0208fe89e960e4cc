//! Parses and prints the text of one lane.

use core::fmt::{self, Write};

use crate::buffer::BufferWriter;
use crate::decimal::{Decimal, round_short};
use crate::digits::{decimal, without_zeros};
use crate::format::{FloatFormat, NAN, SIGN};
use crate::half_float::{Half, is_nan, magnitude};
use crate::shortest::ShortestDecimal;

/// The length of the longest text of a lane in bytes.
pub const LANE_TEXT_MAX: usize = 23;

/// The size of the buffer for [`write_lane`]. It is larger than the longest text, because bytes after
/// the text may be overwritten.
pub const LANE_BUFFER: usize = 32;

/// The reason why a text is not a lane of an immediate operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaneError {
    /// The text is empty.
    Empty,
    /// The text does not have any form that [`parse_lane`] accepts.
    NotANumber,
    /// The text starts with `0x`, but is not followed by four hex digits.
    HexDigits,
    /// The decimal number rounds to a value beyond the largest finite one.
    TooLarge {
        /// The format, in which the number is out of range.
        format: FloatFormat,
    },
}

impl fmt::Display for LaneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected a number, found nothing"),
            Self::NotANumber => f.write_str(
                "expected a decimal number, `+INF`, `-INF`, `+QNAN`, `-QNAN` \
                 or four hex digits like `0x3c00`",
            ),
            Self::HexDigits => f.write_str(
                "expected exactly four hex digits after `0x`, the bits of one lane like `0x3c00`",
            ),
            Self::TooLarge { format } => write!(
                f,
                "too large for {}, whose largest finite value is {}: write `+INF` or `-INF` \
                 for infinity",
                format.name,
                ShortestDecimal::of(*format, format.largest()),
            ),
        }
    }
}

impl core::error::Error for LaneError {}

/// Parses the text of one lane and returns its 16 bits.
///
/// The whole text must be one of
///
/// - a decimal number: an optional sign, digits with an optional point between, before or after
///   them, and an optional exponent (`e` or `E`, an optional sign, digits). It may have any length,
///   and is rounded once, to nearest, ties to even;
/// - `INF` or `+INF`, or `-INF`;
/// - `QNAN` or `+QNAN`, which is 0x7fff, or `-QNAN`, which is 0xffff;
/// - `0x` and exactly four hex digits in either case, which are the bits of the lane.
///
/// Never panics.
///
/// # Errors
///
/// Returns an error for any other text, and for a decimal number that rounds beyond the largest
/// finite value. A decimal number that rounds to zero is not an error; the result is a zero with
/// its sign.
///
/// ```
/// use isa_half::{LaneError, bf16, f16, parse_lane};
///
/// assert_eq!(parse_lane::<f16>(b"0.1"), Ok(0x2e66));
/// assert_eq!(parse_lane::<bf16>(b"-1.5e1"), Ok(0xc170));
/// assert_eq!(parse_lane::<f16>(b"0x7e01"), Ok(0x7e01));
/// // Halfway between the largest finite value and the next: ties to even.
/// assert!(matches!(parse_lane::<f16>(b"65520"), Err(LaneError::TooLarge { .. })));
/// assert_eq!(parse_lane::<f16>(b"65519.99999999999999999999"), Ok(0x7bff));
/// ```
pub fn parse_lane<H: Half>(text: &[u8]) -> Result<u16, LaneError> {
    match text {
        b"" => Err(LaneError::Empty),
        b"INF" | b"+INF" => Ok(H::FORMAT.infinity()),
        b"-INF" => Ok(H::FORMAT.infinity() | SIGN),
        b"QNAN" | b"+QNAN" => Ok(NAN),
        b"-QNAN" => Ok(NAN | SIGN),
        [b'0', b'x', digits @ ..] => parse_bits(digits),
        [b'-', decimal @ ..] => parse_decimal::<H>(decimal).map(|bits| bits | SIGN),
        [b'+', decimal @ ..] | decimal => parse_decimal::<H>(decimal),
    }
}

/// Parses exactly four hex digits.
fn parse_bits(digits: &[u8]) -> Result<u16, LaneError> {
    if digits.len() != 4 {
        return Err(LaneError::HexDigits);
    }
    digits.iter().try_fold(0, |bits, &digit| {
        let value = char::from(digit).to_digit(16);
        let value = value.ok_or(LaneError::HexDigits)?;
        Ok((bits << 4) | value as u16)
    })
}

/// Parses a decimal number without a sign.
fn parse_decimal<H: Half>(text: &[u8]) -> Result<u16, LaneError> {
    let rounded = match round_short::<H>(text) {
        Some(rounded) => rounded,
        None => Decimal::scan(text).ok_or(LaneError::NotANumber)?.round(),
    };
    let bits = rounded.to_bits();
    if bits < H::FORMAT.infinity() {
        Ok(bits)
    } else {
        Err(LaneError::TooLarge { format: H::FORMAT })
    }
}

/// Writes the text of `x` into `buffer` and returns its length in bytes.
///
/// A finite value is printed like Rust's `{:?}` prints the same value as an f64, but without a trailing
/// `.0`. Infinities are printed as `+INF` and `-INF`, and a NaN as its bits, for example `0x7e01`.
/// [`parse_lane`] parses every text to the same bits. The bytes after the text are arbitrary. Never
/// panics.
///
/// ```
/// use isa_half::{LANE_BUFFER, f16, write_lane};
///
/// let mut buffer = [0; LANE_BUFFER];
/// let length = write_lane(f16::from_bits(0x0001), &mut buffer);
/// assert_eq!(&buffer[..length], b"5.960464477539063e-8");
/// let length = write_lane(f16::from_bits(0x8000), &mut buffer);
/// assert_eq!(&buffer[..length], b"-0");
/// ```
#[inline]
pub fn write_lane<H: Half>(x: H, buffer: &mut [u8; LANE_BUFFER]) -> usize {
    match FixedPoint::of(x) {
        Some(fixed) => {
            buffer[0] = b'-';
            fixed.write(buffer, usize::from(x.to_bits() >= SIGN))
        }
        None => write_unusual(x, buffer),
    }
}

/// Writes a lane that [`FixedPoint`] cannot represent.
#[cold]
fn write_unusual<H: Half>(x: H, buffer: &mut [u8; LANE_BUFFER]) -> usize {
    let mut text = BufferWriter::new(buffer);
    let is_negative = x.to_bits() >= SIGN;
    // No text is longer than the buffer, so no write fails.
    let _ = if is_nan(x) {
        write!(text, "{:#06x}", x.to_bits())
    } else if magnitude(x) == H::FORMAT.infinity() {
        text.write_str(if is_negative { "-INF" } else { "+INF" })
    } else {
        let sign = if is_negative { "-" } else { "" };
        write!(text, "{sign}{}", ShortestDecimal::of(H::FORMAT, magnitude(x)))
    };
    text.length
}

/// A lane's magnitude as a whole number of steps of 2^-15. The number is 0, or at least 4 and below
/// 2^31.
///
/// The decimal expansion has at most 15 digits, because a lane has 11 significant bits. A value of 2048
/// or more is a whole number with at most 5 digits. A smaller value of 1 or more has at most 4 digits
/// before the point and 10 after it. A value below 1 has at most 15 digits after the point. Different
/// decimals of up to 15 digits are different binary64 numbers, so no shorter decimal denotes the same
/// number, and `{:?}` prints the expansion. `{:?}` prints an exponent only for numbers below 1e-4,
/// which is more than 3 steps, and for numbers from 1e16 on.
struct FixedPoint(u32);

impl FixedPoint {
    /// The number of fraction bits, which is also the maximum number of digits after the point.
    const FRACTION: u32 = 15;

    /// Converts a lane. Returns `None` if the magnitude is too large, too small, or not a whole
    /// number of steps.
    #[inline]
    fn of<H: Half>(x: H) -> Option<Self> {
        let format = H::FORMAT;
        let bits = u64::from(magnitude(x));
        let exponent = bits >> format.fraction_bits;
        let hidden = u64::from(exponent != 0) << format.fraction_bits;
        let significand = bits & ((1 << format.fraction_bits) - 1) | hidden;
        // The unit of the significand is 2^(exponent - bias - fraction bits); doubling it this many
        // times gives steps. With less than -32 doublings, only a significand of 0 would give a whole
        // number of steps.
        let unit = format.bias as i32 + format.fraction_bits as i32 - Self::FRACTION as i32;
        let doublings = (exponent.max(1) as i32 - unit).max(-32);
        if doublings > 20 {
            return None;
        }
        let steps = significand << (doublings + 32);
        let (whole, rest) = ((steps >> 32) as u32, steps as u32);
        ((rest == 0) & ((whole == 0) | (whole >= 4))).then_some(FixedPoint(whole))
    }

    /// Writes the digits from index `start` on, which is at most 1, and returns the index of their
    /// end. The code does not branch on the number of digits, because branch prediction would fail.
    #[inline]
    fn write(&self, text: &mut [u8; LANE_BUFFER], start: usize) -> usize {
        let (whole, len) = without_zeros(decimal(self.0 >> Self::FRACTION));
        put(text, start, &whole.to_le_bytes());
        let point = start + len;
        put(text, point, b".");
        let fraction = self.0 & ((1 << Self::FRACTION) - 1);
        put(text, point + 1, fraction_digits(fraction as u16).as_flattened());
        // The point and one digit for each bit, or nothing if all bits are 0.
        let zeros = fraction.trailing_zeros();
        point + if fraction == 0 { 0 } else { (Self::FRACTION + 1 - zeros) as usize }
    }
}

/// Copies bytes to an index. Does nothing if the buffer is too short.
#[inline]
fn put(text: &mut [u8; LANE_BUFFER], at: usize, bytes: &[u8]) {
    if let Some(place) = text.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// Returns the decimal digits after the point, in pairs. `steps` is a number of steps of 2^-15,
/// below 2^15.
#[inline]
fn fraction_digits(steps: u16) -> [[u8; 2]; 8] {
    /// The powers of 100 modulo 2^15, because whole multiples of 2^15 steps do not affect the
    /// fraction.
    const POWERS: [u16; 8] = {
        let (mut powers, mut i) = ([1; 8], 1);
        while i < 8 {
            powers[i] = (powers[i - 1] as u32 * 100 % (1 << FixedPoint::FRACTION)) as u16;
            i += 1;
        }
        powers
    };
    // Doubles the rest, so that the upper half of the product is the integer part. The compiler
    // vectorizes the computation of all pairs.
    POWERS.map(|power| {
        let rest = steps.wrapping_mul(power) << 1;
        let pair = ((u32::from(rest) * 100) >> 16) as u16;
        let tens = ((u32::from(pair) * 6554) >> 16) as u16;
        (tens + ((pair - 10 * tens) << 8) + 0x3030).to_le_bytes()
    })
}
