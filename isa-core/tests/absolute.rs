//! Tests targets whose address is stored in the instruction word unchanged.
#![cfg(feature = "alloc")]

use isa_core::asm::{Assembler, Disassembler, Draft, Program, Reference};

mod own {
    use isa_core::operand::{NAME, OperandKind};
    use isa_core::text::{Cursor, Line, OperandError};

    /// An operand type of the set itself: an address, which must fit into 16 bits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Word(u16);

    impl OperandKind for Word {
        type Value = u16;
        const WIDTH: u8 = 16;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = &["0~", NAME, ".*"];
        const TARGET: Option<fn(Self, u64) -> u64> = Some(|word, _| word.0.into());
        fn from_bits(raw: u64) -> Self {
            Word(raw as u16)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            match cursor.peek() {
                Some(b'0'..=b'9') => Ok(Word(cursor.number()? as u16)),
                _ => match cursor.address_with_addend()? {
                    address @ 0..=0xffff => Ok(Word(address as u16)),
                    _ => Err(cursor.fault(start, "the address has more than 16 bits")),
                },
            }
        }
        fn write(self, line: &mut Line) {
            line.push_str("0x");
            line.push_hex(self.0.into(), 4);
        }
    }

    /// An address that is at least 0x4000.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Ram(Word);

    impl OperandKind for Ram {
        type Value = u16;
        const WIDTH: u8 = 16;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = Word::FORMS;
        const TARGET: Option<fn(Self, u64) -> u64> = Some(|ram, _| ram.0.0.into());
        fn from_bits(raw: u64) -> Self {
            Ram(Word(raw as u16))
        }
        fn to_bits(self) -> u64 {
            self.0.to_bits()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            match Word::read(cursor)? {
                Word(address) if address < 0x4000 => {
                    Err(cursor.fault(start, "no address in memory"))
                }
                word => Ok(Ram(word)),
            }
        }
        fn write(self, line: &mut Line) {
            self.0.write(line);
        }
    }

    /// An address that does not declare itself as a target: it has no `TARGET`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Port(Word);

    impl OperandKind for Port {
        type Value = u16;
        const WIDTH: u8 = 16;
        const EXPECTS: &'static str = "a label";
        const MAX_LEN: usize = 63;
        const FORMS: &'static [&'static str] = Word::FORMS;
        fn from_bits(raw: u64) -> Self {
            Port(Word(raw as u16))
        }
        fn to_bits(self) -> u64 {
            self.0.to_bits()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            Word::read(cursor).map(Port)
        }
        fn write(self, line: &mut Line) {
            self.0.write(line);
        }
    }

    isa_core::define_isa! {
        /// A machine with 16-bit addresses.
        pub(crate) isa Own: u8 | u24;
        addresses 16;
        operand Word: 16;
        operand Ram: 16;
        operand Port: 16;
        operand Eight: 8 = isa_core::operand::Unsigned<8>;
        opcode NOP { encoding { word<8>; field<0, 8> Eight op == 0; } syntax { nop; } }
        opcode LD1 { encoding { word<8>; field<0, 8> Eight op == 0x7f; } syntax { ld "a", "a"; } }
        opcode LD  { encoding { word<24>; field<0, 8> Eight op == 0x21; field<8, 16> Word nn; } syntax { ld "hl", nn; } }
        opcode ST1 { encoding { word<8>; field<0, 8> Eight op == 0x7e; } syntax { st "#"; } }
        opcode ST  { encoding { word<24>; field<0, 8> Eight op == 0x32; field<8, 16> Ram nn; } syntax { st nn; } }
        opcode IN  { encoding { word<24>; field<0, 8> Eight op == 0xdb; field<8, 16> Port nn; } syntax { in nn; } }
    }
}

mod ready {
    isa_core::define_isa! {
        /// Absolute jumps of several widths.
        pub(crate) isa Ready: u8 | u16 | u24;
        addresses 16;
        operand Address: 16 = isa_core::operand::Absolute<16>;
        operand Slot: 6 = isa_core::operand::Absolute<6, 2>;
        operand Eight: 8 = isa_core::operand::Unsigned<8>;
        operand Three: 2 = isa_core::operand::Unsigned<2>;
        opcode NOP { encoding { word<8>; field<0, 8> Eight op == 0; } syntax { nop; } }
        opcode RST { encoding { word<16>; field<0, 8> Eight op == 1; field<8, 6> Slot to; field<14, 2> Three by; } syntax { rst to, by; } }
        opcode JP  { encoding { word<24>; field<0, 8> Eight op == 0xc3; field<8, 16> Address nn; } syntax { jp nn; } }
        opcode ADD { encoding { word<24>; field<0, 8> Eight op == 2; field<8, 16> Address nn; } syntax { jp nn " + " "c"; } }
    }
}

