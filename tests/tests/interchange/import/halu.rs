//! The vendor's file of HALU, which is not part of the project: its macro call compiles without
//! changes, and its words equal those of `isa-defs` except for recorded decisions.

use std::fs;
use std::io::Write;
use std::path::Path;

use isa_import::Source;
use isa_tests::tools::{Tool, message};

use super::back::run;
use super::{imported, package, samples};

/// The folder with the source and the decisions, next to the project.
const SPEC: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/spec/DECISIONS.md"),
    release: "",
    install: "put the vendor's files into ../shared/spec",
};

/// Returns the macro call, or `None` if the files are missing.
fn halu() -> Option<String> {
    // These files cannot be installed by everybody.
    if !SPEC.is_here() {
        let line = message(Some("the import of HALU"), &[&SPEC]) + "\n";
        // Write directly, because the test harness would capture the message. If standard error is
        // closed, the message is lost.
        let _ = std::io::stderr().write_all(line.as_bytes());
        return None;
    }
    let files = Path::new(SPEC.program).parent()?.read_dir().ok()?;
    let texts = files.filter_map(|file| fs::read_to_string(file.ok()?.path()).ok());
    let text = texts.into_iter().find(|text| text.contains("__DefGroup HALU"))?;
    Some(imported("defgroup", &[Source { name: "halu.txt", text: &text }]))
}

#[test]
fn the_macro_finds_no_fault_in_halu() {
    let Some(source) = halu() else { return };
    assert_eq!(source.matches("\n    opcode ").count(), 27);
    // Comments of the source and missing parts remain visible.
    assert!(source.contains("// HADD2 Begin\n"));
    assert!(source.contains("// field<78,  2> FPRound rnd == RN;"));
    assert!(source.contains("// Without a field in the source: {.rnd} {.F32} $sched $req"));
    assert_eq!(source.matches("/* the numbers are not in the source */").count(), 13);
}

/// Compares a million words: `cargo test -p isa-tests --test interchange halu -- --ignored
/// --nocapture`
#[test]
#[ignore = "compiles HALU twice"]
fn a_million_words_of_halu_agree() {
    let Some(source) = halu() else { return };
    let folder = package("halu", &["isa-core", "isa-core/verify", "isa-defs"]);
    fs::write(folder.join("src/imported.rs"), source).unwrap();
    fs::copy(samples().join("judge.rs"), folder.join("src/main.rs")).unwrap();
    let said = run(&folder);
    println!("{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "1080000 words agree",
            // DECISIONS.md, 2: fields that are missing in the source, and combinations that its
            // prose forbids.
            "decided: .SAT with .RELU, f32, req, rnd, sched",
            // DECISIONS.md, 1: the numbers of these enums. The numbers of the other enums are
            // unambiguous.
            "numbers: HSel2, Optype, SType, FCMPOp",
        ]
    );
}
