//! The text of addresses: `desc[UR4][R2.64+0x4]`, `[R0.X4+UR5+-0x8]`, `c[0x0][R1+0x28]`.

use isa_core::operand::{AsmFormat, OperandKind, Reg};
use isa_core::text::{Cursor, Line, OperandError};

use super::operand::{UReg, WideUReg, expect, low, push_hex, push_signed_hex, signed};

/// The register that reads as 0.
const RZ: u64 = 255;

/// The parts of an address.
#[derive(Default)]
struct Parts {
    register: Option<u64>,
    /// Whether `.64` follows the register.
    wide: bool,
    /// The base 2 logarithm of the factor of the register, divided by 4 if it is not 0: `.X4` is 1.
    scale: u64,
    uniform: Option<u64>,
    offset: i128,
}

impl Parts {
    /// Parses an address in brackets.
    fn read<U: OperandKind>(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let mut parts = Parts::default();
        expect(cursor, b'[', "expected `[`")?;
        loop {
            match cursor.peek() {
                Some(b'R') => {
                    parts.register = Some(Reg::read(cursor)?.to_bits());
                    parts.read_suffix(cursor)?;
                }
                Some(b'U') => parts.uniform = Some(U::read(cursor)?.to_bits()),
                _ => parts.offset = signed(cursor)?,
            }
            if !cursor.eat(b'+') {
                break;
            }
        }
        expect(cursor, b']', "expected `]`")?;
        Ok(parts)
    }

    /// Parses the suffix of the register.
    fn read_suffix(&mut self, cursor: &mut Cursor<'_>) -> Result<(), OperandError> {
        if !cursor.eat(b'.') {
            return Ok(());
        }
        let start = cursor.position();
        match cursor.word() {
            "64" => self.wide = true,
            "X4" => self.scale = 1,
            "X8" => self.scale = 2,
            "X16" => self.scale = 3,
            _ => return Err(cursor.fault(start, "expected `.64`, `.X4`, `.X8` or `.X16`")),
        }
        Ok(())
    }

    /// Returns the offset in 24 bits.
    fn offset(&self, cursor: &Cursor<'_>, start: usize) -> Result<u64, OperandError> {
        match self.offset {
            -0x80_0000..0x80_0000 => Ok(low(self.offset as u64, 24)),
            // Without a register, the offset is an address, which is printed without a sign.
            0x80_0000..0x100_0000 if self.register.is_none() && self.uniform.is_none() => {
                Ok(self.offset as u64)
            }
            _ => Err(cursor.fault(start, "offset out of range: expected -0x800000 to 0x7fffff")),
        }
    }
}

/// Returns a number of 24 bits with its sign.
fn extended(raw: u64) -> i64 {
    (raw << 40) as i64 >> 40
}

/// Prints an offset after another part, unless it is 0.
fn push_offset(line: &mut Line, offset: i64) {
    if offset != 0 {
        line.push(b'+');
        push_signed_hex(line, offset);
    }
}

/// An address in global memory with a descriptor. The fields are the offset, the register and the
/// uniform register, which has 8 bits if `WIDE` is true, and otherwise 6 bits.
pub struct Described<const WIDE: bool>;

