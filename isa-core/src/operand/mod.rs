//! Operand types: the meaning of a field's bits and their spelling in assembly text.
//!
//! The operand types in this module are ordinary implementations of [`OperandKind`]. You can
//! implement others in the same way and name them in a specification with `operand NAME: WIDTH =
//! path;`.

mod absolute;
mod address_part_or;
mod composed;
mod computed;
mod first_bytes;
mod format;
mod forms;
mod hash_prefixed;
mod hex;
mod kind;
mod listed;
mod machine_access;
mod name_range;
mod named;
mod number;
mod numbered;
mod parts;
mod pred;
mod reg;
mod registers;
mod relative;
mod spec_assertions;
mod text_keys;

pub use crate::text::{AddressPart, AddressParts};
pub use absolute::Absolute;
pub use address_part_or::AddressPartOr;
#[doc(hidden)]
pub use composed::{OperandPart, OperandText, TextPiece};
pub use computed::{ComputedImmediate, ImmediateCoding};
pub(crate) use first_bytes::ByteSet;
pub use first_bytes::Chunk;
pub use format::{Duplicated, Either, FixedText};
pub(crate) use forms::begins;
pub use forms::{ANYTHING, NAME, begins_like};
#[doc(hidden)]
pub use forms::{Meeting, Starts, are_apart, meetings};
pub(crate) use forms::{is_any_name, is_notation};
pub use hash_prefixed::HashPrefixed;
pub use hex::{Hex, UpperHex};
#[doc(hidden)]
pub use kind::going_on;
pub use kind::{Kind, Text, Value};
pub use listed::Listed;
pub(crate) use listed::ListedKey;
#[doc(hidden)]
pub use listed::{ListForms, ListItem, ListNames, ListSizes, NameKeys, Spelled, items_of};
pub use machine_access::{Sink, Source};
pub use named::{Named, NamedOr, ValueSet};
pub use number::{PrefixedHex, Signed, SignedHex, Unsigned};
pub use numbered::Numbered;
pub(crate) use numbered::NumberedKey;
pub use parts::{Numeral, NumeralBits, TextPart};
pub use pred::Pred;
pub use reg::Reg;
pub use relative::{Relative, RelativeUnit};
#[doc(hidden)]
pub use spec_assertions::{assert_agrees, bits_of};
pub(crate) use text_keys::TextKeys;

use crate::IS_SMALL;
use crate::bits::Cube;
use crate::text::{Cursor, Line, OperandError, ShortText};

/// An operand type, for example a register, a predicate, an immediate or an address.
///
/// A value of the type is one operand. Typed accessors accept and return such values, and the field
/// contains their bits.
pub trait OperandKind: Copy + Eq + core::fmt::Debug + 'static {
    /// The value that the machine reads or writes through the operand, for example `u32` for a
    /// register.
    type Value: Copy;

    /// The width of the field in bits, at most 64.
    const WIDTH: u8;

    /// The width of the value in bits if a specification has no `Bitwidth` line; 0 if the operand
    /// type does not determine the width.
    const VALUE_BITS: u16 = 0;

    /// A description of the accepted text, for messages.
    const EXPECTS: &'static str;

    /// The length of the longest printed text in bytes.
    const MAX_LEN: usize;

    /// The beginnings of the operand's text, including invalid text. They distinguish this operand type
    /// from other operand types that are possible at the same position. The parser tries the operand
    /// type if the text has one of these beginnings, in either letter case. The compiler rejects a set
    /// if the beginnings do not distinguish two ways to parse a text.
    ///
    /// In a form, a number matches any number, and a `*` at the end matches any further text:
    /// `["R0", "RZ"]`, `["c[*"]`. Without the `*`, the word must end at the end of the form. A number
    /// followed by `~` matches a number in any notation, such as `0x1f`, up to the end of the word:
    /// `["0~", "-0~"]`.
    ///
    /// The constant [`NAME`] in the list matches any name, such as a label. It does not match `.`,
    /// which is the instruction's own address, or labels that begin with a dot; those have the form
    /// `".*"`. A `_` at the end, after a sign, also matches any name: `["$0~", "$_"]` are the
    /// hexadecimal numbers `$10` and `$ff`. A target that is a number or a label therefore has
    /// `&["0~", NAME, ".*"]`.
    ///
    /// An operand type without forms can be used only at positions at which the parser does not have to
    /// choose between operand types.
    ///
    /// ```
    /// use isa_core::text::Cursor;
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

    /// Invalid field values; all other values are valid. A specification lists them in its
    /// `operand` line. The list here may be empty even if the `operand` line is not. If it is not
    /// empty, generated code asserts that both lists agree. [`checked`] uses only this list.
    const RESERVED: &'static [Cube] = &[];

    /// Names of operands that a specification can use as default values, with their bits: `("PT", 7)`.
    const NAMED: &'static [(&'static str, u64)] = &[];

    /// The text that [`Self::write`] prints for each value, in the order of the bits. An operand
    /// type with few values is printed faster from these prepared texts. May be empty.
    const READY: &'static [ShortText] = &[];

    /// For targets: returns the address that the operand of an instruction at an address refers to.
    /// If that address has a label of at most [`Self::MAX_LEN`] bytes, the label is printed instead
    /// of the text from [`Self::write`]. [`Self::read`] parses labels with [`Cursor::address`].
    const TARGET: Option<fn(Self, u64) -> u64> = None;

    /// The names, if the text is always a name of a [`Numbered`]. They describe [`Self::read`] and
    /// [`Self::write`] as data, so that names can be parsed without a call of these functions.
    /// [`Self::FORMS`] must then contain the first name and the special name, or a common beginning
    /// of both with a `*`, which is asserted at compile time.
    const NUMBERED: Option<&'static Numbered> = None;

    /// The names, if the text is always a name of a [`Listed`]. For names that consist of a prefix and
    /// a number use [`NUMBERED`](Self::NUMBERED) instead. [`Self::FORMS`] must match each name, which
    /// is asserted at compile time.
    const LISTED: Option<&'static Listed> = None;

    /// The output of [`Self::write`] as data, for programs that read the description of a set
    /// ([`describe`](crate::describe)). An operand type with at most 13 bits does not need it, because
    /// the description lists its texts. If a wider operand type has no parts, the description does not
    /// contain its text, and a program can print only its raw number.
    ///
    /// If a template has a `_` after the operand, the parts determine whether the text ends with a
    /// letter, a digit or `_`. The parser would join such a text with the following text to one
    /// word. Without parts the compiler assumes that the text can end in this way.
    const PARTS: &'static [TextPart] = &[];

    /// For an operand type in which several operands have the same text: returns whether the text of an
    /// operand is parsed as that operand. All these operands can be decoded and printed. A disassembler
    /// of programs prints a word with any other operand as data, so that the output assembles to the
    /// same bytes.
    ///
    /// ```
    /// use isa_core::text::{Cursor, OperandError, Line};
    /// use isa_core::asm::Disassembler;
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
    ///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
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

    /// Returns the operand with these bits. For invalid bits it may return any operand.
    fn from_bits(raw: u64) -> Self;

    /// Returns the bits of the operand, within [`Self::WIDTH`].
    fn to_bits(self) -> u64;

    /// Parses one operand.
    ///
    /// # Errors
    ///
    /// Returns an error for text that is not a valid operand of this type. The error contains the
    /// offending part of the text.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError>;

    /// Prints the operand so that [`Self::read`] returns it.
    fn write(self, line: &mut Line);
}

