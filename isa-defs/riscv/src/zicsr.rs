//! Zicsr: control and status registers.

use super::Csr;
use super::machine::{Csrs, Trap};

isa_core::define_isa! {
    /// Instructions that read and write control and status registers.
    pub isa Zicsr: u32;

    use super::base::Base;
    use super::formats::Formats;
    requires Zicsr;

    /// An access to a control and status register. Its old value is written to a register.
    group CSR : [WORD] {
        encoding {
            opcode == SYSTEM;
            field< 7,  5> Reg rd;
            field<12,  3> Bits3 funct3;
            field<20, 12> Csr csr;
        }
    }

    /// An access whose new value depends on a register.
    group CSR_R : [CSR] {
        syntax   { .. rd, csr, rs1; }
        operands { InList<csr, rs1>; OutList<rd, csr>; Order<rd, csr, rs1>; }
    }

    /// An access whose new value depends on an immediate.
    group CSR_I : [CSR] {
        encoding { field<15, 5> Uimm5 uimm; }
        syntax   { .. rd, csr, uimm; }
        operands { InList<csr, uimm>; OutList<rd, csr>; Order<rd, csr, uimm>; }
    }

    /// Replaces the value with the register.
    opcode CSRRW  : [CSR_R] { encoding { funct3 == 1; field<15, 5> Reg rs1; } syntax { csrrw }
        semantics(hart: Csrs) { rd = update(hart, csr, Some(rs1.value), |_, new| new)?; } }
    /// Sets the bits that are 1 in the register.
    opcode CSRRS  : [CSR_R] { encoding { funct3 == 2; field<15, 5> Mask rs1; } syntax { csrrs }
        semantics(hart: Csrs) { rd = update(hart, csr, rs1.value, |old, m| old | m)?; } }
    /// Clears the bits that are 1 in the register.
    opcode CSRRC  : [CSR_R] { encoding { funct3 == 3; field<15, 5> Mask rs1; } syntax { csrrc }
        semantics(hart: Csrs) { rd = update(hart, csr, rs1.value, |old, m| old & !m)?; } }
    /// Replaces the value with the immediate.
    opcode CSRRWI : [CSR_I] { encoding { funct3 == 5; } syntax { csrrwi }
        semantics(hart: Csrs) { rd = update(hart, csr, Some(uimm.value), |_, new| new)?; } }
    /// Sets the bits that are 1 in the immediate.
    opcode CSRRSI : [CSR_I] { encoding { funct3 == 6; } syntax { csrrsi }
        semantics(hart: Csrs) { rd = update(hart, csr, mask(uimm.value), |old, m| old | m)?; } }
    /// Clears the bits that are 1 in the immediate.
    opcode CSRRCI : [CSR_I] { encoding { funct3 == 7; } syntax { csrrci }
        semantics(hart: Csrs) { rd = update(hart, csr, mask(uimm.value), |old, m| old & !m)?; } }

    // ---- aliases ------------------------------------------------------------------------------

    alias CSRR  of CSRRS before CSRS { encoding { rs1 == 0; } syntax { csrr rd, csr; } }
    alias CSRW  of CSRRW { encoding { rd == 0; } syntax { csrw csr, rs1; } }
    alias CSRS  of CSRRS { encoding { rd == 0; } syntax { csrs csr, rs1; } }
    alias CSRC  of CSRRC { encoding { rd == 0; } syntax { csrc csr, rs1; } }
    alias CSRWI of CSRRWI { encoding { rd == 0; } syntax { csrwi csr, uimm; } }
    alias CSRSI of CSRRSI { encoding { rd == 0; } syntax { csrsi csr, uimm; } }
    alias CSRCI of CSRRCI { encoding { rd == 0; } syntax { csrci csr, uimm; } }
    alias RDCYCLE   of CSRRS { encoding { csr == 0xc00; rs1 == 0; } syntax { rdcycle rd; } }
    alias RDTIME    of CSRRS { encoding { csr == 0xc01; rs1 == 0; } syntax { rdtime rd; } }
    alias RDINSTRET of CSRRS { encoding { csr == 0xc02; rs1 == 0; } syntax { rdinstret rd; } }
    alias UNIMP of CSRRW { encoding { rd == 0; csr == 0xc00; rs1 == 0; } syntax { unimp; } }
}

/// Combines the value of a register with a mask, if there is a mask, and returns the old value. Reading
/// a register has no side effects here, so the register is read even if the old value is not used.
#[inline]
fn update(
    hart: &mut (impl Csrs + ?Sized),
    csr: Csr,
    mask: Option<u64>,
    operation: impl Fn(u64, u64) -> u64,
) -> Result<u64, Trap> {
    let old = hart.csr(csr)?;
    if let Some(mask) = mask {
        hart.set_csr(csr, operation(old, mask))?;
    }
    Ok(old)
}

/// Returns a number as a mask, or `None` for 0.
fn mask(number: u64) -> Option<u64> {
    (number != 0).then_some(number)
}
