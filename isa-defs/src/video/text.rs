//! Registers and predicates as PTX writes them, in lower case.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::operand::{AsmFormat, Numbered};
use isa_core::table::ShortText;

/// `r0` to `r254`, and `rz`.
#[derive(Debug, Clone, Copy)]
pub struct LowerReg;

/// `p0` to `p6`, and `pt`.
#[derive(Debug, Clone, Copy)]
pub struct LowerPred;

const REGS: Numbered = Numbered {
    prefix: "r",
    count: 255,
    last: "rz",
    unknown: "no such register: registers are `r0` to `r254` and `rz`",
    letter_case: "registers are written in lower case in video instructions",
};

const PREDS: Numbered = Numbered {
    prefix: "p",
    count: 7,
    last: "pt",
    unknown: "no such predicate: predicates are `p0` to `p6` and `pt`",
    letter_case: "predicates are written in lower case in video instructions",
};

static REGS_READY: [ShortText; 256] = REGS.ready();
static PREDS_READY: [ShortText; 8] = PREDS.ready();

impl AsmFormat for LowerReg {
    const EXPECTS: &'static str = "a general register (`r0` to `r254`, or `rz`)";
    const MAX_LEN: usize = 4;
    const FORMS: &'static [&'static str] = &["r0", "rz"];
    const READY: &'static [ShortText] = &REGS_READY;
    const NUMBERED: Option<&'static Numbered> = Some(&REGS);

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        REGS.read(cursor).map(u64::from)
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        REGS.write(raw as u8, line);
    }
}

impl AsmFormat for LowerPred {
    const EXPECTS: &'static str = "a predicate (`p0` to `p6`, or `pt`)";
    const MAX_LEN: usize = 2;
    const FORMS: &'static [&'static str] = &["p0", "pt"];
    const READY: &'static [ShortText] = &PREDS_READY;
    const NUMBERED: Option<&'static Numbered> = Some(&PREDS);

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        PREDS.read(cursor).map(u64::from)
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        PREDS.write(raw as u8, line);
    }
}
