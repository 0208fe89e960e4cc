//! Operand type for immediates with two half-precision lanes.

use isa_core::machine::Source;
use isa_core::operand::{AsmFormat, Numeral, NumeralBits, OperandKind, TextPart};
use isa_core::text::{Cursor, Line, OperandError};

mod lane;

/// Two 16-bit lanes in one immediate. The low half is lane 0.
///
/// Without a format the immediate is printed as its 32 bits; [`CvtFImm`] prints its lanes as
/// floating-point numbers.
///
/// ```
/// use isa_defs::base::F16ImmX2;
///
/// let operand = F16ImmX2::new([0xbc00, 0x3c00]);
/// assert_eq!(operand.to_string(), "0x3c00bc00");
/// assert_eq!("0x3c00bc00".parse(), Ok(operand));
/// assert_eq!(operand.lanes(), [0xbc00, 0x3c00]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct F16ImmX2(u32);

impl F16ImmX2 {
    /// Returns the immediate with the lanes `lanes`, lane 0 first.
    #[must_use]
    pub const fn new(lanes: [u16; 2]) -> Self {
        F16ImmX2((lanes[1] as u32) << 16 | lanes[0] as u32)
    }

    /// Returns the lanes, lane 0 first.
    #[must_use]
    pub const fn lanes(self) -> [u16; 2] {
        [self.0 as u16, (self.0 >> 16) as u16]
    }
}

impl OperandKind for F16ImmX2 {
    /// The 32 bits, in the same order as in a register with these lanes.
    type Value = u32;

    const WIDTH: u8 = 32;
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "two packed half-precision lanes (`0x3c00bc00`)";
    const MAX_LEN: usize = "0x3c00bc00".len();
    const FORMS: &'static [&'static str] = &["0~"];
    const PARTS: &'static [TextPart] = &[
        TextPart::Text("0x"),
        TextPart::Number(Numeral { hex: 8, ..Numeral::of(NumeralBits::low(32)) }),
    ];

    #[inline]
    fn from_bits(raw: u64) -> Self {
        F16ImmX2(raw as u32)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let number = u32::try_from(cursor.number()?);
        number
            .map(F16ImmX2)
            .map_err(|_| cursor.fault(start, "out of range: expected at most `0xffffffff`"))
    }

    fn write(self, line: &mut Line) {
        line.push_str("0x");
        line.push_hex(self.0.into(), 8);
    }
}

/// The value is the bits of the immediate, on any machine.
impl<M: ?Sized> Source<M> for F16ImmX2 {
    #[inline]
    fn fetch(self, _: &M) -> u32 {
        self.to_bits() as u32
    }
}

isa_core::operand_traits!(F16ImmX2);

/// A format for an [`F16ImmX2`] whose lane format is known: the high lane, a comma, then the low
/// lane, both as numbers.
///
/// The argument selects the lane format: 0 for IEEE 754 half precision, 1 for bfloat16.
///
/// ```
/// use isa_core::text::{Cursor, Line};
/// use isa_core::operand::AsmFormat;
/// use isa_defs::base::CvtFImm;
///
/// assert_eq!(CvtFImm::read(&mut Cursor::new("1, -1"), &[0]), Ok(0x3c00_bc00));
/// assert_eq!(CvtFImm::read(&mut Cursor::new("1, -1"), &[1]), Ok(0x3f80_bf80));
/// let mut line = Line::new();
/// CvtFImm::write(0x3c00_bc00, &[0], &mut line);
/// assert_eq!(line.as_str(), "1, -1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CvtFImm;

/// Returns the text parts that print both lanes as numbers in a lane format.
const fn lanes(format: &'static str) -> [TextPart; 3] {
    [
        TextPart::Float { bits: NumeralBits { arg: None, low: 16, width: 16 }, format },
        TextPart::Text(", "),
        TextPart::Float { bits: NumeralBits { arg: None, low: 0, width: 16 }, format },
    ]
}

const BINARY16: &[TextPart] = &lanes("binary16");
const BFLOAT16: &[TextPart] = &lanes("bfloat16");

impl AsmFormat for CvtFImm {
    const EXPECTS: &'static str = "two immediate lanes from high to low (`1, -0.5`)";
    const MAX_LEN: usize = 2 * lane::MAX_LEN + ", ".len();
    const FORMS: &'static [&'static str] = &[
        "0*", ".*", "INF*", "QNA*", "NAN*", "+0*", "+.*", "+INF*", "+QNA*", "+NAN*", "-0*", "-.*",
        "-INF*", "-QNA*", "-NAN*",
    ];
    const PARTS: &'static [TextPart] = &[TextPart::Choice {
        bits: NumeralBits { arg: Some(0), low: 0, width: 64 },
        of: &[BINARY16, BFLOAT16, BINARY16],
    }];

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        let format = args.first().copied().unwrap_or(0);
        let high = lane::read(cursor, format)?;
        if !cursor.eat(b',') {
            let message = "expected `,` and the low lane";
            return Err(cursor.fault(cursor.position(), message));
        }
        let low = lane::read(cursor, format)?;
        Ok(F16ImmX2::new([low, high]).to_bits())
    }

    fn write(raw: u64, args: &[u64], line: &mut Line) {
        let format = args.first().copied().unwrap_or(0);
        let [low, high] = F16ImmX2::from_bits(raw).lanes();
        lane::write(high, format, line);
        line.push_str(", ");
        lane::write(low, format, line);
    }
}
