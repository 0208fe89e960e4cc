//! Compiles accepted specifications and compares their decoders, printers and parsers with tables
//! that the enumeration wrote.

mod damage;
mod expected;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, io};

use crate::make;
use crate::random::Random;
use crate::report::Failure;
use crate::spec::Spec;
use crate::verdict::verdict;
use crate::write::write;

/// The number of specifications in one crate.
pub const BATCH: usize = 100;

/// The program that compares. It calls the sets and reads the expectations from a file.
const PROGRAM: &str = include_str!("program.rs");

/// A specification in a batch.
pub struct Candidate {
    /// The seed from which it was made.
    pub seed: u64,
    /// Whether its texts resemble each other. Otherwise its words do.
    pub is_texts: bool,
    /// The specification.
    pub spec: Spec,
}

/// The result of a batch.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The failures, each with the index of its specification in the batch.
    pub failures: Vec<(usize, Failure)>,
    /// The number of words and texts that were compared.
    pub compared: usize,
}

/// Returns a specification that the in-process compiler accepts, or `None`. Every third seed makes
/// a specification of encodings.
#[must_use]
pub fn candidate(seed: u64) -> Option<Candidate> {
    let mut random = Random::new(seed);
    let is_texts = !seed.is_multiple_of(3);
    let spec = if is_texts { make::texts(&mut random) } else { make::encodings(&mut random) };
    let verdict = verdict(&write(&spec));
    let is_taken = verdict.faults.is_empty() && !verdict.claims && !spec.opcodes.is_empty();
    is_taken.then_some(Candidate { seed, is_texts, spec })
}

/// Compiles a batch in a folder, runs it and compares the results.
///
/// # Errors
///
/// Returns an error if the folder cannot be written, the compiler cannot be started, or the program
/// fails without naming a specification.
pub fn run(batch: &[Candidate], folder: &Path) -> io::Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    prepare(folder, &["isa-core"])?;
    let mut expectations = String::new();
    for (place, candidate) in batch.iter().enumerate() {
        let _ = writeln!(expectations, "S\t{place}");
        expected::write(candidate, &mut expectations);
    }
    outcome.compared = expectations.lines().count() - batch.len();
    fs::write(folder.join("expected.txt"), &expectations)?;
    let output = loop {
        fs::write(folder.join("src/main.rs"), program(batch, &refused))?;
        let built = cargo(folder, &["build", "--message-format=short"])?;
        if built.status.success() {
            break cargo(folder, &["run"])?;
        }
        let known = refused.len();
        let messages = String::from_utf8_lossy(&built.stderr).into_owned();
        collect_refused(&messages, batch.len(), &mut refused);
        if refused.len() == known {
            return Err(io::Error::other(messages));
        }
    };
    for (place, message) in refused {
        let class = "refused by the Rust compiler alone".to_owned();
        outcome.failures.push((place, Failure { class, detail: message }));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.ends_with("done\n") {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    for line in text.lines() {
        if let [place, class, detail] = line.splitn(3, '\t').collect::<Vec<_>>()[..]
            && let Ok(place) = place.parse()
        {
            let (class, detail) = (class.to_owned(), detail.to_owned());
            outcome.failures.push((place, Failure { class, detail }));
        }
    }
    Ok(outcome)
}

/// Returns the folder in which batches are built.
#[must_use]
pub fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace().join("target")).join("random")
}

fn workspace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.map(Path::to_owned).unwrap_or_default()
}

/// Writes a package that depends only on these crates of the workspace.
pub(crate) fn prepare(folder: &Path, crates: &[&str]) -> io::Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    let crates = crates.iter().map(|path| {
        let name = match *path {
            "isa-core/verify" => "isa-verify",
            "isa-core/export" => "isa-export",
            path => path,
        };
        format!("{name} = {{ path = {:?} }}\n", workspace().join(path))
    });
    let crates: String = crates.collect();
    let manifest = format!(
        "[package]\nname = \"batch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\n{crates}[profile.dev]\nopt-level = 0\n\
         debug = false\nincremental = false\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/kinds.rs"), include_str!("../kinds.rs"))?;
    // Use the versions of dependencies that are already available.
    let _ = fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"));
    Ok(())
}

/// Writes each specification as a module on one line. Its number is the index of the specification
/// in the batch.
fn program(batch: &[Candidate], refused: &BTreeMap<usize, String>) -> String {
    // Random specifications contain unused names and do not use all operand types.
    let mut text = "#![allow(warnings)] mod kinds; ".to_owned();
    let mut sets = String::new();
    // The first specification is on the first line, so the line number identifies the
    // specification.
    for (place, candidate) in batch.iter().enumerate() {
        if refused.contains_key(&place) {
            text.push('\n');
            continue;
        }
        // Two public macro calls of one crate must differ.
        let spec = format!("#[doc = \"{place}\"] {}", write(&candidate.spec).replace('\n', " "));
        let _ = writeln!(
            text,
            "mod m{place} {{ isa_core::define_isa! {{ {spec} }} pub fn set() -> &'static \
             isa_core::table::InstructionSet {{ Toy::SET }} }}"
        );
        let _ = write!(sets, "({place}, m{place}::set),");
    }
    let kind = "(usize, fn() -> &'static isa_core::table::InstructionSet)";
    text + PROGRAM + &format!("const SETS: &[{kind}] = &[{sets}];\n")
}

/// Collects the specifications at which the compiler reports errors, each with its first error.
pub(crate) fn collect_refused(messages: &str, count: usize, refused: &mut BTreeMap<usize, String>) {
    for line in messages.lines() {
        let Some((place, message)) = line.split_once(": error") else { continue };
        let number = place.split(':').nth(1).and_then(|number| number.parse::<usize>().ok());
        if let Some(place) = number.and_then(|number| number.checked_sub(1))
            && place < count
        {
            refused.entry(place).or_insert_with(|| message.to_owned());
        }
    }
}

pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .args(["--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
}
