//! Reads registers of two lanes each, with the operand modifiers of the instruction set.

use super::layout::{LANES, LaneBlock, RegisterBlock, copy_halves, registers_of};

/// The sign bits of both lanes.
const SIGNS: u32 = 0x8000_8000;

/// Selects which half of a register each of its two lanes reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HalfSelect {
    /// Each lane reads its own half (`.H1_H0`).
    #[default]
    Both,
    /// Both lanes read the low half (`.H0_H0`).
    Low,
    /// Both lanes read the high half (`.H1_H1`).
    High,
}

/// An operand: registers of two lanes each, with lane 0 in the low half, and the modifiers of the
/// operand. Half-select is applied first, then the absolute value, then the negation. The last two
/// change only the sign, including the sign of a NaN.
///
/// ```
/// use isa_half::lanes::{PackedOperand, HalfSelect};
///
/// let minus_low = PackedOperand { select: HalfSelect::Low, negate: true, ..PackedOperand::new(&[0x4000_3c00]) };
/// assert_eq!(minus_low.lanes::<1>(), [[0xbc00, 0xbc00]]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedOperand<'r> {
    /// The registers.
    pub registers: &'r [u32],
    /// The halves of the registers that are read.
    pub select: HalfSelect,
    /// Whether the signs are cleared: [`abs`](crate::abs).
    pub absolute: bool,
    /// Whether the signs are then inverted: [`neg`](crate::neg).
    pub negate: bool,
}

impl<'r> PackedOperand<'r> {
    /// Creates an operand without modifiers.
    #[inline(always)]
    #[must_use]
    pub const fn new(registers: &'r [u32]) -> Self {
        PackedOperand { registers, select: HalfSelect::Both, absolute: false, negate: false }
    }

    /// Returns the lanes of the first `L` registers, lane 0 first. A missing register is read as 0.
    #[inline(always)]
    #[must_use]
    pub fn lanes<const L: usize>(self) -> [[u16; 2]; L] {
        let mut row = [0; L];
        row.iter_mut().zip(self.registers).for_each(|(to, &from)| *to = from);
        self.change(&mut row);
        let mut lanes = [[0; 2]; L];
        copy_halves(&row, lanes.as_flattened_mut());
        lanes
    }

    /// Returns the lanes of a row of registers.
    #[inline(always)]
    pub(super) fn block(self, row: &RegisterBlock) -> LaneBlock {
        let (mut row, mut block) = (*row, [0; LANES]);
        self.change(&mut row);
        copy_halves(&row, &mut block);
        block
    }

    /// Returns the mask of the bits that are kept, and the mask of the bits that are then inverted.
    #[inline(always)]
    pub(super) fn signs(self) -> [u32; 2] {
        [if self.absolute { !SIGNS } else { !0 }, if self.negate { SIGNS } else { 0 }]
    }

    /// Applies the modifiers. The loops contain no branches, so that they are vectorized.
    #[inline(always)]
    fn change(self, row: &mut [u32]) {
        match self.select {
            HalfSelect::Both => {}
            HalfSelect::Low => row.iter_mut().for_each(|both| *both = *both << 16 | *both & 0xffff),
            HalfSelect::High => {
                row.iter_mut().for_each(|both| *both = *both >> 16 | *both & !0xffff)
            }
        }
        let [keep, flip] = self.signs();
        row.iter_mut().for_each(|both| *both = *both & keep ^ flip);
    }
}

/// Returns the registers that contain `lanes`, with lane 0 in the low half of each register.
///
/// ```
/// assert_eq!(isa_half::lanes::pack(&[[0x3c00, 0x4000]]), [0x4000_3c00]);
/// ```
#[inline(always)]
#[must_use]
pub fn pack<const L: usize>(lanes: &[[u16; 2]; L]) -> [u32; L] {
    registers_of(lanes.as_flattened())
}
