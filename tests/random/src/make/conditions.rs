//! Random conditions of exceptions.

use crate::random::Random;
use crate::spec::{Condition, Kind, Node, Resolved, Row, Sign, Sum};
use crate::words;

/// Returns a condition over the fields that are not fixed.
pub(super) fn condition(random: &mut Random, kinds: &[Kind], row: &Row) -> Option<Condition> {
    let fields: Vec<_> = row.fields.iter().filter(|field| field.fixed.is_none()).collect();
    if fields.is_empty() {
        return None;
    }
    let term = |random: &mut Random| {
        let field = *random.pick(&fields);
        if random.chance(40)
            && let Some(compared) = compared(random, kinds, field, &row.fields)
        {
            return compared;
        }
        let mut values = kinds[field.kind].sample();
        random.shuffle(&mut values);
        let count = 1 + random.below((values.len() - 1).clamp(1, 3));
        values.truncate(count);
        if random.chance(30) {
            values.sort_unstable();
        }
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

/// Declares for a node that no valid word matches a condition: by an exception, or by `where` with
/// the opposite.
pub(super) fn state(random: &mut Random, node: &mut Node, condition: Condition) {
    match condition {
        Condition::Not(met) => node.wheres.push(*met),
        unmet if random.chance(40) => node.wheres.push(Condition::Not(Box::new(unmet))),
        excluded => node.exceptions.push(excluded),
    }
}

/// Returns a comparison of a field with a number or with another field of the same type.
fn compared(
    random: &mut Random,
    kinds: &[Kind],
    field: &Resolved,
    fields: &[Resolved],
) -> Option<Condition> {
    const SIGNS: [Sign; 6] = [
        Sign::Equal,
        Sign::Unequal,
        Sign::Less,
        Sign::LessOrEqual,
        Sign::Greater,
        Sign::GreaterOrEqual,
    ];
    let is_set = |field: &Resolved| !kinds[field.kind].values().is_empty();
    let fits = |other: &&Resolved| {
        let alike = if is_set(field) { other.kind == field.kind } else { !is_set(other) };
        alike && other.name != field.name
    };
    let others: Vec<&Resolved> = fields.iter().filter(fits).collect();
    let by = |random: &mut Random| match random.below(3) {
        0 if !is_set(field) => random.below(9) as i128 - 4,
        _ => 0,
    };
    let sign = SIGNS[random.below(if is_set(field) { 2 } else { 6 })];
    let left = Sum { field: Some(field.name.clone()), by: by(random) };
    let right = match others.is_empty() {
        true if is_set(field) => return None,
        false if is_set(field) || random.chance(80) => {
            let other = random.pick(&others).name.clone();
            Sum { field: Some(other), by: by(random) }
        }
        _ => {
            let most = 1 << kinds[field.kind].width.min(4);
            Sum { field: None, by: random.below(most) as i128 }
        }
    };
    let turned = !is_set(field) && random.chance(20);
    Some(if turned {
        Condition::Compare(right, sign, left)
    } else {
        Condition::Compare(left, sign, right)
    })
}

/// Returns whether each `!=` and each exception excludes a word that all others allow, and at least
/// one word remains valid.
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
