//! Why a text is no instruction.

mod message;

use core::cmp::Ordering;
use core::fmt::{self, Display};
use core::ops::Range;

use super::DecodeError;
use super::near::LONGEST;
use crate::asm::{Candidates, Cause, Cursor, Fault};
use crate::table::{Affix, Field, Mnemonic, Opcode, Slot, Syntax};
use message::{Help, Title};

/// Why a text is no instruction, with the place in the text.
///
/// [`Display`] gives the message and the help on one line. For a diagnostic of several lines take
/// [`ParseError::span`], [`ParseError::title`], [`ParseError::label`] and [`ParseError::help`].
#[derive(Clone)]
pub struct ParseError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    kind: ParseErrorKind,
    found: Found,
    /// How far the text was understood; of several readings the one that got furthest counts.
    pub(crate) reach: u32,
}

// Results with larger errors are slow to pass on, and clippy warns of them in every caller.
const _: () = assert!(size_of::<ParseError>() <= 120);

/// The ways in which a text can fail to be an instruction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// No mnemonic and no directive stands where an instruction should begin.
    NoInstruction,
    /// The instruction set has no such mnemonic.
    #[non_exhaustive]
    UnknownMnemonic {
        /// The mnemonics that exist.
        mnemonics: &'static [Mnemonic],
    },
    /// A directive other than `.word`.
    UnknownDirective,
    /// The number of a `.word` does not fit the instruction set's words.
    #[non_exhaustive]
    WordTooWide {
        /// The width of a word in bits.
        bits: u8,
    },
    /// The mnemonic or the operand has no such modifier.
    #[non_exhaustive]
    UnknownModifier {
        /// The opcodes that the text can still be.
        opcodes: Candidates,
        /// The operand; `None` for the mnemonic.
        slot: Option<&'static Slot>,
    },
    /// A modifier is given a second time, or a second value of the same set.
    #[non_exhaustive]
    RepeatedModifier {
        /// The field that has its value already.
        field: &'static Field,
    },
    /// A modifier that must be given is not.
    #[non_exhaustive]
    MissingModifier {
        /// An opcode of the mnemonic.
        opcode: &'static Opcode,
        /// The field without a value.
        field: &'static Field,
    },
    /// The text of an operand or of a setting is wrong.
    Operand(Fault),
    /// No operand stands where one should.
    #[non_exhaustive]
    NoOperand {
        /// The opcodes that the text can still be.
        opcodes: Candidates,
        /// The operand.
        slot: &'static Slot,
    },
    /// The operand would be right beside other operands.
    #[non_exhaustive]
    Combination {
        /// The opcodes of the mnemonic.
        opcodes: Candidates,
    },
    /// Several forms of the mnemonic fit the text up to here, and none of them goes on as it does.
    #[non_exhaustive]
    NoForm {
        /// The opcodes whose forms fit up to here.
        opcodes: Candidates,
        /// Whether the text is an operand that each of them refuses.
        is_operand: bool,
    },
    /// A mark such as `-` or `|` stands at an operand that has none.
    #[non_exhaustive]
    NoSuchMark {
        /// The mark.
        affix: &'static Affix,
        /// What the operand is, in words.
        operand: &'static str,
    },
    /// The second of a pair of marks is missing.
    #[non_exhaustive]
    UnclosedMark {
        /// The mark.
        affix: &'static Affix,
    },
    /// Fixed text of the syntax is missing.
    #[non_exhaustive]
    Expected {
        /// The text.
        text: &'static str,
        /// The syntax.
        syntax: &'static Syntax,
    },
    /// The operand or modifier is another than the one that all instructions of the opcode have.
    #[non_exhaustive]
    OtherValue {
        /// The opcode.
        opcode: &'static Opcode,
        /// The field, which is fixed.
        field: &'static Field,
    },
    /// Two places of the text that show one field say different values.
    #[non_exhaustive]
    TwoValues {
        /// The field.
        field: &'static Field,
    },
    /// The fields' values exclude each other, or one does not exist.
    Illegal(DecodeError),
    /// There is more text behind the only instruction.
    TextBehind,
    /// A `/*` without its `*/`.
    UnfinishedComment,
}

impl ParseErrorKind {
    /// A name of the kind for programs, such as `unknown-modifier`. It stays what it is where the
    /// words of messages change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            ParseErrorKind::NoInstruction => "expected-instruction",
            ParseErrorKind::UnknownMnemonic { .. } => "unknown-mnemonic",
            ParseErrorKind::UnknownDirective => "unknown-directive",
            ParseErrorKind::WordTooWide { .. } => "word-too-wide",
            ParseErrorKind::UnknownModifier { .. } => "unknown-modifier",
            ParseErrorKind::RepeatedModifier { .. } => "repeated-modifier",
            ParseErrorKind::MissingModifier { .. } => "missing-modifier",
            ParseErrorKind::Operand(_) => "operand",
            ParseErrorKind::NoOperand { .. } => "no-operand",
            ParseErrorKind::Combination { .. } => "combination",
            ParseErrorKind::NoForm { .. } => "no-form",
            ParseErrorKind::NoSuchMark { .. } => "no-such-mark",
            ParseErrorKind::UnclosedMark { .. } => "unclosed-mark",
            ParseErrorKind::Expected { .. } => "expected",
            ParseErrorKind::OtherValue { .. } => "other-value",
            ParseErrorKind::TwoValues { .. } => "two-values",
            ParseErrorKind::Illegal(_) => "illegal",
            ParseErrorKind::TextBehind => "text-behind",
            ParseErrorKind::UnfinishedComment => "unfinished-comment",
        }
    }
}

