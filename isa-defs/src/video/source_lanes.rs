//! Functions that return the lanes that a video instruction reads from its sources, as bit sets:
//! bit i is lane i.

/// Returns the lanes of one source that `asel` or `bsel` choose for a lane in `mask`. Each source
/// has `count` lanes, and the lanes of this source begin at `first` in the pool. A chosen lane is
/// ignored if its result is not in the mask, because that result is dropped.
const fn fed(count: u64, first: u64, asel: u64, bsel: u64, mask: u64) -> u64 {
    let (pool, digit) = (2 * count, (2 * count).trailing_zeros());
    let (mut lanes, mut place) = (0, 0);
    while place < count {
        let shift = digit * place as u32;
        // A lane of the other source gets an index of at least `count`, and the last line removes
        // it.
        let chosen = 1 << ((asel >> shift).wrapping_sub(first) & (pool - 1))
            | 1 << ((bsel >> shift).wrapping_sub(first) & (pool - 1));
        lanes |= if mask >> place & 1 == 1 { chosen } else { 0 };
        place += 1;
    }
    lanes & ((1 << count) - 1)
}

/// Returns the lanes of `c` that are merged into the destination, or all lanes if `c` is added.
const fn rest(count: u64, mask: u64, add: u64) -> u64 {
    let all = (1 << count) - 1;
    if add == 1 { all } else { all & !mask }
}

/// Returns the half-words of `a` that affect a result, given both selectors and the mask.
#[must_use]
pub const fn a_halves(asel: u64, bsel: u64, mask: u64) -> u64 {
    fed(2, 0, asel, bsel, mask)
}

/// Returns the half-words of `b` that affect a result, given both selectors and the mask.
#[must_use]
pub const fn b_halves(asel: u64, bsel: u64, mask: u64) -> u64 {
    fed(2, 2, asel, bsel, mask)
}

/// Returns the half-words of `c` that are read: all half-words with `.add`, and otherwise the
/// half-words that no result replaces.
#[must_use]
pub const fn c_halves(mask: u64, add: u64) -> u64 {
    rest(2, mask, add)
}

/// Returns the bytes of `a` that affect a result, given both selectors and the mask.
#[must_use]
pub const fn a_bytes(asel: u64, bsel: u64, mask: u64) -> u64 {
    fed(4, 0, asel, bsel, mask)
}

/// Returns the bytes of `b` that affect a result, given both selectors and the mask.
///
/// ```
/// use isa_defs::video::b_bytes;
///
/// // With `.b3210` and `.b7654`, lane 0 reads byte 0 of `b`. The mask drops the other lanes.
/// assert_eq!(b_bytes(0b011_010_001_000, 0b111_110_101_100, 0b0001), 0b0001);
/// ```
#[must_use]
pub const fn b_bytes(asel: u64, bsel: u64, mask: u64) -> u64 {
    fed(4, 4, asel, bsel, mask)
}

/// Returns the bytes of `c` that are read: all bytes with `.add`, and otherwise the bytes that no
/// result replaces.
#[must_use]
pub const fn c_bytes(mask: u64, add: u64) -> u64 {
    rest(4, mask, add)
}
