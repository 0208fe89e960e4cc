//! Registers: `w0` to `w30` and `x0` to `x30`, and number 31, which is always 0 in some operands and
//! the stack pointer in others.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::machine::{Sink, Source};
use isa_core::operand::OperandKind;

use super::machine::{Nzcv, Registers, Vectors};

isa_core::registers! {
    /// The low 32 bits of a register; number 31 is 0.
    pub W: 5 = "w0" to "w30", "wzr" of u32;
    /// The low 32 bits of a register; number 31 is the stack pointer.
    pub Wsp: 5 = "w0" to "w30", "wsp" of u32;
    /// A register; number 31 is 0.
    pub X: 5 = "x0" to "x30", "xzr" of u64;
    /// A register; number 31 is the stack pointer.
    pub Xsp: 5 = "x0" to "x30", "sp" of u64;
    /// A register of 128 bits.
    pub V: 5 = "v0" to "v31" of u128;
}

/// What a machine has in a register.
macro_rules! held {
    ($($kind:ident: $value:ty, $machine:ident, $get:ident, $set:ident $(, $sp:literal)?;)*) => { $(
        impl<M: $machine + ?Sized> Source<M> for $kind {
            #[inline]
            fn fetch(self, machine: &M) -> $value {
                machine.$get(self.number() $(, $sp)?) as $value
            }
        }

        impl<M: $machine + ?Sized> Sink<M> for $kind {
            #[inline]
            fn store(self, machine: &mut M, value: $value) {
                machine.$set(self.number(), $($sp,)? value.into());
            }
        }
    )* };
}

held! {
    W: u32, Registers, reg, set_reg, false;
    Wsp: u32, Registers, reg, set_reg, true;
    X: u64, Registers, reg, set_reg, false;
    Xsp: u64, Registers, reg, set_reg, true;
    V: u128, Vectors, v, set_v;
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
