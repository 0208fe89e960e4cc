//! Enumerates words: the values of fields, and the valid words.

use crate::random::Random;
use crate::spec::{Condition, Kind, Resolved, Row, Sign, Sum};

/// Returns the bits of a field in a word. For a field without bits it returns the fixed value.
#[must_use]
pub fn extract(field: &Resolved, word: u128) -> u64 {
    if field.pieces.is_empty() {
        return field.fixed.unwrap_or_default();
    }
    let mut raw = 0;
    for &(position, width) in &field.pieces {
        for bit in (position..position + width).rev() {
            raw = raw << 1 | (word >> bit & 1) as u64;
        }
    }
    raw
}

/// Returns the word with these bits in a field that was 0.
#[must_use]
pub fn insert(field: &Resolved, mut raw: u64, word: u128) -> u128 {
    let mut word = word;
    for &(position, width) in field.pieces.iter().rev() {
        for bit in position..position + width {
            word |= u128::from(raw & 1) << bit;
            raw >>= 1;
        }
    }
    word
}

/// Returns the word of these values, one for each field.
#[must_use]
pub fn encode(row: &Row, values: &[u64]) -> u128 {
    let fields = row.fields.iter().zip(values);
    fields.fold(0, |word, (field, raw)| insert(field, *raw, word))
}

/// Returns the values of all fields in a word.
#[must_use]
pub fn decode(row: &Row, word: u128) -> Vec<u64> {
    row.fields.iter().map(|field| extract(field, word)).collect()
}

/// Returns whether the values match the fixed values of the opcode and none is reserved. The opcode
/// can then print the word, valid or not.
#[must_use]
pub fn is_word(kinds: &[Kind], row: &Row, values: &[u64]) -> bool {
    row.fields.iter().zip(values).all(|(field, raw)| {
        field.fixed.is_none_or(|fixed| fixed == *raw) && kinds[field.kind].exists(*raw)
    })
}

/// Returns whether no `!=` and no exception excludes the values. Special cases are not considered.
#[must_use]
pub fn is_allowed(row: &Row, values: &[u64]) -> bool {
    row.fields.iter().zip(values).all(|(field, raw)| !field.never.contains(raw))
        && !row.conditions.iter().any(|condition| holds(row, condition, values))
}

/// Returns whether a condition is true for these values of the fields.
#[must_use]
pub fn holds(row: &Row, condition: &Condition, values: &[u64]) -> bool {
    match condition {
        Condition::And(terms) => terms.iter().all(|term| holds(row, term, values)),
        Condition::Or(terms) => terms.iter().any(|term| holds(row, term, values)),
        Condition::Not(inner) => !holds(row, inner, values),
        Condition::Is { field, values: meant, negated } => {
            let Some(at) = row.field(field) else { return false };
            meant.contains(&values[at]) != *negated
        }
        Condition::Compare(left, sign, right) => {
            let sum = |sum: &Sum| {
                let field = sum.field.as_ref().and_then(|name| row.field(name));
                sum.by + field.map_or(0, |at| i128::from(values[at]))
            };
            let (left, right) = (sum(left), sum(right));
            match sign {
                Sign::Equal => left == right,
                Sign::Unequal => left != right,
                Sign::Less => left < right,
                Sign::LessOrEqual => left <= right,
                Sign::Greater => left > right,
                Sign::GreaterOrEqual => left >= right,
            }
        }
    }
}

/// Returns whether a word has all fixed values of an opcode, and 0 in bits without a field. If the
/// opcode is a special case, only it owns such words.
#[must_use]
pub fn belongs(row: &Row, word: u128) -> bool {
    let covered = row.fields.iter().fold(0, |mask, field| insert(field, u64::MAX, mask));
    word & !covered == 0
        && row.fields.iter().all(|f| f.fixed.is_none_or(|fixed| fixed == extract(f, word)))
}

/// Returns whether a word is a valid word of the opcode at `place`.
#[must_use]
pub fn is_legal(kinds: &[Kind], rows: &[Row], place: usize, word: u128) -> bool {
    let row = &rows[place];
    let values = decode(row, word);
    belongs(row, word)
        && is_word(kinds, row, &values)
        && is_allowed(row, &values)
        && !rows.iter().any(|other| other.inside.contains(&row.name) && belongs(other, word))
}

/// Returns every combination of sampled values. If the operand types of an opcode are small, these
/// are all of its words. If there are more than `most`, it returns some of them, many with fields
/// at their defaults.
#[must_use]
pub fn samples(kinds: &[Kind], row: &Row, most: usize) -> Vec<Vec<u64>> {
    let choices: Vec<Vec<u64>> = row
        .fields
        .iter()
        .map(|field| field.fixed.map_or_else(|| kinds[field.kind].sample(), |raw| vec![raw]))
        .collect();
    let count = choices.iter().fold(1usize, |count, list| count.saturating_mul(list.len()));
    if count > most {
        let mut random = Random::new(count as u64);
        let mut draw = |(field, list): (&Resolved, &Vec<u64>)| match field.default {
            Some(default) if random.chance(60) => default,
            _ => *random.pick(list),
        };
        let mut word = || row.fields.iter().zip(&choices).map(&mut draw).collect();
        return (0..most).map(|_| word()).collect();
    }
    let word = |mut number: usize| {
        let pick = |list: &Vec<u64>| {
            let raw = list[number % list.len()];
            number /= list.len();
            raw
        };
        choices.iter().map(pick).collect()
    };
    (0..count).map(word).collect()
}
