//! Converts the template of an opcode to pieces, in the order in which they are printed.

use super::bit_gather::Gather;
use super::limits::SHORT_TEXT;
use super::short::ShortText;
use super::text_fns::TextFns;
use crate::model::text::{self, Behind, Mark, Modifier, Part, Slot, Writer};
use crate::model::{DefaultValue, Field, Init, Model, Opcode};

/// The maximum number of texts in one table.
const MOST: usize = 64;

/// A run of bits: its position and its width.
pub(crate) type Run = (u8, u8);

/// A piece of printed text.
pub(super) enum Piece {
    /// A table of texts. The value of some runs of bits selects the text. Fixed text has no runs.
    Table { runs: Vec<Run>, texts: Vec<ShortText> },
    /// A field that text functions print, as an index into the opcode's fields.
    Operand(usize),
    /// Pieces that are omitted if all of these fields have their defaults.
    Skip { fields: Vec<usize>, pieces: Vec<Piece> },
}

/// The conversion of one opcode's template to pieces.
pub(super) struct Layout<'m> {
    pub(super) model: &'m Model,
    pub(super) opcode: &'m Opcode,
}

impl Layout<'_> {
    /// Returns the pieces, or `None` if a part cannot be expressed in a print program.
    pub(super) fn opcode(&self) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        self.parts(&self.opcode.text.parts, &mut pieces)?;
        Some(pieces)
    }

    pub(super) fn field(&self, place: usize) -> &Field {
        self.model.at(self.opcode, place)
    }

    /// Returns the text functions of a field, if Rust code prints it.
    pub(super) fn text(&self, place: usize) -> Option<TextFns> {
        TextFns::of(Writer::of(self.model, self.opcode, place))
    }

    fn parts(&self, parts: &[Part], pieces: &mut Vec<Piece>) -> Option<()> {
        for part in parts {
            match part {
                Part::Text(fixed) => text(pieces, fixed)?,
                Part::Mnemonic => {
                    text(pieces, &self.model.syntaxes[self.opcode.syntax].mnemonic)?;
                }
                Part::Modifiers(modifiers) => self.modifiers(modifiers, pieces)?,
                Part::Optional(inner) => self.optional(inner, pieces)?,
                Part::Settings(settings) => {
                    let mut settings = settings.iter();
                    settings.try_for_each(|s| self.marked(" ", s.place, false, None, pieces))?;
                }
                Part::Slot(slot) => self.slot(slot, pieces)?,
            }
        }
        Some(())
    }

    fn modifiers(&self, modifiers: &[Modifier], pieces: &mut Vec<Piece>) -> Option<()> {
        let mut modifiers = modifiers.iter();
        modifiers.try_for_each(|&Modifier { shown, mandatory, only }| {
            self.marked(".", shown.place, mandatory, only, pieces)
        })
    }

    fn slot(&self, slot: &Slot, pieces: &mut Vec<Piece>) -> Option<()> {
        for mark in &slot.marks {
            self.mark(mark, &mark.open, pieces)?;
        }
        self.value(slot.value.place, pieces);
        for behind in slot.behind() {
            match behind {
                Behind::Modifier(modifier) => self.modifiers(&[modifier], pieces)?,
                Behind::Close(mark) => self.mark(mark, &mark.close, pieces)?,
            }
        }
        Some(())
    }

    /// Adds text that is printed if the field of a prefix or suffix operator has the operator's value.
    fn mark(&self, mark: &Mark, text: &str, pieces: &mut Vec<Piece>) -> Option<()> {
        if !text.is_empty() {
            let run = run(self.field(mark.shown.place), 5)?;
            let text = ShortText::new(text)?;
            let shown = |raw| if raw == mark.present { text } else { ShortText::EMPTY };
            push(pieces, vec![run], (0..1 << run.1).map(shown).collect());
        }
        Some(())
    }

    /// Adds a field with fixed text before it. If the field is optional and has its default, the field
    /// and the text are omitted. With `only`, they are also omitted if the field has another value.
    fn marked(
        &self,
        mark: &str,
        place: usize,
        mandatory: bool,
        only: Option<u64>,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        let default = match &self.field(place).init {
            Init::Default(value) if !mandatory => Some(value),
            _ => None,
        };
        let left_out = match default {
            Some(DefaultValue::Number(raw)) => Some(*raw),
            _ => None,
        };
        if let Some((run, names)) = self.names(place) {
            let is_shown = |raw| Some(raw) != left_out && only.is_none_or(|only| only == raw);
            let mark = ShortText::new(mark)?;
            let shown = |(raw, name)| match is_shown(raw) {
                true => mark.then(name),
                false => Some(ShortText::EMPTY),
            };
            let texts = (0..).zip(&names).map(shown).collect::<Option<_>>()?;
            push(pieces, vec![run], texts);
            return Some(());
        }
        if only.is_some() {
            return None;
        }
        let mut shown = Vec::new();
        text(&mut shown, mark)?;
        self.value(place, &mut shown);
        match default {
            Some(_) => pieces.push(Piece::Skip { fields: vec![place], pieces: shown }),
            None => pieces.extend(shown),
        }
        Some(())
    }

    fn value(&self, place: usize, pieces: &mut Vec<Piece>) {
        match self.names(place) {
            Some((run, names)) => push(pieces, vec![run], names),
            None => pieces.push(Piece::Operand(place)),
        }
    }

    /// If the values of a field are a small value set, returns the position of the field and the names
    /// of all values in order.
    fn names(&self, place: usize) -> Option<(Run, Vec<ShortText>)> {
        let field = self.field(place);
        let kind = &self.model.kinds[field.kind];
        let run = run(field, 5).filter(|_| kind.is_set() && self.text(place).is_none())?;
        let name = |raw| match kind.values().iter().find(|value| value.raw == raw) {
            Some(value) => ShortText::new(&value.text),
            None => ShortText::new(&format!("0x{raw:x}")),
        };
        // A name must be one byte shorter than the maximum, because text before the name must fit too.
        let name = |raw| name(raw).filter(|name| name.as_str().len() < SHORT_TEXT - 1);
        Some((run, (0..1 << run.1).map(name).collect::<Option<_>>()?))
    }

    fn optional(&self, parts: &[Part], pieces: &mut Vec<Piece>) -> Option<()> {
        let fields: Vec<usize> = text::shown(parts).iter().map(|shown| shown.place).collect();
        let mut shown = Vec::new();
        self.parts(parts, &mut shown)?;
        match text::may_be_left_out(self.model, self.opcode, parts) {
            true => pieces.push(Piece::Skip { fields, pieces: shown }),
            false => pieces.extend(shown),
        }
        Some(())
    }
}

