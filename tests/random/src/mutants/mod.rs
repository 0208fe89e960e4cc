//! Mutants of a specification: each changed in one place, compiled, and held against the vectors that
//! `isa_verify` records of the unchanged set. A mutant that the vectors do not notice is a gap in them.

mod change;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

pub use change::{Mutant, mutants};

use crate::compiled::{cargo, collect_refused, prepare};

/// The specification that is changed.
pub const SPEC: &str = include_str!("spec.txt");

/// The program that compares.
const PROGRAM: &str = include_str!("program.rs");

/// What a set of mutants showed.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By the place of a mutant, how many vectors notice it. Those that only the Rust compiler refuses
    /// are left out.
    pub noticed: BTreeMap<usize, usize>,
    /// How many vectors there are.
    pub vectors: usize,
}

/// Compiles mutants in a folder, and holds each against the vectors of the unchanged set.
///
/// # Errors
///
/// A folder that cannot be written, a compiler that cannot be started, a program that fails without
/// saying of what.
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
    // The last line.
    if outcome.vectors == 0 {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(outcome)
}

/// Each mutant in a module of its own, in one line, and behind them the unchanged set.
fn program(mutants: &[Mutant], refused: &BTreeMap<usize, String>) -> String {
    let mut text = "#![allow(warnings)] ".to_owned();
    let mut sets = String::new();
    let all = mutants.iter().map(|mutant| &*mutant.spec).chain([SPEC]);
    for (place, spec) in all.enumerate() {
        if !refused.contains_key(&place) {
            let lines = spec.lines().filter(|line| !line.starts_with("///"));
            let spec = lines.collect::<Vec<_>>().join(" ");
            // Two public calls of one crate must differ.
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
