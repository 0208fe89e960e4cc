//! The positions at which statements refer to labels and constants.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::cmp::Reverse;
use core::ops::Range;

use super::{AssemblySession, Statement};
use crate::asm::dialect::Directive;
use crate::text::{Cursor, InstructionContext, Labels, beginnings, quoted_len};

/// A name that no label is expected to have, although it is a valid label.
const OTHER: &str = "__other_label_0__";

/// Labels that record the names that are looked up, and hide one of them.
struct Asked<'l> {
    labels: &'l dyn Labels,
    hidden: &'l str,
    /// The value of [`OTHER`], if it replaces a constant.
    other: Option<i128>,
    names: RefCell<Vec<String>>,
}

impl Labels for Asked<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        let mut names = self.names.borrow_mut();
        if !names.iter().any(|known| known == name) {
            names.push(name.into());
        }
        if name == self.hidden { None } else { self.labels.address(name) }
    }

    fn name(&self, address: u64) -> Option<&str> {
        self.labels.name(address)
    }

    fn constant(&self, name: &str) -> Option<i128> {
        let known = self.labels.constant(name).filter(|_| name != self.hidden);
        let number = if name == OTHER { self.other } else { known };
        if number.is_some() {
            let _ = self.address(name);
        }
        number
    }

    /// Returns true for a hidden label too, so that its text is not parsed as a shorter label with a
    /// modifier.
    fn has(&self, name: &str) -> bool {
        self.labels.has(name) || name == OTHER
    }
}

impl Statement<'_> {
    /// Returns the positions at which the statement refers to labels and constants, in order,
    /// including unknown names. The name that the statement itself defines is not included; see
    /// [`Statement::constant`].
    #[must_use]
    pub fn references(&self) -> Vec<Range<usize>> {
        let text = self.read_as();
        let Some(piece) = self.stretch.piece.as_ref().filter(|_| self.has_labels()) else {
            return Vec::new();
        };
        let at = piece.span.start;
        let mut places: Vec<Range<usize>> = Vec::new();
        // If the statement can be parsed without the label of a name, the name is a register, and only
        // another form of the statement contains a label. An exception are `.globl` and `.type`, which
        // accept labels that the program does not define.
        let all = matches!(
            self.draft.assembler.dialect.at(text, at),
            Some((Directive::Globals | Directive::Type, _))
        );
        let is_label =
            |name: &&String| *name != "." && (all || !self.read_asking(text, at, name, None).1);
        for name in self.read_asking(text, at, "", None).0.iter().filter(is_label) {
            let number = self.draft.labels.constant(name);
            let named: Vec<_> = occurrences(text, at, name).collect();
            let is_only = named.len() == 1;
            // An occurrence of the name may be a register. Each occurrence is therefore replaced by
            // another name as a test. If the occurrence is a label, the other name is looked up. If it
            // is a constant, the statement is also still valid.
            places.extend(named.into_iter().filter(|place| {
                is_only || {
                    let (before, behind) = (text.get(..place.start), text.get(place.end..));
                    let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
                    let other = format!("{before}{OTHER}{behind}");
                    let (asked, is_right) = self.read_asking(&other, at, "", number);
                    asked.iter().any(|name| name == OTHER) && (is_right || number.is_none())
                }
            }));
        }
        // If a name is unknown, the part before a dot in it is also looked up.
        places.sort_by_key(|place| (place.start, Reverse(place.end)));
        places.dedup_by_key(|place| place.start);
        let start = self.start;
        places.into_iter().map(|place| place.start + start..place.end + start).collect()
    }

    /// Parses the text from a position on, with one name hidden. Returns the names that are looked up,
    /// and whether the text is valid.
    fn read_asking(
        &self,
        text: &str,
        at: usize,
        hidden: &str,
        other: Option<i128>,
    ) -> (Vec<String>, bool) {
        let names = RefCell::new(Vec::new());
        let asked = Asked { labels: &self.draft.labels, hidden, other, names };
        let site = InstructionContext::new(self.stretch.address, &asked);
        let mut cursor = Cursor::in_context(text, &site).moved_to(at);
        let reading = AssemblySession::new(&self.draft.assembler, text).read(&mut cursor);
        (asked.names.into_inner(), reading.is_ok())
    }
}

/// Returns the positions at which a name is a whole word of the text, outside comments.
pub(in crate::asm::assembler) fn occurrences<'t>(
    text: &'t str,
    from: usize,
    name: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    let mut cursor = Cursor::new(text).moved_to(from);
    core::iter::from_fn(move || {
        loop {
            cursor.peek()?;
            let at = cursor.position();
            if let quoted @ 1.. = quoted_len(cursor.rest()) {
                cursor.seek(at + quoted);
                continue;
            }
            let whole = cursor.clone().whole_name();
            match cursor.name() {
                // A number or another character is skipped as a whole, because a name does not begin in
                // the middle of a word.
                "" if cursor.word().is_empty() => cursor.seek(cursor.next_boundary(at)),
                "" => {}
                found if found == name => return Some(at..at + name.len()),
                // The text after a dot may also be a name.
                found if found.starts_with('.') => cursor.seek(at + 1),
                _ if beginnings(whole).any(|found| found == name) => {
                    return Some(at..at + name.len());
                }
                _ => {}
            }
        }
    })
}
