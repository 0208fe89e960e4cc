//! Checks the schedules of code that `ptxas` produced, of changed code, and of short programs.
//!
//! The file `tests/vectors/sass/schedule.txt` contains a few sections of code for each chip, with changed words. The
//! script `corpus/schedule.py` wrote it. Its model of schedules shares no code with the checker. The
//! ignored test compares the checker with this model for a complete corpus:
//!
//! ```sh
//! SASS_CORPUS=FOLDER cargo test -p isa-sass --test schedule -- --ignored --nocapture
//! ```
//!
//! `FOLDER` contains the results of `corpus/corpus.py`, which needs NVIDIA's tools, and of `corpus/schedule.py`.
//! `SASS_FILES` chooses other files than `sm_90.txt` by their prefixes, separated by commas.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chips::{CHIPS, features};
use isa_core::asm::Assembler;
use isa_core::table::InstructionSet;
use isa_sass::Sass;
use isa_sass::schedule::{Finding, FindingKind, check};

#[path = "common/chips.rs"]
mod chips;

/// Returns the tables of a chip.
fn set(chip: u32) -> InstructionSet {
    Sass::SET.with_features(features(chip))
}

fn hexadecimal(text: &str) -> u128 {
    u128::from_str_radix(text, 16).expect("the number is hexadecimal")
}

/// Returns the findings for a program.
fn findings(chip: u32, program: &str) -> Vec<Finding> {
    let set = Box::leak(Box::new(set(chip)));
    let program = Assembler::new(set).assemble(program).expect("the program is valid");
    let words = program.bytes.chunks_exact(16).map(|bytes| set.byte_order.word(bytes, 128));
    check(set, 0, &words.collect::<Vec<_>>())
}

/// Checks the only finding for a program: its kind, the addresses of both instructions, the register, the cycles and
/// the advice.
#[track_caller]
fn assert_finding(
    (chip, program): (u32, &str),
    kind: FindingKind,
    (earlier, place): (u64, u64),
    register: &str,
    cycles: Option<(u8, u8)>,
    advice: &str,
) {
    let found = findings(chip, program);
    let [one] = &found[..] else { panic!("expected one finding, found {found:#?}") };
    let shown = one.register.map(|register| register.to_string()).unwrap_or_default();
    assert_eq!((one.kind, one.place.0, shown.as_str()), (kind, place, register));
    assert_eq!(one.earlier.as_ref().map(|earlier| earlier.0), Some(earlier));
    assert_eq!((one.cycles, one.advice.as_str()), (cycles, advice));
}

#[test]
fn short_stalls_are_reported() {
    let short = FindingKind::ShortStall;
    // A sum that is read by a comparison, which another unit executes.
    let program = "
        FADD R1, R2, R3 ?stall=4;
        FSETP.GT.AND P0, PT, R1, R4, PT ?stall=13 ?yield;
        @P0 EXIT ?stall=5;
        EXIT ?stall=5;";
    let advice = "write `?stall=5` at 0x0";
    assert_finding((90, program), short, (0, 0x10), "R1", Some((5, 4)), advice);
    assert_eq!(findings(90, &program.replace("R3 ?stall=4", "R3 ?stall=5")), []);
    // The guard of the branch needs 13 cycles, and 12 on sm_75.
    let program = "
        ISETP.GT.AND P0, PT, R1, R2, PT ?stall=11;
        @P0 EXIT ?stall=5;
        EXIT ?stall=5;";
    let advice = "write `?stall=13 ?yield` at 0x0";
    assert_finding((80, program), short, (0, 0x10), "P0", Some((13, 11)), advice);
    let advice = "write `?stall=12 ?yield` at 0x0";
    assert_finding((75, program), short, (0, 0x10), "P0", Some((12, 11)), advice);
    // The stalls of all instructions between both count.
    let program = "
        UIADD3 UR4, UR5, UR6, URZ ?stall=2;
        NOP ?stall=3;
        IMAD R1, R2, UR4, R3 ?stall=5;
        EXIT ?stall=5;";
    let advice = "write `?stall=3` at 0x0";
    assert_finding((90, program), short, (0, 0x20), "UR4", Some((6, 5)), advice);
    // The high half of a product of 64 bits.
    let program = "
        IMAD.WIDE R4, R2, R3, R6 ?stall=3;
        IADD3 R8, R5, R1, RZ ?stall=5;
        EXIT ?stall=5;";
    let advice = "write `?stall=5` at 0x0";
    assert_finding((90, program), short, (0, 0x10), "R5", Some((5, 3)), advice);
    assert_eq!(findings(90, &program.replace("R5", "R4")), []);
    // A barrier can be waited for two cycles after the instruction that sets it.
    let program = "
        S2R R0, SR_TID.X &wr=0;
        IADD3 R1, R0, R2, RZ ?stall=5 &req={0};
        EXIT ?stall=5;";
    let advice = "write `?stall=2` at 0x0";
    assert_finding((90, program), short, (0, 0x10), "", Some((2, 1)), advice);
}

