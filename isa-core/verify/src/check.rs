//! Runs the property tests of a set in a test.

use core::fmt;
use std::env;
use std::path::PathBuf;

use isa_core::Isa;
use isa_core::machine::{NamedMachine, Outcome};

use crate::case::Failure;
use crate::set_under_test::SetUnderTest;
use crate::vectors::Vectors;

/// The default number of cases of each property.
const CASES: u64 = 5_000;

/// The number of failures of a property that are printed.
const SHOWN: usize = 3;

/// Tests all properties of a set, with settings that are suitable for a test that runs often.
///
/// # Panics
///
/// Panics if a property is violated, with the failing cases in the message. See [`Check`] for the
/// settings and environment variables.
pub fn check<I: Isa>() {
    Check::<I>::new().run();
}

/// The property tests of the set `I`, with their settings.
///
/// Environment variables override the settings: `ISA_CHECK_SEED=7`, `ISA_CHECK_CASES=1000000`, and
/// `ISA_CHECK=spellings:1:17`, which tests only one case. `ISA_CHECK_WRITE=1` writes the file of
/// vectors.
///
/// ```
/// use isa_verify::Check;
/// use isa_core::machine::Recorder;
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NEG = 1 }
/// #     opcode NEG {
/// #         encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; }
/// #         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_neg(); }
/// #     }
/// # }
///
/// let check = Check::<Tiny>::new().seed(7).cases(1000).machine(Tiny::execute::<Recorder>);
/// let report = check.report();
/// assert!(report.is_fine() && report.cases > 6000);
/// ```
#[derive(Debug)]
pub struct Check<I> {
    subject: SetUnderTest,
    seed: u64,
    cases: u64,
    only: Vec<String>,
    vectors: Option<PathBuf>,
    isa: core::marker::PhantomData<fn() -> I>,
}

impl<I: Isa> Default for Check<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Isa> Check<I> {
    /// Creates a check with all properties and seed 1. The properties of semantics require a
    /// machine.
    #[must_use]
    pub fn new() -> Self {
        let isa = core::marker::PhantomData;
        let only = Vec::new();
        Check { subject: SetUnderTest::of::<I>(), seed: 1, cases: CASES, only, vectors: None, isa }
    }

