//! Definitions of constants: `.set name, value` and `name = value`.

use alloc::string::ToString;
use core::ops::Range;

use super::arguments::trimmed;
use super::expander::{Expander, StatementText};
use crate::text::{Cursor, begins_name};

/// A definition: the name, and its value.
struct Assignment {
    name: Range<usize>,
    value: Range<usize>,
    /// Whether another definition of the name is an error.
    is_final: bool,
}

impl Expander<'_> {
    /// Expands a statement if it defines a constant or sets the address.
    pub(super) fn definition(
        &mut self,
        it: &StatementText,
        name: &str,
        before: Range<usize>,
    ) -> bool {
        let found = match name {
            ".set" | ".equ" => self.listed(it, false),
            ".equiv" | ".eqv" => self.listed(it, true),
            _ => self.assigned(it),
        };
        let Some(Assignment { name: span, value, is_final }) = found else { return false };
        let name = it.get(span.clone()).to_string();
        let is_place = matches!(name.as_str(), "." | "*");
        let number = self.computed(it, value.clone()).ok();
        if !is_place && !is_final {
            // A name may change its value only if all its values are numbers.
            let is_again = self.names.get(&name).is_some_and(Option::is_some);
            if is_again && number.is_some() {
                self.new_variables.insert(name.clone());
            }
            if self.variables.contains(&name) && number.is_some() {
                self.names.insert(name, number);
                return true;
            }
        }
        self.out.push(&it.text, before, None);
        if is_place {
            self.emit_text(it, ".org ");
        } else {
            self.names.insert(name, number);
            self.emit_text(it, ".set ");
            self.out.push(&it.text, span, None);
            self.emit_text(it, ", ");
        }
        self.emit_part(it, value.clone(), value.start);
        self.emit_text(it, ";");
        true
    }

    /// Returns the parts of `.set name, value`. If the statement has another form, the assembler reports
    /// it.
    fn listed(&self, it: &StatementText, is_final: bool) -> Option<Assignment> {
        let mut cursor = Cursor::new(it.get(0..it.rest.end)).moved_to(it.rest.start);
        cursor.skip_trivia();
        let start = cursor.position();
        let name = start..start + cursor.whole_name().len();
        if name.is_empty() || !cursor.eat(b',') {
            return None;
        }
        let value = trimmed(&it.text.text, cursor.position()..it.rest.end);
        Some(Assignment { name, value, is_final })
    }

    /// Returns the parts of `name = value` or `name == value`, unless the set has an instruction that
    /// matches the text up to the `=`.
    fn assigned(&self, it: &StatementText) -> Option<Assignment> {
        let mut cursor = Cursor::new(it.get(0..it.rest.end)).moved_to(it.span.start);
        let name = match cursor.eat(b'*') {
            true => it.span.start..it.span.start + 1,
            false => it.word.clone(),
        };
        cursor.seek(name.end);
        let is_name = begins_name(it.get(name.clone()).as_bytes()) || it.get(name.clone()) == "*";
        let sign = cursor.peek().map(|_| cursor.position());
        if !is_name || name.is_empty() || !cursor.eat(b'=') {
            return None;
        }
        let is_final = cursor.rest().first() == Some(&b'=');
        if is_final {
            cursor.eat(b'=');
        }
        let value = trimmed(&it.text.text, cursor.position()..it.rest.end);
        let mut parser = Cursor::new(it.get(0..it.span.end)).moved_to(it.span.start);
        let is_instruction = !matches!(it.get(name.clone()), "." | "*")
            && match self.settings.set.parse_next(&mut parser) {
                Ok(_) => true,
                Err(error) => error.reach as usize > sign.unwrap_or_default(),
            };
        (!is_instruction).then_some(Assignment { name, value, is_final })
    }
}
