//! The matrix units, and loads and stores of matrices.

isa_core::define_isa! {
    /// The matrix units, and loads and stores of matrices.
    pub isa Matrix: u128;

    use crate::memory::Memory;

    /// The operation.
    enum MatrixOp: 9 { HMMA = 0x3c, IMMA = 0x37, BMMA = 0x3d, DMMA = 0x3f, QMMA = 0x7a, LDSM = 0x3b, STSM = 0x44, MOVM = 0x3a }
    /// The sizes of matrices of 16-bit floats.
    enum HalfShape: 2 { "1688" = 0, "16816" = 1, "1684" = 2 }
    /// The sizes of sparse matrices of 16-bit floats.
    enum SparseHalfShape: 2 { "1688" = 0, "16816" = 1, "16832" = 3 }
    /// The format of sums of products of floats.
    enum SumFormat: 1 { F16 = 0, F32 = 1 }
    /// The format of 16-bit factors. With `TF32`, the factors are 32-bit floats.
    enum FactorFormat: 2 { F16 = 0, BF16 = 1, TF32 = 2 }
    /// The sizes of matrices of integers.
    enum IntShape: 3 { "8816" = 0, "8832" = 2, "16816" = 4, "16832" = 5, "16864" = 6 }
    /// The sizes of sparse matrices of integers.
    enum SparseIntShape: 3 { "16832" = 5, "16864" = 4, "168128" = 6 }
    /// The type of factors.
    enum IntFactor: 2 { U8 = 0, S8 = 1, U4 = 2, S4 = 3 }
    /// Whether the result is limited to the range of its type.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// The sizes of matrices of bits.
    enum BitShape: 2 { "88128" = 0, "168128" = 1 requires SM80, "168256" = 2 requires SM80 }
    /// The function of two matrices of bits.
    enum BitFunction: 2 { XOR = 0 requires not SM90, AND = 2 requires SM80 }
    /// The number of ones is added.
    enum Popc: 1 { POPC = 1 }
    /// The order of the elements of the first matrix.
    enum Row: 1 { ROW = 0 }
    /// The order of the elements of the second matrix.
    enum Column: 1 { COL = 1 }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// The sizes of matrices of 64-bit floats from sm_90.
    enum DoubleShape: 2 { "8x8x4" = 0, "16x8x4" = 1, "16x8x8" = 2, "16x8x16" = 3 }
    /// The sizes of matrices of 8-bit floats.
    enum QuarterShape: 2 { "16816" = 0, "16832" = 1 }
    /// The format of 8-bit and shorter floats.
    enum QuarterFormat: 3 { E4M3 = 0, E5M2 = 1, E3M2 = 2, E2M3 = 3, E2M1 = 4 }
    /// The arrangement of a matrix.
    enum Layout: 2 { M88 = 0, MT88 = 1, M816 = 2, M832 = 3 }
    /// The arrangement of a matrix that is moved.
    enum MoveLayout: 2 { MT88 = 0, M832 = 1, M864 = 2 }
    /// The number of matrices.
    enum Count: 2 { ONE = 0, "2" = 1, "4" = 2 }
    /// The conversion of the elements of a matrix.
    enum Elements: 3 { "16" = 0, U4TO8 = 1 requires SM100 }

    /// Multiplies two matrices and adds a third.
    group MMA : [RESULT, A, b_R_32] { properties { unit = MATRIX; } encoding { field<0, 9> MatrixOp op; field<64, 8> Reg c; } operands { InList<pg, a, b, c>; OutList<d>; } }

    // ---- floats -------------------------------------------------------------------------------

    group HMMA_ONE : [MMA] {
        encoding { op == HMMA; form == 1; field<72, 1> Flip c.neg = OFF; field<73, 1> Bits1 sparse == 0; field<78, 1 : 75, 1> HalfShape shape; field<76, 1> SumFormat sum; }
        operands { Bitwidth<c> = 32 * crate::width::sums(sum); Bitwidth<d> = 32 * crate::width::sums(sum); }
    }
    /// Multiplies matrices of 16-bit floats.
    opcode HMMA_75 : [HMMA_ONE] requires not SM80 {
        operands { Bitwidth<a> = 32 * crate::width::half_a(shape); Bitwidth<b> = 32 * crate::width::half_b(shape); }
        syntax { HMMA.shape.sum d, a{.reuse}, b{.reuse}, {-}c } }
    /// Multiplies matrices of 16-bit floats.
    opcode HMMA_80 : [HMMA_ONE] requires SM80 {
        encoding { field<82, 2> FactorFormat fmt = F16; }
        operands { Bitwidth<a> = 32 * crate::width::float_a(shape, fmt); Bitwidth<b> = 32 * crate::width::float_b(shape, fmt); }
        syntax { HMMA.shape.sum{.fmt} d, a{.reuse}, b{.reuse}, {-}c } }
    /// Multiplies a sparse and another matrix of 16-bit floats.
    opcode HMMA_SP : [MMA] requires SM80 {
        encoding {
            op == HMMA; form == 1; field<72, 1> Flip c.neg = OFF; field<73, 1> Bits1 sparse == 1; field<78, 1 : 75, 1> SparseHalfShape shape; field<76, 1> SumFormat sum;
            field<82, 2> FactorFormat fmt = F16; field<40, 8> Reg e; field<48, 2> Number2 selector;
        }
        syntax { "HMMA.SP".shape.sum{.fmt} d, a{.reuse}, b{.reuse}, {-}c, e, selector } operands { InList<pg, a, b, c, e>; }
    }
    /// Multiplies matrices of integers.
    opcode IMMA_80 : [MMA] requires SM80 {
        properties { unit = UNKNOWN; }
        encoding {
            op == IMMA; form == 1; field<73, 1> Row a.layout == ROW; field<74, 1> Column b.layout == COL; field<86, 1 : 85, 1 : 75, 1> IntShape shape;
            field<83, 1 : 76, 1> IntFactor left; field<84, 1 : 78, 1> IntFactor right; field<82, 1> Saturate sat = FULL;
        }
        syntax   { IMMA.shape.left.right{.sat} d, a{.reuse}.layout, b{.reuse}.layout, c }
        operands {
            Bitwidth<a> = 32 * crate::width::integer_a(shape, left); Bitwidth<b> = 32 * crate::width::integer_b(shape, right);
            Bitwidth<c> = 32 * crate::width::integer_sums(shape); Bitwidth<d> = 32 * crate::width::integer_sums(shape);
        }
    }
    /// Multiplies matrices of integers.
    opcode IMMA_75 : [MMA] requires not SM80 {
        encoding {
            op == IMMA; form == 1; field<73, 1> Row a.layout == ROW; field<74, 1> Column b.layout == COL; field<85, 1> ShapeTuring shape; field<83, 1 : 76, 1> IntFactor left;
            field<84, 1 : 78, 1> IntFactor right; field<82, 1> Saturate sat = FULL;
        }
        operands { Bitwidth<c> = 64; Bitwidth<d> = 64; }
        syntax   { IMMA.shape.left.right{.sat} d, a{.reuse}.layout, b{.reuse}.layout, c }
    }
    /// The sizes of matrices of integers of sm_75.
    enum ShapeTuring: 1 { "8816" = 0, "8832" = 1 }
    /// Two bits.
    operand Number2: 2 = isa_core::operand::PrefixedHex<2>;
    /// Multiplies matrices of bits.
    opcode BMMA : [MMA] requires not SM100 {
        encoding {
            op == BMMA; form == 1; field<73, 1> Row a.layout == ROW; field<74, 1> Column b.layout == COL; field<75, 2> BitShape shape; field<77, 2> BitFunction fn;
            field<80, 1> Popc popc == POPC;
        }
        operands { Bitwidth<a> = 32 * crate::width::bits_a(shape); Bitwidth<b> = 32 * crate::width::bits_b(shape); Bitwidth<c> = 32 * crate::width::bits_sums(shape); Bitwidth<d> = 32 * crate::width::bits_sums(shape); }
        syntax   { BMMA.shape.fn.popc d, a{.reuse}.layout, b{.reuse}.layout, c }
    }
    /// Multiplies matrices of 64-bit floats.
    opcode DMMA_80 : [MMA, A_NEG] requires SM80 and not SM90 {
        encoding { op == DMMA; form == 1; field<75, 1> Flip c.neg = OFF; field<78, 2> Rounding rnd = RN; }
        operands { Bitwidth<a> = 64; Bitwidth<b> = 64; Bitwidth<c> = 128; Bitwidth<d> = 128; }
        syntax { "DMMA.884"{.rnd} d, {-}a{.reuse}, b{.reuse}, {-}c }
    }
    /// Multiplies matrices of 64-bit floats.
    opcode DMMA_90 : [MMA, A_NEG] requires SM90 {
        encoding { op == DMMA; form == 1; field<75, 1> Flip c.neg = OFF; field<76, 2> DoubleShape shape; field<78, 2> Rounding rnd = RN; }
        operands { Bitwidth<a> = 32 * crate::width::double_a(shape); Bitwidth<b> = 32 * crate::width::double_b(shape); Bitwidth<c> = 32 * crate::width::double_sums(shape); Bitwidth<d> = 32 * crate::width::double_sums(shape); }
        syntax { DMMA.shape{.rnd} d, {-}a{.reuse}, b{.reuse}, {-}c }
    }
    /// Multiplies matrices of 8-bit or shorter floats.
    opcode QMMA : [MMA] requires SM120 {
        encoding {
            op == QMMA; form == 1; field<72, 1> Flip c.neg = OFF; field<75, 2> QuarterShape shape; field<77, 1> SumFormat sum; field<83, 2 : 78, 1> QuarterFormat left;
            field<85, 2 : 79, 1> QuarterFormat right;
        }
        operands { Bitwidth<a> = 32 * crate::width::quarter_a(shape); Bitwidth<b> = 32 * crate::width::quarter_b(shape); Bitwidth<c> = 32 * crate::width::sums(sum); Bitwidth<d> = 32 * crate::width::sums(sum); }
        syntax { QMMA.shape.sum.left.right d, a{.reuse}, b{.reuse}, {-}c }
    }

    /// Multiplies matrices of 8-bit floats.
    opcode QMMA_89 : [MMA] requires SM89 and not SM90 {
        encoding {
            op == QMMA; form == 1; field<72, 1> Flip c.neg = OFF; field<73, 1> Row a.layout == ROW; field<74, 1> Column b.layout == COL; field<75, 2> QuarterShape shape;
            field<77, 1> SumFormat sum; field<78, 1> OldQuarter left; field<79, 1> OldQuarter right;
        }
        operands { Bitwidth<a> = 32 * crate::width::quarter_a(shape); Bitwidth<b> = 32 * crate::width::quarter_b(shape); Bitwidth<c> = 32 * crate::width::sums(sum); Bitwidth<d> = 32 * crate::width::sums(sum); }
        syntax   { QMMA.shape.sum.left.right d, a{.reuse}.layout, b{.reuse}.layout, {-}c }
    }
    /// The format of 8-bit floats.
    enum OldQuarter: 1 { E4M3 = 0, E5M2 = 1 }

    // ---- loads and stores of matrices ---------------------------------------------------------

    group MATRIX_MEMORY : [GUARDED] {
        properties { unit = SHARED; }
        encoding {
            field<0, 9> MatrixOp op; field<24, 8> Reg a; field<40, 24> Offset off; field<72, 2> Count count = ONE; field<78, 2> Layout layout; field<75, 3> Bits3 elements == 0;
        }
    }
    group LDSM : [MATRIX_MEMORY] { encoding { op == LDSM; field<16, 8> Reg d; } syntax { "LDSM.16".layout{.count} d, address } operands { InList<pg, a>; OutList<d>; Bitwidth<d> = 32 * crate::width::matrices(count); } }
    group STSM : [MATRIX_MEMORY] { encoding { op == STSM; field<32, 8> Reg b; } syntax { "STSM.16".layout{.count} address, b } operands { InList<pg, a, b>; OutList<>; Bitwidth<b> = 32 * crate::width::matrices(count); } }
    for $N, $FORM, $SM, $AT in (LDSM, 4, SM75, 32), (STSM, 4, SM90, 64) {
        /// Loads (LDSM) or stores (STSM) matrices.
        opcode ${N}_PLAIN : [$N] requires $SM { encoding { form == $FORM; } operands { AsmFormat<address: off, a> = Local(); } }
        for $T, $TYPE, $WIDTH, $LOCAL, $ON in (U, UReg, 6, LocalUniform, $(not SM100)), (W, WideUReg, 8, LocalWide, SM100) {
            /// Loads (LDSM) or stores (STSM) matrices at the sum of two registers.
            opcode ${N}_$T : [$N] else ${N}_PLAIN requires $SM and $ON {
                encoding { form == $FORM; field<$AT, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; } operands { AsmFormat<address: off, a, u> = $LOCAL(); }
            }
        }
    }
    /// Transposes a matrix.
    opcode MOVM : [GUARDED] {
        encoding {
            field<0, 9> MatrixOp op == MOVM; form == 1; field<16, 8> Reg d; field<24, 8> Reg a; field<75, 3> Elements elements; field<78, 2> MoveLayout layout;
            where elements == "16" or layout == M832;
        }
        syntax   { MOVM.elements.layout d, a } operands { InList<pg, a>; OutList<d>; }
    }
}
