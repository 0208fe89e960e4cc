//! Campaigns over every pair of 16-bit inputs. Each row combines one operand with many others, so
//! that the compiler vectorizes the loops over a row.

mod arithmetic;
mod order;

use rustc_apfloat::Float;

use crate::half_support::Pair;

pub use arithmetic::{ReferenceBinary, Slices, arithmetic};
pub use order::{compares, min_max};

/// Returns all bit patterns in ascending order.
fn patterns() -> impl Iterator<Item = u16> {
    0..=u16::MAX
}

/// Applies a function to each pattern of a row. It is not inlined, so that the compiler vectorizes
/// its loop.
#[inline(never)]
fn each<H: Pair>(row: &[u16], function: impl Fn(H) -> H) -> Vec<u16> {
    let mut results = vec![0; row.len()];
    for (result, &bits) in results.iter_mut().zip(row) {
        *result = function(H::from_bits(bits)).to_bits();
    }
    results
}

/// The value of each pattern of a format, and the results of the rules that are not arithmetic: flushing
/// and saturation. All of them are indexed by the pattern.
struct Rules {
    value: Vec<f64>,
    flushed: Vec<u16>,
    saturated: Vec<u16>,
    /// The patterns that flushing changes.
    subnormal: Vec<u16>,
}

impl Rules {
    fn new<H: Pair>() -> Self {
        let all = || patterns().map(H::from_bits);
        let one = all().find(|x| x.value() == 1.0).map_or(0, |x| x.to_bits());
        let flushed = |x: H| match x.reference().is_denormal() {
            true if x.reference().is_negative() => 0x8000,
            true => 0,
            false => x.to_bits(),
        };
        let saturated = |x: H| match x.value() {
            v if v > 1.0 => one,
            v if v > 0.0 => x.to_bits(),
            _ => 0,
        };
        Rules {
            value: all().map(Pair::value).collect(),
            flushed: all().map(flushed).collect(),
            saturated: all().map(saturated).collect(),
            subnormal: patterns().filter(|&x| flushed(H::from_bits(x)) != x).collect(),
        }
    }

    fn value(&self, bits: u16) -> f64 {
        self.value[usize::from(bits)]
    }

    fn flush(&self, bits: u16) -> u16 {
        self.flushed[usize::from(bits)]
    }

    fn saturate(&self, bits: u16) -> u16 {
        self.saturated[usize::from(bits)]
    }
}
