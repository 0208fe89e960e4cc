//! Control and status registers: 12-bit numbers. The defined registers have names.

use isa_core::machine::{Sink, Source};
use isa_core::operand::{NAME, OperandKind};
use isa_core::text::{Cursor, Line, OperandError};

/// A control and status register.
///
/// ```
/// use isa_riscv::Csr;
/// use isa_core::operand::parse;
///
/// assert_eq!(parse::<Csr>("cycle"), Ok(Csr::new(0xc00).unwrap()));
/// assert_eq!(parse::<Csr>("hpmcounter31"), parse("0xc1f"));
/// assert!(parse::<Csr>("hpmcounter2").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Csr(u16);

/// Registers that are not part of a numbered bank.
const NAMES: &[(u16, &str)] = &[
    (0x001, "fflags"),
    (0x002, "frm"),
    (0x003, "fcsr"),
    (0x008, "vstart"),
    (0x009, "vxsat"),
    (0x00a, "vxrm"),
    (0x00f, "vcsr"),
    (0x015, "seed"),
    (0x100, "sstatus"),
    (0x104, "sie"),
    (0x105, "stvec"),
    (0x106, "scounteren"),
    (0x10a, "senvcfg"),
    (0x140, "sscratch"),
    (0x141, "sepc"),
    (0x142, "scause"),
    (0x143, "stval"),
    (0x144, "sip"),
    (0x14d, "stimecmp"),
    (0x180, "satp"),
    (0x200, "vsstatus"),
    (0x204, "vsie"),
    (0x205, "vstvec"),
    (0x240, "vsscratch"),
    (0x241, "vsepc"),
    (0x242, "vscause"),
    (0x243, "vstval"),
    (0x244, "vsip"),
    (0x24d, "vstimecmp"),
    (0x280, "vsatp"),
    (0x300, "mstatus"),
    (0x301, "misa"),
    (0x302, "medeleg"),
    (0x303, "mideleg"),
    (0x304, "mie"),
    (0x305, "mtvec"),
    (0x306, "mcounteren"),
    (0x30a, "menvcfg"),
    (0x320, "mcountinhibit"),
    (0x340, "mscratch"),
    (0x341, "mepc"),
    (0x342, "mcause"),
    (0x343, "mtval"),
    (0x344, "mip"),
    (0x34a, "mtinst"),
    (0x34b, "mtval2"),
    (0x5a8, "scontext"),
    (0x600, "hstatus"),
    (0x602, "hedeleg"),
    (0x603, "hideleg"),
    (0x604, "hie"),
    (0x605, "htimedelta"),
    (0x606, "hcounteren"),
    (0x607, "hgeie"),
    (0x60a, "henvcfg"),
    (0x643, "htval"),
    (0x644, "hip"),
    (0x645, "hvip"),
    (0x64a, "htinst"),
    (0x680, "hgatp"),
    (0x6a8, "hcontext"),
    (0x747, "mseccfg"),
    (0x7a0, "tselect"),
    (0x7a8, "mcontext"),
    (0x7b0, "dcsr"),
    (0x7b1, "dpc"),
    (0xb00, "mcycle"),
    (0xb02, "minstret"),
    (0xc00, "cycle"),
    (0xc01, "time"),
    (0xc02, "instret"),
    (0xc20, "vl"),
    (0xc21, "vtype"),
    (0xc22, "vlenb"),
    (0xda0, "scountovf"),
    (0xe12, "hgeip"),
    (0xf11, "mvendorid"),
    (0xf12, "marchid"),
    (0xf13, "mimpid"),
    (0xf14, "mhartid"),
    (0xf15, "mconfigptr"),
];

/// A bank of registers whose names are a common prefix and a number.
struct Bank {
    prefix: &'static str,
    /// The address of register 0 of the bank. Not every bank contains a register 0.
    base: u16,
    first: u16,
    last: u16,
    step: u16,
}

const fn bank(prefix: &'static str, base: u16, first: u16, last: u16) -> Bank {
    Bank { prefix, base, first, last, step: 1 }
}

const BANKS: &[Bank] = &[
    bank("sstateen", 0x10c, 0, 3),
    bank("mstateen", 0x30c, 0, 3),
    bank("hstateen", 0x60c, 0, 3),
    bank("mhpmevent", 0x320, 3, 31),
    // In RV64 only the even registers exist, and each contains the settings of eight regions.
    Bank { step: 2, ..bank("pmpcfg", 0x3a0, 0, 14) },
    bank("pmpaddr", 0x3b0, 0, 63),
    bank("tdata", 0x7a0, 1, 3),
    bank("dscratch", 0x7b2, 0, 1),
    bank("mhpmcounter", 0xb00, 3, 31),
    bank("hpmcounter", 0xc00, 3, 31),
];

impl Bank {
    fn has(&self, number: u16) -> bool {
        (self.first..=self.last).contains(&number) && number.is_multiple_of(self.step)
    }
}

impl Csr {
    /// Returns the register with this number, or `None` if the number is above 0xfff.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number < 0x1000 { Some(Csr(number)) } else { None }
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    fn named(word: &str) -> Option<Self> {
        if let Some((number, _)) = NAMES.iter().find(|(_, name)| *name == word) {
            return Some(Csr(*number));
        }
        BANKS.iter().find_map(|bank| {
            let digits = word.strip_prefix(bank.prefix)?;
            let plain = digits == "0" || !digits.starts_with(['0', '+']);
            let number = digits.parse().ok().filter(|&number| plain && bank.has(number))?;
            Some(Csr(bank.base + number))
        })
    }
}

impl OperandKind for Csr {
    /// The register and not its value, because reading and writing it can trap. The semantics read and
    /// write the register themselves.
    type Value = Csr;
    const WIDTH: u8 = 12;
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = "a control and status register (`cycle`, or a number up to 4095)";
    const MAX_LEN: usize = "mhpmcounter31".len();
    const FORMS: &'static [&'static str] = &[NAME, "0~"];

    fn from_bits(raw: u64) -> Self {
        Csr(raw as u16 & 0xfff)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let message = "no such register: expected a name or a number up to 4095";
        let csr = if cursor.rest().first().is_some_and(u8::is_ascii_digit) {
            u16::try_from(cursor.number()?).ok().and_then(Csr::new)
        } else {
            Csr::named(cursor.word())
        };
        csr.ok_or_else(|| cursor.fault(start, message))
    }

    fn write(self, line: &mut Line) {
        if let Some((_, name)) = NAMES.iter().find(|(number, _)| *number == self.0) {
            line.push_str(name);
            return;
        }
        let in_bank = |bank: &&Bank| self.0.checked_sub(bank.base).is_some_and(|n| bank.has(n));
        if let Some(bank) = BANKS.iter().find(in_bank) {
            line.push_str(bank.prefix);
            line.push_decimal((self.0 - bank.base).into());
        } else {
            line.push_decimal(self.0.into());
        }
    }
}

impl<M: ?Sized> Source<M> for Csr {
    #[inline]
    fn fetch(self, _: &M) -> Csr {
        self
    }
}

/// Does nothing, because the semantics write the register.
impl<M: ?Sized> Sink<M> for Csr {
    #[inline]
    fn store(self, _: &mut M, _: Csr) {}
}
