//! Tests constants: the places where their names replace numbers, their possible values, and
//! errors.

use isa_core::asm::{Assembler, DIRECTIVES, Draft, LabelMap, Meaning, Reference};
use isa_core::text::Labels;

isa_core::define_isa! {
    /// Numbers of several types next to registers.
    isa Counts: u32;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Int: 8 = isa_core::operand::Signed<8>;
    operand Slot: 6 = isa_core::operand::Unsigned<6, 2>;
    operand Target: 8 = isa_core::operand::Relative<8, 2>;
    enum Code: 4 { ADDI = 1, ADD = 2, LD = 3, J = 4, NOP = 5 }
    opcode ADDI {
        encoding { field<0, 4> Code op == ADDI; field<8, 8> Reg rd; field<16, 8> Int by; } syntax { ADD Rd, by; }
    }
    opcode ADD {
        encoding { field<0, 4> Code op == ADD; field<8, 8> Reg rd; field<16, 8> Reg ra; } syntax { ADD Rd, Ra; }
    }
    opcode LD {
        encoding { field<0, 4> Code op == LD; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 6> Slot at; }
        syntax   { LD Rd, at "(" Ra ")"; }
    }
    opcode J { encoding { field<0, 4> Code op == J; field<8, 8> Target to; } syntax { J to; } }
    opcode NOP { encoding { field<0, 4> Code op == NOP; } syntax { NOP; } }
}

pub(super) const COUNTS: &isa_core::table::InstructionSet = Counts::SET;

fn bytes(text: &str) -> Vec<u8> {
    match Assembler::new(Counts::SET).assemble(text) {
        Ok(program) => program.bytes,
        Err(errors) => panic!("{text}: {errors}"),
    }
}

fn says(text: &str) -> String {
    Assembler::new(Counts::SET).assemble(text).expect_err(text).to_string()
}

/// Checks that a program with constants and one with their values assemble to the same bytes.
#[track_caller]
fn assert_same(with: &str, without: &str) {
    assert_eq!(bytes(with), bytes(without), "{with}");
}

#[test]
fn a_name_stands_for_its_number() {
    assert_same(".equ N, 5; ADD R1, N;", "ADD R1, 5;");
    assert_same("ADD R1, N; LD R2, N(R3); .set N, 8;", "ADD R1, 8; LD R2, 8(R3);");
    assert_same("ADD R1, -N; ADD R2, +N; .equ N, 8;", "ADD R1, -8; ADD R2, +8;");
    assert_same(
        ".equ N, -3; ADD R1, N; .byte N, -N, N + 4, -N - 1;",
        "ADD R1, -3; .byte -3, 3, 1, 2;",
    );
    assert_same(".equ A, B + 1; .equ B, 2 - 4; ADD R1, A;", "ADD R1, -1;");
    assert_same(
        ".equ N, 3; .byte N; .balign N + 1; .zero N; .org N + 9;",
        ".byte 3; .balign 4; .zero 3; .org 12;",
    );
    assert_same(".equ W, 0x1234; .word W; .8byte W, -W;", ".word 0x1234; .8byte 0x1234, -0x1234;");
    assert_same(".equ N, 8; ADD/* N */R1/**/,N// N\n;", "ADD R1, 8;");
    // A text that can be parsed without a constant is: a register remains a register, a mnemonic a
    // mnemonic.
    assert_same(".equ R2, 5; .equ ADD, 6; ADD R1, R2; ADD R1, ADD;", "ADD R1, R2; ADD R1, 6;");
    assert_eq!(
        bytes(".equ N, 18446744073709551615; .8byte N; .equ M, -9223372036854775808; .8byte M;")
            .len(),
        16
    );
}

