//! Implementations of [`Source`] and [`Sink`] for the operand types of this crate.

use super::{ConstMemory, GeneralRegs, Predicates, Sink, Source, UniformRegs};
use crate::operand::{CMem, F16ImmX2, OperandKind, Pred, Reg, UReg};

/// RZ reads as 0.
impl<M: GeneralRegs + ?Sized> Source<M> for Reg {
    #[inline]
    fn fetch(self, machine: &M) -> u32 {
        self.number().map_or(0, |number| machine.reg(number))
    }

    #[inline(always)]
    fn fetch_row(self, machine: &M, row: &mut [u32]) -> bool {
        match self.number() {
            Some(number) => machine.reg_row(number, row),
            None => {
                row.fill(0);
                true
            }
        }
    }
}

/// A write to RZ has no effect.
impl<M: GeneralRegs + ?Sized> Sink<M> for Reg {
    #[inline]
    fn store(self, machine: &mut M, value: u32) {
        if let Some(number) = self.number() {
            machine.set_reg(number, value);
        }
    }
}

/// URZ reads as 0.
impl<M: UniformRegs + ?Sized> Source<M> for UReg {
    #[inline]
    fn fetch(self, machine: &M) -> u32 {
        self.number().map_or(0, |number| machine.uniform_reg(number))
    }
}

/// A write to URZ has no effect.
impl<M: UniformRegs + ?Sized> Sink<M> for UReg {
    #[inline]
    fn store(self, machine: &mut M, value: u32) {
        if let Some(number) = self.number() {
            machine.set_uniform_reg(number, value);
        }
    }
}

/// PT reads as true.
impl<M: Predicates + ?Sized> Source<M> for Pred {
    #[inline]
    fn fetch(self, machine: &M) -> bool {
        self.number().is_none_or(|number| machine.pred(number))
    }

    #[inline(always)]
    fn fetch_row(self, machine: &M, row: &mut [bool]) -> bool {
        match self.number() {
            Some(number) => machine.pred_row(number, row),
            None => {
                row.fill(true);
                true
            }
        }
    }
}

/// A write to PT has no effect.
impl<M: Predicates + ?Sized> Sink<M> for Pred {
    #[inline]
    fn store(self, machine: &mut M, value: bool) {
        if let Some(number) = self.number() {
            machine.set_pred(number, value);
        }
    }
}

/// The value is the word of constant memory at the address.
impl<M: ConstMemory + ?Sized> Source<M> for CMem {
    #[inline]
    fn fetch(self, machine: &M) -> u32 {
        machine.const_word(self.bank(), self.offset())
    }
}

/// The value is the bits of the immediate, on any machine.
impl<M: ?Sized> Source<M> for F16ImmX2 {
    #[inline]
    fn fetch(self, _: &M) -> u32 {
        self.to_bits() as u32
    }
}
