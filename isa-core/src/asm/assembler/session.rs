//! A program in the process of assembly: its statements, labels and errors.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use super::Assembler;
use crate::asm::constants::{ConstantError, Definition};
use crate::asm::dialect::{Dialect, Directive};
use crate::asm::directive::{self, Effect};
use crate::asm::error::AssembleErrorKind;
use crate::asm::line_mode::label;
use crate::asm::relocation::Filling;
use crate::asm::section::{self, Sections};
use crate::asm::{LabelMap, SymbolType, globals, padding, symbol_types};
use crate::error::{ParseError, ParseErrorKind};
use crate::parse::{Parsed, finished};
use crate::table::InstructionSet;
use crate::text::{AddressPart, Cause, Cursor, InstructionContext, Labels, Linker};

mod incremental;
mod layout;
mod relocate;

pub use incremental::{Draft, Statement};

/// The maximum number of times that addresses are computed again because the length of a statement
/// differs from the presumed length.
const ROUNDS: usize = 4;

/// A map from names to optional indexes and positions. All maps in this module have the same type,
/// because the code of each additional type takes a kilobyte in a WebAssembly module.
type ProgramNames<'t> = BTreeMap<&'t str, (Option<usize>, usize)>;

/// A program in the process of assembly.
pub(super) struct AssemblySession<'t> {
    set: &'static InstructionSet,
    dialect: Dialect,
    text: &'t str,
    /// The address of the first byte.
    pub(super) origin: u64,
    /// The index of the `.org` statement that determines the address of the program.
    org: Option<usize>,
    pieces: Vec<StatementBytes>,
    /// For each name, the index of the statement that follows the label, and the position of its
    /// definition. Constants have no such statement.
    definitions: ProgramNames<'t>,
    /// The constants, each with the index of its statement.
    constants: Vec<(Definition<'t>, usize)>,
    /// The constants without a value, as indexes into `constants`, and the reason.
    wrong: Vec<(usize, ConstantError<'t>)>,
    /// Possible labels in text that was skipped after an error.
    lost: ProgramNames<'t>,
    pub(super) errors: Vec<(Range<usize>, AssembleErrorKind)>,
    /// Whether the program is an object. In an object, a linker places the sections separately, and a
    /// label is useful as a symbol even if no statement refers to it.
    is_object: bool,
    sections: Sections<'t>,
    /// The section at the end of the text.
    last_section: usize,
    /// For each data statement with relocations, the index of the statement and its bytes, in order.
    filled: Vec<(usize, Vec<u8>)>,
    filling: Filling,
}

/// A statement in the process of assembly.
#[derive(Debug, Clone)]
struct StatementBytes {
    span: Range<usize>,
    address: u64,
    section: usize,
    /// The length in bytes. It is only an assumption unless `is_sure` is true.
    length: usize,
    is_sure: bool,
    /// Whether the statement contains labels, so its bits may change with its address.
    has_labels: bool,
    /// Whether the statement defines a constant. The value of a constant may contain labels of all
    /// sections.
    defines: bool,
    /// Whether the first parse of the statement asked for its address.
    asks: bool,
    /// Whether the statement is an instruction with constants.
    has_constants: bool,
    reading: Result<Option<(usize, u128)>, Box<ParseError>>,
}

impl StatementBytes {
    /// Returns whether other labels or constants may change the result of the parse.
    const fn has_names(&self, has_constants: bool) -> bool {
        self.has_labels || has_constants && (self.has_constants || self.reading.is_err())
    }

    fn fault(&self) -> Option<Cause> {
        match self.reading.as_ref().err()?.kind() {
            ParseErrorKind::Operand(fault) => Some(fault.cause),
            _ => None,
        }
    }

    /// Returns whether the error may only be a consequence of another error. Such an error is an
    /// unknown name that may be defined in text that could not be parsed (`is_lost`), or a wrong
    /// distance if the lengths of some statements are unknown.
    fn fault_follows(&self, has_lengths: bool, is_lost: bool) -> bool {
        match self.fault() {
            Some(Cause::UnknownLabel | Cause::UnknownConstant) => is_lost,
            Some(cause) => cause.depends_on_place() && !has_lengths,
            None => false,
        }
    }
}

/// Returns whether the lengths of all statements are known, or depend only on labels and distances.
fn have_lengths<'p>(mut pieces: impl Iterator<Item = &'p StatementBytes>) -> bool {
    let waits = |cause: Cause| cause == Cause::UnknownLabel || cause.depends_on_place();
    // The error of any other statement is always reported.
    pieces.all(|piece| piece.is_sure || piece.fault().is_some_and(waits))
}

