//! Tests opcodes that share a syntax and differ only after a position at which both match.

use isa_core::text::Cursor;

use lanes::Lanes;
use shared::Shared;

#[path = "toy/gpu.rs"]
mod gpu;

mod shared {
    isa_core::registers! {
        /// A uniform register.
        pub UReg: 6 = "UR0" to "UR62", "URZ" of u32,
            in isa_core::machine::UniformRegs { uniform_reg, set_uniform_reg };
    }

    isa_core::define_isa! {
        /// Sets of modifiers that share a name, and operands of several types.
        pub isa Shared: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Imm: 8 = isa_core::operand::Unsigned<8>;
        enum Op: 4 { ADD_R = 1, ADD_I = 2, NEG_R = 3, NEG_I = 4, NEG_M = 5, SEL_RR = 6, SEL_UI = 7, SEL_UR = 8, NOT = 9, OFF = 10, OPT = 11, PART = 12 }
        enum Near: 2 { LO = 0, MID = 1 }
        enum Far: 2 { MID = 2, HI = 3 }
        enum Neg: 1 { False = 0, True = 1 }
        affix "-" = neg;
        affix "!" = inv;
        operand UReg: 6;
        operand Imm4: 4 = isa_core::operand::Unsigned<4>;
        enum Half: 1 { H0 = 0, H1 = 1 }

        group ALL { encoding { field<0, 4> Op op; field<8, 8> Reg rd; } }

        optype ADD : [ALL] { syntax { ADD.mode Rd, SrcB; } }
        opcode ADD_R : [ADD] {
            encoding { op == ADD_R; field<4, 2> Near mode; field<16, 8> Reg rb; }
            operands { InList<rb>; OutList<rd>; Order<rd, rb>; }
            semantics { Rd = SrcB.value; }
        }
        opcode ADD_I : [ADD] {
            encoding { op == ADD_I; field<4, 2> Far mode; field<16, 8> Imm imm; }
            operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
            semantics { Rd = SrcB.value as u32; }
        }

        optype NEG : [ALL] { syntax { NEG Rd, {-}SrcB; } }
        opcode NEG_R : [NEG] {
            encoding { op == NEG_R; field<16, 8> Reg rb; field<24, 1> Neg rb.neg = False; }
            operands { InList<rb>; OutList<rd>; Order<rd, rb>; }
            semantics { Rd = SrcB.value; let _ = SrcB.neg; }
        }
        opcode NEG_I : [NEG] {
            encoding { op == NEG_I; field<16, 8> Imm imm; }
            operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
            semantics { Rd = SrcB.value as u32; }
        }

        /// The same mnemonic with another template.
        opcode NEG_M : [ALL] {
            encoding { op == NEG_M; field<16, 8> Reg ra; field<24, 8> Reg rb; }
            syntax { NEG Rd, "[" Ra "]", Rb; }
        }

        optype SEL : [ALL] { syntax { SEL Rd, SrcB, SrcC; } }
        opcode SEL_RR : [SEL] {
            encoding { op == SEL_RR; field<16, 8> Reg rb; field<24, 8> Reg rc; }
            operands { InList<rb, rc>; OutList<rd>; Order<rd, rb, rc>; }
            semantics { Rd = SrcB.value ^ SrcC.value; }
        }
        opcode SEL_UI : [SEL] {
            encoding { op == SEL_UI; field<16, 6> UReg urb; field<24, 8> Imm imm; }
            operands { InList<urb, imm>; OutList<rd>; Order<rd, urb, imm>; }
            semantics { Rd = SrcB.value ^ SrcC.value as u32; }
        }
        opcode SEL_UR : [SEL] {
            encoding { op == SEL_UR; field<16, 6> UReg urb; field<24, 8> Reg rc; }
            operands { InList<urb, rc>; OutList<rd>; Order<rd, urb, rc>; }
            semantics { Rd = SrcB.value ^ SrcC.value; }
        }

        /// Neither the field of the prefix operator nor the modifier has a default.
        opcode NOT : [ALL] {
            encoding {
                op == NOT; field<16, 8> Reg ra; field<24, 1> Neg ra.inv; field<25, 1> Half ra.half;
            }
            syntax { NOT Rd, {!}Ra.half; }
        }

        opcode PART : [ALL] {
            encoding { op == PART; field<16, 8> Reg ra; field<25, 1> Half ra.half; }
            syntax { PART Rd, Ra.half; }
        }

        /// A field in two runs of bits, with a default.
        opcode OFF : [ALL] {
            encoding { op == OFF; field<28, 2 : 20, 2> Imm4 off = 5; }
            syntax { OFF Rd{, off}; }
        }

        /// An optional group that begins with an optional prefix operator.
        opcode OPT : [ALL] {
            encoding { op == OPT; field<16, 8> Reg ra = RZ; field<24, 1> Neg ra.neg = False; }
            syntax { OPT Rd { {-}Ra}; }
        }
    }
}

