//! The scanner of text: it finds the positions at which a text may be cut into pieces, which are outside
//! of comments and quoted text.

use memchr::{memchr, memchr2, memchr3};

use crate::console::char_start;

/// The desired size of a piece in bytes.
const CHUNK: usize = 256 << 10;
/// The minimum size in bytes of the parts of a piece that are parsed in parallel.
const PART: usize = 16 << 10;
/// The maximum length of a single instruction in bytes, including comments in it.
pub(super) const LIMIT: usize = 16 << 20;

/// The positions at which text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    /// After a `;` outside of comments and quoted text.
    Instructions,
    /// After white space.
    Words,
}

/// The context of the scanner's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScanState {
    Code,
    Line,
    Block,
    /// Quoted text.
    Text,
}

/// Finds the positions at which text may be cut.
pub(super) struct Scanner {
    pub(super) split: Split,
    pub(super) state: ScanState,
    /// The end of the scanned text.
    pub(super) at: usize,
    /// The first byte that is neither white space nor part of a comment.
    pub(super) first: Option<usize>,
    /// The last cut position.
    pub(super) end: Option<usize>,
    /// Some of the earlier cut positions, which divide the piece into parts of similar size.
    pub(super) cuts: Vec<usize>,
    /// The last cut position whose whole line is available, for messages.
    line_end: Option<usize>,
    /// The start of the block comment that is or was open last.
    pub(super) comment: Option<usize>,
}

impl Scanner {
    pub(super) fn new(split: Split) -> Self {
        Scanner {
            split,
            state: ScanState::Code,
            at: 0,
            first: None,
            end: None,
            cuts: Vec::new(),
            line_end: None,
            comment: None,
        }
    }

    /// Begins a new piece at `done`.
    pub(super) fn restart(&mut self, done: usize) {
        // A cut that is not at the scanner's position is after a `;`, outside of comments.
        if done != self.at {
            self.state = ScanState::Code;
        }
        (self.at, self.first, self.end, self.line_end) = (done, None, None, None);
        self.cuts.clear();
    }

    /// Adjusts all positions after the first `count` bytes of the text were removed.
    pub(super) fn shift(&mut self, count: usize) {
        self.at -= count.min(self.at);
        for place in [&mut self.first, &mut self.end, &mut self.line_end, &mut self.comment] {
            *place = place.and_then(|at| at.checked_sub(count));
        }
    }

    /// Returns whether the piece is long enough.
    pub(super) fn is_enough(&self) -> bool {
        let len = self.first.map_or(0, |first| self.at - first);
        len >= CHUNK && self.end.is_some() || len >= LIMIT
    }

    /// Returns the position at which to cut.
    pub(super) fn cut(&self, text: &str, ended: bool) -> usize {
        match self.line_end.or(self.end) {
            _ if ended => text.len(),
            Some(end) => end,
            None => char_start(text, self.at),
        }
    }

    /// Scans to the end of the text, or to an incomplete comment delimiter whose rest has not been
    /// read yet.
    pub(super) fn scan(&mut self, text: &str, ended: bool) {
        let bytes = text.as_bytes();
        while self.at < bytes.len() {
            let behind = match self.state {
                ScanState::Code => self.code(bytes, ended),
                ScanState::Line => Some(self.line_comment(bytes)),
                ScanState::Block => self.block_comment(bytes, ended),
                ScanState::Text => self.text(bytes, ended),
            };
            match behind {
                Some(behind) => self.at = behind,
                None => return,
            }
        }
    }

    /// Skips code and the start of the comment or quoted text after it. Returns the position after
    /// both.
    fn code(&mut self, bytes: &[u8], ended: bool) -> Option<usize> {
        let rest = &bytes[self.at..];
        let special = match self.split {
            Split::Instructions => memchr2(b'/', b'"', rest),
            Split::Words => None,
        };
        self.plain(&rest[..special.unwrap_or(rest.len())]);
        let at = self.at;
        special?;
        if bytes.get(at) == Some(&b'"') {
            self.state = ScanState::Text;
            self.first.get_or_insert(at);
            return Some(at + 1);
        }
        match bytes.get(at + 1) {
            None if !ended => return None,
            Some(b'/') => self.state = ScanState::Line,
            Some(b'*') => {
                self.state = ScanState::Block;
                self.comment = Some(at);
                return Some(at + 2);
            }
            _ => {
                self.first.get_or_insert(at);
            }
        }
        Some(at + 1)
    }

