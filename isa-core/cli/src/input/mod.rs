//! The input of a command: bytes, or text in pieces, so that a file of any size needs little memory.
//! Every position in a piece can still be converted to a line and column.

mod scanner;
pub(crate) mod words;

use core::ops::Range;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};

use memchr::memchr_iter;

use crate::CommandError;
use crate::console::{Console, Diagnostic, SHOWN, SourceLocation, char_start, excerpt};
pub(crate) use scanner::Split;
use scanner::{LIMIT, ScanState, Scanner};

/// An open input.
pub(crate) struct Input<'a> {
    /// The name for messages.
    pub(crate) name: String,
    reader: Box<dyn Read + 'a>,
    size: Option<u64>,
    done: u64,
}

impl<'a> Input<'a> {
    /// Opens a file. `-` or `None` is standard input.
    pub(crate) fn open(
        path: Option<&OsString>,
        stdin: &'a mut dyn Read,
    ) -> Result<Self, CommandError> {
        let Some(path) = path.map(OsString::as_os_str).filter(|path| *path != "-") else {
            return Ok(Input::new("<stdin>", stdin));
        };
        if path.is_empty() {
            let message = "expected a file name for FILE, or - for standard input";
            return Err(CommandError::Usage(message.into()));
        }
        let name = OsStr::to_string_lossy(path);
        let file = File::open(path).map_err(|error| CommandError::reading(&name, &error))?;
        let found = file.metadata().ok().filter(|found| found.is_file());
        Ok(Input { size: found.map(|found| found.len()), ..Input::new(&name, file) })
    }

    /// Returns the name of a file for messages and its whole text. `-` is standard input.
    pub(crate) fn text(
        path: &OsString,
        stdin: &mut dyn Read,
    ) -> Result<(String, String), CommandError> {
        let Input { name, mut reader, .. } = Input::open(Some(path), stdin)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| CommandError::reading(&name, &error))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok((name, text)),
            Err(error) => {
                let byte = error.utf8_error().valid_up_to();
                Err(CommandError::reading(&name, &format_args!("byte {byte} is not UTF-8")))
            }
        }
    }

    /// Creates an input that reads from `reader`.
    pub(crate) fn new(name: &str, reader: impl Read + 'a) -> Self {
        Input { name: name.into(), reader: Box::new(reader), size: None, done: 0 }
    }

    /// Returns whether the input begins with the bytes `start`. The bytes remain in the input and
    /// are read again later.
    pub(crate) fn begins_with(
        &mut self,
        start: &[u8],
        console: &mut Console<'_>,
    ) -> Result<bool, CommandError> {
        let mut head = vec![0; start.len()];
        let count = self.read_full(&mut head, console)?;
        head.truncate(count);
        self.done -= count as u64;
        let is_start = head == start;
        let rest = core::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(io::Cursor::new(head).chain(rest));
        Ok(is_start)
    }

    /// Reads some bytes into `bytes`, and returns their number, which is 0 only at the end of the
    /// input.
    pub(crate) fn read(
        &mut self,
        bytes: &mut [u8],
        console: &mut Console<'_>,
    ) -> Result<usize, CommandError> {
        loop {
            match self.reader.read(bytes) {
                Ok(count) => {
                    self.done += count as u64;
                    console.progress(self.done, self.size);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(CommandError::reading(&self.name, &error)),
            }
        }
    }

    /// Reads until `bytes` is full or the input ends.
    pub(crate) fn read_full(
        &mut self,
        bytes: &mut [u8],
        console: &mut Console<'_>,
    ) -> Result<usize, CommandError> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.read(&mut bytes[filled..], console)? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(filled)
    }
}

/// The maximum number of invalid sequences in a text. If the input contains more, the tool reports that
/// it is not text. This report is the last one within the default limit on errors.
const INVALID: usize = 19;

/// The number of bytes in one read.
const BLOCK: usize = 32 << 10;

/// A file that is read in pieces.
pub(crate) struct Chunks<'a> {
    input: Input<'a>,
    /// The beginning of the current piece's first line, the current piece, and the text that was read
    /// after the piece.
    text: String,
    /// The buffer of one read.
    block: Vec<u8>,
    /// The start of a character whose end has not been read yet.
    pending: Vec<u8>,
    /// The line (counted from 1) and column (counted from 0) of the start of `text`.
    line: usize,
    column: usize,
    /// The end, in `text`, of the piece that was returned last.
    done: usize,
    scanner: Scanner,
    /// The start of the open comment, if its text has been dropped already.
    opened: Option<OpenComment>,
    started: bool,
    ended: bool,
    invalid: usize,
    /// The number of bytes of text before `text`.
    dropped: u64,
    /// The replacement characters for invalid byte sequences. Each entry contains the position of the
    /// character in the whole text, and the number of bytes by which it is longer than the sequence in
    /// the file.
    longer: Vec<(u64, u64)>,
}

