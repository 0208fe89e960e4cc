//! Disassemblers and assemblers as functions of many words, with one process for each batch.

use std::process::Command;

use isa_riscv::Rv64imac;
use isa_tests::tools::{self, Tool, tidy};
pub(crate) use isa_tests::tools::{Temporary, run};

/// The programs, in the releases of Debian 12. The lists of differences apply to these releases.
const TOOLS: [Tool; 6] = [
    Tool { program: "llvm-mc", release: "version 14.", install: "apt-get install llvm" },
    Tool { program: "riscv64-linux-gnu-as", release: "2.40", install: BINUTILS },
    Tool { program: "riscv64-linux-gnu-objdump", release: "2.40", install: BINUTILS },
    Tool {
        program: "riscv64-linux-gnu-gcc",
        release: "gcc",
        install: "apt-get install gcc-riscv64-linux-gnu",
    },
    Tool { program: LIBRARY, release: "", install: "apt-get install libc6-dev-riscv64-cross" },
    Tool { program: "qemu-riscv64", release: "qemu-riscv64", install: "apt-get install qemu-user" },
];

/// The C library. The package of the compiler installs its own libraries in the same folder.
pub(crate) const LIBRARY: &str = "/usr/riscv64-linux-gnu/lib/libc.so.6";

const BINUTILS: &str = "apt-get install binutils-riscv64-linux-gnu";

/// Returns whether all these programs are installed. See [`tools::are_here`].
pub(crate) fn are_here(programs: &[&str]) -> bool {
    let needed = programs.iter().map(|program| {
        let tool = TOOLS.into_iter().find(|tool| tool.program == *program);
        tool.unwrap_or_else(|| panic!("{program} is not in the list"))
    });
    tools::are_here(&needed.collect::<Vec<Tool>>())
}

/// Returns the instruction of a word if it assembles to this word. It does not if a field that
/// processors ignore has another value than the assembler encodes.
pub(crate) fn readable(word: u32) -> Option<Rv64imac> {
    let instruction = Rv64imac::decode(word).ok()?;
    let ignored = instruction.opcode().ignored as u32;
    (word & ignored == 0).then_some(instruction)
}

/// Returns LLVM's disassembly of each word, or `None` if the word is invalid.
pub(crate) fn llvm(words: &[u32], len: usize, aliases: bool) -> Vec<Option<String>> {
    let flags = ["-triple=riscv64", "-mattr=+m,+a,+c"];
    let plain = (!aliases).then_some(["-M", "no-aliases"]);
    let flags: Vec<&str> = flags.into_iter().chain(plain.into_iter().flatten()).collect();
    let words = words.iter().map(|word| word.to_le_bytes()[..len].to_vec());
    tools::llvm(&flags, words).into_iter().map(|listed| listed.text).collect()
}

/// Returns the GNU disassembly of each word, the first at address 0.
pub(crate) fn objdump(words: &[u32], len: usize) -> Vec<Option<String>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()[..len].to_vec()).collect();
    let listing: Vec<Option<String>> = objdump_code(&bytes).into_iter().map(|(_, t)| t).collect();
    assert_eq!(listing.len(), words.len(), "one line a word");
    listing
}

/// Returns the GNU disassembly of code, with the address of each line.
pub(crate) fn objdump_code(code: &[u8]) -> Vec<(u64, Option<String>)> {
    let file = Temporary::new("bin");
    std::fs::write(&file.0, code).expect("a temporary file");
    let flags = ["-D", "-z", "-b", "binary", "-m", "riscv:rv64", "-M", "no-aliases"];
    let output =
        run(Command::new("riscv64-linux-gnu-objdump").args(flags).arg(&file.0), String::new());
    let text = String::from_utf8(output.stdout).expect("text");
    let mut listing = Vec::new();
    for line in text.lines() {
        // `  4:\t00b50533          \tadd\ta0,a0,a1 # a comment`
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        if let [place, _, text] = parts[..]
            && let Some(address) = place.trim().strip_suffix(':')
            && let Ok(address) = u64::from_str_radix(address, 16)
        {
            let text = tidy(text.split('#').next().unwrap_or(text));
            let data = text.starts_with(".2byte") || text.starts_with(".4byte");
            listing.push((address, (!data).then_some(text)));
        }
    }
    listing
}

/// Returns the code that the GNU assembler assembles from a text, with or without 16-bit
/// instructions.
///
/// # Panics
///
/// Panics with the assembler's message if it rejects a line.
pub(crate) fn assemble(text: &str, short: bool) -> Vec<u8> {
    let (object, code) = (Temporary::new("o"), Temporary::new("bin"));
    let header = if short { ".option rvc\n" } else { ".option norvc\n" };
    let flags = ["-march=rv64imac_zicsr_zifencei", "-mno-relax", "-o"];
    let output = run(
        Command::new("riscv64-linux-gnu-as").args(flags).arg(&object.0),
        format!("{header}{text}"),
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", said.lines().take(8).collect::<Vec<_>>().join("\n"));
    let flags = ["-O", "binary", "-j", ".text"];
    run(
        Command::new("riscv64-linux-gnu-objcopy").args(flags).args([&object.0, &code.0]),
        String::new(),
    );
    std::fs::read(&code.0).expect("the code")
}
