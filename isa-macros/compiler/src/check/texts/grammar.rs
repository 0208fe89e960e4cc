//! Describes the assembly text of an opcode as a list of parts, reduced to the text that its fields can
//! produce.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::model::names::{format_text, kind_text};
use crate::model::opcode_template::{
    self, BoundAffix, FieldModifiers, Modifier, OperandSlot, TemplatePart, TextSource,
};
use crate::model::{Init, Model, NamedValue, Opcode, is_word};
use crate::syntax::ast::ComparableTokens;

/// A part of a text. A text is a list of parts, at most one of which is [`TextPart::Mnemonic`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextPart {
    Mnemonic,
    /// Fixed text, with spaces only between two words.
    Text(String),
    /// The value of a field.
    Value(FieldText),
    /// Modifiers, each after a dot, in any order.
    Dots(Vec<DotModifier>),
    /// Trailing attributes, in any order.
    Tags(Vec<FieldText>),
    /// One of several lists of parts.
    Choice(Vec<Vec<TextPart>>),
}

/// A modifier.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DotModifier {
    pub(crate) filler: FieldText,
    /// Whether the modifier cannot be omitted.
    pub(crate) mandatory: bool,
}

/// The text that a field can have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldText {
    /// One of these names.
    Names(Rc<Vec<String>>),
    /// Text that a Rust type parses. The macro does not know this text. If some bits of the value are
    /// fixed, only values with these bits are possible.
    Read(Rc<OpaqueText>, Option<FixedBits>),
}

/// Bits of a value that are the same in all encodings of an opcode. In a fixed field these are all
/// bits; in a composite operand they may be some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FixedBits {
    pub(crate) mask: u64,
    pub(crate) value: u64,
}

impl FixedBits {
    /// Creates the description of a value with all bits fixed.
    pub(crate) fn whole(value: u64) -> Self {
        FixedBits { mask: u64::MAX, value }
    }

    /// Returns whether the two sets of fixed bits contradict each other, so that no value can have
    /// both.
    pub(crate) fn differ(a: Option<FixedBits>, b: Option<FixedBits>) -> bool {
        a.zip(b).is_some_and(|(a, b)| (a.value ^ b.value) & a.mask & b.mask != 0)
    }
}

/// Converts all parts of a text that are parsed in any letter case to lower case. The text of Rust
/// types remains unchanged, because it is compared by token patterns, which ignore case.
pub(super) fn folded(parts: Vec<TextPart>) -> Vec<TextPart> {
    let part = |part| match part {
        TextPart::Text(text) => TextPart::Text(text.to_ascii_lowercase()),
        TextPart::Value(filler) => TextPart::Value(folded_filler(filler)),
        TextPart::Dots(dots) => {
            let dot = |dot: DotModifier| DotModifier { filler: folded_filler(dot.filler), ..dot };
            TextPart::Dots(dots.into_iter().map(dot).collect())
        }
        TextPart::Tags(fillers) => TextPart::Tags(fillers.into_iter().map(folded_filler).collect()),
        TextPart::Choice(choices) => TextPart::Choice(choices.into_iter().map(folded).collect()),
        TextPart::Mnemonic => TextPart::Mnemonic,
    };
    parts.into_iter().map(part).collect()
}

/// Converts the names of a field's values to lower case.
pub(super) fn folded_filler(filler: FieldText) -> FieldText {
    match filler {
        FieldText::Names(names) => {
            let mut known = BTreeSet::new();
            let lower = names.iter().map(|name| name.to_ascii_lowercase());
            FieldText::Names(Rc::new(lower.filter(|name| known.insert(name.clone())).collect()))
        }
        read @ FieldText::Read(..) => read,
    }
}

/// The text of an operand type or a format. The macro does not know this text, so it stores the text
/// functions as a Rust expression.
#[derive(Debug)]
pub(crate) struct OpaqueText {
    /// The name for messages: the name in the specification, or the name of the type if the operand
    /// type belongs to an included set.
    pub(crate) name: String,
    pub(crate) path: ComparableTokens,
    /// The text by which two descriptions are compared.
    pub(super) text: String,
}

