//! What prints without a blank between it: words that are one word when they are read back, and a `/` with
//! which a comment begins.

use std::rc::Rc;

use super::DisjointnessClaim;
use super::grammar::{Filler, Lexicon, Reader};
use super::product::{Forms, Pairs, Side};
use crate::diag::{Code, Diagnostics};
use crate::model::text::{self, Behind, Mark, Modifier, Part, Slot};
use crate::model::{Init, Model, Opcode, is_word};

/// How a text begins that goes on with the word before it: with a name, or with a digit.
const WORDS: [&str; 2] = ["_", "0*"];

/// What may print directly before a part and be read together with it.
#[derive(Clone, PartialEq)]
enum End {
    /// A mnemonic, a modifier, the name of a value: a word, which is read as a whole.
    Word(String),
    /// An operand of a kind or format, which may end in a word.
    Operand(Rc<Reader>),
    /// The `/` at the end of a fixed text.
    Slash,
}

/// All that may; but of several words the first.
type Before = Vec<End>;

/// Finds what prints directly behind a word or a `/`: names and fixed text that go on with it are faults. That
/// no kind or format ends in a word there, or begins so that it goes on, the expansion must assert.
pub(super) struct Glue<'c> {
    pub(super) model: &'c Model,
    pub(super) lexicon: &'c Lexicon<'c>,
    pub(super) opcode: &'c Opcode,
    pub(super) claims: &'c mut Vec<DisjointnessClaim>,
    pub(super) diag: &'c mut Diagnostics,
}