/// The type that a field's typed accessors accept and return: a value of a set, or an operand.
///
/// `define_isa!` implements it for value sets, and every [`OperandKind`] implements it.
pub trait FieldValue: Copy {
    /// Returns the value with these bits. For invalid bits it may return any value.
    fn from_raw(raw: u64) -> Self;

    /// Returns the bits of the value.
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

/// A format of a field that depends on other fields, for the `AsmFormat` lines of a specification.
///
/// `args` are the values of the second and later fields in the parentheses of the line.
pub trait AsmFormat {
    /// A description of the accepted text, for messages.
    const EXPECTS: &'static str;

    /// The length of the longest printed text in bytes.
    const MAX_LEN: usize;

    /// The text that [`Self::write`] prints for each value, in the order of the bits. It must not
    /// depend on the arguments. May be empty.
    const READY: &'static [ShortText] = &[];

    /// The names, if the text is a name of a [`Numbered`] for all arguments. See
    /// [`OperandKind::NUMBERED`].
    const NUMBERED: Option<&'static Numbered> = None;

    /// The names, if the text is a name of a [`Listed`] for all arguments. See [`OperandKind::LISTED`].
    const LISTED: Option<&'static Listed> = None;

    /// The beginnings of the text. See [`OperandKind::FORMS`].
    const FORMS: &'static [&'static str] = ANYTHING;

    /// The output of [`Self::write`] as data. See [`OperandKind::PARTS`].
    const PARTS: &'static [TextPart] = &[];

    /// For a format that prints the same text for several values: returns whether the text of a
    /// value is parsed as that value. See [`OperandKind::READS_BACK`]. An alias is not printed for
    /// other values.
    const READS_BACK: Option<fn(u64, args: &[u64]) -> bool> = None;

    /// Parses the field's bits.
    ///
    /// # Errors
    ///
    /// Returns an error for text that does not match the format. The error contains the offending part
    /// of the text.
    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError>;

    /// Prints the field's bits so that [`Self::read`] returns them.
    fn write(raw: u64, args: &[u64], line: &mut Line);
}

/// Returns the table entry of an operand type.
#[must_use]
pub const fn kind_of<K: OperandKind>(
    name: &'static str,
    doc: &'static str,
    text: &'static Text,
) -> Kind {
    Kind { name, doc, width: K::WIDTH, values: &[], reserved: K::RESERVED, text: Some(text) }
}

/// Returns the text functions of an operand type.
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

/// Returns the text functions of a format.
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

