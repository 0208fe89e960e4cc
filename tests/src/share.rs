//! How many cases tests try that have millions.

/// One in how many cases is tried: 7, or what `ISA_SHARE` says. `.ci/run` says 1.
///
/// Odd, and no divisor of a power of two, so that cases that are counted through are not all alike
/// in their low bits.
#[must_use]
pub fn share() -> usize {
    let share = std::env::var("ISA_SHARE").ok().and_then(|share| share.parse().ok());
    share.filter(|&share| share > 0).unwrap_or(7)
}

/// The [`share`] of a number of cases, at least one.
#[must_use]
pub fn part_of(cases: u64) -> u64 {
    cases.div_ceil(share() as u64)
}
