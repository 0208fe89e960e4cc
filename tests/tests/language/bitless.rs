//! Fields without bits: operands and attributes whose value the opcode determines.

use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::Reg;
use isa_core::table::Access;

/// Declarations that another call uses.
mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Offset: 4 = isa_core::operand::Unsigned<4, 2>;
        enum Op: 4 { LD = 1, LDS = 2, LDF = 3, CALL = 4, CALLR = 5, PUSH = 6, NOP = 7 }
        enum Step: 2 { S4 = 1, S8 = 2 }

        group ALL { encoding { field<0, 4> Op op; } }
        /// The descendants define the address.
        group LOADS : [ALL] {
            syntax   { .. Rd, by "(" Ra ")"; }
            operands { InList<by, ra>; OutList<rd>; Order<rd, by, ra>; }
            semantics { Rd = Ra.value.wrapping_add(by.value as u32); }
        }
        group STACK : [LOADS] {
            encoding { field<8, 8> Reg rd; field<4, 4> Offset by; field<> Reg ra == 14; }
        }
    }
}

mod toy {
    isa_core::define_isa! {
        pub(crate) isa Toy: u16;

        use crate::bitless::base::Base;

        opcode LD : [LOADS] {
            encoding { op == LD; field<8, 4> Reg4 rd; field<12, 4> Reg4 ra; field<4, 4> Offset by; }
            syntax { LD }
        }
        /// Registers whose numbers have four bits.
        operand Reg4: 4 = crate::bitless::Reg4;

        opcode LDS : [STACK] { encoding { op == LDS; } syntax { LDS } }
        opcode LDF : [LOADS] {
            encoding { op == LDF; field<8, 8> Reg rd; field<4, 4> Offset by; field<> Reg ra == 13; }
            syntax { LDF }
        }
        /// One semantic function for a call with an explicit return register and a call without
        /// one.
        group CALLS : [ALL] {
            semantics { link = target.value.wrapping_add(4); }
        }
        opcode CALL : [CALLS] {
            encoding { op == CALL; field<4, 8> Reg target; field<> Reg link == 1; }
            syntax { CALL target; }
            operands { InList<target>; OutList<link>; Order<target>; }
        }
        opcode CALLR : [CALLS] {
            encoding { op == CALLR; field<4, 8> Reg target; field<> Reg link == 2; }
            syntax { CALLR target; }
            operands { InList<target>; OutList<link>; Order<target>; }
        }
        /// A field without bits in the text and in the semantic function.
        opcode PUSH : [ALL] {
            encoding { op == PUSH; field<4, 8> Reg rd; field<> Step step == S8; }
            syntax { PUSH.step Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
            semantics { Rd = Rd.wrapping_sub(step.to_bits() as u32 * 4); }
        }
        /// An exception about a field without bits applies to all words or to none.
        opcode NOP : [ALL] {
            encoding { op == NOP; field<4, 8> Reg ra; field<> Step step == S4; }
            syntax { NOP ra; }
            operands { InList<>; OutList<>; }
            exception {
                EncodingError<Zero, "the first register rests"> = step == S4 and ra == 0;
                EncodingError<One, "the second register works"> = step != S8 and ra == 1;
            }
            semantics { }
        }
    }
}

/// One of the first sixteen registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reg4(Reg);

impl isa_core::operand::OperandKind for Reg4 {
    type Value = u32;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "a register (`R0` to `R15`)";
    const MAX_LEN: usize = 3;