impl OpaqueText {
    /// Creates the text functions of an operand type or format that has a name in the specification.
    fn named(name: &Ident, path: TokenStream) -> Self {
        OpaqueText { name: name.to_string(), ..OpaqueText::new(path) }
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
        let path = ComparableTokens::from(path);
        if !is_core {
            let name = names.last().map_or("", String::as_str).replace("__isa_text_", "");
            return OpaqueText { name, text: path.text.clone(), path };
        }
        // Numbers of all widths begin with the same characters.
        let types: Vec<String> =
            names.into_iter().filter(|name| !CORE_WORDS.contains(&name.as_str())).collect();
        let name = types.first().cloned().unwrap_or_default();
        OpaqueText { name, path, text: types.join(" ") }
    }
}

/// Words that do not affect the text if they occur in an expression for the text functions of an
/// `isa_core` type. They are parts of paths, and formats that print exactly as the operand type inside
/// them.
const CORE_WORDS: [&str; 7] =
    ["isa_core", "$crate", "operand", "text_of", "format_of", "Shown", "Twice"];

impl PartialEq for OpaqueText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for OpaqueText {}

impl Hash for OpaqueText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// Text that begins with fixed text. After that comes an operand, or text that matches one of several
/// token patterns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TextStart {
    pub(crate) prefix: String,
    pub(crate) forms: TokenPatterns,
}

/// The token patterns that a text begins with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum TokenPatterns {
    /// The constant `FORMS` of a Rust type: its token patterns.
    Of(Rc<OpaqueText>),
    /// Text that continues the last word that a Rust type prints.
    GoingOn(Rc<OpaqueText>),
    /// These token patterns.
    Given(Vec<String>),
}

impl TextStart {
    pub(super) fn of(filler: &FieldText) -> TextStart {
        TextStart::begins(match filler {
            FieldText::Names(names) => TokenPatterns::Given(names.to_vec()),
            FieldText::Read(reader, _) => TokenPatterns::Of(Rc::clone(reader)),
        })
    }

    /// Creates a side without fixed text before its token patterns.
    pub(super) fn begins(forms: TokenPatterns) -> TextStart {
        TextStart { prefix: String::new(), forms }
    }

    /// Creates a side of fixed text followed by one token pattern.
    pub(super) fn given(prefix: impl Into<String>, form: &str) -> TextStart {
        TextStart { prefix: prefix.into(), forms: TokenPatterns::Given(vec![form.to_owned()]) }
    }
}

/// Pairs of texts that the macro cannot distinguish. The texts of every pair must be disjoint.
pub(crate) type Pairs = Vec<(TextStart, TextStart)>;

/// The text of the operand types and formats of a call, each computed once.
pub(super) struct Lexicon<'m> {
    model: &'m Model,
    kinds: Vec<OnceCell<FieldText>>,
    formats: Vec<OnceCell<Rc<OpaqueText>>>,
}

impl<'m> Lexicon<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kinds = vec![OnceCell::new(); model.field_types.len()];
        Lexicon { model, kinds, formats: vec![OnceCell::new(); model.formats.len()] }
    }

    /// Returns whether the set is parsed in any letter case.
    pub(super) fn any_case(&self) -> bool {
        self.model.any_case.is_some()
    }

    /// Returns a filler in the form in which it is compared with others.
    pub(super) fn compared(&self, filler: FieldText) -> FieldText {
        if self.any_case() { folded_filler(filler) } else { filler }
    }

    /// Returns the parts of the text of an opcode. The opcode must have no errors.
    pub(super) fn text_of(&self, opcode: &Opcode) -> Vec<TextPart> {
        TextLowering { lexicon: self, opcode }.parts(&opcode.text.parts)
    }

    /// Returns the text for all values of the field at index `place`.
    pub(super) fn any(&self, opcode: &Opcode, place: usize) -> FieldText {
        let Lexicon { model, kinds, formats } = self;
        match TextSource::of(model, opcode, place) {
            TextSource::Format(index) => {
                let format = &model.formats[index];
                let new = || Rc::new(OpaqueText::named(&format.name, format_text(format)));
                let reader = formats[index].get_or_init(new);
                FieldText::Read(Rc::clone(reader), None)
            }
            TextSource::Kind(index) => {
                let kind = &model.field_types[index];
                let reader = || Rc::new(OpaqueText::named(&kind.name, kind_text(kind)));
                kinds[index].get_or_init(|| FieldText::Read(reader(), None)).clone()
            }
            TextSource::Names => {
                let index = model.at(opcode, place).ty;
                let all = || names_of(model.field_types[index].values().iter());
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
    ) -> FieldText {
        let kind = &self.model.field_types[self.model.at(opcode, place).ty];
        match self.any(opcode, place) {
            FieldText::Names(_) => names_of(kind.values().iter().filter(|value| keep(value.raw))),
            read => read,
        }
    }
}

/// Returns a filler with all names of `values`.
fn names_of<'v>(values: impl Iterator<Item = &'v NamedValue>) -> FieldText {
    FieldText::Names(Rc::new(values.flat_map(NamedValue::spellings).cloned().collect()))
}

