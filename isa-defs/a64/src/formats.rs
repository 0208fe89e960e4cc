//! The text format of a register that is added to an address.

use isa_core::operand::{AsmFormat, Either};
use isa_core::text::{Cursor, Line, OperandError};

use super::{W, X};

/// A 32-bit register, or a 64-bit register if the bit above its number is 1.
type Register = Either<W, X>;

/// A register that is added to an address, with its extension and an optional shift by `LOG`.
pub struct IndexBy<const LOG: u8>;

/// The extensions that can follow the register, with their encodings.
const EXTENDS: [(&str, u64); 4] = [("uxtw", 2), ("lsl", 3), ("sxtw", 6), ("sxtx", 7)];

impl<const LOG: u8> AsmFormat for IndexBy<LOG> {
    const EXPECTS: &'static str = "a register, optionally extended and shifted (`x1, lsl #3`)";
    const MAX_LEN: usize = "x30, sxtx #3".len();
    const FORMS: &'static [&'static str] = Register::FORMS;

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let (start, register) = (cursor.position(), Register::read(cursor, args)?);
        let (mut option, mut shift) = (3, None);
        if cursor.eat(b',') {
            let word = cursor.word();
            let found = EXTENDS.iter().find(|(name, _)| *name == word);
            option = found.map_or(0, |(_, option)| *option);
            shift = if cursor.eat(b'#') { Some(cursor.number()?) } else { None };
        }
        let shifted = shift == Some(LOG.into()) && (LOG != 0 || shift.is_some());
        let fits = option & 1 == register >> 5 && (shifted || matches!(shift, None | Some(0)));
        let fits = fits && (option != 3 || shift.is_some() || cursor.peek() == Some(b']'));
        let message =
            "expected `w1, uxtw`, `w1, sxtw`, `x1` or `x1, sxtx`, shifted by 0 or log2 of the size";
        let raw = (register & 31) << 4 | option << 1 | u64::from(shifted);
        if fits { Ok(raw) } else { Err(cursor.fault(start, message)) }
    }
    fn write(raw: u64, args: &[u64], line: &mut Line) {
        let option = raw >> 1 & 7;
        Register::write(raw >> 4 & 31 | (option & 1) << 5, args, line);
        if raw & 15 != 6 {
            line.push_str(", ");
            line.push_str(EXTENDS.iter().find(|(_, o)| *o == option).map_or("", |(name, _)| name));
        }
        if raw & 1 != 0 {
            line.push_str(" #");
            line.push_decimal(LOG.into());
        }
    }
}
