//! Operand kinds: what a field's bits mean and how they are written in assembly text.
//!
//! The kinds here are ordinary implementations of [`OperandKind`]; an author writes others in
//! the same way and names them in a specification with `operand NAME: WIDTH = path;`.

mod absolute;
mod access;
mod address;
mod agree;
mod cmem;
mod coded;
mod f16imm;
mod format;
mod forms;
mod hex;
mod listed;
mod marked;
pub(crate) mod message;
mod named;
mod number;
mod numbered;
mod part_of;
mod parts;
mod pred;
mod reg;
mod registers;
mod relative;
mod ureg;

pub use absolute::Absolute;
pub use address::{AddressPart, AddressParts};
#[doc(hidden)]
pub use agree::{assert_agrees, bits_of};
pub use cmem::CMem;
pub use coded::{Coded, Coding};
pub use f16imm::{CvtFImm, F16ImmX2};
pub use format::{Either, Shown, Twice};
pub(crate) use forms::begins;
pub use forms::{ANYTHING, NAME, begins_like};
#[doc(hidden)]
pub use forms::{Meeting, Starts, are_apart, meetings};
pub(crate) use forms::{is_any_name, is_notation};
pub use hex::{Hex, UpperHex};
pub use listed::Listed;
pub(crate) use listed::ListedKey;
#[doc(hidden)]
pub use listed::{ListForms, ListItem, ListNames, ListSizes, NameKeys, Spelled, items_of};
pub use marked::Marked;
pub use named::{Named, NamedOr, ValueSet};
pub use number::{Signed, Unsigned};
pub use numbered::Numbered;
pub(crate) use numbered::NumberedKey;
pub use part_of::PartOf;
#[doc(hidden)]
pub use parts::going_on;
pub use parts::{Bits, Numeral, TextPart};
pub use pred::Pred;
pub use reg::Reg;
pub use relative::{Relative, RelativeUnit};
pub use ureg::UReg;

use crate::asm::{Cursor, Fault, Line};
use crate::table::{Cube, IS_SMALL, Kind, ShortText, Text, TextKeys};