/// A position whose text has been dropped.
struct OpenComment {
    line: usize,
    column: usize,
    shown: String,
    /// The position, as a byte offset in `shown`.
    at: usize,
    /// The position in the file, in bytes.
    offset: u64,
}

/// A piece of text that ends at a valid cut position.
pub(crate) struct Chunk<'c> {
    /// The text around the piece. It begins at the start of the piece's first line if that start is
    /// near.
    text: &'c str,
    /// The piece, as a range of `text`.
    pub(crate) span: Range<usize>,
    /// Other valid cut positions in the piece, in ascending order.
    cuts: &'c [usize],
    file: &'c str,
    line: usize,
    column: usize,
    /// The position that was located last.
    at: Located,
    /// The number of bytes of text before `text`.
    dropped: u64,
    /// The replacement characters for invalid byte sequences. Each entry contains the position of the
    /// character in the whole text, and the number of bytes by which it is longer than the sequence in
    /// the file.
    longer: &'c [(u64, u64)],
}

/// A position in a text.
#[derive(Debug, Clone, Copy)]
struct Located {
    offset: usize,
    /// The line, counted from 1.
    line: usize,
    /// The number of characters before the position in its line.
    column: usize,
    /// The start of the line.
    line_start: usize,
}

impl<'c> Chunk<'c> {
    /// Creates a chunk from a text that is completely in memory.
    pub(crate) fn whole(file: &'c str, text: &'c str) -> Self {
        Chunk::new(file, text, 0..text.len(), 1, 0)
    }

    fn new(file: &'c str, text: &'c str, span: Range<usize>, line: usize, column: usize) -> Self {
        let at = Located { offset: 0, line, column, line_start: 0 };
        Chunk { text, span, cuts: &[], file, line, column, at, dropped: 0, longer: &[] }
    }

    /// Returns the text up to the end of the piece, which begins at `span.start`.
    pub(crate) fn text(&self) -> &'c str {
        &self.text[..self.span.end]
    }

    /// Returns the parts of the piece that can be parsed independently. A short piece is a single
    /// part.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Range<usize>> + use<'c> {
        let Range { start, end } = self.span;
        let cuts = self.cuts.iter().copied().filter(move |&cut| cut < end);
        let starts = [start].into_iter().chain(cuts.clone());
        starts.zip(cuts.chain([end])).map(|(start, end)| start..end)
    }

    /// Returns whether a range of the text contains a replacement character, which represents
    /// invalid bytes.
    pub(crate) fn has_replacement(&self, span: &Range<usize>) -> bool {
        let text = self.text.get(span.clone()).unwrap_or_default();
        text.contains(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the line and column of an offset in the text, counted from 1, and the start of the
    /// line.
    fn locate(&mut self, offset: usize) -> (usize, usize, usize) {
        let offset = char_start(self.text, offset);
        let mut at = self.at;
        if offset < at.offset {
            at = Located { offset: 0, line: self.line, column: self.column, line_start: 0 };
        }
        let mut passed = &self.text[at.offset..offset];
        if let Some(last) = passed.rfind('\n') {
            at.line += memchr_iter(b'\n', passed.as_bytes()).count();
            (at.line_start, at.column) = (at.offset + last + 1, 0);
            passed = &passed[last + 1..];
        }
        // The last position is kept, so that the characters of a line with many errors are counted
        // only once.
        at.column += passed.chars().count();
        at.offset = offset;
        self.at = at;
        (at.line, at.column + 1, at.line_start)
    }

    /// Returns the line and column of an offset in the text, counted from 1.
    pub(crate) fn line_column(&mut self, offset: usize) -> (usize, usize) {
        let (line, column, _) = self.locate(offset);
        (line, column)
    }

    /// Returns the offset in the file for an offset in the text.
    fn in_file(&self, offset: usize) -> u64 {
        let at = self.dropped + offset as u64;
        let before = self.longer.iter().filter(|(place, _)| *place < at);
        at - before.map(|(_, longer)| longer).sum::<u64>()
    }

    /// Creates an error about a range of the text.
    pub(crate) fn diagnostic(
        &mut self,
        code: &'static str,
        span: Range<usize>,
        title: String,
        label: String,
        help: Vec<String>,
    ) -> Diagnostic<'c> {
        let (line, column, line_start) = self.locate(span.start);
        let start = self.at.offset;
        let span = start..span.end.max(start);
        let (from, shown) = excerpt(self.text, line_start, &span);
        let marked = self.text.get(span.clone()).unwrap_or_default();
        let (end_line, end_column) = match marked.rsplit_once('\n') {
            None => (line, column + marked.chars().count()),
            Some((_, last)) => {
                (line + memchr_iter(b'\n', marked.as_bytes()).count(), last.chars().count() + 1)
            }
        };
        let end = (end_line, end_column);
        Diagnostic {
            code,
            title,
            label,
            help,
            file: self.file,
            place: SourceLocation::Text {
                line,
                column,
                end,
                shown,
                span: start - from..span.end - from,
            },
            span: self.in_file(span.start)..self.in_file(span.end),
        }
    }
}

