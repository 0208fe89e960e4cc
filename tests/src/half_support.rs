//! Shared parts of the tests of half-precision arithmetic: the reference, the inputs, and loops
//! over all cores.

use std::fmt::Debug;
use std::thread;

use isa_half::{Compare, Half, Rounding, bf16, f16};
use rustc_apfloat::{Float, FloatConvert, Round, ieee};

use crate::share::part_of;

/// A format of this project, paired with the same format of `rustc_apfloat`.
pub trait Pair: Half {
    /// The same format in `rustc_apfloat`.
    type Reference: Float
        + FloatConvert<ieee::Double>
        + FloatConvert<ieee::Single>
        + Debug
        + Send
        + Sync
        + 'static;

    /// Returns the same value in `rustc_apfloat`.
    fn reference(self) -> Self::Reference {
        Self::Reference::from_bits(u128::from(Half::to_bits(self)))
    }

    /// Returns the value as `f64`, converted by `rustc_apfloat`, which is exact.
    fn value(self) -> f64 {
        let double: ieee::Double = self.reference().convert(&mut false).value;
        f64::from_bits(double.to_bits() as u64)
    }
}

impl Pair for f16 {
    type Reference = ieee::Half;
}

impl Pair for bf16 {
    type Reference = ieee::BFloat;
}

/// Returns the bits of a reference result, with every NaN replaced by the canonical NaN.
#[must_use]
pub fn reference_bits<R: Float>(value: R) -> u16 {
    if value.is_nan() { 0x7fff } else { value.to_bits() as u16 }
}

/// The rounding modes, in the types of this project and of the reference.
pub const ROUNDINGS: [(Rounding, Round); 4] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::TowardNegative, Round::TowardNegative),
    (Rounding::TowardPositive, Round::TowardPositive),
    (Rounding::TowardZero, Round::TowardZero),
];

/// The relations, ordered by their numbers in an instruction, from 1.
pub const RELATIONS: [Compare; 14] = [
    Compare::Lt,
    Compare::Eq,
    Compare::Le,
    Compare::Gt,
    Compare::Ne,
    Compare::Ge,
    Compare::Num,
    Compare::Nan,
    Compare::Ltu,
    Compare::Equ,
    Compare::Leu,
    Compare::Gtu,
    Compare::Neu,
    Compare::Geu,
];

/// Splits the [share](part_of) of `0..count` into one part per core, and runs `work` for each part.
/// `work` uses the index of the part as the seed of its inputs.
pub fn on_all_cores(count: u64, work: impl Fn(u64, std::ops::Range<u64>) + Sync) {
    let count = part_of(count);
    let parts = thread::available_parallelism().map_or(2, |n| n.get() as u64);
    thread::scope(|scope| {
        for part in 0..parts {
            let work = &work;
            let range = count * part / parts..count * (part + 1) / parts;
            scope.spawn(move || work(part, range));
        }
    });
}

/// SplitMix64, a small random number generator whose quality suffices to choose inputs.
pub struct Random(u64);

impl Random {
    /// Creates a sequence from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// Returns the next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number less than `bound`, which must be small.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }
}

/// Returns bit patterns at which the behaviour changes, with both signs: zero, the smallest and
/// largest subnormal numbers, powers of two and the largest finite value with their neighbours,
/// infinity, and quiet and signalling NaNs with payloads.
pub fn boundaries<H: Half>() -> Vec<u16> {
    let format = H::FORMAT;
    let fraction = (1 << format.fraction_bits) - 1_u16;
    let mut list = vec![0, 1, 2, 3, fraction / 2, fraction / 2 + 1, 0x5555];
    list.push(format.one() | 0x0055);
    for field in 0..=format.infinity() >> format.fraction_bits {
        let power = field << format.fraction_bits;
        list.extend([power, power + 1, power.saturating_sub(1)]);
    }
    list.extend([format.largest(), format.infinity(), 0x7ffe, 0x7fff]);
    list.extend([format.infinity() + fraction / 2, format.infinity() + fraction / 2 + 2]);
    list.sort_unstable();
    list.dedup();
    let negative: Vec<u16> = list.iter().map(|bits| bits | 0x8000).collect();
    list.extend(negative);
    list
}

/// A source of random operands with a high share of corner cases.
pub struct Operands {
    random: Random,
    boundaries: Vec<u16>,
    fraction_bits: u32,
    infinity: u16,
}

impl Operands {
    /// Creates the operands of a format from a seed.
    #[must_use]
    pub fn new<H: Half>(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            boundaries: boundaries::<H>(),
            fraction_bits: H::FORMAT.fraction_bits,
            infinity: H::FORMAT.infinity(),
        }
    }

    /// Returns an operand.
    pub fn one(&mut self) -> u16 {
        let any = self.random.next() as u16;
        let fraction = any & ((1 << self.fraction_bits) - 1);
        let sign = any & 0x8000;
        match self.random.below(16) {
            0..=6 => any,
            // A subnormal number or zero.
            7 => sign | fraction,
            // The largest finite values.
            8 => sign | (self.infinity - 1 - (fraction & 15)),
            // A fraction with few bits set, or with few bits clear.
            9 => any & !(fraction & (fraction >> 1)),
            10 => any | ((1 << self.fraction_bits) - 1) & !(1 << self.random.below(7)),
            _ => {
                let index = self.random.below(self.boundaries.len() as u32);
                self.boundaries[index as usize]
            }
        }
    }

    /// Returns an operand to add to `other`. It is often close to `other` in magnitude, with either
    /// sign, or so different in magnitude that the sum is close to a tie.
    pub fn beside(&mut self, other: u16) -> u16 {
        let near = (self.random.below(9) as u16).wrapping_sub(4);
        let sign = self.random.next() as u16 & 0x8000;
        match self.random.below(8) {
            0 => other ^ 0x8000,
            1 => (other ^ 0x8000).wrapping_add(near),
            2 => (other ^ sign).wrapping_add(near),
            3 | 4 => {
                // The distance of the exponents: close to the precision, in either direction.
                let apart = (self.fraction_bits + self.random.below(5)) as u16 - 1;
                let step = apart << self.fraction_bits;
                let there = other & 0x7fff;
                let moved = if self.random.below(2) == 0 {
                    there.wrapping_sub(step)
                } else {
                    there.wrapping_add(step)
                };
                let trim =
                    if self.random.below(2) == 0 { (1 << self.fraction_bits) - 1 } else { 0 };
                ((moved & 0x7fff & !trim).wrapping_add(near / 4)) | sign
            }
            _ => self.one(),
        }
    }
}
