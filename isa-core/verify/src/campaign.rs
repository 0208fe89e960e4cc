//! Test campaigns: comparisons that take too long for a test run and are started by hand.
//!
//! A campaign consists of work units that can run separately. It can therefore be distributed over
//! threads and machines, and continued after it was stopped ([`crate::run`]).
//!
//! ```
//! use isa_verify::campaign::Campaign;
//! use isa_verify::run::{Progress, Shard};
//!
//! let campaign = Campaign::new("squares".to_owned(), "multiplication", [100, 1], |unit, tally| {
//!     tally.compare(unit.pow(2), unit * unit, || unit.to_string());
//! });
//! let mut progress = Progress::default();
//! progress.advance(&campaign, Shard::WHOLE, 2, u64::MAX);
//! assert_eq!((progress.tally.cases, progress.tally.differences), (100, 0));
//! ```

use core::fmt;

/// The number of differences that are kept with their inputs. Further differences are only counted.
const KEPT: usize = 10;

/// Runs the unit with an index.
type RunUnit = dyn Fn(u64, &mut Tally) + Send + Sync;

/// A comparison of a part of a set with a reference, over many cases.
pub struct Campaign {
    /// The name, for example `half-pairs/add/f16/rn`.
    pub name: String,
    /// The reference of the comparison.
    pub oracle: &'static str,
    /// The number of units.
    pub units: u64,
    /// The number of results that are compared in a unit.
    pub cases_each: u64,
    check: Box<RunUnit>,
}

impl Campaign {
    /// Creates a campaign. `check` runs the unit with an index.
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
    /// Panics if the number of compared results is not `cases_each`, because the reported figures would
    /// then be wrong.
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

/// The results of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of results that were compared.
    pub cases: u64,
    /// The number of results that differ.
    pub differences: u64,
    /// The first differences, with their inputs.
    pub first: Vec<String>,
}

impl Tally {
    /// Counts one comparison. `inputs` describes the comparison if it fails.
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

    /// Counts one comparison that succeeded if `right` is true. `wrong` describes the comparison if it
    /// failed.
    #[inline]
    pub fn check(&mut self, right: bool, wrong: impl FnOnce() -> String) {
        self.cases += 1;
        if !right {
            self.note(wrong());
        }
    }

    /// Counts comparisons without a difference.
    pub fn add_equal(&mut self, cases: u64) {
        self.cases += cases;
    }

    /// Counts the comparisons of a row of results. `inputs` describes the index of a result that
    /// differs.
    ///
    /// # Panics
    ///
    /// Panics if the rows have different lengths, because some results would not be compared.
    pub fn compare_rows<T: Copy + PartialEq + fmt::LowerHex>(
        &mut self,
        found: &[T],
        expected: &[T],
        inputs: impl Fn(usize) -> String,
    ) {
        self.cases += expected.len() as u64;
        self.compare_again(found, expected, inputs);
    }

    /// Compares results that were computed a second time in another way. Counts the differences, but
    /// does not count the cases again.
    ///
    /// # Panics
    ///
    /// Panics if the rows have different lengths.
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

    /// Adds the results of another part of the campaign.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.differences += other.differences;
        let room = KEPT - self.first.len();
        self.first.extend(other.first.into_iter().take(room));
    }
}
