//! The traits that the semantics require of a machine, the traps, and the operations that
//! instructions share.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// The reason why an instruction trapped. An instruction that traps stores nothing.
///
/// All fields have the same type, so functions return a trap in registers instead of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trap {
    /// The word is not a valid instruction.
    Undefined,
    /// The address is not mapped, or the access is not permitted.
    AccessFault(u64),
    /// The address of an exclusive or ordered access is not a multiple of the access size.
    Misaligned(u64),
    /// A supervisor call, with its number.
    Supervisor(u64),
    /// A call of the hypervisor or of the secure monitor, which user programs cannot make.
    Privileged,
    /// A breakpoint, with its number.
    Breakpoint(u64),
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Undefined => f.write_str("undefined instruction"),
            Trap::AccessFault(address) => write!(f, "access fault at {address:#x}"),
            Trap::Misaligned(address) => write!(f, "misaligned access to {address:#x}"),
            Trap::Supervisor(number) => write!(f, "supervisor call {number}"),
            Trap::Privileged => f.write_str("privileged instruction"),
            Trap::Breakpoint(number) => write!(f, "breakpoint {number}"),
        }
    }
}

impl core::error::Error for Trap {}

/// The flags negative, zero, carry and overflow, from bit 3 down to bit 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nzcv(pub u8);

impl Nzcv {
    /// Creates the flags from four conditions.
    #[inline]
    #[must_use]
    pub const fn new(n: bool, z: bool, c: bool, v: bool) -> Self {
        Nzcv((n as u8) << 3 | (z as u8) << 2 | (c as u8) << 1 | v as u8)
    }

    /// Returns the carry flag.
    #[inline]
    #[must_use]
    pub const fn c(self) -> bool {
        self.0 & 2 != 0
    }

    /// Returns whether a condition is true, given its four encoded bits.
    #[inline]
    #[must_use]
    pub const fn holds(self, condition: u64) -> bool {
        /// For each condition, a mask of the flags for which it is true.
        const TRUE: [u16; 16] = {
            let mut masks = [0; 16];
            let mut at = 0;
            while at < 256 {
                let (condition, flags) = (at / 16, at % 16);
                masks[condition] |= (Nzcv(flags as u8).satisfies(condition) as u16) << flags;
                at += 1;
            }
            masks
        };
        TRUE[(condition & 15) as usize] >> (self.0 & 15) & 1 != 0
    }

    /// Does the same as `holds`, as the architecture defines it.
    const fn satisfies(self, condition: usize) -> bool {
        let (n, z) = (self.0 & 8 != 0, self.0 & 4 != 0);
        let (c, v) = (self.0 & 2 != 0, self.0 & 1 != 0);
        let holds = match condition >> 1 {
            0 => z,
            1 => c,
            2 => n,
            3 => v,
            4 => c && !z,
            5 => n == v,
            6 => n == v && !z,
            _ => return true,
        };
        holds != (condition & 1 != 0)
    }
}

/// The registers, the stack pointer and the flags.
pub trait Registers {
    /// Returns the value of a register. Register 31 is always 0.
    fn reg(&self, number: u8) -> u64;

    /// Replaces the value of a register. Writes to register 31 are ignored.
    fn set_reg(&mut self, number: u8, value: u64);

    /// Returns the stack pointer.
    fn sp(&self) -> u64;

    /// Replaces the stack pointer.
    fn set_sp(&mut self, value: u64);

    /// Returns the value of a register. Number 31 is the stack pointer.
    #[inline]
    fn reg_or_sp(&self, number: u8) -> u64 {
        if number == 31 { self.sp() } else { self.reg(number) }
    }

    /// Replaces the value of a register. Number 31 is the stack pointer.
    #[inline]
    fn set_reg_or_sp(&mut self, number: u8, value: u64) {
        if number == 31 { self.set_sp(value) } else { self.set_reg(number, value) }
    }

    /// Returns the flags.
    fn nzcv(&self) -> Nzcv;

    /// Replaces the flags.
    fn set_nzcv(&mut self, nzcv: Nzcv);
}

/// The program counter.
pub trait Control {
    /// Returns the address of the current instruction.
    fn pc(&self) -> u64;

    /// Returns the address after the current instruction.
    #[inline]
    fn next(&self) -> u64 {
        self.pc().wrapping_add(4)
    }

    /// Continues at another address.
    fn jump(&mut self, target: u64);

    /// Continues at an offset from the current instruction if the condition is true.
    #[inline]
    fn branch(&mut self, condition: bool, distance: i64) {
        if condition {
            self.jump(self.pc().wrapping_add_signed(distance));
        }
    }
}

/// Little-endian memory.
pub trait Memory {
    /// Loads a number of 1 to 8 bytes at an address.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] if a byte cannot be read.
    fn load(&self, address: u64, bytes: u8) -> Result<u64, Trap>;

    /// Stores the low bytes of a number at an address.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::AccessFault`] if a byte cannot be written. In that case no byte is written.
    fn store(&mut self, address: u64, bytes: u8, value: u64) -> Result<(), Trap>;

