//! Objects with several sections, compared with those of the GNU assembler.

use super::*;

/// A program whose code, data and reserved space refer to each other. The addresses that it uses
/// are after a jump that gives their location.
const PROGRAM: &str = "\
.globl _start, value
.data
message: .byte 104, 105, 10
end:
.equ LENGTH, end - message
.balign 8
pointer: .8byte double
value: .8byte 20
.section .bss
.balign 8
room: .zero 16
.text
_start:
    jal  t0, code
    .8byte message, value, room + 8, pointer
code:
    addi a0, zero, 1
    ld   a1, 0(t0)
    addi a2, zero, LENGTH
    addi a7, zero, 64   # write
    ecall
    ld   t1, 8(t0)
    ld   a0, 0(t1)
    ld   t2, 16(t0)
    sd   a0, 0(t2)
    ld   a0, 0(t2)
    ld   t1, 24(t0)
    ld   t1, 0(t1)
    jalr ra, 0(t1)
    jal  ra, add_one
    addi a7, zero, 93   # exit
    ecall
double:
    add  a0, a0, a0
    jalr zero, 0(ra)
.section .text.hot, \"ax\", @progbits
add_one:
    addi a0, a0, 1
    jal  zero, back
    ebreak
.section .rodata
.4byte 7
.section .bss.more, \"aw\", @nobits
.zero 3
.section .remark, \"\"
.byte 1
.text
back:
    jalr zero, 0(ra)
";

/// Returns the object that the GNU assembler assembles from a text, without short instructions and
/// without relaxation.
pub(super) fn gnu(text: &str) -> Temporary {
    gnu_for("-march=rv64ima", text)
}

/// Returns the object that the GNU assembler assembles from a text for a processor.
pub(super) fn gnu_for(processor: &str, text: &str) -> Temporary {
    let file = Temporary::new("o");
    let mut command = Command::new("riscv64-linux-gnu-as");
    let args = [processor, "-mno-relax", "-o"];
    let output = run(command.args(args).arg(&file.0), text.to_owned());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    file
}

/// Returns the names, types, sizes and flags of the sections of the program, as `readelf` lists
/// them, sorted by name.
fn listed(file: &Path) -> Vec<(String, String, String, String)> {
    let listing = fine("riscv64-linux-gnu-readelf", &["-SW"], &[file]);
    let lines = listing.lines().filter_map(|line| line.split_once("] ")).map(|(_, line)| line);
    let mut sections: Vec<_> = lines
        .filter_map(|line| {
            let [name, kind, _, _, size, _, flags, ..] =
                line.split_whitespace().collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let is_own = ["PROGBITS", "NOBITS"].contains(&kind) && size != "000000";
            // If there are no flags, the next column is in their place.
            let flags = if flags == "0" { "" } else { flags };
            is_own.then(|| (name.into(), kind.into(), size.into(), flags.into()))
        })
        .collect();
    sections.retain(|(name, ..)| name != ".riscv.attributes");
    sections.sort();
    sections
}

/// Returns the symbols by name: the value, and the name of the section.
fn symbols(file: &Path) -> BTreeSet<String> {
    let listing = fine("riscv64-linux-gnu-objdump", &["-t"], &[file]);
    let lines = listing.lines().filter(|line| {
        let name = line.split_whitespace().last().unwrap_or_default();
        // Omit sections, mapping symbols, and constants, which are not symbols in our objects.
        line.starts_with("0000") && !name.starts_with(['.', '$']) && !line.contains("*ABS*")
    });
    lines.map(str::to_owned).collect()
}

#[test]
fn sections_are_those_of_the_gnu_assembler() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let (own, gnu) = (object(PROGRAM), gnu(PROGRAM));
    let (sections, expected) = (listed(&own.0), listed(&gnu.0));
    assert_eq!(sections, expected);
    let names: Vec<_> = sections.iter().map(|(name, ..)| name.as_str()).collect();
    let all = [".bss", ".bss.more", ".data", ".remark", ".rodata", ".text", ".text.hot"];
    assert_eq!(names, all);
    assert_eq!(symbols(&own.0), symbols(&gnu.0));
    assert!(symbols(&own.0).len() >= 9, "{:?}", symbols(&own.0));
    for file in [&own, &gnu] {
        fine("riscv64-linux-gnu-readelf", &["-aW"], &[&file.0]);
    }

    // The linker creates the same program from both.
    let mut programs = Vec::new();
    for file in [&own, &gnu] {
        let linked = Temporary::new("elf");
        let args = ["-Ttext=0x10000", "--no-relax", "-o"];
        fine("riscv64-linux-gnu-ld", &args, &[&linked.0, &file.0]);
        let bytes = std::fs::read(&linked.0).expect("it was written");
        let contents = [".text", ".data", ".rodata"].map(|name| section(&bytes, name).to_vec());
        programs.push((contents, symbols(&linked.0)));
    }
    assert_eq!(programs[0], programs[1]);
}

#[test]
fn programs_of_several_sections_run() {
    if !tools::are_here(&["riscv64-linux-gnu-as", "qemu-riscv64"]) {
        return;
    }
    let (file, linked) = (object(PROGRAM), Temporary::new("elf"));
    fine("riscv64-linux-gnu-ld", &["-o"], &[&linked.0, &file.0]);
    assert_eq!(emulate(&linked.0), ("hi\n".into(), 41));
}

/// Checks that the listing of a program can refer to addresses of sections that it does not
/// contain, and assembles to the same code.
#[test]
fn listings_of_programs_say_where_data_is() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let text = ".globl _start\n_start: jal ra, f\njal zero, far\nf: jalr zero, 0(ra)\n.data\nnear: .8byte 1\nfar: .byte 2\n";
    let linked = Temporary::new("elf");
    let args = ["-Ttext=0x10000", "--no-relax", "-o"];
    fine("riscv64-linux-gnu-ld", &args, &[&linked.0, &gnu(text).0]);
    let bytes = std::fs::read(&linked.0).expect("it was written");
    let listing = String::from_utf8(rv(&["dis"], &bytes)).expect("text");
    let first = listing.lines().next().unwrap_or_default();
    assert!(first.starts_with(".equ far, 0x1") && !listing.contains("near"), "{listing}");
    assert!(listing.contains("\n    j far;\n"), "{listing}");
    let code = rv(&["asm", "--emit", "bin", "--start-address", "0x10000"], listing.as_bytes());
    assert_eq!(code, section(&bytes, ".text"));
}
