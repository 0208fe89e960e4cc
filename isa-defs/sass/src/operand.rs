//! Operand types of SASS: registers, constant memory, addresses, immediates and the control word.

use isa_core::operand::{AsmFormat, OperandKind, PrefixedHex, Reg, SignedHex, Unsigned};
use isa_core::text::{Cursor, Line, OperandError};

use super::number::{self, Format};

isa_core::registers! {
    /// A uniform register of chips before sm_100: `UR0` to `UR62`, or `URZ`, which is 0.
    pub UReg: 6 = "UR0" to "UR62", "URZ" of u32;
    /// A uniform register of sm_100 and newer chips: `UR0` to `UR254`, or `URZ`, which is 0.
    pub WideUReg: 8 = "UR0" to "UR254", "URZ" of u32;
    /// A uniform predicate: `UP0` to `UP6`, or `UPT`, which is true.
    pub UPred: 3 = "UP0" to "UP6", "UPT" of bool, 1 bit;
    /// A barrier of divergent branches: `B0` to `B15`.
    pub Barrier: 4 = "B0" to "B15" of u32;
    /// The factor of a register in an address.
    pub Factor: 2 = "X1", "X4", "X8", "X16" of u8;
}

isa_core::registers! {
    /// The special registers of sm_75 whose names are numbers or depend on the chip.
    pub Special75: 8 = "SR0" to "SR23", "SR_MACHINE_ID_0", "SR25" to "SR255" of u32;
    /// The same of sm_80, sm_86 and sm_89.
    pub Special80: 8 = "SR0" to "SR23", "SR_SW_SCRATCH", "SR25" to "SR255" of u32;
    /// The same of sm_90.
    pub Special90: 8 = "SR0" to "SR23", "SR_SW_SCRATCH", "SR25" to "SR64", "SR_CGAERRORSTATUS", "SR66" to "SR133", "SR_WARPGROUP_INFO",
        "SR_WARPGROUPID", "SR_CgaCtaId", "SR_GpcLocalCgaId", "SR138", "SR_CTARegPoolSz", "SR140" to "SR255" of u32;
    /// The same of sm_100.
    pub Special100: 8 = "SR0" to "SR23", "SR_SW_SCRATCH", "SR25" to "SR64", "SR_CGAERRORSTATUS", "SR66" to "SR135", "SR_CgaCtaId",
        "SR_GpcLocalCgaId", "SR_CgaSize", "SR_CTARegPoolSz", "SR140", "SR_TMemSz", "SR142" to "SR255" of u32;
    /// The same of sm_120.
    pub Special120: 8 = "SR0" to "SR23", "SR_SW_SCRATCH", "SR25" to "SR64", "SR_CGAERRORSTATUS", "SR66" to "SR135", "SR_CgaCtaId",
        "SR_GpcLocalCgaId", "SR_CgaSize", "SR_CTARegPoolSz", "SR140", "SR_TMemSz", "SR_CONTEXT_SAVE_ADDR_LO", "SR_CONTEXT_SAVE_ADDR_HI",
        "SR144" to "SR255" of u32;
}

