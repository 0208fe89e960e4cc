//! The loop over the statements of a program that expands them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::{Condition, Macro, Repetition};
use super::trace::{Frame, Origin, Origins, Traced};
use super::{Expanded, ExpansionError, ReadFile, SourceFile};
use crate::asm::line_mode::{label, terminate_lines};
use crate::parse::skip_statement;
use crate::table::InstructionSet;
use crate::text::{Cursor, character_len, is_name, quoted_len};

/// The maximum length of the expanded text in bytes.
const MOST_TEXT: usize = 1 << 27;

/// The maximum number of statements that are expanded.
const MOST_STEPS: usize = 1 << 21;

/// The maximum number of expansions that contain each other.
const MOST_LEVELS: usize = 128;

/// The maximum number of errors.
const MOST_ERRORS: usize = 200;

/// The properties of the assembler that the expansion depends on.
#[derive(Clone, Copy)]
pub(in crate::asm) struct Settings {
    pub(in crate::asm) set: &'static InstructionSet,
    /// If statements end with their lines: the sign that begins a comment.
    pub(in crate::asm) lines: Option<&'static str>,
}

/// A text that is being expanded: a file, the body of a macro, or an iteration of a repetition.
pub(super) struct Level {
    pub(super) text: Rc<Traced>,
    pub(super) at: usize,
    /// The number of open conditions at the start of the text.
    pub(super) conditions: usize,
    pub(super) frame: usize,
    pub(super) repetition: Option<Repetition>,
    /// Whether `.exitm` ends this text.
    pub(super) is_macro: bool,
    /// The name of the file, if it is one.
    pub(super) file: Option<String>,
}

/// A statement of a level.
pub(super) struct StatementText {
    pub(super) text: Rc<Traced>,
    /// The first word, and the rest without the `;`.
    pub(super) word: Range<usize>,
    pub(super) rest: Range<usize>,
    /// The whole statement with its `;`.
    pub(super) span: Range<usize>,
}

impl StatementText {
    pub(super) fn get(&self, span: Range<usize>) -> &str {
        self.text.text.get(span).unwrap_or_default()
    }

    pub(super) fn origin(&self) -> Origin {
        let end = self.get(self.word.start..self.rest.end).trim_end().len();
        self.text.origin(self.word.start..self.word.start + end)
    }
}

/// The expansion of a program.
pub(in crate::asm) struct Expander<'a> {
    pub(super) settings: Settings,
    pub(super) read: ReadFile<'a>,
    pub(super) out: Traced,
    pub(super) origins: Origins,
    pub(super) levels: Vec<Level>,
    pub(super) conditions: Vec<Condition>,
    pub(super) macros: BTreeMap<String, Rc<Macro>>,
    /// The number of macros that were expanded: `\@`.
    pub(super) expanded: usize,
    /// The names that are defined so far. Constants have a number if it is known.
    pub(super) names: BTreeMap<String, Option<i128>>,
    /// The constants that the program defines several times. Their uses are replaced by their values.
    pub(super) variables: BTreeSet<String>,
    pub(super) new_variables: BTreeSet<String>,
    /// The number of definitions of each local label so far.
    local: BTreeMap<String, usize>,
    /// The references to local labels that follow.
    ahead: Vec<(String, usize, Origin)>,
    /// Numbers that have no definition as a local label, although the text contains `1f` or `1b`.
    not_local: BTreeSet<String>,
    /// The directive of the current section, of the one before, and those of `.pushsection`.
    pub(super) section: (String, String),
    pub(super) sections: Vec<(String, String)>,
    /// The names of `.local`.
    pub(super) local_names: BTreeSet<String>,
    pub(super) errors: Vec<ExpansionError>,
    steps: usize,
    is_stopped: bool,
}

impl<'a> Expander<'a> {
    pub(in crate::asm) fn new(settings: Settings, read: ReadFile<'a>) -> Self {
        Expander {
            settings,
            read,
            out: Traced::default(),
            origins: Origins::default(),
            levels: Vec::new(),
            conditions: Vec::new(),
            macros: BTreeMap::new(),
            expanded: 0,
            names: BTreeMap::new(),
            variables: BTreeSet::new(),
            new_variables: BTreeSet::new(),
            local: BTreeMap::new(),
            ahead: Vec::new(),
            not_local: BTreeSet::new(),
            section: (".text".into(), ".text".into()),
            sections: Vec::new(),
            local_names: BTreeSet::new(),
            errors: Vec::new(),
            steps: 0,
            is_stopped: false,
        }
    }

