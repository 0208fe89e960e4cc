//! Parsing of assembly text: statements, mnemonics and the directive `.word`.

use core::ops::Range;

use super::candidates::Furthest;
use super::template::Statement;
use crate::IS_SMALL;
use crate::error::{DecodeError, ParseError, ParseErrorKind};
use crate::table::{AT_ONCE, Candidates, Finder, InstructionSet, Mnemonic, Opcode};
use crate::text::{Cursor, quoted_len, word_len};

/// A statement of assembly text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// An instruction.
    Instruction {
        /// The opcode, as an index into [`InstructionSet::opcodes`].
        opcode: usize,
        /// The word.
        word: u128,
        /// The position of the statement in the text in bytes, including the `;`.
        span: Range<usize>,
    },
    /// A word given as a number, `.word 0x...;`.
    Word {
        /// The bits.
        word: u128,
        /// The position of the statement in the text in bytes, including the `;`.
        span: Range<usize>,
    },
}

impl Parsed {
    /// Returns the bits.
    #[inline]
    #[must_use]
    pub const fn word(&self) -> u128 {
        match self {
            Parsed::Instruction { word, .. } | Parsed::Word { word, .. } => *word,
        }
    }

    /// Returns the position of the statement in the text in bytes, including the `;`.
    #[must_use]
    pub const fn span(&self) -> &Range<usize> {
        match self {
            Parsed::Instruction { span, .. } | Parsed::Word { span, .. } => span,
        }
    }
}

impl InstructionSet {
    /// Returns whether an operand of some instruction is a target, for which a label can be
    /// written.
    #[must_use]
    pub fn has_targets(&self) -> bool {
        let mut fields = self.opcodes.iter().flat_map(|opcode| opcode.fields);
        fields.any(|field| field.kind.is_target())
    }

    /// Returns whether the text of every instruction is parsed as its word. This is the case if no
    /// operand type and no format declares that several values have the same text. Otherwise,
    /// [`Opcode::reads_back`] decides for one word.
    #[must_use]
    pub fn always_reads_back(&self) -> bool {
        self.opcodes.iter().all(|opcode| opcode.always_reads_back())
    }

    /// Parses a text that is exactly one statement.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a valid instruction, or if it continues after the
    /// statement.
    pub fn parse(&self, text: &str) -> Result<Parsed, ParseError> {
        self.parse_whole(Cursor::new(text))
    }

    /// Parses the cursor's text, which must be exactly one statement.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`InstructionSet::parse`].
    pub(crate) fn parse_whole(&self, mut cursor: Cursor<'_>) -> Result<Parsed, ParseError> {
        let Some(parsed) = self.parse_next(&mut cursor)? else {
            return Err(ParseError::here(&mut cursor, ParseErrorKind::NoInstruction));
        };
        let end = cursor.position();
        if cursor.peek().is_some() {
            return Err(ParseError::here(&mut cursor, ParseErrorKind::TrailingText));
        }
        finished(&cursor, end)?;
        Ok(parsed)
    }

    /// Parses the next statement; returns `None` at the end of the text.
    ///
    /// After an error the cursor is after the `;` of the statement. Call this function again to
    /// find all errors of a text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a valid instruction.
    pub fn parse_next(&self, cursor: &mut Cursor<'_>) -> Result<Option<Parsed>, ParseError> {
        let start = cursor.position();
        cursor.set_reader(self.any_case, self.address_bits);
        if !IS_SMALL
            && cursor.peek().is_some_and(|first| first != b'.')
            && let Some(parsed) = self.parse_next_as_printed(cursor)
        {
            return Ok(Some(parsed));
        }
        cursor.seek(start);
        self.parse_next_by_template(cursor)
    }

