//! A small instruction set with tables written by hand: packed addition with a register, an
//! immediate or constant memory, a compare with mandatory modifiers and an optional predicate,
//! and one with three modifiers of one set.

#![allow(dead_code, reason = "each test file uses a part of it")]

use isa_core::operand::{CMem, CvtFImm, F16ImmX2, Pred, Reg, format_of, kind_of, text_of};
use isa_core::table::*;

/// A static field.
macro_rules! field {
    ($id:ident $name:literal, [$($at:literal : $width:literal),+], $kind:expr, $init:expr) => {
        pub(crate) static $id: Field = Field {
            name: $name,
            doc: "",
            declared_in: "toy",
            pieces: &[$(Piece { position: $at, width: $width }),+],
            kind: $kind,
            init: $init,
        };
    };
}

/// A static set of named values.
macro_rules! values {
    ($id:ident $name:literal $width:literal { $($value:literal $raw:literal),+ } $reserved:expr) => {
        pub(crate) static $id: Kind = Kind {
            name: $name,
            doc: "",
            width: $width,
            values: &[$(Value { name: $value, also: &[], raw: $raw, doc: "" }),+],
            reserved: $reserved,
            text: None,
        };
    };
}

pub(crate) mod small;

const fn cube(mask: u128, value: u128) -> Cube {
    Cube { mask, value }
}

static REG_TEXT: Text = text_of::<Reg>();
pub(crate) static REG: Kind = kind_of::<Reg>("Reg", "", &REG_TEXT);
static PRED_TEXT: Text = text_of::<Pred>();
static PRED: Kind = kind_of::<Pred>("Pred", "", &PRED_TEXT);
static CMEM_TEXT: Text = text_of::<CMem>();
static CMEM: Kind = kind_of::<CMem>("CMem", "", &CMEM_TEXT);
static IMM_TEXT: Text = text_of::<F16ImmX2>();
static IMM: Kind = kind_of::<F16ImmX2>("F16ImmX2", "", &IMM_TEXT);
static IMM_FORMAT: Text = format_of::<CvtFImm>();

values!(OP "Optype" 8 { "HADD2" 0x30, "HSETP2" 0x34, "V" 0x50 } &[]);
values!(STYPE "SType" 4 { "RR" 1, "RI" 3, "RC" 5 } &[]);
values!(BIT "Flag" 1 { "False" 0, "True" 1 } &[]);
values!(FMT "HFmtV2" 1 { "F16_V2" 0, "BF16_V2" 1 } &[]);
values!(FTZ "FPFtz" 1 { "NoFTZ" 0, "FTZ" 1 } &[]);
values!(RND "FPRound" 2 { "RN" 0, "RM" 1, "RP" 2, "RZ" 3 } &[]);
values!(HSEL "HSel2" 2 { "H1_H0" 0, "H0_H0" 2, "H1_H1" 3 } &[cube(3, 1)]);
values!(CMP "FCMPOp" 2 { "LT" 1, "EQ" 2, "LE" 3 } &[cube(3, 0)]);
values!(VTYPE "VType" 1 { "u32" 0, "s32" 1 } &[]);

