//! Every pair of 16-bit inputs. A unit is one first operand with all second ones.

use std::sync::Arc;

use isa_core::half2::{Compare, Extremum, Rounding, canonical_nan, flush, saturate};
use rustc_apfloat::{Float, Round};

use crate::half_support::{Pair, reference_bits};
use crate::verify::{Campaign, Tally};

/// The second operands of a unit.
const SECOND: u64 = 1 << 16;

/// A function of two operands, in a rounding mode, under test.
pub type Binary<H> = fn(H, H, Rounding) -> H;

/// The same function of the reference.
pub type ReferenceBinary<H> =
    fn(<H as Pair>::Reference, <H as Pair>::Reference, Round) -> <H as Pair>::Reference;

/// For each pattern of a format, the rules that are not arithmetic, restated on values.
struct Rules {
    value: Vec<f64>,
    flushed: Vec<u16>,
    saturated: Vec<u16>,
}

impl Rules {
    fn new<H: Pair>() -> Arc<Self> {
        let all = || (0..=u16::MAX).map(H::from_bits);
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
        Arc::new(Rules {
            value: all().map(Pair::value).collect(),
            flushed: all().map(flushed).collect(),
            saturated: all().map(saturated).collect(),
        })
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

/// An arithmetic function in one mode: plain, and with `.FTZ`, `.SAT` and both where the format
/// has them.
pub fn arithmetic<H: Pair + 'static>(
    name: String,
    (rounding, round): (Rounding, Round),
    modified: bool,
    ours: Binary<H>,
    theirs: ReferenceBinary<H>,
) -> Campaign {
    let forms: &'static [[bool; 2]] = match modified {
        true => &[[false, false], [false, true], [true, false], [true, true]],
        false => &[[false, false]],
    };
    let rules = Rules::new::<H>();
    let size = [1 << 16, SECOND * forms.len() as u64];
    Campaign::new(name, "rustc_apfloat", size, move |unit, tally| {
        let a = unit as u16;
        for b in 0..=u16::MAX {
            for &[ftz, sat] in forms {
                let found = instruction(ours, [a, b], rounding, [ftz, sat]);
                let inputs = [a, b].map(|bits| if ftz { rules.flush(bits) } else { bits });
                let [x, y] = inputs.map(|bits| H::from_bits(bits).reference());
                let mut expected = reference_bits(theirs(x, y, round));
                expected = if sat { rules.saturate(expected) } else { expected };
                expected = if ftz { rules.flush(expected) } else { expected };
                tally.compare(found, expected, || {
                    format!("{a:#06x}, {b:#06x} {rounding:?} ftz {ftz} sat {sat}")
                });
            }
        }
    })
}

/// The steps of an instruction, in their documented order.
fn instruction<H: Pair>(
    ours: Binary<H>,
    operands: [u16; 2],
    rounding: Rounding,
    [ftz, sat]: [bool; 2],
) -> u16 {
    let flushed = |x: H| if ftz { flush(x) } else { x };
    let [a, b] = operands.map(|bits| flushed(H::from_bits(bits)));
    let result = ours(a, b, rounding);
    let result = if sat { saturate(result) } else { result };
    canonical_nan(flushed(result)).to_bits()
}

/// Minimum and maximum, with and without `.NAN` and `.FTZ`.
pub fn min_max<H: Pair + 'static>(name: String, ours: fn(Extremum, bool, H, H) -> H) -> Campaign {
    let rules = Rules::new::<H>();
    let oracle = "values by rustc_apfloat, order by the processor's f64";
    Campaign::new(name, oracle, [1 << 16, SECOND * 8], move |unit, tally| {
        for b in 0..=u16::MAX {
            for form in 0..8 {
                let [minimum, propagate, ftz] = [1, 2, 4].map(|bit| form & bit != 0);
                let which = if minimum { Extremum::Minimum } else { Extremum::Maximum };
                let given = [unit as u16, b].map(H::from_bits);
                let [x, y] = if ftz { given.map(flush) } else { given };
                let found = ours(which, propagate, x, y).to_bits();
                let bits = [unit as u16, b].map(|x| if ftz { rules.flush(x) } else { x });
                let expected = chosen([minimum, propagate], bits, bits.map(|x| rules.value(x)));
                tally.compare(found, expected, || {
                    format!("{unit:#06x}, {b:#06x} {which:?} nan {propagate} ftz {ftz}")
                });
            }
        }
    })
}

/// The choice of HMNMX2 from the values: -0 is below +0, a NaN loses or, with `.NAN`, wins.
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

/// The relations in the order of their numbers in an instruction, from 1.
const RELATIONS: [Compare; 14] = [
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

/// All compares, with and without `.FTZ`. A case is one relation of one pair.
pub fn compares<H: Pair + 'static>(name: String, ours: fn(Compare, H, H) -> bool) -> Campaign {
    let rules = Rules::new::<H>();
    let oracle = "values by rustc_apfloat, order by the processor's f64";
    Campaign::new(name, oracle, [1 << 16, SECOND * 28], move |unit, tally| {
        for b in 0..=u16::MAX {
            for ftz in [false, true] {
                pair_of_compares([unit as u16, b], ftz, &rules, ours, tally);
            }
        }
    })
}

fn pair_of_compares<H: Pair>(
    bits: [u16; 2],
    ftz: bool,
    rules: &Rules,
    ours: fn(Compare, H, H) -> bool,
    tally: &mut Tally,
) {
    let given = bits.map(H::from_bits);
    let [a, b] = if ftz { given.map(flush) } else { given };
    let [x, y] = bits.map(|bits| rules.value(if ftz { rules.flush(bits) } else { bits }));
    let ordered = !x.is_nan() && !y.is_nan();
    let plain = [x < y, x == y, x <= y, x > y, ordered && x != y, x >= y];
    for (number, op) in RELATIONS.into_iter().enumerate() {
        let expected = match number {
            0..6 => plain[number],
            6 => ordered,
            7 => !ordered,
            _ => !ordered || plain[number - 8],
        };
        let found = u8::from(ours(op, a, b));
        tally.compare(found, u8::from(expected), || {
            format!("{:#06x}, {:#06x} {op:?} ftz {ftz}", bits[0], bits[1])
        });
    }
}