struct TextLowering<'l, 'm> {
    lexicon: &'l Lexicon<'m>,
    opcode: &'l Opcode,
}

impl TextLowering<'_, '_> {
    fn init(&self, place: usize) -> &Init {
        &self.lexicon.model.at(self.opcode, place).init
    }

    /// Returns the text of the field at index `place` in this opcode. With `only`, the text is limited
    /// to the values in `only`.
    fn filler(&self, place: usize, only: Option<&[u64]>) -> FieldText {
        let fixed = match self.init(place) {
            Init::Fixed(raw) => Some(*raw),
            _ => None,
        };
        match (self.lexicon.any(self.opcode, place), fixed) {
            (FieldText::Read(reader, _), Some(raw)) => {
                FieldText::Read(reader, Some(FixedBits::whole(raw)))
            }
            (FieldText::Read(reader, _), None) => FieldText::Read(reader, self.fixed_part(place)),
            (FieldText::Names(_), Some(raw)) => {
                let model = self.lexicon.model;
                let kind = &model.field_types[model.at(self.opcode, place).ty];
                let value = kind.value(raw).filter(|_| only.is_none_or(|o| o.contains(&raw)));
                names_of(value.into_iter())
            }
            (names, None) if only.is_none() => names,
            _ => self.lexicon.some(self.opcode, place, |raw| only.is_none_or(|o| o.contains(&raw))),
        }
    }

    /// Returns the fixed bits of a composite operand. Returns `None` for a format with arguments: the
    /// same text can mean another value if the arguments differ.
    fn fixed_part(&self, place: usize) -> Option<FixedBits> {
        let (opcode, model) = (self.opcode, self.lexicon.model);
        let view = opcode.composite(place)?;
        let has_arguments = opcode.format_of(place).is_none_or(|format| !format.args.is_empty());
        let mut fixed = FixedBits { mask: 0, value: 0 };
        for field in view.of.iter().map(|&place| opcode.field_at(model, place)) {
            let shifted = |bits: u64| bits.checked_shl(field.width().into()).unwrap_or(0);
            let low = !shifted(u64::MAX);
            fixed = match field.init {
                Init::Fixed(raw) => {
                    FixedBits { mask: shifted(fixed.mask) | low, value: shifted(fixed.value) | raw }
                }
                _ => FixedBits { mask: shifted(fixed.mask), value: shifted(fixed.value) },
            };
        }
        (fixed.mask != 0 && !has_arguments).then_some(fixed)
    }

    fn parts(&self, own: &[TemplatePart]) -> Vec<TextPart> {
        let mut parts = Vec::new();
        for part in own {
            match part {
                TemplatePart::Text(text) => parts.extend(fixed(text)),
                TemplatePart::Mnemonic => parts.push(TextPart::Mnemonic),
                TemplatePart::Modifiers(modifiers) => parts.push(self.dots(modifiers)),
                TemplatePart::Optional(inner) => {
                    parts.push(TextPart::Choice(vec![Vec::new(), self.parts(inner)]));
                }
                TemplatePart::Settings(settings) => {
                    let fillers = settings.iter().map(|shown| self.filler(shown.place, None));
                    parts.push(TextPart::Tags(fillers.collect()));
                }
                TemplatePart::Slot(slot) => parts.extend(self.slot(slot, &slot.marks, &[])),
            }
        }
        parts
    }

