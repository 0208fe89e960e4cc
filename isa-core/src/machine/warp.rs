//! Executes one instruction on many lanes, with a state that stores the values of a register in all
//! lanes next to each other.
//!
//! Registers and predicates are fetched and stored as rows, through hidden methods of the machine
//! traits. Other operands are fetched and stored lane by lane. With the feature `simd`, the whole
//! execution is also compiled for AVX2 and AVX-512, and the best version is selected at run time.
//! Fetching and storing are compiled in this way too, because the processor stalls if it loads a whole
//! vector just after its parts were stored separately.

use super::{ConstMemory, GeneralRegs, Predicates, Sink, Source, State, UniformRegs};
use crate::operand::OperandKind;

/// A machine of `N` lanes, at least one, that execute the same instruction.
///
/// Each lane has its own general registers and predicates. All lanes share the uniform registers and
/// the constant banks. A register is stored as a row that contains its value in every lane.
/// `execute_warp` of an instruction computes the same result for every lane as `execute` computes on a
/// [`State`]. It stores the result if the lane is active and the guard of the instruction is true. All
/// lanes read before any lane writes. If several lanes write the same uniform register, the last one
/// wins. As an exception, if the semantics take the machine as a parameter, the lanes are executed one
/// after the other.
///
/// The semantic function is also called for lanes that do not store their results, so it must not panic
/// for any operands. Registers that do not exist are read as 0 (or false), and writes to them have no
/// effect, as in [`State`].
///
/// ```
/// use isa_core::machine::{GeneralRegs, Warp};
///
/// let mut warp = Warp::<32>::new();
/// warp.set_row(1, core::array::from_fn(|lane| lane as u32));
/// warp.lane(5).set_reg(1, 500);
/// assert_eq!(warp.row(1)[4..7], [4, 500, 6]);
/// ```
///
/// The *payload* is all other state of a simulator, for example memory or the number of the block. Its
/// type is your choice. Each [`Lane`] can access it, so you can implement the machine traits of your set
/// for a lane:
///
/// ```
/// use isa_core::machine::{GeneralRegs, Lane, Warp};
///
/// /// Memory, and the thread that executes.
/// trait Thread: GeneralRegs {
///     fn index(&self) -> u32;
///     fn store(&mut self, address: usize, value: u32);
/// }
///
/// impl<const N: usize> Thread for Lane<'_, N, Vec<u32>> {
///     fn index(&self) -> u32 {
///         Lane::index(self) as u32
///     }
///     fn store(&mut self, address: usize, value: u32) {
///         self.payload_mut()[address] = value;
///     }
/// }
///
/// let mut warp = Warp::<4, _>::with_payload(vec![0; 4]);
/// warp.set_row(1, [5, 6, 7, 8]);
/// for lane in 0..4 {
///     let mut lane = warp.lane(lane);
///     lane.store(3 - lane.index(), lane.reg(1) + Thread::index(&lane));
/// }
/// assert_eq!(*warp.payload(), [11, 9, 7, 5]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Warp<'c, const N: usize, P = ()> {
    files: RegisterFiles<N>,
    active: [bool; N],
    banks: [&'c [u8]; State::<'static>::BANKS],
    payload: P,
}

