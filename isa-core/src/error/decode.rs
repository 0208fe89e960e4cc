//! Errors for words that are not valid instructions, and for fields that cannot be encoded.

use core::fmt::{self, Display};

use super::closest::{Decisions, Tried, differs, has_any, wrong_fields};
use super::list;
use crate::IS_SMALL;
use crate::operand::{Kind, Value};
use crate::table::{Exception, FeatureSet, Field, Init, Opcode, Requirement};

/// The error for a word that is not a valid instruction.
///
/// ```
/// use isa_core::error::DecodeError;
///
/// let error = DecodeError::truncated(16, 3);
/// assert_eq!(error.to_string(), "truncated word: expected 16 bytes, found 3");
/// ```
#[derive(Clone, Copy)]
pub struct DecodeError {
    /// The word as two halves, which reduces the alignment and so the size of all errors.
    word: [u64; 2],
    cause: Cause,
}

/// The information from which [`DecodeError::kind`] computes the reason. The reason is computed only on
/// request, because a disassembler that skips data never needs it.
#[derive(Clone, Copy)]
enum Cause {
    Truncated {
        needed: usize,
        got: usize,
    },
    /// No opcode of a set matches the word. The opcode that the decode tree proposes usually explains
    /// the error best.
    Refused {
        tried: Tried,
        /// The index of the proposed opcode plus 1, or 0 if there is none.
        proposed: u16,
    },
    /// The word does not belong to this opcode.
    Other(&'static Opcode),
    /// The word exists only with other features.
    Unavailable(&'static Opcode, &'static Requirement),
}

/// The reasons why a word is not a valid instruction.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends inside the word.
    #[non_exhaustive]
    Truncated {
        /// The length of the word in bytes.
        needed: usize,
        /// The number of available bytes.
        got: usize,
    },
    /// No opcode has these fixed bits.
    #[non_exhaustive]
    NoSuchOpcode {
        /// The opcodes of the set.
        opcodes: &'static [&'static Opcode],
        /// The width of the word, if it is known. If it is `None`, opcodes of all widths were tried,
        /// otherwise only opcodes of this width.
        bits: Option<u8>,
    },
    /// The word does not have the fixed bits of the requested opcode.
    #[non_exhaustive]
    OtherOpcode {
        /// The requested opcode.
        opcode: &'static Opcode,
    },
    /// Bits that belong to no field are set.
    #[non_exhaustive]
    UnusedBits {
        /// The opcode that matches the other bits of the word. [`DecodeError::unused_bits`] returns the
        /// bits that are set.
        opcode: &'static Opcode,
    },
    /// A field contains a reserved value.
    #[non_exhaustive]
    ReservedValue {
        /// The opcode whose fixed bits match.
        opcode: &'static Opcode,
        /// The field.
        field: &'static Field,
        /// The value of the field.
        raw: u64,
    },
    /// The combination of field values is invalid.
    #[non_exhaustive]
    Illegal {
        /// The opcode.
        opcode: &'static Opcode,
        /// The exception that rejects the combination.
        exception: &'static Exception,
    },
    /// The word exists only with other features.
    #[non_exhaustive]
    Unavailable {
        /// The opcode.
        opcode: &'static Opcode,
        /// The requirement that the features do not meet.
        requirement: &'static Requirement,
    },
}

impl DecodeErrorKind {
    /// Returns the opcode that rejects the word, if there is one.
    const fn opcode(&self) -> Option<&'static Opcode> {
        match *self {
            DecodeErrorKind::OtherOpcode { opcode }
            | DecodeErrorKind::UnusedBits { opcode, .. }
            | DecodeErrorKind::ReservedValue { opcode, .. }
            | DecodeErrorKind::Illegal { opcode, .. }
            | DecodeErrorKind::Unavailable { opcode, .. } => Some(opcode),
            DecodeErrorKind::Truncated { .. } | DecodeErrorKind::NoSuchOpcode { .. } => None,
        }
    }
}

impl DecodeError {
    const fn new(word: u128, cause: Cause) -> Self {
        DecodeError { word: [(word >> 64) as u64, word as u64], cause }
    }