    /// Parses like [`InstructionSet::parse_next`], but only with the template interpreter, which is
    /// slower. Tests compare the fast parser with this function.
    #[doc(hidden)]
    #[inline(never)]
    pub fn parse_next_by_template(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<Parsed>, ParseError> {
        let before = cursor.position();
        cursor.set_reader(self.any_case, self.address_bits);
        let Some(first) = cursor.peek() else {
            return finished(cursor, before).map(|()| None);
        };
        let start = cursor.position();
        let parsed = or_skip(cursor, start, |cursor| match first {
            b'.' => self.directive(cursor, start),
            _ => self.instruction_with_sums(cursor, start),
        });
        parsed.map(Some)
    }

    /// Parses like [`InstructionSet::parse_next`], but only with the fast parser. Returns `None` if the
    /// text is not spelled as the printer prints it, or needs the template interpreter. Tests check
    /// that the fast parser accepts printed text.
    #[doc(hidden)]
    #[inline]
    pub fn parse_next_as_printed(&self, cursor: &mut Cursor<'_>) -> Option<Parsed> {
        let start = cursor.position();
        let (opcode, word) = self.quick(cursor)?;
        // If the row does not exist, the template interpreter tries the other rows.
        if let Some(on) = self.choice()
            && self.spellings.get(opcode).is_some_and(|row| row.unmet(word, on).is_some())
        {
            return None;
        }
        let opcode = self.opcode_of(opcode);
        Some(Parsed::Instruction { opcode, word, span: start..cursor.position() })
    }

    /// Parses an instruction. If this fails, tries again and accepts numbers after the labels of
    /// targets. The first attempt does not accept them, because a template may contain a `+` or a
    /// signed number after a target. Printed text must be parsed by this template.
    fn instruction_with_sums(
        &self,
        cursor: &mut Cursor<'_>,
        start: usize,
    ) -> Result<Parsed, ParseError> {
        let outcome = self.instruction(cursor, start);
        let Err(error) = outcome else { return outcome };
        cursor.seek(start);
        if cursor.context_unasked().is_none() || !has_sign(cursor.clone()) {
            return Err(error);
        }
        cursor.set_takes_sums(true);
        let outcome = self.instruction(cursor, start);
        cursor.set_takes_sums(false);
        outcome.map_err(|other| if other.reach > error.reach { other } else { error })
    }

    /// Parses a statement. It tries each word that is a mnemonic, because words of a guard can precede
    /// the mnemonic. The first mnemonic with which the statement is valid is used. If no word is a
    /// mnemonic, it tries the opcodes without a mnemonic.
    fn instruction(&self, cursor: &mut Cursor<'_>, start: usize) -> Result<Parsed, ParseError> {
        let (mut furthest, mut misplaced) = (None, None);
        let mut from = start;
        while let Some((mnemonic, span)) = self.next_mnemonic(cursor, from) {
            from = span.end;
            let is_first = span.start == start;
            match self.instruction_of(cursor, start, mnemonic, span) {
                Ok(parsed) => return Ok(parsed),
                // No part of the template matches the text before this mnemonic.
                Err(error) if !is_first && error.reach as usize <= start => {
                    misplaced = misplaced.or(Some(error));
                }
                Err(error) => keep_furthest(&mut furthest, error),
            }
        }
        if let Some(nameless) = self.nameless() {
            match self.instruction_of(cursor, start, nameless, start..start) {
                Ok(parsed) => return Ok(parsed),
                Err(error) if error.reach as usize <= start => {}
                Err(error) => keep_furthest(&mut furthest, error),
            }
        }
        let first = cursor.text().as_bytes().get(start);
        let misplaced = misplaced.filter(|_| first.is_some_and(u8::is_ascii_punctuation));
        Err(furthest.or(misplaced).unwrap_or_else(|| self.no_mnemonic(cursor, start)))
    }

    /// Parses a statement with the mnemonic `mnemonic`.
    fn instruction_of(
        &self,
        cursor: &mut Cursor<'_>,
        start: usize,
        mnemonic: &'static Mnemonic,
        span: Range<usize>,
    ) -> Result<Parsed, ParseError> {
        let mut statement = Statement { start, mnemonic: span, features: self.choice() };
        let mut furthest = Furthest::default();
        if let Some((spelling, word)) = self.read(cursor, &statement, mnemonic, &mut furthest) {
            let (opcode, span) = (self.opcode_of(spelling), start..cursor.position());
            return Ok(Parsed::Instruction { opcode, word, span });
        }
        // The statement may be valid with other features.
        if let Some(on) = statement.features.take()
            && let Some((spelling, word)) =
                self.read(cursor, &statement, mnemonic, &mut Furthest::default())
            && let Some(row) = self.spellings.get(spelling)
        {
            let error = ParseErrorKind::Illegal(DecodeError::unavailable(word, row, on));
            return Err(ParseError::new(cursor, start..cursor.position(), error));
        }
        let place = &statement.mnemonic;
        Err(match furthest.into_error() {
            Some(error) => self.longer_mnemonic(cursor, mnemonic, place, &error).unwrap_or(error),
            None => self.unknown(cursor, place.clone()),
        })
    }

    /// Parses a statement with the rows of a mnemonic. Returns the index of the row that accepts it, and
    /// the word. If no row accepts it, adds all errors to `furthest`.
    fn read(
        &self,
        cursor: &mut Cursor<'_>,
        statement: &Statement,
        mnemonic: &'static Mnemonic,
        furthest: &mut Furthest,
    ) -> Option<(usize, u128)> {
        for stretch in mnemonic.opcodes.chunks(AT_ONCE) {
            let mut all = Candidates::new(self, stretch);
            if let Some(on) = statement.features {
                // Errors do not mention rows that do not exist.
                all = all.filtered(|row| row.exists_with(on));
            }
            if let Some((spelling, word)) = all.read(cursor, statement, furthest) {
                let row = self.spellings.get(spelling).filter(|row| !row.after.is_empty());
                let first = row.and_then(|row| row.read_first(cursor, statement));
                let first =
                    first.and_then(|(row, word)| Some((self.place_of(row, mnemonic)?, word)));
                return Some(first.unwrap_or((spelling, word)));
            }
        }
        None
    }

    /// Returns the opcodes without a mnemonic, if there are any.
    pub(crate) fn nameless(&self) -> Option<&'static Mnemonic> {
        self.mnemonics.first().filter(|mnemonic| mnemonic.text.is_empty())
    }