field!(OP_HADD2 "optype", [0:8], &OP, Init::Fixed(0x30));
field!(OP_HSETP2 "optype", [0:8], &OP, Init::Fixed(0x34));
field!(OP_V "optype", [0:8], &OP, Init::Fixed(0x50));
field!(RR "stype", [8:4], &STYPE, Init::Fixed(1));
field!(RI "stype", [8:4], &STYPE, Init::Fixed(3));
field!(RC "stype", [8:4], &STYPE, Init::Fixed(5));
field!(PG "pg", [12:3], &PRED, Init::Default(7));
field!(PG_NOT "pg.not", [15:1], &BIT, Init::Default(0));
field!(RD "rd", [16:8], &REG, Init::Required);
field!(RA "ra", [24:8], &REG, Init::Required);
field!(RA_NEG "ra.neg", [72:1], &BIT, Init::Default(0));
field!(RA_ABS "ra.abs", [73:1], &BIT, Init::Default(0));
field!(RA_HSEL "ra.hsel2", [80:2], &HSEL, Init::Default(0));
field!(F_FTZ "ftz", [76:1], &FTZ, Init::Default(0));
field!(F_RND "rnd", [78:2], &RND, Init::Default(0));
field!(F_FMT "hfmt_v2", [94:1], &FMT, Init::Default(0));
field!(RB "rb", [32:8], &REG, Init::Required);
field!(VB_IMM "vb", [32:32], &IMM, Init::Required);
field!(VB_MEM "vb", [32:22], &CMEM, Init::Required);
field!(B_NEG "rb.neg", [96:1], &BIT, Init::Default(0));
field!(B_ABS "rb.abs", [97:1], &BIT, Init::Default(0));
field!(B_HSEL "rb.hsel2", [82:2], &HSEL, Init::Default(0));
field!(F_CMP "cmp", [86:2], &CMP, Init::Required);
field!(PU "pu", [106:3], &PRED, Init::Required);
field!(PP "pp", [98:3], &PRED, Init::Default(7));
field!(PP_NOT "pp.not", [101:1], &BIT, Init::Default(0));
field!(DTYPE "dtype", [40:1], &VTYPE, Init::Required);
field!(ATYPE "atype", [41:1], &VTYPE, Init::Required);
field!(BTYPE "btype", [42:1], &VTYPE, Init::Required);
field!(SCHED "sched", [112:4], &WAIT, Init::Default(0));
field!(REQ "req", [116:2], &REQS, Init::Default(0));

/// `?WAIT4`, written as a kind of its own.
static WAIT_TEXT: Text = Text {
    expects: "a wait count (`?WAIT1` to `?WAIT15`)",
    max_len: 7,
    forms: &["?WAIT*"],
    read: |cursor, _| {
        cursor.eat(b'?');
        let start = cursor.position();
        let number = cursor.word().get(4..).and_then(|digits| digits.parse().ok());
        let number = number.filter(|number| *number < 16);
        number.ok_or_else(|| cursor.fault(start, "wait counts are `?WAIT0` to `?WAIT15`"))
    },
    ready: &[],
    target: None,
    numbered: None,
    write: |raw, _, line| {
        line.push_str("?WAIT");
        line.push_decimal(raw);
    },
};
static WAIT: Kind =
    Kind { name: "Wait", doc: "", width: 4, values: &[], reserved: &[], text: Some(&WAIT_TEXT) };
static REQS_TEXT: Text = Text {
    expects: "barriers (`&req=1`)",
    max_len: 6,
    forms: &["&*"],
    read: |cursor, _| {
        let start = cursor.position();
        let marked = cursor.eat(b'&') && cursor.word() == "req" && cursor.eat(b'=');
        let number = cursor.number().unwrap_or(4);
        match (marked, u64::try_from(number)) {
            (true, Ok(number @ ..4)) => Ok(number),
            _ => Err(cursor.fault(start, "barriers are written `&req=1`")),
        }
    },
    ready: &[],
    target: None,
    numbered: None,
    write: |raw, _, line| {
        line.push_str("&req=");
        line.push_decimal(raw);
    },
};
static REQS: Kind = Kind {
    name: "Barriers",
    doc: "",
    width: 2,
    values: &[],
    reserved: &[],
    text: Some(&REQS_TEXT),
};

const NEG: Affix = Affix { symbol: 3, present: 1, open: "-", close: "" };
const BARS: Affix = Affix { symbol: 4, present: 1, open: "|", close: "|" };
const GUARD: Item = Item::Optional(&[
    Item::Text("@"),
    Item::Slot(Slot {
        symbol: 0,
        affixes: &[Affix { symbol: 1, present: 1, open: "!", close: "" }],
        suffixes: &[],
    }),
    Item::Text(" "),
]);
const RA_SLOT: Item = Item::Slot(Slot { symbol: 2, affixes: &[NEG, BARS], suffixes: &[5] });
const B_SLOT: Item = Item::Slot(Slot {
    symbol: 6,
    affixes: &[
        Affix { symbol: 7, present: 1, open: "-", close: "" },
        Affix { symbol: 8, present: 1, open: "|", close: "|" },
    ],
    suffixes: &[9],
});

