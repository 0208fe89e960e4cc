//! Campaigns of the video instructions: all pairs of bytes, all selectors and all masks.

use isa_core::machine::State;

use crate::verify::{Campaign, Tally};
use crate::video::{Case, forms, register};
use isa_verify::random::SplitMix64;

/// The tested function: executes an instruction.
pub type Run = fn(&Case, &mut State<'_>) -> u32;

const ORACLE: &str = "the manual's pseudo-code over 128-bit integers";

/// Creates the campaigns of an implementation.
#[must_use]
pub fn all(run: Run) -> Vec<Campaign> {
    vec![pairs(run), selectors(2, "halves", run), selectors(4, "bytes", run)]
}

/// Creates the campaign over all 2^16 pairs of bytes in every form, with four pairs per
/// instruction. A unit is a form and a first byte.
fn pairs(run: Run) -> Campaign {
    let forms: Vec<Case> = forms(4).collect();
    let size = [forms.len() as u64 * 256, 256];
    Campaign::new("video/bytes/pairs".to_owned(), ORACLE, size, move |unit, tally| {
        let mut machine = State::new();
        let mut random = SplitMix64::new(unit);
        let form = forms[(unit / 256) as usize];
        let a = u32::from_le_bytes([unit as u8; 4]);
        for first in 0..=255_u8 {
            // Each pair occurs in each lane.
            let b = [0, 1, 2, 3].map(|lane| first.wrapping_add(lane));
            let b = u32::from_le_bytes(b);
            let c = random.bits() as u32;
            check(Case { a, b, c, ..form }, run, &mut machine, tally);
        }
    })
}

/// Creates the campaign over selectors in every form with every mask. For half-words, it covers
/// each pair of selectors. For bytes, it covers each selector of one source with a random selector
/// of the other. The lanes of the registers are often at the limits of their ranges. A unit is a
/// form and a mask.
fn selectors(lanes: usize, name: &str, run: Run) -> Campaign {
    let forms: Vec<Case> = forms(lanes).collect();
    let masks = (1 << lanes) - 1;
    let selectors: u64 = if lanes == 2 { 16 } else { 4096 };
    let repeats = if lanes == 2 { 256 } else { 2 };
    // Half-words have pairs of selectors. Bytes have one series for each source.
    let each = if lanes == 2 { selectors * selectors } else { selectors * 2 };
    let size = [forms.len() as u64 * masks, each * repeats];
    let name = format!("video/{name}/selectors");
    Campaign::new(name, ORACLE, size, move |unit, tally| {
        let mut machine = State::new();
        let mut random = SplitMix64::new(unit);
        let form = forms[(unit / masks) as usize];
        for number in 0..each * repeats {
            let (this, that) = (number % selectors, number / selectors % selectors);
            let [asel, bsel] = match lanes {
                2 => [this, that],
                _ if (number / selectors).is_multiple_of(2) => [this, random.below(selectors)],
                _ => [random.below(selectors), this],
            };
            let case = Case {
                mask: (unit % masks + 1) as u32,
                asel: asel as u32,
                bsel: bsel as u32,
                a: register(&mut random, lanes),
                b: register(&mut random, lanes),
                c: random.bits() as u32,
                ..form
            };
            check(case, run, &mut machine, tally);
        }
    })
}

fn check(case: Case, run: Run, machine: &mut State<'_>, tally: &mut Tally) {
    tally.compare(run(&case, machine), case.expected(), || format!("{case:x?}"));
}
