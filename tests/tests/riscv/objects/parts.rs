//! Objects with parts of addresses, `%hi(label)`, compared with those of the GNU assembler.

use super::sections::gnu;
use super::*;

/// A program that accesses its data by parts of addresses, in its own section and in another
/// object.
const PROGRAM: &str = "\
.globl _start
.equ BIAS, 16
.data
message: .byte 104, 105, 10
.balign 8
table: .8byte 1, 20, 300
.zero 4000
far: .8byte 9
.text
_start:
    lui  a1, %hi(message)
    addi a1, a1, %lo(message)
    addi a0, zero, 1
    addi a2, zero, 3
    addi a7, zero, 64       # write
    ecall
    lui  t0, %hi(table + 8)
    ld   a0, %lo(table + 8)(t0)
    lui  t0, %hi(far)
    ld   t1, %lo(far)(t0)
    add  a0, a0, t1         # 29
    lui  t0, %hi(8 + there - 4)
    sd   a0, %lo(8 + there - 4)(t0)
    sb   zero, %lo(there+BIAS+0x3)(t0)
.Lhere:
    auipc t2, %pcrel_hi(there + 4)
    ld   a0, %pcrel_lo(.Lhere)(t2)
here:
    auipc t3, %pcrel_hi(there + 12)
    sw   a0, %pcrel_lo(here)(t3)
    lw   a3, %pcrel_lo(here)(t3)
    add  a0, a0, a3         # 58
    lui  t4, %hi(plus)
    jalr ra, %lo(plus)(t4)
    addi a7, zero, 93       # exit
    ecall
    lui  a0, %hi(0x12345fff)
    addi a0, a0, %lo(0x12345fff)
";
const OTHER: &str = "\
.globl there, plus
.data
.zero 2036
there: .8byte 0, 0, 0
.text
plus:
    addi a0, a0, 2
    jalr zero, 0(ra)
";

/// Returns the relocations of a file, as `readelf` lists them: offset, type, symbol and addend.
fn relocations(file: &Path) -> Vec<String> {
    let listing = fine("riscv64-linux-gnu-readelf", &["-rW"], &[file]);
    let lines = listing.lines().filter(|line| line.contains("R_RISCV_"));
    let columns = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    columns.map(|of| [&of[..1], &of[2..3], &of[4..]].concat().join(" ")).collect()
}

#[test]
fn parts_are_the_relocations_of_gnu_and_run() {
    if !tools::are_here(&["riscv64-linux-gnu-as", "riscv64-linux-gnu-gcc", "qemu-riscv64"]) {
        return;
    }
    let [ours, theirs] = [object as fn(&str) -> Temporary, gnu].map(|make| {
        let (main, other, program) = (make(PROGRAM), make(OTHER), Temporary::new("elf"));
        // The headers differ in size, which would change the addresses.
        let flags = ["-Ttext=0x12340", "-Tdata=0x23456780", "-o"];
        fine("riscv64-linux-gnu-ld", &flags, &[&program.0, &main.0, &other.0]);
        (relocations(&main.0), emulate(&program.0), std::fs::read(&program.0).expect("a file"))
    });
    assert_eq!(ours.0, theirs.0);
    let count = |name| ours.0.iter().filter(|line| line.contains(name)).count();
    let names = ["_HI20 ", "_LO12_I ", "_LO12_S ", "R_RISCV_PCREL_HI20 "].map(count);
    assert_eq!((names, ours.0.len()), ([7, 6, 3, 2], 16));
    assert_eq!((ours.1, theirs.1), (("hi\n".into(), 60), ("hi\n".into(), 60)));
    for name in [".text", ".data"] {
        assert_eq!(section(&ours.2, name), section(&theirs.2, name), "{name}");
    }
}

/// Checks that the linker fills in the same values as the assembler if it knows the addresses: at
/// random locations, with random numbers after the labels.
#[test]
fn parts_are_what_the_linker_makes_of_them() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let mut random = isa_verify::random::SplitMix64::new(11);
    let mut text = String::new();
    for number in 0..300 {
        text += &format!(".zero {}\nl{number}:\n", random.below(200) * 4);
        let label = random.below(300);
        let by = i64::try_from(random.below(10_000)).expect("small") - 5000;
        let sign = if by < 0 { '-' } else { '+' };
        let sum = format!("l{label} {sign} {}", by.abs());
        text += &match random.below(5) {
            0 => format!("lui a0, %hi({sum})\n"),
            1 => format!("addi a0, a0, %lo({sum})\n"),
            2 => format!("sw a0, %lo({sum})(a1)\n"),
            3 => format!("lhu a0, %lo({sum})(a1)\n"),
            _ => format!("auipc a0, %pcrel_hi({sum})\n"),
        };
    }
    let linked = Temporary::new("elf");
    let file = object(&text);
    fine("riscv64-linux-gnu-ld", &["-e", "0", "-Ttext=0x7f00000", "-o"], &[&linked.0, &file.0]);
    assert_eq!(relocations(&file.0).len(), 300);
    let program = Assembler::new(Rv64imac::SET).lines("#").origin(0x7f0_0000).assemble(&text);
    let file = std::fs::read(&linked.0).expect("it was written");
    assert!(section(&file, ".text") == program.expect("a program").bytes);
}
