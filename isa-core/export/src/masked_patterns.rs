//! Operations on masked patterns: sets of words whose bits under a mask have given values.

use isa_core::table::{Cube, Piece, TruthTable, insert};

/// Returns the intersection of two patterns, which must agree in the bits of both masks.
pub(crate) const fn both(a: Cube, b: Cube) -> Cube {
    Cube::new(a.mask | b.mask, a.value | b.value)
}

/// Returns whether two patterns share a word.
pub(crate) const fn meet(a: Cube, b: Cube) -> bool {
    (a.value ^ b.value) & a.mask & b.mask == 0
}

/// Returns whether all words of `inner` match `outer`.
pub(crate) const fn is_inside(inner: Cube, outer: Cube) -> bool {
    meet(inner, outer) && outer.mask & !inner.mask == 0
}

/// Returns the words of a pattern that match none of `others`, as disjoint patterns.
pub(crate) fn without(cube: Cube, others: &[Cube]) -> Vec<Cube> {
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

/// Returns the words that match both patterns, or `None` if there are none.
pub(crate) fn intersection(a: Cube, b: Cube) -> Option<Cube> {
    meet(a, b).then(|| both(a, b))
}

/// Converts a pattern of a field's value to a pattern of the word.
pub(crate) fn spread(pieces: &[Piece], cube: Cube) -> Cube {
    let spread = |value: u128| insert(pieces, 0, value as u64);
    Cube::new(spread(cube.mask), spread(cube.value))
}

/// Returns the words of some patterns for which all functions in `when` return the given results.
/// Returns `None` if more than `most` patterns are needed.
pub(crate) fn with_results(
    cubes: &[Cube],
    when: impl Iterator<Item = (TruthTable, bool)>,
    most: usize,
) -> Option<Vec<Cube>> {
    let mut all = cubes.to_vec();
    for (map, result) in when {
        let words = of_map(&map, result);
        let pairs = all.iter().flat_map(|a| words.iter().filter_map(|b| intersection(*a, *b)));
        all = pairs.take(most + 1).collect();
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// Returns the words for which a map contains the value `said`.
pub(crate) fn of_map(map: &TruthTable, said: bool) -> Vec<Cube> {
    let width: u32 = map.pieces().iter().map(|piece| u32::from(piece.width)).sum();
    let is_in = |number: usize| {
        map.values().get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1) == said
    };
    let numbers = of_numbers(&is_in, 0, width);
    numbers.into_iter().map(|cube| spread(map.pieces(), cube)).collect()
}

/// Returns the numbers of `width` bits that are in a set.
pub(crate) fn numbers(is_in: &impl Fn(usize) -> bool, width: u32) -> Vec<Cube> {
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
pub(crate) fn merged(zero: Vec<Cube>, one: Vec<Cube>, bit: u128) -> Vec<Cube> {
    let (common, ones): (Vec<_>, Vec<_>) = one.into_iter().partition(|cube| zero.contains(cube));
    let zeros = zero.into_iter().filter(|cube| !common.contains(cube));
    let mut all: Vec<Cube> = zeros.map(|c| Cube::new(c.mask | bit, c.value)).collect();
    all.extend(ones.into_iter().map(|c| Cube::new(c.mask | bit, c.value | bit)));
    all.extend(common);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn cubes_cover_what_a_table_says() {
        for seed in 0..200_u64 {
            let values: Vec<bool> = (0..16).map(|n| (seed * 0x9e37_79b9) >> n & 1 == 1).collect();
            let cubes = numbers(&|number| values[number], 4);
            for (number, value) in values.iter().enumerate() {
                let has = |cube: &Cube| cube.contains(number as u128);
                assert_eq!(cubes.iter().any(has), *value, "{number} of {seed}");
            }
        }
    }
}