    /// Returns the exclusive monitor: the reserved address and the number of reserved bytes. An
    /// exclusive load sets the monitor, and an exclusive store clears it.
    fn monitor(&mut self) -> &mut Option<(u64, u8)>;

    /// Returns the address if it is a multiple of `bytes`.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::Misaligned`] if the address is not such a multiple.
    #[inline]
    fn aligned(&self, address: u64, bytes: u8) -> Result<u64, Trap> {
        let aligned = address & (u64::from(bytes) - 1) == 0;
        if aligned { Ok(address) } else { Err(Trap::Misaligned(address)) }
    }

    /// Loads one number or two adjacent numbers, and reserves the address.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::Misaligned`], or an error of [`Self::load`].
    fn load_reserved(&mut self, address: u64, bytes: u8, all: u8) -> Result<(u64, u64), Trap> {
        let first = self.load(self.aligned(address, all)?, bytes)?;
        let second = address.wrapping_add((all - bytes).into());
        let second = if all == bytes { 0 } else { self.load(second, bytes)? };
        *self.monitor() = Some((address, all));
        Ok((first, second))
    }

    /// Stores adjacent numbers if the address is still reserved. Returns 0 if they were stored, and 1
    /// otherwise.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::Misaligned`], or an error of [`Self::store`].
    fn store_reserved(&mut self, address: u64, bytes: u8, numbers: &[u64]) -> Result<u32, Trap> {
        let all = bytes * numbers.len() as u8;
        let address = self.aligned(address, all)?;
        if self.monitor().take() != Some((address, all)) {
            return Ok(1);
        }
        for (number, place) in numbers.iter().zip(0..) {
            self.store(address.wrapping_add(place * u64::from(bytes)), bytes, *number)?;
        }
        Ok(0)
    }
}

/// System registers, identified by the bits that instructions contain.
pub trait System {
    /// Returns the value of a register.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::Undefined`] if the register does not exist.
    fn system(&self, register: u64) -> Result<u64, Trap>;

    /// Replaces the value of a register.
    ///
    /// # Errors
    ///
    /// Returns [`Trap::Undefined`] if the register does not exist or is read-only.
    fn set_system(&mut self, register: u64, value: u64) -> Result<(), Trap>;
}

/// All state that the instructions require.
pub trait ProcessorState: Registers + Vectors + Control + Memory + System {}

impl<M: Registers + Vectors + Control + Memory + System + ?Sized> ProcessorState for M {}

/// A number of 32 or 64 bits.
pub trait Int:
    Copy
    + Eq
    + Into<u64>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The width in bits.
    const BITS: u32;

    /// Returns the low bits of a number.
    fn of(number: u64) -> Self;

    /// Returns the number, sign-extended.
    fn signed(self) -> i64;
}

impl Int for u32 {
    const BITS: u32 = 32;

    #[inline]
    fn of(number: u64) -> Self {
        number as u32
    }
    #[inline]
    fn signed(self) -> i64 {
        self as i32 as i64
    }
}

impl Int for u64 {
    const BITS: u32 = 64;

    #[inline]
    fn of(number: u64) -> Self {
        number
    }
    #[inline]
    fn signed(self) -> i64 {
        self as i64
    }
}

/// Returns the sum of two numbers and a carry, and the flags of the sum.
#[inline]
pub fn adc<T: Int>(a: T, b: T, carry: bool) -> (T, Nzcv) {
    let wide = u128::from(a.into()) + u128::from(b.into()) + u128::from(carry);
    let sum = T::of(wide as u64);
    let overflow = ((a ^ sum) & (b ^ sum)).signed() < 0;
    (sum, Nzcv::new(sum.signed() < 0, sum.into() == 0, wide >> T::BITS != 0, overflow))
}

/// Returns the sum of two numbers and its flags.
#[inline]
pub fn add<T: Int>(a: T, b: T) -> (T, Nzcv) {
    adc(a, b, false)
}

/// Returns the difference of two numbers and its flags.
#[inline]
pub fn sub<T: Int>(a: T, b: T) -> (T, Nzcv) {
    adc(a, !b, true)
}

/// Returns the result of a logical operation and its flags.
#[inline]
pub fn logic<T: Int>(result: T) -> (T, Nzcv) {
    (result, Nzcv::new(result.signed() < 0, result.into() == 0, false, false))
}

/// Extends the low bits of a number and shifts the result to the left by `left` bits. The three encoded
/// bits of `option` specify the number of low bits and whether the extension is signed.
#[inline]
#[must_use]
pub const fn extend(number: u64, option: u64, left: u64) -> u64 {
    let extended = match option {
        0 => number as u8 as u64,
        1 => number as u16 as u64,
        2 => number as u32 as u64,
        4 => number as i8 as u64,
        5 => number as i16 as u64,
        6 => number as i32 as u64,
        _ => number,
    };
    extended << left
}

/// A bitfield that was extracted from a number and moved to its destination.
#[derive(Debug, Clone, Copy)]
pub struct Bitfield<T> {
    /// The bits of the field, at their destination.
    bits: T,
    /// Ones in the bits that the field occupies.
    mask: T,
    /// Ones in all bits above the field if the highest bit of the field is 1, otherwise 0.
    above: T,
}

