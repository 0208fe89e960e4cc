//! The length of invalid words, and the opcodes that explain them.

use isa_core::error::DecodeErrorKind;
use isa_core::table::InstructionSet;

mod z {
    isa_core::registers! {
        /// A register.
        pub Reg: 4 = "r0" to "r15" of u32;
    }

    isa_core::define_isa! {
        /// As in S/390, the highest two bits determine the length of a word. With 01 and 10 it has
        /// four bytes.
        pub isa Z: u16 | u32 | u48;
        bytes big_endian;

        operand Reg: 4;
        operand Imm16: 16 = isa_core::operand::Unsigned<16>;
        operand Imm32: 32 = isa_core::operand::Unsigned<32>;
        enum Op: 8 { LR = 0x18, CR = 0x19, BCR = 0x07, L = 0x58, ST = 0x50, BC = 0x47, A = 0xa7, LM = 0x98,
            IIHF = 0xc0, MVC = 0xd2, LG = 0xe3, RSY = 0xeb }

        for $NAME in LR, CR, BCR {
            opcode $NAME {
                encoding { word<16>; field<8, 8> Op op == $NAME; field<4, 4> Reg r1; field<0, 4> Reg r2; }
                syntax { $NAME r1, r2; }
            }
        }
        for $NAME in L, ST, BC, A, LM {
            opcode $NAME {
                encoding { word<32>; field<24, 8> Op op == $NAME; field<20, 4> Reg r1; field<0, 16> Imm16 d; }
                syntax { $NAME r1, d; }
            }
        }
        for $NAME in IIHF, MVC, LG, RSY {
            opcode $NAME {
                encoding { word<48>; field<40, 8> Op op == $NAME; field<36, 4> Reg r1; field<0, 32> Imm32 d; }
                syntax { $NAME r1, d; }
            }
        }
    }
}

mod united {
    isa_core::define_isa! {
        /// The same opcodes in another call.
        pub isa United: u16 | u32 | u48;
        bytes big_endian;
        include super::z::Z;
    }
}

mod t {
    isa_core::define_isa! {
        /// As in Thumb, words that begin with 11101, 11110 or 11111 are long, and words with 11100
        /// are short.
        pub isa T: u16 | u32;
        bytes little_endian_halfwords;

        operand Imm8: 8 = isa_core::operand::Unsigned<8>;
        operand Imm11: 11 = isa_core::operand::Unsigned<11>;
        enum Op: 5 { MOVS = 0b00100, LSL = 0b00000, POP = 0b10111, B = 0b11100, LDR = 0b11101, BL = 0b11110,
            MUL = 0b11111 }

        for $NAME in MOVS, LSL, POP, B {
            opcode $NAME {
                encoding { word<16>; field<11, 5> Op op == $NAME; field<0, 11> Imm11 it; }
                syntax { $NAME it; }
            }
        }
        for $NAME in LDR, BL, MUL {
            opcode $NAME {
                encoding { word<32>; field<27, 5> Op op == $NAME; field<0, 8> Imm8 it; }
                syntax { $NAME it; }
            }
        }
    }
}

mod r {
    isa_core::define_isa! {
        /// As in RISC-V, the lowest two bits of long words are 11.
        pub isa R: u16 | u32;

        operand Imm8: 8 = isa_core::operand::Unsigned<8>;
        enum Quadrant: 2 { C0 = 0, C1 = 1, C2 = 2, LONG = 3 }
        enum Op: 5 { LOAD = 0b00000, STORE = 0b01000, JAL = 0b11011 }

        for $NAME in C0, C1, C2 {
            opcode $NAME {
                encoding { word<16>; field<0, 2> Quadrant low == $NAME; field<8, 8> Imm8 it; }
                syntax { $NAME it; }
            }
        }
        for $NAME in LOAD, STORE, JAL {
            opcode $NAME {
                encoding { word<32>; field<0, 2> Quadrant low == LONG; field<2, 5> Op op == $NAME; field<24, 8> Imm8 it; }
                syntax { $NAME it; }
            }
        }
    }
}

mod p {
    isa_core::define_isa! {
        /// As in the Z80, words of two, three and four bytes begin with a prefix.
        pub isa P: u8 | u16 | u24 | u32;
        operand Imm: 8 = isa_core::operand::UpperHex<8>;
        enum Op: 8 { NOP = 0, LD = 0x3e, IX = 0xdd }
        enum Two: 8 { INC = 0x23, ADC = 0x8e, SET = 0x36 }
        opcode NOP { encoding { word<8>; field<0, 8> Op op == NOP; } syntax { NOP; } }
        opcode LD { encoding { word<16>; field<0, 8> Op op == LD; field<8, 8> Imm n; } syntax { LD n; } }
        group IX { encoding { field<0, 8> Op op == IX; field<8, 8> Two two; } }
        opcode INC : [IX] { encoding { word<16>; two == INC; } syntax { INC; } }
        opcode ADC : [IX] { encoding { word<24>; two == ADC; field<16, 8> Imm d; } syntax { ADC d; } }
        opcode SET : [IX] {
            encoding { word<32>; two == SET; field<16, 8> Imm d; field<24, 8> Imm n; }
            syntax { SET d, n; }
        }
    }
}

