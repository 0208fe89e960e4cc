//! The relocations of a program: the references that a linker fills in.
//!
//! The assembler leaves a reference to the linker only if the linker must compute it, and if the object
//! format of the set has a relocation for it. This is the case if the label is not defined in the same
//! section, if the distance to the target changes when the program is moved, and for each part of an
//! address such as `%hi(label)`.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use self::address_part::Asked;
use super::incremental::occurrences;
use super::{AssemblySession, StatementBytes, candidate_addresses, name_in};
use crate::asm::assembler::Linked;
use crate::asm::dialect::Directive;
use crate::asm::error::{AssembleErrorKind, Missing};
use crate::asm::relocation::{
    Relocate, target_field, target_fields, target_in_place, without_target,
};
use crate::asm::{LabelMap, Reference, Relocation, Section, padding};
use crate::error::{ParseError, ParseErrorKind};
use crate::table::Opcode;
use crate::text::{Cause, Cursor, InstructionContext, Labels};

mod address_part;

/// A label map in which one label has a different address or is hidden. It records the names that are
/// looked up.
struct Other<'l> {
    labels: &'l LabelMap,
    name: &'l str,
    /// The address of the label; `None` if the label is hidden.
    address: Option<u64>,
    asked: RefCell<Vec<String>>,
}

impl<'l> Other<'l> {
    fn new(labels: &'l LabelMap, name: &'l str, address: Option<u64>) -> Self {
        Other { labels, name, address, asked: RefCell::new(Vec::new()) }
    }
}

impl Labels for Other<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        self.asked.borrow_mut().push(name.into());
        match name == self.name {
            true => self.address,
            false => self.labels.address(name),
        }
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.labels.name(address)
    }

    fn constant(&self, name: &str) -> Option<i128> {
        self.labels.constant(name)
    }

    /// Returns true for a hidden label too, so that its text is not parsed as a shorter label with a
    /// modifier.
    fn has(&self, name: &str) -> bool {
        self.labels.has(name) || name == self.name && self.address.is_some()
    }
}

/// A label map in which all labels have the same address.
struct Alike<'l> {
    address: u64,
    labels: &'l LabelMap,
}

impl Labels for Alike<'_> {
    fn address(&self, _: &str) -> Option<u64> {
        Some(self.address)
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }

    fn constant(&self, name: &str) -> Option<i128> {
        self.labels.constant(name)
    }

    fn has(&self, name: &str) -> bool {
        self.labels.has(name)
    }
}

/// The labels of a program after a move by a number of bytes.
struct Moved<'l> {
    by: u64,
    labels: &'l LabelMap,
}

impl Labels for Moved<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        Some(self.labels.address(name)?.wrapping_add(self.by))
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.labels.name(address.wrapping_sub(self.by))
    }

    fn constant(&self, name: &str) -> Option<i128> {
        self.labels.constant(name)
    }

    fn has(&self, name: &str) -> bool {
        self.labels.has(name)
    }
}

