//! Operand type for targets relative to the instruction, with labels.

use super::number::{read, with_range};
use super::{NAME, OperandKind, Signed, TextPart};
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError, begins_name};

/// The distance to a target: `BITS` bits in two's complement, times 2 to the power of `SHIFT`, in
/// bytes from the instruction.
///
/// `FROM` is the number of bytes from the instruction's own address to the position from which the
/// distance is measured: `Relative<16, 2, 4>` measures from the end of an instruction of four bytes.
/// The number in the text, [`get`](Relative::get) and the value in semantics are all relative to that
/// position. Semantics that compute the target of a jump must therefore add `FROM`, like
/// [`target`](Relative::target).
///
/// If `ROUND` is true, both positions are rounded down to the start of their units: see
/// [`RelativeUnit`]. For a target that the word contains as an address use
/// [`Absolute`](super::Absolute).
///
/// The distance is printed in decimal. If the position in the program is known
/// ([`text::InstructionContext`](crate::text::InstructionContext)), it can be parsed from a label, and it is printed as a label if
/// the target has one. A number may follow the label, as in `loop + 8`. If the rest of the template
/// matches the number, it is another operand instead: in the template `to " + " by`, the number is
/// `by`. On a machine the value of the operand is the distance.
///
/// ```
/// use isa_core::operand::{Relative, parse};
///
/// /// 8 bits, counted in half-words.
/// type Branch = Relative<8, 1>;
///
/// let branch = Branch::to(0x1000, 0xff8).unwrap();
/// assert_eq!(branch.get(), -8);
/// assert_eq!(branch.target(0x2000), 0x1ff8);
/// assert_eq!(Branch::to(0x1000, 0x1100), None, "out of reach");
/// assert_eq!(parse::<Branch>("-8"), Ok(branch));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relative<
    const BITS: u8,
    const SHIFT: u8 = 0,
    const FROM: i64 = 0,
    const ROUND: bool = false,
>(i64);

/// The distance from the unit that contains the instruction to the unit that contains the target. Use
/// it for an instruction that computes the address of a page if another instruction then adds the
/// offset within the page.
///
/// ```
/// use isa_core::operand::RelativeUnit;
///
/// /// 21 bits, in pages of 4096 bytes.
/// type Page = RelativeUnit<21, 12>;
///
/// let page = Page::to(0x1ff8, 0x5010).unwrap();
/// assert_eq!(page.get(), 0x4000);
/// assert_eq!(page.target(0x1ff8), 0x5000, "the start of the page");
/// ```
pub type RelativeUnit<const BITS: u8, const SHIFT: u8> = Relative<BITS, SHIFT, 0, true>;

impl<const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool>
    Relative<BITS, SHIFT, FROM, ROUND>
{
    /// The smallest distance, which is the furthest backward.
    pub const MIN: i64 = (i64::MIN >> (64 - BITS)) << SHIFT;
    /// The largest distance, which is the furthest forward.
    pub const MAX: i64 = (i64::MAX >> (64 - BITS)) << SHIFT;
    /// The length of the longest label that is printed. Instead of a longer label the distance is
    /// printed.
    pub const LONGEST_LABEL: usize = 63;

    const EXPECTED: Message = Self::with_range(Message::new()).text(", or a label");
    const OUT_OF_RANGE: Message = Self::with_range(Message::new().text("out of range: expected "));
    const MISALIGNED: Message = Self::with_range(Message::new().text("misaligned: expected "));

    const fn with_range(message: Message) -> Message {
        with_range(message, Self::MIN as i128, Self::MAX as i128, SHIFT)
    }

    /// Returns the operand for a distance in bytes; `None` if it is out of range or not a multiple
    /// of the unit.
    #[must_use]
    pub const fn new(distance: i64) -> Option<Self> {
        let fits = distance >= Self::MIN && distance <= Self::MAX && Self::is_aligned(distance);
        if fits { Some(Relative(distance)) } else { None }
    }

    /// Returns the operand with which an instruction at `address` refers to a target; `None` if the
    /// target is not reachable.
    #[must_use]
    pub const fn to(address: u64, target: u64) -> Option<Self> {
        Self::new(Self::distance(address, target))
    }

    /// Returns the address that the operand refers to in an instruction at `address`.
    #[must_use]
    pub const fn target(self, address: u64) -> u64 {
        Self::from(address).wrapping_add_signed(self.0)
    }

    /// Returns the distance in bytes, relative to `FROM` bytes after the instruction's address.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    const fn distance(address: u64, target: u64) -> i64 {
        Self::counted(target).wrapping_sub(Self::from(address)) as i64
    }

    /// Returns the position from which the distances of an instruction are measured.
    const fn from(address: u64) -> u64 {
        Self::counted(address).wrapping_add_signed(FROM)
    }

    /// Returns the position to use for an address: with `ROUND`, the start of its unit.
    const fn counted(address: u64) -> u64 {
        if ROUND { address >> SHIFT << SHIFT } else { address }
    }

    const fn is_aligned(distance: i64) -> bool {
        distance & ((1 << SHIFT) - 1) == 0
    }
}

impl<const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool> OperandKind
    for Relative<BITS, SHIFT, FROM, ROUND>
{
    /// The distance in bytes.
    type Value = i64;

    const WIDTH: u8 = BITS;
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize = Self::LONGEST_LABEL;
    /// A number in any notation, with or without a sign, `.` and labels that begin with a dot, and all
    /// other labels: `["0~", "-0~", "+0~", ".*", NAME]`.
    const FORMS: &'static [&'static str] = &["0~", "-0~", "+0~", ".*", NAME];
    const TARGET: Option<fn(Self, u64) -> u64> = Some(Self::target);
    const PARTS: &'static [TextPart] = Signed::<BITS, SHIFT>::PARTS;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        let unused = 64 - u32::from(BITS);
        Relative(((raw << unused) as i64 >> unused) << SHIFT)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        (self.0 >> SHIFT) as u64 & u64::MAX >> (64 - BITS)
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        if !begins_name(cursor.rest()) {
            let bounds = (Self::MIN.into(), Self::MAX.into());
            return read(cursor, bounds, SHIFT, Self::OUT_OF_RANGE.as_str())
                .map(|distance| Relative(distance as i64));
        }
        let target = cursor.target()?;
        let address = cursor.context().map_or(0, |site| site.address);
        let distance = cursor.distance(Self::from(address), Self::counted(target));
        let message = match Self::is_aligned(distance) {
            true => Self::OUT_OF_RANGE.as_str(),
            false => Self::MISALIGNED.as_str(),
        };
        Self::new(distance).ok_or_else(|| cursor.too_far(start, distance, message))
    }

    fn write(self, line: &mut Line) {
        if self.0 < 0 {
            line.push(b'-');
        }
        line.push_decimal(self.0.unsigned_abs());
    }
}

impl<const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool> core::fmt::Display
    for Relative<BITS, SHIFT, FROM, ROUND>
{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.0, f)
    }
}

impl<const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool> core::str::FromStr
    for Relative<BITS, SHIFT, FROM, ROUND>
{
    type Err = OperandError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::parse(text)
    }
}

/// The value is the distance, on any machine, because the word contains it.
impl<M: ?Sized, const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool> Source<M>
    for Relative<BITS, SHIFT, FROM, ROUND>
{
    #[inline]
    fn fetch(self, _: &M) -> i64 {
        self.0
    }
}