/// The state that lanes can write.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RegisterFiles<const N: usize> {
    regs: [[u32; N]; State::<'static>::REGS],
    uniform_regs: [u32; State::<'static>::UNIFORM_REGS],
    preds: [[bool; N]; State::<'static>::PREDS],
}

impl<const N: usize> Warp<'_, N> {
    /// Creates a state without a payload in which everything is 0 or false, every bank is empty and
    /// every lane is active.
    #[must_use]
    pub const fn new() -> Self {
        Warp::with_payload(())
    }
}

impl<'c, const N: usize, P> Warp<'c, N, P> {
    /// Creates a state with a payload in which everything else is as in [`Warp::new`].
    #[must_use]
    pub const fn with_payload(payload: P) -> Self {
        const { assert!(N > 0, "a warp must have at least one lane") };
        Warp {
            files: RegisterFiles {
                regs: [[0; N]; State::REGS],
                uniform_regs: [0; State::UNIFORM_REGS],
                preds: [[false; N]; State::PREDS],
            },
            active: [true; N],
            banks: [&[]; State::BANKS],
            payload,
        }
    }

    /// Returns the payload.
    #[inline]
    #[must_use]
    pub const fn payload(&self) -> &P {
        &self.payload
    }

    /// Returns the payload, to change it.
    #[inline]
    pub const fn payload_mut(&mut self) -> &mut P {
        &mut self.payload
    }

    /// Returns a flag for each lane that is true if the lane is active.
    #[inline]
    #[must_use]
    pub const fn active(&self) -> [bool; N] {
        self.active
    }

    /// Sets for each lane whether it is active.
    pub const fn set_active(&mut self, active: [bool; N]) {
        self.active = active;
    }

    /// Returns the value of general register `number` in each lane.
    #[must_use]
    pub fn row(&self, number: u8) -> [u32; N] {
        self.files.regs.get(usize::from(number)).copied().unwrap_or([0; N])
    }

    /// Returns the value of predicate `number` in each lane.
    #[must_use]
    pub fn pred_row(&self, number: u8) -> [bool; N] {
        self.files.preds.get(usize::from(number)).copied().unwrap_or([false; N])
    }

    /// Returns the value of uniform register `number`.
    #[must_use]
    pub fn uniform_reg(&self, number: u8) -> u32 {
        self.files.uniform_regs.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Sets the value of general register `number` in each lane, active or not.
    pub fn set_row(&mut self, number: u8, values: [u32; N]) {
        if let Some(row) = self.files.regs.get_mut(usize::from(number)) {
            *row = values;
        }
    }

    /// Sets the contents of constant bank `number`. A number without a bank is ignored.
    pub fn set_bank(&mut self, number: u8, bytes: &'c [u8]) {
        if let Some(bank) = self.banks.get_mut(usize::from(number)) {
            *bank = bytes;
        }
    }

    /// Returns one lane as a separate machine. If the lane does not exist, returns the last lane.
    #[inline]
    pub fn lane(&mut self, lane: usize) -> Lane<'_, N, P> {
        let lane = lane.min(N - 1);
        Lane { files: &mut self.files, banks: &self.banks, payload: &mut self.payload, lane }
    }

    /// Returns the value of an operand in each lane, active or not.
    ///
    /// Use it with [`store`](Warp::store) to execute an instruction for all lanes at once, for example
    /// a load: fetch the addresses, load a word in each lane in which the guard of the instruction is
    /// true, and store the words.
    #[inline(always)]
    pub fn fetch<K>(&mut self, kind: K) -> [K::Value; N]
    where
        for<'w> K: OperandKind + Source<Lane<'w, N, P>>,
    {
        let mut values = [kind.fetch(&self.lane(0)); N];
        if !kind.fetch_row(&self.lane(0), &mut values) {
            for (lane, value) in values.iter_mut().enumerate() {
                *value = kind.fetch(&self.lane(lane));
            }
        }
        values
    }

    /// Stores the value of an operand in each of the `lanes`. `values` returns the value for the index of
    /// a lane.
    ///
    /// ```
    /// use isa_core::machine::Warp;
    /// use isa_core::operand::Reg;
    ///
    /// let mut warp = Warp::<4>::new();
    /// warp.set_row(1, [3, 2, 1, 0]);
    /// let memory = [10, 20, 30, 40];
    /// let addresses = warp.fetch(Reg::R1);
    /// warp.store(Reg::R2, &[true, true, false, true], |lane| memory[addresses[lane] as usize]);
    /// assert_eq!(warp.row(2), [40, 30, 0, 10]);
    /// ```
    #[inline(always)]
    pub fn store<K>(&mut self, kind: K, lanes: &[bool; N], values: impl Fn(usize) -> K::Value)
    where
        for<'w> K: OperandKind + Sink<Lane<'w, N, P>>,
    {
        // The compiler vectorizes this loop, because it contains no branch.
        if *lanes == [true; N] {
            for lane in 0..N {
                kind.store(&mut self.lane(lane), values(lane));
            }
        } else {
            for lane in (0..N).filter(|&lane| lanes[lane]) {
                kind.store(&mut self.lane(lane), values(lane));
            }
        }
    }
}

impl<const N: usize, P: Default> Default for Warp<'_, N, P> {
    fn default() -> Self {
        Warp::with_payload(P::default())
    }
}

