//! LLVM as a function of many words and texts, with one process for each batch.

use std::process::Command;

use isa_tests::tools::{self, Listed, Temporary, Tool};

/// The programs, in the releases of Debian 12. The lists of differences apply to these releases.
const LLVM: Tool =
    Tool { program: "llvm-mc", release: "version 14.", install: "apt-get install llvm" };

const QEMU: Tool =
    Tool { program: "qemu-aarch64", release: "qemu-aarch64", install: "apt-get install qemu-user" };

const GCC: Tool = Tool {
    program: "aarch64-linux-gnu-gcc",
    release: "gcc",
    install: "apt-get install gcc-aarch64-linux-gnu",
};
const LINKER: Tool = Tool { program: "ld.lld", release: "LLD", install: "apt-get install lld" };

const BINUTILS: Tool = Tool {
    program: "aarch64-linux-gnu-as",
    release: "2.40",
    install: "apt-get install binutils-aarch64-linux-gnu",
};

/// The processor that LLVM must assume.
const FLAGS: [&str; 2] = ["-triple=aarch64", "-mattr=+crc,+el3"];

/// Returns whether LLVM is installed. See [`tools::are_here`].
pub(crate) fn llvm_is_here() -> bool {
    tools::are_here(&[LLVM])
}

/// Returns whether LLVM and QEMU are installed.
pub(crate) fn qemu_is_here() -> bool {
    tools::are_here(&[LLVM, QEMU])
}

/// Returns whether the GNU compiler and QEMU are installed.
pub(crate) fn gcc_and_qemu_are_here() -> bool {
    tools::are_here(&[GCC, QEMU])
}

/// Returns whether LLVM's linker and QEMU are installed.
pub(crate) fn linker_is_here() -> bool {
    tools::are_here(&[LLVM, LINKER, QEMU])
}

/// Returns whether LLVM and the GNU assembler are installed.
pub(crate) fn assemblers_are_here() -> bool {
    tools::are_here(&[LLVM, BINUTILS])
}

/// Returns LLVM's disassembly of each word.
pub(crate) fn llvm(words: &[u32]) -> Vec<Listed> {
    tools::llvm(&FLAGS, words.iter().map(|word| word.to_le_bytes().to_vec()))
}

/// Returns the code that LLVM assembles from a text.
///
/// # Panics
///
/// Panics with LLVM's message if LLVM rejects a line.
pub(crate) fn assemble(text: &str) -> Vec<u32> {
    let (object, code) = (llvm_object(text), Temporary::new("bin"));
    let mut copy = Command::new("llvm-objcopy");
    let copy = copy.args(["-O", "binary", "--only-section=.text"]).args([&object.0, &code.0]);
    assert!(tools::run(copy, String::new()).status.success());
    let code = std::fs::read(&code.0).expect("the code");
    code.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Returns the object that LLVM assembles from a text.
///
/// # Panics
///
/// Panics with LLVM's message if LLVM rejects a line.
pub(crate) fn llvm_object(text: &str) -> Temporary {
    let object = Temporary::new("o");
    let mut llvm = Command::new("llvm-mc");
    let output =
        tools::run(llvm.args(FLAGS).args(["-filetype=obj", "-o"]).arg(&object.0), text.to_owned());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", said.lines().take(12).collect::<Vec<_>>().join("\n"));
    object
}
