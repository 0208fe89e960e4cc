//! A program in an editor: after an edit, only statements that the edit can change are parsed
//! again.
//!
//! The text is divided into *stretches*. Each stretch ends after a statement, so it can be parsed on
//! its own. After an edit, the text is divided again, from the stretch in which the edit begins to the
//! first position after the edit at which an old stretch ended. Statements that ask for their address
//! or contain labels are parsed again if an address changed. The result equals the result of
//! [`Assembler::assemble`](super::super::Assembler::assemble) for the whole text, and the same code
//! computes it.

mod errors;
mod layout;
mod name_uses;
mod segments;
mod statements;
mod unterminated_comment;

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Assembler, AssemblySession, ROUNDS, StatementBytes, finished, lost_labels};
use crate::asm::constants::Definition;
use crate::asm::directive::{self, Effect};
use crate::asm::error::AssembleErrorKind;
use crate::asm::line_mode::label;
use crate::asm::{LabelMap, line_mode};
use crate::error::ParseError;
use crate::parse::Parsed;
use crate::table::InstructionSet;
use crate::text::Cursor;
pub(super) use name_uses::occurrences;
pub use statements::Statement;
use unterminated_comment::UnterminatedComment;

/// A text whose statements, labels and errors are known after each edit.
///
/// ```
/// use isa_core::asm::{Assembler, Draft};
/// # isa_core::define_isa! {
/// #     /// Two instructions.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     enum Op: 8 { DEC = 1, BNZ = 2 }
/// #     opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// #     opcode BNZ {
/// #         encoding { field<8, 8> Op op == BNZ; field<0, 8> Target to; } syntax { BNZ to; }
/// #     }
/// # }
///
/// let mut draft = Draft::new(Assembler::new(Tiny::SET), "loop: DEC R3; BNZ lop;".into());
/// assert_eq!(draft.errors()[0].to_string(), "1:19: unknown label `lop`; did you mean `loop`?");
/// draft.edit(18..21, "loop");
/// assert_eq!(draft.text(), "loop: DEC R3; BNZ loop;");
/// assert!(draft.errors().is_empty());
/// assert_eq!(draft.statements().nth(1).unwrap().address(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Draft {
    assembler: Assembler,
    /// Whether the text may contain labels and data.
    is_program: bool,
    has_targets: bool,
    text: String,
    /// The address of the first byte.
    origin: u64,
    /// The index of the stretch with the `.org` that determines the address of the program. If there is
    /// such a stretch, each edit parses the whole text again.
    org: Option<usize>,
    /// The text with a `;` at the end of each statement, if statements end with their lines.
    ended: Option<String>,
    stretches: Vec<DraftSegment>,
    labels: LabelMap,
    /// Whether the presumed lengths of all statements were right at the first attempt. If not, the next
    /// edit parses the whole text again.
    is_plain: bool,
    is_settled: bool,
    /// Whether the text contains or ever contained a constant.
    has_constants: bool,
    /// The number of sections. If there are several, each edit parses the whole text again.
    sections: usize,
    /// The names of the sections.
    section_names: Vec<String>,
    /// The old stretches of the part of the text that became an unclosed comment.
    taken: Option<Box<UnterminatedComment>>,
}

/// A stretch of text with at most one statement, at its end.
#[derive(Debug, Clone)]
struct DraftSegment {
    /// The end in the text; the start is the end of the previous stretch.
    end: usize,
    /// The address of the statement.
    address: u64,
    /// Whether the statement ends with a terminator, and not only because the text ends.
    is_terminated: bool,
    /// The start of an unclosed comment.
    opened: Option<usize>,
    /// The labels with their positions in the stretch.
    labels: Vec<(usize, String)>,
    // Boxed, because a text has thousands of stretches, but few statements define a constant or name a
    // section.
    constant: Option<Box<Constant>>,
    /// The section of the statement and its labels.
    section: usize,
    turn: Option<Box<SectionChange>>,
    piece: Option<StatementBytes>,
    /// The length of the statement before labels were known, and whether this length was certain.
    first: (usize, bool),
    /// Possible labels in text that could not be parsed.
    lost: Vec<String>,
    /// The unclosed comment after the statement.
    unfinished: Option<Box<ParseError>>,
}

/// A constant that a statement defines.
#[derive(Debug, Clone)]
struct Constant {
    /// The position of its name in the stretch.
    at: usize,
    name: String,
    has_value: bool,
    /// The reason why it has no value, unless another error reports it.
    error: Option<AssembleErrorKind>,
}

