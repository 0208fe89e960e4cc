//! The template of one opcode: that of its syntax, without what the opcode lacks.
//!
//! `language.md` says under "What a template accepts" what each part means. The rules over texts and
//! the layout for printing read this form alone, so that none of them asks whether an opcode has
//! the field of a part.

use super::{Affix, Field, Init, Item, Model, Opcode, Shape};

/// All that an opcode's text is made of, the mnemonic included, if it has one.
#[derive(Debug, Default)]
pub(crate) struct OwnText {
    pub(crate) parts: Vec<Part>,
    /// The fields that it shows, in the order in which they are read.
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
    /// A part that is left out where its fields, of which there is one at least, have their
    /// defaults.
    Optional(Vec<Part>),
    /// Trailing settings.
    Settings(Vec<Shown>),
}

/// An operand with its marks and modifiers.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) value: Shown,
    /// The outermost first.
    pub(crate) marks: Vec<Mark>,
    pub(crate) modifiers: Vec<Modifier>,
}

/// A field where the text shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// An index into the symbols of the syntax.
    pub(crate) symbol: usize,
    /// The place of a field of the opcode, or of a view.
    pub(crate) place: usize,
}

/// A modifier behind a dot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modifier {
    pub(crate) shown: Shown,
    /// Whether the text must give the modifier. Else printing leaves out the default of its field.
    pub(crate) mandatory: bool,
    /// The one value that the modifier stands for, where not all of its field.
    pub(crate) only: Option<u64>,
}

/// The modifiers of one field together, such as `{.UP}{.DOWN}`: the field has one value.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) shown: Shown,
    /// Whether the text must give one of the modifiers.
    pub(crate) mandatory: bool,
    /// The values that the modifiers stand for, where not all of their field.
    pub(crate) only: Option<Vec<u64>>,
}

/// The places that modifiers fill, in the order of the template.
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

/// A mark at an operand.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) shown: Shown,
    /// The value that the mark stands for.
    pub(crate) present: u64,
    pub(crate) open: String,
    /// Empty for a prefix.
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
    /// Returns the modifiers and closing marks in the order in which they are printed.
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

/// What writes and reads the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Writer {
    /// The names of its set.
    Names,
    /// The Rust type of its kind, an index into [`Model::kinds`].
    Kind(usize),
    /// A format, an index into [`Model::formats`].
    Format(usize),
}

impl Writer {
    /// What writes the field at a place of an opcode: its format, or else its kind.
    pub(crate) fn of(model: &Model, opcode: &Opcode, place: usize) -> Self {
        let kind = model.at(opcode, place).kind;
        match (opcode.format_of(place), &model.kinds[kind].shape) {
            (Some(format), _) => Writer::Format(format.format),
            (None, Shape::Operand(_)) => Writer::Kind(kind),
            (None, Shape::Set(_) | Shape::Bits | Shape::Unknown) => Writer::Names,
        }
    }
}

/// Gives each opcode and each alias its text.
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

/// The fields that some parts show, in the order in which they are read.
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

/// Whether a part in braces is left out of some texts of an opcode: where all fields that it shows have
/// their defaults. With a fixed field it is always there.
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

    /// The modifier of an operand.
    fn suffix(&self, symbol: usize) -> Option<Modifier> {
        let shown = self.shown(symbol)?;
        let mandatory = self.field(shown).init == Init::Required;
        Some(Modifier { shown, mandatory, only: None })
    }
}
