//! Tests instructions whose last part exists only if a field requires it, such as a literal.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Disassembler};
use isa_core::operand::Hex;

isa_core::define_isa! {
    /// A machine whose sources are registers or a literal after the instruction.
    isa Literals: u32 | u64 | u96;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Literal: 32 = isa_core::operand::Hex<32>;
    operand Near: 8 = isa_core::operand::Relative<8, 1, 4>;
    enum Op: 4 { ADD = 1, SUB = 2, FMA = 3, JUMP = 4, MOVK = 5, SPECIAL = 6 }

    /// One source can be a literal.
    group BINARY {
        encoding {
            word<64> if ra == 255 else word<32>;
            field<0, 4> Op op;
            field<8, 8> Reg rd;
            field<16, 8> Reg ra;
            field<24, 8> Reg rb;
            field<32, 32> Literal k = 0;
        }
        syntax { .. Rd, Ra, Rb{, k}; }
        operands { InList<ra, rb, k>; OutList<rd>; Order<rd, ra, rb, k>; }
    }
    opcode ADD : [BINARY] { encoding { op == ADD; } syntax { ADD } }
    opcode SUB : [BINARY] { encoding { op == SUB; } syntax { SUB } }
    /// A subtraction from zero.
    alias NEG of SUB { encoding { ra == 254; } syntax { NEG Rd, Rb{, k}; } }

    /// One of three sources can be a literal, which has bits of the second half of the first 64.
    opcode FMA {
        encoding {
            word<96> if ra == 255 or rb == 255 or rc in {254, 255} else word<64>;
            field<0, 4> Op op == FMA;
            field<8, 8> Reg rd;
            field<16, 8> Reg ra;
            field<24, 8> Reg rb;
            field<32, 8> Reg rc;
            field<64, 32> Literal k = 0;
        }
        syntax { FMA Rd, Ra, Rb, Rc{, k}; }
        operands { InList<ra, rb, rc, k>; OutList<rd>; Order<rd, ra, rb, rc, k>; }
    }
    /// The literal is always there.
    opcode MOVK {
        encoding {
            word<64>;
            field<0, 4> Op op == MOVK;
            field<8, 8> Reg rd;
            field<32, 32> Literal k;
        }
        syntax { MOVK rd, k; }
    }
    opcode JUMP {
        encoding { word<32>; field<0, 4> Op op == JUMP; field<8, 8> Near to; }
        syntax { JUMP to; }
        flow { branch to; }
    }
}

const SHORT: u128 = 0x0302_0101;
const LONG: u128 = 0x1234_5678_03ff_0101;

#[test]
fn a_word_is_long_if_a_field_requires_it() {
    let width = |word: u128| Literals::SET.decode(word).unwrap().width_of(word);
    assert_eq!((width(SHORT), width(LONG)), (32, 64));
    assert_eq!(width(0x00_02_01_00_03), 64);
    assert_eq!(width(0xff_02_01_00_03), 96);
    assert_eq!(width(0x05), 64);
    let short = Add::new(Reg::R1, Reg::R2, Reg::R3);
    assert_eq!(short.encode().unwrap(), SHORT);
    let long = Add::new(Reg::R1, Reg::RZ, Reg::R3).k(Hex::new(0x1234_5678).unwrap());
    assert_eq!(long.encode().unwrap(), LONG);
    assert_eq!(long.to_string(), "ADD R1, RZ, R3, 0x12345678;");
    assert_eq!(Literals::decode(LONG).unwrap(), long.into());
}

