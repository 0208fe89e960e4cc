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

/// A special value: the sign and the bits of the positive value in the order binary16, bfloat16,
/// binary32. For NaN, these are the bits that the parser returns.
const SPECIAL: [(&str, [u32; 3]); 3] = [
    ("INF", [0x7c00, 0x7f80, 0x7f80_0000]),
    ("QNAN", [0x7fff, 0x7fff, 0x7fff_ffff]),
    ("SNAN", [0x7c01, 0x7f81, 0x7f80_0001]),
];

/// The index of a format in [`SPECIAL`].
const BINARY32: usize = 2;

/// Returns the special value that the bits represent, or `None` for a number.
fn special(bits: u32, format: usize) -> Option<&'static (&'static str, [u32; 3])> {
    let infinity = SPECIAL[0].1[format];
    let quiet = [0x200, 0x40, 0x40_0000][format];
    let magnitude = bits & if format == BINARY32 { 0x7fff_ffff } else { 0x7fff };
    match magnitude {
        _ if magnitude < infinity => None,
        _ if magnitude == infinity => Some(&SPECIAL[0]),
        _ if magnitude & quiet != 0 => Some(&SPECIAL[1]),
        _ => Some(&SPECIAL[2]),
    }
}

/// Returns whether the text of a value is parsed as this value.
fn is_read_back(bits: u32, format: usize) -> bool {
    let magnitude = bits & if format == BINARY32 { 0x7fff_ffff } else { 0x7fff };
    special(bits, format).is_none_or(|special| parsed(special, format, bits != magnitude) == bits)
}

/// Returns the bits that the parser returns for a special value. For negative quiet NaN of 32 bits,
/// these are the bits that `ptxas` emits.
fn parsed((name, values): &(&str, [u32; 3]), format: usize, negative: bool) -> u32 {
    match (*name, format, negative) {
        ("QNAN", BINARY32, true) => 0xffc0_0000,
        (_, _, false) => values[format],
        (_, BINARY32, true) => values[format] | 1 << 31,
        (_, _, true) => values[format] | 1 << 15,
    }
}

/// Returns whether the text of a 16-bit float is parsed as this float.
pub(crate) fn is_canonical_half(bits: u16, brain: bool) -> bool {
    is_read_back(bits.into(), brain.into())
}

/// Returns whether the text of a 32-bit float is parsed as this float.
pub(crate) fn is_canonical(bits: u32) -> bool {
    is_read_back(bits, BINARY32)
}

/// Returns whether the text of the high half of a 64-bit float is parsed as this half.
pub(crate) fn is_canonical_double(bits: u32) -> bool {
    matches!(bits & 0x7fff_ffff, 0..=0x7ff0_0000 | 0x7fff_ffff) && bits != 0xffff_ffff
}

/// Prints a 16-bit float: bfloat16 if `brain` is true, and otherwise binary16.
pub(crate) fn write_half(bits: u16, brain: bool, line: &mut Line) {
    let value = if brain { bf16::from_bits(bits).to_f64() } else { f16::from_bits(bits).to_f64() };
    write(value, bits >> 15 != 0, special(bits.into(), brain.into()), line);
}

/// Prints a 32-bit float.
pub(crate) fn write_float(bits: u32, line: &mut Line) {
    write(f32::from_bits(bits).into(), bits >> 31 != 0, special(bits, BINARY32), line);
}

/// Prints the high half of a 64-bit float whose low half is 0.
pub(crate) fn write_double(bits: u32, line: &mut Line) {
    let value = f64::from_bits(u64::from(bits) << 32);
    let magnitude = bits & 0x7fff_ffff;
    let special = match magnitude {
        0x7ff0_0000 => Some(&SPECIAL[0]),
        0x7ff0_0001..0x7ff8_0000 => Some(&SPECIAL[2]),
        0x7ff8_0000.. => Some(&SPECIAL[1]),
        _ => None,
    };
    write(value, bits >> 31 != 0, special, line);
}

/// Digits and an exponent in the format `{:e}` of Rust.
struct Digits {
    bytes: [u8; 40],
    len: usize,
}