/// A type of operand: register, predicate, immediate, address.
///
/// The type is the value that the typed interface takes and gives; its bits are what the field
/// holds.
pub trait OperandKind: Copy + Eq + core::fmt::Debug + 'static {
    /// What the machine reads or writes through the operand: `u32` for a register.
    type Value: Copy;

    /// The width of the field in bits, at most 64.
    const WIDTH: u8;

    /// The width of the value in bits where a specification has no `Bitwidth` line; 0 where the
    /// kind alone does not say.
    const VALUE_BITS: u16 = 0;

    /// What the text looks like, for messages.
    const EXPECTS: &'static str;

    /// The longest text, in bytes.
    const MAX_LEN: usize;

    /// How the text begins, right or wrong: what tells the kind apart from others that may stand
    /// in the same place. The reader tries the kind where the text begins so, in either letter case,
    /// and the compiler refuses a set in which that leaves two readings. In a form a number stands for any number, and a `*` at the end for
    /// anything that follows: `["R0", "RZ"]`, `["c[*"]`. Without a `*` the word ends there. A number
    /// with a `~` behind it is one in any notation, such as `0x1f`, up to the end of the word:
    /// `["0~", "-0~"]`.
    ///
    /// The constant [`NAME`] stands in the list for any name, such as that of a label. It does not for `.`,
    /// which is the instruction's own place, and for labels that begin with a dot: those have the form
    /// `".*"`. After a sign a `_` at the end stands for any name too: `["$0~", "$_"]` are the hexadecimal
    /// numbers `$10` and `$ff`. So a target that is a number or a label has `&["0~", NAME, ".*"]`.
    ///
    /// A kind that does not say may stand only where no choice depends on it.
    ///
    /// ```
    /// use isa_core::asm::Cursor;
    /// use isa_core::operand::{NAME, OperandKind, Signed, begins_like};
    ///
    /// let target = |text| begins_like(&["0~", NAME, ".*"], &Cursor::new(text));
    /// assert!(target("0x40") && target("loop") && target(".") && target(".L1"));
    /// assert!(!target("-4") && !begins_like(&[NAME], &Cursor::new(".")));
    ///
    /// let meant = |text| begins_like(Signed::<8>::FORMS, &Cursor::new(text));
    /// assert!(meant("-5") && meant("0x7f") && meant("300"), "a number, be it too large");
    /// assert!(!meant("R5") && !meant("-R5"));
    /// ```
    const FORMS: &'static [&'static str] = ANYTHING;

    /// Field values that do not exist; all others do. A specification has them in its `operand`
    /// line, and may be the only place: an empty list here says nothing. Where both say it, generated
    /// code asserts that they agree. [`checked`] goes by this list alone.
    const RESERVED: &'static [Cube] = &[];

    /// Operands that a specification may name as a default, with their bits: `("PT", 7)`.
    const NAMED: &'static [(&'static str, u64)] = &[];

    /// What [`Self::write`] gives for each value, in the order of the bits: a kind of few values
    /// is printed faster with these texts ready. May be empty.
    const READY: &'static [ShortText] = &[];

    /// For a kind of targets: the address that the operand stands for, in an instruction at an
    /// address. Where that has a label of at most [`Self::MAX_LEN`] bytes, the label is printed in
    /// place of what [`Self::write`] gives; [`Self::read`] takes it by
    /// [`Cursor::address`].
    const TARGET: Option<fn(Self, u64) -> u64> = None;

    /// The names, where the text is always that of [`Numbered`] ones: what [`Self::read`] and
    /// [`Self::write`] say, in a form that is read without calling them. [`Self::FORMS`] are then
    /// its first name and its special one, or a beginning of both with a `*`, which is asserted at
    /// compile time.
    const NUMBERED: Option<&'static Numbered> = None;

    /// The names, where the text is always one of [`Listed`] ones, as
    /// [`NUMBERED`](Self::NUMBERED) has those of a prefix and a number. [`Self::FORMS`] say of each
    /// name that it begins so, which is asserted at compile time.
    const LISTED: Option<&'static Listed> = None;

    /// What [`Self::write`] writes, as data, for programs that read the description of a set
    /// ([`describe`](crate::describe)). A kind whose values have at most 13 bits needs none, since its
    /// texts are listed; without it, one of more bits prints there as its number, marked as such. Where a
    /// template has a `_` behind the operand, they say whether the text ends with a letter, a digit or `_`,
    /// with which what follows would be read as one word; without them it may.
    const PARTS: &'static [TextPart] = &[];

    /// For a kind of which several operands have one text: whether that of an operand is read as the
    /// operand itself. All of them decode and print; a disassembler of programs writes a word with
    /// another operand as data, so that its text assembles to the same bytes.
    ///
    /// ```
    /// use isa_core::asm::{Cursor, Disassembler, Fault, Line};
    /// use isa_core::operand::OperandKind;
    ///
    /// /// A number of three bits; the fourth says nothing.
    /// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    /// struct Loose(u8);
    ///
    /// impl OperandKind for Loose {
    ///     type Value = u32;
    ///     const WIDTH: u8 = 4;
    ///     const EXPECTS: &'static str = "a number from 0 to 7";
    ///     const MAX_LEN: usize = 1;
    ///     const READS_BACK: Option<fn(Self) -> bool> = Some(|loose| loose.0 < 8);
    ///     fn from_bits(raw: u64) -> Self {
    ///         Loose(raw as u8)
    ///     }
    ///     fn to_bits(self) -> u64 {
    ///         self.0.into()
    ///     }
    ///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
    ///         Ok(Loose(cursor.number()? as u8 & 7))
    ///     }
    ///     fn write(self, line: &mut Line) {
    ///         line.push_decimal((self.0 & 7).into());
    ///     }
    /// }
    ///
    /// isa_core::define_isa! {
    ///     /// One instruction.
    ///     isa Toy: u16;
    ///     operand Loose: 4;
    ///     opcode ADD { encoding { field<0, 4> Loose n; } syntax { ADD n; } }
    /// }
    ///
    /// assert_eq!(Toy::decode(0x000d).unwrap().to_string(), "ADD 5;");
    /// let text = Disassembler::new(Toy::SET).disassemble(&[0x05, 0, 0x0d, 0]);
    /// assert_eq!(text, "    ADD 5;\n    .word 0x000d;\n");
    /// ```
    const READS_BACK: Option<fn(Self) -> bool> = None;

    /// The operand with these bits. For bits that do not exist any operand may be returned.
    fn from_bits(raw: u64) -> Self;

    /// The bits of the operand, within [`Self::WIDTH`].
    fn to_bits(self) -> u64;

    /// Reads one operand.
    ///
    /// # Errors
    ///
    /// Text that is no operand of this kind, with the offending part.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault>;

    /// Writes the operand so that [`Self::read`] gives it back.
    fn write(self, line: &mut Line);
}

