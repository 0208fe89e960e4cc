//! The text of instructions and data that have a relocation.

use core::fmt::{self, Write};

use super::{Disassembler, NamedLabels, PrintedBytes};
use crate::asm::relocation::{target_fields, target_in_place};
use crate::asm::{Reference, Relocation, dialect};
use crate::parse::Parsed;
use crate::table::Opcode;
use crate::text::{Cursor, InstructionContext, Labels, Line, is_label};

impl Disassembler {
    /// Prints a piece with the label of its relocation. Returns whether the text completely represents
    /// the relocation.
    pub(super) fn write_linked(
        &self,
        piece: &PrintedBytes<'_>,
        open: &[Relocation],
        labels: &NamedLabels<'_>,
        line: &mut Line,
    ) -> bool {
        let [relocation] = open else { return false };
        let Some(distance) = self.distance(piece, relocation) else { return false };
        let named = relocation.symbol.as_deref().unwrap_or_default();
        // In data, a distance may follow the name of a section.
        let is_named = piece.instruction.is_none() && is_label(named);
        let (symbol, distance) =
            if is_named { (named, distance) } else { self.named(named, distance, labels) };
        if !is_label(symbol) {
            return false;
        }
        let Some((opcode, word)) = piece.instruction else {
            let Some(directive) = dialect::of_size(piece.bytes.len()) else { return false };
            let _ = write!(line, "{directive} {symbol}{};", Further(distance));
            // If a name is too long for the line, it is omitted.
            let is_written = line.as_str().contains(symbol) && line.as_str().ends_with(';');
            let is_zero = || piece.bytes.iter().all(|&byte| byte == 0);
            return is_written && (relocation.is_in_place || is_zero());
        };
        let Some(target) = opcode.targets(word, piece.address).next() else { return false };
        let named = Linked { labels, target, symbol };
        opcode.print_at(
            word,
            InstructionContext::new(piece.address, &named).style(self.style),
            line,
        );
        match distance {
            // A dot may begin a modifier, unless the text defines a label of that name.
            0 if symbol.contains('.') && !symbol.starts_with('.') && !labels.has(symbol) => {
                self.is_read_as(line.as_str(), piece, (symbol, target, 0), labels)
            }
            0 => line.as_str().contains(symbol),
            _ => self.go_further(piece, (symbol, target, distance), labels, line),
        }
    }

    /// Adds a distance after the label in a line. Returns whether the line is parsed as the same
    /// instruction: a custom operand type may not accept `label + 8`.
    fn go_further(
        &self,
        piece: &PrintedBytes<'_>,
        named: (&str, u64, i64),
        labels: &NamedLabels<'_>,
        line: &mut Line,
    ) -> bool {
        let plain = *line;
        // Tries each occurrence of the name, because another word of the line may be equal to the
        // label.
        plain.as_str().rmatch_indices(named.0).any(|(place, _)| {
            let (before, behind) = plain.as_str().split_at(place + named.0.len());
            line.clear();
            let _ = write!(line, "{before}{}{behind}", Further(named.2));
            self.is_read_as(line.as_str(), piece, named, labels)
        })
    }

    /// Returns whether a text is parsed as the instruction of a piece if the symbol is `distance`
    /// bytes before the target.
    fn is_read_as(
        &self,
        text: &str,
        piece: &PrintedBytes<'_>,
        (symbol, target, distance): (&str, u64, i64),
        labels: &NamedLabels<'_>,
    ) -> bool {
        let place = target.wrapping_sub(distance.cast_unsigned());
        let labels = Elsewhere { symbol: (symbol, place), labels };
        let read = self.set.parse_whole(Cursor::in_context(
            text,
            &InstructionContext::new(piece.address, &labels),
        ));
        let Ok(Parsed::Instruction { opcode, word, .. }) = read else { return false };
        let read = self.set.opcodes.get(opcode).map(|opcode| (*opcode, word));
        matches!((read, piece.instruction), (Some((read, word)), Some((opcode, own)))
            if core::ptr::eq(read, opcode) && word == own)
    }

