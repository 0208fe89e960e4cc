//! The Python reader, which uses only the description, decodes and prints like the run-time
//! library.

use std::fmt::Write as _;
use std::process::Command;

use isa_core::describe;
use isa_core::table::InstructionSet;
use isa_core::text::Line;
use isa_defs::gpu::Gpu;
use isa_export::description::Description;
use isa_riscv::Rv64imac;
use isa_tests::share::{part_of, share};
use isa_tests::tools::{Temporary, Tool as Needed, are_here, run};
use isa_verify::word_generator::WordGenerator;

const PYTHON: Needed =
    Needed { program: "python3", release: "Python 3", install: "apt-get install python3" };

/// A checker of JSON schemas: the Python package `jsonschema`.
const CHECKER: Needed =
    Needed { program: "jsonschema", release: ".", install: "apt-get install python3-jsonschema" };

const SCHEMA: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../isa-core/export/description.schema.json");

const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isa-core/export/reader.py");

/// Returns the result of the run-time library for a word, as a line in the format of the reader.
fn line_of(set: &'static InstructionSet, word: u128, bits: u8) -> String {
    let found = set.index(word).map(|index| set.opcodes[index]).ok();
    match found.filter(|opcode| opcode.bits == bits) {
        None => "-".to_owned(),
        Some(opcode) => {
            let mut line = Line::new();
            opcode.print(word, &mut line);
            format!("{}\t{}", opcode.name, line.as_str())
        }
    }
}

/// Returns the result of the Rust reader, which `diff` uses, for a word.
fn read_by(description: &Description, word: u128, bits: u8) -> String {
    match description.decode(word, bits) {
        None => "-".to_owned(),
        Some(row) => format!("{}\t{}", row.name, description.text(row, word)),
    }
}

/// Compares words: a third are valid, a third are almost valid, and a third are random.
fn check(set: &'static InstructionSet, rounds: usize) {
    if !are_here(&[PYTHON]) {
        return;
    }
    let mut generator = WordGenerator::new(set, 11);
    let (mut words, mut expected) = (String::new(), String::new());
    let description: Description = describe::json(set).to_string().parse().unwrap();
    for round in 0..rounds {
        let opcode = round % generator.opcode_count();
        let bits = set.opcodes[opcode].bits;
        let last = u128::MAX >> (128 - bits);
        let legal = generator.legal(opcode);
        let near = match round % 2 {
            0 => generator.plausible(opcode) & last,
            _ => legal ^ 1 << (generator.random.bits() % u64::from(bits)),
        };
        let any = u128::from(generator.random.bits()) << 64 | u128::from(generator.random.bits());
        for word in [legal, near, any & last] {
            writeln!(words, "{word:0digits$x}", digits = usize::from(bits / 4)).unwrap();
            let line = line_of(set, word, bits);
            assert_eq!(read_by(&description, word, bits), line, "{word:#x} of {}", set.name);
            writeln!(expected, "{line}").unwrap();
        }
    }
    let json = Temporary::new("json");
    std::fs::write(&json.0, describe::json(set).to_string()).unwrap();
    let output = run(Command::new("python3").arg(READER).arg(&json.0), words.clone());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let all = words.lines().zip(expected.lines()).zip(printed.lines());
    for ((word, expected), printed) in all {
        assert_eq!(printed, expected, "{word} of {}", set.name);
    }
    assert_eq!(printed.lines().count(), 3 * rounds);
    let legal = expected.lines().filter(|line| *line != "-").count();
    println!("{}: {} words, {legal} legal", set.name, 3 * rounds);
    assert!(legal >= rounds && legal < 3 * rounds, "{legal} legal words");
}

#[test]
fn a_reader_of_the_description_agrees_with_the_engine() {
    for set in [Gpu::SET, Rv64imac::SET, isa_a64::A64::SET] {
        check(set, part_of(1_500) as usize);
    }
}

/// Compares a million words of each set, which takes minutes.
#[test]
#[ignore = "takes minutes"]
fn a_reader_of_the_description_agrees_with_the_engine_on_many_words() {
    for set in [Gpu::SET, Rv64imac::SET, isa_a64::A64::SET] {
        check(set, 340_000);
    }
}

#[test]
fn descriptions_are_as_the_schema_says() {
    if !are_here(&[CHECKER]) {
        return;
    }
    let check = |text: &str| {
        let json = Temporary::new("json");
        std::fs::write(&json.0, text).unwrap();
        Command::new("jsonschema").arg("-i").arg(&json.0).arg(SCHEMA).output().unwrap()
    };
    for set in [Rv64imac::SET, Gpu::SET, isa_a64::A64::SET].into_iter().step_by(share()) {
        let text = describe::json(set).to_string();
        let output = check(&text);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = describe::json(Rv64imac::SET).to_string();
    let other = text.replacen(r#""unused":"0x"#, r#""unused":"0X"#, 1);
    assert!(other != text && !check(&other).status.success(), "a fault is found");
}