/// Checks that an unknown word with a prefix that several widths share is taken as the narrowest
/// width.
#[test]
fn a_prefix_of_several_widths_begins_the_narrowest() {
    let dis = |code: &[u8]| isa_core::asm::Disassembler::new(p::P::SET).disassemble(code);
    let text = dis(&[0xdd, 0x8c, 0x3e, 0x05, 0xdd, 0x8e, 0x01, 0x00]);
    assert_eq!(text, "    .2byte 0x8cdd;\n    LD 0x5;\n    ADC 0x1;\n    NOP;\n");
    let error = p::P::SET.first(&[0xdd, 0x8c, 0x3e, 0x05]).unwrap_err();
    assert!(
        matches!(error.kind(), DecodeErrorKind::NoSuchOpcode { bits: Some(16), .. }),
        "{error}"
    );
}

/// Checks that each pair of first bytes has a length, whether the words are valid or not.
fn lengths(set: &InstructionSet, length: impl Fn(u8, u8) -> usize) {
    for first in 0..=u16::MAX {
        let [a, b] = first.to_be_bytes();
        for behind in [0, 0xff] {
            let stream = [a, b, behind, behind, behind, behind, behind, behind];
            assert_eq!(set.length(&stream), length(a, b), "{stream:02x?}");
        }
        assert_eq!(set.length(&[a, b]), 2);
    }
}

#[test]
fn two_bits_may_say_the_length() {
    let length = |high: u8, _| [2, 4, 4, 6][usize::from(high >> 6)];
    lengths(z::Z::SET, length);
    lengths(united::United::SET, length);
}

#[test]
fn a_prefix_of_narrow_words_may_lie_between_those_of_wide_ones() {
    lengths(t::T::SET, |_, high| if high >> 3 > 0b11100 { 4 } else { 2 });
}

#[test]
fn the_lowest_bits_may_say_the_length() {
    lengths(r::R::SET, |low, _| if low & 3 == 3 { 4 } else { 2 });
}

#[test]
fn two_bits_say_the_length_in_riscv() {
    let set = isa_riscv::Rv64imac::SET;
    lengths(set, |low, _| if low & 3 == 3 { 4 } else { 2 });
    assert!(set.widths.iter().all(|width| width.starts.is_none()));
}

#[test]
fn a_stream_goes_on_behind_an_unknown_word() {
    let code = [0x18, 0x12, 0x01, 0x01, 0x18, 0x13];
    let text = isa_core::asm::Disassembler::new(z::Z::SET).disassemble(&code);
    assert_eq!(text, "    LR r1, r2;\n    .2byte 0x0101;\n    LR r1, r3;\n");
    // A complete word is not reported as cut off, even if no word of the set has its bits.
    let error = z::Z::SET.first(&[0x01, 0x01]).unwrap_err();
    assert!(matches!(error.kind(), DecodeErrorKind::NoSuchOpcode { bits: Some(16), .. }));
    let error = z::Z::SET.first(&[0x41, 0x01]).unwrap_err().to_string();
    assert_eq!(error, "truncated word: expected 4 bytes, found 2");
}

#[test]
fn opcodes_of_its_width_explain_a_word() {
    for (word, bits) in [(0, 16), (0x0101, 16), (0xc812_1000, 32), (0, 32), (0, 48)] {
        let reason = z::Z::SET.decode_as(word, bits).unwrap_err();
        assert_eq!(reason.closest().unwrap().bits, bits, "{word:#x}");
        let place = format!("`op` (bits {}:{})", bits - 1, bits - 8);
        assert!(reason.to_string().contains(&place), "{reason}");
        let page = z::Z::SET.explain_as(word, bits);
        assert_eq!(page.opcode.unwrap().bits, bits);
        let stream = word << (128 - u32::from(bits));
        let Err(error) = z::Z::SET.first(&stream.to_be_bytes()) else { panic!("{word:#x}") };
        let own = z::Z::SET.length(&stream.to_be_bytes());
        assert_eq!(usize::from(error.closest().unwrap().bits), own * 8, "{word:#x}");
    }
    // The number equals a short word, but the bytes do not.
    let reason = z::Z::SET.decode_as(0x1812, 32).unwrap_err().to_string();
    assert!(reason.starts_with("no such opcode: `op` (bits 31:24) is 0x0"), "{reason}");
    // No word of the set has 8 bits, so all opcodes are considered for the explanation.
    assert!(z::Z::SET.decode_as(0x01, 8).unwrap_err().closest().is_some());
}
