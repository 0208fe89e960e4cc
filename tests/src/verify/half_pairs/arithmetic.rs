//! Campaigns of sums and products. Both operations commute, so the reference computes a pair once,
//! and the tested function computes it in both orders.

use isa_half::lanes::{Engine, Settings};
use isa_half::{Rounding, canonical_nan, flush, saturate};
use rustc_apfloat::Round;

use super::{Rules, each, patterns};
use crate::half_support::{Pair, reference_bits};
use crate::verify::{Campaign, Tally, special_engines};

/// The number of second operands of a unit: the first operand itself, and the half of all patterns that
/// follows it, with wrap-around. Any two operands therefore meet in one unit, which compares both
/// orders. Two operands whose distance is exactly half of the number of patterns meet in two units, and
/// each unit compares one order.
const PARTNERS: usize = (1 << 15) + 1;

/// The tested function on slices.
pub type Slices = fn(Engine, Settings, &[u16], &[u16], &mut [u16]);

/// The same function in the reference.
pub type ReferenceBinary<H> =
    fn(<H as Pair>::Reference, <H as Pair>::Reference, Round) -> <H as Pair>::Reference;

/// Creates the campaign of an arithmetic function in one rounding mode: plain, and with `.FTZ`, `.SAT`
/// and both if the format supports them. A case is a pair in one order and one form. Each case is
/// computed lane by lane, and on slices by each engine.
pub fn arithmetic<H: Pair>(
    name: String,
    (rounding, round): (Rounding, Round),
    modified: bool,
    ours: impl Fn(H, H, Rounding) -> H + Copy + Send + Sync + 'static,
    slices: Slices,
    theirs: ReferenceBinary<H>,
) -> Campaign {
    let settings: &[bool] = if modified { &[false, true] } else { &[false] };
    let forms = (settings.len() * settings.len()) as u64;
    let reference = Reference::<H>::new(round, theirs);
    Campaign::new(name, "rustc_apfloat", [1 << 16, forms << 16], move |unit, tally| {
        let first = unit as u16;
        let row: Row = (0..=1 << 15).map(|next| first.wrapping_add(next)).collect();
        let plain = reference.rounded(first, &row);
        let of_flushed = reference.rounded_of_flushed(first, &row, &plain);
        for &ftz in settings {
            let rounded = if ftz { &of_flushed } else { &plain };
            let found = in_both_orders(first, &row, ftz, rounding, ours);
            for &sat in settings {
                let form = Form { rounding, ftz, sat };
                let expected = reference.finished(rounded, form);
                form.compare_lanes::<H>(first, &row, &found, &expected, tally);
                form.compare_slices(first, &row, slices, &expected, tally);
            }
        }
    })
}

/// Operands or results of a unit, in the order of the second operands.
type Row = Vec<u16>;

/// The source of the expected results.
struct Reference<H: Pair> {
    /// All patterns, converted to numbers of the reference.
    operands: Vec<H::Reference>,
    /// The results of +0 and -0 with each pattern, used for flushed operands.
    of_zeros: [Row; 2],
    rules: Rules,
    round: Round,
    theirs: ReferenceBinary<H>,
}

impl<H: Pair> Reference<H> {
    fn new(round: Round, theirs: ReferenceBinary<H>) -> Self {
        let operands: Vec<_> = patterns().map(|bits| H::from_bits(bits).reference()).collect();
        let of_zeros = [0, 1 << 15].map(|zero| {
            let result = |&other| reference_bits(theirs(operands[zero], other, round));
            operands.iter().map(result).collect()
        });
        Reference { operands, of_zeros, rules: Rules::new::<H>(), round, theirs }
    }

    /// Returns the rounded results of an operand with each operand of a row.
    fn rounded(&self, first: u16, row: &[u16]) -> Row {
        let operand = |bits: u16| self.operands[usize::from(bits)];
        let first = operand(first);
        let result = |&other| reference_bits((self.theirs)(first, operand(other), self.round));
        row.iter().map(result).collect()
    }

