//! The addresses of the statements of a program, and its bytes.

use alloc::vec::Vec;

use super::{AssemblySession, StatementBytes};
use crate::asm::assembler::Placed;
use crate::asm::section::{self, SectionAddresses};
use crate::asm::{LabelMap, Section, constants, directive, padding};
use crate::parse::Parsed;
use crate::text::{Cursor, InstructionContext};

impl AssemblySession<'_> {
    /// Returns the indexes of the statements in the order of their addresses.
    pub(super) fn order(&self) -> Vec<usize> {
        section::order(self.sections.len(), self.pieces.iter().map(|piece| piece.section))
    }

    /// Places the sections one after the other. If the encoding of a statement depends on its own
    /// address, parses the statement again.
    pub(super) fn follow(&mut self) {
        let mut address = self.origin;
        for number in self.order() {
            let Some(piece) = self.pieces.get(number) else { continue };
            let (section, start) = (piece.section, piece.span.start);
            // A constant has no bytes.
            let fresh = (piece.asks && !piece.defines)
                .then(|| StatementBytes { section, ..self.first_reading(start, address) });
            let Some(piece) = self.pieces.get_mut(number) else { continue };
            if let Some(fresh) = fresh {
                *piece = fresh;
            }
            if self.org == Some(number) {
                (piece.length, piece.is_sure) = (0, true);
            }
            address = address.wrapping_add(piece.length as u64);
        }
    }

    /// Assigns addresses to all statements, and thereby to labels and constants. If the address of the
    /// program is a constant, two passes are necessary, because the value of the constant is known only
    /// after the first pass.
    pub(super) fn place(&mut self, labels: &mut LabelMap) {
        for is_last in [false, true] {
            self.place_from_origin(labels);
            let org = self.org.and_then(|number| self.pieces.get(number)).filter(|_| !is_last);
            let address =
                org.and_then(|piece| self.dialect.org(self.text, piece.span.start, labels)?);
            match address {
                Some(address) if address != self.origin => self.origin = address,
                _ => return,
            }
        }
    }

    fn place_from_origin(&mut self, labels: &mut LabelMap) {
        let lengths = self.pieces.iter().map(|piece| (piece.section, piece.length as u64));
        let mut places =
            SectionAddresses::new(self.origin, self.sections.len(), self.is_object, lengths);
        for ((number, name), start) in self.sections.names().enumerate().zip(places.starts()) {
            let section = if self.is_object { number as u32 } else { 0 };
            labels.insert_start(name, start, section);
        }
        for piece in &mut self.pieces {
            piece.address = places.take(piece.section, piece.length as u64);
        }
        let end = (places.take(self.last_section, 0), self.last_section);
        let pieces = &self.pieces;
        // Sections are relevant only in objects.
        let place_of = |number: usize| {
            let place = pieces.get(number).map(|piece| (piece.address, piece.section));
            let (address, section) = place.unwrap_or(end);
            (address, if self.is_object { section as u32 } else { 0 })
        };
        for (name, (number, _)) in &self.definitions {
            if let Some(number) = *number {
                let (address, section) = place_of(number);
                labels.insert_in(name, address, section);
            }
        }
        if !self.constants.is_empty() {
            let placed = self.constants.iter().map(|(it, number)| {
                let (address, section) = place_of(*number);
                (it.clone(), address, section)
            });
            self.wrong = constants::settle(&placed.collect::<Vec<_>>(), labels);
        }
    }

    /// Returns the alignment of the program: if the address of the program is a multiple of the
    /// result, all alignments in the program are right.
    pub(in crate::asm::assembler) fn align(&self, labels: &LabelMap) -> u64 {
        let data = self.pieces.iter().filter(|piece| matches!(piece.reading, Ok(None)));
        data.map(|piece| self.align_of(piece, labels)).max().unwrap_or(1)
    }

    /// Returns the alignment of the address after a statement, or 1 if the statement does not align it.
    pub(super) fn align_of(&self, piece: &StatementBytes, labels: &LabelMap) -> u64 {
        let site = InstructionContext::new(piece.address, labels);
        let mut cursor = Cursor::in_context(self.text, &site).moved_to(piece.span.start);
        padding::align(&mut cursor, self.dialect)
    }

    /// Appends padding whose bytes the text does not specify. The padding consists of bytes that are 0,
    /// or, between instructions, of instructions that do nothing.
    fn fill(&self, piece: &StatementBytes, labels: &LabelMap, bytes: &mut Vec<u8>) {
        let is_between = self.sections.is_code(piece.section) && self.align_of(piece, labels) > 1;
        let padding = if is_between { self.dialect.padding } else { &[] };
        let mut rest = piece.length;
        let counts = padding.iter().map(|unit| {
            let count = rest.checked_div(unit.len()).unwrap_or(0);
            rest -= count * unit.len();
            (unit, count)
        });
        let counts: Vec<_> = counts.collect();
        bytes.resize(bytes.len() + rest, 0);
        // The padding uses the longest instruction as often as it fits. Shorter instructions, and
        // bytes, fill the rest and are emitted first.
        for (unit, count) in counts.into_iter().rev() {
            (0..count).for_each(|_| bytes.extend_from_slice(unit));
        }
    }

    /// Returns the bytes of all statements. No statement may have an error. For an object, `sections`
    /// contains its sections; sections without contents, such as `.bss`, emit no bytes.
    pub(in crate::asm::assembler) fn finish(
        mut self,
        labels: &LabelMap,
        sections: &[Section],
    ) -> (Vec<u8>, Vec<Placed>) {
        let (mut bytes, mut statements) = (Vec::new(), Vec::with_capacity(self.pieces.len()));
        let (order, byte_order) = (self.order(), self.set.byte_order);
        let mut filled = core::mem::take(&mut self.filled).into_iter().peekable();
        for number in order {
            let Some(piece) = self.pieces.get(number) else { continue };
            let &StatementBytes { address, length, .. } = piece;
            let instruction = piece.reading.as_ref().ok().copied().flatten();
            let at = bytes.len();
            let is_room = sections.get(piece.section).is_some_and(|section| section.is_room);
            match (instruction, filled.next_if(|(filled, _)| *filled == number)) {
                (Some((_, word)), _) => bytes.extend(byte_order.bytes_of(word, length)),
                (None, Some((_, data))) => bytes.extend(data),
                (None, None) if is_room => {}
                (None, None) => {
                    let site = InstructionContext::new(address, labels);
                    let mut cursor =
                        Cursor::in_context(self.text, &site).moved_to(piece.span.start);
                    let data =
                        directive::read(&mut cursor, self.dialect, byte_order, Some(&mut bytes));
                    if let Ok(None) = data
                        && let Ok((Some(Parsed::Word { word, .. }), _)) =
                            self.set.next_with_numbers(&mut cursor)
                    {
                        bytes.extend(byte_order.bytes_of(word, length));
                    }
                    if bytes.len() == at {
                        self.fill(piece, labels, &mut bytes);
                    }
                }
            }
            let span = piece.span.clone();
            statements.push(Placed { address, length, span, instruction });
        }
        (bytes, statements)
    }
}
