//! Fields: where in the word their bits are, and what their values mean and how they are written.

use super::{ShortText, TextKeys, halves};
use crate::asm::{Cursor, Fault, Line};
use crate::operand::{Listed, Numbered, TextPart, begins, begins_like};

/// A set of words: those in which the bits under `mask` equal `value`.
///
/// A bit outside `mask` is free. `value` has no bit outside `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    /// The bits that are compared.
    pub mask: u128,
    /// The value that the bits under the mask must have.
    pub value: u128,
}

impl Cube {
    /// The words in which the bits under `mask` equal `value`.
    #[must_use]
    pub const fn new(mask: u128, value: u128) -> Self {
        Cube { mask, value }
    }

    /// Whether `word` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, word: u128) -> bool {
        word & self.mask == self.value
    }
}

/// A run of bits in a word: `width` bits, the lowest at `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The lowest bit, counted from bit 0, the least significant.
    pub position: u8,
    /// How many bits.
    pub width: u8,
}

/// How a field gets its value where nobody writes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Init {
    /// `== value`: every word of the opcode holds this value.
    Fixed(u64),
    /// `= value`: assembly text may leave it out.
    Default(u64),
    /// Neither: assembly text must give it.
    Required,
}

/// A field of an instruction word.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name in the specification, `hfmt_v2` or `ra.neg`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The group, optype or opcode whose `encoding` section has the field.
    pub declared_in: &'static str,
    /// Where the bits are, the most significant piece first. Nearly always one piece; none where
    /// the field is fixed and has no bits.
    pub pieces: &'static [Piece],
    /// What the values mean.
    pub kind: &'static Kind,
    /// Fixed, defaulted or required.
    pub init: Init,
}

impl Field {
    /// The number of bits of the field, all pieces together.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let (mut i, mut sum) = (0, 0);
        while i < self.pieces.len() {
            sum += self.pieces[i].width as u32;
            i += 1;
        }
        sum
    }

    /// The bits of the word that belong to the field.
    #[must_use]
    pub const fn mask(&self) -> u128 {
        let (mut i, mut mask) = (0, 0);
        while i < self.pieces.len() {
            let Piece { position, width } = self.pieces[i];
            mask |= low_bits(width) << position;
            i += 1;
        }
        mask
    }

    /// Whether the opcode does not fix the field to another value.
    #[inline]
    pub(crate) const fn can_be(&self, value: u64) -> bool {
        !matches!(self.init, Init::Fixed(fixed) if fixed != value)
    }

    /// The field's value in `word`.
    #[inline]
    #[must_use]
    pub const fn get(&self, word: u128) -> u64 {
        match self.init {
            Init::Fixed(raw) if self.pieces.is_empty() => raw,
            _ => extract(self.pieces, word),
        }
    }

    /// `word` with the field's value replaced. Bits of `raw` beyond the field's width are dropped.
    #[inline]
    #[must_use]
    pub const fn set(&self, word: u128, raw: u64) -> u128 {
        insert(self.pieces, word, raw)
    }
}

/// Gathers the pieces of a field, the most significant first.
#[inline]
#[must_use]
pub const fn extract(pieces: &[Piece], word: u128) -> u64 {
    let (mut i, mut raw) = (0, 0u64);
    while i < pieces.len() {
        let Piece { position, width } = pieces[i];
        let [low, high] = halves(word);
        let bits = match position {
            64.. => high >> (position & 63),
            // A shift of a whole word takes much longer.
            _ if position + width <= 64 => low >> position,
            _ => (word >> position) as u64,
        };
        raw = raw.unbounded_shl(width as u32) | bits & low_bits(width) as u64;
        i += 1;
    }
    raw
}

/// Spreads `raw` over the pieces of a field, the most significant first.
#[inline]
#[must_use]
pub const fn insert(pieces: &[Piece], word: u128, raw: u64) -> u128 {
    let (mut i, mut rest, mut word) = (pieces.len(), raw as u128, word);
    while i > 0 {
        i -= 1;
        let Piece { position, width } = pieces[i];
        let mask = low_bits(width) << position;
        word = word & !mask | (rest << position) & mask;
        rest >>= width;
    }
    word
}

