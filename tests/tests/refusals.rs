//! Rejected words, instructions and texts with their exact messages, written by hand.
//!
//! A word, a typed instruction and a text with the same error are in the same entry.

use isa_core::EncodeError;
use isa_core::operand::{OperandKind, Reg};
use isa_defs::base::{CMem, F16ImmX2, FPFtz, FPSat, HFmtV2, RELU, VType};
use isa_defs::gpu::Gpu;
use isa_defs::halu::{Hadd2Rc, Hadd2Rr, Hfma2Rrr, Hmul2Ri};
use isa_defs::video::{VAdd, VSat, Vadd2, Vmax4};
use isa_tests::vectors::report;

/// An invalid word.
struct Word {
    opcode: &'static str,
    what: &'static str,
    word: u128,
    /// The message of the decoder.
    decode: &'static str,
    /// The same as a typed instruction, if the types can represent it. `encode` returns the same
    /// message.
    typed: Option<fn() -> Result<u128, EncodeError>>,
    /// The same as text, if text can represent it.
    text: &'static str,
    /// The message of the assembler.
    assembler: &'static str,
}

/// `HADD2 R1, R2, R3;`
const HADD2_RR: u128 = 0x3_0201_7130;
/// `HADD2 R1, R2, UR3;`
const HADD2_RU: u128 = 0x3_0201_7730;
/// `HADD2 R1, R2, 0, 0;`
const HADD2_RI: u128 = 0x0201_7330;
/// `HADD2 R1, R2, c[0x0][0x160];`
const HADD2_RC: u128 = 0x160_0201_7530;
/// `HMUL2 R1, R2, 0, 0;`
const HMUL2_RI: u128 = 0x0201_7332;
/// `HFMA2 R1, R2, R3, R4;`
const HFMA2_RRR: u128 = 4 << 64 | 0x3_0201_7231;
/// `HSETP2.LT.AND P1, P2, R2, R3;`
const HSETP2_RR: u128 = 2 << 109 | 1 << 106 | 7 << 98 | 1 << 86 | 0x3_0200_7134;
/// `HSET2.LT.AND R1, R2, R3;`
const HSET2_RR: u128 = 7 << 98 | 1 << 86 | 0x3_0201_7133;
/// `vadd2.u32.u32.u32 r1, r2, r3, r4;`
const VADD2: u128 = 0xe << 84 | 4 << 72 | 4 << 64 | 3 << 45 | 0x3_0201_7280;
/// `vmax4.u32.u32.u32 r1, r2, r3, r4;`
const VMAX4: u128 = 0xfac << 84 | 0x688 << 72 | 4 << 64 | 15 << 45 | 0x3_0201_728d;