impl Write for Digits {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(core::fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// Prints a value.
fn write(value: f64, negative: bool, special: Option<&(&str, [u32; 3])>, line: &mut Line) {
    if let Some((name, _)) = special {
        line.push(if negative { b'-' } else { b'+' });
        line.push_str(name);
        return line.push(b' ');
    }
    if negative {
        line.push(b'-');
    }
    if value == 0.0 {
        return line.push_str(if negative { "0.0 " } else { "0" });
    }
    let large = value.abs() >= 1e9;
    let mut digits = Digits { bytes: [0; 40], len: 0 };
    // The buffer is long enough for 21 digits, a point and an exponent.
    let _ = match large {
        true => write!(digits, "{:.20e}", value.abs()),
        false => write!(digits, "{:.19e}", value.abs()),
    };
    let text = core::str::from_utf8(digits.bytes.get(..digits.len).unwrap_or_default());
    let (mantissa, exponent) = text.unwrap_or_default().split_once('e').unwrap_or_default();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let first = mantissa.get(..1).unwrap_or_default();
    let rest = mantissa.get(2..).unwrap_or_default();
    let short = rest.trim_end_matches('0');
    if large || exponent < -4 {
        write_scientific(first, if large { rest } else { short }, exponent, line);
    } else if exponent < 0 {
        line.push_str("0.");
        (exponent..-1).for_each(|_| line.push(b'0'));
        line.push_str(first);
        line.push_str(short);
    } else {
        let point = exponent as usize;
        line.push_str(first);
        line.push_str(rest.get(..point).unwrap_or_default());
        if let Some(fraction) = short.get(point..).filter(|fraction| !fraction.is_empty()) {
            line.push(b'.');
            line.push_str(fraction);
        }
    }
}

/// Prints a number with an exponent of at least two digits.
fn write_scientific(first: &str, rest: &str, exponent: i32, line: &mut Line) {
    line.push_str(first);
    if !rest.is_empty() {
        line.push(b'.');
        line.push_str(rest);
    }
    line.push_str(if exponent < 0 { "e-" } else { "e+" });
    if exponent.abs() < 10 {
        line.push(b'0');
    }
    line.push_decimal(exponent.unsigned_abs().into());
}

/// Parses a 16-bit float: bfloat16 if `brain` is true, and otherwise binary16.
pub(crate) fn read_half(cursor: &mut Cursor<'_>, brain: bool) -> Result<u16, OperandError> {
    read(cursor, brain.into(), |text| match brain {
        true => parse_lane::<bf16>(text.as_bytes()).ok().map(u32::from),
        false => parse_lane::<f16>(text.as_bytes()).ok().map(u32::from),
    })
    .map(|bits| bits as u16)
}

/// Parses a 32-bit float.
pub(crate) fn read_float(cursor: &mut Cursor<'_>) -> Result<u32, OperandError> {
    read(cursor, BINARY32, |text| text.parse().ok().map(f32::to_bits))
}

/// Parses the high half of a 64-bit float whose low half is 0.
pub(crate) fn read_double(cursor: &mut Cursor<'_>) -> Result<u32, OperandError> {
    let special = read(cursor, BINARY32, |text| {
        text.parse().ok().map(|value: f64| (value.to_bits() >> 32) as u32)
    })?;
    Ok(match special & 0x7fff_ffff {
        0x7f80_0000 => special | 0x0070_0000,
        _ => special,
    })
}

/// Parses a float with the function `parse`, or the name of a special value.
fn read(
    cursor: &mut Cursor<'_>,
    format: usize,
    parse: impl Fn(&str) -> Option<u32>,
) -> Result<u32, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let rest = cursor.rest();
    let mut len = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let signed = len == 1;
    while let Some(byte) = rest.get(len) {
        let after_exponent = len > 0 && matches!(rest.get(len - 1), Some(b'e' | b'E'));
        if !(byte.is_ascii_alphanumeric()
            || *byte == b'.'
            || after_exponent && matches!(byte, b'+' | b'-'))
        {
            break;
        }
        len += 1;
    }
    let text = rest.get(..len).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default();
    cursor.seek(start + len);
    let name = text.get(usize::from(signed)..).unwrap_or_default();
    if let Some(special) = SPECIAL.iter().find(|(special, _)| *special == name) {
        return Ok(parsed(special, format, text.starts_with('-')));
    }
    // Rust also parses names such as `nan`, which are not part of the syntax.
    let number = Some(text).filter(|_| name.starts_with(|first: char| first.is_ascii_digit()));
    number.and_then(parse).ok_or_else(|| cursor.fault(start, "expected a float"))
}
