//! Imports files in the format of riscv-opcodes.

use isa_import::{ImportOptions, Source, format};

use super::rv_toy::RvToy;
use super::{becomes, imported, refused};

const TOY: &str = include_str!("rv_toy");

/// Returns the mask and the value of a line, parsed independently. It considers only bits, because
/// the sample fixes two arguments.
fn bits(line: &str) -> (u128, u128) {
    let number = |text: &str| match text.split_at_checked(2) {
        Some(("0x", digits)) => u128::from_str_radix(digits, 16).unwrap(),
        Some(("0b", digits)) => u128::from_str_radix(digits, 2).unwrap(),
        _ => text.parse().unwrap(),
    };
    let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
    pairs.filter(|pair| *pair != ("rs2", "rs1")).fold((0, 0), |(mask, match_), (place, value)| {
        let place = place.replace("rs1", "19..15").replace("rd", "11..7");
        let (high, low) = place.split_once("..").unwrap_or((&place, &place));
        let (high, low): (u32, u32) = (high.parse().unwrap(), low.parse().unwrap());
        (mask | ((1 << (high - low + 1)) - 1) << low, match_ | number(value) << low)
    })
}

#[test]
fn masks_are_those_of_the_source() {
    becomes("riscv-opcodes", "rv_toy", "rv_toy.rs");
    let mut opcodes = RvToy::SET.opcodes.iter();
    let mut inside = 0;
    for line in TOY.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            // An alias is skipped, except three: one fixes bits that are part of an argument, and
            // two have no original in this file.
            "$pseudo_op" if !["small", "fabs.s", "orc.b"].contains(&words[2]) => continue,
            "$import" => continue,
            _ => {}
        }
        let opcode = opcodes.next().expect("an opcode a line");
        assert_eq!((opcode.fixed.mask, opcode.fixed.value), bits(line), "{line}");
        inside += usize::from(line.contains("fence.tso") || line.contains("small"));
    }
    assert!(opcodes.next().is_none() && inside == 2);
}

#[test]
fn numbers_and_names_are_those_of_the_manual() {
    // The encodings of the GNU tools: `bge a0, a1, .-4`, `jal ra, .+2048`, `j .-6`, `addi s0, sp,
    // 16` and so on.
    for (text, word) in [
        ("bge x10, x11, -4;", 0xfeb5_5ee3),
        ("jal x1, 2048;", 0x0010_00ef),
        ("c.j -6;", 0xbfed),
        ("c.addi4spn x8, 16;", 0x0800),
        ("c.addi16sp -64;", 0x7139),
        ("c.swsp x1, 12;", 0xc606),
        ("sw x2, x1, 8;", 0x0011_2423),
        ("nop;", 0x13),
        ("scall;", 0x73),
        ("fmv.s x10, x11;", 0x20b5_8553),
        ("fabs.s x10, x11;", 0x20b5_a553),
    ] {
        let instruction: RvToy = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(instruction.encode().unwrap(), word, "{text}");
    }
    // A word prints as only one of its several texts, and a general form excludes the words of its
    // special forms.
    let shown = |word: u32| RvToy::decode(word).map(|found| found.to_string());
    assert_eq!(shown(0x8330_000f).unwrap(), "fence.tso;");
    assert_eq!(shown(0x8330_008f).unwrap(), "fence 8, 3, 3, x0, x1;");
    assert_eq!(shown(0x0000_5063).unwrap(), "bgez x0, 0;");
    assert_eq!(shown(0x0010_5063).unwrap(), "blez x1, 0;");
    assert_eq!(shown(0x01f0_f093).unwrap(), "small x1, x1, 31;");
    assert_eq!(shown(0x0200_f093).unwrap(), "andi x1, x1, 32;");
    assert!(shown(0x6001).is_err(), "c.lui of x0 is none");
    // `fmv.s fa0, fa1`, and the same opcode with other registers.
    assert_eq!(shown(0x20b5_8553).unwrap(), "fmv.s x10, x11;");
    assert_eq!(shown(0x20c5_8553).unwrap(), "fsgnj.s x10, x11, x12;");
    assert_eq!(shown(0x20b5_a553).unwrap(), "fabs.s x10, x11;");
    assert!(shown(0x20c5_a553).is_err(), "not fabs.s, and no other is here");
}