impl ParseErrorKind {
    /// Whether the error is about the next token, for which each opcode may have another.
    const fn is_of_token(&self) -> bool {
        matches!(
            self,
            ParseErrorKind::Operand(Fault { cause: Cause::Text, .. })
                | ParseErrorKind::NoOperand { .. }
                | ParseErrorKind::Expected { .. }
        )
    }
}

/// Whether a fault is about the text of an operand, wherever the instruction is.
fn is_text(fault: &Fault) -> bool {
    fault.cause == Cause::Text
}

impl ParseError {
    /// An error about a stretch of the cursor's text.
    #[cold]
    pub(crate) fn new(cursor: &Cursor<'_>, span: Range<usize>, kind: ParseErrorKind) -> Self {
        ParseError {
            found: Found::new(cursor.text().get(span.clone()).unwrap_or_default()),
            reach: u32::try_from(span.start.max(cursor.position())).unwrap_or(u32::MAX),
            span,
            kind,
        }
    }

    /// An error about a whole text whose word is no instruction.
    #[cold]
    pub(crate) fn illegal(text: &str, span: Range<usize>, error: DecodeError) -> Self {
        ParseError::new(&Cursor::new(text), span, ParseErrorKind::Illegal(error))
    }

    /// An error about the token at the cursor.
    #[cold]
    pub(crate) fn here(cursor: &mut Cursor<'_>, kind: ParseErrorKind) -> Self {
        cursor.skip_trivia();
        let mut ahead = cursor.clone();
        let start = ahead.position();
        let end = match ahead.word() {
            "" => ahead.next_boundary(start),
            word => start + word.len(),
        };
        ParseError::new(cursor, start..end, kind)
    }

    /// An error about text that is missing before the token at the cursor: about the place behind
    /// the token before it where that is what has to be changed. That is so for the `;` that ends a
    /// statement, and wherever the next token stands on another line. `start` is where the
    /// statement begins.
    #[cold]
    pub(crate) fn missing(cursor: &mut Cursor<'_>, start: usize, kind: ParseErrorKind) -> Self {
        let is_end = matches!(kind, ParseErrorKind::Expected { text, .. } if text.trim() == ";");
        let mut error = ParseError::here(cursor, kind);
        let behind = cursor.behind_last_token(start);
        let between = cursor.text().get(behind..cursor.position()).unwrap_or_default();
        if is_end || between.contains('\n') {
            error.span = behind..behind;
        }
        error
    }

    /// An error about an operand.
    #[cold]
    pub(crate) fn fault(cursor: &Cursor<'_>, fault: Fault) -> Self {
        let span = fault.span.clone();
        ParseError::new(cursor, span, ParseErrorKind::Operand(fault))
    }

