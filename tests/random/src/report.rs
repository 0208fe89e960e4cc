//! The result of checking one specification against the definition.

use crate::verdict::Verdict;

/// A failure.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The class of the failure, by which failures are counted.
    pub class: String,
    /// The detail of the failure.
    pub detail: String,
}

/// The result of one specification.
#[derive(Debug, Default)]
pub struct Report {
    /// The failures.
    pub failures: Vec<Failure>,
    /// Whether the compiler accepted the specification.
    pub accepted: bool,
    /// Whether the decision requires a Rust compiler.
    pub undecided: bool,
    /// The codes of the reported errors.
    pub codes: Vec<String>,
}

impl Report {
    /// Creates a report without failures.
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