#[test]
fn a_short_word_has_no_literal() {
    let error = Literals::decode(SHORT | 1 << 40).unwrap_err().to_string();
    assert!(error.contains("bits 32 to 63 exist only if `ra == 255`"), "{error}");
    let error = "ADD R1, R2, R3, 0x5;".parse::<Literals>().unwrap_err().to_string();
    assert!(error.contains("bits 32 to 63 exist only if `ra == 255`"), "{error}");
    let wrong = Add::new(Reg::R1, Reg::R2, Reg::R3).k(Hex::new(1).unwrap());
    assert!(wrong.encode().is_err());
    let error = Literals::decode(0x03 | 1 << 95).unwrap_err().to_string();
    assert!(error.contains("ra == 255 or rb == 255 or rc in {254, 255}"), "{error}");
    assert!(Literals::SET.decode_as(SHORT, 32).is_ok());
    let error = Literals::SET.decode_as(SHORT, 64).unwrap_err().to_string();
    assert_eq!(error, "expected an instruction of 64 bits, found one of 32 bits");
    // The literal may be 0.
    assert_eq!(Literals::SET.decode(0x03_ff_01_01).unwrap().width_of(0x03_ff_01_01), 64);
}

/// A program with words of each width.
const PROGRAM: &str = "    ADD R1, R2, R3;
start:
    ADD R1, RZ, R3, 0x12345678;
    FMA R1, R2, R3, R4;
    FMA R1, R2, R3, R254, 0x9;
    NEG R1, R2;
    MOVK R1, 0x0;
    SUB R1, RZ, R3;
    JUMP start;
";

#[test]
fn programs_assemble_and_disassemble() {
    let bytes = Assembler::new(Literals::SET).assemble(PROGRAM).unwrap().bytes;
    let lengths = [4, 8, 8, 12, 4, 8, 8, 4];
    assert_eq!(bytes.len(), lengths.iter().sum::<usize>());
    let mut rest = &bytes[..];
    for length in lengths {
        assert_eq!(Literals::SET.length(rest), length);
        let (_, own) = Literals::decode_first(rest).unwrap();
        assert_eq!(own, length);
        rest = &rest[length..];
    }
    assert!(rest.is_empty());
    let text = Disassembler::new(Literals::SET).disassemble(&bytes);
    let again = Assembler::new(Literals::SET).assemble(&text).unwrap().bytes;
    assert_eq!(again, bytes, "{text}");
    assert!(text.contains("JUMP"), "{text}");
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.ends_with(':')).collect();
    assert_eq!(lines[1], "ADD R1, RZ, R3, 0x12345678;");
    assert_eq!(lines.len(), lengths.len(), "{text}");
}

#[test]
fn a_literal_may_be_cut_off() {
    let long = LONG.to_le_bytes();
    for end in 1..8 {
        let error = Literals::decode_first(&long[..end]).unwrap_err().to_string();
        let needed = if end < 3 { 4 } else { 8 };
        assert_eq!(error, format!("truncated word: expected {needed} bytes, found {end}"));
        assert_eq!(Literals::SET.length(&long[..end]), end.min(needed));
    }
    let fma = (0xff_03_02_01_03_u128).to_le_bytes();
    assert!(Literals::decode_first(&fma[..11]).unwrap_err().to_string().contains("12 bytes"));
    // The start of the next instruction is not a part of a short word.
    let pair = [&SHORT.to_le_bytes()[..4], &long[..8]].concat();
    assert_eq!(Literals::decode_first(&pair).unwrap().1, 4);
    let zeros = [&SHORT.to_le_bytes()[..4], &[0; 8]].concat();
    assert_eq!(Literals::decode_first(&zeros).unwrap().1, 4);
}

/// Every stream of bytes is divided without gaps, and its disassembly assembles to the same bytes.
#[test]
fn streams_of_random_bytes_survive() {
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let parts: [&[u8]; 8] =
        [&[1], &[0x13], &[255], &[254], &[3], &[0], &[5, 0, 1, 0], &[2, 1, 255, 1]];
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..12).flat_map(|_| parts[next() % parts.len()]).copied().collect();
        let text = Disassembler::new(Literals::SET).disassemble(&bytes);
        let again = Assembler::new(Literals::SET).assemble(&text).unwrap().bytes;
        assert_eq!(again, bytes, "{text}");
        // A word has the same width as a number and at the start of a stream.
        if let Ok((index, word, length)) = Literals::SET.first(&bytes) {
            assert_eq!(usize::from(Literals::SET.opcodes[index].width_of(word)), 8 * length);
            assert_eq!(Literals::SET.decode(word).unwrap().name, Literals::SET.opcodes[index].name);
        }
    }
}

