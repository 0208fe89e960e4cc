//! Constants, which are numbers with names: `.equ SIZE, 64;`, also written `.set`.
//!
//! The value of a constant is a sum of numbers and other names. Without labels the value is a
//! number. With one label it is an address, and the name becomes another label. The difference of
//! two labels, `end - start`, is a number again.
//!
//! An instruction is first parsed without replacing constants. If this fails, constants are replaced by
//! their numbers, one after the other at the positions of the errors. Therefore programs without
//! constants are parsed at full speed, and every operand type that accepts a number also accepts a
//! constant. If a constant has the same name as a register, the register takes precedence.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::LabelMap;
use crate::asm::error::AssembleErrorKind;
use crate::error::{ParseError, ParseErrorKind};
use crate::parse::Parsed;
use crate::table::InstructionSet;
use crate::text::{
    Cause, Cursor, InstructionContext, Labels, Line, OVER_64_BITS, OperandError, begins_name,
};

/// The range of constants: the numbers that fit in eight bytes.
const RANGE: core::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;

/// The definition of a constant.
#[derive(Debug, Clone)]
pub(super) struct Definition<'t> {
    pub(super) name: &'t str,
    /// The position of the name.
    pub(super) start: usize,
    /// The terms of the sum. The first element is true if the term is subtracted.
    terms: Vec<(bool, Term<'t>)>,
}

#[derive(Debug, Clone, Copy)]
enum Term<'t> {
    Number(u64),
    /// A label, a constant, or `.`.
    Name(&'t str),
}

/// The value of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Value {
    number: i128,
    /// The number of labels that are added, minus the number of labels that are subtracted.
    labels: i64,
    /// The section of the labels; [`MIXED`] if they are in several.
    section: u32,
}

/// The section of a value whose labels are in several sections. Only the linker knows the distances
/// between sections.
const MIXED: u32 = u32::MAX;

/// The reason why a name has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConstantError<'t> {
    /// Its value depends on itself. The names form the cycle.
    Circle(Vec<&'t str>),
    /// It is the sum of several addresses, or an address is subtracted.
    Addresses,
    /// It contains addresses of several sections of an object.
    Sections,
    /// It does not fit in eight bytes.
    Range,
    /// Another error reports the reason.
    Follows,
}

/// Parses the name and the value after the directive. If the cursor is in a program, unknown names
/// in the value are errors.
pub(super) fn read<'t>(cursor: &mut Cursor<'t>) -> Result<Definition<'t>, ParseError> {
    definition(cursor).map_err(|fault| ParseError::fault(cursor, fault))
}

fn definition<'t>(cursor: &mut Cursor<'t>) -> Result<Definition<'t>, OperandError> {
    let name = name(cursor).ok_or_else(|| {
        let start = cursor.position();
        cursor.fault(start, "expected the name of a constant")
    })?;
    let (start, behind) = (cursor.position() - name.len(), cursor.position());
    if !cursor.eat(b',') {
        cursor.seek(behind);
        return Err(cursor.fault(behind, "expected `,` and a number after the name"));
    }
    let mut terms = Vec::new();
    let mut is_taken = cursor.eat(b'-');
    loop {
        terms.push((is_taken, term(cursor)?));
        let behind = cursor.position();
        is_taken = cursor.eat(b'-');
        if is_taken || cursor.eat(b'+') {
            continue;
        }
        if cursor.eat(b';') {
            return Ok(Definition { name, start, terms });
        }
        cursor.seek(behind);
        return Err(cursor.fault(behind, "expected `+`, `-` or `;` after the value"));
    }
}

/// Parses the name that the directive defines.
pub(super) fn name<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    cursor.skip_trivia();
    let mut ahead = cursor.clone();
    let name = ahead.name();
    if matches!(name, "" | ".") {
        return None;
    }
    *cursor = ahead;
    Some(name)
}