isa_core::operand_text! {
    /// A word of constant memory. The offset is signed.
    pub Bank "constant memory (`c[0x0][0x160]`, 4-byte aligned)": bank: PrefixedHex<5>, offset: SignedHex<14, 2> =
        ("c[" bank "][" offset "]");
    /// A word of constant memory. `nvdisasm` prints a blank in some instructions.
    pub Spaced "constant memory (`c[0x0] [0x160]`, 4-byte aligned)": bank: PrefixedHex<5>, offset: SignedHex<14, 2> =
        ("c[" bank "] [" offset "]");
    /// A word of constant memory in a bank that a uniform register describes.
    pub Bound "constant memory (`cx[UR4][0x160]`, 4-byte aligned)": offset: PrefixedHex<14, 2>, bank: UReg =
        ("cx[" bank "][" offset "]");
    /// A word of constant memory in a bank that a uniform register describes, with a blank.
    pub BoundSpaced "constant memory (`cx[UR4] [0x160]`, 4-byte aligned)": offset: PrefixedHex<14, 2>, bank: UReg =
        ("cx[" bank "] [" offset "]");

    /// An address in constant memory.
    pub Constant "constant memory (`c[0x0][R4+0x28]`)": bank: PrefixedHex<5>, offset: SignedHex<16>, a: Reg =
        [a = 255, offset = 0] ("c[" bank "][RZ]") or [a = 255] ("c[" bank "][" offset "]") or ("c[" bank "][" a {"+" offset} "]");
    /// An address in constant memory for a uniform load before sm_100.
    pub UniformConstant "constant memory (`c[0x0][0x28]`)": bank: PrefixedHex<5>, offset: SignedHex<16> = ("c[" bank "][" offset "]");
    /// An address in constant memory for a uniform load from sm_100.
    pub WideConstant "constant memory (`c[0x0][0x28]`)": bank: PrefixedHex<5>, offset: SignedHex<17> =
        [offset = 0] ("c[" bank "][URZ]") or ("c[" bank "][" offset "]");
    /// An address in constant memory to which a uniform register is added.
    pub UniformIndexed<U; N> "constant memory (`c[0x0][UR4+0x28]`)": bank: PrefixedHex<5>, offset: SignedHex<N>, u: U =
        ("c[" bank "][" u {"+" offset} "]");

    /// An address in global memory.
    pub Global<; N> "an address (`[R2.64+0x4]`)": offset: SignedHex<N>, a: Reg = ("[" a ".64" {"+" offset} "]");
    /// An address in global memory to which a uniform register is added.
    pub GlobalSum<U> "an address (`[R2.64+UR4+0x4]`)": offset: SignedHex<24>, a: Reg, u: U =
        [a = 255] ("[" u {"+" offset} "]") or ("[" a ".64+" u {"+" offset} "]");
    /// Like [`GlobalSum`], with a register of 32 bits.
    pub GlobalSum32 "an address (`[R2.U32+UR4+0x4]`)": offset: SignedHex<24>, a: Reg, u: UReg =
        [a = 255] ("[" u {"+" offset} "]") or ("[" a ".U32+" u {"+" offset} "]");
    /// An address in global memory with a descriptor.
    pub Described<U; N> "an address with a descriptor (`desc[UR4][R2.64+0x4]`)": offset: SignedHex<N>, a: Reg, u: U =
        ("desc[" u "][" a ".64" {"+" offset} "]");

    /// An address in local memory. Without a register, the offset is an address.
    pub Local<; N> "an address (`[R0+0x10]`)": offset: SignedHex<N>, a: Reg =
        [a = 255, offset = 0] ("[RZ]") or [a = 255] ("[" [offset: PrefixedHex<N>] "]") or ("[" a {"+" offset} "]");
    /// An address in shared memory.
    pub Near "an address (`[R0.X4+0x10]`)": offset: SignedHex<24>, a: Reg, by: Factor =
        [a = 255, by = 0, offset = 0] ("[RZ]") or [a = 255, by = 0] ("[" [offset: PrefixedHex<24>] "]")
        or ("[" a {"." by} {"+" offset} "]");
    /// An address in local memory to which a uniform register is added.
    pub LocalSum<U> "an address (`[R0+UR4+0x10]`)": offset: SignedHex<24>, a: Reg, u: U =
        [a = 255] ("[" u {"+" offset} "]") or ("[" a "+" u {"+" offset} "]");
    /// An address in shared memory to which a uniform register is added.
    pub NearSum<U> "an address (`[R0.X4+UR4+0x10]`)": offset: SignedHex<24>, a: Reg, by: Factor, u: U =
        [a = 255, by = 0] ("[" u {"+" offset} "]") or ("[" a {"." by} "+" u {"+" offset} "]");

    /// The number of cycles until the next instruction is issued.
    pub Stall "`?stall=` and a number": cycles: Unsigned<4> = ("?stall=" cycles);
    /// Whether the warp keeps its priority after the instruction. The value 0 lets another warp run first.
    pub Yield "`?yield` or `?stay`": stay: Unsigned<1> = [stay = 0] ("?yield") or [stay = 1] ("?stay");
    /// The barrier that is released when the results are written. The value 7 means no barrier.
    pub WriteBarrier "`&wr=` and a number": barrier: Unsigned<3> = ("&wr=" barrier);
    /// The barrier that is released when the sources are read. The value 7 means no barrier.
    pub ReadBarrier "`&rd=` and a number": barrier: Unsigned<3> = ("&rd=" barrier);
    /// The barriers that the instruction waits for.
    pub Waits "a set of barriers (`&req={0,5}`)": barriers: BarrierSet<true> = ("&req=" barriers);
    /// The uniform register with the descriptor of an access, which `nvdisasm` does not print for chips
    /// before sm_90.
    pub Descriptor "`&desc=` and a uniform register": u: UReg = ("&desc=" u);
}

