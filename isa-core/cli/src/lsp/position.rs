//! Converts between bytes and the lines and characters of the protocol.

use core::ops::Range;

use serde_json::{Value, json};

/// The unit in which a position counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// A byte.
    Utf8,
    /// A UTF-16 code unit, which every client supports.
    Utf16,
    /// A Unicode scalar value.
    Utf32,
}

impl Encoding {
    /// Returns the best of the encodings that a client offers.
    pub(super) fn agreed(offered: &Value) -> Self {
        let is_offered = |encoding: &Encoding| {
            let mut names = offered.as_array().into_iter().flatten();
            names.any(|name| name == encoding.name())
        };
        let mut all = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].into_iter();
        all.find(is_offered).unwrap_or(Encoding::Utf16)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    const fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// Returns the length of `text` in units of this encoding.
    pub(super) fn len(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units(c)).sum(),
        }
    }

    /// Returns the byte offset of a character in a line. If the line is shorter, the result is the end
    /// of the line. If the position is in the middle of a character, the result is the start of that
    /// character.
    fn byte(self, line: &str, character: usize) -> usize {
        let mut at = 0;
        for (byte, c) in line.char_indices() {
            let behind = at + self.units(c);
            if character < behind {
                return byte;
            }
            at = behind;
        }
        line.len()
    }
}

/// The offsets at which the lines of a text begin.
#[derive(Debug)]
pub(super) struct LineIndex(Vec<usize>);

impl LineIndex {
    pub(super) fn of(text: &str) -> Self {
        let mut starts = vec![0];
        starts_in(text, 0..text.len(), &mut starts);
        LineIndex(starts)
    }

    /// Updates the lines after an edit that replaced `range` of the old text by `new` bytes of
    /// `text`.
    pub(super) fn edit(&mut self, text: &str, range: &Range<usize>, new: usize) {
        // A line break of two characters may be split or formed right before the range.
        let first = self.number(range.start).saturating_sub(1);
        let behind = self.0.partition_point(|&start| start <= range.end);
        let moved = |at: usize| at + new - range.len();
        let until = self.0.get(behind).map_or(text.len(), |&start| moved(start));
        let mut fresh = Vec::new();
        starts_in(text, self.0[first]..until, &mut fresh);
        // If there is a line start after the edited lines, it is kept.
        if self.0.len() > behind && fresh.last() == Some(&until) {
            fresh.pop();
        }
        self.0.iter_mut().skip(behind).for_each(|start| *start = moved(*start));
        self.0.splice(first + 1..behind, fresh);
    }

    /// Returns the line that contains a byte, counted from 0.
    pub(super) fn number(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at).saturating_sub(1)
    }

    /// Returns the bytes of a line, including its line break.
    pub(super) fn span(&self, number: usize, text: &str) -> Range<usize> {
        let end = |number: usize| self.0.get(number).copied().unwrap_or(text.len());
        end(number)..end(number + 1)
    }

    /// Returns the byte offset of a position of the protocol.
    pub(super) fn byte(&self, text: &str, position: &Value, encoding: Encoding) -> Option<usize> {
        let number =
            |key: &str| Some(usize::try_from(position[key].as_u64()?).unwrap_or(usize::MAX));
        let (line, character) = (number("line")?, number("character")?);
        if line >= self.0.len() {
            return Some(text.len());
        }
        let span = self.span(line, text);
        let line = text.get(span.clone())?.trim_end_matches(['\r', '\n']);
        Some(span.start + encoding.byte(line, character))
    }

    /// Returns the line and character of a byte.
    pub(super) fn position(&self, text: &str, at: usize, encoding: Encoding) -> (usize, usize) {
        let number = self.number(at);
        let start = self.0.get(number).copied().unwrap_or_default();
        (number, encoding.len(text.get(start..at).unwrap_or_default()))
    }

    /// Converts a range of bytes to a range of the protocol.
    pub(super) fn range(&self, text: &str, range: &Range<usize>, encoding: Encoding) -> Value {
        let position = |at| {
            let (line, character) = self.position(text, at, encoding);
            json!({ "line": line, "character": character })
        };
        json!({ "start": position(range.start), "end": position(range.end) })
    }
}

/// Appends the starts of lines after the line breaks in a range: LF, CR LF, or CR alone.
fn starts_in(text: &str, range: Range<usize>, starts: &mut Vec<usize>) {
    let bytes = text.as_bytes();
    let found = range.clone().filter(|&at| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    starts.extend(found.map(|at| at + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_each_encoding() {
        let text = "aé😀b\r\nx";
        let lines = LineIndex::of(text);
        for (encoding, character) in
            [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)]
        {
            assert_eq!(lines.position(text, 7, encoding), (0, character));
            let position = json!({ "line": 0, "character": character });
            assert_eq!(lines.byte(text, &position, encoding), Some(7));
        }
        let at = |line, character| {
            let position = json!({ "line": line, "character": character });
            lines.byte(text, &position, Encoding::Utf16)
        };
        assert_eq!(at(0, 3), Some(3), "the middle of a character is its start");
        assert_eq!((at(0, 99), at(9, 0), at(1, 1)), (Some(8), Some(11), Some(11)));
        assert_eq!(lines.byte(text, &json!({ "line": -1 }), Encoding::Utf8), None);
    }

    #[test]
    fn lines_follow_edits() {
        let mut seed = 1u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % limit
        };
        let mut text = String::new();
        let mut lines = LineIndex::of(&text);
        for _ in 0..5000 {
            let start = below(text.len() + 1);
            let end = (start + below(4)).min(text.len());
            let new: String = (0..below(4)).map(|_| ["a", "\n", "\r", ";"][below(4)]).collect();
            text.replace_range(start..end, &new);
            lines.edit(&text, &(start..end), new.len());
            assert_eq!(lines.0, LineIndex::of(&text).0, "{text:?}");
        }
    }
}
