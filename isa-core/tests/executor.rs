//! Tests the functions that execute stored words, in sets whose opcodes have other traps and other
//! words than the set.

use std::cell::Cell;

use isa_core::machine::{GeneralRegs, State};

thread_local! {
    /// The result of the next instruction that can trap.
    static FAULT: Cell<Option<u8>> = const { Cell::new(None) };
}

/// A trap of the opcodes in `checked`.
#[derive(Debug, PartialEq)]
pub struct Fault(u8);

/// A trap of the whole set.
#[derive(Debug, PartialEq)]
pub struct Stop(String);

impl From<Fault> for Stop {
    fn from(Fault(number): Fault) -> Self {
        Stop(format!("fault {number}"))
    }
}

/// Returns the fault that a test chose.
fn chosen() -> Result<(), Fault> {
    FAULT.get().map_or(Ok(()), |number| Err(Fault(number)))
}

mod plain {
    isa_core::define_isa! {
        /// An opcode that cannot trap, with a word of 16 bits.
        pub isa Plain: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { NOT = 1, TRY = 2, INC = 3 }

        opcode NOT {
            encoding  { field<0, 4> Op op == NOT; field<8, 8> Reg rd; }
            syntax    { NOT Rd; }
            operands  { InList<rd>; OutList<rd>; }
            semantics { Rd = !Rd; }
        }
    }
}

mod checked {
    isa_core::define_isa! {
        /// An opcode that can trap.
        pub isa Checked: u16;

        use crate::plain::Plain;
        trap crate::Fault;

        opcode TRY {
            encoding  { field<0, 4> Op op == TRY; field<8, 8> Reg rd; }
            syntax    { TRY Rd; }
            operands  { InList<rd>; OutList<rd>; }
            semantics { crate::chosen()?; Rd = Rd.wrapping_mul(3); }
        }
    }
}

isa_core::define_isa! {
    /// All opcodes, and one more with a longer word.
    pub isa All: u32;

    include crate::plain::Plain;
    include crate::checked::Checked;
    use crate::plain::Plain;
    trap crate::Stop;

    opcode INC {
        encoding  { word<32>; field<0, 4> Op op == INC; field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax    { INC Rd, Ra; }
        operands  { InList<rd, ra>; OutList<rd>; Order<rd, ra>; }
        semantics { Rd = Rd.wrapping_add(Ra.value).wrapping_add(1); }
    }
}

#[test]
fn stored_words_execute_like_their_instructions() {
    let program = ["NOT R1;", "INC R2, R3;", "TRY R2;", "NOT R2;"];
    let program: Vec<All> = program.map(|line| line.parse().expect(line)).into();
    let stored: Vec<_> = program
        .iter()
        .map(|one| (one.executor::<State>(), one.encode().expect("a valid word")))
        .collect();
    for fault in [None, Some(7)] {
        FAULT.set(fault);
        let (mut expected, mut found) = (State::new(), State::new());
        for (instruction, &(execute, word)) in program.iter().zip(&stored) {
            let result = instruction.execute(&mut expected);
            assert_eq!(execute(word, &mut found), result, "{instruction}");
            let is_fault = fault.is_some() && instruction.to_string().starts_with("TRY");
            assert_eq!(result.is_err(), is_fault, "{instruction}");
            assert_eq!(result.err(), is_fault.then(|| Stop("fault 7".to_owned())));
        }
        assert_eq!((found.reg(1), found.reg(2)), (expected.reg(1), expected.reg(2)));
        assert_eq!(found.reg(1), u32::MAX);
        assert_eq!(found.reg(2), if fault.is_some() { !1 } else { !3 });
    }
}

#[test]
fn one_function_executes_all_words_of_its_opcode() {
    let not: plain::Plain = "NOT R0;".parse().expect("an instruction");
    let execute = not.executor();
    let mut machine = State::new();
    for register in [3u16, 200] {
        execute(0x0001 | register << 8, &mut machine);
        assert_eq!(machine.reg(register as u8), u32::MAX);
    }
}

#[test]
fn an_instruction_is_created_from_a_decoded_word() {
    let not = plain::Not::decode(0x0501).expect("a valid word");
    let stored = plain::Not::from_decoded(0x0501);
    assert_eq!((stored, stored.to_string()), (not, "NOT R5;".to_owned()));
    assert!(plain::Not::from_decoded(0x0502).encode().is_err(), "the word of another opcode");
}
