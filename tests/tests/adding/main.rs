//! Tests `isa-defs/ADDING.md`, which describes how to add a family. This test compiles the files of the page
//! together with the existing families, and checks that the page shows the complete files.

// The files use these modules of `isa-defs`.
pub use isa_defs::{base, halu, video};

pub mod gpu;
pub mod shift;
mod vectors;

use isa_core::table::InstructionSet;
use isa_verify::text::disassemble;
use isa_verify::word_generator::WordGenerator;

const PAGE: &str = include_str!("../../../isa-defs/ADDING.md");

/// Returns the Rust code blocks of the page.
fn blocks() -> Vec<&'static str> {
    let parts = PAGE.split("```rust\n").skip(1);
    parts.map(|part| part.split_once("```").expect("a block ends").0).collect()
}

#[test]
fn the_page_shows_the_files_that_are_compiled() {
    let [family, module, united, vectors] = blocks()[..] else { panic!("{:?}", blocks()) };
    assert_eq!(family, include_str!("shift.rs"));
    assert_eq!(vectors, include_str!("vectors.rs"));
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
