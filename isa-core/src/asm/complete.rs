//! Completion: the texts that can follow the beginning of a statement.
//!
//! The tables list the candidates: mnemonics, names of values, texts of operands. The parser
//! decides whether a candidate is valid: it parses the text with the candidate appended, and the
//! candidate is valid if there is no error before its end.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::Range;

use super::dialect::{DIRECTIVES, Dialect, Directive};
use crate::error::{ParseError, ParseErrorKind};
use crate::operand::Value;
use crate::table::{Field, InstructionSet, Item, MAX_ARGS, Mnemonic, Opcode, Syntax};
use crate::text::{Cursor, InstructionContext, Labels, Line, is_name, word_len};

/// The maximum width, in bits, of operand types whose names are found by printing each value.
const LISTED: u8 = 12;

/// A possible continuation of the beginning of a statement.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Completion {
    /// The text.
    pub text: String,
    /// The start of the text that the completion replaces. The replaced text extends to the end of the
    /// input.
    pub start: usize,
    /// The meaning of the completion: a mnemonic, a modifier, an operand, a label or a directive.
    pub meaning: Meaning,
}

/// The meaning of a [`Completion`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Meaning {
    /// A mnemonic.
    Mnemonic(&'static Mnemonic),
    /// A modifier of the mnemonic or of an operand, without its dot.
    Modifier(&'static Field, &'static Value),
    /// An operand, or a modifier that is not a named value.
    Operand(&'static Field),
    /// A label, with its address.
    Label(u64),
    /// A constant of `.equ`, with its value.
    Constant(i128),
    /// A directive.
    Directive,
}

impl InstructionSet {
    /// Returns the possible completions of a text that begins with a statement: texts that begin
    /// with the last word of the text, or all possible texts if it does not end in a word.
    ///
    /// For a statement in a program, `site` contains its address and the labels of the program. The
    /// names in `labels` are tried if a label is possible. Numbers are not completed.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 6 { NEG = 1, NOT = 2 }
    /// #     enum Limit: 2 { WRAP = 0, SAT = 1 }
    /// #     opcode NEG {
    /// #         encoding { field<10, 6> Op op == NEG; field<8, 2> Limit limit = WRAP; field<0, 8> Reg rd; }
    /// #         syntax { NEG{.limit} Rd; } operands { OutList<rd>; Order<rd>; }
    /// #     }
    /// # }
    /// let texts = |beginning| {
    ///     let found = Tiny::SET.completions(beginning, None, []);
    ///     found.into_iter().map(|one| one.text).collect::<Vec<_>>()
    /// };
    /// assert_eq!(texts("N"), ["NEG"]);
    /// assert_eq!(texts("NEG.S"), ["SAT"]);
    /// assert_eq!(texts("NEG.SAT."), [""; 0]);
    /// assert_eq!(texts("NEG R25"), ["R25", "R250", "R251", "R252", "R253", "R254"]);
    /// ```
    #[must_use]
    pub fn completions<'l>(
        &self,
        text: &str,
        site: Option<&InstructionContext<'_>>,
        labels: impl IntoIterator<Item = &'l str>,
    ) -> Vec<Completion> {
        let mut search =
            CompletionSearch { set: self, text, site, found: Vec::new(), seen: BTreeSet::new() };
        let word = search.start_of(|byte| crate::text::WORD[usize::from(byte)]);
        let mut cursor = Cursor::new(text.get(..word).unwrap_or_default());
        let mnemonic = self.mnemonic(&mut cursor);
        search.mnemonics();
        match mnemonic {
            Some((mnemonic, place)) => {
                search.parts(mnemonic, place, word);
                search.labels(labels);
            }
            None => {
                if let Some(nameless) = self.nameless() {
                    search.parts(nameless, 0..0, word);
                }
                search.guards(word);
                search.directives();
                search.labels(labels);
            }
        }
        search.found
    }
}

impl InstructionSet {
    /// Returns the first word of a text that is a mnemonic, and its position.
    #[must_use]
    pub fn mnemonic_in(&self, text: &str) -> Option<(&'static Mnemonic, Range<usize>)> {
        self.mnemonic(&mut Cursor::new(text))
    }
}

