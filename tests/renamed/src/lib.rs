//! Sets in a crate that depends on `isa-core` only under the name `foundation`. They are defined at
//! module level, in a function, by a macro, and with imports from other calls and another crate.
#![deny(warnings, missing_docs)]
#![no_implicit_prelude]

/// The declarations that the next set uses.
pub mod base {
    ::foundation::define_isa! {
        /// Declarations that the family uses.
        pub isa Base: u128;

        /// A register.
        operand Reg: 8 = ::foundation::operand::Reg;

        /// The operation.
        enum Op: 8 { INC = 0xf1, DEC = 0xf2 }

        group UNARY {
            encoding { field<0, 8> Op op; field<8, 8> Reg rd; }
            syntax   { .. Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
        }
    }
}

/// A set whose optype comes from another call.
pub mod counting {
    ::foundation::define_isa! {
        /// Counts.
        pub isa Counting: u128;

        use crate::base::Base;

        /// Counts up.
        opcode INC : [UNARY] {
            encoding  { field<0, 8> Op op == INC; }
            syntax    { INC }
            semantics { Rd = Rd.wrapping_add(1); }
            examples  { INC R1; }
        }
    }
}

/// The set united with one of another crate.
pub mod united {
    ::foundation::define_isa! {
        /// Both sets.
        pub isa United: u128;

        include crate::counting::Counting;
        include ::isa_defs::halu::Halu;
    }
}

/// Defines a set with one opcode.
macro_rules! single {
    ($name:ident, $value:literal) => {
        ::foundation::define_isa! {
            /// One instruction.
            pub isa $name: u16;
            /// The operation.
            enum Op: 16 { ONLY = $value }
            /// The only instruction.
            opcode ONLY { encoding { field<0, 16> Op op == ONLY; } syntax { ONLY; } }
        }
    };
}

/// The set that the macro defines.
pub mod single {
    single!(Single, 7);
}

/// A set with the same name in another module.
pub mod again {
    single!(Single, 8);
}

#[cfg(test)]
mod tests {
    use ::core::assert_eq;
    use ::foundation::machine::{GeneralRegs, State};
    use ::std::string::ToString;

    use crate::single::Single;
    use crate::united::United;

    #[test]
    fn sets_of_all_these_places_work() {
        let word = "INC R5;".parse::<United>().unwrap().encode().unwrap();
        assert_eq!(word, 0x5f1);
        let mut machine = State::new();
        United::decode(word).unwrap().execute(&mut machine);
        assert_eq!(machine.reg(5), 1);
        let add = "HADD2 R1, R2, R3;";
        assert_eq!(add.parse::<United>().unwrap().to_string(), add);
        assert_eq!(Single::decode(7).unwrap().to_string(), "ONLY;");
    }

    #[test]
    fn a_set_can_stand_in_a_function() {
        ::foundation::define_isa! {
            isa Local: u16;
            operand Reg: 8 = ::foundation::operand::Reg;
            enum Op: 8 { NEG = 1 }
            opcode NEG {
                encoding  { field<8, 8> Op op == NEG; field<0, 8> Reg rd; }
                syntax    { NEG Rd; }
                operands  { InList<rd>; OutList<rd>; }
                semantics { Rd = Rd.wrapping_neg(); }
            }
        }
        let mut machine = State::new();
        machine.set_reg(3, 1);
        Local::decode(0x0103).unwrap().execute(&mut machine);
        assert_eq!(machine.reg(3), u32::MAX);
        assert_eq!(Neg::new(Reg::R3).to_string(), "NEG R3;");
    }
}
