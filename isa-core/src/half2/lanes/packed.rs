//! Registers of two lanes each, as the instruction set reads them.

use super::block::{Block, LANES};

/// The registers of a block.
pub(super) type Row = [u32; LANES / 2];

/// The sign bits of both lanes.
const SIGNS: u32 = 0x8000_8000;

/// Which halves of a register feed its two lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Select {
    /// Each its own (`.H1_H0`).
    #[default]
    Both,
    /// The low half both (`.H0_H0`).
    Low,
    /// The high half both (`.H1_H1`).
    High,
}

/// An operand: registers of two lanes each, lane 0 in the low half, with what is done to them
/// first. Half-select comes first, then the absolute value, then the negation; the last two act on
/// the sign alone, NaNs included.
///
/// ```
/// use isa_core::half2::lanes::{Packed, Select};
///
/// let minus_low = Packed { select: Select::Low, negate: true, ..Packed::new(&[0x4000_3c00]) };
/// assert_eq!(minus_low.lanes::<1>(), [[0xbc00, 0xbc00]]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Packed<'r> {
    /// The registers.
    pub registers: &'r [u32],
    /// Which halves of the registers are read.
    pub select: Select,
    /// Whether the signs are cleared: [`abs`](crate::half2::abs).
    pub absolute: bool,
    /// Whether the signs are then changed: [`neg`](crate::half2::neg).
    pub negate: bool,
}

impl<'r> Packed<'r> {
    /// These registers as they are.
    #[inline(always)]
    #[must_use]
    pub const fn new(registers: &'r [u32]) -> Self {
        Packed { registers, select: Select::Both, absolute: false, negate: false }
    }

    /// The lanes of the first `L` registers, lane 0 first; those of a register that is not there
    /// are as if it were 0.
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

    /// The lanes of a block.
    #[inline(always)]
    pub(super) fn block(self, row: &Row) -> Block {
        let (mut row, mut block) = (*row, [0; LANES]);
        self.change(&mut row);
        copy_halves(&row, &mut block);
        block
    }

    /// The bits that stay, and those that then change.
    #[inline(always)]
    pub(super) fn signs(self) -> [u32; 2] {
        [if self.absolute { !SIGNS } else { !0 }, if self.negate { SIGNS } else { 0 }]
    }

    /// Loops without a choice, so that they become vector code.
    #[inline(always)]
    fn change(self, row: &mut [u32]) {
        match self.select {
            Select::Both => {}
            Select::Low => row.iter_mut().for_each(|both| *both = *both << 16 | *both & 0xffff),
            Select::High => row.iter_mut().for_each(|both| *both = *both >> 16 | *both & !0xffff),
        }
        let [keep, flip] = self.signs();
        row.iter_mut().for_each(|both| *both = *both & keep ^ flip);
    }
}

/// The lanes of registers, by way of their bytes, so that it is a copy.
#[inline(always)]
fn copy_halves<const L: usize>(row: &[u32; L], lanes: &mut [u16]) {
    let mut bytes = [[0; 4]; L];
    for (bytes, register) in bytes.iter_mut().zip(row) {
        *bytes = register.to_le_bytes();
    }
    let (halves, _) = bytes.as_flattened().as_chunks();
    for (lane, &half) in lanes.iter_mut().zip(halves) {
        *lane = u16::from_le_bytes(half);
    }
}

/// The registers that hold some lanes, two each.
#[inline(always)]
pub(super) fn row_of<const L: usize>(lanes: &[u16]) -> [u32; L] {
    let mut bytes = [[0; 4]; L];
    let (halves, _) = bytes.as_flattened_mut().as_chunks_mut();
    for (half, lane) in halves.iter_mut().zip(lanes) {
        *half = lane.to_le_bytes();
    }
    let mut row = [0; L];
    for (register, bytes) in row.iter_mut().zip(bytes) {
        *register = u32::from_le_bytes(bytes);
    }
    row
}

/// The registers that have these lanes, lane 0 in the low half.
///
/// ```
/// assert_eq!(isa_core::half2::lanes::pack(&[[0x3c00, 0x4000]]), [0x4000_3c00]);
/// ```
#[inline(always)]
#[must_use]
pub fn pack<const L: usize>(lanes: &[[u16; 2]; L]) -> [u32; L] {
    row_of(lanes.as_flattened())
}
