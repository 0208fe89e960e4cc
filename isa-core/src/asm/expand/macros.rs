//! Macros and repetitions: `.macro`, `.rept`, `.irp` and `.irpc`.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

use super::arguments::{split, trimmed, unquoted};
use super::blocks::{Macro, Parameter, Repetition};
use super::expander::{Expander, StatementText, local_label};
use super::trace::Traced;
use crate::asm::line_mode::label;
use crate::parse::skip_statement;
use crate::text::{Cursor, beginnings, begins_name, is_name};

impl Expander<'_> {
    /// Expands a statement if it defines a macro, repeats statements, or ends one of these.
    pub(super) fn repetition(&mut self, it: &StatementText, name: &str) -> bool {
        const MACRO: [&[&str]; 2] = [&[".macro"], &[".endm", ".endmacro"]];
        const REPEAT: [&[&str]; 2] = [&[".rept", ".rep", ".irp", ".irpc", ".irep"], &[".endr"]];
        match name {
            ".macro" => {
                if let Some(body) = self.block(it, MACRO) {
                    self.define(it, body);
                }
            }
            ".rept" | ".rep" => {
                if let Some(body) = self.block(it, REPEAT)
                    && let Some(count) = self.number(it, it.rest.clone())
                    && let Some(frame) = self.frame(it, format!("in the repetition by `{name}`"))
                {
                    let mut text = Traced::default();
                    text.push(&it.text, body, Some(frame));
                    let left = u64::try_from(count).unwrap_or_default();
                    self.repeat(Repetition { body: Rc::new(text), values: None, left }, frame);
                }
            }
            ".irp" | ".irpc" => {
                if let Some(body) = self.block(it, REPEAT)
                    && let Some(frame) = self.frame(it, format!("in the repetition by `{name}`"))
                {
                    self.repeat_values(it, body, frame, name == ".irpc");
                }
            }
            ".exitm" => match self.levels.iter().rposition(|level| level.is_macro) {
                Some(at) => {
                    let open = self.levels.get(at).map_or(0, |level| level.conditions);
                    self.conditions.truncate(open);
                    self.levels.truncate(at);
                }
                None => self.error_in(it, "`.exitm` is valid only in a macro".to_string()),
            },
            ".purgem" => {
                let name = it.get(it.rest.clone()).trim();
                if self.macros.remove(name).is_none() {
                    self.error_in(it, format!("unknown macro `{name}`"));
                }
            }
            ".endm" | ".endmacro" | ".endr" => {
                self.error_in(it, format!("`{name}` without a directive that it ends"));
            }
            _ => return false,
        }
        true
    }

    /// Returns the range of the statements up to the directive that ends a block, and moves the current
    /// text past it.
    fn block(
        &mut self,
        it: &StatementText,
        [opening, closing]: [&[&str]; 2],
    ) -> Option<Range<usize>> {
        let text = &it.text.text;
        let mut cursor = Cursor::new(text).moved_to(it.span.end);
        let mut depth = 1_usize;
        while cursor.peek().is_some() {
            while label(&mut cursor).is_some() || local_label(&mut cursor).is_some() {}
            cursor.skip_trivia();
            let start = cursor.position();
            let word = cursor.clone().whole_name();
            skip_statement(&mut cursor);
            depth += usize::from(opening.contains(&word));
            depth -= usize::from(closing.contains(&word));
            if depth == 0 {
                self.move_to(cursor.position());
                return Some(it.span.end..start);
            }
        }
        self.move_to(text.len());
        let (name, end) = (it.get(it.word.clone()), closing.first().unwrap_or(&""));
        self.error_in(it, format!("expected `{end}` after the statements of `{name}`"));
        None
    }

    fn move_to(&mut self, at: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.at = at;
        }
    }

    /// Defines a macro.
    fn define(&mut self, it: &StatementText, body: Range<usize>) {
        let text = &it.text.text;
        let rest = trimmed(text, it.rest.clone());
        let part = it.get(rest.clone());
        let length = part.bytes().position(|byte| !is_name(byte)).unwrap_or(part.len());
        let name = part.get(..length).unwrap_or_default().to_string();
        if !begins_name(name.as_bytes()) {
            return self.error_in(it, "expected the name of a macro after `.macro`".to_string());
        }
        let mut from = trimmed(text, rest.start + length..rest.end);
        if it.get(from.clone()).starts_with(',') {
            from.start += 1;
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        for span in split(text, from, true) {
            let part = it.get(span.clone());
            let (head, default) = match part.find('=') {
                Some(at) => (part.get(..at).unwrap_or_default(), Some(span.start + at + 1)),
                None => (part, None),
            };
            let (name, kind) = head.split_once(':').unwrap_or((head, ""));
            let (name, kind) = (name.trim(), kind.trim());
            let is_known = matches!(kind, "" | "req" | "vararg");
            if name.is_empty() || !name.bytes().all(is_name) || !is_known {
                return self.error_at(
                    it,
                    span,
                    "expected a parameter: a name, with `:req`, `:vararg` or a default after `=`",
                );
            }
            let default = default.map(|start| self.argument(it, start..span.end));
            parameters.push(Parameter {
                name: name.to_string(),
                default: default.unwrap_or_default(),
                is_required: kind == "req",
                is_rest: kind == "vararg",
            });
        }
        let body = it.text.part(body);
        self.macros.insert(name, Rc::new(Macro { parameters, body }));
    }

    /// Returns the text of an argument without quotes.
    fn argument(&self, it: &StatementText, span: Range<usize>) -> Traced {
        let span = trimmed(&it.text.text, span);
        let part = it.get(span.clone());
        let inner = usize::from(unquoted(part).len() != part.len());
        it.text.part(span.start + inner..span.end - inner)
    }

    /// Expands a call of a macro.
    pub(super) fn call(&mut self, it: &StatementText, name: &str, called: &Macro) {
        let text = &it.text.text;
        let parameters = &called.parameters;
        let mut values: Vec<Option<Traced>> = parameters.iter().map(|_| None).collect();
        let mut next = 0;
        let arguments = split(text, it.rest.clone(), true);
        for span in &arguments {
            let part = it.get(span.clone());
            let named = part.split_once('=').and_then(|(name, _)| {
                let place = parameters.iter().position(|it| it.name == name.trim())?;
                Some((place, span.start + name.len() + 1))
            });
            let (place, start) = named.unwrap_or((next, span.start));
            let Some(parameter) = parameters.get(place) else {
                let count = parameters.len();
                let message =
                    format!("macro `{name}` has {count} parameters, found another argument");
                return self.error_at(it, span.clone(), &message);
            };
            let is_rest = parameter.is_rest && named.is_none();
            let end = if is_rest { arguments.last().unwrap_or(span).end } else { span.end };
            if let Some(value) = values.get_mut(place) {
                *value = Some(match is_rest {
                    true => it.text.part(start..end),
                    false => self.argument(it, start..end),
                });
            }
            next = place + 1;
            if is_rest {
                break;
            }
        }
        let mut actual = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            let value = value.filter(|value| !value.text.is_empty());
            if value.is_none() && parameter.is_required {
                let message =
                    format!("expected a value for `{}` of macro `{name}`", parameter.name);
                return self.error_in(it, message);
            }
            actual.push((
                parameter.name.as_str(),
                value.unwrap_or_else(|| parameter.default.clone()),
            ));
        }
        let Some(frame) = self.frame(it, format!("in the expansion of macro `{name}`")) else {
            return;
        };
        let count = self.expanded;
        self.expanded += 1;
        let Some(text) = substituted(&called.body, &actual, Some(count), (frame, self.room()))
        else {
            return self.too_long(it.origin());
        };
        self.open(Rc::new(text), frame, None, None);
        if let Some(level) = self.levels.last_mut() {
            level.is_macro = true;
        }
    }

    /// Begins the next iteration of a repetition, if there is one.
    pub(super) fn repeat(&mut self, mut repetition: Repetition, frame: usize) {
        let Some(left) = repetition.left.checked_sub(1) else { return };
        repetition.left = left;
        let text = match &mut repetition.values {
            None => Rc::clone(&repetition.body),
            Some((name, values)) => {
                let Some(value) = values.pop() else { return };
                let room = (frame, self.room());
                match substituted(&repetition.body, &[(name, value)], None, room) {
                    Some(text) => Rc::new(text),
                    None => return self.too_long(repetition.body.origin(0..0)),
                }
            }
        };
        self.open(text, frame, Some(repetition), None);
    }

    fn repeat_values(
        &mut self,
        it: &StatementText,
        body: Range<usize>,
        frame: usize,
        by_letters: bool,
    ) {
        let text = &it.text.text;
        let rest = trimmed(text, it.rest.clone());
        let part = it.get(rest.clone());
        let length = part.bytes().position(|byte| !is_name(byte)).unwrap_or(part.len());
        let name = part.get(..length).unwrap_or_default().to_string();
        if name.is_empty() {
            return self.error_in(it, "expected a name and values for it".to_string());
        }
        let mut from = trimmed(text, rest.start + length..rest.end);
        if it.get(from.clone()).starts_with(',') {
            from = trimmed(text, from.start + 1..from.end);
        }
        let mut values: Vec<Traced> = match by_letters {
            true => {
                let letters = self.argument(it, from);
                let places = letters.text.char_indices();
                places.map(|(at, letter)| letters.part(at..at + letter.len_utf8())).collect()
            }
            false => {
                split(text, from, true).into_iter().map(|it_| self.argument(it, it_)).collect()
            }
        };
        // Without values, the statements are assembled once.
        if values.is_empty() {
            values.push(Traced::default());
        }
        values.reverse();
        let left = values.len() as u64;
        let body = Rc::new(it.text.part(body));
        self.repeat(Repetition { body, values: Some((name, values)), left }, frame);
    }
}

