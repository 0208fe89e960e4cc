//! Registers of one's own, a line for each file of them.

use super::Numbered;
use super::numbered::is_same;

/// Defines operand kinds whose texts are a prefix and a number, and perhaps one special name with
/// the number behind the last: the registers of most instruction sets.
///
/// Each line has the name of the type, the width of its field in bits, the first name and the last,
/// perhaps a step, the special name if there is one, and the type of what such a register holds. The type has `new`
/// and `number`, and the standard traits; a field may be wider than the names need, and what has no
/// name is then reserved, which the `operand` line of the specification has to say.
/// Names may begin with a sign, `"%r0" to "%r7"`. A field may be for [a part of the
/// file](#a-part-of-the-file), such as one of 4 bits for `r16` to `r31`.
///
/// Behind `in` stands how a machine has it: a trait, a method that gives the value of the register with
/// a number, and one that replaces it. They may have another type of number, of which the register
/// holds the low bits: a `u32` is the low half of a `u64`, and what is written is extended by zeros.
/// Without `in`, what reading and writing does is said by [`Source`](crate::machine::Source) and
/// [`Sink`](crate::machine::Sink). A line with one name alone is the one register of its kind, whose
/// methods have no number: flags that an instruction reads and writes without naming them.
///
/// ```
/// /// A machine: its registers and its carry.
/// pub trait Machine {
///     fn reg(&self, number: u8) -> u64;
///     fn set_reg(&mut self, number: u8, value: u64);
///     fn carry(&self) -> bool;
///     fn set_carry(&mut self, carry: bool);
/// }
///
/// isa_core::registers! {
///     /// A register; `zero` is always 0.
///     pub X: 5 = "x0" to "x30", "zero" of u64, in Machine { reg, set_reg };
///     /// The low half of a register.
///     pub W: 5 = "w0" to "w30", "zero" of u32, in Machine { reg, set_reg };
///     /// The carry.
///     pub Carry: 1 = "carry" of bool, 1 bit, in Machine { carry, set_carry };
///     /// A flag, which no machine has.
///     pub B: 2 = "b0" to "b3" of bool, 1 bit;
/// }
///
/// let x7: X = "x7".parse()?;
/// assert_eq!(x7.number(), 7);
/// assert_eq!("zero".parse::<X>()?.number(), 31);
/// assert_eq!(B::new(3).unwrap().to_string(), "b3");
/// assert_eq!(B::new(4), None);
/// assert_eq!(
///     "x31".parse::<X>().unwrap_err().to_string(),
///     "no such name: `x0` to `x30`, or `zero`, is meant here",
/// );
/// # Ok::<(), isa_core::asm::Fault>(())
/// ```
///
/// # A part of the file
///
/// The bits of a field count from the first name: 0 is `r16` in a field for `r16` to `r31`. Where they
/// skip registers, `step` says by how many numbers a name is behind the one before it. `new`, `number`
/// and the methods of the machine have the number in the name, as the manual of the machine has it, so
/// that one method serves the whole file and all its parts. A special name has the number that would
/// follow.
///
/// ```
/// pub trait Machine {
///     fn reg(&self, number: u8) -> u8;
///     fn set_reg(&mut self, number: u8, value: u8);
/// }
///
/// isa_core::registers! {
///     /// A register.
///     pub R: 5 = "r0" to "r31" of u8, in Machine { reg, set_reg };
///     /// A register of the upper half.
///     pub High: 4 = "r16" to "r31" of u8, in Machine { reg, set_reg };
///     /// The lower of two registers that hold an address.
///     pub Pair: 2 = "r24" to "r30" step 2 of u8, in Machine { reg, set_reg };
/// }
///
/// isa_core::define_isa! {
///     /// Copies between parts of the file.
///     pub isa Copies: u16;
///     operand R: 5;
///     operand High: 4;
///     operand Pair: 2;
///     opcode MOV { encoding { field<0, 4> High rd; field<4, 5> R rr; } syntax { mov rd, rr; } }
///     opcode LOW {
///         encoding { field<9, 7> Op op == LOW; field<0, 4> High rd; field<4, 2> Pair rr; }
///         syntax { low rd, rr; }
///     }
///     enum Op: 7 { LOW = 1 }
/// }
///
/// assert_eq!("mov r17, r31;".parse::<Copies>()?.encode()?, 0x1f1);
/// assert_eq!(Copies::decode(0x1f1)?.to_string(), "mov r17, r31;");
/// assert_eq!("low r16, r28;".parse::<Copies>()?.encode()?, 0x220);
/// assert_eq!(Pair::new(28).map(Pair::number), Some(28));
/// assert_eq!(Pair::new(27), None);
/// let error = "mov r15, r31;".parse::<Copies>().unwrap_err();
/// assert!(error.to_string().contains("`r16` to `r31` is meant here"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! registers {
    ($(
        $(#[$doc:meta])*
        $vis:vis $kind:ident: $width:literal = $first:literal $(to $last:literal $(step $step:literal)?)?
            $(, $special:literal)? of $value:ty $(, $bits:literal bit)?
            $(, in $machine:path { $get:ident, $set:ident })?;
    )*) => { $(
        $crate::__register_kind! {
            [$(#[$doc])* $vis] $kind: $width = $first $(to $last $(step $step)?)? $(, $special)?;
            [$value] [{
                let given = 0 $(+ $bits)?;
                if given == 0 { 8 * ::core::mem::size_of::<$value>() as u16 } else { given }
            }]
        }
        $crate::__standard_traits!($kind);
        $crate::__register_access!(
            $kind: $value; [$(numbered by $last)?] [$($machine { $get, $set })?]
        );
    )* };
}

/// One kind of registers: of many, or of one, which has no bits of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_kind {
    (
        [$(#[$doc:meta])* $vis:vis]
        $kind:ident: $width:literal = $first:literal to $last:literal $(step $step:literal)? $(, $special:literal)?;
        [$value:ty] [$bits:expr]
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind(u8);

        impl ::core::fmt::Debug for $kind {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple(stringify!($kind)).field(&self.number()).finish()
            }
        }

        impl $kind {
            const NAMES: $crate::operand::Numbered = $crate::operand::Numbered::between(
                [$first, $last, concat!($($special)?)],
                [$width, 1 $(+ ($step - 1))?],
                [
                    concat!("no such name: `", $first, "` to `", $last, "`", $(" in steps of ", $step,)?
                        $(", or `", $special, "`,",)? " is meant here"),
                    concat!("letter case counts in names: `", $first, "` is one of them"),
                ],
            );
            const READY: [$crate::table::ShortText; 1 << $width] = Self::NAMES.ready();

            /// The operand with this number, which is that in its name; `None` where there is none. The
            /// special name has the number behind the last.
            #[must_use]
            $vis const fn new(number: u8) -> Option<Self> {
                match Self::NAMES.bits(number) {
                    Some(bits) => Some($kind(bits)),
                    None if !Self::NAMES.last.is_empty()
                        && number == Self::NAMES.number(Self::NAMES.count) =>
                    {
                        Some($kind(Self::NAMES.count))
                    }
                    None => None,
                }
            }

            /// The number in the name; that of the special name is behind the last.
            #[must_use]
            $vis const fn number(self) -> u8 {
                Self::NAMES.number(self.0)
            }
        }

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $bits;
            const EXPECTS: &'static str =
                concat!("`", $first, "` to `", $last, "`" $(, " in steps of ", $step)?
                    $(, ", or `", $special, "`")?);
            const MAX_LEN: usize = Self::NAMES.longest();
            const FORMS: &'static [&'static str] = &[$first $(, $special)?];
            const NAMED: &'static [(&'static str, u64)] = &[$(($special, Self::NAMES.count as u64))?];
            const NUMBERED: Option<&'static $crate::operand::Numbered> = Some(&Self::NAMES);
            const READY: &'static [$crate::table::ShortText] = &Self::READY;

            $crate::__numbered_functions!($kind, $width, Self::NAMES);
        }
    };
    (
        [$(#[$doc:meta])* $vis:vis] $kind:ident: $width:literal = $name:literal;
        [$value:ty] [$bits:expr]
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind;

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $bits;
            const EXPECTS: &'static str = concat!("`", $name, "`");
            const MAX_LEN: usize = $name.len();
            const FORMS: &'static [&'static str] = &[$name];
            const NAMED: &'static [(&'static str, u64)] = &[($name, 0)];

            fn from_bits(_: u64) -> Self {
                $kind
            }

            fn to_bits(self) -> u64 {
                0
            }

            fn read(cursor: &mut $crate::asm::Cursor<'_>) -> Result<Self, $crate::asm::Fault> {
                cursor.skip_trivia();
                let (start, word) = (cursor.position(), cursor.word());
                let named = word == $name || cursor.any_case() && word.eq_ignore_ascii_case($name);
                let message = concat!("`", $name, "` is meant here");
                if named { Ok($kind) } else { Err(cursor.fault(start, message)) }
            }

            fn write(self, line: &mut $crate::asm::Line) {
                line.push_str($name);
            }
        }
    };
}