impl<const WIDE: bool> AsmFormat for Described<WIDE> {
    const EXPECTS: &'static str = "an address with a descriptor (`desc[UR4][R2.64+0x4]`)";
    const MAX_LEN: usize = "desc[UR254][R254.64+-0x800000]".len();
    const FORMS: &'static [&'static str] = &["desc[*"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        cursor.word();
        expect(cursor, b'[', "expected `[`, as in `desc[UR4][R2.64]`")?;
        let (uniform, bits) = match WIDE {
            true => (WideUReg::read(cursor)?.to_bits(), 8),
            false => (UReg::read(cursor)?.to_bits(), 6),
        };
        expect(cursor, b']', "expected `]`")?;
        let parts = Parts::read::<UReg>(cursor)?;
        match parts {
            Parts { register: Some(register), wide: true, scale: 0, uniform: None, .. } => {
                Ok((parts.offset(cursor, start)? << 8 | register) << bits | uniform)
            }
            _ => Err(cursor.fault(start, "expected a register with `.64`, and an offset")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        let bits = if WIDE { 8 } else { 6 };
        line.push_str("desc[");
        match WIDE {
            true => WideUReg::from_bits(low(raw, 8)).write(line),
            false => UReg::from_bits(low(raw, 6)).write(line),
        }
        line.push_str("][");
        Reg::from_bits(low(raw >> bits, 8)).write(line);
        line.push_str(".64");
        push_offset(line, extended(raw >> (bits + 8)));
        line.push(b']');
    }
}

/// An address in global memory: the offset and the register.
pub struct Global;

impl AsmFormat for Global {
    const EXPECTS: &'static str = "an address (`[R2.64+0x4]`)";
    const MAX_LEN: usize = "[R254.64+-0x800000]".len();
    const FORMS: &'static [&'static str] = &["[*"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let parts = Parts::read::<UReg>(cursor)?;
        match parts {
            Parts { register: Some(register), wide: true, scale: 0, uniform: None, .. } => {
                Ok(parts.offset(cursor, start)? << 8 | register)
            }
            _ => Err(cursor.fault(start, "expected a register with `.64`, and an offset")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push(b'[');
        Reg::from_bits(low(raw, 8)).write(line);
        line.push_str(".64");
        push_offset(line, extended(raw >> 8));
        line.push(b']');
    }
}

/// An address in global memory of sm_75: the offset, the register and the uniform register that is
/// added.
pub struct GlobalSum;

impl AsmFormat for GlobalSum {
    const EXPECTS: &'static str = "an address (`[R2.64+UR4+0x4]`)";
    const MAX_LEN: usize = "[R254.64+UR62+-0x800000]".len();
    const FORMS: &'static [&'static str] = &["[*"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let parts = Parts::read::<UReg>(cursor)?;
        let offset = parts.offset(cursor, start)?;
        match parts {
            Parts { register, wide, scale: 0, uniform: Some(uniform), .. }
                if wide == register.is_some() =>
            {
                Ok((offset << 8 | register.unwrap_or(RZ)) << 6 | uniform)
            }
            _ => Err(cursor.fault(start, "expected a register with `.64`, and a uniform register")),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        let register = low(raw >> 6, 8);
        line.push(b'[');
        if register != RZ {
            Reg::from_bits(register).write(line);
            line.push_str(".64+");
        }
        UReg::from_bits(low(raw, 6)).write(line);
        push_offset(line, extended(raw >> 14));
        line.push(b']');
    }
}

/// The order of an access of sm_75: the threads in the low two bits, and the order in the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OrderTuring(u8);

/// The names of the orders of sm_75.
const TURING: [&str; 16] = [
    "CONSTANT.CTA",
    "CONSTANT.SM",
    "CONSTANT.GPU",
    "CONSTANT.SYS",
    "CTA",
    "SM",
    "GPU",
    "SYS",
    "STRONG.CTA",
    "STRONG.SM",
    "STRONG.GPU",
    "STRONG.SYS",
    "MMIO.CTA",
    "MMIO.SM",
    "MMIO.GPU",
    "MMIO.SYS",
];

impl OperandKind for OrderTuring {
    type Value = u8;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "the order of an access (`STRONG.GPU`)";
    const MAX_LEN: usize = "CONSTANT.SYS".len();
    const FORMS: &'static [&'static str] =
        &["CONSTANT*", "STRONG*", "MMIO*", "CTA", "SM", "GPU", "SYS"];

    fn from_bits(raw: u64) -> Self {
        OrderTuring(raw as u8 & 15)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let found = TURING.iter().position(|name| cursor.rest().starts_with(name.as_bytes()));
        match found {
            Some(number) => {
                cursor.seek(start + TURING.get(number).map_or(0, |name| name.len()));
                Ok(OrderTuring(number as u8))
            }
            None => Err(cursor.fault(start, "expected an order such as `STRONG.GPU`")),
        }
    }
    fn write(self, line: &mut Line) {
        line.push_str(TURING.get(usize::from(self.0)).unwrap_or(&""));
    }
}

/// An address in shared or local memory: the offset, the register, the scale of the register if
/// `SCALE` is 2 (bits), and with `BITS` other than 0 a uniform register of this many bits.
pub struct Near<const BITS: u32, const SCALE: u32>;

impl<const BITS: u32, const SCALE: u32> AsmFormat for Near<BITS, SCALE> {
    const EXPECTS: &'static str = "an address (`[R0.X4+0x10]`)";
    const MAX_LEN: usize = "[R254.X16+UR254+-0x800000]".len();
    const FORMS: &'static [&'static str] =
        if BITS == 0 { &["[R0*", "[RZ*", "[0*", "[-*"] } else { &["[*"] };

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let parts = match BITS {
            8 => Parts::read::<WideUReg>(cursor)?,
            _ => Parts::read::<UReg>(cursor)?,
        };
        if parts.wide || parts.uniform.is_some() != (BITS != 0) || SCALE == 0 && parts.scale != 0 {
            return Err(cursor.fault(start, "this instruction has another form of address"));
        }
        let offset = parts.offset(cursor, start)?;
        let address = (offset << 8 | parts.register.unwrap_or(RZ)) << SCALE | parts.scale;
        Ok(address << BITS | parts.uniform.unwrap_or_default())
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        let (scale, register) = (low(raw >> BITS, SCALE), low(raw >> (BITS + SCALE), 8));
        let offset = extended(raw >> (BITS + SCALE + 8));
        line.push(b'[');
        let shown = register != RZ || BITS == 0 && offset == 0;
        if shown {
            Reg::from_bits(register).write(line);
            line.push_str(["", ".X4", ".X8", ".X16"].get(scale as usize).unwrap_or(&""));
        }
        if BITS != 0 {
            line.push_str(if shown { "+" } else { "" });
            match BITS {
                8 => WideUReg::from_bits(low(raw, 8)).write(line),
                _ => UReg::from_bits(low(raw, 6)).write(line),
            }
        }
        match shown || BITS != 0 {
            true => push_offset(line, offset),
            false => push_hex(line, low(offset as u64, 24)),
        }
        line.push(b']');
    }
}

