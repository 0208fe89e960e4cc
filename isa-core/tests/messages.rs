//! Tests the error messages for invalid text.

mod toy;

use toy::{TOY, error};

const SYNTAX: &str = "the syntax is \
    `{@{!}pg} HADD2{.hfmt_v2}{.FTZ}{.rnd} Rd, {-}{|}Ra{.hsel2}{|}, {-}{|}SrcB{.hsel2}{|} $sched $req;`";

const SRC_B: &str = "`SrcB` is a general register (`R0` to `R254`, or `RZ`), two immediate \
    lanes from high to low (`1, -0.5`) or constant memory (`c[0x0][0x160]`, 4-byte aligned)";

#[track_caller]
fn check(text: &str, message: &str) {
    assert_eq!(error(TOY, text), message, "{text}");
}

/// Returns the part of a text at which the error is reported.
fn offending(text: &str) -> &str {
    let error = TOY.parse(text).unwrap_err();
    &text[error.span]
}

#[test]
fn mnemonics() {
    check("HAD2 R0, R1, R2;", "unknown mnemonic `HAD2`; did you mean `HADD2`?");
    check("hadd2 R0, R1, R2;", "unknown mnemonic `hadd2`; did you mean `HADD2`?");
    check("MOV R0;", "unknown mnemonic `MOV`; expected `HADD2`, `HSETP2` or `vadd`");
    check("", "expected an instruction, found the end of the text");
    check("\u{e9}", "expected an instruction, found `\u{e9}`");
    check(".wrod 1;", "unknown directive `.wrod`; the only directive is `.word`");
}

#[test]
fn modifiers() {
    check(
        "HADD2.FTS R0, R1, R2;",
        "`HADD2` has no modifier `.FTS`; did you mean `.FTZ`? \
         expected `.F16_V2`, `.BF16_V2`, `.FTZ`, `.RN`, `.RM`, `.RP` or `.RZ`",
    );
    check("HADD2.FTZ.FTZ R0, R1, R2;", "`.FTZ` sets `ftz` a second time");
    check("HADD2.RN.RM R0, R1, R2;", "`.RM` sets `rnd` a second time");
    check("vadd.u32.u32.u32.s32 R0;", "`.s32` sets `btype` a second time");
    check("vadd.u32.u32 R0;", "`vadd` needs a modifier for `btype`; write `.u32` or `.s32`");
    check("HSETP2 P0, R1;", "`HSETP2` needs a modifier for `cmp`; write `.LT`, `.EQ` or `.LE`");
    check(
        "HADD2 R0, R1, R2.H2_H0;",
        "`SrcB` has no modifier `.H2_H0`; did you mean `.H1_H0`? \
         expected `.H1_H0`, `.H0_H0` or `.H1_H1`",
    );
    check("HADD2 R0, R1, -|R2.H0_H0|.H0_H0;", "`.H0_H0` sets `rb.hsel2` a second time");
    check(
        "HADD2.NoFTZ R0, R1, R2;",
        "`HADD2` has no modifier `.NoFTZ`; \
         expected `.F16_V2`, `.BF16_V2`, `.FTZ`, `.RN`, `.RM`, `.RP` or `.RZ`",
    );
    check("HADD2 R0.FTZ, R1, R2;", "`Rd` has no modifier `.FTZ`; remove the modifier");
    check("HADD2 R0, R1, R2 ?WAIT1 ?WAIT2;", "`?WAIT2` sets `sched` a second time");
}

