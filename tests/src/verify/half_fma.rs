//! Fused multiply-add: a structured set of triples, and weighted random ones.

use isa_core::half2::{Format, Rounding};
use rustc_apfloat::Float;

use crate::half_support::{Operands, Pair, ROUNDINGS, reference_bits};
use crate::verify::{Campaign, Tally};

/// The triples of a random unit.
pub const TRIPLES: u64 = 1 << 16;

/// A fused multiply-add under test.
pub type Fused<H> = fn(H, H, H, Rounding) -> H;

/// Both signs of chosen exponents with chosen fractions: the edges and the middle of the range
/// of exponents, single bits at both ends of the fraction, runs of ones, and their neighbours.
#[must_use]
pub fn structured_operands(format: Format) -> Vec<u16> {
    let last = (1_u16 << format.exponent_bits) - 1;
    let exponents: Vec<u16> = match format.exponent_bits {
        5 => (0..=last).collect(),
        _ => {
            let bias = format.bias as u16;
            let ends = [0, 1, 2, bias / 2, bias + bias / 2, last - 2, last - 1, last];
            ends.into_iter().chain(bias - 10..=bias + 10).collect()
        }
    };
    let ones = (1_u16 << format.fraction_bits) - 1;
    let half = 1 << (format.fraction_bits - 1);
    let fractions = [0, 1, 3, half - 1, half, half + 1, ones - 1, ones];
    let mut operands = Vec::new();
    for exponent in exponents {
        for fraction in fractions {
            let bits = exponent << format.fraction_bits | fraction;
            operands.extend([bits, bits | 0x8000]);
        }
    }
    operands
}

/// All triples of the structured operands in all modes. A unit is a pair of factors.
pub fn structured<H: Pair + 'static>(name: String, ours: Fused<H>) -> Campaign {
    let operands = structured_operands(H::FORMAT);
    let count = operands.len() as u64;
    Campaign::new(name, "rustc_apfloat", [count * count, count * 4], move |unit, tally| {
        let a = operands[(unit / count) as usize];
        let b = operands[(unit % count) as usize];
        operands.iter().for_each(|&c| in_all_modes([a, b, c], ours, tally));
    })
}

/// At least `triples` weighted triples in all modes: corners of the range, and addends that make
/// for near-ties, cancellation and overflow. The number of a unit is its seed.
pub fn random<H: Pair + 'static>(name: String, triples: u64, ours: Fused<H>) -> Campaign {
    let size = [triples.div_ceil(TRIPLES), TRIPLES * 4];
    Campaign::new(name, "rustc_apfloat", size, move |unit, tally| {
        let mut source = Operands::new::<H>(unit + 1000);
        for _ in 0..TRIPLES {
            let (a, b) = (source.one(), source.one());
            let product = H::from_bits(a).reference() * H::from_bits(b).reference();
            let c = source.beside(product.value.to_bits() as u16);
            in_all_modes([a, b, c], ours, tally);
        }
    })
}

fn in_all_modes<H: Pair>(bits: [u16; 3], ours: Fused<H>, tally: &mut Tally) {
    let [a, b, c] = bits.map(H::from_bits);
    for (rounding, round) in ROUNDINGS {
        let found = ours(a, b, c, rounding).to_bits();
        let expected = a.reference().mul_add_r(b.reference(), c.reference(), round).value;
        tally.compare(found, reference_bits(expected), || format!("{bits:#06x?} {rounding:?}"));
    }
}
