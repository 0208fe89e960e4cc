//! The command line of the test campaigns.

use std::collections::BTreeMap;
use std::process::ExitCode;

use isa_random::compiled::{self, Candidate};
use isa_random::random::Random;
use isa_random::report::{Failure, Report};
use isa_random::shrink::shrink;
use isa_random::spec::Spec;
use isa_random::verdict::verdict;
use isa_random::write::write;
use isa_random::{edits, encodings, make, texts};

const USAGE: &str = "\
random specifications, held against an enumeration that shares no code with the compiler

  isa-random texts [--count N] [--seed S]      what templates read and print
  isa-random encodings [--count N] [--seed S]  which words opcodes have
  isa-random compiled [--count N] [--seed S]   what compiled sets decode, print and read
  isa-random edits [--count N] [--seed S]      what is said to be different after an edit
  --count N     so many specifications; 1000 without it
  --seed S      from this seed on; 1 without it
  --only SEED   one specification, shown with its messages
  --list        each failure in a line, as it is found";

struct Arguments {
    campaign: String,
    count: u64,
    seed: u64,
    only: Option<u64>,
    list: bool,
}

type Make = fn(&mut Random) -> Spec;
type Check = fn(&Spec, &mut Random) -> Report;

fn main() -> ExitCode {
    let Some(arguments) = arguments() else { return usage() };
    match arguments.campaign.as_str() {
        "texts" => run(&arguments, make::texts, texts::check),
        "encodings" => run(&arguments, make::encodings, encodings::check),
        "compiled" => run_compiled(&arguments),
        "edits" => run_edits(&arguments),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn arguments() -> Option<Arguments> {
    let mut words = std::env::args().skip(1);
    let campaign = words.next()?;
    let mut arguments = Arguments { campaign, count: 1000, seed: 1, only: None, list: false };
    while let Some(word) = words.next() {
        if word == "--list" {
            arguments.list = true;
            continue;
        }
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--count" => arguments.count = number,
            "--seed" => arguments.seed = number,
            "--only" => {
                (arguments.seed, arguments.count, arguments.only) = (number, 1, Some(number))
            }
            _ => return None,
        }
    }
    Some(arguments)
}

/// Failures of one class.
#[derive(Default)]
struct Class {
    count: u64,
    /// The seed of the shortest specification with this failure, the specification, and the detail
    /// of the failure.
    example: Option<(u64, Spec, String)>,
}

/// All failures.
#[derive(Default)]
struct Summary {
    classes: BTreeMap<String, Class>,
    list: bool,
}

impl Summary {
    fn add(&mut self, seed: u64, spec: &Spec, failure: Failure) {
        if self.list {
            println!("{seed}\t{}\t{}", failure.class, failure.detail.replace('\n', " "));
        }
        let class = self.classes.entry(failure.class).or_default();
        class.count += 1;
        let size = |spec: &Spec| write(spec).len();
        if class.example.as_ref().is_none_or(|(_, known, _)| size(known) > size(spec)) {
            class.example = Some((seed, spec.clone(), failure.detail));
        }
    }

    fn wrong(&self) -> u64 {
        self.classes.values().map(|class| class.count).sum()
    }

    /// Prints an example of each class. If a check is given, the example is reduced first.
    fn print(&self, check: Option<Check>) -> ExitCode {
        for (name, Class { count, example }) in &self.classes {
            println!("\n== {count} times: {name}");
            let Some((seed, spec, detail)) = example else { continue };
            let failure = |spec: &Spec| {
                let failures = check?(spec, &mut Random::new(*seed)).failures;
                failures.into_iter().find(|failure| failure.class == *name)
            };
            let small = shrink(spec, &|spec| failure(spec).is_some());
            let detail = failure(&small).map_or_else(|| detail.clone(), |failure| failure.detail);
            println!("seed {seed}: {detail}\n{}", write(&small));
        }
        println!("{} failures", self.wrong());
        if self.wrong() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a campaign in this process.
fn run(arguments: &Arguments, make: Make, check: Check) -> ExitCode {
    let mut summary = Summary { list: arguments.list, ..Summary::default() };
    let mut codes = BTreeMap::<String, u64>::new();
    let (mut accepted, mut undecided) = (0u64, 0u64);
    for done in 1..=arguments.count {
        let seed = arguments.seed + done - 1;
        let mut random = Random::new(seed);
        let spec = make(&mut random);
        if arguments.only.is_some() {
            let text = write(&spec);
            println!("{text}");
            verdict(&text).faults.iter().for_each(|fault| println!("{fault}\n"));
        }
        let report = check(&spec, &mut random);
        accepted += u64::from(report.accepted);
        undecided += u64::from(report.undecided);
        report.codes.into_iter().for_each(|code| *codes.entry(code).or_default() += 1);
        report.failures.into_iter().for_each(|failure| summary.add(seed, &spec, failure));
        if done % 1000 == 0 {
            let (count, wrong) = (arguments.count, summary.wrong());
            eprintln!("{done} of {count}: {accepted} accepted, {wrong} failures");
        }
    }
    println!(
        "{} specifications: {accepted} accepted, of which {undecided} only rustc can decide",
        arguments.count
    );
    codes.iter().for_each(|(code, count)| println!("refused with {code}: {count}"));
    summary.print(Some(check))
}

/// Runs the campaign that compiles accepted specifications in batches.
fn run_compiled(arguments: &Arguments) -> ExitCode {
    let mut summary = Summary { list: arguments.list, ..Summary::default() };
    let mut seeds = arguments.seed..;
    let (mut done, mut compared) = (0, 0);
    while done < arguments.count as usize {
        let size = compiled::BATCH.min(arguments.count as usize - done);
        let batch: Vec<Candidate> = match arguments.only {
            Some(seed) => compiled::candidate(seed).into_iter().collect(),
            None => seeds.by_ref().filter_map(compiled::candidate).take(size).collect(),
        };
        if arguments.only.is_some() {
            batch.iter().for_each(|candidate| println!("{}", write(&candidate.spec)));
        }
        let outcome = match compiled::run(&batch, &compiled::folder()) {
            Ok(outcome) => outcome,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        compared += outcome.compared;
        done += size;
        for (place, failure) in outcome.failures {
            summary.add(batch[place].seed, &batch[place].spec, failure);
        }
        let (count, wrong) = (arguments.count, summary.wrong());
        eprintln!("{done} of {count}: {compared} words and texts, {wrong} failures");
    }
    println!("{done} specifications, {compared} words and texts");
    summary.print(None)
}

/// Runs the campaign that compares specifications with edited ones.
fn run_edits(arguments: &Arguments) -> ExitCode {
    let (mut seed, mut all) = (arguments.seed, edits::Outcome::default());
    while (all.edits as u64) < arguments.count {
        let (batch, next) = match arguments.only {
            Some(only) => (edits::edited(only, usize::MAX).into_iter().collect(), only + 1),
            None => edits::batch(seed, compiled::BATCH),
        };
        seed = next;
        match edits::run(&batch, &compiled::folder().join("edits")) {
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
            Ok(outcome) => {
                outcome.failures.iter().for_each(|failure| println!("{failure}"));
                all.edits += outcome.edits;
                all.altering += outcome.altering;
                all.changes += outcome.changes;
                all.failures.extend(outcome.failures);
            }
        }
        eprintln!("{} edits, {} failures, the next seed is {seed}", all.edits, all.failures.len());
    }
    let edits::Outcome { failures, edits, altering, changes } = &all;
    println!("{edits} edits, of which {altering} alter words; {changes} changes with their words");
    println!("{} failures", failures.len());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
