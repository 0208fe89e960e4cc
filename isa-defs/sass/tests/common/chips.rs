//! The chips, and their features.

use isa_core::table::FeatureSet;
use isa_sass::Sass;

/// The chips.
pub(crate) const CHIPS: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

/// Returns the features of a chip.
pub(crate) fn features(chip: u32) -> FeatureSet {
    let name = format!("SM{chip}");
    Sass::SET.feature_set(&name).expect("each chip has a feature")
}
