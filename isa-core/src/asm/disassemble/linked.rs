//! What a linker fills in, in the text of a program.

use core::fmt::Write;

use super::{Disassembler, Piece};
use crate::asm::cursor::is_label;
use crate::asm::relocation::{target_fields, target_in_place};
use crate::asm::{LabelMap, Labels, Line, Reference, Relocation, Site, directive};
use crate::table::Opcode;

impl Disassembler {
    /// Writes a piece with the label that a linker finds; says whether the text says all of it.
    pub(super) fn write_linked(
        &self,
        piece: &Piece<'_>,
        open: &[Relocation],
        labels: &LabelMap,
        line: &mut Line,
    ) -> bool {
        let [relocation] = open else { return false };
        let Some(distance) = self.distance(piece, relocation) else { return false };
        let named = relocation.symbol.as_deref().unwrap_or_default();
        // Data may be `.data + 4`. A target is a label alone, which has to be at the place.
        let is_named = piece.instruction.is_none() && is_label(named);
        let (symbol, distance) =
            if is_named { (named, distance) } else { self.named(named, distance, labels) };
        if !is_label(symbol) {
            return false;
        }
        let Some((opcode, word)) = piece.instruction else {
            let Some(directive) = directive::of_size(piece.bytes.len()) else { return false };
            let _ = match distance {
                0 => write!(line, "{directive} {symbol};"),
                _ => {
                    let sign = if distance < 0 { '-' } else { '+' };
                    write!(line, "{directive} {symbol} {sign} {};", distance.unsigned_abs())
                }
            };
            return relocation.is_in_place || piece.bytes.iter().all(|&byte| byte == 0);
        };
        let Some(target) = opcode.targets(word, piece.address).next() else { return false };
        let linked = Linked { labels, target, symbol };
        opcode.print_at(word, Site::new(piece.address, &linked).style(self.style), line);
        distance == 0 && line.as_str().contains(symbol)
    }

    /// How far behind its symbol the place is that a piece names: the addend, without what the linker adds
    /// for each such reference. `None` where the relocation is not the one for the piece.
    pub(super) fn distance(&self, piece: &Piece<'_>, relocation: &Relocation) -> Option<i64> {
        if relocation.address != piece.address || relocation.symbol.is_none() {
            return None;
        }
        let bytes = piece.bytes.len();
        let reference = match piece.instruction {
            Some((opcode, _)) => target_of(opcode)?,
            None => Reference::Data { bytes },
        };
        if !self.is_for(relocation, reference) {
            return None;
        }
        let addend = (self.addends.of)(reference);
        match piece.instruction {
            _ if !relocation.is_in_place => Some(relocation.addend.wrapping_sub(addend)),
            Some((opcode, word)) => {
                let start = target_in_place(opcode, word, piece.address, addend)?;
                let target = opcode.targets(word, piece.address).next()?;
                Some(target.wrapping_sub(start).cast_signed())
            }
            None => {
                let above = 64u32.checked_sub(bytes as u32 * 8)?;
                let number = self.set.byte_order.of_data().word(piece.bytes, bytes as u8 * 8);
                let number = (number as u64).unbounded_shl(above).cast_signed();
                Some(number.unbounded_shr(above).wrapping_sub(addend))
            }
        }
    }

    /// What a text names for a place so far behind a symbol: where that is a section, the last label up to
    /// there, if it has one; and how far behind that the place is.
    fn named<'l>(&'l self, symbol: &'l str, distance: i64, labels: &'l LabelMap) -> (&'l str, i64) {
        let (labels, start) = match self.others.get(symbol) {
            _ if symbol.is_empty() => return (symbol, distance),
            _ if symbol == self.section => (labels, self.origin),
            Some(labels) => (labels, 0),
            None => return (symbol, distance),
        };
        let place = start.wrapping_add_signed(distance);
        match labels.last(place).filter(|(_, address)| *address >= start && distance >= 0) {
            Some((name, address)) => (name, place.wrapping_sub(address).cast_signed()),
            None => (symbol, distance),
        }
    }

    /// How long the data is that begins at an address, if there is some: up to the next label and the
    /// next thing that a linker fills in, and that by itself.
    pub(super) fn data_at(&self, address: u64, rest: &[u8]) -> Option<usize> {
        let next = self.relocations.partition_point(|it| it.address < address);
        let next = self.relocations.get(next);
        let distance = next.map_or(u64::MAX, |next| next.address - address);
        let here = next.filter(|_| distance == 0);
        let linked = here.and_then(|here| {
            [1, 2, 4, 8].into_iter().find(|&bytes| self.is_for(here, Reference::Data { bytes }))
        });
        let behind = self.data.partition_point(|range| range.start <= address);
        let range = behind.checked_sub(1).and_then(|last| self.data.get(last));
        let end = range.and_then(|range| range.end.checked_sub(address)).filter(|end| *end > 0);
        // Where nothing says that there is data, the linker's number for data does.
        let is_target = || here.is_some_and(|here| self.is_target(here, rest));
        let end = end.or_else(|| linked.filter(|_| !is_target()).map(|bytes| bytes as u64))?;
        let label = self.known.next(address).map_or(u64::MAX, |label| label - address);
        let most = linked.map_or(u64::from(self.set.bits / 8), |bytes| bytes as u64);
        let most = if distance == 0 { most } else { most.min(distance) };
        Some(most.min(label).min(end) as usize).filter(|&length| length > 0)
    }

    /// Whether a linker fills in the target of the instruction that these bytes begin with.
    fn is_target(&self, relocation: &Relocation, bytes: &[u8]) -> bool {
        let opcode = self.set.first(bytes).ok().and_then(|first| self.set.opcodes.get(first.0));
        let target = opcode.and_then(|opcode| target_of(opcode));
        target.is_some_and(|target| self.is_for(relocation, target))
    }

    /// Whether a relocation has the linker's number for a reference.
    fn is_for(&self, relocation: &Relocation, reference: Reference) -> bool {
        self.relocate.and_then(|kind_of| kind_of(reference)) == Some(relocation.kind)
    }
}

/// The target of an instruction, of several the first.
fn target_of(opcode: &Opcode) -> Option<Reference> {
    target_fields(opcode).next().map(|field| Reference::target(opcode, field))
}

/// Labels beside one that a linker finds.
struct Linked<'l> {
    labels: &'l LabelMap,
    /// What the target of the instruction is before a linker has changed it.
    target: u64,
    symbol: &'l str,
}

impl Labels for Linked<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        self.labels.address(name)
    }

    fn name(&self, address: u64) -> Option<&str> {
        if address == self.target { Some(self.symbol) } else { self.labels.name(address) }
    }
}
