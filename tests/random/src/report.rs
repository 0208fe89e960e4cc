//! What holding one specification against the definition has shown.

use crate::verdict::Verdict;

/// One thing that is not as it should be.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The sort of failure, to count by.
    pub class: String,
    /// What it is about.
    pub detail: String,
}

/// The result of one specification.
#[derive(Debug, Default)]
pub struct Report {
    /// What is not as it should be.
    pub failures: Vec<Failure>,
    /// Whether the specification was taken.
    pub accepted: bool,
    /// Whether only a Rust compiler can tell.
    pub undecided: bool,
    /// The codes of what was reported.
    pub codes: Vec<String>,
}

impl Report {
    /// A report without a failure.
    #[must_use]
    pub fn new(verdict: &Verdict) -> Self {
        let codes: std::collections::BTreeSet<String> =
            verdict.codes().into_iter().map(str::to_owned).collect();
        Report {
            accepted: verdict.faults.is_empty(),
            codes: codes.into_iter().collect(),
            ..Report::default()
        }
    }

    /// Adds a failure.
    pub fn fail(&mut self, class: &str, detail: &str) {
        self.failures.push(Failure { class: class.to_owned(), detail: detail.to_owned() });
    }
}
