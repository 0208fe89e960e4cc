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

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
struct Decoded {
    execute: fn(u32, &mut Hart) -> Result<(), Trap>,
    word: u32,
    /// The length in bytes.
    length: u8,
}

/// Decoded instructions at consecutive addresses. Only the last one can continue at another address.
#[derive(Debug, Clone, Default)]
struct Block {
    /// The address of the first instruction.
    start: u64,
    /// The instructions. The list is empty if the block is not decoded.
    code: Vec<Decoded>,
}

/// The number of blocks in the cache.
const BLOCKS: usize = 1 << 13;

/// The maximum number of instructions of a block.
const BLOCK_LENGTH: usize = 64;

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
    /// The decoded blocks. The address of a block determines its place.
    blocks: Vec<Block>,
    /// Whether the blocks must be decoded again.
    is_stale: bool,
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
            blocks: vec![Block::default(); BLOCKS],
            is_stale: false,
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
        // The instructions change the hart, so it does not contain the blocks while they run.
        let mut blocks = core::mem::take(&mut self.blocks);
        let trap = loop {
            if core::mem::take(&mut self.is_stale) {
                blocks.iter_mut().for_each(|block| block.code.clear());
            }
            let block = &mut blocks[(self.pc / 2) as usize % BLOCKS];
            if (block.start != self.pc || block.code.is_empty())
                && let Err(trap) = self.decode_block(block)
            {
                break trap;
            }
            if let Err(trap) = block.code.iter().try_for_each(|decoded| self.execute(*decoded)) {
                break trap;
            }
        };
        self.blocks = blocks;
        trap
    }

    /// Executes one instruction.
    ///
    /// # Errors
    ///
    /// Returns the trap of the instruction. The program counter stays at the instruction.
    pub fn step(&mut self) -> Result<(), Trap> {
        let (_, decoded) = self.decode(self.pc)?;
        self.execute(decoded)
    }

    #[inline]
    fn execute(&mut self, decoded: Decoded) -> Result<(), Trap> {
        self.next = self.pc.wrapping_add(decoded.length.into());
        (decoded.execute)(decoded.word, self)?;
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
    pub fn instruction(&self) -> Result<Rv64imac, Trap> {
        self.decode(self.pc).map(|(instruction, _)| instruction)
    }

    fn decode(&self, address: u64) -> Result<(Rv64imac, Decoded), Trap> {
        if !address.is_multiple_of(2) {
            return Err(Trap::Misaligned(address));
        }
        let mut all = self.segments.iter().filter(|segment| segment.executable);
        let found = all.find_map(|segment| {
            segment.bytes.get(segment.offset(address)?..).filter(|rest| !rest.is_empty())
        });
        let rest = found.ok_or(Trap::AccessFault(address))?;
        let (instruction, length) =
            Rv64imac::decode_first(rest).map_err(|_| Trap::IllegalInstruction)?;
        let word = instruction.encode().map_err(|_| Trap::IllegalInstruction)?;
        let decoded = Decoded { execute: instruction.executor(), word, length: length as u8 };
        Ok((instruction, decoded))
    }

    /// Decodes the block at the program counter. An error of a later instruction is reported when the
    /// instruction is reached.
    #[cold]
    fn decode_block(&self, block: &mut Block) -> Result<(), Trap> {
        block.code.clear();
        block.start = self.pc;
        let mut address = self.pc;
        while block.code.len() < BLOCK_LENGTH {
            let (instruction, decoded) = match self.decode(address) {
                Err(trap) if block.code.is_empty() => return Err(trap),
                Err(_) => break,
                Ok(decoded) => decoded,
            };
            block.code.push(decoded);
            let is_fence = matches!(instruction, Rv64imac::FenceI(_));
            if instruction.flow(address).leaves() || is_fence {
                break;
            }
            address = address.wrapping_add(decoded.length.into());
        }
        Ok(())
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
        self.is_stale = true;
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
