//! Why a word is no instruction, or why fields make none.

use core::fmt::{self, Display};

use super::closest::{Decisions, Tried, differs, has_any, wrong_fields};
use super::list;
use crate::table::{Exception, Field, IS_SMALL, Init, Kind, Opcode, Value};

/// Why a word is no instruction.
///
/// ```
/// use isa_core::error::DecodeError;
///
/// let error = DecodeError::truncated(16, 3);
/// assert_eq!(error.to_string(), "the word is cut off: 16 bytes are needed, 3 are there");
/// ```
#[derive(Clone, Copy)]
pub struct DecodeError {
    /// In halves, which keeps the alignment and with it the size of all errors down.
    word: [u64; 2],
    cause: Cause,
}

/// What [`DecodeError::kind`] finds the reason from: a disassembler that goes over data asks for none.
#[derive(Clone, Copy)]
enum Cause {
    Truncated {
        needed: usize,
        got: usize,
    },
    /// No opcode of a set takes the word. The one that the decode tree proposes explains best.
    Refused {
        tried: Tried,
        /// Its number plus 1, or 0 if there is none.
        proposed: u16,
    },
    /// This opcode does not take the word.
    Other(&'static Opcode),
}

/// The ways in which a word can fail to be an instruction.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends inside the word.
    #[non_exhaustive]
    Truncated {
        /// The length of the word in bytes.
        needed: usize,
        /// The bytes that are there.
        got: usize,
    },
    /// No opcode has these fixed bits.
    #[non_exhaustive]
    NoSuchOpcode {
        /// The opcodes of the set.
        opcodes: &'static [&'static Opcode],
        /// The width of the word where it is known: then the opcodes of this width were tried, and else all.
        bits: Option<u8>,
    },
    /// The fixed bits are not those of the opcode that was asked for.
    #[non_exhaustive]
    OtherOpcode {
        /// The opcode that was asked for.
        opcode: &'static Opcode,
    },
    /// Bits that no field covers are set.
    #[non_exhaustive]
    UnusedBits {
        /// The opcode whose other bits fit. [`DecodeError::unused_bits`] gives the bits.
        opcode: &'static Opcode,
    },
    /// A field holds a value that does not exist.
    #[non_exhaustive]
    ReservedValue {
        /// The opcode whose fixed bits fit.
        opcode: &'static Opcode,
        /// The field.
        field: &'static Field,
        /// What it holds.
        raw: u64,
    },
    /// The fields' values exclude each other.
    #[non_exhaustive]
    Illegal {
        /// The opcode.
        opcode: &'static Opcode,
        /// What the combination breaks.
        exception: &'static Exception,
    },
}

impl DecodeErrorKind {
    /// The opcode that the word is refused by, if there is one.
    const fn opcode(&self) -> Option<&'static Opcode> {
        match *self {
            DecodeErrorKind::OtherOpcode { opcode }
            | DecodeErrorKind::UnusedBits { opcode, .. }
            | DecodeErrorKind::ReservedValue { opcode, .. }
            | DecodeErrorKind::Illegal { opcode, .. } => Some(opcode),
            DecodeErrorKind::Truncated { .. } | DecodeErrorKind::NoSuchOpcode { .. } => None,
        }
    }
}

impl DecodeError {
    const fn new(word: u128, cause: Cause) -> Self {
        DecodeError { word: [(word >> 64) as u64, word as u64], cause }
    }

    /// No opcode of a set takes the word; its decode tree proposes this one.
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

    /// The error with a width that the word is known to have: only opcodes of this width explain it.
    pub(crate) const fn of_width(mut self, bits: u8) -> Self {
        if let Cause::Refused { tried, .. } = &mut self.cause {
            tried.bits = Some(bits);
        }
        self
    }

    /// The opcode does not take the word.
    pub(crate) const fn of(word: u128, opcode: &'static Opcode) -> Self {
        DecodeError::new(word, Cause::Other(opcode))
    }

    /// The input ends after `got` of `needed` bytes.
    #[must_use]
    pub const fn truncated(needed: usize, got: usize) -> Self {
        DecodeError::new(0, Cause::Truncated { needed, got })
    }

    /// The reason why the word is no instruction. It is looked for when it is asked for.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        match self.cause {
            Cause::Truncated { needed, got } => DecodeErrorKind::Truncated { needed, got },
            Cause::Refused { tried, proposed } => self.refusal(tried, proposed),
            Cause::Other(opcode) => opcode.reason(self.word()),
        }
    }

    /// Why no opcode takes the word. Where the proposed one does not have its fixed bits, any other
    /// that has explains it.
    fn refusal(&self, tried: Tried, proposed: u16) -> DecodeErrorKind {
        let word = self.word();
        let related = |opcode: &&'static Opcode| opcode.fixed.contains(word);
        let proposed = tried.opcodes.get(usize::from(proposed).wrapping_sub(1)).copied();
        let proposed = proposed.filter(|opcode| tried.has(opcode) && related(opcode));
        let best = proposed.or_else(|| tried.iter().find(related));
        // One that takes the word and that the tree does not lead to: a wrong table.
        match best.filter(|opcode| !opcode.check(word)) {
            Some(opcode) => opcode.reason(word),
            None => DecodeErrorKind::NoSuchOpcode { opcodes: tried.opcodes, bits: tried.bits },
        }
    }

    /// The word, or 0 if there is none.
    #[must_use]
    pub const fn word(&self) -> u128 {
        (self.word[0] as u128) << 64 | self.word[1] as u128
    }

    /// The bits that are set although they belong to no field of [`DecodeError::opcode`].
    #[must_use]
    pub fn unused_bits(&self) -> u128 {
        self.opcode().map_or(0, |opcode| self.word() & opcode.zeros())
    }

    /// The opcode that the word is refused by, if there is one.
    #[must_use]
    pub fn opcode(&self) -> Option<&'static Opcode> {
        self.kind().opcode()
    }

    /// The opcode that the word comes closest to: [`DecodeError::opcode`], or else the one that agrees
    /// with it the longest when its fixed fields are looked at in the order of how many opcodes fix
    /// them. Looks at all opcodes.
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
                write!(f, "the word is cut off: {needed} bytes are needed, {got} are there")
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
                write!(f, " is {raw:#x}, which is reserved; it ")?;
                existing(f, field.kind)
            }
            DecodeErrorKind::Illegal { exception, .. } => {
                write!(f, "{} ({}: {})", exception.reason, exception.class, exception.condition)
            }
        }
    }
}