static HADD2: Syntax = Syntax {
    mnemonic: "HADD2",
    symbols: &[
        "pg",
        "pg.not",
        "Ra",
        "Ra.neg",
        "Ra.abs",
        "Ra.hsel2",
        "SrcB",
        "SrcB.neg",
        "SrcB.abs",
        "SrcB.hsel2",
        "hfmt_v2",
        "ftz",
        "rnd",
        "Rd",
        "sched",
        "req",
    ],
    before: &[GUARD],
    modifiers: &[
        Modifier { symbol: 10, optional: true, only: None },
        Modifier { symbol: 11, optional: true, only: Some(1) },
        Modifier { symbol: 12, optional: true, only: None },
    ],
    after: &[
        Item::Text(" "),
        Item::Slot(Slot { symbol: 13, affixes: &[], suffixes: &[] }),
        Item::Text(", "),
        RA_SLOT,
        Item::Text(", "),
        B_SLOT,
        Item::Tags(&[14, 15]),
        Item::Text(";"),
    ],
    source: "HADD2{.hfmt_v2}{.FTZ}{.rnd} Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|} $sched $req;",
    reader: &[],
    heirs: 0,
};

static NO_BF16_FTZ: Exception = Exception {
    class: "IllegalBitFieldCombination",
    reason: "BF16_V2 does not support .FTZ",
    condition: "hfmt_v2 == BF16_V2 and ftz == FTZ",
    declared_in: "H_ARITH",
    cubes: &[cube(1 << 94 | 1 << 76, 1 << 94 | 1 << 76)],
};

const RA_RESERVED: Cube = cube(3 << 80, 1 << 80);
const B_RESERVED: Cube = cube(3 << 82, 1 << 82);
const BROKEN: Cube = NO_BF16_FTZ.cubes[0];
const GUARD_BITS: u128 = 0xf << 12;
const BASE: u128 = 0xfff
    | GUARD_BITS
    | 0xffff << 16
    | 3 << 72
    | 3 << 80
    | 1 << 76
    | 3 << 78
    | 1 << 94
    | 0x3f << 112;

pub(crate) static HADD2_RR: Opcode = Opcode {
    name: "HADD2_RR",
    doc: "",
    bits: 128,
    fixed: cube(0xfff, 0x130),
    unused: !(BASE | 0xff << 32 | 3 << 96 | 3 << 82),
    screen: Screen::of(
        128,
        cube(0xfff, 0x130),
        !(BASE | 0xff << 32 | 3 << 96 | 3 << 82),
        &[RA_RESERVED, B_RESERVED, BROKEN],
    ),
    fields: &[
        &OP_HADD2, &RR, &PG, &PG_NOT, &RD, &RA, &RA_NEG, &RA_ABS, &RA_HSEL, &F_FTZ, &F_RND, &F_FMT,
        &RB, &B_NEG, &B_ABS, &B_HSEL, &SCHED, &REQ,
    ],
    exceptions: &[&NO_BF16_FTZ],
    syntax: &HADD2,
    bind: &[2, 3, 5, 6, 7, 8, 12, 13, 14, 15, 11, 9, 10, 4, 16, 17],
    operands: &[
        Operand { field: 2, access: Access::Read, bits: 0 },
        Operand { field: 4, access: Access::Write, bits: 32 },
        Operand { field: 5, access: Access::Read, bits: 32 },
        Operand { field: 12, access: Access::Read, bits: 32 },
    ],
    formats: &[],
    examples: &[],
    lineage: Lineage::NONE,
    program: Program::NONE,
    aliases: &[],
    after: &[],
    views: &[],
    start: 0,
};

