//! Describes the assembly text of an opcode as a list of parts, reduced to the text that its fields can
//! produce.

use std::cell::OnceCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::case::folded_filler;
use crate::model::paths::{format_text, kind_text};
use crate::model::text::{self, Mark, Modifier, Place, Writer};
use crate::model::{Init, Model, Opcode, Value, is_word};
use crate::syntax::ast::Spelled;

/// A part of a text. A text is a list of parts, at most one of which is [`Part::Mnemonic`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Mnemonic,
    /// Fixed text, with spaces only between two words.
    Text(String),
    /// The value of a field.
    Value(Filler),
    /// Modifiers, each after a dot, in any order.
    Dots(Vec<Dot>),
    /// Trailing attributes, in any order.
    Tags(Vec<Filler>),
    /// One of several lists of parts.
    Choice(Vec<Vec<Part>>),
}

/// A modifier.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dot {
    pub(crate) filler: Filler,
    /// Whether the modifier cannot be omitted.
    pub(crate) mandatory: bool,
}

/// The text that a field can have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filler {
    /// One of these names.
    Names(Rc<Vec<String>>),
    /// Text that a Rust type parses. The macro does not know this text. If some bits of the value are
    /// fixed, only values with these bits are possible.
    Read(Rc<Reader>, Option<Fixed>),
}

/// Bits of a value that are the same in all encodings of an opcode. In a fixed field these are all
/// bits; in a composite operand they may be some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Fixed {
    pub(crate) mask: u64,
    pub(crate) value: u64,
}

impl Fixed {
    /// Creates the description of a value with all bits fixed.
    pub(crate) fn whole(value: u64) -> Self {
        Fixed { mask: u64::MAX, value }
    }

    /// Returns whether the two sets of fixed bits contradict each other, so that no value can have
    /// both.
    pub(crate) fn differ(a: Option<Fixed>, b: Option<Fixed>) -> bool {
        a.zip(b).is_some_and(|(a, b)| (a.value ^ b.value) & a.mask & b.mask != 0)
    }
}

/// The text functions of an operand type or a format, as a Rust expression.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The name for messages: the name in the specification, or the name of the type if the operand
    /// type belongs to an included set.
    pub(crate) name: String,
    pub(crate) path: Spelled,
    /// The text by which two readers are compared.
    pub(super) text: String,
}

impl Reader {
    /// Creates the text functions of an operand type or format that has a name in the specification.
    fn named(name: &Ident, path: TokenStream) -> Self {
        Reader { name: name.to_string(), ..Reader::new(path) }
    }

    /// Creates text functions from a Rust expression: those of an `isa_core` type, or functions that
    /// the declaration of an operand type or format contains.
    pub(crate) fn new(path: TokenStream) -> Self {
        let names: Vec<String> = path
            .clone()
            .into_iter()
            .filter_map(|tree| match tree {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            })
            .collect();
        // A call and the sets that it includes refer to `isa_core` by different paths.
        let is_core = path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Group(_)));
        let path = Spelled::from(path);
        if !is_core {
            let name = names.last().map_or("", String::as_str).replace("__isa_text_", "");
            return Reader { name, text: path.text.clone(), path };
        }
        // Numbers of all widths begin with the same characters.
        let types: Vec<String> =
            names.into_iter().filter(|name| !CORE_WORDS.contains(&name.as_str())).collect();
        let name = types.first().cloned().unwrap_or_default();
        Reader { name, path, text: types.join(" ") }
    }
}

/// Words that do not affect the text if they occur in an expression for the text functions of an
/// `isa_core` type. They are parts of paths, and formats that print exactly as the operand type inside
/// them.
const CORE_WORDS: [&str; 7] =
    ["isa_core", "$crate", "operand", "text_of", "format_of", "Shown", "Twice"];

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Reader {}

impl Hash for Reader {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The text of the operand types and formats of a call, each computed once.
pub(super) struct Lexicon<'m> {
    model: &'m Model,
    kinds: Vec<OnceCell<Filler>>,
    formats: Vec<OnceCell<Rc<Reader>>>,
}

