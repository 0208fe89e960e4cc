//! Runs each fuzz target briefly, and checks that the fuzzer finds known errors.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use isa_core::error::ParseErrorKind;
use isa_riscv::Rv64imac;
use isa_tests::fuzz::hammer::{Limit, corpus, hammer, read_folder};
use isa_tests::fuzz::mutate::Mutator;
use isa_tests::fuzz::seeds::seeds;
use isa_tests::fuzz::{TARGETS, Target, parse};
use isa_tests::share::part_of;

#[test]
fn a_moment_of_each() {
    for target in TARGETS {
        let seeds = read_folder(&corpus(&target)).expect("the corpus is checked in");
        // A number of runs instead of a time limit, so that a busy machine checks as much. Some
        // targets get fewer runs: for an input the macro takes longer than all other targets
        // together, the importers call its parser, and ELF files are long.
        let executions = part_of(match target.name {
            "spec" => 1_500,
            "import" => 4_000,
            "elf" => 5_000,
            _ => 20_000,
        });
        let limit = Limit { executions, time: Duration::MAX };
        let outcome = hammer(&target, &seeds, 1, 1, limit);
        assert!(outcome.findings.is_empty(), "{}: {:#?}", target.name, outcome.findings);
        assert_eq!(outcome.executions, seeds.len() as u64 + executions, "{}", target.name);
        assert!(outcome.reached > 3, "{} reached {}", target.name, outcome.reached);
    }
}

/// Checks that the corpus covers about as much as the current examples of the sets.
#[test]
fn the_corpus_is_not_out_of_date() {
    for target in TARGETS {
        let reached = |inputs: &[Vec<u8>]| {
            inputs.iter().map(|input| (target.run)(input)).collect::<HashSet<_>>().len()
        };
        let found = read_folder(&corpus(&target)).expect("the corpus is checked in");
        assert!(found.iter().all(|seed| !seed.is_empty() && seed.len() <= target.longest));
        let (found, fresh) = (reached(&found), reached(&seeds(&target)));
        assert!(found > 0 && found >= fresh * 3 / 4, "{}: run `hammer seeds`", target.name);
    }
}

#[test]
fn every_target_is_one_of_cargo_fuzz() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
    let entries = fs::read_dir(folder.join("fuzz_targets")).expect("it is there");
    assert_eq!(entries.count(), TARGETS.len());
    for Target { name, .. } in TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
    }
}

/// Panics if a text contains `left-right`. Each of the two words is in one of the seeds.
fn picky(data: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(data);
    let (one, other) = (text.contains("left"), text.contains("right"));
    assert!(!text.contains("left-right"), "both");
    u64::from(one) | u64::from(other) << 1
}

#[test]
fn a_fault_is_found_with_its_input() {
    let target = Target { name: "picky", run: picky, is_text: true, longest: 64 };
    let seeds = [b"left-".to_vec(), b"-right".to_vec()];
    let limit = Limit { executions: 1_000_000, time: Duration::MAX };
    let outcome = hammer(&target, &seeds, 1, 2, limit);
    assert_eq!(outcome.findings.keys().collect::<Vec<_>>(), ["both"]);
    let input = &outcome.findings["both"];
    assert!(String::from_utf8_lossy(input).contains("left-right"), "{input:?}");
    assert_eq!(outcome.reached, 4);
}

#[test]
fn changed_inputs_differ_and_have_bounds() {
    for is_text in [false, true] {
        let seeds = [b"HADD2 R0, R1, R2;".to_vec(), Vec::new()];
        let target = Target { name: "picky", run: picky, is_text, longest: 100 };
        let mut mutator = Mutator::new(1, &target, &seeds);
        let (mut changed, mut input) = (0, vec![0; target.longest]);
        for round in 0..10_000 {
            let before = input.clone();
            mutator.mutate(&mut input, &seeds[round % 2]);
            changed += usize::from(input != before);
            assert!(input.len() <= target.longest);
            if round % 7 == 0 {
                input.clone_from(&seeds[round % 2]);
            }
        }
        assert!(changed > 8_000, "{changed}");
    }
}

/// Checks an error that the fuzzer found. `c.srli` by 0 is the word of `c.srli64`, so an error
/// about an invalid word contained a valid word. The text is rejected as `c.srli` nevertheless,
/// with the reason.
#[test]
fn a_special_case_written_as_the_general_one_is_refused() {
    parse::target(b"1c.srli a3,0;8;");
    let error = Rv64imac::SET.parse("c.srli a3, 0;").expect_err("it is written c.srli64");
    assert!(matches!(error.kind(), ParseErrorKind::Illegal(_)), "{error}");
    assert!(
        error.to_string().contains("c.srli64") || error.to_string().contains("C_SRLI64"),
        "{error}"
    );
}
