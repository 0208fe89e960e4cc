//! Lane arithmetic of the video instructions, on any number of registers at once.
//!
//! A lane is stored as a signed integer of twice its width, which makes all results exact. The
//! widest results are sums of two bytes (10 bits), sums of two half-words (18 bits), and sums of
//! four such sums of bytes (12 bits). Decisions that are the same for all registers are made
//! outside the loops. The loops contain no branches, so the compiler vectorizes them.

use core::ops::{Add, BitAnd, Shr, Sub};

use super::selector::Selector;
use crate::base::{Optype, VType};

/// The `N` lanes of each of `L` registers.
pub(super) type WideLanes<T, const N: usize, const L: usize> = [[T; N]; L];

/// The integer type that stores one of the `N` lanes of a register.
pub(super) trait Lane<const N: usize>:
    Copy
    + Default
    + Ord
    + From<bool>
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + Shr<u32, Output = Self>
{
    /// Returns the lanes of registers, sign-extended or zero-extended according to their type.
    fn unpack<const L: usize>(registers: &[u32; L], ty: VType) -> WideLanes<Self, N, L>;

    /// Packs the low bits of each lane into registers.
    fn pack<const L: usize>(lanes: &WideLanes<Self, N, L>) -> [u32; L];

    /// Returns the smallest and the largest value of a lane.
    fn range(ty: VType) -> [Self; 2];

    /// Returns the value modulo 2^32.
    fn to_word(self) -> u32;
}

/// Bytes.
impl Lane<4> for i16 {
    #[inline(always)]
    fn unpack<const L: usize>(registers: &[u32; L], ty: VType) -> WideLanes<i16, 4, L> {
        let from = to_bytes(registers);
        let mut lanes = [[0; 4]; L];
        let pairs = lanes.as_flattened_mut().iter_mut().zip(from.as_flattened());
        match ty {
            VType::u32 => pairs.for_each(|(lane, &byte)| *lane = byte.into()),
            VType::s32 => pairs.for_each(|(lane, &byte)| *lane = byte.cast_signed().into()),
        }
        lanes
    }

    #[inline(always)]
    fn pack<const L: usize>(lanes: &WideLanes<i16, 4, L>) -> [u32; L] {
        let mut packed = [[0; 4]; L];
        let pairs = packed.as_flattened_mut().iter_mut().zip(lanes.as_flattened());
        pairs.for_each(|(byte, &lane)| *byte = lane as u8);
        from_bytes(&packed)
    }

    #[inline(always)]
    fn range(ty: VType) -> [i16; 2] {
        match ty {
            VType::u32 => [0, u8::MAX.into()],
            VType::s32 => [i8::MIN.into(), i8::MAX.into()],
        }
    }

    #[inline(always)]
    fn to_word(self) -> u32 {
        i32::from(self).cast_unsigned()
    }
}

/// Half-words.
impl Lane<2> for i32 {
    #[inline(always)]
    fn unpack<const L: usize>(registers: &[u32; L], ty: VType) -> WideLanes<i32, 2, L> {
        let from = to_bytes(registers);
        let (from, _) = from.as_flattened().as_chunks();
        let mut lanes = [[0; 2]; L];
        let pairs = lanes.as_flattened_mut().iter_mut().zip(from);
        match ty {
            VType::u32 => pairs.for_each(|(lane, &half)| *lane = u16::from_le_bytes(half).into()),
            VType::s32 => pairs.for_each(|(lane, &half)| *lane = i16::from_le_bytes(half).into()),
        }
        lanes
    }

    #[inline(always)]
    fn pack<const L: usize>(lanes: &WideLanes<i32, 2, L>) -> [u32; L] {
        let mut packed = [[0; 4]; L];
        let (halves, _) = packed.as_flattened_mut().as_chunks_mut();
        let pairs = halves.iter_mut().zip(lanes.as_flattened());
        pairs.for_each(|(half, &lane)| *half = (lane as u16).to_le_bytes());
        from_bytes(&packed)
    }

    #[inline(always)]
    fn range(ty: VType) -> [i32; 2] {
        match ty {
            VType::u32 => [0, u16::MAX.into()],
            VType::s32 => [i16::MIN.into(), i16::MAX.into()],
        }
    }

    #[inline(always)]
    fn to_word(self) -> u32 {
        self.cast_unsigned()
    }
}

/// Returns the bytes of registers. This is a loop because the array's `map` is not always inlined.
#[inline(always)]
fn to_bytes<const L: usize>(registers: &[u32; L]) -> [[u8; 4]; L] {
    let mut bytes = [[0; 4]; L];
    for (bytes, register) in bytes.iter_mut().zip(registers) {
        *bytes = register.to_le_bytes();
    }
    bytes
}

/// Returns the registers that consist of these bytes.
#[inline(always)]
fn from_bytes<const L: usize>(bytes: &[[u8; 4]; L]) -> [u32; L] {
    let mut registers = [0; L];
    for (register, bytes) in registers.iter_mut().zip(bytes) {
        *register = u32::from_le_bytes(*bytes);
    }
    registers
}

/// Returns the lanes that a selector chooses from the pool of both sources' lanes, sign-extended or
/// zero-extended according to `ty`.
#[inline(always)]
pub(super) fn select<T: Lane<N>, const N: usize, const L: usize>(
    a: &[u32; L],
    b: &[u32; L],
    selector: impl Selector<N>,
    ty: VType,
) -> WideLanes<T, N, L> {
    T::unpack(&arrange(a, b, selector), ty)
}

