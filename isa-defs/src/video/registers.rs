//! Registers and predicates in lower case, as in PTX.

isa_core::registers! {
    /// `r0` to `r254`, and `rz`.
    pub LowerReg: 8 = "r0" to "r254", "rz" of u32;
    /// `p0` to `p6`, and `pt`.
    pub LowerPred: 3 = "p0" to "p6", "pt" of bool, 1 bit;
}
