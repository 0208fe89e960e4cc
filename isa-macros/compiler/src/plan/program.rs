//! Printing, laid out: each opcode's template as steps over tables of short texts.
//!
//! `isa_core::table::Program` says what a step is. Text, marks and the names of small fields are
//! [`Piece::Table`]s; neighbours are folded into one as long as its texts stay short, so that
//! `, -|` or `.FTZ.SAT` is one step.
//!
//! Texts are of 32 bytes and are copied whole: bits of the word number one. Operand kinds of few values
//! have theirs ready, and optional parts of them are put together at compile time. What has no place
//! here is printed by a walk over the template, and tests compare both.

use super::bit_gather::Gather;
use super::layout::{Layout, Piece, Run, merged, number_of, run};
use super::limits::{BEFORE, FIELD, SHORT_TEXT, SKIP, STEP, VALUE_BITS, WHOLE};
use super::short::ShortText;
use super::text_fns::TextFns;
use crate::model::{Model, Opcode};
use isa_bdd::HashMap;

/// A step in its bytes.
pub(crate) type Step = [u8; STEP];

/// The most bits of the fields of an optional part whose texts are put together beforehand.
const WHOLE_BITS: u8 = 6;

/// The programs of a call, and what they share.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    /// The steps of each opcode, and behind them those of each alias.
    pub(crate) steps: Vec<Vec<Step>>,
    /// Short texts one behind the other.
    pub(crate) short: Vec<u8>,
    /// Where in the short texts each list of texts is.
    known: HashMap<Vec<ShortText>, usize>,
    /// Operand kinds and formats with their texts ready.
    pub(crate) ready: Vec<TextFns>,
    /// Sets of fields, as indices into [`Model::fields`].
    pub(crate) defaults: Vec<Vec<usize>>,
    /// Ways to number texts by bits of the word.
    pub(crate) gathers: Vec<Gather>,
    /// Optional parts put together.
    pub(crate) wholes: Vec<Whole>,
}

/// An optional part that is put together beforehand.
#[derive(Debug, PartialEq)]
pub(crate) struct Whole {
    pub(crate) gather: Gather,
    /// The fields that have their defaults where the part is left out, an index into
    /// [`Programs::defaults`].
    pub(crate) defaults: usize,
    /// The bits that number the texts of the part.
    pub(crate) runs: Vec<Run>,
    pub(crate) parts: Vec<Part>,
    /// The fixed text that always stands behind the part.
    pub(crate) behind: String,
}

/// A piece of an optional part: a table of texts, and the bits that number one.
#[derive(Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) texts: Texts,
    pub(crate) runs: Vec<Run>,
}

/// A table of texts.
#[derive(Debug, PartialEq)]
pub(crate) enum Texts {
    /// The texts that a kind or a format has ready.
    Ready(TextFns),
    Given(Vec<ShortText>),
}

