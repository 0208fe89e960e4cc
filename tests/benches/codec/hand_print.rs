//! A hand-optimized printer: a `match` on the opcode. Each small group of fields is an index into a
//! table of prepared texts, and each text is copied by one store of fixed size.

use isa_half::{LANE_BUFFER, bf16, f16, write_lane};

/// The size of a line, and space after it for one copy of fixed size.
pub(crate) const ROOM: usize = 256 + 32;

/// A text, with its length in the last byte.
type Text<const N: usize> = [u8; N];

const fn with<const N: usize>(mut text: Text<N>, more: &str) -> Text<N> {
    let (more, mut i) = (more.as_bytes(), 0);
    while i < more.len() {
        text[text[N - 1] as usize] = more[i];
        text[N - 1] += 1;
        i += 1;
    }
    text
}

const fn text<const N: usize>(text: &str) -> Text<N> {
    with([0; N], text)
}

const fn decimal(text: Text<16>, number: usize) -> Text<16> {
    const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let text = if number >= 100 { with(text, DIGITS[number / 100]) } else { text };
    let text = if number >= 10 { with(text, DIGITS[number / 10 % 10]) } else { text };
    with(text, DIGITS[number % 10])
}

const fn names<const N: usize>(prefix: &str, last: &str) -> [Text<16>; N] {
    let (mut table, mut i) = ([text(last); N], 0);
    while i + 1 < N {
        table[i] = decimal(text(prefix), i);
        i += 1;
    }
    table
}

static REGS: [Text<16>; 256] = names("R", "RZ");
static LOWER: [Text<16>; 256] = names("r", "rz");
static UNIFORM: [Text<16>; 64] = names("UR", "URZ");

/// Returns the texts of predicates between two other texts. From index 8 on, the predicate has a
/// `!`. Plain `PT` is omitted unless it is `shown`.
const fn predicates(before: &str, names: &[&str; 8], behind: &str, shown: bool) -> [Text<16>; 16] {
    let (mut table, mut i) = ([[0; 16]; 16], 0);
    while i < 16 {
        let marked = with(text(before), if i < 8 { "" } else { "!" });
        if i != 7 || shown {
            table[i] = with(with(marked, names[i % 8]), behind);
        }
        i += 1;
    }
    table
}

const UPPER_NAMES: [&str; 8] = ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT"];
const LOWER_NAMES: [&str; 8] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "pt"];
static GUARD: [Text<16>; 16] = predicates("@", &UPPER_NAMES, " ", false);
static LOWER_GUARD: [Text<16>; 16] = predicates("@", &LOWER_NAMES, " ", false);
static OPTIONAL: [Text<16>; 16] = predicates(", ", &UPPER_NAMES, "", false);
static PREDICATE: [Text<16>; 16] = predicates(", ", &UPPER_NAMES, "", true);

static MARKS: [Text<16>; 4] = [text(", "), text(", -"), text(", |"), text(", -|")];
/// Indexed by the bits of the half. From index 4 on, a bar follows.
static HALVES: [Text<16>; 8] = [
    text(""),
    text(""),
    text(".H0_H0"),
    text(".H1_H1"),
    text("|"),
    text("|"),
    text(".H0_H0|"),
    text(".H1_H1|"),
];

static WAIT: [Text<16>; 16] = {
    let (mut table, mut i) = ([[0; 16]; 16], 1);
    while i < 16 {
        table[i] = decimal(text(" ?WAIT"), i);
        i += 1;
    }
    table
};

/// The end of a line, with barriers.
static BARRIERS: [Text<32>; 64] = {
    const DIGITS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];
    let (mut table, mut i) = ([text(";"); 64], 1);
    while i < 64 {
        let (mut line, mut bit) = (text(" &req={"), 0);
        while bit < 6 {
            if i >> bit & 1 == 1 {
                let first = i & ((1 << bit) - 1) == 0;
                line = with(with(line, if first { "" } else { "," }), DIGITS[bit]);
            }
            bit += 1;
        }
        table[i] = with(line, "};");
        i += 1;
    }
    table
};