/// The error for a program that reserves too much space.
const TOO_MUCH: AssembleErrorKind = AssembleErrorKind::TooMuchRoom { most: padding::MOST_OF_ALL };

/// Adds up the lengths of the `is_room` statements, and returns the first statement with which the sum
/// exceeds the limit. The first element of each pair is the length of the statement.
fn beyond<T>(
    statements: impl Iterator<Item = (usize, T)> + Clone,
    is_room: impl Fn(&T) -> bool,
) -> Option<T> {
    let lengths = statements.clone().map(|(length, _)| length);
    // `is_room` is called only if the whole program is longer than the limit.
    if lengths.fold(0, usize::saturating_add) <= padding::MOST_OF_ALL {
        return None;
    }
    let mut sum = 0usize;
    let mut rooms = statements.filter(|(_, statement)| is_room(statement));
    let found = rooms.find(|(length, _)| {
        sum = sum.saturating_add(*length);
        sum > padding::MOST_OF_ALL
    });
    found.map(|(_, statement)| statement)
}

/// Returns the name that an error refers to.
fn name_in<'t>(text: &'t str, error: &ParseError) -> &'t str {
    Cursor::new(text.get(error.span.clone()).unwrap_or_default()).whole_name()
}

/// The result of parsing a statement.
struct AddressReading {
    end: usize,
    length: usize,
    instruction: Option<(usize, u128)>,
    has_constants: bool,
}

/// Labels that all have the same address, used to find the lengths of statements.
struct AssumedLabels {
    target: u64,
    is_asked: Cell<bool>,
}

impl Labels for AssumedLabels {
    fn address(&self, _: &str) -> Option<u64> {
        self.is_asked.set(true);
        Some(self.target)
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }

    /// While labels are unknown, the parser assumes that no label contains a dot.
    fn has(&self, _: &str) -> bool {
        false
    }
}

/// A linker that ignores the addends of labels and uses 0 for parts of addresses.
struct ZeroLinker;

impl Linker for ZeroLinker {
    fn refer(&self, _: &str, _: i128, _: Option<&'static AddressPart>) -> i128 {
        0
    }
}

/// Returns possible addresses for a label whose address is unknown. The first is the address of the
/// instruction, which is valid for most relative targets. The others are 0 and all powers of two,
/// because a custom operand type may accept only addresses of some range.
fn candidate_addresses(address: u64) -> impl Iterator<Item = u64> {
    let place = move |number: u32| match number {
        0 => address,
        1 => 0,
        _ => 1 << (number - 2),
    };
    (0..u64::BITS + 2).map(place)
}

impl<'t> AssemblySession<'t> {
    pub(super) fn new(assembler: &Assembler, text: &'t str) -> Self {
        AssemblySession {
            set: assembler.set,
            dialect: assembler.dialect,
            text,
            origin: assembler.start(),
            org: None,
            pieces: Vec::new(),
            definitions: BTreeMap::new(),
            constants: Vec::new(),
            wrong: Vec::new(),
            lost: ProgramNames::new(),
            errors: Vec::new(),
            is_object: false,
            sections: Sections::new(),
            last_section: 0,
            filled: Vec::new(),
            filling: Filling::PLAIN,
        }
    }

