//! Operand type for targets, such as branch targets, that are stored in the word as absolute addresses.
//! They can be written as labels.

use super::{NAME, Numeral, NumeralBits, OperandKind, TextPart, hex};
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError, begins_name};

/// The address of a target: `BITS` bits, times 2 to the power of `SHIFT`, independent of the
/// instruction's own address. For targets relative to the instruction use
/// [`Relative`](super::Relative).
///
/// It is printed in hexadecimal, like [`Hex`](super::Hex), and parsed in any base that the assembler
/// accepts. If the position in the program is known ([`text::InstructionContext`](crate::text::InstructionContext)), it can be parsed
/// from a label, and it is printed as a label if the address has one. A number may follow the label, as
/// in `table + 8`. If the rest of the template matches the number, it is another operand instead: in
/// the template `to " + " by`, the number is `by`. On a machine the value of the operand is the
/// address.
///
/// If the addresses of a set have fewer than 64 bits, the set declares their width. Addresses wrap
/// around at this width. For example, with `addresses 16;` the address `table - 2` is `0xffff` if
/// `table` is at 1.
///
/// ```
/// use isa_core::asm::{Assembler, Disassembler};
/// use isa_core::operand::{Absolute, parse};
///
/// isa_core::define_isa! {
///     /// A jump of an 8-bit machine.
///     isa Tiny: u8 | u24;
///     addresses 16;
///     operand Address: 16 = isa_core::operand::Absolute<16>;
///     enum Op: 8 { NOP = 0x00, JP = 0xc3 }
///     opcode NOP { encoding { word<8>;  field<0, 8> Op op == NOP; } syntax { nop; } }
///     opcode JP {
///         encoding { word<24>; field<0, 8> Op op == JP; field<8, 16> Address nn; }
///         syntax { jp nn; }
///     }
/// }
///
/// let assembler = Assembler::new(Tiny::SET).origin(0x8000);
/// let program = assembler.assemble("jp end; loop: jp loop; jp 0x38; end: nop;")?;
/// assert_eq!(program.bytes, [0xc3, 0x09, 0x80, 0xc3, 0x03, 0x80, 0xc3, 0x38, 0x00, 0x00]);
/// assert_eq!(
///     Disassembler::new(Tiny::SET).origin(0x8000).disassemble(&program.bytes),
///     "    jp L_8009;\nL_8003:\n    jp L_8003;\n    jp 0x38;\nL_8009:\n    nop;\n",
/// );
///
/// /// Six bits, counted in words of four bytes.
/// type Slot = Absolute<6, 2>;
///
/// assert_eq!(Slot::to(0x40).map(|slot| slot.to_string()).as_deref(), Some("0x40"));
/// assert_eq!(Slot::to(0x42), None, "no multiple of 4");
/// assert_eq!(parse::<Slot>("64"), parse("0x40"));
/// # Ok::<(), isa_core::asm::AssembleErrors>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Absolute<const BITS: u8, const SHIFT: u8 = 0>(u64);

impl<const BITS: u8, const SHIFT: u8> Absolute<BITS, SHIFT> {
    /// The highest address.
    pub const MAX: u64 = (u64::MAX >> (64 - BITS)) << SHIFT;
    /// The length of the longest label that is printed. Instead of a longer label the number is
    /// printed.
    pub const LONGEST_LABEL: usize = 63;

    const EXPECTED: Message = Self::with_range(Message::new()).text(", or a label");
    const MISSING: Message = Self::with_range(Message::new().text("expected ")).text(" or a label");
    const OUT_OF_RANGE: Message = Self::with_range(Message::new().text("out of range: expected "));
    const MISALIGNED: Message = Self::with_range(Message::new().text("misaligned: expected "));

    const fn with_range(message: Message) -> Message {
        let message = match SHIFT {
            0 => message.text("an address"),
            _ => message.text("a multiple of ").number(1 << SHIFT),
        };
        message.text(" from 0 to ").hexadecimal(Self::MAX)
    }

    /// Returns the operand whose target is an address; `None` if the address is out of range or not
    /// a multiple of the unit.
    #[must_use]
    pub const fn to(target: u64) -> Option<Self> {
        if target <= Self::MAX && Self::is_aligned(target) { Some(Absolute(target)) } else { None }
    }

    /// Returns the address that the operand refers to.
    #[must_use]
    pub const fn target(self) -> u64 {
        self.0
    }

    /// Returns the address as a number, like [`target`](Self::target).
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    const fn is_aligned(target: u64) -> bool {
        target & ((1 << SHIFT) - 1) == 0
    }

