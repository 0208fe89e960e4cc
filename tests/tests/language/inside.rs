//! A general opcode with special cases inside it, compared with a decoder written by hand.

use isa_core::operand::Reg;

isa_core::define_isa! {
    /// Additions with an immediate. Some of their encodings are other instructions.
    pub isa Nested: u16;

    operand Reg: 8;
    enum Op: 2 { ADDI = 1 }
    enum Imm: 3 { I0 = 0, I1 = 1, I2 = 2, I3 = 3, I4 = 4, I5 = 5, I7 = 7 }
    enum Bit: 1 { ZERO = 0, ONE = 1 }

    group WORDS { encoding { field<14, 2> Op op == ADDI; } }

    /// The general opcode.
    opcode ADDI : [WORDS] {
        encoding { field<0, 8> Reg rd; field<8, 3> Imm imm; }
        syntax { ADDI.imm rd; }
    }
    /// The zero register, with any immediate.
    opcode HINT : [WORDS] inside ADDI {
        encoding { field<0, 8> Reg rd == 255; field<8, 3> Imm imm; }
        syntax { HINT.imm; }
        exception { EncodingError<Reserved, "hint 7 is reserved"> = imm == I7; }
    }
    /// A special case of a special case.
    opcode NOP : [WORDS] inside HINT {
        encoding { field<0, 8> Reg rd == 255; field<8, 3> Imm imm == I0; }
        syntax { NOP; }
    }
}

/// Returns the text of a word, computed by hand.
fn meaning(word: u16) -> Option<String> {
    let (op, rest, imm, rd) = (word >> 14, word >> 11 & 7, word >> 8 & 7, word & 255);
    let name = if rd == 255 { "RZ".to_owned() } else { format!("R{rd}") };
    match (op, rest, imm, rd) {
        (1, 0, 0, 255) => Some("NOP;".to_owned()),
        (1, 0, 7, 255) | (1, 0, 6, _) => None,
        (1, 0, _, 255) => Some(format!("HINT.I{imm};")),
        (1, 0, _, _) => Some(format!("ADDI.I{imm} {name};")),
        _ => None,
    }
}

#[test]
fn every_word_is_what_it_is_by_hand() {
    for word in 0..=u16::MAX {
        let decoded = Nested::decode(word).ok();
        assert_eq!(decoded.map(|inst| inst.to_string()), meaning(word), "{word:#06x}");
        if let Some(inst) = decoded {
            assert_eq!(inst.encode().ok(), Some(word));
            let text = inst.to_string();
            assert_eq!(text.parse::<Nested>().unwrap().encode().ok(), Some(word), "{text}");
        }
    }
}

#[test]
fn the_words_of_a_special_case_are_its_own() {
    let add = Addi::new(Imm::I1, Reg::RZ);
    let error = add.encode().unwrap_err().to_string();
    assert!(error.contains("this encoding belongs to `HINT` (SpecialCase: rd == 255)"), "{error}");
    assert!(Addi::decode(0x41ff).is_err());
    assert!("ADDI.I1 RZ;".parse::<Nested>().is_err());
    let error = Hint::new(Imm::I0).encode().unwrap_err().to_string();
    assert!(error.contains("this encoding belongs to `NOP`"), "{error}");
    assert_eq!(Nop::new().encode().unwrap(), 0x40ff);
}