    /// Returns the distance from the symbol to the address that a piece refers to. The distance is the
    /// addend minus the number that the linker adds for each such reference. Returns `None` if the
    /// relocation does not belong to the piece.
    pub(super) fn distance(
        &self,
        piece: &PrintedBytes<'_>,
        relocation: &Relocation,
    ) -> Option<i64> {
        let bytes = piece.bytes.len();
        let (reference, place) = match piece.instruction {
            Some((opcode, _)) => {
                let reference = target_of(opcode)?;
                (reference, self.filling.place(reference, piece.address, bytes)?)
            }
            None => (Reference::Data { bytes }, piece.address),
        };
        if relocation.address != place || !self.is_for(relocation, reference) {
            return None;
        }
        let addend = (self.filling.addend_of)(reference);
        match piece.instruction {
            _ if !relocation.is_in_place => Some(relocation.addend.wrapping_sub(addend)),
            Some((opcode, word)) => {
                let start = target_in_place(opcode, word, place, addend)?;
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

    /// Returns the symbol and the distance that are printed. If the given symbol is a section that
    /// contains a label at or before the address, the last such label and the distance from this label
    /// are returned. Otherwise the arguments are returned unchanged.
    fn named<'l>(
        &'l self,
        symbol: &'l str,
        distance: i64,
        labels: &'l NamedLabels<'_>,
    ) -> (&'l str, i64) {
        let (labels, start) = match self.others.get(symbol) {
            _ if symbol.is_empty() => return (symbol, distance),
            _ if symbol == self.section => (labels.inside, self.origin),
            Some(labels) => (&**labels, 0),
            None => return (symbol, distance),
        };
        let place = start.wrapping_add_signed(distance);
        match labels.last(place).filter(|(_, address)| *address >= start && distance >= 0) {
            Some((name, address)) => (name, place.wrapping_sub(address).cast_signed()),
            None => (symbol, distance),
        }
    }

    /// Returns the length of the data at an address, or `None` if there is no data. The data ends
    /// before the next label and before the next relocation. Data with a relocation is a separate
    /// piece.
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
        // If no data is declared at this address, a relocation with a type for data shows that there is
        // data.
        let is_target = || here.is_some_and(|here| self.is_target(here, rest));
        let end = end.or_else(|| linked.filter(|_| !is_target()).map(|bytes| bytes as u64))?;
        let label = self.known.next(address).map_or(u64::MAX, |label| label - address);
        let most = linked.map_or(u64::from(self.set.bits / 8), |bytes| bytes as u64);
        let most = if distance == 0 { most } else { most.min(distance) };
        Some(most.min(label).min(end) as usize).filter(|&length| length > 0)
    }

    /// Returns whether `relocation` is for the target of the instruction at the start of `bytes`.
    fn is_target(&self, relocation: &Relocation, bytes: &[u8]) -> bool {
        let opcode = self.set.first(bytes).ok().and_then(|first| self.set.opcodes.get(first.0));
        let target = opcode.and_then(|opcode| target_of(opcode));
        // If relocations for this target are at an offset in the instruction, a relocation at the start
        // of an instruction does not belong to the target.
        target.is_some_and(|target| {
            (self.filling.place_of)(target) == 0 && self.is_for(relocation, target)
        })
    }

    /// Returns whether a relocation has the type for a reference.
    fn is_for(&self, relocation: &Relocation, reference: Reference) -> bool {
        self.relocate.and_then(|kind_of| kind_of(reference)) == Some(relocation.kind)
    }
}

/// Returns the target of an instruction, the first if there are several.
fn target_of(opcode: &Opcode) -> Option<Reference> {
    target_fields(opcode).next().map(|field| Reference::target(opcode, field))
}

/// The offset that is printed after a label, for example ` + 8`. An offset of 0 prints nothing.
struct Further(i64);

impl fmt::Display for Further {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            below if below < 0 => write!(f, " - {}", below.unsigned_abs()),
            above => write!(f, " + {above}"),
        }
    }
}

/// Labels of which only `symbol` has an address. `labels` decides whether another name is a label.
struct Elsewhere<'l> {
    symbol: (&'l str, u64),
    labels: &'l dyn Labels,
}

impl Labels for Elsewhere<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        (name == self.symbol.0).then_some(self.symbol.1)
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }

    fn has(&self, name: &str) -> bool {
        self.labels.has(name)
    }
}

/// Labels that name the address `target` after the symbol of the relocation, and all other
/// addresses as `labels` does.
struct Linked<'l> {
    labels: &'l dyn Labels,
    /// The target of the instruction before linking.
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

    fn has(&self, name: &str) -> bool {
        self.labels.has(name)
    }
}
