//! A hand-optimized parser. The set is part of the code. It compares eight bytes at once, finds
//! names by perfect hashes, parses digits and marks without branches, and immediately moves bits to
//! their positions. It accepts printed text with modifiers in any order, and checks the exceptions
//! of the specification. It reports an error without a message.

mod names;

use isa_half::{bf16, f16, parse_lane};
use names::{MNEMONICS, MODIFIERS, all, key};

/// The maximum length of a statement, plus the bytes that are read after its end.
pub(crate) const WINDOW: usize = 256 + 8;

/// A partly parsed statement: the position in the text, and the two halves of the word.
struct Reader<'t> {
    text: &'t [u8; WINDOW],
    at: usize,
    low: u64,
    high: u64,
}

impl Reader<'_> {
    #[inline(always)]
    fn load(&self, at: usize) -> u64 {
        let at = at % 256;
        u64::from_le_bytes(self.text[at..at + 8].try_into().expect("eight bytes"))
    }

    #[inline(always)]
    fn byte(&self) -> u8 {
        self.text[self.at % 256]
    }

    #[inline(always)]
    fn eat(&mut self, text: &str) -> Option<()> {
        let mask = u64::MAX >> (64 - 8 * text.len());
        (self.load(self.at) & mask == key(text)).then(|| self.at += text.len())
    }

    /// Returns the bytes of a word of at most eight bytes, and its length.
    #[inline(always)]
    fn word(&self, at: usize) -> (u64, usize) {
        let bytes = self.load(at);
        // A word ends at the first byte below `0`, at `;` or at `|`. In printed text, no other byte
        // follows a word.
        const TOPS: u64 = all(0x80);
        let zero = |bytes: u64| !((bytes & !TOPS) + all(0x7f));
        let low = !((bytes & !TOPS) + all(0x50));
        let ends = (low | zero(bytes ^ all(b';')) | zero(bytes ^ all(b'|'))) & TOPS;
        let len = ends.trailing_zeros() as usize / 8;
        let below = ends ^ ends.wrapping_sub(1);
        (if len == 8 { bytes } else { bytes & below >> 8 }, len)
    }

    /// Parses the number after a prefix: at most three digits, and less than `count`.
    #[inline(always)]
    fn number(&mut self, count: u32) -> Option<u64> {
        let digits = self.load(self.at) as u32 ^ 0x3030_3030;
        let large = (digits & 0x7f7f_7f7f) + 0x7676_7676;
        let others = (large | digits) & 0x8080_8080;
        let len = others.trailing_zeros() / 8;
        if len == 0 || len > 3 {
            return None;
        }
        let aligned = digits << (32 - 8 * len);
        let number = (aligned >> 8 & 0xff) * 100 + (aligned >> 16 & 0xff) * 10 + (aligned >> 24);
        self.at += len as usize;
        let needless = len > 1 && digits & 0xff == 0;
        (number < count && !needless).then_some(number.into())
    }

    /// Parses a register: the letter, then a number, or `Z` in the same case.
    #[inline(always)]
    fn reg(&mut self, letter: u8) -> Option<u64> {
        if self.byte() != letter {
            return None;
        }
        self.at += 1;
        if self.byte() == letter + (b'Z' - b'R') {
            self.at += 1;
            return Some(255);
        }
        self.number(255)
    }

    #[inline(always)]
    fn predicate(&mut self, letter: u8) -> Option<u64> {
        let [first, second] = [self.byte(), self.text[(self.at + 1) % 256]];
        self.at += 2;
        let number = second ^ b'0';
        let number = if second == letter + (b'T' - b'P') { 7 } else { number };
        let fine = first == letter && (number < 7 || second != b'7' && number == 7);
        fine.then_some(number.into())
    }

    /// Parses a half, if there is one, and returns its number.
    #[inline(always)]
    fn half(&mut self) -> Option<u64> {
        if self.byte() != b'.' {
            return Some(0);
        }
        let name = self.load(self.at + 1) & 0xff_ffff_ffff;
        self.at += 6;
        const NAMES: [u64; 3] = [key("H1_H0"), key("H0_H0"), key("H1_H1")];
        let found = NAMES.map(|known| known == name);
        let number = [0, 2][usize::from(found[1])] | [0, 3][usize::from(found[2])];
        (found[0] | found[1] | found[2]).then_some(number)
    }

    /// Parses the prefix operators of an operand: bit 0 of the result is the sign, bit 1 is the bar.
    #[inline(always)]
    fn marks(&mut self) -> u64 {
        let sign = u64::from(self.byte() == b'-');
        self.at += sign as usize;
        let bar = u64::from(self.byte() == b'|');
        self.at += bar as usize;
        sign | bar << 1
    }

    /// Parses the text after an operand: its half, and the closing bar.
    #[inline(always)]
    fn close(&mut self, marks: u64, position: u32) -> Option<()> {
        self.high |= self.half()? << (position - 64);
        let closes = marks >> 1;
        let open = closes != 0 && self.byte() != b'|';
        self.at += closes as usize;
        (!open).then_some(())
    }

    fn hex(&mut self) -> Option<u64> {
        self.eat("[0x")?;
        let (mut number, start) = (0, self.at);
        loop {
            let byte = self.byte();
            self.at += 1;
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b']' if self.at > start + 1 => return Some(number),
                _ => return None,
            };
            number = number << 4 | u64::from(digit);
            if self.at > start + 8 {
                return None;
            }
        }
    }

    fn lane(&mut self) -> Option<u64> {
        let start = self.at;
        loop {
            let byte = self.byte();
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+')) {
                break;
            }
            self.at += 1;
        }
        let text = self.text.get(start..self.at)?;
        let lane = match self.high >> 30 & 1 {
            1 => parse_lane::<bf16>(text),
            _ => parse_lane::<f16>(text),
        };
        lane.ok().map(u64::from)
    }

    /// Parses a source operand. Returns its type, its bits and its marks.
    #[inline(always)]
    fn source(&mut self, half: u32) -> Option<(Kind, u64, u64)> {
        self.eat(", ")?;
        let start = self.at;
        let marks = self.marks();
        let (kind, bits) = match self.byte() {
            b'R' => (Kind::Reg, self.reg(b'R')?),
            b'U' => {
                self.at += 1;
                self.eat("R")?;
                let bits = match self.byte() {
                    b'Z' => {
                        self.at += 1;
                        63
                    }
                    _ => self.number(63)?,
                };
                (Kind::Uniform, bits)
            }
            b'c' => {
                self.at += 1;
                let (bank, offset) = (self.hex()?, self.hex()?);
                if bank > 31 || offset > 0x1ffff || offset % 4 != 0 {
                    return None;
                }
                (Kind::Constant, bank << 17 | offset)
            }
            _ => {
                self.at = start;
                let high = self.lane()?;
                self.eat(", ")?;
                return Some((Kind::Immediate, high << 16 | self.lane()?, 0));
            }
        };
        self.close(marks, half)?;
        Some((kind, bits, marks))
    }

    #[inline(always)]
    fn modifiers(&mut self, allowed: u64) -> Option<u64> {
        let mut seen = 0;
        while self.byte() == b'.' {
            let (key, len) = self.word(self.at + 1);
            self.at += 1 + len;
            let found = MODIFIERS.get(key)?;
            let (position, mask, value) = (found & 63, found >> 8 & 0xff, found >> 16);
            // `.NAN` is a comparison, but for a maximum it is a separate modifier.
            let is_setting = allowed & COMPARISON == 0 && value == 8;
            let (position, mask, value) =
                if is_setting { (20, 1, 1) } else { (position, mask, value) };
            let bits = mask << position;
            if bits & !allowed != 0 || bits & seen != 0 {
                return None;
            }
            seen |= bits;
            self.high |= value << position;
        }
        Some(seen)
    }

    #[inline(always)]
    fn not_predicate(&mut self) -> Option<u64> {
        let not = u64::from(self.byte() == b'!');
        self.at += not as usize;
        Some(self.predicate(b'P')? | not << 3)
    }

    /// Parses the wait count, the barriers and the end of the statement.
    #[inline(always)]
    fn tail(&mut self) -> Option<()> {
        if self.load(self.at) & 0xffff_ffff_ffff == key(" ?WAIT") {
            self.at += 6;
            self.high |= self.number(16)? << 48;
        }
        if self.load(self.at) & 0xff_ffff_ffff_ffff == key(" &req={") {
            self.at += 7;
            loop {
                let barrier = self.byte().wrapping_sub(b'0');
                if barrier > 5 || self.high >> (52 + barrier) & 1 == 1 {
                    return None;
                }
                self.high |= 1 << (52 + barrier);
                self.at += 2;
                match self.text[(self.at - 1) % 256] {
                    b',' => {}
                    b'}' => break,
                    _ => return None,
                }
            }
        }
        self.eat(";")
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reg,
    Uniform,
    Constant,
    Immediate,
}

