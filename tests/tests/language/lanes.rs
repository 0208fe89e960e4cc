//! Semantics that compute several lanes at once.

use isa_core::machine::{GeneralRegs, Predicates, State, UniformRegs, Warp};

/// State that a semantic function with a machine and lanes can access.
pub(crate) trait Clock {
    fn ticks(&mut self) -> u32;
}

impl<M: GeneralRegs + ?Sized> Clock for M {
    fn ticks(&mut self) -> u32 {
        self.set_reg(9, self.reg(9) + 1);
        self.reg(9)
    }
}

/// Semantic functions that another call includes with `use`, and the functions that they call.
pub(crate) mod base {
    /// Returns the sum or the difference of two rows.
    pub(crate) fn sum<const L: usize>(a: &[u32; L], b: &[u32; L], minus: bool) -> [u32; L] {
        core::array::from_fn(
            |i| if minus { a[i].wrapping_sub(b[i]) } else { a[i].wrapping_add(b[i]) },
        )
    }

    isa_core::define_isa! {
        pub(crate) isa Base: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand UReg: 6 = isa_defs::base::UReg;
        operand Pred: 3 = isa_core::operand::Pred;
        affix "-" = sign;
        enum Op: 3 { ADD = 1, ADDU = 2, COUNT = 3, BOTH = 4, TICK = 5 }
        enum Sign: 1 { Plus = 0, Minus = 1 }

        group ALL {
            encoding { field<0, 3> Op op; field<3, 3> Pred pg = PT; }
            syntax { {@pg} .. ; }
            guard { pg.value }
        }
        /// Changes its input operand. The other source has two operand types.
        group SUMS : [ALL] {
            encoding { field<8, 8> Reg rd; }
            syntax { .. Rd, {-}SrcB; }
            semantics<LANES> { Rd = sum::<LANES>(&Rd, &SrcB.value, SrcB.sign == Sign::Minus); }
        }
    }
}

mod toy {
    isa_core::define_isa! {
        pub(crate) isa Toy: u32;

        use crate::lanes::base::Base;

        opcode ADD : [SUMS] {
            encoding { field<0, 3> Op op == ADD; field<16, 8> Reg rb; field<24, 1> Sign rb.sign = Plus; }
            syntax { ADD }
            operands { InList<pg, rd, rb>; OutList<rd>; Order<pg, rd, rb>; }
        }
        opcode ADDU : [SUMS] {
            encoding { field<0, 3> Op op == ADDU; field<16, 6> UReg ub; field<24, 1> Sign ub.sign = Plus; }
            syntax { ADDU }
            operands { InList<pg, rd, ub>; OutList<rd>; Order<pg, rd, ub>; }
        }
        /// Writes the number of lanes that are computed at once.
        opcode COUNT : [ALL] {
            encoding { field<0, 3> Op op == COUNT; field<8, 8> Reg rd; }
            syntax { COUNT Rd; }
            operands { InList<pg>; OutList<rd>; Order<pg, rd>; }
            semantics<MANY> { let _ = pg; Rd = [MANY as u32; MANY]; }
        }
        /// Two outputs, a fixed field that is not an operand, and an early return.
        opcode BOTH : [ALL] {
            encoding { field<0, 3> Op op == BOTH; field<8, 8> Reg rd; field<16, 8> Reg re; }
            syntax { BOTH Rd, Re; }
            operands { InList<pg, rd>; OutList<rd, re>; Order<pg, rd, re>; }
            semantics<LANES> {
                Re = [op.to_bits() as u32; LANES];
                if Rd == [0; LANES] {
                    return;
                }
                Rd = Rd.map(|value| value * 2);
            }
        }
        /// Uses the machine, so the lanes are computed one after another.
        opcode TICK : [ALL] {
            encoding { field<0, 3> Op op == TICK; field<8, 8> Reg rd; }
            syntax { TICK Rd; }
            operands { InList<pg>; OutList<rd>; Order<pg, rd>; }
            semantics<LANES>(clock: crate::lanes::Clock) {
                let _ = pg;
                Rd = [clock.ticks() + 10 * LANES as u32; LANES];
            }
        }
    }
}

fn toy(text: &str) -> toy::Toy {
    text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Returns a warp of 5 lanes. One lane is not active, and one has P1.
fn warp() -> Warp<'static, 5> {
    let mut warp = Warp::new();
    warp.set_row(1, [1, 2, 3, 4, 5]);
    warp.set_row(2, [10, 20, 30, 40, 50]);
    warp.lane(0).set_uniform_reg(2, 100);
    warp.lane(3).set_pred(1, true);
    warp.set_active([true, true, false, true, true]);
    warp
}

#[test]
fn all_lanes_of_a_warp_come_at_once() {
    let mut warp = warp();
    toy("COUNT R3;").execute_warp(&mut warp);
    assert_eq!(warp.row(3), [5, 5, 0, 5, 5]);
    toy("@P1 COUNT R4;").execute_warp(&mut warp);
    assert_eq!(warp.row(4), [0, 0, 0, 5, 0]);
}

#[test]
fn one_machine_is_one_lane() {
    let mut state = State::new();
    toy("COUNT R3;").execute(&mut state);
    assert_eq!(state.reg(3), 1);
    toy("@P1 COUNT R4;").execute(&mut state);
    assert_eq!(state.reg(4), 0);
}

#[test]
fn operands_settings_and_outputs_are_as_in_any_body() {
    let mut warp = warp();
    toy("ADD R1, R2;").execute_warp(&mut warp);
    assert_eq!(warp.row(1), [11, 22, 3, 44, 55]);
    toy("ADD R1, -R2;").execute_warp(&mut warp);
    assert_eq!(warp.row(1), [1, 2, 3, 4, 5]);
    toy("@P1 ADDU R1, UR2;").execute_warp(&mut warp);
    assert_eq!(warp.row(1), [1, 2, 3, 104, 5]);
    toy("BOTH R1, R5;").execute_warp(&mut warp);
    assert_eq!(warp.row(1), [2, 4, 3, 208, 10]);
    assert_eq!(warp.row(5), [4, 4, 0, 4, 4]);

    let mut state = State::new();
    state.set_reg(1, 7);
    state.set_uniform_reg(2, 3);
    toy("ADDU R1, -UR2;").execute(&mut state);
    assert_eq!(state.reg(1), 4);
    toy("BOTH R6, R5;").execute(&mut state);
    assert_eq!((state.reg(6), state.reg(5)), (0, 4));
}

#[test]
fn with_a_machine_one_lane_follows_another() {
    let mut warp = warp();
    toy("TICK R1;").execute_warp(&mut warp);
    assert_eq!(warp.row(1), [11, 11, 3, 11, 11]);
    assert_eq!(warp.row(9), [1, 1, 0, 1, 1]);
}
