//! Tests numbers after the labels of targets, `J loop + 8`, and templates that continue with a
//! sign.
#![cfg(feature = "alloc")]

use isa_core::asm::Assembler;

isa_core::define_isa! {
    /// Jumps, and jumps with a number after the target.
    isa Sums: u32;

    operand Near: 8 = isa_core::operand::Relative<8, 1>;
    operand Paged: 8 = isa_core::operand::RelativeUnit<8, 4>;
    operand Sharp: 8 = isa_core::operand::HashPrefixed<isa_core::operand::Relative<8, 1>>;
    operand Count: 8 = isa_core::operand::Unsigned<8>;
    operand Signed: 8 = isa_core::operand::Signed<8>;
    enum Op: 8 { J = 1, TWO = 2, PLUS = 3, MINUS = 4, BESIDE = 5, PAGE = 6, MARKED = 7, B = 8, BY = 9 }

    opcode J      { encoding { field<0, 8> Op op == J; field<8, 8> Near to; } syntax { J to; } }
    opcode PAGE   { encoding { field<0, 8> Op op == PAGE; field<8, 8> Paged to; } syntax { PAGE to; } }
    opcode MARKED { encoding { field<0, 8> Op op == MARKED; field<8, 8> Sharp to; } syntax { MARKED to; } }
    opcode TWO {
        encoding { field<0, 8> Op op == TWO; field<8, 8> Near to; field<16, 8> Near other; }
        syntax   { TWO to, other; }
    }
    opcode PLUS {
        encoding { field<0, 8> Op op == PLUS; field<8, 8> Near to; field<16, 8> Count by; }
        syntax   { PLUS to " + " by; }
    }
    opcode MINUS {
        encoding { field<0, 8> Op op == MINUS; field<8, 8> Near to; field<16, 8> Count by = 0; }
        syntax   { MINUS to {" - " by}; }
    }
    opcode BESIDE {
        encoding { field<0, 8> Op op == BESIDE; field<8, 8> Near to; field<16, 8> Signed by; }
        syntax   { BESIDE to " " by; }
    }
    /// One mnemonic, with and without a number.
    opcode B  { encoding { field<0, 8> Op op == B; field<8, 8> Near to; } syntax { B to; } }
    opcode BY {
        encoding { field<0, 8> Op op == BY; field<8, 8> Near to; field<16, 8> Count by; }
        syntax   { B to " + " by; }
    }
}

/// Parses a text at address 0x1040 and returns the bytes of the word: the opcode and its two
/// operands. The label `start` is 0x40 bytes before the instruction, `odd` is 3 bytes after it.
fn read(text: &str) -> Result<(u8, i8, i8), String> {
    let labels = [("start", 0x1000), ("odd", 0x1043)];
    let read = Sums::parse_at(text, 0x1040, &labels).map_err(|error| error.to_string())?;
    let [op, to, by, _] = read.encode().unwrap().to_le_bytes();
    Ok((op, to.cast_signed(), by.cast_signed()))
}

#[test]
fn a_number_stands_behind_a_label() {
    for (text, distance) in [
        ("J start;", -0x40),
        ("J start + 8;", -0x38),
        ("J start+8;", -0x38),
        ("J start - 0x10;", -0x50),
        ("J start /* ; */ + // ;\n 2;", -0x3e),
        ("J start + 0xbe;", 0x7e),
        ("J odd + 1;", 4),
        ("J odd - 3;", 0),
        ("J . + 8;", 8),
    ] {
        assert_eq!(read(text), Ok((1, (distance / 2) as i8, 0)), "{text}");
    }
    assert_eq!(read("TWO odd - 1, start + 4;"), Ok((2, 1, -0x1e)));
    assert_eq!(read("MARKED odd + 5;"), Ok((7, 4, 0)));
    assert_eq!(read("PAGE start + 0x21;"), Ok((6, -2, 0)), "pages of 16 bytes");
}

/// A sign after a target belongs to the template if the template requires it.
#[test]
fn a_template_goes_on_with_a_sign() {
    assert_eq!(read("PLUS start + 8;"), Ok((3, -0x20, 8)));
    assert_eq!(read("PLUS start + 8 + 6;"), Ok((3, -0x1c, 6)));
    assert_eq!(read("PLUS start - 8 + 6;"), Ok((3, -0x24, 6)));
    assert_eq!(read("PLUS odd + 1 + 6;"), Ok((3, 2, 6)));
    assert_eq!(read("MINUS start - 8;"), Ok((4, -0x20, 8)));
    assert_eq!(read("MINUS start + 8;"), Ok((4, -0x1c, 0)));
    assert_eq!(read("BESIDE start -8;"), Ok((5, -0x20, -8)));
    assert_eq!(read("BESIDE start - 8 -6;"), Ok((5, -0x24, -6)));
    assert_eq!(read("BESIDE start + 8 6;"), Ok((5, -0x1c, 6)));
    assert_eq!(read("B start + 8;"), Ok((9, -0x20, 8)), "which is what prints so");
    assert_eq!(read("B start - 8;"), Ok((8, -0x24, 0)));
}

#[test]
fn each_word_is_read_back_among_labels() {
    let labels = [("start", 0x1000), ("near", 0x1038), ("here", 0x1040)];
    for op in 1..=9u32 {
        for rest in 0..=u16::MAX {
            let Ok(word) = Sums::decode(op | u32::from(rest) << 8) else { continue };
            let text = word.at(0x1040, &labels).to_string();
            let again = Sums::parse_at(&text, 0x1040, &labels);
            let again = again.unwrap_or_else(|error| panic!("{text} {error}"));
            assert_eq!(again.encode().unwrap(), op | u32::from(rest) << 8, "{text}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_number_behind_a_label() {
    let says = |text| read(text).unwrap_err();
    let reach = "expected a multiple of 2 from -256 to 254";
    assert_eq!(
        says("J start + 0x140;"),
        format!("`start + 0x140` is 256 bytes ahead, out of range: {reach}")
    );
    assert_eq!(says("J start + 1;"), format!("`start + 1` is 63 bytes back, misaligned: {reach}"));
    assert_eq!(says("J strat + 8;"), "unknown label `strat`");
    assert_eq!(says("J start + x;"), "expected `;`, found `+`; the syntax is `J to;`");
    assert_eq!(says("J start + 8 + 8;"), "expected `;`, found `+`; the syntax is `J to;`");
    assert_eq!(says("J start + 0x10000000000000000;"), "the number has more than 64 bits");
    assert_eq!(says("PLUS start + 256;"), "out of range: expected a number from 0 to 255");
    assert_eq!(says("J 8 + 8;"), "expected `;`, found `+`; the syntax is `J to;`");
}

#[test]
fn programs_have_numbers_behind_labels() {
    let assemble = |text| Assembler::new(Sums::SET).assemble(text);
    let text = ".equ SIZE, 4; J end - 4; start: J end + SIZE; J odd+1; B start + 8; .byte 0; odd: .byte 0; end:";
    let program = assemble(text).unwrap();
    let halves: Vec<_> = program.bytes.chunks(4).map(|it| it[1].cast_signed()).collect();
    // `end` is at 18 and `odd` at 17.
    assert_eq!(halves[..4], [7, 9, 5, -4]);
    let errors = assemble("J end + 300; J edn + 1; end:").unwrap_err().to_string();
    assert_eq!(
        errors,
        "1:3: `end + 300` is 308 bytes ahead, out of range: expected a multiple of 2 from -256 to \
         254\n1:16: unknown label `edn`; did you mean `end`?"
    );
}