    /// Expands a program. Also returns the errors in the directives of this layer.
    pub(in crate::asm) fn expand(mut self, text: &str) -> (Expanded, Vec<ExpansionError>) {
        self.run(text);
        // Only the end of the text shows which constants change their values, and which numbers are
        // labels. If there are any, the text is expanded again.
        let (variables, not_local) =
            (core::mem::take(&mut self.new_variables), self.without_definition());
        if !variables.is_empty() || !not_local.is_empty() {
            self = Expander { variables, not_local, ..Expander::new(self.settings, self.read) };
            self.run(text);
        }
        for (name, number, origin) in core::mem::take(&mut self.ahead) {
            if self.local.get(&name).is_none_or(|&count| count < number) {
                let message = format!("unknown label `{name}f`");
                self.error(origin, message, Some(format!("write `{name}:` after this statement")));
            }
        }
        let Expander { out, origins, errors, .. } = self;
        (Expanded { text: out, origins }, errors)
    }

    /// Returns the numbers of references to local labels that are never defined.
    fn without_definition(&self) -> BTreeSet<String> {
        let names = self.ahead.iter().map(|(name, ..)| name);
        names.filter(|name| !self.local.contains_key(*name)).cloned().collect()
    }

    fn run(&mut self, text: &str) {
        self.open_file("", text.to_string(), 0);
        while !self.is_stopped && self.levels.last().is_some() {
            self.step();
        }
    }

    /// Begins to expand a file.
    pub(super) fn open_file(&mut self, name: &str, text: String, frame: usize) {
        let ended = match self.settings.lines {
            Some(comment) => terminate_lines(&text, comment),
            None => text.clone(),
        };
        let file = self.origins.files.len();
        self.origins.markers.push(markers(&text));
        self.origins.files.push(Arc::new(SourceFile { name: name.to_string(), text }));
        let text = Rc::new(Traced::of_file(ended, file, frame));
        self.open(text, frame, None, Some(name.to_string()));
    }

    /// Begins to expand a text.
    pub(super) fn open(
        &mut self,
        text: Rc<Traced>,
        frame: usize,
        repetition: Option<Repetition>,
        file: Option<String>,
    ) {
        let (conditions, is_macro) = (self.conditions.len(), false);
        self.levels.push(Level { text, at: 0, conditions, frame, repetition, is_macro, file });
    }

    /// Records an expansion of a statement, and returns its index; `None` if there are too many levels.
    pub(super) fn frame(&mut self, statement: &StatementText, what: String) -> Option<usize> {
        let site = statement.origin();
        if self.levels.len() >= MOST_LEVELS {
            let message =
                format!("expansions are nested too deeply: expected at most {MOST_LEVELS}");
            self.error(site, message, None);
            self.is_stopped = true;
            return None;
        }
        self.origins.frames.push(Frame { site, what });
        Some(self.origins.frames.len())
    }

    /// Returns the number of bytes that may still be expanded at this position.
    pub(super) fn room(&self) -> usize {
        let open = self.levels.iter().map(|level| level.text.text.len()).sum();
        MOST_TEXT.saturating_sub(self.out.text.len()).saturating_sub(open)
    }

    /// Reports that the program expands to too much text, and stops.
    pub(super) fn too_long(&mut self, origin: Origin) {
        self.is_stopped = true;
        self.error(origin, format!("the program expands to more than {MOST_TEXT} bytes"), None);
    }

    pub(super) fn error(&mut self, origin: Origin, message: String, help: Option<String>) {
        self.errors.push(ExpansionError { origin, message, help });
        self.is_stopped |= self.errors.len() >= MOST_ERRORS;
    }

    /// Reports an error about a range of a statement.
    pub(super) fn error_at(&mut self, it: &StatementText, span: Range<usize>, message: &str) {
        self.error(it.text.origin(span), message.to_string(), None);
    }

    /// Reports an error about a whole statement.
    pub(super) fn error_in(&mut self, it: &StatementText, message: String) {
        self.error(it.origin(), message, None);
    }

