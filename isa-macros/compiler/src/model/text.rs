//! The template of one opcode: the template of its syntax without the parts that the opcode does
//! not have.
//!
//! `language.md` describes the meaning of each part under "What a template accepts". The rules for
//! assembly text and the layout for printing use only this form, so they need not check whether an
//! opcode has the field of a part.

use super::{Affix, Field, Init, Item, Model, Opcode, Shape};

/// All parts of an opcode's text, including the mnemonic if it has one.
#[derive(Debug, Default)]
pub(crate) struct OwnText {
    pub(crate) parts: Vec<Part>,
    /// The fields that it shows, in the order in which they are parsed.
    pub(crate) shown: Vec<Shown>,
}

/// A part of an opcode's template.
#[derive(Debug)]
pub(crate) enum Part {
    /// Fixed text with its canonical blanks.
    Text(String),
    Mnemonic,
    /// The modifiers of the mnemonic.
    Modifiers(Vec<Modifier>),
    Slot(Slot),
    /// A part that is left out if all its fields have their defaults. It contains at least one
    /// field.
    Optional(Vec<Part>),
    /// Trailing attributes.
    Settings(Vec<Shown>),
}

/// An operand with its prefix and suffix operators and its modifiers.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) value: Shown,
    /// The operators, the outermost first.
    pub(crate) marks: Vec<Mark>,
    pub(crate) modifiers: Vec<Modifier>,
}

/// A field that the text shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// The placeholder, as an index into [`super::Syntax::symbols`].
    pub(crate) symbol: usize,
    /// The index of a field of the opcode, or of a composite operand.
    pub(crate) place: usize,
}

/// A modifier after a dot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modifier {
    pub(crate) shown: Shown,
    /// Whether the text must contain the modifier. Otherwise the default of its field is not
    /// printed.
    pub(crate) mandatory: bool,
    /// The only value that the modifier represents, if it does not represent all values of its
    /// field.
    pub(crate) only: Option<u64>,
}

/// The modifiers of one field, for example `{.UP}{.DOWN}`. Only one of them can be in a text.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) shown: Shown,
    /// Whether the text must contain one of the modifiers.
    pub(crate) mandatory: bool,
    /// The values of the modifiers, if they do not represent all values of their field.
    pub(crate) only: Option<Vec<u64>>,
}

/// Groups the modifiers by field, in the order of the template.
pub(crate) fn places(modifiers: &[Modifier]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for &Modifier { shown, mandatory, only } in modifiers {
        match places.iter_mut().find(|place| place.shown.symbol == shown.symbol) {
            Some(place) => {
                place.mandatory |= mandatory;
                place.only = place.only.take().zip(only).map(|(mut all, only)| {
                    all.push(only);
                    all
                });
            }
            None => places.push(Place { shown, mandatory, only: only.map(|only| vec![only]) }),
        }
    }
    places
}

/// A prefix or suffix operator of an operand.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) shown: Shown,
    /// The value of the field if the operator is present.
    pub(crate) present: u64,
    pub(crate) open: String,
    /// The text after the operand. It is empty for a prefix operator.
    pub(crate) close: String,
    /// The number of the operand's modifiers that are printed before `close`.
    pub(crate) inside: usize,
}

/// A part of the text after an operand.
#[derive(Debug)]
pub(crate) enum Behind<'s> {
    Modifier(Modifier),
    Close(&'s Mark),
}

impl Slot {
    /// Returns the modifiers and the closing parts of operators, in the order in which they are
    /// printed.
    pub(crate) fn behind(&self) -> Vec<Behind<'_>> {
        let mut behind = Vec::new();
        for place in 0..=self.modifiers.len() {
            let closes = |mark: &&Mark| mark.inside == place && !mark.close.is_empty();
            behind.extend(self.marks.iter().rev().filter(closes).map(Behind::Close));
            behind.extend(self.modifiers.get(place).copied().map(Behind::Modifier));
        }
        behind
    }
}

/// The functions or names that print and parse the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Writer {
    /// The names of its set of values.
    Names,
    /// The Rust type of its operand type, an index into [`Model::kinds`].
    Kind(usize),
    /// A format, an index into [`Model::formats`].
    Format(usize),
}

impl Writer {
    /// Returns the writer of the field at index `place` of an opcode: its format, or else its type.
    pub(crate) fn of(model: &Model, opcode: &Opcode, place: usize) -> Self {
        let kind = model.at(opcode, place).kind;
        match (opcode.format_of(place), &model.kinds[kind].shape) {
            (Some(format), _) => Writer::Format(format.format),
            (None, Shape::Operand(_)) => Writer::Kind(kind),
            (None, Shape::Set(_) | Shape::Bits | Shape::Unknown) => Writer::Names,
        }
    }
}

