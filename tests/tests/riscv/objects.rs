//! Compares ELF objects with binutils: the GNU disassembler and we list GNU objects in the same
//! way, and the GNU tools read, link and run our objects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use isa_cli::{Io, Status};
use isa_core::asm::{Assembler, LabelMap};
use isa_core::text::Labels;
use isa_riscv::Rv64imac;

use crate::code::{PROGRAMS, compile, compile_object, section};
use crate::programs::emulate;
use crate::spelling::OBJDUMP;
use crate::tools::{self, Temporary, run};

mod dialect;
mod parts;
mod sections;

const BINUTILS: [&str; 3] =
    ["riscv64-linux-gnu-as", "riscv64-linux-gnu-objdump", "riscv64-linux-gnu-gcc"];

/// Returns the output of the tool.
fn rv(args: &[&str], mut input: &[u8]) -> Vec<u8> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let status = isa_riscv::tool().run(args, Io::of(&mut input, &mut output, &mut errors));
    assert_eq!(status, Status::Success, "{}", String::from_utf8_lossy(&errors));
    output
}

/// Returns a file with the object of a text.
fn object(text: &str) -> Temporary {
    let file = Temporary::new("o");
    std::fs::write(&file.0, rv(&["asm", "--emit", "elf"], text.as_bytes())).expect("a file");
    file
}

/// Runs a program, which must succeed without messages. Returns its output.
fn fine(program: &str, args: &[&str], files: &[&Path]) -> String {
    let output = run(Command::new(program).args(args).args(files), String::new());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{program}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// The code of a section as it is listed.
#[derive(Default)]
struct Code {
    /// The labels by address.
    labels: BTreeMap<u64, BTreeSet<String>>,
    /// The statements: the size of each in bytes, and its text, which is `None` for data.
    statements: BTreeMap<u64, (usize, Option<String>)>,
    bytes: BTreeMap<u64, u8>,
}

impl Code {
    /// Adds a statement of words in hexadecimal.
    fn add(&mut self, address: u64, words: &str, text: Option<String>) {
        let mut at = address;
        for word in words.split(' ') {
            let bytes = (0..word.len() / 2).rev().map(|place| &word[place * 2..place * 2 + 2]);
            for byte in bytes {
                self.bytes.insert(at, u8::from_str_radix(byte, 16).expect("digits"));
                at += 1;
            }
        }
        self.statements.insert(address, ((at - address) as usize, text));
    }
}

/// Returns the tool's listing of a file, by the names of the sections.
fn ours(file: &Path) -> BTreeMap<String, Code> {
    let bytes = std::fs::read(file).expect("it was written");
    let listing = String::from_utf8(rv(&["dis", "--addresses"], &bytes)).expect("text");
    let mut sections: BTreeMap<String, Code> = BTreeMap::new();
    let mut names = Vec::new();
    let (mut last, mut is_code) = (String::new(), true);
    for line in listing.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("// section ") {
            (last, is_code) = (name.to_owned(), true);
        } else if line.starts_with(".section ") {
            // Objects also contain the data that the code refers to.
            is_code = line.contains("x\"");
        } else if !is_code
            || [".globl ", ".type ", ".balign "].iter().any(|it| line.starts_with(it))
            || line == ".text;"
        {
        } else if let Some(line) = line.strip_prefix("/* ") {
            let (place, text) = line.split_once(" */  ").expect("a statement");
            let (address, word) = place.split_once("  ").expect("a word");
            let address = u64::from_str_radix(address, 16).expect("digits");
            let code = sections.entry(last.clone()).or_default();
            code.labels.entry(address).or_default().extend(names.drain(..));
            let text = (!text.starts_with('.')).then(|| text.to_owned());
            code.add(address, word.trim(), text);
        } else {
            // A name that is not valid in our texts is in a comment.
            let name = line.strip_suffix(':').expect("a label");
            names.push(name.trim_start_matches("// ").to_owned());
        }
    }
    sections
}

