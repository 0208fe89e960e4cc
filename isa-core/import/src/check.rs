//! Errors of the compiler at the lines of the input.

use isa_compiler::SpecificationError;
use proc_macro2::{TokenStream, TokenTree};

use crate::code::LineOrigin;
use crate::{ImportError, Source};

/// Compiles a generated file and returns the errors at the lines from which they result.
pub(crate) fn errors(
    source: &str,
    origins: &[Option<LineOrigin>],
    files: Vec<Source<'_>>,
) -> Vec<ImportError> {
    let Ok(tokens) = source.parse::<TokenStream>() else { return Vec::new() };
    let Some(TokenTree::Group(call)) = tokens.into_iter().last() else { return Vec::new() };
    let lines: Vec<&str> = source.lines().collect();
    let places = SourceMap { lines, origins, files };
    isa_compiler::errors(call.stream()).iter().map(|error| places.error(error)).collect()
}

/// The lines of a generated file and the lines of the input from which they are.
struct SourceMap<'a> {
    lines: Vec<&'a str>,
    origins: &'a [Option<LineOrigin>],
    files: Vec<Source<'a>>,
}

impl SourceMap<'_> {
    fn error(&self, error: &SpecificationError) -> ImportError {
        let SpecificationError { message, line, column, .. } = error;
        let at = line.saturating_sub(1);
        let Some((origin, file)) = self.origin(at) else {
            // The import itself wrote this line, for example the name of the set.
            let shown = self.lines.get(at).map_or("", |line| line.trim());
            let file = self.files.first().map_or("", |file| file.name).to_owned();
            let message = format!("{message}\nnote: in the generated line `{shown}`");
            return ImportError { file, line: 0, column: 0, message };
        };
        let (line, column) = self.position(at, *column, origin, file);
        ImportError { file: file.name.to_owned(), line, column, message: message.clone() }
    }

    fn origin(&self, at: usize) -> Option<(LineOrigin, &Source<'_>)> {
        let origin = self.origins.get(at).copied().flatten()?;
        Some((origin, self.files.get(origin.file)?))
    }

    /// Returns the position in the input of the token at a position in the generated file. The import
    /// copies the words of a statement in their order but changes blanks, so the token is found by
    /// counting: it is the same occurrence of its text in the statement.
    fn position(
        &self,
        at: usize,
        column: usize,
        origin: LineOrigin,
        file: &Source<'_>,
    ) -> (usize, usize) {
        // A statement may have several lines here and in the input.
        let is_same = |at: &usize| self.origins.get(*at).copied().flatten() == Some(origin);
        let first = (0..=at).rev().take_while(is_same).last().unwrap_or(at);
        let line = self.lines.get(at).copied().unwrap_or_default();
        let start = line.char_indices().nth(column.saturating_sub(1)).map_or(0, |(at, _)| at);
        let wanted = words(&line[start..]).next().map_or("", |(_, word)| word);
        let in_line = words(line).filter(|(at, word)| *at < start && *word == wanted).count();
        let above = (first..at).flat_map(|at| words(self.lines[at]));
        let skipped = above.filter(|(_, word)| *word == wanted).count() + in_line;
        let inputs = (origin.line..).zip(file.text.lines().skip(origin.line - 1));
        let statement = inputs.take(MOST_LINES).flat_map(|(number, line)| {
            words(line).map(move |(at, word)| (number, line[..at].chars().count() + 1, word))
        });
        let mut found = statement.filter(|(.., word)| !wanted.is_empty() && *word == wanted);
        let place = found.nth(skipped).map(|(line, column, _)| (line, column));
        place.unwrap_or_else(|| {
            let line = file.text.lines().nth(origin.line - 1).unwrap_or_default();
            let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
            (origin.line, blanks + 1)
        })
    }
}

/// The maximum number of lines of the input in which the token of an error is searched.
const MOST_LINES: usize = 8;

/// Returns the words of a line with their positions: names, numbers, and single other characters.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..)?;
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = &line[start..];
        let first = rest.chars().next()?;
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        at = start + end;
        Some((start, &rest[..end]))
    })
}
