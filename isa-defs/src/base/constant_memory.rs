//! Operand type for constant memory.

use core::ops::Range;

use isa_core::machine::{ConstMemory, Source};
use isa_core::operand::{Numeral, NumeralBits, OperandKind, TextPart};
use isa_core::table::Cube;
use isa_core::text::{Cursor, Line, OperandError};

/// A word of constant memory: a bank, and a byte offset in the bank that is a multiple of 4.
///
/// ```
/// use isa_defs::base::CMem;
///
/// let operand = CMem::new(0, 0x160);
/// assert_eq!(operand.map(|operand| operand.to_string()).as_deref(), Some("c[0x0][0x160]"));
/// assert_eq!("c[0][352]".parse().ok(), operand);
/// assert_eq!(CMem::new(0, 0x162), None);
/// assert_eq!(CMem::new(32, 0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CMem(u32);

const OFFSET_BITS: u32 = 17;
const BANK_BITS: u32 = 5;

impl CMem {
    /// Returns the word at a byte offset of a bank. Returns `None` if the bank is above 31, or if
    /// the offset is above 0x1fffc or not a multiple of 4.
    #[must_use]
    pub const fn new(bank: u8, offset: u32) -> Option<Self> {
        if (bank as u32) >> BANK_BITS == 0 && offset >> OFFSET_BITS == 0 && offset.is_multiple_of(4)
        {
            Some(CMem((bank as u32) << OFFSET_BITS | offset))
        } else {
            None
        }
    }

    /// Returns the bank.
    #[must_use]
    pub const fn bank(self) -> u8 {
        (self.0 >> OFFSET_BITS) as u8
    }

    /// Returns the byte offset in the bank.
    #[must_use]
    pub const fn offset(self) -> u32 {
        self.0 & ((1 << OFFSET_BITS) - 1)
    }
}

/// Returns the text part that prints `width` bits, starting at bit `low`, as a hexadecimal number.
const fn hex(low: u32, width: u32) -> TextPart {
    let bits = NumeralBits { arg: None, low: low as u8, width: width as u8 };
    TextPart::Number(Numeral { hex: 1, ..Numeral::of(bits) })
}

impl OperandKind for CMem {
    /// The 32 bits at the address.
    type Value = u32;

    const WIDTH: u8 = (OFFSET_BITS + BANK_BITS) as u8;
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "constant memory (`c[0x0][0x160]`, 4-byte aligned)";
    const MAX_LEN: usize = "c[0x1f][0x1fffc]".len();
    const FORMS: &'static [&'static str] = &["c[*"];
    const PARTS: &'static [TextPart] = &[
        TextPart::Text("c[0x"),
        hex(OFFSET_BITS, BANK_BITS),
        TextPart::Text("][0x"),
        hex(0, OFFSET_BITS),
        TextPart::Text("]"),
    ];
    const RESERVED: &'static [Cube] = &[Cube { mask: 1, value: 1 }, Cube { mask: 2, value: 2 }];

    #[inline]
    fn from_bits(raw: u64) -> Self {
        CMem(raw as u32 & ((1 << (OFFSET_BITS + BANK_BITS)) - 1))
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        if let Some((operand, len)) = plain(cursor.rest()) {
            cursor.seek(cursor.position() + len);
            return Ok(operand);
        }
        let start = cursor.position();
        if cursor.word() != "c" {
            return Err(cursor.fault(start, "expected constant memory, `c[bank][offset]`"));
        }
        let (bank, span) = bracketed(cursor)?;
        let bank = u8::try_from(bank).ok().filter(|bank| *bank >> BANK_BITS == 0);
        let message = "bank out of range: expected 0x0 to 0x1f";
        let bank = bank.ok_or_else(|| fault_at(cursor, span, message))?;
        let (offset, span) = bracketed(cursor)?;
        let message = match offset >> OFFSET_BITS {
            0 => "misaligned offset: expected a multiple of 4",
            _ => "offset out of range: expected at most 0x1fffc",
        };
        let offset = u32::try_from(offset).ok();
        let operand = offset.and_then(|offset| CMem::new(bank, offset));
        operand.ok_or_else(|| fault_at(cursor, span, message))
    }

    fn write(self, line: &mut Line) {
        line.push_str("c[0x");
        line.push_hex(self.bank().into(), 1);
        line.push_str("][0x");
        line.push_hex(self.offset().into(), 1);
        line.push(b']');
    }
}

