//! Reads words from hexadecimal text, listings and binary files.

mod parts;

use core::ops::Range;

use isa_core::error::{DecodeError, DecodeErrorKind};

use super::Stop;
use super::chunks::{Chunk, Chunks};
use super::console::Console;
use super::input::Input;
use super::render::{Diagnostic, Place};
use super::scanner::{Split, is_space};
use super::set::{Set, Word, hex_digits};

use parts::{Kept, Token};

pub(super) use parts::Parts;

/// The format of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum From {
    /// Hexadecimal digits, or a listing if the text begins with a comment.
    #[default]
    Text,
    /// Hexadecimal digits, separated by white space.
    Hex,
    /// The bytes of the words.
    Bin,
    /// Lines that begin with the address and the word in a comment.
    Listing,
    /// An ELF object or executable.
    Elf,
}

/// A word in a text.
pub(super) struct Found {
    pub(super) word: Word,
    /// The address in a listing.
    pub(super) address: Option<u64>,
    /// The range in the text of its chunk.
    pub(super) span: Range<usize>,
}

/// Parses the words of a text and passes each to `take`. Invalid words are reported.
pub(super) fn read_text(
    set: Set,
    input: Input<'_>,
    from: From,
    console: &mut Console<'_>,
    mut take: impl FnMut(&Found, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut chunks = Chunks::new(input, Split::Words);
    let (mut from, mut open, mut units) = (from, None, Units::new(set));
    while let Some(mut chunk) = chunks.next(console)? {
        if from == From::Text {
            let text = &chunk.text()[chunk.span.start..];
            let begins_with_comment = ["/*", "//"].iter().any(|mark| text.starts_with(mark));
            from = if begins_with_comment { From::Listing } else { From::Hex };
        }
        match from {
            From::Listing => read_listing(set, &mut chunk, &mut open, console, &mut take)?,
            _ if set.word_bytes().is_none() => units.read(&mut chunk, console, &mut take)?,
            _ => read_hex(set, &mut chunk, console, &mut take)?,
        }
    }
    units.give_up(console);
    Ok(())
}

fn read_hex(
    set: Set,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
    take: &mut impl FnMut(&Found, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (text, mut at) = (chunk.text(), chunk.span.start);
    while let Some(span) = next_token(text, at) {
        at = span.end;
        match parse_word(set, &text[span.clone()]) {
            Ok(word) => take(&Found { word, address: None, span }, chunk, console)?,
            Err(_) if chunk.has_replacement(&span) => {}
            Err(bad) => report_bad(bad, span.start, chunk, console),
        }
    }
    Ok(())
}

/// Returns the range of the next token, delimited by white space.
#[inline]
fn next_token(text: &str, from: usize) -> Option<Range<usize>> {
    let next = |from: usize, wanted: fn(&u8) -> bool| {
        let mut rest = text.as_bytes()[from..].iter();
        rest.position(wanted).map(|skip| from + skip)
    };
    let start = next(from, |byte| !is_space(byte))?;
    Some(start..next(start, is_space).unwrap_or(text.len()))
}

/// Reads hexadecimal text of a set with several widths, in which a word may consist of several
/// tokens.
struct Units {
    set: Set,
    parts: Parts,
    /// The position of a word that was incomplete at the end of a piece of text.
    kept: Option<Kept>,
}

impl Units {
    const fn new(set: Set) -> Self {
        Units { set, parts: Parts::new(set), kept: None }
    }

    fn read(
        &mut self,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
        take: &mut impl FnMut(&Found, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let (text, mut at) = (chunk.text(), chunk.span.start);
        // From the start of the incomplete word to the end of its last token.
        let mut open: Option<Range<usize>> = None;
        while let Some(span) = next_token(text, at) {
            at = span.end;
            let token = parse_token(self.set, &text[span.clone()]);
            let goes_on = token.as_ref().is_ok_and(|token| self.parts.goes_on_with(*token));
            if self.parts.is_open() && !goes_on {
                self.keep(chunk, open.take());
                self.give_up(console);
            }
            let start = open.as_ref().map_or(span.start, |open| open.start);
            match token.map(|token| self.parts.take(token)) {
                Ok(None) => open = Some(start..at),
                Ok(Some(word)) => {
                    (open, self.kept) = (None, None);
                    take(&Found { word, address: None, span: start..at }, chunk, console)?;
                }
                Err(_) if chunk.has_replacement(&span) => {}
                Err(bad) => report_bad(bad, span.start, chunk, console),
            }
        }
        self.keep(chunk, open);
        Ok(())
    }

    /// Stores the position of the incomplete word. If it began in an earlier piece, that position
    /// is kept.
    fn keep(&mut self, chunk: &mut Chunk<'_>, open: Option<Range<usize>>) {
        if self.kept.is_none() {
            self.kept = open.and_then(|span| Kept::new(chunk, span));
        }
    }

    /// Reports the incomplete word, if there is one.
    fn give_up(&mut self, console: &mut Console<'_>) {
        if let Some(kept) = self.kept.take() {
            let help = self.parts.help();
            console.report(&kept.diagnostic("truncated", self.parts.give_up(), help));
        }
    }
}

fn report_bad(bad: BadWord, start: usize, chunk: &mut Chunk<'_>, console: &mut Console<'_>) {
    let span = start + bad.span.start..start + bad.span.end;
    let help = bad.help.map(str::to_owned).into_iter().collect();
    console.report(&chunk.diagnostic("bad-word", span, bad.title, bad.label, help));
}

/// Parses the lines of a listing. `open` is the line that continues at the start of the chunk, if
/// its word has been parsed already.
fn read_listing(
    set: Set,
    chunk: &mut Chunk<'_>,
    open: &mut Option<usize>,
    console: &mut Console<'_>,
    take: &mut impl FnMut(&Found, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let text = chunk.text();
    let mut at = chunk.span.start;
    let mut skip = open.take() == Some(chunk.line_column(at).0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let end = rest.find('\n').map_or(text.len(), |end| at + end);
        let line = &text[at..end];
        let is_blank = line.trim().is_empty() || line.trim_start().starts_with("//");
        if !skip && !is_blank {
            match parse_line(set, line) {
                Ok((address, word, span)) => {
                    let span = at + span.start..at + span.end;
                    take(&Found { word, address: Some(address), span }, chunk, console)?;
                }
                Err(_) if chunk.has_replacement(&(at..end)) => {}
                Err(bad) => report_bad(bad, at, chunk, console),
            }
        }
        skip = false;
        if end == text.len() {
            *open = Some(chunk.line_column(end).0);
        }
        at = end + 1;
    }
    Ok(())
}

/// Parses the start of a line, `/* 00000010  00000000000000000000000201007130 */`, and returns the
/// address, the word and the range of the word.
fn parse_line(set: Set, line: &str) -> Result<(u64, Word, Range<usize>), BadWord> {
    let mut at = 0;
    let mut token = || {
        let rest = line.get(at..).unwrap_or_default();
        let start = at + rest.len() - rest.trim_start().len();
        let token = rest.split_whitespace().next().unwrap_or_default();
        at = start + token.len();
        (token, start..at)
    };
    let form = |span: Range<usize>| BadWord {
        span,
        title: "this is no line of a listing".into(),
        label: "a line begins with `/* ADDRESS WORD */`".into(),
        help: Some("write the words alone, or use `isa asm` to assemble text"),
    };
    let (open, span) = token();
    if open != "/*" {
        return Err(form(span));
    }
    let (address, span) = token();
    let is_hex = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(address, 16).ok().filter(|_| is_hex);
    let address = number.ok_or_else(|| form(span))?;
    let (word, place) = token();
    let (close, span) = token();
    if close != "*/" {
        return Err(form(if word.is_empty() { place } else { span }));
    }
    let word = parse_word(set, word).map_err(|bad| BadWord {
        span: place.start + bad.span.start..place.start + bad.span.end,
        ..bad
    })?;
    Ok((address, word, place))
}

/// Reads a binary file of a set whose words all have `word_bytes` bytes. Passes several words at a
/// time to `take`, with the offset of the first.
pub(super) fn read_binary(
    word_bytes: usize,
    mut input: Input<'_>,
    console: &mut Console<'_>,
    mut take: impl FnMut(&[u8], u64, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut block = vec![0; word_bytes << 12];
    let mut offset = 0;
    loop {
        let count = input.read_full(&mut block, console)?;
        let (words, rest) = block[..count].split_at(count - count % word_bytes);
        take(words, offset, console)?;
        offset += words.len() as u64;
        if !rest.is_empty() {
            report_truncated(word_bytes, rest.len(), offset, &input.name, console);
        }
        if count < block.len() {
            return Ok(());
        }
    }
}

/// The size of the buffer for a stream, in bytes.
const BLOCK: usize = 64 << 10;

/// Reads a binary file of a set whose words have several widths, and passes each word with its
/// offset to `take`.
pub(super) fn read_stream(
    set: Set,
    mut input: Input<'_>,
    console: &mut Console<'_>,
    mut take: impl FnMut(Word, u64, &mut Console<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (mut block, mut kept, mut offset) = (vec![0; BLOCK], 0, 0);
    loop {
        let count = kept + input.read_full(&mut block[kept..], console)?;
        let ended = count < block.len();
        let mut rest = &block[..count];
        // No word is longer than 16 bytes, so no word is cut.
        while rest.len() >= 16 || ended && !rest.is_empty() {
            let length = match set.0.first(rest) {
                Ok((_, _, length)) => length,
                Err(error) => match error.kind() {
                    DecodeErrorKind::Truncated { needed, got, .. } => {
                        report_truncated(needed, got, offset, &input.name, console);
                        return Ok(());
                    }
                    _ => set.0.length(rest).max(1),
                },
            };
            let (bytes, behind) = rest.split_at(length);
            take(set.word_of(bytes), offset, console)?;
            offset += length as u64;
            rest = behind;
        }
        if ended {
            return Ok(());
        }
        kept = rest.len();
        block.copy_within(count - kept..count, 0);
    }
}

fn report_truncated(needed: usize, got: usize, offset: u64, name: &str, console: &mut Console<'_>) {
    let error = DecodeError::truncated(needed, got);
    let span = offset..offset + got as u64;
    console.report(&at_bytes("truncated", name, span, error.to_string()));
}

/// Creates an error about bytes of a binary file.
pub(super) fn at_bytes<'n>(
    code: &'static str,
    name: &'n str,
    span: Range<u64>,
    title: String,
) -> Diagnostic<'n> {
    Diagnostic {
        code,
        title,
        label: String::new(),
        help: Vec::new(),
        file: name,
        place: Place::Bytes,
        span,
    }
}

/// The reason why a text is not a word.
pub(super) struct BadWord {
    pub(super) span: Range<usize>,
    pub(super) title: String,
    pub(super) label: String,
    pub(super) help: Option<&'static str>,
}

/// Parses a hexadecimal word, with or without `0x`.
///
/// In a set with several widths, a word that has exactly as many digits as some width requires has this
/// width. Any other word has the width of the instruction that it encodes. If the digits need more bits
/// than this instruction, or if the word is not a valid instruction, the number of digits determines
/// the width.
fn parse_word(set: Set, token: &str) -> Result<Word, BadWord> {
    parse_token(set, token).map(|token| token.word)
}

/// Parses a word like [`parse_word`], and also returns whether it has all digits of its width.
#[inline]
pub(super) fn parse_token(set: Set, token: &str) -> Result<Token, BadWord> {
    let prefix = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X"));
    let digits = prefix.unwrap_or(token);
    let width = hex_digits(set.0.bits);
    let (mut word, mut all) = (0, 0);
    for byte in digits.bytes() {
        let digit = DIGITS[usize::from(byte)];
        word = word << 4 | u128::from(digit);
        all |= digit;
    }
    let fine = all != NO_DIGIT && (1..=width).contains(&digits.len());
    if !fine {
        return Err(bad_word(token, digits, width));
    }
    let written = match set.word_bytes() {
        Some(_) => set.0.bits,
        None => set.width_of(digits.len()),
    };
    let is_full = digits.len() == hex_digits(written);
    let bits = match set.word_bytes() {
        None if !is_full => set.0.decode(word).map_or(written, |it| it.bits.max(written)),
        _ => written,
    };
    Ok(Token { word: Word { word, bits }, is_full })
}

/// Marks a byte that is not a digit in [`DIGITS`]. It is greater than the bitwise OR of any digits.
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

/// Returns the reason why the digits of a token are not a word.
#[cold]
fn bad_word(token: &str, digits: &str, width: usize) -> BadWord {
    let start = token.len() - digits.len();
    match digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        Some((at, c)) => BadWord {
            span: start + at..start + at + c.len_utf8(),
            title: format!("`{}` is no hexadecimal digit", c.escape_debug()),
            label: format!("a word is 1 to {width} hexadecimal digits"),
            help: None,
        },
        None => BadWord {
            span: 0..token.len(),
            title: format!("a word has 1 to {width} digits, not {}", digits.len()),
            label: String::new(),
            help: None,
        },
    }
}
