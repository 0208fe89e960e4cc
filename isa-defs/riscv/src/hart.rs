//! A processor with its memory.

use isa_core::machine::{AddressSpace, MAX_LENGTH, Permissions, Processor, Runner, Stop};

use super::machine::{Control, Csrs, Memory, Registers};
use super::{Csr, Rv64imac, Size, Trap};

/// Bytes at consecutive addresses, with the permitted accesses.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The address of the first byte.
    pub start: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether stores may change the bytes.
    pub writable: bool,
    /// Whether the bytes may be executed.
    pub executable: bool,
}

/// A hardware thread: registers, program counter, memory, a reservation, and the few control and
/// status registers that user programs can access.
///
/// ```
/// use isa_riscv::hart::{Hart, Segment};
/// use isa_riscv::machine::{Control, Registers};
/// use isa_riscv::{Reg, Trap};
///
/// // li a0, 20; addi a0, a0, 22; ecall
/// let code = [0x51, 0x45, 0x13, 0x05, 0x65, 0x01, 0x73, 0x00, 0x00, 0x00];
/// let segment =
///     Segment { start: 0x1000, bytes: code.to_vec(), writable: false, executable: true };
/// let mut hart = Hart::new(vec![segment], 0x1000);
/// assert_eq!(hart.run(), Trap::EnvironmentCall);
/// assert_eq!(hart.reg(Reg::A0.number()), 42);
/// assert_eq!((hart.pc(), hart.retired()), (0x1006, 2));
/// ```
#[derive(Debug, Clone)]
pub struct Hart {
    regs: [u64; 32],
    pc: u64,
    next: u64,
    memory: AddressSpace,
    reservation: Option<(u64, Size)>,
    /// The rounding mode and flags of floating point. Programs may access them although the set has
    /// no floating-point instructions.
    fcsr: u64,
    retired: u64,
}

impl Hart {
    /// Creates a processor that starts at an address, with all registers 0.
    #[must_use]
    pub fn new(segments: Vec<Segment>, pc: u64) -> Self {
        let mut memory = AddressSpace::default();
        for Segment { start, bytes, writable: write, executable: execute } in segments {
            memory.map_bytes(start, bytes, Permissions { read: true, write, execute });
        }
        Hart { regs: [0; 32], pc, next: pc, memory, reservation: None, fcsr: 0, retired: 0 }
    }

    /// Returns the number of instructions executed.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// Returns the bytes at an address.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] unless all of the bytes can be read.
    pub fn bytes(&self, address: u64, count: u64) -> Result<Vec<u8>, Trap> {
        self.memory.bytes(address, count).ok_or(Trap::AccessFault(address))
    }

    #[inline]
    fn read<const N: usize>(&self, address: u64) -> Result<[u8; N], Trap> {
        self.memory.read(address).ok_or(Trap::AccessFault(address))
    }

    #[inline]
    fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Result<(), Trap> {
        if self.memory.write(address, bytes) { Ok(()) } else { Err(Trap::AccessFault(address)) }
    }

    /// Executes instructions until one traps. The program counter is then at the instruction that
    /// trapped. If you call it many times, use [`run_with`](Self::run_with), because this function
    /// decodes the program again.
    pub fn run(&mut self) -> Trap {
        self.run_with(&mut Runner::new(Rv64imac::executor))
    }

    /// Does the same as `run`, and keeps the decoded instructions in a runner for later calls. Use only
    /// one runner: see [`Processor::take_code_change`].
    pub fn run_with(&mut self, runner: &mut Runner<Rv64imac, Self, Result<(), Trap>>) -> Trap {
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
        if let Err(stop) = Runner::new(Rv64imac::executor).step(self) {
            return self.trap(stop).map_or(Ok(()), Err);
        }
        self.pc = self.next;
        Ok(())
    }

    /// Returns the trap for the reason why the runner stopped.
    fn trap(&mut self, stop: Stop<Trap>) -> Option<Trap> {
        Some(match stop {
            Stop::Trap(trap) => trap,
            Stop::Invalid(_) => Trap::IllegalInstruction,
            Stop::NoCode => Trap::AccessFault(self.next),
            Stop::Misaligned => {
                self.pc = self.next;
                Trap::Misaligned(self.next)
            }
            Stop::Breakpoint | Stop::Limit => return None,
        })
    }