/// Returns a body in which `\name` is replaced by the value of the name, `\@` by the number of macros
/// that were expanded before, and `\()` by nothing. `None` means that the result is longer than `room`.
fn substituted(
    body: &Traced,
    values: &[(&str, Traced)],
    count: Option<usize>,
    (frame, room): (usize, usize),
) -> Option<Traced> {
    let mut text = Traced::default();
    let (mut at, mut done) = (0, 0);
    while let Some(found) = body.text.get(at..).and_then(|rest| rest.find('\\')) {
        let sign = at + found;
        let behind = body.text.get(sign + 1..).unwrap_or_default();
        let word = behind.bytes().position(|byte| !is_name(byte)).unwrap_or(behind.len());
        let word = behind.get(..word).unwrap_or_default();
        let value = beginnings(word).find_map(|word| values.iter().find(|(name, _)| *name == word));
        let length = match (value, count) {
            (Some((name, _)), _) => name.len(),
            (None, Some(_)) if behind.starts_with('@') => 1,
            (None, _) if behind.starts_with("()") => 2,
            _ => {
                // The character after the sign may be another sign, as in `"\\"`.
                at = sign + 1 + usize::from(behind.starts_with('\\'));
                continue;
            }
        };
        if text.text.len() > room {
            return None;
        }
        text.push(body, done..sign, Some(frame));
        at = sign + 1 + length;
        done = at;
        match (value, count) {
            (Some((_, value)), _) => text.push(value, 0..value.text.len(), Some(frame)),
            (None, Some(count)) if length == 1 => {
                let mut origin = body.origin(sign..at);
                origin.frame = frame;
                text.push_replaced(&count.to_string(), &origin);
            }
            _ => {}
        }
    }
    text.push(body, done..body.text.len(), Some(frame));
    (text.text.len() <= room).then_some(text)
}
