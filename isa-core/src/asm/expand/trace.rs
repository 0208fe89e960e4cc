//! Text whose every part knows its origin in a source file, through macros and included files.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// A text that the program consists of: the main text, or an included file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceFile {
    /// The name of the file, as the program names it; empty for the main text.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A part of a text.
#[derive(Debug, Clone)]
struct TracedPart {
    /// The start in the text.
    start: usize,
    /// The part of the source file. It has the same length unless the part is `replaced`.
    file: usize,
    at: Range<usize>,
    is_replaced: bool,
    /// The innermost expansion, as an index into [`Origins::frames`].
    frame: usize,
}

/// A position in a source file.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) file: usize,
    pub(crate) span: Range<usize>,
    pub(crate) frame: usize,
}

/// A text with the origin of each part.
#[derive(Debug, Clone, Default)]
pub(super) struct Traced {
    pub(super) text: String,
    parts: Vec<TracedPart>,
}

impl Traced {
    /// Creates the text of a whole source file.
    pub(super) fn of_file(text: String, file: usize, frame: usize) -> Self {
        let at = 0..text.len();
        Traced {
            text,
            parts: alloc::vec![TracedPart { start: 0, file, at, is_replaced: false, frame }],
        }
    }

    /// Returns the index of the part that contains a position.
    fn index_of(&self, at: usize) -> usize {
        self.parts.partition_point(|part| part.start <= at).saturating_sub(1)
    }

    /// Returns the origin of a range.
    pub(super) fn origin(&self, span: Range<usize>) -> Origin {
        let first = self.parts.get(self.index_of(span.start));
        let last = self.parts.get(self.index_of(span.end.saturating_sub(1).max(span.start)));
        let (Some(first), Some(last)) = (first, last) else {
            return Origin { file: 0, span: 0..0, frame: 0 };
        };
        let place = |part: &TracedPart, at: usize| match part.is_replaced {
            true => part.at.clone(),
            false => {
                let at = (part.at.start + at.saturating_sub(part.start)).min(part.at.end);
                at..at
            }
        };
        let start = place(first, span.start).start;
        let end = if last.file == first.file { place(last, span.end).end } else { start };
        Origin { file: first.file, span: start..end.max(start), frame: first.frame }
    }

    /// Appends a part of another text. With a frame, the part belongs to this expansion.
    pub(super) fn push(&mut self, from: &Traced, span: Range<usize>, frame: Option<usize>) {
        let mut at = span.start;
        let mut number = from.index_of(at);
        while at < span.end {
            let Some(part) = from.parts.get(number) else { break };
            let next = from.parts.get(number + 1).map_or(usize::MAX, |next| next.start);
            let end = next.min(span.end);
            let source = match part.is_replaced {
                true => part.at.clone(),
                false => {
                    let start = part.at.start + (at - part.start);
                    start..start + (end - at)
                }
            };
            let start = self.text.len() + (at - span.start);
            let frame = frame.unwrap_or(part.frame);
            self.push_part(TracedPart { start, at: source, frame, ..part.clone() });
            (at, number) = (end, number + 1);
        }
        self.text.push_str(from.text.get(span).unwrap_or_default());
    }

    /// Appends a text that replaces `origin`.
    pub(super) fn push_replaced(&mut self, text: &str, origin: &Origin) {
        let Origin { file, span, frame } = origin.clone();
        self.push_part(TracedPart {
            start: self.text.len(),
            file,
            at: span,
            is_replaced: true,
            frame,
        });
        self.text.push_str(text);
    }

    fn push_part(&mut self, part: TracedPart) {
        if let Some(last) = self.parts.last()
            && !last.is_replaced
            && !part.is_replaced
            && (last.file, last.frame) == (part.file, part.frame)
            && part.at.start == last.at.end
            && part.start == last.start + last.at.len()
            && let Some(last) = self.parts.last_mut()
        {
            last.at.end = part.at.end;
            return;
        }
        self.parts.push(part);
    }

    /// Returns a part of the text.
    pub(super) fn part(&self, span: Range<usize>) -> Traced {
        let mut part = Traced::default();
        part.push(self, span, None);
        part
    }
}

/// An expansion: a macro, a repetition or an included file.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The position of the statement that is expanded; its frame is the enclosing expansion.
    pub(super) site: Origin,
    /// A description of the expansion, such as "in the expansion of macro `push`".
    pub(super) what: String,
}

/// The origins of an expanded program: its files, and its expansions. Frame 0 is the main text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origins {
    pub(super) files: Vec<Arc<SourceFile>>,
    pub(super) frames: Vec<Frame>,
    /// The line markers of each file: the position of the line after the marker, its number, and the
    /// name of its file.
    pub(super) markers: Vec<Vec<(usize, usize, String)>>,
}

impl Origins {
    /// Returns a file.
    pub(crate) fn file(&self, number: usize) -> Option<&Arc<SourceFile>> {
        self.files.get(number)
    }

    /// Returns the descriptions of the expansions that contain a position, the innermost first, each
    /// with the position of the statement that is expanded.
    pub(crate) fn expansions(&self, origin: &Origin) -> impl Iterator<Item = (&str, Origin)> {
        let mut next = origin.frame;
        core::iter::from_fn(move || {
            let frame = self.frames.get(next.checked_sub(1)?)?;
            next = frame.site.frame;
            Some((frame.what.as_str(), frame.site.clone()))
        })
    }

    /// Returns the position in the main text that a position was expanded from.
    pub(crate) fn outermost(&self, origin: Origin) -> Range<usize> {
        let last = self.expansions(&origin).last();
        last.map_or(origin.span, |(_, site)| site.span)
    }

    /// Returns the line that the last line marker before a position assigns to it, with the name of its
    /// file.
    pub(crate) fn marked_line(&self, origin: &Origin) -> Option<(usize, &str)> {
        let (markers, file) = (self.markers.get(origin.file)?, self.files.get(origin.file)?);
        let behind = markers.partition_point(|(at, ..)| *at <= origin.span.start);
        let (at, line, name) = markers.get(behind.checked_sub(1)?)?;
        let between = file.text.get(*at..origin.span.start)?;
        Some((line + between.bytes().filter(|byte| *byte == b'\n').count(), name))
    }
}