pub(crate) static HADD2_RI: Opcode = Opcode {
    name: "HADD2_RI",
    doc: "",
    bits: 128,
    fixed: cube(0xfff, 0x330),
    unused: !(BASE | 0xffff_ffff << 32),
    screen: Screen::of(
        128,
        cube(0xfff, 0x330),
        !(BASE | 0xffff_ffff << 32),
        &[RA_RESERVED, BROKEN],
    ),
    fields: &[
        &OP_HADD2, &RI, &PG, &PG_NOT, &RD, &RA, &RA_NEG, &RA_ABS, &RA_HSEL, &F_FTZ, &F_RND, &F_FMT,
        &VB_IMM, &SCHED, &REQ,
    ],
    exceptions: &[&NO_BF16_FTZ],
    syntax: &HADD2,
    bind: &[2, 3, 5, 6, 7, 8, 12, ABSENT, ABSENT, ABSENT, 11, 9, 10, 4, 13, 14],
    operands: &[],
    formats: &[Format { field: 12, name: "Imm", text: &IMM_FORMAT, args: &[11] }],
    examples: &[],
    lineage: Lineage::NONE,
    program: Program::NONE,
    aliases: &[],
    after: &[],
    views: &[],
    start: 0,
};

pub(crate) static HADD2_RC: Opcode = Opcode {
    name: "HADD2_RC",
    doc: "",
    bits: 128,
    fixed: cube(0xfff, 0x530),
    unused: !(BASE | 0x3f_ffff << 32 | 3 << 96 | 3 << 82),
    screen: Screen::of(
        128,
        cube(0xfff, 0x530),
        !(BASE | 0x3f_ffff << 32 | 3 << 96 | 3 << 82),
        &[RA_RESERVED, B_RESERVED, BROKEN, cube(1 << 32, 1 << 32), cube(2 << 32, 2 << 32)],
    ),
    fields: &[
        &OP_HADD2, &RC, &PG, &PG_NOT, &RD, &RA, &RA_NEG, &RA_ABS, &RA_HSEL, &F_FTZ, &F_RND, &F_FMT,
        &VB_MEM, &B_NEG, &B_ABS, &B_HSEL, &SCHED, &REQ,
    ],
    exceptions: &[&NO_BF16_FTZ],
    syntax: &HADD2,
    bind: &[2, 3, 5, 6, 7, 8, 12, 13, 14, 15, 11, 9, 10, 4, 16, 17],
    operands: &[],
    formats: &[],
    examples: &[],
    lineage: Lineage::NONE,
    program: Program::NONE,
    aliases: &[],
    after: &[],
    views: &[],
    start: 0,
};

static HSETP2: Syntax = Syntax {
    mnemonic: "HSETP2",
    symbols: &["pg", "pg.not", "Ra", "Ra.neg", "Ra.abs", "Ra.hsel2", "pu", "cmp", "pp", "pp.not"],
    before: &[GUARD],
    modifiers: &[Modifier { symbol: 7, optional: false, only: None }],
    after: &[
        Item::Text(" "),
        Item::Slot(Slot { symbol: 6, affixes: &[], suffixes: &[] }),
        Item::Text(", "),
        RA_SLOT,
        Item::Optional(&[
            Item::Text(", "),
            Item::Slot(Slot {
                symbol: 8,
                affixes: &[Affix { symbol: 9, present: 1, open: "!", close: "" }],
                suffixes: &[],
            }),
        ]),
        Item::Text(";"),
    ],
    source: "HSETP2.cmp pu, {-}{|}Ra{.hsel2}{|}{, {!}pp};",
    reader: &[],
    heirs: 0,
};

pub(crate) static HSETP2_R: Opcode = Opcode {
    name: "HSETP2_R",
    doc: "",
    bits: 128,
    fixed: cube(0xff, 0x34),
    unused: !(0xff | GUARD_BITS | 0xff << 24 | 3 << 72 | 3 << 80 | 3 << 86 | 7 << 106 | 0xf << 98),
    screen: Screen::of(
        128,
        cube(0xff, 0x34),
        !(0xff | GUARD_BITS | 0xff << 24 | 3 << 72 | 3 << 80 | 3 << 86 | 7 << 106 | 0xf << 98),
        &[RA_RESERVED, cube(3 << 86, 0)],
    ),
    fields: &[&OP_HSETP2, &PG, &PG_NOT, &RA, &RA_NEG, &RA_ABS, &RA_HSEL, &PU, &F_CMP, &PP, &PP_NOT],
    exceptions: &[],
    syntax: &HSETP2,
    bind: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    operands: &[],
    formats: &[],
    examples: &[],
    lineage: Lineage::NONE,
    program: Program::NONE,
    aliases: &[],
    after: &[],
    views: &[],
    start: 0,
};

