//! Checks that a warp computes the same result in every lane as a machine of one lane.

use isa_core::machine::{GeneralRegs, Lane, Predicates, State, UniformRegs, Warp};
use isa_defs::gpu::Gpu;
use isa_verify::random::SplitMix64;
use isa_verify::word_generator::WordGenerator;

/// The number of lanes in tests with a single number: several full vectors and some more lanes.
const LANES: usize = 37;

/// The number of instructions for each number of lanes.
const STEPS: usize = 20_000;

/// The number of instructions after which the active lanes change and all state is filled again.
const PROGRAM: usize = 25;

/// The number of registers that instructions use. It is small, so that results are read again and
/// sources are written.
const REGS: u64 = 8;

/// Returns a warp and one machine for each lane, filled with the same values.
fn fill<'c, const N: usize>(
    random: &mut SplitMix64,
    bank: &'c [u8],
) -> (Warp<'c, N>, Vec<State<'c>>) {
    let (mut warp, mut states) = (Warp::new(), vec![State::new(); N]);
    let all = random.below(3) == 0;
    warp.set_active([(); N].map(|()| all || random.below(4) != 0));
    for number in 0..=255 {
        let row = [(); N].map(|()| value(random));
        warp.set_row(number, row);
        for (state, value) in states.iter_mut().zip(row) {
            state.set_reg(number, value);
        }
    }
    for number in 0..64 {
        let value = value(random);
        warp.lane(0).set_uniform_reg(number, value);
        states.iter_mut().for_each(|state| state.set_uniform_reg(number, value));
    }
    for number in 0..8 {
        for (i, state) in states.iter_mut().enumerate() {
            let value = random.below(2) == 1;
            warp.lane(i).set_pred(number, value);
            state.set_pred(number, value);
        }
    }
    for number in 0..32 {
        warp.set_bank(number, bank);
        states.iter_mut().for_each(|state| state.set_bank(number, bank));
    }
    (warp, states)
}

/// Returns random bits, or two lanes of few different values, which makes comparisons true and sums
/// cancel.
fn value(random: &mut SplitMix64) -> u32 {
    let few = [0_u16, 0x8000, 0x3c00, 0xbc00, 0x3f80, 0x7c00, 0x7fff, 0x0001];
    match random.below(2) {
        0 => random.bits() as u32,
        _ => u32::from(*random.pick(&few)) << 16 | u32::from(*random.pick(&few)),
    }
}

/// Returns a valid instruction that uses few registers.
fn instruction(generator: &mut WordGenerator) -> Gpu {
    let opcode = generator.random.below(generator.opcode_count() as u64) as usize;
    let fields = generator.opcode(opcode).opcode.fields;
    let regs: Vec<usize> =
        (0..fields.len()).filter(|&i| generator.field(opcode, i).kind.name == "Reg").collect();
    let given: Vec<_> = regs.into_iter().map(|i| (i, generator.random.below(REGS))).collect();
    let word = generator.legal_with(opcode, &given);
    Gpu::decode(word).unwrap_or_else(|error| panic!("{word:#034x}: {error}"))
}

fn check<const N: usize>() {
    let mut generator = WordGenerator::new(Gpu::SET, N as u64);
    let mut random = SplitMix64::new(N as u64);
    let bank: Vec<u8> = (0..4096).map(|_| random.bits() as u8).collect();
    let (mut warp, mut states) = fill::<N>(&mut random, &bank);
    let mut written = 0;
    for step in 0..STEPS {
        if step % PROGRAM == 0 {
            (warp, states) = fill(&mut random, &bank);
        }
        let instruction = instruction(&mut generator);
        let (before, active) = (warp.clone(), warp.active());
        instruction.execute_warp(&mut warp);
        written += usize::from(warp != before);
        for (i, state) in states.iter_mut().enumerate() {
            if active[i] {
                instruction.execute(state);
            }
            let lane = warp.lane(i);
            let place = difference(&lane, state);
            assert!(
                place.is_none(),
                "{instruction} lane {i} of {N}, active {active:?}: {place:x?}"
            );
        }
    }
    assert!(written > STEPS / 3, "{written} of {STEPS} instructions wrote anything");
}

/// Returns the first difference between a lane and a machine: the register, or 256 plus the
/// predicate, and both values.
fn difference<const N: usize>(lane: &Lane<'_, N>, state: &State<'_>) -> Option<(u32, u32, u32)> {
    let regs = (0..=255).map(|i| (u32::from(i), lane.reg(i), state.reg(i)));
    let preds = (0..8).map(|i| (256 + u32::from(i), lane.pred(i).into(), state.pred(i).into()));
    regs.chain(preds).find(|(_, a, b)| a != b)
}

// For each number of lanes, all instructions are compiled again, for three sets of vector
// instructions.
#[test]
#[cfg(feature = "warps")]
fn one_lane() {
    check::<1>();
}

#[test]
#[cfg(feature = "warps")]
fn a_warp() {
    check::<32>();
}

#[test]
fn lanes_that_fill_no_vector() {
    check::<LANES>();
}

#[test]
fn lanes_that_are_not_active_stay() {
    let add: Gpu = "HADD2 R1, R2, R3;".parse().expect("an instruction");
    let mut warp = Warp::<LANES>::new();
    warp.set_row(2, [0x3c00; LANES]);
    warp.set_row(3, [0x4000; LANES]);
    let even = core::array::from_fn(|lane| lane % 2 == 0);
    warp.set_active(even);
    add.execute_warp(&mut warp);
    let sums = even.map(|is_active| if is_active { 0x4200 } else { 0 });
    assert_eq!(warp.row(1), sums);
    warp.set_active([false; LANES]);
    warp.set_row(2, [0; LANES]);
    add.execute_warp(&mut warp);
    assert_eq!(warp.row(1), sums);
}

#[test]
fn guards_are_those_of_each_lane() {
    let guarded: Gpu = "@!P1 HMUL2 R1, R1, 2, 2;".parse().expect("an instruction");
    let mut warp = Warp::<LANES>::new();
    warp.set_row(1, [0x3c00_3c00; LANES]);
    warp.lane(1).set_pred(1, true);
    guarded.execute_warp(&mut warp);
    let mut products = [0x4000_4000; LANES];
    products[1] = 0x3c00_3c00;
    assert_eq!(warp.row(1), products);
}