/// Returns the forms of an operand type or a format.
///
/// # Panics
///
/// Panics at compile time if a form is invalid, or if the type lists its names as data and the forms do
/// not match these names.
const fn forms_of(
    forms: &'static [&'static str],
    numbered: Option<&'static Numbered>,
    listed: Option<&'static Listed>,
) -> &'static [&'static str] {
    forms::assert_forms(forms);
    if let Some(names) = numbered {
        assert!(
            names.are_said_by(forms),
            "with `NUMBERED`, `FORMS` must contain the name with number 0 and the special name, or \
             their common beginning and `*`"
        );
    }
    if let Some(names) = listed {
        assert!(
            names.are_said_by(forms),
            "with `LISTED`, `FORMS` must match the beginning of each name"
        );
    }
    forms
}

/// The error for bits that are not a valid operand of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OutOfRange {
    raw: u64,
    expects: &'static str,
}

impl core::fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:#x} is not a valid encoding of {}", self.raw, self.expects)
    }
}

impl core::error::Error for OutOfRange {}

/// Returns the operand with these bits, if they are valid.
///
/// ```
/// use isa_core::operand::{Pred, Reg, checked};
///
/// assert_eq!(checked::<Reg>(255), Ok(Reg::RZ));
/// assert!(checked::<Reg>(256).is_err());
/// assert!(checked::<Pred>(8).is_err());
/// ```
///
/// # Errors
///
/// Returns an error for bits beyond the width of the operand type, and for reserved values.
pub fn checked<K: OperandKind>(raw: u64) -> Result<K, OutOfRange> {
    let fits = raw.checked_shr(K::WIDTH.into()).unwrap_or(0) == 0;
    let reserved = || K::RESERVED.iter().any(|cube| cube.contains(raw.into()));
    if fits && !reserved() {
        Ok(K::from_bits(raw))
    } else {
        Err(OutOfRange { raw, expects: K::EXPECTS })
    }
}

/// Parses `text` as a single operand.
///
/// ```
/// use isa_core::operand::{Reg, parse};
///
/// assert_eq!(parse::<Reg>(" R12 "), Ok(Reg::R12));
/// assert_eq!(
///     parse::<Reg>("R255").unwrap_err().to_string(),
///     "no such register: expected `R0` to `R254`, or `RZ`",
/// );
/// ```
///
/// # Errors
///
/// Returns an error if the text is not a valid operand, or if other text follows the operand.
pub fn parse<K: OperandKind>(text: &str) -> Result<K, OperandError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_trivia();
    let operand = K::read(&mut cursor)?;
    match cursor.peek() {
        None => Ok(operand),
        Some(_) => Err(cursor.fault(cursor.position(), "unexpected text after the operand")),
    }
}

/// Implements the standard traits of an operand type by means of
/// [`OperandKind`]: `Display`, `FromStr` and `TryFrom<u64>`.
///
/// ```
/// use isa_core::text::{Cursor, OperandError, Line};
/// use isa_core::operand::OperandKind;
///
/// /// A number of three bits.
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// struct Small(u8);
///
/// impl OperandKind for Small {
///     type Value = u32;
///     const WIDTH: u8 = 3;
///     const EXPECTS: &'static str = "a number from 0 to 7";
///     const MAX_LEN: usize = 1;
///     fn from_bits(raw: u64) -> Self {
///         Small(raw as u8 & 7)
///     }
///     fn to_bits(self) -> u64 {
///         self.0.into()
///     }
///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
///         Ok(Small(cursor.number()? as u8 & 7))
///     }
///     fn write(self, line: &mut Line) {
///         line.push_decimal(self.0.into());
///     }
/// }
///
/// isa_core::operand_traits!(Small);
///
/// assert_eq!("5".parse(), Ok(Small(5)));
/// assert_eq!(Small(5).to_string(), "5");
/// assert!(Small::try_from(8).is_err());
/// ```
///
/// If the type has parameters, repeat them: `operand_traits!(Sum<U; N>)`, first the operand types, and after
/// the semicolon the numbers of type `u8`.
#[macro_export]
macro_rules! operand_traits {
    ($kind:ident $(<$($type_param:ident),* $(; $($number_param:ident),+)?>)?) => {
        impl $(<$($type_param: $crate::operand::OperandKind,)* $($(const $number_param: u8),+)?>)?
            ::core::fmt::Display for $kind $(<$($type_param,)* $($($number_param),+)?>)?
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut line = $crate::text::Line::new();
                $crate::operand::OperandKind::write(*self, &mut line);
                f.pad(line.as_str())
            }
        }

        impl $(<$($type_param: $crate::operand::OperandKind,)* $($(const $number_param: u8),+)?>)?
            ::core::str::FromStr for $kind $(<$($type_param,)* $($($number_param),+)?>)?
        {
            type Err = $crate::text::OperandError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::operand::parse(text)
            }
        }

        impl $(<$($type_param: $crate::operand::OperandKind,)* $($(const $number_param: u8),+)?>)?
            TryFrom<u64> for $kind $(<$($type_param,)* $($($number_param),+)?>)?
        {
            type Error = $crate::operand::OutOfRange;

            fn try_from(raw: u64) -> Result<Self, Self::Error> {
                $crate::operand::checked(raw)
            }
        }
    };
}
