//! Registers, numbers and conditions that all parts of the set use.

pub use super::machine::Int;
pub use super::number::is_move_wide;
pub use super::reg::{Flags, V, W, Wsp, X, Xsp};

isa_core::define_isa! {
    /// Declarations shared by the parts of the set.
    pub isa Base: u32;

    machine crate::machine::ProcessorState {
        pc: pc, next, branch;
        jump: jump, branch;
        load: load;
        store: store;
        // `aligned` accesses no state. It only checks an address.
        state: reg, set_reg, sp, set_sp, reg_or_sp, set_reg_or_sp, nzcv, set_nzcv, v, set_v, aligned;
    }
    trap crate::machine::Trap;

    /// A 32-bit register, or `wzr`.
    operand W: 5;
    /// A 32-bit register, or `wsp`.
    operand Wsp: 5;
    /// A 64-bit register, or `xzr`.
    operand X: 5;
    /// A 64-bit register, or `sp`.
    operand Xsp: 5;
    /// The flags.
    operand Flags: 1;

    for $N in 1..33 {
        /// A number of $N bits, or a part of the opcode.
        operand Bits$$N: $N = isa_core::operand::Unsigned<$N>;
    }
    for $N in 14, 19, 26 {
        /// The distance of a branch in bytes.
        operand To$$N: $N = isa_core::operand::HashPrefixed<isa_core::operand::Relative<$N, 2>>;
    }

    /// Whether the registers have 64 bits.
    enum Size: 1 { W = 0, X = 1 }
    /// The type of a shift.
    enum Shift: 2 { lsl = 0, lsr = 1, asr = 2, ror = 3 }
    /// The extension of a register: the number of low bits, and whether they are zero-extended
    /// (`u`) or sign-extended (`s`).
    enum Extend: 3 { uxtb = 0, uxth = 1, uxtw = 2, uxtx = 3, sxtb = 4, sxth = 5, sxtw = 6, sxtx = 7 }
    /// A condition on the flags.
    enum Cond: 4 {
        eq = 0, ne = 1, hs | cs = 2, lo | cc = 3, mi = 4, pl = 5, vs = 6, vc = 7,
        hi = 8, ls = 9, ge = 10, lt = 11, gt = 12, le = 13, al = 14, nv = 15,
    }

    for $R in W, X {
        /// An operation on one register, with the result in another.
        group RR_$R {
            encoding { field<31, 1> Size sf == $R; field<5, 5> $R rn; field<0, 5> $R rd; }
            syntax   { .. rd, rn; }
            operands { InList<rn>; OutList<rd>; }
        }
        /// An operation on two registers, with the result in a third.
        group RRR_$R : [RR_$R] {
            encoding { field<16, 5> $R rm; }
            syntax   { .. rd, rn, rm; }
            operands { InList<rn, rm>; }
        }
    }
}

impl Shift {
    /// Shifts or rotates a number by fewer bits than its width.
    #[inline]
    #[must_use]
    pub fn apply<T: Int>(self, number: T, bits: u32) -> T {
        match self {
            Shift::lsl => number << bits,
            Shift::lsr => number >> bits,
            Shift::asr => T::of((number.signed() >> bits) as u64),
            Shift::ror if bits == 0 => number,
            Shift::ror => number >> bits | number << (T::BITS - bits),
        }
    }
}
