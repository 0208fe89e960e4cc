//! Tests whole programs: labels, data, and errors.
#![cfg(feature = "alloc")]

use isa_core::asm::{AssembleErrorKind, AssembleErrors, Assembler, Disassembler, LabelMap};
use isa_core::table::InstructionSet;
use isa_core::text::Labels;

mod mixed {
    use isa_core::operand::Relative;

    isa_core::define_isa! {
        /// Words of 16 and 32 bits.
        pub isa Mixed: u16 | u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Near: 6 = Relative<6, 1>;
        operand Far: 16 = Relative<16, 1>;
        /// Never 0.
        operand Over: 6 = Relative<6, 1>;
        enum Op: 2 { J = 0, INC = 1, CALL = 3 }

        opcode J    { encoding { word<16>; field<0, 2> Op op == J; field<2, 6> Near to; } syntax { J to; } }
        opcode INC  { encoding { word<16>; field<0, 2> Op op == INC; field<8, 8> Reg rd; } syntax { INC Rd; } }
        opcode SKIP {
            encoding { word<16>; field<0, 2> Op op == J; field<2, 6> Over to != 0; field<8, 1> Bit one == 1; }
            syntax   { SKIP to; }
        }
        operand Bit: 1 = isa_core::operand::Unsigned<1>;
        opcode CALL {
            encoding { word<32>; field<0, 2> Op op == CALL; field<8, 8> Reg rd; field<16, 16> Far to; }
            syntax   { CALL Rd, to; }
        }
    }
}

mod plain {
    isa_core::define_isa! {
        /// A set without jumps.
        pub isa Plain: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        opcode INC2 { encoding { field<0, 8> Reg rd; } syntax { INC Rd; } }
    }
}

mod restless {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// An operand that accepts only one distance.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Exactly<const DISTANCE: i64>;

    impl<const DISTANCE: i64> OperandKind for Exactly<DISTANCE> {
        type Value = i64;
        const WIDTH: u8 = 1;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 8;
        // The declared forms are not true: both types accept any label. The parser ignores the case
        // of forms.
        const FORMS: &'static [&'static str] = if DISTANCE == 2 { &["B*"] } else { &["b*"] };
        const TARGET: Option<fn(Self, u64) -> u64> =
            Some(|_, address| address.wrapping_add_signed(DISTANCE));

        fn from_bits(_: u64) -> Self {
            Exactly
        }
        fn to_bits(self) -> u64 {
            0
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            let target = cursor.address()?;
            let address = cursor.context().map_or(0, |site| site.address);
            let fits = target.wrapping_sub(address) as i64 == DISTANCE;
            fits.then_some(Exactly).ok_or_else(|| cursor.fault(start, "another distance"))
        }
        fn write(self, line: &mut Line) {
            line.push_str("here");
        }
    }

    isa_core::define_isa! {
        /// A jump that is long if its distance is short.
        pub(crate) isa Restless: u16 | u32;
        operand Two: 1 = Exactly<2>;
        operand Four: 1 = Exactly<4>;
        enum Op2: 2 { SHORT = 0, LONG = 3 }
        opcode SHORT { encoding { word<16>; field<0, 2> Op2 op == SHORT; field<2, 1> Four to; } syntax { J to; } }
        opcode LONG  { encoding { word<32>; field<0, 2> Op2 op == LONG; field<2, 1> Two to; } syntax { J to; } }
    }
}

#[path = "programs/constants.rs"]
mod constants;
#[path = "programs/dialect.rs"]
mod dialect;
#[path = "programs/directives.rs"]
mod directives;
#[path = "programs/dots.rs"]
mod dots;
#[path = "programs/drafts.rs"]
mod drafts;
#[path = "programs/limits.rs"]
mod limits;
#[path = "programs/lines.rs"]
mod lines;
#[path = "programs/room.rs"]
mod room;
#[path = "programs/sections.rs"]
mod sections;

use mixed::Mixed;
use plain::Plain;
use restless::Restless;

fn bytes(text: &str) -> Vec<u8> {
    match Assembler::new(Mixed::SET).origin(0x1000).assemble(text) {
        Ok(program) => program.bytes,
        Err(errors) => panic!("{errors}"),
    }
}

fn errors(set: &'static InstructionSet, text: &str) -> AssembleErrors {
    let outside = LabelMap::from_iter([("outside", 0x8000)]);
    let assembler = Assembler::new(set).origin(0x1000).labels(outside);
    assembler.assemble(text).expect_err("something is wrong")
}

fn says(text: &str) -> String {
    errors(Mixed::SET, text).to_string()
}