    /// Creates the error for a word that no opcode of a set matches. `proposed` is the opcode that
    /// the decode tree proposes.
    pub(crate) const fn refused(
        word: u128,
        opcodes: &'static [&'static Opcode],
        proposed: Option<usize>,
    ) -> Self {
        let proposed = match proposed {
            Some(number) => number.wrapping_add(1) as u16,
            None => 0,
        };
        let tried = Tried { opcodes, bits: None };
        DecodeError::new(word, Cause::Refused { tried, proposed })
    }

    /// Creates the error for a word of the opcode that does not exist with these features.
    pub(crate) fn unavailable(word: u128, opcode: &'static Opcode, features: FeatureSet) -> Self {
        let cause = match opcode.unmet(word, features) {
            Some(requirement) => Cause::Unavailable(opcode, requirement),
            None => Cause::Other(opcode),
        };
        DecodeError::new(word, cause)
    }

    /// Adds the known width of the word, so that only opcodes of `bits` bits are used as an
    /// explanation.
    pub(crate) const fn of_width(mut self, bits: u8) -> Self {
        if let Cause::Refused { tried, .. } = &mut self.cause {
            tried.bits = Some(bits);
        }
        self
    }

    /// Creates the error for a word that does not belong to the opcode.
    pub(crate) const fn of(word: u128, opcode: &'static Opcode) -> Self {
        DecodeError::new(word, Cause::Other(opcode))
    }

    /// Creates the error for input that ends after `got` of `needed` bytes.
    #[must_use]
    pub const fn truncated(needed: usize, got: usize) -> Self {
        DecodeError::new(0, Cause::Truncated { needed, got })
    }

    /// Returns the reason why the word is not valid. Each call computes it.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        match self.cause {
            Cause::Truncated { needed, got } => DecodeErrorKind::Truncated { needed, got },
            Cause::Refused { tried, proposed } => self.refusal(tried, proposed),
            Cause::Other(opcode) => opcode.reason(self.word()),
            Cause::Unavailable(opcode, requirement) => {
                DecodeErrorKind::Unavailable { opcode, requirement }
            }
        }
    }

    /// Returns the reason why no opcode matches the word. If the fixed bits of the proposed opcode
    /// differ from the word, the reason refers to another opcode whose fixed bits match, if there is
    /// one.
    fn refusal(&self, tried: Tried, proposed: u16) -> DecodeErrorKind {
        let word = self.word();
        let related = |opcode: &&'static Opcode| opcode.fixed.contains(word);
        let proposed = tried.opcodes.get(usize::from(proposed).wrapping_sub(1)).copied();
        let proposed = proposed.filter(|opcode| tried.has(opcode) && related(opcode));
        let best = proposed.or_else(|| tried.iter().find(related));
        // If an opcode matches the word but the tree does not lead to this opcode, a table is wrong.
        match best.filter(|opcode| !opcode.check(word)) {
            Some(opcode) => opcode.reason(word),
            None => DecodeErrorKind::NoSuchOpcode { opcodes: tried.opcodes, bits: tried.bits },
        }
    }

    /// Returns the word, or 0 if there is none.
    #[must_use]
    pub const fn word(&self) -> u128 {
        (self.word[0] as u128) << 64 | self.word[1] as u128
    }

    /// Returns the bits that are set although they belong to no field of [`DecodeError::opcode`].
    #[must_use]
    pub fn unused_bits(&self) -> u128 {
        self.opcode().map_or(0, |opcode| self.word() & opcode.zeros())
    }

    /// Returns the opcode that rejects the word, if there is one.
    #[must_use]
    pub fn opcode(&self) -> Option<&'static Opcode> {
        self.kind().opcode()
    }

    /// Returns the opcode that is closest to the word. This is [`DecodeError::opcode`], if there is
    /// one. Otherwise, the search compares the fixed fields of each opcode with the word, starting with
    /// the fields that most opcodes fix. The closest opcode is the one that agrees with the word in the
    /// most bits before the first difference. The search visits all opcodes.
    #[must_use]
    pub fn closest(&self) -> Option<&'static Opcode> {
        match self.kind() {
            DecodeErrorKind::NoSuchOpcode { opcodes, bits } => {
                Decisions::new(Tried { opcodes, bits }, self.word())
                    .closest()
                    .map(|(opcode, _)| opcode)
            }
            _ => self.opcode(),
        }
    }
}

impl Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        if let Some(opcode) = kind.opcode() {
            write!(f, "{}: ", opcode.name)?;
        }
        match kind {
            DecodeErrorKind::Truncated { needed, got } => {
                write!(f, "truncated word: expected {needed} bytes, found {got}")
            }
            DecodeErrorKind::NoSuchOpcode { opcodes, bits } => {
                no_such_opcode(f, Tried { opcodes, bits }, self.word())
            }
            DecodeErrorKind::OtherOpcode { opcode } => other_opcode(f, opcode, self.word()),
            DecodeErrorKind::UnusedBits { .. } => {
                f.write_str("unused ")?;
                list::bits(f, list::Runs(self.unused_bits()))?;
                f.write_str(" must be 0")
            }
            DecodeErrorKind::ReservedValue { field, raw, .. } => {
                list::field(f, field)?;
                write!(f, " is {raw:#x}, which is reserved; expected ")?;
                existing(f, field.kind)
            }
            DecodeErrorKind::Illegal { exception, .. } => {
                write!(f, "{} ({}: {})", exception.reason, exception.class, exception.condition)
            }
            DecodeErrorKind::Unavailable { requirement, .. } => match requirement.subject {
                "" => write!(f, "requires {}", requirement.condition),
                subject => write!(f, "{subject} requires {}", requirement.condition),
            },
        }
    }
}

/// Prints the word and the message, which a failed `unwrap` shows.
impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("DecodeError", self, f)
    }
}

impl core::error::Error for DecodeError {}

/// Prints the possible values: "H1_H0 (0), H0_H0 (2) or H1_H1 (3)".
fn existing(f: &mut fmt::Formatter<'_>, kind: &'static Kind) -> fmt::Result {
    match kind.text {
        Some(text) => f.write_str(text.expects),
        None => list::alternatives(f, kind.values.iter().map(NearName)),
    }
}

