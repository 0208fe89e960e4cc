//! A processor with its memory.

use isa_core::machine::{AddressSpace, MAX_LENGTH, Permissions, Processor, Runner, Stop};

use super::machine::{Control, Memory, Nzcv, Registers, System, Vectors};
use super::{A64, Trap};

/// Bytes at consecutive addresses.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The address of the first byte.
    pub start: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether stores may change the bytes.
    pub writable: bool,
}

/// A processor: registers, flags, program counter, memory, and the system registers that user
/// programs can access.
///
/// ```
/// use isa_a64::cpu::{Cpu, Segment};
/// use isa_a64::machine::{Control, Registers};
/// use isa_a64::Trap;
///
/// // movz x0, #20; add x0, x0, #22; svc #0
/// let code = [0xd280_0280_u32, 0x9100_5800, 0xd400_0001];
/// let bytes = code.iter().flat_map(|word| word.to_le_bytes()).collect();
/// let mut cpu = Cpu::new(vec![Segment { start: 0x1000, bytes, writable: false }], 0x1000);
/// assert_eq!(cpu.run(), Trap::Supervisor(0));
/// assert_eq!((cpu.reg(0), cpu.pc()), (42, 0x1008));
/// ```
#[derive(Debug, Clone)]
pub struct Cpu {
    /// The registers `x0` to `x30`.
    pub x: [u64; 31],
    /// The stack pointer.
    pub sp: u64,
    /// The flags.
    pub nzcv: Nzcv,
    /// The registers `v0` to `v31`.
    pub v: [u128; 32],
    pc: u64,
    next: u64,
    memory: AddressSpace,
    monitor: Option<(u64, u8)>,
    /// The value of `TPIDR_EL0`, the address of thread-local data.
    thread: u64,
}

/// The encodings of the supported system registers.
const NZCV: u64 = 0x5a10;
const TPIDR_EL0: u64 = 0x5e82;

impl Cpu {
    /// Creates a processor that starts at an address, with all registers 0.
    #[must_use]
    pub fn new(segments: Vec<Segment>, pc: u64) -> Self {
        let mut memory = AddressSpace::default();
        for Segment { start, bytes, writable: write } in segments {
            memory.map_bytes(start, bytes, Permissions { read: true, write, execute: true });
        }
        Cpu {
            x: [0; 31],
            sp: 0,
            nzcv: Nzcv::default(),
            v: [0; 32],
            pc,
            next: pc,
            memory,
            monitor: None,
            thread: 0,
        }
    }

    /// Executes instructions until one traps. The program counter is then at the instruction that
    /// trapped. If you call it many times, use [`run_with`](Self::run_with), because this function
    /// decodes the program again.
    pub fn run(&mut self) -> Trap {
        self.run_with(&mut Runner::new(A64::executor))
    }

    /// Does the same as `run`, and keeps the decoded instructions in a runner for later calls. Use only
    /// one runner: see [`Processor::take_code_change`].
    pub fn run_with(&mut self, runner: &mut Runner<A64, Self, Result<(), Trap>>) -> Trap {
        self.next = self.pc;
        loop {
            let stop = runner.run(self, u64::MAX);
            if let Some(trap) = self.trap(stop) {
                return trap;
            }
        }
    }

    /// Executes one instruction.
    ///
    /// # Errors
    ///
    /// Returns the trap of the instruction. The program counter then stays at the instruction.
    pub fn step(&mut self) -> Result<(), Trap> {
        self.next = self.pc;
        if let Err(stop) = Runner::new(A64::executor).step(self) {
            return self.trap(stop).map_or(Ok(()), Err);
        }
        self.pc = self.next;
        Ok(())
    }

    /// Continues after an instruction that trapped and that the environment has executed.
    pub fn skip(&mut self) {
        self.pc = self.pc.wrapping_add(4);
    }

    /// Returns the trap for the reason why the runner stopped.
    fn trap(&mut self, stop: Stop<Trap>) -> Option<Trap> {
        Some(match stop {
            Stop::Trap(trap) => trap,
            Stop::Invalid(_) => Trap::Undefined,
            Stop::NoCode => Trap::AccessFault(self.next),
            Stop::Misaligned => {
                self.pc = self.next;
                Trap::Misaligned(self.next)
            }
            Stop::Breakpoint | Stop::Limit => return None,
        })
    }

