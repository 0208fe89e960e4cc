//! Operand types like those of a GPU: constant memory, and a format for two 16-bit floats that depends
//! on another field.

#![allow(dead_code, reason = "each test file uses a part of it")]

use isa_core::operand::{AsmFormat, OperandKind};
use isa_core::table::Cube;
use isa_core::text::{Cursor, Line, OperandError};
use isa_half::{LANE_BUFFER, LANE_TEXT_MAX, LaneError, bf16, f16, parse_lane, write_lane};

/// A word of constant memory: a bank of 5 bits, and a byte offset of 17 bits that is a multiple of 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CMem(u32);

impl OperandKind for CMem {
    type Value = u32;
    const WIDTH: u8 = 22;
    const EXPECTS: &'static str = "constant memory (`c[0x0][0x160]`, 4-byte aligned)";
    const MAX_LEN: usize = "c[0x1f][0x1fffc]".len();
    const FORMS: &'static [&'static str] = &["c[*"];
    const RESERVED: &'static [Cube] = &[Cube::new(1, 1), Cube::new(2, 2)];

    fn from_bits(raw: u64) -> Self {
        CMem(raw as u32)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        if cursor.word() != "c" {
            return Err(cursor.fault(start, "expected constant memory, `c[bank][offset]`"));
        }
        let bank = bracketed(cursor, |bank| {
            (bank > 31).then_some("bank out of range: expected 0x0 to 0x1f")
        })?;
        let offset = bracketed(cursor, |offset| match offset {
            0x20000.. => Some("offset out of range: expected at most 0x1fffc"),
            _ if offset % 4 != 0 => Some("misaligned offset: expected a multiple of 4"),
            _ => None,
        })?;
        Ok(CMem(bank << 17 | offset))
    }

    fn write(self, line: &mut Line) {
        line.push_str("c[0x");
        line.push_hex((self.0 >> 17).into(), 1);
        line.push_str("][0x");
        line.push_hex((self.0 & 0x1ffff).into(), 1);
        line.push(b']');
    }
}

/// Parses `[number]`. `refuses` returns the message for an invalid number.
fn bracketed(
    cursor: &mut Cursor<'_>,
    refuses: impl Fn(u128) -> Option<&'static str>,
) -> Result<u32, OperandError> {
    if !cursor.eat(b'[') {
        return Err(cursor.fault(cursor.position(), "expected `[`, as in `c[bank][offset]`"));
    }
    cursor.skip_trivia();
    let start = cursor.position();
    let number = cursor.number()?;
    if let Some(message) = refuses(number) {
        return Err(cursor.fault(start, message));
    }
    if !cursor.eat(b']') {
        return Err(cursor.fault(cursor.position(), "expected `]`"));
    }
    Ok(number as u32)
}

/// Two 16-bit floats, the high one first. The argument selects their format: 0 for f16, 1 for bf16.
pub(crate) struct TwoFloats;

impl AsmFormat for TwoFloats {
    const EXPECTS: &'static str = "two immediate lanes from high to low (`1, -0.5`)";
    const MAX_LEN: usize = 2 * LANE_TEXT_MAX + ", ".len();
    const FORMS: &'static [&'static str] = &[
        "0*", ".*", "INF*", "QNA*", "NAN*", "+0*", "+.*", "+INF*", "+QNA*", "+NAN*", "-0*", "-.*",
        "-INF*", "-QNA*", "-NAN*",
    ];

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        let high = read_float(cursor, args[0])?;
        if !cursor.eat(b',') {
            return Err(cursor.fault(cursor.position(), "expected `,` and the low lane"));
        }
        let low = read_float(cursor, args[0])?;
        Ok(u64::from(high) << 16 | u64::from(low))
    }

    fn write(raw: u64, args: &[u64], line: &mut Line) {
        for (bits, before) in [((raw >> 16) as u16, ""), (raw as u16, ", ")] {
            let mut buffer = [0; LANE_BUFFER];
            let length = match args[0] {
                0 => write_lane(f16::from_bits(bits), &mut buffer),
                _ => write_lane(bf16::from_bits(bits), &mut buffer),
            };
            line.push_str(before);
            buffer[..length].iter().for_each(|&byte| line.push(byte));
        }
    }
}

fn read_float(cursor: &mut Cursor<'_>, format: u64) -> Result<u16, OperandError> {
    cursor.skip_trivia();
    let (start, mut before) = (cursor.position(), b'e');
    let is_part = |&byte: &u8| {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E');
        before = byte;
        is_sign || byte.is_ascii_alphanumeric() || byte == b'.'
    };
    let text = cursor.rest();
    let text = &text[..text.iter().copied().take_while(is_part).count()];
    cursor.seek(start + text.len());
    let bits = if format == 0 { parse_lane::<f16>(text) } else { parse_lane::<bf16>(text) };
    bits.map_err(|error| {
        let message = match error {
            LaneError::Empty => "expected a number",
            LaneError::TooLarge { .. } => "too large for a lane",
            _ => "not a number",
        };
        cursor.fault(start, message)
    })
}