    /// Sets the seed of the random numbers.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Check { seed, ..self }
    }

    /// Sets the number of cases of each property. Properties of programs are tested with a part of this
    /// number, because one case contains many instructions. Each property has at least one case for each
    /// opcode.
    #[must_use]
    pub fn cases(self, cases: u64) -> Self {
        Check { cases, ..self }
    }

    /// Restricts the check to the property `property`. You can call this method several times to
    /// select several properties. [`properties`] returns the names.
    ///
    /// [`properties`]: crate::properties
    #[must_use]
    pub fn only(mut self, property: &str) -> Self {
        self.only.push(property.to_owned());
        self
    }

    /// Adds a machine, so that instructions are executed in random states. `execute` is the method
    /// of the set's enum for the type of the machine: `MySet::execute::<MyMachine>`.
    #[must_use]
    pub fn machine<M: NamedMachine + Default, O: Outcome>(
        self,
        execute: impl Fn(I, &mut M) -> O + Send + Sync + 'static,
    ) -> Self {
        Check { subject: self.subject.machine(execute), ..self }
    }

    /// Declares words whose text is parsed as a different word for a reason that no operand type or
    /// format declares. Properties that require the same word are not tested for these words.
    #[must_use]
    pub fn read_otherwise(self, read_otherwise: fn(u128) -> bool) -> Self {
        Check { subject: self.subject.read_otherwise(read_otherwise), ..self }
    }

    /// Adds a file of vectors, which contains the expected results of the set. With `ISA_CHECK_WRITE=1`
    /// in the environment, the file is written.
    #[must_use]
    pub fn vectors(self, file: impl Into<PathBuf>) -> Self {
        Check { vectors: Some(file.into()), ..self }
    }

    /// Runs the tests, and fails if a property is violated.
    ///
    /// # Panics
    ///
    /// Panics if a property is violated, or if an environment variable or the name of a property is
    /// invalid.
    pub fn run(self) {
        let report = self.report();
        assert!(report.is_fine(), "{report}");
        println!("{report}");
    }

    /// Runs the tests and returns the results.
    ///
    /// # Panics
    ///
    /// Panics if an environment variable or the name of a property is invalid, because nothing
    /// would be tested.
    #[must_use]
    pub fn report(mut self) -> Report {
        let name = self.subject.set.name;
        let mut report = Report { set: name, cases: 0, failures: Vec::new(), vectors: Vec::new() };
        if let Ok(case) = env::var("ISA_CHECK") {
            self.again(&case, &mut report);
            return report;
        }
        self.seed = from_environment("ISA_CHECK_SEED").unwrap_or(self.seed);
        self.cases = from_environment("ISA_CHECK_CASES").unwrap_or(self.cases);
        for wanted in &self.only {
            let known = self.subject.properties().any(|known| known.name == wanted);
            assert!(known, "{name} has no property `{wanted}`");
        }
        let wanted = |name: &str| self.only.is_empty() || self.only.iter().any(|one| one == name);
        for property in self.subject.properties().filter(|property| wanted(property.name)) {
            let least = self.subject.set.opcodes.len() as u64;
            let cases = property.share_of(self.cases).max(least);
            let mut shown = 0;
            for number in 0..cases {
                report.cases += 1;
                if let Err(failure) = self.subject.try_case(property.name, self.seed, number) {
                    report.failures.push(*failure);
                    shown += 1;
                    if shown == SHOWN {
                        break;
                    }
                }
            }
        }
        self.check_vectors(&mut report);
        report
    }

    /// Tests only one case: `PROPERTY:SEED:NUMBER`.
    fn again(&self, case: &str, report: &mut Report) {
        let mut parts = case.split(':');
        let mut number = || parts.next_back().and_then(|part| part.parse().ok());
        let (Some(number), Some(seed)) = (number(), number()) else {
            panic!(
                "invalid ISA_CHECK: expected PROPERTY:SEED:CASE such as `spellings:1:17`, found `{case}`"
            );
        };
        let property = parts.next().unwrap_or_default();
        report.cases += 1;
        report.failures.extend(self.subject.try_case(property, seed, number).err().map(|it| *it));
    }

    fn check_vectors(&self, report: &mut Report) {
        let Some(path) = &self.vectors else { return };
        let set = self.subject.set;
        if env::var_os("ISA_CHECK_WRITE").is_some() {
            let text = Vectors::record(set, self.seed, VECTORS).to_string();
            let written = std::fs::write(path, text);
            written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            return;
        }
        let help = "set `ISA_CHECK_WRITE=1` in the environment of the test to write it";
        let text = std::fs::read_to_string(path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}; {help}", path.display()));
        let vectors = text.parse::<Vectors>();
        let vectors = vectors.unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        report.cases += vectors.len() as u64;
        report.vectors = vectors.differences(set);
    }
}

/// The number of random words of each opcode that are recorded as vectors.
const VECTORS: u64 = 40;

/// Returns a number from the environment.
fn from_environment(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("invalid {name}: expected a number, found `{text}`")),
    )
}

/// The results of a check.
#[derive(Debug, Clone)]
pub struct Report {
    /// The name of the set.
    pub set: &'static str,
    /// The number of cases that were tested.
    pub cases: u64,
    /// The first few failures of each property.
    pub failures: Vec<Failure>,
    /// A sentence for each difference from the vectors.
    pub vectors: Vec<String>,
}

impl Report {
    /// Returns whether there are no failures and no differences.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.failures.is_empty() && self.vectors.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { set, cases, failures, vectors } = self;
        if self.is_fine() {
            return write!(f, "{set}: {cases} cases");
        }
        for failure in failures {
            writeln!(f, "{failure}\n")?;
        }
        for difference in vectors.iter().take(20) {
            writeln!(f, "{difference}")?;
        }
        let (failed, differ) = (failures.len(), vectors.len());
        write!(f, "{set}: {failed} failures, {differ} vectors differ, {cases} cases")?;
        if differ > 0 {
            write!(
                f,
                "; if the changes are intended, set ISA_CHECK_WRITE=1 to write the vectors again"
            )?;
        }
        Ok(())
    }
}