/// What a field's typed accessors take and give: a value of a set, or an operand.
///
/// `define_isa!` implements it for value sets; every [`OperandKind`] has it.
pub trait FieldValue: Copy {
    /// The value with these bits. For bits that do not exist any value may be returned.
    fn from_raw(raw: u64) -> Self;

    /// The bits of the value.
    fn to_raw(self) -> u64;
}

impl<K: OperandKind> FieldValue for K {
    #[inline]
    fn from_raw(raw: u64) -> Self {
        K::from_bits(raw)
    }

    #[inline]
    fn to_raw(self) -> u64 {
        self.to_bits()
    }
}

/// A way to write a field that depends on other fields, for the `AsmFormat` lines of a
/// specification.
///
/// `args` are the values of the fields behind the first in the line's brackets.
pub trait AsmFormat {
    /// What the text looks like, for messages.
    const EXPECTS: &'static str;

    /// The longest text, in bytes.
    const MAX_LEN: usize;

    /// What [`Self::write`] gives for each value, whatever its arguments, in the order of the
    /// bits. May be empty.
    const READY: &'static [ShortText] = &[];

    /// The names, where the text is always that of [`Numbered`] ones, whatever the arguments: as
    /// [`OperandKind::NUMBERED`] says it.
    const NUMBERED: Option<&'static Numbered> = None;

    /// The names, where the text is always one of [`Listed`] ones, whatever the arguments: as
    /// [`OperandKind::LISTED`] says it.
    const LISTED: Option<&'static Listed> = None;

    /// How the text begins, as [`OperandKind::FORMS`] says it.
    const FORMS: &'static [&'static str] = ANYTHING;

    /// What [`Self::write`] writes, as data, as [`OperandKind::PARTS`] says it.
    const PARTS: &'static [TextPart] = &[];

    /// For a format that writes several values alike: whether the text of a value is read as the
    /// value, as [`OperandKind::READS_BACK`] says it. An alias is not printed for other values.
    const READS_BACK: Option<fn(u64, args: &[u64]) -> bool> = None;

    /// Reads the field's bits.
    ///
    /// # Errors
    ///
    /// Text that does not fit the format, with the offending part.
    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, Fault>;

    /// Writes the field's bits so that [`Self::read`] gives them back.
    fn write(raw: u64, args: &[u64], line: &mut Line);
}

/// The table entry of an operand kind.
#[must_use]
pub const fn kind_of<K: OperandKind>(
    name: &'static str,
    doc: &'static str,
    text: &'static Text,
) -> Kind {
    Kind { name, doc, width: K::WIDTH, values: &[], reserved: K::RESERVED, text: Some(text) }
}

/// The text functions of an operand kind.
#[must_use]
pub const fn text_of<K: OperandKind>() -> Text {
    let forms = forms_of(K::FORMS, K::NUMBERED, K::LISTED);
    Text {
        expects: K::EXPECTS,
        max_len: K::MAX_LEN,
        forms,
        read: |cursor, _| K::read(cursor).map(K::to_bits),
        write: |raw, _, line| K::from_bits(raw).write(line),
        ready: if IS_SMALL { &[] } else { K::READY },
        target: match K::TARGET {
            Some(_) => Some(target_of::<K>),
            None => None,
        },
        reads_back: match K::READS_BACK {
            Some(_) => Some(reads_back_of::<K>),
            None => None,
        },
        numbered: K::NUMBERED,
        listed: K::LISTED,
        parts: K::PARTS,
        keys: TextKeys::of(forms, K::NUMBERED, K::LISTED),
    }
}

fn target_of<K: OperandKind>(raw: u64, address: u64) -> u64 {
    K::TARGET.map_or(address, |target| target(K::from_bits(raw), address))
}

