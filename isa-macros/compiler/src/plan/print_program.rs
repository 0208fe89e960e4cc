//! Compiles the template of each opcode to a print program: steps over tables of short texts.
//!
//! `isa_core::table::PrintProgram` documents the steps. Fixed text, operators and the names of small fields
//! become a [`PrintPiece::Table`]. Adjacent tables are merged as long as the texts stay short, so `, -|` or
//! `.FTZ.SAT` is one step.
//!
//! A short text has 32 bytes and is copied as a whole. Bits of the word select the text. If an operand
//! type has few values, it provides a table of their texts. The texts of optional parts are combined at
//! compile time. If a template does not fit this form, the template interpreter prints it. Tests
//! compare the two.

use isa_bdd::HashMap;

use super::bit_gather::{BitRun, Gather};
use super::limits::{BEFORE, FIELD, SHORT_TEXT, SKIP, STEP, VALUE_BITS, WHOLE};
use crate::model::opcode_template::{
    self, AfterOperand, BoundAffix, Modifier, OperandSlot, TemplatePart, TextFns, TextSource,
};
use crate::model::{DefaultValue, Init, Model, Opcode, ResolvedField};

/// The bytes of a step.
pub(crate) type PrintStep = [u8; STEP];

/// The maximum number of field bits of an optional part whose texts are combined at compile time.
const WHOLE_BITS: u8 = 6;

/// The print programs of a call, and the data that they share.
#[derive(Debug, Default)]
pub(crate) struct PrintPrograms {
    /// The steps of each opcode, followed by the steps of each alias.
    pub(crate) steps: Vec<Vec<PrintStep>>,
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
    pub(crate) wholes: Vec<CombinedPart>,
}

/// An optional part whose texts are combined at compile time.
#[derive(Debug, PartialEq)]
pub(crate) struct CombinedPart {
    pub(crate) gather: Gather,
    /// The fields whose defaults cause the part to be omitted, as an index into [`PrintPrograms::defaults`].
    pub(crate) defaults: usize,
    /// The bits that select a text of the part.
    pub(crate) runs: Vec<BitRun>,
    pub(crate) parts: Vec<SelectedText>,
    /// The fixed text that always follows the part.
    pub(crate) behind: String,
}

/// A piece of an optional part: a table of texts, and the bits that select a text.
#[derive(Debug, PartialEq)]
pub(crate) struct SelectedText {
    pub(crate) texts: TextTable,
    pub(crate) runs: Vec<BitRun>,
}

/// A table of texts.
#[derive(Debug, PartialEq)]
pub(crate) enum TextTable {
    /// The table that an operand type or a format provides.
    Ready(TextFns),
    Given(Vec<ShortText>),
}

impl PrintPrograms {
    pub(super) fn new(model: &Model) -> Self {
        let mut programs = PrintPrograms::default();
        // Most opcodes of one optype differ only in fields that the text does not show.
        let mut known: HashMap<PrintKey, Vec<PrintStep>> = HashMap::default();
        for opcode in model.spellings() {
            let lay_out = || {
                let layout = PieceBuilder { model, opcode };
                let mut steps = Vec::new();
                let laid_out =
                    layout.opcode().and_then(|pieces| programs.write(&layout, &pieces, &mut steps));
                // The template interpreter prints templates that do not fit the form.
                laid_out.map(|()| steps).unwrap_or_default()
            };
            let steps = known.entry(PrintKey::of(opcode)).or_insert_with(lay_out).clone();
            programs.steps.push(steps);
        }
        programs
    }

