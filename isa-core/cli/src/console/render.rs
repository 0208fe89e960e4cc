//! Formats diagnostics as text: title, position, source line, caret and help.

use core::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use isa_core::json::{Object, quoted};
use isa_core::shown::{Shown, is_shown};

/// The maximum number of bytes of a line that are shown.
pub(crate) const SHOWN: usize = 2048;

/// An error in the input.
pub(crate) struct Diagnostic<'d> {
    /// The code of the error, for programs.
    pub(crate) code: &'d str,
    /// The main message.
    pub(crate) title: String,
    /// A short message about the marked text.
    pub(crate) label: String,
    /// Suggestions for a correction.
    pub(crate) help: Vec<String>,
    /// The name of the file.
    pub(crate) file: &'d str,
    /// The position in the file.
    pub(crate) place: SourceLocation<'d>,
    /// The range in the file in bytes, counted from 0.
    pub(crate) span: Range<u64>,
}

/// A position in the input.
pub(crate) enum SourceLocation<'d> {
    /// A part of a line.
    Text {
        /// The line, counted from 1.
        line: usize,
        /// The character in the line, counted from 1, at which the part begins.
        column: usize,
        /// The line and column after the part.
        end: (usize, usize),
        /// The line, or the visible part of a long one.
        shown: &'d str,
        /// The marked part, in bytes of `shown`.
        span: Range<usize>,
    },
    /// A range of bytes in a binary file.
    Bytes,
}

/// Formats a diagnostic for standard error, including the final line break.
pub(crate) fn render(diagnostic: &Diagnostic<'_>, color: bool) -> String {
    let title = clean(&diagnostic.title);
    let file = Shown(diagnostic.file).to_string();
    let help: Vec<String> = diagnostic.help.iter().map(|help| clean(help)).collect();
    let primary = Level::ERROR.primary_title(&title);
    // The codes of the compiler have pages, so they are shown.
    let primary =
        if diagnostic.code.starts_with("ISA") { primary.id(diagnostic.code) } else { primary };
    let mut group = Group::with_title(primary);
    match &diagnostic.place {
        SourceLocation::Text { line, column, shown, span, .. } => {
            let span = within(shown, span);
            let characters = shown[..span.start].chars().count();
            // The replacement of a hidden character may have a different length.
            let pieces = [&shown[..span.start], &shown[span.clone()], &shown[span.end..]];
            let [before, marked, behind] = pieces.map(clean);
            let span = before.len()..before.len() + marked.len();
            let shown = before + &marked + &behind;
            let label = clean(&diagnostic.label);
            let label = Some(label).filter(|label| !label.is_empty());
            let annotation = AnnotationKind::Primary.span(span.clone()).label(label);
            let snippet = Snippet::source(shown).line_start(*line).annotation(annotation);
            // The renderer counts columns from the start of the excerpt, which is wrong in the
            // middle of a long line.
            group = if characters + 1 == *column {
                group.element(snippet.path(&file))
            } else {
                let origin = Origin::path(&file).line(*line).char_column(*column);
                group.element(origin).element(snippet)
            };
        }
        SourceLocation::Bytes => {
            let offset = diagnostic.span.start;
            group = group.element(Origin::path(format!("{file}: byte {offset}")));
        }
    }
    let help = help.iter().map(|help| Level::HELP.message(help));
    let report = [group.elements(help)];
    let mut text = renderer(color).render(&report);
    text.push_str("\n\n");
    text
}

/// Formats an error or a warning without a position.
pub(crate) fn message(level: &str, message: &str, color: bool) -> String {
    let title = clean(message);
    let level = if level == "warning" { Level::WARNING } else { Level::ERROR };
    let report = [Group::with_title(level.primary_title(&title))];
    let mut text = renderer(color).render(&report);
    text.push('\n');
    text
}

/// Formats a diagnostic as a JSON object on its own line.
pub(crate) fn render_json(diagnostic: &Diagnostic<'_>) -> String {
    json("error", Some(diagnostic.code), &diagnostic.title, Some(diagnostic))
}

/// Formats an error without a position, or a note, as a JSON object on its own line.
pub(crate) fn message_json(level: &str, code: Option<&str>, message: &str) -> String {
    json(level, code, message, None)
}

/// Formats an object with all keys. A key without a value is null.
fn json(level: &str, code: Option<&str>, message: &str, at: Option<&Diagnostic<'_>>) -> String {
    let (places, shown) = match at.map(|at| &at.place) {
        Some(SourceLocation::Text { line, column, end, shown, .. }) => {
            ([*line, *column, end.0, end.1].map(Some), Some(*shown))
        }
        Some(SourceLocation::Bytes) | None => ([None; 4], None),
    };
    let mut object = Object::new();
    object.text("level", level).text_or_null("code", code).text("message", message);
    object.text_or_null("file", at.map(|at| at.file));
    for (key, place) in ["line", "column", "end_line", "end_column"].into_iter().zip(places) {
        object.raw_or_null(key, place);
    }
    object.raw_or_null("span", at.map(|at| format!("[{}, {}]", at.span.start, at.span.end)));
    object.text_or_null("text", shown);
    object.text_or_null("label", at.map(|at| &*at.label).filter(|label| !label.is_empty()));
    object.list("help", at.iter().flat_map(|at| &at.help).map(|help| quoted(help)));
    object.finish() + "\n"
}

