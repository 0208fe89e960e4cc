//! Tests mnemonics that end with a dot, and operands whose names begin like a mnemonic.
#![cfg(feature = "alloc")]

use isa_core::asm::Assembler;
use isa_core::text::Cursor;

mod dots {
    isa_core::define_isa! {
        /// Additions in the spelling of PowerPC. Some of them set flags.
        pub isa Sums: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Number: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 3 { ADD = 0, ADD_RC = 1, ADDO = 2, ADDO_RC = 3, B = 4 }
        enum Form: 1 { o = 0, p = 1 }
        opcode ADD { encoding { field<0, 3> Op op == ADD; field<8, 8> Reg rd; } syntax { add rd; } }
        opcode ADD_RC { encoding { field<0, 3> Op op == ADD_RC; field<8, 8> Reg rd; } syntax { "add." rd; } }
        opcode ADDO {
            encoding { field<0, 3> Op op == ADDO; field<4, 1> Form form = o; field<8, 8> Reg rd; }
            syntax { addo{.form} rd; }
        }
        opcode ADDO_RC {
            encoding { field<0, 3> Op op == ADDO_RC; field<4, 1> Form form = o; field<8, 8> Reg rd; }
            syntax { "addo."{.form} rd; }
        }
        opcode B { encoding { field<0, 3> Op op == B; field<4, 4> Number n; } syntax { "b.c." _ "(" n ")"; } }
    }
}

use dots::Sums;

#[test]
fn a_mnemonic_may_end_with_a_dot() {
    for (text, word) in [
        ("add R1;", 0x0100),
        ("add. R1;", 0x0101),
        ("addo.p R1;", 0x0112),
        ("addo. R1;", 0x0103),
        ("addo..p R1;", 0x0113),
        ("b.c.(3);", 0x0034),
    ] {
        let read: Sums = text.parse().unwrap();
        assert_eq!((read.encode().unwrap(), read.to_string().as_str()), (word, text));
        let slow = Sums::SET.parse_next_by_template(&mut Cursor::new(text)).unwrap().unwrap();
        assert_eq!(slow.word(), word.into(), "{text}");
    }
    for spaced in ["add.\tR1;", "add. /* flags */ R1 ;", "b.c. ( 3 );"] {
        assert!(spaced.parse::<Sums>().is_ok(), "{spaced}");
    }
    for wrong in ["add.R1;", "add . R1;", "add.. R1;", "addo.q R1;", "b.c (3);", "b. (3);"] {
        assert!(wrong.parse::<Sums>().is_err(), "{wrong}");
    }
    let error = "add.R1;".parse::<Sums>().unwrap_err().to_string();
    assert!(error.contains("did you mean `add.`?"), "{error}");
}

#[test]
fn all_words_with_such_mnemonics_are_read_back() {
    for word in 0..=u16::MAX {
        let Ok(sum) = Sums::decode(word) else { continue };
        assert_eq!(sum.to_string().parse::<Sums>().ok(), Some(sum), "{sum}");
    }
    let program = "add. R1;\nadd R2; b.c.(1);\n";
    let program = Assembler::new(Sums::SET).assemble(program).unwrap();
    assert_eq!(program.bytes, [0x01, 0x01, 0x00, 0x02, 0x14, 0x00]);
}

mod names {
    isa_core::registers! {
        /// Conditions, as operands without a mnemonic before them.
        pub Cond: 1 = "blt", "bgt" of u32;
    }

    isa_core::define_isa! {
        /// Branches. One mnemonic is the beginning of other mnemonics.
        pub isa Branches: u16;
        operand Cond: 1;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 2 { B = 0, BC = 1, BX = 2 }
        enum Hint: 1 { taken = 0, not = 1 }
        opcode B { encoding { field<0, 2> Op op == B; field<8, 8> Reg rd; } syntax { b rd; } }
        opcode BX {
            encoding { field<0, 2> Op op == BX; field<2, 1> Hint hint = taken; field<8, 8> Reg rd; }
            syntax { bl{.hint} rd; }
        }
        opcode BC {
            encoding { field<0, 2> Op op == BC; field<2, 1> Cond cond; field<8, 8> Reg rd; }
            syntax { _ cond rd; }
        }
    }
}

/// A mnemonic is a whole word: `b` does not match the beginning of `blt`.
#[test]
fn a_name_that_begins_as_a_mnemonic_is_another_word() {
    for (text, word) in [
        ("b R1;", 0x0100),
        ("blt R1;", 0x0101),
        ("bgt R1;", 0x0105),
        ("bl R1;", 0x0102),
        ("bl.not R1;", 0x0106),
    ] {
        let read: names::Branches = text.parse().unwrap();
        assert_eq!((read.encode().unwrap(), read.to_string().as_str()), (word, text));
    }
}
