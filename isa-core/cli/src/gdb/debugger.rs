//! The state of a debugging session, and its operations on the machine.

use core::convert::Infallible;
use core::ops::Range;
use std::collections::BTreeSet;

use gdbstub::arch::{Arch, RegId, Registers};
use gdbstub::common::Signal;
use gdbstub::stub::SingleThreadStopReason;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::base::singlethread::{
    SingleThreadBase, SingleThreadRangeStepping, SingleThreadRangeSteppingOps, SingleThreadResume,
    SingleThreadResumeOps, SingleThreadSingleStep, SingleThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps, outputln};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::{Target, TargetError, TargetResult};
use isa_core::machine::{
    Ended, ExecuteError, Executor, Halt, MAX_LENGTH, RegisterFile, StateLocation,
};

use crate::profile::Profile;
use crate::simulator::{HaltMessage, Setting, Simulator, set_initial_values, show_places};

use super::registers::{GdbRegister, UNKNOWN_ARCHITECTURE, description, registers};

/// The number of bytes in a packet of gdb.
pub(super) const PACKET: usize = 16 << 10;

/// The number of instructions that are executed before the debugger looks for an interrupt: about a
/// millisecond.
const SLICE: u64 = 100_000;
/// The same if each instruction is executed separately.
const STEPS: u64 = 5_000;

/// A program that gdb debugs.
pub(super) struct Debugger<'a> {
    machine: &'a mut dyn Executor,
    simulator: &'a Simulator,
    /// An example of a setting, for messages.
    example: String,
    is_big_endian: bool,
    registers: Vec<GdbRegister>,
    description: String,
    /// The index of the memory that contains the program, if it has a name.
    memory: Option<u8>,
    breakpoints: BTreeSet<u64>,
    watchpoints: Vec<(Range<u64>, WatchKind)>,
    resumption: Resumption,
    /// The address and the reason, if the program cannot continue.
    fault: Option<(u64, Halt)>,
    /// The addresses of the last instruction and of the next one, if the last instruction reached a
    /// watchpoint and gdb does not know yet that it was executed. On most architectures, gdb expects that
    /// a program stops before the access, and executes the instruction by a step.
    executed: Option<(u64, u64)>,
}

/// The instructions that are executed until the program stops.
enum Resumption {
    All,
    /// One instruction, and more while their addresses are in this range.
    Step(Range<u64>),
}

type StopReason = SingleThreadStopReason<u64>;

impl<'a> Debugger<'a> {
    pub(super) fn new(
        profile: &Profile,
        simulator: &'a Simulator,
        machine: &'a mut dyn Executor,
    ) -> Self {
        let target = profile.gdb.unwrap_or(UNKNOWN_ARCHITECTURE);
        let registers = registers(machine.state(), target);
        let is_memory = |file: &RegisterFile| file.count() == 0 && file.bank_sizes().is_none();
        let memory = simulator.files.0.iter().position(is_memory);
        Debugger {
            simulator,
            example: profile.samples().setting,
            is_big_endian: profile.set.tables.byte_order.is_big_endian(),
            description: description(&registers, target),
            registers,
            memory: memory.map(|file| file as u8),
            breakpoints: BTreeSet::new(),
            watchpoints: Vec::new(),
            resumption: Resumption::All,
            fault: None,
            executed: None,
            machine,
        }
    }

    /// Removes all breakpoints and watchpoints. Returns the reason if the program cannot continue.
    pub(super) fn finish(mut self) -> Option<(u64, Halt)> {
        self.take_executed();
        for address in core::mem::take(&mut self.breakpoints) {
            self.machine.remove_breakpoint(address);
        }
        self.machine.state().stop_trace();
        self.fault
    }

    /// Returns the message that gdb prints if the program cannot continue.
    pub(super) fn fault_message(&self) -> Option<String> {
        let (address, halt) = self.fault.as_ref()?;
        let title = HaltMessage::of_halt(halt, 0).title;
        Some(format!("at {address:#x}: {title}\n"))
    }

    /// Executes some instructions. Returns the reason if the program stops.
    pub(super) fn advance(&mut self) -> Option<StopReason> {
        self.fault = None;
        if self.take_executed() {
            if matches!(self.resumption, Resumption::Step(_)) {
                return Some(StopReason::DoneStep);
            }
            // On some systems, gdb steps with a breakpoint at the next instruction.
            if self.breakpoints.contains(&self.machine.state().next()) {
                return Some(StopReason::SwBreak(()));
            }
        }
        if matches!(self.resumption, Resumption::All) && self.watchpoints.is_empty() {
            let ended = self.machine.run(SLICE);
            return self.stop_reason(ended);
        }
        (0..STEPS).find_map(|_| self.step_once())
    }

