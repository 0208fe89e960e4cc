//! Where text may be cut.

/// The size of a piece to aim for, in bytes.
const CHUNK: usize = 256 << 10;
/// The longest single instruction, comments in it included.
pub(super) const LIMIT: usize = 16 << 20;

/// Where text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// Behind a `;` outside comments.
    Instructions,
    /// Behind white space.
    Words,
}

/// What the scanner is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Code,
    Line,
    Block,
}

/// Finds where text may be cut.
pub(super) struct Scanner {
    pub(super) split: Split,
    pub(super) state: State,
    /// What is scanned.
    pub(super) at: usize,
    /// The first byte that is neither white space nor comment.
    pub(super) first: Option<usize>,
    /// The last place to cut.
    pub(super) end: Option<usize>,
    /// The last place to cut whose line is there as a whole, for messages.
    line_end: Option<usize>,
    /// The start of the block comment that is or was open last.
    pub(super) comment: Option<usize>,
}

impl Scanner {
    pub(super) fn new(split: Split) -> Self {
        Scanner {
            split,
            state: State::Code,
            at: 0,
            first: None,
            end: None,
            line_end: None,
            comment: None,
        }
    }

    /// Begins a new piece at `done`.
    pub(super) fn restart(&mut self, done: usize) {
        // A cut that is not at the scanner's place is behind a `;`, outside comments.
        if done != self.at {
            self.state = State::Code;
        }
        (self.at, self.first, self.end, self.line_end) = (done, None, None, None);
    }

    /// Follows the text, whose first `count` bytes went.
    pub(super) fn shift(&mut self, count: usize) {
        self.at -= count.min(self.at);
        for place in [&mut self.first, &mut self.end, &mut self.line_end, &mut self.comment] {
            *place = place.and_then(|at| at.checked_sub(count));
        }
    }

    /// Whether the piece is long enough.
    pub(super) fn is_enough(&self) -> bool {
        let len = self.first.map_or(0, |first| self.at - first);
        len >= CHUNK && self.end.is_some() || len >= LIMIT
    }

    /// Where to cut.
    pub(super) fn cut(&self, text: &str, ended: bool) -> usize {
        match self.line_end.or(self.end) {
            _ if ended => text.len(),
            Some(end) => end,
            None => text.floor_char_boundary(self.at),
        }
    }

    pub(super) fn scan(&mut self, text: &str, ended: bool) {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let next = bytes.get(self.at + 1).copied();
            if next.is_none() && !ended && matches!(byte, b'/' | b'*') {
                return;
            }
            self.at += match self.state {
                State::Code => self.code(byte, next),
                State::Line => self.line_comment(byte),
                State::Block => self.block_comment(byte, next),
            };
            if byte == b'\n' {
                self.line_end = self.end;
            }
        }
    }

    /// One step outside comments; gives the number of bytes taken.
    fn code(&mut self, byte: u8, next: Option<u8>) -> usize {
        let comments = self.split == Split::Instructions;
        match (byte, next) {
            (b'/', Some(b'/')) if comments => self.state = State::Line,
            (b'/', Some(b'*')) if comments => {
                self.state = State::Block;
                self.comment = Some(self.at);
                return 2;
            }
            (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => {
                if !comments {
                    self.end = Some(self.at + 1);
                }
            }
            _ => {
                self.first.get_or_insert(self.at);
                if comments && byte == b';' {
                    self.end = Some(self.at + 1);
                }
            }
        }
        1
    }

    fn line_comment(&mut self, byte: u8) -> usize {
        if byte == b'\n' {
            self.state = State::Code;
        }
        1
    }

    fn block_comment(&mut self, byte: u8, next: Option<u8>) -> usize {
        if byte == b'*' && next == Some(b'/') {
            self.state = State::Code;
            return 2;
        }
        1
    }
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
        assert_eq!(scanner.state, State::Block);
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
