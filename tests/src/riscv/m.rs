//! M: multiplication and division.

isa_core::define_isa! {
    /// Multiplication and division.
    pub isa Rv64m: u32;

    use super::base::Base;
    use super::formats::Formats;

    /// On 64 bits.
    group MUL_DIV : [R] { encoding { opcode == OP; funct7 == 1; } }

    /// The low half of the product.
    opcode MUL    : [MUL_DIV] { encoding { funct3 == 0; } syntax { mul } }
    /// The high half of the product of two signed numbers.
    opcode MULH   : [MUL_DIV] { encoding { funct3 == 1; } syntax { mulh } }
    /// The high half of the product of a signed and an unsigned number.
    opcode MULHSU : [MUL_DIV] { encoding { funct3 == 2; } syntax { mulhsu } }
    /// The high half of the product of two unsigned numbers.
    opcode MULHU  : [MUL_DIV] { encoding { funct3 == 3; } syntax { mulhu } }
    /// The quotient of signed numbers, toward zero; of 0 all ones.
    opcode DIV    : [MUL_DIV] { encoding { funct3 == 4; } syntax { div } }
    /// The quotient of unsigned numbers; of 0 all ones.
    opcode DIVU   : [MUL_DIV] { encoding { funct3 == 5; } syntax { divu } }
    /// What `div` leaves, with the sign of the dividend; of 0 the dividend.
    opcode REM    : [MUL_DIV] { encoding { funct3 == 6; } syntax { rem } }
    /// What `divu` leaves; of 0 the dividend.
    opcode REMU   : [MUL_DIV] { encoding { funct3 == 7; } syntax { remu } }

    /// On the low 32 bits; the result is extended by its sign.
    group MUL_DIV_32 : [R] { encoding { opcode == OP_32; funct7 == 1; } }

    /// The low half of the product.
    opcode MULW  : [MUL_DIV_32] { encoding { funct3 == 0; } syntax { mulw } }
    /// As `div`.
    opcode DIVW  : [MUL_DIV_32] { encoding { funct3 == 4; } syntax { divw } }
    /// As `divu`.
    opcode DIVUW : [MUL_DIV_32] { encoding { funct3 == 5; } syntax { divuw } }
    /// As `rem`.
    opcode REMW  : [MUL_DIV_32] { encoding { funct3 == 6; } syntax { remw } }
    /// As `remu`.
    opcode REMUW : [MUL_DIV_32] { encoding { funct3 == 7; } syntax { remuw } }
}
