//! Where statements end, found without reading them.

use alloc::vec::Vec;
use core::ops::Range;

use super::Draft;
use crate::asm::lines::comment_len;
use crate::asm::quoted_len;

/// The end of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The end in the text.
    pub(super) end: usize,
    /// Whether a statement ends there, and not the text alone.
    pub(super) is_terminated: bool,
    /// Where a comment begins that is never closed.
    pub(super) opened: Option<usize>,
}

/// How a part of the text is cut anew.
#[derive(Debug)]
pub(super) struct Cuts {
    pub(super) ends: Vec<Cut>,
    /// The first of the old stretches that begins where the last new one ends.
    pub(super) behind: usize,
    /// The number of a stretch that a comment had taken, and that begins where the last new one ends;
    /// `behind` is the number of all stretches then.
    pub(super) resumed: Option<usize>,
}

impl Draft {
    /// Cuts the text anew from the start of a stretch on, after `range` became `new` bytes.
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

/// The end of the stretch that begins at a place: behind a `;` outside of comments and text in quotes or, where statements
/// end with their lines, behind a line.
fn next(text: &str, start: usize, lines: Option<&str>) -> Cut {
    let bytes = text.as_bytes();
    let sign = lines.unwrap_or_default();
    let begins_comment = |byte: u8| byte == b'/' || sign.as_bytes().first() == Some(&byte);
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if begins_comment(byte) {
            let rest = text.get(at..).unwrap_or_default();
            let len = comment_len(rest, sign);
            if len == 0 && rest.starts_with("/*") {
                return Cut { end: text.len(), is_terminated: false, opened: Some(at) };
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
            return Cut { end: at, is_terminated: true, opened: None };
        }
    }
    Cut { end: text.len(), is_terminated: false, opened: None }
}
