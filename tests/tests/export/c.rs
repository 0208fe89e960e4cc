//! The header for C is sufficient to decode words, in a program that compiles without warnings as C
//! and as C++.

use std::path::{Path, PathBuf};
use std::process::Command;

use isa_core::table::InstructionSet;
use isa_tests::tools::are_here;

use crate::words::{FEW, MANY, compare};
use crate::{CC, CXX, export, folder, quiet, sets};

/// Builds the program: `decode.c` with the header of a set.
fn build(set: &'static InstructionSet, compiler: &[&str], folder: &Path) -> PathBuf {
    let header = export("c", set, folder).remove(0);
    let prefix = header.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
    let (upper, program) = (prefix.to_uppercase(), folder.join("decode"));
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).args(["-Wall", "-Wextra", "-Wpedantic", "-Wconversion"]);
    command.args(["-Wshadow", "-Werror", "-o"]).arg(&program);
    command.args([format!("-DHEADER=\"{}\"", header.display()), format!("-DSET(x)={prefix}_##x")]);
    command.args([format!("-DALL={upper}_OPCODES"), format!("-D{upper}_TABLES")]);
    if set.bits > 64 {
        command.arg("-DWIDE");
    }
    quiet(command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/decode.c")));
    program
}

fn check(level: &str, count: usize) {
    for set in sets() {
        let folder = folder(&format!("c {} {count}", set.name));
        let program = build(set, &["gcc", "-std=c99", level], &folder);
        compare(set, None, count, || Command::new(&program));
    }
}

#[test]
fn the_header_decodes_in_c() {
    if are_here(&[CC]) {
        check("-O0", FEW);
    }
}

#[test]
fn the_header_decodes_in_cpp() {
    if are_here(&[CXX]) {
        // Words of two 64-bit halves, and of one.
        for set in [isa_defs::gpu::Gpu::SET, crate::names::Int::SET] {
            let folder = folder(&format!("c++ {}", set.name));
            let program = build(set, &["g++", "-x", "c++", "-std=c++11"], &folder);
            compare(set, None, FEW / 10, || Command::new(&program));
        }
    }
}

#[test]
#[ignore = "takes a minute; `.ci/run` runs it"]
fn the_header_decodes_a_million_words() {
    if are_here(&[CC]) {
        check("-O2", MANY);
    }
}