mod plain {
    isa_core::define_isa! {
        /// A number that is not a target, and two targets.
        pub(crate) isa Plain: u32;
        operand Near: 8 = isa_core::operand::Absolute<8>;
        operand Op: 8 = isa_core::operand::Unsigned<8>;
        opcode TWO { encoding { field<0, 8> Op op == 1; field<8, 8> Near one; field<16, 8> Near two; } syntax { TWO one, two; } }
    }
}

use own::Own;
use plain::Plain;
use ready::Ready;

fn kind(reference: Reference) -> Option<u32> {
    match reference {
        Reference::Operand { kind: "Word" | "Address", .. } => Some(1),
        Reference::Operand { kind: "Slot" | "Near", .. } => Some(2),
        Reference::Operand { kind: "Ram", .. } => Some(3),
        _ => None,
    }
}

fn assemble(text: &str) -> Vec<u8> {
    let program = Assembler::new(Ready::SET).assemble(text);
    program.unwrap_or_else(|errors| panic!("{text}\n{errors}")).bytes
}

fn says(text: &str) -> String {
    Assembler::new(Ready::SET).assemble(text).expect_err(text).to_string()
}

/// Returns the address, the label, the addend and the format's number of each relocation.
fn relocations(program: &Program) -> Vec<(u64, Option<&str>, i64, u32)> {
    let all = program.relocations.iter();
    all.map(|it| (it.address, it.symbol.as_deref(), it.addend, it.kind)).collect()
}

#[test]
fn every_address_is_read_back() {
    for raw in 0..64u16 {
        let word = raw << 8 | 0x8001;
        let [low, high] = word.to_le_bytes();
        let text = Disassembler::new(Ready::SET).disassemble(&[low, high]);
        let number = if raw == 0 { "0".into() } else { format!("{:#x}", raw * 4) };
        // The disassembler prints a label for an address within the program.
        let operand = if raw == 0 { "L_0".into() } else { number.clone() };
        assert!(text.ends_with(&format!("    rst {operand}, 2;\n")), "{text}");
        assert_eq!(assemble(&text), [low, high]);
        for number in [number, (raw * 4).to_string()] {
            assert_eq!(assemble(&format!("rst {number}, 2;")), [low, high]);
        }
    }
}

#[test]
fn labels_are_addresses() {
    assert_eq!(assemble("jp tab - 2; nop; tab: nop;"), [0xc3, 2, 0, 0, 0]);
    assert_eq!(assemble("nop; tab: jp tab - 2;"), [0, 0xc3, 0xff, 0xff], "it goes around");
    assert_eq!(assemble("nop; jp . + 4; jp .;"), [0, 0xc3, 5, 0, 0xc3, 4, 0]);
    assert_eq!(assemble("nop; jp end + 0x10; end:"), [0, 0xc3, 0x14, 0]);
    // If the template continues with a sign after the target, the sign belongs to the template.
    assert_eq!(assemble("nop; a: jp a + c;"), [0, 2, 1, 0]);
    assert_eq!(assemble("nop; a: jp a + 1 + c;"), [0, 2, 2, 0]);
    assert_eq!(assemble(".equ port, 0x38; rst port, 1; jp port;"), [1, 0x4e, 0xc3, 0x38, 0]);
    let high = Assembler::new(Ready::SET).origin(0xfffe).assemble("jp end; end: nop;").unwrap();
    assert_eq!(high.bytes, [0xc3, 1, 0, 0], "behind the last address");
}

#[test]
fn a_number_does_not_move() {
    let text = "jp 0x1234; rst 0x38, 1;";
    let bytes = assemble(text);
    let assembler = Assembler::new(Ready::SET).origin(0x8000);
    assert_eq!(assembler.assemble(text).unwrap().bytes, bytes);
    let program = assembler.relocations(kind).assemble(text).unwrap();
    assert_eq!((program.bytes, program.relocations), (bytes, vec![]));
}

