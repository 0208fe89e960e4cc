//! Describes the fields of a word: their bits, the meaning of their values, and their assembly
//! syntax.

use super::{ShortText, TextKeys, halves};
use crate::asm::{Cursor, Fault, Line};
use crate::operand::{Listed, Numbered, TextPart, begins, begins_like};

/// A masked pattern: the set of words whose bits under `mask` are equal to `value`.
///
/// Bits outside of `mask` can have any value. `value` contains only bits of `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    /// The bits that are compared.
    pub mask: u128,
    /// The required value of the bits under the mask.
    pub value: u128,
}

impl Cube {
    /// Creates the set of words whose bits under `mask` are equal to `value`.
    #[must_use]
    pub const fn new(mask: u128, value: u128) -> Self {
        Cube { mask, value }
    }

    /// Returns whether `word` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, word: u128) -> bool {
        word & self.mask == self.value
    }
}

/// A run of `width` bits in a word. Its lowest bit is `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The lowest bit. Bit 0 is the least significant bit of the word.
    pub position: u8,
    /// The number of bits.
    pub width: u8,
}

/// The value of a field if the assembly text does not contain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Init {
    /// `== value`: the field has this value in every word of the opcode.
    Fixed(u64),
    /// `= value`: the field is optional in the assembly text.
    Default(u64),
    /// No value: the assembly text must contain the field.
    Required,
}

/// A field of an instruction word.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name in the specification, for example `hfmt_v2` or `ra.neg`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The group, optype or opcode whose `encoding` section declares the field.
    pub declared_in: &'static str,
    /// The bits of the field, the most significant piece first. Nearly all fields have one piece; a
    /// fixed field without bits has none.
    pub pieces: &'static [Piece],
    /// The type of the field, which defines the meaning of its values.
    pub kind: &'static Kind,
    /// Whether the field is fixed, has a default, or is required.
    pub init: Init,
}

impl Field {
    /// Returns the number of bits in all pieces of the field.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let (mut i, mut sum) = (0, 0);
        while i < self.pieces.len() {
            sum += self.pieces[i].width as u32;
            i += 1;
        }
        sum
    }

    /// Returns the bits of the word that belong to the field.
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

    /// Returns false if the opcode fixes the field to a different value.
    #[inline]
    pub(crate) const fn can_be(&self, value: u64) -> bool {
        !matches!(self.init, Init::Fixed(fixed) if fixed != value)
    }

    /// Returns the value of the field in `word`.
    #[inline]
    #[must_use]
    pub const fn get(&self, word: u128) -> u64 {
        match self.init {
            Init::Fixed(raw) if self.pieces.is_empty() => raw,
            _ => extract(self.pieces, word),
        }
    }

    /// Returns `word` with another value of the field. Bits of `raw` beyond the width of the field
    /// are dropped.
    #[inline]
    #[must_use]
    pub const fn set(&self, word: u128, raw: u64) -> u128 {
        insert(self.pieces, word, raw)
    }
}

/// Concatenates the pieces of a field, the most significant piece first.
#[inline]
#[must_use]
pub const fn extract(pieces: &[Piece], word: u128) -> u64 {
    let (mut i, mut raw) = (0, 0u64);
    while i < pieces.len() {
        let Piece { position, width } = pieces[i];
        let [low, high] = halves(word);
        let bits = match position {
            64.. => high >> (position & 63),
            // Shifting a 128-bit word takes much longer than shifting one of its 64-bit halves.
            _ if position + width <= 64 => low >> position,
            _ => (word >> position) as u64,
        };
        raw = raw.unbounded_shl(width as u32) | bits & low_bits(width) as u64;
        i += 1;
    }
    raw
}

/// Stores `raw` in the pieces of a field, the most significant piece first.
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

