//! Constants, which are numbers with names: `.equ SIZE, 64;`, also written `.set`.
//!
//! The value of a constant is an expression of numbers and other names. Without labels the value is a
//! number. With one label it is an address, and the name becomes another label. The difference of
//! two labels, `end - start`, is a number again.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::LabelMap;
use super::expression::{Expression, Symbol, Value};
use crate::asm::error::AssembleErrorKind;
use crate::asm::name_map::NameMap;
use crate::error::ParseError;
use crate::text::{Cursor, Labels, OperandError};

/// The range of constants: the numbers that fit in eight bytes.
const RANGE: core::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;

/// The definition of a constant.
#[derive(Debug, Clone)]
pub(super) struct Definition<'t> {
    pub(super) name: &'t str,
    /// The position of the name.
    pub(super) start: usize,
    /// The text that contains the value, and the position of the value in it.
    text: &'t str,
    at: usize,
    /// The names in the value: labels, constants, or `.`.
    names: Vec<&'t str>,
}

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
    /// An operator cannot be computed.
    Operator(OperandError),
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
    let (text, at, names) = (cursor.text(), cursor.position(), value(cursor)?);
    let behind = cursor.position();
    if cursor.eat(b';') {
        return Ok(Definition { name, start, text, at, names });
    }
    cursor.seek(behind);
    Err(cursor.fault(behind, "expected an operator or `;` after the value"))
}

/// Parses the value of a constant without computing it, and returns the names in it. If the cursor is
/// in a program, an unknown name is an error.
fn value<'t>(cursor: &mut Cursor<'t>) -> Result<Vec<&'t str>, OperandError> {
    let (mut names, mut starts) = (Vec::new(), Vec::new());
    let mut each = |name: &'t str, start| {
        names.push(name);
        starts.push(start);
        Value::of_number(0)
    };
    Expression::new(cursor, &mut each).dry().value()?;
    for start in starts.into_iter().filter(|_| cursor.context_unasked().is_some()) {
        let mut at_name = cursor.clone();
        at_name.seek(start);
        if at_name.constant().is_none() {
            at_name.place()?;
        }
    }
    Ok(names)
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

impl Definition<'_> {
    /// Returns the error for a name without a value, or `None` if another error already reports the
    /// reason.
    pub(super) fn error(
        &self,
        wrong: &ConstantError<'_>,
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
            ConstantError::Operator(fault) => {
                let error = ParseError::fault(&Cursor::new(self.text), fault.clone());
                return Some((fault.span.clone(), error.into()));
            }
            ConstantError::Follows => return None,
        };
        Some((self.start..self.start + self.name.len(), kind))
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
) -> (Vec<Option<Value<'t>>>, Vec<(usize, ConstantError<'t>)>) {
    #[derive(Clone, Copy)]
    enum Resolution {
        New,
        Open,
        Done,
    }
    // The map has a type that the assembler also uses, so it adds little code.
    let mut places: NameMap<&str, (Option<usize>, usize)> = NameMap::new();
    for (place, (definition, ..)) in all.iter().enumerate() {
        places.insert(definition.name, (None, place));
    }
    let (mut states, mut wrong) = (alloc::vec![Resolution::New; all.len()], Vec::new());
    let mut results: Vec<Option<Value<'t>>> = alloc::vec![None; all.len()];
    for root in 0..all.len() {
        // The chain of names that depend on each other, each with the index of its next name.
        let mut way = alloc::vec![(root, 0)];
        while let Some(&(place, next)) = way.last() {
            let Some((definition, address, section)) = all.get(place) else { break };
            if let Resolution::Done = states[place] {
                way.pop();
                continue;
            }
            states[place] = Resolution::Open;
            let value_of = |name: &'t str| match name {
                "." => Some(at_place(name, *address, *section)),
                _ => match places.get(name) {
                    None => of_label(name, labels),
                    Some(&(_, place)) => results[place],
                },
            };
            let Some(&name) = definition.names.get(next) else {
                let value = definition.value(value_of);
                wrong.extend(value.clone().err().map(|why| (place, why)));
                (states[place], results[place]) = (Resolution::Done, value.ok());
                way.pop();
                continue;
            };
            let is_known = value_of(name).is_some();
            match places.get(name).map(|&(_, place)| (place, states[place])) {
                _ if is_known => {
                    if let Some(last) = way.last_mut() {
                        last.1 = next + 1;
                    }
                    continue;
                }
                Some((other, Resolution::New)) => {
                    way.push((other, 0));
                    continue;
                }
                Some((other, Resolution::Open)) => {
                    let from = way.iter().position(|&(place, ..)| place == other);
                    let circle = way.iter().skip(from.unwrap_or_default());
                    let names = circle.filter_map(|&(place, ..)| Some(all.get(place)?.0.name));
                    wrong.push((other, ConstantError::Circle(names.collect())));
                }
                _ => {}
            }
            // The error is reported at the name that has no value.
            wrong.push((place, ConstantError::Follows));
            states[place] = Resolution::Done;
        }
    }
    (results, wrong)
}

impl<'t> Definition<'t> {
    /// Computes the value from the values of its names.
    fn value(
        &self,
        value_of: impl Fn(&'t str) -> Option<Value<'t>>,
    ) -> Result<Value<'t>, ConstantError<'t>> {
        let mut cursor = Cursor::new(self.text);
        cursor.set_takes_dots(true);
        cursor.seek(self.at);
        let mut names = |name, start| {
            value_of(name).map_or(Value::of_number(0), |value| value.named(name, start))
        };
        let value = Expression::new(&mut cursor, &mut names).value();
        let value = value.map_err(ConstantError::Operator)?;
        match value.label_pair() {
            Ok((None, None)) if RANGE.contains(&value.number) => Ok(value),
            Ok((None, None)) => Err(ConstantError::Range),
            Ok((Some(_), None)) => Ok(value),
            Ok((Some(_), Some(_))) => Err(ConstantError::Sections),
            _ => Err(ConstantError::Addresses),
        }
    }
}

/// Returns the value of a label at an address of a section.
fn at_place<'t>(name: &'t str, address: u64, section: u32) -> Value<'t> {
    Value::of_symbol(Symbol { name, start: 0, place: Some((address, section)) })
}

/// Returns the value of a name that the program does not define as a constant.
fn of_label<'t>(name: &'t str, labels: &LabelMap) -> Option<Value<'t>> {
    match labels.constant(name) {
        Some(number) => Some(Value::of_number(number)),
        None => {
            let section = labels.section(name).unwrap_or_default() as u32;
            labels.address(name).map(|address| at_place(name, address, section))
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
        let Some(value) = value else { continue };
        match value.label() {
            Ok(Some(Symbol { place: Some((address, section)), .. })) => {
                // Addresses wrap around.
                let address = address.wrapping_add(value.number as u64);
                labels.insert_in(definition.name, address, section);
            }
            _ => labels.insert_constant(definition.name, value.number),
        }
    }
    wrong
}