#[test]
fn missing_waits_are_reported() {
    let load = "LDG.E R0, desc[UR4][R2.64] ?stall=2 &wr=0 &rd=1;";
    let end = "EXIT ?stall=5;";
    let case = |text: &str, kind, register: &str, advice: &str| {
        let program = format!("{load}\n{text} ?stall=5;\n{end}");
        let found = findings(90, &program);
        let found: Vec<_> =
            found.iter().filter(|it| it.kind != FindingKind::UnusedBarrier).collect();
        let [one] = found[..] else { panic!("expected one finding, found {found:#?}") };
        assert_eq!((one.kind, one.advice.as_str()), (kind, advice));
        assert_eq!(one.register.unwrap().to_string(), register);
        // The advice is sufficient.
        let wait = advice.split('`').nth(1).unwrap();
        assert_eq!(
            findings(90, &program.replace("?stall=5;\nEXIT", &format!("?stall=5 {wait};\nEXIT"))),
            []
        );
    };
    case("FADD R4, R0, R0", FindingKind::ReadBeforeWrite, "R0", "write `&req={0}` at 0x10");
    case("FADD R0, R4, R4", FindingKind::WriteBeforeWrite, "R0", "write `&req={0}` at 0x10");
    case("FADD R3, R4, R4", FindingKind::WriteBeforeRead, "R3", "write `&req={1}` at 0x10");
    // Instructions with unrelated registers do not wait, and a wait for the result is a wait for the sources.
    assert_eq!(findings(90, &format!("{load}\nFADD R4, R5, R5 ?stall=5;\n{end}")), []);
    assert_eq!(findings(90, &format!("{load}\nFADD R3, R4, R4 ?stall=5 &req={{0}};\n{end}")), []);
    // Without a barrier, no wait is sufficient.
    let program = format!("MUFU.RCP R0, R1 ?stall=8;\nFADD R2, R0, R0 ?stall=5;\n{end}");
    let advice = "set a barrier, for example `&wr=0` at 0x0, and wait for it, `&req={0}` at 0x10";
    assert_finding((90, &program), FindingKind::ReadBeforeWrite, (0, 0x10), "R0", None, advice);
    // A later instruction of the same unit releases its barrier after the first one is finished.
    let second = "MUFU.RCP R3, R4 ?stall=2 &wr=0;\nFADD R2, R0, R0 ?stall=5 &req={0};";
    assert_eq!(findings(90, &format!("MUFU.RCP R0, R1 ?stall=8;\n{second}\n{end}")), []);
    // Two guards that exclude each other.
    let program = format!("@P0 {load}\n@!P0 MOV R0, R9 ?stall=5;\n{end}");
    assert_eq!(findings(90, &program), []);
}

