//! Printing, laid out: each opcode's template as steps over tables of short texts.
//!
//! `isa_core::table::Program` says what a step is. Text, marks and the names of small fields are
//! [`Piece::Table`]s; neighbours are folded into one as long as its texts stay short, so that
//! `, -|` or `.FTZ.SAT` is one step.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::Names;
use crate::model::{Model, Opcode};

mod gather;
mod layout;

use gather::Gather;
use layout::{Layout, Piece, Run, merged, number_of, run};

/// The bytes of a short text: as many as text, and one for the length.
const SIZE: usize = 32;

/// The bytes of a step.
pub(crate) const STEP: usize = 6;

/// From this number on a step is none that takes a text from a table.
pub(crate) const WHOLE: u8 = 0xfd;
const FIELD: u8 = 0xfe;
const SKIP: u8 = 0xff;

/// The most bits of the fields of an optional part whose texts are put together beforehand.
const WHOLE_BITS: u8 = 6;

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
    /// Ways to number texts by bits of the word.
    gathers: Vec<Gather>,
    /// Optional parts put together, by their own text.
    wholes: Vec<(String, TokenStream)>,
}

impl Programs {
    pub(crate) fn new(model: &Model) -> Self {
        let mut programs = Programs::default();
        // Opcodes of one optype mostly differ in fields that the text does not show.
        let mut known: HashMap<Shown, Vec<u8>> = HashMap::new();
        for opcode in model.spellings() {
            let lay_out = || {
                let layout = Layout { model, opcode };
                let mut steps = Vec::new();
                let laid_out =
                    layout.opcode().and_then(|pieces| programs.write(&layout, &pieces, &mut steps));
                // What does not fit the form is printed by its template.
                laid_out.map(|()| steps).unwrap_or_default()
            };
            let steps = known.entry(Shown::of(opcode)).or_insert_with(lay_out).clone();
            programs.steps.push(steps);
        }
        programs
    }