    /// Returns the rounded results after the operands are flushed: a subnormal operand has the
    /// results of a zero.
    fn rounded_of_flushed(&self, first: u16, row: &[u16], rounded: &[u16]) -> Row {
        let flush = |bits| self.rules.flush(bits);
        let with_zero = |zero: u16, other| {
            let of_zero = &self.of_zeros[usize::from(zero >> 15)];
            of_zero[usize::from(flush(other))]
        };
        let result = |(&other, &rounded): (&u16, &u16)| match [flush(first), flush(other)] {
            [zero, _] if zero != first => with_zero(zero, other),
            [_, zero] if zero != other => with_zero(zero, first),
            _ => rounded,
        };
        row.iter().zip(rounded).map(result).collect()
    }

    /// Saturates and flushes results.
    fn finished(&self, rounded: &[u16], Form { ftz, sat, .. }: Form) -> Row {
        let change = |&bits: &u16| {
            let bits = if sat { self.rules.saturate(bits) } else { bits };
            if ftz { self.rules.flush(bits) } else { bits }
        };
        rounded.iter().map(change).collect()
    }
}

/// Returns the tested results before saturation, flushing of results and the NaN rule. `first` is the
/// first operand in the first row, and the second operand in the second row.
fn in_both_orders<H: Pair>(
    first: u16,
    row: &[u16],
    ftz: bool,
    rounding: Rounding,
    ours: impl Fn(H, H, Rounding) -> H,
) -> [Row; 2] {
    let flushed = |x: H| if ftz { flush(x) } else { x };
    let row = each(row, flushed);
    let first = flushed(H::from_bits(first));
    [
        each(
            &row,
            #[inline(always)]
            |other| ours(first, other, rounding),
        ),
        each(
            &row,
            #[inline(always)]
            |other| ours(other, first, rounding),
        ),
    ]
}

/// The modifiers of an instruction.
#[derive(Clone, Copy)]
struct Form {
    rounding: Rounding,
    ftz: bool,
    sat: bool,
}

impl Form {
    /// Applies the last steps of an instruction to rounded results, and compares them lane by lane.
    fn compare_lanes<H: Pair>(
        self,
        first: u16,
        row: &[u16],
        rounded: &[Row; 2],
        expected: &[u16],
        tally: &mut Tally,
    ) {
        let saturated = |x: H| if self.sat { saturate(x) } else { x };
        let flushed = |x: H| if self.ftz { flush(x) } else { x };
        let [found, swapped] =
            rounded.each_ref().map(|row| each(row, |x| canonical_nan(flushed(saturated(x)))));
        tally.compare_rows(&found, expected, |place| self.describe([first, row[place]]));
        // In the first pair, both operands are equal. The other order of the last pair belongs to
        // another unit.
        let others = 1..PARTNERS - 1;
        tally.compare_rows(&swapped[others.clone()], &expected[others], |place| {
            self.describe([row[place + 1], first])
        });
    }

    /// Compares the results of the engines, in both orders.
    fn compare_slices(
        self,
        first: u16,
        row: &[u16],
        slices: Slices,
        expected: &[u16],
        tally: &mut Tally,
    ) {
        let settings = Settings {
            rounding: self.rounding,
            flush_operands: self.ftz,
            saturate: self.sat,
            flush_result: self.ftz,
            ..Settings::default()
        };
        let firsts = [first; PARTNERS];
        let mut found = [0; PARTNERS];
        for engine in special_engines() {
            for [a, b] in [[&firsts, row], [row, &firsts]] {
                slices(engine, settings, a, b, &mut found);
                tally.compare_again(&found, expected, |place| {
                    format!("{} by {}", self.describe([a[place], b[place]]), engine.name())
                });
            }
        }
    }

    fn describe(self, [a, b]: [u16; 2]) -> String {
        let Form { rounding, ftz, sat } = self;
        format!("{a:#06x}, {b:#06x} {rounding:?} ftz {ftz} sat {sat}")
    }
}