/// Returns the GNU disassembler's listing of a file.
fn theirs(file: &Path) -> BTreeMap<String, Code> {
    let listing = fine("riscv64-linux-gnu-objdump", &["-d", "-z", "-M", "no-aliases"], &[file]);
    let mut sections: BTreeMap<String, Code> = BTreeMap::new();
    let mut code = &mut Code::default();
    for line in listing.lines() {
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        if let Some(name) = line.strip_prefix("Disassembly of section ") {
            code = sections.entry(name.trim_end_matches(':').to_owned()).or_default();
        } else if let [place, words, text] = parts[..] {
            let address = place.trim().trim_end_matches(':');
            let address = u64::from_str_radix(address, 16).expect("an address");
            // `beqz\ta0,14 <.L1>`, `addi\ta0,a0,1 # a comment`
            let text = text.split('#').next().unwrap_or(text);
            let text = match text.split_once(" <") {
                Some((before, _)) => {
                    let digits = before.rfind(|sign: char| !sign.is_ascii_hexdigit());
                    let digits = digits.map_or(0, |last| last + 1);
                    format!("{}0x{}", &before[..digits], &before[digits..])
                }
                None => text.to_owned(),
            };
            let text = (!text.starts_with('.')).then(|| isa_tests::tools::tidy(&text));
            code.add(address, words.trim(), text);
        } else if let Some((address, name)) = line.split_once(" <")
            && let Some(name) = name.strip_suffix(">:")
        {
            let address = u64::from_str_radix(address, 16).expect("an address");
            code.labels.entry(address).or_default().insert(name.to_owned());
        }
    }
    sections
}

/// Returns one of our lines in the spelling of the GNU disassembler. Operands with relocations have
/// no meaning yet, but the GNU disassembler prints them.
fn spelled(text: &str, word: u32, address: u64, labels: &LabelMap) -> String {
    let statement = text.split("//").next().unwrap_or(text);
    let name = statement.trim_end_matches([';', ' ']).rsplit([' ', ',']).next().unwrap_or("");
    let is_jump = ["b", "j", "c.b", "c.j"].iter().any(|jump| statement.starts_with(jump));
    let is_open = name.starts_with(char::is_alphabetic) && labels.address(name).is_none();
    let instruction = match is_jump && is_open {
        true => Rv64imac::decode(word).map_err(|error| error.to_string()),
        false => Rv64imac::parse_at(statement.trim(), address, labels).map_err(|e| e.to_string()),
    };
    let instruction = instruction.unwrap_or_else(|error| panic!("{text}: {error}"));
    (OBJDUMP.spell)(format!("{instruction:#}").trim_end_matches(';'), address)
}

/// Compares all lines of a file. Returns the numbers of instructions and labels.
fn compare(file: &Path) -> (usize, usize) {
    let (ours, theirs) = (ours(file), theirs(file));
    assert!(ours.keys().eq(theirs.keys()), "{:?}, not {:?}", ours.keys(), theirs.keys());
    let (mut instructions, mut labels) = (0, 0);
    for (name, ours) in &ours {
        let theirs = &theirs[name];
        let same = theirs.bytes.iter().all(|(address, byte)| ours.bytes.get(address) == Some(byte));
        assert!(same, "{name}: {:?}, not {:?}", ours.bytes, theirs.bytes);
        let all = ours
            .labels
            .iter()
            .flat_map(|(address, names)| names.iter().map(move |name| (name.as_str(), *address)));
        let all: LabelMap = all.collect();
        for (address, (length, text)) in &ours.statements {
            let Some(text) = text else {
                // The GNU tools list data in words of other sizes.
                continue;
            };
            instructions += 1;
            let (other, theirs) = &theirs.statements[address];
            assert_eq!(length, other, "{name} {address:#x}");
            let word = (*address..*address + *length as u64).rev();
            let word = word.fold(0, |word, place| word << 8 | u32::from(ours.bytes[&place]));
            let spelled = spelled(text, word, *address, &all);
            let (ours, theirs) = (Some(spelled.as_str()), theirs.as_deref());
            let mut known = OBJDUMP.differences.iter();
            let agree = ours == theirs || known.any(|it| (it.applies)(ours, theirs));
            assert!(agree, "{name} {address:#x}: {text}: {ours:?}, not {theirs:?}");
        }
        // If an address has several names, the GNU tools print only one.
        for (address, names) in &theirs.labels {
            let known = ours.labels.get(address);
            assert!(known.is_some_and(|known| names.is_subset(known)), "{address:#x}: {names:?}");
            labels += names.len();
        }
        let strange = ours.labels.iter().filter(|(address, names)| {
            // The GNU tools omit variables in the code.
            let is_code = ours.statements.get(address).is_some_and(|(_, text)| text.is_some());
            !names.is_empty()
                && is_code
                && !theirs.labels.contains_key(address)
                && !names.iter().all(|name| name.starts_with("L_"))
        });
        assert_eq!(strange.count(), 0, "{name}");
    }
    (instructions, labels)
}

