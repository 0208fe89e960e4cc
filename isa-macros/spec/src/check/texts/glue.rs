//! Words that print without a blank between them: read back, they are one word.

use super::Apart;
use super::grammar::{Filler, Lexicon, Reader};
use super::product::{Forms, Side};
use crate::diag::{Code, Diagnostics};
use crate::model::text::{Modifier, Part, Slot};
use crate::model::{Init, Model, Opcode, is_word};

/// How a text begins that goes on with the word before it: with a name, or with a digit.
const WORDS: [&str; 2] = ["_", "0*"];

/// A word that may print directly before a part and is read as a whole: a mnemonic, a modifier, the name of
/// a value. `None` where no such word is known.
type Before = Option<String>;

/// Finds what prints directly behind a word: names and fixed text that go on with it are faults. That no
/// kind or format begins with a letter or a digit, the expansion must assert.
pub(super) struct Glue<'c> {
    pub(super) model: &'c Model,
    pub(super) lexicon: &'c Lexicon<'c>,
    pub(super) opcode: &'c Opcode,
    pub(super) claims: &'c mut Vec<Apart>,
    pub(super) diag: &'c mut Diagnostics,
}

impl Glue<'_> {
    pub(super) fn check(mut self) {
        self.parts(&self.opcode.text.parts, None);
    }

    /// Looks at parts that follow a word, if there is one, and gives the word that they end with.
    fn parts(&mut self, parts: &[Part], mut before: Before) -> Before {
        let syntax = &self.model.syntaxes[self.opcode.syntax];
        for part in parts {
            before = match part {
                // Fixed text is read as far as it goes, be it a part of a word.
                Part::Text(text) => {
                    self.text(text, before);
                    None
                }
                Part::Mnemonic => last_word(&syntax.mnemonic),
                Part::Modifiers(modifiers) => self.behind_modifiers(modifiers, before),
                Part::Slot(slot) => self.slot(slot, before),
                // A word before it stays before what follows, where the part is left out.
                Part::Optional(inner) => self.parts(inner, before.clone()).or(before),
                Part::Settings(_) => None,
            };
        }
        before
    }

    fn slot(&mut self, Slot { value, marks, modifiers }: &Slot, before: Before) -> Before {
        let filler = self.lexicon.any(self.opcode, value.place);
        let is_open = marks.iter().all(|mark| {
            let field = self.model.at(self.opcode, mark.shown.place);
            !matches!(field.init, Init::Fixed(raw) if raw == mark.present)
        });
        if let (Some(word), true) = (&before, is_open) {
            match &filler {
                Filler::Names(names) => {
                    if let Some(name) = names.first() {
                        self.refuse(word, name);
                    }
                }
                Filler::Read(reader, _) => self.claim(word, reader, &filler),
            }
        }
        let end = match (&filler, marks.iter().any(|mark| !mark.close.is_empty())) {
            (Filler::Names(names), false) => names.first().cloned(),
            _ => None,
        };
        self.behind_modifiers(modifiers, end)
    }

    fn text(&mut self, text: &str, before: Before) {
        if let Some(word) = before.filter(|_| text.starts_with(is_word)) {
            let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
            self.refuse(&word, &text[..end]);
        }
    }

    fn refuse(&mut self, word: &str, next: &str) {
        let message = format!(
            "this syntax cannot be read back: `{word}` prints directly before `{next}`, and both are read as \
             one word\nhelp: leave out the `_` between them"
        );
        let span = self.model.syntaxes[self.opcode.syntax].span;
        self.diag.error(Code::Unparsable, span, message);
    }

    fn claim(&mut self, word: &str, reader: &Reader, filler: &Filler) {
        let message = format!(
            "[ISA0040] the text of `{}` cannot be read back: `{word}` prints directly before a `{}`, which can \
             begin with a letter or a digit, so that both are read as one word\nhelp: leave out the `_` \
             between them; or the constant `FORMS` says how the text begins",
            self.opcode.name, reader.name
        );
        let forms = Forms::Given(WORDS.map(str::to_owned).to_vec());
        let steps = vec![vec![(Side::of(filler), Side { prefix: String::new(), forms })]];
        let span = self.model.syntaxes[self.opcode.syntax].span;
        self.claims.push(Apart { span, steps, fold: false, message });
    }

    /// The word before a part that follows modifiers: the one before the modifiers, each of which may print
    /// nothing; without it a value of the last modifier that has names.
    fn behind_modifiers(&self, modifiers: &[Modifier], before: Before) -> Before {
        let mut names = modifiers.iter().rev().filter_map(|modifier| {
            match self.lexicon.any(self.opcode, modifier.shown.place) {
                Filler::Names(names) => Some(format!(".{}", names.first()?)),
                Filler::Read(..) => None,
            }
        });
        before.or_else(|| names.next())
    }
}

/// The word that a text ends with.
fn last_word(text: &str) -> Before {
    let start = text.trim_end_matches(is_word).len();
    text.get(start..).filter(|word| !word.is_empty()).map(str::to_owned)
}
