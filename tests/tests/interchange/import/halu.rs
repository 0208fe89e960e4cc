//! The vendor's file of HALU, which is not part of the project: its call compiles as it is written, and
//! has the words of `isa-defs` but for what was decided.

use std::fs;
use std::io::Write;
use std::path::Path;

use isa_import::Source;
use isa_tests::tools::{Tool, message};

use super::back::run;
use super::{imported, package, samples};

/// The folder with the source and the decisions, beside the project.
const SPEC: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/spec/DECISIONS.md"),
    release: "",
    install: "put the vendor's files into ../shared/spec",
};

/// The call; `None` where the files are not here.
fn halu() -> Option<String> {
    // They are nobody's to install.
    if !SPEC.is_here() {
        let line = message(Some("the import of HALU"), &[&SPEC]) + "\n";
        // Past the capture of the harness; where standard error is closed, there is nobody to tell.
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
    // What the source says in comments, and what it lacks, stays visible.
    assert!(source.contains("// HADD2 Begin\n"));
    assert!(source.contains("// field<78,  2> FPRound rnd == RN;"));
    assert!(source.contains("// Without a field in the source: {.rnd} {.F32} $sched $req"));
    assert_eq!(source.matches("/* the numbers are not in the source */").count(), 13);
}

/// `cargo test -p isa-tests --test interchange halu -- --ignored --nocapture`
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
            // DECISIONS.md, 2: fields that the source lacks, and what its prose forbids.
            "decided: .SAT with .RELU, f32, req, rnd, sched",
            // DECISIONS.md, 1: the numbers of these sets; those of the others are the only ones.
            "numbers: HSel2, Optype, SType, FCMPOp",
        ]
    );
}
