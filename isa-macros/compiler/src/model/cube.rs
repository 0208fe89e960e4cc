//! Sets of words as unions of cubes (masked patterns), and the operations on them that the checks
//! need.
//!
//! `and`, `or` and `not` of conditions are intersection, union and complement, so each question has
//! an exact answer. For example, two opcodes overlap if the intersection of their identities,
//! without the invalid cubes of both, contains a word. The search for it returns the word that the
//! message shows. A shorter word that is the start of a longer one overlaps with it, because a
//! decoder could not distinguish them in a stream.

use super::index::Index;

/// The words whose bits under `mask` equal `value`. All bits of `value` are under `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cube {
    pub(crate) mask: u128,
    pub(crate) value: u128,
}

impl Cube {
    /// Every word.
    pub(crate) const ALL: Cube = Cube { mask: 0, value: 0 };

    /// Returns the words in both cubes, or `None` if they have no common word.
    pub(crate) fn and(self, other: Cube) -> Option<Cube> {
        let differ = (self.value ^ other.value) & self.mask & other.mask;
        let both = Cube { mask: self.mask | other.mask, value: self.value | other.value };
        (differ == 0).then_some(both)
    }

    /// Returns whether every word of `other` is in this cube.
    pub(crate) fn covers(self, other: Cube) -> bool {
        self.mask & !other.mask == 0 && (self.value ^ other.value) & self.mask == 0
    }

    /// Returns the words of the cube with `value` in the bits of `mask`. The cube must not fix
    /// these bits.
    pub(crate) fn with(self, mask: u128, value: u128) -> Cube {
        Cube { mask: self.mask | mask, value: self.value | value }
    }

    /// Returns the words of the cube as numbers, with 0 in all bits above the lowest `bits`.
    pub(crate) const fn as_numbers(self, bits: u8) -> Cube {
        let above = u128::MAX.unbounded_shl(bits as u32);
        Cube { mask: self.mask | above, value: self.value }
    }

    /// Moves each bit up by `by` positions. The lowest `by` bits of the result are free.
    pub(crate) const fn lifted(self, by: u8) -> Cube {
        Cube { mask: self.mask << by, value: self.value << by }
    }

    /// Moves each bit down by `by` positions, and drops the lowest `by` bits.
    pub(crate) const fn lowered(self, by: u8) -> Cube {
        Cube { mask: self.mask >> by, value: self.value >> by }
    }

    /// Returns the words outside the cube, as disjoint cubes.
    pub(crate) fn complement(self) -> Vec<Cube> {
        let mut outside = Vec::new();
        let mut kept = Cube::ALL;
        for bit in bits(self.mask) {
            let value = self.value & bit;
            outside.push(Cube { mask: kept.mask | bit, value: kept.value | (value ^ bit) });
            kept = Cube { mask: kept.mask | bit, value: kept.value | value };
        }
        outside
    }
}

/// Returns the single bits of a mask, lowest first.
pub(super) fn bits(mask: u128) -> impl Iterator<Item = u128> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let bit = rest & rest.wrapping_neg();
        rest ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// Returns the words in both unions.
pub(crate) fn intersect(a: &[Cube], b: &[Cube]) -> Vec<Cube> {
    let mut both: Vec<Cube> = a.iter().flat_map(|x| b.iter().filter_map(|y| x.and(*y))).collect();
    simplify(&mut both);
    both
}

/// Removes cubes that another cube covers, and sorts the remaining cubes.
pub(crate) fn simplify(union: &mut Vec<Cube>) {
    union.sort_unstable_by_key(|cube| (cube.mask.count_ones(), *cube));
    union.dedup();
    let index = Index::new(union);
    let mut place = 0..;
    union.retain(|cube| place.next().is_some_and(|place| !index.covers(*cube, place)));
}

/// Returns the numbers of `width` bits that are not in `values`, as cubes over the number's bits.
pub(crate) fn missing_values(width: u8, values: &[u64]) -> Vec<Cube> {
    let mut sorted: Vec<u128> = values.iter().map(|&value| value.into()).collect();
    sorted.sort_unstable();
    let mut missing = Vec::new();
    split_missing(Cube::ALL, width, &sorted, &mut missing);
    missing
}

/// Divides the numbers by their highest free bit until a half contains no value or only values.
fn split_missing(half: Cube, free_bits: u8, values: &[u128], missing: &mut Vec<Cube>) {
    if values.is_empty() {
        missing.push(half);
    } else if free_bits > 0 && (values.len() as u128) < (1 << free_bits) {
        let bit = 1 << (free_bits - 1);
        let (low, high) = values.split_at(values.partition_point(|value| value & bit == 0));
        let mask = half.mask | bit;
        split_missing(Cube { mask, value: half.value }, free_bits - 1, low, missing);
        split_missing(Cube { mask, value: half.value | bit }, free_bits - 1, high, missing);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn cube(pattern: &str) -> Cube {
        pattern.chars().fold(Cube::ALL, |cube, c| Cube {
            mask: cube.mask << 1 | u128::from(c != 'x'),
            value: cube.value << 1 | u128::from(c == '1'),
        })
    }

    fn members(union: &[Cube], width: u32) -> Vec<u128> {
        (0..1 << width).filter(|w| union.iter().any(|c| w & c.mask == c.value)).collect()
    }

    #[test]
    fn complements_are_exact() {
        for pattern in ["1xx0", "x10x", "0110", "xxxx"] {
            let inside = members(&[cube(pattern)], 4);
            let outside = members(&cube(pattern).complement(), 4);
            assert_eq!(inside.len() + outside.len(), 16, "{pattern}");
            assert!(inside.iter().all(|word| !outside.contains(word)), "{pattern}");
        }
    }

    #[test]
    fn missing_values_are_exactly_the_others() {
        for values in [vec![0, 2, 3], vec![], vec![7], (1..15).collect(), (0..16).collect()] {
            let missing = members(&missing_values(4, &values), 4);
            let expected: Vec<u128> = (0..16).filter(|v| !values.contains(&(*v as u64))).collect();
            assert_eq!(missing, expected, "{values:?}");
        }
    }

    #[test]
    fn disjoint_patterns_without_a_common_bit_are_disjoint() {
        let set = [cube("10x"), cube("x10"), cube("0x1")];
        for (i, a) in set.iter().enumerate() {
            assert!(set[i + 1..].iter().all(|b| a.and(*b).is_none()));
        }
    }
}
