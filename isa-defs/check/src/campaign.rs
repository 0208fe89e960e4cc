//! Campaigns: comparisons too long for a test run, which people start to convince themselves.
//!
//! A campaign is divided into units, each of which can be run by itself: so it can be spread over
//! threads and machines, and be continued where it was left ([`crate::run`]).
//!
//! ```
//! use isa_check::campaign::Campaign;
//! use isa_check::run::{Progress, Shard};
//!
//! let campaign = Campaign::new("squares".to_owned(), "multiplication", [100, 1], |unit, tally| {
//!     tally.compare(unit.pow(2), unit * unit, || unit.to_string());
//! });
//! let mut progress = Progress::default();
//! progress.advance(&campaign, Shard::WHOLE, 2, u64::MAX);
//! assert_eq!((progress.tally.cases, progress.tally.differences), (100, 0));
//! ```

use core::fmt;

/// Differences that are kept with their inputs; further ones are only counted.
const KEPT: usize = 10;

/// Runs one unit by its number.
type Check = dyn Fn(u64, &mut Tally) + Send + Sync;

/// A comparison of one part of a set with a second way to the same result, over many cases.
pub struct Campaign {
    /// The name, such as `half-pairs/add/f16/rn`.
    pub name: String,
    /// Where the expected results come from.
    pub oracle: &'static str,
    /// The number of units.
    pub units: u64,
    /// The number of results that are compared in a unit.
    pub cases_each: u64,
    check: Box<Check>,
}

impl Campaign {
    /// A campaign whose `check` runs one unit by its number.
    pub fn new(
        name: String,
        oracle: &'static str,
        [units, cases_each]: [u64; 2],
        check: impl Fn(u64, &mut Tally) + Send + Sync + 'static,
    ) -> Self {
        Campaign { name, oracle, units, cases_each, check: Box::new(check) }
    }

    /// Runs one unit.
    ///
    /// # Panics
    ///
    /// Where it compared another number of results than it says: then figures made from it would
    /// be wrong.
    pub fn run_unit(&self, unit: u64) -> Tally {
        let mut tally = Tally::default();
        (self.check)(unit, &mut tally);
        assert_eq!(tally.cases, self.cases_each, "{}, unit {unit}", self.name);
        tally
    }
}

impl fmt::Debug for Campaign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Campaign").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Results compared.
    pub cases: u64,
    /// Results that differ.
    pub differences: u64,
    /// The first of them, with their inputs.
    pub first: Vec<String>,
}

impl Tally {
    /// Counts one comparison; `inputs` describes it where it fails.
    #[inline]
    pub fn compare<T: PartialEq + fmt::LowerHex>(
        &mut self,
        found: T,
        expected: T,
        inputs: impl FnOnce() -> String,
    ) {
        self.cases += 1;
        if found != expected {
            self.note(format!("{}: {found:#06x}, expected {expected:#06x}", inputs()));
        }
    }

    /// Counts one comparison that came out right or not; `wrong` describes it where it did not.
    #[inline]
    pub fn check(&mut self, right: bool, wrong: impl FnOnce() -> String) {
        self.cases += 1;
        if !right {
            self.note(wrong());
        }
    }

    /// Counts so many comparisons that came out right.
    pub fn add_equal(&mut self, cases: u64) {
        self.cases += cases;
    }

    /// Counts the comparisons of a row of results; `inputs` describes the place of one that
    /// differs.
    ///
    /// # Panics
    ///
    /// Where the rows differ in length: then not all of it is compared.
    pub fn compare_rows<T: Copy + PartialEq + fmt::LowerHex>(
        &mut self,
        found: &[T],
        expected: &[T],
        inputs: impl Fn(usize) -> String,
    ) {
        self.cases += expected.len() as u64;
        self.compare_again(found, expected, inputs);
    }

    /// Compares a row of results that were computed in another way too: no further cases, but
    /// differences count.
    ///
    /// # Panics
    ///
    /// Where the rows differ in length.
    pub fn compare_again<T: Copy + PartialEq + fmt::LowerHex>(
        &mut self,
        found: &[T],
        expected: &[T],
        inputs: impl Fn(usize) -> String,
    ) {
        assert_eq!(found.len(), expected.len());
        if found == expected {
            return;
        }
        for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
            if found != expected {
                self.note(format!("{}: {found:#06x}, expected {expected:#06x}", inputs(place)));
            }
        }
    }

    #[cold]
    fn note(&mut self, difference: String) {
        self.differences += 1;
        if self.first.len() < KEPT {
            self.first.push(difference);
        }
    }

    /// Adds what was found elsewhere.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.differences += other.differences;
        let room = KEPT - self.first.len();
        self.first.extend(other.first.into_iter().take(room));
    }
}
