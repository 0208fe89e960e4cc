//! One opcode's template as what is printed one behind the other.

use proc_macro2::TokenStream;

use super::SIZE;
use super::gather::Gather;
use crate::emit::names::{format_static, text_static};
use crate::model::{Affix, DefaultValue, Field, Init, Item, Model, Opcode, Shape};

/// The most texts of one table.
const MOST: usize = 64;

/// A run of bits: its position and its width.
pub(super) type Run = (u8, u8);

/// What is printed between two others.
pub(super) enum Piece {
    /// The text whose number is in some runs of bits. Fixed text has none.
    Table { runs: Vec<Run>, texts: Vec<String> },
    /// A field by its text functions, as a place in the opcode's fields.
    Operand(usize),
    /// Nothing where these fields have their defaults.
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
        let syntax = &self.model.syntaxes[self.opcode.syntax];
        let mut pieces = Vec::new();
        self.items(&syntax.before, &mut pieces)?;
        text(&mut pieces, &syntax.mnemonic)?;
        for modifier in &syntax.modifiers {
            if let Some(place) = self.bound(modifier.symbol) {
                self.marked(".", place, modifier.optional, modifier.only, &mut pieces)?;
            }
        }
        self.items(&syntax.after, &mut pieces)?;
        Some(pieces)
    }

    fn bound(&self, symbol: usize) -> Option<usize> {
        *self.opcode.bind.get(symbol)?
    }

    pub(super) fn field(&self, place: usize) -> &Field {
        &self.model.fields[self.opcode.fields[place]]
    }

    /// The text functions of a field: its format's, or those of its kind.
    pub(super) fn text(&self, place: usize) -> Option<TokenStream> {
        let format = self.opcode.formats.iter().find(|format| format.field == place);
        let kind = &self.model.kinds[self.field(place).kind];
        match (format, &kind.shape) {
            (Some(format), _) => Some(format_static(&self.model.formats[format.format])),
            (None, Shape::Operand(_)) => Some(text_static(kind)),
            (None, _) => None,
        }
    }

    fn items(&self, items: &[Item], pieces: &mut Vec<Piece>) -> Option<()> {
        for item in items {
            match item {
                Item::Text(fixed) => text(pieces, fixed)?,
                Item::Optional(inner) => self.optional(inner, pieces)?,
                Item::Tags(symbols) => self.dotted(" ", symbols, pieces)?,
                Item::Slot { symbol, affixes, suffixes } => {
                    if let Some(place) = self.bound(*symbol) {
                        self.slot(place, affixes, suffixes, pieces)?;
                    }
                }
            }
        }
        Some(())
    }

    fn slot(
        &self,
        place: usize,
        affixes: &[Affix],
        suffixes: &[usize],
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        for affix in affixes {
            self.mark(affix, &affix.open, pieces)?;
        }
        self.value(place, pieces);
        self.dotted(".", suffixes, pieces)?;
        for affix in affixes.iter().rev() {
            self.mark(affix, &affix.close, pieces)?;
        }
        Some(())
    }

    /// A mark where the affix's field has its value.
    fn mark(&self, affix: &Affix, mark: &str, pieces: &mut Vec<Piece>) -> Option<()> {
        if let Some(place) = self.bound(affix.symbol)
            && !mark.is_empty()
        {
            let run = run(self.field(place), 5)?;
            let shown = |raw| if raw == affix.present { mark.to_owned() } else { String::new() };
            push(pieces, vec![run], (0..1 << run.1).map(shown).collect())?;
        }
        Some(())
    }

    fn dotted(&self, mark: &str, symbols: &[usize], pieces: &mut Vec<Piece>) -> Option<()> {
        let places = symbols.iter().filter_map(|&symbol| self.bound(symbol));
        places.into_iter().try_for_each(|place| self.marked(mark, place, true, None, pieces))
    }

    /// A field behind a mark; neither where it is optional and has its default, or where it has
    /// another than its `only` value.
    fn marked(
        &self,
        mark: &str,
        place: usize,
        optional: bool,
        only: Option<u64>,
        pieces: &mut Vec<Piece>,
    ) -> Option<()> {
        let default = match &self.field(place).init {
            Init::Default(value) if optional => Some(value),
            _ => None,
        };
        let left_out = match default {
            Some(DefaultValue::Number(raw)) => Some(*raw),
            _ => None,
        };
        if let Some((run, names)) = self.names(place) {
            let is_shown = |raw| Some(raw) != left_out && only.is_none_or(|only| only == raw);
            let shown = |(raw, name)| match is_shown(raw) {
                true => format!("{mark}{name}"),
                false => String::new(),
            };
            return push(pieces, vec![run], (0..).zip(names).map(shown).collect());
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
        let named = self.names(place).and_then(|(run, names)| push(pieces, vec![run], names));
        if named.is_none() {
            pieces.push(Piece::Operand(place));
        }
    }

    /// Where a small set of values is, and its names by number.
    fn names(&self, place: usize) -> Option<(Run, Vec<String>)> {
        let field = self.field(place);
        let kind = &self.model.kinds[field.kind];
        let run = run(field, 5).filter(|_| kind.is_set() && self.text(place).is_none())?;
        let name = |raw| match kind.values().iter().find(|value| value.raw == raw) {
            Some(value) => value.name.to_string(),
            None => format!("0x{raw:x}"),
        };
        let names: Vec<String> = (0..1 << run.1).map(name).collect();
        // With room for the mark.
        names.iter().all(|name| name.len() < SIZE - 1).then_some((run, names))
    }

    fn optional(&self, items: &[Item], pieces: &mut Vec<Piece>) -> Option<()> {
        let mut fields = Vec::new();
        self.fields(items, &mut fields);
        let mut shown = Vec::new();
        self.items(items, &mut shown)?;
        let is_default = |&place: &usize| matches!(self.field(place).init, Init::Default(_));
        match fields.iter().all(is_default) {
            true if fields.is_empty() => {}
            true => pieces.push(Piece::Skip { fields, pieces: shown }),
            false => pieces.extend(shown),
        }
        Some(())
    }

    /// The fields that a part of the template shows.
    fn fields(&self, items: &[Item], fields: &mut Vec<usize>) {
        for item in items {
            match item {
                Item::Text(_) => {}
                Item::Optional(inner) => self.fields(inner, fields),
                Item::Tags(symbols) => fields.extend(symbols.iter().filter_map(|s| self.bound(*s))),
                Item::Slot { symbol, affixes, suffixes } => {
                    let affixes = affixes.iter().map(|affix| affix.symbol);
                    let symbols = affixes.chain([*symbol]).chain(suffixes.iter().copied());
                    fields.extend(symbols.filter_map(|symbol| self.bound(symbol)));
                }
            }
        }
    }
}

