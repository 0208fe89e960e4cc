//! Determines which words of a row are printed as which of its aliases.

use isa_core::table::{Cube, Opcode};

use super::disjoint_words::{MOST, legal};
use crate::masked_patterns::{both, is_inside, meet, numbers, without};

/// The maximum number of bits that are tried to find the words for which an alias is printed.
const DECIDING: usize = 18;

/// Returns the printed aliases of a row and their words as patterns, or `None` if there are too many
/// patterns. If `own` contains the patterns of the row, each result is inside of one of these patterns.
/// If two results share words, one of them is inside the other and has precedence.
pub(super) fn aliases(
    row: &'static Opcode,
    own: Option<&[Cube]>,
) -> Vec<(&'static Opcode, Option<Vec<Cube>>)> {
    let mut all: Vec<(&'static Opcode, Option<Vec<Cube>>)> = Vec::new();
    for alias in row.aliases.iter().filter(|alias| alias.printed) {
        let earlier: Vec<Cube> =
            all.iter().filter_map(|(_, cubes)| cubes.as_ref()).flatten().copied().collect();
        let cubes = legal(alias.row).and_then(|cubes| printed(row, alias.row, &cubes));
        let cubes = cubes.map(|cubes| within(&cubes, own)).and_then(|cubes| {
            let mut rest = Vec::new();
            for cube in cubes {
                let crossing = |other: &&Cube| {
                    meet(**other, cube) && (!is_inside(**other, cube) || is_inside(cube, **other))
                };
                let others: Vec<Cube> = earlier.iter().filter(crossing).copied().collect();
                rest.extend(without(cube, &others));
            }
            (rest.len() <= MOST).then_some(rest)
        });
        all.push((alias.row, cubes));
    }
    all
}

/// Splits patterns so that each part is inside of one of `others`.
fn within(cubes: &[Cube], others: Option<&[Cube]>) -> Vec<Cube> {
    let Some(others) = others else { return cubes.to_vec() };
    let cut = |cube: &Cube| {
        let cube = *cube;
        others.iter().filter(move |other| meet(cube, **other)).map(move |other| both(cube, *other))
    };
    cubes.iter().flat_map(cut).collect()
}

/// Returns the valid words of an alias that are printed as this alias or as an earlier one. Words whose
/// text is parsed as another instruction are excluded. Such words are found by trials.
fn printed(row: &'static Opcode, alias: &'static Opcode, legal: &[Cube]) -> Option<Vec<Cube>> {
    let is_plain = |word: u128| std::ptr::eq(row.spelling(word), row);
    let mut random = RandomWords(0x9e37_79b9_7f4a_7c15);
    let samples: Vec<u128> = legal
        .iter()
        .flat_map(|cube| (0..(4096 / legal.len()).max(4)).map(|_| *cube).collect::<Vec<_>>())
        .map(|cube| random.word(alias) & !cube.mask | cube.value)
        .collect();
    if !samples.iter().any(|word| is_plain(*word)) {
        return Some(legal.to_vec());
    }
    let free =
        legal.iter().fold(0, |free, cube| free | !cube.mask) & u128::MAX >> (128 - alias.bits);
    let is_legal = |word: u128| legal.iter().any(|cube| cube.contains(word));
    let decides = |bit: &u128| {
        samples.iter().any(|word| is_legal(word ^ bit) && is_plain(*word) != is_plain(word ^ bit))
    };
    let all = (0..128).map(|bit| 1u128 << bit).filter(|bit| free & bit != 0);
    let deciding: Vec<u128> = all.filter(decides).collect();
    if deciding.len() > DECIDING {
        return None;
    }
    let spread = |number: u128| -> u128 {
        let bits = deciding.iter().enumerate().filter(|(place, _)| number >> place & 1 == 1);
        bits.fold(0, |word, (_, bit)| word | bit)
    };
    let mut result = Vec::new();
    for cube in legal {
        let fits = |number: usize| {
            let word = cube.value | spread(number as u128) & !cube.mask;
            spread(number as u128) & cube.mask == cube.value & spread(u128::MAX) & cube.mask
                && !is_plain(word)
        };
        for part in numbers(&fits, deciding.len() as u32) {
            result.push(both(*cube, Cube::new(spread(part.mask), spread(part.value))));
        }
        if result.len() > MOST {
            return None;
        }
    }
    let right = |word: &&u128| is_plain(**word) != result.iter().any(|cube| cube.contains(**word));
    samples.iter().all(|word| right(&word)).then_some(result)
}

/// A generator of random words, which are the same in each call.
struct RandomWords(u64);

impl RandomWords {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a word in which fields often have boundary values.
    fn word(&mut self, row: &Opcode) -> u128 {
        let mut word = u128::from(self.bits()) << 64 | u128::from(self.bits());
        for field in row.fields {
            let all = u64::MAX >> (64 - field.width().clamp(1, 64));
            match self.bits() >> 32 & 7 {
                0 => word = field.set(word, 0),
                1 => word = field.set(word, all),
                2 => word = field.set(word, 1),
                _ => {}
            }
        }
        word & u128::MAX >> (128 - row.bits)
    }
}
