//! The campaigns of this project; [`isa_verify`] has those over any set, and runs them. The tests run a
//! few units of each.

pub mod catalogue;
pub mod half_fma;
pub mod half_pairs;
pub mod page;
pub mod video;

use isa_core::half2::lanes::Engine;
pub use isa_verify::campaign::{Campaign, Tally};

/// The engines for slices that the processor can run, but for the portable one, which is a loop
/// over lanes as those of the campaigns are.
fn special_engines() -> impl Iterator<Item = Engine> {
    Engine::all().filter(|engine| engine.name() != Engine::PORTABLE.name())
}
