//! Printing, laid out: each opcode's template as steps over tables of short texts.
//!
//! `isa_core::table::Program` says what a step is. Text, marks and the names of small fields are
//! [`Piece::Table`]s; neighbours are folded into one as long as its texts stay short, so that
//! `, -|` or `.FTZ.SAT` is one step.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{Names, format_static, text_static};
use crate::model::{Affix, DefaultValue, Field, Init, Item, Model, Opcode, Shape};

/// The bytes of a short text: as many as text, and one for the length.
const SIZE: usize = 16;

/// The most texts of one table.
const MOST: usize = 64;

const FIELD: u8 = 0xfe;
const SKIP: u8 = 0xff;

/// A run of bits: its position and its width.
type Run = (u8, u8);

/// What is printed between two others.
enum Piece {
    /// The text whose number is in up to two runs of bits. Fixed text has none.
    Table { runs: Vec<Run>, texts: Vec<String> },
    /// A field by its text functions, as a place in the opcode's fields.
    Operand(usize),
    /// Nothing where these fields have their defaults.
    Skip { fields: Vec<usize>, pieces: Vec<Piece> },
}

/// The programs of a call, and what they share.
#[derive(Default)]
pub(crate) struct Programs {
    /// By opcode, those of aliases last.
    pub(crate) steps: Vec<Vec<u8>>,
    short: Vec<u8>,
    known: HashMap<Vec<String>, usize>,
    kinds: Vec<(String, TokenStream)>,
    /// Sets of fields, as indices into [`Model::fields`].
    defaults: Vec<Vec<usize>>,
}

impl Programs {
    pub(crate) fn new(model: &Model) -> Self {
        let mut programs = Programs::default();
        for opcode in model.spellings() {
            let layout = Layout { model, opcode };
            let mut steps = Vec::new();
            let laid_out =
                layout.opcode().and_then(|pieces| programs.write(&layout, &pieces, &mut steps));
            // What does not fit the form is printed by its template.
            programs.steps.push(laid_out.map(|()| steps).unwrap_or_default());
        }
        programs
    }

    /// The table that all programs of the call share.
    pub(crate) fn emit_texts(&self, names: &Names) -> TokenStream {
        let (name, fields) = (&names.texts, &names.fields);
        let (short, count) = (Literal::byte_string(&self.short), self.short.len() / SIZE);
        let kinds = self.kinds.iter().map(|(_, text)| quote!(#text.ready));
        let defaults = self.defaults.iter().map(|places| {
            let places = places.iter().map(|place| Literal::usize_unsuffixed(*place));
            quote!(::isa_core::table::defaults(&#fields, [#(#places),*]))
        });
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: ::isa_core::table::Texts = ::isa_core::table::Texts {
                tables: &[&::isa_core::table::short_texts::<#count>(#short), #(#kinds),*],
                defaults: &[#(#defaults),*],
            };
        }
    }

    /// Appends the steps of some pieces; `None` where a number does not fit its step.
    fn write(&mut self, layout: &Layout<'_>, pieces: &[Piece], steps: &mut Vec<u8>) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Table { runs, texts } => {
                    let base = u16::try_from(self.short(texts)).ok()?;
                    steps.extend(step(0, runs, base, 0));
                }
                Piece::Operand(place) => steps.extend(self.operand(layout, *place)?),
                Piece::Skip { fields, pieces } => {
                    let mut body = Vec::new();
                    self.write(layout, pieces, &mut body)?;
                    let over = u8::try_from(body.len() / 8).ok()?;
                    let fields = fields.iter().map(|&place| layout.opcode.fields[place]).collect();
                    let base = u16::try_from(number(&mut self.defaults, fields)).ok()?;
                    steps.extend(step(SKIP, &[], base, over));
                    steps.extend(body);
                }
            }
        }
        Some(())
    }

    /// The number of the first of some texts that stand together.
    fn short(&mut self, texts: &[String]) -> usize {
        if let Some(&base) = self.known.get(texts) {
            return base;
        }
        let base = self.short.len() / SIZE;
        for text in texts {
            let mut bytes = [0; SIZE];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            bytes[SIZE - 1] = text.len() as u8;
            self.short.extend(bytes);
        }
        self.known.insert(texts.to_vec(), base);
        base
    }

    /// A step for a field with text functions. Those of a narrow field may have its texts ready.
    fn operand(&mut self, layout: &Layout<'_>, place: usize) -> Option<[u8; 8]> {
        let index = u8::try_from(place).ok()?;
        let (Some(text), Some(run)) = (layout.text(place), run(layout.field(place), 8)) else {
            return Some(step(FIELD, &[], 0, index));
        };
        let name = text.to_string();
        let kind = self.kinds.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.kinds.push((name, text));
            self.kinds.len() - 1
        });
        let kind = u8::try_from(kind + 1).ok().filter(|kind| *kind < FIELD)?;
        Some(step(kind, &[run], 0, index))
    }
}

/// The place of a value in a list, which it is added to where it is new.
fn number(list: &mut Vec<Vec<usize>>, value: Vec<usize>) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// The eight bytes of a step.
fn step(what: u8, runs: &[Run], base: u16, operand: u8) -> [u8; 8] {
    let [low, high] = base.to_le_bytes();
    let mut bytes = [what, 0, 0, 0, 0, low, high, operand];
    let mut below = 0;
    for (i, &(position, width)) in runs.iter().enumerate() {
        let turn = (position % 64 + 64 - below) % 64;
        bytes[1 + 2 * i] = ((position / 64) << 6) | turn;
        bytes[2 + 2 * i] = (((1u16 << width) - 1) << below) as u8;
        below += width;
    }
    bytes
}

/// Where a field of at most `widest` bits is, if it lies in one half of the word.
fn run(field: &Field, widest: u8) -> Option<Run> {
    match field.pieces[..] {
        [(position, width)] if width <= widest && position / 64 == (position + width - 1) / 64 => {
            Some((position, width))
        }
        _ => None,
    }
}

/// For each symbol of the syntax the position and width of the opcode's field.
pub(crate) fn places(model: &Model, opcode: &Opcode) -> Vec<u8> {
    let place = |place: &Option<usize>| match place {
        Some(place) => {
            let (position, width) =
                run(&model.fields[opcode.fields[*place]], 64).unwrap_or((0, 255));
            [position, width]
        }
        None => [0, 0],
    };
    opcode.bind.iter().flat_map(place).collect()
}

/// One opcode on its way from template to pieces.
struct Layout<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
}

impl Layout<'_> {
    /// `None` where a part has no place in a program.
    fn opcode(&self) -> Option<Vec<Piece>> {
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

    fn field(&self, place: usize) -> &Field {
        &self.model.fields[self.opcode.fields[place]]
    }

    /// The text functions of a field: its format's, or those of its kind.
    fn text(&self, place: usize) -> Option<TokenStream> {
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
    let mut runs = a.to_vec();
    for &(position, width) in b {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == position && position % 64 != 0 => {
                *length += width;
            }
            _ => runs.push((position, width)),
        }
    }
    if runs.len() > 2 || left.len() * right.len() > MOST {
        return None;
    }
    let texts =
        right.iter().flat_map(|right| left.iter().map(move |left| format!("{left}{right}")));
    let texts: Vec<String> = texts.collect();
    texts.iter().all(|text| text.len() < SIZE).then_some((runs, texts))
}
