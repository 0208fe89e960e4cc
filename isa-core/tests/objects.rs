//! Tests programs that a linker completes: the relocations and their listing.
#![cfg(feature = "alloc")]

use isa_core::asm::{
    Assembler, Disassembler, Draft, LabelMap, ListedBytes, Program, Reference, Relocation,
};

mod set {
    use isa_core::operand::{NAME, OperandKind};
    use isa_core::text::{Cursor, Line, OperandError};

    /// An operand that is the address itself.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Absolute(u64);

    impl OperandKind for Absolute {
        type Value = u64;
        const WIDTH: u8 = 8;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &[".*", NAME, "#*"];
        const TARGET: Option<fn(Self, u64) -> u64> = Some(|to, _| to.0);
        fn from_bits(raw: u64) -> Self {
            Absolute(raw)
        }
        fn to_bits(self) -> u64 {
            self.0
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            if cursor.eat(b'#') {
                return Ok(Absolute(cursor.number()?.try_into().unwrap_or_default()));
            }
            let address = cursor.address()?;
            if address > 255 { Err(cursor.fault(start, "too far")) } else { Ok(Absolute(address)) }
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(self.0);
        }
    }

    /// The low four bits of an address, `low(label)`. The operand is not a target.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct LowBits(u64);

    impl OperandKind for LowBits {
        type Value = u64;
        const WIDTH: u8 = 4;
        const EXPECTS: &'static str = "a number or `low(label)`";
        const MAX_LEN: usize = 3;
        const FORMS: &'static [&'static str] = &["low*", "#*"];
        fn from_bits(raw: u64) -> Self {
            LowBits(raw)
        }
        fn to_bits(self) -> u64 {
            self.0
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            if cursor.eat(b'#') {
                return Ok(LowBits(u64::try_from(cursor.number()?).unwrap_or_default() & 0xf));
            }
            cursor.word();
            cursor.eat(b'(');
            let address = cursor.address()?;
            cursor.eat(b')');
            Ok(LowBits(address & 0xf))
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(self.0);
        }
    }

    isa_core::define_isa! {
        /// Ways to name a target.
        pub(crate) isa Targets: u16 | u32;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Near: 8 = isa_core::operand::Relative<8, 1>;
        operand Deaf: 8 = isa_core::operand::Relative<8, 1>;
        operand Abs: 8 = super::set::Absolute;
        operand Low: 4 = super::set::LowBits;
        enum Op: 4 { J = 0, A = 1, D = 2, INC = 3, TWO = 5, SET = 6 }
        opcode SET { encoding { word<16>; field<0, 4> Op op == SET; field<8, 4> Low by; } syntax { SET by; } }
        opcode J   { encoding { word<16>; field<0, 4> Op op == J; field<8, 8> Near to; } syntax { J to; } }
        opcode A   { encoding { word<16>; field<0, 4> Op op == A; field<8, 8> Abs to; } syntax { A to; } }
        opcode D   { encoding { word<16>; field<0, 4> Op op == D; field<8, 8> Deaf to; } syntax { D to; } }
        opcode INC { encoding { word<16>; field<0, 4> Op op == INC; field<8, 8> Reg rd; } syntax { INC Rd; } }
        opcode TWO {
            encoding { word<32>; field<0, 4> Op op == TWO; field<8, 8> Near one; field<16, 8> Near other; }
            syntax   { TWO one, other; }
        }
    }
}

use set::Targets;

const KIND: fn(Reference) -> Option<u32> = |reference| match reference {
    Reference::Operand { kind: "Near", .. } => Some(10),
    Reference::Operand { opcode: "A", kind: "Abs", .. } => Some(11),
    Reference::Data { bytes: 8, .. } => Some(1),
    Reference::Data { bytes: 2, .. } => Some(2),
    _ => None,
};