#[test]
fn labels_before_and_behind() {
    assert_eq!(bytes("a: J a;"), [0x00, 0x00]);
    assert_eq!(bytes("J b; INC R1; b: INC R2;"), [0x08, 0x00, 0x01, 0x01, 0x01, 0x02]);
    assert_eq!(bytes("J end; CALL R1, end; end:"), [0x0c, 0x00, 0x03, 0x01, 0x02, 0x00]);
    assert_eq!(
        bytes("a: b : /* c */ .L1: .x.$_9:\n J .x.$_9; J a; J .L1; J . + 2;"),
        [0x00, 0x00, 0xfc, 0x00, 0xf8, 0x00, 0x04, 0x00]
    );
    assert_eq!(bytes("J: J J;"), [0x00, 0x00], "a mnemonic is a name as good as any");
    assert_eq!(bytes("x: J . + 4; J . - 2;"), [0x08, 0x00, 0xfc, 0x00]);
    assert!(bytes("").is_empty() && bytes(" a: // nothing\n b:").is_empty());
}

#[test]
fn a_target_that_is_never_0() {
    assert_eq!(bytes("SKIP a; INC R0; a:"), [0x08, 0x01, 0x01, 0x00]);
    assert!(says("a: SKIP a;").starts_with("1:4: SKIP: "), "{}", says("a: SKIP a;"));
}

#[test]
fn data() {
    assert_eq!(
        bytes(".byte 1, -1,0xff;.2byte -32768; .4byte 0x12345678;"),
        [0x01, 0xff, 0xff, 0x00, 0x80, 0x78, 0x56, 0x34, 0x12]
    );
    assert_eq!(
        bytes(".8byte -9223372036854775808, 18446744073709551615;")[6..10],
        [0, 0x80, 255, 255]
    );
    assert_eq!(
        bytes(".word 0x12345678; J x; x: .2byte x, x + 2, .;"),
        [0x78, 0x56, 0x34, 0x12, 0x04, 0x00, 0x06, 0x10, 0x08, 0x10, 0x06, 0x10]
    );
    for size in [1, 2, 4, 8] {
        let directive = if size == 1 { ".byte".to_owned() } else { format!(".{size}byte") };
        let least = -(1_i128 << (8 * size - 1));
        let most = (1 << (8 * size)) - 1;
        assert_eq!(bytes(&format!("{directive} {least}, {most};")).len(), 2 * size);
        for wrong in [least - 1, most + 1] {
            let range = format!("from {least} to {most}");
            assert!(says(&format!("{directive} {wrong};")).ends_with(&range), "{wrong}");
        }
    }
}

#[test]
fn what_has_become_of_each_statement() {
    let assembler = Assembler::new(Mixed::SET).labels(LabelMap::from_iter([("puts", 0x100)]));
    let text = "start: CALL R1, puts; .byte 7, 8; end: J start;";
    let program = assembler.assemble(text).unwrap();
    let table = program.statements.iter().map(|s| (s.address, s.length, &text[s.span.clone()]));
    let expected = [(0, 4, "CALL R1, puts;"), (4, 2, ".byte 7, 8;"), (6, 2, "J start;")];
    assert_eq!(table.collect::<Vec<_>>(), expected);
    let names =
        program.statements.iter().map(|s| s.instruction.map(|(i, _)| Mixed::SET.opcodes[i].name));
    assert_eq!(names.collect::<Vec<_>>(), [Some("CALL"), None, Some("J")]);
    let labels: Vec<_> = program.labels.iter().collect();
    assert_eq!(labels, [("start", 0), ("end", 6), ("puts", 0x100)]);
}

#[test]
fn all_mistakes_are_found_in_one_run() {
    let text = "
loop:   INC R1;
        J lop;
        INK R1;
é /*é*/ J far;
loop:   .byte 256, 1;
        .fill 64;
outside: J . + 1;
        J nowhere;
        .2byte outside 1;
        J R 1;
        .4byte 0;.4byte 0;.4byte 0;.4byte 0;
far:";
    assert_eq!(
        says(text),
        "\
3:11: unknown label `lop`; did you mean `loop`?
4:9: unknown mnemonic `INK`; did you mean `INC`?
5:1: expected an instruction, found `é`
6:1: `loop` is defined twice; the first definition is on line 2; rename one of them
6:15: byte out of range: expected a number from -128 to 255
7:9: unknown directive `.fill`; the directives are `.word`, `.byte`, `.2byte`, `.4byte`, `.8byte`, `.ascii`, `.asciz`, `.zero`, `.balign`, `.p2align`, `.org`, `.globl`, `.global`, `.type`, `.equ`, `.set`, `.section`, `.text`, `.data` and `.bss`
8:1: `outside` is defined twice; it was already passed to the assembler; rename one of them
9:11: unknown label `nowhere`; define it: write `NAME:` before a statement
10:23: expected `,` or `;` after the value
11:11: unknown label `R`; define it: write `NAME:` before a statement"
    );
}

