//! `?WAIT4`: the wait count.

use isa_core::operand::{Numbered, OperandKind};
use isa_core::table::ShortText;
use isa_core::text::{Cursor, Line, OperandError};

/// The number of cycles to wait before the next instruction is issued, 0 to 15.
///
/// ```
/// use isa_defs::base::Wait;
///
/// assert_eq!(Wait::new(4).map(Wait::count), Some(4));
/// assert_eq!(Wait::new(16), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Wait(u8);

impl Wait {
    /// Creates a wait of `count` cycles. Returns `None` if `count` is above 15.
    #[must_use]
    pub const fn new(count: u8) -> Option<Self> {
        if count < 16 { Some(Wait(count)) } else { None }
    }

    /// Returns the number of cycles.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.0
    }
}

const UNKNOWN: &str = "expected `?WAIT0` to `?WAIT15`";

const NAMES: Numbered = Numbered {
    prefix: "?WAIT",
    first: 0,
    step: 1,
    count: 16,
    last: "",
    unknown: UNKNOWN,
    letter_case: UNKNOWN,
};

static READY: [ShortText; 16] = NAMES.ready();

impl OperandKind for Wait {
    type Value = Wait;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "a wait count (`?WAIT0` to `?WAIT15`)";
    const MAX_LEN: usize = 7;
    const FORMS: &'static [&'static str] = &["?*"];
    const READY: &'static [ShortText] = &READY;
    const NUMBERED: Option<&'static Numbered> = Some(&NAMES);

    fn from_bits(raw: u64) -> Self {
        Wait(raw as u8 & 15)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        cursor.eat(b'?');
        let word = cursor.word();
        let count = word.strip_prefix("WAIT").filter(|digits| is_plain_number(digits));
        let count = count.and_then(|digits| digits.parse().ok());
        count.and_then(Wait::new).ok_or_else(|| cursor.fault(start, UNKNOWN))
    }

    fn write(self, line: &mut Line) {
        line.push_str("?WAIT");
        line.push_decimal(self.0.into());
    }
}

/// Returns whether the text is decimal digits without leading zeros.
fn is_plain_number(digits: &str) -> bool {
    digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'))
}
