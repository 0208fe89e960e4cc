//! Compares the compiled video instructions with their manual: z3 proves that they are equal for
//! all masks, selectors and sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use isa_tests::share::share;
use isa_tests::tools::{Tool, are_here};

/// The Python module of z3.
const Z3_MODULE: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/z3/bin/python"),
    release: "",
    install: "python3 -m venv target/z3 && target/z3/bin/pip install z3-solver==5.4.1.0",
};
const TARGET: &str = "wasm32-unknown-unknown";
/// The target, which is not a program. If it is missing, this contains the command that installs
/// it.
const LIBRARIES: Tool =
    Tool { program: TARGET, release: "", install: "rustup target add wasm32-unknown-unknown" };
const PROVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/video/prove.py");

fn has_target() -> bool {
    let mut rustc = Command::new("rustc");
    let library = rustc.args(["--print", "target-libdir", "--target", TARGET]).output();
    let library = library.expect("a compiler starts");
    let library = PathBuf::from(String::from_utf8_lossy(&library.stdout).trim());
    library.is_dir() || are_here(&[LIBRARIES])
}

/// Builds the example that executes a word, as WebAssembly.
fn module() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // The target folder of this test, without its profile.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).env("CARGO_TARGET_DIR", target);
    cargo.args(["build", "--release", "--target", TARGET, "-p", "isa-defs"]);
    cargo.args(["--no-default-features", "--example", "video_word"]);
    let built = cargo.output().expect("cargo starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target.join(TARGET).join("release/examples/video_word.wasm")
}

#[test]
#[ignore = "takes minutes, and a build for WebAssembly; `.ci/run` runs it"]
fn video_instructions_are_those_of_the_manual_for_all_inputs() {
    if !(has_target() && are_here(&[Z3_MODULE])) {
        return;
    }
    let mut python = Command::new(Z3_MODULE.program);
    python.env("PYTHONDONTWRITEBYTECODE", "1").arg(PROVE).arg(module()).arg(share().to_string());
    let output = python.output().expect("python starts");
    let [said, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{said}{errors}");
    print!("{said}");
    assert!(said.contains(" forms, "), "{said}");
}
