isa_core::define_isa! {
    /// The instruction set that `lanes.txt` defines.
    pub isa Pairs: u64; /* name and width are not in the source */

    /// A predicate.
    operand Pred: 3 = isa_core::operand::Pred; /* not in the source */

    /// A general register.
    operand Reg: 8 = isa_core::operand::Reg; /* not in the source */

    /// A number.
    operand Small: 12 = isa_core::operand::Unsigned<12>; /* not in the source */

    affix "-" = neg; /* not in the source */
    affix "!" = not; /* not in the source */

    /// The values of `Flip` that the source names.
    enum Flip: 1 { /* the numbers are not in the source */
        False = 0,
        True = 1, /* not in the source */
    }

    /// The values of `Action` that the source names.
    enum Action: 4 { SUM = 0 } /* the numbers are not in the source */

    /// The values of `Size` that the source names.
    enum Size: 2 { HALF = 0, WIDE = 1, BYTE = 2 } /* the numbers are not in the source */

    /// The values of `Limit` that the source names.
    enum Limit: 1 { NoLIMIT = 0, LIMIT = 1 } /* the numbers are not in the source */

    /// The values of `Sign` that the source names.
    enum Sign: 1 { /* the numbers are not in the source */
        Plus = 0,
        NoPlus = 1, /* not in the source */
    }

    /// The values of `Form` that the source names.
    enum Form: 1 { REG = 0, NUM = 1 } /* the numbers are not in the source */

    /// No file of the source defines it.
    group ISSUED {} /* not in the source */

    // Pairs of small numbers: a sample of the form of a vendor's definitions.
    group PAIRS : [ISSUED] {
        encoding {
            field< 8, 3> Pred gd     = PT;
            field<13, 1> Flip gd.not = False;
        }
        syntax { /* not in the source */ {@{!}gd} .. }
    }

    // Sums
    /// Adds pairs.
    ///
    /// # OperandInfo
    ///
    /// Rd and Ra are registers; SrcB is a register or a number.
    ///
    /// # Simulation
    ///
    /// ```text
    /// rd = sum(ra, b);
    /// ```
    optype SUM : [PAIRS] {
        encoding {
            field<0, 4> Action action == SUM;
            field<4, 2> Size   size   = HALF; // as in `.size`
            field<6, 1> Limit  limit  = NoLIMIT;
            // field<7, 1> Shift shift == LEFT;
            field<16, 8> Reg  rd;
            field<24, 8> Reg  ra;
            field<11, 1> Sign ra.neg = Plus;
        }
        syntax {
            // Without a field in the source: {.shift} $pause
            SUM{.size}{.LIMIT} Rd, {-}Ra, SrcB;

            .size = {.HALF*, .WIDE, .BYTE}
            // .shift = {.LEFT, .RIGHT}
        }
        exception {
            EncodingError<IllegalBitFieldCombination, ".WIDE limits nothing">
                = (size=="WIDE") and limit=="LIMIT";
        }
        examples {
            SUM.WIDE   R1, -R2, R3 ; // a register
            @!P1 SUM.LIMIT R1, R2,   5 ; // a number
            // `.LEFT` has no field: SUM.LEFT R1, R2, R3 ;
        }
    }

    opcode SUM_R : [SUM] {
        encoding {
            field<12, 1> Form form == REG;
            field<32, 8> Reg  rb;
        }
        operands {
            InList<gd, ra, rb>;
            OutList<rd>;
            Order<gd, rd, ra, rb>;
            Bitwidth<rd> = 32;
        }
    }

    opcode SUM_I : [SUM] {
        encoding {
            field<12, 1>         Form  form == NUM;
            field<40, 4 : 32, 8> Small vb;
        }
        operands {
            InList<gd, ra, vb>;
            OutList<rd>;
            Order<gd, rd, ra, vb>;
        }
    }
}