fn term<'t>(cursor: &mut Cursor<'t>) -> Result<Term<'t>, OperandError> {
    cursor.skip_trivia();
    let start = cursor.position();
    if !begins_name(cursor.rest()) {
        let number = u64::try_from(cursor.number()?);
        return number.map(Term::Number).map_err(|_| cursor.fault(start, OVER_64_BITS));
    }
    let name = cursor.clone().name();
    if cursor.context_unasked().is_none() {
        cursor.name();
    } else if cursor.constant().is_none() {
        cursor.place()?;
    }
    Ok(Term::Name(name))
}

impl Definition<'_> {
    /// Returns the error for a name without a value, or `None` if another error already reports the
    /// reason. `start` is the position at which the text begins.
    pub(super) fn error(
        &self,
        wrong: &ConstantError<'_>,
        from: usize,
    ) -> Option<(Range<usize>, AssembleErrorKind)> {
        let name = String::from(self.name);
        let kind = match wrong {
            ConstantError::Circle(names) => {
                let names = names.iter().map(|name| (*name).into()).collect();
                AssembleErrorKind::Circular { names }
            }
            ConstantError::Addresses => AssembleErrorKind::NoConstant { name, is_too_large: false },
            ConstantError::Sections => AssembleErrorKind::Sections { name },
            ConstantError::Range => AssembleErrorKind::NoConstant { name, is_too_large: true },
            ConstantError::Follows => return None,
        };
        let start = from + self.start;
        Some((start..start + self.name.len(), kind))
    }
}

/// A definition with its address and its section. If the program is not an object, the section is
/// always the first.
pub(super) type Defined<'t> = (Definition<'t>, u64, u32);

/// Returns the value of each name, computed with the labels, and the reasons why some names have no
/// value. No two definitions may have the same name.
fn values<'t>(
    all: &[Defined<'t>],
    labels: &LabelMap,
) -> (Vec<Option<Value>>, Vec<(usize, ConstantError<'t>)>) {
    #[derive(Clone, Copy)]
    enum Resolution {
        New,
        Open,
        Done(Option<Value>),
    }
    const ZERO: Value = Value { number: 0, labels: 0, section: 0 };
    // The map has a type that the assembler also uses, so it adds little code.
    let mut places: BTreeMap<&str, (Option<usize>, usize)> = BTreeMap::new();
    for (place, (definition, ..)) in all.iter().enumerate() {
        places.insert(definition.name, (None, place));
    }
    let (mut states, mut wrong) = (alloc::vec![Resolution::New; all.len()], Vec::new());
    for root in 0..all.len() {
        // The chain of names that depend on each other, each with its next term and the sum so far.
        let mut way = alloc::vec![(root, 0, ZERO)];
        while let Some(&(place, next, sum)) = way.last() {
            let Some((definition, address, section)) = all.get(place) else { break };
            if let Resolution::Done(_) = states[place] {
                way.pop();
                continue;
            }
            states[place] = Resolution::Open;
            let Some(&(is_taken, term)) = definition.terms.get(next) else {
                let value = checked(sum);
                wrong.extend(value.clone().err().map(|why| (place, why)));
                states[place] = Resolution::Done(value.ok());
                way.pop();
                continue;
            };
            let value = match term {
                Term::Number(number) => Some(Value { number: number.into(), ..ZERO }),
                Term::Name(".") => {
                    Some(Value { number: (*address).into(), labels: 1, section: *section })
                }
                Term::Name(name) => {
                    match places.get(name).map(|&(_, place)| (place, states[place])) {
                        None => of_label(name, labels),
                        Some((_, Resolution::Done(value))) => value,
                        Some((other, Resolution::New)) => {
                            way.push((other, 0, ZERO));
                            continue;
                        }
                        Some((other, Resolution::Open)) => {
                            let from = way.iter().position(|&(place, ..)| place == other);
                            let circle = way.iter().skip(from.unwrap_or_default());
                            let names =
                                circle.filter_map(|&(place, ..)| Some(all.get(place)?.0.name));
                            wrong.push((other, ConstantError::Circle(names.collect())));
                            None
                        }
                    }
                }
            };
            match (value, way.last_mut()) {
                (Some(value), Some(last)) => *last = (place, next + 1, sum.with(is_taken, value)),
                _ => {
                    // The error is reported at the term that has no value.
                    wrong.push((place, ConstantError::Follows));
                    states[place] = Resolution::Done(None);
                }
            }
        }
    }
    let value =
        |state: &Resolution| if let Resolution::Done(value) = state { *value } else { None };
    (states.iter().map(value).collect(), wrong)
}

impl Value {
    /// Returns the sum with one more term. The sum cannot overflow, because each number has at most
    /// eight bytes.
    const fn with(self, is_taken: bool, other: Value) -> Value {
        let (number, labels) = match is_taken {
            true => (-other.number, -other.labels),
            false => (other.number, other.labels),
        };
        let section = match (self.labels, other.labels) {
            (_, 0) => self.section,
            (0, _) if self.section != MIXED => other.section,
            _ if self.section == other.section => self.section,
            _ => MIXED,
        };
        Value { number: self.number + number, labels: self.labels + labels, section }
    }
}

fn checked(sum: Value) -> Result<Value, ConstantError<'static>> {
    match sum.labels {
        _ if sum.section == MIXED => Err(ConstantError::Sections),
        0 if RANGE.contains(&sum.number) => Ok(sum),
        0 => Err(ConstantError::Range),
        // Addresses wrap around.
        1 => Ok(Value { number: (sum.number as u64).into(), ..sum }),
        _ => Err(ConstantError::Addresses),
    }
}

