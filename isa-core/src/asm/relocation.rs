//! What a linker fills in: addresses that an object names and that are known when it is linked.

use alloc::sync::Arc;

use crate::table::{Field, Opcode};

/// An address that a linker writes into a program: `jal ra, puts`, `lui a0, %hi(table)`, `.8byte table + 8`.
///
/// [`Assembler::relocations`](super::Assembler::relocations) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relocation {
    /// The address of the first byte of the value; of an instruction that of its first byte, or as many
    /// bytes further as [`Assembler::places`](super::Assembler::places) says. In a program it counts from
    /// the start of the section.
    pub address: u64,
    /// The label whose address is wanted; `None` for the start of the section. Relocations share the names.
    pub symbol: Option<Arc<str>>,
    /// What is added to the address of the label.
    pub addend: i64,
    /// How the linker writes it, a number of the object format.
    pub kind: u32,
    /// Whether the addend stands in the program, in the place that the linker fills in. `addend` is
    /// then 0 for what a [`Disassembler`](super::Disassembler) is given, and in a
    /// [`Program`](super::Program) the number that stands there.
    pub is_in_place: bool,
}

impl Relocation {
    /// A relocation.
    #[must_use]
    pub const fn new(address: u64, symbol: Option<Arc<str>>, addend: i64, kind: u32) -> Self {
        Relocation { address, symbol, addend, kind, is_in_place: false }
    }

    /// With the addend in the program, as objects with `SHT_REL` have it.
    #[must_use]
    pub fn in_place(self) -> Self {
        Relocation { is_in_place: true, ..self }
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

impl Reference {
    /// The target of an instruction that is in a field of it.
    pub(super) const fn target(opcode: &Opcode, field: &Field) -> Self {
        Reference::Operand { opcode: opcode.name, kind: field.kind.name }
    }
}

/// Says by which relocation a linker fills in a reference; `None` where it cannot.
pub(super) type Relocate = fn(Reference) -> Option<u32>;

/// What a linker has to be told of each reference, beside by which relocation it fills it in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filling {
    /// What the linker adds.
    pub(super) addend_of: fn(Reference) -> i64,
    /// How far behind the start of its instruction the relocation stands.
    pub(super) place_of: fn(Reference) -> u64,
    /// Whether addends stand in the program.
    pub(super) is_in_place: bool,
}

impl Filling {
    /// Nothing is added, and every relocation stands at the start of what it is for.
    pub(super) const PLAIN: Self =
        Filling { addend_of: |_| 0, place_of: |_| 0, is_in_place: false };

    /// The address of the relocation for a reference in an instruction at an address, which is so many
    /// bytes long; `None` where that is behind the instruction.
    pub(super) fn place(&self, reference: Reference, start: u64, length: usize) -> Option<u64> {
        let further = (self.place_of)(reference);
        (further < length as u64).then(|| start.wrapping_add(further))
    }
}

/// The field of an instruction that is its target; `None` where it has none, or several.
pub(super) fn target_field(opcode: &Opcode) -> Option<&'static Field> {
    let mut targets = target_fields(opcode);
    match (targets.next(), targets.next()) {
        (Some(field), None) => Some(field),
        _ => None,
    }
}

/// The fields of an instruction that are its targets.
pub(super) fn target_fields(opcode: &Opcode) -> impl Iterator<Item = &'static Field> {
    opcode.fields.iter().copied().filter(|field| field.kind.target(0, 0).is_some())
}

/// An instruction's word with bits of its target that are all 0.
pub(super) fn without_target(opcode: &Opcode, word: u128) -> Option<u128> {
    Some(target_field(opcode)?.set(word, 0))
}

/// The target of an instruction in whose bits the addend stands that the linker adds for every such
/// reference. Of a relative target the linker writes how far the label is from the place of the relocation,
/// so that the addend has the bits of that place; of another target it writes the address.
pub(super) fn target_in_place(opcode: &Opcode, word: u128, place: u64, addend: i64) -> Option<u64> {
    // Targets may count from the start of a word, or of a page.
    const FAR: u64 = (u64::MAX / 3) & !0xffff;
    let field = target_field(opcode)?;
    let target = |address| field.kind.target(field.get(word), address);
    let is_relative = target(FAR)?.wrapping_sub(FAR) == target(0)?;
    Some(if is_relative { place } else { addend.cast_unsigned() })
}
