//! Parses text that may be invalid, and checks the results.

use isa_core::error::{DecodeError, DecodeErrorKind, ParseError, ParseErrorKind};
use isa_core::parse::Parsed;
use isa_core::table::InstructionSet;
use isa_core::text::Cursor;

use crate::text::round_trip;

/// The result of parsing a text.
#[derive(Debug, Default)]
pub struct ParseSummary {
    /// The number of accepted statements.
    pub accepted: usize,
    /// The number of errors. Parsing continued after each of them.
    pub errors: usize,
    /// The first statement: the name of its opcode, or the type of its error.
    pub first: Option<&'static str>,
}

/// Parses a text to its end, statement by statement, and checks the properties of every result: the
/// parser advances, an accepted statement round-trips, and the fast parser agrees with the template
/// interpreter.
///
/// # Errors
///
/// Returns a message if a property is violated.
pub fn parse_all(set: &'static InstructionSet, text: &str) -> Result<ParseSummary, String> {
    let mut cursor = Cursor::new(text);
    let mut summary = ParseSummary::default();
    loop {
        let before = cursor.position();
        let parsed = set.parse_next(&mut cursor);
        check_slow_way(set, text, before, &parsed, cursor.position())?;
        match parsed {
            Ok(None) => break,
            Ok(Some(parsed)) => {
                summary.first.get_or_insert(taken(set, text, &parsed, before, cursor.position())?);
                summary.accepted += 1;
            }
            Err(error) => {
                check_error(set, text, &error)?;
                summary.first.get_or_insert(error.label());
                summary.errors += 1;
            }
        }
        ensure(cursor.position() > before, || format!("the parser makes no progress at {before}"))?;
    }
    ensure(cursor.position() == text.len(), || {
        "the parser stops before the end of the text".to_owned()
    })?;
    Ok(summary)
}

/// Does the same as [`parse_all`], and also parses the whole text as one statement.
///
/// # Errors
///
/// Returns the errors of [`parse_all`], and an error if the two results differ.
pub fn parse_whole(set: &'static InstructionSet, text: &str) -> Result<ParseSummary, String> {
    let summary = parse_all(set, text)?;
    let is_one = summary.accepted == 1 && summary.errors == 0;
    let whole = set.parse(text);
    ensure(whole.is_ok() == is_one, || format!("parsed as one statement, it is {whole:x?}"))?;
    Ok(summary)
}

/// Returns an error with a message unless `so` is true.
pub(crate) fn ensure(so: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(message()) }
}

/// Checks an accepted statement, and returns the name of its opcode.
fn taken(
    set: &'static InstructionSet,
    text: &str,
    parsed: &Parsed,
    before: usize,
    behind: usize,
) -> Result<&'static str, String> {
    let (span, word) = (parsed.span().clone(), parsed.word());
    let statement = text.get(span.clone()).filter(|statement| statement.ends_with(';'));
    let fits = before <= span.start && span.end == behind && statement.is_some();
    ensure(fits, || format!("{span:?} is parsed as the statement after {before}"))?;
    let opcode = set.decode(word);
    if let Parsed::Instruction { opcode: index, .. } = parsed {
        let known = opcode.as_ref().is_ok_and(|found| core::ptr::eq(*found, set.opcodes[*index]));
        ensure(known, || format!("{statement:?} is parsed as {word:#x}, which is {opcode:?}"))?;
    }
    if opcode.as_ref().map_or(true, |opcode| opcode.reads_back(word)) {
        round_trip(set, word).map_err(|wrong| format!("{word:#x}: {wrong}"))?;
    }
    Ok(opcode.map_or("", |opcode| opcode.name))
}

/// Checks the contents of an error.
fn check_error(set: &'static InstructionSet, text: &str, error: &ParseError) -> Result<(), String> {
    let span = &error.span;
    ensure(text.get(span.clone()).is_some(), || format!("the error is at {span:?}: {error}"))?;
    match error.kind() {
        ParseErrorKind::Illegal(illegal) => {
            ensure(is_illegal(set, illegal), || format!("{error}, but the word is valid"))
        }
        _ => Ok(()),
    }
}

/// Returns whether a word is invalid for the opcode of its error. The word may belong to a special
/// case of this opcode.
fn is_illegal(set: &'static InstructionSet, error: &DecodeError) -> bool {
    let word = error.word();
    match error.kind() {
        DecodeErrorKind::Illegal { opcode, .. }
        | DecodeErrorKind::ReservedValue { opcode, .. }
        | DecodeErrorKind::UnusedBits { opcode, .. }
        | DecodeErrorKind::OtherOpcode { opcode, .. } => !opcode.check(word),
        _ => set.decode(word).is_err(),
    }
}

/// Checks that the fast parser and the template interpreter return the same result.
fn check_slow_way(
    set: &'static InstructionSet,
    text: &str,
    start: usize,
    parsed: &Result<Option<Parsed>, ParseError>,
    end: usize,
) -> Result<(), String> {
    let mut cursor = Cursor::new(text);
    cursor.seek(start);
    let slow = set.parse_next_by_template(&mut cursor);
    let shown = |error: &ParseError| (error.to_string(), error.span.clone());
    let same = match (&slow, parsed) {
        (Ok(slow), Ok(fast)) => slow == fast,
        (Err(slow), Err(fast)) => shown(slow) == shown(fast) && !fast.to_string().is_empty(),
        _ => false,
    };
    let differ = || format!("two parsers disagree: {parsed:x?}, and with the template {slow:x?}");
    ensure(same && cursor.position() == end, differ)
}