/// One lane of a [`Warp`] as a machine, which operand types read and write. Semantics that take the
/// machine as a parameter get a lane. It is your machine: implement your traits for the lanes of a warp
/// with your payload, for example `impl<const N: usize> Memory for Lane<'_, N, MyPayload>`.
#[derive(Debug)]
pub struct Lane<'w, const N: usize, P = ()> {
    files: &'w mut RegisterFiles<N>,
    banks: &'w [&'w [u8]; State::<'static>::BANKS],
    payload: &'w mut P,
    /// The index of the lane, below `N`.
    lane: usize,
}

impl<const N: usize, P> Lane<'_, N, P> {
    /// Returns the index of the lane in its warp.
    #[inline]
    #[must_use]
    pub const fn index(&self) -> usize {
        self.lane
    }

    /// Returns the payload of the warp, which all its lanes share.
    #[inline]
    #[must_use]
    pub const fn payload(&self) -> &P {
        self.payload
    }

    /// Returns the payload of the warp, to change it.
    #[inline]
    pub const fn payload_mut(&mut self) -> &mut P {
        self.payload
    }
}

impl<const N: usize, P> GeneralRegs for Lane<'_, N, P> {
    #[inline(always)]
    fn reg(&self, number: u8) -> u32 {
        self.files.regs.get(usize::from(number)).map_or(0, |row| row[self.lane])
    }

    #[inline(always)]
    fn set_reg(&mut self, number: u8, value: u32) {
        if let Some(row) = self.files.regs.get_mut(usize::from(number)) {
            row[self.lane] = value;
        }
    }

    #[inline(always)]
    fn reg_row(&self, number: u8, row: &mut [u32]) -> bool {
        copy(self.files.regs.get(usize::from(number)), row)
    }
}

impl<const N: usize, P> UniformRegs for Lane<'_, N, P> {
    #[inline(always)]
    fn uniform_reg(&self, number: u8) -> u32 {
        self.files.uniform_regs.get(usize::from(number)).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn set_uniform_reg(&mut self, number: u8, value: u32) {
        if let Some(reg) = self.files.uniform_regs.get_mut(usize::from(number)) {
            *reg = value;
        }
    }
}

impl<const N: usize, P> Predicates for Lane<'_, N, P> {
    #[inline(always)]
    fn pred(&self, number: u8) -> bool {
        self.files.preds.get(usize::from(number)).is_some_and(|row| row[self.lane])
    }

    #[inline(always)]
    fn set_pred(&mut self, number: u8, value: bool) {
        if let Some(row) = self.files.preds.get_mut(usize::from(number)) {
            row[self.lane] = value;
        }
    }

    #[inline(always)]
    fn pred_row(&self, number: u8, row: &mut [bool]) -> bool {
        copy(self.files.preds.get(usize::from(number)), row)
    }
}

/// Copies a row. Returns false if `to` does not have `N` elements or the row does not exist.
#[inline(always)]
fn copy<T: Copy, const N: usize>(from: Option<&[T; N]>, to: &mut [T]) -> bool {
    match (from, <&mut [T; N]>::try_from(to)) {
        (Some(from), Ok(to)) => {
            *to = *from;
            true
        }
        _ => false,
    }
}

impl<const N: usize, P> ConstMemory for Lane<'_, N, P> {
    #[inline(always)]
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        super::word_of(self.banks.get(usize::from(bank)).copied().unwrap_or_default(), offset)
    }
}

