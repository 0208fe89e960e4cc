//! Random conditions of exceptions.

use crate::random::Random;
use crate::spec::{Condition, Kind, Row};
use crate::words;

/// A condition over the fields that can differ.
pub(super) fn condition(random: &mut Random, kinds: &[Kind], row: &Row) -> Option<Condition> {
    let fields: Vec<_> = row.fields.iter().filter(|field| field.fixed.is_none()).collect();
    if fields.is_empty() {
        return None;
    }
    let term = |random: &mut Random| {
        let field = *random.pick(&fields);
        let mut values = kinds[field.kind].sample();
        random.shuffle(&mut values);
        let count = 1 + random.below((values.len() - 1).clamp(1, 3));
        values.truncate(count);
        Condition::Is { field: field.name.clone(), values, negated: random.chance(40) }
    };
    let mut whole = term(random);
    for _ in 0..random.below(3) {
        let other = term(random);
        whole = match random.below(3) {
            0 => Condition::And(vec![whole, other]),
            1 => Condition::Or(vec![whole, other]),
            _ => Condition::Not(Box::new(Condition::And(vec![whole, other]))),
        };
    }
    Some(whole)
}

/// Whether each `!=` and each exception excludes a word that all others allow, and a word is left.
pub(super) fn is_needed(kinds: &[Kind], row: &Row) -> bool {
    let words = words::samples(kinds, row, 4000);
    let nevers: Vec<usize> =
        (0..row.fields.len()).filter(|&at| !row.fields[at].never.is_empty()).collect();
    let broken = |values: &Vec<u64>| {
        let never = nevers.iter().map(|&at| row.fields[at].never.contains(&values[at]));
        let conditions = row.conditions.iter().map(|it| words::holds(row, it, values));
        never.chain(conditions).collect::<Vec<bool>>()
    };
    let all: Vec<Vec<bool>> = words.iter().map(broken).collect();
    let only = |rule: usize| {
        all.iter().any(|broken| broken[rule] && broken.iter().filter(|it| **it).count() == 1)
    };
    let rules = nevers.len() + row.conditions.len();
    (0..rules).all(only) && all.iter().any(|broken| !broken.contains(&true))
}