/// Returns a number whose lowest `count` bits are 1.
#[inline]
pub fn ones<T: Int>(count: u32) -> T {
    T::of(if count == 0 { 0 } else { u64::MAX >> (64 - count) })
}

/// Extracts the bitfield that `immr` and `imms` specify. If `imms` is at least `immr`, it is the
/// bits `immr` to `imms`, moved down to bit 0. Otherwise it is the lowest `imms` + 1 bits, moved up
/// by the width minus `immr`.
#[inline]
pub fn bitfield<T: Int>(number: T, immr: u64, imms: u64) -> Bitfield<T> {
    let (r, s) = (immr as u32, imms as u32);
    let (count, from, to) = if s >= r { (s - r + 1, r, 0) } else { (s + 1, 0, T::BITS - r) };
    let mask = ones::<T>(count);
    let part = number >> from & mask;
    let negative = part >> (count - 1) != T::of(0);
    let above = if negative { !ones::<T>(count + to) } else { T::of(0) };
    Bitfield { bits: part << to, mask: mask << to, above }
}

impl<T: Int> Bitfield<T> {
    /// Returns a number with the field inserted.
    #[inline]
    pub fn within(self, number: T) -> T {
        number & !self.mask | self.bits
    }

    /// Returns the field, sign-extended.
    #[inline]
    pub fn signed(self) -> T {
        self.bits | self.above
    }
}

/// Continues a checksum with some bytes. The polynomial is bit-reversed and its highest term is
/// omitted.
const fn crc(mut sum: u32, bytes: u64, count: u32, polynomial: u32) -> u32 {
    let mut place = 0;
    while place < 8 * count {
        let low = (sum ^ (bytes >> place) as u32) & 1;
        sum = sum >> 1 ^ (if low == 1 { polynomial } else { 0 });
        place += 1;
    }
    sum
}

/// Continues the CRC-32 checksum of Ethernet with some bytes.
#[must_use]
pub const fn crc32(sum: u32, bytes: u64, count: u32) -> u32 {
    crc(sum, bytes, count, 0xedb8_8320)
}

/// Continues the Castagnoli checksum CRC-32C with some bytes.
#[must_use]
pub const fn crc32c(sum: u32, bytes: u64, count: u32) -> u32 {
    crc(sum, bytes, count, 0x82f6_3b78)
}

/// The 128-bit vector registers.
pub trait Vectors {
    /// Returns the value of a register.
    fn v(&self, number: u8) -> u128;

    /// Replaces the value of a register.
    fn set_v(&mut self, number: u8, value: u128);
}

/// Returns the lane of a vector at an index, sign-extended or zero-extended.
#[inline]
fn lane(vector: u128, place: u32, bits: u32, signed: bool) -> i64 {
    let lane = (vector >> (place * bits)) as u64;
    match (bits, signed) {
        (8, true) => lane as i8 as i64,
        (16, true) => lane as i16 as i64,
        (32, true) => lane as i32 as i64,
        (64, _) => lane as i64,
        _ => (lane & ((1 << bits) - 1)) as i64,
    }
}

/// Creates a vector from lanes. The three bits of `form` specify the size of a lane and whether the
/// vector has 64 or 128 bits.
#[inline]
fn vector(form: u64, lane: impl Fn(u32, u32, u32) -> i64) -> u128 {
    let (bits, all) = (8 << (form >> 1), if form & 1 == 1 { 128 } else { 64 });
    let count = all / bits;
    let mask = u64::MAX >> (64 - bits);
    (0..count).fold(0, |vector, place| {
        vector | u128::from(lane(place, bits, count) as u64 & mask) << (place * bits)
    })
}

/// Applies a function to the corresponding lanes of three vectors.
#[inline]
pub fn each_lane(
    form: u64,
    signed: bool,
    [a, b, d]: [u128; 3],
    function: impl Fn(i64, i64, i64) -> i64,
) -> u128 {
    vector(form, |place, bits, _| {
        let of = |vector| lane(vector, place, bits, signed);
        function(of(a), of(b), of(d))
    })
}

/// Applies a function to each pair of adjacent lanes. The pairs of the first vector give the lower
/// half of the result.
#[inline]
pub fn pairs(
    form: u64,
    signed: bool,
    a: u128,
    b: u128,
    function: impl Fn(i64, i64) -> i64,
) -> u128 {
    vector(form, |place, bits, count| {
        let (vector, first) = (if place < count / 2 { a } else { b }, place % (count / 2) * 2);
        function(lane(vector, first, bits, signed), lane(vector, first + 1, bits, signed))
    })
}

/// Shifts a lane by the low byte of `by`, which is a signed number: to the left if it is positive, and
/// to the right if it is negative.
#[inline]
#[must_use]
pub const fn shift(lane: i64, by: i64, unsigned: bool) -> i64 {
    let by = by as i8;
    match by.unsigned_abs() {
        64.. if by < 0 && !unsigned => lane >> 63,
        64.. => 0,
        right if by < 0 && unsigned => (lane as u64 >> right) as i64,
        right if by < 0 => lane >> right,
        left => lane << left,
    }
}