const WORDS: &[Word] = &[
    // ---- combinations that are not allowed ----------------------------------------------------
    Word {
        opcode: "HADD2_RR",
        what: ".BF16_V2 with .FTZ",
        word: HADD2_RR | 1 << 94 | 1 << 76,
        decode: "HADD2_RR: .BF16_V2 excludes .FTZ and .SAT (IllegalBitFieldCombination: \
                 hfmt_v2 == BF16_V2 and (ftz == FTZ or sat == SAT))",
        typed: Some(|| {
            let plain = Hadd2Rr::new(Reg::R1, Reg::R2, Reg::R3);
            plain.hfmt_v2(HFmtV2::BF16_V2).ftz(true).encode()
        }),
        text: "HADD2.BF16_V2.FTZ R1, R2, R3;",
        assembler: ".BF16_V2 excludes .FTZ and .SAT",
    },
    Word {
        opcode: "HMUL2_RI",
        what: ".BF16_V2 with .SAT",
        word: HMUL2_RI | 1 << 94 | 1 << 77,
        decode: "HMUL2_RI: .BF16_V2 excludes .FTZ and .SAT",
        typed: Some(|| {
            let plain = Hmul2Ri::new(Reg::R1, Reg::R2, F16ImmX2::new([0, 0]));
            plain.hfmt_v2(HFmtV2::BF16_V2).sat(FPSat::SAT).encode()
        }),
        text: "HMUL2.BF16_V2.SAT R1, R2, 0, 0;",
        assembler: ".BF16_V2 excludes .FTZ and .SAT",
    },
    Word {
        opcode: "HFMA2_RRR",
        what: ".BF16_V2 with .FTZ and .SAT",
        word: HFMA2_RRR | 1 << 94 | 1 << 77 | 1 << 76,
        decode: "HFMA2_RRR: .BF16_V2 excludes .FTZ and .SAT",
        typed: Some(|| {
            let plain = Hfma2Rrr::new(Reg::R1, Reg::R2, Reg::R3, Reg::R4);
            plain.hfmt_v2(HFmtV2::BF16_V2).ftz(FPFtz::FTZ).sat(true).encode()
        }),
        text: "HFMA2.FTZ.SAT.BF16_V2 R1, R2, R3, R4;",
        assembler: ".BF16_V2 excludes .FTZ and .SAT",
    },
    Word {
        opcode: "HFMA2_RRR",
        what: ".SAT with .RELU",
        word: HFMA2_RRR | 1 << 92 | 1 << 77,
        decode: "HFMA2_RRR: .SAT and .RELU exclude each other (IllegalBitFieldCombination: \
                 sat == SAT and relu == RELU)",
        typed: Some(|| {
            let plain = Hfma2Rrr::new(Reg::R1, Reg::R2, Reg::R3, Reg::R4);
            plain.sat(true).relu(RELU::RELU).encode()
        }),
        text: "HFMA2.RELU.SAT R1, R2, R3, R4;",
        assembler: ".SAT and .RELU exclude each other",
    },
    Word {
        opcode: "vadd2",
        what: ".sat with .add",
        word: VADD2 | 1 << 44 | 1 << 43,
        decode: "vadd2: .sat and .add exclude each other",
        typed: Some(|| {
            let [d, a, b] = [VType::u32; 3];
            let plain = Vadd2::new(d, a, b, Reg::R1, Reg::R2, Reg::R3, Reg::R4);
            plain.sat(VSat::sat).add(VAdd::add).encode()
        }),
        text: "vadd2.u32.u32.u32.sat.add r1, r2, r3, r4;",
        assembler: ".sat and .add exclude each other",
    },
    Word {
        opcode: "vmax4",
        what: ".sat with .add",
        word: VMAX4 | 1 << 44 | 1 << 43,
        decode: "vmax4: .sat and .add exclude each other",
        typed: Some(|| {
            let [d, a, b] = [VType::u32; 3];
            let plain = Vmax4::new(d, a, b, Reg::R1, Reg::R2, Reg::R3, Reg::R4);
            plain.sat(true).add(true).encode()
        }),
        text: "vmax4.u32.add.u32.sat.u32 r1, r2, r3, r4;",
        assembler: ".sat and .add exclude each other",
    },
    // ---- values that do not exist -------------------------------------------------------------
    Word {
        opcode: "HADD2_RR",
        what: "half-select 1 of source A",
        word: HADD2_RR | 1 << 80,
        decode: "HADD2_RR: `ra.hsel2` (bits 81:80) is 0x1, which is reserved; \
                 expected H1_H0 (0x0), H0_H0 (0x2) or H1_H1 (0x3)",
        typed: None,
        text: "HADD2 R1, R2.H0_H1, R3;",
        assembler: "`Ra` has no modifier `.H0_H1`",
    },
    Word {
        opcode: "HADD2_RU",
        what: "half-select 1 of source B",
        word: HADD2_RU | 1 << 82,
        decode: "HADD2_RU: `urb.hsel2` (bits 83:82) is 0x1, which is reserved",
        typed: None,
        text: "HADD2 R1, R2, UR3.H0_H1;",
        assembler: "`SrcB` has no modifier `.H0_H1`",
    },
    Word {
        opcode: "HFMA2_RRR",
        what: "half-select 1 of source C",
        word: HFMA2_RRR | 1 << 84,
        decode: "HFMA2_RRR: `rc.hsel2` (bits 85:84) is 0x1, which is reserved",
        typed: None,
        text: "HFMA2 R1, R2, R3, R4.H2_H0;",
        assembler: "`SrcC` has no modifier `.H2_H0`",
    },
    Word {
        opcode: "HSETP2_RR",
        what: "comparison 0",
        word: HSETP2_RR & !(15 << 86),
        decode: "HSETP2_RR: `cmp` (bits 89:86) is 0x0, which is reserved; expected LT (0x1), ",
        typed: None,
        text: "HSETP2.AND P1, P2, R2, R3;",
        assembler: "`HSETP2` needs a modifier for `cmp`",
    },
    Word {
        opcode: "HSET2_RR",
        what: "comparison 15",
        word: HSET2_RR | 15 << 86,
        decode: "HSET2_RR: `cmp` (bits 89:86) is 0xf, which is reserved",
        typed: None,
        text: "HSET2.T.AND R1, R2, R3;",
        assembler: "`HSET2` has no modifier `.T`",
    },
    Word {
        opcode: "HSETP2_RR",
        what: "logic operation 3",
        word: HSETP2_RR | 3 << 84,
        decode: "HSETP2_RR: `lop` (bits 85:84) is 0x3, which is reserved; \
                 expected AND (0x0), OR (0x1) or XOR (0x2)",
        typed: None,
        text: "HSETP2.LT.NAND P1, P2, R2, R3;",
        assembler: "`HSETP2` has no modifier `.NAND`",
    },
    Word {
        opcode: "HADD2_RC",
        what: "an offset that is no multiple of 4",
        word: HADD2_RC | 2 << 32,
        decode: "HADD2_RC: `vb` (bits 53:32) is 0x162, which is reserved; \
                 expected constant memory",
        typed: Some(|| Hadd2Rc::new(Reg::R1, Reg::R2, CMem::from_bits(0x162)).encode()),
        text: "HADD2 R1, R2, c[0x0][0x162];",
        assembler: "misaligned offset: expected a multiple of 4",
    },
    Word {
        opcode: "HADD2_RC",
        what: "an odd offset in the last bank",
        word: HADD2_RC | 0x1f << 49 | 1 << 32,
        decode: "`vb` (bits 53:32) is 0x3e0161, which is reserved",
        typed: Some(|| Hadd2Rc::new(Reg::R1, Reg::R2, CMem::from_bits(0x3e_0161)).encode()),
        text: "HADD2 R1, R2, c[31][353];",
        assembler: "misaligned offset: expected a multiple of 4",
    },
    Word {
        opcode: "vadd2",
        what: "a mask of no lane",
        word: VADD2 & !(3 << 45),
        decode: "vadd2: `mask` (bits 46:45) is 0x0, which is reserved; \
                 expected h0 (0x1), h1 (0x2) or h10 (0x3)",
        typed: None,
        text: "vadd2.u32.u32.u32 r1.h, r2, r3, r4;",
        assembler: "has no modifier `.h`",
    },
    Word {
        opcode: "vmax4",
        what: "a mask of no lane",
        word: VMAX4 & !(15 << 45),
        decode: "vmax4: `mask` (bits 48:45) is 0x0, which is reserved",
        typed: None,
        text: "vmax4.u32.u32.u32 r1.b00, r2, r3, r4;",
        assembler: "has no modifier `.b00`",
    },
    // ---- bits that no field covers ------------------------------------------------------------
    Word {
        opcode: "HADD2_RR",
        what: "the highest bit",
        word: HADD2_RR | 1 << 127,
        decode: "HADD2_RR: unused bit 127 must be 0",
        typed: None,
        text: "",
        assembler: "",
    },
    Word {
        opcode: "HADD2_RU",
        what: "bits between the register and its modifiers",
        word: HADD2_RU | 3 << 38 | 1 << 64,
        decode: "HADD2_RU: unused bits 64 and 39:38 must be 0",
        typed: None,
        text: "",
        assembler: "",
    },
    Word {
        opcode: "HADD2_RI",
        what: "the sign of an immediate",
        word: HADD2_RI | 1 << 96,
        decode: "HADD2_RI: unused bit 96 must be 0",
        typed: None,
        text: "HADD2 R1, R2, -|1|, 1;",
        assembler: "`-` cannot be applied to two immediate lanes",
    },
    Word {
        opcode: "HMUL2_RI",
        what: ".F32 of an instruction without",
        word: HMUL2_RI | 1 << 91,
        decode: "HMUL2_RI: unused bit 91 must be 0",
        typed: None,
        text: "HMUL2.F32 R1, R2, 0, 0;",
        assembler: "`HMUL2` has no modifier `.F32`",
    },
    Word {
        opcode: "vadd2",
        what: "the third lane of a mask of two",
        word: VADD2 | 1 << 47,
        decode: "vadd2: unused bit 47 must be 0",
        typed: None,
        text: "vadd2.u32.u32.u32 r1.h2, r2, r3, r4;",
        assembler: "has no modifier `.h2`",
    },
    // ---- opcodes that do not exist ------------------------------------------------------------
    Word {
        opcode: "",
        what: "all zero",
        word: 0,
        decode: "no such opcode: `optype` (bits 7:0) is 0x0, which no opcode has",
        typed: None,
        text: "NOP;",
        assembler: "unknown mnemonic `NOP`",
    },
    Word {
        opcode: "",
        what: "HADD2 with three sources",
        word: HADD2_RR & !(15 << 8) | 2 << 8,
        decode: "no such opcode: `stype` (bits 11:8) is RRR (0x2); the other fixed bits \
                 require RR (0x1), RU (0x7), RI (0x3) or RC (0x5)",
        typed: None,
        text: "HADD2 R1, R2, R3, R4;",
        assembler: "expected `;`, found `,`; the syntax is `",
    },
    Word {
        opcode: "",
        what: "vadd2 with two sources",
        word: VADD2 & !(15 << 8) | 1 << 8,
        decode: "no such opcode: `stype` (bits 11:8) is RR (0x1); the other fixed bits \
                 require RRR (0x2)",
        typed: None,
        text: "vadd2.u32.u32.u32 r1, r2, r3;",
        assembler: "expected `,`, found `;`",
    },
];

