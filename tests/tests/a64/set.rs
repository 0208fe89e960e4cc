//! Tests of the set without other tools: its size, programs with labels, and further spellings.

use isa_a64::A64;
use isa_core::asm::{Assembler, Disassembler};

fn word(text: &str) -> u32 {
    let read: A64 = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    read.encode().expect("legal")
}

#[test]
fn the_set_has_so_many_opcodes() {
    let (opcodes, spellings) = (A64::SET.opcodes.len(), A64::SET.spellings.len());
    assert_eq!((opcodes, spellings - opcodes), (338, 234));
    assert!(A64::SET.opcodes.iter().all(|opcode| !opcode.doc.trim().is_empty()));
}

#[test]
fn programs_have_labels() {
    let text = "L_0:
    adr x0, L_1c;
    adrp x1, L_0;
    cbz x0, L_0;
    tbnz w1, #3, L_18;
    b.ne L_0;
    ldr x2, L_1c;
L_18:
    ret;
L_1c:
    .word 0x00000000;
";
    let program = Assembler::new(A64::SET).assemble(&text.replace(".word", ".4byte"));
    let bytes = program.expect("a program").bytes;
    assert_eq!(Disassembler::new(A64::SET).disassemble(&bytes), text);
}

/// Checks spellings that LLVM accepts but does not print.
#[test]
fn further_spellings_are_read() {
    assert_eq!(word("b.cs #8;"), word("b.hs #8;"));
    assert_eq!(word("add x1, x2, 8;"), word("add x1, x2, #8;"));
    assert_eq!(word("ldr x1, [x2, 8];"), word("ldr x1, [x2, #8];"));
    assert_eq!(word("strb w1, [x2, :lo12:0x12345];"), word("strb w1, [x2, #0x345];"));
    assert_eq!(word("cset x0, cc;"), word("cset x0, lo;"));
    assert_eq!(word("ldr x0, [x1, #-3];"), word("ldur x0, [x1, #-3];"));
    assert_eq!(word("lslv w0, w1, w2;"), word("lsl w0, w1, w2;"));
    assert_eq!(word("mov x0, #0x10000;"), word("movz x0, #1, lsl #16;"));
    assert_eq!(word("mov w0, #0xff00ff00;"), word("orr w0, wzr, #0xff00ff00;"));
    assert_eq!(word("add x0, sp, x1;"), word("add x0, sp, x1, uxtx;"));
}

/// Checks that a pattern that is rotated by more than its size has the text of another word.
#[test]
fn a_program_has_what_is_not_read_back_as_data() {
    let (usual, turned) = (0x1200_f021u32, 0x1202_f021u32);
    let text = |word| A64::decode(word).expect("legal").to_string();
    assert_eq!((text(usual), text(turned)), (text(usual), text(usual)));
    let bytes = [usual, turned].map(u32::to_le_bytes).concat();
    let listing = Disassembler::new(A64::SET).disassemble(&bytes);
    assert_eq!(listing, format!("    {}\n    .word 0x1202f021;\n", text(usual)));
}
