//! Tests registers from lines of `registers!`: registers that a machine stores, and registers
//! without a machine.

use isa_core::machine::{Sink, Source};
use isa_core::operand::{OperandKind, checked, parse};

/// A machine with four registers, the last of which is always 0, and flags.
#[derive(Default)]
struct Machine {
    regs: [u64; 3],
    flags: Flags,
}

/// The value of the flags register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u8);

/// Access to the registers of the machine.
pub trait Regs {
    /// Returns the value of a register.
    fn reg(&self, number: u8) -> u64;
    /// Sets the value of a register.
    fn set_reg(&mut self, number: u8, value: u64);
    /// Returns the flags.
    fn flags(&self) -> Flags;
    /// Sets the flags.
    fn set_flags(&mut self, flags: Flags);
}

impl Regs for Machine {
    fn reg(&self, number: u8) -> u64 {
        self.regs.get(usize::from(number)).copied().unwrap_or(0)
    }
    fn set_reg(&mut self, number: u8, value: u64) {
        if let Some(register) = self.regs.get_mut(usize::from(number)) {
            *register = value;
        }
    }
    fn flags(&self) -> Flags {
        self.flags
    }
    fn set_flags(&mut self, flags: Flags) {
        self.flags = flags;
    }
}

isa_core::registers! {
    /// A register.
    pub X: 2 = "x0" to "x2", "xz" of u64, in Regs { reg, set_reg };
    /// Its low half.
    pub W: 2 = "w0" to "w2", "wz" of u32, in Regs { reg, set_reg };
    /// The flags.
    pub Nzcv: 1 = "nzcv" of Flags, 4 bit, in Regs { flags, set_flags };
    /// A register that no machine has.
    pub(crate) B: 1 = "b0" to "b1" of bool, 1 bit;
}

#[test]
fn a_machine_has_them_by_its_methods() {
    let mut machine = Machine::default();
    let x = |number| X::new(number).expect("one of four");
    let w = |number| W::new(number).expect("one of four");
    x(1).store(&mut machine, 0x1_2345_6789);
    assert_eq!((x(1).fetch(&machine), w(1).fetch(&machine)), (0x1_2345_6789, 0x2345_6789));
    w(1).store(&mut machine, u32::MAX);
    assert_eq!(x(1).fetch(&machine), 0xffff_ffff, "extended by zeros");
    x(3).store(&mut machine, 1);
    assert_eq!((x(3).fetch(&machine), machine.regs), (0, [0, 0xffff_ffff, 0]));
    Nzcv.store(&mut machine, Flags(9));
    assert_eq!((Nzcv.fetch(&machine), machine.flags), (Flags(9), Flags(9)));
}

#[test]
fn one_that_is_alone_has_one_name() {
    assert_eq!(parse::<Nzcv>(" nzcv "), Ok(Nzcv));
    assert_eq!(parse::<Nzcv>("nzc").unwrap_err().to_string(), "expected `nzcv`");
    assert!(parse::<Nzcv>("NZCV").is_err() && parse::<Nzcv>("").is_err());
    assert_eq!((Nzcv.to_string().as_str(), Nzcv.to_bits(), Nzcv::VALUE_BITS), ("nzcv", 0, 4));
    assert_eq!(checked::<Nzcv>(0), Ok(Nzcv));
    assert_eq!((X::VALUE_BITS, W::VALUE_BITS, B::VALUE_BITS), (64, 32, 1));
    assert_eq!(B::new(1).map(B::number), Some(1));
}

/// The trait of a machine may have any name, even one that is common for type parameters.
pub trait M {
    /// Returns the value of a register.
    fn reg(&self, number: u8) -> u64;
    /// Sets the value of a register.
    fn set_reg(&mut self, number: u8, value: u64);
}

isa_core::registers! {
    /// Registers of a machine with such a trait.
    pub Short: 2 = "s0" to "s3" of u64, in M { reg, set_reg };
}

impl M for [u64; 4] {
    fn reg(&self, number: u8) -> u64 {
        self[usize::from(number)]
    }
    fn set_reg(&mut self, number: u8, value: u64) {
        self[usize::from(number)] = value;
    }
}

#[test]
fn the_trait_has_any_name() {
    let (mut machine, register) = ([1, 2, 3, 4], Short::new(2).unwrap());
    register.store(&mut machine, 7);
    assert_eq!((register.fetch(&machine), machine), (7, [1, 2, 7, 4]));
}
