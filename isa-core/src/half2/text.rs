//! The text of one lane.

use core::fmt::{self, Write};

use super::decimal::{Decimal, round_short};
use super::exact::to_binary64;
use super::format::{Format, Half, NAN, SIGN, is_nan, magnitude};

/// The number of bytes that [`write_lane`] needs at most.
pub const LANE_TEXT_MAX: usize = 23;

/// Why a text is not a lane of an immediate operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaneError {
    /// There is no text.
    Empty,
    /// The text has none of the forms that [`parse_lane`] takes.
    NotANumber,
    /// The text starts with `0x`, but what follows is not four hex digits.
    HexDigits,
    /// The decimal rounds to a value past the largest finite one.
    TooLarge {
        /// The format that is too small for it.
        format: Format,
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
                "too large for {}, whose largest finite value is {:?}: write `+INF` or `-INF` \
                 for infinity",
                format.name,
                Trimmed(format.largest_value()),
            ),
        }
    }
}

impl core::error::Error for LaneError {}

/// Reads the text of one lane into its 16 bits.
///
/// The text is, with nothing around it, one of
///
/// - a decimal: an optional sign, digits with an optional point among them,
///   before them or after them, and an optional exponent (`e` or `E`, an
///   optional sign, digits). It is rounded once, to nearest, ties to even, from
///   the decimal itself, of whatever length;
/// - `INF` or `+INF`, or `-INF`;
/// - `QNAN` or `+QNAN`, which is 0x7fff, or `-QNAN`, which is 0xffff;
/// - `0x` and exactly four hex digits of either case: the bits themselves.
///
/// Never panics.
///
/// # Errors
///
/// A text of any other form, and a decimal that rounds past the largest finite
/// value. One too small to be told from zero is no error, but a zero of its
/// sign.
///
/// ```
/// use isa_core::half2::{LaneError, bf16, f16, parse_lane};
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

/// Reads exactly four hex digits.
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

/// Reads a decimal without sign.
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
/// A finite value is written as Rust's `{:?}` writes it as an f64, less a
/// trailing `.0`; infinities as `+INF` and `-INF`; a NaN as its bits, `0x7e01`.
/// [`parse_lane`] reads every text back to the same bits. Never panics.
///
/// ```
/// use isa_core::half2::{LANE_TEXT_MAX, f16, write_lane};
///
/// let mut buffer = [0; LANE_TEXT_MAX];
/// let length = write_lane(f16::from_bits(0x0001), &mut buffer);
/// assert_eq!(&buffer[..length], b"5.960464477539063e-8");
/// let length = write_lane(f16::from_bits(0x8000), &mut buffer);
/// assert_eq!(&buffer[..length], b"-0");
/// ```
pub fn write_lane<H: Half>(x: H, buffer: &mut [u8; LANE_TEXT_MAX]) -> usize {
    let mut text = Bounded::new(buffer);
    let negative = x.to_bits() >= SIGN;
    // No text is longer than the buffer, so no write fails.
    let _ = if is_nan(x) {
        write!(text, "{:#06x}", x.to_bits())
    } else if magnitude(x) == H::FORMAT.infinity() {
        text.write_str(if negative { "-INF" } else { "+INF" })
    } else {
        text.write_finite(to_binary64(x))
    };
    text.length
}

/// Prints as the number does, less a trailing `.0`.
struct Trimmed(f64);

impl fmt::Debug for Trimmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0; LANE_TEXT_MAX];
        let mut text = Bounded::new(&mut buffer);
        write!(text, "{:?}", self.0)?;
        let text = text.as_str();
        f.write_str(text.strip_suffix(".0").unwrap_or(text))
    }
}

/// A writer into a fixed buffer, which refuses what does not fit.
pub(super) struct Bounded<'a> {
    buffer: &'a mut [u8],
    length: usize,
}

impl<'a> Bounded<'a> {
    /// An empty text in `buffer`.
    pub(super) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// What was written so far.
    pub(super) fn as_str(&self) -> &str {
        // Whole strings only were written, so this is UTF-8.
        let text = self.buffer.get(..self.length).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl Bounded<'_> {
    /// A finite lane: the usual ones digit by digit, the others through `core::fmt`.
    fn write_finite(&mut self, value: f64) -> fmt::Result {
        let Some(fixed) = Fixed::of(value.abs()) else {
            return write!(self, "{:?}", Trimmed(value));
        };
        if value.is_sign_negative() {
            self.push(b'-')?;
        }
        fixed.write(self)
    }

    fn push(&mut self, byte: u8) -> fmt::Result {
        *self.buffer.get_mut(self.length).ok_or(fmt::Error)? = byte;
        self.length += 1;
        Ok(())
    }
}

/// A lane's magnitude as a whole number of steps of 2^-12.
///
/// Its decimal expansion has at most 15 digits: a lane has 11 significant bits, so one of 1024 or
/// more is whole and has at most 7 digits here, and another has at most 3 digits (4 where it has
/// one bit behind the point) and 12 behind it. Decimals of up to 15 digits are different binary64
/// numbers, so that none shorter is the same number: the expansion is what `{:?}` prints. That
/// goes over to exponents below 1e-4 and from 1e16 on, where no such lane is.
struct Fixed(u32);

impl Fixed {
    /// The bits behind the point.
    const FRACTION: u32 = 12;

    /// `None` where the magnitude is too large or no whole number of steps.
    fn of(magnitude: f64) -> Option<Self> {
        let steps = magnitude * f64::from(1u32 << Self::FRACTION);
        // Saturates, and then differs: the product is exact.
        let whole = steps as u32;
        (f64::from(whole) == steps).then_some(Fixed(whole))
    }

    fn write(&self, text: &mut Bounded<'_>) -> fmt::Result {
        let (mut digits, mut start) = ([0; 10], 10);
        let mut whole = self.0 >> Self::FRACTION;
        while start == 10 || whole != 0 {
            start -= 1;
            digits[start] = b'0' + (whole % 10) as u8;
            whole /= 10;
        }
        digits[start..].iter().try_for_each(|&digit| text.push(digit))?;
        let mask = (1 << Self::FRACTION) - 1;
        let mut fraction = self.0 & mask;
        if fraction != 0 {
            text.push(b'.')?;
        }
        while fraction != 0 {
            fraction *= 10;
            text.push(b'0' + (fraction >> Self::FRACTION) as u8)?;
            fraction &= mask;
        }
        Ok(())
    }
}

impl Write for Bounded<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let space = self.buffer.get_mut(self.length..end).ok_or(fmt::Error)?;
        space.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
