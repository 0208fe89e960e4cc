//! Every legal instruction survives encoding and decoding, printing and parsing, in any spelling.

use core::fmt::{Debug, Display};
use core::str::FromStr;

use isa_core::EncodeError;
use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_riscv::Rv64imac;
use isa_tests::share::part_of;
use isa_tests::space::Space;
use isa_tests::spelling::spell;
use isa_tests::text::{check_round_trip, disassemble, is_read_as_printed};

const RANDOM_WORDS: u64 = 2_000;
const SPELLED_WORDS: u64 = 1_500;
const PRINTED_WORDS: usize = 200;

/// Legal words of every opcode: the edges of all fields, pairs of fields, and random ones.
fn legal_words(set: &'static InstructionSet, seed: u64) -> Vec<(usize, u128)> {
    let mut space = Space::new(set, seed);
    let mut words = Vec::new();
    for opcode in 0..space.opcodes() {
        words.extend(space.legal_boundaries(opcode).into_iter().map(|word| (opcode, word)));
        for _ in 0..part_of(RANDOM_WORDS) {
            words.push((opcode, space.legal(opcode)));
        }
    }
    words
}

/// The tables alone: identify, validate, print, parse.
fn check_tables(set: &'static InstructionSet) {
    let words = legal_words(set, 1);
    for &(opcode, word) in &words {
        let found = set.index(word).unwrap_or_else(|error| panic!("{word:#034x}: {error}"));
        assert_eq!(found, opcode, "{word:#034x}");
        let validated = isa_core::__private::encode(set.opcodes[opcode], word);
        assert!(validated.is_ok(), "{word:#034x}: {validated:?}");
        check_round_trip(set, word);
    }
    println!("{}: {} legal words", set.name, words.len());
}

/// The typed interface of the same.
fn check_types<I>(set: &'static InstructionSet, encode: fn(I) -> Result<u128, EncodeError>)
where
    I: TryFrom<u128> + FromStr + Display + Debug + Copy + Eq,
    <I as TryFrom<u128>>::Error: Debug,
    <I as FromStr>::Err: Debug,
{
    for (_, word) in legal_words(set, 2) {
        let instruction = I::try_from(word).expect("a legal word");
        assert_eq!(encode(instruction).ok(), Some(word), "{instruction}");
        let text = instruction.to_string();
        assert_eq!(text, disassemble(set, word).as_str());
        assert_eq!(text.parse::<I>().expect(&text), instruction, "{text}");
    }
}

/// Texts that differ from the printed ones in everything that is free.
fn check_spellings(set: &'static InstructionSet) {
    let mut space = Space::new(set, 3);
    let (mut cases, mut canonical) = (0, 0);
    for opcode in 0..space.opcodes() {
        for _ in 0..part_of(SPELLED_WORDS) {
            let word = space.legal(opcode);
            let text = spell(set.opcodes[opcode], word, &mut space.random);
            let parsed = set.parse(&text).unwrap_or_else(|e| panic!("{word:#034x}: {text:?}: {e}"));
            assert_eq!(parsed.word(), word, "{text:?}");
            let printed = disassemble(set, parsed.word());
            check_round_trip(set, parsed.word());
            cases += 1;
            canonical += usize::from(printed.as_str() == text);
        }
    }
    assert!(canonical < cases / 10, "{canonical} of {cases} spellings are the printed ones");
    println!("{}: {cases} spellings", set.name);
}

#[test]
fn tables() {
    check_tables(Halu::SET);
    check_tables(Gpu::SET);
}

/// Lines are read as they are printed, but for what RISC-V has that is left to the walk: fields in
/// several runs of bits, and mnemonics of several templates.
#[test]
fn what_is_printed_is_read_without_a_walk() {
    for set in [Halu::SET, Gpu::SET, Rv64imac::SET] {
        let mut space = Space::new(set, 4);
        for (opcode, row) in set.opcodes.iter().enumerate() {
            let is_split = row.fields.iter().any(|field| field.pieces.len() > 1);
            let is_left = is_split || ["FENCE", "JALR"].contains(&row.name);
            for _ in 0..PRINTED_WORDS {
                let word = space.legal(opcode);
                let quick = is_read_as_printed(set, word);
                assert!(is_left || quick, "{} {word:#x}", row.name);
            }
        }
    }
}

#[test]
fn types() {
    check_types(Halu::SET, Halu::encode);
    check_types(Gpu::SET, Gpu::encode);
}

#[test]
fn spellings() {
    check_spellings(Halu::SET);
    check_spellings(Gpu::SET);
}