    fn from_bits(raw: u64) -> Self {
        Reg4(Reg::from_bits(raw & 15))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn read(cursor: &mut isa_core::text::Cursor<'_>) -> Result<Self, isa_core::text::OperandError> {
        Reg::read(cursor).map(Reg4)
    }
    fn write(self, line: &mut isa_core::text::Line) {
        self.0.write(line);
    }
}

impl<M: GeneralRegs + ?Sized> isa_core::machine::Source<M> for Reg4 {
    fn fetch(self, machine: &M) -> u32 {
        self.0.fetch(machine)
    }
}

impl<M: GeneralRegs + ?Sized> isa_core::machine::Sink<M> for Reg4 {
    fn store(self, machine: &mut M, value: u32) {
        self.0.store(machine, value);
    }
}

use toy::Toy;

fn word(text: &str) -> u16 {
    text.parse::<Toy>().unwrap_or_else(|error| panic!("{text}: {error}")).encode().unwrap()
}

#[test]
fn it_is_printed_and_read_like_any_operand() {
    for (text, word_of_it) in [("LDS R5, 8(R14);", 0x0522), ("LDF R5, 8(R13);", 0x0523)] {
        assert_eq!(word(text), word_of_it);
        assert_eq!(Toy::decode(word_of_it).unwrap().to_string(), text);
    }
    // These texts are not in printed form, so the template interpreter parses them.
    assert_eq!(word("LDS R5,8 (R14) ;"), 0x0522);
    assert_eq!(word("LD R5, 8(R3);"), 0x3521);
    assert_eq!(word("PUSH.S8 R5;"), 0x0056);
    assert_eq!(Toy::decode(0x0056).unwrap().to_string(), "PUSH.S8 R5;");
}

#[test]
fn another_value_is_no_text_of_the_opcode() {
    for text in ["LDS R5, 8(R13);", "LDS R5, 8 ( R13 );"] {
        let error = text.parse::<Toy>().unwrap_err();
        assert_eq!(error.to_string(), "`ra` of `LDS` is always `R14`");
    }
    let error = "PUSH.S4 R5;".parse::<Toy>().unwrap_err();
    assert_eq!(error.to_string(), "`step` of `PUSH` is always `S8`");
}

#[test]
fn it_is_an_operand_with_its_value() {
    let list = |text: &str| -> Vec<(&str, Access, u64)> {
        let operands = text.parse::<Toy>().unwrap().operands();
        operands.map(|operand| (operand.name(), operand.access(), operand.bits())).collect()
    };
    let expected = [("rd", Access::Write, 5), ("by", Access::Read, 2), ("ra", Access::Read, 14)];
    assert_eq!(list("LDS R5, 8(R14);"), expected);
    // An operand that the text does not show comes last.
    assert_eq!(list("CALL R7;"), [("target", Access::Read, 7), ("link", Access::Write, 1)]);
}

#[test]
fn semantics_read_and_write_it() {
    let mut machine = State::new();
    for number in 0..16 {
        machine.set_reg(number, 100 * u32::from(number));
    }
    // Three operands of one semantic function: one in the word, and two without bits.
    for (text, register, value) in [
        ("LD R5, 8(R3);", 5, 308),
        ("LDS R6, 8(R14);", 6, 1408),
        ("LDF R7, 12(R13);", 7, 1312),
        ("CALL R8;", 1, 804),
        ("CALLR R9;", 2, 904),
        ("PUSH.S8 R10;", 10, 992),
    ] {
        text.parse::<Toy>().unwrap().execute(&mut machine);
        assert_eq!(machine.reg(register), value, "{text}");
    }
}

#[test]
fn the_explanation_has_it_behind_the_bits() {
    let row = toy::Lds::OPCODE;
    let parts: Vec<_> = row.explain(0x0522).collect();
    assert_eq!(parts.iter().map(|part| u32::from(part.piece.width)).sum::<u32>(), 16);
    let last = parts.last().unwrap();
    let field = last.field.unwrap();
    assert_eq!((field.field.name, field.raw, last.bits), ("ra", 14, 0));
    assert_eq!(field.access(), Some(Access::Read));
    assert!(field.is_fixed() && last.is_legal());
    assert_eq!(parts.iter().filter(|part| part.piece.width == 0).count(), 1);
}

#[test]
fn conditions_of_exceptions_know_its_value() {
    let reason = |word| Toy::decode(word).unwrap_err().to_string();
    assert!(reason(0x0007).contains("the first register rests"));
    assert!(reason(0x0017).contains("the second register works"));
    assert_eq!(Toy::decode(0x0027).unwrap().to_string(), "NOP R2;");
    assert_eq!(toy::Nop::OPCODE.exceptions.len(), 2);
}