/// An address in constant memory: the bank (5 bits), the offset in bytes (`BITS` bits) and, if
/// `INDEXED` is true, the register.
pub struct Constant<const BITS: u32, const INDEXED: bool>;

impl<const BITS: u32, const INDEXED: bool> AsmFormat for Constant<BITS, INDEXED> {
    const EXPECTS: &'static str = "constant memory (`c[0x0][R4+0x28]`)";
    const MAX_LEN: usize = "c[0x1f][R254+-0x10000]".len();
    const FORMS: &'static [&'static str] = &["c[*"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        cursor.word();
        expect(cursor, b'[', "expected `[`, as in `c[0x0][0x28]`")?;
        let bank = cursor.number()?;
        expect(cursor, b']', "expected `]`")?;
        let parts = Parts::read::<UReg>(cursor)?;
        let fits = bank < 32 && (-(1 << (BITS - 1))..1 << (BITS - 1)).contains(&parts.offset);
        let uniform = parts.uniform.is_some_and(|uniform| BITS != 17 || uniform != 63);
        if !fits
            || parts.wide
            || parts.scale != 0
            || uniform
            || !INDEXED && parts.register.is_some()
        {
            return Err(cursor.fault(start, "expected a bank up to 0x1f and an offset in range"));
        }
        let address = (bank as u64) << BITS | low(parts.offset as u64, BITS);
        Ok(if INDEXED { address << 8 | parts.register.unwrap_or(RZ) } else { address })
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        let (address, register) = if INDEXED { (raw >> 8, low(raw, 8)) } else { (raw, RZ) };
        let offset = (address << (64 - BITS)) as i64 >> (64 - BITS);
        line.push_str("c[");
        push_hex(line, address >> BITS);
        line.push_str("][");
        if BITS == 17 && offset == 0 {
            line.push_str("URZ");
        } else if register == RZ && (offset != 0 || !INDEXED) {
            push_signed_hex(line, offset);
        } else {
            Reg::from_bits(register).write(line);
            push_offset(line, offset);
        }
        line.push(b']');
    }
}

/// The order of an access relative to other accesses, and the threads that it is visible to.
///
/// `ACCESS` is 0 for loads, 1 for stores before sm_100, and 2 for stores from sm_100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order<const ACCESS: u8>(u8);

/// The names of the orders. The number 0 has no name.
const ORDERS: [&str; 16] = [
    "WEAK",
    "CONSTANT.PRIVATE",
    "CONSTANT.CTA",
    "CONSTANT.CTA.PRIVATE",
    "CONSTANT",
    "STRONG.SM",
    "STRONG.GPU.PRIVATE",
    "STRONG.GPU",
    "MMIO.GPU",
    "CONSTANT.SM",
    "STRONG.SYS",
    "CONSTANT.SM.PRIVATE",
    "MMIO.SYS",
    "CONSTANT.VC",
    "CONSTANT.VC.PRIVATE",
    "CONSTANT.GPU",
];

impl<const ACCESS: u8> OperandKind for Order<ACCESS> {
    type Value = u8;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "the order of an access (`STRONG.GPU`)";
    const MAX_LEN: usize = "CONSTANT.VC.PRIVATE".len();
    const FORMS: &'static [&'static str] = &["WEAK", "CONSTANT*", "STRONG*", "MMIO*", "SYS*"];
    const NAMED: &'static [(&'static str, u64)] = &[("WEAK", 0)];

    fn from_bits(raw: u64) -> Self {
        Order(raw as u8 & 15)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let names = (0..16).map(|number| (number, Self::name(number)));
        let found = names.filter(|(_, name)| cursor.rest().starts_with(name.as_bytes()));
        match found.max_by_key(|(_, name)| name.len()) {
            Some((number, name)) => {
                cursor.seek(start + name.len());
                Ok(Order(number))
            }
            None => Err(cursor.fault(start, "expected an order such as `STRONG.GPU`")),
        }
    }
    fn write(self, line: &mut Line) {
        line.push_str(Self::name(self.0));
    }
}

impl<const ACCESS: u8> Order<ACCESS> {
    /// Returns the name of an order. Some orders have other names for stores.
    fn name(number: u8) -> &'static str {
        match number {
            4 if ACCESS != 0 => "STRONG.SM.PRIVATE",
            13 if ACCESS == 2 => "SYS.ORDERED",
            14 if ACCESS == 2 => "STRONG.SYS.ORDERED",
            15 if ACCESS == 2 => "MMIO.SYS.ORDERED",
            _ => ORDERS.get(usize::from(number)).unwrap_or(&""),
        }
    }
}
