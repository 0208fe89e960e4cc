//! Reading texts of which nobody knows whether they are right.

use isa_core::asm::{Cursor, Parsed};
use isa_core::error::{DecodeError, DecodeErrorKind, ParseError, ParseErrorKind};
use isa_core::table::InstructionSet;

use crate::text::round_trip;

/// How a text was read.
#[derive(Debug, Default)]
pub struct Reading {
    /// Statements that were taken.
    pub taken: usize,
    /// Errors, after each of which the reading went on.
    pub errors: usize,
    /// The first statement: the name of its opcode, or the words for its fault.
    pub first: Option<&'static str>,
}

/// Reads a text to its end, statement by statement, and checks what every reading must be like:
/// it goes on, what is taken is what is printed, and the fast way agrees with the slow one.
///
/// # Errors
///
/// What is wrong with a reading that is not like that.
pub fn read(set: &'static InstructionSet, text: &str) -> Result<Reading, String> {
    let mut cursor = Cursor::new(text);
    let mut reading = Reading::default();
    loop {
        let before = cursor.position();
        let parsed = set.parse_next(&mut cursor);
        check_slow_way(set, text, before, &parsed, cursor.position())?;
        match parsed {
            Ok(None) => break,
            Ok(Some(parsed)) => {
                reading.first.get_or_insert(taken(set, text, &parsed, before, cursor.position())?);
                reading.taken += 1;
            }
            Err(error) => {
                check_error(set, text, &error)?;
                reading.first.get_or_insert(error.label());
                reading.errors += 1;
            }
        }
        ensure(cursor.position() > before, || format!("reading stands still at {before}"))?;
    }
    ensure(cursor.position() == text.len(), || "reading ends before the text".to_owned())?;
    Ok(reading)
}

/// As [`read`], with what reading the whole as one statement gives.
///
/// # Errors
///
/// As for [`read`]; that the two differ.
pub fn read_whole(set: &'static InstructionSet, text: &str) -> Result<Reading, String> {
    let reading = read(set, text)?;
    let is_one = reading.taken == 1 && reading.errors == 0;
    let whole = set.parse(text);
    ensure(whole.is_ok() == is_one, || format!("as one statement it is {whole:x?}"))?;
    Ok(reading)
}

/// An error with a message unless something is so.
pub(crate) fn ensure(so: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(message()) }
}

/// Checks a statement that was taken; the name of its opcode.
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
    ensure(fits, || format!("{span:?} is taken for the statement behind {before}"))?;
    let opcode = set.decode(word);
    if let Parsed::Instruction { opcode: index, .. } = parsed {
        let known = opcode.as_ref().is_ok_and(|found| core::ptr::eq(*found, set.opcodes[*index]));
        ensure(known, || format!("{statement:?} is taken for {word:#x}, which is {opcode:?}"))?;
    }
    if opcode.as_ref().map_or(true, |opcode| opcode.reads_back(word)) {
        round_trip(set, word).map_err(|wrong| format!("{word:#x}: {wrong}"))?;
    }
    Ok(opcode.map_or("", |opcode| opcode.name))
}

/// Checks what an error says.
fn check_error(set: &'static InstructionSet, text: &str, error: &ParseError) -> Result<(), String> {
    let span = &error.span;
    ensure(text.get(span.clone()).is_some(), || format!("the error is at {span:?}: {error}"))?;
    match error.kind() {
        ParseErrorKind::Illegal(illegal) => {
            ensure(is_illegal(set, illegal), || format!("{error}, but it is legal"))
        }
        _ => Ok(()),
    }
}

/// Whether a word is illegal for the opcode of its error. It can be a special case of that opcode.
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

/// What is read fast, as it is printed, is what a walk over the template reads.
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
    let differ = || format!("two readers disagree: {parsed:x?} and by the template {slow:x?}");
    ensure(same && cursor.position() == end, differ)
}
