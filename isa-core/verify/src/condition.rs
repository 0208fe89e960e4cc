//! Evaluates the conditions of exceptions from their source text.
//!
//! `define_isa!` converts a condition to masked patterns. This module evaluates the text of the
//! specification instead, so that both can be compared.

use std::ops::RangeInclusive;

use isa_core::table::{Exception, Field, FunctionResult, Opcode};
use isa_core::text::Cursor;

use crate::field_values::with_value;

/// A condition on the fields of one opcode.
#[derive(Debug)]
pub enum FieldCondition {
    /// All conditions are true.
    And(Vec<FieldCondition>),
    /// At least one condition is true.
    Or(Vec<FieldCondition>),
    /// The condition is false.
    Not(Box<FieldCondition>),
    /// The value of a field, as an index into [`Opcode::fields`], is in one of these ranges.
    Is(usize, Vec<RangeInclusive<u64>>),
    /// The comparison of two sums is true.
    Compare(FieldSum, String, FieldSum),
    /// A function of fields returns true. The first element contains the fields, as indexes into
    /// [`Opcode::fields`], with their widths. The second element contains the results: one bit for each
    /// combination of values, at the index that has the first field in its lowest bits.
    Call(Vec<(usize, u32)>, &'static [u8]),
    /// The patterns in the tables of the set, which are used because this module cannot parse the text.
    /// Contains all fields of the opcode.
    Table(&'static Exception, &'static [&'static Field]),
}

/// The sum of a number and an optional field, which is an index into [`Opcode::fields`].
#[derive(Debug)]
pub struct FieldSum(Option<usize>, i128);

impl FieldCondition {
    /// Returns the condition of an exception. The results of Rust functions come from the table
    /// that rustc computed. If the text cannot be parsed, the patterns of the tables are used.
    #[must_use]
    pub fn of(exception: &'static Exception, opcode: &'static Opcode) -> Self {
        FieldCondition::parse(exception, opcode)
            .unwrap_or(FieldCondition::Table(exception, opcode.fields))
    }

    /// Parses a condition such as `(hfmt_v2 == BF16_V2) and (ftz == FTZ or sat == SAT)`. Returns
    /// `None` if the text is not a condition on the fields of `opcode`.
    #[must_use]
    pub fn parse(exception: &'static Exception, opcode: &'static Opcode) -> Option<Self> {
        let calls = exception.cases.iter().flat_map(|case| case.when).collect();
        let mut parser = ConditionParser { tokens: tokens(exception.condition), calls, opcode };
        let condition = parser.either()?;
        parser.tokens.is_empty().then_some(condition)
    }

    /// Returns whether the condition is true for the field values that `get` returns.
    pub fn holds(&self, get: &impl Fn(usize) -> u64) -> bool {
        match self {
            FieldCondition::And(all) => all.iter().all(|one| one.holds(get)),
            FieldCondition::Or(any) => any.iter().any(|one| one.holds(get)),
            FieldCondition::Not(inner) => !inner.holds(get),
            FieldCondition::Is(field, values) => {
                values.iter().any(|all| all.contains(&get(*field)))
            }
            FieldCondition::Call(fields, values) => {
                let mut fields = fields.iter().rev();
                let number = fields.try_fold(0, |number: usize, (field, width)| {
                    Some(number << width | usize::try_from(get(*field)).ok()?)
                });
                let byte = number.and_then(|number| Some((values.get(number / 8)?, number % 8)));
                byte.is_some_and(|(byte, bit)| byte >> bit & 1 == 1)
            }
            FieldCondition::Table(exception, fields) => {
                let fields = fields.iter().enumerate();
                exception
                    .excludes(fields.fold(0, |word, (i, field)| with_value(field, word, get(i))))
            }
            FieldCondition::Compare(left, sign, right) => {
                let sum = |FieldSum(field, number): &FieldSum| {
                    number + field.map_or(0, |field| i128::from(get(field)))
                };
                let order = sum(left).cmp(&sum(right));
                match sign.as_str() {
                    "==" => order.is_eq(),
                    "!=" => order.is_ne(),
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    ">" => order.is_gt(),
                    _ => order.is_ge(),
                }
            }
        }
    }

    /// Returns the fields that the condition uses, in ascending order.
    #[must_use]
    pub fn fields(&self) -> Vec<usize> {
        let mut fields = match self {
            FieldCondition::And(parts) | FieldCondition::Or(parts) => {
                parts.iter().flat_map(FieldCondition::fields).collect()
            }
            FieldCondition::Not(inner) => inner.fields(),
            FieldCondition::Is(field, _) => vec![*field],
            FieldCondition::Call(fields, _) => fields.iter().map(|(field, _)| *field).collect(),
            FieldCondition::Compare(left, _, right) => left.0.into_iter().chain(right.0).collect(),
            FieldCondition::Table(_, fields) => (0..fields.len()).collect(),
        };
        fields.sort_unstable();
        fields.dedup();
        fields
    }
}

/// Returns the words, comparison operators and brackets of a text in reverse order.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || "_.:".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            let marks = ["==", "!=", "<=", ">="].into_iter();
            marks
                .filter(|mark| rest.starts_with(mark))
                .map(str::len)
                .max()
                .unwrap_or(first.len_utf8())
        };
        let (token, tail) = rest.split_at(len);
        tokens.push(token);
        rest = tail.trim_start();
    }
    tokens.reverse();
    tokens
}

