//! Immediates whose value differs from the number in their bits.

use isa_core::operand::{
    AddressPart, AddressPartOr, AddressParts, ImmediateCoding, Numeral, NumeralBits, TextPart,
    Unsigned,
};

/// The offset of an address in its page of 4096 bytes.
pub struct Lo12;

impl AddressParts for Lo12 {
    const PARTS: &'static [AddressPart] =
        &[AddressPart::new(":lo12:", "", |address| (address & 0xfff).into())];
}

/// A number, or the offset of an address in its page, in units of 2^`SHIFT`.
pub type InPage<const BITS: u8, const SHIFT: u8 = 0> = AddressPartOr<Lo12, Unsigned<BITS, SHIFT>>;

/// A bitmask immediate of 2^`LOG` bits. An element of 2 to 64 bits contains a rotated run of ones, and
/// the element is repeated to fill the number. All zeros and all ones are not bitmask immediates. The
/// number is printed in hexadecimal, or as a signed number if `SIGNED`.
pub struct Bitmask<const LOG: u8, const SIGNED: bool>;

/// Returns the 64-bit number that the 13 bits of a bitmask immediate encode, or 0 if they are invalid.
const fn repeated(pattern: u64) -> u64 {
    let (n, immr, imms) = (pattern >> 12 & 1, pattern >> 6 & 63, pattern & 63);
    let highest = (n << 6 | !imms & 63).checked_ilog2();
    let Some(log @ 1..) = highest else { return 0 };
    let (size, ones) = (1u32 << log, (imms as u32 & ((1 << log) - 1)) + 1);
    let turn = immr as u32 & (size - 1);
    let run = u64::MAX >> (64 - ones);
    let element = u64::MAX >> (64 - size);
    let mut number = (run >> turn | if turn == 0 { 0 } else { run << (size - turn) }) & element;
    let mut width = size;
    while width < 64 {
        number |= number << width;
        width *= 2;
    }
    number
}

/// Returns the 13 bits that encode a 64-bit number, or `None` if the number is not a bitmask immediate.
fn pattern(number: u64) -> Option<u64> {
    if number == 0 || number == u64::MAX {
        return None;
    }
    // Find the smallest element that, when repeated, gives the number.
    let mut size = 64;
    while size > 2 && number.rotate_right(size / 2) == number {
        size /= 2;
    }
    let element = u64::MAX >> (64 - size);
    let ones = (number & element).count_ones();
    // The rotation that moves a 1 to the lowest bit and a 0 to the highest bit.
    let turn = (number & !number.rotate_left(1)).trailing_zeros() % size;
    let is_run = number.rotate_right(turn) & element == u64::MAX >> (64 - ones);
    let n = u32::from(size == 64);
    let imms = !(size * 2 - 1) & 63 | (ones - 1);
    is_run.then_some((n << 12 | ((size - turn) & (size - 1)) << 6 | imms).into())
}

impl<const LOG: u8, const SIGNED: bool> ImmediateCoding for Bitmask<LOG, SIGNED> {
    const BITS: u8 = 13;
    const EXPECTS: &'static str = "a bitmask immediate (`0xff`, `0x5555555555555555`)";
    const HEX: bool = !SIGNED;
    /// Several encodings have the same value, because a rotation by more than the element size equals
    /// the rotation by the remainder.
    const REPEATS: bool = !SIGNED;

    fn number(bits: u64, _: &[u64]) -> i128 {
        let number = signed(repeated(bits), 1 << LOG);
        if SIGNED { number } else { number & ((1 << (1 << LOG)) - 1) }
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        let low = bits_of(number, 1 << LOG)?;
        pattern(if LOG == 5 { low << 32 | low } else { low })
    }
}

/// Returns whether `movz` or `movn` can produce the bitmask immediate `imm`: in 32 bits if `sf` is 0,
/// otherwise in 64 bits.
#[must_use]
pub const fn is_move_wide(sf: u64, imm: u64) -> bool {
    let all = if sf == 0 { u32::MAX as u64 } else { u64::MAX };
    let number = repeated(imm) & all;
    let mut place = 0;
    while place < 64 {
        let others = all & !(0xffff << place);
        if number & others == 0 || !number & others == 0 {
            return true;
        }
        place += 16;
    }
    false
}

/// Returns a number of `bits` bits, sign-extended.
fn signed(number: u64, bits: u32) -> i128 {
    ((number << (64 - bits)) as i64 >> (64 - bits)).into()
}

/// Returns the bits of a signed or unsigned number, if it fits in `bits` bits.
fn bits_of(number: i128, bits: u32) -> Option<u64> {
    let fits = (-1i128 << (bits - 1)..1 << bits).contains(&number);
    fits.then_some(number as u64 & u64::MAX >> (64 - bits))
}