    /// Returns whether the conditions allow statements at this position.
    fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|condition| condition.is_active)
    }

    /// Expands the next label or statement.
    fn step(&mut self) {
        let is_active = self.is_active();
        let Some(level) = self.levels.last_mut() else { return };
        let (text, from) = (Rc::clone(&level.text), level.at);
        let mut cursor = Cursor::new(&text.text).moved_to(from);
        self.steps += 1;
        let origin = text.origin(from..from);
        if self.out.text.len() > MOST_TEXT {
            return self.too_long(origin);
        }
        if self.steps > MOST_STEPS {
            self.is_stopped = true;
            let message = format!("the program expands to more than {MOST_STEPS} statements");
            return self.error(origin, message, None);
        }
        if cursor.peek().is_none() {
            // An unclosed comment remains in the text, and the assembler reports it.
            self.out.push(&text, from..text.text.len(), None);
            return self.close();
        }
        let start = cursor.position();
        if let Some(name) = label(&mut cursor) {
            level.at = cursor.position();
            if is_active {
                self.names.entry(name.to_string()).or_insert(None);
                self.out.push(&text, from..cursor.position(), None);
            }
            return;
        }
        if let Some(number) = local_label(&mut cursor) {
            level.at = cursor.position();
            if is_active {
                let count = self.local.entry(number.to_string()).or_insert(0);
                *count += 1;
                let name = format!("{}:", local_name(number, *count));
                self.out.push(&text, from..start, None);
                self.out.push_replaced(&name, &text.origin(start..cursor.position()));
            }
            return;
        }
        let mut end = cursor.clone();
        skip_statement(&mut end);
        level.at = end.position();
        cursor.whole_name();
        let word = start..cursor.position();
        let span = start..end.position();
        let rest_end =
            span.end - usize::from(text.text.as_bytes().get(span.end - 1) == Some(&b';'));
        let rest = word.end..rest_end.max(word.end);
        let it = StatementText { word, rest, span, text };
        if self.condition(&it) || !is_active {
            return;
        }
        // White space and comments before the statement, which may be a part of the next one.
        let before = from..start;
        let name = it.get(it.word.clone()).to_string();
        if let Some(found) = self.macros.get(&name).map(Rc::clone) {
            return self.call(&it, &name, &found);
        }
        if self.repetition(&it, &name)
            || self.file(&it, &name)
            || self.definition(&it, &name, before.clone())
            || self.data(&it, &name)
        {
            return;
        }
        if is_line_sign(&it) {
            return;
        }
        self.out.push(&it.text, before, None);
        self.emit(&it);
    }

    /// Ends the current level.
    pub(super) fn close(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        let open = self.conditions.drain(level.conditions.min(self.conditions.len())..);
        let unclosed: Vec<Origin> = open.map(|condition| condition.origin).collect();
        for origin in unclosed {
            self.error(origin, "expected `.endif` after this condition".to_string(), None);
        }
        if let Some(repetition) = level.repetition {
            self.repeat(repetition, level.frame);
        }
    }

    /// Appends a statement, with other names for local labels and with the values of variables.
    pub(super) fn emit(&mut self, it: &StatementText) {
        self.emit_part(it, it.span.clone(), it.word.end);
    }

    /// Appends a part of a statement. Names and numbers before `first` are not replaced.
    pub(super) fn emit_part(&mut self, it: &StatementText, span: Range<usize>, first: usize) {
        let bytes = it.text.text.as_bytes();
        let (mut at, mut done) = (first.max(span.start), span.start);
        while at < span.end {
            let rest = bytes.get(at..span.end).unwrap_or_default();
            let length = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
            if length == 0 {
                at += quoted_len(rest).max(character_len(bytes, at)).max(1);
                continue;
            }
            let word = it.get(at..at + length);
            if let Some(new) = self.replacement(it, word, at..at + length) {
                self.out.push(&it.text, done..at, None);
                let origin = it.text.origin(at..at + length);
                self.out.push_replaced(&new, &origin);
                done = at + length;
            }
            at += length;
        }
        self.out.push(&it.text, done..span.end, None);
    }

    /// Returns the text for a word of a statement, if it is a reference to a local label or a variable.
    fn replacement(
        &mut self,
        it: &StatementText,
        word: &str,
        span: Range<usize>,
    ) -> Option<String> {
        if self.variables.contains(word) {
            let number = self.names.get(word).copied().flatten()?;
            let before = it.get(it.span.start..span.start).trim_end().as_bytes().last();
            let is_operand = before.is_some_and(|byte| b"+-*/%&|^!<>=~".contains(byte));
            return Some(match number < 0 && is_operand {
                true => format!("({number})"),
                false => number.to_string(),
            });
        }
        let number = word.strip_suffix('f').or_else(|| word.strip_suffix('b'))?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = without_zeros(number);
        let count = self.local.get(number).copied().unwrap_or_default();
        if word.ends_with('b') {
            // Without a definition, the text belongs to the syntax of the set.
            return (count > 0).then(|| local_name(number, count));
        }
        if self.not_local.contains(number) {
            return None;
        }
        self.ahead.push((number.to_string(), count + 1, it.text.origin(span)));
        Some(local_name(number, count + 1))
    }

    /// Appends statements that replace a statement.
    pub(super) fn emit_text(&mut self, it: &StatementText, text: &str) {
        self.out.push_replaced(text, &it.origin());
    }

    /// Includes a file if the statement names one.
    fn file(&mut self, it: &StatementText, name: &str) -> bool {
        let is_binary = match name {
            ".include" => false,
            ".incbin" => true,
            _ => return false,
        };
        let rest = it.get(it.rest.clone());
        let start = it.rest.start + (rest.len() - rest.trim_start().len());
        let length = quoted_len(rest.trim_start().as_bytes());
        let Some(path) = it.get(start..start + length).get(1..length.saturating_sub(1)) else {
            self.error_in(it, format!("expected the name of a file in quotes after `{name}`"));
            return true;
        };
        let span = start..start + length;
        let path = path.to_string();
        if !is_binary && self.levels.iter().any(|level| level.file.as_ref() == Some(&path)) {
            self.error_at(it, span, &format!("the file `{path}` includes itself"));
            return true;
        }
        let bytes = match (self.read)(&path) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.error_at(it, span, &format!("cannot read `{path}`: {reason}"));
                return true;
            }
        };
        if is_binary {
            self.binary(it, &bytes, start + length);
            return true;
        }
        let Ok(text) = String::from_utf8(bytes) else {
            self.error_at(it, span, &format!("`{path}` is not UTF-8 text"));
            return true;
        };
        if let Some(frame) = self.frame(it, format!("in the file `{path}`, which is included")) {
            self.open_file(&path, text, frame);
        }
        true
    }
}

