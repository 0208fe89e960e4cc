//! An index of masked patterns (cubes). For a given pattern, it finds all patterns that intersect
//! it, and returns whether another pattern covers it.

use super::cube::{Cube, bits};

/// A list with at most this many cubes is not divided further; its cubes are examined one by one.
const FEW: usize = 8;

/// A list of cubes. Each entry contains the index of the cube in the original list.
#[derive(Debug)]
pub(crate) enum Index {
    Few(Vec<(usize, Cube)>),
    /// A bit, and the cubes that fix it to 0, the cubes that fix it to 1, and the cubes that leave
    /// it open.
    Split(u128, Box<[Index; 3]>),
}

impl Index {
    pub(crate) fn new(cubes: &[Cube]) -> Self {
        Index::of(cubes.iter().copied().enumerate().collect())
    }

    fn of(cubes: Vec<(usize, Cube)>) -> Self {
        let Some(bit) = dividing(&cubes) else { return Index::Few(cubes) };
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        for (place, cube) in cubes {
            let part = match (cube.mask & bit, cube.value & bit) {
                (0, _) => 2,
                (_, 0) => 0,
                _ => 1,
            };
            parts[part].push((place, cube));
        }
        Index::Split(bit, Box::new(parts.map(Index::of)))
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
            Index::Few(cubes) => {
                let meeting = cubes.iter().filter(|(_, other)| other.and(cube).is_some());
                found.extend(meeting.map(|(place, _)| *place));
            }
            Index::Split(bit, parts) => {
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
            Index::Few(cubes) => {
                cubes.iter().any(|(other, known)| *other != place && known.covers(cube))
            }
            Index::Split(bit, parts) => {
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
mod tests {
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
            let index = Index::new(&cubes);
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
        fn most(index: &Index) -> usize {
            match index {
                Index::Few(cubes) => cubes.len(),
                Index::Split(_, parts) => parts.iter().map(most).max().unwrap_or(0),
            }
        }
        let index = Index::new(&all);
        assert!(most(&index) <= FEW, "{}", most(&index));
        for (place, cube) in all.iter().enumerate() {
            assert_eq!(index.meeting(*cube), [place]);
        }
    }
}