#[test]
fn targets_out_of_reach_and_misaligned() {
    let gap = ".4byte 0, 0, 0, 0, 0, 0, 0, 0;";
    assert_eq!(
        says(&format!("J far; {gap} .byte 1; odd: far: J . + 1;\n  J odd; INC R1; J . - 66;")),
        "\
1:3: `far` is 35 bytes ahead, misaligned: expected a multiple of 2 from -64 to 62
1:60: `. + 1` is 1 byte ahead, misaligned: expected a multiple of 2 from -64 to 62
2:20: `. - 66` is 66 bytes back, out of range: expected a multiple of 2 from -64 to 62"
    );
    assert_eq!(
        says(&format!("J far; {gap}\n{gap} far:")),
        "1:3: `far` is 66 bytes ahead, out of range: expected a multiple of 2 from -64 to 62"
    );
    assert_eq!(bytes(&format!("J far; {} far:", gap.repeat(2).replacen("0, ", "", 1))).len(), 62);
}

#[test]
fn what_may_only_follow_from_another_mistake_is_not_reported() {
    // The length of the unknown instruction is unknown, so the label may be near enough.
    let gap = ".4byte 0, 0, 0, 0, 0, 0, 0, 0;";
    let text = format!("J far; {gap} {gap} NIX R1; far:");
    assert_eq!(says(&text), "1:70: unknown mnemonic `NIX`; expected `CALL`, `INC`, `J` or `SKIP`");
    // A line without its `;` includes the label on the next line.
    assert_eq!(
        says("INC R1\nloop: INC R2;\nJ loop; J loob;"),
        "1:7: expected `;`, found `loop`; the syntax is `INC Rd;`\n3:11: unknown label `loob`; define \
         it: write `NAME:` before a statement"
    );
    assert_eq!(
        says("J x; /* x:"),
        "1:3: unknown label `x`; define it: write `NAME:` before a \
         statement\n1:6: unterminated comment, expected `*/`"
    );
}

#[test]
fn a_label_where_nothing_can_name_it() {
    let error = errors(Plain::SET, "INC R1; loop: INC R2; more:");
    assert_eq!(error.to_string(), "1:9: programs for `Plain` cannot have labels; remove the label");
    let error = errors(Plain::SET, "INC loop;").to_string();
    assert!(error.starts_with("1:5: expected `Rd`, found `loop`"), "{error}");
    let table = Assembler::new(Plain::SET).assemble("INC R1; loop: .2byte loop;").unwrap();
    assert_eq!(table.bytes, [1, 0, 2, 0], "a table of addresses names it");
}

#[test]
fn a_length_that_depends_on_the_label() {
    let errors = errors(Restless::SET, "J b; b:");
    assert!(matches!(errors.iter().next().unwrap().kind, AssembleErrorKind::Unsettled));
    assert_eq!(
        errors.to_string(),
        "1:1: the statement length and the label address depend on each other; write the distance as a \
         number"
    );
}

#[test]
fn the_parts_of_an_error() {
    let errors = errors(Mixed::SET, "/*é*/\n  J lop;");
    let error = errors.iter().last().unwrap();
    assert_eq!((error.line, error.column, error.span.clone()), (2, 5, 11..14));
    assert_eq!(error.title().to_string(), "unknown label `lop`");
    assert_eq!(error.label(), "no such label");
    assert!(std::error::Error::source(error).is_some());
}

#[test]
fn where_a_label_is_wrong() {
    let labels = errors(Mixed::SET, "ab: J ab; ab: J ab;");
    let twice = labels.iter().next().unwrap();
    let AssembleErrorKind::LabelTwice { name, first, .. } = &twice.kind else {
        panic!("{twice:?}")
    };
    assert_eq!((&**name, first.clone(), twice.span.clone()), ("ab", Some(0..2), 10..12));

    let labels = errors(Plain::SET, "INC R1; loop: INC R2;");
    assert_eq!(labels.iter().next().unwrap().span, 8..12);
}

#[test]
fn a_label_has_a_name() {
    for text in [": INC R1;", ".: INC R1;", ". : INC R1;"] {
        assert!(Assembler::new(Mixed::SET).assemble(text).is_err(), "{text}");
    }
}

#[test]
fn any_bytes_survive() {
    let mut state = 7u64;
    for round in 0..3000 {
        let mut code = Vec::new();
        for _ in 0..round % 40 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // About half of the words are instructions.
            let word = (state >> 40) as u16;
            code.extend((if word >> 15 == 1 { word & 0x00ff } else { word }).to_le_bytes());
        }
        code.extend(&[0x5a][..round % 2]);
        let origin = [0, 0x1000, u64::MAX - 15][round % 3];
        let known = LabelMap::from_iter([
            ("L_1004", 0x1006),
            ("start", origin),
            ("out", 0x0f00),
            ("amid", 0x1001),
        ]);
        let text =
            Disassembler::new(Mixed::SET).origin(origin).labels(known.clone()).disassemble(&code);
        let end = origin.wrapping_add(code.len() as u64);
        let outside = known.iter().filter(|(_, at)| {
            !(text.contains(&format!("_{at:x}:"))
                || *at == end
                || at.wrapping_sub(origin) < code.len() as u64)
        });
        let assembler = Assembler::new(Mixed::SET).origin(origin).labels(outside.collect());
        match assembler.assemble(&text) {
            Ok(program) => assert_eq!(program.bytes, code, "{text}"),
            Err(errors) => panic!("{errors}\n{text}"),
        }
    }
}

