//! Computes the valid words of a row as disjoint masked patterns.

use std::collections::BTreeMap;

use isa_core::table::{ConditionCase, Cube, Field, Opcode};

use crate::masked_patterns::{both, meet, merged, with_results};
use crate::valid_words::{ValidWords, fixed_bits};

/// The maximum number of patterns for one condition.
pub(super) const MOST: usize = 4096;

/// A condition that shares no bits with the other conditions: the accepted words as disjoint patterns,
/// or `None` if there are too many patterns.
pub(super) type PatternUnion = Option<Vec<Cube>>;

/// Returns the conditions that the fields and exceptions of a row impose on a word with its fixed
/// bits.
pub(super) fn conditions(row: &'static Opcode) -> Vec<PatternUnion> {
    let Some(illegal) = illegal(row) else { return vec![None] };
    let mut groups: Vec<(u128, Vec<Cube>)> = Vec::new();
    for cube in illegal {
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(mask, _)| mask & cube.mask != 0);
        groups = apart;
        let mut group = (cube.mask, vec![cube]);
        for (mask, cubes) in joined {
            group.0 |= mask;
            group.1.extend(cubes);
        }
        groups.push(group);
    }
    groups.sort_by_key(|(mask, _)| mask.trailing_zeros());
    groups.into_iter().map(|(_, cubes)| complement(&cubes)).collect()
}

/// Returns the valid words of a row as patterns that include its fixed bits and all conditions.
pub(super) fn legal(row: &'static Opcode) -> Option<Vec<Cube>> {
    let fixed = fixed_bits(row);
    let mut all = vec![fixed];
    for condition in conditions(row) {
        let condition = condition?;
        all = all.iter().flat_map(|a| condition.iter().map(move |b| both(*a, *b))).collect();
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// Returns the invalid words that have the fixed bits of a row. The patterns do not contain the fixed
/// bits.
fn illegal(row: &'static Opcode) -> Option<Vec<Cube>> {
    let ValidWords { plain, wrong } = ValidWords::of(row);
    let mut all = Vec::new();
    for wrong in wrong {
        let cubes = wrong.as_cubes(MOST)?.into_iter().filter(|cube| meet(*cube, plain));
        all.extend(cubes.map(|cube| Cube::new(cube.mask & !plain.mask, cube.value & !plain.mask)));
    }
    all.sort_by_key(|cube| (cube.mask, cube.value));
    all.dedup();
    Some(all)
}

/// Returns the words of a case.
pub(super) fn of_case(case: &ConditionCase) -> Option<Vec<Cube>> {
    let when = case.when.iter().map(|said| (said.map, said.said));
    with_results(case.cubes, when, MOST)
}

/// Returns the words that match none of the patterns, as disjoint patterns.
fn complement(cubes: &[Cube]) -> PatternUnion {
    if cubes.is_empty() {
        return Some(vec![Cube::new(0, 0)]);
    }
    if cubes.iter().any(|cube| cube.mask == 0) {
        return Some(Vec::new());
    }
    let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
    for cube in cubes {
        for bit in (0..128).filter(|bit| cube.mask >> bit & 1 == 1) {
            *uses.entry(bit).or_default() += 1;
        }
    }
    let (bit, _) = uses.into_iter().max_by_key(|(_, count)| *count)?;
    let bit = 1u128 << bit;
    let half = |value: u128| -> PatternUnion {
        let fitting = cubes.iter().filter(|cube| cube.mask & bit == 0 || cube.value & bit == value);
        let rest: Vec<Cube> =
            fitting.map(|cube| Cube::new(cube.mask & !bit, cube.value & !bit)).collect();
        complement(&rest)
    };
    let all = merged(half(0)?, half(bit)?, bit);
    (all.len() <= MOST).then_some(all)
}

/// Returns the value of a field if it is the same in every word of a row.
pub(super) fn known(row: &Opcode, field: &Field) -> Option<u64> {
    let fixed = fixed_bits(row);
    (field.mask() & !fixed.mask == 0).then(|| field.get(fixed.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_complement_has_the_other_words_once() {
        let cubes = [Cube::new(0b0011, 0b0001), Cube::new(0b0110, 0b0110), Cube::new(0b1111, 0)];
        let legal = complement(&cubes).unwrap();
        for word in 0..16 {
            let count = legal.iter().filter(|cube| cube.contains(word)).count();
            let is_illegal = cubes.iter().any(|cube| cube.contains(word));
            assert_eq!(count, usize::from(!is_illegal), "{word:04b}");
        }
    }
}
