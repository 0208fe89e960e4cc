//! Compares sets with an enumeration of all words of a few bits.

use super::*;

/// A deterministic generator of random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// The bits that the tests use, unordered and far from each other.
const BITS: [u8; 7] = [5, 0, 127, 3, 64, 9, 63];

/// Returns all words of these bits.
fn all() -> impl Iterator<Item = u128> {
    (0..1u128 << BITS.len()).map(|number| {
        let bits = BITS.iter().enumerate();
        bits.fold(0, |word, (place, bit)| word | (number >> place & 1) << bit)
    })
}

/// Generates a random set, as a BDD and as the list of its words.
fn some(numbers: &mut Numbers, sets: &mut Diagrams, depth: u32) -> (WordSet, Vec<u128>) {
    let of = |holds: &dyn Fn(u128) -> bool| all().filter(|word| holds(*word)).collect();
    if depth == 0 {
        let [mask, value] = [0; 2].map(|_| {
            BITS.iter().fold(0u128, |mask, bit| mask | u128::from(numbers.below(2)) << bit)
        });
        let mask = mask & (value | u128::from(numbers.below(2)).wrapping_neg());
        return (sets.cube(mask, value & mask), of(&|word| word & mask == value & mask));
    }
    let (a, of_a) = some(numbers, sets, depth - 1);
    let (b, of_b) = some(numbers, sets, depth - 1);
    let (has_a, has_b) = (|word| of_a.contains(&word), |word| of_b.contains(&word));
    match numbers.below(6) {
        0 => (sets.and(a, b), of(&|word| has_a(word) && has_b(word))),
        1 => (sets.or(a, b), of(&|word| has_a(word) || has_b(word))),
        2 => (sets.without(a, b), of(&|word| has_a(word) && !has_b(word))),
        3 => (sets.same(a, b), of(&|word| has_a(word) == has_b(word))),
        4 => (sets.not(a), of(&|word| !has_a(word))),
        _ => {
            let mut bits = BITS.to_vec();
            bits.truncate(4);
            let under = bits.iter().fold(0, |mask, bit| mask | 1u128 << bit);
            let told = sets.told(&bits, &mut |word| has_a(word));
            (told, of(&|word| has_a(word & under)))
        }
    }
}

#[test]
fn random_sets_are_the_words_that_they_mean() {
    let numbers = &mut Numbers(0x2545_f491_4f6c_dd1d);
    for round in 0..400 {
        let order = BITS.into_iter().cycle().skip(round % 7).take(round % 8);
        let mut sets = if round % 3 == 0 { Diagrams::new() } else { Diagrams::asking(order) };
        let (set, words) = some(numbers, &mut sets, 4);
        let has = |cubes: &[(u128, u128)], word: u128| {
            cubes.iter().filter(|(mask, value)| word & mask == *value).count()
        };
        let cover = sets.cover(set, 1000).unwrap();
        let apart = sets.apart(set, 1000).unwrap();
        for word in all() {
            let is_in = words.contains(&word);
            assert_eq!(has(&cover, word) > 0, is_in, "{word:#x}");
            assert_eq!(has(&apart, word), usize::from(is_in), "{word:#x}");
            let near = sets.nearest(set, word);
            assert_eq!(near.is_some(), !words.is_empty());
            assert!(near.is_none_or(|near| words.contains(&near) && (near == word) == is_in));
        }
        // All other bits can have any value.
        let free = 128 - BITS.len() as u32;
        let count = Count::number(words.len()).times_power(free);
        assert_eq!(sets.count(set, 128), count);
        let low = words.iter().filter(|word| **word < 1 << 10).count();
        let low_set = sets.told(&[5, 0, 3, 9], &mut |word| words.contains(&word));
        assert_eq!(sets.count(low_set, 10), Count::number(low).times_power(6));
        // Equal sets have the same id, regardless of how they were computed.
        let again = sets.cubes(cover.iter().copied());
        assert_eq!(again, set);
        for left_out in 0..cover.len() {
            let rest = cover.iter().enumerate().filter(|(place, _)| *place != left_out);
            let rest = sets.cubes(rest.map(|(_, cube)| *cube));
            assert_ne!(rest, set, "a cube of the cover can be left out");
        }
    }
}