/// A directive that selects the section of the statements after it.
#[derive(Debug, Clone)]
struct SectionChange {
    /// The position of the name in the stretch.
    at: Range<usize>,
    /// The error if an earlier directive declared other flags for the section.
    error: Option<AssembleErrorKind>,
}

impl DraftSegment {
    fn length(&self) -> u64 {
        self.piece.as_ref().map_or(0, |piece| piece.length as u64)
    }

    /// Restores the results of the first parse and discards the results of later parses.
    fn restore(&mut self) {
        if let Some(piece) = &mut self.piece {
            (piece.length, piece.is_sure) = self.first;
        }
    }

    fn read_first(&mut self, work: &AssemblySession<'_>, start: usize) {
        let piece = work.first_reading(start, self.address);
        self.first = (piece.length, piece.is_sure);
        self.piece = Some(piece);
    }
}

impl Draft {
    /// Creates the draft of a program, which may contain labels and data.
    #[must_use]
    pub fn new(assembler: Assembler, text: String) -> Self {
        Draft::of(assembler, text, true)
    }

    /// Creates the draft of a sequence of statements without labels and data, which
    /// [`InstructionSet::parse_next`] parses.
    #[must_use]
    pub fn of_statements(set: &'static InstructionSet, text: String) -> Self {
        Draft::of(Assembler::new(set), text, false)
    }

    fn of(assembler: Assembler, text: String, is_program: bool) -> Self {
        let mut draft = Draft {
            is_program,
            has_targets: assembler.set.has_targets(),
            has_constants: assembler.outside.has_constants(),
            ended: assembler.lines.map(|_| String::new()),
            origin: assembler.start(),
            org: None,
            assembler,
            text,
            stretches: Vec::new(),
            labels: LabelMap::new(),
            is_plain: true,
            is_settled: true,
            sections: 1,
            section_names: Vec::new(),
            taken: None,
        };
        draft.read_all();
        draft
    }

    /// Returns the current text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the labels with their addresses.
    #[must_use]
    pub const fn labels(&self) -> &LabelMap {
        &self.labels
    }

    /// Returns whether the text may contain labels and data.
    #[must_use]
    pub const fn is_program(&self) -> bool {
        self.is_program
    }

