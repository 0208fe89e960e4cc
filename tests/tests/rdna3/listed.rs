//! Compares random words with LLVM in both directions.

use std::collections::{BTreeMap, BTreeSet};

use isa_core::table::Opcode;

use crate::llvm;
use crate::sample::{Sample, bytes};
use crate::set::Rdna3;

/// The number of words, unless the environment variable `ISA_RDNA3` contains another.
const WORDS: usize = 30_000;

/// The number of words of each process. Their markers have 16 bits.
const BATCH: usize = 30_000;

/// The reasons why LLVM does not assemble its own text to the word, with the number of such words.
type Differences = BTreeMap<&'static str, usize>;

/// Returns our text of a word without the `;`.
fn ours(opcode: &'static Opcode, word: u128) -> String {
    let mut line = isa_core::text::Line::new();
    opcode.print(word, &mut line);
    line.as_str().trim_end_matches(';').to_owned()
}

/// Returns the value of a field, or 0 if the opcode does not have it.
fn value(opcode: &'static Opcode, name: &str, word: u128) -> u64 {
    opcode.fields.iter().find(|field| field.name == name).map_or(0, |field| field.get(word))
}

/// Returns the values of all sources.
fn sources(opcode: &'static Opcode, word: u128) -> Vec<u64> {
    let fields = opcode.fields.iter().filter(|field| field.name.starts_with("src"));
    fields.map(|field| field.get(word)).collect()
}

/// Returns why the text of a word assembles to another word. Our assembler must agree, unless LLVM refuses
/// the text.
fn difference(
    opcode: &'static Opcode,
    word: u128,
    again: &Result<Vec<u8>, String>,
) -> Option<&'static str> {
    let reads_back = opcode.reads_back(word);
    match again {
        Ok(_) if word & opcode.ignored != opcode.initial() & opcode.ignored => {
            Some("bits without effect")
        }
        Ok(_) if !reads_back && sources(opcode, word).contains(&255) => {
            Some("a literal with the value of a constant")
        }
        Ok(_) => None,
        Err(reason) if reason.contains("constant bus") => Some("more than two scalar sources"),
        Err(reason)
            if reason.contains("not supported on this GPU")
                || reason.contains("not available on this GPU") =>
        {
            Some("a source of other processors")
        }
        Err(reason) if reason.contains("invalid operand") && value(opcode, "upper", word) != 0 => {
            Some("a literal with more than 16 bits")
        }
        Err(_) => None,
    }
}

/// Compares words. Returns the differences.
fn compare(words: &[(&'static Opcode, u128)]) -> Differences {
    let encodings: Vec<Vec<u8>> = words.iter().map(|&(opcode, word)| bytes(opcode, word)).collect();
    let theirs = llvm::disassembled(&encodings);
    let mut wrong = Vec::new();
    let mut texts = Vec::new();
    for (&(opcode, word), theirs) in words.iter().zip(&theirs) {
        let ours = ours(opcode, word);
        if theirs.as_ref() != Some(&ours) {
            wrong.push(format!("{word:#x}: {ours}, not {theirs:?}"));
        }
        let read = format!("{ours};").parse::<Rdna3>().map(|it| it.encode());
        let again = matches!(&read, Ok(Ok(again)) if *again == word);
        if again != opcode.reads_back(word) {
            wrong.push(format!("{word:#x}: {ours} is read as {read:x?}"));
        }
        texts.push(ours);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut differences = Differences::new();
    for ((&(opcode, word), again), own) in words.iter().zip(llvm::assembled(&texts)).zip(&encodings)
    {
        if again.as_ref() == Ok(own) {
            continue;
        }
        match difference(opcode, word, &again) {
            Some(why) => *differences.entry(why).or_default() += 1,
            None => wrong.push(format!("{word:#x}: {} is {again:x?}", ours(opcode, word))),
        }
    }
    let some = wrong.len().min(40);
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong[..some].join("\n"));
    differences
}

#[test]
fn words_have_the_text_of_llvm_which_assembles_to_them() {
    if !llvm::is_here() {
        return;
    }
    let count = std::env::var("ISA_RDNA3").ok().and_then(|count| count.parse().ok());
    let (count, mut sample) = (count.unwrap_or(WORDS), Sample::new(1));
    let (mut differences, mut refused, mut done) = (Differences::new(), 0, 0);
    while done < count {
        let [valid, invalid] = sample.words(BATCH.min(count - done));
        for (why, met) in compare(&valid) {
            *differences.entry(why).or_default() += met;
        }
        done += valid.len();
        // LLVM decodes none of the words that the set refuses.
        let invalid = &invalid[..invalid.len().min(BATCH)];
        let encodings: Vec<Vec<u8>> =
            invalid.iter().map(|&(opcode, word)| bytes(opcode, word)).collect();
        // LLVM may decode the rest of an invalid word as another instruction.
        let is_same = |((opcode, _), text): &(&(&Opcode, u128), Option<String>)| {
            text.as_ref().is_some_and(|text| text.starts_with(opcode.syntax.mnemonic))
        };
        let mut decoded = invalid.iter().zip(llvm::disassembled(&encodings));
        let found = decoded.find(is_same);
        let found =
            found.map(|((opcode, word), text)| format!("{} {word:#x}: {text:?}", opcode.name));
        assert_eq!(found, None);
        refused += invalid.len();
    }
    println!("{done} words, {refused} invalid words, {differences:?}");
}

/// The set has one opcode for each instruction: literals need no others.
#[test]
fn there_are_at_most_three_opcodes_for_two_instructions() {
    let opcodes = Rdna3::SET.opcodes;
    let instructions: BTreeSet<&str> =
        opcodes.iter().map(|opcode| opcode.syntax.mnemonic.trim_end_matches("_e32")).collect();
    assert_eq!((opcodes.len(), instructions.len()), (38, 38));
    assert!(2 * opcodes.len() <= 3 * instructions.len());
}