#[test]
fn what_has_no_such_address_is_an_error() {
    let slot = "a multiple of 4 from 0 to 0xfc";
    assert_eq!(
        says("nop; b: rst b, 1; rst b + 0x200, 1;"),
        format!(
            "1:13: `b` is 0x1, misaligned: expected {slot}\n\
             1:23: `b + 0x200` is 0x201, misaligned: expected {slot}"
        )
    );
    assert_eq!(
        says("jp 0x10000; jp -1; rst 0x100, 1; rst 2, 1;"),
        format!(
            "1:4: out of range: expected an address from 0 to 0xffff\n\
             1:16: expected `nn`, found `-`; `nn` is an address from 0 to 0xffff, or a label\n\
             1:24: out of range: expected {slot}\n\
             1:38: misaligned: expected {slot}"
        )
    );
    assert_eq!(
        says("a: rst a + 0x100, 1;"),
        format!("1:8: `a + 0x100` is 0x100, out of range: expected {slot}")
    );
    let big = says(".equ big, 0x12345; jp big;");
    assert!(big.contains("`big` is 0x12345, out of range"), "{big}");
}

#[test]
fn labels_are_left_to_the_linker() {
    let assembler = Assembler::new(Ready::SET).relocations(kind);
    let text = "    nop;\na:\n    jp a;\n    jp ext - 2;\n    rst ext + 4, 1;\n    jp 0x38;\n";
    let program = assembler.assemble(text).unwrap();
    assert_eq!(program.bytes, [0, 0xc3, 0, 0, 0xc3, 0, 0, 1, 0x40, 0xc3, 0x38, 0]);
    let expected = [(1, Some("a"), 0, 1), (4, Some("ext"), -2, 1), (7, Some("ext"), 4, 2)];
    assert_eq!(relocations(&program), expected);
    let listing = Disassembler::new(Ready::SET)
        .labels(program.labels.clone())
        .relocations(program.relocations.clone(), kind);
    assert_eq!(listing.disassemble(&program.bytes), text);
    // With addends stored in the program.
    let program = assembler.addends_in_place().assemble("jp ext - 2; rst ext + 4, 1;").unwrap();
    assert_eq!(program.bytes, [0xc3, 0xfe, 0xff, 1, 0x41]);
}

/// The length of a statement is known even if its operand type rejects the first assumed address.
#[test]
fn a_kind_of_ones_own_may_refuse_a_presumed_address() {
    let assembler = Assembler::new(Own::SET);
    for text in ["ld hl, tab-2; tab: nop;", "ld hl, tab - 2; nop; tab: nop;"] {
        let bytes = assembler.assemble(text).unwrap_or_else(|errors| panic!("{errors}")).bytes;
        assert_eq!(bytes[..3], [0x21, bytes.len() as u8 - 3, 0]);
        let draft = Draft::new(assembler.clone(), text.into());
        assert!(draft.errors().is_empty(), "{:?}", draft.errors());
    }
    let object = assembler.clone().relocations(kind);
    let program = object.assemble("ld hl, ext-2; nop;").unwrap();
    assert_eq!(
        (program.bytes.as_slice(), relocations(&program)),
        (&[0x21, 0, 0, 0][..], vec![(0, Some("ext"), -2, 1)])
    );
    // An operand type that accepts only the addresses of a region.
    let text = "st high; .org 0x4000; high: nop;";
    assert_eq!(assembler.assemble(text).unwrap().bytes[..3], [0x32, 0, 0x40]);
    let program = object.assemble("st ext; nop; st ext + 0x4000;").unwrap();
    let expected = vec![(0, Some("ext"), 0, 3), (4, Some("ext"), 0x4000, 3)];
    assert_eq!(relocations(&program), expected);
    assert_eq!(program.bytes, [0x32, 0, 0, 0, 0x32, 0, 0]);
    // An address that is still rejected at the end is an error.
    let low = assembler.assemble("nop; low: st low;").unwrap_err().to_string();
    assert_eq!(low, "1:14: no address in memory");
}

#[test]
fn what_is_missing_for_a_relocation_is_said() {
    let object = |set| Assembler::new(set).relocations(kind);
    let errors = object(Plain::SET).assemble("a: TWO a, a;").unwrap_err().to_string();
    assert_eq!(
        errors,
        "1:11: the address of `a` is not known before the program is linked; a linker can \
         fill in only one target, but this instruction has several"
    );
    let no_target = "is not known before the program is linked; a linker cannot fill in \
                     this operand: its operand type does not define `TARGET`";
    let errors = object(Own::SET).assemble("a: in a; in ext;").unwrap_err().to_string();
    assert_eq!(
        errors,
        format!("1:7: the address of `a` {no_target}\n1:13: the address of `ext` {no_target}")
    );
}
