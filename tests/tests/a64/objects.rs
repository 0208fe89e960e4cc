//! Compares ELF objects with LLVM: both list LLVM's objects in the same way, LLVM lists and links
//! our objects, and QEMU runs the result.

use std::path::Path;
use std::process::Command;

use isa_a64::A64;
use isa_cli::{Io, Status};
use isa_core::asm::LabelMap;
use isa_tests::tools::{Temporary, run};

use crate::tools::{linker_is_here, llvm_is_here, llvm_object};

/// Returns the output of the tool.
fn a64(args: &[&str], mut input: &[u8]) -> Vec<u8> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let status = isa_a64::tool().run(args, Io::of(&mut input, &mut output, &mut errors));
    assert_eq!(status, Status::Success, "{}", String::from_utf8_lossy(&errors));
    output
}

/// Returns a file with the object of a text.
fn object(text: &str) -> Temporary {
    let file = Temporary::new("o");
    std::fs::write(&file.0, a64(&["asm", "--emit", "elf"], text.as_bytes())).expect("a file");
    file
}

/// Returns LLVM's listing of a file: addresses, and instructions or the names of labels.
fn theirs(file: &Path) -> Vec<(u64, String)> {
    let output = run(Command::new("llvm-objdump").args(["-d", "-z"]).arg(file), String::new());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut listed = Vec::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let number = |text: &str| u64::from_str_radix(text.trim(), 16).ok();
        if let Some((address, name)) = line.split_once(" <")
            && let (Some(address), Some(name)) = (number(address), name.strip_suffix(">:"))
        {
            listed.push((address, format!("{name}:")));
            continue;
        }
        let Some((address, rest)) = line.split_once(':') else { continue };
        let (Some(address), Some((_, text))) = (number(address), rest.trim().split_once('\t'))
        else {
            continue;
        };
        let text = isa_tests::tools::tidy(text.split('<').next().unwrap_or(text));
        listed.push((address, distance(&text, address)));
    }
    listed
}

/// Returns a text of LLVM with the target as a distance: `b 0x10` at 8 becomes `b #8`.
fn distance(text: &str, address: u64) -> String {
    let Some((before, target)) = text.rsplit_once(' ') else { return text.to_owned() };
    let number = target.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
    match number {
        Some(Ok(target)) if !before.starts_with('.') => {
            let here = if before.starts_with("adrp") { address & !0xfff } else { address };
            format!("{before} #{}", target.wrapping_sub(here).cast_signed())
        }
        _ => text.to_owned(),
    }
}

/// Returns the tool's listing of a file in LLVM's spelling. The target of a relocation is the
/// instruction itself, because it is not linked yet.
fn ours(file: &Path) -> Vec<(u64, String)> {
    let bytes = std::fs::read(file).expect("it was written");
    let text = String::from_utf8(a64(&["dis", "--addresses"], &bytes)).expect("text");
    let mut labels = LabelMap::new();
    let mut listed = Vec::new();
    let mut names = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('.') && !line.starts_with("// ")) {
        if let Some(name) = line.strip_suffix(':') {
            names.push(name);
        } else if let Some((place, text)) = line.split_once(" */  ") {
            let address = place.trim_start_matches("/* ").split(' ').next().unwrap_or("");
            let address = u64::from_str_radix(address, 16).expect("digits");
            for name in names.drain(..) {
                labels.insert(name, address);
                if !name.starts_with("L_") {
                    listed.push((address, format!("{name}:")));
                }
            }
            listed.push((address, text.to_owned()));
        }
    }
    for (address, text) in &mut listed {
        if text.ends_with(':') || text.starts_with('.') {
            *text = text.trim_end_matches(';').to_owned();
            continue;
        }
        let mut labels = labels.clone();
        let name = text.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
        if isa_core::text::Labels::address(&labels, name).is_none() {
            labels.insert(name, *address);
        }
        let instruction = A64::parse_at(text, *address, &labels);
        let instruction = instruction.unwrap_or_else(|error| panic!("{text}: {error}"));
        *text = instruction.to_string().trim_end_matches(';').to_owned();
    }
    listed
}

/// A program with all types of targets, in the object and outside of it, and with data. No label is
/// global, because LLVM leaves global labels to the linker.
const TEXT: &str = "\
f:  cbz x0, done
    tbnz w1, #3, other
    b.ne f
    bl g
    b other
    adr x0, table
    adrp x1, table
    ldr x2, table
    ldr w3, other
    prfm pldl1keep, table
    nop
done: ret
table: .8byte table, g + 8, f - 4
    .4byte g
    .2byte 7
    .2byte 8
h:  add x0, x0, x1
    b h
";

#[test]
fn objects_are_listed_as_llvm_lists_them() {
    if !llvm_is_here() {
        return;
    }
    for (file, whose) in [(llvm_object(TEXT), "LLVM's"), (object(TEXT), "ours")] {
        let (ours, theirs) = (ours(&file.0), theirs(&file.0));
        let data = |listed: &[(u64, String)]| {
            let code = listed.iter().filter(|(_, text)| !text.starts_with('.'));
            code.cloned().collect::<Vec<_>>()
        };
        assert_eq!(data(&ours), data(&theirs), "{whose}");
        assert_eq!(data(&ours).len(), 14 + 4, "{whose}: instructions and labels");
    }
}