impl Opcode {
    /// Returns the names that can be written for a field or composite operand, given by an index into
    /// [`Opcode::fields`] followed by [`Opcode::views`]: the names of its values, or the texts of an
    /// operand's values that are names and not numbers. For operand types of more than 12 bits, only
    /// numbered names are listed.
    #[must_use]
    pub fn names(&self, place: usize) -> Vec<String> {
        self.at(place).map_or_else(Vec::new, |field| names(self, place, field))
    }
}

/// A search for completions at the end of a text.
struct CompletionSearch<'s, 't> {
    set: &'s InstructionSet,
    text: &'t str,
    site: Option<&'s InstructionContext<'s>>,
    found: Vec<Completion>,
    seen: BTreeSet<(usize, String)>,
}

impl<'t> CompletionSearch<'_, 't> {
    /// Returns the start of the last run of bytes for which `belongs` is true.
    fn start_of(&self, belongs: impl Fn(u8) -> bool) -> usize {
        let run = self.text.bytes().rev().take_while(|&byte| belongs(byte)).count();
        self.text.len() - run
    }

    fn before(&self, start: usize) -> &'t str {
        self.text.get(..start).unwrap_or_default()
    }

    /// Returns whether a candidate begins with the text from `start` on.
    fn goes_on(&self, candidate: &str, start: usize) -> bool {
        let written = self.text.get(start..).unwrap_or_default();
        let head = candidate.get(..written.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(written))
    }

    fn take(&mut self, text: &str, start: usize, meaning: Meaning) {
        if self.seen.insert((start, text.to_string())) {
            self.found.push(Completion { text: text.into(), start, meaning });
        }
    }

    /// Returns the error of the statement `text`; `None` if the statement is valid.
    fn fault(&self, text: &str) -> Option<ParseError> {
        let mut cursor = match self.site {
            Some(site) => Cursor::in_context(text, site),
            None => Cursor::new(text),
        };
        self.set.parse_with_numbers(&mut cursor).err()
    }

    /// Returns whether a text is valid up to a position, even if something is missing after it.
    fn is_right(&self, text: &str, end: usize) -> bool {
        self.fault(text).is_none_or(|error| {
            error.span.start >= end
                || matches!(error.kind(), ParseErrorKind::MissingModifier { .. })
        })
    }

    fn mnemonics(&mut self) {
        let start = self.start_of(|byte| byte == b'.' || crate::text::WORD[usize::from(byte)]);
        let before = self.before(start);
        for mnemonic in self.set.mnemonics {
            if mnemonic.text.is_empty() || !self.goes_on(mnemonic.text, start) {
                continue;
            }
            let whole = format!("{before}{}", mnemonic.text);
            if before.trim().is_empty() || self.is_right(&whole, whole.len()) {
                self.take(mnemonic.text, start, Meaning::Mnemonic(mnemonic));
            }
        }
    }

    /// Adds operands that precede the mnemonic. They are checked together with a mnemonic that allows
    /// such operands.
    fn guards(&mut self, start: usize) {
        let before = self.before(start);
        let mut tried: BTreeSet<&str> = BTreeSet::new();
        for opcode in self.set.opcodes.iter().filter(|opcode| !opcode.syntax.before.is_empty()) {
            let mut slots = Vec::new();
            slots_of(opcode.syntax.before, &mut slots);
            for symbol in slots {
                let Some((index, field)) = opcode.bound(symbol) else { continue };
                if !tried.insert(field.kind.name) {
                    continue;
                }
                for name in names(opcode, index, field) {
                    let whole = format!("{before}{name} {}", opcode.syntax.mnemonic);
                    if self.goes_on(&name, start) && self.is_right(&whole, whole.len()) {
                        self.take(&name, start, Meaning::Operand(field));
                    }
                }
            }
        }
    }

    /// Adds modifiers if the text ends after a dot, and otherwise operands.
    fn parts(&mut self, mnemonic: &'static Mnemonic, place: Range<usize>, start: usize) {
        let numbers = mnemonic.opcodes.iter().map(|&number| usize::from(number));
        let rows: Vec<_> =
            numbers.filter_map(|number| self.set.spellings.get(number).copied()).collect();
        let has_dot = self.before(start).ends_with('.');
        for opcode in &rows {
            match has_dot {
                true => self.modifiers(opcode, &rows, &place, start),
                false => self.operands(opcode, start),
            }
        }
    }

    fn modifiers(
        &mut self,
        opcode: &'static Opcode,
        rows: &[&'static Opcode],
        place: &Range<usize>,
        start: usize,
    ) {
        let syntax = opcode.syntax;
        let modifiers = syntax.modifiers.iter().map(|one| (one.symbol, one.only));
        let mut suffixes = Vec::new();
        suffixes_of(syntax.after, &mut suffixes);
        for (symbol, only) in modifiers.chain(suffixes.into_iter().map(|symbol| (symbol, None))) {
            let Some((index, field)) = opcode.bound(symbol) else { continue };
            if opcode.text_of(index, field).is_some() {
                for name in names(opcode, index, field) {
                    self.modifier(&name, start, Meaning::Operand(field), rows, place);
                }
                continue;
            }
            let fits = |value: &&Value| only.is_none_or(|only| only == value.raw);
            for value in field.kind.values.iter().filter(fits) {
                if field.can_be(value.raw) {
                    let meaning = Meaning::Modifier(field, value);
                    self.modifier(value.name, start, meaning, rows, place);
                }
            }
        }
    }

    fn modifier(
        &mut self,
        name: &str,
        start: usize,
        meaning: Meaning,
        rows: &[&'static Opcode],
        place: &Range<usize>,
    ) {
        if !self.goes_on(name, start) || self.seen.contains(&(start, name.to_string())) {
            return;
        }
        let whole = format!("{}{name}", self.before(start));
        // A second dot is appended: if the modifier is accepted, the error is at this dot.
        if self.is_right(&format!("{whole}."), whole.len())
            && !self.is_excluded(&whole, rows, place.end)
        {
            self.take(name, start, meaning);
        }
    }

    /// Returns whether the modifiers exclude each other regardless of the operands. It tries each
    /// opcode with the operands of its initial word.
    fn is_excluded(&self, whole: &str, rows: &[&'static Opcode], behind: usize) -> bool {
        let is_operand = whole.get(behind..).is_some_and(|text| text.contains(char::is_whitespace));
        !is_operand
            && behind > 0
            && rows.iter().all(|opcode| {
                let mut line = Line::new();
                opcode.print_plain(opcode.initial(), &mut line);
                let mnemonic = opcode.syntax.mnemonic;
                let text = line.as_str();
                let at = text.find(mnemonic).map_or(0, |at| at + mnemonic.len());
                let rest = text.get(at..).unwrap_or_default();
                let operands = rest.find([' ', ';']).and_then(|at| rest.get(at..));
                let fault = self.fault(&format!("{whole}{}", operands.unwrap_or(";")));
                fault.is_some_and(|error| matches!(error.kind(), ParseErrorKind::Illegal(_)))
            })
    }

    fn operands(&mut self, opcode: &'static Opcode, start: usize) {
        let Syntax { before, after, .. } = opcode.syntax;
        let mut slots = Vec::new();
        slots_of(after, &mut slots);
        slots_of(before, &mut slots);
        for symbol in slots {
            let Some((index, field)) = opcode.bound(symbol) else { continue };
            for name in names(opcode, index, field) {
                self.operand(&name, start, Meaning::Operand(field));
            }
        }
    }

    fn operand(&mut self, name: &str, start: usize, meaning: Meaning) {
        if !self.goes_on(name, start) || self.seen.contains(&(start, name.to_string())) {
            return;
        }
        let whole = format!("{}{name}", self.before(start));
        let is_illegal = || {
            let fault = self.fault(&format!("{whole};"));
            fault.is_some_and(|error| matches!(error.kind(), ParseErrorKind::Illegal(_)))
        };
        if self.is_right(&whole, whole.len()) && !is_illegal() {
            self.take(name, start, meaning);
        }
    }

    fn directives(&mut self) {
        let start = self.start_of(|byte| byte == b'.' || crate::text::WORD[usize::from(byte)]);
        if !self.before(start).trim().is_empty() {
            return;
        }
        let is_program = self.site.is_some();
        for name in DIRECTIVES.iter().filter(|name| is_program || **name == ".word") {
            if self.goes_on(name, start) {
                self.take(name, start, Meaning::Directive);
            }
        }
    }

    /// Adds labels and constants, if a label or a constant is possible at this position.
    fn labels<'l>(&mut self, labels: impl IntoIterator<Item = &'l str>) {
        let Some(site) = self.site else { return };
        let start = self.start_of(is_name);
        let before = self.before(start);
        let mut cursor = Cursor::new(before);
        if let Some(directive) = Dialect::NONE.take(&mut cursor) {
            let is_first = cursor.peek().is_none();
            let is_open = is_first || before.trim_end().ends_with(',');
            let is_term = !is_first && before.trim_end().ends_with([',', '+', '-']);
            for name in labels {
                let (number, address) = (site.labels.constant(name), site.labels.address(name));
                let meaning = number.map(Meaning::Constant).or(address.map(Meaning::Label));
                let fits = match (directive, number) {
                    // In data the value of a label is its address.
                    (Directive::Data(data), None) => {
                        is_open && address.is_some_and(|address| data.fits(address))
                    }
                    (Directive::Data(data), Some(number)) => is_open && data.has(number),
                    (Directive::Room(_) | Directive::Word, number) => is_first && number.is_some(),
                    (Directive::Globals, _) => is_open,
                    (Directive::Constant, _) => is_term,
                    (Directive::Type, _) => is_first,
                    (Directive::Section(_) | Directive::Text { .. } | Directive::Ignored, _) => {
                        false
                    }
                };
                if let Some(meaning) = meaning.filter(|_| fits)
                    && self.goes_on(name, start)
                {
                    self.take(name, start, meaning);
                }
            }
            return;
        }
        let asked = AnyAsked(Cell::new(false));
        let probe = format!("{before}__label");
        let at = InstructionContext::new(site.address, &asked);
        let _ = self.set.parse_whole(Cursor::in_context(&probe, &at));
        for name in labels {
            if let Some(number) = site.labels.constant(name) {
                self.operand(name, start, Meaning::Constant(number));
            } else if let Some(address) = site.labels.address(name).filter(|_| asked.0.get()) {
                self.operand(name, start, Meaning::Label(address));
            }
        }
    }
}

/// Labels that record whether a label is looked up.
struct AnyAsked(Cell<bool>);

impl Labels for AnyAsked {
    fn address(&self, _: &str) -> Option<u64> {
        self.0.set(true);
        None
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }
}

/// Collects the operands of a part of a template.
fn slots_of(items: &'static [Item], symbols: &mut Vec<u8>) {
    for item in items {
        match item {
            Item::Text(_) => {}
            Item::Slot(slot) => symbols.push(slot.symbol),
            Item::Tags(tags) => symbols.extend(*tags),
            Item::Optional(items) => slots_of(items, symbols),
        }
    }
}

/// Collects the modifiers of the operands of a part of a template.
fn suffixes_of(items: &'static [Item], symbols: &mut Vec<u8>) {
    for item in items {
        match item {
            Item::Slot(slot) => symbols.extend(slot.suffixes),
            Item::Optional(items) => suffixes_of(items, symbols),
            Item::Text(_) | Item::Tags(_) => {}
        }
    }
}

/// Returns the names that can be written for a field of an opcode, without numbers.
fn names(opcode: &Opcode, index: usize, field: &Field) -> Vec<String> {
    let values = field.kind.values.iter().filter(|value| field.can_be(value.raw));
    match opcode.text_of(index, field) {
        None => values.map(|value| value.name.into()).collect(),
        Some(text) => {
            let mut formats = opcode.formats.iter();
            let format = formats.find(|format| usize::from(format.field) == index);
            let args = format.map_or(0, |format| format.args.len()).min(MAX_ARGS);
            text.names(field, &[0; MAX_ARGS][..args])
        }
    }
}

impl crate::table::Text {
    /// Returns the texts of all values that the field can have, if these texts are names.
    fn names(&self, field: &Field, args: &[u64]) -> Vec<String> {
        if let Some(names) = self.numbered {
            let all = (0..names.count).filter(|&bits| field.can_be(bits.into()));
            let number = |bits| names.number(bits as u8);
            let names = all.map(|bits| format!("{}{}", names.prefix, number(bits))).chain(
                Some(names.last.to_string())
                    .filter(|last| !last.is_empty() && field.can_be(names.count.into())),
            );
            return names.collect();
        }
        if field.kind.width > LISTED {
            return Vec::new();
        }
        let values = (0..1u64 << field.kind.width).filter(|&raw| field.can_be(raw));
        let texts = values.filter_map(|raw| {
            let mut line = Line::new();
            (self.write)(raw, args, &mut line);
            let text = line.as_str();
            let is_name = word_len(text.as_bytes()) == text.len()
                && !text.starts_with(|c: char| c.is_ascii_digit())
                && !text.is_empty();
            is_name.then(|| text.to_string())
        });
        texts.collect()
    }
}
