//! Implementations of [`Source`] and [`Sink`] for the operand types of this crate.

use super::{GeneralRegs, Predicates, Sink, Source};
use crate::operand::{Pred, Reg};

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