    /// The table that all programs of the call share.
    pub(crate) fn emit_texts(&self, names: &Names) -> TokenStream {
        let (name, fields) = (&names.texts, &names.fields);
        let (short, count) = (Literal::byte_string(&self.short), self.short.len() / SIZE);
        let kinds = self.kinds.iter().map(|(_, text)| text);
        let wholes = self.wholes.iter().map(|(_, whole)| whole);
        let gathers = self.gathers.iter().map(Gather::emit);
        let defaults = self.defaults.iter().map(|places| {
            let places = places.iter().map(|place| Literal::usize_unsuffixed(*place));
            quote!(::isa_core::table::defaults(&#fields, [#(#places),*]))
        });
        let len = self.defaults.len();
        let (plain, tables) = (1 + self.kinds.len(), 1 + self.kinds.len() + self.wholes.len());
        quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #name: ::isa_core::table::Texts = {
                static DEFAULTS: [::isa_core::table::Cube; #len] = [#(#defaults),*];
                static TABLES: [&[::isa_core::table::ShortText]; #tables] = [
                    &::isa_core::table::short_texts::<#count>(#short), #(#kinds,)* #(#wholes),*
                ];
                static SIZES: [usize; #tables] = ::isa_core::table::sizes(&TABLES);
                const ALL: usize = ::isa_core::table::sum(&SIZES);
                ::isa_core::table::Texts {
                    pool: &::isa_core::table::pool::<ALL>(&TABLES),
                    plain: #plain,
                    sizes: &SIZES,
                    defaults: &DEFAULTS,
                    gathers: &[#(#gathers),*],
                }
            };
        }
    }

    /// Appends the steps of some pieces; `None` where a number does not fit its step.
    fn write(&mut self, layout: &Layout<'_>, pieces: &[Piece], steps: &mut Vec<u8>) -> Option<()> {
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Table { runs, texts } => {
                    let gather = Gather::new(runs)?;
                    let base = u16::try_from(self.short(&gather.arranged(runs, texts))).ok()?;
                    steps.extend(step(0, 0, base, self.gather(gather)?));
                }
                Piece::Operand(place) => steps.extend(self.operand(layout, *place)?),
                Piece::Skip { fields, pieces: inner } => {
                    let mut body = Vec::new();
                    self.write(layout, inner, &mut body)?;
                    let over = u8::try_from(body.len() / STEP).ok()?;
                    // Only the end of a line: it is the same in most opcodes, as their names are not.
                    let behind = match &pieces[index + 1..] {
                        [end] => fixed_text(end),
                        _ => None,
                    };
                    let more = 1 + u8::from(behind.is_some());
                    let part = Part { fields, pieces: inner, behind: behind.unwrap_or_default() };
                    let whole = self.whole(layout, &part, over.checked_add(more)?);
                    steps.extend(whole.into_iter().flatten());
                    let fields = fields.iter().map(|&place| layout.opcode.fields[place]).collect();
                    let base = u16::try_from(number(&mut self.defaults, fields)).ok()?;
                    steps.extend(step(SKIP, over, base, 0));
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

    /// The number of a way to number texts.
    fn gather(&mut self, gather: Gather) -> Option<u16> {
        let known = self.gathers.iter().position(|known| *known == gather);
        let number = known.unwrap_or_else(|| {
            self.gathers.push(gather);
            self.gathers.len() - 1
        });
        u16::try_from(number).ok()
    }

    /// A step for a field with text functions. Those of a narrow field may have its texts ready.
    fn operand(&mut self, layout: &Layout<'_>, place: usize) -> Option<[u8; STEP]> {
        let index = u8::try_from(place).ok()?;
        let format = layout.opcode.formats.iter().position(|format| format.field == place);
        let format = u16::try_from(format.map_or(0, |format| format + 1)).ok()?;
        let (Some(text), Some(run)) = (layout.text(place), run(layout.field(place), 8)) else {
            return Some(step(FIELD, index, format, 0));
        };
        let table = quote!(#text.ready);
        let kind = u8::try_from(place_of(&mut self.kinds, table) + 1).ok();
        let gather = self.gather(Gather::new(&[run])?)?;
        Some(step(kind.filter(|kind| *kind < WHOLE)?, index, format, gather))
    }

    /// A step that prints an optional part whole, fields with their defaults included, in place of
    /// some steps behind it; those print the part where a kind's texts are not ready.
    fn whole(
        &mut self,
        layout: &Layout<'_>,
        &Part { fields, pieces, behind }: &Part<'_>,
        over: u8,
    ) -> Option<[u8; STEP]> {
        let places = fields.iter().map(|&place| run(layout.field(place), 6));
        let runs = merged(places.collect::<Option<Vec<Run>>>()?);
        let bits: u8 = runs.iter().map(|run| run.1).sum();
        if bits > WHOLE_BITS {
            return None;
        }
        let gather = Gather::new(&runs)?;
        let parts = pieces.iter().map(|piece| self.part(layout, piece, &runs));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let (count, own) = (Literal::usize_unsuffixed(gather.places()), literals(&runs));
        let how = gather.emit();
        let fields = fields.iter().map(|&place| layout.opcode.fields[place]).collect();
        let default = Literal::usize_unsuffixed(number(&mut self.defaults, fields));
        let whole = quote!({
            static TABLE: ::core::option::Option<[::isa_core::table::ShortText; #count]> =
                ::isa_core::table::whole(#how, DEFAULTS[#default], &[#(#own),*], &[#(#parts),*], #behind);
            ::isa_core::table::texts_of(&TABLE)
        });
        let base = u16::try_from(place_of(&mut self.wholes, whole)).ok()?;
        Some(step(WHOLE, over, base, self.gather(gather)?))
    }

    /// A piece of an optional part: a table of texts, and the bits that number one.
    fn part(&self, layout: &Layout<'_>, piece: &Piece, runs: &[Run]) -> Option<TokenStream> {
        let emit = |texts: TokenStream, own: &[Run]| {
            let own =
                own.iter().map(|&(position, width)| Some((number_of(runs, position)?, width)));
            let own = literals(&own.collect::<Option<Vec<_>>>()?);
            Some(quote!(::isa_core::table::Part { texts: #texts, runs: &[#(#own),*] }))
        };
        match piece {
            Piece::Table { runs: own, texts } => {
                let texts = texts
                    .iter()
                    .map(|text| quote!(::isa_core::table::ShortText::EMPTY.with_str(#text)));
                emit(quote!(&[#(#texts),*]), own)
            }
            Piece::Operand(place) => {
                let text = layout.text(*place)?;
                emit(quote!(#text.ready), &[run(layout.field(*place), 6)?])
            }
            Piece::Skip { .. } => None,
        }
    }
}

/// What decides how an opcode is printed.
#[derive(PartialEq, Eq, Hash)]
struct Shown {
    syntax: usize,
    /// For each symbol of the syntax the place of its field and which field that is.
    bind: Vec<Option<(usize, usize)>>,
    /// Places of fields, and the formats that they are printed in.
    formats: Vec<(usize, usize)>,
}

impl Shown {
    fn of(opcode: &Opcode) -> Self {
        let bind = opcode.bind.iter().map(|place| place.map(|place| (place, opcode.fields[place])));
        let formats = opcode.formats.iter().map(|format| (format.field, format.format));
        Shown { syntax: opcode.syntax, bind: bind.collect(), formats: formats.collect() }
    }
}

/// An optional part: its fields, what it shows, and the fixed text that always stands behind it.
struct Part<'p> {
    fields: &'p [usize],
    pieces: &'p [Piece],
    behind: &'p str,
}

/// The text of a piece that is the same in all words.
fn fixed_text(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Table { runs, texts } if runs.is_empty() => texts.first().map(String::as_str),
        _ => None,
    }
}

/// Pairs of numbers.
fn literals(pairs: &[(u8, u8)]) -> Vec<TokenStream> {
    let byte = Literal::u8_unsuffixed;
    let pair = |&(a, b): &(u8, u8)| {
        let (a, b) = (byte(a), byte(b));
        quote!((#a, #b))
    };
    pairs.iter().map(pair).collect()
}

/// The place of something in a list, which it is added to where it is new.
fn place_of(list: &mut Vec<(String, TokenStream)>, value: TokenStream) -> usize {
    let text = value.to_string();
    list.iter().position(|(known, _)| *known == text).unwrap_or_else(|| {
        list.push((text, value));
        list.len() - 1
    })
}

/// The place of a value in a list, which it is added to where it is new.
fn number(list: &mut Vec<Vec<usize>>, value: Vec<usize>) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// The bytes of a step.
fn step(what: u8, operand: u8, base: u16, gather: u16) -> [u8; STEP] {
    let ([low, high], [gather_low, gather_high]) = (base.to_le_bytes(), gather.to_le_bytes());
    [what, operand, low, high, gather_low, gather_high]
}

/// For each symbol of the syntax the position and width of the opcode's field, a width of 255 where
/// it is no run of bits in one half, or where another symbol has the field too.
pub(crate) fn places(model: &Model, opcode: &Opcode) -> Vec<u8> {
    let place = |own: &Option<usize>| match own {
        Some(place) => {
            let is_single = opcode.bind.iter().filter(|bound| *bound == own).count() == 1;
            let run = run(&model.fields[opcode.fields[*place]], 64).filter(|_| is_single);
            let (position, width) = run.unwrap_or((0, 255));
            [position, width]
        }
        None => [0, 0],
    };
    opcode.bind.iter().flat_map(place).collect()
}
