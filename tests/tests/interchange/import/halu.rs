//! The vendor's file of HALU, which is not part of the project: its macro call compiles without
//! changes, and its words equal those of `isa-defs` except for recorded decisions.

use std::fs;
use std::io::Write;
use std::path::Path;

use isa_export::description::Description;
use isa_export::diff::Difference;
use isa_import::{ImportOptions, Source};
use isa_tests::tools::{Tool, message};

use super::back::run;
use super::{blocks, imported, package, samples};

/// The folder with the source and the decisions, next to the project.
const SPEC: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/spec/DECISIONS.md"),
    release: "",
    install: "put the vendor's files into ../shared/spec",
};

/// Returns the vendor's file, or `None` if the files are missing.
fn definitions() -> Option<String> {
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
    texts.into_iter().find(|text| text.contains("__DefGroup HALU"))
}

/// Returns the macro call, or `None` if the files are missing.
pub(super) fn halu() -> Option<String> {
    Some(imported("defgroup", &[Source { name: "halu.txt", text: &definitions()? }]))
}

/// The values file contains the decisions, so nothing is assumed, and the result has no error.
#[test]
fn the_values_file_completes_halu() {
    let Some(text) = definitions() else { return };
    let files = [Source { name: "halu.txt", text: &text }];
    let values = Source { name: "halu.toml", text: include_str!("halu.toml") };
    let options = ImportOptions { values: Some(values), ..ImportOptions::default() };
    let format = isa_import::format("defgroup").unwrap();
    let made = format.import(&files, &options).unwrap_or_else(|found| panic!("{found:#?}"));
    assert_eq!(made.assumptions, []);
    assert_eq!(format.check(&files, &options), Ok(Vec::new()));
    for part in [
        "pub isa Halu: u128;",
        "enum HSel2: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }",
        "field<78, 2> FPRound rnd = RN;",
        "HADD2{.hfmt_v2}{.FTZ}{.SAT}{.rnd}{.F32}",
    ] {
        assert!(made.source.contains(part), "{part}\n{}", made.source);
    }
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

/// The build script on the page of the importer keeps the vendor's file as the source. With a values
/// file that contains the decisions, the words of the imported set are those of `isa-defs`: `cargo test -p isa-tests --test interchange the_words_of_halu -- --ignored`
#[test]
#[ignore = "compiles HALU and the importer"]
fn the_words_of_halu_are_those_of_isa_defs() {
    let Some(text) = definitions() else { return };
    let folder = package("halu_words", &["isa-core", "isa-core/verify", "isa-defs"]);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let importer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa-core/import");
    let line = format!("[build-dependencies]\nisa-import = {{ path = {importer:?} }}\n");
    fs::write(
        folder.join("Cargo.toml"),
        manifest.replace("[profile.dev]", &(line + "[profile.dev]")),
    )
    .unwrap();
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../isa-core/import/README.md"));
    let script = blocks(page, "rust,no_run").remove(0).replace("vendor.", "halu.");
    fs::write(folder.join("build.rs"), script).unwrap();
    fs::write(folder.join("halu.txt"), text).unwrap();
    fs::write(folder.join("halu.toml"), include_str!("halu.toml")).unwrap();
    let main = r#"
        include!(concat!(env!("OUT_DIR"), "/halu.rs"));

        fn main() {
            println!("{}", isa_core::describe::json(Halu::SET));
        }
    "#;
    fs::write(folder.join("src/main.rs"), main).unwrap();
    let theirs: Description = run(&folder).parse().unwrap();
    let ours = isa_core::describe::json(isa_defs::halu::Halu::SET).to_string();
    let ours: Description = ours.parse().unwrap();
    let difference = Difference::between(&theirs, &ours);
    println!("{difference}");
    let words = difference.of_words();
    assert!(words.is_empty(), "{words}");
    // The comparison notices a field that has another bit.
    let mut other = ours.clone();
    let field = other.opcodes[0].fields.iter_mut().find(|field| field.name == "ftz").unwrap();
    field.pieces[0].position = 126;
    assert!(!Difference::between(&ours, &other).of_words().is_empty());
}
