//! Checks names of values that contain dots.
//!
//! Each modifier follows a dot, so a name such as `STRONG.SYS` looks like two modifiers. The parser takes
//! the longest name of a value set. The rules for modifiers compare whole names, so no text may be divided
//! into names in two ways. If the beginning of a name is another name, no opcode of the mnemonic may accept
//! this other name followed by a name that begins with the next word.

use std::collections::{BTreeMap, BTreeSet};

use super::grammar::{FieldText, TextPart};
use super::shapes::TextShapes;
use super::{Spelling, SpellingText};
use crate::diag::{Code, Diagnostics};
use crate::model::{Model, NamedValue, Opcode, is_word};

/// The names of values that the text of an opcode can contain.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct OpcodeNames {
    /// The names of each value set. An opcode of another call has only the names that it accepts.
    sets: BTreeSet<Vec<String>>,
    /// The words that can follow a dot: the first word of each name, and words of fixed text.
    first_words: BTreeSet<String>,
    /// The first Rust type that parses modifiers.
    modifier_type: Option<String>,
}

/// Reports names with dots that can be divided in two ways.
pub(super) fn check_dotted_names(
    model: &Model,
    spellings: &[Spelling<'_>],
    shapes: &TextShapes,
    diag: &mut Diagnostics,
) {
    if !shapes.all.iter().any(|shape| has_dots(&shape.parts)) {
        return;
    }
    // For each mnemonic, the first spelling of this call, and the names of each spelling.
    let mut mnemonics: BTreeMap<&str, (Option<&Spelling<'_>>, BTreeSet<OpcodeNames>)> =
        BTreeMap::new();
    for (spelling, shape) in spellings.iter().zip(&shapes.of) {
        let Some(shape) = *shape else { continue };
        let (own, all) = mnemonics.entry(&*spelling.mnemonic).or_default();
        let mut names = OpcodeNames::default();
        let is_own = if let SpellingText::Own(opcode) = spelling.text {
            own.get_or_insert(spelling);
            names.add_values(model, opcode);
            true
        } else {
            false
        };
        // The value sets of this call are complete, so their parts are not needed.
        names.add_parts(&shapes.all[shape].parts, !is_own);
        all.insert(names);
    }
    for (mnemonic, (own, all)) in &mnemonics {
        let Some(own) = own else { continue };
        let words =
            |other: &&str| Some(other.strip_prefix(*mnemonic)?.strip_prefix('.')?.to_owned());
        let longer: Vec<String> = mnemonics.keys().filter_map(words).collect();
        let dotted = all.iter().flat_map(|names| names.sets.iter().flatten());
        let dotted: BTreeSet<&String> = dotted.filter(|name| name.contains('.')).collect();
        let fault = dotted.into_iter().find_map(|name| {
            let first = name.split('.').next();
            if longer.iter().any(|other| other.split('.').next() == first) {
                return Some(format!("the first word of `{name}` is part of another mnemonic"));
            }
            all.iter().find_map(|names| names.fault(name))
        });
        if let Some(fault) = fault {
            let message = format!(
                "{fault} in the text of `{}`\nhelp: rename one of the two values",
                own.written
            );
            diag.error(Code::AmbiguousModifier, own.name.span(), message);
        }
    }
}

impl OpcodeNames {
    fn add(&mut self, names: impl Iterator<Item = String>) {
        let names: Vec<String> = names.collect();
        let first = names.iter().filter_map(|name| name.split('.').next());
        self.first_words.extend(first.map(str::to_owned));
        self.sets.insert(names);
    }

    /// Adds all names of the value sets of an opcode.
    fn add_values(&mut self, model: &Model, opcode: &Opcode) {
        for &place in opcode.bind.iter().flatten() {
            let values = model.field_types[model.at(opcode, place).ty].values();
            let names = values.iter().flat_map(NamedValue::spellings);
            self.add(names.map(|name| match model.any_case {
                Some(_) => name.to_ascii_lowercase(),
                None => name.clone(),
            }));
        }
    }

    /// Adds the words of fixed text and, if `with_names` is true, the names of values.
    fn add_parts(&mut self, parts: &[TextPart], with_names: bool) {
        for part in parts {
            match part {
                TextPart::Mnemonic => {}
                TextPart::Text(text) => {
                    let words = text.split('.').skip(1);
                    let word = |text: &str| text.split(|c| !is_word(c)).next().map(str::to_owned);
                    self.first_words.extend(words.filter_map(word));
                }
                TextPart::Value(filler) => self.filler(filler, with_names),
                TextPart::Tags(fillers) => {
                    fillers.iter().for_each(|filler| self.filler(filler, with_names));
                }
                TextPart::Dots(dots) => {
                    for dot in dots {
                        self.filler(&dot.filler, with_names);
                        if let FieldText::Read(reader, _) = &dot.filler {
                            self.modifier_type.get_or_insert_with(|| reader.name.clone());
                        }
                    }
                }
                TextPart::Choice(choices) => {
                    choices.iter().for_each(|parts| self.add_parts(parts, with_names));
                }
            }
        }
    }

    fn filler(&mut self, filler: &FieldText, with_names: bool) {
        if let (FieldText::Names(names), true) = (filler, with_names) {
            self.add(names.iter().cloned());
        }
    }

    /// Explains how a text with `name`, which this or another opcode accepts, can be divided in another
    /// way.
    fn fault(&self, name: &str) -> Option<String> {
        let has = |set: &&Vec<String>, name: &str| set.iter().any(|own| own == name);
        let is_own = self.sets.iter().any(|set| has(&set, name));
        name.match_indices('.').find_map(|(dot, _)| {
            let (start, rest) = (&name[..dot], &name[dot + 1..]);
            let mut with_start = self.sets.iter().filter(|set| has(set, start)).peekable();
            with_start.peek()?;
            if is_own && with_start.any(|set| !has(&set, name)) {
                return Some(format!("`{name}` and `{start}` belong to different value sets"));
            }
            let next = rest.split('.').next().unwrap_or_default();
            if self.first_words.contains(next) || self.first_words.contains("") {
                return Some(format!("`{name}` can also be `{start}` and `{next}`"));
            }
            let modifier = self.modifier_type.as_ref()?;
            Some(format!("`{name}` can also be `{start}` and a `{modifier}`"))
        })
    }
}

/// Returns whether a name of a value contains a dot.
fn has_dots(parts: &[TextPart]) -> bool {
    let is_dotted = |filler: &FieldText| match filler {
        FieldText::Names(names) => names.iter().any(|name| name.contains('.')),
        FieldText::Read(..) => false,
    };
    parts.iter().any(|part| match part {
        TextPart::Mnemonic | TextPart::Text(_) => false,
        TextPart::Value(filler) => is_dotted(filler),
        TextPart::Dots(dots) => dots.iter().any(|dot| is_dotted(&dot.filler)),
        TextPart::Tags(fillers) => fillers.iter().any(is_dotted),
        TextPart::Choice(choices) => choices.iter().any(|parts| has_dots(parts)),
    })
}