    /// Skips text without comments.
    fn plain(&mut self, text: &[u8]) {
        let start = self.at;
        self.at += text.len();
        if self.first.is_none() {
            self.first = text.iter().position(|byte| !is_space(byte)).map(|at| start + at);
        }
        let split = self.split;
        let ends = |byte: &u8| match split {
            Split::Instructions => *byte == b';',
            Split::Words => is_space(byte),
        };
        let behind_last = |text: &[u8]| text.iter().rposition(ends).map(|at| start + at + 1);
        let line = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if line > 0 {
            self.end = behind_last(&text[..line]).or(self.end);
            self.line_end = self.end;
        }
        self.end = behind_last(&text[line..]).map(|at| at + line).or(self.end);
        let last = self.cuts.last().copied().or(self.first);
        if let (Some(last), Some(end)) = (last, self.end)
            && end >= last + PART
        {
            self.cuts.push(end);
        }
    }

    /// Skips quoted text up to the closing quote or the end of the line.
    fn text(&mut self, bytes: &[u8], ended: bool) -> Option<usize> {
        let rest = &bytes[self.at..];
        let special = memchr3(b'"', b'\\', b'\n', rest);
        self.at += special.unwrap_or(rest.len());
        match rest[special?] {
            b'"' => self.state = ScanState::Code,
            b'\n' => {
                self.state = ScanState::Code;
                return Some(self.at);
            }
            _ if self.at + 1 == bytes.len() && !ended => return None,
            _ if bytes.get(self.at + 1) != Some(&b'\n') => return Some(self.at + 2),
            _ => {}
        }
        Some(self.at + 1)
    }

    fn line_comment(&mut self, bytes: &[u8]) -> usize {
        match memchr(b'\n', &bytes[self.at..]) {
            Some(end) => {
                self.state = ScanState::Code;
                self.line_end = self.end;
                self.at + end + 1
            }
            None => bytes.len(),
        }
    }

    fn block_comment(&mut self, bytes: &[u8], ended: bool) -> Option<usize> {
        let rest = &bytes[self.at..];
        let star = memchr(b'*', rest);
        let passed = &rest[..star.unwrap_or(rest.len())];
        if memchr(b'\n', passed).is_some() {
            self.line_end = self.end;
        }
        self.at += passed.len();
        star?;
        match bytes.get(self.at + 1) {
            None if !ended => None,
            Some(b'/') => {
                self.state = ScanState::Code;
                Some(self.at + 2)
            }
            _ => Some(self.at + 1),
        }
    }
}

/// Returns whether a byte is white space.
pub(super) fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(split: Split, text: &str, ended: bool) -> Scanner {
        let mut scanner = Scanner::new(split);
        scanner.scan(text, ended);
        scanner
    }

    #[test]
    fn comments_hide_semicolons() {
        let text = " // a;\n /* b; */ /*/ c; */ X /* ; */; // d;\n/* e;";
        let scanner = scanned(Split::Instructions, text, true);
        assert_eq!(scanner.first, text.find('X'));
        assert_eq!(scanner.end, text.find("; // d").map(|at| at + 1));
        assert_eq!(scanner.line_end, scanner.end);
        assert_eq!(scanner.comment, text.find("/* e"));
        assert_eq!(scanner.state, ScanState::Block);
    }

    #[test]
    fn quotes_hide_semicolons_and_comments() {
        let text = "X \"; /* \\\" ;\"; Y \"; \n Z; \"/*\"";
        for ended in [true, false] {
            let scanner = scanned(Split::Instructions, text, ended);
            assert_eq!(scanner.end, text.find("; \"/*").map(|at| at + 1));
            assert_eq!((scanner.state, scanner.comment), (ScanState::Code, None));
        }
        let mut scanner = scanned(Split::Instructions, "X \"\\", false);
        assert_eq!((scanner.at, scanner.state), (3, ScanState::Text));
        scanner.scan("X \"\\\" ;\";", false);
        assert_eq!(scanner.end, Some(9));
    }

    #[test]
    fn words_end_at_white_space() {
        let scanner = scanned(Split::Words, " 12 //\t34", true);
        assert_eq!((scanner.first, scanner.end), (Some(1), Some(7)));
    }

    #[test]
    fn half_a_mark_waits_for_the_rest() {
        let mut scanner = scanned(Split::Instructions, "X; /", false);
        assert_eq!(scanner.at, 3);
        scanner.scan("X; // ;", false);
        assert_eq!((scanner.at, scanner.end), (7, Some(2)));
        let mut scanner = scanned(Split::Instructions, "/* *", false);
        assert_eq!(scanner.at, 3);
        scanner.scan("/* */;", false);
        assert_eq!(scanner.end, Some(6));
    }
}
