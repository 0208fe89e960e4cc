//! Parses the instructions of a text one after the other and reports the errors.

use core::ops::Range;

use isa_core::error::{ParseError, ParseErrorKind};
use isa_core::parse::Parsed;
use isa_core::text::Cursor;

use super::Stop;
use super::chunks::{Chunk, Chunks};
use super::console::Console;
use super::input::Input;
use super::render::Diagnostic;
use super::scanner::Split;
use super::set::Set;

/// An operation on each statement.
pub(super) trait Visitor {
    /// Processes a statement. Errors are reported to the console.
    fn visit(
        &mut self,
        statement: &Parsed,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), Stop>;
}

/// Parses all statements of a file. Errors are reported, and parsing continues after them.
pub(super) fn read_file(
    set: Set,
    input: Input<'_>,
    visitor: &mut impl Visitor,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    for_each_chunk(input, console, |chunk, console| read_chunk(set, chunk, visitor, console))
}

/// Parses all statements of a file like [`read_file`], and passes the words to `take`. A long text is
/// parsed on all cores.
pub(super) fn read_words(
    set: Set,
    input: Input<'_>,
    take: impl FnMut(&[u128]) -> Result<(), Stop>,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let mut words = Words(take);
    for_each_chunk(input, console, |chunk, console| {
        if chunk.parts().nth(1).is_some() {
            chunk.span.start = read_parts(set, chunk, &mut words)?;
        }
        read_chunk(set, chunk, &mut words, console)
    })
}

/// Calls `read` for each chunk of a file. If any errors were reported, it returns an error after the
/// last chunk.
fn for_each_chunk(
    input: Input<'_>,
    console: &mut Console<'_>,
    mut read: impl FnMut(&mut Chunk<'_>, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut chunks = Chunks::new(input, Split::Instructions);
    while let Some(mut chunk) = chunks.next(console)? {
        read(&mut chunk, console)?;
    }
    if console.errors() > 0 {
        return Err(Stop::Reported);
    }
    Ok(())
}

/// A visitor that uses only the words.
struct Words<Take>(Take);

impl<Take: FnMut(&[u128]) -> Result<(), Stop>> Visitor for Words<Take> {
    fn visit(
        &mut self,
        statement: &Parsed,
        _: &mut Chunk<'_>,
        _: &mut Console<'_>,
    ) -> Result<(), Stop> {
        (self.0)(&[statement.word()])
    }
}

/// Parses the parts of a chunk in parallel, and returns the end of the last part before the first error.
/// The text after this end must be parsed again to report the errors.
fn read_parts(
    set: Set,
    chunk: &Chunk<'_>,
    words: &mut Words<impl FnMut(&[u128]) -> Result<(), Stop>>,
) -> Result<usize, Stop> {
    let (text, parts) = (chunk.text(), chunk.parts().collect::<Vec<_>>());
    let read = |part: &Range<usize>| read_part(set, text.get(part.clone()).unwrap_or_default());
    let mut all = vec![None; parts.len()];
    rayon_core::scope(|scope| {
        for (part, words) in parts.iter().zip(&mut all) {
            scope.spawn(move |_| *words = read(part));
        }
    });
    for (part, read) in parts.iter().zip(all) {
        match read {
            Some(read) => (words.0)(&read)?,
            None => return Ok(part.start),
        }
    }
    Ok(chunk.span.end)
}

/// The length of a typical line, used to reserve memory for the words of a text.
const USUAL_LINE: usize = 24;

/// Returns the words of a text, or `None` if any statement has an error.
fn read_part(set: Set, text: &str) -> Option<Vec<u128>> {
    let mut cursor = Cursor::new(text);
    let mut words = Vec::with_capacity(text.len() / USUAL_LINE);
    while let Some(statement) = set.0.parse_next(&mut cursor).ok()? {
        words.push(statement.word());
    }
    Some(words)
}

fn read_chunk(
    set: Set,
    chunk: &mut Chunk<'_>,
    visitor: &mut impl Visitor,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let mut cursor = Cursor::new(chunk.text());
    cursor.seek(chunk.span.start);
    loop {
        match set.0.parse_next(&mut cursor) {
            Ok(Some(statement)) => visitor.visit(&statement, chunk, console)?,
            Ok(None) => return Ok(()),
            Err(error) => {
                // The chunks report invalid UTF-8 and comments that are never closed.
                let comment = matches!(error.kind(), ParseErrorKind::UnfinishedComment);
                if !comment && !chunk.has_replacement(&error.span) {
                    console.report_by(|| diagnose(&error, chunk));
                }
            }
        }
    }
}

fn diagnose<'c>(error: &ParseError, chunk: &mut Chunk<'c>) -> Diagnostic<'c> {
    let help = error.help().map(|help| help.to_string());
    chunk.diagnostic(
        error.kind().code(),
        error.span.clone(),
        error.title().to_string(),
        error.label().to_string(),
        help.into_iter().collect(),
    )
}
