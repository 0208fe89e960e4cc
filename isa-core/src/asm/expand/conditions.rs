//! Conditions: `.if`, `.ifdef`, `.else` and others.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::arguments::{split, unquoted};
use super::blocks::Condition;
use super::expander::{Expander, StatementText};
use crate::asm::expression;
use crate::text::{Cause, Cursor, InstructionContext, Labels};

/// The names that are defined so far, for conditions.
struct KnownNames<'n>(&'n BTreeMap<String, Option<i128>>);

impl Labels for KnownNames<'_> {
    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }

    fn constant(&self, name: &str) -> Option<i128> {
        self.0.get(name).copied().flatten()
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

impl Expander<'_> {
    /// Expands a statement if it belongs to a condition.
    pub(super) fn condition(&mut self, it: &StatementText) -> bool {
        let name = it.get(it.word.clone()).to_string();
        match name.as_str() {
            ".else" => self.otherwise(it, None),
            ".elseif" => self.otherwise(it, Some(".if")),
            ".endif" => match self.innermost() {
                true => _ = self.conditions.pop(),
                false => self.error_in(it, "`.endif` without `.if`".to_string()),
            },
            _ if name.starts_with(".if") => {
                let is_outer = self.conditions.last().is_none_or(|condition| condition.is_active);
                let is_active = is_outer && self.is_met(it, &name);
                let (is_done, origin) = (is_active || !is_outer, it.origin());
                self.conditions.push(Condition { is_active, is_done, has_else: false, origin });
            }
            _ => return false,
        }
        true
    }

    /// Returns whether the current text has an open condition.
    fn innermost(&self) -> bool {
        let before = self.levels.last().map_or(0, |level| level.conditions);
        self.conditions.len() > before
    }

    /// Begins another branch of the innermost condition.
    fn otherwise(&mut self, it: &StatementText, condition: Option<&str>) {
        if !self.innermost() {
            let name = it.get(it.word.clone());
            return self.error_in(it, format!("`{name}` without `.if`"));
        }
        let Some(last) = self.conditions.last() else { return };
        let (is_done, has_else) = (last.is_done, last.has_else);
        if has_else {
            return self.error_in(it, "this condition already has an `.else`".to_string());
        }
        let is_active = !is_done && condition.is_none_or(|name| self.is_met(it, name));
        if let Some(last) = self.conditions.last_mut() {
            last.is_active = is_active;
            last.is_done |= is_active;
            last.has_else = condition.is_none();
        }
    }

    /// Returns whether a condition is met. Errors in it are reported.
    fn is_met(&mut self, it: &StatementText, name: &str) -> bool {
        let rest = it.get(it.rest.clone()).trim().to_string();
        let sign = |this: &mut Self| this.number(it, it.rest.clone()).unwrap_or_default().signum();
        match name {
            ".if" | ".ifne" => sign(self) != 0,
            ".ifeq" => sign(self) == 0,
            ".ifgt" => sign(self) > 0,
            ".ifge" => sign(self) >= 0,
            ".iflt" => sign(self) < 0,
            ".ifle" => sign(self) <= 0,
            ".ifdef" => self.names.contains_key(&rest),
            ".ifndef" | ".ifnotdef" => !self.names.contains_key(&rest),
            ".ifb" => rest.is_empty(),
            ".ifnb" => !rest.is_empty(),
            ".ifc" | ".ifnc" | ".ifeqs" | ".ifnes" => {
                let parts = split(&it.text.text, it.rest.clone(), false);
                let parts: Vec<&str> = parts.into_iter().map(|it_| it.get(it_)).collect();
                let [first, second] = parts[..] else {
                    self.error_in(
                        it,
                        format!("expected two texts with `,` between them after `{name}`"),
                    );
                    return false;
                };
                (unquoted(first) == unquoted(second)) != matches!(name, ".ifnc" | ".ifnes")
            }
            _ => {
                self.error_in(it, format!("unknown condition `{name}`"));
                false
            }
        }
    }

    /// Computes an expression, which must be a number and fill a range of a statement. Errors are
    /// reported.
    pub(super) fn number(&mut self, it: &StatementText, span: Range<usize>) -> Option<i128> {
        match self.computed(it, span) {
            Ok(number) => Some(number),
            Err((span, message)) => {
                self.error_at(it, span, &message);
                None
            }
        }
    }

    /// Computes an expression like [`Expander::number`], and returns the error.
    pub(super) fn computed(
        &self,
        it: &StatementText,
        span: Range<usize>,
    ) -> Result<i128, (Range<usize>, String)> {
        let labels = KnownNames(&self.names);
        let site = InstructionContext::new(0, &labels);
        let text = it.get(0..span.end);
        let mut cursor = Cursor::in_context(text, &site).moved_to(span.start);
        cursor.set_takes_dots(true);
        let number = expression::number(&mut cursor).map_err(|fault| {
            let name = text.get(fault.span.clone()).unwrap_or_default();
            let message = match fault.cause {
                Cause::UnknownConstant if self.names.contains_key(name) => format!(
                    "the address of `{name}` is not known yet: expected constants that are defined before \
                     this statement"
                ),
                Cause::UnknownConstant => format!("unknown constant `{name}`"),
                _ => fault.message.to_string(),
            };
            (fault.span, message)
        })?;
        match cursor.peek() {
            None => Ok(number),
            Some(_) => {
                let at = cursor.position();
                Err((at..span.end, "expected an operator or the end of the statement".to_string()))
            }
        }
    }
}
