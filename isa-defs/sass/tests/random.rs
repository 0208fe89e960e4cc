//! Compares random valid words with `nvdisasm`, if it is installed:
//!
//! ```sh
//! SASS_WORDS=100000 cargo test -p isa-sass --test random -- --ignored --nocapture
//! ```
//!
//! `SASS_WORDS` is the number of words for each chip, `SASS_CHIP` a single chip, and `SASS_ONLY` a
//! list of mnemonics, for example `HFMA2,HADD2`.

use std::collections::BTreeMap;
use std::process::Command;

use common::{CHIPS, compare, features, mnemonic};
use isa_core::table::InstructionSet;
use isa_sass::Sass;
use isa_verify::word_generator::WordGenerator;

mod common;

/// The tables of a chip.
fn set(chip: u32) -> &'static InstructionSet {
    Sass::SET.specialized(features(chip))
}

/// Returns the text of each word, and removes words that `nvdisasm` rejects from the list. The
/// rejected words are returned too. `nvdisasm` prints nothing if it rejects a word, so it runs again
/// without this word.
fn disassemble(chip: u32, words: &mut Vec<u128>) -> (Vec<String>, Vec<u128>) {
    let path = std::env::temp_dir().join(format!("sass-{}-{chip}.bin", std::process::id()));
    let mut rejected = Vec::new();
    loop {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&path, bytes).expect("the file can be written");
        let output =
            Command::new("nvdisasm").args(["-ndf", "-b", &format!("SM{chip}")]).arg(&path).output();
        let output = output.expect("nvdisasm runs");
        if output.status.success() {
            std::fs::remove_file(&path).expect("the file can be removed");
            let text = String::from_utf8(output.stdout).expect("the text is ASCII");
            let lines = text.lines().filter_map(|line| {
                let (_, text) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
                Some(text.trim().trim_end_matches(';').trim_end().to_owned())
            });
            return (lines.collect(), rejected);
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let address =
            message.split("address 0x").nth(1).and_then(|rest| rest.split_whitespace().next());
        let address = address.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let index = address.expect("the message contains the address") / 16;
        rejected.push(words.remove(index));
        assert!(
            rejected.len() <= 40,
            "nvdisasm rejects too many words, for example {rejected:032x?}"
        );
    }
}

#[test]
#[ignore = "needs nvdisasm, and runs for minutes"]
fn random_words_print_and_parse_as_nvdisasm_prints_them() {
    if Command::new("nvdisasm").arg("--version").output().is_err() {
        println!("skipped: nvdisasm is not installed");
        return;
    }
    let count: usize =
        std::env::var("SASS_WORDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let chosen: Option<u32> = std::env::var("SASS_CHIP").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("SASS_ONLY").unwrap_or_default();
    let mut failed = false;
    for chip in CHIPS.into_iter().filter(|chip| chosen.is_none_or(|chosen| chosen == *chip)) {
        let set = set(chip);
        let chosen = |name| only.is_empty() || only.split(',').any(|only| only == name);
        let opcodes: Vec<usize> = (0..set.opcodes.len())
            .filter(|index| chosen(set.opcodes[*index].syntax.mnemonic))
            .collect();
        let mut generator = WordGenerator::new(set, chip.into());
        let mut words: Vec<u128> =
            (0..count).map(|i| generator.legal(opcodes[i % opcodes.len()])).collect();
        let (texts, rejected) = disassemble(chip, &mut words);
        assert_eq!(texts.len(), words.len(), "nvdisasm prints a line for each word");
        let mut classes = BTreeMap::<String, (usize, String)>::new();
        let (mut equal, mut inexact) = (0, 0);
        for (i, (&word, text)) in words.iter().zip(&texts).enumerate() {
            match compare(chip, 16 * i as u64, word, text) {
                Ok(()) => equal += 1,
                Err((class, _)) if class.ends_with("word") && text.contains("NAN") => inexact += 1,
                Err((class, example)) => classes.entry(class).or_insert((0, example)).0 += 1,
            }
        }
        let different: usize = classes.values().map(|(count, _)| count).sum();
        println!(
            "sm_{chip}: {} opcodes, {equal} equal, {different} different, {inexact} with a payload of NaN, {} rejected",
            opcodes.len(),
            rejected.len(),
        );
        for (class, (count, example)) in &classes {
            println!("  {count} x {class}: {example}");
        }
        let mut names = BTreeMap::<_, (usize, u128)>::new();
        for word in &rejected {
            let name = set.decode(*word).map_or("", |opcode| opcode.name);
            names.entry(mnemonic(name)).or_insert((0, *word)).0 += 1;
        }
        for (name, (count, word)) in names {
            println!("  {count} x {name}: rejected {word:032x}");
        }
        failed |= different + rejected.len() != 0;
    }
    assert!(!failed, "see the differences above");
}
