//! Tests the additional syntax of compilers and the GNU assembler: quoted strings, other names of
//! directives, directives that only debuggers use, and padding that a processor executes.

use isa_core::asm::{Assembler, Disassembler};
use isa_core::text::Line;

use super::mixed::Mixed;
use super::{bytes, says};

#[test]
fn text_in_quotes() {
    assert_eq!(
        bytes(".ascii \"a;b\"; .asciz \"//\", \"/*\"; .string \"\\\"\"; INC R1;"),
        *b"a;b//\0/*\0\"\0\x01\x01"
    );
    // With lines as statements, `#` begins a comment.
    let text = "x: .asciz \"# a;\" # \"b\n.ascii \"c\"; .ascii \"d\"\n";
    let program = Assembler::new(Mixed::SET).lines("#").assemble(text).unwrap();
    assert_eq!(program.bytes, *b"# a;\0cd");
    assert_eq!(says(".ascii \"a;"), "1:8: expected a quoted string on one line");
    assert_eq!(says(".ascii \"a\" \"b\";"), "1:11: expected `,` or `;` after the string");
}

#[test]
fn names_that_compilers_write() {
    assert_eq!(
        bytes(".short 1; .hword 2; .half 3; .long 4; .int 5; .quad 6; .skip 1; .space 1, 9;"),
        bytes(".2byte 1, 2, 3; .4byte 4, 5; .8byte 6; .byte 0, 9;")
    );
    let ignored = ".file \"x; y.c\"; .ident \"GCC: (x) 1\"; x: .size x, .-x; .loc 1 2 3 is_stmt 0; \
                   .cfi_startproc; .cfi_def_cfa_offset 16; .byte 1;";
    assert_eq!(bytes(ignored), [1]);
    let align = "1:1: unknown directive `.align`; `.align` counts bytes on some machines and powers of two on others: \
                 write `.balign 8` or `.p2align 3`";
    assert_eq!(says(".align 2;"), align);
}

/// The names of directives that a tool adds take precedence over the others. They are accepted in
/// all places: data that a linker fills in, constants, sections and alignments.
#[test]
fn names_of_ones_own() {
    let assembler = Assembler::new(Mixed::SET)
        .directives(&[
            (".align", ".p2align"),
            (".int", ".2byte"),
            (".let", ".equ"),
            (".code", ".text"),
            (".export", ".globl"),
            (".opt*", ""),
            (".wrong", ".nothing"),
        ])
        .relocations(|_| Some(1));
    let text = ".options a, b; .opt; .let N, 3; .data; .byte 1; .align 3; .code; .export x; .int N, y; INC R1;";
    let program = assembler.assemble(text).unwrap();
    assert_eq!(program.bytes, [3, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((program.globals, program.align), (vec!["x".to_owned()], 8));
    assert_eq!(program.relocations.len(), 1);
    let error = assembler.assemble(".wrong 1;").unwrap_err();
    assert!(error.to_string().contains("unknown directive `.wrong`"), "{error}");
}

/// A statement that does not begin with a dot is an instruction, even if the tool adds its name.
#[test]
fn a_name_of_ones_own_begins_with_a_dot() {
    let is_taken = |names: &'static [(&'static str, &'static str)]| {
        std::panic::catch_unwind(|| Assembler::new(Mixed::SET).directives(names)).is_ok()
    };
    assert!(is_taken(&[(".defb", ".byte"), (".d.$_1*", ""), (".*", "")]));
    for name in
        [&[(".a", ""), ("defb", ".byte")], &[(".a", ""), ("", "")], &[(".a b", ""), (".a", "")]]
    {
        assert!(!is_taken(name), "{name:?}");
    }
}

/// Directives that the disassembler prints have the same meaning in every dialect.
#[test]
fn a_directive_that_is_written_keeps_its_meaning() {
    let is_taken = |names: &'static [(&'static str, &'static str)]| {
        std::panic::catch_unwind(|| Assembler::new(Mixed::SET).directives(names)).is_ok()
    };
    assert!(is_taken(&[(".word", ".2byte"), (".byte", ".byte"), (".set", "")]));
    for name in [".byte", ".2byte", ".4byte", ".8byte", ".section", ".equ"] {
        assert!(!is_taken(Box::leak(Box::new([(name, ".ascii")]))), "{name}");
    }
    let all = Assembler::new(Mixed::SET).directives(&[(".*", "")]);
    assert_eq!(all.assemble(".byte 1; .2byte 2; .other 3;").unwrap().bytes, [1, 2, 0]);
}

mod odd {
    isa_core::define_isa! {
        /// Words of three bytes.
        pub isa Three: u24;
        operand Bits: 8 = isa_core::operand::Unsigned<8>;
        opcode NOP { encoding { field<16, 8> Bits op == 1; field<0, 16> Imm n; } syntax { NOP n; } }
        operand Imm: 16 = isa_core::operand::Unsigned<16>;
    }
}