const BRAIN: u64 = 1 << 30;
const FLUSH: u64 = 1 << 12;
const SATURATE: u64 = 1 << 13;
const RELU: u64 = 1 << 28;
const ROUNDED: u64 = BRAIN | FLUSH | SATURATE | 3 << 14;
const COMPARISON: u64 = 15 << 22;
const COMPARED: u64 = BRAIN | FLUSH | 63 << 20;

/// Parses the first statement of the text. Returns the word and the end of the statement.
#[inline(always)]
pub(crate) fn parse(text: &[u8; WINDOW]) -> Option<(u128, usize)> {
    let mut reader = Reader { text, at: 0, low: 0, high: 0 };
    let mut guard = 7;
    let mut is_lower = false;
    if reader.byte() == b'@' {
        reader.at += 1;
        let not = u64::from(reader.byte() == b'!');
        reader.at += not as usize;
        is_lower = reader.byte() == b'p';
        guard = not << 3 | reader.predicate(if is_lower { b'p' } else { b'P' })?;
        reader.eat(" ")?;
    }
    reader.low = guard << 12;
    let (mut key, mut len) = reader.word(reader.at);
    if len == 8 {
        key ^= u64::from(reader.text[(reader.at + 8) % 256] ^ b'0');
        len = 9;
    }
    let code = MNEMONICS.get(key)?;
    reader.at += len;
    reader.low |= code;
    let fine = match code {
        0x80.. => (guard == 7 || is_lower) && reader.video(code >> 3 & 1 == 1)?,
        _ => !is_lower && reader.halu(code)?,
    };
    reader.tail()?;
    let word = u128::from(reader.high) << 64 | u128::from(reader.low);
    (fine && reader.at <= 256).then_some((word, reader.at))
}

