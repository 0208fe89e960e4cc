//! Numbers with names: `.equ SIZE, 64;`, also written `.set`.
//!
//! What a name is equal to is a sum of numbers and other names. With no label in it that is a number; with
//! one it is an address, and the name one more label. Labels that are added and taken away, `end - start`,
//! are a number again.
//!
//! An instruction is read as it is written. Only where that fails are numbers put in the place of
//! constants, one after the other where the mistakes are: who writes no constants pays nothing for them,
//! every kind of operand that takes a number takes one with a name, and a register stays one.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::cursor::{Fault, begins_name};
use super::{Cause, Cursor, LabelMap, Labels, Line, Parsed, Site};
use crate::error::{AssembleErrorKind, ParseError, ParseErrorKind};
use crate::table::InstructionSet;

/// The numbers that a constant can be: those that eight bytes can have.
const RANGE: core::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;

/// A name with what it is equal to.
#[derive(Debug, Clone)]
pub(super) struct Definition<'t> {
    pub(super) name: &'t str,
    /// Where the name stands.
    pub(super) start: usize,
    /// The parts of the sum, and whether each is taken away.
    terms: Vec<(bool, Term<'t>)>,
}

#[derive(Debug, Clone, Copy)]
enum Term<'t> {
    Number(u64),
    /// A label, a constant, or `.`.
    Name(&'t str),
}

/// What a name is equal to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Value {
    number: i128,
    /// How many labels are added, less those taken away.
    labels: i64,
    /// The section of the labels; [`MIXED`] where some are in others.
    section: u32,
}

/// In place of a section: labels of several, of which only the linker knows how far they are apart.
const MIXED: u32 = u32::MAX;

/// Why a name has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong<'t> {
    /// Its value takes its value. These names lead from it to itself.
    Circle(Vec<&'t str>),
    /// It is the sum of several addresses, or one is taken away.
    Addresses,
    /// It takes addresses of several sections of an object.
    Sections,
    /// It has more than eight bytes.
    Range,
    /// Another mistake says why.
    Follows,
}

/// Reads the name and the value behind the directive. Where it stands in a program, names in the value
/// that are not there are mistakes.
pub(super) fn read<'t>(cursor: &mut Cursor<'t>) -> Result<Definition<'t>, ParseError> {
    definition(cursor).map_err(|fault| ParseError::fault(cursor, fault))
}

fn definition<'t>(cursor: &mut Cursor<'t>) -> Result<Definition<'t>, Fault> {
    let name = name(cursor).ok_or_else(|| {
        let start = cursor.position();
        cursor.fault(start, "expected the name of a constant")
    })?;
    let (start, behind) = (cursor.position() - name.len(), cursor.position());
    if !cursor.eat(b',') {
        cursor.seek(behind);
        return Err(cursor.fault(behind, "expected `,` and a number behind the name"));
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
        return Err(cursor.fault(behind, "expected `+`, `-` or `;` behind the value"));
    }
}

/// The name that is defined behind the directive.
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

fn term<'t>(cursor: &mut Cursor<'t>) -> Result<Term<'t>, Fault> {
    cursor.skip_trivia();
    let start = cursor.position();
    if !begins_name(cursor.rest()) {
        let number = u64::try_from(cursor.number()?);
        return number
            .map(Term::Number)
            .map_err(|_| cursor.fault(start, "the number has more than 64 bits"));
    }
    let name = cursor.clone().name();
    if cursor.site_unasked().is_none() {
        cursor.name();
    } else if cursor.constant().is_none() {
        cursor.place()?;
    }
    Ok(Term::Name(name))
}

impl Definition<'_> {
    /// The mistake that the name has no value, in a text that goes on from a place; `None` where another
    /// one says why.
    pub(super) fn error(
        &self,
        wrong: &Wrong<'_>,
        from: usize,
    ) -> Option<(Range<usize>, AssembleErrorKind)> {
        let name = String::from(self.name);
        let kind = match wrong {
            Wrong::Circle(names) => {
                let names = names.iter().map(|name| (*name).into()).collect();
                AssembleErrorKind::Circular { names }
            }
            Wrong::Addresses => AssembleErrorKind::NoConstant { name, is_too_large: false },
            Wrong::Sections => AssembleErrorKind::Sections { name },
            Wrong::Range => AssembleErrorKind::NoConstant { name, is_too_large: true },
            Wrong::Follows => return None,
        };
        let start = from + self.start;
        Some((start..start + self.name.len(), kind))
    }
}

/// A definition with the address and the section that it stands at; of a program that is no object all
/// sections are the first.
pub(super) type Defined<'t> = (Definition<'t>, u64, u32);