static V: Syntax = Syntax {
    mnemonic: "vadd",
    symbols: &["dtype", "atype", "btype", "ftz", "d"],
    before: &[],
    modifiers: &[
        Modifier { symbol: 0, optional: false, only: None },
        Modifier { symbol: 1, optional: false, only: None },
        Modifier { symbol: 2, optional: false, only: None },
        Modifier { symbol: 3, optional: true, only: Some(1) },
    ],
    after: &[
        Item::Text(" "),
        Item::Slot(Slot { symbol: 4, affixes: &[], suffixes: &[] }),
        Item::Text(";"),
    ],
    source: "vadd.dtype.atype.btype{.FTZ} d;",
    reader: &[],
    heirs: 0,
};

pub(crate) static V_R: Opcode = Opcode {
    name: "VADD",
    doc: "",
    bits: 128,
    fixed: cube(0xff, 0x50),
    unused: !(0xff | 0xff << 16 | 7 << 40 | 1 << 76),
    screen: Screen::of(128, cube(0xff, 0x50), !(0xff | 0xff << 16 | 7 << 40 | 1 << 76), &[]),
    fields: &[&OP_V, &RD, &DTYPE, &ATYPE, &BTYPE, &F_FTZ],
    exceptions: &[],
    syntax: &V,
    bind: &[2, 3, 4, 5, 1],
    operands: &[],
    formats: &[],
    examples: &[],
    lineage: Lineage::NONE,
    program: Program::NONE,
    aliases: &[],
    after: &[],
    views: &[],
    start: 0,
};

/// Entries for 256 values of the low byte, or for 16 of the next four bits.
const fn entries() -> [u16; 256 + 16] {
    let mut entries = [0; 256 + 16];
    entries[0x30] = DecodeTree::INNER + 1;
    entries[0x34] = 4;
    entries[0x50] = 5;
    entries[256 + 1] = 1;
    entries[256 + 3] = 2;
    entries[256 + 5] = 3;
    entries
}
static ENTRIES: [u16; 256 + 16] = entries();

pub(crate) static TOY: InstructionSet = InstructionSet {
    name: "Toy",
    doc: "",
    bits: 128,
    widths: &[Width { bits: 128, common: cube(0, 0) }],
    opcodes: &[&HADD2_RR, &HADD2_RI, &HADD2_RC, &HSETP2_R, &V_R],
    spellings: &[&HADD2_RR, &HADD2_RI, &HADD2_RC, &HSETP2_R, &V_R],
    aliased: &[],
    tree: DecodeTree {
        root: Root::NONE,
        nodes: &[
            Node { position: 0, width: 8, base: 0 },
            Node { position: 8, width: 4, base: 256 },
        ],
        entries: &ENTRIES,
        general: &[],
    },
    finder: Finder::NONE,
    mnemonics: &[
        Mnemonic { text: "HADD2", opcodes: &[0, 1, 2] },
        Mnemonic { text: "HSETP2", opcodes: &[3] },
        Mnemonic { text: "vadd", opcodes: &[4] },
    ],
};

/// The text of a word: its instruction, or the bits as they are.
pub(crate) fn text(set: &InstructionSet, word: u128) -> String {
    let mut line = isa_core::asm::Line::new();
    match set.decode(word) {
        Ok(opcode) => opcode.print(word, &mut line),
        Err(_) => isa_core::asm::print_word(word, set.bits, &mut line),
    }
    line.to_string()
}

/// The error of a text, as one line.
pub(crate) fn error(set: &InstructionSet, text: &str) -> String {
    match set.parse(text) {
        Ok(parsed) => panic!("`{text}` assembles to {parsed:?}"),
        Err(error) => error.to_string(),
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u128 {
        u128::from(self.half()) << 64 | u128::from(self.half())
    }

    pub(crate) fn half(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
