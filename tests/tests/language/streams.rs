//! Words of several widths, one after another.

use isa_core::operand::Reg;

isa_core::define_isa! {
    /// Words of 16, 32 and 64 bits. No bit is fixed in all words of 16 or 32 bits, but no word is
    /// the beginning of a longer word.
    pub isa Mixed: u16 | u32 | u64;

    operand Reg: 8;
    enum Bit: 1 { ZERO = 0, ONE = 1 }
    enum Two: 2 { A = 0, B = 1, C = 2, D = 3 }

    group SHORT { encoding { word<16>; field<0, 2> Two op; field<8, 8> Reg rd; } }
    opcode S1 : [SHORT] { encoding { op == A; } syntax { S1 Rd; } }
    opcode S2 : [SHORT] { encoding { op == B; field<2, 1> Bit more == ZERO; } syntax { S2 Rd; } }

    group WIDE { encoding { word<32>; field<0, 2> Two op; field<24, 8> Reg rd; } }
    opcode W1 : [WIDE] { encoding { op == C; } syntax { W1 Rd; } }
    opcode W2 : [WIDE] { encoding { op == B; field<2, 1> Bit more == ONE; } syntax { W2 Rd; } }

    opcode LONG {
        encoding { word<64>; field<0, 2> Two op == D; field<56, 8> Reg rd; }
        syntax { LONG Rd; }
    }
}

const CODE: [u8; 20] = [
    0x00, 0x01, // S1 R1
    0x02, 0x00, 0x00, 0x02, // W1 R2
    0x03, 0, 0, 0, 0, 0, 0, 0x03, // LONG R3
    0x05, 0x00, 0x00, 0x04, // W2 R4
    0x01, 0x05, // S2 R5
];

#[test]
fn each_word_says_how_long_it_is() {
    let mut rest = &CODE[..];
    let mut texts = Vec::new();
    while !rest.is_empty() {
        let (instruction, length) = Mixed::decode_first(rest).unwrap();
        assert_eq!(Mixed::SET.length(rest), length);
        assert_eq!(usize::from(instruction.opcode().bits / 8), length);
        texts.push(instruction.to_string());
        rest = &rest[length..];
    }
    assert_eq!(texts, ["S1 R1;", "W1 R2;", "LONG R3;", "W2 R4;", "S2 R5;"]);
}

#[test]
fn a_stream_may_end_inside_a_word() {
    let starts = [0, 2, 6, 14, 18];
    for end in 0..CODE.len() {
        let mut at = 0;
        while let Ok((_, length)) = Mixed::decode_first(&CODE[at..end]) {
            at += length;
        }
        let whole = starts.into_iter().filter(|&start| start <= end).max();
        assert_eq!(Some(at), whole, "{end} bytes");
        assert_eq!(Mixed::SET.length(&CODE[at..end]), end - at);
    }
    let error = Mixed::decode_first(&CODE[6..9]).unwrap_err().to_string();
    assert_eq!(error, "truncated word: expected 8 bytes, found 3");
    assert!(Mixed::decode_first(&[]).is_err());
}

#[test]
fn what_is_no_instruction_has_a_length() {
    // All long words have the same two lowest bits, and no other words do.
    let long = [0x03, 1, 0, 0, 0, 0, 0, 3, 0];
    let error = Mixed::decode_first(&long).unwrap_err();
    assert_eq!(error.to_string(), "LONG: unused bit 8 must be 0");
    assert_eq!(Mixed::SET.length(&long), 8);
    // The other words have no common bits. A third bit distinguishes the widths of the words with
    // B.
    for (first, length) in [(0x10, 2), (0x09, 2), (0x06, 4), (0x0d, 4)] {
        let stream = [first, 1, 0, 0, 0];
        assert!(Mixed::decode_first(&stream).is_err());
        assert_eq!(Mixed::SET.length(&stream), length, "{first:#x}");
    }
}

#[test]
fn one_width_needs_no_telling() {
    isa_core::define_isa! {
        isa Plain: u16;
        opcode ALL { encoding { field<0, 16> Reg16 rd; } syntax { ALL rd; } }
        operand Reg16: 16 = isa_core::operand::Unsigned<16>;
    }
    let (instruction, length) = Plain::decode_first(&[0x34, 0x12, 0xff]).unwrap();
    assert_eq!((instruction.encode().unwrap(), length), (0x1234, 2));
    assert_eq!(Reg16::MAX, 0xffff);
}
