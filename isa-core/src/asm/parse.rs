//! From assembly text to words: statements, mnemonics, directives.

use core::ops::Range;

use super::Cursor;
use super::candidates::{AT_ONCE, Candidates, Furthest};
use super::cursor::word_len;
use super::quoted_len;
use super::walk::Statement;
use crate::error::{ParseError, ParseErrorKind};
use crate::table::{Finder, IS_SMALL, InstructionSet, Mnemonic, Opcode};

/// The most symbols that one syntax may have.
pub const MAX_SYMBOLS: usize = 64;

/// A statement of assembly text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// An instruction.
    Instruction {
        /// The opcode, an index into [`InstructionSet::opcodes`].
        opcode: usize,
        /// The word.
        word: u128,
        /// The bytes of the text, the `;` included.
        span: Range<usize>,
    },
    /// Bits given as such, `.word 0x...;`.
    Word {
        /// The bits.
        word: u128,
        /// The bytes of the text, the `;` included.
        span: Range<usize>,
    },
}

impl Parsed {
    /// The bits.
    #[inline]
    #[must_use]
    pub const fn word(&self) -> u128 {
        match self {
            Parsed::Instruction { word, .. } | Parsed::Word { word, .. } => *word,
        }
    }

    /// The bytes of the text, the `;` included.
    #[must_use]
    pub const fn span(&self) -> &Range<usize> {
        match self {
            Parsed::Instruction { span, .. } | Parsed::Word { span, .. } => span,
        }
    }
}

impl InstructionSet {
    /// Whether an operand of some instruction is a target, in whose place a label may stand.
    #[must_use]
    pub fn has_targets(&self) -> bool {
        let mut fields = self.opcodes.iter().flat_map(|opcode| opcode.fields);
        fields.any(|field| field.kind.is_target())
    }

    /// Whether the text of every instruction is read as its word: no operand kind and no format says
    /// that several values have one text. Else [`Opcode::reads_back`] tells of a word.
    #[must_use]
    pub fn always_reads_back(&self) -> bool {
        self.opcodes.iter().all(|opcode| opcode.always_reads_back())
    }

    /// Reads a text that is exactly one statement.
    ///
    /// # Errors
    ///
    /// Text that is no legal instruction, and text behind it.
    pub fn parse(&self, text: &str) -> Result<Parsed, ParseError> {
        self.parse_whole(Cursor::new(text))
    }

    /// Reads what is exactly one statement.
    ///
    /// # Errors
    ///
    /// As [`InstructionSet::parse`].
    pub(crate) fn parse_whole(&self, mut cursor: Cursor<'_>) -> Result<Parsed, ParseError> {
        let Some(parsed) = self.parse_next(&mut cursor)? else {
            return Err(ParseError::here(&mut cursor, ParseErrorKind::NoInstruction));
        };
        let behind = cursor.position();
        if cursor.peek().is_some() {
            return Err(ParseError::here(&mut cursor, ParseErrorKind::TextBehind));
        }
        finished(&cursor, behind)?;
        Ok(parsed)
    }

    /// Reads the next statement; `None` at the end of the text.
    ///
    /// After an error the cursor stands behind the `;` of the statement, so that reading on finds
    /// all errors of a text.
    ///
    /// # Errors
    ///
    /// Text that is no legal instruction.
    pub fn parse_next(&self, cursor: &mut Cursor<'_>) -> Result<Option<Parsed>, ParseError> {
        let start = cursor.position();
        cursor.set_reader(self);
        if !IS_SMALL
            && cursor.peek().is_some_and(|first| first != b'.')
            && let Some(parsed) = self.parse_next_as_printed(cursor)
        {
            return Ok(Some(parsed));
        }
        cursor.seek(start);
        self.parse_next_by_template(cursor)
    }

