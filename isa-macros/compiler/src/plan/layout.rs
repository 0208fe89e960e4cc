//! One opcode's template as what is printed one behind the other.

use super::bit_gather::Gather;
use super::limits::SHORT_TEXT;
use super::short::ShortText;
use super::text_fns::TextFns;
use crate::model::text::{self, Behind, Mark, Modifier, Part, Slot, Writer};
use crate::model::{DefaultValue, Field, Init, Model, Opcode};

/// The most texts of one table.
const MOST: usize = 64;

/// A run of bits: its position and its width.
pub(crate) type Run = (u8, u8);

/// What is printed between two others.
pub(super) enum Piece {
    /// The text whose number is in some runs of bits. Fixed text has none.
    Table { runs: Vec<Run>, texts: Vec<ShortText> },
    /// A field by its text functions, as a place in the opcode's fields.
    Operand(usize),
    /// Pieces that are left out where these fields have their defaults.
    Skip { fields: Vec<usize>, pieces: Vec<Piece> },
}

/// One opcode on its way from template to pieces.
pub(super) struct Layout<'m> {
    pub(super) model: &'m Model,
    pub(super) opcode: &'m Opcode,
}

impl Layout<'_> {
    /// `None` where a part has no place in a program.
    pub(super) fn opcode(&self) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        self.parts(&self.opcode.text.parts, &mut pieces)?;
        Some(pieces)
    }

    pub(super) fn field(&self, place: usize) -> &Field {
        self.model.at(self.opcode, place)
    }

    /// The text functions of a field.
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

    /// Text where a mark's field has its value.
    fn mark(&self, mark: &Mark, text: &str, pieces: &mut Vec<Piece>) -> Option<()> {
        if !text.is_empty() {
            let run = run(self.field(mark.shown.place), 5)?;
            let text = ShortText::new(text)?;
            let shown = |raw| if raw == mark.present { text } else { ShortText::EMPTY };
            push(pieces, vec![run], (0..1 << run.1).map(shown).collect());
        }
        Some(())
    }

    /// A field behind fixed text; neither where it is not mandatory and has its default, or where it
    /// has another than its `only` value.
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

    /// Where the bits of a field are whose values are a small set, and the names of the values by
    /// number.
    fn names(&self, place: usize) -> Option<(Run, Vec<ShortText>)> {
        let field = self.field(place);
        let kind = &self.model.kinds[field.kind];
        let run = run(field, 5).filter(|_| kind.is_set() && self.text(place).is_none())?;
        let name = |raw| match kind.values().iter().find(|value| value.raw == raw) {
            Some(value) => ShortText::new(&value.text),
            None => ShortText::new(&format!("0x{raw:x}")),
        };
        // With room for the mark.
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

/// Appends fixed text.
fn text(pieces: &mut Vec<Piece>, text: &str) -> Option<()> {
    for part in text.as_bytes().chunks(SHORT_TEXT - 1) {
        let text = ShortText::new(str::from_utf8(part).ok()?)?;
        push(pieces, Vec::new(), vec![text]);
    }
    Some(())
}

/// Appends a table, folded into the one before where the texts stay short.
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

/// Two tables, one behind the other, as one.
fn fold((a, left): Table<'_>, (b, right): Table<'_>) -> Option<(Vec<Run>, Vec<ShortText>)> {
    let runs = merged([a, b].concat());
    let bits: u8 = runs.iter().map(|run| run.1).sum();
    if 1 << bits > MOST {
        return None;
    }
    Gather::new(&runs)?;
    // Where the bits of each table are in the number of the whole.
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

/// Runs in the order of their bits, neighbours and those with common bits as one.
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

/// Where the bit at a position is in the number that some runs give.
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

/// Where a field of at most `widest` bits is, if it lies in one half of the word.
pub(super) fn run(field: &Field, widest: u8) -> Option<Run> {
    match field.pieces[..] {
        [(position, width)] if width <= widest && position / 64 == (position + width - 1) / 64 => {
            Some((position, width))
        }
        _ => None,
    }
}
