//! Assembles text. This is the only file that knows both ways to do so: statement by statement, and as
//! a whole program.

use core::ops::Range;

use isa_core::asm::{AssembleError, AssembleErrorKind, AssembleErrors, Assembler, Placed, Program};
use isa_core::error::{ParseError, ParseErrorKind};
use isa_core::parse::Parsed;
use isa_core::text::Cursor;

use crate::CommandError;
use crate::console::{Console, Diagnostic};
use crate::input::{Chunk, Chunks, Input, Split};
use crate::profile::Profile;
use crate::set::{SizedWord, ToolSet};

/// Returns whether a text must be read completely before it is assembled: if statements can have
/// labels or different lengths, or end at the end of a line.
///
/// The two-pass assembler of programs can address any statement, so it keeps the whole text and all
/// statements in memory. If every statement is one word that does not depend on another statement, the
/// tool can parse the text in pieces instead: on all cores, and in bounded memory, so that a text may be
/// longer than the memory. The syntax of these sets has neither labels nor directives for layout. If the
/// assembler of programs parsed the pieces too, it would accept both.
pub(crate) fn needs_all_text(profile: &Profile) -> bool {
    let has_dialect = profile.comment.is_some() || !profile.directives.is_empty();
    has_dialect || profile.set.has_programs()
}

/// The options of [`assemble_words`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AssemblyParameters {
    /// The address of the first statement, if it does not depend on the text.
    pub(crate) origin: Option<u64>,
    /// Whether data that is shorter than a word is an error.
    pub(crate) needs_whole_words: bool,
}

/// Assembles a file and passes all words to `take`, in order, with their addresses. Errors are
/// reported. If the text has an error, the words before it may have been passed already.
pub(crate) fn assemble_words(
    profile: &Profile,
    input: Input<'_>,
    parameters: AssemblyParameters,
    console: &mut Console<'_>,
    mut take: impl FnMut(SizedWord, u64) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (set, mut address) = (profile.set, parameters.origin.unwrap_or_default());
    let mut take_next = |word: SizedWord, address: &mut u64| {
        let at = *address;
        *address = at.wrapping_add(word.bytes() as u64);
        take(word, at)
    };
    if !needs_all_text(profile) {
        let bits = set.tables.bits;
        return for_each_block(set, input, console, |words| {
            words.iter().try_for_each(|&word| take_next(SizedWord { word, bits }, &mut address))
        });
    }
    let parsed = ParsedProgram::read(profile, input, parameters.origin, console)?;
    let mut chunk = parsed.chunk();
    address = parsed.program.origin;
    for statement in &parsed.program.statements {
        let mut is_whole = true;
        for word in words(set, parsed.bytes_of(statement)) {
            is_whole &= set.widths().any(|bits| bits <= word.bits);
            take_next(word, &mut address)?;
        }
        if !is_whole && parameters.needs_whole_words {
            let title = format!("{} bytes of data do not form complete words", statement.length);
            let help = vec!["`--emit bin` accepts data of any length".to_owned()];
            let span = statement.span.clone();
            console.report(&chunk.diagnostic("no-word", span, title, String::new(), help));
        }
    }
    if console.errors() > 0 { Err(CommandError::Reported) } else { Ok(()) }
}

