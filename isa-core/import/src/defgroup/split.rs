//! Splits a file into definitions and their sections.

use super::definition::{Definition, SourceLine};
use super::heading::{Heading, heading};
use super::section;
use crate::code::{Code, narrow};
use crate::plain::short;
use crate::{ImportError, Source, numbered};

/// Returns the definitions of a file, except invalid ones.
pub(super) fn split<'s>(
    (file_index, file): (usize, Source<'s>),
    faults: &mut Vec<ImportError>,
) -> Vec<Definition<'s>> {
    let mut splitter = DefinitionSplitter::default();
    // The line at which the current block in backquotes begins.
    let mut fence: Option<SourceLine<'s>> = None;
    for (number, line) in numbered(file.text) {
        let place = SourceLine { file: file.name, file_index, number, line };
        let text = line.trim();
        let found = heading(text);
        if let (Some(open), Some(Ok(Heading::Definition(..) | Heading::Section(_)) | Err(_))) =
            (fence, &found)
        {
            let name = text.split(char::is_whitespace).next().unwrap_or_default();
            faults.push(place.fault(format!(
                "`{name}` is in the block that begins in line {}: end the block with ``` before it",
                open.number
            )));
            fence = None;
        }
        match found.filter(|_| fence.is_none()) {
            None => {
                if let Some(info) = text.strip_prefix("```") {
                    faults.extend(wrong_fence(info, fence).map(|message| place.fault(message)));
                    fence = if fence.is_some() { None } else { Some(place) };
                }
                splitter.line(place, fence.is_some());
            }
            Some(Ok(Heading::Definition(word, rest))) => splitter.open((word, rest), place, faults),
            Some(Ok(Heading::Section(name) | Heading::Prose(name))) => {
                splitter.section(name, place, faults);
            }
            Some(Err(message)) => {
                faults.push(place.fault(message));
                splitter.finish(faults);
                splitter.before.clear();
                // The sections below belong to an invalid definition.
                splitter.is_lost |= text.to_ascii_lowercase().contains("def");
                splitter.is_wrong = true;
            }
        }
    }
    if let Some(open) = fence {
        faults.push(open.fault("unterminated block: write ``` after it".to_owned()));
    }
    let before = std::mem::take(&mut splitter.before);
    splitter.lines.extend(before);
    splitter.finish(faults);
    splitter.defs
}

/// Returns the error in a line that begins or ends a block. Further text in the line would be lost,
/// and blocks cannot be nested.
fn wrong_fence(info: &str, open: Option<SourceLine<'_>>) -> Option<String> {
    let is_word = info.chars().all(|c| c.is_ascii_alphanumeric());
    match open {
        Some(open) if !info.is_empty() => Some(format!(
            "expected the end of the block that begins in line {}, found `{}`: write ```",
            open.number,
            short(info)
        )),
        None if !is_word => Some(format!(
            "expected the name of a language after ```, found `{}`: write it in the next line",
            short(info)
        )),
        _ => None,
    }
}

/// The definitions so far, and the lines that are not parsed yet.
#[derive(Default)]
struct DefinitionSplitter<'s> {
    defs: Vec<Definition<'s>>,
    /// The section of the lines. It is empty directly after the line of a definition.
    section: &'s str,
    /// The indentation of the section's heading.
    depth: usize,
    lines: Vec<SourceLine<'s>>,
    /// The comments since the last line of another type. They belong to the next definition, if one
    /// follows.
    before: Vec<SourceLine<'s>>,
    /// Whether the heading of the section was reported as an error.
    is_wrong: bool,
    is_lost: bool,
}

impl<'s> DefinitionSplitter<'s> {
    fn line(&mut self, place: SourceLine<'s>, fenced: bool) {
        let is_blank = place.line.trim().is_empty();
        if place.line.starts_with("//") && !fenced || is_blank && !self.before.is_empty() {
            self.before.push(place);
        } else {
            self.lines.append(&mut self.before);
            self.lines.push(place);
        }
    }

    /// Begins a definition.
    fn open(
        &mut self,
        (word, rest): (&'static str, &'s str),
        place: SourceLine<'s>,
        faults: &mut Vec<ImportError>,
    ) {
        self.finish(faults);
        let opened = opened(word, rest, place);
        (self.section, self.is_wrong, self.is_lost) = ("", false, opened.is_err());
        let before = comments(&std::mem::take(&mut self.before));
        match opened {
            Ok(def) => self.defs.push(Definition { before, ..def }),
            Err(message) => faults.push(place.fault_at(rest.trim(), message)),
        }
    }

    /// Begins a section.
    fn section(&mut self, name: &'s str, place: SourceLine<'s>, faults: &mut Vec<ImportError>) {
        self.lines.append(&mut self.before);
        self.finish(faults);
        (self.section, self.is_wrong) = (name, false);
        self.depth = place.line.chars().take_while(|c| c.is_whitespace()).count();
        if self.defs.is_empty() && !self.is_lost {
            faults.push(place.fault(
                "a section before the first definition: write `__DefGroup NAME : [PARENT]` above it"
                    .to_owned(),
            ));
            self.is_lost = true;
        }
    }

    /// Parses the lines of the current section.
    fn finish(&mut self, faults: &mut Vec<ImportError>) {
        let lines = std::mem::take(&mut self.lines);
        if self.is_wrong || self.is_lost {
            return;
        }
        match self.defs.last_mut() {
            Some(def) => section::read(def, (self.section, self.depth), &lines, faults),
            None => {
                let stray = lines.iter().find(|place| !place.line.trim().is_empty());
                faults.extend(stray.map(|place| {
                    place.fault(
                        "text before the first definition: a comment begins with `//`".to_owned(),
                    )
                }));
            }
        }
    }
}

/// Returns the texts of comments.
fn comments(lines: &[SourceLine<'_>]) -> Vec<String> {
    let texts = lines.iter().filter(|place| !place.line.trim().is_empty());
    texts.map(|place| place.line.trim_start_matches('/').trim().to_owned()).collect()
}

/// Parses the rest of a definition's line: ` NAME : [PARENT, PARENT]`.
fn opened<'s>(
    word: &'static str,
    rest: &'s str,
    place: SourceLine<'s>,
) -> Result<Definition<'s>, String> {
    let narrow: String = rest.chars().map(narrow).collect();
    if narrow != rest {
        let [found, meant] = [rest, &narrow].map(|text| short(text.trim()));
        return Err(format!("expected ASCII characters, found `{found}`: write `{meant}`"));
    }
    let (name, parents) = rest.split_once(':').unwrap_or((rest, "[]"));
    let name = name.trim();
    Code::name(name)?;
    let list = parents.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let list = list.ok_or("expected parents in brackets, such as `: [PARENT, PARENT]`")?;
    let parents: Vec<&str> = list.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
    parents.iter().try_for_each(|parent| Code::name(parent).map(drop))?;
    Ok(Definition::new(word, name, parents, place))
}