impl<'m> Lexicon<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kinds = vec![OnceCell::new(); model.kinds.len()];
        Lexicon { model, kinds, formats: vec![OnceCell::new(); model.formats.len()] }
    }

    /// Returns whether the set is parsed in any letter case.
    pub(super) fn any_case(&self) -> bool {
        self.model.any_case.is_some()
    }

    /// Returns a filler in the form in which it is compared with others.
    pub(super) fn compared(&self, filler: Filler) -> Filler {
        if self.any_case() { folded_filler(filler) } else { filler }
    }

    /// Returns the parts of the text of an opcode. The opcode must have no errors.
    pub(super) fn text_of(&self, opcode: &Opcode) -> Vec<Part> {
        Lowering { lexicon: self, opcode }.parts(&opcode.text.parts)
    }

    /// Returns the text for all values of the field at index `place`.
    pub(super) fn any(&self, opcode: &Opcode, place: usize) -> Filler {
        let Lexicon { model, kinds, formats } = self;
        match Writer::of(model, opcode, place) {
            Writer::Format(index) => {
                let format = &model.formats[index];
                let new = || Rc::new(Reader::named(&format.name, format_text(format)));
                let reader = formats[index].get_or_init(new);
                Filler::Read(Rc::clone(reader), None)
            }
            Writer::Kind(index) => {
                let kind = &model.kinds[index];
                let reader = || Rc::new(Reader::named(&kind.name, kind_text(kind)));
                kinds[index].get_or_init(|| Filler::Read(reader(), None)).clone()
            }
            Writer::Names => {
                let index = model.at(opcode, place).kind;
                let all = || names_of(model.kinds[index].values().iter());
                kinds[index].get_or_init(all).clone()
            }
        }
    }

    /// Returns the text for those values of a field that `keep` accepts.
    pub(super) fn some(
        &self,
        opcode: &Opcode,
        place: usize,
        mut keep: impl FnMut(u64) -> bool,
    ) -> Filler {
        let kind = &self.model.kinds[self.model.at(opcode, place).kind];
        match self.any(opcode, place) {
            Filler::Names(_) => names_of(kind.values().iter().filter(|value| keep(value.raw))),
            read => read,
        }
    }
}

/// Returns a filler with all names of `values`.
fn names_of<'v>(values: impl Iterator<Item = &'v Value>) -> Filler {
    Filler::Names(Rc::new(values.flat_map(Value::spellings).cloned().collect()))
}

struct Lowering<'l, 'm> {
    lexicon: &'l Lexicon<'m>,
    opcode: &'l Opcode,
}

impl Lowering<'_, '_> {
    fn init(&self, place: usize) -> &Init {
        &self.lexicon.model.at(self.opcode, place).init
    }

    /// Returns the text of the field at index `place` in this opcode. With `only`, the text is limited
    /// to the values in `only`.
    fn filler(&self, place: usize, only: Option<&[u64]>) -> Filler {
        let fixed = match self.init(place) {
            Init::Fixed(raw) => Some(*raw),
            _ => None,
        };
        match (self.lexicon.any(self.opcode, place), fixed) {
            (Filler::Read(reader, _), Some(raw)) => Filler::Read(reader, Some(Fixed::whole(raw))),
            (Filler::Read(reader, _), None) => Filler::Read(reader, self.fixed_part(place)),
            (Filler::Names(_), Some(raw)) => {
                let model = self.lexicon.model;
                let kind = &model.kinds[model.at(self.opcode, place).kind];
                let value = kind.value(raw).filter(|_| only.is_none_or(|o| o.contains(&raw)));
                names_of(value.into_iter())
            }
            (names, None) if only.is_none() => names,
            _ => self.lexicon.some(self.opcode, place, |raw| only.is_none_or(|o| o.contains(&raw))),
        }
    }

    /// Returns the fixed bits of a composite operand. Returns `None` for a format with arguments: the
    /// same text can mean another value if the arguments differ.
    fn fixed_part(&self, place: usize) -> Option<Fixed> {
        let (opcode, model) = (self.opcode, self.lexicon.model);
        let view = opcode.view(place)?;
        let has_arguments = opcode.format_of(place).is_none_or(|format| !format.args.is_empty());
        let mut fixed = Fixed { mask: 0, value: 0 };
        for field in view.of.iter().map(|&place| &model.fields[opcode.fields[place]]) {
            let shifted = |bits: u64| bits.checked_shl(field.width().into()).unwrap_or(0);
            let low = !shifted(u64::MAX);
            fixed = match field.init {
                Init::Fixed(raw) => {
                    Fixed { mask: shifted(fixed.mask) | low, value: shifted(fixed.value) | raw }
                }
                _ => Fixed { mask: shifted(fixed.mask), value: shifted(fixed.value) },
            };
        }
        (fixed.mask != 0 && !has_arguments).then_some(fixed)
    }

