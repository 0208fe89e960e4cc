//! `isa dis`: from words to text.
//!
//! What is held back until the input is known to be right are the words: they are a third as long as
//! their text. They are printed when all of them are there, by all cores where they are many.

use std::ffi::OsString;
use std::io::{self, Read, Write};

use isa_core::asm::{Line, Listing, print_word};
use isa_core::error::DecodeError;

use super::Stop;
use super::chunks::{Chunk, Chunks};
use super::console::Console;
use super::input::Input;
use super::render::{Diagnostic, Place};
use super::scanner::{Split, is_space};
use super::set::{self, WORD_BYTES};
use super::source;
use super::spool::Spool;

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
    let mut reader = Reader { strict: options.strict, words: Spool::default() };
    match options.from {
        From::Hex => reader.read_hex(input, console)?,
        From::Bin => reader.read_binary(input, console)?,
    }
    if console.errors() > 0 {
        return Err(Stop::Reported);
    }
    print_all(reader.words, stdout, console).map_err(Stop::printing)
}

/// The least input in bytes that all cores print: with less they would take longer to start.
const LARGE: u64 = 256 << 10;

/// The most blocks that are printed side by side.
const MOST: usize = 16;

/// Prints words and makes sure that they are written.
fn print_all(words: Spool, stdout: &mut dyn Write, console: &mut Console<'_>) -> io::Result<()> {
    let (total, mut done) = (words.len(), 0);
    // Two for each thread, and as many are written meanwhile: more would leave the caches.
    let blocks = match total {
        LARGE.. => MOST.min(2 * rayon::current_num_threads()),
        _ => 1,
    };
    let mut write = |blocks: &mut Vec<Block>| -> io::Result<()> {
        for block in blocks {
            stdout.write_all(block.text())?;
            done += block.words.len() as u64;
            console.progress(done, Some(total));
            block.words.clear();
        }
        Ok(())
    };
    // What is written leaves its memory to what comes.
    let [mut printed, mut next] = [const { Vec::new() }; 2];
    let mut count = 0;
    words.read_back(|words| {
        if next.len() == count {
            next.push(Block::default());
        }
        next[count].words.extend_from_slice(words);
        count += 1;
        if count == blocks {
            print_beside(&mut next, total >= LARGE, || write(&mut printed))?;
            core::mem::swap(&mut printed, &mut next);
            count = 0;
        }
        Ok(())
    })?;
    print_beside(&mut next, total >= LARGE, || write(&mut printed))?;
    write(&mut next)?;
    stdout.flush()
}

/// Prints blocks, on all cores or on this thread alone, and meanwhile does something else here.
fn print_beside<R>(blocks: &mut [Block], on_all_cores: bool, here: impl FnOnce() -> R) -> R {
    if !on_all_cores {
        blocks.iter_mut().for_each(Block::print);
        return here();
    }
    rayon::in_place_scope(|scope| {
        blocks.iter_mut().for_each(|block| scope.spawn(|_| block.print()));
        here()
    })
}

/// Words on their way to standard output.
#[derive(Default)]
struct Block {
    /// The words, each as in a binary file.
    words: Vec<u8>,
    /// Room, of which the start is the text.
    text: Vec<u8>,
    /// The length of the text.
    len: usize,
}

/// The length of usual lines, for the room that a block's text is given at first.
const USUAL_LINE: usize = 48;

impl Block {
    fn text(&self) -> &[u8] {
        self.text.get(..self.len).unwrap_or_default()
    }

    /// Prints each word on a line of its own.
    fn print(&mut self) {
        let (mut rest, _) = self.words.as_chunks();
        let mut room = rest.len() * USUAL_LINE + Listing::LINE;
        self.len = 0;
        loop {
            self.text.resize(room.max(self.text.len()), 0);
            let mut listing = Listing::new(self.text.get_mut(self.len..).unwrap_or_default());
            while let [word, behind @ ..] = rest
                && print_line(from_bytes(word), &mut listing)
            {
                rest = behind;
            }
            self.len += listing.as_bytes().len();
            if rest.is_empty() {
                return;
            }
            room = 2 * self.text.len();
        }
    }
}