mod lanes {
    isa_core::define_isa! {
        /// An operand that can begin with a dot, as modifiers do.
        pub isa Lanes: u64;

        operand Imm32: 32 = isa_core::operand::Unsigned<32>;
        format TwoFloats = crate::gpu::TwoFloats;
        enum Op: 2 { LDI = 1 }
        enum Fmt: 1 { F16 = 0, BF16 = 1 }

        opcode LDI {
            encoding {
                field<0, 2> Op op == LDI; field<2, 1> Fmt fmt = BF16; field<32, 32> Imm32 imm;
            }
            syntax   { LDI{.fmt} imm; }
            operands { InList<imm>; OutList<>; Order<imm>; AsmFormat<imm> = TwoFloats(imm, fmt); }
        }
    }
}

/// Numbers after different signs. The value of a modifier that both opcodes have is added to the
/// number.
mod signed {
    use isa_core::operand::AsmFormat;
    use isa_core::text::{Cursor, Line, OperandError};

    pub(crate) struct Signed<const SIGN: u8>;
    pub(crate) type At = Signed<b'@'>;
    pub(crate) type Hash = Signed<b'#'>;

    impl<const SIGN: u8> AsmFormat for Signed<SIGN> {
        const EXPECTS: &'static str = "a number behind a sign";
        const MAX_LEN: usize = 4;
        const FORMS: &'static [&'static str] = match SIGN {
            b'@' => &["@0"],
            _ => &["#0"],
        };

        fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
            let start = cursor.position();
            if !cursor.eat(SIGN) {
                return Err(cursor.fault(start, "another sign"));
            }
            let number = cursor.number()?;
            Ok(number.wrapping_sub(args[0].into()) as u64)
        }

        fn write(raw: u64, args: &[u64], line: &mut Line) {
            line.push(SIGN);
            line.push_decimal(raw + args[0]);
        }
    }

    isa_core::define_isa! {
        /// Opcodes whose operands have one type and two text formats.
        pub isa Formats: u32;

        operand Imm: 4 = isa_core::operand::Unsigned<4>;
        format At = self::At;
        format Hash = self::Hash;
        enum Op: 2 { PUT_AT = 1, PUT_HASH = 2 }
        enum Add: 2 { NO = 0, ONE = 1, TWO = 2 }

        group ALL {
            encoding { field<0, 2> Op op; field<4, 4> Imm imm; field<8, 2> Add add; field<10, 2> Add more = NO; }
            syntax { PUT.add{.more} imm; }
            operands { InList<imm>; OutList<>; Order<imm>; }
        }
        opcode PUT_AT : [ALL] {
            encoding { op == PUT_AT; }
            operands { AsmFormat<imm> = At(imm, add); }
        }
        opcode PUT_HASH : [ALL] {
            encoding { op == PUT_HASH; }
            operands { AsmFormat<imm> = Hash(imm, add); }
        }
    }
}

#[test]
fn a_kind_is_read_in_the_way_of_each_opcode() {
    let word = |text: &str| {
        let parsed = text.parse::<signed::Formats>().map_err(|error| error.to_string());
        parsed.map(|instruction| instruction.encode().expect("what is read is legal"))
    };
    // As printed, and with spaces, which the template interpreter parses.
    for (add, bits) in [("NO", 0), ("ONE", 1), ("TWO", 2)] {
        for (sign, op) in [("@", 1), ("#", 2)] {
            let expected = Ok(op | 5 << 4 | bits << 8);
            let number = 5 + bits;
            for text in
                [format!("PUT.{add} {sign}{number};"), format!("PUT . {add}  {sign}{number} ;")]
            {
                assert_eq!(word(&text), expected, "{text}");
            }
        }
    }
    assert!(word("PUT.NO 5;").is_err());
}

fn word(text: &str) -> Result<u32, String> {
    let parsed = text.parse::<Shared>().map_err(|error| error.to_string());
    parsed.map(|instruction| instruction.encode().expect("what is read is legal"))
}

#[test]
fn a_name_of_two_sets_is_decided_by_the_operand() {
    assert_eq!(word("ADD.LO R1, R2;"), Ok(0x02_0101));
    assert_eq!(word("ADD.MID R1, R2;"), Ok(0x02_0111));
    assert_eq!(word("ADD.MID R1, 2;"), Ok(0x02_0122));
    assert_eq!(word("ADD . MID R1 , 2 ;"), Ok(0x02_0122));
    assert_eq!(word("ADD.HI R1, 2;"), Ok(0x02_0132));
    for text in ["ADD.LO R1, 2;", "ADD.HI R1, R2;", "ADD.NO R1, R2;", "ADD R1, R2;", "ADD R1, 2;"] {
        assert!(word(text).is_err(), "{text}");
    }
}

#[test]
fn a_mark_is_decided_by_the_operand() {
    assert_eq!(word("NEG R1, -R2;"), Ok(0x0102_0103));
    assert_eq!(word("NEG R1, R2;"), Ok(0x02_0103));
    assert_eq!(word("NEG R1, 2;"), Ok(0x02_0104));
    assert!(word("NEG R1, -2;").is_err());
}

