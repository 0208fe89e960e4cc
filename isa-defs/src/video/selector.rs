//! Lane selectors: `h32`, `b7654`.

use isa_core::operand::OperandKind;
use isa_core::table::ShortText;
use isa_core::text::{Cursor, Line, OperandError};

/// The properties of a selector that the arithmetic uses.
pub(super) trait Selector<const N: usize>: Copy {
    /// Returns whether the selector chooses all lanes of `a` in their original order.
    fn is_all_of_a(self) -> bool;

    /// Returns whether the selector chooses all lanes of `b` in their original order.
    fn is_all_of_b(self) -> bool;

    /// Returns the chosen lanes of the pool, lane 0 first.
    fn lanes(self) -> [u8; N];
}

/// Defines a selector of `N` lanes. Its text is a letter followed by one digit for each lane, the
/// highest lane first. The digit is the index of a lane in the pool.
macro_rules! selector {
    ($(#[$doc:meta])* $name:ident, $lanes:literal lanes of $bits:literal bits, $letter:literal, $form:literal,
     $expects:literal, own: $own:literal = $own_bits:literal, other: $other:literal = $other_bits:literal,
     ready: $ready:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u16);

        impl $name {
            const DIGIT: u16 = (1 << $bits) - 1;

            /// Creates the selector of these lanes of the pool, lane 0 first. Returns `None` if the
            /// pool does not contain a lane.
            #[must_use]
            pub fn new(lanes: [u8; $lanes]) -> Option<Self> {
                let pack = |raw, &lane: &u8| {
                    (u16::from(lane) <= Self::DIGIT).then_some(raw << $bits | u16::from(lane))
                };
                lanes.iter().rev().try_fold(0, pack).map($name)
            }

            /// Returns the chosen lanes of the pool, lane 0 first.
            #[inline(always)]
            #[must_use]
            pub fn lanes(self) -> [u8; $lanes] {
                core::array::from_fn(|i| (self.0 >> ($bits * i) & Self::DIGIT) as u8)
            }
        }

        impl Selector<$lanes> for $name {
            #[inline(always)]
            fn is_all_of_a(self) -> bool {
                self.0 == $own_bits
            }

            #[inline(always)]
            fn is_all_of_b(self) -> bool {
                self.0 == $other_bits
            }

            #[inline(always)]
            fn lanes(self) -> [u8; $lanes] {
                self.lanes()
            }
        }

        impl OperandKind for $name {
            type Value = $name;
            const WIDTH: u8 = $lanes * $bits;
            const EXPECTS: &'static str = $expects;
            const NAMED: &'static [(&'static str, u64)] = &[($own, $own_bits), ($other, $other_bits)];
            const MAX_LEN: usize = 1 + $lanes;
            const FORMS: &'static [&'static str] = &[$form];
            const READY: &'static [ShortText] = $ready;

            #[inline]
            fn from_bits(raw: u64) -> Self {
                $name(raw as u16 & (((1u32 << Self::WIDTH) - 1) as u16))
            }

            #[inline]
            fn to_bits(self) -> u64 {
                self.0.into()
            }

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                cursor.skip_trivia();
                let start = cursor.position();
                let read = |word: &str| {
                    let digits = word.as_bytes().strip_prefix(&[$letter])?;
                    let digits: [u8; $lanes] = digits.try_into().ok()?;
                    let mut lanes = digits.map(|digit| digit.wrapping_sub(b'0'));
                    lanes.reverse();
                    $name::new(lanes)
                };
                read(cursor.word()).ok_or_else(|| cursor.fault(start, concat!("invalid selector: expected ", $expects)))
            }

            fn write(self, line: &mut Line) {
                line.push($letter);
                for lane in self.lanes().into_iter().rev() {
                    line.push(b'0' + lane);
                }
            }
        }
    };
}

selector! {
    /// The half-words of the pool that the two lanes use. Half-words 0 and 1 belong to source `a`, 2 and
    /// 3 to source `b`.
    ///
    /// ```
    /// use isa_defs::video::LaneSel2;
    ///
    /// assert_eq!(LaneSel2::new([2, 3]).map(LaneSel2::lanes), Some([2, 3]));
    /// assert_eq!(LaneSel2::new([0, 4]), None);
    /// ```
    LaneSel2, 2 lanes of 2 bits, b'h', "h*", "`.hxy` with digits 0 to 3",
    own: "h10" = 0b01_00, other: "h32" = 0b11_10, ready: &HALVES
}

/// The texts of all pairs of half-words, indexed by their bits.
static HALVES: [ShortText; 16] = {
    let (mut texts, mut bits) = ([ShortText::EMPTY; 16], 0);
    while bits < texts.len() {
        let [high, low] = [bits >> 2, bits & 3];
        texts[bits] = ShortText::EMPTY.with(b'h').with(b'0' + high as u8).with(b'0' + low as u8);
        bits += 1;
    }
    texts
};

selector! {
    /// The bytes of the pool that the four lanes use. Bytes 0 to 3 belong to source `a`, 4 to 7 to
    /// source `b`.
    ///
    /// ```
    /// use isa_defs::video::LaneSel4;
    ///
    /// assert_eq!(LaneSel4::new([4, 5, 6, 7]).map(LaneSel4::lanes), Some([4, 5, 6, 7]));
    /// assert_eq!(LaneSel4::new([0, 0, 0, 8]), None);
    /// ```
    LaneSel4, 4 lanes of 3 bits, b'b', "b*", "`.bxyzw` with digits 0 to 7",
    own: "b3210" = 0b011_010_001_000, other: "b7654" = 0b111_110_101_100,
    // There are too many selectors for a table of all texts.
    ready: &[]
}
