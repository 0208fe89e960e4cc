//! Loads and stores, and special registers.

isa_core::define_isa! {
    /// Loads and stores, and special registers.
    pub isa Memory: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        S2R = 0x119, S2UR = 0x1c3, CS2UR = 0xcb, CS2R = 0x05, LD = 0x180, ST = 0x185, LDG = 0x181, STG = 0x186, LDL = 0x183, STL = 0x187, LDS = 0x184, STS = 0x188, LDC = 0x182,
        ULDC = 0xb9, LDCU = 0x1ac, SHFL = 0x189, ULDC_X = 0xbb, LDGSTS = 0x1ae,
    }
    /// The size of an access, and whether a short value is sign-extended.
    enum Size: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, B32 = 4, "64" = 5, "128" = 6 }
    /// The size of an access of up to 64 bits.
    enum SizeTo64: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, B32 = 4, "64" = 5 }
    /// The priority in caches: evict first, normal, evict last, last use, evict unchanged, no allocation.
    enum Evict: 3 { EF = 0, EN = 1, EL = 2, LU = 3, EU = 4, NA = 5 }
    /// The size of a prefetch into the cache of level 2.
    enum Prefetch: 2 { NONE = 0, LTC64B = 1, LTC128B = 2, LTC256B = 3 }
    /// Whether a copy does not use the cache of level 1.
    enum Bypass: 1 { BYPASS = 0, CACHED = 1 }
    /// Whether zeros are copied if the predicate is false.
    enum ZeroFill: 1 { KEEP = 0, ZFILL = 1 }
    /// The size of a copy.
    enum CopySize: 3 { B32 = 4, "64" = 5, "128" = 6 }
    /// The size of a copy from sm_100.
    enum WideCopySize: 2 { B32 = 0, "64" = 1, "128" = 2 }
    /// The size of a prefetch into the cache of level 2.
    enum Prefetch128: 1 { NONE = 0, LTC128B = 1 }
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
    for $N in 12, 20, 32 {
        /// An offset of $N bits in bytes.
        operand Offset$$N: $N = isa_core::operand::SignedHex<$N>;
    }
    /// The number of a thread.
    operand Number5: 5 = isa_core::operand::PrefixedHex<5>;
    /// A mask and a limit of thread numbers.
    operand Number13: 13 = isa_core::operand::PrefixedHex<13>;
    /// The descriptor of an access, which the text of `nvdisasm` does not contain.
    operand Descriptor: 6 = crate::operand::Descriptor;
    for $FORMAT in GlobalSum32, Near, Constant, UniformConstant, WideConstant {
        format $FORMAT = isa_core::operand::FixedText<crate::operand::$FORMAT>;
    }
    for $FORMAT, $TYPE, $N in (Global, Global, 24), (Global12, Global, 12), (Local, Local, 24), (Local32, Local, 32), (Near20, Local, 20) {
        format $FORMAT = isa_core::operand::FixedText<crate::operand::$TYPE<$N>>;
    }
    for $FORMAT, $TYPE, $U in (GlobalSum, GlobalSum, UReg), (WideGlobalSum, GlobalSum, WideUReg), (LocalUniform, LocalSum, UReg), (LocalWide, LocalSum, WideUReg),
        (NearUniform, NearSum, UReg), (NearWide, NearSum, WideUReg)
    {
        format $FORMAT = isa_core::operand::FixedText<crate::operand::$TYPE<crate::operand::$U>>;
    }
    for $FORMAT, $TYPE, $U, $N in (Described, Described, UReg, 24), (DescribedWide, Described, WideUReg, 24), (Described12, Described, UReg, 12),
        (WideDescribed12, Described, WideUReg, 12), (UniformIndexed, UniformIndexed, UReg, 16), (WideIndexed, UniformIndexed, WideUReg, 17)
    {
        format $FORMAT = isa_core::operand::FixedText<crate::operand::$TYPE<crate::operand::$U, $N>>;
    }
    /// An offset in constant memory in bytes, for uniform loads from sm_100.
    operand Offset17: 17 = isa_core::operand::SignedHex<17>;

    group ACCESS : [GUARDED] { properties { unit = MEMORY; } encoding { field<0, 9> Op op; field<24, 8> Reg a; field<40, 24> Offset off; field<73, 3> Size size = B32; } }
    group LOAD : [ACCESS] { encoding { field<16, 8> Reg d; } operands { InList<pg, a>; OutList<d>; Bitwidth<d> = 32 * crate::width::of_size(size); } }
    group STORE : [ACCESS] { encoding { field<32, 8> Reg b; } operands { InList<pg, a, b>; OutList<>; Bitwidth<b> = 32 * crate::width::of_size(size); }
        exception { EncodingError<IllegalControl, "a store releases no barrier of results"> = wr != 7; }
    }
    group EVICT { encoding { field<84, 3> Evict evict = EN; } }
    /// Loads from shared memory.
    optype LDS_PLAIN : [LOAD] {
        properties { unit = SHARED; }
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
        properties { unit = UNIFORM_MOVE; }
        encoding {
            field<0, 9> Op op == ULDC; form == 5; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 6> UReg d; field<38, 16> Offset16 off;
            field<54, 5> Bits5 bank; field<73, 3> SizeTo64 size = B32;
        }
        syntax   { {@{!}pg} ULDC{.size} d, address $stall $stay $wr $rd $req; }
        operands { InList<pg>; OutList<d>; Bitwidth<d> = 32 * crate::width::of_size(size); AsmFormat<address: bank, off> = UniformConstant(); }
    }
    for $N, $PU, $FIELD, $OUT in (LDG, $({pu, }), $(field<81, 3> Pred pu = PT;), $(OutList<d, pu>;)), (LD, $(), $(), $(OutList<d>;)) {
        /// Loads from global memory or memory of any kind with a descriptor that the text does not contain.
        optype ${N}_HIDDEN : [LOAD, EVICT] {
            encoding {
                op == $N; form == 4; field<32, 6> Descriptor u = 4; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
                field<90, 1> Bits1 constant == 1; field<68, 2> Prefetch ltc = NONE; field<77, 4> LoadOrder order = WEAK; $FIELD
            }
            syntax   { "$N.E"{.evict}{.ltc}{.size}{.order} $PU d, address $u $stall $stay $wr $rd $req; }
            operands { InList<pg, a>; $OUT Bitwidth<a> = 64; AsmFormat<address: off, a> = Global(); }
        }
    }
    for $N in STG, ST {
        /// Stores to global memory or memory of any kind with a descriptor that the text does not contain.
        optype ${N}_HIDDEN : [STORE, EVICT] {
            encoding {
                op == $N; form == 4; field<64, 6> Descriptor u = 4; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
                field<90, 1> Bits1 constant == 1; field<77, 4> StoreOrder order = WEAK;
            }
            syntax   { "$N.E"{.evict}{.size}{.order} address, b $u $stall $stay $wr $rd $req; }
            operands { InList<pg, a, b>; Bitwidth<a> = 64; AsmFormat<address: off, a> = Global(); }
        }
    }
    /// The size of a prefetch into the cache of level 2 on sm_75.
    enum PrefetchTuring: 2 { NONE = 0, LTC64B = 1, LTC128B = 2 }
    /// Whether all threads load from the same address.
    enum Uniform: 1 { ANY = 0, U = 1 }
    /// An access to global memory of sm_75.
    group TURING : [ALL, EVICT] { properties { unit = MEMORY; } encoding { field<72, 1> Bits1 wide == 1; field<77, 4> OrderTuring order; } }
    for $N, $PU, $FIELD, $OUT in (LDG, $({pu, }), $(field<81, 3> Pred pu = PT;), $(OutList<d, pu>;)), (LD, $(), $(), $(OutList<d>;)) {
        group TURING_$N : [GUARDED, TURING] {
            encoding { field<0, 9> Op op == $N; field<16, 8> Reg d; field<24, 8> Reg a; field<73, 3> Size size = B32; field<68, 2> PrefetchTuring ltc = NONE; $FIELD }
            syntax   { "$N.E"{.evict}{.ltc}{.size}.order $PU d, address }
            operands { $OUT Bitwidth<a> = 64; Bitwidth<d> = 32 * crate::width::of_size(size); }
        }
    }
    for $N in STG, ST {
        group TURING_$N : [GUARDED, TURING] {
            encoding { field<0, 9> Op op == $N; field<24, 8> Reg a; field<73, 3> Size size = B32; where not order in {"CONSTANT.CTA", "CONSTANT.SM", "CONSTANT.GPU", "CONSTANT.SYS"}; }
            syntax   { "$N.E"{.evict}{.size}.order address, b } operands { OutList<>; Bitwidth<a> = 64; Bitwidth<b> = 32 * crate::width::of_size(size); }
            exception { EncodingError<IllegalControl, "a store releases no barrier of results"> = wr != 7; }
        }
    }
    group TURING_LDS : [LOAD] {
        properties { unit = SHARED; }
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
        for $N, $PU, $FIELD, $OUT in (LDG, $({pu, }), $(field<81, 3> Pred pu = PT;), $(OutList<d, pu>;)), (LD, $(), $(), $(OutList<d>;)) {
            /// Loads from global memory, or from memory of any kind.
            optype ${N}_$U : [LOAD, EVICT] {
                encoding {
                    op == $N; form == 4; field<32, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
                    field<90, 1> Bits1 constant == 1; field<68, 2> Prefetch ltc = NONE; field<77, 4> LoadOrder order = WEAK; $FIELD
                }
                syntax   { "$N.E"{.evict}{.ltc}{.size}{.order} $PU d, address }
                operands { InList<pg, a, u>; $OUT Bitwidth<a> = 64; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = $DESC(); }
            }
        }
        for $N in STG, ST {
            /// Stores to global memory, or to memory of any kind.
            optype ${N}_$U : [STORE, EVICT] {
                encoding {
                    op == $N; form == 4; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; field<72, 1> Bits1 wide == 1; field<76, 1> Bits1 desc == 1;
                    field<90, 1> Bits1 constant == 1; field<77, 4> $ORDER order = WEAK;
                }
                syntax   { "$N.E"{.evict}{.size}{.order} address, b }
                operands { InList<pg, a, b, u>; Bitwidth<a> = 64; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = $DESC(); }
            }
        }
        /// Loads from and stores to shared memory at the sum of a register and a uniform register.
        optype LDS_$U : [LOAD] {
            properties { unit = SHARED; }
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
            properties { unit = SPECIAL; }
            encoding { field<0, 9> Op op == S2R; form == 4; field<72, 8> Special$$CHIP special; }
            syntax   { S2R d, special } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
        /// Reads a special register into two registers.
        opcode CS2R_$CHIP : [RESULT] requires $ON {
            properties { unit = CLOCK; }
            encoding { field<0, 9> Op op == CS2R; form == 4; field<72, 8> Special$$CHIP special; field<80, 1> Narrow narrow = "64"; }
            syntax   { CS2R{.narrow} d, special } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
        /// Reads a special register into a uniform register.
        opcode S2UR_$CHIP : [ALL] requires $ON {
            properties { unit = SPECIAL; }
            encoding {
                field<0, 9> Op op == S2UR; form == 4; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; field<72, 8> Special$$CHIP special;
            }
            syntax   { {@{!}pg} S2UR d, special $stall $stay $wr $rd $req; } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
    }
    for $CHIP, $ON in (100, $(SM100 and not SM120)), (120, SM120) {
        /// Reads a special register into a uniform register.
        opcode CS2UR_$CHIP : [ALL] requires $ON {
            encoding {
                field<0, 9> Op op == CS2UR; form == 4; field<91, 1> Bits1 uniform == 0; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 8> WideUReg d;
                field<72, 8> Special$$CHIP special; field<80, 1> Narrow narrow = "64";
            }
            syntax   { {@{!}pg} CS2UR{.narrow} d, special $stall $stay $wr $rd $req; } operands { InList<pg>; OutList<d>; AsmFormat<special> = Named$$CHIP(special); }
        }
    }
    /// Loads from constant memory.
    opcode LDC : [RESULT] {
        properties { unit = OTHER; }
        encoding {
            field<0, 9> Op op == LDC; form == 5; field<24, 8> Reg a; field<38, 16> Offset16 off; field<54, 5> Bits5 bank; field<73, 3> SizeTo64 size = B32;
            field<78, 2> Indexing mode = DIRECT;
        }
        syntax   { LDC{.size}{.mode} d, address } operands { InList<pg, a>; OutList<d>; Bitwidth<d> = 32 * crate::width::of_size(size); AsmFormat<address: bank, off, a> = Constant(); }
    }
    /// Exchanges values between threads.
    group SHFL : [RESULT] {
        properties { unit = SHARED; }
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
        for $OP in STS, LDL, STL { opcode ${OP}_UNIFORM_$T : [${OP}_$T] else $OP requires $ON {} }
        for $OP in LDG, STG { opcode ${OP}_DESC_$T : [${OP}_$T] requires $ON {} }
        for $OP in LD, ST { opcode ${OP}_DESC_$T : [${OP}_$T] requires $ON {} }
    }
    opcode LDS_UNIFORM_U : [LDS_U] else LDS requires SM80 and not SM100 {}
    opcode STS_UNIFORM_80 : [STS_U] else STS requires SM80 and not SM90 {}
    opcode LDS_UNIFORM_W : [LDS_W] else LDS requires SM100 {}
    opcode ULDC_ALL : [ULDC] requires not SM100 {}
    /// Loads from constant memory into a uniform register.
    opcode LDCU : [ALL] requires SM100 {
        properties { unit = OTHER; }
        encoding {
            field<0, 9> Op op == LDCU; form == 3; field<91, 1> Bits1 uniform == 1; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 8> WideUReg d;
            field<24, 8> Bits8 a == 255; field<37, 17> Offset17 off; field<54, 5> Bits5 bank; field<73, 3> Size size = B32;
        }
        syntax   { {@{!}pg} LDCU{.size} d, address $stall $stay $wr $rd $req; }
        operands { InList<pg>; OutList<d>; Bitwidth<d> = 32 * crate::width::of_size(size); AsmFormat<address: bank, off> = WideConstant(); }
        exception { EncodingError<IllegalControl, "the sources are constants, so no barrier is released after they are read"> = rd != 7; }
    }
    for $OP in LDG, STG, LD, ST { opcode ${OP}_GLOBAL : [${OP}_HIDDEN] else ${OP}_PLAIN_80 requires SM80 and not SM90 {} }
    for $N, $FORM, $PU, $FIELD, $OUT, $OFFSET, $LOCAL in
        (LDG, 1, $({pu, }), $(field<81, 3> Pred pu = PT;), $(OutList<d, pu>;), $(field<40, 24> Offset off;), Local),
        (LD, 4, $(), $(), $(OutList<d>;), $(field<32, 32> Offset32 off; field<91, 1> Bits1 uniform == 0;), Local32)
    {
        /// Loads from an address without a descriptor.
        optype ${N}_REGISTER : [GUARDED, EVICT] {
            encoding {
                field<0, 9> Op op == $N; field<16, 8> Reg d; field<24, 8> Reg a; field<73, 3> Size size = B32; field<72, 1> Bits1 wide == 1; field<68, 2> Prefetch ltc = NONE;
                field<77, 4> LoadOrder order = WEAK; $FIELD
            }
            syntax   { "$N.E"{.evict}{.ltc}{.size}{.order} $PU d, address } operands { $OUT }
        }
        opcode ${N}_PLAIN_80 : [${N}_REGISTER] requires SM80 { encoding { form == $FORM; $OFFSET } operands { InList<pg, a>; AsmFormat<address: off, a> = $LOCAL(); } }
        opcode ${N}_SUM_100 : [${N}_REGISTER] else ${N}_PLAIN_80, ${N}_DESC_W requires SM100 {
            encoding { form == 4; field<40, 24> Offset off; field<32, 8> WideUReg u; field<76, 1> Bits1 desc == 0; field<90, 2> Bits2 uniform == 3; where a != 255; }
            operands { InList<pg, a, u>; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = WideGlobalSum(); }
        }
    }
    for $N, $B, $OFFSET, $LOCAL in (STG, 32, $(field<40, 24> Offset off;), Local), (ST, 64, $(field<32, 32> Offset32 off;), Local32) {
        /// Stores to an address without a descriptor.
        optype ${N}_REGISTER : [GUARDED, EVICT] {
            encoding { field<0, 9> Op op == $N; field<24, 8> Reg a; field<73, 3> Size size = B32; field<72, 1> Bits1 wide == 1; }
            syntax   { "$N.E"{.evict}{.size}{.order} address, b } operands { OutList<>; }
            exception { EncodingError<IllegalControl, "a store releases no barrier of results"> = wr != 7; }
        }
        opcode ${N}_PLAIN_80 : [${N}_REGISTER] requires SM80 {
            encoding { form == 1; field<$B, 8> Reg b; $OFFSET field<77, 4> StoreOrder order = WEAK; } operands { InList<pg, a, b>; AsmFormat<address: off, a> = $LOCAL(); }
        }
        opcode ${N}_SUM_100 : [${N}_REGISTER] else ${N}_PLAIN_80, ${N}_DESC_W requires SM100 {
            encoding {
                form == 4; field<32, 8> Reg b; field<40, 24> Offset off; field<77, 4> StoreOrderWide order = WEAK; field<64, 8> WideUReg u; field<76, 1> Bits1 desc == 0;
                field<90, 2> Bits2 uniform == 3; where a != 255;
            }
            operands { InList<pg, a, b, u>; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = WideGlobalSum(); }
        }
    }
    /// Loads from constant memory at the sum of a uniform register and an offset.
    opcode ULDC_INDEXED : [ALL] else ULDC_ALL requires not SM100 {
        encoding {
            field<0, 9> Op op == ULDC_X; form == 5; field<91, 1> Bits1 uniform == 1; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 6> UReg d;
            field<24, 6> UReg a; field<38, 16> Offset16 off; field<54, 5> Bits5 bank; field<73, 3> SizeTo64 size = B32;
        }
        syntax   { {@{!}pg} ULDC{.size} d, address $stall $stay $wr $rd $req; } operands { InList<pg, a>; OutList<d>; AsmFormat<address: bank, off, a> = UniformIndexed(); }
    }
    /// Loads from constant memory at the sum of a uniform register and an offset.
    opcode LDCU_INDEXED : [ALL] else LDCU requires SM100 {
        encoding {
            field<0, 9> Op op == LDCU; form == 3; field<91, 1> Bits1 uniform == 1; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, 8> WideUReg d;
            field<24, 8> WideUReg a; where a != 255; field<37, 17> Offset17 off; field<54, 5> Bits5 bank; field<73, 3> Size size = B32;
        }
        syntax   { {@{!}pg} LDCU{.size} d, address $stall $stay $wr $rd $req; } operands { InList<pg, a>; OutList<d>; AsmFormat<address: bank, off, a> = WideIndexed(); }
    }
    /// Copies from global to shared memory.
    group LDGSTS : [GUARDED, EVICT] {
        encoding {
            field<0, 9> Op op == LDGSTS; form == 7; field<16, 8> Reg d; field<24, 8> Reg a; field<91, 1> Bits1 uniform == 1; field<76, 1> Bits1 desc == 1;
            field<77, 4> LoadOrder order = WEAK;
            field<81, 1> Bypass bypass = CACHED; field<82, 1> ZeroFill fill = KEEP; field<87, 3> Pred pp = PT; field<90, 1> Flip pp.not = OFF; field<44, 20> Offset20 to;
            field<32, 12> Offset12 off;
        }
        syntax   { "LDGSTS.E"{.evict}{.bypass}{.ltc}{.size}{.fill}{.order} target, address{, {!}pp} $u $stall $stay $wr $rd $req; }
        operands { InList<pg, a, d, pp>; OutList<>; AsmFormat<target: to, d> = Near20(); }
    }
    group LDGSTS_80 : [LDGSTS] { encoding { field<70, 1> Bits1 wide == 1; field<72, 1> Prefetch128 ltc = NONE; field<73, 3> CopySize size = B32; } }
    opcode LDGSTS_HIDDEN : [LDGSTS_80] requires SM80 and not SM90 { encoding { field<64, 6> Descriptor u = 4; } operands { AsmFormat<address: off, a> = Global12(); } }
    opcode LDGSTS_DESC : [LDGSTS_80] requires SM90 and not SM100 {
        encoding { field<64, 6> UReg ur; } operands { InList<pg, a, d, pp, ur>; AsmFormat<address: off, a, ur> = Described12(); }
    }
    opcode LDGSTS_100 : [LDGSTS] requires SM100 {
        encoding { field<64, 8> WideUReg ur; field<83, 1> Bits1 wide == 1; field<72, 2> PrefetchTuring ltc = NONE; field<74, 2> WideCopySize size = B32; }
        operands { InList<pg, a, d, pp, ur>; AsmFormat<address: off, a, ur> = WideDescribed12(); }
    }
    for $OP in LDG, STG {
        /// Like the other form, but the text contains the descriptor.
        opcode ${OP}_SHOWN : [${OP}_U] requires SM80 and not SM90 { encoding { field<101, 1> Bits1 shown == 1; } }
    }

    // sm_75 has other forms of addresses.
    opcode LDG_75 : [TURING_LDG] requires not SM80 { encoding { form == 1; field<40, 24> Offset off; } operands { InList<pg, a>; AsmFormat<address: off, a> = Local(); } }
    opcode LD_75 : [TURING_LD] requires not SM80 {
        encoding { form == 4; field<32, 32> Offset32 off; field<91, 1> Bits1 uniform == 0; } operands { InList<pg, a>; AsmFormat<address: off, a> = Local32(); }
    }
    opcode STG_75 : [TURING_STG] requires not SM80 {
        encoding { form == 1; field<32, 8> Reg b; field<40, 24> Offset off; } operands { InList<pg, a, b>; AsmFormat<address: off, a> = Local(); }
    }
    opcode ST_75 : [TURING_ST] requires not SM80 {
        encoding { form == 1; field<64, 8> Reg b; field<32, 32> Offset32 off; } operands { InList<pg, a, b>; AsmFormat<address: off, a> = Local32(); }
    }
    for $N in LDG, LD {
        opcode ${N}_SUM : [TURING_$N] else ${N}_75 requires not SM80 {
            encoding { form == 4; field<40, 24> Offset off; field<32, 6> UReg u; field<90, 2> Bits2 uniform == 3; }
            operands { InList<pg, a, u>; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = GlobalSum(); }
        }
        opcode ${N}_SUM32 : [TURING_$N] else ${N}_75, ${N}_SUM requires not SM80 {
            encoding { form == 4; field<40, 24> Offset off; field<32, 6> UReg u; field<90, 2> Bits2 uniform == 2; where a != 255; }
            operands { InList<pg, a, u>; Bitwidth<a> = 32; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = GlobalSum32(); }
        }
    }
    for $N in STG, ST {
        opcode ${N}_SUM : [TURING_$N] else ${N}_75 requires not SM80 {
            encoding { form == 4; field<32, 8> Reg b; field<40, 24> Offset off; field<64, 6> UReg u; field<90, 2> Bits2 uniform == 3; }
            operands { InList<pg, a, b, u>; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = GlobalSum(); }
        }
        opcode ${N}_SUM32 : [TURING_$N] else ${N}_75, ${N}_SUM requires not SM80 {
            encoding { form == 4; field<32, 8> Reg b; field<40, 24> Offset off; field<64, 6> UReg u; field<90, 2> Bits2 uniform == 2; where a != 255; }
            operands { InList<pg, a, b, u>; Bitwidth<a> = 32; Bitwidth<u> = 64; AsmFormat<address: off, a, u> = GlobalSum32(); }
        }
    }
    opcode LDS_75 : [TURING_LDS] requires not SM80 { operands { InList<pg, a>; AsmFormat<address: off, a, scale> = Near(); } }
    opcode LDS_SUM : [TURING_LDS] else LDS_75 requires not SM80 {
        encoding { field<32, 6> UReg u; field<91, 1> Bits1 uniform == 1; }
        operands { InList<pg, a, u>; AsmFormat<address: off, a, scale, u> = NearUniform(); }
    }
}
