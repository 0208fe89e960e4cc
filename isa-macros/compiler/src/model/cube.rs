//! Sets of words as unions of cubes (masked patterns), and the operations on them that the checks
//! need.
//!
//! `and`, `or` and `not` of conditions are intersection, union and complement, so each question has
//! an exact answer. For example, two opcodes overlap if the intersection of their identities,
//! without the invalid cubes of both, contains a word. The search for it returns the word that the
//! message shows. A shorter word that is the start of a longer one overlaps with it, because a
//! decoder could not distinguish them in a stream.

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
pub(crate) fn bits(mask: u128) -> impl Iterator<Item = u128> {
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
    let index = CubeIndex::new(union);
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

/// A list with at most this many cubes is not divided further; its cubes are examined one by one.
const FEW: usize = 8;

/// A list of cubes. Each entry contains the index of the cube in the original list.
#[derive(Debug)]
pub(crate) enum CubeIndex {
    Few(Vec<(usize, Cube)>),
    /// A bit, and the cubes that fix it to 0, the cubes that fix it to 1, and the cubes that leave
    /// it open.
    Split(u128, Box<[CubeIndex; 3]>),
}

impl CubeIndex {
    pub(crate) fn new(cubes: &[Cube]) -> Self {
        CubeIndex::of(cubes.iter().copied().enumerate().collect())
    }

    fn of(cubes: Vec<(usize, Cube)>) -> Self {
        let Some(bit) = dividing(&cubes) else { return CubeIndex::Few(cubes) };
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        for (place, cube) in cubes {
            let part = match (cube.mask & bit, cube.value & bit) {
                (0, _) => 2,
                (_, 0) => 0,
                _ => 1,
            };
            parts[part].push((place, cube));
        }
        CubeIndex::Split(bit, Box::new(parts.map(CubeIndex::of)))
    }

    /// Returns the indexes of the cubes that have a word in common with `cube`, in ascending order.
    pub(crate) fn meeting(&self, cube: Cube) -> Vec<usize> {
        let mut found = Vec::new();
        self.meet(cube, &mut found);
        found.sort_unstable();
        found
    }

    fn meet(&self, cube: Cube, found: &mut Vec<usize>) {
        match self {
            CubeIndex::Few(cubes) => {
                let meeting = cubes.iter().filter(|(_, other)| other.and(cube).is_some());
                found.extend(meeting.map(|(place, _)| *place));
            }
            CubeIndex::Split(bit, parts) => {
                let [zero, one, open] = &**parts;
                if cube.mask & bit == 0 || cube.value & bit == 0 {
                    zero.meet(cube, found);
                }
                if cube.mask & bit == 0 || cube.value & bit != 0 {
                    one.meet(cube, found);
                }
                open.meet(cube, found);
            }
        }
    }

    /// Returns whether a cube other than the one at `place` contains all words of `cube`.
    pub(super) fn covers(&self, cube: Cube, place: usize) -> bool {
        match self {
            CubeIndex::Few(cubes) => {
                cubes.iter().any(|(other, known)| *other != place && known.covers(cube))
            }
            CubeIndex::Split(bit, parts) => {
                let [zero, one, open] = &**parts;
                let side = if cube.value & bit == 0 { zero } else { one };
                cube.mask & bit != 0 && side.covers(cube, place) || open.covers(cube, place)
            }
        }
    }
}

/// Returns the bit that best divides the cubes, if there are more than a few.
fn dividing(cubes: &[(usize, Cube)]) -> Option<u128> {
    if cubes.len() <= FEW {
        return None;
    }
    let mut counts = [[0usize; 2]; 128];
    for (_, cube) in cubes {
        for bit in bits(cube.mask) {
            counts[bit.trailing_zeros() as usize][usize::from(cube.value & bit != 0)] += 1;
        }
    }
    let divided = |place: &usize| counts[*place][0] * counts[*place][1];
    let place = (0..128).max_by_key(divided)?;
    (divided(&place) > 0).then_some(1 << place)
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

#[cfg(test)]
mod index_tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_a_walk_over_all_finds() {
        let mut numbers = crate::tests::numbers();
        let mut next = || u128::from(numbers());
        let (mut meetings, mut covered) = (0, 0);
        for round in 0..60 {
            let cubes: Vec<Cube> = (0..round)
                .map(|_| {
                    let mask = next() & (next() | next()) & 0xfff;
                    Cube { mask, value: next() & mask }
                })
                .collect();
            let index = CubeIndex::new(&cubes);
            for (place, &cube) in cubes.iter().enumerate() {
                let meeting: Vec<usize> =
                    (0..cubes.len()).filter(|&other| cubes[other].and(cube).is_some()).collect();
                assert_eq!(index.meeting(cube), meeting, "{cube:?} in {cubes:?}");
                let covers = |other: &usize| *other != place && cubes[*other].covers(cube);
                let expected = (0..cubes.len()).any(|other| covers(&other));
                assert_eq!(index.covers(cube, place), expected, "{cube:?} in {cubes:?}");
                meetings += meeting.len();
                covered += usize::from(expected);
            }
        }
        assert!(meetings > 4_000 && covered > 100, "{meetings} {covered}");
    }

    #[test]
    fn what_differs_is_divided_until_few_are_left() {
        // The words in which each of four fields of eight bits is not 0.
        let outside = |field: u32| Cube { mask: 0xff << (8 * field), value: 0 }.complement();
        let all = (0..4).fold(vec![Cube::ALL], |all, field| {
            let both =
                |one: &Cube| outside(field).into_iter().filter_map(|cube| cube.and(*one)).collect();
            all.iter().flat_map(|one: &Cube| -> Vec<Cube> { both(one) }).collect()
        });
        assert_eq!(all.len(), 4096);
        fn most(index: &CubeIndex) -> usize {
            match index {
                CubeIndex::Few(cubes) => cubes.len(),
                CubeIndex::Split(_, parts) => parts.iter().map(most).max().unwrap_or(0),
            }
        }
        let index = CubeIndex::new(&all);
        assert!(most(&index) <= FEW, "{}", most(&index));
        for (place, cube) in all.iter().enumerate() {
            assert_eq!(index.meeting(*cube), [place]);
        }
    }
}