#[test]
fn the_walk_reads_the_same() {
    for text in ["ADD.MID R1, R2;", "ADD.MID R1, 2;", "NEG R1, -R2;", "NEG R1, 2;"] {
        let walked = Shared::SET.parse_next_by_template(&mut Cursor::new(text));
        let walked = walked.ok().flatten().map(|parsed| parsed.word());
        assert_eq!(walked, word(text).ok().map(u128::from), "{text}");
    }
}

#[test]
fn of_several_templates_the_one_is_meant_that_fits_furthest() {
    assert_eq!(word("NEG R1, [R2], R3;"), Ok(0x0302_0105));
    let error = word("NEG R1, [R2], 5;").unwrap_err();
    assert!(error.starts_with("expected `Rb`, found `5`"), "{error}");
    let error = word("NEG R1, -5;").unwrap_err();
    assert!(error.starts_with("out of range: expected a number from 0 to 255"), "{error}");
}

#[test]
fn what_goes_together_is_said() {
    assert_eq!(
        [word("ADD.LO R1, 2;"), word("ADD.HI R1, R2;")].map(Result::unwrap_err),
        ["`2`", "`R2`"].map(|found| format!(
            "`ADD` does not accept {found} with the other operands; expected operands `Reg, Reg` or `Reg, Imm`"
        ))
    );
}

#[test]
fn an_operand_is_of_a_later_opcode_than_the_first_that_is_left() {
    assert_eq!(word("SEL R1, R2, R5;"), Ok(0x0502_0106));
    assert_eq!(word("SEL R1, UR2, 5;"), Ok(0x0502_0107));
    assert_eq!(word("SEL R1, UR2, R5;"), Ok(0x0502_0108));
    assert!(word("SEL R1, R2, 5;").is_err());
}

#[test]
fn marks_and_modifiers_without_defaults() {
    let printed = [
        ("NOT R1, R2.H0;", 0x02_0109),
        ("NOT R1, R2.H1;", 0x0202_0109),
        ("NOT R1, !R2.H0;", 0x0102_0109),
        ("NOT R1, !R2.H1;", 0x0302_0109),
        ("PART R1, R2.H0;", 0x02_010c),
        ("PART R1, R2.H1;", 0x0202_010c),
    ];
    for (text, expected) in printed {
        let quick = Shared::SET.parse_next_as_printed(&mut Cursor::new(text));
        assert_eq!(quick.map(|parsed| parsed.word()), Some(expected), "{text}");
        assert_eq!(word(text).map(u128::from), Ok(expected));
        assert_eq!(Shared::decode(expected as u32).unwrap().to_string(), text);
    }
    for text in
        ["NOT R1, R2;", "NOT R1, !R2;", "NOT R1, R2.H2;", "NOT R1, R2.H0.H1;", "PART R1, R2;"]
    {
        assert!(word(text).is_err(), "{text}");
    }
}

#[test]
fn a_default_in_two_runs_of_bits_gives_way() {
    assert_eq!(word("OFF R1;"), Ok(0x1010_010a));
    assert_eq!(word("OFF R1, 5;"), Ok(0x1010_010a));
    assert_eq!(word("OFF R1, 0;"), Ok(0x0000_010a));
    assert_eq!(word("OFF R1, 10;"), Ok(0x2020_010a));
}

#[test]
fn a_dot_behind_a_blank_is_a_modifier_if_it_can_be_one() {
    let word = |text: &str| text.parse::<Lanes>().ok().and_then(|lanes| lanes.encode().ok());
    assert_eq!(word("LDI .5, 1;"), Some(0x3f00_3f80_0000_0005), "in the format by default");
    assert_eq!(word("LDI 0.5, 1;"), Some(0x3f00_3f80_0000_0005));
    assert_eq!(word("LDI.F16 .5, 1;"), Some(0x3800_3c00_0000_0001));
    assert_eq!(word("LDI .F16 .5, 1;"), Some(0x3800_3c00_0000_0001));
    assert_eq!(word("LDI . BF16 .5, 1;"), Some(0x3f00_3f80_0000_0005));
    assert_eq!(word("LDI.5, 1;"), None);
    for text in ["LDI 0.5, 1;", "LDI.F16 0.5, 1;"] {
        let quick = Lanes::SET.parse_next_as_printed(&mut Cursor::new(text));
        assert_eq!(quick.map(|parsed| parsed.word()), word(text).map(u128::from), "{text}");
    }
}

#[test]
fn an_optional_part_may_begin_with_a_mark() {
    for (text, expected) in [
        ("OPT R1;", 0xff_010b),
        ("OPT R1 R2;", 0x02_010b),
        ("OPT R1 -R2;", 0x0102_010b),
        ("OPT R1 -RZ;", 0x01ff_010b),
    ] {
        assert_eq!(word(text), Ok(expected));
        assert_eq!(Shared::decode(expected).unwrap().to_string(), text);
    }
    assert!(word("OPT R1 -;").is_err() && word("OPT R1 x;").is_err());
}
