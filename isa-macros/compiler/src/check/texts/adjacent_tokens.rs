//! Checks text that is printed without a space in between: two words that would be parsed as one, and a
//! `/` that would begin a comment.

use std::rc::Rc;

use super::DisjointnessClaim;
use super::grammar::{FieldText, Lexicon, OpaqueText, Pairs, TextStart, TokenPatterns};
use crate::diag::{Code, Diagnostics};
use crate::model::opcode_template::{
    self, AfterOperand, BoundAffix, Modifier, OperandSlot, TemplatePart,
};
use crate::model::{Init, Model, Opcode, is_word};

/// The token patterns of text that continues a word: text that begins with a letter, `_` or a digit.
const WORDS: [&str; 2] = ["_", "0*"];

/// A token that may be printed directly before a part and be parsed together with it.
#[derive(Clone, PartialEq)]
enum End {
    /// A mnemonic, a modifier, or the name of a value: a word, which is parsed as a whole.
    Word(String),
    /// An operand with a type or format, whose text may end in a word.
    Operand(Rc<OpaqueText>),
    /// The `/` at the end of a fixed text.
    Slash,
}

/// All ends that may come before a part. If several of them are words, only the first word is kept.
type Before = Vec<End>;

/// Finds text that is printed directly after a word or a `/`. Names and fixed text that continue the
/// word or begin a comment are errors. For operand types and formats, the expansion contains
/// assertions: the text before must not end in a word, or the text after must not continue the word.
pub(super) struct AdjacencyCheck<'c> {
    pub(super) model: &'c Model,
    pub(super) lexicon: &'c Lexicon<'c>,
    pub(super) opcode: &'c Opcode,
    pub(super) claims: &'c mut Vec<DisjointnessClaim>,
    pub(super) diag: &'c mut Diagnostics,
}