    fn dots(&self, modifiers: &[Modifier]) -> TextPart {
        let dot = |FieldModifiers { shown, mandatory, only }: &FieldModifiers| DotModifier {
            filler: self.filler(shown.place, only.as_deref()),
            mandatory: *mandatory,
        };
        TextPart::Dots(opcode_template::by_field(modifiers).iter().map(dot).collect())
    }

    /// Returns the parts of a slot, once with and once without each of its prefix and suffix operators.
    /// If the field of an operator is fixed, only one of the two is possible. `open` contains the
    /// operators that still have to be closed, the innermost first.
    fn slot(&self, slot: &OperandSlot, marks: &[BoundAffix], open: &[TextPart]) -> Vec<TextPart> {
        let Some((mark, inner)) = marks.split_first() else {
            let TextPart::Dots(dots) = self.dots(&slot.modifiers) else { return Vec::new() };
            let mut parts = vec![TextPart::Value(self.filler(slot.value.place, None))];
            parts.extend(after_operand(&dots, open));
            return parts;
        };
        let (first, close) = (fixed(&mark.open), fixed(&mark.close));
        let marked = || {
            let open: Vec<TextPart> = close.iter().chain(open).cloned().collect();
            first.iter().cloned().chain(self.slot(slot, inner, &open)).collect()
        };
        match *self.init(mark.shown.place) {
            Init::Fixed(raw) if raw == mark.present => marked(),
            Init::Fixed(_) => self.slot(slot, inner, open),
            _ if close.is_empty() => {
                let mut parts = vec![TextPart::Choice(vec![Vec::new(), first])];
                parts.extend(self.slot(slot, inner, open));
                parts
            }
            _ => vec![TextPart::Choice(vec![self.slot(slot, inner, open), marked()])],
        }
    }
}

/// If an operand has more modifiers than this, their positions relative to the closing operators are
/// not distinguished.
const MOST_APART: usize = 4;

/// Returns the parts after an operand: its modifiers and closing operators. A modifier is accepted
/// before or after each operator.
fn after_operand(dots: &[DotModifier], closes: &[TextPart]) -> Vec<TextPart> {
    let Some((close, others)) = closes.split_first() else {
        return vec![TextPart::Dots(dots.to_vec())];
    };
    let after = |dots: &[DotModifier]| {
        let parts = [close.clone()].into_iter().chain(after_operand(dots, others));
        parts.collect::<Vec<TextPart>>()
    };
    if dots.is_empty() {
        return after(&[]);
    }
    if dots.len() > MOST_APART {
        // These parts accept more text than the parser does. This is safe: it can only cause a false
        // error, but never hide an ambiguity.
        let free: Vec<DotModifier> =
            dots.iter().map(|dot| DotModifier { mandatory: false, ..dot.clone() }).collect();
        return [vec![TextPart::Dots(free.clone())], after(&free)].concat();
    }
    // The first alternative has no modifier before the operator. Every other alternative begins with
    // mandatory modifiers, so the next token always decides between the alternatives.
    let alternatives = (0..1usize << dots.len()).map(|set| {
        let is_before = |(place, _): &(usize, &DotModifier)| set >> place & 1 != 0;
        let (before, rest): (Vec<_>, Vec<_>) = dots.iter().enumerate().partition(is_before);
        let before =
            before.into_iter().map(|(_, dot)| DotModifier { mandatory: true, ..dot.clone() });
        let rest: Vec<DotModifier> = rest.into_iter().map(|(_, dot)| dot.clone()).collect();
        let mut parts = match set {
            0 => Vec::new(),
            _ => vec![TextPart::Dots(before.collect())],
        };
        parts.extend(after(&rest));
        parts
    });
    vec![TextPart::Choice(alternatives.collect())]
}

/// Returns fixed text as a part, or nothing if it is blank. A space is kept only between two words.
fn fixed(text: &str) -> Vec<TextPart> {
    let mut kept = String::new();
    for piece in text.split(' ').filter(|piece| !piece.is_empty()) {
        if kept.ends_with(is_word) && piece.starts_with(is_word) {
            kept.push(' ');
        }
        kept.push_str(piece);
    }
    if kept.is_empty() { Vec::new() } else { vec![TextPart::Text(kept)] }
}
