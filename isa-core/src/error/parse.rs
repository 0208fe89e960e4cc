//! Errors for texts that are not valid instructions.

mod message;

use core::cmp::Ordering;
use core::fmt::{self, Display};
use core::ops::Range;

use super::DecodeError;
use super::suggestions::LONGEST;
use crate::table::{Affix, Candidates, Field, Mnemonic, Opcode, Slot, Syntax};
use crate::text::{Cause, Cursor, OperandError};
use message::{Help, Title};

/// The error for a text that is not a valid instruction, with the position in the text.
///
/// [`Display`] prints the message and the help on one line. For a diagnostic of several lines use
/// [`ParseError::span`], [`ParseError::title`], [`ParseError::label`] and [`ParseError::help`].
#[derive(Clone)]
pub struct ParseError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    kind: ParseErrorKind,
    found: FoundToken,
    /// The position up to which the text was parsed. If several ways to parse the text fail, the error
    /// with the highest position is reported.
    pub(crate) reach: u32,
}

// Results with a larger error are slow to return, and clippy reports them in every caller.
const _: () = assert!(size_of::<ParseError>() <= 120);

/// The reasons why a text is not a valid instruction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text contains neither a mnemonic nor a directive where an instruction should begin.
    NoInstruction,
    /// The instruction set has no such mnemonic.
    #[non_exhaustive]
    UnknownMnemonic {
        /// The mnemonics that exist.
        mnemonics: &'static [Mnemonic],
    },
    /// The directive is not `.word`.
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
        /// The opcodes that match the text up to this position.
        opcodes: Candidates,
        /// The operand; `None` for the mnemonic.
        slot: Option<&'static Slot>,
    },
    /// A modifier is repeated, or a second modifier of the same value set is given.
    #[non_exhaustive]
    RepeatedModifier {
        /// The field that already has a value.
        field: &'static Field,
    },
    /// A required modifier is missing.
    #[non_exhaustive]
    MissingModifier {
        /// An opcode of the mnemonic.
        opcode: &'static Opcode,
        /// The field without a value.
        field: &'static Field,
    },
    /// The text of an operand or of a trailing attribute is invalid.
    Operand(OperandError),
    /// An operand is missing.
    #[non_exhaustive]
    NoOperand {
        /// The opcodes that match the text up to this position.
        opcodes: Candidates,
        /// The operand.
        slot: &'static Slot,
    },
    /// The operand is valid only in combination with other operands.
    #[non_exhaustive]
    Combination {
        /// The opcodes of the mnemonic.
        opcodes: Candidates,
    },
    /// Several forms of the mnemonic match the text up to this position, and none of them matches
    /// the rest.
    #[non_exhaustive]
    NoForm {
        /// The opcodes whose forms match up to this position.
        opcodes: Candidates,
        /// Whether the text is an operand that each of these forms rejects.
        is_operand: bool,
    },
    /// A prefix or suffix operator such as `-` or `|` is not possible at the operand.
    #[non_exhaustive]
    UnknownAffix {
        /// The operator.
        affix: &'static Affix,
        /// A description of the operand.
        operand: &'static str,
    },
    /// The closing part of an operator is missing.
    #[non_exhaustive]
    UnclosedAffix {
        /// The operator.
        affix: &'static Affix,
    },
    /// A literal of the syntax is missing.
    #[non_exhaustive]
    Expected {
        /// The literal.
        text: &'static str,
        /// The syntax.
        syntax: &'static Syntax,
    },
    /// The operand or modifier differs from the value to which all instructions of the opcode fix
    /// it.
    #[non_exhaustive]
    OtherValue {
        /// The opcode.
        opcode: &'static Opcode,
        /// The fixed field.
        field: &'static Field,
    },
    /// The same field has different values at two positions of the text.
    #[non_exhaustive]
    TwoValues {
        /// The field.
        field: &'static Field,
    },
    /// The combination of field values is invalid, or a value is reserved.
    Illegal(DecodeError),
    /// There is text after the instruction.
    TrailingText,
    /// A `/*` has no matching `*/`.
    UnfinishedComment,
}

