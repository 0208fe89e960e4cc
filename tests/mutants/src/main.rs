//! Mutation tests for the workspace.
//!
//! The mutants are those of `cargo mutants --list`. That tool builds each mutant separately, which
//! takes days for this workspace. This program builds one copy of the sources that contains all
//! mutants, each controlled by a switch. It runs each test alone to record the mutants that the
//! test reaches. Then it runs each mutant with the tests that reach it, the fastest first, until
//! one fails.

mod list;
mod run;
mod sites;
mod switches;
mod tests;
mod tree;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::list::Mutant;
use crate::run::{Outcome, Runner, summary};
use crate::tests::Test;
use crate::tree::{Tree, Unfit};

const HELP: &str = "\
isa-mutants [OPTION ...] PATH ... : mutants of the sources whose path starts so, against the tests

  --tests NAME,...   packages whose tests run; isa-compiler, isa-core, isa-defs, isa-tests if not given
  --files NAME,...   of these packages the unit tests and these files of tests; all if not given
  --skip NAME,...    files of tests that do not run: those that start compilers take too long
  --most SECONDS     tests that take longer are left out (20)
  --budget SECONDS   what all tests of a mutant may take together (120)
  --jobs NUMBER      how many tests run at once (1)
  --work FOLDER      where the copy and the state are kept (target/mutants): a run goes on where it
                     was stopped, and survivors meet tests that have new names; with other paths it
                     builds anew; start from nothing by removing it
  --report FILE      what became of each mutant, as lines of JSON
";

