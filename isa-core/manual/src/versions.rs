//! The page with the differences between two versions of a set.

use std::collections::BTreeSet;

use crate::html::Html;
use crate::picture::WordLayout;

/// The differences between two versions of a set, as a page.
#[derive(Debug, Clone)]
pub struct Versions {
    /// The name of the set, or both names if they differ.
    pub name: String,
    /// The program that created the page.
    pub made_by: String,
    /// The number of differences, in a sentence.
    pub summary: String,
    /// All changes.
    pub changes: Vec<Change>,
    /// The opcodes that have changed.
    pub opcodes: Vec<ChangedOpcode>,
}

/// A change.
#[derive(Debug, Clone)]
pub struct Change {
    /// The category of the change, in a word.
    pub what: String,
    /// The opcodes, operand types or groups that are affected.
    pub places: Vec<String>,
    /// The description of the change.
    pub message: String,
    /// The words whose meaning the change affects.
    pub words: Option<ChangedWords>,
}

/// Words whose meaning has changed.
#[derive(Debug, Clone)]
pub struct ChangedWords {
    /// The number of words.
    pub count: String,
    /// One of the words.
    pub witness: u128,
    /// The text of this word in the old version, or the reason why it was not a valid instruction.
    pub before: String,
    /// The text of this word in the new version, or the reason why it is not a valid instruction.
    pub after: String,
}

/// An opcode that a change affects.
#[derive(Debug, Clone)]
pub struct ChangedOpcode {
    /// The name, as in the changes.
    pub name: String,
    /// The layout in the old version, or `None` if the opcode did not exist.
    pub old: Option<WordLayout>,
    /// The layout in the new version.
    pub new: Option<WordLayout>,
}

/// The maximum number of places of a change that are named in the list of changes, and (in
/// `MOST_WORDS`) the maximum number of words of an opcode that are drawn.
const MOST_PLACES: usize = 8;
const MOST_WORDS: usize = 4;

impl Versions {
    /// Returns the page as a single file, which needs no other file.
    #[must_use]
    pub fn page(&self) -> String {
        let mut html = Html::default();
        html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<title>Differences · ").text(&self.name).raw("</title>\n<style>\n");
        html.raw(crate::STYLE).raw("</style>\n</head>\n<body>\n<main id=\"content\">\n");
        html.element("p", "above", "Differences").element("h1", "", &self.name);
        html.raw("\n").element("p", "lead", &self.summary).raw("\n");
        let drawn: BTreeSet<&str> = self.opcodes.iter().map(|it| it.name.as_str()).collect();
        if !self.changes.is_empty() {
            html.section("changes", "Changes");
            html.table("Changes", &["what", "where", "", "affected words"]);
            for change in &self.changes {
                change.row(&drawn, &mut html);
            }
            html.end_table();
            html.end_section();
        }
        for opcode in &self.opcodes {
            let changes = self.changes.iter().filter(|it| it.places.contains(&opcode.name));
            opcode.section(changes, &mut html);
        }
        html.raw("</main>\n<footer><p>").text(&self.name).raw(", written by <code>");
        html.text(&self.made_by).raw("</code>.</p></footer>\n</body>\n</html>\n");
        html.finish()
    }
}

/// Returns the anchor of an opcode in the page.
fn place(name: &str) -> String {
    format!("opcode-{name}")
}

/// Appends a message. Names between backticks become code.
fn message(message: &str, html: &mut Html) {
    for (at, part) in message.split('`').enumerate() {
        match at % 2 {
            0 => html.text(part),
            _ => html.element("code", "", part),
        };
    }
}

impl Change {
    fn row(&self, drawn: &BTreeSet<&str>, html: &mut Html) {
        html.open("tr", &[]);
        html.cell("", |html| _ = html.text(&self.what));
        html.cell("", |html| {
            for (at, name) in self.places.iter().take(MOST_PLACES).enumerate() {
                html.raw(if at > 0 { ", " } else { "" });
                match drawn.contains(name.as_str()) {
                    true => html.link(&format!("#{}", place(name)), name),
                    false => html.text(name),
                };
            }
            if let more @ 1.. = self.places.len().saturating_sub(MOST_PLACES) {
                html.text(&format!(" and {more} more"));
            }
        });
        html.cell("", |html| message(&self.message, html));
        html.cell("", |html| {
            if let Some(words) = &self.words {
                words.describe(html);
            }
        });
        html.close("tr").raw("\n");
    }
}

impl ChangedWords {
    /// Appends the number of words, and one of the words with its old and new meaning. The pictures show
    /// all digits of this word.
    fn describe(&self, html: &mut Html) {
        html.text(&self.count).raw(if self.count == "1" {
            " word, "
        } else {
            " words, for example "
        });
        html.element("code", "", &format!("{:#x}", self.witness)).raw(": ");
        html.element("code", "", &self.before).raw(", now ").element("code", "", &self.after);
    }
}

impl ChangedOpcode {
    fn section<'c>(&self, changes: impl Iterator<Item = &'c Change>, html: &mut Html) {
        html.section(&place(&self.name), &self.name);
        let mut words: Vec<&ChangedWords> = Vec::new();
        html.raw("<ul>");
        for change in changes {
            html.raw("<li>").element("strong", "", &change.what).raw(" ");
            message(&change.message, html);
            if let Some(altered) = &change.words {
                html.raw(": ");
                altered.describe(html);
                if words.iter().all(|known| known.witness != altered.witness) {
                    words.push(altered);
                }
            }
            html.raw("</li>\n");
        }
        html.raw("</ul>\n");
        words.truncate(MOST_WORDS);
        match &words[..] {
            [] => self.pictures(None, html),
            words => words.iter().for_each(|it| self.pictures(Some(it), html)),
        }
        html.end_section();
    }

    /// Appends pictures of the old and new fields, with the bits of a word.
    fn pictures(&self, word: Option<&ChangedWords>, html: &mut Html) {
        for (when, layout, text) in [
            ("Before", &self.old, word.map(|it| &it.before)),
            ("Now", &self.new, word.map(|it| &it.after)),
        ] {
            let Some(layout) = layout else { continue };
            html.open("h3", &[]).text(when);
            if let (Some(word), Some(text)) = (word, text) {
                let digits = 2 + usize::from(layout.bits).div_ceil(4);
                html.raw(", ").element("code", "", &format!("{:#0digits$x}", word.witness));
                html.raw(": ").element("code", "", text);
            }
            html.close("h3").raw("\n");
            let name = format!("The bits of {} by fields, {}", self.name, when.to_lowercase());
            layout.draw(word.map(|it| it.witness), &name, html);
        }
    }
}