/// Returns registers that contain the chosen lanes.
#[inline(always)]
fn arrange<const N: usize, const L: usize>(
    a: &[u32; L],
    b: &[u32; L],
    selector: impl Selector<N>,
) -> [u32; L] {
    if selector.is_all_of_a() {
        return *a;
    }
    if selector.is_all_of_b() {
        return *b;
    }
    let lanes = selector.lanes();
    let width = 32 / N as u32;
    // For each lane of the result: the mask that selects source `b`, the rotation, and the mask of
    // the lane.
    let steps: [(u32, u32, u32); N] = core::array::from_fn(|place| {
        let lane = usize::from(lanes[place]);
        let of_b = u32::from(lane >= N).wrapping_neg();
        let turn = (lane + N - place) as u32 * width % 32;
        (of_b, turn, (u32::MAX >> (32 - width)) << (place as u32 * width))
    });
    let mut arranged = [0; L];
    for ((word, &a), &b) in arranged.iter_mut().zip(a).zip(b) {
        *word = steps.iter().fold(0, |word, &(of_b, turn, place)| {
            word | (a & !of_b | b & of_b).rotate_right(turn) & place
        });
    }
    arranged
}

/// Returns the exact results of an operation, lane by lane.
#[inline(always)]
pub(super) fn operate<T: Lane<N>, const N: usize, const L: usize>(
    op: Optype,
    a: &WideLanes<T, N, L>,
    b: &WideLanes<T, N, L>,
) -> WideLanes<T, N, L> {
    match op {
        Optype::vadd2 | Optype::vadd4 => zip(a, b, |a, b| a + b),
        Optype::vsub2 | Optype::vsub4 => zip(a, b, |a, b| a - b),
        Optype::vavrg2 | Optype::vavrg4 => zip(a, b, average),
        Optype::vabsdiff2 | Optype::vabsdiff4 => zip(a, b, |a, b| a.max(b) - a.min(b)),
        Optype::vmin2 | Optype::vmin4 => zip(a, b, Ord::min),
        // Only the maximum optypes remain. No other opcode calls this function.
        _ => zip(a, b, Ord::max),
    }
}

#[inline(always)]
fn zip<T: Lane<N>, const N: usize, const L: usize>(
    a: &WideLanes<T, N, L>,
    b: &WideLanes<T, N, L>,
    op: impl Fn(T, T) -> T,
) -> WideLanes<T, N, L> {
    let mut results = [[T::default(); N]; L];
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    for (result, (&a, &b)) in results.as_flattened_mut().iter_mut().zip(pairs) {
        *result = op(a, b);
    }
    results
}

/// Returns half the sum, rounded away from zero.
#[inline(always)]
fn average<T: Lane<N>, const N: usize>(a: T, b: T) -> T {
    let sum = a + b;
    (sum + T::from(sum >= T::default())) >> 1
}

/// Limits the results to the range of the destination's lanes.
#[inline(always)]
pub(super) fn clamp<T: Lane<N>, const N: usize, const L: usize>(
    results: &WideLanes<T, N, L>,
    dtype: VType,
) -> WideLanes<T, N, L> {
    let [low, high] = T::range(dtype);
    zip(results, results, |lane, _| lane.max(low).min(high))
}

/// Merges the results of the lanes in the mask into `c`. With `add`, returns the sum of these results
/// and of `c` instead.
#[inline(always)]
pub(super) fn combine<T: Lane<N>, const N: usize, const L: usize>(
    mut results: WideLanes<T, N, L>,
    mask: u64,
    add: bool,
    c: [u32; L],
) -> [u32; L] {
    let is_whole = mask == (1 << N) - 1;
    let masked = core::array::from_fn(|i| mask >> i & 1 == 1);
    if add {
        if !is_whole {
            results = keep(&results, masked);
        }
        return sum(&results, &c);
    }
    let mut packed = T::pack(&results);
    if !is_whole {
        merge(&mut packed, masked, &c);
    }
    packed
}

/// Keeps the lanes in the mask and replaces the other lanes with 0.
#[inline(always)]
fn keep<T: Lane<N>, const N: usize, const L: usize>(
    lanes: &WideLanes<T, N, L>,
    masked: [bool; N],
) -> WideLanes<T, N, L> {
    let ones = core::array::from_fn(|i| T::default() - T::from(masked[i]));
    zip(lanes, &[ones; L], BitAnd::bitand)
}

/// Returns for each register the sum of all its lanes and of the register of `c`.
#[inline(always)]
fn sum<T: Lane<N>, const N: usize, const L: usize>(
    lanes: &WideLanes<T, N, L>,
    c: &[u32; L],
) -> [u32; L] {
    let mut sums = [0; L];
    for ((result, lanes), c) in sums.iter_mut().zip(lanes).zip(c) {
        let sum = lanes.iter().fold(T::default(), |sum, &lane| sum + lane);
        *result = c.wrapping_add(sum.to_word());
    }
    sums
}

/// Replaces the lanes that are not in the mask with the lanes of `c`.
#[inline(always)]
fn merge<const N: usize, const L: usize>(
    registers: &mut [u32; L],
    masked: [bool; N],
    c: &[u32; L],
) {
    let width = 32 / N as u32;
    let lane = u32::MAX >> (32 - width);
    let bits = |(i, masked): (usize, bool)| if masked { lane << (i as u32 * width) } else { 0 };
    let taken = masked.into_iter().enumerate().map(bits).fold(0, |bits, lane| bits | lane);
    for (register, c) in registers.iter_mut().zip(c) {
        *register = *register & taken | c & !taken;
    }
}
