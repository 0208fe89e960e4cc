//! Reads words from hexadecimal text, listings and binary files.

use core::ops::Range;

use isa_core::error::{DecodeError, DecodeErrorKind};

use crate::CommandError;
use crate::console::{Console, Diagnostic, SourceLocation};
use crate::set::{SizedWord, ToolSet, hex_digits};

use super::scanner::is_space;
use super::{Chunk, Chunks, Input, Split};

/// The format of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) enum WordFormat {
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
pub(crate) struct LocatedWord {
    pub(crate) word: SizedWord,
    /// The address in a listing.
    pub(crate) address: Option<u64>,
    /// The range in the text of its chunk.
    pub(crate) span: Range<usize>,
}

/// Parses the words of a text and passes each to `take`. Invalid words are reported.
pub(crate) fn read_text(
    set: ToolSet,
    input: Input<'_>,
    from: WordFormat,
    console: &mut Console<'_>,
    mut take: impl FnMut(&LocatedWord, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut chunks = Chunks::new(input, Split::Words);
    let (mut from, mut open, mut split_words) = (from, None, SplitWordReader::new(set));
    while let Some(mut chunk) = chunks.next(console)? {
        if from == WordFormat::Text {
            let text = &chunk.text()[chunk.span.start..];
            let begins_with_comment = ["/*", "//"].iter().any(|mark| text.starts_with(mark));
            from = if begins_with_comment { WordFormat::Listing } else { WordFormat::Hex };
        }
        match from {
            WordFormat::Listing => read_listing(set, &mut chunk, &mut open, console, &mut take)?,
            _ if set.word_bytes().is_none() => split_words.read(&mut chunk, console, &mut take)?,
            _ => read_hex(set, &mut chunk, console, &mut take)?,
        }
    }
    split_words.give_up(console);
    Ok(())
}

fn read_hex(
    set: ToolSet,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
    take: &mut impl FnMut(&LocatedWord, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (text, mut at) = (chunk.text(), chunk.span.start);
    while let Some(span) = next_token(text, at) {
        at = span.end;
        match parse_word(set, &text[span.clone()]) {
            Ok(word) => take(&LocatedWord { word, address: None, span }, chunk, console)?,
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
struct SplitWordReader {
    set: ToolSet,
    joiner: WordJoiner,
    /// The position of a word that was incomplete at the end of a piece of text.
    incomplete_at: Option<TokenOffset>,
}

impl SplitWordReader {
    const fn new(set: ToolSet) -> Self {
        SplitWordReader { set, joiner: WordJoiner::new(set), incomplete_at: None }
    }

    fn read(
        &mut self,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
        take: &mut impl FnMut(
            &LocatedWord,
            &mut Chunk<'_>,
            &mut Console<'_>,
        ) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let (text, mut at) = (chunk.text(), chunk.span.start);
        // From the start of the incomplete word to the end of its last token.
        let mut open: Option<Range<usize>> = None;
        while let Some(span) = next_token(text, at) {
            at = span.end;
            let token = parse_token(self.set, &text[span.clone()]);
            let goes_on = token.as_ref().is_ok_and(|token| self.joiner.is_continued_by(*token));
            if self.joiner.is_open() && !goes_on {
                self.remember(chunk, open.take());
                self.give_up(console);
            }
            let start = open.as_ref().map_or(span.start, |open| open.start);
            match token.map(|token| self.joiner.take(token)) {
                Ok(None) => open = Some(start..at),
                Ok(Some(word)) => {
                    (open, self.incomplete_at) = (None, None);
                    take(&LocatedWord { word, address: None, span: start..at }, chunk, console)?;
                }
                Err(_) if chunk.has_replacement(&span) => {}
                Err(bad) => report_bad(bad, span.start, chunk, console),
            }
        }
        self.remember(chunk, open);
        Ok(())
    }

    /// Stores the position of the incomplete word. If it began in an earlier piece, that position
    /// is kept.
    fn remember(&mut self, chunk: &mut Chunk<'_>, open: Option<Range<usize>>) {
        if self.incomplete_at.is_none() {
            self.incomplete_at = open.and_then(|span| TokenOffset::new(chunk, span));
        }
    }

    /// Reports the incomplete word, if there is one.
    fn give_up(&mut self, console: &mut Console<'_>) {
        if let Some(offset) = self.incomplete_at.take() {
            let help = self.joiner.help();
            console.report(&offset.diagnostic("truncated", self.joiner.give_up(), help));
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
    set: ToolSet,
    chunk: &mut Chunk<'_>,
    open: &mut Option<usize>,
    console: &mut Console<'_>,
    take: &mut impl FnMut(&LocatedWord, &mut Chunk<'_>, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
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
                    take(&LocatedWord { word, address: Some(address), span }, chunk, console)?;
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
fn parse_line(set: ToolSet, line: &str) -> Result<(u64, SizedWord, Range<usize>), BadWord> {
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
        title: "invalid line of a listing".into(),
        label: "a line begins with `/* ADDRESS WORD */`".into(),
        help: Some("write only words, or use `isa asm` to assemble text"),
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
pub(crate) fn read_binary(
    word_bytes: usize,
    mut input: Input<'_>,
    console: &mut Console<'_>,
    mut take: impl FnMut(&[u8], u64, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
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
pub(crate) fn read_stream(
    set: ToolSet,
    mut input: Input<'_>,
    console: &mut Console<'_>,
    mut take: impl FnMut(SizedWord, u64, &mut Console<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (mut block, mut kept, mut offset) = (vec![0; BLOCK], 0, 0);
    loop {
        let count = kept + input.read_full(&mut block[kept..], console)?;
        let ended = count < block.len();
        let mut rest = &block[..count];
        // No word is longer than 16 bytes, so no word is cut.
        while rest.len() >= 16 || ended && !rest.is_empty() {
            let length = match set.tables.first(rest) {
                Ok((_, _, length)) => length,
                Err(error) => match error.kind() {
                    DecodeErrorKind::Truncated { needed, got, .. } => {
                        report_truncated(needed, got, offset, &input.name, console);
                        return Ok(());
                    }
                    _ => set.tables.length(rest).max(1),
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

/// Reports a word in a binary file if it is not a valid instruction.
pub(crate) fn check_bytes(
    set: ToolSet,
    word: SizedWord,
    offset: u64,
    name: &str,
    console: &mut Console<'_>,
) {
    if let Err(error) = set.decode(word) {
        let span = offset..offset + word.bytes() as u64;
        console.report(&at_bytes("no-instruction", name, span, error.to_string()));
    }
}

/// Creates an error about bytes of a binary file.
pub(crate) fn at_bytes<'n>(
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
        place: SourceLocation::Bytes,
        span,
    }
}

/// The reason why a text is not a word.
pub(crate) struct BadWord {
    pub(crate) span: Range<usize>,
    pub(crate) title: String,
    pub(crate) label: String,
    pub(crate) help: Option<&'static str>,
}

/// Parses a hexadecimal word, with or without `0x`.
///
/// In a set with several widths, a word that has exactly as many digits as some width requires has this
/// width. Any other word has the width of the instruction that it encodes. If the digits need more bits
/// than this instruction, or if the word is not a valid instruction, the number of digits determines
/// the width.
fn parse_word(set: ToolSet, token: &str) -> Result<SizedWord, BadWord> {
    parse_token(set, token).map(|token| token.word)
}

/// Parses a word like [`parse_word`], and also returns whether it has all digits of its width.
#[inline]
pub(crate) fn parse_token(set: ToolSet, token: &str) -> Result<Token, BadWord> {
    let prefix = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X"));
    let digits = prefix.unwrap_or(token);
    let width = hex_digits(set.tables.bits);
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
        Some(_) => set.tables.bits,
        None => set.width_of(digits.len()),
    };
    let is_full = digits.len() == hex_digits(written);
    let bits = match set.word_bytes() {
        None if !is_full => {
            set.tables.decode(word).map_or(written, |it| it.width_of(word).max(written))
        }
        _ => written,
    };
    Ok(Token { word: SizedWord { word, bits }, is_full })
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
            title: format!("`{}` is not a hexadecimal digit", c.escape_debug()),
            label: format!("a word is 1 to {width} hexadecimal digits"),
            help: None,
        },
        None => BadWord {
            span: 0..token.len(),
            title: format!("wrong number of digits: expected 1 to {width}, found {}", digits.len()),
            label: String::new(),
            help: None,
        },
    }
}

/// A token, parsed as a word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) word: SizedWord,
    /// Whether it has all digits of its width.
    pub(crate) is_full: bool,
}

/// Joins the tokens of a word that consists of several tokens.
///
/// In a set with several widths, a token that has all digits of a width has exactly this width. If
/// this token begins a wider instruction, the following tokens complete the word. This makes it
/// possible to read dumps of 16-bit units. In such a dump, the first half of a 32-bit word is the
/// half with the lower address.
pub(crate) struct WordJoiner {
    set: ToolSet,
    /// The part of the word that has been read. It has 0 bits if no word is incomplete.
    word: SizedWord,
    /// The width of each token.
    unit: u8,
    /// The minimum width of the word.
    needed: u8,
}

impl WordJoiner {
    pub(crate) const fn new(set: ToolSet) -> Self {
        WordJoiner { set, word: SizedWord { word: 0, bits: 0 }, unit: 0, needed: 0 }
    }

    pub(crate) const fn is_open(&self) -> bool {
        self.word.bits > 0
    }

    /// Returns whether a token continues the incomplete word.
    pub(crate) const fn is_continued_by(&self, token: Token) -> bool {
        self.is_open() && token.is_full && token.word.bits == self.unit
    }

    /// Takes a token that continues the incomplete word, or any token if no word is incomplete.
    /// Returns the word if the token completes it.
    pub(crate) fn take(&mut self, token: Token) -> Option<SizedWord> {
        if !token.is_full {
            return Some(token.word);
        }
        if !self.is_open() {
            self.unit = token.word.bits;
        }
        let SizedWord { word, bits } = self.word;
        let word = match self.set.is_low_first() {
            true => word | token.word.word.unbounded_shl(bits.into()),
            false => word.unbounded_shl(token.word.bits.into()) | token.word.word,
        };
        self.word = SizedWord { word, bits: bits.saturating_add(token.word.bits) };
        let is_whole = self.set.widths().any(|bits| bits == self.word.bits);
        let is_over = self.word.bits >= self.set.tables.bits;
        if is_over || is_whole && !self.is_begun() {
            return Some(core::mem::replace(&mut self.word, SizedWord { word: 0, bits: 0 }));
        }
        None
    }

    /// Returns whether the bits read so far are not an instruction but begin a wider one. If so, stores
    /// the width of the wider instruction.
    fn is_begun(&mut self) -> bool {
        if self.set.decode(self.word).is_ok() {
            return false;
        }
        let needed = self.set.begun_by(self.word);
        self.needed = needed.unwrap_or(self.needed);
        needed.is_some()
    }

    /// Drops the incomplete word and returns the error message.
    pub(crate) fn give_up(&mut self) -> String {
        let [needed, got] = [self.needed, self.word.bits].map(|bits| usize::from(bits / 8));
        self.word = SizedWord { word: 0, bits: 0 };
        DecodeError::truncated(needed, got).to_string()
    }

    /// Returns help on how to write the incomplete word.
    pub(crate) fn help(&self) -> Vec<String> {
        let (all, each) = (hex_digits(self.needed), hex_digits(self.unit));
        let first = self.set.first_digits();
        vec![format!(
            "write all {all} digits together, or the {first} {each} digits followed by the others"
        )]
    }
}

/// The position of tokens whose text may have been dropped.
struct TokenOffset {
    file: String,
    shown: String,
    line: usize,
    column: usize,
    end: (usize, usize),
    marked: Range<usize>,
    bytes: Range<u64>,
}

impl TokenOffset {
    /// Stores a position in a piece of text.
    fn new(chunk: &mut Chunk<'_>, span: Range<usize>) -> Option<Self> {
        let found = chunk.diagnostic("", span, String::new(), String::new(), vec![]);
        let SourceLocation::Text { line, column, end, shown, span: marked } = found.place else {
            return None;
        };
        let (file, shown) = (found.file.to_owned(), shown.to_owned());
        Some(TokenOffset { file, shown, line, column, end, marked, bytes: found.span })
    }

    /// Creates an error about the position.
    fn diagnostic(&self, code: &'static str, title: String, help: Vec<String>) -> Diagnostic<'_> {
        let TokenOffset { line, column, end, .. } = *self;
        let (shown, span) = (self.shown.as_str(), self.marked.clone());
        let place = SourceLocation::Text { line, column, end, shown, span };
        let (label, file, span) = (String::new(), self.file.as_str(), self.bytes.clone());
        Diagnostic { code, title, label, help, file, place, span }
    }
}