    /// Adds the steps for `pieces` to `steps`. Returns `None` if a number does not fit into a step.
    fn write(
        &mut self,
        layout: &PieceBuilder<'_>,
        pieces: &[PrintPiece],
        steps: &mut Vec<PrintStep>,
    ) -> Option<()> {
        for (index, piece) in pieces.iter().enumerate() {
            let behind = pieces.get(index + 1);
            match piece {
                // The step of the next piece prints it.
                PrintPiece::Table { .. } if is_before(piece, behind) => {}
                PrintPiece::Table { runs, texts } => {
                    let gather = Gather::new(runs)?;
                    let base =
                        u16::try_from(self.short(&gather.arranged(runs, texts, ShortText::EMPTY)))
                            .ok()?;
                    steps.push(step((0, 0), base, self.gather(gather)?, 0));
                }
                PrintPiece::Operand(place) => {
                    let before = match index.checked_sub(1).map(|before| &pieces[before]) {
                        Some(before @ PrintPiece::Table { texts, .. })
                            if is_before(before, Some(piece)) =>
                        {
                            1 + self.short(texts)
                        }
                        _ => 0,
                    };
                    steps.push(self.operand(layout, *place, u16::try_from(before).ok()?)?);
                }
                PrintPiece::Skip { fields, pieces: inner } => {
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
    fn defaults_of(&mut self, layout: &PieceBuilder<'_>, fields: &[usize]) -> usize {
        let fields = fields.iter().flat_map(|place| layout.opcode.covered(place));
        let mut fields: Vec<usize> = fields.map(|&place| layout.opcode.fields[place]).collect();
        fields.dedup();
        place_of(&mut self.defaults, fields)
    }

    /// Returns the step for a field with text functions. `before` is 0, or 1 plus the index of the
    /// fixed text before the field. For a narrow field, the step may refer to the table of texts that
    /// the operand type provides.
    fn operand(
        &mut self,
        layout: &PieceBuilder<'_>,
        place: usize,
        before: u16,
    ) -> Option<PrintStep> {
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
        layout: &PieceBuilder<'_>,
        (fields, pieces, behind): (&[usize], &[PrintPiece], &str),
        over: u8,
    ) -> Option<PrintStep> {
        let places = fields.iter().map(|&place| run(layout.field(place), 6));
        let runs = merged(places.collect::<Option<Vec<BitRun>>>()?);
        let bits: u8 = runs.iter().map(|run| run.1).sum();
        if bits > WHOLE_BITS {
            return None;
        }
        let gather = Gather::new(&runs)?;
        let parts = pieces.iter().map(|piece| part(layout, piece, &runs));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        let defaults = self.defaults_of(layout, fields);
        let whole = CombinedPart { gather, defaults, runs, parts, behind: behind.to_owned() };
        let base = u16::try_from(place_of(&mut self.wholes, whole)).ok()?;
        Some(step((WHOLE, over), base, self.gather(gather)?, 0))
    }
}

/// Converts a piece of an optional part; `runs` are the bits that select the text of the part.
fn part(layout: &PieceBuilder<'_>, piece: &PrintPiece, runs: &[BitRun]) -> Option<SelectedText> {
    let (texts, own) = match piece {
        PrintPiece::Table { runs, texts } => (TextTable::Given(texts.clone()), runs.clone()),
        PrintPiece::Operand(place) => {
            (TextTable::Ready(layout.text(*place)?), vec![run(layout.field(*place), 6)?])
        }
        PrintPiece::Skip { .. } => return None,
    };
    let own = own.iter().map(|&(position, width)| Some((number_of(runs, position)?, width)));
    Some(SelectedText { texts, runs: own.collect::<Option<_>>()? })
}

/// The properties that determine how an opcode is printed.
#[derive(PartialEq, Eq, Hash)]
struct PrintKey {
    syntax: usize,
    /// For each placeholder of the syntax, the index of its field in the opcode and the identity of
    /// the field.
    bind: Vec<Option<(usize, usize)>>,
    /// The indexes of fields with a format, and their formats.
    formats: Vec<(usize, usize)>,
}

impl PrintKey {
    fn of(opcode: &Opcode) -> Self {
        let id = |place| match opcode.composite(place) {
            Some(view) => usize::MAX - view.index,
            None => opcode.fields[place],
        };
        let bind = opcode.bind.iter().map(|place| place.map(|place| (place, id(place))));
        let formats = opcode.formats.iter().map(|format| (format.field, format.format));
        PrintKey { syntax: opcode.syntax, bind: bind.collect(), formats: formats.collect() }
    }
}

/// Returns the text of a piece, if it is the same in all words.
fn fixed_text(piece: &PrintPiece) -> Option<&str> {
    match piece {
        PrintPiece::Table { runs, texts } if runs.is_empty() => {
            texts.first().map(ShortText::as_str)
        }
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
fn is_before(piece: &PrintPiece, behind: Option<&PrintPiece>) -> bool {
    matches!(behind, Some(PrintPiece::Operand(_)))
        && fixed_text(piece).is_some_and(|text| text.len() <= BEFORE)
}

/// Encodes a step as bytes.
fn step((what, operand): (u8, u8), base: u16, gather: u16, before: u16) -> PrintStep {
    let [[low, high], [gather_low, gather_high], [before_low, before_high]] =
        [base, gather, before].map(u16::to_le_bytes);
    [what, operand, low, high, gather_low, gather_high, before_low, before_high]
}

/// The maximum number of texts in one table.
const MOST: usize = 64;

/// A piece of printed text.
pub(super) enum PrintPiece {
    /// A table of texts. The value of some runs of bits selects the text. Fixed text has no runs.
    Table { runs: Vec<BitRun>, texts: Vec<ShortText> },
    /// A field that text functions print, as an index into the opcode's fields.
    Operand(usize),
    /// Pieces that are omitted if all of these fields have their defaults.
    Skip { fields: Vec<usize>, pieces: Vec<PrintPiece> },
}

/// The conversion of one opcode's template to pieces.
pub(super) struct PieceBuilder<'m> {
    pub(super) model: &'m Model,
    pub(super) opcode: &'m Opcode,
}

impl PieceBuilder<'_> {
    /// Returns the pieces, or `None` if a part cannot be expressed in a print program.
    pub(super) fn opcode(&self) -> Option<Vec<PrintPiece>> {
        let mut pieces = Vec::new();
        self.parts(&self.opcode.text.parts, &mut pieces)?;
        Some(pieces)
    }

    pub(super) fn field(&self, place: usize) -> &ResolvedField {
        self.model.at(self.opcode, place)
    }

    /// Returns the text functions of a field, if Rust code prints it.
    pub(super) fn text(&self, place: usize) -> Option<TextFns> {
        TextFns::of(TextSource::of(self.model, self.opcode, place))
    }

    fn parts(&self, parts: &[TemplatePart], pieces: &mut Vec<PrintPiece>) -> Option<()> {
        for part in parts {
            match part {
                TemplatePart::Text(fixed) => text(pieces, fixed)?,
                TemplatePart::Mnemonic => {
                    text(pieces, &self.model.syntaxes[self.opcode.syntax].mnemonic)?;
                }
                TemplatePart::Modifiers(modifiers) => self.modifiers(modifiers, pieces)?,
                TemplatePart::Optional(inner) => self.optional(inner, pieces)?,
                TemplatePart::Settings(settings) => {
                    let mut settings = settings.iter();
                    settings.try_for_each(|s| self.marked(" ", s.place, false, None, pieces))?;
                }
                TemplatePart::Slot(slot) => self.slot(slot, pieces)?,
            }
        }
        Some(())
    }

    fn modifiers(&self, modifiers: &[Modifier], pieces: &mut Vec<PrintPiece>) -> Option<()> {
        let mut modifiers = modifiers.iter();
        modifiers.try_for_each(|&Modifier { shown, mandatory, only }| {
            self.marked(".", shown.place, mandatory, only, pieces)
        })
    }

    fn slot(&self, slot: &OperandSlot, pieces: &mut Vec<PrintPiece>) -> Option<()> {
        for mark in &slot.marks {
            self.mark(mark, &mark.open, pieces)?;
        }
        self.value(slot.value.place, pieces);
        for behind in slot.after_operand() {
            match behind {
                AfterOperand::Modifier(modifier) => self.modifiers(&[modifier], pieces)?,
                AfterOperand::Close(mark) => self.mark(mark, &mark.close, pieces)?,
            }
        }
        Some(())
    }

    /// Adds text that is printed if the field of a prefix or suffix operator has the operator's value.
    fn mark(&self, mark: &BoundAffix, text: &str, pieces: &mut Vec<PrintPiece>) -> Option<()> {
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
        pieces: &mut Vec<PrintPiece>,
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
            Some(_) => pieces.push(PrintPiece::Skip { fields: vec![place], pieces: shown }),
            None => pieces.extend(shown),
        }
        Some(())
    }

    fn value(&self, place: usize, pieces: &mut Vec<PrintPiece>) {
        match self.names(place) {
            Some((run, names)) => push(pieces, vec![run], names),
            None => pieces.push(PrintPiece::Operand(place)),
        }
    }

    /// If the values of a field are a small value set, returns the position of the field and the names
    /// of all values in order.
    fn names(&self, place: usize) -> Option<(BitRun, Vec<ShortText>)> {
        let field = self.field(place);
        let kind = self.model.type_of(field);
        let run = run(field, 5).filter(|_| kind.is_set() && self.text(place).is_none())?;
        let name = |raw| match kind.values().iter().find(|value| value.raw == raw) {
            Some(value) => ShortText::new(&value.text),
            None => ShortText::new(&format!("0x{raw:x}")),
        };
        // A name must be one byte shorter than the maximum, because text before the name must fit too.
        let name = |raw| name(raw).filter(|name| name.as_str().len() < SHORT_TEXT - 1);
        Some((run, (0..1 << run.1).map(name).collect::<Option<_>>()?))
    }

    fn optional(&self, parts: &[TemplatePart], pieces: &mut Vec<PrintPiece>) -> Option<()> {
        let fields: Vec<usize> =
            opcode_template::shown(parts).iter().map(|shown| shown.place).collect();
        let mut shown = Vec::new();
        self.parts(parts, &mut shown)?;
        match opcode_template::may_be_left_out(self.model, self.opcode, parts) {
            true => pieces.push(PrintPiece::Skip { fields, pieces: shown }),
            false => pieces.extend(shown),
        }
        Some(())
    }
}

/// Adds fixed text.
fn text(pieces: &mut Vec<PrintPiece>, text: &str) -> Option<()> {
    for part in text.as_bytes().chunks(SHORT_TEXT - 1) {
        let text = ShortText::new(str::from_utf8(part).ok()?)?;
        push(pieces, Vec::new(), vec![text]);
    }
    Some(())
}

/// Adds a table. It is merged into the previous table if the combined texts are short enough.
fn push(pieces: &mut Vec<PrintPiece>, runs: Vec<BitRun>, texts: Vec<ShortText>) {
    if let Some(PrintPiece::Table { runs: before, texts: left }) = pieces.last_mut()
        && let Some((both, folded)) = fold((before, left), (&runs, &texts))
    {
        (*before, *left) = (both, folded);
    } else {
        pieces.push(PrintPiece::Table { runs, texts });
    }
}

type TableSlices<'t> = (&'t [BitRun], &'t [ShortText]);

/// Combines two consecutive tables to one.
fn fold(
    (a, left): TableSlices<'_>,
    (b, right): TableSlices<'_>,
) -> Option<(Vec<BitRun>, Vec<ShortText>)> {
    let runs = merged([a, b].concat());
    let bits: u8 = runs.iter().map(|run| run.1).sum();
    if 1 << bits > MOST {
        return None;
    }
    Gather::new(&runs)?;
    // The positions of the bits of each table in the index of the combined table.
    let places = |own: &[BitRun]| -> Vec<(u8, u8)> {
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
pub(super) fn merged(mut runs: Vec<BitRun>) -> Vec<BitRun> {
    runs.sort_unstable();
    let mut merged: Vec<BitRun> = Vec::new();
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

/// Returns the position of a bit in the number that `runs` form together, or `None` if no run contains
/// it. `position` is the position of the bit in the word.
pub(super) fn number_of(runs: &[BitRun], position: u8) -> Option<u8> {
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
pub(super) fn run(field: &ResolvedField, widest: u8) -> Option<BitRun> {
    match field.pieces[..] {
        [(position, width)] if width <= widest && position / 64 == (position + width - 1) / 64 => {
            Some((position, width))
        }
        _ => None,
    }
}

/// A short ASCII text in the format of the tables: its bytes, followed by zeros, and its length in the
/// last byte. It is an array and not a `String`, because the expansion of a call contains thousands of
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShortText([u8; SHORT_TEXT]);

impl ShortText {
    /// The empty text.
    pub(super) const EMPTY: Self = ShortText([0; SHORT_TEXT]);

    /// Creates a short text. Returns `None` if the text is too long or not ASCII.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT_TEXT];
        bytes[SHORT_TEXT - 1] = text.len() as u8;
        let room = bytes[..SHORT_TEXT - 1].get_mut(..text.len()).filter(|_| text.is_ascii())?;
        room.copy_from_slice(text.as_bytes());
        Some(ShortText(bytes))
    }

    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        str::from_utf8(&self.0[..self.len()]).unwrap_or_default()
    }

    /// Returns the bytes as in the tables.
    pub(super) const fn bytes(&self) -> &[u8; SHORT_TEXT] {
        &self.0
    }

    fn len(&self) -> usize {
        usize::from(self.0[SHORT_TEXT - 1])
    }

    /// Concatenates two texts. Returns `None` if the result is too long.
    pub(super) fn then(&self, other: &Self) -> Option<Self> {
        let (start, end) = (self.len(), self.len() + other.len());
        let mut bytes = self.0;
        bytes[..SHORT_TEXT - 1].get_mut(start..end)?.copy_from_slice(&other.0[..other.len()]);
        bytes[SHORT_TEXT - 1] = end as u8;
        Some(ShortText(bytes))
    }
}

impl std::fmt::Debug for ShortText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::ShortText;

    #[test]
    fn texts_are_short_and_of_ascii() {
        let text = |text: &str| ShortText::new(text).map(|text| text.as_str().to_owned());
        let longest = "x".repeat(31);
        assert_eq!(text(&longest), Some(longest.clone()));
        assert_eq!(text(&"x".repeat(32)), None);
        assert_eq!(text("ä"), None);
        assert_eq!(text(""), Some(String::new()));
        let both = |a: &str, b: &str| {
            let both = ShortText::new(a)?.then(&ShortText::new(b)?)?;
            assert_eq!(Some(both), ShortText::new(both.as_str()));
            Some(both.as_str().to_owned())
        };
        assert_eq!(both("ADD", ".SAT").as_deref(), Some("ADD.SAT"));
        assert_eq!(both(&longest, "").as_deref(), Some(&*longest));
        assert_eq!(both(&longest, "x"), None);
    }
}
