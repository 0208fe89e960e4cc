//! Each mutant against the tests that reach it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::list::Mutant;
use crate::tests::{End, Test, run};
use crate::tree::Binary;

/// What became of a mutant.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) id: u32,
    /// The test that noticed, and how.
    pub(crate) caught: Option<(String, End)>,
    /// The tests that did not.
    pub(crate) passed: BTreeSet<String>,
}

/// How often a test ran with a mutant that it reaches, and noticed.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    runs: u32,
    catches: u32,
}

/// Tests, and how they did.
#[derive(Debug)]
pub(crate) struct Runner<'t> {
    tests: Vec<(&'t Test, &'t Binary, Record)>,
    /// What all tests of a mutant may take, in seconds.
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

    /// Whether a test reaches the mutant.
    pub(crate) fn is_reached(&self, mutant: &Mutant) -> bool {
        self.tests.iter().any(|(test, ..)| test.reaches(mutant.id))
    }

    /// Runs what reaches a mutant and did not run with it before, until one notices.
    pub(crate) fn run(&mut self, mutant: &Mutant, outcome: &mut Outcome) -> Result<(), String> {
        let left = |test: &Test| test.reaches(mutant.id) && !outcome.passed.contains(&test.name);
        let mut tests: Vec<_> = self.tests.iter_mut().filter(|(test, ..)| left(test)).collect();
        // The fastest first, by the time until it has noticed something.
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
            // Far more than it takes alone, in whole seconds.
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

/// What became of the mutants, in numbers.
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