#[test]
fn objects_and_programs_of_the_compiler_are_listed_as_objdump_lists_them() {
    if !tools::are_here(&BINUTILS) {
        return;
    }
    for program in PROGRAMS {
        let (instructions, labels) = compare(&compile_object(program, "-Os").0);
        assert!(instructions > 60 && labels > 3, "{program}.o: {instructions}, {labels}");
        let (instructions, labels) = compare(&compile(program, "-O2").0);
        assert!(instructions > 200 && labels > 6, "{program}: {instructions}, {labels}");
    }
}

/// Data in code, several sections with code, variables, and relocations of many types.
const MIXED: &str = "\
    .globl f, table
f:  beqz a0, .L1
    call g
    la a0, table
    lw a1, 4(a0)
    bne a0, a1, far
    j far
.L1: ret
    .8byte f, h + 3
    .byte 1, 2, 3, 4
    .half 7
h:  jal f
    .type table, @object
    .size table, 8
table: .word 1, 0x8082
    .type k, @function
k:  c.nop
    .section .text.other, \"ax\"
other: nop
    j other
    .data
    .8byte f
";

/// Returns the object that the GNU assembler assembles from a text.
fn gnu_object(text: &str) -> Temporary {
    let file = Temporary::new("o");
    let mut command = Command::new("riscv64-linux-gnu-as");
    let output = run(command.args(["-march=rv64imac", "-o"]).arg(&file.0), text.to_owned());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

#[test]
fn code_data_and_relocations_are_told_apart() {
    if !tools::are_here(&BINUTILS) {
        return;
    }
    let file = gnu_object(MIXED);
    let (instructions, labels) = compare(&file.0);
    assert_eq!((instructions, labels), (14, 6));
    let bytes = std::fs::read(&file.0).expect("it was written");
    let text = String::from_utf8(rv(&["dis"], &bytes)).expect("text");
    for part in [
        "// section .text\n.globl f;\n.globl table;\n.type k, %function;\nf:\n    c.beqz a0, .L1;\n",
        "    auipc ra, 0; // relocation 19: g, relocation 51:\n",
        // The GNU assembler extends the range of a branch with a jump.
        "    beq a0, a1, L_1c;\n    j far;\nL_1c:\n    j far;\n",
        "    .8byte f;\n    .8byte h + 3;\n",
        "\nh:\n    jal f;\ntable:\n    .word 0x00000001;\n    .word 0x00008082;\nk:\n    c.nop;\n",
        "\n\n// section .text.other\n.section .text.other, \"ax\", %progbits;\nother:\n    c.nop;\n    c.j other;\n",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

#[test]
fn broken_objects_are_refused() {
    if !tools::are_here(&BINUTILS) {
        return;
    }
    let whole = std::fs::read(&gnu_object(MIXED).0).expect("it was written");
    let mut random = isa_verify::random::SplitMix64::new(3);
    let mut refused = 0;
    for round in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..=random.below(3) {
            let (at, bits) = (random.below(bytes.len() as u64) as usize, random.below(256) as u8);
            bytes[at] = if random.below(2) == 0 { 0xff } else { bits };
        }
        if round % 5 == 0 {
            bytes.truncate(random.below(whole.len() as u64) as usize);
        }
        for args in [&["dis", "--from", "elf"][..], &["exec", "--steps", "9"]] {
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            let mut input = bytes.as_slice();
            let io = Io::of(&mut input, &mut output, &mut errors);
            let status = isa_riscv::tool().run(args, io);
            assert_eq!(status == Status::Success, errors.is_empty());
            refused += usize::from(args[0] == "dis" && status == Status::Failure);
        }
    }
    assert!((60..600).contains(&refused), "{refused}");
}

/// A program in two objects, one of which is written in C and uses a number of the other. Its data
/// is after a jump that gives the address.
const MAIN: &str = "\
.globl _start, twice, two
.equ EXIT, 93
.equ two, EXIT - 91
.equ LENGTH, 6
_start:
    jal  t0, code
    .8byte message, twice
code:
    addi a0, zero, 1
    ld   a1, 0(t0)
    addi a2, zero, LENGTH
    addi a7, zero, 64   # write
    ecall
    addi a0, zero, 20
    ld   t1, 8(t0)
    jalr ra, 0(t1)
    jal  ra, plus_two
    addi a7, zero, EXIT
    ecall
twice:
    add  a0, a0, a0
    jalr zero, 0(ra)
";

const IN_C: &str = "\
    long twice(long);
    const char message[] = \"hello\\n\";
    extern const char two[];
    long plus_two(long x) { return twice(x) + (long)two; }
";

#[test]
fn our_objects_are_linked_and_run() {
    let needed = ["riscv64-linux-gnu-gcc", "riscv64-linux-gnu-as", "qemu-riscv64"];
    if !tools::are_here(&needed) {
        return;
    }
    let (main, source) = (object(MAIN), Temporary::new("c"));
    std::fs::write(&source.0, IN_C).expect("a file");
    let (library, program) = (Temporary::new("o"), Temporary::new("elf"));
    let flags = ["-march=rv64imac", "-mabi=lp64", "-Os", "-ffreestanding", "-c", "-o"];
    fine("riscv64-linux-gnu-gcc", &flags, &[&library.0, &source.0]);
    let files = [program.0.as_path(), &main.0, &library.0];
    fine("riscv64-linux-gnu-ld", &["-o"], &files);
    assert_eq!(emulate(&program.0), ("hello\n".into(), 82));
    // The linked program is listed again, with the names of both objects.
    let (instructions, labels) = compare(&program.0);
    assert!(instructions >= 18 && labels == 4, "{instructions}, {labels}");
}

/// All relocations, with targets in the other object.
const THERE: &str = "\
here: beq a0, a1, there
    jal ra, there
    c.j there
    c.beqz a0, there
    bne a2, a3, here
    c.bnez a1, behind
    .8byte there, here + 4, behind - 4
    .4byte there + 8, here - 2, .
    bltu s0, s1, behind
    c.j here
";
const BEHIND: &str = "there: c.nop\n .8byte here\nbehind: jal zero, here\n c.j there\n";

/// Checks that the linker fills in the same values as the assembler if it knows the addresses.
#[test]
fn relocations_are_those_of_the_linker() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let both = [
        object(&format!(".globl here\n{THERE}")),
        object(&format!(".globl there, behind\n{BEHIND}")),
    ];
    for file in &both {
        fine("riscv64-linux-gnu-readelf", &["-aW"], &[&file.0]);
    }
    let linked = Temporary::new("elf");
    let flags = ["-e", "here", "-Ttext=0x10000", "-o"];
    fine("riscv64-linux-gnu-ld", &flags, &[&linked.0, &both[0].0, &both[1].0]);
    let assembler = Assembler::new(Rv64imac::SET).lines("#").origin(0x10000);
    let program = assembler.assemble(&format!("{THERE}{BEHIND}")).expect("a program");
    let file = std::fs::read(&linked.0).expect("it was written");
    assert_eq!(section(&file, ".text"), program.bytes);
    let names = fine("riscv64-linux-gnu-readelf", &["-rW"], &[&both[0].0]);
    for (name, count) in [
        ("R_RISCV_BRANCH", 2),
        ("R_RISCV_JAL", 1),
        ("R_RISCV_RVC_JUMP", 1),
        ("R_RISCV_RVC_BRANCH", 2),
        ("R_RISCV_64", 3),
        ("R_RISCV_32", 3),
    ] {
        let lines = names.lines().filter(|line| line.split_whitespace().nth(2) == Some(name));
        assert_eq!(lines.count(), count, "{name}\n{names}");
    }
}

/// Checks a program that leaves its code: it ends on our semantics, and under QEMU it would cause a
/// fault.
#[test]
fn programs_are_loaded_at_their_addresses() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let text = ".globl _start\n.8byte 7\n_start: auipc a1, 0\nld a0, -8(a1)\njalr zero, 0(ra)\n";
    let (file, linked) = (object(text), Temporary::new("elf"));
    fine("riscv64-linux-gnu-ld", &["-Ttext=0x20000", "-o"], &[&linked.0, &file.0]);
    let bytes = std::fs::read(&linked.0).expect("it was written");
    let printed = String::from_utf8(rv(&["exec"], &bytes)).expect("text");
    let expected = "a0 = 0x0000000000000007\na1 = 0x0000000000020008\npc = 0x0000000000000000\n";
    assert_eq!(printed, expected);
}
