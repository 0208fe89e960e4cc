//! Why a text is no instruction.

use core::fmt::{self, Display};
use core::ops::Range;

use super::near::LONGEST;
use super::{DecodeError, list, near};
use crate::asm::{Candidates, Cause, Cursor, Fault, Line};
use crate::table::{Affix, Field, Init, Item, Kind, Mnemonic, Opcode, Slot, Syntax, Text};

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
    whole: bool,
}

impl Found {
    fn new(text: &str) -> Self {
        // `str::floor_char_boundary` by hand: it is stable from Rust 1.91 on.
        let longest = text.len().min(LONGEST);
        let len = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let mut bytes = [0; LONGEST];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Found { bytes, len: len as u8, whole: len == text.len() }
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
        match (self.as_str(), self.whole) {
            ("", _) => f.write_str("the end of the text"),
            (text, true) => write!(f, "`{text}`"),
            (text, false) => write!(f, "`{text}...`"),
        }
    }
}

/// [`ParseError::title`].
struct Title<'e>(&'e ParseError);

impl Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.0.found;
        match &self.0.kind {
            ParseErrorKind::NoInstruction => write!(f, "expected an instruction, found {found}"),
            ParseErrorKind::UnknownMnemonic { .. } => write!(f, "unknown mnemonic {found}"),
            ParseErrorKind::UnknownDirective => write!(f, "unknown directive {found}"),
            ParseErrorKind::WordTooWide { bits } => write!(f, "the word has more than {bits} bits"),
            ParseErrorKind::UnknownModifier { opcodes, slot } => {
                write!(f, "`{}` takes no modifier {found}", owner(*opcodes, *slot))
            }
            ParseErrorKind::RepeatedModifier { field } => {
                write!(f, "{found} sets `{}` a second time", field.name)
            }
            ParseErrorKind::MissingModifier { opcode, field } => {
                let mnemonic = opcode.syntax.mnemonic;
                write!(f, "`{mnemonic}` needs a modifier for `{}`", field.name)
            }
            ParseErrorKind::Operand(fault) => match fault.cause {
                Cause::Text => fault.fmt(f),
                Cause::UnknownLabel => write!(f, "unknown label {found}"),
                Cause::Target { .. } => write!(f, "{found} is {fault}"),
            },
            ParseErrorKind::NoOperand { opcodes, slot } => {
                write!(f, "expected `{}`, found {found}", owner(*opcodes, Some(slot)))
            }
            ParseErrorKind::Combination { opcodes } => {
                let mnemonic = owner(*opcodes, None);
                write!(f, "`{mnemonic}` does not take {found} beside the other operands")
            }
            ParseErrorKind::NoSuchMark { affix, operand } => {
                write!(f, "`{}` does not go with {operand}", affix.open)
            }
            ParseErrorKind::UnclosedMark { affix } => {
                write!(f, "the closing `{}` is missing, found {found}", affix.close)
            }
            ParseErrorKind::Expected { text, .. } => {
                write!(f, "expected `{}`, found {found}", text.trim())
            }
            ParseErrorKind::OtherValue { opcode, field } => {
                let mut value = Line::new();
                let index = opcode.fields.iter().position(|other| core::ptr::eq(*other, *field));
                opcode.print_field(index.unwrap_or(usize::MAX), opcode.start, None, &mut value);
                let mnemonic = opcode.syntax.mnemonic;
                write!(f, "`{}` of `{mnemonic}` is always `{}`", field.name, value.as_str())
            }
            ParseErrorKind::TwoValues { field } => {
                write!(f, "`{}` stands twice in the text, with different values", field.name)
            }
            ParseErrorKind::Illegal(error) => error.fmt(f),
            ParseErrorKind::TextBehind => write!(f, "expected the end of the text, found {found}"),
            ParseErrorKind::UnfinishedComment => f.write_str("a comment without its `*/`"),
        }
    }
}

/// The name of an operand, or of the mnemonic.
fn owner(opcodes: Candidates, slot: Option<&Slot>) -> &'static str {
    let Some(opcode) = opcodes.first() else {
        return "";
    };
    let syntax = opcode.syntax;
    let symbol = slot.map(|slot| syntax.symbols.get(usize::from(slot.symbol)));
    symbol.map_or(syntax.mnemonic, |symbol| symbol.copied().unwrap_or_default())
}

/// [`ParseError::help`].
struct Help<'e>(&'e ParseError);

impl Display for Help<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Help<'_> {
    fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let written = self.0.found.name();
        match self.0.kind {
            ParseErrorKind::UnknownMnemonic { mnemonics } => {
                let names = mnemonics.iter().map(|mnemonic| mnemonic.text);
                match near::nearest(written, names.clone()) {
                    Some(name) => write!(f, "did you mean `{name}`?"),
                    None if names.len() > MANY => Ok(()),
                    None => list(f, "there is ", names.map(|name| Quoted("", name))),
                }
            }
            ParseErrorKind::UnknownDirective => f.write_str("the only directive is `.word`"),
            ParseErrorKind::UnknownModifier { opcodes, slot } => {
                modifiers(f, written, opcodes, slot)
            }
            ParseErrorKind::MissingModifier { field, .. } => match field.kind.text {
                Some(text) => write!(f, "write {} behind a dot", text.expects),
                None => list(f, "write ", values(field.kind).map(|name| Quoted(".", name))),
            },
            ParseErrorKind::NoOperand { opcodes, slot } => operands(f, opcodes, slot),
            ParseErrorKind::Combination { opcodes } => {
                list(f, "it takes ", opcodes.opcodes().map(Operands))
            }
            ParseErrorKind::Expected { syntax, .. } => {
                write!(f, "the syntax is `{}`", syntax.source)
            }
            ParseErrorKind::Operand(_)
            | ParseErrorKind::NoInstruction
            | ParseErrorKind::WordTooWide { .. }
            | ParseErrorKind::RepeatedModifier { .. }
            | ParseErrorKind::NoSuchMark { .. }
            | ParseErrorKind::UnclosedMark { .. }
            | ParseErrorKind::OtherValue { .. }
            | ParseErrorKind::TwoValues { .. }
            | ParseErrorKind::Illegal(_)
            | ParseErrorKind::TextBehind
            | ParseErrorKind::UnfinishedComment => Ok(()),
        }
    }
}

