//! Numbers that are not what their bits count, and targets.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::machine::Source;
use isa_core::operand::{NAME, OperandKind, Relative};
use isa_core::table::Cube;

/// A run of ones, turned, and repeated over 2 to the power of `LOG` bits: all but all zeros and
/// all ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitmask<const LOG: u8>(u16);

impl<const LOG: u8> Bitmask<LOG> {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        let (n, immr, imms) = (self.0 >> 12 & 1, self.0 >> 6 & 63, self.0 & 63);
        let highest = (n << 6 | !imms & 63).checked_ilog2();
        let Some(log @ 1..) = highest else { return 0 };
        let (size, ones) = (1u32 << log, (imms as u32 & ((1 << log) - 1)) + 1);
        let turn = immr as u32 & (size - 1);
        let run = u64::MAX >> (64 - ones);
        let element = u64::MAX >> (64 - size);
        let mut number = (run >> turn | if turn == 0 { 0 } else { run << (size - turn) }) & element;
        let mut width = size;
        while width < 64 {
            number |= number << width;
            width *= 2;
        }
        if LOG == 5 { number & 0xffff_ffff } else { number }
    }

    /// The pattern of a number; `None` where it is none.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        if LOG == 5 && number >> 32 != 0 {
            return None;
        }
        let wide = if LOG == 5 { number << 32 | number } else { number };
        if wide == 0 || wide == u64::MAX {
            return None;
        }
        // The least size of which the number consists.
        let mut size = 64;
        while size > 2 && wide.rotate_right(size / 2) == wide {
            size /= 2;
        }
        let element = wide & u64::MAX >> (64 - size);
        let ones = element.count_ones();
        // Turned so that a 1 is at the bottom and a 0 at the top.
        let turn = (wide & !wide.rotate_left(1)).trailing_zeros() % size;
        let run = u64::MAX >> (64 - ones);
        if wide.rotate_right(turn) & u64::MAX >> (64 - size) != run {
            return None;
        }
        let n = (size == 64) as u32;
        let imms = !(size * 2 - 1) & 63 | (ones - 1);
        Some(Bitmask((n << 12 | ((size - turn) & (size - 1)) << 6 | imms) as u16))
    }
}

/// Whether `movz` or `movn` has the number of a pattern, of 32 bits or of 64.
#[must_use]
pub const fn is_move_wide(sf: u64, imm: u64) -> bool {
    let all = if sf == 0 { u32::MAX as u64 } else { u64::MAX };
    let number = Bitmask::<6>(imm as u16 & 0x1fff).get() & all;
    let mut place = 0;
    while place < 64 {
        let others = all & !(0xffff << place);
        if number & others == 0 || !number & others == 0 {
            return true;
        }
        place += 16;
    }
    false
}

impl<const LOG: u8> OperandKind for Bitmask<LOG> {
    type Value = u64;
    const WIDTH: u8 = 13;
    const EXPECTS: &'static str = "a repeated run of ones (`#0xff`, `#0x5555555555555555`)";
    const MAX_LEN: usize = "#0x5555555555555555".len();
    const FORMS: &'static [&'static str] = &["#0~"];
    const RESERVED: &'static [Cube] = &[
        if LOG == 5 { Cube::new(0x1000, 0x1000) } else { Cube::new(0x103f, 0x103f) },
        Cube::new(0x103f, 0x1f),
        Cube::new(0x103f, 0x2f),
        Cube::new(0x103f, 0x37),
        Cube::new(0x103f, 0x3b),
        Cube::new(0x103f, 0x3d),
        Cube::new(0x103e, 0x3e),
    ];

    /// Turned by more than its size, a pattern is the same as turned by what is left.
    const READS_BACK: Option<fn(Self) -> bool> =
        Some(|mask| Bitmask::new(mask.get()) == Some(mask));

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Bitmask(raw as u16 & 0x1fff)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.eat(b'#');
        let (start, number) = (cursor.position(), cursor.number()?);
        let pattern = u64::try_from(number).ok().and_then(Bitmask::new);
        pattern.ok_or_else(|| cursor.fault(start, "no repeated run of ones, as `0xff00ff00`"))
    }
    fn write(self, line: &mut Line) {
        line.push_str("#0x");
        let number = self.get();
        line.push_hex(number.into(), 16 - number.leading_zeros() / 4);
    }
}

