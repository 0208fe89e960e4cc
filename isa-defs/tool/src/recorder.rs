//! A machine that remembers what instructions read and wrote.

use std::cell::RefCell;
use std::collections::BTreeMap;

use isa_core::machine::{ConstMemory, GeneralRegs, Predicates, UniformRegs};

use super::location::{Location, Value};

/// The machine that `exec` runs on. What is not set is 0 or false.
pub(super) struct Recorder {
    regs: [u32; 256],
    uniform_regs: [u32; 256],
    preds: [bool; 256],
    constants: BTreeMap<(u8, u32), u32>,
    /// What was written, a bit each.
    written_regs: [u64; 4],
    written_uniform_regs: [u64; 4],
    written_preds: [u64; 4],
    trace: Option<Trace>,
}

/// A place with what was read there or written to it.
pub(super) type Entry = (Location, Value);

/// What one instruction read and wrote, in order.
#[derive(Default)]
struct Trace {
    reads: RefCell<Vec<Entry>>,
    writes: Vec<Entry>,
}

impl Recorder {
    /// A machine in which everything is 0 or false.
    pub(super) fn new() -> Self {
        Recorder {
            regs: [0; 256],
            uniform_regs: [0; 256],
            preds: [false; 256],
            constants: BTreeMap::new(),
            written_regs: [0; 4],
            written_uniform_regs: [0; 4],
            written_preds: [0; 4],
            trace: None,
        }
    }

    /// From now on remembers what each instruction reads and writes.
    pub(super) fn start_trace(&mut self) {
        self.trace = Some(Trace::default());
    }

    /// What was read and written since the last call, in order and each once.
    pub(super) fn take_trace(&mut self) -> (Vec<Entry>, Vec<Entry>) {
        let trace = self.trace.as_mut().map(core::mem::take).unwrap_or_default();
        let mut reads: Vec<Entry> = Vec::new();
        for read in trace.reads.into_inner() {
            if !reads.contains(&read) {
                reads.push(read);
            }
        }
        (reads, trace.writes)
    }

    /// Gives a place its first value.
    pub(super) fn set(&mut self, location: Location, value: Value) {
        match (location, value) {
            (Location::Reg(number), Value::Word(word)) => self.regs[usize::from(number)] = word,
            (Location::UniformReg(number), Value::Word(word)) => {
                self.uniform_regs[usize::from(number)] = word;
            }
            (Location::Pred(number), Value::Truth(truth)) => {
                self.preds[usize::from(number)] = truth;
            }
            (Location::Const { bank, offset }, Value::Word(word)) => {
                self.constants.insert((bank, offset), word);
            }
            // `Location::parse_value` gives a place a value of its own kind.
            _ => {}
        }
    }

    /// Everything that instructions wrote, with the last value: R, UR, P, each in ascending order.
    pub(super) fn written(&self) -> impl Iterator<Item = Entry> {
        let regs = numbers(&self.written_regs).map(|number| {
            let word = self.regs[usize::from(number)];
            (Location::Reg(number), Value::Word(word))
        });
        let uniform_regs = numbers(&self.written_uniform_regs).map(|number| {
            let word = self.uniform_regs[usize::from(number)];
            (Location::UniformReg(number), Value::Word(word))
        });
        let preds = numbers(&self.written_preds).map(|number| {
            let truth = self.preds[usize::from(number)];
            (Location::Pred(number), Value::Truth(truth))
        });
        regs.chain(uniform_regs).chain(preds)
    }

    fn note_read(&self, location: Location, value: Value) {
        if let Some(trace) = &self.trace {
            trace.reads.borrow_mut().push((location, value));
        }
    }

    fn note_write(&mut self, location: Location, value: Value) {
        if let Some(trace) = &mut self.trace {
            trace.writes.push((location, value));
        }
    }
}

/// The numbers whose bits are set, in ascending order.
fn numbers(bits: &[u64; 4]) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(|&number| bits[usize::from(number / 64)] >> (number % 64) & 1 == 1)
}

fn mark(bits: &mut [u64; 4], number: u8) {
    bits[usize::from(number / 64)] |= 1 << (number % 64);
}

impl GeneralRegs for Recorder {
    fn reg(&self, number: u8) -> u32 {
        let value = self.regs[usize::from(number)];
        self.note_read(Location::Reg(number), Value::Word(value));
        value
    }

    fn set_reg(&mut self, number: u8, value: u32) {
        self.regs[usize::from(number)] = value;
        mark(&mut self.written_regs, number);
        self.note_write(Location::Reg(number), Value::Word(value));
    }
}

impl UniformRegs for Recorder {
    fn uniform_reg(&self, number: u8) -> u32 {
        let value = self.uniform_regs[usize::from(number)];
        self.note_read(Location::UniformReg(number), Value::Word(value));
        value
    }

    fn set_uniform_reg(&mut self, number: u8, value: u32) {
        self.uniform_regs[usize::from(number)] = value;
        mark(&mut self.written_uniform_regs, number);
        self.note_write(Location::UniformReg(number), Value::Word(value));
    }
}

impl Predicates for Recorder {
    fn pred(&self, number: u8) -> bool {
        let value = self.preds[usize::from(number)];
        self.note_read(Location::Pred(number), Value::Truth(value));
        value
    }

    fn set_pred(&mut self, number: u8, value: bool) {
        self.preds[usize::from(number)] = value;
        mark(&mut self.written_preds, number);
        self.note_write(Location::Pred(number), Value::Truth(value));
    }
}

impl ConstMemory for Recorder {
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        let value = self.constants.get(&(bank, offset)).copied();
        let value = value.unwrap_or_default();
        self.note_read(Location::Const { bank, offset }, Value::Word(value));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_listed_and_in_order() {
        let mut machine = Recorder::new();
        machine.set(Location::Reg(1), Value::Word(1));
        machine.set_pred(2, false);
        machine.set_reg(200, 7);
        machine.set_reg(3, 0);
        machine.set_reg(200, 8);
        let written: Vec<_> =
            machine.written().map(|(location, value)| format!("{location} = {value}")).collect();
        assert_eq!(written, ["R3 = 0x00000000", "R200 = 0x00000008", "P2 = false"]);
    }

    #[test]
    fn a_trace_has_reads_and_writes_of_one_instruction() {
        let mut machine = Recorder::new();
        machine.start_trace();
        machine.set(Location::Const { bank: 0, offset: 4 }, Value::Word(9));
        let word = machine.const_word(0, 4) + machine.const_word(0, 4);
        machine.set_reg(0, word);
        let (reads, writes) = machine.take_trace();
        assert_eq!((reads.len(), writes.len()), (1, 1));
        assert_eq!(machine.take_trace(), (vec![], vec![]));
    }
}
