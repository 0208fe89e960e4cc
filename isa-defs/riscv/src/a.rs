//! A: atomic operations on memory.

use super::Size;
use super::machine::{Memory, Trap, aligned};

isa_core::define_isa! {
    /// Atomic operations on four or eight bytes.
    pub isa Rv64a: u32;

    use super::base::Base;
    use super::formats::Formats;
    requires A;

    /// The size of the access: four or eight bytes.
    enum Width: 3 { w = 2, d = 3 }

    /// The other accesses that must not be reordered with the operation: later accesses (`aq`) or
    /// earlier accesses (`rl`).
    enum Ordering: 2 { relaxed = 0, rl = 1, aq = 2, aqrl = 3 }

    /// An atomic access to the address in a register.
    group ATOMIC : [WORD] {
        encoding {
            opcode == AMO;
            field< 7, 5> Reg rd;
            field<12, 3> Width width;
            field<15, 5> Reg rs1;
            field<25, 2> Ordering order = relaxed;
            field<27, 5> Uimm5 funct5;
        }
    }

    /// Loads and reserves the address.
    opcode LR : [ATOMIC] {
        encoding { funct5 == 0x02; }
        syntax   { lr.width{.order} rd, "(" rs1 ")"; }
        operands { InList<rs1>; OutList<rd>; Order<rd, rs1>; }
        semantics(m: Memory) {
            rd = m.load(aligned(rs1.value, width.size())?, width.size())?;
            *m.reservation() = Some((rs1.value, width.size()));
        }
    }

    /// An atomic access with a second source register. Except for `sc`, it replaces the value in
    /// memory with the result of an operation on that value and the register, and writes the old
    /// value to the destination.
    group AMO : [ATOMIC] {
        encoding { field<20, 5> Reg rs2; }
        syntax   { .. .width{.order} rd, rs2, "(" rs1 ")"; }
        operands { InList<rs2, rs1>; OutList<rd>; Order<rd, rs2, rs1>; }
    }

    /// Stores if the address is still reserved. Writes 0 if it stored, otherwise 1.
    opcode SC      : [AMO] { encoding { funct5 == 0x03; } syntax { sc }
        semantics(m: Memory) {
            let address = aligned(rs1.value, width.size())?;
            let reserved = m.reservation().take() == Some((address, width.size()));
            if reserved {
                m.store(address, width.size(), rs2.value)?;
            }
            rd = (!reserved).into();
        }
    }
    /// Replaces the value with the register.
    opcode AMOSWAP : [AMO] { encoding { funct5 == 0x01; } syntax { amoswap }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, |_, new| new)?; } }
    /// Adds the register to the value.
    opcode AMOADD  : [AMO] { encoding { funct5 == 0x00; } syntax { amoadd }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, u64::wrapping_add)?; } }
    /// Computes the bitwise exclusive or.
    opcode AMOXOR  : [AMO] { encoding { funct5 == 0x04; } syntax { amoxor }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, |a, b| a ^ b)?; } }
    /// Computes the bitwise and.
    opcode AMOAND  : [AMO] { encoding { funct5 == 0x0c; } syntax { amoand }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, |a, b| a & b)?; } }
    /// Computes the bitwise or.
    opcode AMOOR   : [AMO] { encoding { funct5 == 0x08; } syntax { amoor }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, |a, b| a | b)?; } }
    /// Computes the minimum of signed numbers.
    opcode AMOMIN  : [AMO] { encoding { funct5 == 0x10; } syntax { amomin }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, signed(i64::min))?; } }
    /// Computes the maximum of signed numbers.
    opcode AMOMAX  : [AMO] { encoding { funct5 == 0x14; } syntax { amomax }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, signed(i64::max))?; } }
    /// Computes the minimum of unsigned numbers.
    opcode AMOMINU : [AMO] { encoding { funct5 == 0x18; } syntax { amominu }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, u64::min)?; } }
    /// Computes the maximum of unsigned numbers.
    opcode AMOMAXU : [AMO] { encoding { funct5 == 0x1c; } syntax { amomaxu }
        semantics(m: Memory) { rd = amo(m, rs1.value, width, rs2.value, u64::max)?; } }

    // ---- synonyms -----------------------------------------------------------------------------

    // Synonyms with an explicit offset, which must be 0.
    synonym LR_AT_0 of LR { syntax { lr.width{.order} rd, "0(" rs1 ")"; } }
    for $OP, $TEXT in (SC, sc), (AMOSWAP, amoswap), (AMOADD, amoadd), (AMOXOR, amoxor),
        (AMOAND, amoand), (AMOOR, amoor), (AMOMIN, amomin), (AMOMAX, amomax),
        (AMOMINU, amominu), (AMOMAXU, amomaxu)
    {
        synonym ${OP}_AT_0 of $OP { syntax { $TEXT.width{.order} rd, rs2, "0(" rs1 ")"; } }
    }
}

impl Width {
    /// Returns the size of the operand in memory.
    const fn size(self) -> Size {
        match self {
            Width::w => Size::W,
            Width::d => Size::D,
        }
    }
}

/// Replaces the value in memory with the result of an operation on that value and a register.
/// Returns the old value.
#[inline]
fn amo(
    m: &mut (impl Memory + ?Sized),
    address: u64,
    width: Width,
    register: u64,
    operation: impl Fn(u64, u64) -> u64,
) -> Result<u64, Trap> {
    let size = width.size();
    let old = m.load(aligned(address, size)?, size)?;
    // Both numbers are extended in the same way, which preserves their signed and unsigned order.
    m.store(address, size, operation(old, size.extend(register)))?;
    Ok(old)
}

/// Converts an operation on signed numbers to an operation on unsigned numbers.
fn signed(operation: impl Fn(i64, i64) -> i64) -> impl Fn(u64, u64) -> u64 {
    move |a, b| operation(a as i64, b as i64) as u64
}