/// Parses an address that is spelled in the same way as the printer prints it. Returns the operand and
/// the length of its text, or `None` if the general parser must decide.
#[inline]
fn plain(text: &[u8]) -> Option<(CMem, usize)> {
    let (bank, rest) = plain_hex(text.strip_prefix(b"c")?)?;
    let (offset, rest) = plain_hex(rest)?;
    let operand = CMem::new(u8::try_from(bank).ok()?, offset)?;
    Some((operand, text.len() - rest.len()))
}

/// Parses `[0x...]` with at most seven digits. Returns the number and the text after it.
#[inline]
fn plain_hex(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.strip_prefix(b"[0x")?;
    let (mut number, mut len) = (0, 0);
    loop {
        let byte = *digits.get(len)?;
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b']' if len > 0 => return Some((number, digits.get(len + 1..)?)),
            _ => return None,
        };
        number = number << 4 | u32::from(digit);
        len += 1;
        if len > 7 {
            return None;
        }
    }
}

/// Returns the error for the text at `span`, which the cursor has passed.
#[cold]
fn fault_at(cursor: &mut Cursor<'_>, span: Range<usize>, message: &'static str) -> OperandError {
    cursor.seek(span.end);
    cursor.fault(span.start, message)
}

/// Parses `[number]`. Returns the number and its position.
fn bracketed(cursor: &mut Cursor<'_>) -> Result<(u128, Range<usize>), OperandError> {
    let expected = |cursor: &Cursor<'_>, message| cursor.fault(cursor.position(), message);
    if !cursor.eat(b'[') {
        return Err(expected(cursor, "expected `[`, as in `c[bank][offset]`"));
    }
    cursor.skip_trivia();
    let start = cursor.position();
    let number = cursor.number()?;
    let span = start..cursor.position();
    if !cursor.eat(b']') {
        return Err(expected(cursor, "expected `]`"));
    }
    Ok((number, span))
}

/// The value is the word of constant memory at the address.
impl<M: ConstMemory + ?Sized> Source<M> for CMem {
    #[inline]
    fn fetch(self, machine: &M) -> u32 {
        machine.const_word(self.bank(), self.offset())
    }
}

isa_core::operand_traits!(CMem);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::{CMem, plain};

    #[test]
    fn an_address_as_it_is_written_is_read_at_once() {
        for (bank, offset) in [(0, 0), (0x1f, 0x1_fffc), (0xa, 0x160), (9, 0xf98)] {
            let operand = CMem::new(bank, offset).expect("it exists");
            let text = std::format!("{operand};");
            assert_eq!(plain(text.as_bytes()), Some((operand, text.len() - 1)), "{text}");
        }
        let leading = plain(b"c[0x01][0x0000160]");
        assert_eq!(leading, CMem::new(1, 0x160).map(|operand| (operand, 18)), "seven digits");
        for text in [
            "",
            "c",
            "C[0x0][0x0]",
            "c[0][0x0]",
            "c[0x0][0]",
            "c[0x][0x0]",
            "c[0x0][0x]",
            "c[0x0]",
            "c[0x0][0x0",
            "c[0x0] [0x0]",
            "c[0xA][0x0]",
            "c[0x0][0xg]",
            "c[0x20][0x0]",
            "c[0x0][0x20000]",
            "c[0x0][0x2]",
            "c[0x0][0x00000160]",
            "c[0x100][0x0]",
        ] {
            assert_eq!(plain(text.as_bytes()), None, "{text}");
        }
    }
}