/// How far a target is from the instruction: `#8`, or a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target<const BITS: u8, const SHIFT: u8>(Relative<BITS, SHIFT>);

impl<const BITS: u8, const SHIFT: u8> OperandKind for Target<BITS, SHIFT> {
    type Value = i64;
    const WIDTH: u8 = BITS;
    const EXPECTS: &'static str = "how far to go (`#8`), or a label";
    const MAX_LEN: usize = Relative::<BITS, SHIFT>::MAX_LEN;
    const FORMS: &'static [&'static str] = &["#*", NAME];
    const TARGET: Option<fn(Self, u64) -> u64> = Some(|to, address| to.0.target(address));

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Target(Relative::from_bits(raw))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.eat(b'#');
        Relative::read(cursor).map(Target)
    }
    fn write(self, line: &mut Line) {
        line.push(b'#');
        self.0.write(line);
    }
}

/// How far the page of a target is from that of the instruction: `#4096`, or a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Page(Relative<21, 12>);

impl OperandKind for Page {
    type Value = i64;
    const WIDTH: u8 = 21;
    const EXPECTS: &'static str = "how far to go in pages (`#4096`), or a label";
    const MAX_LEN: usize = Relative::<21, 12>::MAX_LEN;
    const FORMS: &'static [&'static str] = &["#*", NAME];
    const TARGET: Option<fn(Self, u64) -> u64> = Some(|to, address| to.0.target(address & !0xfff));

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Page(Relative::from_bits(raw))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        if cursor.eat(b'#') {
            return Relative::read(cursor).map(Page);
        }
        cursor.skip_trivia();
        let (start, target) = (cursor.position(), cursor.address()?);
        let here = cursor.site().map_or(0, |site| site.address);
        let distance = (target & !0xfff).wrapping_sub(here & !0xfff) as i64;
        let page = Relative::new(distance).map(Page);
        page.ok_or_else(|| cursor.too_far(start, distance, "out of reach: 4 GiB either way"))
    }
    fn write(self, line: &mut Line) {
        line.push(b'#');
        self.0.write(line);
    }
}

/// A number of 16 bits, written in hexadecimal: `#0x10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(pub u16);

impl OperandKind for Code {
    type Value = u16;
    const WIDTH: u8 = 16;
    const EXPECTS: &'static str = "a number (`#0` to `#0xffff`)";
    const MAX_LEN: usize = "#0xffff".len();
    const FORMS: &'static [&'static str] = &["#0~"];

    fn from_bits(raw: u64) -> Self {
        Code(raw as u16)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.eat(b'#');
        let (start, number) = (cursor.position(), cursor.number()?);
        let code = u16::try_from(number).map(Code);
        code.map_err(|_| cursor.fault(start, "out of range: a number of 16 bits is meant here"))
    }
    fn write(self, line: &mut Line) {
        line.push_str(if self.0 == 0 { "#" } else { "#0x" });
        line.push_hex(self.0.into(), self.0.checked_ilog2().unwrap_or(0) / 4 + 1);
    }
}

/// Read on any machine: the value is in the word.
macro_rules! in_the_word {
    ($([$($generic:tt)*] $kind:ty, $value:ty, $number:ident => $get:expr;)*) => { $(
        impl<M: ?Sized, $($generic)*> Source<M> for $kind {
            #[inline]
            fn fetch(self, _: &M) -> $value {
                let $number = self;
                $get
            }
        }
    )* };
}

in_the_word! {
    [const LOG: u8] Bitmask<LOG>, u64, number => number.get();
    [const BITS: u8, const SHIFT: u8] Target<BITS, SHIFT>, i64, to => to.0.get();
    [] Page, i64, to => to.0.get();
    [] Code, u16, code => code.0;
}
