//! A second set, of 16-bit words: a field in two pieces, a mnemonic with a dot, and a general
//! form with a more specific one inside.

use super::*;

values!(OP4 "Op" 4 { "LI" 1, "FENCE" 2, "FENCE_I" 3, "MV" 4 } &[]);
static IMM6_TEXT: Text = Text {
    expects: "a number (`0` to `63`)",
    max_len: 2,
    forms: &["0*"],
    read: |cursor, _| {
        let start = cursor.position();
        match cursor.number()? {
            number @ ..64 => Ok(number as u64),
            _ => Err(cursor.fault(start, "the number is above 63")),
        }
    },
    write: |raw, _, line| line.push_decimal(raw),
    ready: &[],
    target: None,
    numbered: None,
};
static IMM6: Kind =
    Kind { name: "Imm6", doc: "", width: 6, values: &[], reserved: &[], text: Some(&IMM6_TEXT) };

field!(OP_LI "op", [0:4], &OP4, Init::Fixed(1));
field!(OP_FENCE "op", [0:4], &OP4, Init::Fixed(2));
field!(OP_FENCE_I "op", [0:4], &OP4, Init::Fixed(3));
field!(IMM_SPLIT "imm", [15:1, 4:5], &IMM6, Init::Required);
field!(IMM_ZERO "imm", [15:1, 4:5], &IMM6, Init::Fixed(0));

static LI: Syntax = Syntax {
    mnemonic: "li",
    symbols: &["imm"],
    before: &[],
    modifiers: &[],
    after: &[
        Item::Text(" "),
        Item::Slot(Slot { symbol: 0, affixes: &[], suffixes: &[] }),
        Item::Text(";"),
    ],
    source: "li imm;",
    reader: &[],
    heirs: 0,
};
static CLEAR: Syntax = Syntax {
    mnemonic: "clear",
    symbols: &[],
    before: &[],
    modifiers: &[],
    after: &[Item::Text(";")],
    source: "clear;",
    reader: &[],
    heirs: 0,
};
static FENCE: Syntax = Syntax { mnemonic: "fence", source: "fence;", ..CLEAR_COPY };
static FENCE_I: Syntax = Syntax { mnemonic: "fence.i", source: "fence.i;", ..CLEAR_COPY };
const CLEAR_COPY: Syntax = Syntax {
    mnemonic: "",
    symbols: &[],
    before: &[],
    modifiers: &[],
    after: &[Item::Text(";")],
    source: "",
    reader: &[],
    heirs: 0,
};

const fn opcode(
    name: &'static str,
    fixed: Cube,
    unused: u128,
    syntax: &'static Syntax,
    fields: &'static [&'static Field],
    bind: &'static [u8],
) -> Opcode {
    Opcode {
        name,
        doc: "",
        bits: 16,
        fixed,
        unused,
        screen: Screen::of(16, fixed, unused, &[]),
        fields,
        exceptions: &[],
        syntax,
        bind,
        operands: &[],
        formats: &[],
        examples: &[],
        lineage: Lineage::NONE,
        program: Program::NONE,
        aliases: &[],
        after: &[],
        views: &[],
        start: 0,
    }
}

const LI_BITS: u128 = 0x800f | 0x1f << 4;
static LI_I: Opcode =
    opcode("LI", cube(0xf, 1), 0xffff & !LI_BITS, &LI, &[&OP_LI, &IMM_SPLIT], &[1]);
/// Inside `li`: the form with the immediate 0, which has a name of its own.
static CLEAR_: Opcode =
    opcode("CLEAR", cube(LI_BITS, 1), 0xffff & !LI_BITS, &CLEAR, &[&OP_LI, &IMM_ZERO], &[]);
static FENCE_: Opcode = opcode("FENCE", cube(0xf, 2), 0xfff0, &FENCE, &[&OP_FENCE], &[]);
static FENCE_I_: Opcode = opcode("FENCE_I", cube(0xf, 3), 0xfff0, &FENCE_I, &[&OP_FENCE_I], &[]);

pub(crate) static SMALL: InstructionSet = InstructionSet {
    name: "Small",
    doc: "",
    bits: 16,
    widths: &[Width { bits: 16, common: cube(0, 0) }],
    opcodes: &[&LI_I, &CLEAR_, &FENCE_, &FENCE_I_],
    spellings: &[&LI_I, &CLEAR_, &FENCE_, &FENCE_I_],
    aliased: &[],
    tree: DecodeTree {
        root: Root::NONE,
        nodes: &[Node { position: 0, width: 4, base: 0 }],
        entries: &[0, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        general: &[0, 1, 0, 0],
    },
    finder: Finder::NONE,
    mnemonics: &[
        Mnemonic { text: "clear", opcodes: &[1] },
        Mnemonic { text: "fence", opcodes: &[2] },
        Mnemonic { text: "fence.i", opcodes: &[3] },
        Mnemonic { text: "li", opcodes: &[0] },
    ],
};