/// A word with the low `width` bits set, for `width` up to 128.
pub(crate) const fn low_bits(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// What the values of a field mean: a set of named values, or an operand kind.
#[derive(Debug)]
pub struct Kind {
    /// The name in the specification, `HSel2` or `Reg`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The number of bits of a value.
    pub width: u8,
    /// The named values, in the order of the specification; empty for an operand kind.
    pub values: &'static [Value],
    /// Field values that do not exist, as masked comparisons of the field's value.
    pub reserved: &'static [Cube],
    /// How an operand kind is written; `None` for a set of named values, which uses their names.
    pub text: Option<&'static Text>,
}

impl Kind {
    /// The named value with these bits.
    #[must_use]
    pub fn value(&self, raw: u64) -> Option<&'static Value> {
        self.values.iter().find(|value| value.raw == raw)
    }

    /// The named value that is read where this name stands.
    #[must_use]
    pub fn value_named(&self, name: &str) -> Option<&'static Value> {
        self.values.iter().find(|value| value.is_read_as(name))
    }

    /// As [`Kind::value_named`]; where `any_case`, a name that no value has as it stands is one in
    /// another letter case.
    pub(crate) fn value_read(&self, name: &str, any_case: bool) -> Option<&'static Value> {
        let folded = || self.values.iter().find(|value| value.is_read_in_any_case_as(name));
        self.value_named(name).or_else(|| if any_case { folded() } else { None })
    }

    /// Whether the values are targets, such as those of branches.
    #[must_use]
    pub const fn is_target(&self) -> bool {
        match self.text {
            Some(text) => text.target.is_some(),
            None => false,
        }
    }

    /// The address that a value stands for in an instruction at `address`; `None` where the kind
    /// is no target.
    #[must_use]
    pub fn target(&self, raw: u64, address: u64) -> Option<u64> {
        let target = self.text?.target?;
        Some(target(raw, address))
    }

    /// Whether a field of this kind can hold `raw`.
    #[must_use]
    pub fn admits(&self, raw: u64) -> bool {
        !self.reserved.iter().any(|cube| cube.contains(raw.into()))
    }
}

/// One named value of a set.
#[derive(Debug)]
pub struct Value {
    /// The name, as it is written in assembly text.
    pub name: &'static str,
    /// Other names, which are read and not written.
    pub also: &'static [&'static str],
    /// The bits.
    pub raw: u64,
    /// The documentation in the specification.
    pub doc: &'static str,
}

impl Value {
    /// Whether the value is read where this name stands.
    #[inline]
    #[must_use]
    pub fn is_read_as(&self, name: &str) -> bool {
        is_same(self.name, name) || self.also.iter().any(|also| is_same(also, name))
    }

    fn is_read_in_any_case_as(&self, name: &str) -> bool {
        let mut names = core::iter::once(&self.name).chain(self.also);
        names.any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Whether two names are the same: one call, so that what compares bytes is not called by a pointer in
/// a loop over names, which could not be followed in the machine code.
#[inline(never)]
fn is_same(a: &str, b: &str) -> bool {
    a == b
}

/// How values of an operand kind are written and read.
///
/// `args` are the values of the other fields that the text depends on: the second and later
/// arguments of an `AsmFormat`.
pub struct Text {
    /// What the text looks like, for messages: "a general register (`R0` to `R254`, or `RZ`)".
    pub expects: &'static str,
    /// The longest text, in bytes.
    pub max_len: usize,
    /// How the text begins, as [`OperandKind::FORMS`](crate::operand::OperandKind::FORMS) says it.
    pub forms: &'static [&'static str],
    /// Reads one operand.
    pub read: fn(&mut Cursor<'_>, args: &[u64]) -> Result<u64, Fault>,
    /// Writes one operand.
    pub write: fn(u64, args: &[u64], &mut Line),
    /// What `write` gives for each value, from 0; empty where that is not known beforehand.
    pub ready: &'static [ShortText],
    /// For kinds that are targets: the address that a value stands for in an instruction at an
    /// address.
    pub target: Option<fn(u64, u64) -> u64>,
    /// Where several values have one text: whether that of a value is read as the value.
    pub reads_back: Option<fn(u64, args: &[u64]) -> bool>,
    /// The names, where all of them are a prefix with a number, or one other.
    pub numbered: Option<&'static Numbered>,
    /// The names, where all of them are listed.
    pub listed: Option<&'static Listed>,
    /// What `write` writes, as data; empty where that is not said.
    pub parts: &'static [TextPart],
    /// What the quick reader looks for.
    pub(crate) keys: TextKeys,
}

impl Text {
    /// Whether the text at the cursor is meant as this kind, right or wrong: it begins as the forms
    /// say.
    #[inline]
    #[must_use]
    pub fn looks_like(&self, cursor: &Cursor<'_>) -> bool {
        match self.numbered {
            Some(names) if names.has_forms(self.forms) => names.looks_like(cursor),
            _ => begins_like(self.forms, cursor),
        }
    }

    /// Whether text that [looks like](Text::looks_like) this kind does so in the letter case that the
    /// set reads. In another it may be a value of something else.
    pub(crate) fn is_in_case(&self, cursor: &Cursor<'_>) -> bool {
        cursor.any_case() || begins(self.forms, cursor, false)
    }
}

impl core::fmt::Debug for Text {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Text").field("expects", &self.expects).finish_non_exhaustive()
    }
}
