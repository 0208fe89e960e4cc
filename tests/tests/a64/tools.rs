//! LLVM as a function on many words and texts: one process a batch.

use std::process::Command;

use isa_tests::tools::{self, Listed, Temporary, Tool};

/// The programs, as Debian 12 has them. The lists of differences are those of these releases.
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

/// The processor that LLVM is asked about.
const FLAGS: [&str; 2] = ["-triple=aarch64", "-mattr=+crc,+el3"];

/// Whether LLVM is here; see [`tools::are_here`].
pub(crate) fn llvm_is_here() -> bool {
    tools::are_here(&[LLVM])
}

/// Whether LLVM and QEMU are here.
pub(crate) fn qemu_is_here() -> bool {
    tools::are_here(&[LLVM, QEMU])
}

/// Whether the GNU compiler and QEMU are here.
pub(crate) fn gcc_and_qemu_are_here() -> bool {
    tools::are_here(&[GCC, QEMU])
}

/// Whether LLVM's linker and QEMU are here.
pub(crate) fn linker_is_here() -> bool {
    tools::are_here(&[LLVM, LINKER, QEMU])
}

/// Whether LLVM and the GNU assembler are here.
pub(crate) fn assemblers_are_here() -> bool {
    tools::are_here(&[LLVM, BINUTILS])
}

/// What LLVM makes of each word.
pub(crate) fn llvm(words: &[u32]) -> Vec<Listed> {
    tools::llvm(&FLAGS, words.iter().map(|word| word.to_le_bytes().to_vec()))
}

/// The code that LLVM makes of a text.
///
/// # Panics
///
/// Where it refuses a line, with what it says.
pub(crate) fn assemble(text: &str) -> Vec<u32> {
    let (object, code) = (llvm_object(text), Temporary::new("bin"));
    let mut copy = Command::new("llvm-objcopy");
    let copy = copy.args(["-O", "binary", "--only-section=.text"]).args([&object.0, &code.0]);
    assert!(tools::run(copy, String::new()).status.success());
    let code = std::fs::read(&code.0).expect("the code");
    code.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The object that LLVM makes of a text.
///
/// # Panics
///
/// Where it refuses a line, with what it says.
pub(crate) fn llvm_object(text: &str) -> Temporary {
    let object = Temporary::new("o");
    let mut llvm = Command::new("llvm-mc");
    let output =
        tools::run(llvm.args(FLAGS).args(["-filetype=obj", "-o"]).arg(&object.0), text.to_owned());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", said.lines().take(12).collect::<Vec<_>>().join("\n"));
    object
}