    /// As [`InstructionSet::parse_next`], by walks over templates alone: the slow way, which the
    /// reading of text as it is printed is tested against.
    #[doc(hidden)]
    #[inline(never)]
    pub fn parse_next_by_template(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<Parsed>, ParseError> {
        let behind = cursor.position();
        cursor.set_reader(self);
        let Some(first) = cursor.peek() else {
            return finished(cursor, behind).map(|()| None);
        };
        let start = cursor.position();
        let parsed = or_skip(cursor, start, |cursor| match first {
            b'.' => self.directive(cursor, start),
            _ => self.instruction_with_sums(cursor, start),
        });
        parsed.map(Some)
    }

    /// As [`InstructionSet::parse_next`], without a walk: `None` where the text is not written as it
    /// is printed, or has to be read by one. Tests ask whether what is printed is read so.
    #[doc(hidden)]
    #[inline]
    pub fn parse_next_as_printed(&self, cursor: &mut Cursor<'_>) -> Option<Parsed> {
        let start = cursor.position();
        let (opcode, word) = self.quick(cursor)?;
        let opcode = self.opcode_of(opcode);
        Some(Parsed::Instruction { opcode, word, span: start..cursor.position() })
    }

    /// Reads an instruction, and where that fails, once more with numbers behind the labels of targets. So
    /// what can be read without such numbers is read as ever, and so is all that is printed: a template may
    /// have a `+` or a number with a sign behind a target.
    fn instruction_with_sums(
        &self,
        cursor: &mut Cursor<'_>,
        start: usize,
    ) -> Result<Parsed, ParseError> {
        let outcome = self.instruction(cursor, start);
        let Err(error) = outcome else { return outcome };
        cursor.seek(start);
        if cursor.site_unasked().is_none() || !has_sign(cursor.clone()) {
            return Err(error);
        }
        cursor.set_takes_sums(true);
        let outcome = self.instruction(cursor, start);
        cursor.set_takes_sums(false);
        outcome.map_err(|other| if other.reach > error.reach { other } else { error })
    }

    /// The mnemonic is the first word of the statement that is one and by which it can be read: what
    /// stands before it, such as a guard, has words too. Without any, the statement is read as those
    /// that have none.
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

    /// Reads a statement with this mnemonic.
    fn instruction_of(
        &self,
        cursor: &mut Cursor<'_>,
        start: usize,
        mnemonic: &'static Mnemonic,
        span: Range<usize>,
    ) -> Result<Parsed, ParseError> {
        let statement = Statement { start, mnemonic: span };
        let mut furthest = Furthest::default();
        for stretch in mnemonic.opcodes.chunks(AT_ONCE) {
            let all = Candidates::new(self, stretch);
            if let Some((mut spelling, mut word)) = all.read(cursor, &statement, &mut furthest) {
                let row = self.spellings.get(spelling).filter(|row| !row.after.is_empty());
                if let Some((first, own)) = row.and_then(|row| row.read_first(cursor, &statement))
                    && let Some(place) = self.place_of(first, mnemonic)
                {
                    (spelling, word) = (place, own);
                }
                let (opcode, span) = (self.opcode_of(spelling), start..cursor.position());
                return Ok(Parsed::Instruction { opcode, word, span });
            }
        }
        let place = &statement.mnemonic;
        Err(match furthest.into_error() {
            Some(error) => self.longer_mnemonic(cursor, mnemonic, place, &error).unwrap_or(error),
            None => self.unknown(cursor, place.clone()),
        })
    }

    /// The opcodes whose texts have no mnemonic, where there are any.
    pub(super) fn nameless(&self) -> Option<&'static Mnemonic> {
        self.mnemonics.first().filter(|mnemonic| mnemonic.text.is_empty())
    }

    /// The number of a row among the spellings, where it has this mnemonic.
    #[cold]
    fn place_of(&self, row: &'static Opcode, mnemonic: &Mnemonic) -> Option<usize> {
        let mut numbers = mnemonic.opcodes.iter().map(|&number| usize::from(number));
        numbers.find(|&number| self.spellings.get(number).is_some_and(|it| core::ptr::eq(*it, row)))
    }