/// A value with its bits: "H0_H0 (0x2)".
struct NearName(&'static Value);

impl Display for NearName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:#x})", self.0.name, self.0.raw)
    }
}

/// Prints the fixed field in which the closest opcode differs from the word.
fn no_such_opcode(f: &mut fmt::Formatter<'_>, tried: Tried, word: u128) -> fmt::Result {
    f.write_str("no such opcode")?;
    let Some((closest, field)) = Decisions::new(tried, word).closest() else {
        return Ok(());
    };
    f.write_str(": ")?;
    list::field(f, field)?;
    write!(f, " is {}", FixedBits(field.kind, field.get(word)))?;
    if wrong_fields(closest, word) == 1 && has_any(closest, word) {
        f.write_str("; the other fixed bits require ")?;
        let rivals = rivals(tried, field, word).map(|raw| FixedBits(field.kind, raw));
        return list::some_alternatives(f, rivals);
    }
    let has = |opcode: &&Opcode| fixed_as(opcode, field).is_some_and(|own| !differs(own, word));
    match tried.iter().find(has) {
        None => f.write_str(", which no opcode has"),
        Some(_) => {
            let own = FixedBits(field.kind, field.get(closest.fixed.value));
            write!(f, "; the closest opcode, {}, has {own}", closest.name)
        }
    }
}

/// Returns the fixed field of an opcode that has the same bits as another field.
fn fixed_as(opcode: &Opcode, field: &Field) -> Option<&'static Field> {
    let mut fields = opcode.fields.iter().copied();
    fields.find(|own| own.pieces == field.pieces && matches!(own.init, Init::Fixed(_)))
}

/// Returns the valid values of the wrong field: the values to which opcodes fix this field if their
/// other fixed bits match the word. Each value is returned once.
fn rivals(tried: Tried, field: &'static Field, word: u128) -> impl Iterator<Item = u64> + Clone {
    let bits = field.mask();
    let rival = move |opcode: &Opcode| {
        // The cheap test is first, because this runs for all opcodes, and for pairs of opcodes.
        let differ = (word ^ opcode.fixed.value) & opcode.fixed.mask;
        if differ == 0 || differ & !bits != 0 {
            return None;
        }
        let wrong = fixed_as(opcode, field).filter(|own| differs(own, word))?;
        (wrong_fields(opcode, word) == 1).then(|| wrong.get(opcode.fixed.value))
    };
    // One bit for each value below 256, which is set if the value was found. A search in all earlier
    // opcodes would be slow.
    let mut found = [0u128; 2];
    tried.iter().enumerate().filter_map(move |(place, opcode)| {
        let raw = rival(opcode)?;
        let is_known = if !IS_SMALL
            && let Some(bits) = usize::try_from(raw / 128).ok().and_then(|at| found.get_mut(at))
        {
            let before = *bits;
            *bits |= 1 << (raw % 128);
            before == *bits
        } else {
            let mut before = tried.iter().take(place);
            before.any(|it| field.get(it.fixed.value) == raw && rival(it).is_some())
        };
        (!is_known).then_some(raw)
    })
}

/// Prints the fixed field in which this opcode differs from the word.
fn other_opcode(f: &mut fmt::Formatter<'_>, opcode: &Opcode, word: u128) -> fmt::Result {
    let mut fields = opcode.fields.iter();
    match fields.find(|field| differs(field, word)) {
        Some(field) => {
            list::field(f, field)?;
            let raw = field.get(word);
            let fixed = FixedBits(field.kind, field.get(opcode.fixed.value));
            write!(f, " is {raw:#x} instead of {fixed}")
        }
        None => f.write_str("the encoding is invalid"),
    }
}

/// A fixed value, printed by its name if it has one.
struct FixedBits(&'static Kind, u64);

impl Display for FixedBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.value(self.1) {
            Some(value) => NearName(value).fmt(f),
            None => write!(f, "{:#x}", self.1),
        }
    }
}

/// The error for a typed instruction that has no encoding: it has a reserved value or an invalid
/// combination of values.
///
/// The fixed and unused bits of a typed instruction are always correct, so other variants of
/// [`DecodeErrorKind`] do not occur.
#[derive(Clone, Copy)]
pub struct EncodeError(DecodeError);

impl EncodeError {
    /// Returns the reason.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        self.0.kind()
    }

    /// Returns the word that the instruction would have.
    #[must_use]
    pub const fn word(&self) -> u128 {
        self.0.word()
    }
}

impl From<DecodeError> for EncodeError {
    fn from(error: DecodeError) -> Self {
        EncodeError(error)
    }
}

impl Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Prints the word and the message, which a failed `unwrap` shows.
impl fmt::Debug for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("EncodeError", &self.0, f)
    }
}

fn debug(name: &str, error: &DecodeError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = f.debug_struct(name);
    text.field("word", &format_args!("{:#x}", error.word()));
    text.field("message", &format_args!("{error}")).finish_non_exhaustive()
}

impl core::error::Error for EncodeError {}