    /// Finds the statements with their lengths, and the labels.
    pub(super) fn scan(&mut self, assembler: &Assembler) {
        // `ends` contains the current end of each section.
        let (mut cursor, mut ends) = (Cursor::new(self.text), alloc::vec![self.origin]);
        self.is_object = assembler.object.is_some();
        self.filling = assembler.filling;
        loop {
            let behind = cursor.position();
            if cursor.peek().is_none() {
                if let Err(error) = finished(&cursor, behind) {
                    self.errors.push((error.span.clone(), error.into()));
                }
                break;
            }
            let start = cursor.position();
            if let Some(name) = label(&mut cursor) {
                self.define(name, start, Some(self.pieces.len()), &assembler.outside);
                continue;
            }
            let (section, mut defines) = (self.last_section, false);
            match directive::effect(self.text, self.dialect, start) {
                None => {}
                Some(Effect::Constant(Ok(definition))) => {
                    defines = true;
                    let Definition { name, start, .. } = definition;
                    if self.define(name, start, None, &assembler.outside) {
                        self.constants.push((definition, self.pieces.len()));
                    }
                }
                Some(Effect::Constant(Err(name))) => _ = self.lost.insert(name, (None, 0)),
                Some(Effect::Section(line)) => {
                    let (number, error) = self.sections.enter(&line);
                    self.errors.extend(error.map(|kind| (line.span(), kind)));
                    self.last_section = number;
                    if number == ends.len() {
                        ends.push(self.origin);
                    }
                }
            }
            let Some(end) = ends.get_mut(section) else { break };
            let piece = StatementBytes { section, defines, ..self.first_reading(start, *end) };
            *end = end.wrapping_add(piece.length as u64);
            if piece.reading.is_err() && !piece.has_labels {
                self.lose_labels(piece.span.clone());
            }
            cursor.seek(piece.span.end);
            self.pieces.push(piece);
        }
        if self.is_object {
            return;
        }
        if assembler.origin.is_none() {
            self.find_org(&assembler.outside);
        }
        if self.sections.len() > 1 || self.org.is_some() {
            self.follow();
        }
    }

    /// Finds the `.org` that determines the address of the program.
    fn find_org(&mut self, labels: &LabelMap) {
        let org = |piece: &StatementBytes| self.dialect.org(self.text, piece.span.start, labels);
        let pieces = self.pieces.iter();
        let first = section::first(
            pieces.map(|piece| (piece.section, piece.length > 0 || org(piece).is_some())),
        );
        let found = first.and_then(|first| org(self.pieces.get(first)?));
        if let Some(address) = found {
            (self.org, self.origin) = (first, address.unwrap_or(self.origin));
        }
    }

    /// Records a label of a statement, or a constant. Returns whether the name is new.
    fn define(
        &mut self,
        name: &'t str,
        start: usize,
        statement: Option<usize>,
        outside: &LabelMap,
    ) -> bool {
        let first = match self.definitions.get(name) {
            Some(&(_, first)) => Some(first),
            None if outside.address(name).is_some() => None,
            None => {
                self.definitions.insert(name, (statement, start));
                return true;
            }
        };
        let span = start..start + name.len();
        let first = first.map(|first| first..first + name.len());
        self.errors.push((span, AssembleErrorKind::LabelTwice { name: name.into(), first }));
        false
    }

    /// Records possible labels in text that is skipped.
    fn lose_labels(&mut self, span: Range<usize>) {
        for name in lost_labels(self.text.get(span).unwrap_or_default()) {
            self.lost.insert(name, (None, 0));
        }
    }

