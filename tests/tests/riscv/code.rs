//! Code from compilers: disassembled, compared line by line, and assembled again.

use std::path::Path;
use std::process::Command;

use isa_riscv::Rv64imac;
use object::{Object, ObjectSection};

use crate::programs::LEVELS;
use crate::spelling::OBJDUMP;
use crate::tools::{self, Temporary};

/// The C programs next to this file.
pub(crate) const PROGRAMS: [&str; 5] = ["sort", "hash", "matrix", "parser", "compress"];

/// The flags for a processor without floating point, and without a C library.
const FLAGS: [&str; 5] = [
    "-march=rv64imac",
    "-mabi=lp64",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fno-tree-loop-distribute-patterns",
];

/// Compiles a program to an executable.
pub(crate) fn compile(program: &str, optimize: &str) -> Temporary {
    built(&["-static", "-nostdlib", optimize], &[program, "runtime"], "elf")
}

/// Compiles a program to an object with relocations.
pub(crate) fn compile_object(program: &str, optimize: &str) -> Temporary {
    built(&["-c", optimize], &[program], "o")
}

/// Compiles sources to a file.
fn built(flags: &[&str], sources: &[&str], extension: &str) -> Temporary {
    let file = Temporary::new(extension);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/riscv/programs");
    let sources = sources.iter().map(|source| folder.join(source).with_extension("c"));
    let mut compiler = Command::new("riscv64-linux-gnu-gcc");
    let compiler = compiler.args(FLAGS).args(flags).arg("-o").arg(&file.0).args(sources);
    let output = tools::run(compiler, String::new());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Returns the bytes of a section of an executable.
pub(crate) fn section<'f>(file: &'f [u8], name: &str) -> &'f [u8] {
    let file = object::read::elf::ElfFile64::<object::LittleEndian>::parse(file);
    let file = file.expect("an executable of 64 bits");
    file.section_by_name(name).and_then(|found| found.data().ok()).expect("a section of this name")
}

/// The numbers of instructions and of data words of some code.
#[derive(Default)]
struct Count {
    instructions: usize,
    /// Words that are not valid instructions of the set.
    data: usize,
}

/// Disassembles code, compares the lines with those of the GNU disassembler, and assembles them.
fn there_and_back(code: &[u8]) -> Count {
    let mut count = Count::default();
    let mut assembled: Vec<u8> = Vec::new();
    let mut theirs = tools::objdump_code(code).into_iter();
    while assembled.len() < code.len() {
        let (address, rest) = (assembled.len(), &code[assembled.len()..]);
        let text = match Rv64imac::decode_first(rest) {
            Ok((instruction, _)) => {
                count.instructions += 1;
                let text = format!("{instruction:#}");
                let again: Rv64imac = text.parse().expect("what is printed assembles");
                let len = usize::from(again.opcode().bits / 8);
                assembled.extend(&again.encode().expect("a legal one").to_le_bytes()[..len]);
                Some((OBJDUMP.spell)(text.trim_end_matches(';'), address as u64))
            }
            Err(_) => {
                count.data += 1;
                assembled.extend(&rest[..Rv64imac::SET.length(rest)]);
                None
            }
        };
        let (place, listed) = theirs.next().expect("a line a word");
        assert_eq!(place, address as u64, "the lengths agree");
        let mut known = OBJDUMP.differences.iter();
        let agree =
            text == listed || known.any(|d| (d.applies)(text.as_deref(), listed.as_deref()));
        assert!(agree, "{address:#x}: {text:?}, not {listed:?}");
    }
    assert_eq!(assembled, code);
    count
}

#[test]
fn programs_in_c() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", "riscv64-linux-gnu-objdump"]) {
        return;
    }
    for program in PROGRAMS {
        for optimize in LEVELS {
            let executable = std::fs::read(&compile(program, optimize).0).expect("it was written");
            let count = there_and_back(section(&executable, ".text"));
            assert_eq!(count.data, 0, "{program} {optimize}");
            assert!(count.instructions > 200, "{program} {optimize}: {}", count.instructions);
        }
    }
}

/// Checks the libraries of the compiler's package. They were compiled for processors with floating
/// point, whose instructions are data in this set.
#[test]
fn libraries_of_debian() {
    let needed = ["riscv64-linux-gnu-gcc", "riscv64-linux-gnu-objdump", tools::LIBRARY];
    if !tools::are_here(&needed) {
        return;
    }
    for library in ["libc.so.6", "ld-linux-riscv64-lp64d.so.1", "libgcc_s.so.1"] {
        let path = Path::new(tools::LIBRARY).with_file_name(library);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let Count { instructions, data } = there_and_back(section(&bytes, ".text"));
        assert!(
            instructions > 15_000 && data < instructions / 20,
            "{library}: {instructions}, {data}"
        );
    }
}