/// How a machine has the registers of a kind, with a number or, where there is one alone, without.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_access {
    ($kind:ident: $value:ty; [$($numbered:tt)*] []) => {};
    ($kind:ident: $value:ty; [] [$machine:path { $get:ident, $set:ident }]) => {
        impl<M: $machine + ?Sized> $crate::machine::Source<M> for $kind {
            #[inline]
            fn fetch(self, machine: &M) -> $value {
                machine.$get() as $value
            }
        }

        impl<M: $machine + ?Sized> $crate::machine::Sink<M> for $kind {
            #[inline]
            fn store(self, machine: &mut M, value: $value) {
                machine.$set(value.into());
            }
        }
    };
    ($kind:ident: $value:ty; [$($numbered:tt)+] [$machine:path { $get:ident, $set:ident }]) => {
        impl<M: $machine + ?Sized> $crate::machine::Source<M> for $kind {
            #[inline]
            fn fetch(self, machine: &M) -> $value {
                machine.$get(self.number()) as $value
            }
        }

        impl<M: $machine + ?Sized> $crate::machine::Sink<M> for $kind {
            #[inline]
            fn store(self, machine: &mut M, value: $value) {
                machine.$set(self.number(), value.into());
            }
        }
    };
}

/// The functions of an operand kind that is a number of a width, with these names.
#[doc(hidden)]
#[macro_export]
macro_rules! __numbered_functions {
    ($kind:ident, $width:literal, $names:expr) => {
        #[inline]
        fn from_bits(raw: u64) -> Self {
            $kind(raw as u8 & ((1u16 << $width) - 1) as u8)
        }

        #[inline]
        fn to_bits(self) -> u64 {
            self.0.into()
        }

        #[inline]
        fn read(cursor: &mut $crate::asm::Cursor<'_>) -> Result<Self, $crate::asm::Fault> {
            $names.read(cursor).map($kind)
        }

        #[inline]
        fn write(self, line: &mut $crate::asm::Line) {
            $names.write(self.0, line);
        }
    };
}
pub(super) use __numbered_functions as numbered_functions;