struct ConditionParser<'t> {
    tokens: Vec<&'t str>,
    /// The functions of the condition.
    calls: Vec<&'static FunctionResult>,
    opcode: &'static Opcode,
}

impl<'t> ConditionParser<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.tokens.pop()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.last() == Some(&token);
        if found {
            self.tokens.pop();
        }
        found
    }

    fn either(&mut self) -> Option<FieldCondition> {
        let mut parts = vec![self.both()?];
        while self.eat("or") {
            parts.push(self.both()?);
        }
        Some(FieldCondition::Or(parts))
    }

    fn both(&mut self) -> Option<FieldCondition> {
        let mut parts = vec![self.single()?];
        while self.eat("and") {
            parts.push(self.single()?);
        }
        Some(FieldCondition::And(parts))
    }

    fn single(&mut self) -> Option<FieldCondition> {
        if self.eat("not") {
            return Some(FieldCondition::Not(Box::new(self.single()?)));
        }
        if self.eat("(") {
            let inner = self.either();
            return inner.filter(|_| self.eat(")"));
        }
        if self.tokens.iter().rev().nth(1) == Some(&"(") {
            return self.call();
        }
        self.comparison()
    }

    /// Parses a call such as `crate::is_even(a, b)`.
    fn call(&mut self) -> Option<FieldCondition> {
        let mut call = format!("{}(", self.next()?);
        self.next()?;
        let mut fields = Vec::new();
        while !self.eat(")") {
            let name = self.next()?;
            let index = self.field(name)?;
            fields.push((index, self.opcode.fields[index].width()));
            call += name;
            if self.eat(",") {
                call += ", ";
            }
        }
        call.push(')');
        let known = self.calls.iter().find(|known| known.text == call)?;
        Some(FieldCondition::Call(fields, known.map.values()))
    }

    fn comparison(&mut self) -> Option<FieldCondition> {
        let left = self.sum()?;
        let sign = self.next()?;
        if let (Some(index), "in") = (left.0, sign) {
            return Some(FieldCondition::Is(index, self.list(self.opcode.fields[index])?));
        }
        if !["==", "!=", "<", "<=", ">", ">="].contains(&sign) {
            return None;
        }
        let last = self.tokens.len().checked_sub(1);
        let is_value = last.is_none_or(|last| {
            let is_sum = last > 0 && ["+", "-"].contains(&self.tokens[last - 1]);
            let names = left.0.into_iter().flat_map(|index| self.opcode.fields[index].kind.values);
            let is_name = names.into_iter().any(|value| value.name == self.tokens[last]);
            is_name || !is_sum && self.field(self.tokens[last]).is_none()
        });
        if let (Some(index), true) = (left.0, is_value && ["==", "!="].contains(&sign)) {
            let raw = value(self.opcode.fields[index], self.next()?)?;
            return Some(FieldCondition::Compare(
                left,
                sign.to_owned(),
                FieldSum(None, raw.into()),
            ));
        }
        Some(FieldCondition::Compare(left, sign.to_owned(), self.sum()?))
    }

    fn field(&self, name: &str) -> Option<usize> {
        self.opcode.fields.iter().position(|field| field.name == name)
    }

    /// Parses a sum such as `field`, `3` or `field + 1`.
    fn sum(&mut self) -> Option<FieldSum> {
        let mut sum = FieldSum(None, 0);
        let mut minus = false;
        loop {
            let token = self.next()?;
            match token.parse::<u64>() {
                Ok(number) if minus => sum.1 -= i128::from(number),
                Ok(number) => sum.1 += i128::from(number),
                Err(_) => sum.0 = Some(self.field(token)?),
            }
            minus = self.eat("-");
            if !minus && !self.eat("+") {
                return Some(sum);
            }
        }
    }

    fn list(&mut self, field: &Field) -> Option<Vec<RangeInclusive<u64>>> {
        if !self.eat("{") {
            return None;
        }
        let mut values = Vec::new();
        while !self.eat("}") {
            // In `4..=7`, `4..` is a single token, because names may contain a dot.
            let first = self.next()?;
            let Some(start) = first.strip_suffix("..") else {
                let raw = value(field, first)?;
                values.push(raw..=raw);
                self.eat(",");
                continue;
            };
            if !self.eat("=") {
                return None;
            }
            values.push(value(field, start)?..=value(field, self.next()?)?);
            self.eat(",");
        }
        Some(values)
    }
}

/// Parses a value: its name, its assembly text or its number.
fn value(field: &Field, text: &str) -> Option<u64> {
    if let Some(value) = field.kind.values.iter().find(|value| value.name == text) {
        return Some(value.raw);
    }
    let read = field.kind.text.map(|kind| (kind.read)(&mut Cursor::new(text), &[]));
    match read {
        Some(Ok(raw)) => Some(raw),
        _ => text.parse().ok(),
    }
}
