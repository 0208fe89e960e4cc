//! Instructions in the formats of `serde`, and many words at once.

mod description;
mod import;
mod reader;

use isa_core::Isa;
use isa_defs::gpu::Gpu;
use isa_defs::halu::{Hadd2Rr, Halu};
use serde_test::{Configure, Token, assert_de_tokens_error, assert_tokens};

isa_core::define_isa! {
    /// Words of 16 bits.
    isa Tiny: u16;
    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 7 { NEG = 1 }
    enum Wide: 1 { no = 0, wide = 1 }

    opcode NEG {
        encoding {
            field<9, 7> Op op == NEG;
            field<8, 1> Wide wide = no;
            field<0, 8> Reg rd;
        }
        syntax { NEG{.wide} Rd; }
        exception {
            EncodingError<IllegalBitFieldCombination, "RZ is never wide"> = wide == wide and rd == 255;
        }
    }
}

#[test]
fn formats_that_people_read_have_the_text() {
    let instruction = Tiny::decode(0x0305).unwrap();
    assert_tokens(&instruction.readable(), &[Token::Str("NEG.wide R5;")]);
    assert_tokens(&Neg::new(Reg::R5).readable(), &[Token::Str("NEG R5;")]);

    let add = Hadd2Rr::new(Reg::R1, Reg::R2, Reg::R3).ftz(true);
    let json = serde_json::to_string(&[Halu::from(add)]).unwrap();
    assert_eq!(json, r#"["HADD2.FTZ R1, R2, R3;"]"#);
    assert_eq!(serde_json::from_str::<[Gpu; 1]>(&json).unwrap(), [Gpu::from(add)]);
}

#[test]
fn other_formats_have_the_word() {
    let instruction = Tiny::decode(0x0305).unwrap();
    assert_tokens(&instruction.compact(), &[Token::U16(0x0305)]);
    assert_tokens(&Neg::new(Reg::R5).compact(), &[Token::U16(0x0205)]);
}

#[test]
fn what_is_no_instruction_is_neither_read_nor_written() {
    use serde_test::Compact;
    assert_de_tokens_error::<Compact<Tiny>>(
        &[Token::U16(0x0405)],
        &Tiny::decode(0x0405).unwrap_err().to_string(),
    );
    let error = serde_json::from_str::<Tiny>(r#""NEG.wide RZ;""#).unwrap_err().to_string();
    assert!(error.contains("RZ is never wide"), "{error}");
    let error = serde_json::from_str::<Tiny>("5").unwrap_err().to_string();
    assert!(error.contains("expected an instruction as assembly text"), "{error}");

    let illegal = Neg::new(Reg::RZ).wide(true);
    let error = serde_json::to_string(&illegal).unwrap_err().to_string();
    assert!(error.contains("RZ is never wide"), "{error}");
}

#[test]
fn slices_are_decoded_and_encoded_up_to_the_first_error() {
    let blank = Tiny::decode(0x0200).unwrap();
    let mut instructions = [blank; 3];
    assert_eq!(Tiny::decode_slice(&[0x0201, 0x0302], &mut instructions).unwrap(), 2);
    assert_eq!(instructions.map(|i| i.encode().unwrap()), [0x0201, 0x0302, 0x0200]);
    // Words that do not fit in the output are not decoded.
    assert_eq!(Tiny::decode_slice(&[0x0203, 0x0204, 0x0205, 0], &mut instructions).unwrap(), 3);

    let error = Tiny::decode_slice(&[0x0206, 0, 0x0207], &mut instructions).unwrap_err();
    assert_eq!(error.index, 1);
    assert!(error.to_string().starts_with("at index 1: "), "{error}");
    assert_eq!(instructions.map(|i| i.encode().unwrap()), [0x0206, 0x0204, 0x0205]);

    let illegal = Tiny::from(Neg::new(Reg::RZ).wide(true));
    let mut words = [0; 3];
    let error = Tiny::encode_slice(&[blank, illegal, blank], &mut words).unwrap_err();
    assert_eq!((error.index, words), (1, [0x0200, 0, 0]));
}

#[test]
fn a_stream_has_every_byte_once() {
    // An instruction, an invalid word, an instruction, half an instruction.
    let bytes = [0x01, 0x02, 0x00, 0x00, 0x02, 0x02, 0x03];
    let items: Vec<_> = Tiny::stream(&bytes).map(|(at, i)| (at, i.map_err(|e| e.word()))).collect();
    let decode = |word| Ok(Tiny::decode(word).unwrap());
    assert_eq!(items, [(0, decode(0x0201)), (2, Err(0)), (4, decode(0x0202)), (6, Err(0))]);
}