/// Returns the relocations of a file, as LLVM prints them.
fn relocations(file: &Temporary) -> Vec<String> {
    let output = run(Command::new("llvm-readelf").arg("-rW").arg(&file.0), String::new());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().filter(|line| line.contains("R_AARCH64"));
    let mut lines: Vec<String> = lines
        .map(|line| {
            let parts: Vec<&str> = line.split_whitespace().collect();
            [&[parts[0], parts[2]], &parts[4..]].concat().join(" ")
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn relocations_are_those_of_llvm() {
    if !llvm_is_here() {
        return;
    }
    // If we refer to a local label, LLVM refers to the section plus an offset.
    let ours = relocations(&object(TEXT)).into_iter();
    let ours = ours.map(|it| it.replace("table + 0", ".text + 30").replace(" f - 4", " .text - 4"));
    assert_eq!(ours.collect::<Vec<_>>(), relocations(&llvm_object(TEXT)));
}

/// A program in two objects.
const MAIN: &str = "\
.globl _start, numbers
_start:
    adrp x3, numbers
    adr  x2, numbers
    ldr  x0, [x2]       // 20
    ldr  x1, [x2, #8]
    blr  x1             // 40
    bl   two_more       // 42
    cbz  x0, wrong
    movz x8, #93        // exit
    svc  #0
numbers: .8byte 20, double
";
const OTHER: &str = "\
.globl double, two_more, wrong
double: add x0, x0, x0
    ret
two_more: add x0, x0, #2
    ret
wrong: b wrong
";

#[test]
fn our_objects_are_linked_and_run() {
    if !linker_is_here() {
        return;
    }
    let (main, other, program) = (object(MAIN), object(OTHER), Temporary::new("elf"));
    let mut linker = Command::new("ld.lld");
    let output = run(linker.arg("-o").args([&program.0, &main.0, &other.0]), String::new());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ran = run(Command::new("qemu-aarch64").arg(&program.0), String::new());
    assert_eq!(ran.status.code(), Some(42));
    assert_eq!(
        ours(&program.0).iter().filter(|(_, text)| !text.starts_with('.')).collect::<Vec<_>>(),
        theirs(&program.0).iter().filter(|(_, text)| !text.starts_with('.')).collect::<Vec<_>>()
    );
}

/// A program that accesses its data by the pages of addresses and the offsets in them.
const PAGES: &str = "\
.globl _start
.data
message: .byte 104, 105, 10
.zero 4091
bytes: .byte 1, 2
halves: .2byte 3, 4
.text
_start:
    adrp x1, message
    add  x1, x1, :lo12:message
    mov  x0, #1
    mov  x2, #3
    mov  x8, #64         // write
    svc  #0
    adrp x3, bytes
    ldrb w0, [x3, :lo12:bytes + 1]
    adrp x3, halves
    ldrh w1, [x3, #:lo12:halves+2]
    add  w0, w0, w1      // 6
    adrp x3, words
    strb w0, [x3, :lo12:1 + words - 1]
    ldr  w1, [x3, :lo12:words]
    adrp x4, longs
    str  x1, [x4, #:lo12:longs + 8]
    ldr  x2, [x4, :lo12:longs+8]
    ldrsw x3, [x3, :lo12:words + 4]
    add  x0, x2, x3      // 46
    movz x8, #93         // exit
    svc  #0
";
const PAGES_OTHER: &str = "\
.globl words, longs
.data
.zero 2044
words: .4byte 0, 40
longs: .8byte 0, 0
";

/// Checks that the relocations, the linked bytes and the behaviour of the program are the same as
/// with LLVM.
#[test]
fn places_in_pages_are_filled_in_as_for_llvm() {
    if !linker_is_here() {
        return;
    }
    let of = |make: fn(&str) -> Temporary| {
        let (main, other, program) = (make(PAGES), make(PAGES_OTHER), Temporary::new("elf"));
        let mut linker = Command::new("ld.lld");
        let linker = linker.args(["-Ttext=0x210000", "-Tdata=0x340000", "-o"]);
        let output = run(linker.args([&program.0, &main.0, &other.0]), String::new());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let ran = run(Command::new("qemu-aarch64").arg(&program.0), String::new());
        assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(46), &b"hi\n"[..]));
        let mut code = Command::new("llvm-objdump");
        let code =
            run(code.args(["-s", "-j", ".text", "-j", ".data"]).arg(&program.0), String::new());
        let code = String::from_utf8(code.stdout).expect("text");
        let code: Vec<String> = code.lines().skip(2).map(str::to_owned).collect();
        assert!(code.len() > 100, "{code:?}");
        (relocations(&main), code)
    };
    let (ours, theirs) = (of(object), of(llvm_object));
    // If we refer to a local label, LLVM refers to the section plus an offset.
    let ours_named = ours.0.iter().map(|it| {
        [
            ("message + 0", ".data + 0"),
            ("bytes + 0", ".data + ffe"),
            ("bytes + 1", ".data + fff"),
            ("halves + 0", ".data + 1000"),
            ("halves + 2", ".data + 1002"),
        ]
        .iter()
        .fold(it.clone(), |it, (label, place)| it.replace(label, place))
    });
    assert_eq!(ours_named.collect::<Vec<_>>(), theirs.0);
    assert_eq!(ours.0.iter().filter(|it| it.contains("LO12_NC")).count(), 8);
    assert_eq!(ours.1, theirs.1);
}
