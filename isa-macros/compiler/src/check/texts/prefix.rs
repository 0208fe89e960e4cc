//! Checks prefixes. A prefix is the part of a text before its mnemonic, such as a guard or the word
//! `lock`.
//!
//! To find the mnemonic of a statement, the parser tries every word that is a mnemonic, from left to
//! right. It uses the first mnemonic with which it can parse the whole statement. Therefore no word of
//! a prefix may be a mnemonic. A mnemonic must also not follow a punctuation character that comes
//! before an operand in some prefix.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::grammar::{FieldText, TextPart, folded};
use super::shapes::TextShapes;
use super::{Spelling, SpellingText, text_summary};
use crate::diag::{Code, Diagnostics};
use crate::model::is_word;

/// The contents of the prefix of an opcode.
#[derive(Default)]
struct Prefix {
    /// The fixed words of the prefix, and the names of values that it may contain.
    words: BTreeSet<String>,
    /// Whether the prefix may begin with text that a Rust type parses.
    begins_with_operand: bool,
    /// The characters that may come directly before an operand of the prefix.
    before_operands: BTreeSet<char>,
    /// The characters that may come directly before the mnemonic.
    before_mnemonic: BTreeSet<char>,
}

impl Prefix {
    fn of(parts: &[TextPart]) -> Self {
        let mut prefix = Prefix::default();
        let before = parts.iter().position(|part| *part == TextPart::Mnemonic).unwrap_or(0);
        let mut last = BTreeSet::from([None]);
        prefix.sequence(&parts[..before], &mut last);
        prefix.before_mnemonic = last.into_iter().flatten().collect();
        prefix
    }

    /// Adds `parts`. `last` contains the characters that may come directly before the parts. It
    /// contains `None` if the parts may be at the start of the text or after an operand.
    fn sequence(&mut self, parts: &[TextPart], last: &mut BTreeSet<Option<char>>) {
        for part in parts {
            match part {
                TextPart::Mnemonic => {}
                TextPart::Text(text) => {
                    let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
                    self.words.extend(words.map(str::to_owned));
                    *last = BTreeSet::from([text.chars().last()]);
                }
                TextPart::Value(filler) => self.filler(filler, last),
                TextPart::Dots(dots) => dots.iter().for_each(|dot| self.filler(&dot.filler, last)),
                TextPart::Tags(fillers) => fillers.iter().for_each(|one| self.filler(one, last)),
                TextPart::Choice(choices) => {
                    let ends = choices.iter().flat_map(|choice| {
                        let mut end = last.clone();
                        self.sequence(choice, &mut end);
                        end
                    });
                    *last = ends.collect();
                }
            }
        }
    }

    fn filler(&mut self, filler: &FieldText, last: &mut BTreeSet<Option<char>>) {
        match filler {
            FieldText::Names(names) => self.words.extend(names.iter().cloned()),
            FieldText::Read(..) => {
                self.begins_with_operand |= last.contains(&None);
                self.before_operands.extend(last.iter().flatten());
            }
        }
        // A new word begins after an operand, as at the start of the text.
        *last = BTreeSet::from([None]);
    }
}

/// Returns the prefixes of all spellings. For an included set, only the prefix of each summary is
/// parsed.
fn prefixes(spellings: &[Spelling<'_>], shapes: &TextShapes) -> Vec<Rc<Prefix>> {
    let own: Vec<_> = shapes.all.iter().map(|shape| Rc::new(Prefix::of(&shape.parts))).collect();
    let mut included: BTreeMap<&str, Rc<Prefix>> = BTreeMap::new();
    let mut prefixes = Vec::new();
    for (spelling, shape) in spellings.iter().zip(&shapes.of) {
        prefixes.push(match (&spelling.text, shape) {
            (_, Some(shape)) => Rc::clone(&own[*shape]),
            (SpellingText::Included { set, text }, None) => {
                let before = text_summary::up_to_mnemonic(text);
                let read = || {
                    let parts = text_summary::read(before, &set.readers);
                    let parts = if shapes.any_case { folded(parts) } else { parts };
                    Rc::new(Prefix::of(&parts))
                };
                Rc::clone(included.entry(before).or_insert_with(read))
            }
            (SpellingText::Own(_), None) => Rc::new(Prefix::default()),
        });
    }
    prefixes
}

/// Reports prefixes that could be parsed as a mnemonic.
pub(super) fn check_prefixes(
    spellings: &[Spelling<'_>],
    shapes: &TextShapes,
    diag: &mut Diagnostics,
) {
    let prefixes = prefixes(spellings, shapes);
    let mut first_words: BTreeMap<&str, &Spelling<'_>> = BTreeMap::new();
    for spelling in spellings {
        let word = spelling.mnemonic.split('.').next().unwrap_or_default();
        first_words.entry(word).or_insert(spelling);
    }
    let mut before_operands = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for (spelling, prefix) in spellings.iter().zip(&prefixes) {
        prefix.before_operands.iter().for_each(|&mark| {
            before_operands.entry(mark).or_insert(spelling);
        });
        let clash = prefix.words.iter().find_map(|word| Some((word, first_words.get(&**word)?)));
        if let Some((word, other)) = clash
            && reported.insert(word.clone())
        {
            let message = format!(
                "`{word}` can precede the mnemonic of `{}`, but is also the mnemonic of \
                 `{}`\nhelp: rename one of the two",
                spelling.name, other.name
            );
            let own = if matches!(spelling.text, SpellingText::Own(_)) { spelling } else { other };
            diag.error(Code::NoRoundTrip, own.name.span(), message);
        }
        if prefix.begins_with_operand && reported.insert(String::new()) {
            let message = format!(
                "the template of `{}` begins with an operand, which could be parsed as a \
                 mnemonic\nhelp: put fixed text before it, such as `@`",
                spelling.name
            );
            diag.error(Code::NoRoundTrip, spelling.name.span(), message);
        }
    }
    for (spelling, prefix) in spellings.iter().zip(&prefixes) {
        let marks = &prefix.before_mnemonic;
        let clash = marks.iter().find_map(|mark| Some((mark, before_operands.get(mark)?)));
        if let Some((mark, other)) = clash
            && reported.insert(mark.to_string())
        {
            let message = format!(
                "`{mark}` is followed by the mnemonic of `{}`, but by an operand of `{}`\nhelp: \
                 put other text before one of the two",
                spelling.name, other.name
            );
            diag.error(Code::NoRoundTrip, spelling.name.span(), message);
        }
    }
}