    /// Returns the index of `row` in the spellings, if the row has the mnemonic `mnemonic`.
    #[cold]
    fn place_of(&self, row: &'static Opcode, mnemonic: &Mnemonic) -> Option<usize> {
        let mut numbers = mnemonic.opcodes.iter().map(|&number| usize::from(number));
        numbers.find(|&number| self.spellings.get(number).is_some_and(|it| core::ptr::eq(*it, row)))
    }

    /// Returns the error for a modifier after a mnemonic that has no modifiers, if longer mnemonics
    /// continue with a dot. For example, if `b` and `b.eq` exist, `b.eg` is an unknown mnemonic.
    #[cold]
    fn longer_mnemonic(
        &self,
        cursor: &Cursor<'_>,
        mnemonic: &Mnemonic,
        place: &Range<usize>,
        error: &ParseError,
    ) -> Option<ParseError> {
        let ParseErrorKind::UnknownModifier { opcodes, slot: None } = error.kind() else {
            return None;
        };
        let goes_on =
            |other: &Mnemonic| continues_with_dot(other.text, mnemonic.text, self.any_case);
        let takes_some = opcodes.opcodes().any(|opcode| !opcode.syntax.modifiers.is_empty());
        if takes_some || !self.mnemonics.iter().any(goes_on) {
            return None;
        }
        Some(self.unknown(cursor, place.start..error.span.end))
    }

    /// Finds the first word of a statement that is a mnemonic.
    pub(crate) fn mnemonic(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        self.next_mnemonic(cursor, cursor.position())
    }

