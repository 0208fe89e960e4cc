//! The ends of statements, found without parsing them.

use alloc::vec::Vec;
use core::ops::Range;

use super::Draft;
use crate::asm::line_mode::comment_len;
use crate::text::quoted_len;

/// The end of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentCut {
    /// The end in the text.
    pub(super) end: usize,
    /// Whether a statement ends there with a terminator, and not only because the text ends.
    pub(super) is_terminated: bool,
    /// The start of an unclosed comment.
    pub(super) opened: Option<usize>,
}

/// The new stretches of a part of the text.
#[derive(Debug)]
pub(super) struct Cuts {
    pub(super) ends: Vec<SegmentCut>,
    /// The index of the old stretch that begins at the end of the last new stretch.
    pub(super) behind: usize,
    /// The index of a stored stretch that an unclosed comment had replaced, if it begins at the end of
    /// the last new stretch. `behind` is then the number of all stretches.
    pub(super) resumed: Option<usize>,
}

impl Draft {
    /// Divides the text again from the start of stretch `first`, after `range` was replaced by `new`
    /// bytes.
    pub(super) fn cut(&self, first: usize, range: &Range<usize>, new: usize) -> Cuts {
        let mut at = self.end_before(first);
        let (mut behind, mut ends) = (first, Vec::new());
        let edited = range.start + new;
        while at < self.text.len() {
            if at >= edited {
                let old = at - edited + range.end;
                while behind < self.stretches.len() && self.end_before(behind) < old {
                    behind += 1;
                }
                let is_end = self.end_before(behind) == old;
                if is_end && old >= range.end && behind < self.stretches.len() {
                    return Cuts { ends, behind, resumed: None };
                }
                let resumed = self.taken.as_ref().and_then(|taken| taken.at(at));
                if resumed.is_some() {
                    return Cuts { ends, behind: self.stretches.len(), resumed };
                }
            }
            let cut = next(&self.text, at, self.assembler.lines);
            ends.push(cut);
            at = cut.end;
        }
        Cuts { ends, behind: self.stretches.len(), resumed: None }
    }
}

/// Returns the end of the stretch that begins at a position. It is after the next `;` outside
/// comments and quoted text, or after the next line if statements end with their lines.
fn next(text: &str, start: usize, lines: Option<&str>) -> SegmentCut {
    let bytes = text.as_bytes();
    let sign = lines.unwrap_or_default();
    let begins_comment = |byte: u8| byte == b'/' || sign.as_bytes().first() == Some(&byte);
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if begins_comment(byte) {
            let rest = text.get(at..).unwrap_or_default();
            let len = comment_len(rest, sign);
            if len == 0 && rest.starts_with("/*") {
                return SegmentCut { end: text.len(), is_terminated: false, opened: Some(at) };
            }
            if len > 0 {
                at += len;
                continue;
            }
        }
        if byte == b'"' {
            let quoted = quoted_len(bytes.get(at..).unwrap_or_default());
            at += quoted.max(1);
            continue;
        }
        at += 1;
        if byte == b';' || byte == b'\n' && lines.is_some() {
            return SegmentCut { end: at, is_terminated: true, opened: None };
        }
    }
    SegmentCut { end: text.len(), is_terminated: false, opened: None }
}