/// Checks that the words from which the table starts are valid.
#[test]
fn the_plain_words_are_instructions() {
    for (word, text) in [
        (HADD2_RR, "HADD2 R1, R2, R3;"),
        (HADD2_RU, "HADD2 R1, R2, UR3;"),
        (HADD2_RI, "HADD2 R1, R2, 0, 0;"),
        (HADD2_RC, "HADD2 R1, R2, c[0x0][0x160];"),
        (HMUL2_RI, "HMUL2 R1, R2, 0, 0;"),
        (HFMA2_RRR, "HFMA2 R1, R2, R3, R4;"),
        (HSETP2_RR, "HSETP2.LT.AND P1, P2, R2, R3;"),
        (HSET2_RR, "HSET2.LT.AND R1, R2, R3;"),
        (VADD2, "vadd2.u32.u32.u32 r1, r2, r3, r4;"),
        (VMAX4, "vmax4.u32.u32.u32 r1, r2, r3, r4;"),
    ] {
        let printed = Gpu::decode(word).map(|instruction| instruction.to_string());
        assert_eq!(printed.map_err(|error| error.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn words() {
    let mut failures = Vec::new();
    let mut check = |place: &str, what: &str, error: String, message: &str| {
        if !error.contains(message) {
            failures.push(format!("{place}, {what}: {error}"));
        }
    };
    for Word { opcode, what, word, decode, typed, text, assembler } in WORDS {
        let place = format!("{opcode}, {what}, {word:#034x}");
        let error = Gpu::decode(*word).expect_err(&place);
        check(&place, "decode", error.to_string(), decode);
        assert_eq!(error.opcode().map_or("", |opcode| opcode.name), *opcode, "{place}");
        if let Some(typed) = typed {
            let error = typed().expect_err(&place);
            check(&place, "encode", error.to_string(), decode);
            assert_eq!(error.word(), *word, "{place}");
        }
        if !text.is_empty() {
            check(&place, text, refusal(text), assembler);
        }
        let directive = format!(".word {word:#x};");
        check(&place, &directive, refusal(&directive), decode);
    }
    report("words", WORDS.len(), &failures);
}

/// Returns the error message for a text of an instruction.
fn refusal(text: &str) -> String {
    match text.parse::<Gpu>() {
        Ok(instruction) => format!("no error but `{instruction}`"),
        Err(error) => error.to_string(),
    }
}

fn check_texts(name: &str, texts: &[(&str, &str)]) {
    let said = texts.iter().map(|(text, message)| (text, refusal(text), message));
    let wrong = said.filter(|(_, said, message)| !said.contains(**message));
    let failures: Vec<String> = wrong.map(|(text, said, _)| format!("`{text}`: {said}")).collect();
    report(name, texts.len(), &failures);
}

const REGISTERS: &str = "no such register: expected `R0` to `R254`, or `RZ`";
const UNIFORM: &str = "no such uniform register: expected `UR0` to `UR62`, or `URZ`";
const PREDICATES: &str = "no such predicate: expected `P0` to `P6`, or `PT`";

/// Numbers that are out of range for the operand type, in otherwise valid texts.
const NUMBERS: &[(&str, &str)] = &[
    ("HADD2 R255, R1, R2;", REGISTERS),
    ("HADD2 R0, R256, R2;", REGISTERS),
    ("HADD2 R0, R1, R4294967296;", REGISTERS),
    ("HADD2 R0, R1, R18446744073709551616;", REGISTERS),
    ("HADD2 R0, R1, R01;", REGISTERS),
    ("HFMA2 R0, R1, R2, R255;", REGISTERS),
    ("HADD2 R0, R1, UR63;", UNIFORM),
    ("HFMA2 R0, R1, R2, UR64;", UNIFORM),
    ("HFMA2 R0, R1, UR256, R2;", UNIFORM),
    ("@P7 HADD2 R0, R1, R2;", PREDICATES),
    ("@!P8 HADD2 R0, R1, R2;", PREDICATES),
    ("HMNMX2 R0, R1, R2, P7;", PREDICATES),
    ("HSETP2.LT.AND P7, P0, R1, R2;", PREDICATES),
    ("HSETP2.LT.AND P0, P256, R1, R2;", PREDICATES),
    ("HADD2 R0, R1, c[0x20][0x0];", "bank out of range: expected 0x0 to 0x1f"),
    ("HADD2 R0, R1, c[256][0];", "bank out of range: expected 0x0 to 0x1f"),
    ("HADD2 R0, R1, c[0x0][0x20000];", "offset out of range: expected at most 0x1fffc"),
    ("HADD2 R0, R1, c[0x0][0x100000000];", "offset out of range: expected at most 0x1fffc"),
    ("HADD2 R0, R1, c[0x0][0x1fffd];", "misaligned offset: expected a multiple of 4"),
    ("HADD2 R0, R1, c[0x0][-4];", "expected a number"),
    ("HADD2 R0, R1, R2 ?WAIT16;", "expected `?WAIT0` to `?WAIT15`"),
    ("HADD2 R0, R1, R2 ?WAIT256;", "expected `?WAIT0` to `?WAIT15`"),
    ("HADD2 R0, R1, R2 &req={6};", "numbers 0 to 5, each at most once"),
    ("HADD2 R0, R1, R2 &req={1,1};", "duplicate barrier"),
    ("HADD2 R0, R1, 65520, 0;", "too large for f16"),
    ("HADD2 R0, R1, 0, -1e9;", "too large for f16"),
    ("HADD2.BF16_V2 R0, R1, 3.4e38, 0;", "too large for bf16"),
    ("HADD2 R0, R1, 0x10000, 0;", "expected four hex digits"),
    ("HADD2 R0, R1, 1;", "expected `,` and the low lane"),
    ("vadd2.u32.u32.u32 r255, r1, r2, r3;", "no such name: expected `r0` to `r254`, or `rz`"),
    ("@p7 vadd2.u32.u32.u32 r0, r1, r2, r3;", "no such name: expected `p0` to `p6`, or `pt`"),
    (".word 0x100000000000000000000000000000000;", "the number has more than 128 bits"),
];

#[test]
fn numbers_out_of_range() {
    check_texts("numbers", NUMBERS);
}

/// Texts that no word has.
const TEXTS: &[(&str, &str)] = &[
    ("", "expected an instruction, found the end of the text"),
    ("HADD2 R0, R1, R2", "expected `;`, found the end of the text"),
    ("HADD2 R0, R1, R2;;", "expected the end of the text, found `;`"),
    ("HADD2 R0, R1, R2; HADD2 R0, R1, R2;", "expected the end of the text, found `HADD2`"),
    ("hadd2 R0, R1, R2;", "unknown mnemonic `hadd2`; did you mean `HADD2`?"),
    ("HADD2 r0, R1, R2;", "general registers are written in upper case"),
    ("HADD2.FTZ.FTZ R0, R1, R2;", "`.FTZ` sets `ftz` a second time"),
    ("HADD2.RN.RZ R0, R1, R2;", "`.RZ` sets `rnd` a second time"),
    ("HADD2 R0, -|R1.H0_H0|.H0_H0, R2;", "`.H0_H0` sets `ra.hsel2` a second time"),
    ("HADD2 R0, R1, R2 ?WAIT1 ?WAIT1;", "`?WAIT1` sets `sched` a second time"),
    ("HADD2 R0, -|R1, R2;", "expected the closing `|`"),
    ("HADD2 R0, |-R1|, R2;", "expected `Ra`, found `-`"),
    ("HADD2 -R0, R1, R2;", "expected `Rd`, found `-`"),
    ("HADD2 R0, R1, !R2;", "expected `SrcB`, found `!`"),
    ("HFMA2 R0, R1, UR2, UR3;", "does not accept `UR3` with the other operands"),
    ("vadd2.u32.u32 r0, r1, r2, r3;", "`vadd2` needs a modifier for `btype`"),
    ("vadd2.u32.u32.u32.u32 r0, r1, r2, r3;", "`.u32` sets `btype` a second time"),
    ("vadd2.u32.u32.u32.nosat r0, r1, r2, r3;", "`vadd2` has no modifier `.nosat`"),
    ("vadd4.u32.u32.u32.merge r0, r1, r2, r3;", "expected `.u32`, `.s32`, `.sat` or `.add`"),
    ("vadd4.u32.u32.u32 r0.b01, r1, r2, r3;", "has no modifier `.b01`"),
    (
        "vadd2.u32.u32.u32 r0, r1.x, r2, r3;",
        "has no modifier `.x`; expected `.hxy` with digits 0 to 3",
    ),
    ("vadd2.u32.u32.u32 r0, r1, 5, r3;", "expected `b`, found `5`"),
    ("HADD2 R0, R1, R2; /* open", "unterminated comment, expected `*/`"),
    (".wrod 0;", "unknown directive `.wrod`"),
    (".word -1;", "expected a number"),
];

#[test]
fn texts() {
    check_texts("texts", TEXTS);
}
