//! Tests bits that no text shows and that the decoder ignores: `field<12, 4> Bits s = 0, ignored;`.

#![cfg(feature = "alloc")]

use isa_core::asm::Disassembler;
use isa_core::operand::{OperandKind, Unsigned};

/// An unsigned number of four bits.
type Num = Unsigned<4>;

isa_core::define_isa! {
    /// Instructions with bits that the machine ignores.
    isa Loose: u16;
    operand Num: 4;
    enum Op: 4 { ADD = 1, NOP = 2, GET = 3, PUT = 4, RET = 5 }

    group ALL { encoding { field<0, 4> Op op; field<12, 4> Num rest = 0, ignored; } }
    group ONE : [ALL] { encoding { field<4, 4> Num n; } }
    /// Four bits are ignored, and encoded as 0.
    opcode ADD : [ONE] { encoding { op == ADD; field<8, 4> Num m; } syntax { ADD n, m; } }
    alias INC of ADD { encoding { m == 1; } syntax { INC n; } }
    /// The ignored bits are encoded as ones.
    opcode NOP : [ALL] { encoding { op == NOP; rest = 15; field<4, 8> Bits s = 0xf0, ignored; } syntax { NOP; } }
    /// All other words are invalid.
    opcode GET : [ONE] { encoding { op == GET; rest == 0; } syntax { GET n; } }
    /// A condition may reject a value that the machine ignores.
    opcode PUT : [ONE] { encoding { op == PUT; where rest != 9; } syntax { PUT n; } }
    operand Bits: 8 = isa_core::operand::Hex<8>;
    operand Pred: 3 = isa_core::operand::Pred;
    /// The default has a name that only the Rust type declares.
    opcode RET : [ALL] { encoding { op == RET; field<4, 3> Pred p = PT, ignored; } syntax { RET; } }
}

fn word(text: &str) -> u16 {
    text.parse::<Loose>().unwrap().encode().unwrap()
}

#[test]
fn ignored_bits_are_written_as_the_default() {
    assert_eq!([word("ADD 2, 3;"), word("NOP;"), word("GET 5;")], [0x0321, 0xff02, 0x0053]);
    assert_eq!(word("RET;"), 0x0075);
    let num = Num::from_bits;
    assert_eq!(Add::new(num(2), num(3)).rest(num(7)).encode().unwrap(), 0x7321);
}

#[test]
fn a_word_with_other_ignored_bits_is_the_same_instruction() {
    let add = Loose::decode(0x7321).unwrap();
    assert_eq!((add.to_string(), add.encode().unwrap()), ("ADD 2, 3;".to_owned(), 0x7321));
    assert_eq!(Loose::decode(0x7121).unwrap().to_string(), "INC 2;");
    let error = Loose::decode(0x1053).unwrap_err().to_string();
    assert!(error.contains("`rest` (bits 15:12) is 0x1"), "{error}");
    let error = Loose::decode(0x9004).unwrap_err().to_string();
    assert!(error.contains("rest != 9"), "{error}");
}

#[test]
fn whether_a_text_is_read_as_the_word_is_known() {
    let mut ignored = 0;
    for bits in 0..=u16::MAX {
        let Ok(opcode) = Loose::SET.decode(bits.into()) else { continue };
        let text = Loose::decode(bits).unwrap().to_string();
        let is_read = word(&text) == bits;
        assert_eq!(opcode.reads_back(bits.into()), is_read, "{bits:#x}: {text}");
        ignored += u32::from(!is_read);
    }
    // 15 of 16 words of ADD, all except one of NOP, 14 of 15 of PUT, and all except one of RET.
    assert_eq!(ignored, 256 * 15 + 0xfff + 16 * 14 + 127);
    assert!(!Loose::SET.always_reads_back());
}

#[test]
fn a_disassembled_program_assembles_to_the_same_bytes() {
    let code = [0x0321u16, 0x7321, 0x7121, 0xff02, 2].map(u16::to_le_bytes).concat();
    let text = Disassembler::new(Loose::SET).disassemble(&code);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(lines, ["ADD 2, 3;", ".word 0x7321;", ".word 0x7121;", "NOP;", ".word 0x0002;"]);
    assert_eq!(
        Loose::SET.data_line(0x7321, 16),
        ".word 0x7321; // ADD 2, 3; assembles to other bits"
    );
}
