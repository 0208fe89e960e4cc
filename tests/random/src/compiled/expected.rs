//! The expected behaviour of a compiled set, computed by enumeration.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Candidate;
use super::damage::{damaged, vocabulary};
use crate::printing;
use crate::random::Random;
use crate::texts::Texts;
use crate::words;

/// The number of words of an opcode that are compared.
const WORDS: usize = 60;
/// The number of texts of a specification that are compared.
const TEXTS: usize = 600;

/// Appends the expectations of one specification: words with their opcode and both texts, and texts
/// with their word.
pub(super) fn write(candidate: &Candidate, out: &mut String) {
    let mut random = Random::new(candidate.seed ^ 0x5eed);
    let texts = Texts::new(&candidate.spec);
    for word in words_of(&texts, &mut random) {
        let rows = 0..texts.rows.len();
        let mut opcodes = rows.filter(|row| texts.rows[*row].alias.is_none());
        let legal = |row: &usize| words::is_legal(&candidate.spec.kinds, &texts.rows, *row, word);
        let [name, printed, plain, back] = match opcodes.find(legal) {
            Some(row) => texts_of(&texts, row, word),
            None => Default::default(),
        };
        let _ = writeln!(out, "W\t{word:x}\t{name}\t{printed}\t{plain}\t{back}");
    }
    let has_targets = texts.distances().count() > 1;
    let is_judged = |text: &String| !(has_targets && has_dot_alone(text));
    for text in some_texts(&texts, &mut random).into_iter().filter(is_judged) {
        // If a specification is accepted, each text has at most one word.
        let words: BTreeSet<u128> =
            texts.owners(&texts.readings(&text)).into_iter().map(|(_, word)| word).collect();
        let word = match words.iter().collect::<Vec<_>>()[..] {
            [] => "-".to_owned(),
            [word] => format!("{word:x}"),
            _ => continue,
        };
        let _ = writeln!(out, "T\t{word}\t{text}");
    }
}

/// Returns whether a text contains a dot that is not followed by a word or an operand. Such a dot
/// can be a target (the instruction itself) or a modifier that is missing.
fn has_dot_alone(text: &str) -> bool {
    let is_behind = |c: char| c.is_ascii_alphanumeric() || "_%#[".contains(c);
    text.split('.').skip(1).any(|behind| !behind.starts_with(is_behind))
}

/// Returns four texts: the name of an opcode, the text of a word by its alias, the text by the
/// opcode, and whether the first text is parsed as the word.
fn texts_of(texts: &Texts<'_>, row: usize, word: u128) -> [String; 4] {
    let kinds = &texts.spec.kinds;
    let print = |row: usize| {
        let values = words::decode(&texts.rows[row], word);
        printing::print(kinds, &texts.rows[row], &texts.owns[row], &values)
    };
    let written = texts.rows[row].written(&words::decode(&texts.rows[row], word));
    let written = words::encode(&texts.rows[row], &written);
    let has = |alias: &usize| {
        let values = words::decode(&texts.rows[*alias], word);
        texts.rows[*alias].alias == Some((row, false))
            && texts.is_legal(*alias, &values)
            && !texts.is_read_otherwise(&print(*alias), written)
    };
    let spelling = (0..texts.rows.len()).find(has).unwrap_or(row);
    let reads_back = written == word && !texts.is_read_otherwise(&print(spelling), word);
    [texts.rows[row].name.clone(), print(spelling), print(row), reads_back.to_string()]
}

/// Returns valid and invalid words of all opcodes, and words near them.
fn words_of(texts: &Texts<'_>, random: &mut Random) -> BTreeSet<u128> {
    let mut all = BTreeSet::new();
    for row in texts.rows.iter().filter(|row| row.alias.is_none()) {
        for values in words::samples(&texts.spec.kinds, row, WORDS) {
            let word = words::encode(row, &values);
            let other = word ^ 1 << random.below(row.bits as usize);
            let more = other ^ 1 << random.below(row.bits as usize);
            all.extend([word, other, more]);
        }
    }
    all
}

/// Returns texts as they are printed, in other spellings, and damaged.
fn some_texts(texts: &Texts<'_>, random: &mut Random) -> BTreeSet<String> {
    let kinds = &texts.spec.kinds;
    let mut all = BTreeSet::new();
    for (place, (row, own)) in texts.rows.iter().zip(&texts.owns).enumerate() {
        for values in words::samples(kinds, row, WORDS) {
            all.insert(printing::print(kinds, row, own, &values));
            all.insert(texts.spell(place, &values, random));
        }
    }
    let mut right: Vec<String> = all.into_iter().collect();
    random.shuffle(&mut right);
    right.truncate(TEXTS / 2);
    let words = vocabulary(&right);
    let mut all: BTreeSet<String> = right.iter().cloned().collect();
    if !right.is_empty() {
        for _ in 0..TEXTS / 2 {
            let text = &right[random.below(right.len())];
            all.insert(damaged(text, &words, random));
        }
    }
    all
}
