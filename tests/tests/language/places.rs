//! The places in which a macro call is allowed, and the visibility of its definitions.

use isa_core::operand::Reg;

#[test]
fn in_a_function() {
    isa_core::define_isa! {
        /// Visible only in this function.
        isa Local: u16;

        operand Reg: 8;

        opcode MOVE { encoding { field<0, 8> Reg rd; } syntax { MOVE rd; } }
    }
    let inst = Local::from(Move::new(Reg::R3));
    assert_eq!(inst.encode().unwrap(), 3);
    assert_eq!("MOVE R3;".parse::<Local>().unwrap(), inst);
}

mod outer {
    pub(super) mod inner {
        isa_core::define_isa! {
            /// Visible in the crate.
            pub(crate) isa Nested: u16;

            operand Reg: 8 = isa_core::operand::Reg;

            /// A set with its own visibility.
            pub(super) enum Mode: 1 { A = 0, B = 1 }

            opcode MOVE {
                encoding { field<0, 8> Reg rd; field<8, 1> Mode mode = A; }
                syntax { MOVE{.mode} rd; }
            }
        }
    }

    pub(super) fn is_b(inst: inner::Move) -> bool {
        inst.get_mode() == inner::Mode::B
    }
}

#[test]
fn in_a_nested_module() {
    let inst = outer::inner::Move::new(Reg::R1).mode(true);
    assert!(outer::is_b(inst));
    assert_eq!(outer::inner::Nested::from(inst).to_string(), "MOVE.B R1;");
}

/// Two sets in one module, which is allowed if their names differ.
mod two {
    isa_core::define_isa! {
        pub isa First: u16;

        enum FirstMode: 1 { A = 0, B = 1 }

        opcode MOVE_1 { encoding { field<0, 1> FirstMode mode; } syntax { MOVE.mode; } }
    }

    isa_core::define_isa! {
        pub isa Second: u32;

        enum SecondMode: 1 { A = 0, B = 1 }

        opcode MOVE_2 { encoding { field<31, 1> SecondMode mode; } syntax { MOVE.mode; } }
    }
}

#[test]
fn two_in_one_module() {
    let first: two::First = "MOVE.B;".parse().unwrap();
    let second: two::Second = "MOVE.B;".parse().unwrap();
    assert_eq!((first.encode().unwrap(), second.encode().unwrap()), (1, 1 << 31));
}