/// Appends fixed text.
fn text(pieces: &mut Vec<Piece>, text: &str) -> Option<()> {
    if !text.is_ascii() {
        return None;
    }
    let parts = text.as_bytes().chunks(SIZE - 1);
    let mut parts = parts.map(|part| part.iter().copied().map(char::from).collect::<String>());
    parts.try_for_each(|part| push(pieces, Vec::new(), vec![part]))
}

/// Appends a table, folded into the one before where the texts stay short.
fn push(pieces: &mut Vec<Piece>, runs: Vec<Run>, texts: Vec<String>) -> Option<()> {
    if !texts.iter().all(|text| text.len() < SIZE && text.is_ascii()) {
        return None;
    }
    if let Some(Piece::Table { runs: before, texts: left }) = pieces.last_mut()
        && let Some((both, folded)) = fold((before, left), (&runs, &texts))
    {
        (*before, *left) = (both, folded);
    } else {
        pieces.push(Piece::Table { runs, texts });
    }
    Some(())
}

type Table<'t> = (&'t [Run], &'t [String]);

/// Two tables, one behind the other, as one.
fn fold((a, left): Table<'_>, (b, right): Table<'_>) -> Option<(Vec<Run>, Vec<String>)> {
    let runs = merged([a, b].concat());
    let bits: u8 = runs.iter().map(|run| run.1).sum();
    if 1 << bits > MOST {
        return None;
    }
    Gather::new(&runs)?;
    let part = |own: &[Run], number: usize| {
        let (mut value, mut below) = (0, 0);
        for &(position, width) in own {
            let shift = number_of(&runs, position).unwrap_or_default();
            value |= (number >> shift & ((1 << width) - 1)) << below;
            below += width;
        }
        value
    };
    let texts = (0..1 << bits).map(|number| {
        let (left, right) = (&left[part(a, number)], &right[part(b, number)]);
        format!("{left}{right}")
    });
    let texts: Vec<String> = texts.collect();
    texts.iter().all(|text| text.len() < SIZE).then_some((runs, texts))
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