/// The options of the command line.
struct Options {
    paths: Vec<String>,
    tests: Vec<String>,
    files: Vec<String>,
    skip: Vec<String>,
    most: u64,
    budget: f64,
    jobs: usize,
    work: PathBuf,
    report: Option<PathBuf>,
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match options(&root).and_then(|options| work(&root, &options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn options(root: &Path) -> Result<Options, String> {
    let names = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut options = Options {
        paths: Vec::new(),
        tests: names("isa-compiler,isa-core,isa-half,isa-defs,isa-tests"),
        files: Vec::new(),
        skip: names("ui,editor,verify,readme,tutorial"),
        most: 20,
        budget: 120.0,
        jobs: 1,
        work: root.join("target/mutants"),
        report: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        let wrong = |error: &dyn std::fmt::Display| format!("{argument}: {error}");
        match argument.as_str() {
            "--tests" => options.tests = names(&value()?),
            "--files" => options.files = names(&value()?),
            "--skip" => options.skip = names(&value()?),
            "--most" => options.most = value()?.parse().map_err(|error| wrong(&error))?,
            "--budget" => options.budget = value()?.parse().map_err(|error| wrong(&error))?,
            "--jobs" => options.jobs = value()?.parse().map_err(|error| wrong(&error))?,
            "--work" => options.work = value()?.into(),
            "--report" => options.report = Some(value()?.into()),
            _ if argument.starts_with('-') => return Err(HELP.to_owned()),
            _ => options.paths.push(argument),
        }
    }
    if options.paths.is_empty() { Err(HELP.to_owned()) } else { Ok(options) }
}

fn work(root: &Path, options: &Options) -> Result<(), String> {
    let root = &root.canonicalize().map_err(|error| error.to_string())?;
    let explain = |error: std::io::Error| format!("{}: {error}", options.work.display());
    fs::create_dir_all(&options.work).map_err(explain)?;
    let work = &options.work.canonicalize().map_err(explain)?;

    let mutants = list::mutants(root, &options.paths, &work.join("ids.json"))?;
    println!("{} mutants", mutants.len());
    let unfit_file = work.join("unfit.json");
    let mut unfit: Unfit = match fs::read(&unfit_file) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string())?,
        Err(_) => Unfit::new(),
    };
    let mut tree = Tree::new(root, work, &mutants);
    let built = tree.build(&options.tests, &options.files, &mut unfit);
    fs::write(&unfit_file, json!(unfit).to_string()).map_err(explain)?;
    let mut binaries = built?;
    binaries.retain(|binary| {
        !options.skip.iter().any(|name| binary.name.ends_with(&format!(" {name}")))
    });

    let tests_file = work.join("tests.jsonl");
    let tests = lines(&tests_file)?.into_iter().map(|test: Test| (test.name.clone(), test));
    let mut tests: BTreeMap<String, Test> = tests.collect();
    let known = mutants.iter().map(|mutant| mutant.id).max().unwrap_or(0);
    for binary in &binaries {
        for name in tests::names(binary)? {
            let is_known = |test: &Test| test.known >= known;
            if !tests.get(&format!("{} {name}", binary.name)).is_some_and(is_known) {
                let test = tests::covered(binary, &name, known, options.most, work)?;
                if !test.passes {
                    println!("left out: {}", test.name);
                }
                append(&tests_file, &test)?;
                tests.insert(test.name.clone(), test);
            }
        }
    }
    let tests: Vec<Test> = tests.into_values().collect();
    println!("{} tests", tests.len());

    let results_file = work.join("results.jsonl");
    let results = lines(&results_file)?.into_iter().map(|outcome: Outcome| (outcome.id, outcome));
    let results: Mutex<BTreeMap<u32, Outcome>> = Mutex::new(results.collect());
    let locked = || results.lock().map_err(|error| error.to_string());
    let next = AtomicUsize::new(0);
    let worker = || -> Result<(), String> {
        let mut runner = Runner::new(&tests, &binaries, options.budget);
        loop {
            let place = next.fetch_add(1, Relaxed);
            let Some(mutant) = mutants.get(place) else { return Ok(()) };
            if place.is_multiple_of(50) {
                println!("{place} of {}", mutants.len());
            }
            let new = || Outcome { id: mutant.id, ..Outcome::default() };
            let mut outcome = locked()?.get(&mutant.id).cloned().unwrap_or_else(new);
            let is_open = outcome.caught.is_none() && !unfit.contains_key(&mutant.id);
            if is_open && runner.is_reached(mutant) {
                let before = outcome.passed.len();
                runner.run(mutant, &mut outcome)?;
                let mut results = locked()?;
                if outcome.caught.is_some() || outcome.passed.len() > before {
                    append(&results_file, &outcome)?;
                }
                if outcome.caught.is_none() {
                    println!("survived: {}", mutant.name);
                }
                results.insert(mutant.id, outcome);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err("a worker has panicked".to_owned()))
        })
    })?;
    let results = results.into_inner().map_err(|error| error.to_string())?;
    let runner = Runner::new(&tests, &binaries, options.budget);
    let state = |mutant: &Mutant| match results.get(&mutant.id) {
        Some(Outcome { caught: Some(_), .. }) => "caught",
        _ if unfit.contains_key(&mutant.id) => "not switched",
        Some(Outcome { passed, .. }) if !passed.is_empty() => "survived",
        _ if runner.is_reached(mutant) => "over budget",
        _ => "not reached",
    };
    print!("{}", summary(&mutants, state));
    if let Some(path) = &options.report {
        // The file does not exist in the first run.
        let _ = fs::remove_file(path);
        for mutant in &mutants {
            let caught = results.get(&mutant.id).and_then(|outcome| outcome.caught.as_ref());
            let why = unfit.get(&mutant.id);
            let line = json!({"mutant": mutant.name, "key": mutant.key, "state": state(mutant), "id": mutant.id,
                "by": caught, "why": why});
            append(path, &line)?;
        }
    }
    Ok(())
}

/// Parses each line of a file as JSON. Returns an empty list if the file does not exist.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let Ok(file) = fs::File::open(path) else { return Ok(Vec::new()) };
    let explain = |error: String| format!("{}: {error}", path.display());
    BufReader::new(file)
        .lines()
        .map(|line| {
            serde_json::from_str(&line.map_err(|error| explain(error.to_string()))?)
                .map_err(|error| explain(error.to_string()))
        })
        .collect()
}

/// Appends a value to a file as a line of JSON.
fn append(path: &Path, value: &impl Serialize) -> Result<(), String> {
    let line = serde_json::to_string(value).map_err(|error| error.to_string())?;
    let written = OpenOptions::new().append(true).create(true).open(path);
    let written = written.and_then(|mut file| writeln!(file, "{line}"));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
