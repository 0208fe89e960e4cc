//! Registers of one's own, a line for each file of them.

use super::Numbered;

/// Defines operand kinds whose texts are a prefix and a number, and perhaps one special name with
/// the number behind the last: the registers of most instruction sets.
///
/// Each line has the name of the type, the width of its field in bits, the first name and the last,
/// the special name if there is one, and the type of what such a register holds. The type has `new`
/// and `number`, and the standard traits; a field may be wider than the names need, and what has no
/// name is then reserved, which the `operand` line of the specification has to say.
/// Names may begin with a sign, `"%r0" to "%r7"`. The first has the number 0: a field for a part of the
/// file, such as one of 4 bits for `r16` to `r31`, is [a kind by hand](#a-part-of-the-file).
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
/// A field that counts from another register than number 0, or skips some, is a kind that reads and
/// writes by that of the whole file. If it is executed, its [`Source`](crate::machine::Source) and its
/// [`Sink`](crate::machine::Sink) call those of the register.
///
/// ```
/// use isa_core::asm::{Cursor, Fault, Line};
/// use isa_core::operand::OperandKind;
///
/// isa_core::registers! {
///     /// A register.
///     pub R: 5 = "r0" to "r31" of u8;
/// }
///
/// /// A register from `r16` on, in 4 bits.
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// pub struct High(R);
///
/// impl OperandKind for High {
///     type Value = u8;
///     const WIDTH: u8 = 4;
///     const VALUE_BITS: u16 = R::VALUE_BITS;
///     const EXPECTS: &'static str = "`r16` to `r31`";
///     const MAX_LEN: usize = R::MAX_LEN;
///     const FORMS: &'static [&'static str] = R::FORMS;
///     fn from_bits(raw: u64) -> Self {
///         High(R::from_bits(16 + (raw & 15)))
///     }
///     fn to_bits(self) -> u64 {
///         self.0.to_bits() & 15
///     }
///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
///         cursor.skip_trivia();
///         let (start, register) = (cursor.position(), R::read(cursor)?);
///         match register.number() {
///             16.. => Ok(High(register)),
///             _ => Err(cursor.fault(start, "`r16` to `r31` is meant here")),
///         }
///     }
///     fn write(self, line: &mut Line) {
///         self.0.write(line);
///     }
/// }
///
/// isa_core::define_isa! {
///     /// Copies between the upper half and all registers.
///     pub isa Copies: u16;
///     operand R: 5;
///     operand High: 4;
///     opcode MOV { encoding { field<0, 4> High rd; field<4, 5> R rr; } syntax { mov rd, rr; } }
/// }
///
/// assert_eq!("mov r17, r31;".parse::<Copies>()?.encode()?, 0x1f1);
/// assert_eq!(Copies::decode(0x1f1)?.to_string(), "mov r17, r31;");
/// let error = "mov r15, r31;".parse::<Copies>().unwrap_err();
/// assert!(error.to_string().contains("`r16` to `r31` is meant here"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! registers {
    ($(
        $(#[$doc:meta])*
        $vis:vis $kind:ident: $width:literal = $first:literal $(to $last:literal)?
            $(, $special:literal)? of $value:ty $(, $bits:literal bit)?
            $(, in $machine:path { $get:ident, $set:ident })?;
    )*) => { $(
        $crate::__register_kind! {
            [$(#[$doc])* $vis] $kind: $width = $first $(to $last)? $(, $special)?;
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
        $kind:ident: $width:literal = $first:literal to $last:literal $(, $special:literal)?;
        [$value:ty] [$bits:expr]
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $kind(u8);

        impl $kind {
            const NAMES: $crate::operand::Numbered = $crate::operand::Numbered::between(
                [$first, $last, concat!($($special)?)],
                [
                    concat!("no such name: `", $first, "` to `", $last, "`", $(", or `", $special, "`,",)?
                        " is meant here"),
                    concat!("letter case counts in names: `", $first, "` is one of them"),
                ],
            );
            const READY: [$crate::table::ShortText; 1 << $width] = Self::NAMES.ready();

            /// The operand with this number; `None` where there is none. The special name has the
            /// number behind the last.
            #[must_use]
            $vis const fn new(number: u8) -> Option<Self> {
                let count = Self::NAMES.count as u16 + !Self::NAMES.last.is_empty() as u16;
                if (number as u16) < count { Some($kind(number)) } else { None }
            }

            /// The number; that of the special name is behind the last.
            #[must_use]
            $vis const fn number(self) -> u8 {
                self.0
            }
        }

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $bits;
            const EXPECTS: &'static str =
                concat!("`", $first, "` to `", $last, "`" $(, ", or `", $special, "`")?);
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
    /// The names from a first to a last, with the special name, or an empty text, and the messages
    /// about a name that does not exist and about one in the wrong letter case.
    ///
    /// # Panics
    ///
    /// At compile time, where the first name has not the number 0, or the last another prefix.
    #[doc(hidden)]
    #[must_use]
    pub const fn between(
        [first, last, special]: [&'static str; 3],
        [unknown, letter_case]: [&'static str; 2],
    ) -> Self {
        let (prefix, zero) = first.split_at(first.len() - 1);
        assert!(zero.as_bytes()[0] == b'0', "the first name has the number 0");
        let (mut count, mut at) = (0u16, 0);
        while at < last.len() {
            let byte = last.as_bytes()[at];
            if at < prefix.len() {
                assert!(byte == prefix.as_bytes()[at], "the last name has the prefix of the first");
            } else {
                assert!(byte.is_ascii_digit(), "the last name ends in its number");
                count = count * 10 + (byte - b'0') as u16;
            }
            at += 1;
        }
        assert!(count < 255, "there are at most 255 numbered names");
        Numbered { prefix, count: count as u8 + 1, last: special, unknown, letter_case }
    }

    /// The length of the longest name.
    #[doc(hidden)]
    #[must_use]
    pub const fn longest(&self) -> usize {
        let digits = match self.count {
            0..=10 => 1,
            11..=100 => 2,
            _ => 3,
        };
        let numbered = self.prefix.len() + digits;
        if self.last.len() > numbered { self.last.len() } else { numbered }
    }
}
