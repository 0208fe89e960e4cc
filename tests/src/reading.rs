//! Reading texts of which nobody knows whether they are right.

use isa_core::asm::{Cursor, Parsed};
use isa_core::error::{DecodeError, DecodeErrorKind, ParseError, ParseErrorKind};
use isa_core::table::InstructionSet;

use crate::text::check_round_trip;

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
/// # Panics
///
/// Where a reading is not like that.
pub fn read(set: &'static InstructionSet, text: &str) -> Reading {
    let mut cursor = Cursor::new(text);
    let mut reading = Reading::default();
    loop {
        let before = cursor.position();
        let parsed = set.parse_next(&mut cursor);
        check_slow_way(set, text, before, &parsed, cursor.position());
        match parsed {
            Ok(None) => break,
            Ok(Some(parsed)) => {
                let span = parsed.span().clone();
                assert!(before <= span.start && span.end == cursor.position(), "{text:?}");
                assert!(text[span].ends_with(';'), "{text:?}");
                check_round_trip(set, parsed.word());
                let opcode = set.decode(parsed.word()).map_or("", |opcode| opcode.name);
                reading.first.get_or_insert(opcode);
                reading.taken += 1;
            }
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{:?} of {text:?}", error.span);
                if let ParseErrorKind::Illegal(illegal) = error.kind() {
                    assert!(is_illegal(set, illegal), "{text:?}");
                }
                reading.first.get_or_insert(error.label());
                reading.errors += 1;
            }
        }
        assert!(cursor.position() > before, "no progress at {before} in {text:?}");
    }
    assert_eq!(cursor.position(), text.len(), "{text:?}");
    reading
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
) {
    let mut cursor = Cursor::new(text);
    cursor.seek(start);
    let slow = set.parse_next_by_template(&mut cursor);
    assert_eq!(slow.as_ref().ok(), parsed.as_ref().ok(), "{text:?}");
    assert_eq!(cursor.position(), end, "{text:?}");
    if let (Err(slow), Err(fast)) = (slow, parsed) {
        let message = fast.to_string();
        assert!(!message.is_empty(), "{text:?}");
        assert_eq!(slow.to_string(), message, "{text:?}");
        assert_eq!(slow.span, fast.span, "{text:?}");
    }
}