    /// Executes an instruction as if it were at the program counter.
    ///
    /// # Errors
    ///
    /// Returns the trap of the instruction. The program counter then stays unchanged.
    pub fn execute(&mut self, instruction: A64) -> Result<(), Trap> {
        self.next = self.pc.wrapping_add(4);
        instruction.execute(self)?;
        self.pc = self.next;
        Ok(())
    }
}

impl Registers for Cpu {
    #[inline]
    fn reg(&self, number: u8) -> u64 {
        self.x.get(usize::from(number)).copied().unwrap_or(0)
    }

    #[inline]
    fn set_reg(&mut self, number: u8, value: u64) {
        if let Some(register) = self.x.get_mut(usize::from(number)) {
            *register = value;
        }
    }

    #[inline]
    fn sp(&self) -> u64 {
        self.sp
    }

    #[inline]
    fn set_sp(&mut self, value: u64) {
        self.sp = value;
    }

    #[inline]
    fn nzcv(&self) -> Nzcv {
        self.nzcv
    }

    #[inline]
    fn set_nzcv(&mut self, nzcv: Nzcv) {
        self.nzcv = nzcv;
    }
}

impl Vectors for Cpu {
    #[inline]
    fn v(&self, number: u8) -> u128 {
        self.v[usize::from(number % 32)]
    }

    #[inline]
    fn set_v(&mut self, number: u8, value: u128) {
        self.v[usize::from(number % 32)] = value;
    }
}

impl Processor for Cpu {
    #[inline]
    fn pc(&self) -> u64 {
        self.pc
    }

    #[inline]
    fn next(&self) -> u64 {
        self.next
    }

    #[inline]
    fn begin(&mut self, address: u64, next: u64) {
        (self.pc, self.next) = (address, next);
    }

    fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize {
        self.memory.fetch(address, bytes)
    }

    fn watch(&mut self, address: u64, length: u64) {
        self.memory.watch(address, length);
    }

    #[inline]
    fn take_code_change(&mut self) -> bool {
        self.memory.take_code_change()
    }

    fn is_coherent(&self) -> bool {
        false
    }
}

impl Control for Cpu {
    #[inline]
    fn pc(&self) -> u64 {
        self.pc
    }

    #[inline]
    fn jump(&mut self, target: u64) {
        self.next = target;
    }
}

impl Memory for Cpu {
    #[inline]
    fn load(&self, address: u64, bytes: u8) -> Result<u64, Trap> {
        let memory = &self.memory;
        let number = match bytes {
            1 => memory.read(address).map(|bytes| u8::from_le_bytes(bytes).into()),
            2 => memory.read(address).map(|bytes| u16::from_le_bytes(bytes).into()),
            4 => memory.read(address).map(|bytes| u32::from_le_bytes(bytes).into()),
            _ => memory.read(address).map(u64::from_le_bytes),
        };
        number.ok_or(Trap::AccessFault(address))
    }

    #[inline]
    fn store(&mut self, address: u64, bytes: u8, value: u64) -> Result<(), Trap> {
        let memory = &mut self.memory;
        let is_stored = match bytes {
            1 => memory.write(address, (value as u8).to_le_bytes()),
            2 => memory.write(address, (value as u16).to_le_bytes()),
            4 => memory.write(address, (value as u32).to_le_bytes()),
            _ => memory.write(address, value.to_le_bytes()),
        };
        if is_stored { Ok(()) } else { Err(Trap::AccessFault(address)) }
    }

    #[inline]
    fn monitor(&mut self) -> &mut Option<(u64, u8)> {
        &mut self.monitor
    }
}

impl System for Cpu {
    fn system(&self, register: u64) -> Result<u64, Trap> {
        match register {
            NZCV => Ok(u64::from(self.nzcv.0) << 28),
            TPIDR_EL0 => Ok(self.thread),
            _ => Err(Trap::Undefined),
        }
    }

    fn set_system(&mut self, register: u64, value: u64) -> Result<(), Trap> {
        match register {
            NZCV => self.nzcv = Nzcv((value >> 28) as u8 & 15),
            TPIDR_EL0 => self.thread = value,
            _ => return Err(Trap::Undefined),
        }
        Ok(())
    }
}