/// A number of `BITS` bits: a 16-bit number shifted by a multiple of 16 bits, or if `NOT`, the
/// complement of such a number.
pub struct Halves<const BITS: u32, const NOT: bool>;

impl<const BITS: u32, const NOT: bool> Halves<BITS, NOT> {
    /// Describes the text of a number whose 16-bit part has the index `place`. The complement of a
    /// number is `-number - 1`.
    const fn at(place: u8) -> [TextPart; 1] {
        let (scale, number) = (1 << (16 * place), Numeral::of(NumeralBits::low(16)));
        let (scale, add) = if NOT { (-scale, -1) } else { (scale, 0) };
        [TextPart::Number(Numeral { scale, add, wrap: BITS as u8, ..number })]
    }
}

impl<const BITS: u32, const NOT: bool> ImmediateCoding for Halves<BITS, NOT> {
    const PARTS: &'static [TextPart] = &[TextPart::Choice {
        bits: NumeralBits { arg: None, low: 16, width: if BITS == 64 { 2 } else { 1 } },
        of: &[&Self::at(0), &Self::at(1), &Self::at(2), &Self::at(3)],
    }];
    const EXPECTS: &'static str = if NOT {
        "the complement of a 16-bit number that is shifted by a multiple of 16 bits"
    } else {
        "a 16-bit number that is shifted by a multiple of 16 bits"
    };

    fn number(bits: u64, _: &[u64]) -> i128 {
        let number = (bits & 0xffff) << (bits >> 16 << 4);
        signed(if NOT { !number } else { number }, BITS)
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        // The complement is computed on the bits, because -1 and all ones are the same bits.
        let bits = bits_of(number, BITS)? ^ if NOT { u64::MAX >> (64 - BITS) } else { 0 };
        let half = (0..u64::from(BITS) / 16).find(|half| bits & !(0xffff << (16 * half)) == 0)?;
        Some(half << 16 | bits >> (16 * half))
    }
}

/// Describes the distance of a left shift.
const SHIFT_EXPECTS: &str = "a shift distance less than the register width";

/// The distance of a bitfield's left shift. It is encoded as a right rotation by `BITS` minus the
/// distance.
pub struct UpBy<const BITS: u64>;

impl<const BITS: u64> ImmediateCoding for UpBy<BITS> {
    const EXPECTS: &'static str = SHIFT_EXPECTS;

    fn number(bits: u64, _: &[u64]) -> i128 {
        i128::from(BITS - bits) % i128::from(BITS)
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        let number = u64::try_from(number).ok().filter(|number| *number < BITS)?;
        Some((BITS - number) % BITS)
    }
}

/// A number to add, in units of 2^`SHIFT`. If `NEGATIVE`, the instruction subtracts, and the text
/// contains the negative of the encoded number.
pub struct Summand<const SHIFT: u32, const NEGATIVE: bool>;

impl<const SHIFT: u32, const NEGATIVE: bool> ImmediateCoding for Summand<SHIFT, NEGATIVE> {
    const EXPECTS: &'static str = "a 12-bit number, optionally negative or multiplied by 4096";

    fn number(bits: u64, _: &[u64]) -> i128 {
        let number = i128::from(bits) << SHIFT;
        if NEGATIVE { -number } else { number }
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        let number = u64::try_from(if NEGATIVE { -number } else { number }).ok()?;
        let bits = number >> SHIFT;
        (bits << SHIFT == number && bits < 1 << 12).then_some(bits)
    }
}

/// The width of a bitfield. The bits contain the index of its last bit, and an argument contains
/// the index of its first bit, by default 0.
pub struct Width;

impl ImmediateCoding for Width {
    const EXPECTS: &'static str = "a bitfield width of at least 1";

    fn number(bits: u64, args: &[u64]) -> i128 {
        i128::from(bits) + 1 - i128::from(args.first().copied().unwrap_or(0))
    }
    fn bits(number: i128, args: &[u64]) -> Option<u64> {
        let from = i128::from(args.first().copied().unwrap_or(0));
        u64::try_from(number + from - 1).ok().filter(|last| *last < 64 && number > 0)
    }
}

/// The distance of a left shift, encoded as a rotation and the index of the highest source bit that
/// remains.
pub struct LeftBy<const BITS: u64>;

impl<const BITS: u64> ImmediateCoding for LeftBy<BITS> {
    const EXPECTS: &'static str = SHIFT_EXPECTS;

    fn number(bits: u64, _: &[u64]) -> i128 {
        i128::from(BITS - 1 - bits % BITS)
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        let left = u64::try_from(number).ok().filter(|left| *left < BITS)?;
        let turn = (BITS - left) % BITS;
        Some(turn * BITS + BITS - 1 - left)
    }
}
