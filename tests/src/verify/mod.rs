//! The test campaigns of this project. [`isa_verify`] contains the campaigns for any set, and runs all
//! campaigns. The tests run a few units of each campaign.

pub mod catalogue;
pub mod half_fma;
pub mod half_pairs;
pub mod page;
pub mod video;

use isa_half::lanes::Engine;
pub use isa_verify::campaign::{Campaign, Tally};

/// Returns the slice engines that the processor supports, except the portable engine. The portable
/// engine is a loop over lanes, like the loops of the campaigns.
fn special_engines() -> impl Iterator<Item = Engine> {
    Engine::all().filter(|engine| engine.name() != Engine::PORTABLE.name())
}