/// Returns a mnemonic with its modifiers, indexed by bit 0 (flush), bit 1 (saturate), bits 2 to 3
/// (rounding), bit 4 (bf16) and bit 5 (the extra modifier, which is before `.SAT` if `first`).
const fn arithmetic(mnemonic: &str, extra: &str, first: bool) -> [Text<32>; 64] {
    const ROUND: [&str; 4] = ["", ".RM", ".RP", ".RZ"];
    let (mut table, mut i) = ([[0; 32]; 64], 0);
    while i < 64 {
        let mut line = text(mnemonic);
        line = with(line, if i >> 4 & 1 == 1 { ".BF16_V2" } else { "" });
        line = with(line, if i & 1 == 1 { ".FTZ" } else { "" });
        line = with(line, if first && i >> 5 == 1 { extra } else { "" });
        line = with(line, if i >> 1 & 1 == 1 { ".SAT" } else { "" });
        line = with(line, ROUND[i >> 2 & 3]);
        table[i] = with(line, if !first && i >> 5 == 1 { extra } else { "" });
        i += 1;
    }
    table
}

static ADD: [Text<32>; 64] = arithmetic("HADD2", ".F32", false);
static MUL: [Text<32>; 64] = arithmetic("HMUL2", "", false);
static FMA: [Text<32>; 64] = arithmetic("HFMA2", ".RELU", true);

/// Returns a mnemonic with its modifiers, indexed by the bits 1 (bf16), 2 (flush) and 4 (an extra
/// modifier).
const fn plain(mnemonic: &str, extra: &str) -> [Text<32>; 8] {
    let (mut table, mut i) = ([[0; 32]; 8], 0);
    while i < 8 {
        let line = with(text(mnemonic), if i & 1 == 1 { ".BF16_V2" } else { "" });
        let line = with(line, if i & 2 == 2 { ".FTZ" } else { "" });
        table[i] = with(line, if i & 4 == 4 { extra } else { "" });
        i += 1;
    }
    table
}

static EXTREME: [Text<32>; 8] = plain("HMNMX2", ".NAN");
static SETP: [Text<32>; 8] = plain("HSETP2", "");
static SET: [Text<32>; 8] = plain("HSET2", "");

/// Comparison and combination, such as `.LTU.XOR`, indexed by the six bits from 84 on.
static COMPARE: [Text<16>; 64] = {
    const NAMES: [&str; 16] = [
        "", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM", ".NAN", ".LTU", ".EQU", ".LEU",
        ".GTU", ".NEU", ".GEU", "",
    ];
    const COMBINE: [&str; 4] = [".AND", ".OR", ".XOR", ""];
    let (mut table, mut i) = ([[0; 16]; 64], 0);
    while i < 64 {
        table[i] = with(text(NAMES[i >> 2]), COMBINE[i & 3]);
        i += 1;
    }
    table
};

static VIDEO: [Text<16>; 16] = [
    text("vadd2"),
    text("vsub2"),
    text("vavrg2"),
    text("vabsdiff2"),
    text("vmin2"),
    text("vmax2"),
    text(""),
    text(""),
    text("vadd4"),
    text("vsub4"),
    text("vavrg4"),
    text("vabsdiff4"),
    text("vmin4"),
    text("vmax4"),
    text(""),
    text(""),
];

/// Types and modifiers, indexed by the five bits from 40 on, followed by a space.
static TYPES: [Text<32>; 32] = {
    const TYPE: [&str; 2] = [".u32", ".s32"];
    let (mut table, mut i) = ([[0; 32]; 32], 0);
    while i < 32 {
        let line = with(with(text(TYPE[i & 1]), TYPE[i >> 1 & 1]), TYPE[i >> 2 & 1]);
        let line = with(line, if i >> 3 & 1 == 1 { ".sat" } else { "" });
        table[i] = with(with(line, if i >> 4 == 1 { ".add" } else { "" }), " ");
        i += 1;
    }
    table
};

/// Returns the lanes of each mask, the highest lane first, followed by a comma. If the mask
/// contains all lanes, only the comma is printed.
const fn masks<const N: usize>(letter: &str) -> [Text<16>; N] {
    const DIGITS: [&str; 4] = ["0", "1", "2", "3"];
    let (mut table, mut i) = ([text(", "); N], 0);
    while i + 1 < N {
        let (mut line, mut bit) = (text(letter), 4);
        while bit > 0 {
            bit -= 1;
            line = with(line, if i >> bit & 1 == 1 { DIGITS[bit] } else { "" });
        }
        table[i] = with(line, ", ");
        i += 1;
    }
    table
}