impl<'a> Chunks<'a> {
    pub(crate) fn new(input: Input<'a>, split: Split) -> Self {
        Chunks {
            input,
            text: String::new(),
            block: vec![0; BLOCK],
            pending: Vec::new(),
            line: 1,
            column: 0,
            done: 0,
            scanner: Scanner::new(split),
            opened: None,
            started: false,
            ended: false,
            invalid: 0,
            dropped: 0,
            longer: Vec::new(),
        }
    }

    /// Returns the next piece that contains more than white space and comments.
    ///
    /// It reports invalid UTF-8 and comments that are never closed.
    pub(crate) fn next(
        &mut self,
        console: &mut Console<'_>,
    ) -> Result<Option<Chunk<'_>>, CommandError> {
        self.drop_done();
        self.scanner.restart(self.done);
        loop {
            self.scanner.scan(&self.text, self.ended);
            if self.scanner.first.is_none() {
                self.done = self.scanner.at;
                self.drop_done();
            }
            if self.ended || self.scanner.is_enough() {
                break;
            }
            self.fill(console)?;
        }
        let Some(first) = self.scanner.first else {
            if self.scanner.state == ScanState::Block {
                self.report_open_comment(console);
            }
            return Ok(None);
        };
        self.done = self.scanner.cut(&self.text, self.ended);
        let span = first..self.done;
        if !self.ended && self.scanner.end.is_none() {
            self.report_endless(&span, console);
        }
        Ok(Some(Chunk { cuts: &self.scanner.cuts, ..self.chunk(span) }))
    }

    /// Reads to the end and keeps all text. It reports invalid UTF-8.
    pub(crate) fn read_all(&mut self, console: &mut Console<'_>) -> Result<(), CommandError> {
        while !self.ended {
            self.fill(console)?;
        }
        Ok(())
    }

    /// Returns all text that was read and kept, as one piece.
    pub(crate) fn all(&self) -> Chunk<'_> {
        self.chunk(0..self.text.len())
    }

    fn chunk(&self, span: Range<usize>) -> Chunk<'_> {
        let chunk = Chunk::new(&self.input.name, &self.text, span, self.line, self.column);
        Chunk { dropped: self.dropped, longer: &self.longer, ..chunk }
    }

    /// Drops the text before `done`, but keeps the start of the line that continues there.
    fn drop_done(&mut self) {
        let line_start = self.text[..self.done].rfind('\n').map_or(0, |at| at + 1);
        let near = char_start(&self.text, self.done.saturating_sub(SHOWN));
        let keep = line_start.max(near);
        if keep == 0 {
            return;
        }
        self.remember_open_comment(keep);
        let dropped = &self.text[..keep];
        if let Some(last) = dropped.rfind('\n') {
            self.line += memchr_iter(b'\n', dropped.as_bytes()).count();
            self.column = dropped[last + 1..].chars().count();
        } else {
            self.column += dropped.chars().count();
        }
        self.text.drain(..keep);
        self.dropped += keep as u64;
        self.done -= keep;
        self.scanner.shift(keep);
    }

    /// Stores the position of an open comment whose text is about to be dropped.
    fn remember_open_comment(&mut self, keep: usize) {
        if self.scanner.state != ScanState::Block {
            self.opened = None;
        } else if let Some(at) = self.scanner.comment.filter(|&at| at < keep) {
            let mut chunk = self.chunk(0..0);
            let (line, column, line_start) = chunk.locate(at);
            let offset = chunk.in_file(at);
            let (from, shown) = excerpt(&self.text, line_start, &(at..at + 2));
            let shown = shown.into();
            self.opened = Some(OpenComment { line, column, shown, at: at - from, offset });
            self.scanner.comment = None;
        }
    }

    fn report_open_comment(&mut self, console: &mut Console<'_>) {
        let code = "unfinished-comment";
        let title = "unterminated comment";
        let help = vec!["end it with `*/`".to_owned()];
        if let Some(at) = self.scanner.comment {
            let mut chunk = self.chunk(0..0);
            console.report(&chunk.diagnostic(code, at..at + 2, title.into(), String::new(), help));
        } else if let Some(opened) = &self.opened {
            console.report(&Diagnostic {
                code,
                title: title.into(),
                label: String::new(),
                help,
                file: &self.input.name,
                place: SourceLocation::Text {
                    line: opened.line,
                    column: opened.column,
                    end: (opened.line, opened.column + 2),
                    shown: &opened.shown,
                    span: opened.at..opened.at + 2,
                },
                span: opened.offset..opened.offset + 2,
            });
        }
        self.scanner.state = ScanState::Code;
    }

    /// Reports a piece without any valid cut position.
    fn report_endless(&self, span: &Range<usize>, console: &mut Console<'_>) {
        let end = match self.scanner.split {
            Split::Instructions => "`;`",
            Split::Words => "white space",
        };
        let title = format!("no {end} in the next {LIMIT} bytes");
        let span = span.start..span.start + 1;
        let mut chunk = self.chunk(0..0);
        console.report(&chunk.diagnostic("too-long", span, title, String::new(), vec![]));
    }

    /// Reads more text.
    fn fill(&mut self, console: &mut Console<'_>) -> Result<(), CommandError> {
        let mut block = core::mem::take(&mut self.block);
        let kept = self.pending.len();
        block[..kept].copy_from_slice(&self.pending);
        self.pending.clear();
        let count = self.input.read(&mut block[kept..], console)?;
        self.ended = count == 0;
        let invalid = self.append(&block[..kept + count]);
        self.block = block;
        let mark = self.drop_mark();
        for at in invalid {
            self.report_invalid(at - mark, console);
        }
        Ok(())
    }

    /// Removes a byte order mark at the start of the file and returns its length.
    fn drop_mark(&mut self) -> usize {
        const MARK: char = '\u{feff}';
        if self.started || self.text.is_empty() {
            return 0;
        }
        self.started = true;
        if !self.text.starts_with(MARK) {
            return 0;
        }
        self.text.drain(..MARK.len_utf8());
        self.dropped += MARK.len_utf8() as u64;
        MARK.len_utf8()
    }

    /// Appends bytes to the text. Invalid UTF-8 becomes replacement characters, whose offsets are
    /// returned.
    fn append(&mut self, mut bytes: &[u8]) -> Vec<usize> {
        let mut invalid = Vec::new();
        loop {
            let error = match core::str::from_utf8(bytes) {
                Ok(text) => {
                    self.text.push_str(text);
                    return invalid;
                }
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.text.push_str(core::str::from_utf8(valid).unwrap_or_default());
            if error.error_len().is_none() && !self.ended {
                self.pending = rest.to_vec();
                return invalid;
            }
            let length = error.error_len().unwrap_or(rest.len());
            let longer = char::REPLACEMENT_CHARACTER.len_utf8().saturating_sub(length);
            self.longer.push((self.dropped + self.text.len() as u64, longer as u64));
            invalid.push(self.text.len());
            self.text.push(char::REPLACEMENT_CHARACTER);
            bytes = &rest[length..];
            if self.invalid + invalid.len() > INVALID {
                self.ended = true;
                return invalid;
            }
        }
    }

    fn report_invalid(&mut self, at: usize, console: &mut Console<'_>) {
        self.invalid += 1;
        let title = if self.invalid > INVALID {
            "too many invalid bytes: the rest of the file is not read"
        } else {
            "invalid UTF-8"
        };
        let mut help = vec!["expected UTF-8 or ASCII text".into()];
        if self.scanner.split == Split::Words {
            help.push("`dis --from bin` accepts binary files".into());
        }
        let mut chunk = self.chunk(0..0);
        let span = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
        console.report(&chunk.diagnostic(
            "not-utf-8",
            span,
            title.into(),
            "invalid byte".into(),
            help,
        ));
    }
}
