//! `&req={0,2}`: the barriers to wait for.

use isa_core::operand::OperandKind;
use isa_core::table::ShortText;
use isa_core::text::{Cursor, Line, OperandError};

/// A set of the barriers 0 to 5. Bit i of the field is barrier i.
///
/// ```
/// use isa_defs::base::Barriers;
///
/// let both = Barriers::EMPTY.with(0).with(2);
/// assert!(both.contains(2) && !both.contains(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Barriers(u8);

impl Barriers {
    /// No barrier.
    pub const EMPTY: Barriers = Barriers(0);

    /// Returns the set with one more barrier. A number above 5 changes nothing.
    #[must_use]
    pub const fn with(self, barrier: u8) -> Self {
        if barrier < 6 { Barriers(self.0 | 1 << barrier) } else { self }
    }

    /// Returns whether the set contains this barrier.
    #[must_use]
    pub const fn contains(self, barrier: u8) -> bool {
        barrier < 6 && self.0 >> barrier & 1 == 1
    }
}

const EXPECTS: &str = "expected `&req={...}` with numbers 0 to 5, each at most once";

/// The text of each set, indexed by its bits.
static READY: [ShortText; 64] = {
    let (mut texts, mut bits) = ([ShortText::EMPTY; 64], 0);
    while bits < 64 {
        let (mut text, mut barrier) = (ShortText::EMPTY.with_str("&req={"), 0);
        while barrier < 6 {
            if bits >> barrier & 1 == 1 {
                let first = bits & ((1 << barrier) - 1) == 0;
                text = if first { text } else { text.with(b',') }.with_decimal(barrier);
            }
            barrier += 1;
        }
        texts[bits] = text.with(b'}');
        bits += 1;
    }
    texts
};

impl OperandKind for Barriers {
    type Value = Barriers;
    const WIDTH: u8 = 6;
    const EXPECTS: &'static str = "a set of barriers (`&req={0,5}`)";
    const MAX_LEN: usize = "&req={0,1,2,3,4,5}".len();
    const FORMS: &'static [&'static str] = &["&*"];
    const READY: &'static [ShortText] = &READY;

    fn from_bits(raw: u64) -> Self {
        Barriers(raw as u8 & 63)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        if let Some((set, len)) = plain(cursor.rest()) {
            cursor.seek(cursor.position() + len);
            return Ok(set);
        }
        cursor.skip_trivia();
        let start = cursor.position();
        let opened =
            cursor.eat(b'&') && cursor.word() == "req" && cursor.eat(b'=') && cursor.eat(b'{');
        if !opened {
            return Err(cursor.fault(start, EXPECTS));
        }
        let mut set = Barriers::EMPTY;
        if cursor.eat(b'}') {
            return Ok(set);
        }
        loop {
            set = read_barrier(cursor, set)?;
            if cursor.eat(b'}') {
                return Ok(set);
            }
            if !cursor.eat(b',') {
                return Err(cursor.fault(cursor.position(), "expected `,` or `}` after a barrier"));
            }
        }
    }

    fn write(self, line: &mut Line) {
        line.push_str("&req={");
        let mut first = true;
        for barrier in (0..6).filter(|&barrier| self.contains(barrier)) {
            if !core::mem::take(&mut first) {
                line.push(b',');
            }
            line.push_decimal(barrier.into());
        }
        line.push(b'}');
    }
}

/// Parses a set that is spelled as it is printed, and returns the set and the length of its text.
/// If it returns `None`, the text may still be a set in another spelling.
fn plain(text: &[u8]) -> Option<(Barriers, usize)> {
    let mut rest = text.strip_prefix(b"&req={")?;
    let mut set = Barriers::EMPTY;
    loop {
        let [digit @ b'0'..=b'5', next, behind @ ..] = rest else { return None };
        let barrier = digit - b'0';
        if set.contains(barrier) {
            return None;
        }
        (set, rest) = (set.with(barrier), behind);
        match next {
            b',' => {}
            b'}' => return Some((set, text.len() - rest.len())),
            _ => return None,
        }
    }
}

/// Parses the barrier at the cursor and adds it to `set`, which must not contain it yet.
fn read_barrier(cursor: &mut Cursor<'_>, set: Barriers) -> Result<Barriers, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let barrier = match cursor.word().as_bytes() {
        [digit @ b'0'..=b'5'] => digit - b'0',
        _ => return Err(cursor.fault(start, EXPECTS)),
    };
    if set.contains(barrier) {
        return Err(cursor.fault(start, "duplicate barrier"));
    }
    Ok(set.with(barrier))
}
