//! Checks exports with independent programs: compilers, an interpreter, QEMU's generator of
//! decoders, a solver, and the tables of the GNU tools.

mod binutils;
mod c;
mod csv;
mod decodetree;
mod names;
mod page;
mod python;
mod smt;
mod systemverilog;
mod versions;
mod video;
mod widths;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use isa_core::table::InstructionSet;
use isa_tests::tools::Tool;

pub(crate) const CC: Tool =
    Tool { program: "gcc", release: "Free Software", install: "apt-get install gcc" };
pub(crate) const CXX: Tool =
    Tool { program: "g++", release: "Free Software", install: "apt-get install g++" };
pub(crate) const PYTHON: Tool =
    Tool { program: "python3", release: "Python 3", install: "apt-get install python3" };
pub(crate) const Z3: Tool = Tool { program: "z3", release: "Z3", install: "apt-get install z3" };
/// QEMU's generator, which is not part of this repository.
pub(crate) const DECODETREE: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/foreign/decodetree.py"),
    release: "",
    install: "tests/foreign",
};
/// The table of the GNU tools for RISC-V, which is not part of this repository.
pub(crate) const RISCV_OPC: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/foreign/riscv-opc.h"),
    release: "",
    install: "tests/foreign",
};

/// Returns the sets that are exported: with 128-bit words, with two widths, with conditions in
/// Rust, with names that are keywords of other languages, and with words of a width that no integer
/// type has.
pub(crate) fn sets() -> [&'static InstructionSet; 5] {
    [
        isa_defs::gpu::Gpu::SET,
        isa_riscv::Rv64imac::SET,
        isa_a64::A64::SET,
        names::Int::SET,
        widths::Odd::SET,
    ]
}

/// Returns an empty folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Writes an export into a folder and returns the paths.
pub(crate) fn export(format: &str, set: &'static InstructionSet, folder: &Path) -> Vec<PathBuf> {
    let format = isa_export::format(format).expect("a format");
    let files = format.files(set).expect("the format can say the set");
    let write = |file: isa_export::ExportFile| {
        let path = folder.join(file.name);
        fs::write(&path, file.text).expect("a file");
        path
    };
    files.into_iter().map(write).collect()
}

/// Runs a program that must not print anything.
pub(crate) fn quiet(command: &mut Command) {
    let output = command.output().expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.is_empty(), "{command:?}\n{said}");
}