static MASKS2: [Text<16>; 4] = masks(".h");
static MASKS4: [Text<16>; 16] = masks(".b");

/// A line of output.
struct Out<'r> {
    room: &'r mut [u8; ROOM],
    at: usize,
}

impl Out<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, text: &Text<N>) {
        let at = self.at % 256;
        self.room[at..at + N].copy_from_slice(text);
        self.at = at + usize::from(text[N - 1]);
    }

    #[inline(always)]
    fn packed(&mut self, word: u128, marks: u32, half: u32, source: impl FnOnce(&mut Self)) {
        let sign = (word >> marks) as usize & 3;
        self.put(&MARKS[sign]);
        source(self);
        self.put(&HALVES[(word >> half) as usize & 3 | (sign & 2) << 1]);
    }

    #[inline(always)]
    fn reg(&mut self, word: u128, source: u32, marks: u32, half: u32) {
        self.packed(word, marks, half, |out| out.put(&REGS[(word >> source) as usize & 255]));
    }

    fn hex(&mut self, number: u32) {
        let digits = (35 - (number | 1).leading_zeros()) / 4;
        for place in (0..digits).rev() {
            self.room[self.at % 256] = b"0123456789abcdef"[(number >> (4 * place)) as usize & 15];
            self.at += 1;
        }
    }

    fn constant(&mut self, word: u128) {
        let offset = (word >> 32) as u32;
        self.put(&text::<16>("c[0x"));
        self.hex(offset >> 17 & 31);
        self.put(&text::<16>("][0x"));
        self.hex(offset & 0x1ffff);
        self.put(&text::<16>("]"));
    }

    fn lane(&mut self, lane: u16, is_brain: bool) {
        let mut buffer = [0; LANE_BUFFER];
        let len = match is_brain {
            true => write_lane(bf16::from_bits(lane), &mut buffer),
            false => write_lane(f16::from_bits(lane), &mut buffer),
        };
        let at = self.at % 256;
        self.room[at..at + LANE_BUFFER].copy_from_slice(&buffer);
        self.at = at + len;
    }

    fn immediate(&mut self, word: u128) {
        let (bits, is_brain) = ((word >> 32) as u32, word >> 94 & 1 == 1);
        self.put(&text::<16>(", "));
        self.lane((bits >> 16) as u16, is_brain);
        self.put(&text::<16>(", "));
        self.lane(bits as u16, is_brain);
    }

    /// Prints a source operand that is not a register, or a register in the lower field.
    #[inline(always)]
    fn lower(&mut self, word: u128, kind: Lower, half: u32) {
        match kind {
            Lower::Reg => self.reg(word, 32, 96, half),
            Lower::Uniform => {
                self.packed(word, 96, half, |out| out.put(&UNIFORM[(word >> 32) as usize & 63]))
            }
            Lower::Constant => self.packed(word, 96, half, |out| out.constant(word)),
            Lower::Immediate => self.immediate(word),
        }
    }

    /// Prints a letter and four digits of three bits each, unless they have the usual value.
    #[inline(always)]
    fn lanes4(&mut self, select: u16, usual: u16) {
        if select != usual {
            let s = u32::from(select);
            let digits = s >> 9 & 7 | (s >> 6 & 7) << 8 | (s >> 3 & 7) << 16 | (s & 7) << 24;
            let mut line = [0; 16];
            line[..2].copy_from_slice(b".b");
            line[2..6].copy_from_slice(&(digits | 0x3030_3030).to_le_bytes());
            line[15] = 6;
            self.put(&line);
        }
    }

    #[inline(always)]
    fn lanes2(&mut self, select: u16, usual: u16) {
        if select != usual {
            let mut line = [0; 16];
            line[..2].copy_from_slice(b".h");
            line[2] = b'0' + (select >> 2) as u8;
            line[3] = b'0' + (select & 3) as u8;
            line[15] = 4;
            self.put(&line);
        }
    }

    fn video(&mut self, word: u128) {
        let field = |position: u32| (word >> position) as usize;
        self.put(&LOWER_GUARD[field(12) & 15]);
        self.put(&VIDEO[field(0) & 15]);
        self.put(&TYPES[field(40) & 31]);
        let is_four = word >> 3 & 1 == 1;
        self.put(&LOWER[field(16) & 255]);
        match is_four {
            true => self.put(&MASKS4[field(45) & 15]),
            false => self.put(&MASKS2[field(45) & 3]),
        }
        self.put(&LOWER[field(24) & 255]);
        match is_four {
            true => self.lanes4(field(72) as u16 & 0xfff, 0b011_010_001_000),
            false => self.lanes2(field(72) as u16 & 15, 0b0100),
        }
        self.put(&text::<16>(", "));
        self.put(&LOWER[field(32) & 255]);
        match is_four {
            true => self.lanes4(field(84) as u16 & 0xfff, 0b111_110_101_100),
            false => self.lanes2(field(84) as u16 & 15, 0b1110),
        }
        self.put(&text::<16>(", "));
        self.put(&LOWER[field(64) & 255]);
    }
}

