//! Provides a machine whose places have the names that the operand types of this crate use.

use super::{
    ConstMemory, GeneralRegs, Predicates, RecordedMemory, RecordedRegisters, RegisterFile, State,
    UniformRegs,
};
use crate::named_state;

named_state! {
    /// A machine with names for everything that the operand types of this crate refer to: `R0` to
    /// `R254`, `UR0` to `UR62`, `P0` to `P6`, and constant memory `c[BANK][OFFSET]`. Everything is
    /// initially 0 or false.
    ///
    /// ```
    /// use isa_core::machine::{ConstMemory, NamedMachine, Recorder};
    ///
    /// let mut machine = Recorder::default();
    /// machine.set(Recorder::FILES.place("c[0x0][0x160]")?, 0, 7);
    /// assert_eq!(machine.const_word(0, 0x160), 7);
    /// # Ok::<(), isa_core::machine::NameError>(())
    /// ```
    pub struct Recorder {
        const R: RecordedRegisters<u32> =
            RegisterFile::numbered("R", State::REGS as u64).noun("general register").constant("RZ");
        const UR: RecordedRegisters<u32> =
            RegisterFile::numbered("UR", State::UNIFORM_REGS as u64).constant("URZ").common();
        const P: RecordedRegisters<bool> =
            RegisterFile::numbered("P", State::PREDS as u64).noun("predicate").constant("PT");
        const C: RecordedMemory = RegisterFile::banks("c", State::BANKS as u64, 1 << 17, 4)
            .noun("constant memory").example("c[0x0][0x160]").common().read_only();
    }
}

impl GeneralRegs for Recorder {
    fn reg(&self, number: u8) -> u32 {
        self.state.read(Self::R, number)
    }

    fn set_reg(&mut self, number: u8, value: u32) {
        self.state.write(Self::R, number, value);
    }
}

impl UniformRegs for Recorder {
    fn uniform_reg(&self, number: u8) -> u32 {
        self.state.read(Self::UR, number)
    }

    fn set_uniform_reg(&mut self, number: u8, value: u32) {
        self.state.write(Self::UR, number, value);
    }
}

impl Predicates for Recorder {
    fn pred(&self, number: u8) -> bool {
        self.state.read(Self::P, number)
    }

    fn set_pred(&mut self, number: u8, value: bool) {
        self.state.write(Self::P, number, value);
    }
}

impl ConstMemory for Recorder {
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        self.state.load_bank(Self::C, bank.into(), offset.into(), 4) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Counter, NamedMachine, Processor, Trace};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn shown(machine: &impl NamedMachine) -> Vec<String> {
        let files = machine.files();
        let show = |place| format!("{} = {:#x}", files.name(place), machine.get(place, 0));
        machine.written().into_iter().map(show).collect()
    }

    #[test]
    fn only_what_was_written_is_listed_and_in_order() {
        let mut machine = Recorder::default();
        machine.set(Recorder::FILES.place("R1").unwrap(), 0, 1);
        machine.set_pred(2, false);
        machine.set_reg(200, 7);
        machine.set_reg(3, 0);
        machine.set_reg(200, 8);
        machine.set_uniform_reg(63, 9);
        assert_eq!(shown(&machine), ["R3 = 0x0", "R200 = 0x8", "P2 = 0x0"]);
        assert_eq!((machine.reg(1), machine.uniform_reg(63)), (1, 0));
    }

    #[test]
    fn a_trace_has_reads_and_writes_of_one_instruction() {
        let mut machine = Recorder::default();
        machine.start_trace();
        machine.set(Recorder::FILES.place("c[0][4]").unwrap(), 0, 9);
        let word = machine.const_word(0, 4) + machine.const_word(0, 4);
        machine.set_reg(0, word);
        let trace = machine.take_trace();
        assert_eq!((trace.reads.len(), &trace.writes[0].1), (1, &18));
        assert_eq!(machine.take_trace(), Trace::default());
        machine.stop_trace();
        machine.set_reg(0, 1);
        assert_eq!(machine.take_trace(), Trace::default());
        assert_eq!((machine.const_word(32, 0), machine.const_word(0, 1 << 17)), (0, 0));
    }

    named_state! {
        /// Memory and a program counter.
        struct Small {
            const PC: Counter = RegisterFile::listed(&["pc"]);
            const MEM: RecordedMemory = RegisterFile::memory("mem");
        }
    }

    #[test]
    fn bytes_of_memory_are_listed_by_eight() {
        let mut small = Small::default();
        small.load_program(0x0fff, &[1, 2]);
        assert_eq!(shown(&small), Vec::<String>::new());
        assert_eq!(small.state.load(Small::MEM, 0x0fff, 2), 0x0201);
        small.state.store(Small::MEM, 0x1000, 4, 0x1234_5678);
        small.state.store(Small::MEM, 0x1004, 4, 0);
        small.state.store(Small::MEM, 0x1008, 1, 9);
        small.state.store(Small::MEM, u64::MAX, 2, 0x0506);
        assert_eq!(
            shown(&small),
            [
                "mem[0x0] = 0x5",
                "mem[0x1000..0x1008] = 0x12345678",
                "mem[0x1008] = 0x9",
                "mem[0xffffffffffffffff] = 0x6"
            ]
        );
    }

    #[test]
    fn a_byte_is_listed_once_if_data_is_loaded_between_two_writes() {
        let mut small = Small::default();
        small.state.store(Small::MEM, 0x1000, 4, 1);
        small.load_data(0x0ff0, &[7; 32], 0);
        assert_eq!(small.state.load(Small::MEM, 0x1000, 1), 7);
        small.state.store(Small::MEM, 0x1002, 4, 0);
        assert_eq!(shown(&small), ["mem[0x1000..0x1006] = 0x707"]);
    }

    #[test]
    fn zeros_can_follow_data_and_overlap_other_data() {
        let mut small = Small::default();
        small.load_data(0x1000, &[1, 2], 0x2000);
        assert_eq!(small.state.load(Small::MEM, 0x1000, 4), 0x0201);
        small.state.store(Small::MEM, 0x1002, 2, 0x0304);
        small.load_data(0x1100, &[5; 4], 0);
        assert_eq!(small.state.load(Small::MEM, 0x1000, 4), 0x0304_0201);
        assert_eq!(small.state.load(Small::MEM, 0x10fe, 4), 0x0505_0000);
        assert_eq!(shown(&small), ["mem[0x1002..0x1004] = 0x304"]);
    }

    #[test]
    fn a_counter_goes_on_behind_or_jumps() {
        let mut small = Small::default();
        small.set(Small::FILES.place("pc").unwrap(), 0, 0x100);
        assert_eq!(small.next(), 0x100);
        small.begin(0x100, 0x104);
        assert_eq!((small.pc(), small.next()), (0x100, 0x104));
        assert_eq!(shown(&small), Vec::<String>::new());
        small.state.jump(0x80);
        small.begin(0x80, 0x80);
        assert_eq!(shown(&small), ["pc = 0x80"]);
        assert!(small.has_counter() && !Recorder::default().has_counter());
    }
}