#[test]
fn barriers_without_a_wait_are_reported() {
    let program = "
        LDS R0, [R2] ?stall=2 &wr=0;
        FADD R1, R0, R0 ?stall=5;
        EXIT ?stall=5;";
    let kinds = |program: &str| findings(90, program).iter().map(|it| it.kind).collect::<Vec<_>>();
    assert_eq!(kinds(program), [FindingKind::UnusedBarrier, FindingKind::ReadBeforeWrite]);
    // A wait elsewhere, and a result that is not used.
    assert_eq!(
        kinds(&program.replacen("EXIT ?stall=5;", "EXIT ?stall=5 &req={0};", 1)),
        [FindingKind::ReadBeforeWrite]
    );
    assert_eq!(kinds(&program.replace("R0, R0", "R3, R3")), []);
}

#[test]
fn dependencies_across_branches_are_reported() {
    // The load at the end of the loop is read at its start.
    let program = "
        top: FADD R4, R0, R4 ?stall=5;
        ISETP.NE.AND P0, PT, R4, RZ, PT ?stall=1;
        LDS R0, [R2] ?stall=12 ?yield &wr=0;
        @P0 BRA top ?stall=5;
        EXIT ?stall=5;";
    let found = findings(90, program);
    let kinds: Vec<_> = found.iter().map(|it| (it.kind, it.place.0)).collect();
    assert_eq!(kinds, [(FindingKind::ReadBeforeWrite, 0), (FindingKind::UnusedBarrier, 0x20)]);
    assert_eq!(findings(90, &program.replacen("?stall=5;", "?stall=5 &req={0};", 1)), []);
    // One of two paths to an instruction is too short.
    let program = "
        ISETP.NE.AND P0, PT, R4, RZ, PT ?stall=13 ?yield;
        @P0 BRA next ?stall=5;
        FADD R5, R6, R7 ?stall=2;
        next: FADD R8, R5, R5 ?stall=5;
        EXIT ?stall=5;";
    let advice = "write `?stall=4` at 0x20";
    assert_finding(
        (90, program),
        FindingKind::ShortStall,
        (0x20, 0x30),
        "R5",
        Some((4, 2)),
        advice,
    );
}

#[test]
fn illegal_control_words_are_reported() {
    let set = set(90);
    // The field of the stall is 0 although the instruction stays, a store sets a barrier of results, and a branch
    // sets a barrier of sources.
    let cases = [
        (
            "FADD R1, R2, R3 ?stall=1;",
            1u128 << 105,
            "an instruction that stays must stall for 1 to 11 cycles",
        ),
        ("STS [R2], R3 ?stall=1;", 7 << 110, "a store releases no barrier of results"),
        ("EXIT ?stall=1;", 7 << 113, "a branch releases no barriers"),
    ];
    for (text, flipped, reason) in cases {
        let word = set.parse(text).unwrap().word() ^ flipped;
        let found = check(&set, 0, &[word]);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].kind, found[0].advice.as_str()),
            (FindingKind::IllegalControl, reason)
        );
    }
    // Words that are not instructions have no findings.
    assert_eq!(check(&set, 0, &[u128::MAX, 0]), []);
}

#[test]
fn findings_have_a_readable_text() {
    let found =
        findings(90, "FADD R1, R2, R3 ?stall=2;\nFMUL R4, R1, R1 ?stall=4;\nEXIT ?stall=5;");
    let expected = "\
0x10: the stall is too short: R1 (expected 4 cycles, found 2)
  0x0000  FADD R1, R2, R3 ?stall=2;
  0x0010  FMUL R4, R1, R1 ?stall=4;
  help: write `?stall=4` at 0x0";
    assert_eq!(found[0].to_string(), expected);
}

#[test]
fn stored_code_is_valid_and_its_mutants_are_not() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/sass/schedule.txt");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let (mut noticed, mut total) = (0, 0);
    for section in text.split("sm_").filter(|section| !section.is_empty()) {
        let mut lines = section.lines();
        let chip = lines.next().unwrap().parse().expect("a section begins with its chip");
        let set = set(chip);
        let lines: Vec<&str> = lines.collect();
        let mut words: Vec<u128> =
            lines.iter().map(|line| hexadecimal(line.split(' ').next().unwrap())).collect();
        assert_eq!(check(&set, 0, &words), [], "sm_{chip}");
        for (index, line) in lines.iter().enumerate() {
            for mutant in line.split(' ').skip(1) {
                let (_, word) = mutant.split_once('=').expect("a mutant has a kind");
                let old = std::mem::replace(&mut words[index], hexadecimal(word));
                noticed += usize::from(!check(&set, 0, &words).is_empty());
                total += 1;
                words[index] = old;
            }
        }
    }
    assert!(total > 300 && noticed * 100 >= total * 95, "{noticed} of {total} mutants are noticed");
}

