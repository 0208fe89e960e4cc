//! Provides a warp that gives names to its places and records the writes of its lanes.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::named::{NamedMachine, RegisterFiles, StateLocation, StateLocations, Trace};
use super::processor::{MAX_LENGTH, Processor};
use super::recorded::NamedState;
use super::{ConstMemory, GeneralRegs, Lane, Predicates, Recorder, UniformRegs, Warp};

/// A [`Warp`] whose places have the names of [`Recorder`]. It uses the constant memory of the warp,
/// which cannot be set by name.
///
/// ```
/// use isa_core::machine::{GeneralRegs, NamedMachine, NamedWarp};
///
/// let mut warp = NamedWarp::<4>::default();
/// warp.note(0).set_reg(5, 7);
/// assert_eq!(warp.warp.lane(0).reg(5), 0);
/// assert_eq!(warp.files().name(warp.written()[0]), "R5");
/// ```
#[derive(Debug, Clone)]
pub struct NamedWarp<'c, const N: usize> {
    /// The warp.
    pub warp: Warp<'c, N>,
    /// The program and the address of the current instruction.
    program: NamedState,
    written: BTreeSet<StateLocation>,
    /// The places that were written since the last trace was taken.
    last: BTreeSet<StateLocation>,
}

impl<const N: usize> Default for NamedWarp<'_, N> {
    fn default() -> Self {
        NamedWarp {
            warp: Warp::default(),
            program: NamedState::new(RegisterFiles(&[])),
            written: BTreeSet::new(),
            last: BTreeSet::new(),
        }
    }
}

/// The indexes of the files of a [`Recorder`].
const REGS: u8 = 0;
const UNIFORM_REGS: u8 = 1;
const PREDS: u8 = 2;

impl<const N: usize> NamedWarp<'_, N> {
    /// Returns a lane that records the places that an instruction writes, but does not change their
    /// values.
    pub fn note(&mut self, lane: usize) -> NotedLane<'_, N> {
        NotedLane { lane: self.warp.lane(lane), written: &mut self.last }
    }

    /// Returns the places that were recorded since the last call, and adds them to the written
    /// places.
    pub fn take_noted(&mut self) -> StateLocations {
        let places: Vec<StateLocation> = core::mem::take(&mut self.last).into_iter().collect();
        self.written.extend(&places);
        places
    }

    /// Returns whether a place was recorded since the last call of [`NamedWarp::take_noted`].
    #[must_use]
    pub fn has_noted(&self) -> bool {
        !self.last.is_empty()
    }
}

impl<const N: usize> NamedMachine for NamedWarp<'_, N> {
    fn files(&self) -> RegisterFiles {
        Recorder::FILES
    }

    fn lanes(&self) -> usize {
        N
    }

    fn get(&self, place: StateLocation, lane: usize) -> u128 {
        let number = place.start as u8;
        match place.file {
            REGS => self.warp.row(number).get(lane).copied().unwrap_or_default().into(),
            UNIFORM_REGS => self.warp.uniform_reg(number).into(),
            PREDS => self.warp.pred_row(number).get(lane).copied().unwrap_or_default().into(),
            _ => 0,
        }
    }

    fn set(&mut self, place: StateLocation, lane: usize, value: u128) {
        let (mut lane, number) = (self.warp.lane(lane), place.start as u8);
        match place.file {
            REGS => lane.set_reg(number, value as u32),
            UNIFORM_REGS => lane.set_uniform_reg(number, value as u32),
            PREDS => lane.set_pred(number, value & 1 == 1),
            _ => {}
        }
    }

    fn written(&self) -> StateLocations {
        self.written.union(&self.last).copied().collect()
    }

    fn start_trace(&mut self) {}

    fn stop_trace(&mut self) {}

    fn load_program(&mut self, address: u64, bytes: &[u8]) {
        self.program.load_program(address, bytes);
    }

    fn load_data(&mut self, _: u64, _: &[u8], _: usize) {}

    fn take_trace(&mut self) -> Trace {
        let writes = self.take_noted().into_iter().map(|place| (place, self.get(place, 0)));
        Trace { reads: Vec::new(), writes: writes.collect() }
    }
}

impl<const N: usize> Processor for NamedWarp<'_, N> {
    fn pc(&self) -> u64 {
        self.program.pc()
    }

    fn next(&self) -> u64 {
        self.program.next()
    }

    fn begin(&mut self, address: u64, next: u64) {
        self.program.begin(address, next);
    }

    fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize {
        self.program.fetch(address, bytes)
    }

    fn watch(&mut self, address: u64, length: u64) {
        self.program.watch(address, length);
    }

    fn take_code_change(&mut self) -> bool {
        self.program.take_code_change()
    }
}

/// A lane of a [`NamedWarp`] that records writes, but does not change its values.
#[derive(Debug)]
pub struct NotedLane<'w, const N: usize> {
    lane: Lane<'w, N>,
    written: &'w mut BTreeSet<StateLocation>,
}

impl<const N: usize> NotedLane<'_, N> {
    fn note(&mut self, file: u8, number: u8) {
        self.written.insert(StateLocation { file, start: number.into(), length: 1 });
    }
}

impl<const N: usize> GeneralRegs for NotedLane<'_, N> {
    fn reg(&self, number: u8) -> u32 {
        self.lane.reg(number)
    }

    fn set_reg(&mut self, number: u8, _: u32) {
        self.note(REGS, number);
    }
}

impl<const N: usize> UniformRegs for NotedLane<'_, N> {
    fn uniform_reg(&self, number: u8) -> u32 {
        self.lane.uniform_reg(number)
    }

    fn set_uniform_reg(&mut self, number: u8, _: u32) {
        self.note(UNIFORM_REGS, number);
    }
}

impl<const N: usize> Predicates for NotedLane<'_, N> {
    fn pred(&self, number: u8) -> bool {
        self.lane.pred(number)
    }

    fn set_pred(&mut self, number: u8, _: bool) {
        self.note(PREDS, number);
    }
}

impl<const N: usize> ConstMemory for NotedLane<'_, N> {
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        self.lane.const_word(bank, offset)
    }
}
