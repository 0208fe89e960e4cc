//! Compares the set with words that NVIDIA's `ptxas` produced and the text that `nvdisasm` prints
//! for them.
//!
//! Each line of `tests/vectors/sass/words.txt` contains the chips, an address, a word and its text.
//! The script `corpus/corpus.py` writes this file. To compare a complete corpus, set `SASS_CORPUS` to the
//! folder of the script's results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{CHIPS, UNDECODED, compare, mnemonic};

mod common;

/// The results of one file.
#[derive(Debug, Default)]
struct Counts {
    equal: usize,
    /// Words whose text does not determine the payload of a NaN.
    inexact: usize,
    /// Words that the set does not decode, by mnemonic.
    unknown: BTreeMap<String, (usize, String)>,
    /// Differences, with one example for each class.
    different: BTreeMap<String, (usize, String)>,
}

/// Returns the lines of a chip, each with an address, a word and its text.
fn lines_of(chip: u32) -> Vec<String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).expect("the file of vectors can be read");
    if let Some(folder) = std::env::var_os("SASS_CORPUS") {
        let text = read(&PathBuf::from(folder).join(format!("sm_{chip}.txt")));
        return text.lines().map(str::to_owned).collect();
    }
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/sass/words.txt");
    let name = chip.to_string();
    let of_chip = |line: &str| {
        let (chips, rest) = line.split_once(' ')?;
        chips.split(',').any(|chip| chip == name).then(|| rest.to_owned())
    };
    read(&stored).lines().filter_map(of_chip).collect()
}

/// Compares all words of a chip.
fn compare_all(chip: u32) -> Counts {
    let mut counts = Counts::default();
    for line in lines_of(chip) {
        let (at, rest) = line.split_once(' ').expect("a line contains an address");
        let (word, text) = rest.split_once(' ').expect("a line contains a word and its text");
        let at = u64::from_str_radix(at, 16).expect("the address is hexadecimal");
        let word = u128::from_str_radix(word, 16).expect("the word is hexadecimal");
        match compare(chip, at, word, text) {
            Ok(()) => counts.equal += 1,
            Err((class, example)) if class.ends_with(UNDECODED) && !is_half(text) => {
                counts.unknown.entry(mnemonic(text).to_owned()).or_insert((0, example)).0 += 1;
            }
            Err((class, _)) if class.ends_with("word") && text.contains("NAN") => {
                counts.inexact += 1
            }
            Err((class, example)) => counts.different.entry(class).or_insert((0, example)).0 += 1,
        }
    }
    counts
}

/// Returns whether the instruction belongs to the half-precision family.
fn is_half(text: &str) -> bool {
    ["HADD2", "HFMA2", "HMUL2", "HSET2", "HSETP2", "HMNMX2"].contains(&mnemonic(text))
}

#[test]
fn words_print_and_parse_as_nvdisasm_prints_them() {
    let mut failed = false;
    for chip in CHIPS {
        let counts = compare_all(chip);
        let unknown: usize = counts.unknown.values().map(|(count, _)| count).sum();
        let different: usize = counts.different.values().map(|(count, _)| count).sum();
        println!(
            "sm_{chip}: {} equal, {different} different, {unknown} not in the set, {} with a payload of NaN",
            counts.equal, counts.inexact
        );
        let mut names: Vec<_> =
            counts.unknown.iter().map(|(name, (count, _))| (count, name)).collect();
        names.sort_unstable_by(|a, b| b.cmp(a));
        println!("  not in the set: {names:?}");
        if std::env::var_os("SASS_MISSING").is_some() {
            counts
                .unknown
                .values()
                .for_each(|(count, example)| println!("    {count} x {example}"));
        }
        for (class, (count, example)) in &counts.different {
            println!("  {count} x {class}: {example}");
        }
        failed |= different != 0;
    }
    assert!(!failed, "see the differences above");
}
