//! The accesses that a fence orders: `iorw`.

use isa_core::operand::OperandKind;
use isa_core::text::{Cursor, Line, OperandError};

/// A set of access types: device input, device output, memory reads and memory writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Accesses(u8);

const LETTERS: [(u8, u8); 4] = [(8, b'i'), (4, b'o'), (2, b'r'), (1, b'w')];

/// The name that disassemblers print for the empty set, which orders nothing.
const EMPTY: &str = "unknown";

impl OperandKind for Accesses {
    type Value = Accesses;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "access types (letters of `iorw`, in this order)";
    const MAX_LEN: usize = EMPTY.len();
    const FORMS: &'static [&'static str] = &["i*", "o*", "r*", "w*", EMPTY];

    fn from_bits(raw: u64) -> Self {
        Accesses(raw as u8 & 15)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let word = cursor.word();
        let start = cursor.position() - word.len();
        let mut rest = word.as_bytes();
        let mut set = 0;
        for (bit, letter) in LETTERS {
            if let Some(behind) = rest.strip_prefix(&[letter]) {
                (set, rest) = (set | bit, behind);
            }
        }
        let fits = word == EMPTY || (rest.is_empty() && set != 0);
        let message = "expected letters of `iorw` in this order, each at most once";
        if fits { Ok(Accesses(set)) } else { Err(cursor.fault(start, message)) }
    }

    fn write(self, line: &mut Line) {
        if self.0 == 0 {
            line.push_str(EMPTY);
        }
        for (_, letter) in LETTERS.iter().filter(|(bit, _)| self.0 & bit != 0) {
            line.push(*letter);
        }
    }
}
