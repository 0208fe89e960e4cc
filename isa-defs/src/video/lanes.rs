//! Lane arithmetic of the video instructions.
//!
//! A lane is an exact signed integer from the moment it is chosen: of the 32 bits of an `i32`
//! the widest result, the sum of two half-words, needs 18. Nothing here depends on the data but
//! the arithmetic itself.

use crate::base::{Optype, VType};

/// The `N` lanes that a selector chooses from the pool of both sources' lanes, extended by the
/// selector's type.
#[inline(always)]
pub(super) fn select<const N: usize>(a: u32, b: u32, lanes: [u8; N], ty: VType) -> [i32; N] {
    let pool = u64::from(b) << 32 | u64::from(a);
    let unused = 32 - lane_width::<N>();
    let signed = ty == VType::s32;
    lanes.map(|lane| {
        // The lane at the top of the word, whatever was above it shifted out.
        let top = ((pool >> (u32::from(lane) * lane_width::<N>())) as u32) << unused;
        if signed { top as i32 >> unused } else { (top >> unused) as i32 }
    })
}

/// The width of one of `N` lanes of a register, in bits.
const fn lane_width<const N: usize>() -> u32 {
    32 / N as u32
}

/// The exact results of an operation, lane by lane.
#[inline(always)]
pub(super) fn operate<const N: usize>(op: Optype, a: [i32; N], b: [i32; N]) -> [i32; N] {
    match op {
        Optype::vadd2 | Optype::vadd4 => zip(a, b, |a, b| a + b),
        Optype::vsub2 | Optype::vsub4 => zip(a, b, |a, b| a - b),
        Optype::vavrg2 | Optype::vavrg4 => zip(a, b, average),
        Optype::vabsdiff2 | Optype::vabsdiff4 => zip(a, b, |a, b| (a - b).abs()),
        Optype::vmin2 | Optype::vmin4 => zip(a, b, i32::min),
        // The remaining optypes are those of the maximum: no other opcode comes here.
        _ => zip(a, b, i32::max),
    }
}

#[inline(always)]
fn zip<const N: usize>(a: [i32; N], b: [i32; N], op: impl Fn(i32, i32) -> i32) -> [i32; N] {
    core::array::from_fn(|i| op(a[i], b[i]))
}

/// Half the sum; a half is rounded up where the sum is not negative, and down where it is.
#[inline(always)]
fn average(a: i32, b: i32) -> i32 {
    let sum = a + b;
    (sum + i32::from(sum >= 0)) >> 1
}

/// The results limited to the range of the destination's lanes.
#[inline(always)]
pub(super) fn clamp<const N: usize>(results: [i32; N], dtype: VType) -> [i32; N] {
    let width = lane_width::<N>();
    let (low, high) = match dtype {
        VType::u32 => (0, (1 << width) - 1),
        VType::s32 => (-1 << (width - 1), (1 << (width - 1)) - 1),
    };
    results.map(|lane| lane.clamp(low, high))
}

/// The results of the masked lanes merged into `c`, or with `add` summed into all of it.
#[inline(always)]
pub(super) fn combine<const N: usize>(results: [i32; N], mask: u64, add: bool, c: u32) -> u32 {
    let masked = |i: usize| mask >> i & 1 == 1;
    if add {
        let taken = |i: usize| if masked(i) { results[i] as u32 } else { 0 };
        return (0..N).fold(c, |sum, i| sum.wrapping_add(taken(i)));
    }
    let width = lane_width::<N>();
    let lane_bits = (1 << width) - 1;
    (0..N).fold(0, |word, i| {
        let shift = i as u32 * width;
        let lane = if masked(i) { results[i] as u32 } else { c >> shift };
        word | (lane & lane_bits) << shift
    })
}
