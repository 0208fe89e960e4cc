//! The types of fields, as the tables contain them: sets of named values, and operand types with their
//! text functions.

use crate::bits::Cube;
use crate::operand::{Listed, NAME, Numbered, TextKeys, TextPart, begins, begins_like};
use crate::text::{Cursor, Line, OperandError, ShortText, word_len};

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

    /// Parses the longest name of a value. If there is none, the cursor stays somewhere in the text.
    pub(crate) fn read_name(&self, cursor: &mut Cursor<'_>) -> Option<&'static Value> {
        let (word, any_case) = (cursor.word(), cursor.any_case());
        let mut longest = self.value_read(word, any_case);
        let start = cursor.position() - word.len();
        let mut ahead = cursor.clone();
        // A name that goes on after a dot.
        while let [b'.', rest @ ..] = ahead.rest()
            && let len @ 1.. = word_len(rest)
            && let Some(begun) = ahead.text().get(start..ahead.position())
            && self.values.iter().any(|value| value.goes_on_after(begun))
        {
            ahead.seek(ahead.position() + 1 + len);
            let name = ahead.text().get(start..ahead.position()).unwrap_or_default();
            if let Some(value) = self.value_read(name, any_case) {
                longest = Some(value);
                cursor.seek(ahead.position());
            }
        }
        longest
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

    /// Returns whether a name of the value consists of `start`, a dot and more text.
    fn goes_on_after(&self, start: &str) -> bool {
        let mut names = core::iter::once(&self.name).chain(self.also);
        names.any(|own| {
            own.as_bytes().get(start.len()) == Some(&b'.')
                && own.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start))
        })
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
    pub read: fn(&mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError>,
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

/// Returns the forms of text that would continue the last word of an operand. Such text begins with a
/// letter, `_` or a digit. Returns no forms if the operand's [`PARTS`](super::OperandKind::PARTS) show
/// that its text ends with another character.
#[doc(hidden)]
#[must_use]
pub const fn going_on(text: &Text) -> &'static [&'static str] {
    let ends = super::parts::ends_in_word(text.parts);
    if ends { &[NAME, "0*"] } else { &[] }
}