impl ParseErrorKind {
    /// Returns a name of the variant for programs, such as `unknown-modifier`. It remains stable
    /// when the wording of messages changes.
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
            ParseErrorKind::UnknownAffix { .. } => "unknown-affix",
            ParseErrorKind::UnclosedAffix { .. } => "unclosed-affix",
            ParseErrorKind::Expected { .. } => "expected",
            ParseErrorKind::OtherValue { .. } => "other-value",
            ParseErrorKind::TwoValues { .. } => "two-values",
            ParseErrorKind::Illegal(_) => "illegal",
            ParseErrorKind::TrailingText => "trailing-text",
            ParseErrorKind::UnfinishedComment => "unfinished-comment",
        }
    }
}

impl ParseErrorKind {
    /// Returns whether the error is about the next token. Different opcodes can report different errors
    /// of this type.
    const fn is_of_token(&self) -> bool {
        matches!(
            self,
            ParseErrorKind::Operand(OperandError { cause: Cause::Text, .. })
                | ParseErrorKind::NoOperand { .. }
                | ParseErrorKind::Expected { .. }
        )
    }
}

/// Returns whether an error is about the text of an operand, independent of the instruction's
/// position.
fn is_text(fault: &OperandError) -> bool {
    fault.cause == Cause::Text
}

impl ParseError {
    /// Creates an error about a range of the cursor's text.
    #[cold]
    pub(crate) fn new(cursor: &Cursor<'_>, span: Range<usize>, kind: ParseErrorKind) -> Self {
        ParseError {
            found: FoundToken::new(cursor.text().get(span.clone()).unwrap_or_default()),
            reach: u32::try_from(span.start.max(cursor.position())).unwrap_or(u32::MAX),
            span,
            kind,
        }
    }

    /// Creates an error about a complete text whose word is invalid.
    #[cold]
    pub(crate) fn illegal(text: &str, span: Range<usize>, error: DecodeError) -> Self {
        ParseError::new(&Cursor::new(text), span, ParseErrorKind::Illegal(error))
    }

    /// Creates an error about the token at the cursor.
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

    /// Creates an error about text that is missing before the token at the cursor. `start` is the
    /// beginning of the statement. The error refers to the position after the previous token if the
    /// correction belongs there. This applies to the `;` that ends a statement, and to any text if
    /// the next token is on another line.
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

    /// Creates an error about an operand.
    #[cold]
    pub(crate) fn fault(cursor: &Cursor<'_>, fault: OperandError) -> Self {
        let span = fault.span.clone();
        ParseError::new(cursor, span, ParseErrorKind::Operand(fault))
    }

