isa_core::define_isa! {
    /// The instruction set that `integer.txt` defines.
    pub isa Integer: u128;

    operand Pred: 3 = isa_core::operand::Pred;
    operand Wait: 4 = isa_defs::base::Wait;
    operand Reg: 8 = isa_core::operand::Reg;
    operand SImm24: 24 = isa_core::operand::Signed<24>;
    operand UReg: 6 = isa_defs::base::UReg;
    operand CMem: 22 = isa_defs::base::CMem, reserved("1x", "x1");
    affix "-" = neg;
    affix "!" = not;

    /// The values of `PModi` that the source names.
    enum PModi: 1 { False = 0, True = 1 }

    /// The values of `MemSize` that the source names.
    enum MemSize: 3 { B32 = 0, U8 = 1, S8 = 2, U16 = 3, S16 = 4, B64 = 5, B128 = 6 }

    /// The values of `Cache` that the source names.
    enum Cache: 2 { CA = 0, CG = 1, CV = 2 }

    /// The values of `Optype` that the source names.
    enum Optype: 8 {
        IADD = 0,
        ISUB = 1,
        IMUL = 2,
        IMAD = 3,
        IMNMX = 4,
        LOP = 5,
        SHL = 6,
        SHR = 7,
        ISETP = 8,
        SEL = 9,
        MOV = 10,
        POPC = 11,
        BREV = 12,
        LDG = 13,
        STG = 14,
        LDS = 15,
        STS = 0x10,
        ATOM = 0x11,
        LDC = 0x12,
        MEMBAR = 0x13,
    }

    /// The values of `SignModi` that the source names.
    enum SignModi: 1 { False = 0, True = 1 }

    /// The values of `Carry` that the source names.
    enum Carry: 1 { NoX = 0, X = 1 }

    /// The values of `SType` that the source names.
    enum SType: 4 { RR = 0, RI = 1, RU = 2, RRR = 3, RRI = 4, RIR = 5, RC = 6 }

    /// The values of `MulHalf` that the source names.
    enum MulHalf: 1 { LO = 0, HI = 1 }

    /// The values of `IType` that the source names.
    enum IType: 1 { S32 = 0, U32 = 1 }

    /// The values of `LOPOp` that the source names.
    enum LOPOp: 2 { AND = 0, OR = 1, XOR = 2 }

    /// The values of `Wrap` that the source names.
    enum Wrap: 1 { CLAMP = 0, WRAP = 1 }

    /// The values of `ICMPOp` that the source names.
    enum ICMPOp: 3 { LT = 0, EQ = 1, LE = 2, GT = 3, NE = 4, GE = 5 }

    /// The values of `AtomOp` that the source names.
    enum AtomOp: 3 { ADD = 0, MIN = 1, MAX = 2, EXCH = 3 }

    /// The values of `Scope` that the source names.
    enum Scope: 2 { CTA = 0, GPU = 1, SYS = 2 }

    // Integer and memory instructions: a sample of the form of a vendor's definitions.
    group ALL {
        encoding {
            field< 12, 3> Pred  pg     = PT;
            field< 15, 1> PModi pg.not = False;
            field<112, 4> Wait  sched  = 0;
        }
        syntax { /* not in the source */ {@{!}pg} .. }
    }

    group I_ARITH : [ALL] {
        encoding {
            field<16, 8> Reg rd;
            field<24, 8> Reg ra;
        }
    }

    group I_MEM : [ALL] {
        encoding {
            field<80, 3> MemSize sz    = B32;
            field<83, 2> Cache   cache = CA;
        }
    }

    // IADD Begin
    /// Adds two integers: Rd = Ra + SrcB. With .X, the carry pp is added.
    optype IADD : [I_ARITH] {
        encoding {
            field<  0, 8> Optype   optype == IADD;
            field< 72, 1> SignModi ra.neg = False;
            field< 98, 3> Pred     pp     = PT;
            field<101, 1> PModi    pp.not = False;
            field< 76, 1> Carry    x      = NoX;
        }
        syntax { IADD{.X} Rd, {-}Ra, SrcB{, {!}pp} $sched; }
        exception {
            EncodingError<IllegalBitFieldCombination, ".X excludes a negated source">
                = (x=="X") and (ra.neg=="True");
        }
        examples {
            IADD R1, R2, R3; // a register
            IADD.X R1, R2, -5, !P0;
            @!P1 IADD R0, -R4, UR5 ;
        }
    }

    opcode IADD_RR : [IADD] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, rb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode IADD_RI : [IADD] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, pp>;
            OutList<rd>;
            Order<pg, rd, ra, imm, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode IADD_RU : [IADD] {
        encoding {
            field< 8, 4> SType stype == RU;
            field<32, 6> UReg  urb;
        }
        operands {
            InList<pg, ra, urb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, urb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<urb> = 32;
        }
    }

    // ISUB Begin
    /// Subtracts two integers: Rd = Ra - SrcB.
    optype ISUB : [I_ARITH] {
        encoding {
            field<  0, 8> Optype optype == ISUB;
            field< 98, 3> Pred   pp     = PT;
            field<101, 1> PModi  pp.not = False;
            field< 76, 1> Carry  x      = NoX;
        }
        syntax { ISUB{.X} Rd, Ra, SrcB{, {!}pp} $sched; }
    }

    opcode ISUB_RR : [ISUB] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, rb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode ISUB_RI : [ISUB] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, pp>;
            OutList<rd>;
            Order<pg, rd, ra, imm, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode ISUB_RU : [ISUB] {
        encoding {
            field< 8, 4> SType stype == RU;
            field<32, 6> UReg  urb;
        }
        operands {
            InList<pg, ra, urb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, urb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<urb> = 32;
        }
    }

    // IMUL Begin
    /// Multiplies two integers. .HI selects the upper half of the product.
    optype IMUL : [I_ARITH] {
        encoding {
            field< 0, 8> Optype  optype == IMUL;
            field<77, 1> MulHalf half   = LO;
            field<78, 1> IType   type   = S32;
        }
        syntax {
            IMUL{.half}{.type} Rd, Ra, SrcB $sched;
            .half = {.LO*, .HI}
            .type = {.S32*, .U32}
        }
    }

    opcode IMUL_RR : [IMUL] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb>;
            OutList<rd>;
            Order<pg, rd, ra, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode IMUL_RI : [IMUL] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // IMAD Begin
    /// Multiplies and adds: Rd = Ra * SrcB + SrcC.
    ///
    /// # OperandInfo
    ///
    /// SrcB and SrcC come from these sources:
    ///
    /// | SrcB | SrcC |
    /// |:--:|:--:|
    /// | GPR | GPR |
    /// | GPR | SImm24 |
    /// | SImm24 | GPR |
    optype IMAD : [I_ARITH] {
        encoding {
            field< 0, 8> Optype optype == IMAD;
            field<78, 1> IType  type   = S32;
        }
        syntax {
            IMAD{.type} Rd, Ra, SrcB, SrcC $sched;
            .type = {.S32*, .U32}
        }
    }

    opcode IMAD_RRR : [IMAD] {
        encoding {
            field< 8, 4> SType stype == RRR;
            field<32, 8> Reg   rb;
            field<64, 8> Reg   rc;
        }
        operands {
            InList<pg, ra, rb, rc>;
            OutList<rd>;
            Order<pg, rd, ra, rb, rc>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
            Bitwidth<rc> = 32;
        }
    }

    opcode IMAD_RRI : [IMAD] {
        encoding {
            field< 8,  4> SType  stype == RRI;
            field<64,  8> Reg    rb;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, rb, imm>;
            OutList<rd>;
            Order<pg, rd, ra, rb, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode IMAD_RIR : [IMAD] {
        encoding {
            field< 8,  4> SType  stype == RIR;
            field<32, 24> SImm24 imm;
            field<64,  8> Reg    rc;
        }
        operands {
            InList<pg, ra, imm, rc>;
            OutList<rd>;
            Order<pg, rd, ra, imm, rc>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
            Bitwidth<rc> = 32;
        }
    }

    // IMNMX Begin
    /// Selects the minimum if pp is true, and the maximum otherwise.
    optype IMNMX : [I_ARITH] {
        encoding {
            field<  0, 8> Optype optype == IMNMX;
            field< 98, 3> Pred   pp;
            field<101, 1> PModi  pp.not = False;
            field< 78, 1> IType  type   = S32;
        }
        syntax {
            IMNMX{.type} Rd, Ra, SrcB, {!}pp $sched;
            .type = {.S32*, .U32}
        }
        examples { IMNMX.U32 R0, R1, R2, !PT; }
    }

    opcode IMNMX_RR : [IMNMX] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, rb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode IMNMX_RI : [IMNMX] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, pp>;
            OutList<rd>;
            Order<pg, rd, ra, imm, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // LOP Begin
    /// Combines bits.
    optype LOP : [I_ARITH] {
        encoding {
            field< 0, 8> Optype optype == LOP;
            field<84, 2> LOPOp  lop;
        }
        syntax {
            LOP.lop Rd, Ra, SrcB $sched;
            .lop = {.AND, .OR, .XOR}
        }
        examples { LOP.XOR R1, R2, c[0x0][0x160]; }
    }

    opcode LOP_RR : [LOP] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb>;
            OutList<rd>;
            Order<pg, rd, ra, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode LOP_RI : [LOP] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode LOP_RC : [LOP] {
        encoding {
            field< 8,  4> SType stype == RC;
            field<32, 22> CMem  cb;
        }
        operands {
            InList<pg, ra, cb>;
            OutList<rd>;
            Order<pg, rd, ra, cb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<cb> = 32;
        }
    }

    // SHL Begin
    /// Shifts to the left.
    optype SHL : [I_ARITH] {
        encoding {
            field< 0, 8> Optype optype == SHL;
            field<79, 1> Wrap   wrap   = CLAMP;
        }
        syntax {
            SHL{.wrap} Rd, Ra, SrcB $sched;
            .wrap = {.CLAMP*, .WRAP}
        }
    }

    opcode SHL_RR : [SHL] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb>;
            OutList<rd>;
            Order<pg, rd, ra, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode SHL_RI : [SHL] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // SHR Begin
    /// Shifts to the right. .S32 copies the sign.
    optype SHR : [I_ARITH] {
        encoding {
            field< 0, 8> Optype optype == SHR;
            field<79, 1> Wrap   wrap   = CLAMP;
            field<78, 1> IType  type   = S32;
        }
        syntax {
            SHR{.wrap}{.type} Rd, Ra, SrcB $sched;
            .wrap = {.CLAMP*, .WRAP}
            .type = {.S32*, .U32}
        }
    }

    opcode SHR_RR : [SHR] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb>;
            OutList<rd>;
            Order<pg, rd, ra, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode SHR_RI : [SHR] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    group I_COMPARE : [ALL] {
        encoding {
            field< 24, 8> Reg    ra;
            field< 78, 1> IType  type   = S32;
            field< 84, 2> LOPOp  lop;
            field< 86, 3> ICMPOp cmp;
            field< 98, 3> Pred   pp     = PT;
            field<101, 1> PModi  pp.not = False;
        }
    }

    // ISETP Begin
    /// Compares two integers and writes the result and its complement.
    optype ISETP : [I_COMPARE] {
        encoding {
            field<  0, 8> Optype optype == ISETP;
            field<106, 3> Pred   pu;
            field<109, 3> Pred   pv;
        }
        syntax {
            ISETP.cmp{.type}.lop pu, pv, Ra, SrcB{, {!}pp} $sched;
            .cmp = {.LT, .EQ, .LE, .GT, .NE, .GE}
            .type = {.S32*, .U32}
            .lop = {.AND, .OR, .XOR}
        }
        examples { ISETP.GE.U32.AND P0, PT, R1, 16, !P3; }
    }

    opcode ISETP_RR : [ISETP] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, pp>;
            OutList<pu, pv>;
            Order<pg, pu, pv, ra, rb, pp>;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode ISETP_RI : [ISETP] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, pp>;
            OutList<pu, pv>;
            Order<pg, pu, pv, ra, imm, pp>;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode ISETP_RU : [ISETP] {
        encoding {
            field< 8, 4> SType stype == RU;
            field<32, 6> UReg  urb;
        }
        operands {
            InList<pg, ra, urb, pp>;
            OutList<pu, pv>;
            Order<pg, pu, pv, ra, urb, pp>;
            Bitwidth<ra> = 32;
            Bitwidth<urb> = 32;
        }
    }

    // SEL Begin
    /// Selects Ra if pp is true, and SrcB otherwise.
    optype SEL : [I_ARITH] {
        encoding {
            field<  0, 8> Optype optype == SEL;
            field< 98, 3> Pred   pp;
            field<101, 1> PModi  pp.not = False;
        }
        syntax { SEL Rd, Ra, SrcB, {!}pp $sched; }
    }

    opcode SEL_RR : [SEL] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, pp>;
            OutList<rd>;
            Order<pg, rd, ra, rb, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode SEL_RI : [SEL] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, pp>;
            OutList<rd>;
            Order<pg, rd, ra, imm, pp>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // MOV Begin
    /// Copies a value.
    optype MOV : [ALL] {
        encoding {
            field< 0, 8> Optype optype == MOV;
            field<16, 8> Reg    rd;
        }
        syntax { MOV Rd, SrcB $sched; }
    }

    opcode MOV_R : [MOV] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, rb>;
            OutList<rd>;
            Order<pg, rd, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode MOV_I : [MOV] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, imm>;
            OutList<rd>;
            Order<pg, rd, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<imm> = 32;
        }
    }

    opcode MOV_U : [MOV] {
        encoding {
            field< 8, 4> SType stype == RU;
            field<32, 6> UReg  urb;
        }
        operands {
            InList<pg, urb>;
            OutList<rd>;
            Order<pg, rd, urb>;
            Bitwidth<rd> = 32;
            Bitwidth<urb> = 32;
        }
    }

    // POPC Begin
    /// Counts the bits that are set.
    optype POPC : [ALL] {
        encoding {
            field< 0, 8> Optype optype == POPC;
            field<16, 8> Reg    rd;
        }
        syntax { POPC Rd, SrcB $sched; }
    }

    opcode POPC_R : [POPC] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, rb>;
            OutList<rd>;
            Order<pg, rd, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<rb> = 32;
        }
    }

    // BREV Begin
    /// Reverses the bits.
    optype BREV : [ALL] {
        encoding {
            field< 0, 8> Optype optype == BREV;
            field<16, 8> Reg    rd;
        }
        syntax { BREV Rd, SrcB $sched; }
    }

    opcode BREV_R : [BREV] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, rb>;
            OutList<rd>;
            Order<pg, rd, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<rb> = 32;
        }
    }

    // LDG Begin
    /// Loads from global memory.
    ///
    /// # OperandInfo
    ///
    /// Rd is the first of one, two or four registers.
    optype LDG : [I_MEM] {
        encoding {
            field< 0, 8> Optype optype == LDG;
            field<16, 8> Reg    rd;
            field<24, 8> Reg    ra;
        }
        syntax {
            LDG{.sz}{.cache} Rd, "[" Ra+SrcB "]" $sched;
            .sz = {.U8, .S8, .U16, .S16, .B32*, .B64, .B128}
            .cache = {.CA*, .CG, .CV}
        }
        examples {
            LDG.B64 R2, [R4+16];
            LDG.U8.CV R2, [R4+R6];
        }
    }

    opcode LDG_RR : [LDG] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb>;
            OutList<rd>;
            Order<pg, rd, ra, rb>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
        }
    }

    opcode LDG_RI : [LDG] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // STG Begin
    /// Stores to global memory.
    optype STG : [I_MEM] {
        encoding {
            field< 0, 8> Optype optype == STG;
            field<24, 8> Reg    ra;
            field<64, 8> Reg    rc;
        }
        syntax {
            STG{.sz}{.cache} "[" Ra+SrcB "]", Rc $sched;
            .sz = {.U8, .S8, .U16, .S16, .B32*, .B64, .B128}
            .cache = {.CA*, .CG, .CV}
        }
        exception {
            EncodingError<IllegalBitFieldCombination, "a store has no sign">
                = sz=="S8" or sz=="S16";
        }
        examples { STG [R4+-8], R2; }
    }

    opcode STG_RR : [STG] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, rc>;
            Order<pg, ra, rb, rc>;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
            Bitwidth<rc> = 32;
        }
    }

    opcode STG_RI : [STG] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, rc>;
            Order<pg, ra, imm, rc>;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
            Bitwidth<rc> = 32;
        }
    }

    group I_SHARED : [ALL] {
        encoding {
            field<24,  8> Reg     ra;
            field<32, 24> SImm24  imm;
            field<80,  3> MemSize sz = B32;
        }
    }

    // LDS Begin
    /// Loads from shared memory.
    optype LDS : [I_SHARED] {
        encoding {
            field< 0, 8> Optype optype == LDS;
            field<16, 8> Reg    rd;
        }
        syntax {
            LDS{.sz} Rd, "[" Ra+imm "]" $sched;
            .sz = {.U8, .S8, .U16, .S16, .B32*, .B64, .B128}
        }
    }

    opcode LDS_I : [LDS] {
        encoding { field<8, 4> SType stype == RI; }
        operands {
            InList<pg, ra, imm>;
            OutList<rd>;
            Order<pg, rd, ra, imm>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
        }
    }

    // STS Begin
    /// Stores to shared memory.
    optype STS : [I_SHARED] {
        encoding {
            field< 0, 8> Optype optype == STS;
            field<64, 8> Reg    rc;
        }
        syntax {
            STS{.sz} "[" Ra+imm "]", Rc $sched;
            .sz = {.U8, .S8, .U16, .S16, .B32*, .B64, .B128}
        }
    }

    opcode STS_I : [STS] {
        encoding { field<8, 4> SType stype == RI; }
        operands {
            InList<pg, ra, imm, rc>;
            Order<pg, ra, imm, rc>;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
            Bitwidth<rc> = 32;
        }
    }

    // ATOM Begin
    /// Changes a word of memory and returns its old value.
    optype ATOM : [ALL] {
        encoding {
            field< 0, 8> Optype optype == ATOM;
            field<16, 8> Reg    rd;
            field<24, 8> Reg    ra;
            field<64, 8> Reg    rc;
            field<86, 3> AtomOp op;
        }
        syntax {
            ATOM.op Rd, "[" Ra+SrcB "]", Rc $sched;
            .op = {.ADD, .MIN, .MAX, .EXCH}
        }
        examples { ATOM.ADD R0, [R2+R8], R4; }
    }

    opcode ATOM_RR : [ATOM] {
        encoding {
            field< 8, 4> SType stype == RR;
            field<32, 8> Reg   rb;
        }
        operands {
            InList<pg, ra, rb, rc>;
            OutList<rd>;
            Order<pg, rd, ra, rb, rc>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<rb> = 32;
            Bitwidth<rc> = 32;
        }
    }

    opcode ATOM_RI : [ATOM] {
        encoding {
            field< 8,  4> SType  stype == RI;
            field<32, 24> SImm24 imm;
        }
        operands {
            InList<pg, ra, imm, rc>;
            OutList<rd>;
            Order<pg, rd, ra, imm, rc>;
            Bitwidth<rd> = 32;
            Bitwidth<ra> = 32;
            Bitwidth<imm> = 32;
            Bitwidth<rc> = 32;
        }
    }

    // LDC Begin
    /// Loads a word of constant memory.
    optype LDC : [ALL] {
        encoding {
            field< 0, 8> Optype optype == LDC;
            field<16, 8> Reg    rd;
        }
        syntax { LDC Rd, SrcB $sched; }
    }

    opcode LDC_C : [LDC] {
        encoding {
            field< 8,  4> SType stype == RC;
            field<32, 22> CMem  cb;
        }
        operands {
            InList<pg, cb>;
            OutList<rd>;
            Order<pg, rd, cb>;
            Bitwidth<rd> = 32;
            Bitwidth<cb> = 32;
        }
    }

    // MEMBAR Begin
    /// Orders accesses to memory.
    optype MEMBAR : [ALL] {
        encoding {
            field< 0, 8> Optype optype == MEMBAR;
            field<16, 2> Scope  scope;
        }
        syntax {
            MEMBAR.scope $sched;
            .scope = {.CTA, .GPU, .SYS}
        }
    }

    opcode MEMBAR_A : [MEMBAR] {
        encoding { field<8, 4> SType stype == RR; }
        operands {
            InList<pg>;
            Order<pg>;
        }
    }
}