#[derive(Clone, Copy)]
enum Lower {
    Reg,
    Uniform,
    Constant,
    Immediate,
}

/// Prints a valid word and returns the length of the text.
pub(crate) fn print(word: u128, room: &mut [u8; ROOM]) -> usize {
    let mut out = Out { room, at: 0 };
    let field = |position: u32| (word >> position) as usize;
    let settings = field(76) & 15 | (field(94) & 1) << 4;
    let short = field(94) & 1 | (field(76) & 1) << 1;
    let is_video = word as u8 >= 0x80;
    if !is_video {
        out.put(&GUARD[field(12) & 15]);
    }
    match word as u8 {
        0x30 => out.put(&ADD[settings | (field(91) & 1) << 5]),
        0x31 => out.put(&FMA[settings | (field(92) & 1) << 5]),
        0x32 => out.put(&MUL[settings]),
        0x33 => {
            out.put(&SET[short]);
            out.put(&COMPARE[field(84) & 63]);
            out.put(&[text::<16>(""), text::<16>(".BF")][field(90) & 1]);
        }
        0x34 => {
            out.put(&SETP[short]);
            out.put(&COMPARE[field(84) & 63]);
        }
        0x40 => out.put(&EXTREME[short | (field(84) & 1) << 2]),
        _ => out.video(word),
    }
    if !is_video {
        match word as u8 {
            0x34 => {
                out.put(&text::<16>(" "));
                let (u, v) = (&PREDICATE[field(106) & 7], &PREDICATE[field(109) & 7]);
                // The first predicate has no comma before it.
                let mut first = [0; 16];
                first[..2].copy_from_slice(&u[2..4]);
                first[15] = 2;
                out.put(&first);
                out.put(v);
            }
            _ => {
                out.put(&text::<16>(" "));
                out.put(&REGS[field(16) & 255]);
            }
        }
        out.reg(word, 24, 72, 80);
        match field(8) & 15 {
            1 => out.lower(word, Lower::Reg, 82),
            3 => out.lower(word, Lower::Immediate, 82),
            5 => out.lower(word, Lower::Constant, 82),
            7 => out.lower(word, Lower::Uniform, 82),
            2 => {
                out.lower(word, Lower::Reg, 82);
                out.reg(word, 64, 74, 84);
            }
            8 => {
                out.immediate(word);
                out.reg(word, 64, 74, 84);
            }
            10 => {
                out.lower(word, Lower::Constant, 82);
                out.reg(word, 64, 74, 84);
            }
            12 => {
                out.lower(word, Lower::Uniform, 82);
                out.reg(word, 64, 74, 84);
            }
            kind => {
                out.reg(word, 64, 74, 82);
                let lower = match kind {
                    4 => Lower::Immediate,
                    6 => Lower::Constant,
                    _ => Lower::Uniform,
                };
                out.lower(word, lower, 84);
            }
        }
        match word as u8 {
            0x40 => out.put(&PREDICATE[field(98) & 15]),
            0x33 | 0x34 => out.put(&OPTIONAL[field(98) & 15]),
            _ => {}
        }
    }
    out.put(&WAIT[field(112) & 15]);
    out.put(&BARRIERS[field(116) & 63]);
    out.at
}
