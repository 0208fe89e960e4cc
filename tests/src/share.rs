//! Determines the share of its cases that a long test tries.

/// Returns the share: one of this many cases is tried. The default is 21, and the environment
/// variable `ISA_SHARE` overrides it. `.ci/run` sets it to 1.
///
/// The default is odd and does not divide a power of two. The cases that a loop with this step
/// selects therefore differ in their low bits.
#[must_use]
pub fn share() -> usize {
    let share = std::env::var("ISA_SHARE").ok().and_then(|share| share.parse().ok());
    share.filter(|&share| share > 0).unwrap_or(21)
}

/// Returns the [`share`] of a number of cases, rounded up.
#[must_use]
pub fn part_of(cases: u64) -> u64 {
    cases.div_ceil(share() as u64)
}
