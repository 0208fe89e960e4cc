//! Disassemblers and assemblers as functions on many words: one process a batch.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use isa_tests::tools::{self, Tool};

/// The programs, as Debian 12 has them. The lists of differences are those of these releases.
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

/// The C library, beside which the compiler has its own.
pub(crate) const LIBRARY: &str = "/usr/riscv64-linux-gnu/lib/libc.so.6";

const BINUTILS: &str = "apt-get install binutils-riscv64-linux-gnu";

/// Whether all these are here; see [`tools::are_here`].
pub(crate) fn are_here(programs: &[&str]) -> bool {
    let needed = programs.iter().map(|program| {
        let tool = TOOLS.into_iter().find(|tool| tool.program == *program);
        tool.unwrap_or_else(|| panic!("{program} is not in the list"))
    });
    tools::are_here(&needed.collect::<Vec<Tool>>())
}

/// What LLVM makes of each word; `None` where it is no instruction.
pub(crate) fn llvm(words: &[u32], len: usize, aliases: bool) -> Vec<Option<String>> {
    let mut input = String::new();
    for word in words {
        for byte in &word.to_le_bytes()[..len] {
            input.push_str(&format!("{byte:#04x} "));
        }
        input.push('\n');
    }
    let flags = ["--disassemble", "-triple=riscv64", "-mattr=+m,+a,+c"];
    let plain = (!aliases).then_some(["-M", "no-aliases"]);
    let output = run(Command::new("llvm-mc").args(flags).args(plain.into_iter().flatten()), input);
    let mut refused = vec![false; words.len()];
    for message in String::from_utf8_lossy(&output.stderr).lines() {
        let place = message.strip_prefix("<stdin>:").and_then(|rest| rest.split(':').next());
        if let Some(line) = place.and_then(|line| line.parse::<usize>().ok()) {
            refused[line - 1] = true;
        }
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines = text.lines().map(tidy).filter(|line| line != ".text");
    let listing = refused.iter().map(|refused| match refused {
        true => None,
        false => Some(lines.next().expect("a line an instruction")),
    });
    let listing = listing.collect();
    assert_eq!(lines.next(), None, "as many lines as instructions");
    listing
}

/// What the GNU disassembler makes of each word, the first at address 0.
pub(crate) fn objdump(words: &[u32], len: usize) -> Vec<Option<String>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()[..len].to_vec()).collect();
    let listing: Vec<Option<String>> = objdump_code(&bytes).into_iter().map(|(_, t)| t).collect();
    assert_eq!(listing.len(), words.len(), "one line a word");
    listing
}

/// What the GNU disassembler makes of code, with the address of each line.
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

/// The code that the GNU assembler makes of a text, with or without 16-bit instructions.
///
/// # Panics
///
/// Where it refuses a line, with what it says.
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

/// Runs a program on a text.
pub(crate) fn run(command: &mut Command, input: String) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // From another thread, since the program may answer before it has read all.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends").expect("the program reads all");
    output
}

/// Single spaces for tabs.
fn tidy(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A file that goes with the value.
pub(crate) struct Temporary(pub(crate) PathBuf);

impl Temporary {
    pub(crate) fn new(extension: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isa-tests-{}-{count}.{extension}", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