#[test]
fn operands() {
    let registers = "no such register: expected `R0` to `R254`, or `RZ`";
    check("HADD2 R0, R255, R2;", registers);
    check("HADD2 R0, R01, R2;", registers);
    check("HADD2 r0, R1, R2;", "general registers are written in upper case");
    check("HADD2 R0, R1, P0;", &format!("expected `SrcB`, found `P0`; {SRC_B}"));
    check("HADD2 R0, R1,", &format!("expected `SrcB`, found the end of the text; {SRC_B}"));
    check("HADD2 R0, R1 R2;", &format!("expected `,`, found `R2`; {SYNTAX}"));
    check("HADD2 R0, R1, R2", &format!("expected `;`, found the end of the text; {SYNTAX}"));
    check("HADD2 R0, R1, -|R2;", "expected the closing `|`, found `;`");
    check("HADD2 R0, R1, c[0][3];", "misaligned offset: expected a multiple of 4");
    check("HADD2 R0, R1, c[0][0x20000];", "offset out of range: expected at most 0x1fffc");
    check("HADD2 R0, R1, c[32][0];", "bank out of range: expected 0x0 to 0x1f");
    check(
        "HADD2 R0, R1, |1|, 2;",
        "`|` cannot be applied to two immediate lanes from high to low (`1, -0.5`)",
    );
    check("HADD2 R0, R1, 1, ;", "expected a number");
    check("HADD2 R0, R1, 1;", "expected `,` and the low lane");
    check("HADD2 R0, R1, 70000, 1;", "too large for a lane");
    check("HADD2 R0, R1, R2; x", "expected the end of the text, found `x`");
    check("HADD2 R0, R1, R2; /* x", "unterminated comment, expected `*/`");
    check("HADD2 R0, R1, R2; /**/ /* x", "unterminated comment, expected `*/`");
    check("HADD2 R0, R1, R2; /* x */ // /*\n /*", "unterminated comment, expected `*/`");
}

#[test]
fn guards() {
    check("@P9 HADD2 R0, R1, R2;", "no such predicate: expected `P0` to `P6`, or `PT`");
    let missing = "expected `pg`, found `HADD2`; `pg` is a predicate (`P0` to `P6`, or `PT`)";
    check("@HADD2 R0, R1, R2;", missing);
    check("@HADD2;", missing);
    assert_eq!(offending("/*@*/ @HADD2;"), "HADD2");
    check("@P0;", "expected an instruction, found `;`");
    check("@;", "expected an instruction, found `;`");
    check(
        "@P0 vadd.u32.u32.u32 R0;",
        "expected `vadd`, found `@`; the syntax is `vadd.dtype.atype.btype{.FTZ} d;`",
    );
}

#[test]
fn combinations() {
    check(
        "HADD2.BF16_V2.FTZ R0, R1, R2;",
        "HADD2_RR: BF16_V2 does not support .FTZ \
         (IllegalBitFieldCombination: hfmt_v2 == BF16_V2 and ftz == FTZ)",
    );
}

#[test]
fn places() {
    assert_eq!(offending("HADD2.FTS R0, R1, R2;"), ".FTS");
    assert_eq!(offending("HADD2 R0, R1, R2.H2;"), ".H2");
    assert_eq!(offending("HADD2 R0, R300, R2;"), "R300");
    assert_eq!(offending("HADD2 R0, R1, c[0][3];"), "3");
    assert_eq!(offending("HADD2 R0, R1, c[32][0];"), "32");
    assert_eq!(offending("HADD2 R0, R1, 1, 70000;"), "70000");
    assert_eq!(offending("HADD2 R0, R1, |1|, 2;"), "|");
    assert_eq!(offending("HSETP2 P0, R1;"), "HSETP2");
    assert_eq!(offending("HADD2. R0, R1, R2;"), ".");
    assert_eq!(offending("HADD2 R0, R1, \u{e9};"), "\u{e9}");
}

#[test]
fn values_that_the_other_fixed_bits_leave() {
    let said = |word| TOY.decode(word).unwrap_err().to_string();
    assert_eq!(
        said(0x230),
        "no such opcode: `stype` (bits 11:8) is 0x2; the other fixed bits require RR \
         (0x1), RI (0x3) or RC (0x5)"
    );
    assert_eq!(said(0xff), "no such opcode: `optype` (bits 7:0) is 0xff, which no opcode has");
}
