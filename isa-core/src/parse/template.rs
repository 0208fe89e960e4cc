//! The template interpreter: parses a statement by a syntax template and narrows down the opcodes.
//!
//! Each opcode accepts the text that its own template matches; `language.md` describes this. Opcodes
//! with the same syntax are parsed together as long as their templates match in the same way. If the
//! opcodes differ, the parse continues with the opcodes that match in the same way as the first opcode,
//! and the other opcodes are *deferred*. If the parse fails, the deferred opcodes are tried. Therefore
//! other opcodes do not affect the text that an opcode accepts.

use core::ops::Range;

use crate::bits::SetBits;
use crate::error::{DecodeError, ParseError, ParseErrorKind};
use crate::operand::{Kind, Text, Value};
use crate::table::Candidates;
use crate::table::{
    Affix, FeatureSet, Field, Init, Item, MAX_ARGS, MAX_SYMBOLS, Modifier, Opcode, Slot, Syntax,
};
use crate::text::{Cursor, word_len};

mod candidate_filter;
mod early_reject;

/// The position of a statement in the text, and the features of the processor.
pub(crate) struct Statement {
    /// The position of the statement's first byte.
    pub(crate) start: usize,
    /// The position of the statement's mnemonic.
    pub(crate) mnemonic: Range<usize>,
    /// The features that are on, or `None` if the set has no features.
    pub(crate) features: Option<FeatureSet>,
}

/// One parse of a statement.
pub(crate) struct TemplateParser<'w, 't> {
    cursor: &'w mut Cursor<'t>,
    statement: &'w Statement,
    syntax: &'static Syntax,
    /// All opcodes of the mnemonic with this syntax.
    all: Candidates,
    /// The opcodes that match the text so far.
    live: Candidates,
    /// The opcodes to try if this parse fails.
    deferred: Candidates,
    /// The values of the fields, by placeholder. A value is valid if the bit of its placeholder in
    /// `filled` is set.
    values: [u64; MAX_SYMBOLS],
    filled: u64,
    /// The placeholders that had no value when a format needed one, so that the format used their
    /// default.
    presumed: u64,
}

type Outcome = Result<(), ParseError>;

impl<'w, 't> TemplateParser<'w, 't> {
    pub(crate) fn new(
        cursor: &'w mut Cursor<'t>,
        statement: &'w Statement,
        syntax: &'static Syntax,
        all: Candidates,
        live: Candidates,
    ) -> Self {
        TemplateParser {
            cursor,
            statement,
            syntax,
            all,
            live,
            deferred: live.none(),
            values: [0; MAX_SYMBOLS],
            filled: 0,
            presumed: 0,
        }
    }

    /// Returns the opcodes to try next.
    pub(crate) const fn deferred(&self) -> Candidates {
        self.deferred
    }

    /// Returns the opcodes that match the text up to the end of the parse.
    pub(crate) const fn live(&self) -> Candidates {
        self.live
    }

    /// Parses the statement. Returns the index of the opcode and the word.
    pub(crate) fn run(&mut self) -> Result<(usize, u128), ParseError> {
        self.cursor.seek(self.statement.start);
        self.items(self.syntax.before)?;
        if self.syntax.mnemonic.is_empty() {
            self.items(self.syntax.after)?;
            return self.finish();
        }
        self.cursor.skip_trivia();
        if self.cursor.position() != self.statement.mnemonic.start {
            let (text, syntax) = (self.syntax.mnemonic, self.syntax);
            return Err(ParseError::here(self.cursor, ParseErrorKind::Expected { text, syntax }));
        }
        self.cursor.seek(self.statement.mnemonic.end);
        self.modifiers()?;
        self.items(self.syntax.after)?;
        self.finish()
    }

