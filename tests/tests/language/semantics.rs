//! Semantic functions: the expressions that they may contain, and names that they share with
//! generated code.

use isa_core::machine::{GeneralRegs, State};

mod early {
    isa_core::define_isa! {
        /// A semantic function with an early return.
        pub(super) isa Early: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        enum Op: 4 { MOVE = 1, SKIP = 2 }

        opcode MOVE {
            encoding {
                field<0, 4> Op op == MOVE;
                field<4, 3> Pred pp;
                field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb;
            }
            syntax { MOVE Rd, Ra, Rb, pp; }
            operands { InList<ra, rb, pp>; OutList<rd>; Order<rd, ra, rb, pp>; }
            semantics {
                let _ = pp;
                let small = |x: u32| { if x < 10 { return true; } false };
                if small(Ra.value) || Ra.value == 100 {
                    Rd = 1;
                    return;
                }
                Rd = match Rb.value {
                    0 | 1 => { Rd = 2; return }
                    other => other,
                };
            }
        }
        opcode SKIP {
            encoding { field<0, 4> Op op == SKIP; }
            syntax { SKIP; }
            operands { InList<>; OutList<>; }
            semantics { return; }
        }
    }
}

#[test]
fn a_body_may_end_at_a_return() {
    let run = |a: u32, b: u32| {
        let mut state = State::default();
        state.set_reg(1, a);
        state.set_reg(2, b);
        "MOVE R0, R1, R2, PT;".parse::<early::Early>().unwrap().execute(&mut state);
        state.reg(0)
    };
    assert_eq!([run(9, 7), run(100, 7), run(10, 1), run(10, 7)], [1, 1, 2, 7]);
}

mod letters {
    /// A register type with a name that generated code might use itself.
    pub(super) type M = isa_core::operand::Reg;

    isa_core::define_isa! {
        /// Types with the names of type parameters.
        pub(super) isa Letters: u32;

        operand M: 8;
        operand K: 6 = isa_defs::base::UReg;
        enum O: 2 { A = 1, B = 2, C = 3 }
        enum V: 1 { OFF = 0, ON = 1 }
        enum T: 1 { NO = 0, YES = 1 }

        optype MOVE {
            encoding { field<2, 1> V v = OFF; field<3, 1> T t = NO; field<8, 8> M rd; }
            syntax { MOVE{.v}{.t} Rd, Source; }
            operands { OutList<rd>; }
            semantics { Rd = Source.value + u32::from(bool::from(v)); }
        }
        opcode MOVE_M : [MOVE] {
            encoding { field<0, 2> O o == A; field<16, 8> M ra; }
            operands { InList<ra>; Order<rd, ra>; }
        }
        opcode MOVE_K : [MOVE] {
            encoding { field<0, 2> O o == B; field<16, 6> K ra; }
            operands { InList<ra>; Order<rd, ra>; }
        }
        opcode PICK {
            encoding { field<0, 2> O o == C; field<4, 2> O other; field<8, 8> M rd; }
            syntax { PICK.other Rd; }
            operands { InList<>; OutList<rd>; }
            semantics { Rd = other.to_bits() as u32; }
        }
    }
}

#[test]
fn types_with_the_names_of_type_parameters() {
    use letters::{Letters, O, Pick};
    let mut state = State::default();
    state.set_reg(1, 5);
    for text in ["MOVE.ON R2, R1;", "PICK.B R3;"] {
        text.parse::<Letters>().unwrap().execute(&mut state);
    }
    assert_eq!((state.reg(2), state.reg(3)), (6, 2));
    assert_eq!(Pick::new(O::A, isa_core::operand::Reg::R0).other(O::B).get_other(), O::B);
}

mod named_in_texts {
    isa_core::define_isa! {
        /// An operand that only a format string names, and an unused operand.
        pub(super) isa Texts: u32;

        operand Reg: 8 = isa_core::operand::Reg;

        opcode MOVE {
            encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
            syntax { MOVE Rd, Ra, Rb; }
            operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
            semantics {
                let _ = Rb;
                let Ra = Ra.value;
                assert!(true, "{Ra}");
                Rd = 4;
            }
        }
    }
}

#[test]
fn an_operand_is_touched_where_a_text_names_it() {
    let mut state = State::default();
    "MOVE R1, R2, R3;".parse::<named_in_texts::Texts>().unwrap().execute(&mut state);
    assert_eq!(state.reg(1), 4);
}

mod heirs {
    isa_core::define_isa! {
        /// Opcodes that inherit one semantic function but have their own guards and templates.
        pub(super) isa Heirs: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { COPY = 1, TO = 2, ODD = 3, EVEN = 4, ADD = 5 }

        group MOVE {
            encoding { field<0, 4> Op op; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            operands { InList<ra>; OutList<rd>; }
            semantics { Rd = Ra.value; }
        }
        opcode COPY : [MOVE] { encoding { op == COPY; } syntax { COPY Rd, Ra; } }
        opcode TO : [MOVE] { encoding { op == TO; } syntax { TO Ra, Rd; } }
        opcode ODD : [MOVE] {
            encoding { op == ODD; }
            syntax { ODD Rd, Ra; }
            guard { Ra.value % 2 == 1 }
        }
        opcode EVEN : [MOVE] {
            encoding { op == EVEN; }
            syntax { EVEN Ra, Rd; }
            guard { Ra.value.is_multiple_of(2) }
        }
        opcode ADD : [MOVE] {
            encoding { op == ADD; }
            syntax { ADD Rd, Ra; }
            operands { InList<ra, rd>; }
            semantics { Rd = Rd.wrapping_add(Ra.value); }
        }
    }
}

#[test]
fn heirs_of_one_body_have_their_own_guards_and_slots_by_name() {
    let run = |text: &str| {
        let mut state = State::default();
        state.set_reg(1, 5);
        state.set_reg(2, 8);
        text.parse::<heirs::Heirs>().unwrap().execute(&mut state);
        [state.reg(1), state.reg(2)]
    };
    assert_eq!([run("COPY R2, R1;"), run("TO R1, R2;")], [[5, 5]; 2]);
    assert_eq!([run("ODD R2, R1;"), run("ODD R1, R2;")], [[5, 5], [5, 8]]);
    assert_eq!([run("EVEN R1, R2;"), run("EVEN R2, R1;")], [[5, 8], [8, 8]]);
    assert_eq!(run("ADD R1, R2;"), [13, 8]);
}