    /// Returns the instruction set.
    #[must_use]
    pub const fn set(&self) -> &'static InstructionSet {
        self.assembler.set
    }

    /// Replaces a range of the text. A position beyond the end, or inside a character, is moved
    /// back to the nearest valid position.
    pub fn edit(&mut self, range: Range<usize>, new: &str) {
        let boundary = |at: usize| {
            let at = at.min(self.text.len());
            (0..=at).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
        };
        let start = boundary(range.start);
        let range = start..boundary(range.end).max(start);
        if !self.is_plain {
            self.text.replace_range(range, new);
            return self.read_all();
        }
        let mut first = self.stretches.partition_point(|stretch| stretch.end <= range.start);
        let before = first.checked_sub(1).and_then(|before| self.stretches.get(before));
        if before.is_some_and(|stretch| !stretch.is_terminated) {
            first -= 1;
        }
        self.text.replace_range(range.clone(), new);
        if let Some(taken) = &mut self.taken {
            taken.edited(&range, new.len());
        }
        let cuts = self.cut(first, &range, new.len());
        let taken_text = self.taken_text(first, &cuts);
        let resumed = cuts.resumed;
        let (old, mut fresh) = self.replace(first..cuts.behind, cuts.ends, range.len(), new.len());
        let rest = self.resume(resumed);
        let is_whole = self.sections > 1 || self.org.is_some();
        if is_whole || fresh.iter().chain(&rest).any(|stretch| stretch.turn.is_some()) {
            return self.read_all();
        }
        let same = rest.is_empty()
            && old.iter().map(DraftSegment::length).sum::<u64>()
                == fresh.iter().map(DraftSegment::length).sum::<u64>()
            && labels_of(&old).eq(labels_of(&fresh))
            && !old.iter().chain(&fresh).any(|stretch| stretch.constant.is_some());
        if same && self.is_program {
            let labels = core::mem::take(&mut self.labels);
            self.is_plain = self.settle_some(first, &mut fresh, &labels);
            self.labels = labels;
        }
        let count = fresh.len();
        self.stretches.splice(first..first, fresh);
        self.stretches.extend(rest);
        if let Some(text) = taken_text {
            let mut taken = UnterminatedComment::new(old, self.end_before(first), text);
            taken.edited(&range, new.len());
            self.taken = Some(Box::new(taken));
        }
        if self.stretches.last().is_none_or(|stretch| stretch.opened.is_none()) {
            self.taken = None;
        }
        if self.find_org() {
            return self.read_all();
        }
        if self.is_program && !(same && self.is_plain) {
            let from = first + count;
            self.follow(from..self.stretches.len(), self.address_behind(from));
            self.settle();
        }
    }

    /// Parses the whole text again.
    fn read_all(&mut self) {
        self.stretches.clear();
        self.taken = None;
        self.origin = self.assembler.start();
        self.ended = self.ended.take().map(|_| String::new());
        let cuts = self.cut(0, &(0..0), self.text.len());
        let (_, fresh) = self.replace(0..0, cuts.ends, 0, 0);
        self.stretches = fresh;
        self.enter_sections();
        if self.find_org() || self.sections > 1 {
            self.follow_sections();
        }
        self.settle();
    }

    /// Removes the stretches in `range`, and parses new stretches from the current text, which end
    /// at `cuts`.
    fn replace(
        &mut self,
        range: Range<usize>,
        cuts: Vec<segments::SegmentCut>,
        gone: usize,
        new: usize,
    ) -> (Vec<DraftSegment>, Vec<DraftSegment>) {
        let start = self.end_before(range.start);
        let old_end = self.end_before(range.end);
        let is_last = range.end == self.stretches.len();
        let old: Vec<_> = self.stretches.drain(range.clone()).collect();
        for stretch in self.stretches.iter_mut().skip(range.start) {
            stretch.end = stretch.end + new - gone;
        }
        let end = cuts.last().map_or(start, |cut| cut.end);
        self.end_lines(start, if is_last { usize::MAX } else { old_end }, end, &cuts);
        let mut address = self.address_behind(range.start);
        let mut fresh = Vec::with_capacity(cuts.len());
        let mut from = start;
        for cut in cuts {
            let stretch = self.read(from, cut, address);
            address = address.wrapping_add(stretch.length());
            from = stretch.end;
            self.has_constants |= stretch.constant.is_some();
            fresh.push(stretch);
        }
        (old, fresh)
    }

    /// Updates the text with a `;` at the end of each statement.
    fn end_lines(
        &mut self,
        start: usize,
        old_end: usize,
        end: usize,
        cuts: &[segments::SegmentCut],
    ) {
        let (Some(ended), Some(comment)) = (&mut self.ended, self.assembler.lines) else { return };
        let mut new = String::with_capacity(end - start + 1);
        let mut from = start;
        for cut in cuts {
            let text = self.text.get(from..cut.end).unwrap_or_default();
            new.push_str(&line_mode::terminate_lines(text, comment));
            from = cut.end;
        }
        ended.replace_range(start..old_end.min(ended.len()), &new);
    }

    /// Returns the address after the stretch before the given one, if all are in one section.
    fn address_behind(&self, number: usize) -> u64 {
        let before = number.checked_sub(1).and_then(|before| self.stretches.get(before));
        before.map_or(self.origin, |stretch| stretch.address.wrapping_add(stretch.length()))
    }

    /// Returns the end of the stretch before the given one, which is the start of the given one.
    fn end_before(&self, number: usize) -> usize {
        let before = number.checked_sub(1).and_then(|before| self.stretches.get(before));
        before.map_or(0, |stretch| stretch.end)
    }

    /// Returns the text of a stretch in the form that is parsed.
    fn read_as(&self, start: usize, end: usize) -> &str {
        match &self.ended {
            // A `;` may have been added after the end of the text.
            Some(ended) if end == self.text.len() => ended.get(start..),
            Some(ended) => ended.get(start..end),
            None => self.text.get(start..end),
        }
        .unwrap_or_default()
    }

    /// Parses a stretch at an address.
    fn read(&self, start: usize, cut: segments::SegmentCut, address: u64) -> DraftSegment {
        let text = self.read_as(start, cut.end);
        let work = AssemblySession::new(&self.assembler, text);
        let mut stretch = DraftSegment {
            end: cut.end,
            address,
            is_terminated: cut.is_terminated,
            opened: cut.opened.map(|at| at - start),
            labels: Vec::new(),
            constant: None,
            section: 0,
            turn: None,
            piece: None,
            first: (0, false),
            lost: Vec::new(),
            unfinished: None,
        };
        let mut cursor = Cursor::new(text);
        loop {
            let behind = cursor.position();
            if cursor.peek().is_none() {
                stretch.unfinished = finished(&cursor, behind).err().map(Box::new);
                return stretch;
            }
            let at = cursor.position();
            if stretch.piece.is_some() {
                return stretch;
            }
            if self.is_program {
                if let Some(name) = label(&mut cursor) {
                    stretch.labels.push((at, name.into()));
                    continue;
                }
                match directive::effect(text, self.assembler.dialect, at) {
                    None => {}
                    Some(Effect::Section(line)) => {
                        stretch.turn =
                            Some(Box::new(SectionChange { at: line.span(), error: None }));
                    }
                    Some(Effect::Constant(Ok(Definition { name, start: at, .. }))) => {
                        let (name, has_value, error) = (name.into(), true, None);
                        let constant = Constant { at, name, has_value, error };
                        stretch.constant = Some(Box::new(constant));
                    }
                    Some(Effect::Constant(Err(name))) => stretch.lost.push(name.into()),
                }
                stretch.read_first(&work, at);
            } else {
                stretch.piece = Some(self.statement(text, at));
            }
            let Some(piece) = &stretch.piece else { return stretch };
            if piece.reading.is_err() && !piece.has_labels && self.is_program {
                let skipped = text.get(piece.span.clone()).unwrap_or_default();
                stretch.lost.extend(lost_labels(skipped).map(Into::into));
            }
            cursor.seek(piece.span.end);
        }
    }

    /// Parses a statement in a draft that is not a program, without labels and without an address.
    fn statement(&self, text: &str, start: usize) -> StatementBytes {
        let mut cursor = Cursor::new(text).moved_to(start);
        let reading = match self.assembler.set.parse_next(&mut cursor) {
            Ok(Some(Parsed::Instruction { opcode, word, .. })) => Ok(Some((opcode, word))),
            Ok(_) => Ok(None),
            Err(error) => Err(Box::new(error)),
        };
        StatementBytes {
            span: start..cursor.position(),
            address: 0,
            section: 0,
            length: 0,
            is_sure: true,
            has_labels: false,
            defines: false,
            asks: false,
            has_constants: false,
            reading,
        }
    }

    /// Parses the new stretches with labels again, after the addresses of the labels are known.
    /// Returns whether their lengths are unchanged.
    fn settle_some(&self, first: usize, fresh: &mut [DraftSegment], labels: &LabelMap) -> bool {
        let mut start = self.end_before(first);
        fresh.iter_mut().fold(true, |is_plain, stretch| {
            let text = self.read_as(start, stretch.end);
            start = stretch.end;
            let is_same = self.read_again(stretch, text, labels, false);
            is_plain && is_same
        })
    }

    /// Parses a stretch with labels at its address. Returns whether its length is unchanged.
    fn read_again(
        &self,
        stretch: &mut DraftSegment,
        text: &str,
        labels: &LabelMap,
        all: bool,
    ) -> bool {
        let address = stretch.address;
        match &mut stretch.piece {
            Some(piece) if all || piece.has_names(self.has_constants) => {
                piece.address = address;
                AssemblySession::new(&self.assembler, text).read_piece(piece, labels)
            }
            _ => true,
        }
    }

    /// Finds the addresses of all labels and parses the statements with labels again.
    fn settle(&mut self) {
        if !self.is_program {
            return;
        }
        let mut stretches = core::mem::take(&mut self.stretches);
        stretches.iter_mut().for_each(DraftSegment::restore);
        (self.is_plain, self.is_settled) = (true, false);
        for _ in 0..ROUNDS {
            self.labels = self.place(&mut stretches);
            if self.enter_org(&stretches) {
                self.labels = self.place(&mut stretches);
                self.is_plain = false;
            }
            let (mut start, mut is_settled) = (0, true);
            for stretch in &mut stretches {
                let text = self.read_as(start, stretch.end);
                start = stretch.end;
                is_settled &= self.read_again(stretch, text, &self.labels, !self.is_plain);
            }
            if is_settled {
                self.is_settled = true;
                break;
            }
            self.is_plain = false;
        }
        self.stretches = stretches;
    }
}

/// Returns the labels with their addresses, in the order of the text.
fn labels_of(stretches: &[DraftSegment]) -> impl Iterator<Item = (&str, u64)> {
    stretches
        .iter()
        .flat_map(|stretch| stretch.labels.iter().map(|(_, name)| (name.as_str(), stretch.address)))
}

/// Returns all possible labels in text that could not be parsed.
fn lost_in(stretches: &[DraftSegment]) -> BTreeSet<&str> {
    stretches.iter().flat_map(|stretch| stretch.lost.iter().map(String::as_str)).collect()
}
