//! The text of floats, as `nvdisasm` prints them.
//!
//! Numbers below 10^9 are printed like `%.20g` in C, and others like `%.20e`. A blank follows
//! `-0.0`, infinities and NaN. The text of a NaN contains its sign and whether it is quiet, but not
//! its payload.

use core::fmt::Write;

use isa_core::text::{Cursor, Line, OperandError};
use isa_half::{bf16, f16, parse_lane};

/// The length of the longest text.
pub(crate) const MAX_LEN: usize = "-0.000".len() + 22 + "e-308".len();

/// A format of floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Binary16,
    Bfloat16,
    Binary32,
    /// The high half of a 64-bit float whose low half is 0.
    Binary64High,
}

impl Format {
    /// Returns the bits of the positive infinity, the bit that marks a quiet NaN, and the bit of the sign.
    const fn masks(self) -> [u32; 3] {
        match self {
            Format::Binary16 => [0x7c00, 0x200, 0x8000],
            Format::Bfloat16 => [0x7f80, 0x40, 0x8000],
            Format::Binary32 => [0x7f80_0000, 0x40_0000, 0x8000_0000],
            Format::Binary64High => [0x7ff0_0000, 0x8_0000, 0x8000_0000],
        }
    }

    /// Returns the name of an infinity or a NaN, or `None` for a number.
    fn special(self, bits: u32) -> Option<&'static str> {
        let [infinity, quiet, sign] = self.masks();
        match bits & !sign {
            magnitude if magnitude < infinity => None,
            magnitude if magnitude == infinity => Some("INF"),
            magnitude if magnitude & quiet != 0 => Some("QNAN"),
            _ => Some("SNAN"),
        }
    }

    /// Returns the bits that the parser returns for the name of a special value. For quiet NaN of 64
    /// bits and negative quiet NaN of 32 bits, these are the bits that `ptxas` emits.
    fn named(self, name: &str, is_negative: bool) -> Option<u32> {
        let [infinity, quiet, sign] = self.masks();
        let magnitude = match name {
            "INF" => infinity,
            "QNAN" if is_negative && sign > 0x8000 || self == Format::Binary64High => {
                infinity | quiet
            }
            "QNAN" => sign - 1,
            "SNAN" => infinity + 1,
            _ => return None,
        };
        Some(if is_negative { magnitude | sign } else { magnitude })
    }

    /// Returns whether the text of a value is parsed as this value.
    pub(crate) fn is_canonical(self, bits: u32) -> bool {
        let is_negative = bits & self.masks()[2] != 0;
        self.special(bits).is_none_or(|name| self.named(name, is_negative) == Some(bits))
    }

    fn value(self, bits: u32) -> f64 {
        match self {
            Format::Binary16 => f16::from_bits(bits as u16).to_f64(),
            Format::Bfloat16 => bf16::from_bits(bits as u16).to_f64(),
            Format::Binary32 => f32::from_bits(bits).into(),
            Format::Binary64High => f64::from_bits(u64::from(bits) << 32),
        }
    }

    /// Returns the bits of a number.
    fn parse(self, text: &str) -> Option<u32> {
        match self {
            Format::Binary16 => parse_lane::<f16>(text.as_bytes()).ok().map(u32::from),
            Format::Bfloat16 => parse_lane::<bf16>(text.as_bytes()).ok().map(u32::from),
            Format::Binary32 => text.parse().ok().map(f32::to_bits),
            Format::Binary64High => {
                let bits = text.parse().ok().map(f64::to_bits)?;
                (bits as u32 == 0).then_some((bits >> 32) as u32)
            }
        }
    }

    /// Prints a value.
    pub(crate) fn write(self, bits: u32, line: &mut Line) {
        let is_negative = bits & self.masks()[2] != 0;
        let value = self.value(bits);
        if let Some(name) = self.special(bits) {
            line.push(if is_negative { b'-' } else { b'+' });
            line.push_str(name);
            return line.push(b' ');
        }
        if is_negative {
            line.push(b'-');
        }
        if value == 0.0 {
            return line.push_str(if is_negative { "0.0 " } else { "0" });
        }
        write_number(value.abs(), line);
    }

    /// Parses a number, or the name of a special value.
    pub(crate) fn read(self, cursor: &mut Cursor<'_>) -> Result<u32, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let rest = cursor.rest();
        let mut len = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        while let Some(byte) = rest.get(len) {
            let after_exponent = len > 0 && matches!(rest.get(len - 1), Some(b'e' | b'E'));
            let is_sign = after_exponent && matches!(byte, b'+' | b'-');
            if !(byte.is_ascii_alphanumeric() || *byte == b'.' || is_sign) {
                break;
            }
            len += 1;
        }
        let text = rest.get(..len).and_then(|text| core::str::from_utf8(text).ok());
        let text = text.unwrap_or_default();
        cursor.seek(start + len);
        let name = text.trim_start_matches(['+', '-']);
        // Rust also parses names such as `nan`, which are not part of the syntax.
        let is_number = name.starts_with(|first: char| first.is_ascii_digit());
        let bits = match is_number {
            true => self.parse(text),
            false => self.named(name, text.starts_with('-')),
        };
        let expected = match self {
            Format::Binary64High if is_number => "expected a 64-bit float whose low 32 bits are 0",
            _ => "expected a float",
        };
        bits.ok_or_else(|| cursor.fault(start, expected))
    }
}

/// Prints a positive number.
fn write_number(value: f64, line: &mut Line) {
    let large = value >= 1e9;
    let mut digits = Line::new();
    // The line is long enough, so nothing fails.
    let _ = match large {
        true => write!(digits, "{value:.20e}"),
        false => write!(digits, "{value:.19e}"),
    };
    let (mantissa, exponent) = digits.as_str().split_once('e').unwrap_or_default();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let (first, rest) = mantissa.split_once('.').unwrap_or_default();
    let short = rest.trim_end_matches('0');
    let _ = if large || exponent < -4 {
        let fraction = if large { rest } else { short };
        let point = if fraction.is_empty() { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(line, "{first}{point}{fraction}e{sign}{:02}", exponent.abs())
    } else if exponent < 0 {
        write!(
            line,
            "0.{:0>zeros$}{first}{short}",
            "",
            zeros = exponent.unsigned_abs() as usize - 1
        )
    } else {
        let (whole, _) = rest.split_at_checked(exponent as usize).unwrap_or_default();
        let fraction = short.get(exponent as usize..).unwrap_or_default();
        let point = if fraction.is_empty() { "" } else { "." };
        write!(line, "{first}{whole}{point}{fraction}")
    };
}
