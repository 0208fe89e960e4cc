//! The video instructions against the pseudo-code of their manual, written out again as plain
//! loops over wide integers. Nothing is shared with the implementation: instructions are given
//! as words, built from the bit positions, and run on a machine.

use isa_core::machine::{GeneralRegs, State};
use isa_defs::gpu::Gpu;
use isa_tests::random::Random;

/// The numbers of the six operations, in the order in which [`lane_result`] has them.
const OPS: [u128; 6] = [0, 1, 2, 3, 4, 5];

/// One instruction with the values of its sources.
#[derive(Debug, Clone, Copy)]
struct Case {
    lanes: usize,
    op: u128,
    signed: [bool; 3],
    sat: bool,
    add: bool,
    mask: u32,
    asel: u32,
    bsel: u32,
    a: u32,
    b: u32,
    c: u32,
}

impl Case {
    /// The instruction `vop d=r4, a=r1, b=r2, c=r3`.
    fn word(&self) -> u128 {
        let optype = if self.lanes == 2 { 0x80 } else { 0x88 } + self.op;
        let bit = |on: bool, position: u32| u128::from(on) << position;
        let [dtype, atype, btype] = self.signed;
        optype
            | 2 << 8
            | 7 << 12
            | 4 << 16
            | 1 << 24
            | 2 << 32
            | 3 << 64
            | bit(dtype, 40)
            | bit(atype, 41)
            | bit(btype, 42)
            | bit(self.sat, 43)
            | bit(self.add, 44)
            | u128::from(self.mask) << 45
            | u128::from(self.asel) << 72
            | u128::from(self.bsel) << 84
    }

    /// What the instruction leaves in `d`.
    fn run(&self, machine: &mut State<'_>) -> u32 {
        for (number, value) in [(1, self.a), (2, self.b), (3, self.c)] {
            machine.set_reg(number, value);
        }
        match Gpu::decode(self.word()) {
            Ok(instruction) => instruction.execute(machine),
            Err(error) => panic!("{self:x?}: {error}"),
        }
        machine.reg(4)
    }

