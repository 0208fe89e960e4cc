//! A reference for the video instructions, written from the pseudo-code of their manual as plain
//! loops over wide integers. It shares no code with the implementation: an instruction is a word
//! that is built from bit positions and then executed on a machine.

use isa_core::machine::{GeneralRegs, State};
use isa_defs::gpu::Gpu;

use isa_verify::random::SplitMix64;

/// The numbers of the six operations, in the order of [`lane_result`].
const OPS: [u128; 6] = [0, 1, 2, 3, 4, 5];

/// An instruction with the values of its source operands.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The number of lanes: 2 or 4.
    pub lanes: usize,
    /// The number of the operation, from 0 to 5.
    pub op: u128,
    /// Whether the types of the result, of `a` and of `b` are signed.
    pub signed: [bool; 3],
    /// Whether the instruction has `.sat`.
    pub sat: bool,
    /// Whether the instruction has `.add`.
    pub add: bool,
    /// The mask of the lanes that are written.
    pub mask: u32,
    /// The lane selector of `a`.
    pub asel: u32,
    /// The lane selector of `b`.
    pub bsel: u32,
    /// The value of the first source operand.
    pub a: u32,
    /// The value of the second source operand.
    pub b: u32,
    /// The value of the third source operand.
    pub c: u32,
}

impl Case {
    /// Returns the word of the instruction `vop d=r4, a=r1, b=r2, c=r3`.
    #[must_use]
    pub fn word(&self) -> u128 {
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

    /// Executes the instruction and returns the value of `d`.
    ///
    /// # Panics
    ///
    /// Panics if the word is not a valid instruction.
    #[must_use]
    pub fn run(&self, machine: &mut State<'_>) -> u32 {
        for (number, value) in [(1, self.a), (2, self.b), (3, self.c)] {
            machine.set_reg(number, value);
        }
        match Gpu::decode(self.word()) {
            Ok(instruction) => instruction.execute(machine),
            Err(error) => panic!("{self:x?}: {error}"),
        }
        machine.reg(4)
    }

    /// Returns the value of `d` according to the manual.
    #[must_use]
    pub fn expected(&self) -> u32 {
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

/// Returns every operation with every combination of types, plain, with `.sat`, and with `.add`.
pub fn forms(lanes: usize) -> impl Iterator<Item = Case> {
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

/// Returns a register value whose lanes are often at the limits of their ranges.
#[must_use]
pub fn register(random: &mut SplitMix64, lanes: usize) -> u32 {
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