    /// Finds the first word of the statement from a position on that is a mnemonic.
    fn next_mnemonic(
        &self,
        cursor: &mut Cursor<'_>,
        from: usize,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        cursor.seek(from);
        loop {
            let byte = cursor.peek().filter(|byte| !b";\"".contains(byte))?;
            let start = cursor.position();
            if cursor.word().is_empty() {
                cursor.eat(byte);
            } else if let Some(mnemonic) = self.lookup(cursor.text().get(start..)?) {
                return Some((mnemonic, start..start + mnemonic.text.len()));
            }
        }
    }

    /// Returns the error for a statement without a mnemonic. The error refers to the first word of the
    /// statement. If the statement begins with a punctuation character, it refers to the first word
    /// after this prefix.
    #[cold]
    fn no_mnemonic(&self, cursor: &mut Cursor<'_>, start: usize) -> ParseError {
        cursor.seek(start);
        let has_prefix = !cursor.text().get(start..).is_some_and(|text| text.starts_with(is_word));
        if has_prefix {
            let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !b":;_\"".contains(byte);
            while let Some(byte) = cursor.peek().filter(is_mark) {
                cursor.eat(byte);
            }
            cursor.word();
        }
        cursor.skip_trivia();
        let start = cursor.position();
        match cursor.word() {
            "" => ParseError::here(cursor, ParseErrorKind::NoInstruction),
            word => self.unknown(cursor, start..start + word.len()),
        }
    }

    #[cold]
    fn unknown(&self, cursor: &Cursor<'_>, span: Range<usize>) -> ParseError {
        let mnemonics = self.mnemonics;
        ParseError::new(cursor, span, ParseErrorKind::UnknownMnemonic { mnemonics })
    }

    /// Returns the longest mnemonic at the start of the text. A mnemonic is one word, or several words
    /// separated by dots.
    fn lookup(&self, text: &str) -> Option<&'static Mnemonic> {
        let (mnemonics, any_case) = (self.mnemonics, self.any_case);
        let next = text.as_bytes().get(word_len(text.as_bytes()));
        if self.finder.decides(next.copied().unwrap_or_default()) {
            let found = self.find_mnemonic(text.as_bytes());
            if found.is_some() || !any_case {
                return found;
            }
        }
        let word = text.split(|c: char| !is_word(c)).next()?;
        let found = mnemonics.binary_search_by(|mnemonic| match any_case {
            true => lower(mnemonic.text).cmp(lower(word)),
            false => mnemonic.text.cmp(word),
        });
        let (plain, next) = match found {
            Ok(place) => (mnemonics.get(place), place + 1),
            Err(place) => (None, place),
        };
        // Mnemonics that continue with a dot directly follow the mnemonic without the dot, because a
        // dot sorts before any letter or digit.
        let longer = mnemonics.get(next..).unwrap_or_default().iter();
        let longer =
            longer.take_while(|mnemonic| continues_with_dot(mnemonic.text, word, any_case));
        longer
            .filter(|mnemonic| is_whole(text, mnemonic.text, any_case))
            .max_by_key(|mnemonic| mnemonic.text.len())
            .or(plain)
    }

    /// Returns the mnemonic that is the first word of a text, up to a dot.
    fn find_mnemonic(&self, text: &[u8]) -> Option<&'static Mnemonic> {
        let word = text.get(..word_len(text))?;
        self.mnemonics
            .get(self.finder.find(Finder::key(word))?)
            .filter(|mnemonic| mnemonic.text.as_bytes() == word)
    }

    fn directive(&self, cursor: &mut Cursor<'_>, start: usize) -> Result<Parsed, ParseError> {
        cursor.eat(b'.');
        if cursor.word() != "word" {
            let span = start..cursor.position();
            return Err(ParseError::new(cursor, span, ParseErrorKind::UnknownDirective));
        }
        cursor.skip_trivia();
        let number = cursor.position();
        let word = match cursor.number() {
            Ok(word) => word,
            Err(fault) => return Err(ParseError::fault(cursor, fault)),
        };
        if word.unbounded_shr(self.bits.into()) != 0 {
            let kind = ParseErrorKind::WordTooWide { bits: self.bits };
            return Err(ParseError::new(cursor, number..cursor.position(), kind));
        }
        let end = cursor.position();
        if !cursor.eat(b';') {
            cursor.seek(end);
            let fault = cursor.fault(end, "expected `;` after the word");
            return Err(ParseError::fault(cursor, fault));
        }
        let span = start..cursor.position();
        Ok(Parsed::Word { word, span })
    }
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether `longer` is the mnemonic `plain` followed by a dot and more text.
fn continues_with_dot(longer: &str, plain: &str, any_case: bool) -> bool {
    without_prefix(longer, plain, any_case).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether the text begins with `name` and the word ends there.
fn is_whole(text: &str, name: &str, any_case: bool) -> bool {
    without_prefix(text, name, any_case).is_some_and(|rest| !rest.starts_with(is_word))
}

/// Returns the rest of `text` after the prefix `beginning`. The comparison ignores letter case if
/// `any_case` is true.
fn without_prefix<'t>(text: &'t str, beginning: &str, any_case: bool) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(beginning.len())?;
    (head == beginning || any_case && head.eq_ignore_ascii_case(beginning)).then_some(rest)
}