    /// The error of a text that stands so many bytes into another, as one of that.
    #[cfg(feature = "alloc")]
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.start + by..self.span.end + by;
        self.reach = self.reach.saturating_add(u32::try_from(by).unwrap_or(u32::MAX));
        self
    }

    /// Which of two errors at one place is to be reported: that a name is unknown before any other, and that
    /// only the end is missing before what may stand in front of it.
    #[cold]
    pub(crate) fn compared(&self, other: &Self) -> Ordering {
        let rank = |error: &Self| match &error.kind {
            ParseErrorKind::Operand(Fault {
                cause: Cause::UnknownLabel | Cause::UnknownConstant,
                ..
            }) => 2,
            ParseErrorKind::Expected { text, .. } if text.trim() == ";" => 1,
            _ => 0,
        };
        rank(self).cmp(&rank(other))
    }

    /// Whether two errors at one place need not both be reported: they are alike, or one of them is about
    /// more than the next token.
    #[cold]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ParseErrorKind::Operand(a), ParseErrorKind::Operand(b))
                if is_text(a) && is_text(b) =>
            {
                a.message == b.message
            }
            (
                ParseErrorKind::Expected { text: a, .. },
                ParseErrorKind::Expected { text: b, .. },
            ) => a.trim() == b.trim(),
            (
                ParseErrorKind::NoOperand { opcodes: a, slot: first },
                ParseErrorKind::NoOperand { opcodes: b, slot: second },
            ) => message::operand(*a, first) == message::operand(*b, second),
            (a, b) => !(a.is_of_token() && b.is_of_token()),
        }
    }

    /// The error with the forms of some opcodes, each of which refuses the text in another way.
    #[cold]
    pub(crate) fn of_forms(self, opcodes: Candidates) -> Self {
        let is_operand = matches!(self.kind, ParseErrorKind::Operand(_));
        ParseError { kind: ParseErrorKind::NoForm { opcodes, is_operand }, ..self }
    }

    /// The text that the error is about, or its beginning.
    #[cfg(feature = "alloc")]
    pub(super) fn found(&self) -> &str {
        self.found.as_str()
    }

    /// Notes, of an error that found a `;` where the text as it is written has none, that it found the
    /// end of a line: statements may end with their lines. A quote that is alone in its line was another sign.
    #[cfg(feature = "alloc")]
    pub(crate) fn see_line_end(&mut self, written: &str) {
        // Where the error is about an earlier place, it was found at the token that was understood last.
        let at = if self.span.is_empty() { self.reach as usize } else { self.span.start };
        if self.found.as_str() == ";" && written.as_bytes().get(at) != Some(&b';') {
            self.found.extent = Extent::Line;
        }
        if self.found.as_str().starts_with(crate::asm::OPEN_QUOTE) {
            self.found = Found::new("\"");
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }

    /// The message: lower case, without a full stop.
    #[must_use]
    pub fn title(&self) -> impl Display + '_ {
        Title(self)
    }

    /// A few words for the place in the text.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.kind {
            ParseErrorKind::NoInstruction => "an instruction begins with its mnemonic",
            ParseErrorKind::UnknownMnemonic { .. } => "no such mnemonic",
            ParseErrorKind::UnknownDirective => "no such directive",
            ParseErrorKind::WordTooWide { .. } => "too wide",
            ParseErrorKind::UnknownModifier { .. } => "no such modifier here",
            ParseErrorKind::RepeatedModifier { .. } => "given before",
            ParseErrorKind::MissingModifier { .. } => "incomplete",
            ParseErrorKind::Operand(Fault { cause: Cause::UnknownLabel, .. }) => "no such label",
            ParseErrorKind::Operand(_) => "here",
            ParseErrorKind::NoOperand { .. } => "no operand of the right kind",
            ParseErrorKind::Combination { .. } => "not beside the other operands",
            ParseErrorKind::NoForm { .. } => "in none of the forms",
            ParseErrorKind::NoSuchMark { .. } => "not at this operand",
            ParseErrorKind::UnclosedMark { .. } => "the closing mark belongs here",
            ParseErrorKind::Expected { .. } if self.span.start == self.span.end => "missing here",
            ParseErrorKind::Expected { .. } => "expected something else",
            ParseErrorKind::OtherValue { .. } => "another stands here",
            ParseErrorKind::TwoValues { .. } => "the two places must agree",
            ParseErrorKind::Illegal(_) => "illegal as a whole",
            ParseErrorKind::TextBehind => "not part of the instruction",
            ParseErrorKind::UnfinishedComment => "begins here",
        }
    }

    /// What to write instead, if there is something to say.
    #[must_use]
    pub fn help(&self) -> Option<impl Display + '_> {
        let help = Help(self);
        let mut any = AnyText(false);
        // The sink refuses all text, so that no more than the first word is made.
        let _ = help.write(&mut any);
        any.0.then_some(help)
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.title().fmt(f)?;
        match self.help() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// The place and the message: what a failed `unwrap` shows.
impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("ParseError");
        text.field("span", &self.span).field("message", &format_args!("{self}"));
        text.finish_non_exhaustive()
    }
}

impl core::error::Error for ParseError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            ParseErrorKind::Operand(fault) => Some(fault),
            ParseErrorKind::Illegal(error) => Some(error),
            _ => None,
        }
    }
}

/// Notes whether anything is written.
struct AnyText(bool);

impl fmt::Write for AnyText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 |= !text.is_empty();
        if self.0 { Err(fmt::Error) } else { Ok(()) }
    }
}

/// The beginning of the offending text.
#[derive(Debug, Clone, Copy)]
struct Found {
    bytes: [u8; LONGEST],
    len: u8,
    extent: Extent,
}

/// What the bytes of [`Found`] are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Extent {
    /// The whole of the offending text.
    Whole,
    /// Its beginning.
    Beginning,
    /// The `;` that stands for the end of a line, as only programs have it.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "there are no programs"))]
    Line,
}

impl Found {
    fn new(text: &str) -> Self {
        // `str::floor_char_boundary` by hand: it is stable from Rust 1.91 on.
        let longest = text.len().min(LONGEST);
        let len = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let mut bytes = [0; LONGEST];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        let extent = if len == text.len() { Extent::Whole } else { Extent::Beginning };
        Found { bytes, len: len as u8, extent }
    }

    fn as_str(&self) -> &str {
        let text = self.bytes.get(..self.len.into()).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }

    /// The name in a modifier, which begins with a dot.
    fn name(&self) -> &[u8] {
        self.as_str().trim_start_matches('.').trim().as_bytes()
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_str(), self.extent) {
            ("", _) => f.write_str("the end of the text"),
            (_, Extent::Line) => f.write_str("the end of the line"),
            (text, Extent::Whole) => write!(f, "`{text}`"),
            (text, Extent::Beginning) => write!(f, "`{text}...`"),
        }
    }
}
