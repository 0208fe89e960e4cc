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
    /// The order of a load or a store.
    operand LoadOrder: 4 = crate::address::Order<0>;
    /// The order of a store.
    operand StoreOrder: 4 = crate::address::Order<1>;
    /// The order of a store from sm_100.
    operand StoreOrderWide: 4 = crate::address::Order<2>;
    /// An offset in bytes.
    operand Offset: 24 = crate::operand::SignedNumber<24>;
    /// An offset in constant memory in bytes.
    operand Offset16: 16 = crate::operand::SignedNumber<16>;
    /// The number of a thread.
    operand Number5: 5 = crate::operand::Number<5>;
    /// A mask and a limit of thread numbers.
    operand Number13: 13 = crate::operand::Number<13>;
    /// The descriptor of an access, which the text of `nvdisasm` does not contain.
    operand Descriptor: 6 = crate::operand::Descriptor;
    format Global = crate::address::Global;
    format Described = crate::address::Described<false>;
    format DescribedWide = crate::address::Described<true>;
    format Near = crate::address::Near<0, 2>;
    format Local = crate::address::Near<0, 0>;
    format NearUniform = crate::address::Near<6, 2>;
    format LocalUniform = crate::address::Near<6, 0>;
    format NearWide = crate::address::Near<8, 2>;
    format LocalWide = crate::address::Near<8, 0>;
    format Constant = crate::address::Constant<16, true>;
    format UniformConstant = crate::address::Constant<16, false>;
    format WideConstant = crate::address::Constant<17, false>;
    /// An offset in constant memory in bytes, for uniform loads from sm_100.
    operand Offset17: 17 = crate::operand::SignedNumber<17>;

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
    /// The order of an access of sm_75.
    operand OrderTuring: 4 = crate::address::OrderTuring;
    format GlobalSum = crate::address::GlobalSum;
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
        encoding { op == STG; where order > 3; }
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
        operand Special$$CHIP: 8 = crate::special::Special<$CHIP>;
        /// Reads a special register.
        opcode S2R_$CHIP : [RESULT] requires $ON {
            encoding { field<0, 9> Op op == S2R; form == 4; field<72, 8> Special$$CHIP special; }
            syntax   { S2R d, special } operands { InList<pg>; OutList<d>; }
        }
        /// Reads a special register into two registers.
        opcode CS2R_$CHIP : [RESULT] requires $ON {
            encoding { field<0, 9> Op op == CS2R; form == 4; field<72, 8> Special$$CHIP special; field<80, 1> Narrow narrow = "64"; }
            syntax   { CS2R{.narrow} d, special } operands { InList<pg>; OutList<d>; }
        }
        /// Reads a special register into a uniform register.
        opcode S2UR_$CHIP : [ALL] requires $ON {
            encoding { field<0, 9> Op op == S2UR; form == 4; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; field<72, 8> Special$$CHIP special; }
            syntax   { {@{!}pg} S2UR d, special $stall $stay $wr $rd $req; } operands { InList<pg>; OutList<d>; }
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