    /// Returns the message for an address that [`Absolute::to`] rejects: out of range, or not a
    /// multiple of the unit.
    const fn mistake(target: u64) -> &'static str {
        match Self::is_aligned(target) {
            true => Self::OUT_OF_RANGE.as_str(),
            false => Self::MISALIGNED.as_str(),
        }
    }
}

impl<const BITS: u8, const SHIFT: u8> OperandKind for Absolute<BITS, SHIFT> {
    /// The address.
    type Value = u64;

    const WIDTH: u8 = BITS;
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize = Self::LONGEST_LABEL;
    /// A number in any notation, `.` and labels that begin with a dot, and all other labels:
    /// `["0~", ".*", NAME]`.
    const FORMS: &'static [&'static str] = &["0~", ".*", NAME];
    const TARGET: Option<fn(Self, u64) -> u64> = Some(|absolute, _| absolute.0);
    const PARTS: &'static [TextPart] = &[TextPart::Choice {
        bits: NumeralBits::low(BITS),
        of: &[
            &[TextPart::Text("0")],
            &[
                TextPart::Text("0x"),
                TextPart::Number(Numeral {
                    scale: 1 << SHIFT,
                    hex: 1,
                    ..Numeral::of(NumeralBits::low(BITS))
                }),
            ],
        ],
    }];

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Absolute((raw & u64::MAX >> (64 - BITS)) << SHIFT)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0 >> SHIFT
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        if begins_name(cursor.rest()) {
            let target = cursor.target()?;
            let wrong = || cursor.wrong_address(start, target, Self::mistake(target));
            return Self::to(target).ok_or_else(wrong);
        }
        if !cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(cursor.fault(start, Self::MISSING.as_str()));
        }
        let number = cursor.number()?;
        let target = u64::try_from(number).ok();
        let wrong =
            || cursor.fault(start, target.map_or(Self::OUT_OF_RANGE.as_str(), Self::mistake));
        target.and_then(Self::to).ok_or_else(wrong)
    }

    fn write(self, line: &mut Line) {
        hex::write(self.0, line);
    }
}

impl<const BITS: u8, const SHIFT: u8> core::fmt::Display for Absolute<BITS, SHIFT> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut line = Line::new();
        self.write(&mut line);
        f.pad(line.as_str())
    }
}

impl<const BITS: u8, const SHIFT: u8> core::str::FromStr for Absolute<BITS, SHIFT> {
    type Err = OperandError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::parse(text)
    }
}

/// The value is the address, on any machine, because the word contains it.
impl<M: ?Sized, const BITS: u8, const SHIFT: u8> Source<M> for Absolute<BITS, SHIFT> {
    #[inline]
    fn fetch(self, _: &M) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::Absolute;
    use crate::operand::{OperandKind, parse};

    #[test]
    fn every_address_of_a_narrow_kind_survives() {
        for raw in 0..64 {
            let slot = Absolute::<6, 2>::from_bits(raw);
            assert_eq!((slot.to_bits(), slot.get(), slot.target()), (raw, raw * 4, raw * 4));
            assert_eq!(Absolute::to(raw * 4), Some(slot));
            let text = slot.to_string();
            assert_eq!(
                text,
                if raw == 0 { "0".to_string() } else { std::format!("{:#x}", raw * 4) }
            );
            assert_eq!((parse(&text), parse(&(raw * 4).to_string())), (Ok(slot), Ok(slot)));
        }
        let highest = Absolute::<64>::from_bits(u64::MAX);
        assert_eq!((highest.get(), parse(&highest.to_string())), (u64::MAX, Ok(highest)));
    }

    #[test]
    fn other_addresses_are_refused() {
        let says = |text: &str| parse::<Absolute<6, 2>>(text).unwrap_err().to_string();
        let range = "a multiple of 4 from 0 to 0xfc";
        assert_eq!(Absolute::<6, 2>::EXPECTS, std::format!("{range}, or a label"));
        assert_eq!(says("0x100"), std::format!("out of range: expected {range}"));
        assert_eq!(says("0x10000000000000000"), std::format!("out of range: expected {range}"));
        assert_eq!(says("0x42"), std::format!("misaligned: expected {range}"));
        assert_eq!((says("-4"), says("+4")), (says(""), says("")));
        assert_eq!(says("-4"), std::format!("expected {range} or a label"));
        assert_eq!(says("a"), "labels are valid only in a program: write a number instead");
        assert_eq!(Absolute::<16>::EXPECTS, "an address from 0 to 0xffff, or a label");
    }
}
