//! Machine state: the small traits that `execute` uses, and a complete state.
//!
//! An instruction requires only the traits that its operands need: an instruction without a constant
//! memory operand runs on a machine without constant memory. The special registers of an instruction
//! set (RZ, URZ, PT) are not registers of the machine: the operand types handle them in
//! [`Source::fetch`] and [`Sink::store`].
//!
//! ```
//! use isa_core::machine::{ConstMemory, GeneralRegs, Predicates, State};
//!
//! let constants = 0x3c00_4000_u32.to_le_bytes();
//! let mut state = State::default();
//! state.set_bank(3, &constants);
//! state.set_reg(1, state.const_word(3, 0));
//! state.set_pred(0, true);
//!
//! assert_eq!(state.reg(1), 0x3c00_4000);
//! assert_eq!(state.const_word(3, 4), 0);
//! assert!(state.pred(0));
//! ```

#[cfg(feature = "alloc")]
mod lanes;
#[cfg(feature = "alloc")]
mod memory;
#[cfg(feature = "alloc")]
mod named;
#[cfg(feature = "alloc")]
mod processor;
#[cfg(feature = "alloc")]
mod recorded;
#[cfg(feature = "alloc")]
mod recorder;
mod register_access;
#[cfg(feature = "alloc")]
mod register_file;
#[cfg(feature = "alloc")]
mod run;
#[cfg(feature = "alloc")]
mod runner;
#[cfg(feature = "alloc")]
mod values;
mod warp;

#[cfg(feature = "alloc")]
pub use lanes::{NamedWarp, NotedLane};
#[cfg(feature = "alloc")]
pub use memory::{AddressSpace, Permissions};
#[cfg(feature = "alloc")]
pub use named::{
    NamedMachine, OperandStorage, RegisterFiles, StateLocation, StateLocations, Trace,
};
#[cfg(feature = "alloc")]
pub use processor::{MAX_LENGTH, Processor};
#[cfg(feature = "alloc")]
pub use recorded::{Counter, NamedState, RecordedContent, RecordedMemory, RecordedRegisters};
#[cfg(feature = "alloc")]
pub use recorder::Recorder;
#[cfg(feature = "alloc")]
pub use register_file::RegisterFile;
#[cfg(feature = "alloc")]
pub use run::{AfterEach, Ended, ExecuteError, Executor, Halt, Simulation, fetch, run_each};
#[cfg(feature = "alloc")]
pub use runner::{ExecuteWord, Outcome, Runner, Stop};
#[cfg(feature = "alloc")]
pub use values::{NameError, number};
pub use warp::{Lane, Warp};
#[doc(hidden)]
pub use warp::{for_each_lane, keep_lanes, vectorize};

#[doc(inline)]
pub use crate::operand::{Sink, Source};

/// A file of 32-bit general registers.
pub trait GeneralRegs {
    /// Returns the value of register `number`.
    fn reg(&self, number: u8) -> u32;

    /// Sets the value of register `number`.
    fn set_reg(&mut self, number: u8, value: u32);

    /// Copies register `number` of every lane of the warp into `row`. Returns false if this machine
    /// is not a lane of a warp, or if `row` does not have one element for each lane.
    #[doc(hidden)]
    #[inline(always)]
    fn reg_row(&self, _number: u8, _row: &mut [u32]) -> bool {
        false
    }
}

/// A file of 32-bit uniform registers, which all threads share.
pub trait UniformRegs {
    /// Returns the value of uniform register `number`.
    fn uniform_reg(&self, number: u8) -> u32;

    /// Sets the value of uniform register `number`.
    fn set_uniform_reg(&mut self, number: u8, value: u32);
}

/// A file of predicates, which are registers of one bit.
pub trait Predicates {
    /// Returns the value of predicate `number`.
    fn pred(&self, number: u8) -> bool;

    /// Sets the value of predicate `number`.
    fn set_pred(&mut self, number: u8, value: bool);

    /// Copies predicate `number` of every lane of the warp into `row`. Returns false if this
    /// machine is not a lane of a warp, or if `row` does not have one element for each lane.
    #[doc(hidden)]
    #[inline(always)]
    fn pred_row(&self, _number: u8, _row: &mut [bool]) -> bool {
        false
    }
}

/// Banks of constant memory. They are addressed in bytes and read in 32-bit words.
pub trait ConstMemory {
    /// Returns the word at byte `offset` of `bank`.
    fn const_word(&self, bank: u8, offset: u32) -> u32;
}

/// A machine with all the state that the operand types of this crate use.
///
/// Every type that implements the four traits is a machine:
///
/// ```
/// use isa_core::machine::{GeneralRegs, Machine, State};
///
/// fn run(machine: &mut impl Machine) {
///     machine.set_reg(0, machine.uniform_reg(4));
/// }
///
/// run(&mut State::new());
/// ```
pub trait Machine: GeneralRegs + UniformRegs + Predicates + ConstMemory {}

