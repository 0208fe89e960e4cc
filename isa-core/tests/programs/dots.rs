//! Tests names that contain dots, as compilers emit them, together with modifiers after targets.

use isa_core::asm::{Assembler, Disassembler, Draft, Program, Reference};
use isa_core::text::Labels;

mod set {
    isa_core::define_isa! {
        /// Jumps with and without a modifier after the target.
        pub(super) isa Dotted: u16;

        operand Near: 6 = isa_core::operand::Relative<6, 1>;
        operand Five: 5 = isa_core::operand::Signed<5>;
        enum Op: 2 { B = 0, C = 1, LI = 3 }
        enum Mode: 1 { N = 0, Z = 1 }

        opcode B {
            encoding { field<0, 2> Op op == B; field<2, 1> Mode mode = N; field<8, 6> Near to; }
            syntax   { B to{.mode}; }
        }
        opcode C  { encoding { field<0, 2> Op op == C; field<8, 6> Near to; } syntax { C to; } }
        opcode LI { encoding { field<0, 2> Op op == LI; field<8, 5> Five imm; } syntax { LI imm; } }
    }
}

use set::Dotted;

const KIND: fn(Reference) -> Option<u32> = |reference| match reference {
    Reference::Data { bytes, .. } => Some(bytes as u32),
    _ => Some(100),
};