/// Returns the result of `work`, compiled for the vector instructions that the processor supports.
/// `work` must inline all its code, because a function that it calls is not recompiled.
#[doc(hidden)]
#[inline(always)]
pub fn vectorize<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    {
        use fearless_simd::Simd;
        let level = fearless_simd::Level::new();
        if let Some(simd) = level.as_avx512() {
            return simd.vectorize(work);
        }
        if let Some(simd) = level.as_avx2() {
            return simd.vectorize(work);
        }
        apart(work)
    }
    #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
    work()
}

/// Returns the result of `work`, in a separate function. If `work` were inlined, the caller would
/// reserve the stack space of `work` even when it uses the AVX code instead.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Returns the result of `body` for every lane. It uses a loop over an existing array, because
/// `array::from_fn` is not always inlined, and is then not vectorized.
#[doc(hidden)]
#[inline(always)]
pub fn for_each_lane<T: Copy + Default, const N: usize>(body: impl Fn(usize) -> T) -> [T; N] {
    let mut results = [T::default(); N];
    for (lane, result) in results.iter_mut().enumerate() {
        *result = body(lane);
    }
    results
}

/// Returns a flag for each lane that is true if the lane is active and its guard is true.
#[doc(hidden)]
#[inline(always)]
pub fn keep_lanes<const N: usize>(active: &[bool; N], guard: impl Fn(usize) -> bool) -> [bool; N] {
    for_each_lane(
        #[inline(always)]
        |lane| active[lane] & guard(lane),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_share_banks_and_uniform_registers() {
        let mut warp = Warp::<3>::new();
        warp.set_bank(1, &[1, 2, 3, 4, 5]);
        warp.set_bank(32, &[9]);
        warp.lane(0).set_uniform_reg(5, 6);
        let lane = warp.lane(2);
        assert_eq!((lane.const_word(1, 0), lane.const_word(1, 4)), (0x0403_0201, 5));
        assert_eq!((lane.const_word(0, 0), lane.const_word(32, 0)), (0, 0));
        assert_eq!((lane.uniform_reg(5), lane.uniform_reg(6), lane.uniform_reg(63)), (6, 0, 0));
    }

    #[test]
    fn a_lane_has_registers_of_its_own() {
        let mut warp = Warp::<3>::default();
        assert_eq!((warp.active(), warp.row(4)), ([true; 3], [0; 3]));
        warp.set_active([true, false, true]);
        assert_eq!(warp.active(), [true, false, true]);
        for (lane, value) in [(0, 7), (1, 8), (9, 9)] {
            warp.lane(lane).set_reg(4, value);
            warp.lane(lane).set_pred(2, lane != 0);
        }
        assert_eq!((warp.row(4), warp.row(5), warp.row(255)), ([7, 8, 9], [0; 3], [0; 3]));
        assert_eq!([0, 1, 2].map(|lane| warp.lane(lane).pred(2)), [false, true, true]);
        assert_eq!((warp.lane(1).reg(4), warp.lane(3).reg(4), warp.lane(1).reg(255)), (8, 9, 0));
        assert!(!warp.lane(1).pred(7));
        warp.set_row(4, [1, 2, 3]);
        warp.set_row(255, [1; 3]);
        assert_eq!(warp.row(4), [1, 2, 3]);
    }

    #[test]
    fn what_is_stored_is_stored_where_a_lane_is_kept() {
        let kept = keep_lanes(&[true, true, false], |lane| lane != 0);
        assert_eq!(kept, [false, true, false]);
        let reg = crate::operand::Reg::R4;
        let mut warp = Warp::<3>::new();
        warp.store(reg, &kept, |lane| lane as u32 + 10);
        assert_eq!(warp.row(4), [0, 11, 0]);
        warp.store(reg, &[true; 3], |lane| lane as u32 + 20);
        assert_eq!((warp.row(4), warp.fetch(reg)), ([20, 21, 22], [20, 21, 22]));
        assert_eq!(vectorize(|| for_each_lane::<_, 3>(|lane| lane * 2)), [0, 2, 4]);
    }
}
