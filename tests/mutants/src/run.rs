//! Runs each mutant with the tests that reach it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::list::Mutant;
use crate::tests::{End, Test, run};
use crate::tree::Binary;

/// The result of a mutant.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) id: u32,
    /// The test that detected it, and how that test ended.
    pub(crate) caught: Option<(String, End)>,
    /// The tests that did not detect it.
    pub(crate) passed: BTreeSet<String>,
}

/// The number of runs of a test with a mutant that it reaches, and of detected mutants.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    runs: u32,
    catches: u32,
}

/// The tests and their records.
#[derive(Debug)]
pub(crate) struct Runner<'t> {
    tests: Vec<(&'t Test, &'t Binary, Record)>,
    /// The limit on the time of all tests of a mutant, in seconds.
    pub(crate) budget: f64,
}

impl<'t> Runner<'t> {
    pub(crate) fn new(tests: &'t [Test], binaries: &'t [Binary], budget: f64) -> Self {
        let tests = tests.iter().filter(|test| test.passes).filter_map(|test| {
            let binary = binaries.iter().find(|binary| test.name_in(binary).is_some())?;
            Some((test, binary, Record::default()))
        });
        Runner { tests: tests.collect(), budget }
    }

    /// Returns whether a test reaches the mutant.
    pub(crate) fn is_reached(&self, mutant: &Mutant) -> bool {
        self.tests.iter().any(|(test, ..)| test.reaches(mutant.id))
    }

    /// Runs the tests that reach a mutant, except those that passed with it before, until one
    /// detects it.
    pub(crate) fn run(&mut self, mutant: &Mutant, outcome: &mut Outcome) -> Result<(), String> {
        let left = |test: &Test| test.reaches(mutant.id) && !outcome.passed.contains(&test.name);
        let mut tests: Vec<_> = self.tests.iter_mut().filter(|(test, ..)| left(test)).collect();
        // Sort by the expected time until a test detects a mutant.
        let cost = |seconds: f64, record: Record| {
            seconds * f64::from(record.runs + 2) / f64::from(record.catches + 1)
        };
        tests.sort_by(|a, b| cost(a.0.seconds, a.2).total_cmp(&cost(b.0.seconds, b.2)));
        let mut spent = 0.0;
        for (test, binary, record) in tests {
            spent += test.seconds;
            if spent > self.budget {
                break;
            }
            let name = test.name_in(binary).unwrap_or_default();
            // The limit is far above the normal time of the test, in whole seconds.
            let most = 2 + (4.0 * test.seconds) as u64;
            let end = run(binary, name, ("ISA_MUTANT", &mutant.id.to_string()), most)?;
            record.runs += 1;
            if end != End::Passed {
                record.catches += 1;
                outcome.caught = Some((test.name.clone(), end));
                break;
            }
            outcome.passed.insert(test.name.clone());
        }
        Ok(())
    }
}

/// Returns the number of mutants in each state, for each file and in total.
pub(crate) fn summary(mutants: &[Mutant], state: impl Fn(&Mutant) -> &'static str) -> String {
    let mut rows: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
    for mutant in mutants {
        for row in [mutant.file.as_str(), "all"] {
            *rows.entry(row).or_default().entry(state(mutant)).or_default() += 1;
        }
    }
    let row = |(file, states): (&&str, &BTreeMap<&str, u32>)| {
        let states: Vec<String> =
            states.iter().map(|(state, count)| format!("{count} {state}")).collect();
        format!("{file}: {}\n", states.join(", "))
    };
    rows.iter().map(row).collect()
}
