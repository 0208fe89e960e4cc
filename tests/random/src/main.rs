//! The command line of the campaigns.

use std::collections::BTreeMap;
use std::process::ExitCode;

use isa_random::compiled::{self, Candidate};
use isa_random::random::Random;
use isa_random::report::Report;
use isa_random::shrink::shrink;
use isa_random::spec::Spec;
use isa_random::write::write;
use isa_random::{encodings, make, texts};

const USAGE: &str = "\
random specifications, held against an enumeration that shares no code with the compiler

  isa-random texts --count 100000 [--seed S]      what templates read and print
  isa-random encodings --count 100000 [--seed S]  which words opcodes have
  isa-random compiled --count 2000 [--seed S]     what compiled sets decode, print and read
  --only SEED   one specification, shown";

struct Arguments {
    campaign: String,
    count: u64,
    seed: u64,
    only: Option<u64>,
}

fn main() -> ExitCode {
    match arguments() {
        Some(arguments) => run(&arguments),
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Option<Arguments> {
    let mut words = std::env::args().skip(1);
    let mut arguments = Arguments { campaign: words.next()?, count: 1000, seed: 1, only: None };
    while let Some(word) = words.next() {
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--count" => arguments.count = number,
            "--seed" => arguments.seed = number,
            "--only" => arguments.only = Some(number),
            _ => return None,
        }
    }
    Some(arguments)
}

type Make = fn(&mut Random) -> Spec;
type Check = fn(&Spec, &mut Random) -> Report;

#[derive(Default)]
struct Class {
    count: u64,
    example: Option<(u64, Spec, String)>,
}

fn run(arguments: &Arguments) -> ExitCode {
    let (make, check): (Make, Check) = match arguments.campaign.as_str() {
        "texts" => (make::texts, texts::check),
        "encodings" => (make::encodings, encodings::check),
        "compiled" => return run_compiled(arguments),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let seeds = match arguments.only {
        Some(seed) => seed..seed + 1,
        None => arguments.seed..arguments.seed + arguments.count,
    };
    let (mut classes, mut codes) =
        (BTreeMap::<String, Class>::new(), BTreeMap::<String, u64>::new());
    let (mut accepted, mut undecided) = (0u64, 0u64);
    let start = seeds.start;
    for seed in seeds.clone() {
        let mut random = Random::new(seed);
        let spec = make(&mut random);
        if arguments.only.is_some() {
            println!("{}", write(&spec));
        }
        let report = check(&spec, &mut random);
        accepted += u64::from(report.accepted && !report.undecided);
        undecided += u64::from(report.undecided);
        report.codes.into_iter().for_each(|code| *codes.entry(code).or_default() += 1);
        for failure in report.failures {
            if std::env::var_os("LIST").is_some() {
                println!("{seed}\t{}\t{}", failure.class, failure.detail.replace('\n', " "));
            }
            let class = classes.entry(failure.class).or_default();
            class.count += 1;
            let size = |spec: &Spec| write(spec).len();
            if class.example.as_ref().is_none_or(|(_, known, _)| size(known) > size(&spec)) {
                class.example = Some((seed, spec.clone(), failure.detail));
            }
        }
        let done = seed - start + 1;
        if done % 1000 == 0 {
            let wrong: u64 = classes.values().map(|class| class.count).sum();
            eprintln!("{done} of {}: {accepted} accepted, {wrong} failures", arguments.count);
        }
    }
    for (class, Class { count, example }) in &classes {
        println!("\n== {count} times: {class}");
        if let Some((seed, spec, detail)) = example {
            let failure = |spec: &Spec| {
                let failures = check(spec, &mut Random::new(*seed)).failures;
                failures.into_iter().find(|failure| failure.class == *class)
            };
            let small = shrink(spec, &|spec| failure(spec).is_some());
            let detail = failure(&small).map_or_else(|| detail.clone(), |failure| failure.detail);
            println!("seed {seed}: {detail}\n{}", write(&small));
        }
    }
    println!(
        "{} specifications: {accepted} accepted, {undecided} for rustc to decide",
        seeds.end - start
    );
    codes.iter().for_each(|(code, count)| println!("{code}: {count}"));
    let wrong: u64 = classes.values().map(|class| class.count).sum();
    println!("{wrong} failures");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compiles what is taken, in batches.
fn run_compiled(arguments: &Arguments) -> ExitCode {
    let mut seeds = arguments.only.unwrap_or(arguments.seed)..;
    let count = if arguments.only.is_some() { 1 } else { arguments.count as usize };
    let mut classes = BTreeMap::<String, Class>::new();
    let (mut done, mut compared) = (0, 0);
    while done < count {
        let size = compiled::BATCH.min(count - done);
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
        for mismatch in outcome.mismatches {
            let Candidate { seed, spec, .. } = &batch[mismatch.place];
            let class = classes.entry(mismatch.class).or_default();
            class.count += 1;
            let size = |spec: &Spec| write(spec).len();
            if class.example.as_ref().is_none_or(|(_, known, _)| size(known) > size(spec)) {
                class.example = Some((*seed, spec.clone(), mismatch.detail));
            }
        }
        done += size;
        let wrong: u64 = classes.values().map(|class| class.count).sum();
        eprintln!("{done} of {count}: {compared} words and texts, {wrong} failures");
    }
    for (class, Class { count, example }) in &classes {
        println!("\n== {count} times: {class}");
        if let Some((seed, spec, detail)) = example {
            println!("seed {seed}: {detail}\n{}", write(spec));
        }
    }
    let wrong: u64 = classes.values().map(|class| class.count).sum();
    println!("{done} specifications, {compared} words and texts: {wrong} failures");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