impl Programs {
    pub(super) fn new(model: &Model) -> Self {
        let mut programs = Programs::default();
        // Opcodes of one optype mostly differ in fields that the text does not show.
        let mut known: HashMap<Shown, Vec<Step>> = HashMap::default();
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

    /// Appends the steps of some pieces; `None` where a number does not fit its step.
    fn write(
        &mut self,
        layout: &Layout<'_>,
        pieces: &[Piece],
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        for (index, piece) in pieces.iter().enumerate() {
            let behind = pieces.get(index + 1);
            match piece {
                // It is a part of the step behind it.
                Piece::Table { .. } if is_before(piece, behind) => {}
                Piece::Table { runs, texts } => {
                    let gather = Gather::new(runs)?;
                    let base = u16::try_from(self.short(&gather.arranged(runs, texts))).ok()?;
                    steps.push(step((0, 0), base, self.gather(gather)?, 0));
                }
                Piece::Operand(place) => {
                    let before = match index.checked_sub(1).map(|before| &pieces[before]) {
                        Some(before @ Piece::Table { texts, .. })
                            if is_before(before, Some(piece)) =>
                        {
                            1 + self.short(texts)
                        }
                        _ => 0,
                    };
                    steps.push(self.operand(layout, *place, u16::try_from(before).ok()?)?);
                }
                Piece::Skip { fields, pieces: inner } => {
                    let mut body = Vec::new();
                    self.write(layout, inner, &mut body)?;
                    let over = u8::try_from(body.len()).ok()?;
                    // Only the end of a line: it is the same in most opcodes, as their names are not.
                    let behind = match &pieces[index + 1..] {
                        [end] => fixed_text(end),
                        _ => None,
                    };
                    let more = 1 + u8::from(behind.is_some());
                    let over_all = over.checked_add(more)?;
                    let behind = behind.unwrap_or_default();
                    steps.extend(self.whole(layout, (fields, inner, behind), over_all));
                    let base = self.defaults_of(layout, fields);
                    steps.push(step((SKIP, over), u16::try_from(base).ok()?, 0, 0));
                    steps.extend(body);
                }
            }
        }
        Some(())
    }

    /// The number of the first of some texts that stand together.
    fn short(&mut self, texts: &[ShortText]) -> usize {
        if let Some(&base) = self.known.get(texts) {
            return base;
        }
        let base = self.short.len() / SHORT_TEXT;
        texts.iter().for_each(|text| self.short.extend(text.bytes()));
        self.known.insert(texts.to_vec(), base);
        base
    }

    /// The number of a way to number texts.
    fn gather(&mut self, gather: Gather) -> Option<u16> {
        u16::try_from(place_of(&mut self.gathers, gather)).ok()
    }

    /// The number of a set of fields, given as places in those of the opcode.
    fn defaults_of(&mut self, layout: &Layout<'_>, fields: &[usize]) -> usize {
        let fields = fields.iter().flat_map(|place| layout.opcode.covered(place));
        let mut fields: Vec<usize> = fields.map(|&place| layout.opcode.fields[place]).collect();
        fields.dedup();
        place_of(&mut self.defaults, fields)
    }

    /// A step for a field with text functions, behind the fixed text of this number, counted from 1.
    /// The kind of a narrow field may have the texts of all its values ready.
    fn operand(&mut self, layout: &Layout<'_>, place: usize, before: u16) -> Option<Step> {
        let index = u8::try_from(place).ok()?;
        let format = layout.opcode.formats.iter().position(|format| format.field == place);
        let format = u16::try_from(format.map_or(0, |format| format + 1)).ok()?;
        let (field, runs) = (layout.field(place), run(layout.field(place), VALUE_BITS));
        let gather = self.gather(Gather::new(runs.as_slice())?)?;
        let what = match layout.text(place) {
            Some(text) if runs.is_some() && field.width() <= 8 => {
                let table = u8::try_from(place_of(&mut self.ready, text) + 1).ok();
                table.filter(|table| *table < WHOLE)?
            }
            _ => FIELD,
        };
        Some(step((what, index), format, gather, before))
    }

    /// A step that prints an optional part whole, fields with their defaults included, in place of
    /// some steps behind it; those print the part where a kind's texts are not ready. The part is
    /// its fields, what it shows, and the fixed text that always stands behind it.
    fn whole(
        &mut self,
        layout: &Layout<'_>,
        (fields, pieces, behind): (&[usize], &[Piece], &str),
        over: u8,
    ) -> Option<Step> {
        let places = fields.iter().map(|&place| run(layout.field(place), 6));
        let runs = merged(places.collect::<Option<Vec<Run>>>()?);
        let bits: u8 = runs.iter().map(|run| run.1).sum();
        if bits > WHOLE_BITS {
            return None;
        }
        let gather = Gather::new(&runs)?;
        let parts = pieces.iter().map(|piece| part(layout, piece, &runs));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let defaults = self.defaults_of(layout, fields);
        let whole = Whole { gather, defaults, runs, parts, behind: behind.to_owned() };
        let base = u16::try_from(place_of(&mut self.wholes, whole)).ok()?;
        Some(step((WHOLE, over), base, self.gather(gather)?, 0))
    }
}

/// A piece of an optional part whose bits are these.
fn part(layout: &Layout<'_>, piece: &Piece, runs: &[Run]) -> Option<Part> {
    let (texts, own) = match piece {
        Piece::Table { runs, texts } => (Texts::Given(texts.clone()), runs.clone()),
        Piece::Operand(place) => {
            (Texts::Ready(layout.text(*place)?), vec![run(layout.field(*place), 6)?])
        }
        Piece::Skip { .. } => return None,
    };
    let own = own.iter().map(|&(position, width)| Some((number_of(runs, position)?, width)));
    Some(Part { texts, runs: own.collect::<Option<_>>()? })
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
        let id = |place| match opcode.view(place) {
            Some(view) => usize::MAX - view.index,
            None => opcode.fields[place],
        };
        let bind = opcode.bind.iter().map(|place| place.map(|place| (place, id(place))));
        let formats = opcode.formats.iter().map(|format| (format.field, format.format));
        Shown { syntax: opcode.syntax, bind: bind.collect(), formats: formats.collect() }
    }
}

/// The text of a piece that is the same in all words.
fn fixed_text(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Table { runs, texts } if runs.is_empty() => texts.first().map(ShortText::as_str),
        _ => None,
    }
}

/// The place of a value in a list, which it is added to where it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Whether a piece is fixed text that is printed by the step of the field behind it.
fn is_before(piece: &Piece, behind: Option<&Piece>) -> bool {
    matches!(behind, Some(Piece::Operand(_)))
        && fixed_text(piece).is_some_and(|text| text.len() <= BEFORE)
}

/// The bytes of a step.
fn step((what, operand): (u8, u8), base: u16, gather: u16, before: u16) -> Step {
    let [[low, high], [gather_low, gather_high], [before_low, before_high]] =
        [base, gather, before].map(u16::to_le_bytes);
    [what, operand, low, high, gather_low, gather_high, before_low, before_high]
}
