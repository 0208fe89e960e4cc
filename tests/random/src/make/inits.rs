//! What the lines of an encoding say of the values of a field.

use crate::random::Random;
use crate::spec::{Init, Kind};

/// How a template shows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// It has to be written.
    Always,
    /// It may be left out.
    Maybe,
    /// By a mark that may be there.
    Mark,
    /// Nowhere.
    Never,
}

/// What is said of a field that is shown so.
pub(super) fn init(random: &mut Random, kind: &Kind, shown: Shown) -> Init {
    let raw = *random.pick(&kind.sample());
    let low = kind.sample()[0];
    match (shown, random.below(100)) {
        // A field that can differ and is not shown is refused.
        (Shown::Never, 0..4) => Init::Default(raw),
        (Shown::Never, _) => Init::Fixed(raw),
        (Shown::Maybe, 0..3) => Init::Required,
        (Shown::Maybe, 3..18) => Init::Fixed(raw),
        (Shown::Maybe, 18..60) => Init::Default(low),
        (Shown::Maybe, _) => Init::Default(raw),
        (Shown::Mark, 0..15) => Init::Required,
        (Shown::Mark, 15..30) => Init::Fixed(raw),
        (Shown::Mark, 30..50) => Init::Default(1),
        (Shown::Mark, _) => Init::Default(0),
        (Shown::Always, 0..20) => Init::Fixed(raw),
        (Shown::Always, 20..35) => Init::Default(raw),
        (Shown::Always, 35..43) if kind.sample().len() > 2 => Init::Never(vec![raw]),
        (Shown::Always, _) => Init::Required,
    }
}
