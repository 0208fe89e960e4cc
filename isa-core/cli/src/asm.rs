//! The command `asm`, which assembles text to words.

use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::text::Line;

use super::Stop;
use super::console::Console;
use super::elf;
use super::input::Input;
use super::output::Output;
use super::program::{self, Whole};
use super::set::{Set, Word};
use super::source;
use super::tool::Profile;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) output: Option<OsString>,
    pub(super) emit: Emit,
    /// The address of the first statement, if specified.
    pub(super) start: Option<u64>,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Emit {
    #[default]
    Hex,
    Bin,
    Listing,
    /// An ELF object.
    Elf,
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    if options.emit == Emit::Elf {
        return elf::assemble(profile, options, stdin, stdout, console);
    }
    let input = Input::open(options.input.as_ref(), stdin)?;
    let mut assembler = Assembler {
        set: profile.set,
        emit: options.emit,
        output: Output::open(options.output.as_deref())?,
        offset: options.start.unwrap_or_default(),
        line: Line::new(),
    };
    match profile.set.word_bytes() {
        Some(bytes) if !Whole::is_needed(profile) => {
            let bits = (bytes * 8) as u8;
            let take = |words: &[u128]| {
                words.iter().try_for_each(|&word| assembler.put(Word { word, bits }))
            };
            source::read_words(profile.set, input, take, console)?;
        }
        _ => {
            let whole = Whole::read(profile, input, options.start, console)?;
            assembler.offset = whole.program.origin;
            assembler.put_all(&whole, console)?;
        }
    }
    assembler.output.commit(stdout)
}

struct Assembler {
    set: Set,
    emit: Emit,
    output: Output,
    /// The address of the next word.
    offset: u64,
    line: Line,
}

impl Assembler {
    fn put_all(&mut self, whole: &Whole<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let mut chunk = whole.chunk();
        for statement in &whole.program.statements {
            let mut is_whole = true;
            for word in program::words(self.set, whole.bytes_of(statement)) {
                is_whole &= self.set.widths().any(|bits| bits <= word.bits);
                self.put(word)?;
            }
            if !is_whole && self.emit == Emit::Hex {
                let title = format!("{} bytes of data are no words", statement.length);
                let help = vec!["`--emit bin` takes data of any length".to_owned()];
                let span = statement.span.clone();
                console.report(&chunk.diagnostic("no-word", span, title, String::new(), help));
            }
        }
        if console.errors() > 0 { Err(Stop::Reported) } else { Ok(()) }
    }

    #[inline]
    fn put(&mut self, word: Word) -> Result<(), Stop> {
        self.line.clear();
        match self.emit {
            Emit::Hex => word.print_hex(&mut self.line),
            Emit::Bin => return self.output.put(&self.set.bytes_of(word)[..word.bytes()]),
            Emit::Listing => return self.list(word),
            // An object is written as a whole at the end.
            Emit::Elf => return Ok(()),
        }
        self.line.push(b'\n');
        self.output.put(self.line.as_bytes())
    }

    /// Prints the offset and the word in a comment before the instruction. This listing can be
    /// assembled again.
    fn list(&mut self, word: Word) -> Result<(), Stop> {
        self.set.print_place(self.offset, word, &mut self.line);
        self.output.put(self.line.as_bytes())?;
        self.offset = self.offset.wrapping_add(word.bytes() as u64);
        self.line.clear();
        match self.set.decode(word) {
            Ok(opcode) if self.set.reads_back(opcode, word) => {
                opcode.print(word.word, &mut self.line);
                self.output.put(self.line.as_bytes())?;
            }
            _ => self.output.put(self.set.data_line(word).as_bytes())?,
        }
        self.output.put(b"\n")
    }
}