impl Reader<'_> {
    /// Parses everything from the modifiers on, and returns whether the word is valid.
    #[inline(always)]
    fn halu(&mut self, code: u64) -> Option<bool> {
        let allowed = match code {
            0x30 => ROUNDED | 1 << 27,
            0x31 => ROUNDED | RELU,
            0x32 => ROUNDED,
            0x33 => COMPARED | 1 << 26,
            0x34 => COMPARED,
            _ => BRAIN | FLUSH | 1 << 20,
        };
        let seen = self.modifiers(allowed)?;
        let is_compare = matches!(code, 0x33 | 0x34);
        if is_compare && seen & 63 << 20 != 63 << 20 {
            return None;
        }
        self.eat(" ")?;
        if code == 0x34 {
            self.high |= self.predicate(b'P')? << 42;
            self.eat(", ")?;
            self.high |= self.predicate(b'P')? << 45;
        } else {
            self.low |= self.reg(b'R')? << 16;
        }
        self.eat(", ")?;
        let marks = self.marks();
        self.low |= self.reg(b'R')? << 24;
        self.high |= marks << 8;
        self.close(marks, 80)?;
        let (kind, bits, marks) = self.source(82)?;
        if code == 0x31 {
            self.fused(kind, bits, marks)?;
        } else {
            self.high |= marks << 32;
            self.low |= bits << 32 | [1, 7, 5, 3][kind as usize] << 8;
        }
        match code {
            0x40 => {
                self.eat(", ")?;
                self.high |= self.not_predicate()? << 34;
            }
            0x33 | 0x34 => {
                let given = self.byte() == b',';
                let predicate = if given {
                    self.eat(", ")?;
                    self.not_predicate()?
                } else {
                    7
                };
                self.high |= predicate << 34;
            }
            _ => {}
        }
        let bad = self.high & BRAIN != 0 && self.high & (FLUSH | SATURATE) != 0;
        let arithmetic = code < 0x33;
        let relu = self.high & RELU != 0 && self.high & SATURATE != 0;
        Some(!(relu || bad && arithmetic))
    }

    /// Parses source operand C and encodes it with B. If C is a register, it uses the upper field.
    /// Otherwise B must be a register, and B uses the upper field.
    #[inline(always)]
    fn fused(&mut self, b: Kind, bits: u64, marks: u64) -> Option<()> {
        let (c, c_bits, c_marks) = self.source(84)?;
        let stype = match (b, c) {
            (Kind::Reg, Kind::Reg) => 2,
            (Kind::Reg, Kind::Immediate) => 4,
            (Kind::Reg, Kind::Constant) => 6,
            (Kind::Reg, Kind::Uniform) => 14,
            (Kind::Immediate, Kind::Reg) => 8,
            (Kind::Constant, Kind::Reg) => 10,
            (Kind::Uniform, Kind::Reg) => 12,
            _ => return None,
        };
        let (lower, upper) = match c {
            Kind::Reg => ((bits, marks), (c_bits, c_marks)),
            _ => ((c_bits, c_marks), (bits, marks)),
        };
        self.low |= stype << 8 | lower.0 << 32;
        self.high |= lower.1 << 32 | upper.0 | upper.1 << 10;
        Some(())
    }

    /// Parses `.s32` or `.u32`, and returns 1 for the first.
    #[inline(always)]
    fn video_type(&mut self) -> Option<u64> {
        let bytes = self.load(self.at) & 0xffff_ffff;
        self.at += 4;
        let signed = bytes == key(".s32");
        (signed || bytes == key(".u32")).then_some(signed.into())
    }

    /// Parses lane digits after a dot and a letter: `count` digits of `bits` bits each.
    #[inline(always)]
    fn select(&mut self, letter: u8, count: usize, bits: u32, usual: u64) -> Option<u64> {
        if self.byte() != b'.' {
            return Some(usual);
        }
        let bytes = self.load(self.at + 1);
        self.at += 2 + count;
        let digits = (bytes >> 8) as u32 ^ 0x3030_3030;
        let digits = if count == 2 { digits & 0xffff } else { digits };
        let outside = digits & !(0x0101_0101 * ((1 << bits) - 1));
        let packed = match count {
            2 => (digits & 3) << 2 | digits >> 8,
            _ => {
                (digits & 7) << 9 | (digits >> 8 & 7) << 6 | (digits >> 16 & 7) << 3 | digits >> 24
            }
        };
        (bytes as u8 == letter && outside == 0).then_some(packed.into())
    }

    /// Parses the lanes of a mask, the highest lane first.
    #[inline(always)]
    fn mask(&mut self, letter: u8, lanes: u8) -> Option<u64> {
        if self.byte() != b'.' {
            return Some((1 << lanes) - 1);
        }
        if self.text[(self.at + 1) % 256] != letter {
            return None;
        }
        self.at += 2;
        let (mut mask, mut above) = (0, lanes);
        loop {
            let lane = self.byte().wrapping_sub(b'0');
            if lane >= above {
                return (mask != 0).then_some(mask);
            }
            mask |= 1 << lane;
            above = lane;
            self.at += 1;
        }
    }

    #[inline(always)]
    fn video(&mut self, is_four: bool) -> Option<bool> {
        let types = [self.video_type()?, self.video_type()?, self.video_type()?];
        let mut settings = 0;
        while self.byte() == b'.' {
            let bytes = self.load(self.at) & 0xffff_ffff;
            let bit = if bytes == key(".sat") { 1 } else { 2 };
            if settings & bit != 0 || bit == 2 && bytes != key(".add") {
                return None;
            }
            settings |= bit;
            self.at += 4;
        }
        self.eat(" ")?;
        self.low |= 2 << 8 | self.reg(b'r')? << 16;
        self.low |= types[0] << 40 | types[1] << 41 | types[2] << 42 | settings << 43;
        let mask = if is_four { self.mask(b'b', 4)? } else { self.mask(b'h', 2)? };
        self.low |= mask << 45;
        self.eat(", ")?;
        self.low |= self.reg(b'r')? << 24;
        self.high |= match is_four {
            true => self.select(b'b', 4, 3, 0b011_010_001_000)?,
            false => self.select(b'h', 2, 2, 0b0100)?,
        } << 8;
        self.eat(", ")?;
        self.low |= self.reg(b'r')? << 32;
        self.high |= match is_four {
            true => self.select(b'b', 4, 3, 0b111_110_101_100)?,
            false => self.select(b'h', 2, 2, 0b1110)?,
        } << 20;
        self.eat(", ")?;
        self.high |= self.reg(b'r')?;
        Some(settings != 3)
    }
}
