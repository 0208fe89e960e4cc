//! Computes multipliers that gather scattered bits of a word into the index of a table.

/// A run of bits: its position and its width.
pub(crate) type BitRun = (u8, u8);

/// The number of multipliers that are tried for each table size.
const TRIES: usize = 300;

/// The data of `isa_core::table::BitGather`. The masks select bits of the two halves of the word. The two
/// halves are combined, multiplied by `magic` and shifted right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gather {
    pub(crate) masks: [u64; 2],
    pub(crate) magic: u64,
    pub(crate) shift: u32,
}

impl Gather {
    /// Searches for a function that maps the values of the bits in `runs` to different table indexes.
    /// The table has at most twice as many entries as there are values. If there is only one run, its
    /// value is the index. Returns `None` if the search fails.
    pub(super) fn new(runs: &[BitRun]) -> Option<Gather> {
        let mut masks = [0; 2];
        for &(position, width) in runs {
            let mask = (u64::MAX >> (64 - width)) << (position % 64);
            if (masks[0] | masks[1]) & mask != 0 {
                return None;
            }
            masks[usize::from(position / 64)] |= mask;
        }
        let bits: u32 = runs.iter().map(|run| u32::from(run.1)).sum();
        match runs {
            [] => Some(Gather::NONE),
            [(position, width)] => {
                let turn = 64 - u32::from(position % 64) - u32::from(*width);
                Some(Gather { masks, magic: 1 << turn, shift: 64 - bits })
            }
            _ => (bits..=bits + 1).find_map(|places| {
                let shift = 64 - places;
                let all = multipliers(runs, shift).map(|magic| Gather { masks, magic, shift });
                all.take(TRIES).find(|gather| gather.tells_apart(runs))
            }),
        }
    }

    fn tells_apart(&self, runs: &[BitRun]) -> bool {
        let mut taken = vec![false; self.places()];
        let places = (0..count(runs)).map(|number| self.place(spread(runs, number)));
        places.into_iter().all(|place| !std::mem::replace(&mut taken[place], true))
    }

    /// Returns the number of table entries.
    pub(crate) fn places(&self) -> usize {
        1 << (64 - self.shift) >> usize::from(self.magic == 0)
    }

    /// The index function of a table with one entry. It uses no bits.
    pub(super) const NONE: Gather = Gather { masks: [0; 2], magic: 0, shift: 63 };

    /// Returns the index for a word.
    pub(super) fn number(&self, word: u128) -> usize {
        self.place([word as u64, (word >> 64) as u64])
    }

    /// Returns the index for the two halves of a word.
    fn place(&self, [low, high]: [u64; 2]) -> usize {
        let bits = low & self.masks[0] | high & self.masks[1];
        (bits.wrapping_mul(self.magic) >> self.shift) as usize
    }

    /// Rearranges items that are in the order of the runs' values, so that each is at the index of its
    /// value. The other indexes get the item `empty`.
    pub(super) fn arranged<T: Copy>(&self, runs: &[BitRun], items: &[T], empty: T) -> Vec<T> {
        let mut arranged = vec![empty; self.places()];
        for (number, item) in items.iter().enumerate() {
            arranged[self.place(spread(runs, number))] = *item;
        }
        arranged
    }
}

/// Returns the number of values that the bits in `runs` can have.
fn count(runs: &[BitRun]) -> usize {
    runs.iter().map(|run| 1 << run.1).product()
}

/// Returns a word in which the runs contain `number`. The first run contains the lowest bits of the
/// number.
fn spread(runs: &[BitRun], number: usize) -> [u64; 2] {
    let (mut halves, mut rest) = ([0; 2], number as u64);
    for &(position, width) in runs {
        let bits = rest & (u64::MAX >> (64 - width));
        halves[usize::from(position / 64)] |= bits << (position % 64);
        rest >>= width;
    }
    halves
}

/// Returns pseudo-random multipliers. Each multiplier moves every run of bits to a position in the
/// top bits of the product.
fn multipliers(runs: &[BitRun], shift: u32) -> impl Iterator<Item = u64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    };
    std::iter::repeat_with(move || {
        runs.iter().fold(0, |magic: u64, &(position, width)| {
            let target = shift + random(64 - shift - u32::from(width) + 1);
            let turn = target.saturating_sub(u32::from(position % 64));
            magic.wrapping_add(1 << turn)
        })
    })
}

/// Returns the runs of bits of a mask, the lowest first.
pub(super) fn runs(mut mask: u128) -> Vec<BitRun> {
    let mut runs = Vec::new();
    while mask != 0 {
        let position = mask.trailing_zeros();
        let width = (mask >> position).trailing_ones();
        runs.push((position as u8, width as u8));
        mask &= !((u128::MAX >> (128 - width)) << position);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{Gather, count, spread};

    #[test]
    fn values_of_one_run_are_their_numbers() {
        for (position, width) in [(0, 8), (56, 8), (64, 1), (127, 1), (90, 5)] {
            let gather = Gather::new(&[(position, width)]).unwrap();
            for number in 0..1 << width {
                assert_eq!(gather.place(spread(&[(position, width)], number)), number);
            }
        }
        assert_eq!(Gather::new(&[]).unwrap().place([u64::MAX; 2]), 0);
    }

    #[test]
    fn values_of_several_runs_are_told_apart() {
        // The modifiers of rounded arithmetic, and the operators of two operands.
        for runs in
            [&[(76, 4), (91, 1), (94, 1)][..], &[(73, 1), (80, 2), (96, 2)], &[(8, 2), (76, 3)]]
        {
            let gather = Gather::new(runs).unwrap();
            let numbers: Vec<usize> = (0..count(runs)).collect();
            let arranged = gather.arranged(runs, &numbers, usize::MAX);
            for number in numbers {
                assert_eq!(arranged[gather.place(spread(runs, number))], number);
            }
        }
        assert!(Gather::new(&[(3, 2), (68, 1)]).is_none(), "the halves lie over one another");
    }
}