mod halves {
    isa_core::define_isa! {
        /// Words of four bytes. The half with the highest bits is first in memory.
        pub isa Halves: u32;
        bytes little_endian_halfwords;
        operand Bits: 8 = isa_core::operand::Unsigned<8>;
        operand Imm: 24 = isa_core::operand::Unsigned<24>;
        opcode NOP { encoding { field<24, 8> Bits op == 1; field<0, 24> Imm n; } syntax { NOP n; } }
    }
}

/// Invalid words are printed as data that assembles to the same bytes, whatever `.word` means in
/// the dialect.
#[test]
fn data_assembles_in_every_dialect() {
    let dialects: [&'static [(&'static str, &'static str)]; 6] = [
        &[],
        &[(".word", ".2byte")],
        &[(".word", ".4byte")],
        &[(".word", "")],
        &[(".w*", ".nothing")],
        &[(".word", ".ascii"), (".short", ".4byte")],
    ];
    let code = [0x11, 0x22, 0x33, 0x44, 5, 6, 1, 8, 0xff, 0xfe, 0xfd];
    for set in [odd::Three::SET, halves::Halves::SET, Mixed::SET] {
        for (names, len) in
            dialects.into_iter().flat_map(|names| (0..=code.len()).map(move |len| (names, len)))
        {
            let code = &code[..len];
            let text = Disassembler::new(set).directives(names).disassemble(code);
            let program = Assembler::new(set).directives(names).assemble(&text);
            assert_eq!(
                program.unwrap_or_else(|e| panic!("{text}{e}")).bytes,
                code,
                "{names:?} {text}"
            );
        }
    }
    let text = |names, set: &'static isa_core::table::InstructionSet, word, bits| {
        let mut line = Line::new();
        set.print_data_in(names, word, bits, &mut line);
        line.as_str().to_owned()
    };
    let three = odd::Three::SET;
    assert_eq!(text(&[], three, 0x0033_2211, 24), ".word 0x332211;");
    assert_eq!(text(&[(".word", ".2byte")], three, 0x0033_2211, 24), ".byte 0x11, 0x22, 0x33;");
    let four = halves::Halves::SET;
    assert_eq!(text(&[], four, 0x1122_3344, 32), ".word 0x11223344;");
    // In memory the bytes are 22 11 44 33, which as a four-byte number is 0x33441122.
    assert_eq!(text(&[(".word", ".4byte")], four, 0x1122_3344, 32), ".word 0x33441122;");
    assert_eq!(text(&[(".word", ".2byte")], four, 0x1122_3344, 32), ".4byte 0x33441122;");
}

/// Instructions without an effect fill the space before an alignment in code, the longer ones after
/// the shorter ones. They are used in no other place.
#[test]
fn room_between_instructions() {
    let assembler = Assembler::new(Mixed::SET).padding(&[&[3, 0xff, 4, 0], &[1, 0xff]]);
    let bytes = |text: &str| assembler.assemble(text).unwrap().bytes;
    assert_eq!(bytes("INC R1; .balign 8; INC R2;"), [1, 1, 1, 0xff, 3, 0xff, 4, 0, 1, 2]);
    assert_eq!(bytes(".byte 9; .p2align 3;"), [9, 0, 1, 0xff, 3, 0xff, 4, 0]);
    assert_eq!(bytes(".byte 9; .balign 4, 5; .zero 2; .org 8;"), [9, 5, 5, 5, 0, 0, 0, 0]);
    assert_eq!(bytes(".data; .byte 9; .balign 4;"), [9, 0, 0, 0]);
    assert_eq!(bytes(".section .x, \"ax\"; .byte 9; .balign 2; .balign 4;"), [9, 0, 1, 0xff]);
    let empty = Assembler::new(Mixed::SET).padding(&[&[], &[1, 2]]);
    assert_eq!(empty.assemble(".byte 9; .balign 4;").unwrap().bytes, [9, 0, 1, 2]);
}

/// A quote without a closing quote ends at the end of its line, even if statements do not.
#[test]
fn quotes_that_stay_open() {
    let text = "\"a; // b\n; .byte 1; \\ \"; /* \n .byte 256;";
    let said = "1:1: expected an instruction, found `\"`\n2:14: expected an instruction, found `\"`\n\
                3:8: byte out of range: expected a number from -128 to 255";
    let lined = Assembler::new(Mixed::SET).lines("#").assemble(text).unwrap_err();
    assert_eq!(lined.to_string(), said);
    let said = "1:1: expected an instruction, found `\"`\n2:19: byte out of range: expected a number from -128 to 255";
    assert_eq!(says("\"a; // b\nc; .byte 1; .byte 256;"), said);
}
