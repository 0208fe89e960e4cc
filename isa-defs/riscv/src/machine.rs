//! What the semantics ask of a machine, and what stops an instruction.

use core::fmt;

use super::{Csr, Size};

/// What stops an instruction; nothing of it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// A word that is no instruction, or a control and status register that is not there.
    IllegalInstruction,
    /// An atomic access to this address, which is not a multiple of its size, or an instruction at this
    /// odd address.
    Misaligned(u64),
    /// An access to this address, where nothing is or where it is forbidden.
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
    /// The value of a register; 0 of number 0.
    fn reg(&self, number: u8) -> u64;

    /// Replaces the value of a register; nothing for number 0.
    fn set_reg(&mut self, number: u8, value: u64);
}

/// Memory in bytes, of a number the lowest first.
pub trait Memory {
    /// The number at an address, extended to 64 bits as the size says.
    ///
    /// # Errors
    ///
    /// [`Trap::AccessFault`] where a byte cannot be read.
    fn load(&self, address: u64, size: Size) -> Result<u64, Trap>;

    /// Replaces the number at an address by the low bytes of another.
    ///
    /// # Errors
    ///
    /// [`Trap::AccessFault`] where a byte cannot be written; then none is.
    fn store(&mut self, address: u64, size: Size, value: u64) -> Result<(), Trap>;

    /// What a load with reservation remembers, and a conditional store forgets: an address.
    fn reservation(&mut self) -> &mut Option<(u64, Size)>;

    /// Stores were perhaps to instructions: they are fetched anew.
    fn fence_i(&mut self);
}

/// The program counter.
pub trait Control {
    /// The address of the instruction.
    fn pc(&self) -> u64;

    /// The address behind the instruction.
    fn next(&self) -> u64;

    /// Goes on at another address.
    fn jump(&mut self, target: u64);

    /// Goes on at a distance from the instruction if a condition holds.
    #[inline]
    fn branch(&mut self, condition: bool, offset: i64) {
        if condition {
            self.jump(self.pc().wrapping_add_signed(offset));
        }
    }
}

/// Control and status registers.
pub trait Csrs {
    /// The value of a register.
    ///
    /// # Errors
    ///
    /// [`Trap::IllegalInstruction`] where there is none.
    fn csr(&self, csr: Csr) -> Result<u64, Trap>;

    /// Replaces the value of a register, as far as it can be another.
    ///
    /// # Errors
    ///
    /// [`Trap::IllegalInstruction`] where there is none, or it can only be read.
    fn set_csr(&mut self, csr: Csr, value: u64) -> Result<(), Trap>;
}

/// All that RV64IMAC with Zicsr and Zifencei works on.
pub trait Machine: Registers + Memory + Control + Csrs {}

impl<M: Registers + Memory + Control + Csrs + ?Sized> Machine for M {}

/// The low 32 bits, extended by their sign.
#[inline]
#[must_use]
pub const fn sext_w(number: u64) -> u64 {
    number as i32 as u64
}

/// The low 32 bits, extended by zeros.
#[inline]
#[must_use]
pub const fn zext_w(number: u64) -> u64 {
    number as u32 as u64
}

/// Whether a number is less than another, both with a sign.
#[inline]
#[must_use]
pub const fn lt(a: u64, b: u64) -> bool {
    (a as i64) < b as i64
}

/// The address, if a whole number of sizes leads to it.
///
/// # Errors
///
/// [`Trap::Misaligned`] where not.
#[inline]
pub const fn aligned(address: u64, size: Size) -> Result<u64, Trap> {
    if address.is_multiple_of(size.bytes()) { Ok(address) } else { Err(Trap::Misaligned(address)) }
}

impl Size {
    /// How many bytes.
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

    /// The low bytes, extended by their sign or by zeros.
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
