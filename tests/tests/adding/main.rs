//! Tests `isa-defs/ADDING.md`, which describes how to add instructions. This test compiles the new family and
//! the crate of the page together with the existing families, and checks that the page shows the complete
//! files. A test that runs only on request adds the instruction of the page to a copy of HALU, and builds the
//! crate outside of this workspace.

// The files use these modules of `isa-defs`.
pub use isa_defs::{base, halu, video};

pub mod gpu;
pub mod half_moves;
pub mod shift;
mod vectors;

use std::fs;
use std::path::Path;
use std::process::Command;

use isa_core::table::InstructionSet;
use isa_tests::page;
use isa_verify::text::disassemble;
use isa_verify::word_generator::WordGenerator;

const PAGE: &str = include_str!("../../../isa-defs/ADDING.md");

/// The Rust code blocks of the page.
struct Blocks {
    /// The new instruction of an existing family: its number, its opcodes and a test.
    instruction: [&'static str; 3],
    /// The new family: its file, the lines that declare and include it, and a test.
    family: [&'static str; 4],
    /// The library of the crate outside of the workspace.
    library: &'static str,
}

fn blocks() -> Blocks {
    let blocks = page::blocks(PAGE, "rust");
    let [number, opcodes, vectors, family, module, united, family_vectors, library] = blocks[..]
    else {
        panic!("expected 8 blocks, found {}: {blocks:?}", blocks.len())
    };
    Blocks {
        instruction: [number, opcodes, vectors],
        family: [family, module, united, family_vectors],
        library,
    }
}

#[test]
fn the_page_shows_the_files_that_are_compiled() {
    let Blocks { family: [family, module, united, vectors], library, .. } = blocks();
    assert_eq!(family, include_str!("shift.rs"));
    assert_eq!(vectors, include_str!("vectors.rs"));
    assert_eq!(library, include_str!("half_moves.rs"));
    assert!(include_str!("main.rs").contains(module));
    let file = include_str!("gpu.rs");
    assert!(file.contains(united));
    // The rest of the file equals the existing file.
    let before = include_str!("../../../isa-defs/src/gpu.rs");
    let known = file
        .replace(united, "")
        .replace("half-precision, video and shift", "half-precision and video");
    assert_eq!(known, before);
}

/// Prints a word of every opcode and parses the text again, as the tests of the workspace do for each set.
#[test]
fn the_united_set_has_the_new_opcodes_too() {
    let set: &'static InstructionSet = gpu::Gpu::SET;
    let old = isa_defs::gpu::Gpu::SET;
    assert_eq!(set.opcodes.len(), old.opcodes.len() + 4);
    let mut generator = WordGenerator::new(set, 1);
    for opcode in 0..generator.opcode_count() {
        let word = generator.legal(opcode);
        let text = disassemble(set, word).to_string();
        assert_eq!(set.parse(&text).expect("its own text").word(), word, "{text}");
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Inserts a block of the page before the only occurrence of `next` in a file.
fn insert(file: &Path, block: &str, next: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(next).count(), 1, "{}: `{next}`", file.display());
    fs::write(file, text.replace(next, &format!("{block}{next}"))).unwrap();
}

/// Adds HSUB2 to a copy of HALU, and runs the tests of the page in a crate that depends on the copy.
#[cfg(unix)]
#[test]
#[ignore = "builds a copy of isa-defs, which takes a minute"]
fn an_instruction_in_an_existing_family_and_one_in_another_crate() {
    let Blocks { instruction: [number, opcodes, vectors], library, .. } = blocks();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adding");
    let (checkout, own) = (folder.join("define-isa"), folder.join("half-moves"));
    for old in [&checkout, &own] {
        let _ = fs::remove_dir_all(old);
    }
    fs::create_dir_all(&checkout).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["Cargo.toml", "isa-core", "isa-macros", "tests"] {
        std::os::unix::fs::symlink(root.join(name), checkout.join(name)).unwrap();
    }
    copy(&root.join("isa-defs"), &checkout.join("isa-defs"));

    let sources = checkout.join("isa-defs/src");
    insert(&sources.join("base/mod.rs"), number, "\n        vadd2 = ");
    insert(&sources.join("halu/mod.rs"), opcodes, "\n    // ---- HMUL2 ---");
    for file in ["src", "tests"] {
        fs::create_dir_all(own.join(file)).unwrap();
    }
    // The empty table ends cargo's search for a workspace, because this folder is in one.
    let manifest = page::blocks(PAGE, "toml")[0].to_owned() + "\n[workspace]\n";
    fs::write(own.join("Cargo.toml"), manifest).unwrap();
    fs::write(own.join("src/lib.rs"), library).unwrap();
    fs::write(own.join("tests/hsub2.rs"), vectors).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--offline", "--target-dir"]).arg(folder.join("target"));
    let output = cargo.current_dir(&own).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    for test in ["__HalfMoves_examples", "swaps_and_adds", "subtracts_in_both_lanes"] {
        assert!(printed.contains(&format!("{test} ... ok")), "no `{test}` in\n{printed}");
    }
}
