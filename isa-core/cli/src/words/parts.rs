//! Joins the tokens of a word that consists of several tokens.
//!
//! In a set with several widths, a token that has all digits of a width has exactly this width. If
//! this token begins a wider instruction, the following tokens complete the word. This makes it
//! possible to read dumps of 16-bit units. In such a dump, the first half of a 32-bit word is the
//! half with the lower address.

use core::ops::Range;

use isa_core::error::DecodeError;

use crate::chunks::Chunk;
use crate::render::{Diagnostic, Place};
use crate::set::{Set, Word, hex_digits};

/// A token, parsed as a word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) word: Word,
    /// Whether it has all digits of its width.
    pub(crate) is_full: bool,
}

/// The tokens of an incomplete word.
pub(crate) struct Parts {
    set: Set,
    /// The part of the word that has been read. It has 0 bits if no word is incomplete.
    word: Word,
    /// The width of each token.
    unit: u8,
    /// The minimum width of the word.
    needed: u8,
}

impl Parts {
    pub(crate) const fn new(set: Set) -> Self {
        Parts { set, word: Word { word: 0, bits: 0 }, unit: 0, needed: 0 }
    }

    pub(crate) const fn is_open(&self) -> bool {
        self.word.bits > 0
    }

    /// Returns whether a token continues the incomplete word.
    pub(crate) const fn goes_on_with(&self, token: Token) -> bool {
        self.is_open() && token.is_full && token.word.bits == self.unit
    }

    /// Takes a token that continues the incomplete word, or any token if no word is incomplete.
    /// Returns the word if the token completes it.
    pub(crate) fn take(&mut self, token: Token) -> Option<Word> {
        if !token.is_full {
            return Some(token.word);
        }
        if !self.is_open() {
            self.unit = token.word.bits;
        }
        let Word { word, bits } = self.word;
        let word = match self.set.is_low_first() {
            true => word | token.word.word.unbounded_shl(bits.into()),
            false => word.unbounded_shl(token.word.bits.into()) | token.word.word,
        };
        self.word = Word { word, bits: bits.saturating_add(token.word.bits) };
        let is_whole = self.set.widths().any(|bits| bits == self.word.bits);
        let is_over = self.word.bits >= self.set.0.bits;
        if is_over || is_whole && !self.is_begun() {
            return Some(core::mem::replace(&mut self.word, Word { word: 0, bits: 0 }));
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
        self.word = Word { word: 0, bits: 0 };
        DecodeError::truncated(needed, got).to_string()
    }

    /// Returns help on how to write the incomplete word.
    pub(crate) fn help(&self) -> Vec<String> {
        let (all, each) = (hex_digits(self.needed), hex_digits(self.unit));
        let first = self.set.first_digits();
        vec![format!(
            "write all {all} digits together, or the {first} {each} first and the others behind"
        )]
    }
}

/// The position of tokens whose text may have been dropped.
pub(crate) struct Kept {
    file: String,
    shown: String,
    line: usize,
    column: usize,
    end: (usize, usize),
    marked: Range<usize>,
    bytes: Range<u64>,
}

impl Kept {
    /// Stores a position in a piece of text.
    pub(crate) fn new(chunk: &mut Chunk<'_>, span: Range<usize>) -> Option<Self> {
        let found = chunk.diagnostic("", span, String::new(), String::new(), vec![]);
        let Place::Text { line, column, end, shown, span: marked } = found.place else {
            return None;
        };
        let (file, shown) = (found.file.to_owned(), shown.to_owned());
        Some(Kept { file, shown, line, column, end, marked, bytes: found.span })
    }

    /// Creates an error about the position.
    pub(crate) fn diagnostic(
        &self,
        code: &'static str,
        title: String,
        help: Vec<String>,
    ) -> Diagnostic<'_> {
        let Kept { line, column, end, .. } = *self;
        let (shown, span) = (self.shown.as_str(), self.marked.clone());
        let place = Place::Text { line, column, end, shown, span };
        let (label, file, span) = (String::new(), self.file.as_str(), self.bytes.clone());
        Diagnostic { code, title, label, help, file, place, span }
    }
}