#[test]
fn an_explanation_contains_the_bits_that_exist() {
    let bits = |word: u128| {
        let parts = Literals::SET.decode(word).unwrap().explain(word);
        parts.map(|part| u32::from(part.high()) + 1).max().unwrap()
    };
    assert_eq!((bits(SHORT), bits(LONG)), (32, 64));
    assert_eq!(Literals::SET.explain(SHORT).bits, 32);
}

mod shared {
    use isa_core::operand::PrefixedHex;

    isa_core::registers! {
        /// A register.
        pub Vector: 8 = "v0" to "v254" of u32;
    }
    isa_core::operand_text! {
        /// A register or the literal.
        pub SourceText "a register or a number": literal: PrefixedHex<32>, number: Vector =
            [number = 255] ("" literal) or [literal = _] ("" number);
    }

    isa_core::define_isa! {
        /// Three sources, which share a literal.
        isa Shared: u32 | u64;

        operand Vector: 8;
        operand Number: 8 = isa_core::operand::Unsigned<8>;
        operand Literal: 32 = isa_core::operand::Hex<32>;
        format SourceText = isa_core::operand::FixedText<SourceText>;

        /// A sum of three.
        opcode SUM {
            encoding {
                word<64> if a == 255 or b == 255 or c == 255 else word<32>;
                field<0, 8> Vector rd;
                field<8, 8> Number a; field<16, 8> Number b; field<24, 8> Number c;
                field<32, 32> Literal k = 0;
            }
            syntax { SUM rd, a, b, c; }
            operands {
                AsmFormat<a: k, a> = SourceText();
                AsmFormat<b: k, b> = SourceText();
                AsmFormat<c: k, c> = SourceText();
            }
        }
    }

    /// Each combination of registers and literals prints as it is parsed.
    #[test]
    fn sources_share_a_literal() {
        let sources = ["v1", "v2", "0x7", "0x0"];
        for (a, b, c) in (0..64).map(|i| (sources[i & 3], sources[i >> 2 & 3], sources[i >> 4])) {
            let text = format!("SUM v9, {a}, {b}, {c};");
            let literals: Vec<&str> =
                [a, b, c].into_iter().filter(|source| source.starts_with('0')).collect();
            if literals.iter().any(|literal| *literal != literals[0]) {
                let error = text.parse::<Shared>().unwrap_err().to_string();
                assert_eq!(error, "`k` has two different values", "{text}");
                continue;
            }
            let sum: Shared = text.parse().unwrap();
            assert_eq!(sum.to_string(), text);
            let word = u128::from(sum.encode().unwrap());
            let opcode = sum.opcode();
            assert!(opcode.reads_back(word), "{text}");
            assert_eq!(opcode.width_of(word), if literals.is_empty() { 32 } else { 64 });
            assert_eq!(word >> 32, if literals.first() == Some(&"0x7") { 7 } else { 0 });
        }
    }
}

mod united {
    isa_core::define_isa! {
        /// The opcodes of another call, and one of this call.
        isa United: u32 | u64 | u96;
        include crate::Literals;
        operand Tag: 8 = isa_core::operand::Hex<8>;
        opcode MARK {
            encoding { word<32>; field<0, 8> Tag format == 0xf; field<8, 8> Tag tag; }
            syntax { MARK tag; }
        }
    }

    /// A call that includes the opcodes knows the lengths of their words.
    #[test]
    fn included_words_have_their_lengths() {
        let code = [super::LONG, 0x050f, super::SHORT].map(u128::to_le_bytes);
        let bytes = [&code[0][..8], &code[1][..4], &code[2][..4]].concat();
        let (mut rest, mut texts) = (&bytes[..], Vec::new());
        while let Ok((instruction, length)) = United::decode_first(rest) {
            texts.push(instruction.to_string());
            assert_eq!(length, United::SET.length(rest));
            rest = &rest[length..];
        }
        assert_eq!(texts, ["ADD R1, RZ, R3, 0x12345678;", "MARK 0x5;", "ADD R1, R2, R3;"]);
        assert!(rest.is_empty());
    }
}
