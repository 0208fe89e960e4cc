//! Compares words of HALU with those of an imported macro call, `imported.rs`. This is a separate
//! program, which prints what it compared, or panics.

mod imported;

use std::collections::{BTreeMap, BTreeSet};

use isa_verify::count::legal_words_in;
use isa_verify::field_values::{field_value, max_value, with_value};
use isa_verify::model::OpcodeModel;
use isa_verify::word_generator::WordGenerator;
use isa_verify::text::disassemble;
use isa_core::Isa;
use isa_core::table::{Cube, InstructionSet, Opcode};

/// Fields that are missing in the source and that a decision adds.
const ADDED: [&str; 4] = ["rnd", "f32", "sched", "req"];

/// The number of words of each opcode, from each of the two sets.
const WORDS: usize = 20_000;

/// Returns the fields of a word without the added ones. Values are given by name, because their
/// numbers were decided.
fn fields(opcode: &'static Opcode, word: u128) -> BTreeMap<&'static str, String> {
    let fields = opcode.fields.iter().filter(|field| !ADDED.contains(&field.name));
    let said = fields.map(|field| {
        let raw = field_value(field, word);
        let name = field.kind.value(raw).map(|value| value.name.to_owned());
        (field.name, name.unwrap_or_else(|| raw.to_string()))
    });
    said.collect()
}

/// Returns the bits of the added fields.
fn added(opcode: &'static Opcode) -> u128 {
    let fields = opcode.fields.iter().filter(|field| ADDED.contains(&field.name));
    fields.fold(0, |mask, field| with_value(field, mask, max_value(field)))
}

/// Returns whether a decision forbids the word: `.SAT` with `.RELU`.
fn excluded(opcode: &'static Opcode, word: u128) -> bool {
    let is = |name: &str, value: &str| fields(opcode, word).get(name).is_some_and(|is| is == value);
    is("sat", "SAT") && is("relu", "RELU")
}

/// Returns the number of words of an opcode that decisions forbid.
fn excluded_words(row: &OpcodeModel) -> u128 {
    let bit = |name: &str| row.opcode.fields.iter().find(|field| field.name == name);
    let (Some(sat), Some(relu)) = (bit("sat"), bit("relu")) else { return 0 };
    let both = with_value(relu, with_value(sat, 0, 1), 1);
    legal_words_in(row, Cube::new(both, both)).unwrap()
}

fn main() {
    let ours: &InstructionSet = isa_defs::halu::Halu::SET;
    let theirs: &InstructionSet = imported::Halu::SET;
    let (mut our_words, mut their_words) = (WordGenerator::new(ours, 1), WordGenerator::new(theirs, 2));
    let (mut words, mut refused) = (0_u64, BTreeSet::new());
    assert_eq!(ours.opcodes.len(), theirs.opcodes.len());
    for (index, &opcode) in ours.opcodes.iter().enumerate() {
        let place = theirs.opcodes.iter().position(|other| other.name == opcode.name).unwrap();
        let their = theirs.opcodes[place];
        let mask = added(opcode);
        for _ in 0..WORDS {
            // Our words in the imported set. Words that need the added fields must be rejected
            // there.
            let whole = our_words.legal(index);
            for field in opcode.fields.iter().filter(|field| ADDED.contains(&field.name)) {
                let one = whole & (!mask | with_value(field, 0, max_value(field)));
                if one & mask != 0 && theirs.parse(&disassemble(ours, one).to_string()).is_err() {
                    refused.insert(field.name);
                }
            }
            let word = whole & !mask;
            let text = disassemble(ours, word).to_string();
            let found = theirs.parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(fields(opcode, word), fields(their, found.word()), "{text}");
            assert_eq!(disassemble(theirs, found.word()).to_string(), text);
            // Imported words in our set.
            let word = their_words.legal(place);
            let text = disassemble(theirs, word).to_string();
            match ours.parse(&text) {
                Ok(found) => {
                    assert_eq!(fields(opcode, found.word()), fields(their, word), "{text}");
                    assert_eq!(found.word() & mask, 0, "{text}");
                    assert!(!excluded(their, word), "{text}");
                }
                Err(_) if excluded(their, word) => _ = refused.insert(".SAT with .RELU"),
                Err(error) => panic!("{text}: {error}"),
            }
            words += 2;
        }
        // Each word of one set is a word of the other, so equal counts show that the sets are
        // equal.
        let of = legal_words_in(our_words.opcode(index), Cube::new(mask, 0)).unwrap();
        let row = their_words.opcode(place);
        assert_eq!(of + excluded_words(row), legal_words_in(row, Cube::new(0, 0)).unwrap());
    }
    println!("{words} words agree");
    println!("decided: {}", refused.into_iter().collect::<Vec<_>>().join(", "));
    let numbers = ours.kinds().into_iter().filter(|kind| {
        let theirs = theirs.kinds().into_iter().find(|other| other.name == kind.name);
        let raws = |kind: &isa_core::table::Kind| -> BTreeSet<(&str, u64)> {
            kind.values.iter().map(|value| (value.name, value.raw)).collect()
        };
        theirs.is_some_and(|other| raws(other) != raws(kind))
    });
    println!("numbers: {}", numbers.map(|kind| kind.name).collect::<Vec<_>>().join(", "));
}
