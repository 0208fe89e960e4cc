//! Registers: `w0` to `w30` and `x0` to `x30`, and number 31, which is always 0 in some operands and
//! the stack pointer in others.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::machine::{Sink, Source};
use isa_core::operand::{Numbered, OperandKind};
use isa_core::table::ShortText;

use super::machine::{Nzcv, Registers, Vectors};

/// Defines a kind of register: what it holds, its names, what number 31 is, and the message about
/// a register that does not exist.
macro_rules! register {
    (
        $(#[$doc:meta])* $kind:ident: $value:ty, $first:literal, $last:literal, $message:literal,
        $machine:ident, $get:ident, $set:ident $(, $sp:literal)?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $kind(pub u8);

        impl $kind {
            const NAMES: Numbered = Numbered {
                prefix: $first.split_at(1).0,
                count: if $last.is_empty() { 32 } else { 31 },
                last: $last,
                unknown: $message,
                letter_case: "registers are written in lower case",
            };
            const READY: [ShortText; 32] = Self::NAMES.ready();
        }

        impl OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = 5;
            const VALUE_BITS: u16 = <$value>::BITS as u16;
            const EXPECTS: &'static str = $message;
            const MAX_LEN: usize = "x30".len();
            const FORMS: &'static [&'static str] =
                if $last.is_empty() { &[$first] } else { &[$first, $last] };
            /// The names of numbered registers begin alike; `sp` does not begin as `x0`.
            const NUMBERED: Option<&'static Numbered> =
                if $last.len() != 2 { Some(&Self::NAMES) } else { None };
            const READY: &'static [ShortText] = &Self::READY;

            #[inline]
            fn from_bits(raw: u64) -> Self {
                $kind(raw as u8 & 31)
            }
            fn to_bits(self) -> u64 {
                self.0.into()
            }
            fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                Self::NAMES.read(cursor).map($kind)
            }
            fn write(self, line: &mut Line) {
                Self::NAMES.write(self.0, line);
            }
        }

        impl<M: $machine + ?Sized> Source<M> for $kind {
            #[inline]
            fn fetch(self, machine: &M) -> $value {
                machine.$get(self.0 $(, $sp)?) as $value
            }
        }

        impl<M: $machine + ?Sized> Sink<M> for $kind {
            #[inline]
            fn store(self, machine: &mut M, value: $value) {
                machine.$set(self.0, $($sp,)? value.into());
            }
        }
    };
}

register! {
    /// The low 32 bits of a register; number 31 is 0.
    W: u32, "w0", "wzr", "a register (`w0` to `w30`, or `wzr`)",
    Registers, reg, set_reg, false
}
register! {
    /// The low 32 bits of a register; number 31 is the stack pointer.
    Wsp: u32, "w0", "wsp", "a register (`w0` to `w30`, or `wsp`)",
    Registers, reg, set_reg, true
}
register! {
    /// A register; number 31 is 0.
    X: u64, "x0", "xzr", "a register (`x0` to `x30`, or `xzr`)",
    Registers, reg, set_reg, false
}
register! {
    /// A register; number 31 is the stack pointer.
    Xsp: u64, "x0", "sp", "a register (`x0` to `x30`, or `sp`)",
    Registers, reg, set_reg, true
}

register! {
    /// A register of 128 bits.
    V: u128, "v0", "", "a vector register (`v0` to `v31`)", Vectors, v, set_v
}

/// The four flags, which instructions read and write without naming them in the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flags;

impl OperandKind for Flags {
    type Value = Nzcv;
    const WIDTH: u8 = 1;
    const VALUE_BITS: u16 = 4;
    const EXPECTS: &'static str = "`nzcv`";
    const MAX_LEN: usize = "nzcv".len();

    fn from_bits(_: u64) -> Self {
        Flags
    }
    fn to_bits(self) -> u64 {
        0
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let start = cursor.position();
        let named = cursor.word() == "nzcv";
        if named { Ok(Flags) } else { Err(cursor.fault(start, "`nzcv` is meant here")) }
    }
    fn write(self, line: &mut Line) {
        line.push_str("nzcv");
    }
}

impl<M: Registers + ?Sized> Source<M> for Flags {
    #[inline]
    fn fetch(self, machine: &M) -> Nzcv {
        machine.nzcv()
    }
}

impl<M: Registers + ?Sized> Sink<M> for Flags {
    #[inline]
    fn store(self, machine: &mut M, value: Nzcv) {
        machine.set_nzcv(value);
    }
}