/// Prints a word on a line of its own, or nothing where there is no room for it.
#[inline]
fn print_line(word: u128, listing: &mut Listing<'_>) -> bool {
    if !listing.has_room() {
        return false;
    }
    match set::set().decode(word) {
        Ok(opcode) => listing.print(opcode, word),
        Err(error) => {
            let text = invalid(word, &error);
            if text.len() >= listing.room() {
                return false;
            }
            listing.push_str(&text);
        }
    }
    listing.push(b'\n');
    true
}

/// The text of a word that is no instruction, with the reason in a comment.
#[cold]
fn invalid(word: u128, error: &DecodeError) -> String {
    let mut line = Line::new();
    print_word(word, set::set().bits, &mut line);
    format!("{line}{}", source::comment(error))
}

/// Words as they are read.
struct Reader {
    strict: bool,
    /// Each as in a binary file.
    words: Spool,
}

impl Reader {
    fn read_binary(&mut self, mut input: Input<'_>, console: &mut Console<'_>) -> Result<(), Stop> {
        let mut block = vec![0; WORD_BYTES << 12];
        let mut offset = 0;
        loop {
            let count = input.read_full(&mut block, console)?;
            let (words, rest) = block[..count].split_at(count - count % WORD_BYTES);
            if self.strict {
                for word in words.as_chunks().0 {
                    if let Err(error) = set::set().decode(from_bytes(word)) {
                        console.report(&invalid_at(&input.name, offset, &error));
                    }
                    offset += WORD_BYTES as u64;
                }
            } else {
                offset += words.len() as u64;
            }
            self.keep(words)?;
            if !rest.is_empty() {
                let error = DecodeError::truncated(WORD_BYTES, rest.len());
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
        let next = |from: usize, wanted: fn(&u8) -> bool| {
            let mut rest = text.as_bytes()[from..].iter();
            rest.position(wanted).map(|skip| from + skip)
        };
        while let Some(start) = next(at, |byte| !is_space(byte)) {
            at = next(start, is_space).unwrap_or(text.len());
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

    /// Takes a word. With `--strict` an invalid one is the inner error instead.
    fn word(&mut self, word: u128) -> Result<Result<(), DecodeError>, Stop> {
        if self.strict
            && let Err(error) = set::set().decode(word)
        {
            return Ok(Err(error));
        }
        self.keep(&word.to_le_bytes()[..WORD_BYTES])?;
        Ok(Ok(()))
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.words.write_all(bytes).map_err(Stop::printing)
    }
}

/// The word that stands in a binary file.
#[inline]
fn from_bytes(bytes: &[u8; WORD_BYTES]) -> u128 {
    let mut word = [0; 16];
    word[..WORD_BYTES].copy_from_slice(bytes);
    u128::from_le_bytes(word)
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
    let width = usize::from(set::set().bits).div_ceil(4);
    let (mut word, mut all) = (0, 0);
    for byte in digits.bytes() {
        let digit = DIGITS[usize::from(byte)];
        word = word << 4 | u128::from(digit);
        all |= digit;
    }
    let fine = all != NO_DIGIT && (1..=width).contains(&digits.len());
    if fine { Ok(word) } else { Err(bad_word(token, digits, width)) }
}

/// In place of the value of a byte that is no digit: more than any values together.
const NO_DIGIT: u8 = 0xff;

/// The values of hexadecimal digits.
static DIGITS: [u8; 256] = {
    let (mut digits, mut byte) = ([NO_DIGIT; 256], 0);
    while byte < 256 {
        if let Some(digit) = (byte as u8 as char).to_digit(16) {
            digits[byte] = digit as u8;
        }
        byte += 1;
    }
    digits
};

/// Why the digits of a token are no word.
#[cold]
fn bad_word(token: &str, digits: &str, width: usize) -> BadWord {
    let start = token.len() - digits.len();
    match digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        Some((at, c)) => BadWord {
            span: start + at..start + at + c.len_utf8(),
            title: format!("`{}` is no hexadecimal digit", c.escape_debug()),
            label: format!("a word is 1 to {width} hexadecimal digits"),
        },
        None => BadWord {
            span: 0..token.len(),
            title: format!("a word has 1 to {width} digits, not {}", digits.len()),
            label: String::new(),
        },
    }
}