    /// Continues after an instruction that trapped and that the environment has executed.
    #[inline]
    pub fn skip(&mut self) {
        self.pc = self.next;
        self.retired += 1;
    }

    /// Returns the instruction at the program counter.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] if the memory cannot be read, [`Trap::IllegalInstruction`] if
    /// the word is not a valid instruction, and [`Trap::Misaligned`] if the address is odd.
    pub fn instruction(&self) -> Result<Rv64imac, Trap> {
        let mut bytes = [0; MAX_LENGTH];
        let count = self.fetch(self.pc, &mut bytes);
        match count {
            _ if !self.pc.is_multiple_of(2) => Err(Trap::Misaligned(self.pc)),
            0 => Err(Trap::AccessFault(self.pc)),
            _ => match Rv64imac::decode_first(&bytes[..count]) {
                Ok((instruction, _)) => Ok(instruction),
                Err(_) => Err(Trap::IllegalInstruction),
            },
        }
    }
}

impl Processor for Hart {
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

    #[inline]
    fn retire(&mut self, count: u64) {
        self.retired += count;
    }
}

impl Registers for Hart {
    #[inline]
    fn reg(&self, number: u8) -> u64 {
        self.regs[usize::from(number % 32)]
    }

    #[inline]
    fn set_reg(&mut self, number: u8, value: u64) {
        self.regs[usize::from(number % 32)] = value;
        self.regs[0] = 0;
    }
}

impl Memory for Hart {
    #[inline]
    fn load(&self, address: u64, size: Size) -> Result<u64, Trap> {
        Ok(match size {
            Size::B => i8::from_le_bytes(self.read(address)?) as u64,
            Size::H => i16::from_le_bytes(self.read(address)?) as u64,
            Size::W => i32::from_le_bytes(self.read(address)?) as u64,
            Size::D => u64::from_le_bytes(self.read(address)?),
            Size::BU => u8::from_le_bytes(self.read(address)?).into(),
            Size::HU => u16::from_le_bytes(self.read(address)?).into(),
            Size::WU => u32::from_le_bytes(self.read(address)?).into(),
        })
    }

    #[inline]
    fn store(&mut self, address: u64, size: Size, value: u64) -> Result<(), Trap> {
        match size {
            Size::B | Size::BU => self.write(address, (value as u8).to_le_bytes()),
            Size::H | Size::HU => self.write(address, (value as u16).to_le_bytes()),
            Size::W | Size::WU => self.write(address, (value as u32).to_le_bytes()),
            Size::D => self.write(address, value.to_le_bytes()),
        }
    }

    #[inline]
    fn reservation(&mut self) -> &mut Option<(u64, Size)> {
        &mut self.reservation
    }

    fn fence_i(&mut self) {}
}

impl Control for Hart {
    #[inline]
    fn pc(&self) -> u64 {
        self.pc
    }

    #[inline]
    fn next(&self) -> u64 {
        self.next
    }

    #[inline]
    fn jump(&mut self, target: u64) {
        self.next = target;
    }
}

const FFLAGS: u16 = 0x001;
const FRM: u16 = 0x002;
const FCSR: u16 = 0x003;
const CYCLE: u16 = 0xc00;
const TIME: u16 = 0xc01;
const INSTRET: u16 = 0xc02;

impl Csrs for Hart {
    fn csr(&self, csr: Csr) -> Result<u64, Trap> {
        match csr.number() {
            FFLAGS => Ok(self.fcsr & 0x1f),
            FRM => Ok(self.fcsr >> 5),
            FCSR => Ok(self.fcsr),
            // Each instruction takes one cycle, and one cycle is the unit of time.
            CYCLE | TIME | INSTRET => Ok(self.retired),
            _ => Err(Trap::IllegalInstruction),
        }
    }

    fn set_csr(&mut self, csr: Csr, value: u64) -> Result<(), Trap> {
        self.fcsr = match csr.number() {
            FFLAGS => self.fcsr & !0x1f | value & 0x1f,
            FRM => self.fcsr & 0x1f | (value & 7) << 5,
            FCSR => value & 0xff,
            _ => return Err(Trap::IllegalInstruction),
        };
        Ok(())
    }
}
