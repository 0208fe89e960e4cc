//! Declarations of one call that another call uses, and sets that are combined into a larger one.

use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::Reg;

mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ADD = 1, SUB = 2, NEG = 3 }
        enum Sat: 1 { NoSAT = 0, SAT = 1 }

        group ALL { encoding { field<0, 4> Op op; field<4, 1> Sat sat = NoSAT; } }
        group TWO : [ALL] {
            encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
            operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        }
    }
}

mod sums {
    isa_core::define_isa! {
        pub(crate) isa Sums: u32;

        use crate::imports::base::Base;

        opcode ADD : [TWO] {
            encoding { field<0, 4> Op op == ADD; }
            syntax { ADD{.SAT} Rd, Ra, Rb; }
            semantics {
                Rd = match sat {
                    Sat::NoSAT => Ra.value.wrapping_add(Rb.value),
                    Sat::SAT => Ra.value.saturating_add(Rb.value),
                };
            }
        }
    }
}

mod differences {
    isa_core::define_isa! {
        pub(crate) isa Differences: u32;

        use super::base::Base;

        opcode SUB : [TWO] {
            encoding { field<0, 4> Op op == SUB; }
            syntax { SUB{.SAT} Rd, Ra, Rb; }
            semantics { Rd = Ra.value.wrapping_sub(Rb.value); }
        }
    }
}

isa_core::define_isa! {
    /// Both sets and another opcode.
    pub(crate) isa All: u32;

    use crate::imports::base::Base;
    include crate::imports::sums::Sums;
    include self::differences::Differences;

    opcode NEG : [ALL] {
        encoding { field<0, 4> Op op == NEG; field<8, 8> Reg rd; }
        syntax { NEG{.SAT} Rd; }
        operands { InList<rd>; OutList<rd>; Order<rd>; }
        semantics { Rd = Rd.wrapping_neg(); }
    }
}

#[test]
fn one_decoder_over_three_sets() {
    let mut state = State::default();
    state.set_reg(1, 5);
    state.set_reg(2, u32::MAX);
    for text in ["ADD.SAT R3, R1, R2;", "SUB R4, R1, R2;", "NEG R1;"] {
        let inst: All = text.parse().unwrap();
        assert_eq!(inst.to_string(), text);
        assert_eq!(All::decode(inst.encode().unwrap()).unwrap(), inst);
        inst.execute(&mut state);
    }
    assert_eq!([3, 4, 1].map(|r| state.reg(r)), [u32::MAX, 6, 5u32.wrapping_neg()]);
    assert_eq!(All::SET.opcodes.len(), 3);
    let add = sums::Add::new(Reg::R1, Reg::R2, Reg::R3).sat(true);
    assert_eq!(All::from(add).encode().unwrap(), sums::Sums::from(add).encode().unwrap());
}

/// Groups for words of two widths. A set of narrow words uses only the narrow groups.
mod widths {
    isa_core::define_isa! {
        pub(crate) isa Both: u16 | u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 { INC = 1 }
        group NARROW { encoding { field<0, 8> Op op; field<8, 8> Reg rd; } }
        group WIDE { encoding { field<0, 8> Op op; field<24, 8> Reg rd; } }
    }
}

#[test]
fn groups_that_no_opcode_inherits_may_be_too_wide() {
    isa_core::define_isa! {
        isa Narrow: u16;
        use crate::imports::widths::Both;
        opcode INC : [NARROW] { encoding { op == INC; } syntax { INC Rd; } }
    }
    assert_eq!(Narrow::decode(0x0501).unwrap().to_string(), "INC R5;");
}