    /// Continues after the instruction that reached a watchpoint. Returns whether there is one.
    fn take_executed(&mut self) -> bool {
        let Some((address, next)) = self.executed.take() else { return false };
        let state = self.machine.state();
        // gdb may have set the program counter.
        let is_here = state.next() == address;
        if is_here {
            state.begin(address, next);
        }
        is_here
    }

    /// Executes one instruction. Returns the reason if the program stops after it.
    fn step_once(&mut self) -> Option<StopReason> {
        let address = self.machine.state().next();
        let ended = self.machine.run(1);
        let hit = self.watchpoint_hit();
        if hit.is_some() && matches!(ended, Err((_, Halt::Endless))) {
            let state = self.machine.state();
            self.executed = Some((address, state.next()));
            state.begin(address, address);
            return hit;
        }
        self.stop_reason(ended).or_else(|| match &self.resumption {
            Resumption::Step(range) if !range.contains(&self.machine.state().next()) => {
                Some(StopReason::DoneStep)
            }
            _ => None,
        })
    }

    /// Returns the reason if the program stopped after the execution of instructions.
    fn stop_reason(&mut self, ended: Ended) -> Option<StopReason> {
        let (address, halt) = match ended {
            Ok(()) => return Some(StopReason::Exited(0)),
            Err((_, Halt::Endless)) => {
                let is_stop = self.breakpoints.contains(&self.machine.state().next());
                return is_stop.then_some(StopReason::SwBreak(()));
            }
            Err(stopped) => stopped,
        };
        let signal = match &halt {
            Halt::Error(ExecuteError::NoInstruction(_)) => Signal::SIGILL,
            Halt::Error(ExecuteError::Misaligned { .. }) => Signal::SIGBUS,
            _ => Signal::SIGTRAP,
        };
        if signal != Signal::SIGBUS {
            // The program counter is the address of the instruction that was not executed.
            self.machine.state().begin(address, address);
        }
        self.fault = Some((address, halt));
        Some(StopReason::Signal(signal))
    }

    /// Returns the watchpoint that the last instruction reached.
    fn watchpoint_hit(&mut self) -> Option<StopReason> {
        if self.watchpoints.is_empty() {
            return None;
        }
        let trace = self.machine.state().take_trace();
        let is_hit = |range: &Range<u64>, accesses: &[(StateLocation, u128)]| {
            accesses.iter().any(|(place, _)| {
                Some(place.file) == self.memory
                    && (range.contains(&place.start)
                        || range.start.wrapping_sub(place.start) < place.length)
            })
        };
        self.watchpoints.iter().find_map(|(range, kind)| {
            let hit = match kind {
                WatchKind::Read => is_hit(range, &trace.reads),
                WatchKind::Write => is_hit(range, &trace.writes),
                WatchKind::ReadWrite => is_hit(range, &trace.reads) || is_hit(range, &trace.writes),
            };
            hit.then_some(StopReason::Watch { tid: (), kind: *kind, addr: range.start })
        })
    }

    /// Answers `monitor`: returns the value of a place, or sets it.
    fn monitor(&mut self, command: &str) -> Result<String, String> {
        let files = self.simulator.files;
        let place = if command.contains('=') {
            let setting = Setting::parse(self.simulator, command, &self.example)?;
            set_initial_values(std::slice::from_ref(&setting), self.machine.state());
            setting.place
        } else if command.is_empty() {
            let written = self.machine.state().written();
            return Ok(show_places(self.machine.state(), &written, ""));
        } else {
            files.place(command).map_err(|error| error.to_string())?
        };
        Ok(show_places(self.machine.state(), &[place], ""))
    }
}

/// The architecture of any set.
pub(super) enum AnyArch {}

impl Arch for AnyArch {
    type Usize = u64;
    type Registers = RegisterBytes;
    type BreakpointKind = usize;
    type RegId = RegisterIndex;
}

/// The bytes of all registers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RegisterBytes {
    next: u64,
    bytes: Vec<u8>,
}

impl Registers for RegisterBytes {
    type ProgramCounter = u64;

    fn pc(&self) -> u64 {
        self.next
    }

    fn gdb_serialize(&self, write_byte: impl FnMut(Option<u8>)) {
        self.bytes.iter().copied().map(Some).for_each(write_byte);
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.bytes = bytes.to_vec();
        Ok(())
    }
}

/// The number of a register.
#[derive(Debug)]
pub(super) struct RegisterIndex(usize);

impl RegId for RegisterIndex {
    fn from_raw_id(id: usize) -> Option<(Self, Option<core::num::NonZeroUsize>)> {
        Some((RegisterIndex(id), None))
    }
}

impl Target for Debugger<'_> {
    type Arch = AnyArch;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, AnyArch, Infallible> {
        BaseOps::SingleThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }
}