    fn parts(&self, own: &[text::Part]) -> Vec<Part> {
        let mut parts = Vec::new();
        for part in own {
            match part {
                text::Part::Text(text) => parts.extend(fixed(text)),
                text::Part::Mnemonic => parts.push(Part::Mnemonic),
                text::Part::Modifiers(modifiers) => parts.push(self.dots(modifiers)),
                text::Part::Optional(inner) => {
                    parts.push(Part::Choice(vec![Vec::new(), self.parts(inner)]));
                }
                text::Part::Settings(settings) => {
                    let fillers = settings.iter().map(|shown| self.filler(shown.place, None));
                    parts.push(Part::Tags(fillers.collect()));
                }
                text::Part::Slot(slot) => parts.extend(self.slot(slot, &slot.marks, &[])),
            }
        }
        parts
    }

    fn dots(&self, modifiers: &[Modifier]) -> Part {
        let dot = |Place { shown, mandatory, only }: &Place| Dot {
            filler: self.filler(shown.place, only.as_deref()),
            mandatory: *mandatory,
        };
        Part::Dots(text::places(modifiers).iter().map(dot).collect())
    }

    /// Returns the parts of a slot, once with and once without each of its prefix and suffix operators.
    /// If the field of an operator is fixed, only one of the two is possible. `open` contains the
    /// operators that still have to be closed, the innermost first.
    fn slot(&self, slot: &text::Slot, marks: &[Mark], open: &[Part]) -> Vec<Part> {
        let Some((mark, inner)) = marks.split_first() else {
            let Part::Dots(dots) = self.dots(&slot.modifiers) else { return Vec::new() };
            let mut parts = vec![Part::Value(self.filler(slot.value.place, None))];
            parts.extend(behind(&dots, open));
            return parts;
        };
        let (first, close) = (fixed(&mark.open), fixed(&mark.close));
        let marked = || {
            let open: Vec<Part> = close.iter().chain(open).cloned().collect();
            first.iter().cloned().chain(self.slot(slot, inner, &open)).collect()
        };
        match *self.init(mark.shown.place) {
            Init::Fixed(raw) if raw == mark.present => marked(),
            Init::Fixed(_) => self.slot(slot, inner, open),
            _ if close.is_empty() => {
                let mut parts = vec![Part::Choice(vec![Vec::new(), first])];
                parts.extend(self.slot(slot, inner, open));
                parts
            }
            _ => vec![Part::Choice(vec![self.slot(slot, inner, open), marked()])],
        }
    }
}

/// If an operand has more modifiers than this, their positions relative to the closing operators are
/// not distinguished.
const MOST_APART: usize = 4;

/// Returns the parts after an operand: its modifiers and closing operators. A modifier is accepted
/// before or after each operator.
fn behind(dots: &[Dot], closes: &[Part]) -> Vec<Part> {
    let Some((close, others)) = closes.split_first() else {
        return vec![Part::Dots(dots.to_vec())];
    };
    let after = |dots: &[Dot]| {
        let parts = [close.clone()].into_iter().chain(behind(dots, others));
        parts.collect::<Vec<Part>>()
    };
    if dots.is_empty() {
        return after(&[]);
    }
    if dots.len() > MOST_APART {
        // These parts accept more text than the parser does. This is safe: it can only cause a false
        // error, but never hide an ambiguity.
        let free: Vec<Dot> =
            dots.iter().map(|dot| Dot { mandatory: false, ..dot.clone() }).collect();
        return [vec![Part::Dots(free.clone())], after(&free)].concat();
    }
    // The first alternative has no modifier before the operator. Every other alternative begins with
    // mandatory modifiers, so the next token always decides between the alternatives.
    let alternatives = (0..1usize << dots.len()).map(|set| {
        let is_before = |(place, _): &(usize, &Dot)| set >> place & 1 != 0;
        let (before, rest): (Vec<_>, Vec<_>) = dots.iter().enumerate().partition(is_before);
        let before = before.into_iter().map(|(_, dot)| Dot { mandatory: true, ..dot.clone() });
        let rest: Vec<Dot> = rest.into_iter().map(|(_, dot)| dot.clone()).collect();
        let mut parts = match set {
            0 => Vec::new(),
            _ => vec![Part::Dots(before.collect())],
        };
        parts.extend(after(&rest));
        parts
    });
    vec![Part::Choice(alternatives.collect())]
}

/// Returns fixed text as a part, or nothing if it is blank. A space is kept only between two words.
fn fixed(text: &str) -> Vec<Part> {
    let mut kept = String::new();
    for piece in text.split(' ').filter(|piece| !piece.is_empty()) {
        if kept.ends_with(is_word) && piece.starts_with(is_word) {
            kept.push(' ');
        }
        kept.push_str(piece);
    }
    if kept.is_empty() { Vec::new() } else { vec![Part::Text(kept)] }
}