#[test]
fn a_listing_with_labels() {
    let code = [0x0c, 0, 0x03, 0x01, 0xfe, 0xff, 0x08, 0x00, 0x34, 0x12, 0x01, 0x05, 0xff];
    let known = LabelMap::from_iter([
        ("main", 0x1000),
        ("entry", 0x1000),
        ("late", 0x1006),
        ("L_100a", 0x5000),
        ("a b", 0x1000),
    ]);
    let text = Disassembler::new(Mixed::SET).origin(0x1000).labels(known).disassemble(&code);
    assert_eq!(
        text,
        "\
entry:
main:
    J late;
    CALL R1, -4;
late:
    J L_100a_;
    .2byte 0x1234;
L_100a_:
    INC R5;
    .byte 0xff;
"
    );
}

#[test]
fn what_is_no_instruction_is_listed_as_data() {
    // A 32-bit word with a bit that CALL does not use, and a 16-bit word with an unknown opcode.
    let code = [0x07, 0, 0, 0, 0x02, 0, 0x02, 0x0a];
    let text = Disassembler::new(Mixed::SET).disassemble(&code);
    assert_eq!(text, "    .word 0x00000007;\n    .2byte 0x0002;\n    .2byte 0x0a02;\n");
}

#[test]
fn a_stream_says_what_it_begins_with() {
    let first = |bytes: &[u8]| {
        let error = Mixed::SET.first(bytes).unwrap_err();
        (error.word(), format!("{:?}", error.kind()).split([' ', '{']).next().unwrap().to_owned())
    };
    // Words of two and of four bytes, followed by nothing and by more bytes.
    for behind in [&[][..], &[0xff], &[0xff; 16]] {
        assert_eq!(first(&[&[0x02, 0x0a], behind].concat()).0, 0x0a02);
        let (word, kind) = first(&[&[0x07, 0x01, 0x02, 0x80], behind].concat());
        assert_eq!((word, &*kind), (0x8002_0107, "UnusedBits"));
    }
    assert_eq!(first(&[0x03, 0, 0]).1, "Truncated");
    assert_eq!(first(&[0x02]).1, "Truncated");
    assert_eq!(Mixed::SET.length(&[0x07, 0x01, 0x02, 0x80, 0]), 4);
}

#[test]
fn a_map_of_labels() {
    let mut labels = LabelMap::new();
    assert!(labels.is_empty());
    labels.insert("b", 4);
    labels.insert("a", 4);
    assert_eq!(labels.names(4).collect::<Vec<_>>(), ["a", "b"]);
    labels.insert("a", 8);
    assert_eq!((labels.len(), labels.name(4), labels.address("a")), (2, Some("b"), Some(8)));
}

#[test]
fn no_program_panics() {
    let tokens = [
        "J",
        "INC",
        "CALL",
        "SKIP",
        "R1",
        "a",
        "b",
        ".L",
        ":",
        ",",
        ";",
        "\n",
        " ",
        ".",
        "+",
        "-",
        "4",
        "0x",
        ".byte",
        ".8byte",
        ".word",
        "#",
        "//",
        "/*",
        "*/",
        "é",
        "a:",
        "b:",
        "J a;",
        "CALL R1, b;",
        "99999999999999999999",
        "\u{1f600}",
    ];
    let mut state = 11u64;
    let mut taken = 0;
    for round in 0..20_000 {
        let mut text = String::new();
        for _ in 0..round % 24 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            text += tokens[(state >> 33) as usize % tokens.len()];
            text += if state >> 63 == 1 { " " } else { "" };
        }
        let plain = Assembler::new(Mixed::SET).origin(u64::MAX - 2);
        for assembler in [plain.clone(), plain.lines("#")] {
            match assembler.assemble(&text) {
                Ok(program) => {
                    taken += 1;
                    let sum: usize = program.statements.iter().map(|placed| placed.length).sum();
                    assert_eq!(sum, program.bytes.len(), "{text:?}");
                }
                Err(errors) => {
                    assert!(errors.iter().len() > 0, "{text:?}");
                    assert!(errors.iter().all(|e| text.get(e.span.clone()).is_some()), "{text:?}");
                }
            }
        }
    }
    assert!(taken > 1000, "{taken}");
}