    fn items(&mut self, items: &'static [Item]) -> Outcome {
        for item in items {
            match item {
                Item::Text(text) => self.text(text)?,
                Item::Slot(slot) => {
                    // The dot after a name begins a modifier if the slot has modifiers.
                    self.cursor.set_takes_dots(slot.suffixes.is_empty());
                    self.slot(slot)?;
                }
                Item::Tags(symbols) => self.tags(symbols)?,
                Item::Optional(items) => {
                    if self.enters(items) {
                        self.items(items)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns whether an optional group begins at the cursor. If it does, the parse continues with the
    /// opcodes that have this group.
    fn enters(&mut self, items: &'static [Item]) -> bool {
        self.cursor.skip_trivia();
        let enter = self.live.filtered(|opcode| opcode.shows(items) && self.begins(opcode, items));
        if !enter.is_empty() {
            self.go_on_with(enter);
        }
        !enter.is_empty()
    }

    /// Defers all live opcodes except those in `some`.
    #[inline]
    fn go_on_with(&mut self, some: Candidates) {
        self.deferred = self.deferred.with(self.live.without(some));
        self.live = some;
    }

    /// Returns whether the text at the cursor is the first token of a part of an opcode's template.
    fn begins(&self, opcode: &'static Opcode, items: &'static [Item]) -> bool {
        for item in items {
            match item {
                Item::Text(text) => match text.trim_start() {
                    "" => {}
                    text => return self.cursor.clone().eat_text(text),
                },
                Item::Slot(slot) if opcode.bound(slot.symbol).is_none() => {}
                Item::Slot(slot) => return self.begins_slot(opcode, slot),
                Item::Tags(symbols) => {
                    if symbols.iter().any(|&symbol| self.operand(opcode, symbol).is_some()) {
                        return true;
                    }
                }
                Item::Optional(items) => {
                    if opcode.shows(items) && self.begins(opcode, items) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn begins_slot(&self, opcode: &'static Opcode, slot: &'static Slot) -> bool {
        let mut affixes = slot.affixes.iter();
        affixes
            .any(|affix| may_be_marked(opcode, affix) && self.cursor.clone().eat_text(affix.open))
            || !must_be_marked(opcode, slot) && self.operand(opcode, slot.symbol).is_some()
    }

    fn text(&mut self, text: &'static str) -> Outcome {
        if self.cursor.eat_text(text) {
            return Ok(());
        }
        self.missing_text(text)
    }

    /// Returns the error for a missing literal. If the text contains the first tokens of the literal,
    /// the error refers to the remaining tokens.
    #[cold]
    fn missing_text(&mut self, text: &'static str) -> Outcome {
        let mut text = text;
        while let (token, rest) = first_token(text)
            && !rest.trim_start().is_empty()
            && self.cursor.eat_text(token)
        {
            text = rest;
        }
        let syntax = self.syntax;
        let kind = ParseErrorKind::Expected { text, syntax };
        Err(ParseError::missing(self.cursor, self.statement.start, kind))
    }

    /// Parses the modifiers of the mnemonic, in any order.
    fn modifiers(&mut self) -> Outcome {
        let dots = Dots::Modifiers(self.syntax.modifiers);
        while let behind = self.cursor.position()
            && self.cursor.peek() == Some(b'.')
            && !self.is_operand(behind, dots)
        {
            self.dotted(dots)?;
        }
        for modifier in self.syntax.modifiers {
            if !modifier.optional {
                self.require(modifier.symbol, self.statement.mnemonic.clone())?;
            }
        }
        Ok(())
    }

    /// Returns whether the dot at the cursor belongs to the first operand: white space separates it
    /// from the text before `behind`, and it does not begin a modifier.
    fn is_operand(&mut self, behind: usize, dots: Dots) -> bool {
        behind != self.cursor.position()
            && self.live.opcodes().any(|opcode| self.begins(opcode, self.syntax.after))
            && !self.begins_modifier(dots)
    }

    /// Parses an operand with its prefix and suffix operators and modifiers.
    fn slot(&mut self, slot: &'static Slot) -> Outcome {
        self.cursor.skip_trivia();
        let start = self.cursor.position();
        let entered = self.live;
        let unmarked = self.live.filtered(|opcode| !must_be_marked(opcode, slot));
        let mut leader = self.leader(unmarked, slot.symbol);
        let mut marks = 0;
        if leader.is_none() {
            marks = self.open_marks(slot);
            leader = self.leader(self.live, slot.symbol);
        } else {
            self.go_on_with(unmarked);
        }
        let Some((opcode, reading)) = leader else {
            return self.no_operand(slot, start, entered, marks);
        };
        self.read(slot.symbol, opcode, reading)?;
        self.after_operand(slot, marks)?;
        for (place, affix) in slot.affixes.iter().enumerate() {
            let marked = marks & mark_bit(place) != 0;
            self.fill(affix.symbol, affix.present ^ u64::from(!marked));
        }
        for &symbol in slot.suffixes {
            let span = start..self.cursor.position();
            self.require_value(symbol, span)?;
        }
        Ok(())
    }

    fn suffixes(&mut self, slot: &'static Slot) -> Outcome {
        let dots = Dots::Suffixes(slot);
        while let behind = self.cursor.position()
            && self.cursor.peek() == Some(b'.')
            && !self.ends_operand(behind, dots)
        {
            self.dotted(dots)?;
        }
        Ok(())
    }

    /// Returns whether the dot at the cursor does not belong to the operand that ends at `behind`: it
    /// begins a directive on a later line, and only a `;` is missing before the directive, or it is the
    /// address of the instruction in the next operand, as in `R2 . - 16`.
    fn ends_operand(&mut self, behind: usize, dots: Dots) -> bool {
        let at = self.cursor.position();
        let between = self.cursor.text().get(behind..at).unwrap_or_default();
        let is_name = self.cursor.rest().get(1).is_some_and(|&byte| word_len(&[byte]) == 1);
        !between.is_empty() && (between.contains('\n') || !is_name) && !self.begins_modifier(dots)
    }

    /// Parses the prefix operators before an operand, as long as some opcode has them.
    fn open_marks(&mut self, slot: &'static Slot) -> u32 {
        let mut marks = 0;
        for (place, affix) in slot.affixes.iter().enumerate() {
            let mut ahead = self.cursor.clone();
            if !ahead.eat_text(affix.open) {
                continue;
            }
            let marked = self.live.filtered(|opcode| may_be_marked(opcode, affix));
            if !marked.is_empty() {
                self.go_on_with(marked);
                marks |= mark_bit(place);
                *self.cursor = ahead;
            }
        }
        self.cursor.skip_trivia();
        marks
    }

    /// Parses the suffix operators, and the modifiers before and after each of them.
    fn after_operand(&mut self, slot: &'static Slot, marks: u32) -> Outcome {
        self.suffixes(slot)?;
        for (place, affix) in slot.affixes.iter().enumerate().rev() {
            if marks & mark_bit(place) == 0 || affix.close.is_empty() {
                continue;
            }
            if !self.cursor.eat_text(affix.close) {
                let kind = ParseErrorKind::UnclosedAffix { affix };
                return Err(ParseError::here(self.cursor, kind));
            }
            self.suffixes(slot)?;
        }
        Ok(())
    }

    /// Parses trailing attributes, in any order.
    fn tags(&mut self, symbols: &'static [u8]) -> Outcome {
        loop {
            self.cursor.skip_trivia();
            let start = self.cursor.position();
            let mut found = None;
            for &symbol in symbols {
                if let Some((opcode, reading)) = self.leader(self.live, symbol) {
                    let fresh = !self.is_filled(symbol);
                    if fresh || found.is_none() {
                        found = Some((symbol, opcode, reading, fresh));
                    }
                    if fresh {
                        break;
                    }
                }
            }
            let Some((symbol, opcode, reading, fresh)) = found else {
                return Ok(());
            };
            if !fresh {
                return self.repeated(opcode, symbol, start);
            }
            self.read(symbol, opcode, reading)?;
        }
    }

    #[cold]
    fn repeated(&mut self, opcode: &'static Opcode, symbol: u8, start: usize) -> Outcome {
        let Some((_, field)) = opcode.bound(symbol) else {
            return Ok(());
        };
        let mut ahead = self.cursor.clone();
        if let Some(text) = field.kind.text {
            // Only the length of the attribute matters.
            let _ = (text.read)(&mut ahead, &[]);
        }
        let end = ahead.position().max(ahead.next_boundary(start));
        let kind = ParseErrorKind::RepeatedModifier { field };
        Err(ParseError::new(self.cursor, start..end, kind))
    }

    /// Returns the index of the first live opcode that can encode the parsed values, and the encoded
    /// word.
    fn finish(&mut self) -> Result<(usize, u128), ParseError> {
        let mut first = None;
        for (index, opcode) in self.live.iter() {
            match self.build(opcode) {
                Ok(word) => return Ok((index, word)),
                Err(error) => first = first.or(Some(error)),
            }
        }
        let combination = || {
            let opcodes = self.all;
            let span = self.span();
            ParseError::new(self.cursor, span, ParseErrorKind::Combination { opcodes })
        };
        Err(first.unwrap_or_else(combination))
    }

    fn span(&self) -> Range<usize> {
        self.statement.start..self.cursor.position()
    }

    /// Returns the word of an opcode with the parsed values, and the defaults of the other fields.
    fn build(&self, opcode: &'static Opcode) -> Result<u128, ParseError> {
        let mut word = opcode.fixed.value;
        for field in opcode.fields {
            if let Init::Default(value @ 1..) = field.init {
                word = field.set(word, value);
            }
        }
        for symbol in SetBits(self.filled) {
            if let Some((place, field)) = opcode.bound(symbol as u8) {
                let value = self.values[symbol as usize % MAX_SYMBOLS];
                let next = field.set(word, value);
                if field.get(next) != value {
                    if !field.pieces.is_empty() {
                        return Err(self.misfit("the value does not fit the field"));
                    }
                    let kind = ParseErrorKind::OtherValue { opcode, field };
                    return Err(ParseError::new(self.cursor, self.span(), kind));
                }
                word = next | word & opcode.shared(place);
            }
        }
        self.check_fixed(opcode, word)?;
        self.check_agreement(opcode, word)?;
        if self.presumed & self.filled != 0 && self.is_stale(opcode) {
            return Err(self.misfit("expected the modifier before the operand that depends on it"));
        }
        let legal = opcode.validate(word);
        let exists = legal.and_then(|()| match self.statement.features {
            Some(on) if !opcode.is_on(word, Some(on)) => {
                Err(DecodeError::unavailable(word, opcode, on))
            }
            _ => Ok(word),
        });
        exists.map_err(|error| {
            ParseError::new(self.cursor, self.span(), ParseErrorKind::Illegal(error))
        })
    }

    /// Checks that no composite operand sets a fixed field to another value.
    fn check_fixed(&self, opcode: &'static Opcode, word: u128) -> Outcome {
        let differs = (word ^ opcode.fixed.value) & opcode.fixed.mask;
        if differs == 0 {
            return Ok(());
        }
        let mut fields = opcode.fields.iter().copied();
        match fields.find(|field| field.mask() & differs != 0) {
            Some(field) => {
                let kind = ParseErrorKind::OtherValue { opcode, field };
                Err(ParseError::new(self.cursor, self.span(), kind))
            }
            None => Err(self.misfit("the values do not fit the instruction")),
        }
    }

    /// Checks that no two parts of the text set one field to different values.
    fn check_agreement(&self, opcode: &'static Opcode, word: u128) -> Outcome {
        for symbol in SetBits(self.filled) {
            let value = self.values[symbol as usize % MAX_SYMBOLS];
            if let Some((place, shown)) = opcode.bound(symbol as u8)
                && shown.get(word) != value
            {
                let differs = (shown.set(word, value) ^ word) & shown.mask();
                if opcode.leaves_open(place, shown, value, differs) {
                    continue;
                }
                let mut fields = opcode.fields.iter().copied();
                let field = fields.find(|field| field.mask() & differs != 0).unwrap_or(shown);
                let kind = ParseErrorKind::TwoValues { field };
                return Err(ParseError::new(self.cursor, self.span(), kind));
            }
        }
        Ok(())
    }

    /// Returns whether a format used the default of a field that got a different value later.
    #[cold]
    fn is_stale(&self, opcode: &'static Opcode) -> bool {
        SetBits(self.presumed & self.filled).any(|symbol| {
            let value = self.values[symbol as usize % MAX_SYMBOLS];
            let field = opcode.bound(symbol as u8);
            field.is_some_and(|(_, field)| value != presumed(field))
        })
    }

    #[cold]
    fn misfit(&self, message: &'static str) -> ParseError {
        let mut fault = self.cursor.fault(self.statement.start, message);
        fault.span = self.span();
        ParseError::fault(self.cursor, fault)
    }
}

/// Splits a literal after its first word or punctuation character, including the white space before
/// it.
fn first_token(text: &'static str) -> (&'static str, &'static str) {
    let blank = text.len() - text.trim_start().len();
    let word = word_len(text.as_bytes().get(blank..).unwrap_or_default());
    text.split_at_checked(blank + word.max(1)).unwrap_or((text, ""))
}

/// Returns whether `opcode` has the field of the prefix or suffix operator `affix`, and the field can
/// have the value that the operator represents.
#[inline]
fn may_be_marked(opcode: &Opcode, affix: &Affix) -> bool {
    opcode.bound(affix.symbol).is_some_and(|(_, field)| field.can_be(affix.present))
}

/// Returns whether `opcode` fixes the field of an operator of `slot` to the value that the operator
/// represents.
#[inline]
fn must_be_marked(opcode: &Opcode, slot: &Slot) -> bool {
    slot.affixes.iter().any(|affix| {
        let field = opcode.bound(affix.symbol);
        field.is_some_and(
            |(_, field)| matches!(field.init, Init::Fixed(value) if value == affix.present),
        )
    })
}

/// Returns the bit for a slot's affix in a set of prefix and suffix operators.
const fn mark_bit(place: usize) -> u32 {
    1u32.unbounded_shl(place as u32)
}

/// Returns the value of a field that the text does not set.
const fn presumed(field: &Field) -> u64 {
    match field.init {
        Init::Fixed(value) | Init::Default(value) => value,
        Init::Required => 0,
    }
}

/// The possible modifiers after a dot.
#[derive(Clone, Copy)]
enum Dots {
    /// The modifiers of the mnemonic.
    Modifiers(&'static [Modifier]),
    /// The modifiers of an operand.
    Suffixes(&'static Slot),
}

impl Dots {
    /// Returns the placeholder at index `place`, and the only value that may be written for it. The
    /// value is `None` if any value may be written.
    #[inline]
    fn get(self, place: usize) -> Option<(u8, Option<u64>)> {
        match self {
            Dots::Modifiers(all) => all.get(place).map(|one| (one.symbol, one.only)),
            Dots::Suffixes(slot) => slot.suffixes.get(place).map(|&symbol| (symbol, None)),
        }
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = (u8, Option<u64>)> {
        (0..).map_while(move |place| self.get(place))
    }

    const fn slot(self) -> Option<&'static Slot> {
        match self {
            Dots::Modifiers(_) => None,
            Dots::Suffixes(slot) => Some(slot),
        }
    }
}
