//! The synthetic set in the language of chipi 1.0, as far as that language supports it.
//!
//! Words have only 64 bits there, so immediates and addresses of constants are narrower. A name
//! that applies to one number of many must be written for each number. All other features have
//! equivalents: fields and their texts, modifiers that are not printed if they have the default
//! value, the excluded combination, and unused bits that must be zero.

use std::fmt::Write;

/// The dependencies of the crate, and the feature that the generated code needs to print.
pub(crate) const DEPENDENCIES: &str = "\
chipi-macros = \"=1.0.1\"

[features]
default = [\"disasm\"]
disasm = []
";

/// The path of the description in the crate.
pub(crate) const FILE: &str = "set.chipi";

/// Returns the modules of the crate, with options for the macro.
pub(crate) fn sources(options: &str) -> Vec<(String, String)> {
    let text =
        format!("//! A made-up instruction set.\n\nchipi_macros::isa!(\"{FILE}\"{options});\n");
    vec![("lib".to_owned(), text)]
}

/// Returns the description.
pub(crate) fn description(count: usize) -> String {
    let mut text = HEAD.to_owned();
    for opcode in 0..count {
        let (optype, (name, form, fields, source)) = (opcode / 4, FORMS[opcode % 4]);
        let _ = write!(
            text,
            "
op{optype}_{name} number={optype} form={form} uses arith {fields}
    when legal(fmt, ftz, sat)
    | \"{{pg != 7 || pg_not?@{{pg_not?!}}{{pg}} }}OP{optype}{{fmt}}{{ftz?.FTZ}}{{sat?.SAT}}{{rnd}} \
             {{rd}}, {{ra_neg?-}}{{ra_abs?|}}{{ra}}{{ra_hsel}}{{ra_abs?|}}, {source}{{wait}};\"
"
        );
    }
    text
}

/// The forms of an optype: the name, the number, the fields of the source operand, and its text.
const FORMS: [(&str, u32, &str, &str); 4] = [
    (
        "rr",
        1,
        "rb:reg[54:47] rb_neg:bool[55] rb_abs:bool[56] rb_hsel:half[58:57] [63:59]=0",
        "{rb_neg?-}{rb_abs?|}{rb}{rb_hsel}{rb_abs?|}",
    ),
    (
        "ru",
        7,
        "urb:ureg[52:47] urb_neg:bool[53] urb_abs:bool[54] urb_hsel:half[56:55] [63:57]=0",
        "{urb_neg?-}{urb_abs?|}{urb}{urb_hsel}{urb_abs?|}",
    ),
    ("ri", 3, "ib:imm[62:47] [63]=0", "{ib}"),
    (
        "rc",
        5,
        "cb:cmem[59:47] cb_neg:bool[60] cb_abs:bool[61] cb_hsel:half[63:62]",
        "{cb_neg?-}{cb_abs?|}{cb}{cb_hsel}{cb_abs?|}",
    ),
];

/// The shared part of all opcodes.
const HEAD: &str = "\
decoder Synthetic {
    width = 64
    bit_order = lsb0
    endian = little
}

selector number [11:0]
selector form [15:12]

operand reg = u8 { display(\"R{}\") }
operand ureg = u6 { display(\"UR{}\") }
operand pred = u3 {
    display(names {
        0 => \"P0\", 1 => \"P1\", 2 => \"P2\", 3 => \"P3\", 4 => \"P4\", 5 => \"P5\", 6 => \"P6\", _ => \"PT\"
    })
}
operand cmem = u13 { display(\"c[{}]\") }
type imm = u16 { display(hex) }
type half = u2 { display(names { 0 => \"\", 2 => \".H0_H0\", 3 => \".H1_H1\", _ => \".H?\" }) }
type format = u1 { display(names { 1 => \".BF16\", _ => \"\" }) }
type round = u2 { display(names { 1 => \".RM\", 2 => \".RP\", 3 => \".RZ\", _ => \"\" }) }
type waits = u2 { display(names { 1 => \" W1\", 2 => \" W2\", 3 => \" W3\", _ => \"\" }) }

fn legal(fmt: u1, ftz: bool, sat: bool) -> bool {
    return fmt == 0 || (ftz == 0 && sat == 0)
}

form arith {
    pg: pred [18:16]
    pg_not: bool [19]
    rd: reg [27:20]
    ra: reg [35:28]
    ra_neg: bool [36]
    ra_abs: bool [37]
    ra_hsel: half [39:38]
    fmt: format [40]
    ftz: bool [41]
    sat: bool [42]
    rnd: round [44:43]
    wait: waits [46:45]
}
";