impl Numbered {
    /// The names from a first to a last, with the special name, or an empty text; the width of their
    /// field, and the step from each number to the next; and the messages about a name that does not exist and about one in the wrong letter case.
    ///
    /// # Panics
    ///
    /// At compile time, where a name has no number at its end, the last has another prefix or a lower
    /// number, or is not reached in steps, and where the field is too narrow.
    #[doc(hidden)]
    #[must_use]
    pub const fn between(
        [first, last, special]: [&'static str; 3],
        [width, step]: [u8; 2],
        [unknown, letter_case]: [&'static str; 2],
    ) -> Self {
        let (prefix, first) = numbered(first);
        let (other, last) = numbered(last);
        assert!(
            is_same(prefix.as_bytes(), other.as_bytes()),
            "the last name has the prefix of the first"
        );
        assert!(first <= last, "the last name has a higher number than the first");
        assert!(step > 0, "a step is at least 1");
        let steps = (last - first) / step as u16;
        assert!((last - first) % step as u16 == 0, "the last name is some steps behind the first");
        let names = steps + 1 + !special.is_empty() as u16;
        assert!(names <= 1 << width, "the field has room for all names");
        assert!(
            special.is_empty() || last + step as u16 <= 255,
            "a special name has a number up to 255"
        );
        Numbered {
            prefix,
            first: first as u8,
            step,
            count: steps as u8 + 1,
            last: special,
            unknown,
            letter_case,
        }
    }

    /// The length of the longest name.
    #[doc(hidden)]
    #[must_use]
    pub const fn longest(&self) -> usize {
        let digits = match self.number(self.count.saturating_sub(1)) {
            0..10 => 1,
            10..100 => 2,
            _ => 3,
        };
        let numbered = self.prefix.len() + digits;
        if self.last.len() > numbered { self.last.len() } else { numbered }
    }
}

/// A name without its number, and the number.
const fn numbered(name: &'static str) -> (&'static str, u16) {
    let bytes = name.as_bytes();
    let mut len = bytes.len();
    while len > 0 && bytes[len - 1].is_ascii_digit() {
        len -= 1;
    }
    assert!(len < bytes.len(), "a name ends in its number");
    assert!(bytes[len] != b'0' || len + 1 == bytes.len(), "a number has no zeros in front");
    let (mut number, mut at) = (0u16, len);
    while at < bytes.len() {
        number = number * 10 + (bytes[at] - b'0') as u16;
        assert!(number < 255, "the numbers of names are at most 254");
        at += 1;
    }
    (name.split_at(len).0, number)
}