/// Returns the words of each section of a file that `corpus.py` wrote.
fn sections(text: &str) -> Vec<Vec<u128>> {
    let mut sections: Vec<Vec<u128>> = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ' ');
        let (at, word) = (parts.next().unwrap(), parts.next().unwrap());
        if at == "0000" {
            sections.push(Vec::new());
        }
        sections.last_mut().expect("the first address is 0").push(hexadecimal(word));
    }
    sections
}

/// The mutants that are noticed, the mutants that are not, and the mutants of words that do not decode.
#[derive(Debug, Default)]
struct Counts {
    noticed: u32,
    missed: u32,
    undecoded: u32,
}

/// Checks the mutants of a corpus, and returns the counts for each kind of change.
fn check_mutants(
    set: &InstructionSet,
    code: &mut [Vec<u128>],
    mutants: &str,
) -> BTreeMap<String, Counts> {
    let mut counts = BTreeMap::<String, Counts>::new();
    for line in mutants.lines() {
        let parts: Vec<&str> = line.splitn(7, ' ').collect();
        let [section, index, producer, consumer] =
            [0, 1, 2, 3].map(|i| parts[i].parse::<usize>().unwrap());
        let words = &mut code[section];
        let old = std::mem::replace(&mut words[index], hexadecimal(parts[4]));
        let is_noticed = !check(set, 0, words).is_empty();
        words[index] = old;
        let first = producer.min(index);
        let decodes = words[first..=consumer].iter().all(|&word| set.decode(word).is_ok());
        let count = counts.entry(parts[5].to_owned()).or_default();
        match (is_noticed, decodes) {
            (true, _) => count.noticed += 1,
            (false, true) => {
                count.missed += 1;
                println!("missed: {line}");
            }
            (false, false) => count.undecoded += 1,
        }
    }
    counts
}

#[test]
#[ignore = "needs the corpus, which NVIDIA's tools compile"]
fn a_corpus_is_valid_and_its_mutants_are_not() {
    let Some(folder) = std::env::var_os("SASS_CORPUS").map(PathBuf::from) else {
        println!("skipped: SASS_CORPUS is not set");
        return;
    };
    let (mut false_reports, mut noticed, mut missed) = (0, 0, 0);
    let files = std::env::var("SASS_FILES").unwrap_or("sm_".to_owned());
    for (chip, prefix) in
        CHIPS.iter().flat_map(|chip| files.split(',').map(move |file| (chip, file)))
    {
        let read = |name: String| std::fs::read_to_string(folder.join(name)).ok();
        let Some(code) = read(format!("{prefix}{chip}.txt")) else {
            println!("skipped: {prefix}{chip}.txt does not exist");
            continue;
        };
        let (set, mut code) = (set(*chip), sections(&code));
        for (number, words) in code.iter().enumerate() {
            for finding in check(&set, 0, words) {
                false_reports += 1;
                println!("{prefix}{chip} section {number}: {finding}");
            }
        }
        let mutants = read(format!("mutants_{prefix}{chip}.txt")).unwrap_or_default();
        let counts = check_mutants(&set, &mut code, &mutants);
        noticed += counts.values().map(|count| count.noticed).sum::<u32>();
        missed += counts.values().map(|count| count.missed).sum::<u32>();
        println!("{prefix}{chip}: {} sections, {counts:?}", code.len());
    }
    assert_eq!(false_reports, 0);
    assert!(missed * 20 <= noticed + missed, "{missed} mutants are missed, {noticed} are noticed");
}
