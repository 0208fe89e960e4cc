//! All test campaigns of this project, with their names.

use std::sync::Arc;

use isa_defs::gpu::Gpu;
use isa_half::lanes::{Engine, Settings};
use isa_half::{add, bf16, compare, f16, fma, min_max, mul};
use isa_verify::encoding;
use isa_verify::model::Model;
use rustc_apfloat::Float;

use crate::half_support::{Pair, ROUNDINGS};
use crate::verify::{Campaign, half_fma, half_pairs, video};
use crate::video::Case;
use isa_riscv::Rv64imac;

/// The names of the rounding modes, in the order of [`ROUNDINGS`].
const MODES: [&str; 4] = ["rn", "rm", "rp", "rz"];

/// The default number of triples of a random campaign, which give 5 * 10^9 results in four modes.
pub const TRIPLES: u64 = 1_250_000_000;

/// Returns all campaigns. Each random campaign has this many triples.
#[must_use]
pub fn all(triples: u64) -> Vec<Campaign> {
    let mut campaigns = of_format::<f16>(true, triples);
    campaigns.extend(of_format::<bf16>(false, triples));
    campaigns.extend(video::all(Case::run));
    for (name, set) in [("gpu", Gpu::SET), ("riscv", Rv64imac::SET)] {
        let model = Arc::new(Model::new(set));
        campaigns.extend(encoding::any(&format!("encoding/{name}"), &model));
    }
    campaigns.sort_by(|one, other| one.name.cmp(&other.name));
    campaigns
}

/// Returns the campaigns of a format. `modified` is true if its instructions have `.FTZ` and
/// `.SAT`.
fn of_format<H: Pair + 'static>(modified: bool, triples: u64) -> Vec<Campaign> {
    let format = H::FORMAT.name;
    let mut campaigns = Vec::new();
    for (mode, name) in ROUNDINGS.into_iter().zip(MODES) {
        let full = |what: &str| format!("half-pairs/{what}/{format}/{name}");
        campaigns.extend([
            half_pairs::arithmetic::<H>(
                full("add"),
                mode,
                modified,
                // This is a closure, because the function itself would be called for each lane instead
                // of being inlined.
                #[inline(always)]
                |a, b, rounding| add(a, b, rounding),
                Engine::add::<H>,
                |a, b, round| a.add_r(b, round).value,
            ),
            half_pairs::arithmetic::<H>(
                full("mul"),
                mode,
                modified,
                // This is a closure, because the function itself would be called for each lane instead
                // of being inlined.
                #[inline(always)]
                |a, b, rounding| mul(a, b, rounding),
                Engine::mul::<H>,
                |a, b, round| a.mul_r(b, round).value,
            ),
        ]);
    }
    campaigns.extend([
        half_pairs::min_max::<H>(format!("half-pairs/min-max/{format}"), min_max),
        half_pairs::compares::<H>(format!("half-pairs/compare/{format}"), compare),
        half_fma::structured::<H>(
            format!("half-fma/structured/{format}"),
            #[inline(always)]
            |a, b, c, rounding| fma(a, b, c, rounding),
            fma_on_slices::<H>,
        ),
        half_fma::random::<H>(
            format!("half-fma/random/{format}"),
            triples,
            #[inline(always)]
            |a, b, c, rounding| fma(a, b, c, rounding),
            fma_on_slices::<H>,
        ),
    ]);
    campaigns
}

fn fma_on_slices<H: Pair>(
    engine: Engine,
    settings: Settings,
    [a, b, c]: [&[u16]; 3],
    out: &mut [u16],
) {
    engine.fma::<H>(settings, a, b, c, out);
}
