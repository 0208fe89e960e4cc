//! The commands `random` and `verify`, for all sets.

use isa_tests::share::share;

use super::any_set::{Subject, subjects};
use super::*;

/// Checks that random instructions are the same in each form, and the same for the same seed.
#[test]
fn random_instructions_are_instructions() {
    for Subject { run, .. } in subjects() {
        let random = |more: &[&str]| {
            run(&[&["random", "--count", "3000", "--seed", "5"], more].concat(), b"")
        };
        let (text, hex) = (random(&["--as", "asm"]), random(&["--as", "hex"]));
        assert_eq!(text.fine().lines().count(), 3000);
        assert!(run(&["asm"], &text.out).fine() == hex.fine(), "the words of the text");
        // A word whose text would assemble to other bits is printed as data in both listings. The
        // disassembly adds a comment.
        let plain = |outcome: &Outcome| {
            let line = |line: &str| match line.split_once(" // ") {
                Some((data, _)) if data.starts_with(".word") => data.to_owned(),
                _ => line.to_owned(),
            };
            outcome.fine().lines().map(line).collect::<Vec<_>>()
        };
        assert!(plain(&run(&["dis"], &hex.out)) == plain(&text), "the text of the words");
        let bytes = random(&["--as", "bin"]);
        assert!(plain(&run(&["dis", "--from", "bin"], &bytes.out)) == plain(&text), "the bytes");
        assert!(random(&["--seed", "6"]).fine() != text.fine(), "another seed");
        let program = random(&["--program"]);
        let bytes = random(&["--program", "--as", "bin"]).out;
        let mut args = vec!["asm", "--emit", "bin"];
        if program.text().contains("L_") {
            args.extend(["--start-address", "0x1000"]);
        }
        assert!(run(&args, &program.out).out == bytes, "the bytes of the program");
    }
}

#[test]
fn random_instructions_are_chosen() {
    for Subject { run, .. } in subjects() {
        let list = run(&["list"], b"");
        let first = list.fine().split(' ').next().unwrap().to_owned();
        let only = run(&["random", "--count", "50", "--only", &first, "--as", "hex"], b"");
        for word in only.fine().lines() {
            let explained = run(&["explain", "--json", word], b"");
            let object: serde_json::Value = serde_json::from_str(explained.fine()).unwrap();
            assert!(object["opcode"].as_str().unwrap().contains(&*first), "{object}");
        }
        let weight = format!("{first}=0");
        let none = run(&["random", "--only", &first, "--weight", "*=1", "--weight", &weight], b"");
        assert_has(none.failed(Status::Usage), &["all opcodes have weight 0"]);
        for (args, part) in [
            (
                &["random", "--count", "-1"][..],
                "invalid value for --count: expected a number, found `-1`",
            ),
            (&["random", "--only", "nosuchname"], "no opcode or mnemonic matches `nosuchname`"),
            (
                &["random", "--weight", "4"],
                "invalid value for --weight: expected PATTERN=N, found `4`",
            ),
            (
                &["random", "--program", "--count", "1000001"],
                "expected at most 1000000, found 1000001",
            ),
            (
                &["verify", "--shard", "0/3"],
                "invalid value for --shard: expected K/N with K from 1 to N, found `0/3`",
            ),
            (
                &["verify", "--case", "fields:1"],
                "invalid value for --case: expected PROPERTY:SEED:NUMBER",
            ),
            (&["verify", "--case", "feilds:1:1"], "did you mean `fields`?"),
            (&["verify", "speling"], "did you mean `spellings`?"),
        ] {
            assert_has(run(args, b"").failed(Status::Usage), &[part]);
        }
    }
}

/// Checks that shards are parts of a campaign, that a run continues from its saved state, and that
/// reports are added up.
#[test]
fn campaigns_are_run_in_shards() {
    let folder = Scratch::new("verify");
    for Subject { name, run, .. } in subjects().into_iter().step_by(share()) {
        let [state, report] =
            ["state", "report"].map(|file| folder.path(&format!("{name}-{file}")));
        let count = ["verify", "fields", "streams", "--count", "2000", "--threads", "2"];
        let whole = run(&count, b"");
        let cases = ": 2048 cases, 0 differences, ";
        assert_has(whole.fine(), &[&format!("fields{cases}"), &format!("streams{cases}")]);
        for shard in ["1/2", "2/2"] {
            let state = format!("{state}-{}", &shard[..1]);
            let more = ["--shard", shard, "--resume", &state, "--report", &report];
            let first = run(&[&count[..], &more].concat(), b"");
            assert_eq!(first.fine().lines().count(), 2);
            let again = run(&[&count[..], &more].concat(), b"");
            assert_eq!(again.fine(), first.text(), "nothing is left to do");
        }
        let state = format!("{state}-1");
        let more = ["--shard", "1/2", "--resume", &state, "--seed", "2"];
        let other = run(&[&count[..], &more].concat(), b"");
        assert_has(other.failed(Status::Usage), &["wrong state", "choose another file"]);
        let lines = std::fs::read_to_string(&report).unwrap();
        let reports = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        let reports: Vec<serde_json::Value> = reports.collect();
        assert_eq!(reports.len(), 8, "two campaigns, two shards, each run twice");
        assert!(reports.iter().all(|report| report["seed"] == "1"), "{lines}");
        let cases = reports.iter().map(|report| report["cases"].as_u64().unwrap());
        assert_eq!(cases.sum::<u64>(), 2 * 2 * 2048);
        assert_has(run(&["verify", "--list"], b"").fine(), &["encoding/", "semantics", "1000448"]);
        let case = run(&["verify", "--case", "spellings:1:5"], b"");
        assert_eq!(case.fine(), "spellings: case 5 of seed 1: passed\n");
    }
}