    /// The error of a mnemonic without modifiers that has one, where other mnemonics go on with a
    /// dot: beside `b` and `b.eq`, `b.eg` is an unknown mnemonic.
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
            |other: &Mnemonic| goes_on_behind_a_dot(other.text, mnemonic.text, self.any_case);
        let takes_some = opcodes.opcodes().any(|opcode| !opcode.syntax.modifiers.is_empty());
        if takes_some || !self.mnemonics.iter().any(goes_on) {
            return None;
        }
        Some(self.unknown(cursor, place.start..error.span.end))
    }

    /// Finds the first word of a statement that is a mnemonic.
    pub(super) fn mnemonic(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        self.next_mnemonic(cursor, cursor.position())
    }

    /// Finds the first word from a place on, within the statement, that is a mnemonic.
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

    /// The error of a statement without a mnemonic: about its first word, or the first that can be
    /// one behind a prefix that begins with a mark.
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

    /// The longest mnemonic, of one or more words with dots between, that the text begins with.
    fn lookup(&self, text: &str) -> Option<&'static Mnemonic> {
        let (mnemonics, any_case) = (self.mnemonics, self.any_case);
        let behind = text.as_bytes().get(word_len(text.as_bytes()));
        if self.finder.decides(behind.copied().unwrap_or_default()) {
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
        // Those that go on behind a dot follow the plain one directly: a dot sorts before any
        // letter or digit.
        let longer = mnemonics.get(next..).unwrap_or_default().iter();
        let longer =
            longer.take_while(|mnemonic| goes_on_behind_a_dot(mnemonic.text, word, any_case));
        longer
            .filter(|mnemonic| is_whole(text, mnemonic.text, any_case))
            .max_by_key(|mnemonic| mnemonic.text.len())
            .or(plain)
    }

    /// The mnemonic that is the word at the start of a text, without a dot behind it.
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
        let behind = cursor.position();
        if !cursor.eat(b';') {
            cursor.seek(behind);
            let fault = cursor.fault(behind, "expected `;` behind the word");
            return Err(ParseError::fault(cursor, fault));
        }
        let span = start..cursor.position();
        Ok(Parsed::Word { word, span })
    }
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether a mnemonic is another one with a dot and more behind it.
fn goes_on_behind_a_dot(longer: &str, plain: &str, any_case: bool) -> bool {
    behind(longer, plain, any_case).is_some_and(|rest| rest.starts_with('.'))
}

/// Whether the text begins with `name` and the word ends there.
fn is_whole(text: &str, name: &str, any_case: bool) -> bool {
    behind(text, name, any_case).is_some_and(|behind| !behind.starts_with(is_word))
}

/// The rest of a text that has this beginning, in any letter case where `any_case`.
fn behind<'t>(text: &'t str, beginning: &str, any_case: bool) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(beginning.len())?;
    (head == beginning || any_case && head.eq_ignore_ascii_case(beginning)).then_some(rest)
}

/// The bytes of a text in lower case.
fn lower(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| byte.to_ascii_lowercase())
}

fn keep_furthest(furthest: &mut Option<ParseError>, error: ParseError) {
    match furthest {
        Some(known) if known.reach >= error.reach => {}
        _ => *furthest = Some(error),
    }
}

/// At the end of the text: whether the blank text from `from` on is an unfinished comment.
pub(super) fn finished(cursor: &Cursor<'_>, from: usize) -> Result<(), ParseError> {
    match open_comment(cursor.text().as_bytes(), from) {
        None => Ok(()),
        Some(at) => {
            let span = at..at + 2;
            Err(ParseError::new(cursor, span, ParseErrorKind::UnfinishedComment))
        }
    }
}

/// Where the comment begins that blank text from `from` on ends inside of.
fn open_comment(text: &[u8], from: usize) -> Option<usize> {
    let mut rest = text.get(from..)?;
    loop {
        rest = match rest {
            [b'/', b'*', inside @ ..] => match inside.windows(2).position(|pair| pair == b"*/") {
                Some(end) => inside.get(end + 2..)?,
                None => return Some(text.len() - rest.len()),
            },
            // To the end of the line.
            [b'/', ..] => rest.get(rest.iter().position(|&byte| byte == b'\n')?..)?,
            [_, behind @ ..] => behind,
            [] => return None,
        };
    }
}

/// Reads a statement that begins at a place; after a mistake the cursor stands behind it.
#[inline]
pub(super) fn or_skip<'t, T>(
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

/// Whether a `+` or a `-` stands in the statement at the cursor.
fn has_sign(mut cursor: Cursor<'_>) -> bool {
    while let Some(byte) = cursor.peek().filter(|&byte| byte != b';') {
        if matches!(byte, b'+' | b'-') {
            return true;
        }
        cursor.eat(byte);
    }
    false
}

/// Moves behind the next `;` outside of comments and of text in quotes, or to the end.
pub(super) fn skip_statement(cursor: &mut Cursor<'_>) {
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