/// Returns the name of a definition of a local label. It begins with `.L`, so it is not a symbol of an
/// object unless a relocation needs it.
fn local_name(number: &str, count: usize) -> String {
    format!(".L{number}${count}")
}

/// Returns a decimal number without zeros at its start.
fn without_zeros(number: &str) -> &str {
    let rest = number.trim_start_matches('0');
    if rest.is_empty() { "0" } else { rest }
}

/// Moves the cursor past a local label and its `:`, if there is one, and returns its number.
pub(super) fn local_label<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    let mut ahead = cursor.clone();
    let word = ahead.word();
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !ahead.eat(b':') {
        return None;
    }
    *cursor = ahead;
    Some(without_zeros(word))
}

/// Returns whether a statement is a line marker or a comment of a compiler, `# 12 "a.c"` or `#APP`.
fn is_line_sign(it: &StatementText) -> bool {
    let Some(behind) = it.get(it.span.clone()).strip_prefix('#') else { return false };
    let is_number = |byte: &u8| byte.is_ascii_digit();
    let marker = behind.trim_start_matches([' ', '\t']);
    let is_marker = marker.len() < behind.len() && marker.as_bytes().first().is_some_and(is_number);
    is_marker || behind.starts_with("APP") || behind.starts_with("NO_APP")
}

/// Returns the line markers of a text, `# 12 "a.c"`: the position after each, the number of the line
/// there, and the name of the file.
fn markers(text: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let Some(rest) = line.strip_prefix('#') else { continue };
        let rest = rest.trim_start_matches("line").trim_start();
        let (number, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let name = name.trim_start().strip_prefix('"').and_then(|name| name.split_once('"'));
        if let (Ok(number), Some((name, _))) = (number.parse(), name) {
            found.push((at, number, name.to_string()));
        }
    }
    found
}