impl AdjacencyCheck<'_> {
    pub(super) fn check(mut self) {
        self.parts(&self.opcode.text.parts, Vec::new());
    }

    /// Checks parts that follow the ends `before`, and returns the ends of these parts.
    fn parts(&mut self, parts: &[TemplatePart], mut before: Before) -> Before {
        let syntax = &self.model.syntaxes[self.opcode.syntax];
        for part in parts {
            before = match part {
                TemplatePart::Text(text) => self.text(text, before),
                TemplatePart::Mnemonic => {
                    let ends = self.text(&syntax.mnemonic, before);
                    let last = match syntax.mnemonic.ends_with('.') {
                        // A word after the dot would be parsed as a modifier.
                        true => Some(End::Word(syntax.mnemonic.clone())),
                        false => last_word(&syntax.mnemonic),
                    };
                    both(ends, last.into_iter().collect())
                }
                TemplatePart::Modifiers(modifiers) => self.behind_modifiers(modifiers, before),
                TemplatePart::Slot(slot) => self.slot(slot, before),
                // If the part is omitted, the text before it is followed by the next part.
                TemplatePart::Optional(inner) => {
                    let ends = self.parts(inner, before.clone());
                    match opcode_template::may_be_left_out(self.model, self.opcode, inner) {
                        true => both(ends, before),
                        false => ends,
                    }
                }
                TemplatePart::Settings(_) => Vec::new(),
            };
        }
        before
    }

    fn slot(&mut self, slot: &OperandSlot, mut before: Before) -> Before {
        let OperandSlot { value, marks, .. } = slot;
        for mark in marks {
            before = self.mark(mark, &mark.open, before);
        }
        let filler = self.lexicon.any(self.opcode, value.place);
        for end in &before {
            match &filler {
                FieldText::Names(names) => {
                    if let Some(name) = names.iter().find(|name| end.goes_on_with(name)) {
                        self.refuse(end, name);
                    }
                }
                FieldText::Read(reader, _) => self.claim(end, reader),
            }
        }
        let end = match filler {
            FieldText::Names(names) => {
                names.iter().find(|name| name.ends_with(is_word)).cloned().map(End::Word)
            }
            FieldText::Read(reader, _) => Some(End::Operand(reader)),
        };
        slot.after_operand().into_iter().fold(end.into_iter().collect(), |before, behind| {
            match behind {
                AfterOperand::Modifier(modifier) => self.behind_modifiers(&[modifier], before),
                AfterOperand::Close(mark) => self.mark(mark, &mark.close, before),
            }
        })
    }

    /// Checks the text of a prefix or suffix operator. This text is printed if the field of the
    /// operator has the operator's value.
    fn mark(&mut self, mark: &BoundAffix, text: &str, before: Before) -> Before {
        let field = self.model.at(self.opcode, mark.shown.place);
        match field.init {
            Init::Fixed(raw) if raw == mark.present => self.text(text, before),
            Init::Fixed(_) => before,
            _ => both(self.text(text, before.clone()), before),
        }
    }

    /// Checks fixed text. The parser matches it character by character, even inside a word.
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

    /// Reports text that is printed directly after an end and continues it. If the end is an operand,
    /// asserts instead that the text of the operand does not end in a word.
    fn refuse(&mut self, end: &End, next: &str) {
        let span = self.model.syntaxes[self.opcode.syntax].span;
        match end {
            End::Word(word) => {
                let message = format!(
                    "this template does not round-trip: `{word}` is printed directly before \
                     `{next}`, and both are parsed as one word\nhelp: remove the `_` between them"
                );
                self.diag.error(Code::NoRoundTrip, span, message);
            }
            End::Operand(reader) => {
                let message = self.one_word(
                    &format!("`{}` is printed directly before `{next}`", reader.name),
                    "declare in the constant `PARTS` that the text ends with another character",
                );
                self.assert(vec![(going_on(reader), words())], message);
            }
            End::Slash => {
                let message = format!(
                    "this template does not round-trip: `/` is printed directly before `{next}`, \
                     and `//` and `/*` begin comments\nhelp: put other text between them, or \
                     remove the `_`"
                );
                self.diag.error(Code::NoRoundTrip, span, message);
            }
        }
    }

    /// Asserts that an operand printed directly after an end does not continue it.
    fn claim(&mut self, end: &End, next: &Rc<OpaqueText>) {
        let begins = format!("`{}`, which can begin with a letter or a digit", next.name);
        let reason = |word| format!("{word} is printed directly before {begins}");
        let (side, message) = match end {
            End::Word(word) => {
                let help = "declare in the constant `FORMS` how the text begins";
                (words(), self.one_word(&reason(format!("`{word}`")), help))
            }
            End::Operand(reader) => {
                let help = "declare in `PARTS` of the first how its text ends, and in `FORMS` of \
                            the second how its text begins";
                let message = self.one_word(&reason(format!("`{}`", reader.name)), help);
                (going_on(reader), message)
            }
            End::Slash => return self.claim_no_comment(next),
        };
        self.assert(vec![(side, TextStart::begins(TokenPatterns::Of(Rc::clone(next))))], message);
    }

    /// Asserts that an operand printed directly after a `/` does not begin a comment.
    fn claim_no_comment(&mut self, next: &Rc<OpaqueText>) {
        let message = format!(
            "{code} the template of `{}` does not round-trip: `/` is printed directly before \
             `{}`, which can begin with `/` or `*`, and `//` and `/*` begin comments\nhelp: put \
             other text between them, remove the `_`, or declare in the constant `FORMS` how the text \
             begins",
            self.opcode.name,
            next.name,
            code = Code::NoRoundTrip
        );
        let operand = || TextStart::begins(TokenPatterns::Of(Rc::clone(next)));
        let pairs = ["/", "*"].map(|sign| (TextStart::given(sign, "*"), operand()));
        self.assert(pairs.into(), message);
    }

    fn one_word(&self, what: &str, help: &str) -> String {
        format!(
            "{code} the template of `{}` does not round-trip: {what}, so both are parsed as one \
             word\nhelp: remove the `_` between them, or {help}",
            self.opcode.name,
            code = Code::NoRoundTrip
        )
    }

    /// Adds the assertion that the two patterns of each pair are disjoint.
    fn assert(&mut self, pairs: Pairs, message: String) {
        let span = self.model.syntaxes[self.opcode.syntax].span;
        self.claims.push(DisjointnessClaim { span, steps: vec![pairs], fold: false, message });
    }

    /// Returns the possible ends of the text after `modifiers`: the values of the modifiers, and the
    /// ends in `before`, because every modifier may be omitted.
    fn behind_modifiers(&self, modifiers: &[Modifier], before: Before) -> Before {
        let ends = modifiers.iter().filter_map(|modifier| {
            match self.lexicon.any(self.opcode, modifier.shown.place) {
                FieldText::Names(names) => Some(End::Word(format!(".{}", names.first()?))),
                FieldText::Read(reader, _) => Some(End::Operand(reader)),
            }
        });
        both(before, ends.collect())
    }
}

impl End {
    /// Returns whether text printed directly after the end is parsed together with it. An operand is
    /// treated as if it ended in a word.
    fn goes_on_with(&self, text: &str) -> bool {
        match self {
            End::Word(_) | End::Operand(_) => text.starts_with(is_word),
            End::Slash => text.starts_with(['/', '*']),
        }
    }
}

/// Combines two lists of ends. If both contain a word, only the first word is kept.
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

/// Returns the pattern of all text that becomes a part of a word if it is printed directly after the
/// word.
fn words() -> TextStart {
    TextStart::begins(TokenPatterns::Given(WORDS.map(str::to_owned).to_vec()))
}

/// Returns the pattern of all text that becomes a part of an operand's last word if it is printed
/// directly after the operand.
fn going_on(reader: &Rc<OpaqueText>) -> TextStart {
    TextStart::begins(TokenPatterns::GoingOn(Rc::clone(reader)))
}

/// Returns the word that a text ends with.
fn last_word(text: &str) -> Option<End> {
    let start = text.trim_end_matches(is_word).len();
    text.get(start..).filter(|word| !word.is_empty()).map(|word| End::Word(word.to_owned()))
}
