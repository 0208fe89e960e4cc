//! Programs with labels, assembled by us and by the GNU assembler: listings of code from compilers,
//! and random programs.

use std::fmt::Write;
use std::path::Path;

use isa_core::asm::{Assembler, Disassembler, LabelMap};
use isa_riscv::Rv64imac;
use isa_verify::random::SplitMix64;

use crate::code::{PROGRAMS, compile, section};
use crate::programs::LEVELS;
use crate::tools;

const ORIGIN: u64 = 0x1_0000;

fn list(code: &[u8]) -> String {
    Disassembler::new(Rv64imac::SET).origin(ORIGIN).disassemble(code)
}

fn assemble(text: &str) -> Vec<u8> {
    match Assembler::new(Rv64imac::SET).origin(ORIGIN).assemble(text) {
        Ok(program) => program.bytes,
        Err(errors) => panic!("{errors}"),
    }
}

/// Returns the text for the GNU assembler, with options because it would otherwise choose the
/// length of instructions itself.
fn for_gnu(text: &str) -> String {
    let mut output = String::from(".option norelax\n");
    for statement in text.split_inclusive([';', ':']).map(str::trim) {
        if statement.ends_with(';') {
            let option = if statement.starts_with("c.") { "rvc" } else { "norvc" };
            let _ = write!(output, ".option {option}; ");
        }
        let _ = writeln!(output, "{statement}");
    }
    output
}

#[test]
fn listings_of_programs_in_c() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", "riscv64-linux-gnu-as"]) {
        return;
    }
    for program in PROGRAMS {
        for optimize in LEVELS {
            let executable = std::fs::read(&compile(program, optimize).0).expect("it was written");
            let code = section(&executable, ".text");
            let text = list(code);
            assert_eq!(assemble(&text), code, "{program} {optimize}");
            assert_eq!(tools::assemble(&for_gnu(&text), false), code, "{program} {optimize}");
            let labels = text.lines().filter(|line| line.ends_with(':')).count();
            assert!(labels > 20, "{program} {optimize}: {labels}");
            let branches = text.lines().filter(|line| line.trim().starts_with('b'));
            assert!(branches.clone().count() > 5 && branches.clone().all(|b| b.contains(", L_")));
        }
    }
}

/// Checks code that contains data.
#[test]
fn listings_of_libraries() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", tools::LIBRARY]) {
        return;
    }
    for library in ["libc.so.6", "libgcc_s.so.1"] {
        let path = Path::new(tools::LIBRARY).with_file_name(library);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let code = section(&bytes, ".text");
        let text = list(code);
        assert!(text.contains(".2byte") && text.contains(".word"), "{library} has data");
        assert!(assemble(&text) == code, "{library}");
    }
}

/// The jumps, each with the text before the label.
const JUMPS: [&str; 11] = [
    "beq a0, a1, ",
    "bne s0, zero, ",
    "blt t0, t1, ",
    "bge a2, a3, ",
    "bltu a4, a5, ",
    "bgeu s1, s2, ",
    "jal ra, ",
    "jal zero, ",
    "c.j ",
    "c.beqz a0, ",
    "c.bnez s1, ",
];

/// Returns a program of jumps, other instructions and data, each after one or more labels.
fn made_up(random: &mut SplitMix64) -> String {
    // So few that each label is in range of each jump.
    let count = 20 + random.below(20);
    let mut text = String::new();
    for number in 0..count {
        let _ = write!(text, "L{number}: ");
        if random.below(4) == 0 {
            let _ = writeln!(text, ".L.{number}:");
        }
        let target = random.below(count);
        let _ = match random.below(8) {
            0 => writeln!(text, ".byte {}, 255; .2byte 0x1234;", random.below(256)),
            1 => writeln!(text, "c.addi a0, 1; addi a0, a0, -1;"),
            2 => writeln!(text, "{}. + 4;", JUMPS[random.below(11) as usize]),
            3 => writeln!(text, "{}. - 2;", JUMPS[random.below(11) as usize]),
            _ => writeln!(text, "{}L{target};", JUMPS[random.below(11) as usize]),
        };
    }
    text.push_str(".4byte 7;\n");
    text
}

#[test]
fn programs_made_up() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let mut random = SplitMix64::new(5);
    for _ in 0..100 {
        let text = made_up(&mut random);
        assert_eq!(assemble(&text), tools::assemble(&for_gnu(&text), false), "{text}");
    }
}

/// Checks the source format of the GNU assembler's manual: one statement on each line, and comments
/// after `#`.
#[test]
fn a_source_in_lines() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let text = "\
# The greatest common divisor of a0 and a1; both above 0.
gcd:
    beq  a0, a1, .Ldone   # equal: found
    bltu a0, a1, .Lless
    sub  a0, a0, a1
    jal  zero, gcd
.Lless: sub a1, a1, a0; jal zero, gcd
.Ldone:
    jalr zero, 0(ra)
    .byte 1, 2 /* a table
                  of two */
    .2byte 0xffff
";
    let ours = Assembler::new(Rv64imac::SET).lines("#").assemble(text).unwrap();
    assert_eq!(ours.bytes, tools::assemble(text, false));
    assert_eq!(
        ours.labels.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["gcd", ".Lless", ".Ldone"]
    );
}

#[test]
fn where_branches_go() {
    let labels = [("loop", 0x1000), ("end", 0x1100)];
    let branch = Rv64imac::parse_at("c.beqz a0, loop;", 0x1080, &labels).unwrap();
    assert_eq!(branch.to_string(), "c.beqz a0, -128;");
    assert_eq!(branch.at(0x1080, &labels).to_string(), "c.beqz a0, loop;");
    assert_eq!(branch.at(0x1180, &labels).to_string(), "c.beqz a0, end;");
    let targets = branch.operands().filter_map(|operand| operand.target(0x1080));
    assert_eq!(targets.collect::<Vec<_>>(), [0x1000]);
}

#[test]
fn the_reach_of_each_jump() {
    for (jump, back, ahead) in [
        ("beq a0, a1", -4096, 4094),
        ("jal ra", -1_048_576, 1_048_574),
        ("c.j", -2048, 2046),
        ("c.bnez a0", -256, 254),
    ] {
        let comma = if jump == "c.j" { "" } else { "," };
        let text = format!("{jump}{comma} x;");
        let assembler = |target: u64| {
            let outside = LabelMap::from_iter([("x", target)]);
            Assembler::new(Rv64imac::SET).origin(1 << 24).labels(outside).assemble(&text)
        };
        for (distance, fits) in
            [(back, true), (back - 2, false), (ahead, true), (ahead + 2, false), (1, false)]
        {
            let target = (1u64 << 24).wrapping_add_signed(distance);
            assert_eq!(assembler(target).is_ok(), fits, "{text} {distance}");
        }
        let error = assembler((1u64 << 24).wrapping_add_signed(ahead + 2)).unwrap_err().to_string();
        let expected = format!(
            "`x` is {} bytes ahead, out of range: expected a multiple of 2 from {back} to {ahead}",
            ahead + 2
        );
        assert!(error.ends_with(&expected), "{error}");
    }
}
