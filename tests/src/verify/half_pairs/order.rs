//! Campaigns of minimum, maximum and comparison.

use core::array;

use isa_half::{Compare, Extremum, flush};

use super::{Rules, patterns};
use crate::half_support::{Pair, RELATIONS};
use crate::verify::{Campaign, Tally};

const ORACLE: &str = "values by rustc_apfloat, order by the processor's f64";

/// The number of second operands of a unit: one for each pattern of 16 bits.
const SECOND: u64 = 1 << 16;

/// All patterns as operands of the tested function.
struct Operands<H> {
    /// Whether the operands were flushed.
    ftz: bool,
    all: Vec<H>,
}

impl<H: Pair> Operands<H> {
    fn plain_and_flushed() -> [Self; 2] {
        [false, true].map(|ftz| {
            let operand = |bits| if ftz { flush(H::from_bits(bits)) } else { H::from_bits(bits) };
            Operands { ftz, all: patterns().map(operand).collect() }
        })
    }

    /// Returns the results of an operand with all other operands.
    #[inline(always)]
    fn results(&self, first: u16, ours: impl Fn(H, H) -> u16) -> Vec<u16> {
        let first = self.all[usize::from(first)];
        self.all.iter().map(|&second| ours(first, second)).collect()
    }
}

impl Rules {
    /// Returns the expected results of an operand with all other operands: plain, and with both operands
    /// flushed. `results` returns the expected results of an operand without flushing.
    fn plain_and_flushed(&self, first: u16, results: impl Fn(u16) -> Vec<u16>) -> [Vec<u16>; 2] {
        let plain = results(first);
        let zero = self.flush(first);
        let mut flushed = if zero == first { plain.clone() } else { results(zero) };
        for &second in &self.subnormal {
            flushed[usize::from(second)] = flushed[usize::from(self.flush(second))];
        }
        [plain, flushed]
    }
}

/// Creates the campaign of minimum and maximum, with and without `.NAN` and `.FTZ`. A unit is a
/// first operand.
pub fn min_max<H: Pair>(
    name: String,
    ours: impl Fn(Extremum, bool, H, H) -> H + Send + Sync + 'static,
) -> Campaign {
    let rules = Rules::new::<H>();
    let operands = Operands::<H>::plain_and_flushed();
    Campaign::new(name, ORACLE, [1 << 16, SECOND * 8], move |unit, tally| {
        let first = unit as u16;
        for form in 0..4 {
            let [minimum, propagate] = [1, 2].map(|bit| form & bit != 0);
            let which = if minimum { Extremum::Minimum } else { Extremum::Maximum };
            let chosen = |first| chosen_of_all([minimum, propagate], first, &rules);
            let expected = rules.plain_and_flushed(first, chosen);
            for (operands, expected) in operands.iter().zip(expected) {
                let found = operands.results(first, |a, b| ours(which, propagate, a, b).to_bits());
                tally.compare_rows(&found, &expected, |second| {
                    let ftz = operands.ftz;
                    format!("{first:#06x}, {second:#06x} {which:?} nan {propagate} ftz {ftz}")
                });
            }
        }
    })
}

/// Returns the choices of HMNMX2 between an operand and each other operand.
fn chosen_of_all(form: [bool; 2], first: u16, rules: &Rules) -> Vec<u16> {
    let x = rules.value(first);
    let choose = |(second, &y)| chosen(form, [first, second], [x, y]);
    patterns().zip(&rules.value).map(choose).collect()
}

/// Returns the choice of HMNMX2, computed from values. -0 is less than +0. A NaN loses against a number,
/// but wins with `.NAN`.
fn chosen([minimum, propagate]: [bool; 2], bits: [u16; 2], values: [f64; 2]) -> u16 {
    let [x, y] = values;
    let both = x.is_nan() && y.is_nan();
    if both || propagate && (x.is_nan() || y.is_nan()) {
        return 0x7fff;
    }
    let first = match (x.is_nan(), y.is_nan()) {
        (true, _) => false,
        (_, true) => true,
        _ if x == y => x.is_sign_negative() == minimum,
        _ => (x < y) == minimum,
    };
    bits[usize::from(!first)]
}

/// Creates the campaign of all comparisons, with and without `.FTZ`. A case is one relation of one
/// pair, and a unit is a first operand.
pub fn compares<H: Pair>(
    name: String,
    ours: impl Fn(Compare, H, H) -> bool + Send + Sync + 'static,
) -> Campaign {
    let rules = Rules::new::<H>();
    let operands = Operands::<H>::plain_and_flushed();
    Campaign::new(name, ORACLE, [1 << 16, SECOND * 28], move |unit, tally| {
        let first = unit as u16;
        let holding = |first| {
            let x = rules.value(first);
            rules.value.iter().map(|&y| number(expected_relations(x, y))).collect()
        };
        let expected = rules.plain_and_flushed(first, holding);
        for (operands, expected) in operands.iter().zip(expected) {
            let relations = |a, b| array::from_fn(|at| ours(RELATIONS[at], a, b));
            let found = operands.results(first, |a, b| number(relations(a, b)));
            compare_relations(first, operands.ftz, [&found, &expected], tally);
        }
    })
}

/// Returns for each relation whether it holds between two values.
fn expected_relations(x: f64, y: f64) -> [bool; 14] {
    let ordered = !x.is_nan() & !y.is_nan();
    let plain = [x < y, x == y, x <= y, x > y, ordered & (x != y), x >= y];
    array::from_fn(|number| match number {
        0..6 => plain[number],
        6 => ordered,
        7 => !ordered,
        _ => !ordered | plain[number - 8],
    })
}

/// Returns the relations that hold as a bit mask. The first relation is the lowest bit.
#[inline(always)]
fn number(holding: [bool; 14]) -> u16 {
    holding.into_iter().rev().fold(0, |bits, holds| bits << 1 | u16::from(holds))
}

/// Compares the relations that were found between an operand and all other operands with the expected
/// relations.
fn compare_relations(first: u16, ftz: bool, [found, expected]: [&[u16]; 2], tally: &mut Tally) {
    if found == expected {
        return tally.add_equal(RELATIONS.len() as u64 * SECOND);
    }
    for ((second, found), expected) in patterns().zip(found).zip(expected) {
        for (number, op) in RELATIONS.into_iter().enumerate() {
            tally.compare(found >> number & 1, expected >> number & 1, || {
                format!("{first:#06x}, {second:#06x} {op:?} ftz {ftz}")
            });
        }
    }
}