impl Glue<'_> {
    pub(super) fn check(mut self) {
        self.parts(&self.opcode.text.parts, Vec::new());
    }

    /// Looks at parts behind what may go on with them, and gives what they may end with.
    fn parts(&mut self, parts: &[Part], mut before: Before) -> Before {
        let syntax = &self.model.syntaxes[self.opcode.syntax];
        for part in parts {
            before = match part {
                Part::Text(text) => self.text(text, before),
                Part::Mnemonic => {
                    let ends = self.text(&syntax.mnemonic, before);
                    let last = match syntax.mnemonic.ends_with('.') {
                        // A word behind the dot would be read as a modifier.
                        true => Some(End::Word(syntax.mnemonic.clone())),
                        false => last_word(&syntax.mnemonic),
                    };
                    both(ends, last.into_iter().collect())
                }
                Part::Modifiers(modifiers) => self.behind_modifiers(modifiers, before),
                Part::Slot(slot) => self.slot(slot, before),
                // A word before it stays before what follows, where the part is left out.
                Part::Optional(inner) => {
                    let ends = self.parts(inner, before.clone());
                    match text::may_be_left_out(self.model, self.opcode, inner) {
                        true => both(ends, before),
                        false => ends,
                    }
                }
                Part::Settings(_) => Vec::new(),
            };
        }
        before
    }

    fn slot(&mut self, slot: &Slot, mut before: Before) -> Before {
        let Slot { value, marks, .. } = slot;
        for mark in marks {
            before = self.mark(mark, &mark.open, before);
        }
        let filler = self.lexicon.any(self.opcode, value.place);
        for end in &before {
            match &filler {
                Filler::Names(names) => {
                    if let Some(name) = names.iter().find(|name| end.goes_on_with(name)) {
                        self.refuse(end, name);
                    }
                }
                Filler::Read(reader, _) => self.claim(end, reader),
            }
        }
        let end = match filler {
            Filler::Names(names) => {
                names.iter().find(|name| name.ends_with(is_word)).cloned().map(End::Word)
            }
            Filler::Read(reader, _) => Some(End::Operand(reader)),
        };
        slot.behind().into_iter().fold(end.into_iter().collect(), |before, behind| match behind {
            Behind::Modifier(modifier) => self.behind_modifiers(&[modifier], before),
            Behind::Close(mark) => self.mark(mark, &mark.close, before),
        })
    }

    /// The text of a mark, which prints where its field has the value that it stands for.
    fn mark(&mut self, mark: &Mark, text: &str, before: Before) -> Before {
        let field = self.model.at(self.opcode, mark.shown.place);
        match field.init {
            Init::Fixed(raw) if raw == mark.present => self.text(text, before),
            Init::Fixed(_) => before,
            _ => both(self.text(text, before.clone()), before),
        }
    }

    /// Fixed text, which is read as far as it goes, be it a part of a word.
    fn text(&mut self, text: &str, before: Before) -> Before {
        if text.is_empty() {
            return before;
        }
        let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
        for end in before.iter().filter(|end| end.goes_on_with(text)) {
            self.refuse(end, text.get(..word.max(1)).unwrap_or(text));
        }
        if text.ends_with('/') { vec![End::Slash] } else { Vec::new() }
    }

    /// Text that goes on with an end prints directly behind it: a fault, unless the end is that of an operand
    /// whose text ends with another sign.
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
                self.assert(vec![(going_on(reader), words())], message);
            }
            End::Slash => {
                let message = format!(
                    "this syntax cannot be read back: `/` prints directly before `{next}`, and `//` and `/*` \
                     begin comments\nhelp: put other text between them, or leave out the `_`"
                );
                self.diag.error(Code::Unparsable, span, message);
            }
        }
    }

    /// An operand prints directly behind an end.
    fn claim(&mut self, end: &End, next: &Rc<Reader>) {
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
            End::Slash => return self.claim_no_comment(next),
        };
        self.assert(vec![(side, Side::begins(Forms::Of(Rc::clone(next))))], message);
    }

    /// An operand prints directly behind a `/`.
    fn claim_no_comment(&mut self, next: &Rc<Reader>) {
        let message = format!(
            "[ISA0040] the text of `{}` cannot be read back: `/` prints directly before `{}`, which can begin \
             with `/` or `*`, and `//` and `/*` begin comments\nhelp: put other text between them, or leave out \
             the `_`; or the constant `FORMS` says how the text begins",
            self.opcode.name, next.name
        );
        let operand = || Side::begins(Forms::Of(Rc::clone(next)));
        let pairs = ["/", "*"].map(|sign| (Side::given(sign, "*"), operand()));
        self.assert(pairs.into(), message);
    }

    fn one_word(&self, what: &str, help: &str) -> String {
        format!(
            "[ISA0040] the text of `{}` cannot be read back: {what}, so that both are read as one \
             word\nhelp: leave out the `_` between them; or {help}",
            self.opcode.name
        )
    }

    /// The expansion must assert that each of some pairs is told apart.
    fn assert(&mut self, pairs: Pairs, message: String) {
        let span = self.model.syntaxes[self.opcode.syntax].span;
        self.claims.push(DisjointnessClaim { span, steps: vec![pairs], fold: false, message });
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

impl End {
    /// Whether a text that prints directly behind is read together with the end. An operand counts as one
    /// that ends in a word.
    fn goes_on_with(&self, text: &str) -> bool {
        match self {
            End::Word(_) | End::Operand(_) => text.starts_with(is_word),
            End::Slash => text.starts_with(['/', '*']),
        }
    }
}

/// All ends of two lists, but of several words the first.
fn both(mut first: Before, second: Before) -> Before {
    for end in second {
        let is_new = match end {
            End::Word(_) => !first.iter().any(|known| matches!(known, End::Word(_))),
            End::Operand(_) | End::Slash => !first.contains(&end),
        };
        if is_new {
            first.push(end);
        }
    }
    first
}

/// Any text that, directly behind a word, is read as a part of the word.
fn words() -> Side {
    Side::begins(Forms::Given(WORDS.map(str::to_owned).to_vec()))
}

/// Any text that, directly behind an operand, is read as a part of the operand's last word.
fn going_on(reader: &Rc<Reader>) -> Side {
    Side::begins(Forms::GoingOn(Rc::clone(reader)))
}

/// The word that a text ends with.
fn last_word(text: &str) -> Option<End> {
    let start = text.trim_end_matches(is_word).len();
    text.get(start..).filter(|word| !word.is_empty()).map(|word| End::Word(word.to_owned()))
}