/// Returns the bytes of a text in lower case.
fn lower(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| byte.to_ascii_lowercase())
}

fn keep_furthest(furthest: &mut Option<ParseError>, error: ParseError) {
    match furthest {
        Some(known) if known.reach >= error.reach => {}
        _ => *furthest = Some(error),
    }
}

/// Checks that the blank text from `from` to the end of the text does not end in an unclosed comment.
pub(crate) fn finished(cursor: &Cursor<'_>, from: usize) -> Result<(), ParseError> {
    match open_comment(cursor.text().as_bytes(), from) {
        None => Ok(()),
        Some(at) => {
            let span = at..at + 2;
            Err(ParseError::new(cursor, span, ParseErrorKind::UnfinishedComment))
        }
    }
}

/// Returns the start of the unclosed comment in the blank text from `from` on.
fn open_comment(text: &[u8], from: usize) -> Option<usize> {
    let mut rest = text.get(from..)?;
    loop {
        rest = match rest {
            [b'/', b'*', inside @ ..] => match inside.windows(2).position(|pair| pair == b"*/") {
                Some(end) => inside.get(end + 2..)?,
                None => return Some(text.len() - rest.len()),
            },
            // A comment up to the end of the line.
            [b'/', ..] => rest.get(rest.iter().position(|&byte| byte == b'\n')?..)?,
            [_, after @ ..] => after,
            [] => return None,
        };
    }
}

/// Parses a statement that begins at `start`. After an error the cursor is moved to the end of the
/// statement.
#[inline]
pub(crate) fn or_skip<'t, T>(
    cursor: &mut Cursor<'t>,
    start: usize,
    read: impl FnOnce(&mut Cursor<'t>) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let outcome = read(cursor);
    if outcome.is_err() {
        cursor.seek(start);
        skip_statement(cursor);
    }
    outcome
}

/// Returns whether the statement at the cursor contains a `+` or a `-`.
fn has_sign(mut cursor: Cursor<'_>) -> bool {
    while let Some(byte) = cursor.peek().filter(|&byte| byte != b';') {
        if matches!(byte, b'+' | b'-') {
            return true;
        }
        cursor.eat(byte);
    }
    false
}

/// Moves the cursor past the next `;` outside comments and quoted text, or to the end.
pub(crate) fn skip_statement(cursor: &mut Cursor<'_>) {
    while let Some(byte) = cursor.peek() {
        if let quoted @ 1.. = quoted_len(cursor.rest()) {
            cursor.seek(cursor.position() + quoted);
            continue;
        }
        cursor.eat(byte);
        if byte == b';' {
            return;
        }
    }
}
