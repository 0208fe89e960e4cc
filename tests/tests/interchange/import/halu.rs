//! The vendor's file of HALU, which is not part of the project: its call compiles as it is written, and
//! has the words of `isa-defs` but for what was decided.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use isa_import::Source;
use isa_tests::tools::{Tool, message};

use super::{folder, imported};

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
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("imported");
    fs::create_dir_all(package.join("src")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = |name: &str| -> PathBuf { root.join(name).canonicalize().unwrap() };
    let manifest = format!(
        "[package]\nname = \"imported\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nisa-core = {{ path = {:?}, features = [\"alloc\"] }}\n\
         isa-check = {{ path = {:?} }}\nisa-defs = {{ path = {:?}, default-features = false }}\n\
         [profile.dev]\nopt-level = 1\ndebug = false\nincremental = false\n",
        path("isa-core"),
        path("isa-defs/check"),
        path("isa-defs"),
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::copy(path("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    fs::write(package.join("src/imported.rs"), source).unwrap();
    fs::copy(folder().join("judge.rs"), package.join("src/main.rs")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--target-dir"])
        .arg(package.join("target"))
        .current_dir(&package)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
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