/// What each name is equal to, among labels. No two definitions have one name. The second result says
/// of some names why they have no value.
fn values<'t>(
    all: &[Defined<'t>],
    labels: &LabelMap,
) -> (Vec<Option<Value>>, Vec<(usize, Wrong<'t>)>) {
    #[derive(Clone, Copy)]
    enum State {
        New,
        Open,
        Done(Option<Value>),
    }
    const ZERO: Value = Value { number: 0, labels: 0, section: 0 };
    // A map of the type that the assembler has anyway.
    let mut places: BTreeMap<&str, (Option<usize>, usize)> = BTreeMap::new();
    for (place, (definition, ..)) in all.iter().enumerate() {
        places.insert(definition.name, (None, place));
    }
    let (mut states, mut wrong) = (alloc::vec![State::New; all.len()], Vec::new());
    for root in 0..all.len() {
        // The names that wait for one another, each with its next term and the sum so far.
        let mut way = alloc::vec![(root, 0, ZERO)];
        while let Some(&(place, next, sum)) = way.last() {
            let Some((definition, address, section)) = all.get(place) else { break };
            if let State::Done(_) = states[place] {
                way.pop();
                continue;
            }
            states[place] = State::Open;
            let Some(&(is_taken, term)) = definition.terms.get(next) else {
                let value = checked(sum);
                wrong.extend(value.clone().err().map(|why| (place, why)));
                states[place] = State::Done(value.ok());
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
                        Some((_, State::Done(value))) => value,
                        Some((other, State::New)) => {
                            way.push((other, 0, ZERO));
                            continue;
                        }
                        Some((other, State::Open)) => {
                            let from = way.iter().position(|&(place, ..)| place == other);
                            let circle = way.iter().skip(from.unwrap_or_default());
                            let names =
                                circle.filter_map(|&(place, ..)| Some(all.get(place)?.0.name));
                            wrong.push((other, Wrong::Circle(names.collect())));
                            None
                        }
                    }
                }
            };
            match (value, way.last_mut()) {
                (Some(value), Some(last)) => *last = (place, next + 1, sum.with(is_taken, value)),
                _ => {
                    // The mistake is reported where it is.
                    wrong.push((place, Wrong::Follows));
                    states[place] = State::Done(None);
                }
            }
        }
    }
    let value = |state: &State| if let State::Done(value) = state { *value } else { None };
    (states.iter().map(value).collect(), wrong)
}

impl Value {
    /// The sum with one more part; a sum of numbers of eight bytes has room.
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

fn checked(sum: Value) -> Result<Value, Wrong<'static>> {
    match sum.labels {
        _ if sum.section == MIXED => Err(Wrong::Sections),
        0 if RANGE.contains(&sum.number) => Ok(sum),
        0 => Err(Wrong::Range),
        // Addresses go around.
        1 => Ok(Value { number: (sum.number as u64).into(), ..sum }),
        _ => Err(Wrong::Addresses),
    }
}

/// The value of a name that the program does not define as a constant.
fn of_label(name: &str, labels: &LabelMap) -> Option<Value> {
    match labels.constant(name) {
        Some(number) => Some(Value { number, labels: 0, section: 0 }),
        None => {
            let section = labels.section(name).unwrap_or_default() as u32;
            labels.address(name).map(|at| Value { number: at.into(), labels: 1, section })
        }
    }
}

/// Gives the constants of a program their numbers, and the labels among them their addresses. Says why
/// some have none.
pub(super) fn settle<'t>(all: &[Defined<'t>], labels: &mut LabelMap) -> Vec<(usize, Wrong<'t>)> {
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

/// Reads a statement by `parse`; where that fails, with numbers in the place of the constants at which
/// it does. Says whether there are any.
fn with_numbers<T>(
    cursor: &mut Cursor<'_>,
    parse: impl Fn(&mut Cursor<'_>) -> Result<T, ParseError>,
) -> Result<(T, bool), ParseError> {
    let start = cursor.position();
    let mut shown = match parse(cursor) {
        Ok(parsed) => return Ok((parsed, false)),
        Err(error) => error,
    };
    let Some(site) = cursor.site_unasked() else { return Err(shown) };
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
        match parse(&mut Cursor::at_site(&text.text, site)) {
            Ok(parsed) => return Ok((parsed, true)),
            // The mistake is that a name stands here, and not which number it has.
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
    /// As [`InstructionSet::parse_next`], with numbers for constants. Says whether there are any.
    pub(super) fn next_with_numbers(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Option<Parsed>, bool), ParseError> {
        with_numbers(cursor, |cursor| self.parse_next(cursor))
    }

    /// As [`InstructionSet::parse_whole`], with numbers for constants. Says whether there are any.
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

/// Whether the text of an operand is wrong.
fn is_refused(error: &ParseError) -> bool {
    match error.kind() {
        ParseErrorKind::Operand(fault) => fault.cause == Cause::Text,
        ParseErrorKind::NoForm { is_operand, .. } => *is_operand,
        _ => false,
    }
}

/// The first constant in the text that an error is about, with its number. A target is an address, which
/// needs no number.
fn constant_at(text: &str, error: &ParseError, site: &Site<'_>) -> Option<(Range<usize>, i128)> {
    if matches!(error.kind(), ParseErrorKind::Operand(_)) && !is_refused(error) {
        return None;
    }
    let mut cursor = Cursor::at_site(text, site).moved_to(error.span.start);
    // Behind a sign, which alone may be what the mistake is about, stands what it belongs to. So it does
    // behind one in the place of something else, as in `label + SIZE`.
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
                // What stands behind a dot may be a name too.
                if name.starts_with('.') {
                    cursor.seek(at + 1);
                }
            }
        }
    }
    None
}

/// A text with numbers in the place of names.
struct Changed {
    text: String,
    /// For each number, in their order: where the name begins in the text as it was, its length, and that
    /// of the number.
    places: Vec<(usize, usize, usize)>,
}

impl Changed {
    fn replace(&mut self, name: Range<usize>, number: &str) {
        let at = self.span_before(&name).start;
        let behind = self.places.partition_point(|&(other, ..)| other < at);
        self.places.insert(behind, (at, name.len(), number.len()));
        self.text.replace_range(name, number);
    }

    /// A part of the text as it was.
    fn span_before(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.origin(span.start).map_or_else(|at| at, |name| name.start);
        match span.end.checked_sub(1).filter(|_| !span.is_empty()) {
            Some(last) => start..self.origin(last).map_or_else(|at| at + 1, |name| name.end),
            None => start..start,
        }
    }

    /// The name in whose place a number stands that a place is in; else where the place was.
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
