//! The addresses of the statements of a draft.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::{AssemblySession, Draft, DraftSegment};
use crate::asm::directive::{self, Effect};
use crate::asm::section::{self, SectionAddresses, Sections};
use crate::asm::{LabelMap, constants};
use crate::text::Labels as _;

impl Draft {
    /// Finds the section of each statement.
    pub(super) fn enter_sections(&mut self) {
        let dialect = self.assembler.dialect;
        let mut stretches = core::mem::take(&mut self.stretches);
        let (mut sections, mut current, mut start) = (Sections::new(), 0, 0);
        for stretch in &mut stretches {
            let text = self.read_as(start, stretch.end);
            (start, stretch.section) = (stretch.end, current);
            if let (Some(turn), Some(piece)) = (&mut stretch.turn, &stretch.piece)
                && let Some(Effect::Section(line)) =
                    directive::effect(text, dialect, piece.span.start)
            {
                (current, turn.error) = sections.enter(&line);
            }
        }
        let names: Vec<String> = sections.names().map(String::from).collect();
        (self.sections, self.section_names) = (names.len(), names);
        self.stretches = stretches;
    }

    /// Assigns addresses to all stretches, section by section.
    pub(super) fn follow_sections(&mut self) {
        let sections = self.stretches.iter().map(|stretch| stretch.section);
        self.follow(section::order(self.sections, sections), self.origin);
    }

    /// Finds the `.org` that determines the address of the program. Returns whether there is one.
    pub(super) fn find_org(&mut self) -> bool {
        let may_have = self.is_program && self.assembler.origin.is_none();
        let outside = &self.assembler.outside;
        let org = |(start, stretch): (usize, &DraftSegment)| self.org_in(start, stretch, outside);
        let first = section::first(
            self.with_starts()
                .map(|it| (it.1.section, may_have && (it.1.length() > 0 || org(it).is_some()))),
        );
        let found = first.and_then(|first| org(self.with_starts().nth(first)?));
        if let Some(address) = found {
            (self.org, self.origin) = (first, address.unwrap_or(self.assembler.start()));
        } else {
            self.org = None;
        }
        found.is_some()
    }

    /// Returns [`Dialect::org`](crate::asm::dialect::Dialect::org) for the statement in a
    /// stretch.
    fn org_in(
        &self,
        start: usize,
        stretch: &DraftSegment,
        labels: &LabelMap,
    ) -> Option<Option<u64>> {
        let piece = stretch.piece.as_ref()?;
        self.assembler.dialect.org(self.read_as(start, stretch.end), piece.span.start, labels)
    }

    /// Updates the address of the program from its `.org`, after labels and constants are known.
    /// Returns whether the address changed.
    pub(super) fn enter_org(&mut self, stretches: &[DraftSegment]) -> bool {
        let Some(number) = self.org else { return false };
        let before = number.checked_sub(1).and_then(|before| stretches.get(before));
        let start = before.map_or(0, |stretch| stretch.end);
        let Some(stretch) = stretches.get(number) else { return false };
        match self.org_in(start, stretch, &self.labels).flatten() {
            Some(address) if address != self.origin => {
                self.origin = address;
                true
            }
            _ => false,
        }
    }

    /// Assigns addresses to consecutive stretches, and parses the statements that ask for their
    /// address again.
    pub(super) fn follow(&mut self, numbers: impl IntoIterator<Item = usize>, mut address: u64) {
        let mut stretches = core::mem::take(&mut self.stretches);
        for number in numbers {
            let before = number.checked_sub(1).and_then(|before| stretches.get(before));
            let start = before.map_or(0, |stretch| stretch.end);
            let Some(stretch) = stretches.get_mut(number) else { continue };
            if stretch.address != address || self.org == Some(number) {
                stretch.address = address;
                let asking = stretch.piece.as_ref().filter(|piece| piece.asks);
                if let Some(at) = asking.map(|piece| piece.span.start) {
                    let text = self.read_as(start, stretch.end);
                    stretch.read_first(&AssemblySession::new(&self.assembler, text), at);
                }
            }
            if let Some(piece) = stretch.piece.as_mut().filter(|_| self.org == Some(number)) {
                (piece.length, piece.is_sure) = (0, true);
                stretch.first = (0, true);
            }
            address = address.wrapping_add(stretch.length());
        }
        self.stretches = stretches;
    }

    /// Assigns addresses to all stretches, and thereby to all labels.
    pub(super) fn place(&self, stretches: &mut [DraftSegment]) -> LabelMap {
        let mut labels = self.assembler.outside.clone();
        let lengths = stretches.iter().map(|stretch| (stretch.section, stretch.length()));
        let mut places = SectionAddresses::new(self.origin, self.sections, false, lengths);
        let starts: Vec<u64> = places.starts().collect();
        let (mut start, mut names) = (0, BTreeSet::new());
        let (mut definitions, mut numbers) = (Vec::new(), Vec::new());
        for (number, stretch) in stretches.iter_mut().enumerate() {
            let text = self.read_as(start, stretch.end);
            start = stretch.end;
            stretch.address = places.take(stretch.section, stretch.length());
            for (_, name) in &stretch.labels {
                // If a label is defined several times, the first definition applies. Labels from
                // outside take precedence.
                if labels.address(name).is_none() && !names.contains(name.as_str()) {
                    labels.insert(name, stretch.address);
                }
            }
            if let Some(constant) = &mut stretch.constant {
                (constant.has_value, constant.error) = (true, None);
            }
            if stretch.constant.is_some()
                && let Some(piece) = &stretch.piece
                && let Some(Effect::Constant(Ok(definition))) =
                    directive::effect(text, self.assembler.dialect, piece.span.start)
                && labels.address(definition.name).is_none()
                && names.insert(definition.name)
            {
                definitions.push((definition, stretch.address, 0));
                numbers.push(number);
            }
        }
        for (name, start) in self.section_names.iter().zip(starts) {
            labels.insert_start(name, start, 0);
        }
        for (place, wrong) in constants::settle(&definitions, &mut labels) {
            let constant = numbers.get(place).and_then(|&number| stretches.get_mut(number));
            if let Some(constant) = constant.and_then(|stretch| stretch.constant.as_mut())
                && let Some((definition, ..)) = definitions.get(place)
            {
                constant.has_value = false;
                let error = definition.error(&wrong, 0).map(|(_, kind)| kind);
                constant.error = error.or(constant.error.take());
            }
        }
        labels
    }
}