#[test]
fn too_many_nodes_are_noticed_at_once() {
    // Two equal numbers of 20 bits: in an unsuitable bit order, the BDD has a node for each value.
    let mut sets = Diagrams::asking(0..40).at_most(1 << 12);
    let mut all = WordSet::ALL;
    for bit in 0..20 {
        let [a, b] = [sets.bit(bit), sets.bit(bit + 20)];
        let same = sets.same(a, b);
        all = sets.and(all, same);
    }
    assert!(sets.is_full() && sets.nodes.len() <= 1 << 12);
    assert_eq!(sets.cover(all, 10), None);
    // If equal bits are adjacent in the order, the BDD has few nodes.
    let mut sets = Diagrams::asking((0..20).flat_map(|bit| [bit, bit + 20])).at_most(1 << 12);
    let pairs = (0..20).map(|bit| {
        let [a, b] = [sets.bit(bit), sets.bit(bit + 20)];
        sets.same(a, b)
    });
    let pairs = pairs.collect();
    let all = sets.all(pairs);
    assert!(!sets.is_full());
    assert_eq!(sets.count(all, 40), Count::power(20));
}

#[test]
fn rows_of_a_picture_have_every_bit_once_with_the_field_that_has_it() {
    use crate::picture::{Cell, PictureField, rows};

    let numbers = &mut Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..400 {
        let bits = 1 + numbers.below(128) as u8;
        let columns = 1 + numbers.below(40) as u8;
        let mut fields = Vec::new();
        for _ in 0..numbers.below(6) {
            let is_fixed = numbers.below(2) == 0;
            let pieces =
                (0..numbers.below(4)).map(|_| (numbers.below(128) as u8, numbers.below(20) as u8));
            fields.push(PictureField { name: "", is_fixed, pieces: pieces.collect() });
        }
        let has = |&(low, width): &(u8, u8), bit: u8| bit >= low && bit - low < width;
        // The bits of fixed fields, and some more bits.
        let more = u128::from(numbers.below(1 << 32)) << numbers.below(97);
        let fixed = (0..bits).fold(more, |fixed, bit| {
            let held = |field: &&PictureField<'_>| field.pieces.iter().any(|piece| has(piece, bit));
            let held = fields.iter().filter(|field| field.is_fixed).any(|field| held(&field));
            fixed | u128::from(held) << bit
        });
        let owner = |bit: u8| {
            let is_fixed = fixed >> bit & 1 == 1;
            let all = fields.iter().enumerate().filter_map(|(index, field)| {
                let piece = field.pieces.iter().position(|piece| has(piece, bit))?;
                Some((field.is_fixed != is_fixed, index, piece))
            });
            (all.min().map(|(_, index, piece)| (index, piece)), is_fixed)
        };
        let drawn = rows(bits, columns, fixed, &fields);
        let mut next = i32::from(bits) - 1;
        for (place, row) in drawn.iter().rev().enumerate() {
            let first = row.first().expect("a row has bits");
            let [low, high] = [place, place + 1].map(|row| row * usize::from(columns));
            assert_eq!(usize::from(row[row.len() - 1].low), low, "round {round}");
            assert_eq!(usize::from(first.high), high.min(bits.into()) - 1, "round {round}");
        }
        for &Cell { high, low, field, is_fixed } in drawn.iter().flatten() {
            assert_eq!(i32::from(high), next, "round {round}");
            next = i32::from(low) - 1;
            for bit in low..=high {
                assert_eq!(owner(bit), (field, is_fixed), "round {round}, bit {bit}");
            }
        }
        assert_eq!(next, -1, "round {round}");
        for pair in drawn.iter().flat_map(|row| row.windows(2)) {
            let [a, b] = [pair[0], pair[1]].map(|cell| (cell.field, cell.is_fixed));
            assert_ne!(a, b, "round {round}: cells that are one");
        }
    }
}

#[test]
fn what_belongs_together_has_one_colour() {
    use crate::picture::{PictureField, colours};

    let field = |(name, is_fixed)| PictureField { name, is_fixed, pieces: Vec::new() };
    let fields = [("op", true), ("ra", false), ("rb.neg", false), ("ra.neg", false), ("rb", false)];
    assert_eq!(colours(&fields.map(field)), [0, 0, 1, 0, 1]);
}
