//! Compares disassembled words with LLVM: the same words are valid and have the same text, and both
//! assemblers encode the text as the word again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use isa_a64::A64;

use crate::sample::Sample;
use crate::spelling::{DIFFERENCES, is_read_as_another};
use crate::tools;

/// The number of occurrences of each difference.
type Met = BTreeMap<&'static str, usize>;

/// Returns our text of a word, with or without aliases. Checks that it assembles to the word.
fn listing(word: u32, aliases: bool) -> Option<String> {
    let instruction = A64::decode(word).ok()?;
    let text = if aliases { instruction.to_string() } else { format!("{instruction:#}") };
    let again = text.parse::<A64>().map(|instruction| instruction.encode());
    let fits = matches!(&again, Ok(Ok(again)) if *again == word) || is_read_as_another(word);
    assert!(fits, "{word:#010x} prints as {text}, which is read as {again:?}");
    text.strip_suffix(';').map(str::to_owned)
}

/// Returns LLVM's texts of words. The text is `None` also if LLVM reports the word as
/// unpredictable.
fn llvm(words: &[u32]) -> Vec<Option<String>> {
    let listed = tools::llvm(words).into_iter();
    listed.map(|listed| listed.text.filter(|_| !listed.unpredictable)).collect()
}

/// Compares our texts with LLVM's texts, and counts the differences.
fn compare(words: &[u32], theirs: Vec<Option<String>>, met: &mut Met) -> usize {
    let mut wrong = Vec::new();
    let mut instructions = 0;
    for (word, theirs) in words.iter().zip(theirs) {
        let ours = listing(*word, true);
        instructions += usize::from(ours.is_some());
        if ours == theirs {
            continue;
        }
        let mut all = DIFFERENCES.iter();
        match all.find(|d| (d.applies)(*word, ours.as_deref(), theirs.as_deref())) {
            Some(difference) => *met.entry(difference.why).or_default() += 1,
            None => wrong.push(format!("{word:#010x}: {ours:?}, not {theirs:?}")),
        }
    }
    let some = wrong.len().min(40);
    assert!(wrong.is_empty(), "{} words differ:\n{}", wrong.len(), wrong[..some].join("\n"));
    instructions
}

/// Compares a number of words. Returns the number of valid instructions, and the differences.
fn compare_sample(count: usize, seed: u64) -> (usize, Met) {
    let (mut met, mut instructions) = (Met::new(), 0);
    let mut sample = Sample::new(seed).take(count);
    loop {
        let words: Vec<u32> = sample.by_ref().take(250_000).collect();
        if words.is_empty() {
            assert!(instructions > count / 4, "only {instructions} of {count} are instructions");
            return (instructions, met);
        }
        instructions += compare(&words, llvm(&words), &mut met);
    }
}

#[test]
fn words_are_listed_as_llvm_lists_them() {
    if tools::llvm_is_here() {
        compare_sample(100_000, 1);
    }
}

/// Compares many words:
/// `ISA_WORDS=10000000 cargo test --release -p isa-tests --test a64 -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; `ISA_WORDS` sets the number of words"]
fn many_words_are_listed_as_llvm_lists_them() {
    if tools::llvm_is_here() {
        let count = std::env::var("ISA_WORDS").ok().and_then(|count| count.parse().ok());
        let (instructions, met) = compare_sample(count.unwrap_or(1_000_000), 2);
        let message = format!("{instructions} instructions; differences: {met:#?}\n");
        let _ = std::io::stderr().write_all(message.as_bytes());
    }
}

/// Checks that LLVM's assembler encodes our texts, with and without aliases, as the same words.
#[test]
fn both_spellings_assemble_to_the_same_words() {
    if !tools::llvm_is_here() {
        return;
    }
    let words = Sample::new(3).take(30_000);
    let words = words.filter(|word| !is_read_as_another(*word));
    let words: Vec<u32> = words.filter(|word| A64::decode(*word).is_ok()).collect();
    for aliases in [false, true] {
        let lines = words.iter().filter_map(|word| listing(*word, aliases));
        let text = lines.collect::<Vec<_>>().join("\n");
        let code = tools::assemble(&(text + "\n"));
        assert_eq!(code.len(), words.len());
        for (word, again) in words.iter().zip(code) {
            assert_eq!(*word, again, "{:?}", listing(*word, aliases));
        }
    }
}

/// Returns the path of a file with words and LLVM's texts of them, for machines without LLVM.
fn file() -> String {
    format!("{}/vectors/a64/listed.txt", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the lines of the file.
fn lines() -> (Vec<u32>, Vec<Option<String>>) {
    let text = fs::read_to_string(file()).expect("the file is there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| {
        let (word, text) = line.split_at(8);
        let text = Some(text.trim_start()).filter(|text| !text.is_empty());
        (u32::from_str_radix(word, 16).expect("a word"), text.map(str::to_owned))
    });
    lines.collect()
}

#[test]
fn words_are_listed_as_in_the_file() {
    let (words, theirs) = lines();
    assert_eq!(words.len(), IN_THE_FILE);
    assert!(compare(&words, theirs, &mut Met::new()) > IN_THE_FILE / 2);
}

/// The number of words in the file.
const IN_THE_FILE: usize = 4000;

/// Checks that the file matches the current output of LLVM. With `ISA_BLESS=1` the test writes the
/// file with other words.
#[test]
fn the_file_is_what_llvm_says() {
    if !tools::llvm_is_here() {
        return;
    }
    if std::env::var("ISA_BLESS").is_ok() {
        let words: Vec<u32> = Sample::new(4).take(IN_THE_FILE).collect();
        let mut text = String::from(
            "# Random words and words at edges of the classes of the set, each with the output of\n\
             # `llvm-mc --disassemble` of LLVM 14. There is no output if LLVM rejects the word or \
             prints a warning.\n",
        );
        for (word, theirs) in words.iter().zip(llvm(&words)) {
            let theirs = theirs.map(|text| format!(" {text}"));
            text += &format!("{word:08x}{}\n", theirs.unwrap_or_default());
        }
        fs::write(file(), &text).expect("the file is written");
    }
    let (words, theirs) = lines();
    assert!(llvm(&words) == theirs, "LLVM says otherwise: ISA_BLESS=1 writes the file");
}
