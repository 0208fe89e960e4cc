//! Campaigns of fused multiply-add: a structured set of triples, and weighted random triples.

use isa_half::lanes::{Engine, Settings};
use isa_half::{FloatFormat, Rounding};
use rustc_apfloat::Float;

use crate::half_support::{Operands, Pair, ROUNDINGS, reference_bits};
use crate::verify::{Campaign, Tally, special_engines};

/// The number of triples in a unit of the random campaign.
pub const TRIPLES: u64 = 1 << 16;

/// The tested function: a fused multiply-add on slices.
pub type Slices = fn(Engine, Settings, [&[u16]; 3], &mut [u16]);

const ORACLE: &str = "rustc_apfloat";

/// Returns operands that combine selected exponents with selected fractions and both signs. The
/// exponents are all exponents of a small range, or the limits and the middle of a large range. The
/// fractions are zero, all ones, a half, and their neighbours.
#[must_use]
pub fn structured_operands(format: FloatFormat) -> Vec<u16> {
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

/// Creates the campaign over all triples of the structured operands in all modes. A unit is a pair
/// of factors.
pub fn structured<H: Pair>(
    name: String,
    ours: impl Fn(H, H, H, Rounding) -> H + Copy + Send + Sync + 'static,
    slices: Slices,
) -> Campaign {
    let operands = structured_operands(H::FORMAT);
    let count = operands.len() as u64;
    Campaign::new(name, ORACLE, [count * count, count * 4], move |unit, tally| {
        let factors = [unit / count, unit % count];
        let [a, b] = factors.map(|place| vec![operands[place as usize]; operands.len()]);
        compare_in_all_modes([&a, &b, &operands], ours, slices, tally);
    })
}

/// Creates a campaign over at least `triples` weighted triples in all modes. Corner cases are frequent,
/// and so are addends that cause near-ties, cancellation and overflow. The index of a unit is its seed.
pub fn random<H: Pair>(
    name: String,
    triples: u64,
    ours: impl Fn(H, H, H, Rounding) -> H + Copy + Send + Sync + 'static,
    slices: Slices,
) -> Campaign {
    let size = [triples.div_ceil(TRIPLES), TRIPLES * 4];
    Campaign::new(name, ORACLE, size, move |unit, tally| {
        let mut source = Operands::new::<H>(unit + 1000);
        let [mut a, mut b, mut c] = [(); 3].map(|()| Vec::with_capacity(TRIPLES as usize));
        for _ in 0..TRIPLES {
            let factors = [source.one(), source.one()];
            let [x, y] = factors.map(|bits| H::from_bits(bits).reference());
            a.push(factors[0]);
            b.push(factors[1]);
            c.push(source.beside((x * y).value.to_bits() as u16));
        }
        compare_in_all_modes([&a, &b, &c], ours, slices, tally);
    })
}

/// Compares triples, given as three rows of operands. A case is a triple in one mode. Each case is
/// computed lane by lane, and on slices by each engine.
fn compare_in_all_modes<H: Pair>(
    [a, b, c]: [&[u16]; 3],
    ours: impl Fn(H, H, H, Rounding) -> H + Copy,
    slices: Slices,
    tally: &mut Tally,
) {
    let references = |row: &[u16]| -> Vec<H::Reference> {
        row.iter().map(|&bits| H::from_bits(bits).reference()).collect()
    };
    let [x, y, z] = [a, b, c].map(references);
    let mut found = vec![0; a.len()];
    for (rounding, round) in ROUNDINGS {
        let expected: Vec<u16> = x
            .iter()
            .zip(&y)
            .zip(&z)
            .map(|((x, y), z)| reference_bits(x.mul_add_r(*y, *z, round).value))
            .collect();
        let describe = |place: usize| {
            let operands = [a, b, c].map(|row| row[place]);
            format!("{operands:#06x?} {rounding:?}")
        };
        for (((found, &a), &b), &c) in found.iter_mut().zip(a).zip(b).zip(c) {
            let [a, b, c] = [a, b, c].map(H::from_bits);
            *found = ours(a, b, c, rounding).to_bits();
        }
        tally.compare_rows(&found, &expected, describe);
        let settings = Settings { rounding, ..Settings::default() };
        for engine in special_engines() {
            slices(engine, settings, [a, b, c], &mut found);
            tally.compare_again(&found, &expected, |place| {
                format!("{} by {}", describe(place), engine.name())
            });
        }
    }
}
