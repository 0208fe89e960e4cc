//! Proves with the functions in SMT-LIB that two versions of a set differ exactly in the words that
//! `diff` reports.

use isa_core::table::{Field, InstructionSet, Opcode};
use isa_export::description::Description;
use isa_export::diff::{ChangeKind, Difference};
use isa_tests::tools::are_here;

use crate::Z3;

include!("../../random/src/edits/proof.rs");

mod first {
    isa_core::define_isa! {
        /// The first version.
        pub isa Toy: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ADD = 1, SUB = 2, NEG = 3, MOV = 4 }
        enum Mode: 2 { A = 0, B = 1, C = 2 }
        opcode ADD {
            encoding { field<0, 4> Op op == ADD; field<4, 2> Mode mode = A; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax { ADD{.mode} rd, ra; }
        }
        opcode SUB {
            encoding { field<0, 4> Op op == SUB; field<4, 2> Mode mode = A; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax { SUB{.mode} rd, ra; }
            exception { EncodingError<IllegalOperand, "not of itself"> = rd == ra; }
        }
        opcode NEG { encoding { field<0, 4> Op op == NEG; field<8, 8> Reg rd; } syntax { NEG rd; } }
    }
}

mod second {
    isa_core::define_isa! {
        /// The second version. It adds a value, an opcode and an exception, removes an exception,
        /// moves a field, and assigns words of one opcode to another.
        pub isa Toy: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ADD = 1, SUB = 2, NEG = 3, MOV = 4 }
        enum Mode: 2 { A = 0, B = 1, C = 2, D = 3 }
        opcode ADD {
            encoding { field<0, 4> Op op == ADD; field<4, 2> Mode mode = A; field<16, 8> Reg rd; field<8, 8> Reg ra; }
            syntax { ADD{.mode} rd, ra; }
            exception { EncodingError<IllegalOperand, "never B of RZ"> = mode == B and ra == 255; }
        }
        opcode SUB {
            encoding { field<0, 4> Op op == SUB; field<4, 2> Mode mode = A; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax { SUB{.mode} rd, ra; }
        }
        opcode NEG {
            encoding { field<0, 4> Op op == NEG; field<8, 8> Reg rd; } syntax { NEG rd; }
            exception { EncodingError<IllegalOperand, "RZ is ZERO"> = rd == 255; }
        }
        opcode ZERO { encoding { field<0, 4> Op op == NEG; field<8, 8> Reg rd == 255; } syntax { ZERO; } }
        opcode MOV { encoding { field<0, 4> Op op == MOV; field<8, 8> Reg rd; field<16, 8> Reg ra; } syntax { MOV rd, ra; } }
    }
}

#[test]
fn versions_differ_where_the_difference_says() {
    if !are_here(&[Z3]) {
        return;
    }
    let sets = [first::Toy::SET, second::Toy::SET];
    let read = |set| isa_core::describe::json(set).to_string().parse::<Description>().unwrap();
    for [old, new] in [sets, [sets[1], sets[0]], [sets[0]; 2]] {
        let all = Difference::between(&read(old), &read(new));
        let count = prove(old, new, &all).unwrap_or_else(|message| panic!("{message}"));
        assert!(count >= 9, "{count}");
        // If any change is not reported, the proof must fail.
        for place in 0..all.changes.len() {
            let mut less = all.clone();
            let change = less.changes.remove(place);
            let is_of_words = matches!(
                change.what,
                ChangeKind::Legal | ChangeKind::Illegal | ChangeKind::Becomes
            );
            if is_of_words {
                assert!(prove(old, new, &less).is_err(), "{change}");
            }
        }
    }
}
