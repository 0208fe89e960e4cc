//! Relocations: addresses in an object that are known only when it is linked.

use alloc::sync::Arc;

use crate::table::{Field, Opcode};

/// An address that a linker writes into a program: `jal ra, puts`, `lui a0, %hi(table)`,
/// `.8byte table + 8`.
///
/// [`Assembler::relocations`](super::Assembler::relocations) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relocation {
    /// The address of the first byte of the value. For an instruction it is the address of its
    /// first byte, plus the offset that [`Assembler::places`](super::Assembler::places) sets. In a
    /// program it is relative to the start of the section.
    pub address: u64,
    /// The label whose address the linker writes; `None` for the start of the section. Relocations
    /// share the names.
    pub symbol: Option<Arc<str>>,
    /// The number that is added to the address of the label.
    pub addend: i64,
    /// The relocation type, a number of the object format.
    pub kind: u32,
    /// Whether the addend is stored in the program, in the bits that the linker fills in. If so,
    /// `addend` must be 0 in the input of a [`Disassembler`](super::Disassembler), and contains the
    /// stored number in a [`Program`](super::Program).
    pub is_in_place: bool,
}

impl Relocation {
    /// Creates a relocation.
    #[must_use]
    pub const fn new(address: u64, symbol: Option<Arc<str>>, addend: i64, kind: u32) -> Self {
        Relocation { address, symbol, addend, kind, is_in_place: false }
    }

    /// Stores the addend in the program, as in objects with `SHT_REL`.
    #[must_use]
    pub fn in_place(self) -> Self {
        Relocation { is_in_place: true, ..self }
    }
}

/// A reference of a program to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reference {
    /// The target of an instruction.
    #[non_exhaustive]
    Operand {
        /// The name of the opcode in the specification, `JAL`.
        opcode: &'static str,
        /// The name of the operand type in the specification, `Jump`.
        kind: &'static str,
    },
    /// A part of an address in an operand: `%hi(table + 8)`.
    #[non_exhaustive]
    Part {
        /// The name of the opcode in the specification, `LUI`.
        opcode: &'static str,
        /// The name of the operand type in the specification, `Upper`.
        kind: &'static str,
        /// The text that begins the part, `%hi(`: its [`open`](crate::operand::AddressPart::open).
        open: &'static str,
    },
    /// A value of data.
    #[non_exhaustive]
    Data {
        /// The length of the value in bytes: 1, 2, 4 or 8.
        bytes: usize,
    },
}

impl Reference {
    /// Creates the reference for the target of an instruction; `field` contains the target.
    pub(super) const fn target(opcode: &Opcode, field: &Field) -> Self {
        Reference::Operand { opcode: opcode.name, kind: field.kind.name }
    }
}

/// A function that returns the relocation type for a reference; `None` if there is none.
pub(super) type Relocate = fn(Reference) -> Option<u32>;

/// The properties of references that a linker needs besides the relocation type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filling {
    /// The number that the linker adds.
    pub(super) addend_of: fn(Reference) -> i64,
    /// The offset of the relocation from the start of its instruction.
    pub(super) place_of: fn(Reference) -> u64,
    /// Whether addends are stored in the program.
    pub(super) is_in_place: bool,
}

impl Filling {
    /// The default: all addends are 0, and every relocation is at the start of its instruction or
    /// value.
    pub(super) const PLAIN: Self =
        Filling { addend_of: |_| 0, place_of: |_| 0, is_in_place: false };

    /// Returns the address of the relocation for a reference in an instruction of the given address
    /// and length in bytes; `None` if it is after the end of the instruction.
    pub(super) fn place(&self, reference: Reference, start: u64, length: usize) -> Option<u64> {
        let further = (self.place_of)(reference);
        (further < length as u64).then(|| start.wrapping_add(further))
    }
}

/// Returns the field of an instruction that is its target; `None` if it has no target, or several.
pub(super) fn target_field(opcode: &Opcode) -> Option<&'static Field> {
    let mut targets = target_fields(opcode);
    match (targets.next(), targets.next()) {
        (Some(field), None) => Some(field),
        _ => None,
    }
}

/// Returns the fields of an instruction that are its targets.
pub(super) fn target_fields(opcode: &Opcode) -> impl Iterator<Item = &'static Field> {
    opcode.fields.iter().copied().filter(|field| field.kind.target(0, 0).is_some())
}

/// Returns an instruction's word with 0 in all bits of its target.
pub(super) fn without_target(opcode: &Opcode, word: u128) -> Option<u128> {
    Some(target_field(opcode)?.set(word, 0))
}

/// Encodes an addend in the bits of an instruction's target. For a relative target, the linker writes
/// the distance of the label from the relocation, so the addend is encoded like a distance from the
/// address of the relocation. For any other target, the linker writes the address, so the addend is
/// encoded like the address of a target.
pub(super) fn target_in_place(opcode: &Opcode, word: u128, place: u64, addend: i64) -> Option<u64> {
    // Targets may be relative to the start of a word, or of a page.
    const FAR: u64 = (u64::MAX / 3) & !0xffff;
    let field = target_field(opcode)?;
    let target = |address| field.kind.target(field.get(word), address);
    let is_relative = target(FAR)?.wrapping_sub(FAR) == target(0)?;
    Some(if is_relative { place } else { addend.cast_unsigned() })
}
