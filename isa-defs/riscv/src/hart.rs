//! A processor with its memory.

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

impl Segment {
    /// Returns the offset of an address in the segment. Returns `None` if the address is before the
    /// segment.
    #[inline]
    fn offset(&self, address: u64) -> Option<usize> {
        usize::try_from(address.checked_sub(self.start)?).ok()
    }
}

/// A cached instruction.
#[derive(Debug, Clone, Copy)]
struct Decoded {
    /// The address of the instruction, which is always even.
    pc: u64,
    instruction: Rv64imac,
    length: u8,
}

/// The number of entries in the cache of decoded instructions.
const CACHE: usize = 1 << 14;

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
    segments: Vec<Segment>,
    reservation: Option<(u64, Size)>,
    /// The rounding mode and flags of floating point. Programs may access them although the set has
    /// no floating-point instructions.
    fcsr: u64,
    retired: u64,
    cache: Vec<Option<Decoded>>,
}

impl Hart {
    /// Creates a processor that starts at an address, with all registers 0.
    #[must_use]
    pub fn new(segments: Vec<Segment>, pc: u64) -> Self {
        Hart {
            regs: [0; 32],
            pc,
            next: pc,
            segments,
            reservation: None,
            fcsr: 0,
            retired: 0,
            cache: vec![None; CACHE],
        }
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
    /// Returns [`Trap::AccessFault`] unless one segment contains all of the bytes.
    pub fn bytes(&self, address: u64, count: u64) -> Result<&[u8], Trap> {
        let count = usize::try_from(count).map_err(|_| Trap::AccessFault(address))?;
        let mut all = self.segments.iter();
        let found = all.find_map(|segment| {
            segment.bytes.get(segment.offset(address)?..).and_then(|rest| rest.get(..count))
        });
        found.ok_or(Trap::AccessFault(address))
    }

    #[inline]
    fn read<const N: usize>(&self, address: u64) -> Result<[u8; N], Trap> {
        let mut all = self.segments.iter();
        let found = all.find_map(|segment| {
            segment.bytes.get(segment.offset(address)?..).and_then(<[u8]>::first_chunk)
        });
        found.copied().ok_or(Trap::AccessFault(address))
    }

    #[inline]
    fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Result<(), Trap> {
        let mut all = self.segments.iter_mut().filter(|segment| segment.writable);
        let found = all.find_map(|segment| {
            let offset = segment.offset(address)?;
            segment.bytes.get_mut(offset..).and_then(<[u8]>::first_chunk_mut)
        });
        *found.ok_or(Trap::AccessFault(address))? = bytes;
        Ok(())
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

    /// Executes one instruction.
    ///
    /// # Errors
    ///
    /// Returns the trap of the instruction. The program counter stays at the instruction.
    #[inline]
    pub fn step(&mut self) -> Result<(), Trap> {
        let Decoded { instruction, length, .. } = self.fetch()?;
        self.next = self.pc.wrapping_add(length.into());
        instruction.execute(self)?;
        self.skip();
        Ok(())
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
    pub fn instruction(&mut self) -> Result<Rv64imac, Trap> {
        self.fetch().map(|decoded| decoded.instruction)
    }

    #[inline]
    fn fetch(&mut self) -> Result<Decoded, Trap> {
        let pc = self.pc;
        match self.cache[(pc / 2) as usize % CACHE] {
            Some(decoded) if decoded.pc == pc => Ok(decoded),
            _ => self.decode(),
        }
    }

    #[cold]
    fn decode(&mut self) -> Result<Decoded, Trap> {
        let pc = self.pc;
        if !pc.is_multiple_of(2) {
            return Err(Trap::Misaligned(pc));
        }
        let mut all = self.segments.iter().filter(|segment| segment.executable);
        let found = all.find_map(|segment| {
            segment.bytes.get(segment.offset(pc)?..).filter(|rest| !rest.is_empty())
        });
        let rest = found.ok_or(Trap::AccessFault(pc))?;
        let (instruction, length) =
            Rv64imac::decode_first(rest).map_err(|_| Trap::IllegalInstruction)?;
        let decoded = Decoded { pc, instruction, length: length as u8 };
        self.cache[(pc / 2) as usize % CACHE] = Some(decoded);
        Ok(decoded)
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

    fn fence_i(&mut self) {
        self.cache.fill(None);
    }
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