/// Parses all statements of a file, and passes each to `visit` with its piece of the text. Errors are
/// reported, and parsing continues after them.
pub(crate) fn for_each_statement(
    set: ToolSet,
    input: Input<'_>,
    console: &mut Console<'_>,
    mut visit: impl FnMut(&Parsed, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    for_each_chunk(input, console, |chunk, console| parse_chunk(set, chunk, console, &mut visit))
}

/// Parses all statements of a file like [`for_each_statement`], but passes only the words to `take`,
/// many at a time. A long text is parsed on all cores.
fn for_each_block(
    set: ToolSet,
    input: Input<'_>,
    console: &mut Console<'_>,
    mut take: impl FnMut(&[u128]) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    for_each_chunk(input, console, |chunk, console| {
        if chunk.parts().nth(1).is_some() {
            chunk.span.start = parse_parts(set, chunk, &mut take)?;
        }
        parse_chunk(set, chunk, console, &mut |statement, _, _| take(&[statement.word()]))
    })
}

/// Calls `read` for each chunk of a file. If any errors were reported, it returns an error after the
/// last chunk.
fn for_each_chunk(
    input: Input<'_>,
    console: &mut Console<'_>,
    mut read: impl FnMut(&mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut chunks = Chunks::new(input, Split::Instructions);
    while let Some(mut chunk) = chunks.next(console)? {
        read(&mut chunk, console)?;
    }
    if console.errors() > 0 {
        return Err(CommandError::Reported);
    }
    Ok(())
}

/// Parses the parts of a chunk in parallel, and returns the end of the last part before the first error.
/// The text after this end must be parsed again to report the errors.
fn parse_parts(
    set: ToolSet,
    chunk: &Chunk<'_>,
    take: &mut impl FnMut(&[u128]) -> Result<(), CommandError>,
) -> Result<usize, CommandError> {
    let (text, parts) = (chunk.text(), chunk.parts().collect::<Vec<_>>());
    let parse = |part: &Range<usize>| parse_part(set, text.get(part.clone()).unwrap_or_default());
    let mut all = vec![None; parts.len()];
    rayon_core::scope(|scope| {
        for (part, words) in parts.iter().zip(&mut all) {
            scope.spawn(move |_| *words = parse(part));
        }
    });
    for (part, words) in parts.iter().zip(all) {
        match words {
            Some(words) => take(&words)?,
            None => return Ok(part.start),
        }
    }
    Ok(chunk.span.end)
}

/// The length of a typical line, used to reserve memory for the words of a text.
const USUAL_LINE: usize = 24;

/// Returns the words of a text, or `None` if any statement has an error.
fn parse_part(set: ToolSet, text: &str) -> Option<Vec<u128>> {
    let mut cursor = Cursor::new(text);
    let mut words = Vec::with_capacity(text.len() / USUAL_LINE);
    while let Some(statement) = set.tables.parse_next(&mut cursor).ok()? {
        words.push(statement.word());
    }
    Some(words)
}

/// Parses the statements of a piece of text.
fn parse_chunk(
    set: ToolSet,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
    visit: &mut impl FnMut(&Parsed, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut cursor = Cursor::new(chunk.text());
    cursor.seek(chunk.span.start);
    loop {
        match set.tables.parse_next(&mut cursor) {
            Ok(Some(statement)) => visit(&statement, chunk, console)?,
            Ok(None) => return Ok(()),
            Err(error) => {
                // A comment that is never closed was reported when the text was read.
                if !matches!(error.kind(), ParseErrorKind::UnfinishedComment) {
                    report(&error.span, chunk, console, |chunk| {
                        statement_diagnostic(&error, chunk)
                    });
                }
            }
        }
    }
}

/// A program with its text.
pub(crate) struct ParsedProgram<'a> {
    chunks: Chunks<'a>,
    pub(crate) program: Program,
}

impl<'a> ParsedProgram<'a> {
    /// Reads and assembles a whole file. Errors are reported.
    pub(crate) fn read(
        profile: &Profile,
        input: Input<'a>,
        origin: Option<u64>,
        console: &mut Console<'_>,
    ) -> Result<Self, CommandError> {
        ParsedProgram::read_by(&assembler(profile, origin), input, console)
    }

    /// Reads and assembles a whole file like [`ParsedProgram::read`], with the given assembler.
    pub(crate) fn read_by(
        assembler: &Assembler,
        input: Input<'a>,
        console: &mut Console<'_>,
    ) -> Result<Self, CommandError> {
        let mut chunks = Chunks::new(input, Split::Instructions);
        chunks.read_all(console)?;
        match assembler.assemble(chunks.all().text()) {
            Ok(program) if console.errors() == 0 => Ok(ParsedProgram { chunks, program }),
            Ok(_) => Err(CommandError::Reported),
            Err(errors) => {
                let mut chunk = chunks.all();
                for error in errors.iter() {
                    report(&error.span, &mut chunk, console, |chunk| {
                        program_diagnostic(error, chunk)
                    });
                }
                Err(CommandError::Reported)
            }
        }
    }

    /// Returns all text, for messages.
    pub(crate) fn chunk(&self) -> Chunk<'_> {
        self.chunks.all()
    }

    /// Returns the bytes from an address to the end of the program, or an empty slice if the
    /// address is outside the program.
    pub(crate) fn bytes(&self, address: u64) -> &[u8] {
        let from = usize::try_from(address.wrapping_sub(self.program.origin)).ok();
        from.and_then(|from| self.program.bytes.get(from..)).unwrap_or_default()
    }

    /// Returns the bytes of a statement.
    pub(crate) fn bytes_of(&self, statement: &Placed) -> &[u8] {
        self.bytes(statement.address).get(..statement.length).unwrap_or_default()
    }

    /// Returns the statement that contains an address.
    pub(crate) fn statement(&self, address: u64) -> Option<&Placed> {
        let statements = &self.program.statements;
        let distance = |address: u64| address.wrapping_sub(self.program.origin);
        let behind = statements.partition_point(|it| distance(it.address) <= distance(address));
        // A statement without bytes has the address of the next statement.
        statements.get(..behind)?.iter().rev().find(|statement| statement.length > 0)
    }
}

/// Assembles a program.
pub(crate) fn assemble(
    profile: &Profile,
    text: &str,
    origin: u64,
) -> Result<Program, AssembleErrors> {
    assembler(profile, Some(origin)).assemble(text)
}

/// Creates the assembler for the tool's programs.
pub(crate) fn assembler(profile: &Profile, origin: Option<u64>) -> Assembler {
    let assembler = Assembler::new(profile.set.tables);
    let assembler = match origin {
        Some(origin) => assembler.origin(origin),
        None => assembler,
    };
    let assembler = assembler.directives(profile.directives).padding(profile.padding);
    match profile.comment {
        Some(comment) => assembler.lines(comment),
        None => assembler,
    }
}

/// Returns the words of a statement or of data.
pub(crate) fn words(set: ToolSet, bytes: &[u8]) -> impl Iterator<Item = SizedWord> + use<'_> {
    set.tables.words_of(bytes).map(move |bytes| set.word_of(bytes))
}