/// The word and the message: what a failed `unwrap` shows.
impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug("DecodeError", self, f)
    }
}

impl core::error::Error for DecodeError {}

/// "can be H1_H0 (0), H0_H0 (2) or H1_H1 (3)".
fn existing(f: &mut fmt::Formatter<'_>, kind: &'static Kind) -> fmt::Result {
    match kind.text {
        Some(text) => write!(f, "holds {}", text.expects),
        None => {
            f.write_str("can be ")?;
            list::alternatives(f, kind.values.iter().map(Named))
        }
    }
}

/// A value with its bits: "H0_H0 (0x2)".
struct Named(&'static Value);

impl Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:#x})", self.0.name, self.0.raw)
    }
}

/// Says which fixed field keeps the word from being of the opcode that it comes closest to.
fn no_such_opcode(f: &mut fmt::Formatter<'_>, tried: Tried, word: u128) -> fmt::Result {
    f.write_str("no such opcode")?;
    let Some((closest, field)) = Decisions::new(tried, word).closest() else {
        return Ok(());
    };
    f.write_str(": ")?;
    list::field(f, field)?;
    write!(f, " is {}", Fixed(field.kind, field.get(word)))?;
    if wrong_fields(closest, word) == 1 && has_any(closest, word) {
        f.write_str("; with the other fixed bits, there is only ")?;
        let rivals = rivals(tried, field, word).map(|raw| Fixed(field.kind, raw));
        return list::some_alternatives(f, rivals);
    }
    let has = |opcode: &&Opcode| fixed_as(opcode, field).is_some_and(|own| !differs(own, word));
    match tried.iter().find(has) {
        None => f.write_str(", which no opcode has"),
        Some(_) => {
            let own = Fixed(field.kind, field.get(closest.fixed.value));
            write!(f, "; the closest opcode, {}, has {own}", closest.name)
        }
    }
}

/// The fixed field of an opcode that has the bits of another field.
fn fixed_as(opcode: &Opcode, field: &Field) -> Option<&'static Field> {
    let mut fields = opcode.fields.iter().copied();
    fields.find(|own| own.pieces == field.pieces && matches!(own.init, Init::Fixed(_)))
}

/// The values that opcodes fix the wrong field to, among those that have all other fixed bits; each
/// once.
fn rivals(tried: Tried, field: &'static Field, word: u128) -> impl Iterator<Item = u64> + Clone {
    let bits = field.mask();
    let rival = move |opcode: &Opcode| {
        // What is cheap first: this is asked of all opcodes, and of pairs.
        let differ = (word ^ opcode.fixed.value) & opcode.fixed.mask;
        if differ == 0 || differ & !bits != 0 {
            return None;
        }
        let wrong = fixed_as(opcode, field).filter(|own| differs(own, word))?;
        (wrong_fields(opcode, word) == 1).then(|| wrong.get(opcode.fixed.value))
    };
    // Values below 256 that were found, a bit for each: a look at all opcodes before is slow.
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

/// Says which fixed field keeps the word from being of this opcode.
fn other_opcode(f: &mut fmt::Formatter<'_>, opcode: &Opcode, word: u128) -> fmt::Result {
    let mut fields = opcode.fields.iter();
    match fields.find(|field| differs(field, word)) {
        Some(field) => {
            list::field(f, field)?;
            let raw = field.get(word);
            let fixed = Fixed(field.kind, field.get(opcode.fixed.value));
            write!(f, " is {raw:#x} instead of {fixed}")
        }
        None => f.write_str("the word is of no legal form"),
    }
}

/// A fixed value, by name where it has one.
struct Fixed(&'static Kind, u64);

impl Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.value(self.1) {
            Some(value) => Named(value).fmt(f),
            None => write!(f, "{:#x}", self.1),
        }
    }
}

/// Why a typed instruction has no encoding: a value that does not exist, or values that exclude
/// each other.
///
/// Fixed and unused bits are always right in a typed instruction, so that a [`DecodeErrorKind`]
/// of another kind does not occur.
#[derive(Clone, Copy)]
pub struct EncodeError(DecodeError);

impl EncodeError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        self.0.kind()
    }

    /// The word that the instruction would have.
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

/// The word and the message: what a failed `unwrap` shows.
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