/// Sets the template of each opcode and each alias.
pub(super) fn lower_texts(model: &mut Model) {
    let texts: Vec<OwnText> = model.spellings().map(|opcode| OwnText::of(model, opcode)).collect();
    let aliases = model.aliases.iter_mut().map(|alias| &mut alias.row);
    for (opcode, text) in model.opcodes.iter_mut().chain(aliases).zip(texts) {
        opcode.text = text;
    }
}

impl OwnText {
    fn of(model: &Model, opcode: &Opcode) -> Self {
        let syntax = &model.syntaxes[opcode.syntax];
        let own = Own { model, opcode };
        let mut parts = own.items(&syntax.before);
        if syntax.mnemonic.is_empty() {
            parts.extend(own.items(&syntax.after));
            return OwnText { shown: shown(&parts), parts };
        }
        parts.push(Part::Mnemonic);
        let modifier = |modifier: &super::Modifier| {
            let shown = own.shown(modifier.symbol)?;
            Some(Modifier { shown, mandatory: !modifier.optional, only: modifier.only })
        };
        parts.push(Part::Modifiers(syntax.modifiers.iter().filter_map(modifier).collect()));
        parts.extend(own.items(&syntax.after));
        OwnText { shown: shown(&parts), parts }
    }
}

/// Returns the fields that `parts` show, in the order in which they are parsed.
pub(crate) fn shown(parts: &[Part]) -> Vec<Shown> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Text(_) | Part::Mnemonic => {}
            Part::Modifiers(modifiers) => all.extend(modifiers.iter().map(|m| m.shown)),
            Part::Slot(Slot { value, marks, modifiers }) => {
                all.push(*value);
                all.extend(modifiers.iter().map(|modifier| modifier.shown));
                all.extend(marks.iter().map(|mark| mark.shown));
            }
            Part::Optional(inner) => all.extend(shown(inner)),
            Part::Settings(settings) => all.extend(settings),
        }
    }
    all
}

/// Returns whether some texts of an opcode omit an optional part. This is the case if all fields of
/// the part have defaults. A part with a fixed field is always present.
pub(crate) fn may_be_left_out(model: &Model, opcode: &Opcode, parts: &[Part]) -> bool {
    let init = |shown: &Shown| &model.at(opcode, shown.place).init;
    shown(parts).iter().all(|shown| matches!(init(shown), Init::Default(_)))
}

struct Own<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
}

impl Own<'_> {
    fn shown(&self, symbol: usize) -> Option<Shown> {
        Some(Shown { symbol, place: self.opcode.bound(symbol)? })
    }

    fn field(&self, shown: Shown) -> &Field {
        self.model.at(self.opcode, shown.place)
    }

    fn items(&self, items: &[Item]) -> Vec<Part> {
        items.iter().filter_map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &Item) -> Option<Part> {
        Some(match item {
            Item::Text(text) => Part::Text(text.clone()),
            Item::Optional(inner) => {
                let inner = self.items(inner);
                (!shown(&inner).is_empty()).then_some(Part::Optional(inner))?
            }
            Item::Tags(symbols) => {
                Part::Settings(symbols.iter().filter_map(|&symbol| self.shown(symbol)).collect())
            }
            Item::Slot { symbol, affixes, suffixes } => Part::Slot(Slot {
                value: self.shown(*symbol)?,
                marks: affixes.iter().filter_map(|affix| self.mark(affix, suffixes)).collect(),
                modifiers: suffixes.iter().filter_map(|&symbol| self.suffix(symbol)).collect(),
            }),
        })
    }

    fn mark(&self, affix: &Affix, suffixes: &[usize]) -> Option<Mark> {
        let Affix { symbol, present, open, close, inside } = affix;
        let shown = self.shown(*symbol)?;
        let inside = suffixes.iter().take(*inside).filter(|symbol| self.shown(**symbol).is_some());
        let inside = inside.count();
        Some(Mark { shown, present: *present, open: open.clone(), close: close.clone(), inside })
    }

    /// Returns the modifier of an operand.
    fn suffix(&self, symbol: usize) -> Option<Modifier> {
        let shown = self.shown(symbol)?;
        let mandatory = self.field(shown).init == Init::Required;
        Some(Modifier { shown, mandatory, only: None })
    }
}
