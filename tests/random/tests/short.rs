//! Runs each campaign for a few seconds. The command line runs them for longer.

use isa_random::compiled::{self, Candidate};
use isa_random::random::Random;
use isa_random::report::Report;
use isa_random::spec::Spec;
use isa_random::write::write;
use isa_random::{edits, encodings, make, mutants, texts};

/// Returns a number of specifications, or a third of it unless `ISA_SHARE` is 1, as in a step of `.ci/run`.
fn part_of(count: u64) -> u64 {
    let is_all = std::env::var("ISA_SHARE").is_ok_and(|share| share == "1");
    if is_all { count } else { count / 3 }
}

/// Creates and checks specifications, and shows the shortest one that fails.
fn campaign(
    count: u64,
    make: fn(&mut Random) -> Spec,
    check: fn(&Spec, &mut Random) -> Report,
) -> usize {
    let mut accepted = 0;
    let mut failures = Vec::new();
    for seed in 1..=count {
        let mut random = Random::new(seed);
        let spec = make(&mut random);
        let report = check(&spec, &mut random);
        accepted += usize::from(report.accepted);
        let text = |class: String| format!("{class}, seed {seed}\n{}", write(&spec));
        failures.extend(report.failures.into_iter().map(|failure| text(failure.class)));
    }
    let shortest = failures.iter().min_by_key(|text| text.len());
    assert!(failures.is_empty(), "{} failures; {}", failures.len(), shortest.unwrap());
    accepted
}

#[test]
fn templates_are_taken_where_every_text_is_one_instruction() {
    assert!(campaign(part_of(200), make::texts, texts::check) as u64 > part_of(30));
}

#[test]
fn views_are_among_the_templates_that_are_taken() {
    let taken = (1..=part_of(400)).filter(|&seed| {
        let mut random = Random::new(seed);
        let spec = make::texts(&mut random);
        !spec.views.is_empty() && texts::check(&spec, &mut random).accepted
    });
    assert!(taken.count() as u64 > part_of(5));
}

#[test]
fn encodings_are_taken_where_no_word_is_two_instructions() {
    assert!(campaign(part_of(200), make::encodings, encodings::check) as u64 > part_of(20));
}

#[test]
#[ignore = "rebuilds isa-core; `.ci/run` runs it as a separate step"]
fn compiled_sets_decode_print_and_read_as_the_enumeration_says() {
    let batch: Vec<Candidate> = (1..).filter_map(compiled::candidate).take(60).collect();
    let outcome = compiled::run(&batch, &compiled::folder().join("short")).expect("a built batch");
    assert!(outcome.compared > 10_000, "only {} words and texts", outcome.compared);
    let first = outcome.failures.first().map(|(place, failure)| {
        let Candidate { seed, spec, .. } = &batch[*place];
        format!("{}, seed {seed}: {}\n{}", failure.class, failure.detail, write(spec))
    });
    assert!(first.is_none(), "{} failures; {}", outcome.failures.len(), first.unwrap());
}

/// The number of mutants that are compiled.
const MUTANTS: usize = 200;

#[test]
#[ignore = "compiles 200 sets; `.ci/run` runs it as a separate step"]
fn vectors_notice_all_mutants_of_a_specification() {
    let all = mutants::mutants();
    assert!(all.len() >= MUTANTS, "only {} mutants", all.len());
    // Select mutants evenly over the specification.
    let some = (0..MUTANTS).map(|place| all[place * all.len() / MUTANTS].clone());
    let some: Vec<_> = some.collect();
    let outcome = mutants::run(&some, &compiled::folder().join("mutants")).expect("built mutants");
    assert_eq!(outcome.noticed.get(&MUTANTS), Some(&0), "the unchanged set");
    let unnoticed =
        some.iter().enumerate().filter(|(place, _)| outcome.noticed.get(place) == Some(&0));
    let unnoticed: Vec<_> = unnoticed.map(|(_, mutant)| &mutant.change).collect();
    let (ran, vectors) = (outcome.noticed.len() - 1, outcome.vectors);
    assert!(unnoticed.is_empty(), "{} of {ran} mutants: {unnoticed:#?}", unnoticed.len());
    assert_eq!(ran, MUTANTS, "some are refused by the Rust compiler alone");
    println!("{ran} of {} mutants, each noticed by some of {vectors} vectors", all.len());
}

#[test]
#[ignore = "compiles 50 sets; `.ci/run` runs it as a separate step"]
fn differences_are_those_that_all_words_of_two_sets_have() {
    let batch = edits::batch(1, 50).0;
    let outcome = edits::run(&batch, &compiled::folder().join("edits")).expect("a built batch");
    println!("{outcome:?}");
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    assert!(outcome.edits >= 80 && outcome.altering > 30 && outcome.changes > 60, "{outcome:?}");
}