    /// Parses a statement of the first section while labels are unknown.
    fn first_reading(&self, start: usize, address: u64) -> StatementBytes {
        let mut piece = StatementBytes {
            span: start..start,
            address,
            section: 0,
            length: 0,
            is_sure: false,
            has_labels: false,
            defines: false,
            asks: false,
            has_constants: false,
            reading: Ok(None),
        };
        let presumed = AssumedLabels { target: address, is_asked: Cell::new(false) };
        let asks = Cell::new(false);
        self.read_piece_at(&mut piece, &InstructionContext::new(address, &presumed).noting(&asks));
        (piece.has_labels, piece.asks) = (presumed.is_asked.get(), asks.get());
        if piece.reading.is_err() {
            // The statement may be valid if its labels have other addresses.
            let learned =
                if piece.has_labels { self.length_elsewhere(start, address) } else { None };
            piece.is_sure = learned.is_some();
            piece.length = learned.unwrap_or_else(|| self.presumed_length(start));
        }
        piece
    }

    /// Returns the length of a statement that cannot be parsed if its labels have its own address.
    /// Returns `None` if it cannot be parsed with other addresses of its labels either.
    fn length_elsewhere(&self, start: usize, address: u64) -> Option<usize> {
        candidate_addresses(address).find_map(|target| {
            let presumed = AssumedLabels { target, is_asked: Cell::new(false) };
            let site = InstructionContext::new(address, &presumed).linked(&ZeroLinker);
            let reading = self.read(&mut Cursor::in_context(self.text, &site).moved_to(start));
            reading.ok().map(|reading| reading.length)
        })
    }

    /// Parses a statement at its address and returns whether its length is the same as before.
    fn read_piece(&self, piece: &mut StatementBytes, labels: &dyn Labels) -> bool {
        self.read_piece_at(piece, &InstructionContext::new(piece.address, labels))
    }

    fn read_piece_at(&self, piece: &mut StatementBytes, site: &InstructionContext<'_>) -> bool {
        let mut cursor = Cursor::in_context(self.text, site).moved_to(piece.span.start);
        match self.read(&mut cursor) {
            Ok(AddressReading { end, length, instruction, has_constants }) => {
                let same = piece.length == length;
                piece.has_constants |= has_constants;
                piece.span.end = end;
                (piece.length, piece.is_sure, piece.reading) = (length, true, Ok(instruction));
                same
            }
            Err(error) => {
                piece.span.end = cursor.position();
                piece.reading = Err(Box::new(error));
                true
            }
        }
    }

    fn read(&self, cursor: &mut Cursor<'_>) -> Result<AddressReading, ParseError> {
        if let Some(length) = directive::read(cursor, self.dialect, self.set.byte_order, None)? {
            let end = cursor.position();
            return Ok(AddressReading { end, length, instruction: None, has_constants: false });
        }
        let (parsed, has_constants) = self.set.next_with_numbers(cursor)?;
        let (bits, instruction) = match parsed {
            Some(Parsed::Instruction { opcode, word, .. }) => {
                let row = self.set.opcodes.get(opcode);
                let bits = row.map_or(0, |opcode| opcode.width_of(word));
                (bits, Some((opcode, word)))
            }
            _ => (self.set.bits, None),
        };
        let (end, length) = (cursor.position(), usize::from(bits / 8));
        Ok(AddressReading { end, length, instruction, has_constants })
    }

    /// Returns the presumed length of a statement that cannot be parsed.
    fn presumed_length(&self, start: usize) -> usize {
        let mut cursor = Cursor::new(self.text).moved_to(start);
        let mnemonic = self.set.mnemonic(&mut cursor);
        let first = mnemonic.and_then(|(mnemonic, _)| mnemonic.opcodes.first());
        let opcode = first.and_then(|&first| self.set.spellings.get(usize::from(first)));
        usize::from(opcode.map_or(self.set.bits, |opcode| opcode.bits) / 8)
    }

