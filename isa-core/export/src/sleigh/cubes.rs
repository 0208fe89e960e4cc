//! Computes the valid words of a row as disjoint masked patterns.

use std::collections::BTreeMap;

use isa_core::table::{ConditionCase, Cube, Field, FunctionResult, Opcode, Piece, TruthTable};

/// The maximum number of patterns for one condition.
pub(super) const MOST: usize = 4096;

/// A condition that shares no bits with the other conditions: the accepted words as disjoint patterns,
/// or `None` if there are too many patterns.
pub(super) type Condition = Option<Vec<Cube>>;

/// Returns the conditions that the fields and exceptions of a row impose on a word with its fixed
/// bits.
pub(super) fn conditions(row: &Opcode) -> Vec<Condition> {
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
pub(super) fn legal(row: &Opcode) -> Option<Vec<Cube>> {
    let fixed = fixed(row);
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

/// Returns the bits that are the same in all valid words of a row, including the unused bits.
pub(super) const fn fixed(row: &Opcode) -> Cube {
    Cube::new(row.fixed.mask | row.unused, row.fixed.value)
}

/// Returns the intersection of two patterns, which must agree in the bits of both masks.
pub(super) const fn both(a: Cube, b: Cube) -> Cube {
    Cube::new(a.mask | b.mask, a.value | b.value)
}

/// Returns whether two patterns share a word.
pub(super) const fn meet(a: Cube, b: Cube) -> bool {
    (a.value ^ b.value) & a.mask & b.mask == 0
}

/// Returns whether all words of `inner` match `outer`.
pub(super) const fn is_inside(inner: Cube, outer: Cube) -> bool {
    meet(inner, outer) && outer.mask & !inner.mask == 0
}

/// Returns the words of a pattern that match none of `others`, as disjoint patterns.
pub(super) fn without(cube: Cube, others: &[Cube]) -> Vec<Cube> {
    let Some((other, rest)) = others.split_first() else { return vec![cube] };
    if !meet(cube, *other) {
        return without(cube, rest);
    }
    let (mut inner, mut all) = (cube, Vec::new());
    for bit in (0..128).map(|bit| 1u128 << bit).filter(|bit| other.mask & !cube.mask & bit != 0) {
        let value = other.value & bit;
        all.extend(without(Cube::new(inner.mask | bit, inner.value | value ^ bit), rest));
        inner = Cube::new(inner.mask | bit, inner.value | value);
    }
    all
}

/// Returns the invalid words that have the fixed bits of a row. The patterns do not contain the fixed
/// bits.
fn illegal(row: &Opcode) -> Option<Vec<Cube>> {
    let fixed = fixed(row);
    let reserved = row
        .fields
        .iter()
        .flat_map(|field| field.kind.reserved.iter().map(move |cube| spread(field.pieces, *cube)));
    let mut all: Vec<Cube> = reserved.collect();
    for exception in row.exceptions {
        all.extend(exception.cubes);
        for case in exception.cases {
            all.extend(of_case(case)?);
        }
    }
    let fitting = all.into_iter().filter(|cube| meet(*cube, fixed));
    let mut rest: Vec<Cube> =
        fitting.map(|cube| Cube::new(cube.mask & !fixed.mask, cube.value & !fixed.mask)).collect();
    rest.sort_by_key(|cube| (cube.mask, cube.value));
    rest.dedup();
    Some(rest)
}

/// Converts a pattern of a field's value to a pattern of the word.
fn spread(pieces: &[Piece], cube: Cube) -> Cube {
    let spread = |value: u128| isa_core::table::insert(pieces, 0, value as u64);
    Cube::new(spread(cube.mask), spread(cube.value))
}

/// Returns the words of a case.
pub(super) fn of_case(case: &ConditionCase) -> Option<Vec<Cube>> {
    let mut all = case.cubes.to_vec();
    for FunctionResult { map, said, .. } in case.when {
        let said = of_map(map, *said);
        let pairs = all.iter().flat_map(|a| said.iter().map(move |b| (*a, *b)));
        all = pairs.filter(|(a, b)| meet(*a, *b)).map(|(a, b)| both(a, b)).collect();
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// Returns the words for which a map contains the value `said`.
fn of_map(map: &TruthTable, said: bool) -> Vec<Cube> {
    let width: u32 = map.pieces().iter().map(|piece| u32::from(piece.width)).sum();
    let is_in = |number: usize| {
        map.values().get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1) == said
    };
    let numbers = of_numbers(&is_in, 0, width);
    numbers.into_iter().map(|cube| spread(map.pieces(), cube)).collect()
}

/// Returns the numbers of `width` bits that are in a set.
pub(super) fn numbers(is_in: &impl Fn(usize) -> bool, width: u32) -> Vec<Cube> {
    of_numbers(is_in, 0, width)
}

/// Returns the numbers for which `is_in` is true, and which have the high bits `high` and any
/// `width` low bits.
fn of_numbers(is_in: &impl Fn(usize) -> bool, high: usize, width: u32) -> Vec<Cube> {
    let Some(rest) = width.checked_sub(1) else {
        return if is_in(high) { vec![Cube::new(0, 0)] } else { Vec::new() };
    };
    let zero = of_numbers(is_in, high, rest);
    let one = of_numbers(is_in, high | 1 << rest, rest);
    merged(zero, one, 1 << rest)
}

/// Combines the patterns for both values of a bit. Patterns that are in both lists do not include
/// the bit.
fn merged(zero: Vec<Cube>, one: Vec<Cube>, bit: u128) -> Vec<Cube> {
    let (common, ones): (Vec<_>, Vec<_>) = one.into_iter().partition(|cube| zero.contains(cube));
    let zeros = zero.into_iter().filter(|cube| !common.contains(cube));
    let mut all: Vec<Cube> = zeros.map(|c| Cube::new(c.mask | bit, c.value)).collect();
    all.extend(ones.into_iter().map(|c| Cube::new(c.mask | bit, c.value | bit)));
    all.extend(common);
    all
}

/// Returns the words that match none of the patterns, as disjoint patterns.
fn complement(cubes: &[Cube]) -> Condition {
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
    let half = |value: u128| -> Condition {
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
    let fixed = fixed(row);
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

    #[test]
    fn words_are_taken_out_of_a_cube() {
        let cube = Cube::new(0b1000, 0b1000);
        let others = [Cube::new(0b0011, 0b0001), Cube::new(0b1100, 0), Cube::new(0b0110, 0b0100)];
        let rest = without(cube, &others);
        for word in 0..16 {
            let count = rest.iter().filter(|cube| cube.contains(word)).count();
            let is_left = cube.contains(word) && !others.iter().any(|cube| cube.contains(word));
            assert_eq!(count, usize::from(is_left), "{word:04b}");
        }
    }

    #[test]
    fn a_function_becomes_cubes() {
        static PIECES: [Piece; 2] =
            [Piece { position: 9, width: 2 }, Piece { position: 4, width: 2 }];
        // The numbers 0b0100 to 0b0111, and 15.
        static VALUES: [u8; 2] = [0xf0, 0x80];
        let map = TruthTable::new(&PIECES, &VALUES);
        for said in [true, false] {
            let cubes = of_map(&map, said);
            for word in 0..1 << 12 {
                let is_in = cubes.iter().filter(|cube| cube.contains(word)).count();
                assert_eq!(is_in, usize::from(map.contains(word) == said), "{word:#x}");
            }
        }
        assert_eq!(of_map(&map, true).len(), 2);
    }
}
