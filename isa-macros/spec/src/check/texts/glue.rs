//! Words that print without a blank between them: read back, they are one word.

use std::rc::Rc;

use super::Apart;
use super::grammar::{Filler, Lexicon, Reader};
use super::product::{Forms, Side};
use crate::diag::{Code, Diagnostics};
use crate::model::text::{Mark, Modifier, Part, Slot};
use crate::model::{Init, Model, Opcode, is_word};

/// How a text begins that goes on with the word before it: with a name, or with a digit.
const WORDS: [&str; 2] = ["_", "0*"];

/// What may print directly before a part and end in a word, which is read as a whole.
#[derive(Clone, PartialEq)]
enum End {
    /// A mnemonic, a modifier, the name of a value.
    Word(String),
    /// An operand of a kind or format.
    Operand(Rc<Reader>),
}

/// All that may; but of several words the first.
type Before = Vec<End>;

/// Finds what prints directly behind a word: names and fixed text that go on with it are faults. That no
/// kind or format ends in a word there, or begins with a letter or a digit, the expansion must assert.
pub(super) struct Glue<'c> {
    pub(super) model: &'c Model,
    pub(super) lexicon: &'c Lexicon<'c>,
    pub(super) opcode: &'c Opcode,
    pub(super) claims: &'c mut Vec<Apart>,
    pub(super) diag: &'c mut Diagnostics,
}

impl Glue<'_> {
    pub(super) fn check(mut self) {
        self.parts(&self.opcode.text.parts, Vec::new());
    }

    /// Looks at parts behind what may end in a word, and gives what they may end with.
    fn parts(&mut self, parts: &[Part], mut before: Before) -> Before {
        let syntax = &self.model.syntaxes[self.opcode.syntax];
        for part in parts {
            before = match part {
                // Fixed text is read as far as it goes, be it a part of a word.
                Part::Text(text) => {
                    self.text(text, &before);
                    Vec::new()
                }
                Part::Mnemonic => last_word(&syntax.mnemonic).into_iter().collect(),
                Part::Modifiers(modifiers) => self.behind_modifiers(modifiers, before),
                Part::Slot(slot) => self.slot(slot, &before),
                // A word before it stays before what follows, where the part is left out.
                Part::Optional(inner) => both(self.parts(inner, before.clone()), before),
                Part::Settings(_) => Vec::new(),
            };
        }
        before
    }

    fn slot(&mut self, Slot { value, marks, modifiers }: &Slot, before: &[End]) -> Before {
        let filler = self.lexicon.any(self.opcode, value.place);
        let always = |mark: &&Mark| {
            let field = self.model.at(self.opcode, mark.shown.place);
            matches!(field.init, Init::Fixed(raw) if raw == mark.present)
        };
        for end in before.iter().filter(|_| !marks.iter().any(|mark| always(&mark))) {
            match &filler {
                Filler::Names(names) => {
                    if let Some(name) = names.iter().find(|name| name.starts_with(is_word)) {
                        self.refuse(end, name);
                    }
                }
                Filler::Read(reader, _) => self.claim(end, reader, &filler),
            }
        }
        // The mark that closes stands behind the modifiers.
        if marks.iter().filter(always).any(|mark| !mark.close.is_empty()) {
            return Vec::new();
        }
        let end = match filler {
            Filler::Names(names) => {
                names.iter().find(|name| name.ends_with(is_word)).cloned().map(End::Word)
            }
            Filler::Read(reader, _) => Some(End::Operand(reader)),
        };
        self.behind_modifiers(modifiers, end.into_iter().collect())
    }

    fn text(&mut self, text: &str, before: &[End]) {
        let behind = text.find(|c| !is_word(c)).unwrap_or(text.len());
        for end in before.iter().filter(|_| behind > 0) {
            self.refuse(end, &text[..behind]);
        }
    }

    /// A word `next` prints directly behind an end: a fault, unless the end is that of an operand whose
    /// text ends with another sign.
    fn refuse(&mut self, end: &End, next: &str) {
        let span = self.model.syntaxes[self.opcode.syntax].span;
        match end {
            End::Word(word) => {
                let message = format!(
                    "this syntax cannot be read back: `{word}` prints directly before `{next}`, and both are \
                     read as one word\nhelp: leave out the `_` between them"
                );
                self.diag.error(Code::Unparsable, span, message);
            }
            End::Operand(reader) => {
                let message = self.one_word(
                    &format!("`{}` prints directly before `{next}`", reader.name),
                    "the constant `PARTS` says that the text ends with another sign",
                );
                self.assert(going_on(reader), words(), message);
            }
        }
    }

    /// An operand prints directly behind an end.
    fn claim(&mut self, end: &End, next: &Reader, filler: &Filler) {
        let begins = format!("`{}`, which can begin with a letter or a digit", next.name);
        let behind = |word| format!("{word} prints directly before {begins}");
        let (side, message) = match end {
            End::Word(word) => {
                let help = "the constant `FORMS` says how the text begins";
                (words(), self.one_word(&behind(format!("`{word}`")), help))
            }
            End::Operand(reader) => {
                let help = "the constants `PARTS` of the first and `FORMS` of the second say how their texts \
                            end and begin";
                let message = self.one_word(&behind(format!("`{}`", reader.name)), help);
                (going_on(reader), message)
            }
        };
        self.assert(side, Side::of(filler), message);
    }

    fn one_word(&self, what: &str, help: &str) -> String {
        format!(
            "[ISA0040] the text of `{}` cannot be read back: {what}, so that both are read as one \
             word\nhelp: leave out the `_` between them; or {help}",
            self.opcode.name
        )
    }

    fn assert(&mut self, a: Side, b: Side, message: String) {
        let span = self.model.syntaxes[self.opcode.syntax].span;
        self.claims.push(Apart { span, steps: vec![vec![(a, b)]], fold: false, message });
    }

    /// What a part may end with behind modifiers: what it ends with without them, each of which may print
    /// nothing, and their values.
    fn behind_modifiers(&self, modifiers: &[Modifier], before: Before) -> Before {
        let ends = modifiers.iter().filter_map(|modifier| {
            match self.lexicon.any(self.opcode, modifier.shown.place) {
                Filler::Names(names) => Some(End::Word(format!(".{}", names.first()?))),
                Filler::Read(reader, _) => Some(End::Operand(reader)),
            }
        });
        both(before, ends.collect())
    }
}

/// All ends of two lists, but of several words the first.
fn both(mut first: Before, second: Before) -> Before {
    for end in second {
        let is_new = match end {
            End::Word(_) => !first.iter().any(|known| matches!(known, End::Word(_))),
            End::Operand(_) => !first.contains(&end),
        };
        if is_new {
            first.push(end);
        }
    }
    first
}

/// What goes on with a word.
fn words() -> Side {
    Side { prefix: String::new(), forms: Forms::Given(WORDS.map(str::to_owned).to_vec()) }
}

/// What goes on with the last word of an operand.
fn going_on(reader: &Rc<Reader>) -> Side {
    Side { prefix: String::new(), forms: Forms::GoingOn(Rc::clone(reader)) }
}

/// The word that a text ends with.
fn last_word(text: &str) -> Option<End> {
    let start = text.trim_end_matches(is_word).len();
    text.get(start..).filter(|word| !word.is_empty()).map(|word| End::Word(word.to_owned()))
}