#[test]
fn a_name_stands_for_an_address() {
    assert_same("NOP; a: NOP; .equ b, a + 4; J b; J a;", "NOP; a: NOP; b: J b; J a;");
    assert_same(
        ".equ length, end - start; start: NOP; NOP; end: ADD R1, length;",
        "NOP; NOP; ADD R1, 8;",
    );
    assert_same("NOP; .equ here, .; NOP; J here; .byte here;", "NOP; here: NOP; J here; .byte 4;");
    // A number is an address if the operand is a target.
    assert_same(".equ entry, 8; J entry; NOP; NOP;", "J entry; NOP; entry: NOP;");
    assert_same(".equ n, end - s; s: .zero 3; end: .zero n; x: .byte x;", ".zero 6; .byte 6;");
    let program =
        Assembler::new(Counts::SET).assemble("NOP; .equ b, a + 2; a: .equ n, 3;").unwrap();
    assert_eq!(program.labels.iter().collect::<Vec<_>>(), [("a", 4), ("b", 6)]);
    assert_eq!(program.labels.constants().collect::<Vec<_>>(), [("n", 3)]);
    // Constants can be passed to other programs.
    let next = Assembler::new(Counts::SET).labels(program.labels).assemble("ADD R1, n; .byte b;");
    assert_eq!(next.unwrap().bytes, bytes("ADD R1, 3; .byte 6;"));
}

#[test]
fn what_is_wrong_is_said() {
    let each = [
        (
            ".equ N, 1; .set N, 2;",
            "1:17: `N` is defined twice; the first definition is on line 1; rename one of them",
        ),
        (
            "N: .equ N, 1;",
            "1:9: `N` is defined twice; the first definition is on line 1; rename one of them",
        ),
        (
            ".equ a, b; .equ b, c + 1; .equ c, a; ADD R1, b;",
            "1:6: the value of `a` depends on itself; write its value as a number; it depends on `b` and `c`",
        ),
        (
            ".equ a, a; .byte a; .zero a;",
            "1:6: the value of `a` depends on itself; write its value as a number",
        ),
        (
            ".equ a, nix; ADD R1, a;",
            "1:9: unknown label `nix`; define it: write `NAME:` before a statement",
        ),
        (".equ COUNT, 1; .zero CUONT;", "1:22: unknown constant `CUONT`; did you mean `COUNT`?"),
        (
            ".equ COUNT, 1; ADD R1, CUONT;",
            "1:24: no form of `ADD` accepts `CUONT` here; did you mean `COUNT`?",
        ),
        (".zero nix;", "1:7: unknown constant `nix`; define it: `.equ NAME, NUMBER;`"),
        (
            "x: y: .equ a, x + y; .byte a;",
            "1:12: `a` is neither a number nor an address; use at most one address, or subtract one for each further address",
        ),
        (
            ".equ a, -x; x:",
            "1:6: `a` is neither a number nor an address; use at most one address, or subtract one for each further address",
        ),
        (
            ".equ a, 0xffffffffffffffff + 1; .byte a;",
            "1:6: the value of `a` needs more than 64 bits; expected a value from -9223372036854775808 to 18446744073709551615",
        ),
        (".equ a, 0x10000000000000000;", "1:9: the number has more than 64 bits"),
        (".equ a 5; .byte a;", "1:7: expected `,` and a number after the name"),
        (".equ a, 5 5; .byte a;", "1:10: expected `+`, `-` or `;` after the value"),
        (".equ 5, 5;", "1:6: expected the name of a constant"),
        (".equ ., 5;", "1:6: expected the name of a constant"),
        (".equ a, ;", "1:9: expected a number"),
        (".equ N, 200; ADD R1, N;", "1:22: out of range: expected a number from -128 to 127"),
        (".equ N, 3; LD R1, N(N);", "1:19: out of range: expected a multiple of 4 from 0 to 252"),
        (".equ N, 256; .byte N;", "1:20: byte out of range: expected a number from -128 to 255"),
        (".equ N, -4; .zero N;", "1:19: the number is below 0"),
    ];
    for (text, said) in each {
        assert_eq!(says(text), said, "{text}");
    }
    // If a register is expected, the error is about the name, not about its value.
    let register = says(".equ N, 4; LD R1, N(N);");
    assert!(register.starts_with("1:21: ") && register.contains("`N`"), "{register}");
    let text = ".equ n, end - start; start: .zero n + 1; end:";
    assert!(says(text).contains("the statement length and the label address"), "{}", says(text));
}

