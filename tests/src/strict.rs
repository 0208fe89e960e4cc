//! Compiles a set under strict lints, with shadowed standard names in scope. The test is that it
//! compiles. The set is in the library because the lints on documentation check only items that
//! other crates can access.
#![deny(warnings, missing_docs, unreachable_pub, clippy::pedantic)]
#![no_implicit_prelude]

#[allow(dead_code, reason = "there to be confused with")]
mod shadows {
    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct String;
    pub(super) trait Into {}
    pub(super) trait From {}
    pub(super) trait Clone {}
}
#[allow(unused_imports, reason = "there to be confused with")]
use self::shadows::{Clone, From, Into, Option, Result, String};

::isa_core::define_isa! {
    /// The set.
    pub isa Strict: u32;

    machine ::isa_core::machine::Machine;

    /// A register.
    operand Reg: 8 = ::isa_core::operand::Reg;

    /// Two lanes.
    operand F16ImmX2: 32 = ::isa_defs::base::F16ImmX2;

    format CvtFImm = ::isa_defs::base::CvtFImm;

    affix "-" = neg;

    enum Bit: 1 { OFF = 0, ON = 1 }
    enum Op: 2 { NEG = 1, NOP = 2 }

    group ALL { encoding { field<0, 2> Op op; } }

    opcode NEG : [ALL] {
        encoding {
            field< 0, 2> Op  op == NEG;
            field< 2, 1> Bit wide = OFF;
            field< 8, 8> Reg rd;
            field<16, 8> Reg ra;
            field< 3, 1> Bit ra.neg = OFF;
        }
        syntax { NEG{.wide} Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; Bitwidth<rd> = 32; }
        exception { EncodingError<Illegal, "not so wide"> = wide == ON and ra.neg == OFF; }
        guard { <bool as ::core::convert::From<Bit>>::from(Ra.neg) }
        semantics { Rd = 0_u32.wrapping_sub(Ra.value & 1); }
        examples { NEG R1, -R2; }
    }

    opcode NOP : [ALL] {
        encoding { field<0, 2> Op op == NOP; }
        syntax { NOP; }
        operands { InList<>; OutList<>; Order<>; }
        semantics {}
    }
}