/// Adds fixed text.
fn text(pieces: &mut Vec<Piece>, text: &str) -> Option<()> {
    for part in text.as_bytes().chunks(SHORT_TEXT - 1) {
        let text = ShortText::new(str::from_utf8(part).ok()?)?;
        push(pieces, Vec::new(), vec![text]);
    }
    Some(())
}

/// Adds a table. It is merged into the previous table if the combined texts are short enough.
fn push(pieces: &mut Vec<Piece>, runs: Vec<Run>, texts: Vec<ShortText>) {
    if let Some(Piece::Table { runs: before, texts: left }) = pieces.last_mut()
        && let Some((both, folded)) = fold((before, left), (&runs, &texts))
    {
        (*before, *left) = (both, folded);
    } else {
        pieces.push(Piece::Table { runs, texts });
    }
}

type Table<'t> = (&'t [Run], &'t [ShortText]);

/// Combines two consecutive tables to one.
fn fold((a, left): Table<'_>, (b, right): Table<'_>) -> Option<(Vec<Run>, Vec<ShortText>)> {
    let runs = merged([a, b].concat());
    let bits: u8 = runs.iter().map(|run| run.1).sum();
    if 1 << bits > MOST {
        return None;
    }
    Gather::new(&runs)?;
    // The positions of the bits of each table in the index of the combined table.
    let places = |own: &[Run]| -> Vec<(u8, u8)> {
        let place = |&(position, width)| (number_of(&runs, position).unwrap_or_default(), width);
        own.iter().map(place).collect()
    };
    let (a, b) = (places(a), places(b));
    let part = |own: &[(u8, u8)], number: usize| {
        let (mut value, mut below) = (0, 0);
        for &(shift, width) in own {
            value |= (number >> shift & ((1 << width) - 1)) << below;
            below += width;
        }
        value
    };
    let mut texts = Vec::with_capacity(1 << bits);
    for number in 0..1 << bits {
        texts.push(left[part(&a, number)].then(&right[part(&b, number)])?);
    }
    Some((runs, texts))
}

/// Sorts runs by position, and merges runs that are adjacent or overlap.
pub(super) fn merged(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_unstable();
    let mut merged: Vec<Run> = Vec::new();
    for (position, width) in runs {
        match merged.last_mut() {
            Some((start, length)) if *start + *length >= position && position % 64 != 0 => {
                *length = (*length).max(position + width - *start);
            }
            Some(known) if *known == (position, width) => {}
            _ => merged.push((position, width)),
        }
    }
    merged
}

/// Returns the position of a bit in the number that `runs` form. `position` is the position of the
/// bit in the word.
pub(super) fn number_of(runs: &[Run], position: u8) -> Option<u8> {
    let mut below = 0;
    for &(start, width) in runs {
        if (start..start + width).contains(&position) {
            return Some(below + position - start);
        }
        below += width;
    }
    None
}

/// Returns the position and width of a field, if it has at most `widest` bits and is one run in one
/// half of the word.
pub(super) fn run(field: &Field, widest: u8) -> Option<Run> {
    match field.pieces[..] {
        [(position, width)] if width <= widest && position / 64 == (position + width - 1) / 64 => {
            Some((position, width))
        }
        _ => None,
    }
}
