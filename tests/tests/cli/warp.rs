//! Compares `isa exec --warp` with 32 runs of one lane.

use std::collections::{BTreeMap, BTreeSet};

use isa_defs::gpu::Gpu;
use isa_verify::random::SplitMix64;
use isa_verify::word_generator::WordGenerator;

use super::*;

const LANES: usize = 32;

/// The number of programs that are compared, and the number of instructions of each.
const PROGRAMS: u64 = 12;
const LENGTH: usize = 20;

/// The number of registers and predicates that programs use.
const REGS: u64 = 6;
const PREDS: usize = 7;

/// Returns each state location in a warp's output with its value in each lane. True is 1 and false
/// is 0.
fn lanes(text: &str) -> BTreeMap<String, Vec<u32>> {
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
    let mut places: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut last = "";
    for line in text.lines() {
        if let Some((name, mask)) = line.split_once(" = ") {
            let bits = (0..LANES).map(|lane| number(mask) >> lane & 1).collect();
            assert!(places.insert(name.into(), bits).is_none(), "{name} twice");
        } else if line.starts_with(' ') {
            let mut words = line.split_whitespace();
            let row = places.get_mut(last).expect("a name above its values");
            assert_eq!(words.next(), Some(&*row.len().to_string()));
            row.extend(words.map(number));
        } else {
            last = line;
            assert!(places.insert(last.into(), Vec::new()).is_none(), "{last} twice");
        }
    }
    assert!(places.values().all(|row| row.len() == LANES), "{text}");
    places
}

/// Returns the value of each state location that one lane writes.
fn single(text: &str) -> BTreeMap<String, u32> {
    let value = |text: &str| match text {
        "true" => 1,
        "false" => 0,
        word => u32::from_str_radix(word.strip_prefix("0x").unwrap(), 16).unwrap(),
    };
    let places = text.lines().map(|line| line.split_once(" = ").unwrap());
    places.map(|(name, text)| (name.to_owned(), value(text))).collect()
}

/// Returns valid instructions that use few registers.
fn program(generator: &mut WordGenerator) -> String {
    let mut text = String::new();
    for _ in 0..LENGTH {
        let opcode = generator.random.below(generator.opcode_count() as u64) as usize;
        let fields = generator.opcode(opcode).opcode.fields;
        let regs: Vec<usize> =
            (0..fields.len()).filter(|&i| generator.field(opcode, i).kind.name == "Reg").collect();
        let given: Vec<_> = regs.into_iter().map(|i| (i, generator.random.below(REGS))).collect();
        let word = generator.legal_with(opcode, &given);
        text += &format!("{}\n", Gpu::decode(word).unwrap());
    }
    text
}

/// The initial value of a state location in each lane.
type Setting = (String, Vec<u32>);

/// Returns initial values: registers as lists, predicates as masks.
fn settings(random: &mut SplitMix64) -> Vec<Setting> {
    let mut settings: Vec<Setting> = Vec::new();
    for number in 0..REGS {
        let row = (0..LANES).map(|_| random.bits() as u32).collect();
        settings.push((format!("R{number}"), row));
    }
    for number in 0..PREDS {
        let row = (0..LANES).map(|_| random.below(2) as u32).collect();
        settings.push((format!("P{number}"), row));
    }
    settings
}

/// Returns `NAME=VALUE` for a warp.
fn for_warp((name, row): &Setting) -> String {
    if name.starts_with('P') {
        let mask: u32 = row.iter().enumerate().map(|(lane, bit)| bit << lane).sum();
        return format!("{name}={mask:#x}");
    }
    let texts: Vec<String> = row.iter().map(u32::to_string).collect();
    format!("{name}={}", texts.join(","))
}

fn exec(options: &[&str], settings: &[String], code: &str) -> String {
    let mut args = vec!["exec"];
    args.extend(options);
    for setting in settings {
        args.extend(["--set", setting]);
    }
    isa(&args, code.as_bytes()).fine().to_owned()
}