    /// What the manual says it leaves there.
    fn expected(&self) -> u32 {
        let bits = 32 / self.lanes;
        let digit_bits = if self.lanes == 2 { 2 } else { 3 };
        let [dtype, atype, btype] = self.signed;
        let mut pool = Vec::new();
        for source in [self.a, self.b] {
            for lane in 0..self.lanes {
                pool.push(i128::from(source >> (lane * bits)) % (1 << bits));
            }
        }
        let chosen = |selector: u32, lane: usize, signed: bool| {
            let digit = (selector >> (lane * digit_bits)) as usize % (1 << digit_bits);
            let value = pool[digit];
            if signed && value >= 1 << (bits - 1) { value - (1 << bits) } else { value }
        };
        let mut t = Vec::new();
        for lane in 0..self.lanes {
            let (va, vb) = (chosen(self.asel, lane, atype), chosen(self.bsel, lane, btype));
            let mut result = lane_result(self.op, va, vb);
            if self.sat {
                let low = if dtype { -(1 << (bits - 1)) } else { 0 };
                let high = if dtype { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
                if result < low {
                    result = low;
                }
                if result > high {
                    result = high;
                }
            }
            t.push(result);
        }
        let mut d: i128 = if self.add { self.c.into() } else { 0 };
        for (lane, result) in t.into_iter().enumerate() {
            let taken = self.mask / (1 << lane) % 2 == 1;
            if self.add {
                d += if taken { result } else { 0 };
            } else {
                let kept = i128::from(self.c >> (lane * bits));
                let value = if taken { result } else { kept };
                d += value.rem_euclid(1 << bits) << (lane * bits);
            }
        }
        d.rem_euclid(1 << 32) as u32
    }
}

fn lane_result(op: u128, a: i128, b: i128) -> i128 {
    match op {
        0 => a + b,
        1 => a - b,
        2 if a + b >= 0 => (a + b + 1).div_euclid(2),
        2 => (a + b).div_euclid(2),
        3 if a < b => b - a,
        3 => a - b,
        4 if a < b => a,
        4 => b,
        5 if a > b => a,
        _ => b,
    }
}

/// Every operation with every choice of types and of `.sat` or `.add`.
fn forms(lanes: usize) -> impl Iterator<Item = Case> {
    OPS.into_iter().flat_map(move |op| {
        (0..24).map(move |form| Case {
            lanes,
            op,
            signed: [form & 1 != 0, form & 2 != 0, form & 4 != 0],
            sat: form / 8 == 1,
            add: form / 8 == 2,
            mask: (1 << lanes) - 1,
            asel: if lanes == 2 { 0b01_00 } else { 0o3210 },
            bsel: if lanes == 2 { 0b11_10 } else { 0o7654 },
            a: 0,
            b: 0,
            c: 0,
        })
    })
}

/// A register whose lanes are often at the edges of their ranges.
fn register(random: &mut Random, lanes: usize) -> u32 {
    let bits = 32 / lanes;
    let edges = [0, 1, (1 << (bits - 1)) - 1, 1 << (bits - 1), (1 << bits) - 1, (1 << bits) - 2];
    (0..lanes).fold(0, |word, lane| {
        let value = match random.below(3) {
            0 => random.bits() as u32 % (1 << bits),
            _ => *random.pick(&edges),
        };
        word | value << (lane * bits)
    })
}

fn check(case: &Case, machine: &mut State<'_>) {
    let (found, expected) = (case.run(machine), case.expected());
    assert_eq!(found, expected, "{case:x?}: {found:08x}, not {expected:08x}");
}

/// Every form over every mask, with random selectors: more than 10^7 cases over both widths.
fn every_form_and_mask(lanes: usize, cases_each: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut machine = State::new();
    let mut count = 0;
    for form in forms(lanes) {
        for mask in 1..1 << lanes {
            for _ in 0..cases_each {
                let selector_bits = if lanes == 2 { 4 } else { 12 };
                let case = Case {
                    mask,
                    asel: random.below(1 << selector_bits) as u32,
                    bsel: random.below(1 << selector_bits) as u32,
                    a: register(&mut random, lanes),
                    b: register(&mut random, lanes),
                    c: random.bits() as u32,
                    ..form
                };
                check(&case, &mut machine);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn half_words_over_every_form_and_mask() {
    assert!(every_form_and_mask(2, 5_000, 2) >= 2_000_000);
}

#[test]
fn bytes_over_every_form_and_mask() {
    assert!(every_form_and_mask(4, 4_000, 4) >= 8_000_000);
}

/// Every form on all 2^16 pairs of bytes, four pairs an instruction.
#[test]
fn bytes_exhaustively() {
    let mut random = Random::new(16);
    let mut machine = State::new();
    for form in forms(4) {
        let c = random.bits() as u32;
        for a in 0..=255u8 {
            for b in (0..=255u8).step_by(4) {
                let (a, b) = ([a; 4], [b, b + 1, b + 2, b + 3]);
                let (a, b) = (u32::from_le_bytes(a), u32::from_le_bytes(b));
                check(&Case { a, b, c, ..form }, &mut machine);
            }
        }
    }
}

/// The examples of the manual as they stand there; the last one has a mask that does not exist.
#[test]
fn examples_of_the_manual() {
    let good = [
        ("vadd2.s32.s32.u32.sat r1, r2, r3, r1;", "vadd2.s32.s32.u32.sat r1, r2, r3, r1;"),
        (
            "vsub2.s32.s32.s32.sat r1.h0, r2.h10, r3.h32, r1;",
            "vsub2.s32.s32.s32.sat r1.h0, r2, r3, r1;",
        ),
        (
            "vmin2.s32.u32.u32.add r1.h10, r2.h00, r3.h22, r1;",
            "vmin2.s32.u32.u32.add r1, r2.h00, r3.h22, r1;",
        ),
        ("vadd4.s32.s32.u32.sat r1, r2, r3, r1;", "vadd4.s32.s32.u32.sat r1, r2, r3, r1;"),
        (
            "vsub4.s32.s32.s32.sat r1.b0, r2.b3210, r3.b7654, r1;",
            "vsub4.s32.s32.s32.sat r1.b0, r2, r3, r1;",
        ),
    ];
    for (text, canonical) in good {
        assert_eq!(text.parse::<Gpu>().unwrap().to_string(), canonical);
    }
    let wrong = "vmin4.s32.u32.u32.add r1.b00, r2.b0000, r3.b2222, r1;".parse::<Gpu>();
    let message = wrong.expect_err("a mask has each lane once").to_string();
    assert!(message.contains("b00") && message.contains("b3210"), "{message}");
}