    /// Finds the addresses of all labels and parses the statements with labels again. Returns
    /// whether the lengths are stable in the end.
    pub(super) fn settle(&mut self, labels: &mut LabelMap) -> bool {
        let mut has_moved = false;
        let has_constants = !self.constants.is_empty() || labels.has_constants();
        for _ in 0..ROUNDS {
            let before = self.origin;
            self.place(labels);
            has_moved |= self.origin != before;
            let mut pieces = core::mem::take(&mut self.pieces);
            let mut is_settled = true;
            for piece in pieces.iter_mut().filter(|it| has_moved || it.has_names(has_constants)) {
                labels.enter(Some(piece.section).filter(|_| !piece.defines));
                is_settled &= self.read_piece(piece, labels);
            }
            labels.enter(None);
            self.pieces = pieces;
            if is_settled {
                return true;
            }
            has_moved = true;
        }
        false
    }

    /// Reports the errors of the statements in their current state.
    pub(super) fn collect_errors(&mut self, is_settled: bool) {
        let has_lengths = have_lengths(self.pieces.iter());
        let mut without_value = ProgramNames::new();
        for (place, wrong) in &self.wrong {
            let Some((definition, _)) = self.constants.get(*place) else { continue };
            without_value.insert(definition.name, (None, 0));
            self.errors.extend(definition.error(wrong, 0));
        }
        let before = self.errors.len();
        let lengths = self.pieces.iter().map(|piece| (piece.length, piece));
        let is_room = |piece: &&StatementBytes| self.dialect.is_room(self.text, piece.span.start);
        if let Some(piece) = beyond(lengths, is_room) {
            self.errors.push((piece.span.clone(), TOO_MUCH));
        }
        for piece in &self.pieces {
            let Err(error) = &piece.reading else { continue };
            let name = name_in(self.text, error);
            let is_lost = self.lost.contains_key(name);
            if !piece.fault_follows(has_lengths, is_lost) && !without_value.contains_key(name) {
                self.errors.push((error.span.clone(), ParseError::clone(error).into()));
            }
        }
        let is_used = self.is_object
            || self.pieces.iter().any(|piece| piece.has_labels)
            || self.set.has_targets();
        let mut labels = self.definitions.iter().filter(|(_, (number, _))| number.is_some());
        if let Some((name, (_, start))) = labels.next()
            && !is_used
        {
            let kind = AssembleErrorKind::NoTargets { set: self.set.name };
            self.errors.push((*start..start + name.len(), kind));
        }
        if !is_settled && self.errors.len() == before {
            let with_labels = self.pieces.iter().find(|piece| piece.has_labels);
            let span = with_labels.map_or(0..0, |piece| piece.span.clone());
            self.errors.push((span, AssembleErrorKind::Unsettled));
        }
    }

    /// Returns the directives of statements without bytes, each with a cursor after its name.
    fn directives_without_bytes(&self) -> impl Iterator<Item = (Directive, Cursor<'t>)> {
        let pieces = self.pieces.iter().filter(|piece| piece.length == 0);
        pieces.filter_map(|piece| self.dialect.at(self.text, piece.span.start))
    }

    /// Returns the labels of `.globl` without duplicates.
    pub(super) fn globals(&self) -> Vec<String> {
        let (mut names, mut known) = (Vec::new(), ProgramNames::new());
        for (directive, mut cursor) in self.directives_without_bytes() {
            let Directive::Globals = directive else { continue };
            let _ = globals::read(&mut cursor, |name| {
                if known.insert(name, (None, 0)).is_none() {
                    names.push(name.into());
                }
            });
        }
        names
    }

    /// Returns the types of the `.type` lines in their order.
    pub(super) fn types(&self) -> Vec<(String, SymbolType)> {
        let all = self.directives_without_bytes();
        let lines = all.filter(|(directive, _)| matches!(directive, Directive::Type));
        let read = |(_, mut cursor)| symbol_types::read(&mut cursor).ok();
        lines.filter_map(read).map(|(name, is)| (name.into(), is)).collect()
    }
}

/// Returns possible labels at the starts of lines.
fn lost_labels(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| label(&mut Cursor::new(line)))
}
