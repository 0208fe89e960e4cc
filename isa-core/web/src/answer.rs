//! JSON answers about programs: their statements, or their errors.

use isa_core::asm::{AssembleErrors, Placed, Program};
use isa_core::json::{Object, array, quoted};

use crate::Engine;

/// Returns the answer to an invalid request.
pub(crate) fn error(message: &str) -> String {
    format!("{{\"error\": {}}}", quoted(message))
}

/// Returns a program as JSON: a statement with its words for each statement that has bytes, or the
/// errors.
pub(crate) fn assembled(engine: &Engine, text: &str) -> String {
    let mut object = Object::new();
    match engine.assembler(None).assemble(text) {
        Ok(program) => {
            let mut offsets = Utf16Offsets::new(text);
            let statements = program.statements.iter().filter(|statement| statement.length > 0);
            let statements = statements.map(|it| statement(engine, &program, it, &mut offsets));
            object.raw("statements", array(statements));
        }
        Err(errors) => _ = object.raw("errors", list(&errors, text)),
    }
    object.finish()
}

/// Returns errors as a JSON list.
pub(crate) fn list(errors: &AssembleErrors, text: &str) -> String {
    let errors = errors.iter().take(MOST).map(|error| {
        // Spans can overlap, so each offset is counted from the start of the text. This is fast enough
        // because an answer contains only a few errors.
        let offset = |at| Utf16Offsets::new(text).units(at);
        let mut object = Object::new();
        object.raw("start", offset(error.span.start)).raw("end", offset(error.span.end));
        object.raw("line", error.line).raw("column", error.column);
        object.text("title", &error.title().to_string()).text("label", error.label());
        object.text_or_null("help", error.help().as_deref());
        object.finish()
    });
    array(errors)
}

/// The maximum number of errors in an answer.
const MOST: usize = 20;

fn statement(
    engine: &Engine,
    program: &Program,
    statement: &Placed,
    offsets: &mut Utf16Offsets<'_>,
) -> String {
    let mut object = Object::new();
    object.text("address", &address(statement.address));
    object.raw("start", offsets.units(statement.span.start));
    object.raw("end", offsets.units(statement.span.end));
    let from = usize::try_from(statement.address.wrapping_sub(program.origin)).unwrap_or_default();
    let bytes = program.bytes.get(from..from + statement.length).unwrap_or_default();
    let words = engine.set.words_of(bytes).map(|word| quoted(&digits(word)));
    object.raw("words", array(words));
    object.finish()
}

/// Returns an address as text, because numbers in JavaScript are exact only up to 2^53.
pub(crate) fn address(address: u64) -> String {
    format!("{address:#x}")
}

/// Returns all digits of a word whose lowest byte is first.
pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect()
}

/// Converts byte offsets in a text to UTF-16 offsets. It is fastest if the offsets are in ascending
/// order.
pub(crate) struct Utf16Offsets<'t> {
    text: &'t str,
    at: usize,
    units: usize,
}

impl<'t> Utf16Offsets<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Utf16Offsets { text, at: 0, units: 0 }
    }

    /// Returns the UTF-16 offset of a byte offset.
    pub(crate) fn units(&mut self, byte: usize) -> usize {
        if byte < self.at {
            *self = Utf16Offsets::new(self.text);
        }
        let passed = self.text.get(self.at..byte).unwrap_or_default();
        self.units += passed.encode_utf16().count();
        self.at = byte;
        self.units
    }
}

#[cfg(test)]
mod tests {
    use super::Utf16Offsets;

    #[test]
    fn offsets_are_those_of_scripts() {
        let text = "aä😀b";
        let mut offsets = Utf16Offsets::new(text);
        assert_eq!([0, 1, 3, 7, 8].map(|byte| offsets.units(byte)), [0, 1, 2, 4, 5]);
        assert_eq!([3, 1, 8].map(|byte| offsets.units(byte)), [2, 1, 5]);
    }
}