fn program(text: &str) -> Program {
    let assembled = Assembler::new(Dotted::SET).assemble(text);
    assembled.unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn object(text: &str) -> Program {
    let assembled = Assembler::new(Dotted::SET).relocations(KIND).assemble(text);
    assembled.unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn symbols(program: &Program) -> Vec<Option<&str>> {
    program.relocations.iter().map(|it| it.symbol.as_deref()).collect()
}

fn says(text: &str) -> String {
    Assembler::new(Dotted::SET).assemble(text).expect_err(text).to_string()
}

/// Checks that a program assembles to the same bytes as one whose names have no dots.
fn same(text: &str, plain: &str) {
    assert_eq!(program(text).bytes, program(plain).bytes, "{text}");
}

#[test]
fn a_name_may_have_dots() {
    same("mul.part.0: C mul.part.0; B mul.part.0;", "mul: C mul; B mul;");
    same("C a.b.1; C a.b.2 + 2; a.b.1: .zero 2; a.b.2:", "C a; C b + 2; a: .zero 2; b:");
    // The longest name that is a label is used; the text after it is a modifier.
    same("a: a.b: .zero 2; a.b.c: B a.b.Z; B a.Z; B a.b.c;", "x: .zero 2; y: B x.Z; B x.Z; B y;");
    same("LI n.1; LI -n.2; .equ n.1, 5; .equ n.2, 1;", "LI 5; LI -1;");
    let labels = program("a.b: .4byte 1; c: C a.b;").labels;
    assert_eq!((labels.address("a.b"), labels.address("a")), (Some(0), None));
    // A name may contain dots but cannot end with one.
    assert!(Assembler::new(Dotted::SET).assemble("a.: C a.;").is_err());
    assert!(Assembler::new(Dotted::SET).assemble("1a.b: C 0;").is_err());
}

#[test]
fn the_labels_decide_what_a_dot_is() {
    let with = |labels: &str| program(&format!("loop: {labels} B loop.Z;")).bytes;
    assert_eq!(with("")[0], 0b100, "the modifier");
    assert_eq!(with("loop.Z:")[0], 0b000, "the label");
    assert_eq!(with(".equ loop.Z, 0;")[0], 0b000, "the name of an address");
    // A label that is defined later has the same effect.
    assert_eq!(program("loop: B loop.Z; loop.Z:").bytes, program("loop: B z; z:").bytes);
}

#[test]
fn in_directives_a_name_is_whole() {
    let text = ".globl a.b, c; .type a.b, @function; a: a.b: .4byte a.b + 4, c - 1; .size a.b, .-a.b; \
                .set d.e, a.b + 1; c: .byte d.e;";
    let program = program(text);
    assert_eq!((program.globals.join(" "), program.bytes.len()), ("a.b c".to_owned(), 9));
    assert_eq!(program.bytes, [4, 0, 0, 0, 7, 0, 0, 0, 1]);
    let (name, _) = &program.types[0];
    assert_eq!(name, "a.b");
    assert_eq!(
        says("a: .byte a.b;"),
        "1:10: unknown label `a.b`; define it: write `NAME:` before a statement"
    );
}

#[test]
fn mistakes_name_all_of_a_name() {
    assert_eq!(
        says("mul.part.0: C mul.prat.0;"),
        "1:15: unknown label `mul.prat.0`; did you mean `mul.part.0`?"
    );
    assert_eq!(
        says("a.b: a.b: C a.b;"),
        "1:6: `a.b` is defined twice; the first definition is on line 1; rename one of them"
    );
    // If a modifier is possible, the error is about the modifier.
    assert!(says("loop: B loop.X;").contains("modifier"), "{}", says("loop: B loop.X;"));
}

#[test]
fn what_an_object_leaves_to_a_linker() {
    let one = object("C mul.part.0; C mul.part.0 + 4; .4byte table.1 + 4; B there.Z;");
    let named = ["mul.part.0", "mul.part.0", "table.1", "there"].map(Some);
    assert_eq!(symbols(&one), named);
    assert_eq!((one.relocations[1].addend, one.relocations[2].addend), (4, 4));
    assert_eq!(one.bytes[8], 0b100, "the modifier");
    // A label in another section is a label of the program.
    let one = object("B f.cold; B f.cold.Z; .section .text.unlikely, \"ax\"; f.cold: C f.cold;");
    assert_eq!(symbols(&one), [Some("f.cold"), Some("f.cold")]);
    assert_eq!((one.bytes[0], one.bytes[2]), (0, 0b100));
}

#[test]
fn what_is_printed_is_read_back() {
    let back = |labels: &[(&str, u64)], bytes: &[u8]| {
        let labels: isa_core::asm::LabelMap = labels.iter().copied().collect();
        let text = Disassembler::new(Dotted::SET).labels(labels).disassemble(bytes);
        assert_eq!(program(&text).bytes, bytes, "{text}");
        text
    };
    let bytes = program("l: B l; B l.Z;").bytes;
    assert_eq!(back(&[("a.b", 0)], &bytes), "a.b:\n    B a.b;\n    B a.b.Z;\n");
    // `a.Z` would be parsed as the other label.
    assert_eq!(back(&[("a", 0), ("a.Z", 2)], &bytes), "a:\n    B a;\na.Z:\n    B -2.Z;\n");
    assert_eq!(back(&[("a", 0), ("a.N", 2)], &bytes), "a:\n    B a;\na.N:\n    B a.Z;\n");
}

#[test]
fn what_a_linker_finds_is_printed_where_it_is_read_back() {
    let text = |text: &str| {
        let program = object(text);
        let disassembler = Disassembler::new(Dotted::SET).relocations(program.relocations, KIND);
        disassembler.disassemble(&program.bytes)
    };
    assert_eq!(text("C there.0;"), "    C there.0;\n");
    assert_eq!(text("C there.0 + 2;"), "    C there.0 + 2;\n");
    // `there.Z` would be parsed as `there` with the modifier `.Z`.
    let mut program = object("B there;");
    program.relocations[0].symbol = Some("there.Z".into());
    let disassembler = Disassembler::new(Dotted::SET).relocations(program.relocations, KIND);
    assert!(!disassembler.disassemble(&program.bytes).contains("there"));
}

#[test]
fn editors_take_a_name_whole() {
    let text = "a: a.b: B a.b.Z; B a.Z; C c.d; LI n.1; .equ n.1, 2;";
    let draft = Draft::new(Assembler::new(Dotted::SET), text.into());
    let named: Vec<&str> = draft
        .statements()
        .flat_map(|statement| statement.references())
        .map(|place| &text[place])
        .collect();
    assert_eq!(named, ["a.b", "a", "c.d", "n.1"]);
    // Adding or removing a label changes the meaning of a text with its name.
    let mut draft = Draft::new(Assembler::new(Dotted::SET), "a: B a.Z; b:".into());
    let word = |draft: &Draft| draft.statements().find_map(|it| it.instruction()).map(|it| it.1);
    let modifier = word(&draft);
    draft.edit(10..11, "a.Z");
    assert_ne!(word(&draft), modifier);
    draft.edit(10..13, "b");
    assert_eq!(word(&draft), modifier);
}