/// Returns the value of a name that the program does not define as a constant.
fn of_label(name: &str, labels: &LabelMap) -> Option<Value> {
    match labels.constant(name) {
        Some(number) => Some(Value { number, labels: 0, section: 0 }),
        None => {
            let section = labels.section(name).unwrap_or_default() as u32;
            labels.address(name).map(|at| Value { number: at.into(), labels: 1, section })
        }
    }
}

/// Stores the values of a program's constants in `labels`. A constant whose value is an address is
/// stored as a label. Returns the constants that have no value, with the reasons.
pub(super) fn settle<'t>(
    all: &[Defined<'t>],
    labels: &mut LabelMap,
) -> Vec<(usize, ConstantError<'t>)> {
    let (values, wrong) = values(all, labels);
    for ((definition, ..), value) in all.iter().zip(values) {
        match value {
            Some(Value { number, labels: 0, .. }) => {
                labels.insert_constant(definition.name, number)
            }
            Some(Value { number, section, .. }) => {
                labels.insert_in(definition.name, number as u64, section);
            }
            None => {}
        }
    }
    wrong
}

/// Parses a statement with `parse`. If `parse` fails, replaces the constants at the positions of the
/// errors by their numbers and tries again. Also returns whether there are any constants.
fn with_numbers<T>(
    cursor: &mut Cursor<'_>,
    parse: impl Fn(&mut Cursor<'_>) -> Result<T, ParseError>,
) -> Result<(T, bool), ParseError> {
    let start = cursor.position();
    let mut shown = match parse(cursor) {
        Ok(parsed) => return Ok((parsed, false)),
        Err(error) => error,
    };
    let Some(site) = cursor.context_unasked() else { return Err(shown) };
    let found = constant_at(cursor.text(), &shown, site);
    let mut found = found.and_then(|(place, number)| {
        Some((place.start.checked_sub(start)?..place.end.checked_sub(start)?, number))
    });
    let statement = cursor.text().get(start..cursor.position());
    let mut text = Changed { text: String::new(), places: Vec::new() };
    if found.is_some() {
        text.text.push_str(statement.unwrap_or_default());
    }
    while let Some((place, number)) = found {
        let mut digits = Line::new();
        if number < 0 {
            digits.push(b'-');
        }
        digits.push_decimal(number.unsigned_abs() as u64);
        text.replace(place, digits.as_str());
        match parse(&mut Cursor::in_context(&text.text, site)) {
            Ok(parsed) => return Ok((parsed, true)),
            // The error means that no name is allowed at this position, so another number does not
            // help.
            Err(error) if text.origin(error.span.start).is_ok() && !is_refused(&error) => break,
            Err(error) => {
                found = constant_at(&text.text, &error, site);
                let Range { start: from, end } = text.span_before(&error.span);
                shown = error;
                shown.span = start + from..start + end;
            }
        }
    }
    Err(shown)
}

impl InstructionSet {
    /// Parses like [`InstructionSet::parse_next`], with numbers for constants. Also returns whether
    /// there are any constants.
    pub(super) fn next_with_numbers(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Option<Parsed>, bool), ParseError> {
        with_numbers(cursor, |cursor| self.parse_next(cursor))
    }

    /// Parses like [`InstructionSet::parse_whole`], with numbers for constants. Also returns whether
    /// there are any constants.
    pub(super) fn parse_with_numbers(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Parsed, bool), ParseError> {
        with_numbers(cursor, |cursor| {
            let outcome = self.parse_whole(cursor.clone());
            cursor.seek(usize::MAX);
            outcome
        })
    }
}

/// Returns whether the error is in the text of an operand.
fn is_refused(error: &ParseError) -> bool {
    match error.kind() {
        ParseErrorKind::Operand(fault) => fault.cause == Cause::Text,
        ParseErrorKind::NoForm { is_operand, .. } => *is_operand,
        _ => false,
    }
}

/// Returns the first constant in the text of an error, with its number. Returns `None` for an error
/// about a target, because a target also accepts an address.
fn constant_at(
    text: &str,
    error: &ParseError,
    site: &InstructionContext<'_>,
) -> Option<(Range<usize>, i128)> {
    if matches!(error.kind(), ParseErrorKind::Operand(_)) && !is_refused(error) {
        return None;
    }
    let mut cursor = Cursor::in_context(text, site).moved_to(error.span.start);
    // If the error is only about a sign, the constant is after the sign. The same applies to a sign
    // that was found instead of another token, as in `label + SIZE`.
    let mut is_sign = !error.span.is_empty() || matches!(cursor.peek(), Some(b'+' | b'-'));
    while cursor.peek().is_some() && (is_sign || cursor.position() < error.span.end) {
        let at = cursor.position();
        is_sign &= cursor.rest().first().is_some_and(|byte| b"+-#".contains(byte));
        match cursor.name() {
            "" if cursor.word().is_empty() => cursor.seek(cursor.next_boundary(at)),
            "" => {}
            name => {
                if let Some(number) = site.labels.constant(name) {
                    return Some((at..at + name.len(), number));
                }
                // The text after a dot may also be a name.
                if name.starts_with('.') {
                    cursor.seek(at + 1);
                }
            }
        }
    }
    None
}

/// A text in which names are replaced by numbers.
struct Changed {
    text: String,
    /// For each number, in order: the position of the name in the original text, its length, and
    /// the length of the number.
    places: Vec<(usize, usize, usize)>,
}

impl Changed {
    fn replace(&mut self, name: Range<usize>, number: &str) {
        let at = self.span_before(&name).start;
        let behind = self.places.partition_point(|&(other, ..)| other < at);
        self.places.insert(behind, (at, name.len(), number.len()));
        self.text.replace_range(name, number);
    }

    /// Returns a span of the original text.
    fn span_before(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.origin(span.start).map_or_else(|at| at, |name| name.start);
        match span.end.checked_sub(1).filter(|_| !span.is_empty()) {
            Some(last) => start..self.origin(last).map_or_else(|at| at + 1, |name| name.end),
            None => start..start,
        }
    }

    /// Returns the original name if the position is in a number that replaced it, and otherwise the
    /// original position.
    fn origin(&self, at: usize) -> Result<Range<usize>, usize> {
        let (mut gone, mut new) = (0, 0);
        for &(name, length, digits) in &self.places {
            let start = name + new - gone;
            if at < start {
                break;
            }
            if at < start + digits {
                return Ok(name..name + length);
            }
            gone += length;
            new += digits;
        }
        Err(at + gone - new)
    }
}