/// Returns the code of an error in a program.
pub(crate) const fn error_code(kind: &AssembleErrorKind) -> &'static str {
    match kind {
        AssembleErrorKind::Statement { error, .. } => error.kind().code(),
        AssembleErrorKind::LabelTwice { .. } => "label-twice",
        AssembleErrorKind::Circular { .. } => "circular",
        AssembleErrorKind::NoConstant { .. } => "no-constant",
        AssembleErrorKind::NoTargets { .. } => "no-targets",
        AssembleErrorKind::NoRelocation { .. } => "no-relocation",
        AssembleErrorKind::Sections { .. } => "sections",
        AssembleErrorKind::SectionFlags { .. } => "section-flags",
        AssembleErrorKind::TooMuchRoom { .. } => "too-much-room",
        _ => "unsettled",
    }
}

/// Reports an error in a range of the text, except if the range contains invalid UTF-8, which was
/// reported when the text was read.
fn report<'c>(
    span: &Range<usize>,
    chunk: &mut Chunk<'c>,
    console: &mut Console<'_>,
    diagnostic: impl FnOnce(&mut Chunk<'c>) -> Diagnostic<'c>,
) {
    if !chunk.has_replacement(span) {
        console.report_by(|| diagnostic(chunk));
    }
}

/// Describes an error in a statement.
fn statement_diagnostic<'c>(error: &ParseError, chunk: &mut Chunk<'c>) -> Diagnostic<'c> {
    let (title, label) = (error.title().to_string(), error.label().to_string());
    let help = error.help().map(|help| help.to_string()).into_iter().collect();
    chunk.diagnostic(error.kind().code(), error.span.clone(), title, label, help)
}

/// Describes an error in a program.
fn program_diagnostic<'c>(error: &AssembleError, chunk: &mut Chunk<'c>) -> Diagnostic<'c> {
    let (title, label) = (error.title().to_string(), error.label().to_owned());
    let help = error.help().into_iter().collect();
    chunk.diagnostic(error_code(&error.kind), error.span.clone(), title, label, help)
}