impl<M: GeneralRegs + UniformRegs + Predicates + ConstMemory + ?Sized> Machine for M {}

/// A complete machine: 255 general registers, 63 uniform registers, 7 predicates, and constant
/// banks that are borrowed as little-endian bytes.
///
/// It never allocates and never panics. A register that does not exist is read as 0 (or false), and
/// writes to it have no effect. A constant byte outside of its bank is read as 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State<'c> {
    regs: [u32; State::<'static>::REGS],
    uniform_regs: [u32; State::<'static>::UNIFORM_REGS],
    preds: [bool; State::<'static>::PREDS],
    banks: [&'c [u8]; State::<'static>::BANKS],
}

impl<'c> State<'c> {
    /// The number of general registers.
    pub const REGS: usize = 255;
    /// The number of uniform registers.
    pub const UNIFORM_REGS: usize = 63;
    /// The number of predicates.
    pub const PREDS: usize = 7;
    /// The number of constant banks.
    pub const BANKS: usize = 32;

    /// Creates a state in which everything is 0 or false and every bank is empty.
    #[must_use]
    pub const fn new() -> Self {
        State {
            regs: [0; State::REGS],
            uniform_regs: [0; State::UNIFORM_REGS],
            preds: [false; State::PREDS],
            banks: [&[]; State::BANKS],
        }
    }

    /// Sets the contents of constant bank `number`. A number without a bank is ignored.
    pub fn set_bank(&mut self, number: u8, bytes: &'c [u8]) {
        if let Some(bank) = self.banks.get_mut(usize::from(number)) {
            *bank = bytes;
        }
    }
}

impl Default for State<'_> {
    fn default() -> Self {
        State::new()
    }
}

impl GeneralRegs for State<'_> {
    #[inline]
    fn reg(&self, number: u8) -> u32 {
        self.regs.get(usize::from(number)).copied().unwrap_or_default()
    }

    #[inline]
    fn set_reg(&mut self, number: u8, value: u32) {
        if let Some(reg) = self.regs.get_mut(usize::from(number)) {
            *reg = value;
        }
    }
}

impl UniformRegs for State<'_> {
    #[inline]
    fn uniform_reg(&self, number: u8) -> u32 {
        self.uniform_regs.get(usize::from(number)).copied().unwrap_or_default()
    }

    #[inline]
    fn set_uniform_reg(&mut self, number: u8, value: u32) {
        if let Some(reg) = self.uniform_regs.get_mut(usize::from(number)) {
            *reg = value;
        }
    }
}

impl Predicates for State<'_> {
    #[inline]
    fn pred(&self, number: u8) -> bool {
        self.preds.get(usize::from(number)).copied().unwrap_or_default()
    }

    #[inline]
    fn set_pred(&mut self, number: u8, value: bool) {
        if let Some(pred) = self.preds.get_mut(usize::from(number)) {
            *pred = value;
        }
    }
}

impl ConstMemory for State<'_> {
    #[inline]
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        let bytes = self.banks.get(usize::from(bank)).copied().unwrap_or_default();
        word_of(bytes, offset)
    }
}

/// Returns the little-endian word at a byte offset. Missing bytes are 0.
#[inline]
fn word_of(bytes: &[u8], offset: u32) -> u32 {
    let from = usize::try_from(offset).ok();
    let rest = from.and_then(|from| bytes.get(from..)).unwrap_or_default();
    match rest {
        [a, b, c, d, ..] => u32::from_le_bytes([*a, *b, *c, *d]),
        short => short.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_exist_read_zero_and_drop_writes() {
        let mut state = State::new();
        state.set_reg(255, 1);
        state.set_uniform_reg(63, 1);
        state.set_pred(7, true);
        state.set_bank(32, &[1; 4]);
        assert_eq!(state, State::default());
        assert_eq!((state.reg(255), state.uniform_reg(63)), (0, 0));
        assert!(!state.pred(7));
        assert_eq!(state.const_word(32, 0), 0);
    }

    #[test]
    fn the_last_of_each_file_is_kept() {
        let mut state = State::new();
        state.set_reg(254, 5);
        state.set_uniform_reg(62, 6);
        state.set_pred(6, true);
        assert_eq!((state.reg(254), state.uniform_reg(62)), (5, 6));
        assert!(state.pred(6));
    }

    #[test]
    fn constants_are_little_endian_and_zero_outside() {
        let mut state = State::new();
        state.set_bank(1, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(state.const_word(1, 0), 0x0403_0201);
        assert_eq!(state.const_word(1, 4), 0x0605);
        assert_eq!(state.const_word(1, 8), 0);
        assert_eq!(state.const_word(1, u32::MAX), 0);
        assert_eq!(state.const_word(0, 0), 0);
    }
}