/// Checks an import of several files: pseudo instructions that share words, imports, and a user's
/// file of arguments.
#[test]
fn files_go_together_and_overlaps_are_listed() {
    let csr = "csrrs rd rs1 csr 14..12=2 6..0=0x73\n\
               $pseudo_op rv_b::csrrs csrr rd csr 19..15=0 14..12=2 6..0=0x73\n\
               $pseudo_op rv_b::csrrs csrs rs1 csr 14..12=2 11..7=0 6..0=0x73\n\
               $pseudo_op rv_b::csrrs flags rd 19..15=0 31..20=1 14..12=2 6..0=0x73\n";
    let vector = "v.vv 31..26=0 vm vs2 vs1 14..12=0 vd 6..0=0x57\n\
                  clash 31..26=0 25=1 vs2 vs1 14..12=0 vd 6..0=0x57\n\
                  part 31..27=0 vm 26=0 vs2 19..15=3 14..12=0 vd 6..0=0x57\n\
                  $import rv_b::csrrs\n";
    let files = [Source { name: "rv_a", text: vector }, Source { name: "rv_b", text: csr }];
    let source = imported("riscv-opcodes", &files);
    for part in [
        "pub isa RvA: u32;",
        "opcode CLASH inside V_VV {",
        "// part 31..27=0 vm 26=0 vs2 19..15=3 14..12=0 vd 6..0=0x57\n    // shares words with CLASH, for example",
        "// $import rv_b::csrrs: defined in these files",
        "alias CSRR of CSRRS before CSRS {",
        "alias CSRS of CSRRS {",
        "alias FLAGS of CSRRS before CSRS {",
        "pub VReg: 5 = \"v0\" to \"v31\" of u128;",
    ] {
        assert!(source.contains(part), "{part}\n{source}");
    }
    let format = format("riscv-opcodes").unwrap();
    let file = Source { name: "rv_x", text: "mine wide 15..0=3" };
    let fields = Source { name: "fields", text: "# mine\n\"wide\", 31, 16\n" };
    let options = ImportOptions { name: Some("Mine"), fields: Some(fields), ..Default::default() };
    let source = format.source(&[file], &options).unwrap();
    assert!(source.contains("pub isa Mine: u32;"), "{source}");
    assert!(source.contains("field<16, 16> Wide   wide;"), "{source}");
    let fields = Source { name: "fields", text: "wide 31 16" };
    let options = ImportOptions { fields: Some(fields), ..options };
    let faults = format.source(&[file], &options).unwrap_err();
    let message = "fields:1:1: expected `\"name\", high, low`, with bits from 31 to 0";
    assert_eq!(faults[0].to_string(), message);
}

#[test]
fn faults_of_lines_have_places() {
    for (text, message) in [
        ("", "f:1:1: no instruction found: expected a line"),
        ("# all\n$import rv_b::add", "f:1:1: no instruction found: also pass the imported files"),
        (
            "add rd rs1 rs2 31..25=0 14..12=0 6..0",
            "f:1:34: expected `high..low=value`, `bit=value`, `arg",
        ),
        ("\nadd rd rs1 rsx 31..20=0 14..12=0 6..0=3", "f:2:12: unknown argument `rsx`: add a line"),
        ("add rd rs1 31..25=0 14..12=0 6..0=3", "f:1:1: bit 20 is not specified: write"),
        ("add rd 31..12=0 11=0 6..0=3", "f:1:17: bit 11 is specified twice"),
        ("add rd 31..12=0 6..0=128", "f:1:17: 128 does not fit into 7 bits"),
        ("add rd 12..31=0 6..0=1", "f:1:8: invalid bit range: expected the higher bit first"),
        ("add rd 40..12=0 6..0=1", "f:1:8: invalid bit range: expected the higher bit first"),
        ("add rd 31..12=x 6..0=1", "f:1:8: expected `high..low=value`, `bit=value`, `arg"),
        ("add rd abc=1 31..12=0 6..0=1", "f:1:8: expected `high..low=value`"),
        (
            "add rd rs2=rs1 31..25=0 19..15=0 14..12=0 6..0=3",
            "f:1:12: `rs1` is not an argument of this line",
        ),
        (
            "add vm rs1 rd=vm 31..26=0 24..20=0 14..12=0 6..0=3",
            "f:1:15: `vm` has a different width",
        ),
        ("add rd rs1=rd rs2=rd 31..25=0 14..12=0 6..0=3", "f:1:19: `rd` is already equal"),
        ("$import addi", "f:1:9: expected `extension::instruction` after `$import`"),
        ("$pseudo_op a::b", "f:1:1: expected a name after the base"),
        ("$else a::b", "f:1:1: expected `$import` or `$pseudo_op`, found `$else`"),
    ] {
        refused("riscv-opcodes", text, message);
    }
}