fn reads_back_of<K: OperandKind>(raw: u64, _: &[u64]) -> bool {
    K::READS_BACK.is_none_or(|reads_back| reads_back(K::from_bits(raw)))
}

/// The text functions of a format.
#[must_use]
pub const fn format_of<F: AsmFormat>() -> Text {
    let forms = forms_of(F::FORMS, F::NUMBERED, F::LISTED);
    Text {
        expects: F::EXPECTS,
        max_len: F::MAX_LEN,
        forms,
        read: F::read,
        write: F::write,
        ready: if IS_SMALL { &[] } else { F::READY },
        target: None,
        reads_back: F::READS_BACK,
        numbered: F::NUMBERED,
        listed: F::LISTED,
        parts: F::PARTS,
        keys: TextKeys::of(forms, F::NUMBERED, F::LISTED),
    }
}

/// The forms of a kind, which say how its names begin if it has some as data.
const fn forms_of(
    forms: &'static [&'static str],
    numbered: Option<&'static Numbered>,
    listed: Option<&'static Listed>,
) -> &'static [&'static str] {
    forms::assert_forms(forms);
    if let Some(names) = numbered {
        assert!(
            names.are_said_by(forms),
            "`FORMS` of a kind with `NUMBERED` are its name with the number 0 and its special one, or \
             the beginning of both with a `*`"
        );
    }
    if let Some(names) = listed {
        assert!(
            names.are_said_by(forms),
            "`FORMS` of a kind with `LISTED` say of each of its names that it begins so"
        );
    }
    forms
}

/// Bits that are no operand of their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OutOfRange {
    raw: u64,
    expects: &'static str,
}

impl core::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:#x} are not the bits of {}", self.raw, self.expects)
    }
}

impl core::error::Error for OutOfRange {}

/// The operand with these bits, if there is one.
///
/// ```
/// use isa_core::operand::{CMem, Reg, checked};
///
/// assert_eq!(checked::<Reg>(255), Ok(Reg::RZ));
/// assert!(checked::<Reg>(256).is_err());
/// assert!(checked::<CMem>(0x161).is_err());
/// ```
///
/// # Errors
///
/// Bits beyond the kind's width, and reserved values.
pub fn checked<K: OperandKind>(raw: u64) -> Result<K, OutOfRange> {
    let fits = raw.checked_shr(K::WIDTH.into()).unwrap_or(0) == 0;
    let reserved = || K::RESERVED.iter().any(|cube| cube.contains(raw.into()));
    if fits && !reserved() {
        Ok(K::from_bits(raw))
    } else {
        Err(OutOfRange { raw, expects: K::EXPECTS })
    }
}

/// The operand that is all of `text`.
///
/// ```
/// use isa_core::operand::{Reg, parse};
///
/// assert_eq!(parse::<Reg>(" R12 "), Ok(Reg::R12));
/// assert_eq!(
///     parse::<Reg>("R255").unwrap_err().to_string(),
///     "no such register: general registers are `R0` to `R254` and `RZ`",
/// );
/// ```
///
/// # Errors
///
/// Text that is no operand of the kind, or more than one.
pub fn parse<K: OperandKind>(text: &str) -> Result<K, Fault> {
    let mut cursor = Cursor::new(text);
    cursor.skip_trivia();
    let operand = K::read(&mut cursor)?;
    match cursor.peek() {
        None => Ok(operand),
        Some(_) => Err(cursor.fault(cursor.position(), "text behind the operand")),
    }
}

/// The standard traits of an operand kind, all by way of [`OperandKind`].
#[doc(hidden)]
#[macro_export]
macro_rules! __standard_traits {
    ($kind:ident) => {
        impl ::core::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut line = $crate::asm::Line::new();
                $crate::operand::OperandKind::write(*self, &mut line);
                f.pad(line.as_str())
            }
        }

        impl ::core::str::FromStr for $kind {
            type Err = $crate::asm::Fault;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::operand::parse(text)
            }
        }

        impl TryFrom<u64> for $kind {
            type Error = $crate::operand::OutOfRange;

            fn try_from(raw: u64) -> Result<Self, Self::Error> {
                $crate::operand::checked(raw)
            }
        }
    };
}
use __standard_traits as standard_traits;