fn renderer(color: bool) -> Renderer {
    if color { Renderer::styled() } else { Renderer::plain() }
}

/// Replaces the characters that must not be shown. The text may have several lines.
fn clean(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        c if is_shown(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(shown).collect()
}

/// Returns the last character boundary that is not after `at`, like `str::floor_char_boundary`,
/// which is stable from Rust 1.91 on.
pub(crate) fn char_start(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Returns the first character boundary that is not before `at`, or the end, like
/// `str::ceil_char_boundary`, which is stable from Rust 1.91 on.
fn char_end(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Adjusts `span` to a range of `text` that begins and ends at character boundaries.
fn within(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = char_start(text, span.start);
    let end = char_end(text, span.end.max(start));
    start..end
}

/// Returns the visible part of the line around `span`, a range of `text`. The result is the start
/// of this part and its text.
pub(crate) fn excerpt<'t>(
    text: &'t str,
    line_start: usize,
    span: &Range<usize>,
) -> (usize, &'t str) {
    let reach = |from: usize, by: usize| char_start(text, from.saturating_sub(by));
    let start = if span.start - line_start > SHOWN / 2 {
        reach(span.start, SHOWN / 2).max(line_start)
    } else {
        line_start
    };
    let limit = char_start(text, start + SHOWN);
    let from = span.start.clamp(start, limit);
    let rest = &text[from..limit];
    let end = from + rest.find('\n').unwrap_or(rest.len());
    (start, text[start..end].trim_end_matches('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(shown: &str, span: Range<usize>) -> String {
        let diagnostic = Diagnostic {
            code: "test",
            title: "unknown name".into(),
            label: "here".into(),
            help: vec!["write another".into()],
            file: "a.s",
            place: SourceLocation::Text { line: 7, column: 3, end: (7, 4), shown, span },
            span: 0..1,
        };
        render(&diagnostic, false)
    }

    #[test]
    fn a_diagnostic_has_place_line_caret_and_help() {
        let text = at("  HADD3 R0;", 2..7);
        for part in [
            "error: unknown name\n",
            "--> a.s:7:3\n",
            "7 |   HADD3 R0;\n",
            "^^^^^ here\n",
            "help: write another\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }

    #[test]
    fn any_span_of_any_line_is_drawn() {
        let lines = [
            "",
            "\t",
            "ä\u{200d}中\u{7f}\u{1b}[31m\r",
            "a\nb\nc",
            "\u{feff}x",
            "\0\0",
            "\u{9b}1m\u{202e}\u{e0041}",
        ];
        for line in lines {
            for start in 0..line.len() + 3 {
                for end in 0..line.len() + 3 {
                    let text = at(line, start..end);
                    let is_plain = |c| c == '\n' || is_shown(c);
                    assert!(text.chars().all(is_plain), "{text:?}");
                }
            }
        }
    }

    /// Each hidden character, which has one to four bytes, occupies one column, so that the caret
    /// is below the marked text.
    #[test]
    fn the_caret_is_below_its_text_behind_hidden_characters() {
        let line = "\u{7f}\u{9b}\u{202e}\u{200d}\u{e0041}BAD x";
        let start = line.len() - 5;
        let text = at(line, start..start + 3);
        let lines: Vec<&str> = text.lines().collect();
        let drawn = lines.iter().find(|line| line.contains("BAD")).copied().unwrap_or_default();
        let carets = lines.iter().find(|line| line.contains("^^^")).copied().unwrap_or_default();
        let column = |line: &str, part: &str| line.find(part).map(|at| line[..at].chars().count());
        assert_eq!(column(drawn, "BAD"), column(carets, "^^^"), "{text}");
        assert_eq!(drawn.matches('\u{fffd}').count(), 5, "{text}");
    }

    #[test]
    fn a_line_break_in_the_name_of_a_file_is_not_shown() {
        let place = SourceLocation::Bytes;
        let diagnostic = Diagnostic {
            code: "test",
            title: "wrong".into(),
            label: String::new(),
            help: vec![],
            file: "a\nerror: b\u{9b}",
            place,
            span: 0..1,
        };
        let text = render(&diagnostic, false);
        assert!(text.contains("a\u{fffd}error: b\u{fffd}: byte 0\n"), "{text}");
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let text = "x".repeat(100_000) + "\nsecond";
        let (start, shown) = excerpt(&text, 0, &(50_000..50_001));
        assert_eq!((start, shown.len()), (50_000 - SHOWN / 2, SHOWN));
        let (start, shown) = excerpt(&text, 0, &(99_999..100_000));
        assert_eq!((start + shown.len(), shown.len()), (100_000, SHOWN / 2 + 1));
        assert_eq!(excerpt(&text, 100_001, &(100_003..100_004)), (100_001, "second"));
    }
}