#[test]
fn a_warp_prints_what_its_lanes_print() {
    let mut generator = WordGenerator::new(Gpu::SET, 77);
    let mut random = SplitMix64::new(78);
    let mut compared = 0;
    for _ in 0..PROGRAMS {
        let (code, settings) = (program(&mut generator), settings(&mut random));
        let common = ["UR3=0x3c004000".to_owned(), "c[0x0][0x10]=0x44004200".to_owned()];
        let mut texts: Vec<String> = settings.iter().map(for_warp).collect();
        texts.extend(common.clone());
        let warp = lanes(&exec(&["--warp"], &texts, &code));
        let mut written = BTreeSet::new();
        for lane in 0..LANES {
            let mut texts: Vec<String> =
                settings.iter().map(|(name, row)| format!("{name}={}", row[lane])).collect();
            texts.extend(common.clone());
            let alone = single(&exec(&[], &texts, &code));
            for (name, row) in &warp {
                let first = settings.iter().find(|(other, _)| other == name);
                let kept = first.map_or(0, |(_, row)| row[lane]);
                let expected = alone.get(name).copied().unwrap_or(kept);
                assert_eq!(row[lane], expected, "{name} in lane {lane} of\n{code}");
                compared += 1;
            }
            written.extend(alone.into_keys());
        }
        assert!(written.iter().eq(warp.keys()), "{written:?} not {:?}\n{code}", warp.keys());
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn guards_choose_lanes_and_masks_say_which() {
    // 1 + 1 = 2, and the result is greater than 1 in the lanes that computed it.
    let code = "@P0 HADD2 R2, R1, R1; HSETP2.GT.AND P1, P2, R2, R1; @!PT HADD2 R9, R1, R1;";
    let settings = ["R1=0x3c003c00".to_owned(), "P0=0x80ff0000".to_owned()];
    let row = |values: [u32; 8]| values.map(|value| format!("{value:#010x}")).join(" ");
    let (two, none) = (row([0x4000_4000; 8]), row([0; 8]));
    let last = row([0, 0, 0, 0, 0, 0, 0, 0x4000_4000]);
    let expected = format!(
        "R2\n   0  {none}\n   8  {none}\n  16  {two}\n  24  {last}\n\
         P1 = 0x80ff0000\nP2 = 0x80ff0000\n"
    );
    assert_eq!(exec(&["--warp"], &settings, code), expected);
}

#[test]
fn the_number_of_a_lane_is_a_value() {
    let text = exec(&["--warp"], &["R1=lane".to_owned()], "vadd4.u32.u32.u32 r0, r1, r1, rz;");
    let twice: Vec<u32> = (0..LANES as u32).map(|lane| 2 * lane).collect();
    assert_eq!(lanes(&text), BTreeMap::from([("R0".to_owned(), twice)]));
}

#[test]
fn a_trace_shows_what_each_word_writes() {
    let code = "HADD2 R0, R1, R1; @P0 HADD2 R3, R1, R1;";
    let text = exec(&["--warp", "--trace"], &["R1=0x3c00".to_owned()], code);
    let row = ["0x00004000"; 8].join(" ");
    let table = |indent: &str| {
        let lines = [0, 8, 16, 24].map(|lane| format!("{indent}{lane:4}  {row}\n"));
        format!("{indent}R0\n{}", lines.concat())
    };
    let (words, end) = text.split_once("\n\n").unwrap();
    let (first, second) = words.split_once("/* 00000010").unwrap();
    assert!(first.ends_with(&format!(" */  HADD2 R0, R1, R1;\n{}", table("    "))), "{text}");
    assert!(second.ends_with(" */  @P0 HADD2 R3, R1, R1;\n    writes nothing"), "{text}");
    assert_eq!(end, table(""));
}

#[test]
fn nothing_is_printed_of_a_faulty_program() {
    let outcome = isa(&["exec", "--warp"], b"HADD2 R0, R1, R2;\n .word 0x12;\nHADX;");
    let parts = ["<stdin>:2:2\n", "cannot execute", "<stdin>:3:1\n", "2 errors"];
    assert_has(outcome.failed(Status::Failure), &parts);
    assert_eq!(isa(&["exec", "--warp"], b"").fine(), "");
}
