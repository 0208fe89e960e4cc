//! The relocations of parts of addresses.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::{FAR, Moved, is_relative};
use crate::asm::assembler::session::{AssemblySession, StatementBytes};
use crate::asm::relocation::Relocate;
use crate::asm::{LabelMap, Reference, Relocation};
use crate::text::{AddressPart, Linker};

/// The references that a parse leaves to a linker.
pub(super) struct Asked {
    /// The number that replaces each part of an address. If it is `None`, the part is computed from the
    /// addend instead.
    number: Option<i128>,
    references: RefCell<Vec<NamedPart>>,
}

/// A label with its addend, and the part of the resulting address that is used; `None` for the
/// whole address.
#[derive(Clone)]
pub(super) struct NamedPart {
    label: String,
    addend: i64,
    part: Option<&'static AddressPart>,
}

impl Asked {
    /// Creates a linker that uses `number` for each part of an address.
    pub(super) const fn new(number: i128) -> Self {
        Asked { number: Some(number), references: RefCell::new(Vec::new()) }
    }

    /// Creates a linker that computes each part of an address from the addend.
    const fn of_addends() -> Self {
        Asked { number: None, references: RefCell::new(Vec::new()) }
    }

    /// Returns the references that use only a part of an address.
    pub(super) fn parts(&self) -> Vec<NamedPart> {
        self.references.borrow().iter().filter(|it| it.part.is_some()).cloned().collect()
    }

    /// Returns the addend of a label whose whole address is used: 8 for `table + 8`.
    pub(super) fn whole(&self, label: &str) -> i64 {
        let all = self.references.borrow();
        let mut whole = all.iter().filter(|it| it.part.is_none() && it.label == label);
        whole.next().map_or(0, |it| it.addend)
    }
}

impl Linker for Asked {
    fn refer(&self, label: &str, addend: i128, part: Option<&'static AddressPart>) -> i128 {
        // Addresses wrap around.
        let named = NamedPart { label: label.into(), addend: addend as i64, part };
        self.references.borrow_mut().push(named);
        let of_addend = || part?.number(addend as u64, None).ok();
        self.number.or_else(of_addend).unwrap_or_default()
    }
}

impl AssemblySession<'_> {
    /// Returns the relocation of an instruction with a part of an address. The outer `None` means that
    /// the instruction contains no such part, or has another error. The inner `None` means that the
    /// instruction gets no relocation; in this case any error is already recorded.
    pub(super) fn relocate_part(
        &mut self,
        piece: &mut StatementBytes,
        kind_of: Relocate,
        labels: &LabelMap,
    ) -> Option<Option<Relocation>> {
        if !piece.has_labels {
            return None;
        }
        let (address, asked) = (piece.address, Asked::new(0));
        let reading = self.read_linked(piece, address, labels, &asked)?;
        let parts = asked.parts();
        let NamedPart { label, addend, part } = parts.first()?;
        let (part, opcode) = ((*part)?, *self.set.opcodes.get(reading.0)?);
        // A linker can fill in only one position of an instruction.
        let is_one = parts.len() == 1 && label != "." && {
            let (place, moved) = (address.wrapping_add(FAR), Moved { by: FAR, labels });
            let there = self.read_linked(piece, place, &moved, &Asked::new(0));
            is_relative(opcode, reading.1) && there == Some(reading)
        };
        let kind = is_one.then(|| self.kind_of_part(piece, reading, labels)).flatten();
        let filled_in = kind.and_then(|kind| {
            let reference = Reference::Part { opcode: opcode.name, kind, open: part.open };
            Some((kind_of(reference)?, self.filling.place(reference, address, piece.length)?))
        });
        let Some((kind, place)) = filled_in else {
            // Distances within a section need no linker.
            let is_filled = part.counts_from_here()
                && matches!(piece.reading, Ok(Some(known)) if self.stays(piece, known, labels));
            let is_known = label == "." || labels.section(label).is_some();
            if is_known && !is_filled {
                self.refuse(piece, label, 0);
                piece.reading = Ok(None);
            }
            return Some(None);
        };
        let is_in_place = self.filling.is_in_place;
        let filled = match is_in_place {
            true => self.read_linked(piece, address, labels, &Asked::of_addends())?,
            false => reading,
        };
        piece.reading = Ok(Some(filled));
        let (symbol, addend) = (Some(label.as_str().into()), *addend);
        Some(Some(Relocation { address: place, symbol, addend, kind, is_in_place }))
    }

    /// Returns the operand type of the field that contains a part of an address: the first field
    /// that changes with the value of the part.
    fn kind_of_part(
        &self,
        piece: &StatementBytes,
        (opcode, word): (usize, u128),
        labels: &LabelMap,
    ) -> Option<&'static str> {
        let fields = self.set.opcodes.get(opcode)?.fields;
        // The operand may require a multiple of some number, or a sign.
        let numbers = (0..64).flat_map(|bit| [1 << bit, -(1 << bit)]);
        numbers.into_iter().find_map(|number: i128| {
            let other = self.read_linked(piece, piece.address, labels, &Asked::new(number))?;
            let mut changed = fields.iter().filter(|it| it.get(word) != it.get(other.1));
            changed.next().filter(|_| other.0 == opcode).map(|field| field.kind.name)
        })
    }
}
