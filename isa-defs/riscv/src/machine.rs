//! The traits that the semantics require of a machine, and the traps.

use core::fmt;

use super::{Csr, Size};

/// The reason why an instruction trapped. An instruction that traps stores nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// The word is not a valid instruction, or the control and status register does not exist.
    IllegalInstruction,
    /// The address of an atomic access is not a multiple of the access size, or the address of an
    /// instruction is odd.
    Misaligned(u64),
    /// The address is not mapped, or the access is not permitted.
    AccessFault(u64),
    /// `ecall`.
    EnvironmentCall,
    /// `ebreak`.
    Breakpoint,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::IllegalInstruction => f.write_str("illegal instruction"),
            Trap::Misaligned(address) => write!(f, "misaligned access to {address:#x}"),
            Trap::AccessFault(address) => write!(f, "access fault at {address:#x}"),
            Trap::EnvironmentCall => f.write_str("environment call"),
            Trap::Breakpoint => f.write_str("breakpoint"),
        }
    }
}

impl core::error::Error for Trap {}

/// The 32 registers.
pub trait Registers {
    /// Returns the value of a register. Register 0 is always 0.
    fn reg(&self, number: u8) -> u64;

    /// Replaces the value of a register. Writes to register 0 are ignored.
    fn set_reg(&mut self, number: u8, value: u64);
}

/// Little-endian memory.
pub trait Memory {
    /// Loads the number at an address, extended to 64 bits as `size` specifies.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] if a byte cannot be read.
    fn load(&self, address: u64, size: Size) -> Result<u64, Trap>;

    /// Stores the low bytes of a number at an address.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] if a byte cannot be written. In that case no byte is written.
    fn store(&mut self, address: u64, size: Size, value: u64) -> Result<(), Trap>;

    /// Returns the reservation: the reserved address and its size. A load-reserved instruction sets the
    /// reservation, and a store-conditional instruction clears it.
    fn reservation(&mut self) -> &mut Option<(u64, Size)>;

    /// Makes earlier stores visible to instruction fetches. The machine must fetch and decode the
    /// instructions again.
    fn fence_i(&mut self);
}

/// The program counter.
pub trait Control {
    /// Returns the address of the current instruction.
    fn pc(&self) -> u64;

    /// Returns the address after the current instruction.
    fn next(&self) -> u64;

    /// Continues at another address.
    fn jump(&mut self, target: u64);

    /// Continues at an offset from the current instruction if the condition is true.
    #[inline]
    fn branch(&mut self, condition: bool, offset: i64) {
        if condition {
            self.jump(self.pc().wrapping_add_signed(offset));
        }
    }
}

/// Control and status registers.
pub trait Csrs {
    /// Returns the value of a register.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::IllegalInstruction`] if the register does not exist.
    fn csr(&self, csr: Csr) -> Result<u64, Trap>;

    /// Replaces the value of a register. Bits that cannot change keep their value.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::IllegalInstruction`] if the register does not exist or is read-only.
    fn set_csr(&mut self, csr: Csr, value: u64) -> Result<(), Trap>;
}

/// All state that RV64IMAC with Zicsr and Zifencei requires.
pub trait HartState: Registers + Memory + Control + Csrs {}

impl<M: Registers + Memory + Control + Csrs + ?Sized> HartState for M {}

/// Returns the low 32 bits, sign-extended.
#[inline]
#[must_use]
pub const fn sext_w(number: u64) -> u64 {
    number as i32 as u64
}

/// Returns the low 32 bits, zero-extended.
#[inline]
#[must_use]
pub const fn zext_w(number: u64) -> u64 {
    number as u32 as u64
}

/// Returns whether `a` is less than `b` as signed numbers.
#[inline]
#[must_use]
pub const fn lt(a: u64, b: u64) -> bool {
    (a as i64) < b as i64
}

/// Returns the address if it is a multiple of the size.
///
/// # Errors
///
/// Returns [`Trap::Misaligned`] if the address is not such a multiple.
#[inline]
pub const fn aligned(address: u64, size: Size) -> Result<u64, Trap> {
    if address.is_multiple_of(size.bytes()) { Ok(address) } else { Err(Trap::Misaligned(address)) }
}

impl Size {
    /// Returns the number of bytes.
    #[inline]
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Size::B | Size::BU => 1,
            Size::H | Size::HU => 2,
            Size::W | Size::WU => 4,
            Size::D => 8,
        }
    }

    /// Returns the low bytes of a number, sign-extended or zero-extended.
    #[inline]
    #[must_use]
    pub const fn extend(self, number: u64) -> u64 {
        match self {
            Size::B => number as i8 as u64,
            Size::H => number as i16 as u64,
            Size::W => number as i32 as u64,
            Size::D => number,
            Size::BU => number as u8 as u64,
            Size::HU => number as u16 as u64,
            Size::WU => number as u32 as u64,
        }
    }
}