    /// Converts the error of a text that begins at byte `by` of another text to an error of that
    /// text.
    #[cfg(feature = "alloc")]
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.start + by..self.span.end + by;
        self.reach = self.reach.saturating_add(u32::try_from(by).unwrap_or(u32::MAX));
        self
    }

    /// Compares the priorities of two errors at the same position. An error for an unknown name has the
    /// highest priority, followed by an error for a missing `;`. A missing `;` has a higher priority
    /// than missing text that could precede it.
    #[cold]
    pub(crate) fn compared(&self, other: &Self) -> Ordering {
        let rank = |error: &Self| match &error.kind {
            ParseErrorKind::Operand(OperandError {
                cause: Cause::UnknownLabel | Cause::UnknownConstant,
                ..
            }) => 2,
            ParseErrorKind::Expected { text, .. } if text.trim() == ";" => 1,
            _ => 0,
        };
        rank(self).cmp(&rank(other))
    }

    /// Returns whether only one of two errors at the same position needs to be reported: they are
    /// equal, or one of them is about more than the next token.
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

    /// Converts the error to an error that lists the forms of `opcodes`. It is used if the opcodes
    /// reject the text for different reasons.
    #[cold]
    pub(crate) fn of_forms(self, opcodes: Candidates) -> Self {
        let is_operand = matches!(self.kind, ParseErrorKind::Operand(_));
        ParseError { kind: ParseErrorKind::NoForm { opcodes, is_operand }, ..self }
    }

    /// Returns the offending text, or its beginning.
    #[cfg(feature = "alloc")]
    pub(crate) fn found(&self) -> &str {
        self.found.as_str()
    }

    /// Changes the found text to the text that the user wrote, `written`. Statements can end with their
    /// lines, so if `written` does not contain a found `;`, the error found the end of a line. An
    /// unmatched quote in a line was replaced by another character, and this replacement is undone.
    #[cfg(feature = "alloc")]
    pub(crate) fn see_line_end(&mut self, written: &str) {
        // If the error refers to an earlier position, the end of the line is at the position up to
        // which the text was parsed.
        let at = if self.span.is_empty() { self.reach as usize } else { self.span.start };
        if self.found.as_str() == ";" && written.as_bytes().get(at) != Some(&b';') {
            self.found.extent = Extent::Line;
        }
        if self.found.as_str().starts_with(crate::text::OPEN_QUOTE) {
            self.found = FoundToken::new("\"");
        }
    }

    /// Returns the reason.
    #[must_use]
    pub const fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }

    /// Returns the message: lower case, without a full stop.
    #[must_use]
    pub fn title(&self) -> impl Display + '_ {
        Title(self)
    }

    /// Returns a short label for the position in the text.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self.kind {
            ParseErrorKind::NoInstruction => "an instruction begins with its mnemonic",
            ParseErrorKind::UnknownMnemonic { .. } => "no such mnemonic",
            ParseErrorKind::UnknownDirective => "no such directive",
            ParseErrorKind::WordTooWide { .. } => "too wide",
            ParseErrorKind::UnknownModifier { .. } => "no such modifier here",
            ParseErrorKind::RepeatedModifier { .. } => "already set",
            ParseErrorKind::MissingModifier { .. } => "incomplete",
            ParseErrorKind::Operand(OperandError { cause: Cause::UnknownLabel, .. }) => {
                "no such label"
            }
            ParseErrorKind::Operand(_) => "here",
            ParseErrorKind::NoOperand { .. } => "not a valid operand",
            ParseErrorKind::Combination { .. } => "invalid with the other operands",
            ParseErrorKind::NoForm { .. } => "matches no form",
            ParseErrorKind::UnknownAffix { .. } => "not valid for this operand",
            ParseErrorKind::UnclosedAffix { .. } => "insert it here",
            ParseErrorKind::Expected { .. } if self.span.start == self.span.end => "missing here",
            ParseErrorKind::Expected { .. } => "unexpected",
            ParseErrorKind::OtherValue { .. } => "different value here",
            ParseErrorKind::TwoValues { .. } => "the two values must be equal",
            ParseErrorKind::Illegal(_) => "invalid encoding",
            ParseErrorKind::TrailingText => "not part of the instruction",
            ParseErrorKind::UnfinishedComment => "begins here",
        }
    }

    /// Returns a suggestion for a correction, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<impl Display + '_> {
        let help = Help(self);
        let mut any = AnyText(false);
        // The sink rejects all text, so at most the first word is formatted.
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

/// Prints the position and the message, which a failed `unwrap` shows.
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

/// A sink that records whether anything is written.
struct AnyText(bool);

impl fmt::Write for AnyText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 |= !text.is_empty();
        if self.0 { Err(fmt::Error) } else { Ok(()) }
    }
}

/// The beginning of the offending text.
#[derive(Debug, Clone, Copy)]
struct FoundToken {
    bytes: [u8; LONGEST],
    len: u8,
    extent: Extent,
}

/// The extent of the bytes in [`FoundToken`].
#[derive(Debug, Clone, Copy, PartialEq)]
enum Extent {
    /// The complete offending text.
    Whole,
    /// The beginning of the offending text.
    Beginning,
    /// The `;` that represents the end of a line, which only occurs in programs.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "there are no programs"))]
    Line,
}

impl FoundToken {
    fn new(text: &str) -> Self {
        // A replacement for `str::floor_char_boundary`, which is stable only since Rust 1.91.
        let longest = text.len().min(LONGEST);
        let len = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let mut bytes = [0; LONGEST];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        let extent = if len == text.len() { Extent::Whole } else { Extent::Beginning };
        FoundToken { bytes, len: len as u8, extent }
    }

    fn as_str(&self) -> &str {
        let text = self.bytes.get(..self.len.into()).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }

    /// Returns the name in a modifier without its dot.
    fn name(&self) -> &[u8] {
        self.as_str().trim_start_matches('.').trim().as_bytes()
    }
}

impl Display for FoundToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_str(), self.extent) {
            ("", _) => f.write_str("the end of the text"),
            (_, Extent::Line) => f.write_str("the end of the line"),
            (text, Extent::Whole) => write!(f, "`{text}`"),
            (text, Extent::Beginning) => write!(f, "`{text}...`"),
        }
    }
}
