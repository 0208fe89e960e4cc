//! A processor with its memory.

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
    segments: Vec<Segment>,
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
        Cpu {
            x: [0; 31],
            sp: 0,
            nzcv: Nzcv::default(),
            v: [0; 32],
            pc,
            next: pc,
            segments,
            monitor: None,
            thread: 0,
        }
    }

    /// Executes instructions until one traps. The program counter is then at the instruction that
    /// trapped.
    pub fn run(&mut self) -> Trap {
        loop {
            if let Err(trap) = self.step() {
                return trap;
            }
        }
    }

    /// Continues after an instruction that trapped and that the environment has executed.
    pub fn skip(&mut self) {
        self.pc = self.pc.wrapping_add(4);
    }

    /// Executes the instruction at the program counter.
    ///
    /// # Errors
    ///
    /// Returns the trap of the instruction. The program counter then stays at the instruction.
    pub fn step(&mut self) -> Result<(), Trap> {
        let word = self.load(self.pc, 4)? as u32;
        self.execute(A64::decode(word).map_err(|_| Trap::Undefined)?)
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
        let found = self.segments.iter().find_map(|segment| {
            let offset = usize::try_from(address.checked_sub(segment.start)?).ok()?;
            segment.bytes.get(offset..)?.get(..usize::from(bytes))
        });
        let mut number = [0; 8];
        let found = found.ok_or(Trap::AccessFault(address))?;
        number[..found.len()].copy_from_slice(found);
        Ok(u64::from_le_bytes(number))
    }

    #[inline]
    fn store(&mut self, address: u64, bytes: u8, value: u64) -> Result<(), Trap> {
        let mut writable = self.segments.iter_mut().filter(|segment| segment.writable);
        let found = writable.find_map(|segment| {
            let offset = usize::try_from(address.checked_sub(segment.start)?).ok()?;
            segment.bytes.get_mut(offset..)?.get_mut(..usize::from(bytes))
        });
        let found = found.ok_or(Trap::AccessFault(address))?;
        found.copy_from_slice(&value.to_le_bytes()[..usize::from(bytes)]);
        Ok(())
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
