//! Measures instructions on a warp of 32 lanes: the semantics of the specification, executed for
//! all lanes at once and lane by lane, compared with the limit.
//!
//! `cargo bench -p isa-tests --bench video`. Both ways are compared with each other before they are
//! measured. The tests show that the results of single lanes are correct.

mod lanes;
mod record;

use std::hint::black_box;

use isa_core::machine::{GeneralRegs, Predicates, State, Warp};
use isa_defs::gpu::Gpu;
use isa_verify::random::SplitMix64;
use lanes::{Contender, loads_and_a_store, race};

const WARP: usize = 32;

/// The number of executions of an instruction in one measurement.
const REPEAT: usize = 200;

/// The measured instructions: common forms, then arbitrary selectors and masks.
const PROGRAM: &[&str] = &[
    "vadd4.u32.u32.u32 r4, r1, r2, r3;",
    "vadd4.s32.s32.s32.sat r4, r1, r2, r3;",
    "vsub4.u32.u32.u32 r4, r1, r2, r3;",
    "vavrg4.u32.u32.u32 r4, r1, r2, r3;",
    "vabsdiff4.u32.u32.u32.add r4, r1, r2, r3;",
    "vmin4.s32.s32.s32 r4, r1, r2, r3;",
    "vmax4.u32.u32.u32 r4, r1, r2, r3;",
    "vadd2.u32.u32.u32 r4, r1, r2, r3;",
    "vadd2.s32.s32.s32.sat r4, r1, r2, r3;",
    "vabsdiff2.u32.u32.u32.add r4, r1, r2, r3;",
    "vadd4.u32.s32.u32.sat r4.b20, r1.b7135, r2.b0246, r3;",
    "vabsdiff4.s32.s32.u32.add r4.b31, r1.b7711, r2.b6024, r3;",
    "vavrg2.s32.u32.s32.sat r4.h1, r1.h31, r2.h02, r3;",
    "HADD2 R4, R1, R2;",
    "HADD2.FTZ.SAT.RM R4, R1.H0_H0, -|R2|;",
    "HMUL2 R4, R1, R2;",
    "HFMA2 R4, R1, R2, R3;",
    "HFMA2.RZ.FTZ R4, R1, -R2, R3;",
    "HADD2.F32 R4, R1, R2;",
    "HADD2.BF16_V2 R4, R1, R2;",
    "HMUL2.BF16_V2 R4, R1, R2;",
    "HFMA2.BF16_V2 R4, R1, R2, R3;",
    "HMNMX2 R4, R1, R2, PT;",
    "HSETP2.LT.AND P0, P1, R1, R2;",
    "HSET2.GE.OR.BF R4, R1, R2, P3;",
];

/// Returns a warp with random source operands, and a machine for each of its lanes.
fn machines() -> (Warp<'static, WARP>, Vec<State<'static>>) {
    let mut random = SplitMix64::new(1);
    let (mut warp, mut states) = (Warp::new(), vec![State::new(); WARP]);
    for number in 1..4 {
        let row = [(); WARP].map(|()| random.bits() as u32);
        warp.set_row(number, row);
        for (state, value) in states.iter_mut().zip(row) {
            state.set_reg(number, value);
        }
    }
    (warp, states)
}

fn check(instruction: Gpu) {
    let (mut warp, mut states) = machines();
    instruction.execute_warp(&mut warp);
    for (lane, state) in states.iter_mut().enumerate() {
        instruction.execute(state);
        let computed = warp.lane(lane);
        assert_eq!(computed.reg(4), state.reg(4), "{instruction} lane {lane}");
        let preds = |pred: &dyn Fn(u8) -> bool| [0, 1].map(pred);
        let (computed, expected) = (preds(&|i| computed.pred(i)), preds(&|i| state.pred(i)));
        assert_eq!(computed, expected, "{instruction} lane {lane}");
    }
}

fn main() {
    println!("a register of a warp of 32 lanes, ns (ratio to the last)");
    for text in PROGRAM {
        let instruction: Gpu = text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"));
        check(instruction);
        let (mut warp, mut states) = machines();
        let rows = [1, 2, 3].map(|number| warp.row(number));
        let mut out = [0; WARP];
        // The instructions are decoded and in memory, like the program of a simulator. With a
        // single instruction hidden by `black_box`, each step would write the value and wait to
        // read it again.
        let program = vec![instruction; REPEAT];
        let contenders = vec![
            Contender::new("warp", || {
                for instruction in black_box(&program) {
                    instruction.execute_warp(black_box(&mut warp));
                }
            }),
            Contender::new("lane by lane", || {
                for instruction in black_box(&program) {
                    states.iter_mut().for_each(|state| instruction.execute(state));
                }
            }),
            Contender::new("loads and a store", || {
                for _ in 0..REPEAT {
                    loads_and_a_store(rows.each_ref().map(|row| &row[..]), &mut out);
                }
            }),
        ];
        race("instructions on a warp", text, REPEAT * WARP, contenders);
    }
}
