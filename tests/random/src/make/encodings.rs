//! Random specifications whose words stand close to each other.

use crate::random::Random;
use crate::spec::Spec;

/// A specification with few opcodes whose words overlap now and then.
#[must_use]
pub fn encodings(_random: &mut Random) -> Spec {
    Spec::default()
}
