//! What stands before a mnemonic: a guard, or words such as `lock`.
//!
//! The reader takes the first word that is a mnemonic and by which the statement can be read. So a
//! word before a mnemonic is none, and where an operand may stand before one mnemonic, no other
//! mnemonic stands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::grammar::{Filler, Part};
use super::shapes::Shapes;
use super::{Party, PartyText, summary};
use crate::diag::{Code, Diagnostics};
use crate::model::is_word;

/// What the prefix of an opcode is made of.
#[derive(Default)]
struct Prefix {
    /// Its fixed words, and the names of its sets.
    words: BTreeSet<String>,
    /// Whether it may begin with what a Rust type reads.
    begins_with_operand: bool,
    /// The characters that may stand directly before an operand of it.
    before_operands: BTreeSet<char>,
    /// The characters that may stand directly before the mnemonic.
    before_mnemonic: BTreeSet<char>,
}

impl Prefix {
    fn of(parts: &[Part]) -> Self {
        let mut prefix = Prefix::default();
        let before = parts.iter().position(|part| *part == Part::Mnemonic).unwrap_or(0);
        let mut last = BTreeSet::from([None]);
        prefix.sequence(&parts[..before], &mut last);
        prefix.before_mnemonic = last.into_iter().flatten().collect();
        prefix
    }

    /// Goes over some parts. `last` has the characters that may stand before them, none for the
    /// start of the text and behind an operand.
    fn sequence(&mut self, parts: &[Part], last: &mut BTreeSet<Option<char>>) {
        for part in parts {
            match part {
                Part::Mnemonic => {}
                Part::Text(text) => {
                    let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
                    self.words.extend(words.map(str::to_owned));
                    *last = BTreeSet::from([text.chars().last()]);
                }
                Part::Value(filler) => self.filler(filler, last),
                Part::Dots(dots) => dots.iter().for_each(|dot| self.filler(&dot.filler, last)),
                Part::Tags(fillers) => fillers.iter().for_each(|one| self.filler(one, last)),
                Part::Choice(choices) => {
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

    fn filler(&mut self, filler: &Filler, last: &mut BTreeSet<Option<char>>) {
        match filler {
            Filler::Names(names) => self.words.extend(names.iter().cloned()),
            Filler::Read(..) => {
                self.begins_with_operand |= last.contains(&None);
                self.before_operands.extend(last.iter().flatten());
            }
        }
        // Behind an operand, as at the start, a word begins.
        *last = BTreeSet::from([None]);
    }
}

/// The prefixes of all parties. Of an included set only this part of its texts is read.
fn prefixes(parties: &[Party<'_>], shapes: &Shapes) -> Vec<Rc<Prefix>> {
    let own: Vec<_> = shapes.all.iter().map(|shape| Rc::new(Prefix::of(&shape.parts))).collect();
    let mut included: BTreeMap<&str, Rc<Prefix>> = BTreeMap::new();
    let mut prefixes = Vec::new();
    for (party, shape) in parties.iter().zip(&shapes.of) {
        prefixes.push(match (&party.text, shape) {
            (_, Some(shape)) => Rc::clone(&own[*shape]),
            (PartyText::Included { set, text }, None) => {
                let before = summary::up_to_mnemonic(text);
                let read = || Rc::new(Prefix::of(&summary::read(before, &set.readers)));
                Rc::clone(included.entry(before).or_insert_with(read))
            }
            (PartyText::Own(_), None) => Rc::new(Prefix::default()),
        });
    }
    prefixes
}

/// What stands before mnemonics is told from them.
pub(super) fn check_prefixes(parties: &[Party<'_>], shapes: &Shapes, diag: &mut Diagnostics) {
    let prefixes = prefixes(parties, shapes);
    let mut first_words: BTreeMap<&str, &Party<'_>> = BTreeMap::new();
    for party in parties {
        let word = party.mnemonic.split('.').next().unwrap_or_default();
        first_words.entry(word).or_insert(party);
    }
    let mut before_operands = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for (party, prefix) in parties.iter().zip(&prefixes) {
        prefix.before_operands.iter().for_each(|&mark| {
            before_operands.entry(mark).or_insert(party);
        });
        let clash = prefix.words.iter().find_map(|word| Some((word, first_words.get(&**word)?)));
        if let Some((word, other)) = clash
            && reported.insert(word.clone())
        {
            let message = format!(
                "`{word}` stands before the mnemonic of `{}`, and is the mnemonic of `{}`\nhelp: \
                 give one of the two another name",
                party.name, other.name
            );
            let own = if matches!(party.text, PartyText::Own(_)) { party } else { other };
            diag.error(Code::Unparsable, own.name.span(), message);
        }
        if prefix.begins_with_operand && reported.insert(String::new()) {
            let message = format!(
                "the text of `{}` begins with an operand, which could be a mnemonic\nhelp: put a \
                 mark before it, such as `@`",
                party.name
            );
            diag.error(Code::Unparsable, party.name.span(), message);
        }
    }
    for (party, prefix) in parties.iter().zip(&prefixes) {
        let marks = &prefix.before_mnemonic;
        let clash = marks.iter().find_map(|mark| Some((mark, before_operands.get(mark)?)));
        if let Some((mark, other)) = clash
            && reported.insert(mark.to_string())
        {
            let message = format!(
                "behind `{mark}` stands the mnemonic of `{}`, and an operand of `{}`\nhelp: put \
                 other text before one of the two",
                party.name, other.name
            );
            diag.error(Code::Unparsable, party.name.span(), message);
        }
    }
}
