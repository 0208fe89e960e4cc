//! Tests sets whose calls refer to each other by paths of every form.

mod base {
    //! The declarations that the sets share.

    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// A number after `#`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Hash(u8);

    impl OperandKind for Hash {
        type Value = u8;
        const WIDTH: u8 = 8;
        const EXPECTS: &'static str = "a number behind `#`";
        const MAX_LEN: usize = 4;
        const FORMS: &'static [&'static str] = &["#0~"];
        fn from_bits(raw: u64) -> Self {
            Hash(raw as u8)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            cursor.eat(b'#');
            Ok(Hash(cursor.number()? as u8))
        }
        fn write(self, line: &mut Line) {
            line.push(b'#');
            line.push_decimal(self.0.into());
        }
    }

    isa_core::define_isa! {
        /// Registers and numbers.
        pub isa Base: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Hash: 8;
        enum Op: 8 { ADD = 1, SUB = 2 }
        group ALL { encoding { field<0, 8> Op op; field<8, 8> Reg rd; } }
    }
}

mod sums {
    //! A set that refers to its base by `super`.

    isa_core::define_isa! {
        /// Additions.
        pub isa Sums: u32;
        use super::base::Base;
        opcode ADD : [ALL] { encoding { op == ADD; field<16, 8> Hash imm; } syntax { ADD Rd, imm; } }
    }
}

mod differences {
    //! Another set, one module deeper.

    pub(crate) mod inner {
        //! The set.

        isa_core::define_isa! {
            /// Subtractions.
            pub isa Differences: u32;
            use super::super::base::Base;
            opcode SUB : [ALL] {
                encoding { op == SUB; field<16, 8> Reg ra; } syntax { ADD Rd, Ra; }
            }
        }
    }
}

mod all {
    //! A set that includes both, from a module next to them.

    isa_core::define_isa! {
        /// All sets.
        pub isa All: u32;
        include super::sums::Sums;
        include super::differences::inner::Differences;
    }
}

isa_core::define_isa! {
    /// All sets, included from a parent module.
    pub isa Above: u32;
    include self::sums::Sums;
    include differences::inner::Differences;
}

#[test]
fn families_that_name_their_base_by_super_are_united() {
    for text in ["ADD R1, #5;", "ADD R1, R5;"] {
        assert_eq!(text.parse::<all::All>().unwrap().to_string(), text);
        assert_eq!(text.parse::<Above>().unwrap().to_string(), text);
    }
}
