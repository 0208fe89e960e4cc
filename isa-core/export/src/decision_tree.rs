//! Computes a decision tree that maps a word to its possible opcodes.

use isa_core::table::{Cube, Piece};

/// A node of the tree.
#[derive(Debug)]
pub(crate) enum DecisionTree {
    /// The indexes of the remaining opcodes.
    Candidates(Vec<usize>),
    /// Selects a node by the value of some bits. The values are in ascending order. A word with any
    /// other value is invalid.
    Switch(Piece, Vec<(u64, DecisionTree)>),
}

/// The maximum number of bits in a node.
const WIDEST: u8 = 10;

impl DecisionTree {
    /// Returns the tree for opcodes that have the fixed bits in `plain`.
    pub(crate) fn of(plain: &[Cube]) -> Self {
        let all: Vec<usize> = (0..plain.len()).collect();
        DecisionTree::among(&all, plain)
    }

    fn among(own: &[usize], plain: &[Cube]) -> Self {
        let common = own.iter().fold(u128::MAX, |mask, &number| mask & plain[number].mask);
        let first = own.first().map_or(0, |&number| plain[number].value);
        let differ =
            own.iter().fold(0, |bits, &number| bits | plain[number].value ^ first) & common;
        let values = |piece: &Piece| {
            let mut values: Vec<u64> =
                own.iter().map(|&number| value(*piece, plain[number].value)).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let pieces = runs(differ);
        let Some(piece) = pieces.into_iter().max_by_key(|piece| values(piece).len()) else {
            return DecisionTree::Candidates(own.to_vec());
        };
        let arms = values(&piece).into_iter().map(|number| {
            let with = |&&opcode: &&usize| value(piece, plain[opcode].value) == number;
            let own: Vec<usize> = own.iter().filter(with).copied().collect();
            (number, DecisionTree::among(&own, plain))
        });
        DecisionTree::Switch(piece, arms.collect())
    }
}

fn value(piece: Piece, word: u128) -> u64 {
    (word >> piece.position) as u64 & ((1 << piece.width) - 1)
}

/// Returns the runs of bits in a mask. Each run is in one half of a word, and is narrow enough for a
/// `switch`.
fn runs(mask: u128) -> Vec<Piece> {
    let mut runs: Vec<Piece> = Vec::new();
    for position in (0..128).filter(|position| mask >> position & 1 == 1) {
        match runs.last_mut() {
            Some(last)
                if last.position + last.width == position
                    && last.width < WIDEST
                    && position != 64 =>
            {
                last.width += 1;
            }
            _ => runs.push(Piece { position, width: 1 }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_opcode_is_found_by_its_bits() {
        let plain = [(0x3, 0x0), (0x7, 0x1), (0x7, 0x5), (0xf0f, 0x703), (0xf0f, 0x903)];
        let plain = plain.map(|(mask, value)| Cube { mask, value });
        let tree = DecisionTree::of(&plain);
        for (number, cube) in plain.iter().enumerate() {
            let mut at = &tree;
            while let DecisionTree::Switch(piece, arms) = at {
                let value = value(*piece, cube.value);
                at = &arms.iter().find(|(arm, _)| *arm == value).unwrap().1;
            }
            assert!(matches!(at, DecisionTree::Candidates(own) if *own == [number]), "{at:?}");
        }
    }

    #[test]
    fn no_run_is_in_both_halves() {
        let piece = |position, width| Piece { position, width };
        assert_eq!(runs(0b111 << 62), [piece(62, 2), piece(64, 1)]);
        assert_eq!(runs(0xfff), [piece(0, 10), piece(10, 2)]);
    }
}
