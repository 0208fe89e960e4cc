//! Compiles the template of each opcode to a print program: steps over tables of short texts.
//!
//! `isa_core::table::PrintProgram` documents the steps. Fixed text, operators and the names of small fields
//! become a [`Piece::Table`]. Adjacent tables are merged as long as the texts stay short, so `, -|` or
//! `.FTZ.SAT` is one step.
//!
//! A short text has 32 bytes and is copied as a whole. Bits of the word select the text. If an operand
//! type has few values, it provides a table of their texts. The texts of optional parts are combined at
//! compile time. If a template does not fit this form, the template interpreter prints it. Tests
//! compare the two.

use super::bit_gather::Gather;
use super::layout::{Layout, Piece, Run, merged, number_of, run};
use super::limits::{BEFORE, FIELD, SHORT_TEXT, SKIP, STEP, VALUE_BITS, WHOLE};
use super::short::ShortText;
use super::text_fns::TextFns;
use crate::model::{Model, Opcode};
use isa_bdd::HashMap;

/// The bytes of a step.
pub(crate) type Step = [u8; STEP];

/// The maximum number of field bits of an optional part whose texts are combined at compile time.
const WHOLE_BITS: u8 = 6;

/// The print programs of a call, and the data that they share.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    /// The steps of each opcode, followed by the steps of each alias.
    pub(crate) steps: Vec<Vec<Step>>,
    /// All short texts, concatenated.
    pub(crate) short: Vec<u8>,
    /// The index in `short` of each list of texts.
    known: HashMap<Vec<ShortText>, usize>,
    /// Operand types and formats with tables of texts.
    pub(crate) ready: Vec<TextFns>,
    /// Sets of fields, as indexes into [`Model::fields`].
    pub(crate) defaults: Vec<Vec<usize>>,
    /// The multipliers that turn bits of a word into an index.
    pub(crate) gathers: Vec<Gather>,
    /// Optional parts whose texts are combined at compile time.
    pub(crate) wholes: Vec<Whole>,
}

/// An optional part whose texts are combined at compile time.
#[derive(Debug, PartialEq)]
pub(crate) struct Whole {
    pub(crate) gather: Gather,
    /// The fields whose defaults cause the part to be omitted, as an index into [`Programs::defaults`].
    pub(crate) defaults: usize,
    /// The bits that select a text of the part.
    pub(crate) runs: Vec<Run>,
    pub(crate) parts: Vec<Part>,
    /// The fixed text that always follows the part.
    pub(crate) behind: String,
}

/// A piece of an optional part: a table of texts, and the bits that select a text.
#[derive(Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) texts: Texts,
    pub(crate) runs: Vec<Run>,
}

/// A table of texts.
#[derive(Debug, PartialEq)]
pub(crate) enum Texts {
    /// The table that an operand type or a format provides.
    Ready(TextFns),
    Given(Vec<ShortText>),
}

impl Programs {
    pub(super) fn new(model: &Model) -> Self {
        let mut programs = Programs::default();
        // Most opcodes of one optype differ only in fields that the text does not show.
        let mut known: HashMap<Shown, Vec<Step>> = HashMap::default();
        for opcode in model.spellings() {
            let lay_out = || {
                let layout = Layout { model, opcode };
                let mut steps = Vec::new();
                let laid_out =
                    layout.opcode().and_then(|pieces| programs.write(&layout, &pieces, &mut steps));
                // The template interpreter prints templates that do not fit the form.
                laid_out.map(|()| steps).unwrap_or_default()
            };
            let steps = known.entry(Shown::of(opcode)).or_insert_with(lay_out).clone();
            programs.steps.push(steps);
        }
        programs
    }

    /// Adds the steps for `pieces` to `steps`. Returns `None` if a number does not fit into a step.
    fn write(
        &mut self,
        layout: &Layout<'_>,
        pieces: &[Piece],
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        for (index, piece) in pieces.iter().enumerate() {
            let behind = pieces.get(index + 1);
            match piece {
                // The step of the next piece prints it.
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
                    // The text after the part is included only if it is the end of the line. Unlike
                    // names, the end is the same in most opcodes.
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

    /// Returns the index of the first text of a list. If the list is new, adds it.
    fn short(&mut self, texts: &[ShortText]) -> usize {
        if let Some(&base) = self.known.get(texts) {
            return base;
        }
        let base = self.short.len() / SHORT_TEXT;
        texts.iter().for_each(|text| self.short.extend(text.bytes()));
        self.known.insert(texts.to_vec(), base);
        base
    }

    /// Returns the index of a multiplier.
    fn gather(&mut self, gather: Gather) -> Option<u16> {
        u16::try_from(place_of(&mut self.gathers, gather)).ok()
    }

    /// Returns the index of a set of fields, given as indexes into the opcode's fields.
    fn defaults_of(&mut self, layout: &Layout<'_>, fields: &[usize]) -> usize {
        let fields = fields.iter().flat_map(|place| layout.opcode.covered(place));
        let mut fields: Vec<usize> = fields.map(|&place| layout.opcode.fields[place]).collect();
        fields.dedup();
        place_of(&mut self.defaults, fields)
    }

    /// Returns the step for a field with text functions. `before` is 0, or 1 plus the index of the
    /// fixed text before the field. For a narrow field, the step may refer to the table of texts that
    /// the operand type provides.
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

    /// Returns a step that prints an optional part as a whole, even if fields have their defaults, and
    /// then skips the next `over` steps. The skipped steps print the part if an operand type provides
    /// no table. The part is given as its fields, its pieces, and the fixed text that always follows
    /// it.
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

/// Converts a piece of an optional part; `runs` are the bits that select the text of the part.
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

/// The properties that determine how an opcode is printed.
#[derive(PartialEq, Eq, Hash)]
struct Shown {
    syntax: usize,
    /// For each placeholder of the syntax, the index of its field in the opcode and the identity of
    /// the field.
    bind: Vec<Option<(usize, usize)>>,
    /// The indexes of fields with a format, and their formats.
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

/// Returns the text of a piece, if it is the same in all words.
fn fixed_text(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Table { runs, texts } if runs.is_empty() => texts.first().map(ShortText::as_str),
        _ => None,
    }
}

/// Returns the index of a value in a list, and adds the value if it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Returns whether a piece is fixed text that the step of the next field prints.
fn is_before(piece: &Piece, behind: Option<&Piece>) -> bool {
    matches!(behind, Some(Piece::Operand(_)))
        && fixed_text(piece).is_some_and(|text| text.len() <= BEFORE)
}

/// Encodes a step as bytes.
fn step((what, operand): (u8, u8), base: u16, gather: u16, before: u16) -> Step {
    let [[low, high], [gather_low, gather_high], [before_low, before_high]] =
        [base, gather, before].map(u16::to_le_bytes);
    [what, operand, low, high, gather_low, gather_high, before_low, before_high]
}
