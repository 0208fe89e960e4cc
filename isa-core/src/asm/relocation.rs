//! What a linker fills in: addresses that an object names and that are known when it is linked.

use alloc::string::String;

/// An address that a linker writes into a program: `jal ra, puts`, `lui a0, %hi(table)`, `.8byte table + 8`.
///
/// [`Assembler::relocations`](super::Assembler::relocations) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relocation {
    /// The address of the instruction, or of the first byte of the value, which in a program counts from
    /// the start of the section.
    pub address: u64,
    /// The label whose address is wanted; `None` for the start of the section.
    pub symbol: Option<String>,
    /// What is added to the address of the label.
    pub addend: i64,
    /// How the linker writes it, a number of the object format.
    pub kind: u32,
}

impl Relocation {
    /// A relocation.
    #[must_use]
    pub const fn new(address: u64, symbol: Option<String>, addend: i64, kind: u32) -> Self {
        Relocation { address, symbol, addend, kind }
    }
}

/// Where a program names an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reference {
    /// The target of an instruction.
    #[non_exhaustive]
    Operand {
        /// The name of the opcode in the specification, `JAL`.
        opcode: &'static str,
        /// The name of the operand's kind in the specification, `Jump`.
        kind: &'static str,
    },
    /// A part of an address in an operand: `%hi(table + 8)`.
    #[non_exhaustive]
    Part {
        /// The name of the opcode in the specification, `LUI`.
        opcode: &'static str,
        /// The name of the operand's kind in the specification, `Upper`.
        kind: &'static str,
        /// What the part begins with, `%hi(`: its [`open`](crate::operand::AddressPart::open).
        open: &'static str,
    },
    /// A value of data.
    #[non_exhaustive]
    Data {
        /// How many bytes the value has: 1, 2, 4 or 8.
        bytes: usize,
    },
}

/// Says by which relocation a linker fills in a reference; `None` where it cannot.
pub(super) type Relocate = fn(Reference) -> Option<u32>;
