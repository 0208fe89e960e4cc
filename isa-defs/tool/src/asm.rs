//! `isa asm`: from text to words.

use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::asm::Line;

use super::Stop;
use super::console::Console;
use super::input::Input;
use super::output::Output;
use super::set::WORD_BYTES;
use super::source;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) output: Option<OsString>,
    pub(super) emit: Emit,
}

/// The form of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Emit {
    #[default]
    Hex,
    Bin,
    Listing,
}

pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let input = Input::open(options.input.as_ref(), stdin)?;
    let mut assembler = Assembler {
        emit: options.emit,
        output: Output::open(options.output.as_deref())?,
        offset: 0,
        line: Line::new(),
    };
    let take = |words: &[u128]| words.iter().try_for_each(|&word| assembler.put(word));
    source::read_words(input, take, console)?;
    assembler.output.commit(stdout)
}

struct Assembler {
    emit: Emit,
    output: Output,
    /// The byte that the next word begins at.
    offset: u64,
    line: Line,
}

impl Assembler {
    #[inline]
    fn put(&mut self, word: u128) -> Result<(), Stop> {
        self.line.clear();
        match self.emit {
            Emit::Hex => source::print_hex(word, &mut self.line),
            Emit::Bin => return self.output.put(&word.to_le_bytes()[..WORD_BYTES]),
            Emit::Listing => return self.list(word),
        }
        self.line.push(b'\n');
        self.output.put(self.line.as_bytes())
    }

    /// Offset and word in a comment before the instruction, so that a listing can be assembled.
    fn list(&mut self, word: u128) -> Result<(), Stop> {
        source::print_place(self.offset, word, &mut self.line);
        self.output.put(self.line.as_bytes())?;
        self.offset += WORD_BYTES as u64;
        self.line.clear();
        let result = source::print(word, &mut self.line);
        self.output.put(self.line.as_bytes())?;
        if let Err(error) = result {
            self.output.put(source::comment(&error).as_bytes())?;
        }
        self.output.put(b"\n")
    }
}