/// The longest list of names that helps.
const MANY: usize = 40;

/// A name with what stands before it, in backticks.
struct Quoted(&'static str, &'static str);

impl Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}{}`", self.0, self.1)
    }
}

fn list<T: Display>(
    f: &mut dyn fmt::Write,
    lead: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    f.write_str(lead)?;
    list::alternatives(f, items)
}

fn values(kind: &'static Kind) -> impl Iterator<Item = &'static str> + Clone {
    kind.values.iter().map(|value| value.name)
}

/// The names of the modifiers that exist, after the one that was probably meant.
fn modifiers(
    f: &mut dyn fmt::Write,
    written: &[u8],
    opcodes: Candidates,
    slot: Option<&'static Slot>,
) -> fmt::Result {
    let names = names(opcodes, slot);
    let near = near::nearest(written, names.clone());
    if let Some(name) = near {
        write!(f, "did you mean `.{name}`?")?;
    }
    let gap = if near.is_some() { " " } else { "" };
    let text = slot.and_then(|slot| suffix_text(opcodes, slot));
    match (text, names.clone().count()) {
        (Some(text), _) => write!(f, "{gap}it takes {}", text.expects),
        (None, 0) => f.write_str("it takes none here"),
        (None, 1..=MANY) => {
            f.write_str(gap)?;
            // Several places may take one name, which is said once.
            let earlier = names.clone();
            let is_new =
                |(at, name): &(usize, &str)| !earlier.clone().take(*at).any(|n| n == *name);
            let once = names.enumerate().filter(is_new);
            list(f, "it takes ", once.map(|(_, name)| Quoted(".", name)))
        }
        _ => Ok(()),
    }
}

/// The text of a suffix that is an operand kind.
fn suffix_text(opcodes: Candidates, slot: &'static Slot) -> Option<&'static Text> {
    let symbol = *slot.suffixes.first()?;
    let bound = opcodes.opcodes().find_map(|opcode| opcode.bound(symbol));
    bound.and_then(|(_, field)| field.kind.text)
}

/// The names that can stand behind a dot.
fn names(
    opcodes: Candidates,
    slot: Option<&'static Slot>,
) -> impl Iterator<Item = &'static str> + Clone {
    let syntax = opcodes.first().map(|opcode| opcode.syntax);
    let modifiers = syntax.map_or(&[][..], |syntax| syntax.modifiers);
    let modifiers = modifiers.iter().filter(move |_| slot.is_none());
    let suffixes = slot.map_or(&[][..], |slot| slot.suffixes);
    let symbols = modifiers.map(|modifier| (modifier.symbol, modifier.only));
    let symbols = symbols.chain(suffixes.iter().map(|&symbol| (symbol, None)));
    symbols.flat_map(move |(symbol, only)| {
        let fields = opcodes.opcodes().filter_map(move |opcode| opcode.bound(symbol));
        let kind = fields.clone().next().map(|(_, field)| field.kind);
        let values = kind.map_or(&[][..], |kind| kind.values).iter();
        let is_other = |field: &Field, raw| matches!(field.init, Init::Fixed(one) if one != raw);
        let takes = move |raw| fields.clone().any(|(_, field)| !is_other(field, raw));
        let values = values
            .filter(move |value| only.is_none_or(|only| only == value.raw) && takes(value.raw));
        values.map(|value| value.name)
    })
}

/// What the operand can be.
fn operands(f: &mut dyn fmt::Write, opcodes: Candidates, slot: &'static Slot) -> fmt::Result {
    let kinds = move |opcode: &'static Opcode| {
        let (index, field) = opcode.bound(slot.symbol)?;
        Some(opcode.text_of(index, field).map_or(field.kind.name, |text| text.expects))
    };
    let fresh = move |(place, opcode): (usize, &'static Opcode)| {
        let kind = kinds(opcode)?;
        let known = opcodes.opcodes().take(place).any(|opcode| kinds(opcode) == Some(kind));
        (!known).then_some(kind)
    };
    let kinds = opcodes.opcodes().enumerate().filter_map(fresh);
    write!(f, "`{}` is ", owner(opcodes, Some(slot)))?;
    list::alternatives(f, kinds)
}

/// The kinds of an opcode's operands, in backticks.
struct Operands(&'static Opcode);

impl Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.0.syntax.after.iter().filter_map(|item| match item {
            Item::Slot(slot) => self.0.bound(slot.symbol),
            _ => None,
        });
        f.write_str("`")?;
        for (place, (_, field)) in slots.enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            f.write_str(field.kind.name)?;
        }
        f.write_str("`")
    }
}