impl AssemblySession<'_> {
    /// Finds the relocations and the sections, after [`AssemblySession::settle`]. A statement whose only error
    /// is an unknown label becomes correct.
    pub(in crate::asm::assembler) fn relocate(
        &mut self,
        kind_of: Relocate,
        origin: u64,
        labels: &mut LabelMap,
    ) -> Linked {
        let (mut relocations, order) = (Vec::new(), self.order());
        let mut sections: Vec<Section> = self.sections.listed().collect();
        let mut pieces = core::mem::take(&mut self.pieces);
        let (mut bytes, mut statements, mut last) = (0, 0, None);
        for number in order {
            let Some(piece) = pieces.get_mut(number) else { continue };
            let Some(section) = sections.get_mut(piece.section) else { continue };
            let before = relocations.len();
            if last != Some(piece.section) {
                last = Some(piece.section);
                section.bytes = bytes..bytes;
                section.statements = statements..statements;
                section.relocations = before..before;
            }
            if !self.relocate_data(number, piece, kind_of, (origin, labels), &mut relocations) {
                labels.enter(Some(piece.section).filter(|_| !piece.defines));
                let part = self.relocate_part(piece, kind_of, labels);
                let linked = part.unwrap_or_else(|| self.relocate_target(piece, kind_of, labels));
                relocations.extend(linked);
                labels.enter(None);
                self.refuse_elsewhere(piece, labels);
            }
            bytes += piece.length;
            statements += 1;
            section.bytes.end = bytes;
            section.statements.end = statements;
            section.relocations.end = relocations.len();
            section.align = self.align_of(piece, labels).max(section.align);
            section.is_room &= piece.length == 0 || self.is_room(piece, labels);
        }
        self.pieces = pieces;
        let mut left_out = 0;
        for section in &mut sections {
            let Range { start, end } = section.bytes;
            section.size = (end - start) as u64;
            let start = start.saturating_sub(left_out);
            left_out += if section.is_room { end - section.bytes.start } else { 0 };
            section.bytes = start..end.saturating_sub(left_out).max(start);
        }
        (relocations, sections)
    }

    /// Returns whether a statement only reserves bytes that are 0.
    fn is_room(&self, piece: &StatementBytes, labels: &LabelMap) -> bool {
        let site = InstructionContext::new(piece.address, labels);
        let mut cursor = Cursor::in_context(self.text, &site).moved_to(piece.span.start);
        padding::is_zero(&mut cursor, self.dialect)
    }

    /// Records the bytes and relocations of a statement if it is data. Returns whether it is data.
    fn relocate_data(
        &mut self,
        number: usize,
        piece: &mut StatementBytes,
        kind_of: Relocate,
        (origin, labels): (u64, &LabelMap),
        relocations: &mut Vec<Relocation>,
    ) -> bool {
        let directive = self.dialect.at(self.text, piece.span.start);
        let Some((Directive::Data(data), cursor)) = directive else { return false };
        let (size, behind) = (data.size(), cursor.position());
        // An address in the middle of the range, so both positive and negative addends fit.
        let middle = 1u64 << (size * 8 - 1);
        let alike = Alike { address: middle, labels };
        let site = InstructionContext::new(middle, &alike);
        let mut cursor = Cursor::in_context(self.text, &site).moved_to(behind);
        cursor.set_takes_dots(true);
        let (mut bytes, mut named) = (Vec::new(), Vec::new());
        let order = self.set.byte_order.of_data();
        let read = data.read(&mut cursor, |value, name| {
            let Some(name) = name else {
                return bytes.extend(order.bytes_of(value.into(), size));
            };
            named.push((bytes.len(), name, value.wrapping_sub(middle).cast_signed()));
            bytes.extend(core::iter::repeat_n(0, size));
        });
        if read.is_err() || named.is_empty() || bytes.len() != piece.length {
            return true;
        }
        let Some(kind) = kind_of(Reference::Data { bytes: size }) else {
            // An unknown label was already reported.
            let name = named.first().map_or("", |(_, name, _)| name);
            if piece.reading.is_ok() || labels.section(name).is_some() {
                self.refuse(piece, name, size);
                piece.reading = Ok(None);
            }
            return true;
        };
        let (added, is_in_place) =
            ((self.filling.addend_of)(Reference::Data { bytes: size }), self.filling.is_in_place);
        for (offset, name, addend) in named {
            let is_here = name == ".";
            let from_start = piece.address.wrapping_sub(origin).cast_signed();
            let addend = if is_here { addend.wrapping_add(from_start) } else { addend };
            let addend = addend.wrapping_add(added);
            let symbol = (!is_here).then(|| name.into());
            let address = piece.address.wrapping_add(offset as u64);
            if is_in_place {
                let value = order.bytes_of(addend.cast_unsigned().into(), size);
                bytes.iter_mut().skip(offset).zip(value).for_each(|(byte, new)| *byte = new);
            }
            relocations.push(Relocation { address, symbol, addend, kind, is_in_place });
        }
        piece.reading = Ok(None);
        self.filled.push((number, bytes));
        true
    }

    /// Reports a value or an operand whose address is unknown before the program is linked.
    fn refuse(&mut self, piece: &StatementBytes, name: &str, bytes: usize) {
        self.refuse_without(Missing::Relocation, piece, (name, bytes));
    }

    /// Reports a reference like [`AssemblySession::refuse`], with the reason `missing`.
    fn refuse_without(
        &mut self,
        missing: Missing,
        piece: &StatementBytes,
        (name, bytes): (&str, usize),
    ) {
        let text = self.text.get(..piece.span.end).unwrap_or_default();
        // Uses the last occurrence, because the first may be the mnemonic.
        let place = occurrences(text, piece.span.start, name).last();
        let (name, section) = (name.into(), None);
        let kind = AssembleErrorKind::NoRelocation { name, bytes, section, missing };
        self.errors.push((place.unwrap_or(piece.span.clone()), kind));
    }

    /// Reports a target in another section for which no relocation type exists.
    fn refuse_elsewhere(&mut self, piece: &mut StatementBytes, labels: &LabelMap) {
        let Some(Cause::UnknownLabel) = piece.fault() else { return };
        let Err(error) = &piece.reading else { return };
        let name: String = name_in(self.text, error).into();
        if let Some(section) = labels.section(&name) {
            let section = Some(self.sections.name(section).into());
            let missing = Missing::Relocation;
            let kind = AssembleErrorKind::NoRelocation { name, bytes: 0, section, missing };
            self.errors.push((error.span.clone(), kind));
            piece.reading = Ok(None);
        }
    }

    /// Returns the relocation of an instruction, if its target needs one.
    fn relocate_target(
        &mut self,
        piece: &mut StatementBytes,
        kind_of: Relocate,
        labels: &LabelMap,
    ) -> Option<Relocation> {
        let address = piece.address;
        let name: String = match &piece.reading {
            Ok(None) => return None,
            Ok(Some(reading)) => {
                let opcode = *self.set.opcodes.get(reading.0)?;
                if is_relative(opcode, reading.1) && self.stays(piece, *reading, labels) {
                    return None;
                }
                match self.label_of(piece, labels)? {
                    Some(name) => name,
                    None => {
                        self.refuse(piece, ".", 0);
                        return None;
                    }
                }
            }
            Err(error) if piece.fault() == Some(Cause::UnknownLabel) => {
                name_in(self.text, error).into()
            }
            Err(_) => return None,
        };
        let Some((reading, asked)) = self.read_anywhere(piece, &name, labels) else {
            if piece.reading.is_ok() {
                self.refuse(piece, &name, 0);
            } else if let Some(error) = self.other_mistake(piece, &name, labels) {
                piece.reading = Err(Box::new(error));
            }
            return None;
        };
        let further = asked.whole(&name);
        let opcode = *self.set.opcodes.get(reading.0)?;
        // A linker can fill in only one position of an instruction.
        let target = target_field(opcode).filter(|_| asked.parts().is_empty());
        let reference = target.map(|target| Reference::target(opcode, target));
        let addend = reference.map_or(0, self.filling.addend_of);
        let open = reference.and_then(|reference| {
            let place = self.filling.place(reference, address, piece.length)?;
            let open = self.open_reading(piece, reading, (place, addend), (&name, labels));
            Some((kind_of(reference)?, place, open?))
        });
        let Some((kind, place, reading)) = open else {
            let missing = match target_fields(opcode).count() {
                0 => Missing::Target,
                1 => Missing::Relocation,
                _ => Missing::OneTarget,
            };
            // If there is another reason, it is reported instead of the unknown label.
            if piece.reading.is_ok() || missing == Missing::Target {
                self.refuse_without(missing, piece, (&name, 0));
                piece.reading = Ok(None);
            }
            return None;
        };
        piece.reading = Ok(Some(reading));
        let (is_in_place, addend) = (self.filling.is_in_place, addend.wrapping_add(further));
        Some(Relocation { address: place, symbol: Some(name.into()), addend, kind, is_in_place })
    }

    /// Returns the instruction with the bits that a linker fills in: 0, or the addend. `reading` is the
    /// instruction with its own address as the target, and `place` is the address of the relocation.
    /// The result is `None` if the addend cannot be encoded.
    fn open_reading(
        &self,
        piece: &StatementBytes,
        reading: (usize, u128),
        (place, addend): (u64, i64),
        (name, labels): (&str, &LabelMap),
    ) -> Option<(usize, u128)> {
        let (number, opcode) = (reading.0, *self.set.opcodes.get(reading.0)?);
        if self.filling.is_in_place {
            let target = target_in_place(opcode, reading.1, place, addend)?;
            return self.read_with(piece, piece.address, &Other::new(labels, name, Some(target)));
        }
        let bare = without_target(opcode, reading.1)?;
        let is_right = self.set.index(bare).is_ok_and(|found| found == number);
        Some(if is_right && opcode.reads_back(bare) { (number, bare) } else { reading })
    }

    /// Returns the label that is the target of an instruction. The inner `None` means the
    /// instruction's own address; the outer `None` means that the instruction refers to neither.
    fn label_of(&self, piece: &StatementBytes, labels: &LabelMap) -> Option<Option<String>> {
        let asks = Cell::new(false);
        let all = Other::new(labels, "", None);
        let site = InstructionContext::new(piece.address, &all).noting(&asks);
        let mut cursor = Cursor::in_context(self.text, &site).moved_to(piece.span.start);
        self.read(&mut cursor).ok()?;
        // A name that was looked up may be a register. It is the label if the statement cannot be
        // parsed without it.
        let asked = all.asked.take();
        let label = asked.into_iter().find(|name| {
            let without = Other::new(labels, name, None);
            labels.address(name).is_some()
                && self.read_with(piece, piece.address, &without).is_none()
        });
        (label.is_some() || asks.get()).then_some(label)
    }

    /// Returns whether the instruction is parsed as the same word after a move of the whole program by
    /// a large distance. This detects parts of addresses in operands that are not targets. The distance
    /// between two pages may be the same after the move by chance; only [`is_relative`] detects such a
    /// target.
    fn stays(&self, piece: &StatementBytes, reading: (usize, u128), labels: &LabelMap) -> bool {
        let (place, moved) = (piece.address.wrapping_add(FAR), Moved { by: FAR, labels });
        !piece.asks || self.read_with(piece, place, &moved) == Some(reading)
    }

    /// Returns the result of parsing an instruction with other labels.
    fn read_with(
        &self,
        piece: &StatementBytes,
        address: u64,
        labels: &dyn Labels,
    ) -> Option<(usize, u128)> {
        self.read_at(piece, &InstructionContext::new(address, labels))
    }

    /// Parses like [`AssemblySession::read_with`], while a linker fills in parts of addresses.
    fn read_linked(
        &self,
        piece: &StatementBytes,
        address: u64,
        labels: &dyn Labels,
        asked: &Asked,
    ) -> Option<(usize, u128)> {
        self.read_at(piece, &InstructionContext::new(address, labels).linked(asked))
    }

    /// Parses like [`AssemblySession::read_linked`], with the first address for the label that the instruction
    /// accepts.
    fn read_anywhere(
        &self,
        piece: &StatementBytes,
        name: &str,
        labels: &LabelMap,
    ) -> Option<((usize, u128), Asked)> {
        candidate_addresses(piece.address).find_map(|target| {
            let (other, asked) = (Other::new(labels, name, Some(target)), Asked::new(0));
            let reading = self.read_linked(piece, piece.address, &other, &asked)?;
            Some((reading, asked))
        })
    }

    fn read_at(
        &self,
        piece: &StatementBytes,
        site: &InstructionContext<'_>,
    ) -> Option<(usize, u128)> {
        let mut cursor = Cursor::in_context(self.text, site).moved_to(piece.span.start);
        let reading = self.read(&mut cursor).ok()?;
        reading.instruction.filter(|_| reading.length == piece.length)
    }

    /// Returns the first error of the statement other than its unknown label, or `None` if the label is
    /// the only error.
    fn other_mistake(
        &self,
        piece: &StatementBytes,
        name: &str,
        labels: &LabelMap,
    ) -> Option<ParseError> {
        let (other, asked) = (Other::new(labels, name, Some(piece.address)), Asked::new(0));
        let site = InstructionContext::new(piece.address, &other).linked(&asked);
        let mut cursor = Cursor::in_context(self.text, &site).moved_to(piece.span.start);
        let error = self.read(&mut cursor).err()?;
        // Errors of operands may be caused by the address that the label has here.
        let label = piece.reading.as_ref().err()?.span.end;
        let is_text = !matches!(error.kind(), ParseErrorKind::Operand(_));
        (is_text && error.span.start >= label).then_some(error)
    }
}

/// A distance in which alternate bits are set (0x5555...), so adding it changes every part of an
/// address.
const FAR: u64 = u64::MAX / 3;

/// Returns whether the distances to all targets of a word are independent of its address.
fn is_relative(opcode: &Opcode, word: u128) -> bool {
    let back = |target: u64| opcode.within(target.wrapping_sub(FAR));
    opcode.targets(word, 0).eq(opcode.targets(word, FAR).map(back))
}
