//! M: multiplication and division.

use super::machine::{sext_w, zext_w};

isa_core::define_isa! {
    /// Multiplication and division.
    pub isa Rv64m: u32;

    use super::base::Base;
    use super::formats::Formats;
    requires M;

    /// Multiplication and division of 64-bit numbers.
    group MUL_DIV : [R] { encoding { opcode == OP; funct7 == 1; } }

    /// Computes the low half of the product.
    opcode MUL    : [MUL_DIV] { encoding { funct3 == 0; } syntax { mul }
        semantics { rd = rs1.value.wrapping_mul(rs2.value); } }
    /// Computes the high half of the product of two signed numbers.
    opcode MULH   : [MUL_DIV] { encoding { funct3 == 1; } syntax { mulh }
        semantics { rd = mulh(rs1.value as i64, rs2.value as i64); } }
    /// Computes the high half of the product of a signed and an unsigned number.
    opcode MULHSU : [MUL_DIV] { encoding { funct3 == 2; } syntax { mulhsu }
        semantics { rd = mulh(rs1.value as i64, rs2.value); } }
    /// Computes the high half of the product of two unsigned numbers.
    opcode MULHU  : [MUL_DIV] { encoding { funct3 == 3; } syntax { mulhu }
        semantics { rd = mulh(rs1.value, rs2.value); } }
    /// Divides signed numbers and rounds toward zero. If the divisor is 0, the result is all ones.
    opcode DIV    : [MUL_DIV] { encoding { funct3 == 4; } syntax { div }
        semantics { rd = div(rs1.value, rs2.value); } }
    /// Divides unsigned numbers. If the divisor is 0, the result is all ones.
    opcode DIVU   : [MUL_DIV] { encoding { funct3 == 5; } syntax { divu }
        semantics { rd = divu(rs1.value, rs2.value); } }
    /// Computes the remainder of `div`, with the sign of the dividend. If the divisor is 0, the
    /// result is the dividend.
    opcode REM    : [MUL_DIV] { encoding { funct3 == 6; } syntax { rem }
        semantics { rd = rem(rs1.value, rs2.value); } }
    /// Computes the remainder of `divu`. If the divisor is 0, the result is the dividend.
    opcode REMU   : [MUL_DIV] { encoding { funct3 == 7; } syntax { remu }
        semantics { rd = remu(rs1.value, rs2.value); } }

    /// Multiplication and division of the low 32 bits. The result is sign-extended.
    group MUL_DIV_32 : [R] { encoding { opcode == OP_32; funct7 == 1; } }

    /// Computes the low 32 bits of the product.
    opcode MULW  : [MUL_DIV_32] { encoding { funct3 == 0; } syntax { mulw }
        semantics { rd = sext_w(rs1.value.wrapping_mul(rs2.value)); } }
    /// Divides as `div` does.
    opcode DIVW  : [MUL_DIV_32] { encoding { funct3 == 4; } syntax { divw }
        semantics { rd = sext_w(div(sext_w(rs1.value), sext_w(rs2.value))); } }
    /// Divides as `divu` does.
    opcode DIVUW : [MUL_DIV_32] { encoding { funct3 == 5; } syntax { divuw }
        semantics { rd = sext_w(divu(zext_w(rs1.value), zext_w(rs2.value))); } }
    /// Computes the remainder as `rem` does.
    opcode REMW  : [MUL_DIV_32] { encoding { funct3 == 6; } syntax { remw }
        semantics { rd = sext_w(rem(sext_w(rs1.value), sext_w(rs2.value))); } }
    /// Computes the remainder as `remu` does.
    opcode REMUW : [MUL_DIV_32] { encoding { funct3 == 7; } syntax { remuw }
        semantics { rd = sext_w(remu(zext_w(rs1.value), zext_w(rs2.value))); } }
}

/// Returns the upper 64 bits of the 128-bit product.
fn mulh(a: impl Into<i128>, b: impl Into<i128>) -> u64 {
    // The product of two unsigned numbers needs all 128 bits, so it may wrap around in an `i128`.
    // Its bits are still correct.
    (a.into().wrapping_mul(b.into()) >> 64) as u64
}

fn div(dividend: u64, divisor: u64) -> u64 {
    match divisor {
        0 => u64::MAX,
        _ => (dividend as i64).wrapping_div(divisor as i64) as u64,
    }
}

fn divu(dividend: u64, divisor: u64) -> u64 {
    dividend.checked_div(divisor).unwrap_or(u64::MAX)
}

fn rem(dividend: u64, divisor: u64) -> u64 {
    match divisor {
        0 => dividend,
        _ => (dividend as i64).wrapping_rem(divisor as i64) as u64,
    }
}

fn remu(dividend: u64, divisor: u64) -> u64 {
    dividend.checked_rem(divisor).unwrap_or(dividend)
}