impl TargetDescriptionXmlOverride for Debugger<'_> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        if annex != b"target.xml" {
            return Err(TargetError::NonFatal);
        }
        let rest =
            usize::try_from(offset).ok().and_then(|at| self.description.as_bytes().get(at..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(length).min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

impl SingleThreadBase for Debugger<'_> {
    fn read_registers(&mut self, registers: &mut RegisterBytes) -> TargetResult<(), Self> {
        let machine = self.machine.state();
        registers.next = machine.next();
        for register in &self.registers {
            registers.bytes.extend(register.read(machine, self.is_big_endian));
        }
        Ok(())
    }

    fn write_registers(&mut self, registers: &RegisterBytes) -> TargetResult<(), Self> {
        let mut rest = &registers.bytes[..];
        for register in &self.registers {
            let Some((bytes, others)) = rest.split_at_checked(register.size()) else {
                return Err(TargetError::NonFatal);
            };
            // gdb also sends registers that cannot be set.
            register.write(self.machine.state(), bytes, self.is_big_endian);
            rest = others;
        }
        Ok(())
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, (), Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, start: u64, data: &mut [u8]) -> TargetResult<usize, Self> {
        // A reply may not be longer than a packet.
        if data.len() > PACKET / 2 {
            return Err(TargetError::NonFatal);
        }
        let machine = self.machine.state();
        for (address, byte) in (start..=u64::MAX).zip(&mut *data) {
            *byte = match self.memory {
                Some(file) => {
                    machine.get(StateLocation { file, start: address, length: 1 }, 0) as u8
                }
                None => {
                    let mut bytes = [0; MAX_LENGTH];
                    if machine.fetch(address, &mut bytes) == 0 {
                        return Err(TargetError::NonFatal);
                    }
                    bytes[0]
                }
            };
        }
        Ok(data.len())
    }

    fn write_addrs(&mut self, start: u64, data: &[u8]) -> TargetResult<(), Self> {
        let Some(file) = self.memory else { return Err(TargetError::NonFatal) };
        for (start, byte) in (start..=u64::MAX).zip(data) {
            let place = StateLocation { file, start, length: 1 };
            self.machine.state().set(place, 0, (*byte).into());
        }
        Ok(())
    }

    fn support_resume(&mut self) -> Option<SingleThreadResumeOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<()> for Debugger<'_> {
    fn read_register(
        &mut self,
        (): (),
        RegisterIndex(at): RegisterIndex,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let register = self.registers.get(at).ok_or(TargetError::NonFatal)?;
        let bytes = register.read(self.machine.state(), self.is_big_endian);
        buffer.get_mut(..bytes.len()).ok_or(TargetError::NonFatal)?.copy_from_slice(&bytes);
        Ok(bytes.len())
    }

    fn write_register(
        &mut self,
        (): (),
        RegisterIndex(at): RegisterIndex,
        bytes: &[u8],
    ) -> TargetResult<(), Self> {
        let register = self.registers.get(at).ok_or(TargetError::NonFatal)?;
        let is_set = register.write(self.machine.state(), bytes, self.is_big_endian);
        is_set.then_some(()).ok_or(TargetError::NonFatal)
    }
}

impl SingleThreadResume for Debugger<'_> {
    fn resume(&mut self, _: Option<Signal>) -> Result<(), Infallible> {
        self.resumption = Resumption::All;
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<SingleThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<SingleThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }
}

impl SingleThreadSingleStep for Debugger<'_> {
    fn step(&mut self, _: Option<Signal>) -> Result<(), Infallible> {
        self.resumption = Resumption::Step(0..0);
        Ok(())
    }
}

impl SingleThreadRangeStepping for Debugger<'_> {
    fn resume_range_step(&mut self, start: u64, end: u64) -> Result<(), Infallible> {
        self.resumption = Resumption::Step(start..end);
        Ok(())
    }
}

impl Breakpoints for Debugger<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Debugger<'_> {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.breakpoints.insert(address);
        Ok(self.machine.add_breakpoint(address))
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.breakpoints.remove(&address);
        Ok(self.machine.remove_breakpoint(address))
    }
}

impl HwWatchpoint for Debugger<'_> {
    fn add_hw_watchpoint(
        &mut self,
        address: u64,
        length: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        if self.memory.is_none() {
            return Ok(false);
        }
        if self.watchpoints.is_empty() {
            self.machine.state().start_trace();
        }
        self.watchpoints.push((address..address.saturating_add(length), kind));
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u64,
        length: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let removed = (address..address.saturating_add(length), kind);
        let found = self.watchpoints.iter().position(|watchpoint| *watchpoint == removed);
        found.map(|at| self.watchpoints.swap_remove(at));
        if self.watchpoints.is_empty() {
            self.machine.state().stop_trace();
        }
        Ok(found.is_some())
    }
}

impl MonitorCmd for Debugger<'_> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        let command = String::from_utf8_lossy(command);
        match self.monitor(command.trim()) {
            Ok(text) => out.write_raw(text.as_bytes()),
            Err(error) => outputln!(out, "error: {error}"),
        }
        Ok(())
    }
}
