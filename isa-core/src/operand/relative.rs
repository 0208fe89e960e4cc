//! Targets that are counted from the instruction: distances, and labels for them.

use super::message::Message;
use super::number::{read, with_range};
use super::{NAME, OperandKind, Signed, TextPart};
use crate::asm::{Cursor, Fault, Line, begins_name};
use crate::machine::Source;

/// How far away a target is: `BITS` bits in two's complement, times 2 to the power of `SHIFT`, in
/// bytes from the instruction.
///
/// Where the distance counts from another place, `FROM` says how many bytes that is behind the
/// instruction's own address: `Relative<16, 2, 4>` counts from the end of an instruction of four
/// bytes. The number in the text, [`get`](Relative::get) and the value in semantics all count from that
/// place: what jumps there adds `FROM` too, as [`target`](Relative::target) does.
///
/// With `ROUND`, both places count as the starts of the units in which they are: see
/// [`RelativeUnit`]. A target that is in the word as its address is [`Absolute`](super::Absolute).
///
/// It is written as the distance in decimal. Where the place in the program is known it is read
/// from and, if it has one, printed as a label ([`asm::Site`](crate::asm::Site)). A number may stand
/// behind the label, `loop + 8`, unless the instruction can be read without that: in a template
/// `to " + " by` the number is `by`. Reading it on a machine gives the distance.
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

/// How far away the unit is in which a target stands, from the unit in which the instruction stands:
/// for instructions that make the address of a page, to which another adds the place in it.
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
    /// The furthest distance back.
    pub const MIN: i64 = (i64::MIN >> (64 - BITS)) << SHIFT;
    /// The furthest distance ahead.
    pub const MAX: i64 = (i64::MAX >> (64 - BITS)) << SHIFT;
    /// The longest label that is printed; in place of a longer one stands the distance.
    pub const LONGEST_LABEL: usize = 63;

    const EXPECTED: Message = Self::with_range(Message::new()).text(", or a label");
    const OUT_OF_RANGE: Message =
        Self::with_range(Message::new().text("out of range: ")).text(" is meant here");
    const OUT_OF_REACH: Message =
        Self::with_range(Message::new().text("out of reach: the distance is "));
    const MISALIGNED: Message =
        Self::with_range(Message::new().text("misaligned: the distance is "));

    const fn with_range(message: Message) -> Message {
        with_range(message, Self::MIN as i128, Self::MAX as i128, SHIFT)
    }

    /// The operand for a distance in bytes; `None` where it is out of range or no multiple of the
    /// unit.
    #[must_use]
    pub const fn new(distance: i64) -> Option<Self> {
        let fits = distance >= Self::MIN && distance <= Self::MAX && Self::is_aligned(distance);
        if fits { Some(Relative(distance)) } else { None }
    }

    /// The operand by which an instruction at `address` has this target; `None` where it has none.
    #[must_use]
    pub const fn to(address: u64, target: u64) -> Option<Self> {
        Self::new(Self::distance(address, target))
    }

    /// The address that is meant by the operand of an instruction at `address`.
    #[must_use]
    pub const fn target(self, address: u64) -> u64 {
        Self::from(address).wrapping_add_signed(self.0)
    }

    /// The distance in bytes, from `FROM` bytes behind the instruction's address.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    const fn distance(address: u64, target: u64) -> i64 {
        Self::counted(target).wrapping_sub(Self::from(address)) as i64
    }

    /// The place that distances of an instruction count from.
    const fn from(address: u64) -> u64 {
        Self::counted(address).wrapping_add_signed(FROM)
    }

    /// The place that counts for an address.
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

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let start = cursor.position();
        if !begins_name(cursor.rest()) {
            let bounds = (Self::MIN.into(), Self::MAX.into());
            return read(cursor, bounds, SHIFT, Self::OUT_OF_RANGE.as_str())
                .map(|distance| Relative(distance as i64));
        }
        let target = cursor.target()?;
        let address = cursor.site().map_or(0, |site| site.address);
        let distance = cursor.distance(Self::from(address), Self::counted(target));
        let message = match Self::is_aligned(distance) {
            true => Self::OUT_OF_REACH.as_str(),
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
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::parse(text)
    }
}

/// Read on any machine: the distance is in the word.
impl<M: ?Sized, const BITS: u8, const SHIFT: u8, const FROM: i64, const ROUND: bool> Source<M>
    for Relative<BITS, SHIFT, FROM, ROUND>
{
    #[inline]
    fn fetch(self, _: &M) -> i64 {
        self.0
    }
}