fn assemble(text: &str) -> Program {
    let assembled = Assembler::new(Targets::SET).relocations(KIND).assemble(text);
    assembled.unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn says(text: &str) -> String {
    let assembled = Assembler::new(Targets::SET).relocations(KIND).assemble(text);
    assembled.expect_err(text).to_string()
}

fn relocations(program: &Program) -> Vec<(u64, Option<&str>, i64, u32)> {
    let all = program.relocations.iter();
    all.map(|it| (it.address, it.symbol.as_deref(), it.addend, it.kind)).collect()
}

#[test]
fn what_the_program_does_not_know_is_left_to_the_linker() {
    let program = assemble("a: INC R1; J a; J there; A a; A there; J . + 4; INC R2;");
    // Distances within the program are filled in, addresses are not.
    assert_eq!(program.bytes[..8], [0x03, 0x01, 0x00, 0xff, 0x00, 0x00, 0x01, 0x00]);
    assert_eq!(
        relocations(&program),
        [(4, Some("there"), 0, 10), (6, Some("a"), 0, 11), (8, Some("there"), 0, 11)]
    );
    assert_eq!(program.labels.iter().collect::<Vec<_>>(), [("a", 0)]);
    // Labels without references are also exported if `.globl` names them.
    let program = assemble(".globl b, c; .global b; b: INC R1; c:");
    assert_eq!(
        (program.globals.as_slice(), program.bytes.len()),
        (&["b".into(), "c".into()][..], 2)
    );
}

#[test]
fn data_has_its_addend_beside_it() {
    let text = "INC R1; x: .8byte x + 4, -1, y - 3, .; .2byte y - 32768, x + 32767;";
    let program = assemble(text);
    assert_eq!(
        relocations(&program),
        [
            (2, Some("x"), 4, 1),
            (18, Some("y"), -3, 1),
            // Relative to the start of the program, with the distance from it as the addend.
            (26, None, 2, 1),
            (34, Some("y"), -32768, 2),
            (36, Some("x"), 32767, 2)
        ]
    );
    let mut bytes = vec![0x03, 0x01];
    bytes.extend([0; 8].into_iter().chain([0xff; 8]).chain([0; 20]));
    assert_eq!(program.bytes, bytes);
    // The section is assumed to be at the origin.
    let assembler = Assembler::new(Targets::SET).origin(0x100).relocations(KIND);
    let program = assembler.assemble(".2byte 0; .8byte . - 4;").unwrap();
    assert_eq!(relocations(&program), [(0x102, None, -2, 1)]);
}

#[test]
fn without_relocations_all_is_as_it_was() {
    let assemble = |text| Assembler::new(Targets::SET).assemble(text);
    let program = assemble(".globl a; a: A a; .2byte a + 1;").unwrap();
    assert_eq!((program.bytes, program.relocations), (vec![0x01, 0x00, 0x01, 0x00], vec![]));
    let error = assemble("J there;").unwrap_err().to_string();
    assert!(error.starts_with("1:3: unknown label `there`"), "{error}");
}

#[test]
fn what_has_no_relocation_is_an_error() {
    assert_eq!(
        says(
            "a: D a; D there; TWO a, a; TWO a, there; .byte a; .4byte there; .4byte a;\n A .; e: .byte e;"
        ),
        "\
1:11: unknown label `there`; define it: write `NAME:` before a statement
1:35: unknown label `there`; define it: write `NAME:` before a statement
1:48: the address of `a` is not known before the program is linked; \
the object format has no relocation for a byte of data
1:58: unknown label `there`; define it: write `NAME:` before a statement
1:72: the address of `a` is not known before the program is linked; \
the object format has no relocation for 4 bytes of data
2:4: the address of `.` is not known before the program is linked; write a label instead of `.`
2:16: the address of `e` is not known before the program is linked; \
the object format has no relocation for a byte of data"
    );
    assert_eq!(
        says(".globl 1; .globl a b; .globl a,; .globl ."),
        "\
1:8: expected the name of a label
1:19: expected `,` or `;` after the label
1:32: expected the name of a label
1:41: expected the name of a label"
    );
    assert!(says("J there; J; b: b:").contains("is defined twice"));
}

/// An operand may contain a part of an address without being a target.
#[test]
fn a_part_of_an_address_is_known_to_the_linker_alone() {
    assert_eq!(assemble("SET #5; J a; a: SET #3;").bytes[..2], [0x06, 0x05]);
    assert_eq!(
        says("INC R1; a: SET low(a); SET low(.);"),
        "\
1:20: the address of `a` is not known before the program is linked; a linker cannot fill in this \
operand: its operand type does not define `TARGET`
1:32: the address of `.` is not known before the program is linked; write a label instead of `.`"
    );
    let flat = Assembler::new(Targets::SET).assemble("INC R1; a: SET low(a);").unwrap();
    assert_eq!(flat.bytes[2..], [0x06, 0x02]);
}

/// A target may have a number after its label, which the linker adds.
#[test]
fn numbers_behind_labels_are_addends() {
    let program = assemble("J there + 8; a: J a - 4; J there - 3;");
    assert_eq!(program.bytes, [0, 0, 0, 0xfe, 0, 0]);
    assert_eq!(relocations(&program), [(0, Some("there"), 8, 10), (4, Some("there"), -3, 10)]);
}

mod x86 {
    isa_core::define_isa! {
        /// Two instructions of x86: one has one byte, and the other has five bytes, four of which
        /// are a distance from its end.
        pub(crate) isa X86: u8 | u40;
        operand All: 8 = isa_core::operand::Unsigned<8>;
        operand Rel: 32 = isa_core::operand::Relative<32, 0, 5>;
        opcode NOP  { encoding { word<8>; field<0, 8> All op == 0x90; } syntax { nop; } }
        opcode CALL { encoding { word<40>; field<0, 8> All op == 0xe8; field<8, 32> Rel to; } syntax { call to; } }
    }
}

/// The relocations `R_386_PC32` and `R_386_32`.
const X86: fn(Reference) -> Option<u32> = |reference| match reference {
    Reference::Operand { .. } => Some(2),
    Reference::Data { bytes: 4, .. } => Some(1),
    _ => None,
};

/// Returns the value that a linker computes for a field: `S + A - P`.
fn linked(program: &Program, symbol: u64) -> u64 {
    let [it] = program.relocations.as_slice() else { panic!("{:?}", program.relocations) };
    let field: &[u8] = &program.bytes[it.address as usize..][..4];
    let there = i64::from(i32::from_le_bytes(field.try_into().unwrap()));
    let addend = if it.is_in_place { there } else { it.addend };
    symbol.wrapping_add_signed(addend).wrapping_sub(it.address)
}

#[test]
fn a_relocation_stands_where_the_format_says() {
    let addend = |reference| if matches!(reference, Reference::Operand { .. }) { -4 } else { 0 };
    let assembler = Assembler::new(x86::X86::SET).relocations(X86).places(|_| 1).addends(addend);
    let in_place = assembler.clone().addends_in_place();
    // The distance is relative to byte 6, the end of the call.
    for (text, distance) in [("nop; call there;", 0x100 - 6), ("nop; call there + 16;", 0x110 - 6)]
    {
        for assembler in [&assembler, &in_place] {
            let program = assembler.assemble(text).unwrap();
            assert_eq!(program.relocations[0].address, 2, "behind the opcode");
            assert_eq!(linked(&program, 0x100), distance, "{text}");
        }
    }
    // The same bytes as from every assembler for x86.
    let program = in_place.assemble("call there;").unwrap();
    assert_eq!(program.bytes, [0xe8, 0xfc, 0xff, 0xff, 0xff]);
    // A relocation of data is at its first byte.
    let program = assembler.assemble("nop; .4byte there;").unwrap();
    assert_eq!(relocations(&program), [(1, Some("there"), 0, 1)]);

    let text = "    nop;\n    call there;\n    call there - 7;\n    .4byte there + 2;\n    nop;\n";
    for assembler in [assembler, in_place] {
        let program = assembler.assemble(text).unwrap();
        let mut listing = Disassembler::new(x86::X86::SET).addends(addend).places(|_| 1);
        // An object of the other form specifies that its addends are stored in the program.
        listing = listing.relocations(program.relocations.clone(), X86);
        assert_eq!(listing.disassemble(&program.bytes), text);
        // With another position of the relocation, the meaning of the bytes is unknown.
        let other = listing.places(|_| 2).disassemble(&program.bytes);
        assert!(!other.contains("call there"), "{other}");
    }
    let beyond = Assembler::new(x86::X86::SET).relocations(X86).places(|_| 5);
    assert!(beyond.assemble("call there;").is_err(), "in the next instruction");
}

/// Returns the text of a program, with its relocations in comments.
fn list(disassembler: &Disassembler, code: &[u8]) -> String {
    let mut text = String::new();
    disassembler.for_each(code, |listed| match listed {
        ListedBytes::Label { name, .. } => text += &format!("{name}: "),
        ListedBytes::Statement { text: statement, relocations, .. } => {
            text += statement;
            relocations.iter().for_each(|it| text += &format!(" /* {} */", it.kind));
            text.push('\n');
        }
        _ => {}
    });
    text
}

#[test]
fn a_listing_names_what_the_linker_fills_in() {
    let text =
        "INC R1;\nJ there;\nA a;\na: .8byte there - 3;\n.2byte a;\n.byte 0x07;\nb: INC R2;\n";
    let program = assemble(text);
    let disassembler = Disassembler::new(Targets::SET)
        .labels(program.labels.clone())
        .data([6..10, 8..17])
        .relocations(program.relocations.clone(), KIND);
    let listed = list(&disassembler, &program.bytes);
    assert_eq!(listed, text);
    let again = assemble(&listed);
    assert_eq!((again.bytes, again.relocations), (program.bytes, program.relocations));
}

#[test]
fn a_listing_says_what_it_cannot_name() {
    let unnamed = |symbol: Option<&str>, addend, kind| {
        let relocation = Relocation::new(0, symbol.map(Into::into), addend, kind);
        list(&Disassembler::new(Targets::SET).relocations(vec![relocation], KIND), &[0, 0, 3, 1])
    };
    assert_eq!(unnamed(Some("there"), 0, 10), "J there;\nINC R1;\n");
    assert_eq!(unnamed(Some("there"), 0, 11), "J 0; /* 11 */\nINC R1;\n", "another kind");
    assert_eq!(unnamed(Some("there"), 2, 10), "J there + 2;\nINC R1;\n", "an addend");
    assert_eq!(unnamed(Some("there"), -3, 10), "J there - 3;\nINC R1;\n");
    assert_eq!(unnamed(Some("no name"), 0, 10), "J 0; /* 10 */\nINC R1;\n");
    assert_eq!(unnamed(None, 0, 10), "J 0; /* 10 */\nINC R1;\n");
}

#[test]
fn data_ends_at_labels_and_with_what_it_belongs_to() {
    let disassembler = Disassembler::new(Targets::SET)
        .labels(LabelMap::from_iter([("x", 3)]))
        .data([0..5, 5..5, 1..2]);
    let listed = list(&disassembler, &[1, 2, 3, 4, 5, 3, 1, 3]);
    assert_eq!(listed, ".byte 0x01, 0x02, 0x03;\nx: .2byte 0x0504;\nINC R1;\n.byte 0x03;\n");
    let all =
        Disassembler::new(Targets::SET).origin(u64::MAX - 3).data(core::iter::once(0..u64::MAX));
    assert_eq!(list(&all, &[0; 4]), ".byte 0x00, 0x00, 0x00;\n.byte 0x00;\n");
}

/// If an editor renames a label, it also renames it in `.globl`.
#[test]
fn a_directive_names_labels() {
    let text = ".globl there, a; a: J a;";
    let draft = Draft::new(Assembler::new(Targets::SET), text.into());
    assert!(draft.errors().is_empty());
    let named: Vec<_> = draft.statements().flat_map(|statement| statement.references()).collect();
    assert_eq!(named, [7..12, 14..15, 22..23]);
}