/// The beginnings of a float: a number, or the name of a special value.
const FLOAT: &[&str] =
    &["0*", "-0*", "+0*", "+INF*", "-INF*", "+QNAN*", "-QNAN*", "+SNAN*", "-SNAN*"];

/// An immediate with two 16-bit floats, or if `WIDENS` is true and the argument is 1, with one. The
/// argument is the format of the floats: 2 is bfloat16, and other numbers are binary16. The payload of a
/// NaN is not printed.
pub struct Halves<const WIDENS: bool>;

/// Returns the format of 16-bit floats that the arguments of a text format contain.
fn half_format(args: &[u64]) -> Format {
    if args.first() == Some(&2) { Format::Bfloat16 } else { Format::Binary16 }
}

impl<const WIDENS: bool> AsmFormat for Halves<WIDENS> {
    const EXPECTS: &'static str = "two immediate lanes from high to low (`1, -0.5`)";
    const MAX_LEN: usize = 2 * number::MAX_LEN + ", ".len();
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = Some(|raw, args| {
        let is_canonical = |bits: u64| half_format(args).is_canonical(bits as u32 & 0xffff);
        is_canonical(raw) && is_canonical(raw >> 16)
    });

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        let first = half_format(args).read(cursor)?.into();
        if WIDENS && args.first() == Some(&1) {
            return Ok(first);
        }
        let at = cursor.position();
        match cursor.eat(b',') {
            true => Ok(first << 16 | u64::from(half_format(args).read(cursor)?)),
            false => Err(cursor.fault(at, "expected `,` and the low lane")),
        }
    }

    fn write(raw: u64, args: &[u64], line: &mut Line) {
        if !(WIDENS && args.first() == Some(&1)) {
            half_format(args).write((raw >> 16) as u32 & 0xffff, line);
            line.push_str(", ");
        }
        half_format(args).write(raw as u32 & 0xffff, line);
    }
}

/// An immediate of 32 bits that is printed as a float: a 32-bit float, or if `DOUBLE` is true, the high half
/// of a 64-bit float whose low half is 0. The payload of a NaN is not printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float<const DOUBLE: bool>(u32);

impl<const DOUBLE: bool> Float<DOUBLE> {
    const FORMAT: Format = if DOUBLE { Format::Binary64High } else { Format::Binary32 };
}

impl<const DOUBLE: bool> OperandKind for Float<DOUBLE> {
    type Value = u32;
    const WIDTH: u8 = 32;
    const VALUE_BITS: u16 = if DOUBLE { 64 } else { 32 };
    const EXPECTS: &'static str = "a float (`0.5`)";
    const MAX_LEN: usize = number::MAX_LEN;
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(Self) -> bool> = Some(|float| Self::FORMAT.is_canonical(float.0));

    fn from_bits(raw: u64) -> Self {
        Float(raw as u32)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        Self::FORMAT.read(cursor).map(Float)
    }
    fn write(self, line: &mut Line) {
        Self::FORMAT.write(self.0, line);
    }
}

/// A set of barriers, printed in ascending or descending order: bit i represents barrier i.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BarrierSet<const ASCENDING: bool>(u8);

impl<const ASCENDING: bool> OperandKind for BarrierSet<ASCENDING> {
    type Value = u8;
    const WIDTH: u8 = 6;
    const EXPECTS: &'static str = "a set of barriers (`{5,0}`)";
    const MAX_LEN: usize = "{5,4,3,2,1,0}".len();
    const FORMS: &'static [&'static str] = &["{*"];
    const NAMED: &'static [(&'static str, u64)] = &[("NONE", 0)];

    fn from_bits(raw: u64) -> Self {
        BarrierSet(raw as u8 & 63)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let (start, mut set) = (cursor.position(), 0);
        if !cursor.eat(b'{') {
            return Err(cursor.fault(start, "expected `{`"));
        }
        while !cursor.eat(b'}') {
            let at = cursor.position();
            match cursor.number()? {
                barrier @ 0..6 => set |= 1 << barrier,
                _ => return Err(cursor.fault(at, "expected a barrier from 0 to 5")),
            }
            cursor.eat(b',');
        }
        Ok(BarrierSet(set))
    }

    fn write(self, line: &mut Line) {
        let mut separator = "{";
        for place in 0..6u32 {
            let barrier = if ASCENDING { place } else { 5 - place };
            if self.0 >> barrier & 1 == 1 {
                line.push_str(separator);
                line.push_decimal(barrier.into());
                separator = ",";
            }
        }
        line.push_str(if self.0 == 0 { "{}" } else { "}" });
    }
}
