//! Assembles whole programs: text with labels and data to bytes.

use isa_core::asm::{AssembleError, AssembleErrorKind, Assembler, Placed, Program};

use super::Stop;
use super::chunks::{Chunk, Chunks};
use super::console::Console;
use super::input::Input;
use super::scanner::Split;
use super::set::{Set, Word};
use super::tool::Profile;

/// A program with its text.
pub(crate) struct Whole<'a> {
    chunks: Chunks<'a>,
    pub(crate) program: Program,
}

impl<'a> Whole<'a> {
    /// Returns whether a text must be read completely before it is assembled: if statements can
    /// have labels, or end at the end of a line.
    pub(crate) fn is_needed(profile: &Profile) -> bool {
        let has_dialect = profile.comment.is_some() || !profile.directives.is_empty();
        has_dialect || profile.set.has_programs()
    }

    /// Reads and assembles a whole file. Errors are reported.
    pub(crate) fn read(
        profile: &Profile,
        input: Input<'a>,
        origin: Option<u64>,
        console: &mut Console<'_>,
    ) -> Result<Self, Stop> {
        Whole::read_by(&assembler(profile, origin), input, console)
    }

    /// Reads and assembles a whole file like [`Whole::read`], with the given assembler.
    pub(crate) fn read_by(
        assembler: &Assembler,
        input: Input<'a>,
        console: &mut Console<'_>,
    ) -> Result<Self, Stop> {
        let mut chunks = Chunks::new(input, Split::Instructions);
        chunks.read_all(console)?;
        match assembler.assemble(chunks.all().text()) {
            Ok(program) if console.errors() == 0 => Ok(Whole { chunks, program }),
            Ok(_) => Err(Stop::Reported),
            Err(errors) => {
                let mut chunk = chunks.all();
                for error in errors.iter() {
                    // Invalid UTF-8 was reported during reading.
                    if !chunk.has_replacement(&error.span) {
                        report(error, &mut chunk, console);
                    }
                }
                Err(Stop::Reported)
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
) -> Result<Program, isa_core::asm::AssembleErrors> {
    assembler(profile, Some(origin)).assemble(text)
}

/// Creates the assembler for the tool's programs.
pub(crate) fn assembler(profile: &Profile, origin: Option<u64>) -> Assembler {
    let assembler = Assembler::new(profile.set.0);
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
pub(crate) fn words(set: Set, bytes: &[u8]) -> impl Iterator<Item = Word> + use<'_> {
    set.0.words_of(bytes).map(move |bytes| set.word_of(bytes))
}

/// Returns the code of an error, for programs.
pub(crate) const fn code(kind: &AssembleErrorKind) -> &'static str {
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

fn report(error: &AssembleError, chunk: &mut Chunk<'_>, console: &mut Console<'_>) {
    console.report_by(|| {
        let code = code(&error.kind);
        let (title, label) = (error.title().to_string(), error.label().to_owned());
        let help = error.help().into_iter().collect();
        chunk.diagnostic(code, error.span.clone(), title, label, help)
    });
}
