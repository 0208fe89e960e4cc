//! The synthetic set as calls of `define_isa!`.

use std::fmt::Write;

/// The number of opcodes in a call.
pub(crate) const CALL: usize = 50;

/// Returns the modules of the crate with their names. Each contains one call with at most
/// `call_size` opcodes. A module follows the modules that it imports, and the root of the crate is
/// the last one.
pub(crate) fn sources(count: usize, call_size: usize) -> Vec<(String, String)> {
    let numbers: Vec<String> = (0..count.div_ceil(4)).map(|n| format!("N{n} = {n}")).collect();
    let mut sources = vec![("base".to_owned(), BASE.replace('#', &numbers.join(", ")))];
    let mut root =
        String::from("//! A made-up instruction set.\n#![allow(missing_docs)]\n\npub mod base;\n");
    let mut set =
        String::from("\nisa_core::define_isa! {\n    /// All calls.\n    pub isa All: u128;\n");
    for call in 0..count.div_ceil(call_size) {
        let _ = writeln!(root, "pub mod part{call};");
        let _ = writeln!(set, "    include crate::part{call}::Part{call};");
        let opcodes = call * call_size..count.min((call + 1) * call_size);
        sources.push((format!("part{call}"), part(call, opcodes)));
    }
    sources.push(("lib".to_owned(), format!("{root}{set}}}\n")));
    sources
}

/// Returns one call.
fn part(call: usize, opcodes: std::ops::Range<usize>) -> String {
    let mut text = format!(
        "isa_core::define_isa! {{\n    /// One call.\n    pub isa Part{call}: u128;\n    use crate::base::Base;\n"
    );
    let mut optype = usize::MAX;
    for opcode in opcodes {
        if opcode / 4 != optype {
            optype = opcode / 4;
            let _ = write!(text, "{}", OPTYPE.replace('#', &optype.to_string()));
        }
        let (form, group, slot) = FORMS[opcode % 4];
        let _ = write!(
            text,
            "
    opcode OP{optype}_{form} : [OP{optype}, {group}] {{
        encoding {{ field<12, 4> Form form == {form}; }}
        operands {{ InList<pg, ra, {slot}>; Order<pg, rd, ra, {slot}>; }}
    }}
"
        );
    }
    text + "}\n"
}

/// The forms of an optype: the name, the group of the source operand, and its field.
const FORMS: [(&str, &str, &str); 4] =
    [("RR", "B_REG", "rb"), ("RU", "B_UREG", "urb"), ("RI", "B_IMM", "ib"), ("RC", "B_CMEM", "cb")];

const OPTYPE: &str = "
    /// Adds, or something like it.
    optype OP# : [ARITH] {
        encoding { field<0, 12> Number number == N#; }
        syntax {
            OP#{.fmt}{.FTZ}{.SAT}{.rnd} Rd, {-}{|}Ra{.hsel}{|}, {-}{|}SrcB{.hsel}{|} $wait;
        }
    }
";

/// The shared part of all calls, except the numbers of the optypes.
const BASE: &str = "isa_core::define_isa! {
    /// Declarations that all calls share.
    pub isa Base: u128;
    operand Reg: 8 = isa_core::operand::Reg;
    operand UReg: 6 = isa_defs::base::UReg;
    operand Pred: 3 = isa_core::operand::Pred;
    operand CMem: 22 = isa_defs::base::CMem, reserved(\"1x\", \"x1\");
    operand Imm: 32 = isa_defs::base::F16ImmX2;
    affix \"-\" = neg;
    affix \"!\" = not;
    affix \"|\" \"|\" = abs;
    enum Number: 12 { # }
    enum Form: 4 { RR = 1, RI = 3, RC = 5, RU = 7, SPARE = 9 }
    enum Not: 1 { False = 0, True = 1 }
    enum Sign: 1 { False = 0, True = 1 }
    enum Half: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }
    enum Ftz: 1 { NoFTZ = 0, FTZ = 1 }
    enum Sat: 1 { NoSAT = 0, SAT = 1 }
    enum Round: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    enum Fmt: 1 { F16 = 0, BF16 = 1 }
    enum Wait: 2 { W0 = 0, W1 = 1, W2 = 2, W3 = 3 }
    group GUARDED {
        encoding {
            field<16, 3> Pred pg = PT;
            field<19, 1> Not pg.not = False;
            field<112, 2> Wait wait = W0;
        }
        syntax { {@{!}pg} .. }
    }
    group ARITH : [GUARDED] {
        encoding {
            field<20, 8> Reg rd;
            field<28, 8> Reg ra;
            field<36, 1> Sign ra.neg = False;
            field<37, 1> Sign ra.abs = False;
            field<38, 2> Half ra.hsel = H1_H0;
            field<40, 1> Fmt fmt = F16;
            field<41, 1> Ftz ftz = NoFTZ;
            field<42, 1> Sat sat = NoSAT;
            field<43, 2> Round rnd = RN;
        }
        operands { OutList<rd>; }
        exception {
            EncodingError<IllegalBitFieldCombination, \".BF16 excludes .FTZ and .SAT\">
                = fmt == BF16 and (ftz == FTZ or sat == SAT);
        }
    }
    group B_REG {
        encoding {
            field<64, 8> Reg rb;
            field<96, 1> Sign rb.neg = False;
            field<97, 1> Sign rb.abs = False;
            field<98, 2> Half rb.hsel = H1_H0;
        }
    }
    group B_UREG {
        encoding {
            field<64, 6> UReg urb;
            field<96, 1> Sign urb.neg = False;
            field<97, 1> Sign urb.abs = False;
            field<98, 2> Half urb.hsel = H1_H0;
        }
    }
    group B_IMM { encoding { field<64, 32> Imm ib; } }
    group B_CMEM {
        encoding {
            field<64, 22> CMem cb;
            field<96, 1> Sign cb.neg = False;
            field<97, 1> Sign cb.abs = False;
            field<98, 2> Half cb.hsel = H1_H0;
        }
    }
}
";