/// Returns a word with the low `width` bits set, for a `width` of up to 128.
pub(crate) const fn low_bits(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The type of a field: a set of named values, or an operand type.
#[derive(Debug)]
pub struct Kind {
    /// The name in the specification, for example `HSel2` or `Reg`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The number of bits of a value.
    pub width: u8,
    /// The named values in the order of the specification; empty for an operand type.
    pub values: &'static [Value],
    /// The reserved values of the field, as masked patterns.
    pub reserved: &'static [Cube],
    /// The assembly syntax of an operand type; `None` for a set of named values, which are written
    /// by name.
    pub text: Option<&'static Text>,
}

impl Kind {
    /// Returns the named value that is encoded as `raw`.
    #[must_use]
    pub fn value(&self, raw: u64) -> Option<&'static Value> {
        self.values.iter().find(|value| value.raw == raw)
    }

    /// Returns the value that is accepted under this name.
    #[must_use]
    pub fn value_named(&self, name: &str) -> Option<&'static Value> {
        self.values.iter().find(|value| value.is_read_as(name))
    }

    /// Returns the value that is accepted under the name `name`. If `any_case` is true and no name
    /// matches exactly, it ignores the letter case.
    pub(crate) fn value_read(&self, name: &str, any_case: bool) -> Option<&'static Value> {
        let folded = || self.values.iter().find(|value| value.is_read_in_any_case_as(name));
        self.value_named(name).or_else(|| if any_case { folded() } else { None })
    }

    /// Returns whether the values are targets, such as branch targets.
    #[must_use]
    pub const fn is_target(&self) -> bool {
        match self.text {
            Some(text) => text.target.is_some(),
            None => false,
        }
    }

    /// Returns the address that a value refers to in an instruction at `address`, or `None` if the
    /// type is not a target.
    #[must_use]
    pub fn target(&self, raw: u64, address: u64) -> Option<u64> {
        let target = self.text?.target?;
        Some(target(raw, address))
    }

    /// Returns whether a field of this type can contain `raw`.
    #[must_use]
    pub fn admits(&self, raw: u64) -> bool {
        !self.reserved.iter().any(|cube| cube.contains(raw.into()))
    }
}

/// A named value of a set.
#[derive(Debug)]
pub struct Value {
    /// The name in assembly text.
    pub name: &'static str,
    /// Additional names, which are accepted but not printed.
    pub also: &'static [&'static str],
    /// The bits.
    pub raw: u64,
    /// The documentation in the specification.
    pub doc: &'static str,
}

impl Value {
    /// Returns whether `name` is parsed as the value.
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

/// Returns whether two names are equal. This is a separate function, because otherwise the loop over
/// names calls the comparison of bytes through a pointer. The test that searches the machine code for
/// panics cannot follow such a call.
#[inline(never)]
fn is_same(a: &str, b: &str) -> bool {
    a == b
}

/// The functions that print and parse values of an operand type.
///
/// `args` are the values of the other fields that the text depends on: the second and later
/// arguments of an `AsmFormat`.
pub struct Text {
    /// A description of the text for messages: "a general register (`R0` to `R254`, or `RZ`)".
    pub expects: &'static str,
    /// The length of the longest text in bytes.
    pub max_len: usize,
    /// The forms in which the text can begin: see
    /// [`OperandKind::FORMS`](crate::operand::OperandKind::FORMS).
    pub forms: &'static [&'static str],
    /// Parses one operand.
    pub read: fn(&mut Cursor<'_>, args: &[u64]) -> Result<u64, Fault>,
    /// Prints one operand.
    pub write: fn(u64, args: &[u64], &mut Line),
    /// The output of `write` for each value, starting with the value 0. Empty if the output is not
    /// computed in advance.
    pub ready: &'static [ShortText],
    /// Returns the address that a value refers to in an instruction at an address; `None` if the
    /// type is not a target.
    pub target: Option<fn(u64, u64) -> u64>,
    /// Returns whether the text of a value is parsed as this value; `None` if different values have
    /// different texts.
    pub reads_back: Option<fn(u64, args: &[u64]) -> bool>,
    /// The names, if all names consist of a prefix and a number, apart from at most one other name.
    pub numbered: Option<&'static Numbered>,
    /// The names, if all of them are in a list.
    pub listed: Option<&'static Listed>,
    /// The output of `write` as data; empty if it is not described.
    pub parts: &'static [TextPart],
    /// The keys that the fast parser compares.
    pub(crate) keys: TextKeys,
}

impl Text {
    /// Returns whether the text at the cursor begins with one of the forms of this type. The rest of
    /// the text may still be invalid.
    #[inline]
    #[must_use]
    pub fn looks_like(&self, cursor: &Cursor<'_>) -> bool {
        match self.numbered {
            Some(names) if names.has_forms(self.forms) => names.looks_like(cursor),
            _ => begins_like(self.forms, cursor),
        }
    }

    /// Returns whether text that [looks like](Text::looks_like) this type uses a letter case that
    /// the set accepts. In another case, it may be a value of another type.
    pub(crate) fn is_in_case(&self, cursor: &Cursor<'_>) -> bool {
        cursor.any_case() || begins(self.forms, cursor, false)
    }
}

impl core::fmt::Debug for Text {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Text").field("expects", &self.expects).finish_non_exhaustive()
    }
}
