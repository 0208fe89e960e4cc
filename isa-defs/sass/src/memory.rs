//! Loads and stores, and special registers.

isa_core::define_isa! {
    /// Loads and stores, and special registers.
    pub isa Memory: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        S2R = 0x119, S2UR = 0x1c3, CS2R = 0x05, LDG = 0x181, STG = 0x186, LDL = 0x183, STL = 0x187, LDS = 0x184, STS = 0x188, LDC = 0x182, ULDC = 0xb9, LDCU = 0x1ac, SHFL = 0x189,
    }
    /// The size of an access, and whether a short value is sign-extended.
    enum Size: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, B32 = 4, "64" = 5, "128" = 6 }
    /// The size of an access of up to 64 bits.
    enum SizeTo64: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, B32 = 4, "64" = 5 }
    /// The priority in caches: evict first, normal, evict last, last use, evict unchanged, no allocation.
    enum Evict: 3 { EF = 0, EN = 1, EL = 2, LU = 3, EU = 4, NA = 5 }
    /// The size of a prefetch into the cache of level 2.
    enum Prefetch: 2 { NONE = 0, LTC64B = 1, LTC128B = 2, LTC256B = 3 }
    /// The addressing of constant memory.
    enum Indexing: 2 { DIRECT = 0, IL = 1, IS = 2, ISL = 3 }
    /// The width of a special register.
    enum Narrow: 1 { "32" = 0, "64" = 1 }
    /// The selection of the other thread.
    enum Lane: 2 { IDX = 0, UP = 1, DOWN = 2, BFLY = 3 }
    /// The order of a load relative to other accesses, and the threads that it is visible to.
    enum LoadOrder: 4 {
        WEAK = 0, "CONSTANT.PRIVATE" = 1, "CONSTANT.CTA" = 2, "CONSTANT.CTA.PRIVATE" = 3, CONSTANT = 4, "STRONG.SM" = 5, "STRONG.GPU.PRIVATE" = 6,
        "STRONG.GPU" = 7, "MMIO.GPU" = 8, "CONSTANT.SM" = 9, "STRONG.SYS" = 10, "CONSTANT.SM.PRIVATE" = 11, "MMIO.SYS" = 12, "CONSTANT.VC" = 13,
        "CONSTANT.VC.PRIVATE" = 14, "CONSTANT.GPU" = 15,
    }
    /// The order of a store.
    enum StoreOrder: 4 {
        WEAK = 0, "CONSTANT.PRIVATE" = 1, "CONSTANT.CTA" = 2, "CONSTANT.CTA.PRIVATE" = 3, "STRONG.SM.PRIVATE" = 4, "STRONG.SM" = 5, "STRONG.GPU.PRIVATE" = 6,
        "STRONG.GPU" = 7, "MMIO.GPU" = 8, "CONSTANT.SM" = 9, "STRONG.SYS" = 10, "CONSTANT.SM.PRIVATE" = 11, "MMIO.SYS" = 12, "CONSTANT.VC" = 13,
        "CONSTANT.VC.PRIVATE" = 14, "CONSTANT.GPU" = 15,
    }
    /// The order of a store from sm_100.
    enum StoreOrderWide: 4 {
        WEAK = 0, "CONSTANT.PRIVATE" = 1, "CONSTANT.CTA" = 2, "CONSTANT.CTA.PRIVATE" = 3, "STRONG.SM.PRIVATE" = 4, "STRONG.SM" = 5, "STRONG.GPU.PRIVATE" = 6,
        "STRONG.GPU" = 7, "MMIO.GPU" = 8, "CONSTANT.SM" = 9, "STRONG.SYS" = 10, "CONSTANT.SM.PRIVATE" = 11, "MMIO.SYS" = 12, "SYS.ORDERED" = 13,
        "STRONG.SYS.ORDERED" = 14, "MMIO.SYS.ORDERED" = 15,
    }
    /// The order of an access of sm_75.
    enum OrderTuring: 4 {
        "CONSTANT.CTA" = 0, "CONSTANT.SM" = 1, "CONSTANT.GPU" = 2, "CONSTANT.SYS" = 3, CTA = 4, SM = 5, GPU = 6, SYS = 7, "STRONG.CTA" = 8, "STRONG.SM" = 9,
        "STRONG.GPU" = 10, "STRONG.SYS" = 11, "MMIO.CTA" = 12, "MMIO.SM" = 13, "MMIO.GPU" = 14, "MMIO.SYS" = 15,
    }
    /// A special register. Registers without a name, and registers whose name depends on the chip, have numbers.
    enum Special: 8 {
        SR_LANEID = 0, SR_CLOCK = 1, SR_VIRTCFG = 2, SR_VIRTID = 3, SR_ORDERING_TICKET = 15, SR_PRIM_TYPE = 16, SR_INVOCATION_ID = 17,
        SR_Y_DIRECTION = 18, SR_THREAD_KILL = 19, SM_SHADER_TYPE = 20, SR_DIRECTCBEWRITEADDRESSLOW = 21, SR_DIRECTCBEWRITEADDRESSHIGH = 22,
        SR_DIRECTCBEWRITEENABLED = 23, SR_MACHINE_ID_1 = 25, SR_MACHINE_ID_2 = 26, SR_MACHINE_ID_3 = 27, SR_AFFINITY = 28, SR_INVOCATION_INFO = 29,
        SR_WSCALEFACTOR_XY = 30, SR_WSCALEFACTOR_Z = 31, SR_TID = 32, "SR_TID.X" = 33, "SR_TID.Y" = 34, "SR_TID.Z" = 35, "SR_CTAID.X" = 37,
        "SR_CTAID.Y" = 38, "SR_CTAID.Z" = 39, SR_NTID = 40, SR_CirQueueIncrMinusOne = 41, SR_NLATC = 42, SR_SM_SPA_VERSION = 44,
        SR_MULTIPASSSHADERINFO = 45, SR_LWINHI = 46, SR_SWINHI = 47, SR_SWINLO = 48, SR_SWINSZ = 49, SR_SMEMSZ = 50, SR_SMEMBANKS = 51,
        SR_LWINLO = 52, SR_LWINSZ = 53, SR_LMEMLOSZ = 54, SR_LMEMHIOFF = 55, SR_EQMASK = 56, SR_LTMASK = 57, SR_LEMASK = 58, SR_GTMASK = 59,
        SR_GEMASK = 60, SR_REGALLOC = 61, SR_BARRIERALLOC = 62, SR_GLOBALERRORSTATUS = 64, SR_WARPERRORSTATUS = 66, SR_VIRTUALSMID = 67,
        SR_VIRTUALENGINEID = 68, SR_CLOCKLO = 80, SR_CLOCKHI = 81, SR_GLOBALTIMERLO = 82, SR_GLOBALTIMERHI = 83, SR_ESR_PC = 84, SR_ESR_PC_HI = 85,
        SR_HWTASKID = 96, SR_CIRCULARQUEUEENTRYINDEX = 97, SR_CIRCULARQUEUEENTRYADDRESSLOW = 98, SR_CIRCULARQUEUEENTRYADDRESSHIGH = 99, SR_PM0 = 100,
        SR_PM_HI0 = 101, SR_PM1 = 102, SR_PM_HI1 = 103, SR_PM2 = 104, SR_PM_HI2 = 105, SR_PM3 = 106, SR_PM_HI3 = 107, SR_PM4 = 108, SR_PM_HI4 = 109,
        SR_PM5 = 110, SR_PM_HI5 = 111, SR_PM6 = 112, SR_PM_HI6 = 113, SR_PM7 = 114, SR_PM_HI7 = 115, SR_SNAP_PM0 = 116, SR_SNAP_PM_HI0 = 117,
        SR_SNAP_PM1 = 118, SR_SNAP_PM_HI1 = 119, SR_SNAP_PM2 = 120, SR_SNAP_PM_HI2 = 121, SR_SNAP_PM3 = 122, SR_SNAP_PM_HI3 = 123, SR_SNAP_PM4 = 124,
        SR_SNAP_PM_HI4 = 125, SR_SNAP_PM5 = 126, SR_SNAP_PM_HI5 = 127, SR_SNAP_PM6 = 128, SR_SNAP_PM_HI6 = 129, SR_SNAP_PM7 = 130,
        SR_SNAP_PM_HI7 = 131, SR_VARIABLE_RATE = 132, __HIR0X000 = 133, SRZ = 255,
    }
    /// An offset in bytes.
    operand Offset: 24 = isa_core::operand::SignedHex<24>;
    /// An offset in constant memory in bytes.
    operand Offset16: 16 = isa_core::operand::SignedHex<16>;
    /// The number of a thread.
    operand Number5: 5 = isa_core::operand::PrefixedHex<5>;
    /// A mask and a limit of thread numbers.
    operand Number13: 13 = isa_core::operand::PrefixedHex<13>;
    /// The descriptor of an access, which the text of `nvdisasm` does not contain.
    operand Descriptor: 6 = crate::operand::Descriptor;
    for $FORMAT in Global, GlobalSum, Described, DescribedWide, Near, Local, NearUniform, LocalUniform, NearWide, LocalWide, Constant, UniformConstant, WideConstant {
        format $FORMAT = isa_core::operand::FixedText<crate::operand::$FORMAT>;
    }
    /// An offset in constant memory in bytes, for uniform loads from sm_100.
    operand Offset17: 17 = isa_core::operand::SignedHex<17>;

    group ACCESS : [GUARDED] { encoding { field<0, 9> Op op; field<24, 8> Reg a; field<40, 24> Offset off; field<73, 3> Size size = B32; } }
    group LOAD : [ACCESS] { encoding { field<16, 8> Reg d; } operands { InList<pg, a>; OutList<d>; } }
    group STORE : [ACCESS] { encoding { field<32, 8> Reg b; } operands { InList<pg, a, b>; OutList<>; }
        exception { EncodingError<IllegalControl, "a store releases no barrier of results"> = wr != 7; }
    }
    group EVICT { encoding { field<84, 3> Evict evict = EN; } }
    /// Loads from shared memory.
    optype LDS_PLAIN : [LOAD] {
        encoding { op == LDS; form == 4; field<78, 2> Bits2 scale; where a != 255 or scale == 0; }
        syntax   { LDS{.size} d, address } operands { AsmFormat<address: off, a, scale> = Near(); }
    }
    /// Stores to shared memory.
    optype STS_PLAIN : [STORE] {
        encoding { op == STS; form == 1; field<78, 2> Bits2 scale; where a != 255 or scale == 0; }
        syntax   { STS{.size} address, b } operands { AsmFormat<address: off, a, scale> = Near(); }
    }
    /// Loads from local memory.
    optype LDL_PLAIN : [LOAD, EVICT] {
        encoding { op == LDL; form == 4; }
        syntax   { LDL{.evict}{.size} d, address } operands { AsmFormat<address: off, a> = Local(); }
    }
    /// Stores to local memory.
    optype STL_PLAIN : [STORE, EVICT] {
        encoding { op == STL; form == 1; }
        syntax   { STL{.evict}{.size} address, b } operands { AsmFormat<address: off, a> = Local(); }
    }
    /// Loads from constant memory into a uniform register.
    optype ULDC : [ALL] {
        encoding { field<0, 9> Op op == ULDC; form == 5; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 6> UReg d; field<38, 16> Offset16 off; field<54, 5> Bits5 bank; field<73, 3> SizeTo64 size = B32; }
        syntax   { {@{!}pg} ULDC{.size} d, address $stall $stay $wr $rd $req; }
        operands { InList<pg>; OutList<d>; AsmFormat<address: bank, off> = UniformConstant(); }
    }
    /// Loads from and stores to global memory with a descriptor that the text does not contain.
    optype LDG_HIDDEN : [LOAD, EVICT] {
        encoding {
            op == LDG; form == 4; field<32, 6> Descriptor u = 4; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
            field<90, 1> Bits1 constant == 1; field<68, 2> Prefetch ltc = NONE; field<77, 4> LoadOrder order = WEAK; field<81, 3> Pred pu = PT;
        }
        syntax   { "LDG.E"{.evict}{.ltc}{.size}{.order} {pu, }d, address $u $stall $stay $wr $rd $req; }
        operands { InList<pg, a>; OutList<d, pu>; AsmFormat<address: off, a> = Global(); }
    }
    /// Stores to global memory with a descriptor that the text does not contain.
    optype STG_HIDDEN : [STORE, EVICT] {
        encoding {
            op == STG; form == 4; field<64, 6> Descriptor u = 4; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
            field<90, 1> Bits1 constant == 1; field<77, 4> StoreOrder order = WEAK;
        }
        syntax   { "STG.E"{.evict}{.size}{.order} address, b $u $stall $stay $wr $rd $req; }
        operands { InList<pg, a, b>; AsmFormat<address: off, a> = Global(); }
    }
    /// The size of a prefetch into the cache of level 2 on sm_75.
    enum PrefetchTuring: 2 { NONE = 0, LTC64B = 1, LTC128B = 2 }
    /// Whether all threads load from the same address.
    enum Uniform: 1 { ANY = 0, U = 1 }
    /// An access to global memory of sm_75.
    group TURING : [EVICT] { encoding { field<72, 1> Bits1 wide == 1; field<77, 4> OrderTuring order; } }
    group TURING_LDG : [LOAD, TURING] {
        encoding { op == LDG; field<68, 2> PrefetchTuring ltc = NONE; field<81, 3> Pred pu = PT; }
        syntax   { "LDG.E"{.evict}{.ltc}{.size}.order {pu, }d, address }
        operands { OutList<d, pu>; }
    }
    group TURING_STG : [STORE, TURING] {
        encoding { op == STG; where not order in {"CONSTANT.CTA", "CONSTANT.SM", "CONSTANT.GPU", "CONSTANT.SYS"}; }
        syntax   { "STG.E"{.evict}{.size}.order address, b }
    }
    group TURING_LDS : [LOAD] {
        encoding { op == LDS; form == 4; field<78, 2> Bits2 scale; where a != 255 or scale == 0; field<76, 1> Uniform same = ANY; }
        syntax   { LDS{.same}{.size} d, address }
    }
    for $U, $TYPE, $WIDTH, $DESC, $NEAR, $LOCAL, $ORDER in
        (U, UReg, 6, Described, NearUniform, LocalUniform, StoreOrder), (W, WideUReg, 8, DescribedWide, NearWide, LocalWide, StoreOrderWide)
    {
        /// Loads from and stores to local memory at the sum of a register and a uniform register.
        optype LDL_$U : [LOAD, EVICT] {
            encoding { op == LDL; form == 4; field<32, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            syntax   { LDL{.evict}{.size} d, address }
            operands { InList<pg, a, u>; AsmFormat<address: off, a, u> = $LOCAL(); }
        }
        /// Stores to local memory at the sum of a register and a uniform register.
        optype STL_$U : [STORE, EVICT] {
            encoding { op == STL; form == 4; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            syntax   { STL{.evict}{.size} address, b }
            operands { InList<pg, a, b, u>; AsmFormat<address: off, a, u> = $LOCAL(); }
        }
        /// Loads from global memory.
        optype LDG_$U : [LOAD, EVICT] {
            encoding { op == LDG; form == 4; field<32, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1; field<90, 1> Bits1 constant == 1; field<68, 2> Prefetch ltc = NONE; field<77, 4> LoadOrder order = WEAK; field<81, 3> Pred pu = PT; }
            syntax   { "LDG.E"{.evict}{.ltc}{.size}{.order} {pu, }d, address }
            operands { InList<pg, a, u>; OutList<d, pu>; AsmFormat<address: off, a, u> = $DESC(); }
        }
        /// Stores to global memory.
        optype STG_$U : [STORE, EVICT] {
            encoding { op == STG; form == 4; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1; field<90, 1> Bits1 constant == 1; field<77, 4> $ORDER order = WEAK; }
            syntax   { "STG.E"{.evict}{.size}{.order} address, b }
            operands { InList<pg, a, b, u>; AsmFormat<address: off, a, u> = $DESC(); }
        }
        /// Loads from and stores to shared memory at the sum of a register and a uniform register.
        optype LDS_$U : [LOAD] {
            encoding { op == LDS; form == 4; field<78, 2> Bits2 scale; where a != 255 or scale == 0; field<32, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            syntax   { LDS{.size} d, address }
            operands { InList<pg, a, u>; AsmFormat<address: off, a, scale, u> = $NEAR(); }
        }
        /// Stores to shared memory at the sum of a register and a uniform register.
        optype STS_$U : [STORE] {
            encoding { op == STS; form == 4; field<78, 2> Bits2 scale; where a != 255 or scale == 0; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            syntax   { STS{.size} address, b }
            operands { InList<pg, a, b, u>; AsmFormat<address: off, a, scale, u> = $NEAR(); }
        }
    }

    // ---- instructions -------------------------------------------------------------------------

    // The names of special registers depend on the chip.
    for $CHIP, $TYPE, $WIDTH, $ON in
        (75, UReg, 6, $(not SM80)), (80, UReg, 6, $(SM80 and not SM90)), (90, UReg, 6, $(SM90 and not SM100)),
        (100, WideUReg, 8, $(SM100 and not SM120)), (120, WideUReg, 8, SM120)
    {
        /// A special register of sm_$CHIP.
        operand Special$$CHIP: 8 = crate::operand::Special$$CHIP;
        format Named$$CHIP = isa_core::operand::NamedOr<crate::memory::Special, crate::operand::Special$$CHIP>;
        /// Reads a special register.
        opcode S2R_$CHIP : [RESULT] requires $ON {
            encoding { field<0, 9> Op op == S2R; form == 4; field<72, 8> Special$$CHIP special; }
            syntax   { S2R d, special } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
        /// Reads a special register into two registers.
        opcode CS2R_$CHIP : [RESULT] requires $ON {
            encoding { field<0, 9> Op op == CS2R; form == 4; field<72, 8> Special$$CHIP special; field<80, 1> Narrow narrow = "64"; }
            syntax   { CS2R{.narrow} d, special } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
        /// Reads a special register into a uniform register.
        opcode S2UR_$CHIP : [ALL] requires $ON {
            encoding { field<0, 9> Op op == S2UR; form == 4; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; field<72, 8> Special$$CHIP special; }
            syntax   { {@{!}pg} S2UR d, special $stall $stay $wr $rd $req; } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
    }
    /// Loads from constant memory.
    opcode LDC : [RESULT] {
        encoding { field<0, 9> Op op == LDC; form == 5; field<24, 8> Reg a; field<38, 16> Offset16 off; field<54, 5> Bits5 bank; field<73, 3> SizeTo64 size = B32; field<78, 2> Indexing mode = DIRECT; }
        syntax   { LDC{.size}{.mode} d, address } operands { InList<pg, a>; OutList<d>; AsmFormat<address: bank, off, a> = Constant(); }
    }
    /// Exchanges values between threads.
    group SHFL : [RESULT] {
        encoding { field<0, 9> Op op == SHFL; field<24, 8> Reg a; field<58, 2> Lane lane; field<81, 3> Pred pu; }
        syntax   { SHFL.lane pu, d, a, b, c }
        operands { InList<pg, a, b, c>; OutList<d, pu>; }
    }
    opcode SHFL_RR : [SHFL] { encoding { form == 1; field<32, 8> Reg b; field<64, 8> Reg c; } }
    opcode SHFL_RI : [SHFL] { encoding { form == 2; field<32, 8> Reg b; field<40, 13> Number13 c; } }
    opcode SHFL_IR : [SHFL] { encoding { form == 4; field<64, 8> Reg c; field<53, 5> Number5 b; } }
    opcode SHFL_II : [SHFL] { encoding { form == 7; field<53, 5> Number5 b; field<40, 13> Number13 c; } }
    for $OP in STS, LDL, STL { opcode $OP : [${OP}_PLAIN] {} }
    opcode LDS : [LDS_PLAIN] requires SM80 {}
    for $T, $ON in (U, $(SM90 and not SM100)), (W, SM100) {
        for $OP in LDS, STS, LDL, STL { opcode ${OP}_UNIFORM_$T : [${OP}_$T] else $OP requires $ON {} }
        for $OP in LDG, STG { opcode ${OP}_DESC_$T : [${OP}_$T] requires $ON {} }
    }
    opcode ULDC_ALL : [ULDC] requires not SM100 {}
    /// Loads from constant memory into a uniform register.
    opcode LDCU : [ALL] requires SM100 {
        encoding { field<0, 9> Op op == LDCU; form == 3; field<91, 1> Bits1 uniform == 1; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 8> WideUReg d; field<24, 8> Bits8 a == 255; field<37, 17> Offset17 off; field<54, 5> Bits5 bank; field<73, 3> Size size = B32; }
        syntax   { {@{!}pg} LDCU{.size} d, address $stall $stay $wr $rd $req; }
        operands { InList<pg>; OutList<d>; AsmFormat<address: bank, off> = WideConstant(); }
        exception { EncodingError<IllegalControl, "the sources are constants, so no barrier is released after they are read"> = rd != 7; }
    }
    for $OP in LDG, STG { opcode ${OP}_GLOBAL : [${OP}_HIDDEN] requires SM80 and not SM90 {} }

    // sm_75 has other forms of addresses.
    opcode LDG_75 : [TURING_LDG] requires not SM80 { encoding { form == 1; } operands { InList<pg, a>; AsmFormat<address: off, a> = Local(); } }
    opcode STG_75 : [TURING_STG] requires not SM80 { encoding { form == 1; } operands { InList<pg, a, b>; AsmFormat<address: off, a> = Local(); } }
    opcode LDG_SUM : [TURING_LDG] else LDG_75 requires not SM80 {
        encoding { form == 4; field<32, 6> UReg u; field<90, 2> Bits2 uniform == 3; }
        operands { InList<pg, a, u>; AsmFormat<address: off, a, u> = GlobalSum(); }
    }
    opcode STG_SUM : [TURING_STG] else STG_75 requires not SM80 {
        encoding { form == 4; field<64, 6> UReg u; field<90, 2> Bits2 uniform == 3; }
        operands { InList<pg, a, b, u>; AsmFormat<address: off, a, u> = GlobalSum(); }
    }
    opcode LDS_75 : [TURING_LDS] requires not SM80 { operands { InList<pg, a>; AsmFormat<address: off, a, scale> = Near(); } }
    opcode LDS_SUM : [TURING_LDS] else LDS_75 requires not SM80 {
        encoding { field<32, 6> UReg u; field<91, 1> Bits1 uniform == 1; }
        operands { InList<pg, a, u>; AsmFormat<address: off, a, scale, u> = NearUniform(); }
    }
}
