//! A set that is defined in another crate, under the lints of `isa_tests::strict`.

use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::Reg;
use isa_tests::strict::{Bit, Neg, Strict};

#[test]
fn it_works_from_outside() {
    let inst: Strict = "NEG R1, -R2;".parse().unwrap();
    assert_eq!(inst, Neg::new(Reg::R1, Reg::R2).ra_neg(true).into());
    assert_eq!(inst.to_string(), "NEG R1, -R2;");
    let mut state = State::default();
    state.set_reg(2, 3);
    inst.execute(&mut state);
    assert_eq!(state.reg(1), u32::MAX);
    assert!(Neg::new(Reg::R1, Reg::R2).wide(true).ra_neg(Bit::OFF).encode().is_err());
}

mod importing {
    isa_core::define_isa! {
        /// A set that uses declarations of another crate.
        pub(super) isa Importing: u32;

        use isa_tests::strict::Strict;

        opcode POS : [ALL] {
            encoding { field<0, 2> Op op == NOP; field<8, 8> Reg rd; field<2, 1> Bit wide = ON; }
            syntax { POS{.wide} rd; }
            operands { InList<>; OutList<rd>; }
            semantics { rd = if wide == Bit::ON { 2 } else { 1 }; }
        }
    }
}

#[test]
fn it_is_imported_from_outside() {
    let inst: importing::Importing = "POS R1;".parse().unwrap();
    let mut state = State::default();
    inst.execute(&mut state);
    assert_eq!((inst.encode().unwrap(), state.reg(1)), (0x106, 2));
}
