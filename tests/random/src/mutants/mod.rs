//! Mutants of a specification. Each mutant is changed in one location, compiled, and checked with
//! the vectors that `isa_verify` records of the unchanged set. A mutant that the vectors do not
//! detect is a gap in the vectors.

mod change;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

pub use change::{Mutant, mutants};

use crate::compiled::{cargo, collect_refused, prepare};

/// The unchanged specification.
pub const SPEC: &str = include_str!("spec.txt");

/// The program that compares.
const PROGRAM: &str = include_str!("program.rs");

/// The result for a list of mutants.
#[derive(Debug, Default)]
pub struct Outcome {
    /// For the index of each mutant, the number of vectors that detect it. Mutants that only the
    /// Rust compiler rejects are omitted.
    pub noticed: BTreeMap<usize, usize>,
    /// The number of vectors.
    pub vectors: usize,
}

/// Compiles mutants in a folder, and checks each with the vectors of the unchanged set.
///
/// # Errors
///
/// Returns an error if the folder cannot be written, the compiler cannot be started, or the program
/// fails without naming a mutant.
pub fn run(mutants: &[Mutant], folder: &Path) -> io::Result<Outcome> {
    prepare(folder, &["isa-core", "isa-core/verify"])?;
    let mut refused = BTreeMap::new();
    let output = loop {
        fs::write(folder.join("src/main.rs"), program(mutants, &refused))?;
        let built = cargo(folder, &["build", "--message-format=short"])?;
        if built.status.success() {
            break cargo(folder, &["run"])?;
        }
        let known = refused.len();
        let messages = String::from_utf8_lossy(&built.stderr).into_owned();
        collect_refused(&messages, mutants.len(), &mut refused);
        if refused.len() == known {
            return Err(io::Error::other(messages));
        }
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut outcome = Outcome::default();
    for line in text.lines() {
        let numbers: Vec<usize> = line.split('\t').filter_map(|part| part.parse().ok()).collect();
        match numbers[..] {
            [place, count] => _ = outcome.noticed.insert(place, count),
            [vectors] => outcome.vectors = vectors,
            _ => return Err(io::Error::other(line.to_owned())),
        }
    }
    // The last line was not printed.
    if outcome.vectors == 0 {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(outcome)
}

/// Writes each mutant as a module on one line, followed by the unchanged set.
fn program(mutants: &[Mutant], refused: &BTreeMap<usize, String>) -> String {
    let mut text = "#![allow(warnings)] ".to_owned();
    let mut sets = String::new();
    let all = mutants.iter().map(|mutant| &*mutant.spec).chain([SPEC]);
    for (place, spec) in all.enumerate() {
        if !refused.contains_key(&place) {
            let lines = spec.lines().filter(|line| !line.starts_with("///"));
            let spec = lines.collect::<Vec<_>>().join(" ");
            // Two public macro calls of one crate must differ.
            let _ = write!(
                text,
                "mod m{place} {{ isa_core::define_isa! {{ #[doc = \"{place}\"] {spec} }} \
                 pub fn set() -> &'static isa_core::table::InstructionSet {{ Toy::SET }} }}"
            );
            let _ = write!(sets, "({place}, m{place}::set),");
        }
        text.push('\n');
    }
    let kind = "(usize, fn() -> &'static isa_core::table::InstructionSet)";
    text + PROGRAM + &format!("const SETS: &[{kind}] = &[{sets}];\n")
}
