//! The values of a field in the lines of an encoding.

use crate::random::Random;
use crate::spec::{Init, Kind};

/// The way in which a template shows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The text must contain the field.
    Always,
    /// The text may contain the field.
    Maybe,
    /// The field is shown by an optional prefix or suffix operator.
    Mark,
    /// The template does not show the field.
    Never,
}

/// Returns the declared values of a field that is shown in this way.
pub(super) fn init(random: &mut Random, kind: &Kind, shown: Shown) -> Init {
    let raw = *random.pick(&kind.sample());
    let low = kind.sample()[0];
    match (shown, random.below(100)) {
        // A field that is neither fixed nor shown is an error.
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
