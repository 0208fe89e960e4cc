//! `isa dis`: from words to text.

use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::asm::Line;
use isa_core::error::DecodeError;

use super::Stop;
use super::chunks::{Chunk, Chunks};
use super::console::Console;
use super::input::Input;
use super::output::Output;
use super::render::{Diagnostic, Place};
use super::scanner::Split;
use super::set::{self, WORD_BYTES};
use super::source;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) from: From,
    pub(super) strict: bool,
}

/// The form of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum From {
    #[default]
    Hex,
    Bin,
}

pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let input = Input::open(options.input.as_ref(), stdin)?;
    let mut disassembler =
        Disassembler { strict: options.strict, output: Output::stdout(), line: Line::new() };
    match options.from {
        From::Hex => disassembler.read_hex(input, console)?,
        From::Bin => disassembler.read_binary(input, console)?,
    }
    if console.errors() > 0 {
        return Err(Stop::Reported);
    }
    disassembler.output.commit(stdout)
}

struct Disassembler {
    strict: bool,
    output: Output,
    line: Line,
}

impl Disassembler {
    fn read_binary(&mut self, mut input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let mut block = vec![0; WORD_BYTES << 12];
        let mut offset = 0;
        loop {
            let count = input.read_full(&mut block, console)?;
            let mut words = block[..count].chunks_exact(WORD_BYTES);
            for bytes in &mut words {
                if let Err(error) = self.word(from_bytes(bytes))? {
                    console.report(&invalid_at(&input.name, offset, &error));
                }
                offset += WORD_BYTES as u64;
            }
            if !words.remainder().is_empty() {
                let got = words.remainder().len();
                let error = DecodeError::truncated(WORD_BYTES, got);
                console.report(&invalid_at(&input.name, offset, &error));
            }
            if count < block.len() {
                return Ok(());
            }
        }
    }

    fn read_hex(&mut self, input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let mut chunks = Chunks::new(input, Split::Words);
        while let Some(mut chunk) = chunks.next(console)? {
            self.read_chunk(&mut chunk, console)?;
        }
        Ok(())
    }

    fn read_chunk(&mut self, chunk: &mut Chunk<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let text = chunk.text();
        let mut at = chunk.span.start;
        while let Some(start) = text[at..].find(|c| !is_space(c)).map(|skip| at + skip) {
            let rest = &text[start..];
            at = start + rest.find(is_space).unwrap_or(rest.len());
            let token = &text[start..at];
            match parse_word(token) {
                Ok(word) => {
                    if let Err(error) = self.word(word)? {
                        let title = format!("this is no instruction: {error}");
                        console.report(&chunk.diagnostic(start..at, title, String::new(), vec![]));
                    }
                }
                Err(_) if chunk.has_replacement(&(start..at)) => {}
                Err(bad) => {
                    let span = start + bad.span.start..start + bad.span.end;
                    console.report(&chunk.diagnostic(span, bad.title, bad.label, vec![]));
                }
            }
        }
        Ok(())
    }

    /// Prints a word. With `--strict` an invalid one is the inner error instead.
    fn word(&mut self, word: u128) -> Result<Result<(), DecodeError>, Stop> {
        self.line.clear();
        match source::print(word, &mut self.line) {
            Err(error) if self.strict => return Ok(Err(error)),
            Err(error) => {
                self.output.put(self.line.as_bytes())?;
                self.output.put(source::comment(&error).as_bytes())?;
                self.line.clear();
            }
            Ok(()) => {}
        }
        self.line.push(b'\n');
        self.output.put(self.line.as_bytes())?;
        Ok(Ok(()))
    }
}

fn from_bytes(bytes: &[u8]) -> u128 {
    let low_first = bytes.iter().rev();
    low_first.fold(0, |word, &byte| word << 8 | u128::from(byte))
}

fn invalid_at<'n>(name: &'n str, offset: u64, error: &DecodeError) -> Diagnostic<'n> {
    Diagnostic {
        title: error.to_string(),
        label: String::new(),
        help: Vec::new(),
        file: name,
        place: Place::Byte(offset),
    }
}

/// The white space of hexadecimal input.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

/// Why a text is no word.
pub(super) struct BadWord {
    pub(super) span: core::ops::Range<usize>,
    pub(super) title: String,
    pub(super) label: String,
}

/// A word in hexadecimal, `0x` or not.
pub(super) fn parse_word(token: &str) -> Result<u128, BadWord> {
    let prefix = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X"));
    let digits = prefix.unwrap_or(token);
    let start = token.len() - digits.len();
    let width = usize::from(set::set().bits).div_ceil(4);
    let wrong = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit());
    if let Some((at, c)) = wrong {
        return Err(BadWord {
            span: start + at..start + at + c.len_utf8(),
            title: format!("`{}` is no hexadecimal digit", c.escape_debug()),
            label: format!("a word is 1 to {width} hexadecimal digits"),
        });
    }
    if digits.is_empty() || digits.len() > width {
        return Err(BadWord {
            span: 0..token.len(),
            title: format!("a word has 1 to {width} digits, not {}", digits.len()),
            label: String::new(),
        });
    }
    Ok(u128::from_str_radix(digits, 16).unwrap_or_default())
}