/// Constants may refer to each other without limit, because they are evaluated without recursion.
#[test]
fn a_long_chain() {
    let mut text = String::new();
    for number in 0..20_000 {
        text += &format!(".equ a{number}, a{} + 1;", number + 1);
    }
    assert_same(&format!("{text} .equ a20000, 7; .4byte a0;"), ".4byte 20007;");
    let error = says(&format!("{text} .equ a20000, a3;"));
    assert!(
        error.contains("the value of `a3` depends on itself") && error.contains("and 19993 more"),
        "{error}"
    );
}

#[test]
fn in_objects_a_number_is_a_symbol_where_an_address_is_meant() {
    let assembler = Assembler::new(Counts::SET).relocations(|reference| match reference {
        Reference::Operand { .. } => Some(1),
        Reference::Data { .. } => Some(2),
        _ => None,
    });
    let text =
        ".globl n; .equ n, 8; .equ b, a + 4; a: J n; J b; .byte n; .byte b; ADD R1, n; .balign n;";
    let program = assembler.assemble(text).unwrap();
    let filled = program.relocations.iter().map(|it| (it.address, it.symbol.as_deref(), it.addend));
    assert_eq!(filled.collect::<Vec<_>>(), [(0, Some("n"), 0), (9, Some("b"), 0)]);
    assert_eq!(program.bytes[8..10], [8, 0]);
    assert_eq!((program.globals, program.align), (vec!["n".to_owned()], 8));
}

#[test]
fn an_editor_finds_constants() {
    let text = ".equ N, 4 + M; .equ M, 1; ADD R1, N; .byte N, M; LD R2, 4(R3); J N; .zero M;";
    let draft = Draft::new(Assembler::new(Counts::SET), text.into());
    assert_eq!(draft.errors().len(), 1, "5 is no target");
    let defined: Vec<_> = draft.statements().filter_map(|it| it.constant()).collect();
    assert_eq!(defined, [("N", 5..6), ("M", 20..21)]);
    let named =
        draft.statements().flat_map(|it| it.references()).map(|place| (place.start, &text[place]));
    let places = [(12, "M"), (34, "N"), (43, "N"), (46, "M"), (65, "N"), (74, "M")];
    assert_eq!(named.collect::<Vec<_>>(), places);

    let labels = LabelMap::from_iter([("a", 4)]);
    let program = Assembler::new(Counts::SET).labels(labels).assemble(".equ N, 4; .equ BIG, 400;");
    let labels = program.unwrap().labels;
    let site = isa_core::text::InstructionContext::new(0, &labels);
    let offered = |text: &str| {
        let found = Counts::SET.completions(text, Some(&site), ["a", "N", "BIG"]);
        let names = found
            .into_iter()
            .filter(|it| matches!(it.meaning, Meaning::Label(_) | Meaning::Constant(_)));
        names.map(|it| it.text).collect::<Vec<_>>()
    };
    assert_eq!(offered("ADD R1, "), ["N"], "what fits");
    assert_eq!(offered("ADD R1, N"), ["N"]);
    assert_eq!(offered("LD R1, N("), [""; 0]);
    assert_eq!(offered(".byte "), ["a", "N"]);
    assert_eq!(offered(".zero "), ["N", "BIG"]);
    assert_eq!(offered(".equ X, "), ["a", "N", "BIG"]);
    assert_eq!(offered(".equ "), [""; 0]);
    assert!(DIRECTIVES.contains(&".equ"));
    assert_eq!(
        (labels.constant("N"), labels.address("N"), labels.constant("a")),
        (Some(4), Some(4), None)
    );
}
