//! Branches, barriers and the end of a program.

isa_core::define_isa! {
    /// Branches, barriers and the end of a program.
    pub isa Control: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        NOP = 0x118, BRA = 0x147, EXIT = 0x14d, BSSY = 0x145, BSYNC = 0x141, BAR = 0x11d, CALL = 0x144, WARPSYNC = 0x148, MEMBAR = 0x192, ERRBAR = 0x1ab, BREAK = 0x142,
        RET = 0x150, YIELD = 0x146, CCTL = 0x18f,
        CALL_ABS = 0x143, BRX = 0x149, BMOV_R = 0x155, BMOV_B = 0x156, B2R = 0x11c, NANOSLEEP = 0x15d, PMTRIG = 0x01, BPT = 0x15c, DEPBAR = 0x11a, LDGDEPBAR = 0x1af,
        LEPC = 0x14e, ELECT = 0x2f,
        ENDCOLLECTIVE = 0x11b, ACQBULK = 0x2e, PREEXIT = 0x2d, FENCE = 0x1c6, ARRIVES = 0x1b0,
    }
    /// The distance to the target of a branch from the next instruction.
    operand Near30: 30 = isa_core::operand::Relative<30, 2, 16>;
    /// The distance of a branch before sm_90.
    operand Far48: 48 = isa_core::operand::Relative<48, 2, 16>;
    /// Whether all threads of the warp take the same way.
    enum Same: 1 { ANY = 0, U = 1 }
    /// The distance of a branch from sm_90.
    operand Far56: 56 = isa_core::operand::Relative<56, 2, 16>;
    /// The number of a barrier.
    operand Number4: 4 = isa_core::operand::PrefixedHex<4>;
    /// Whether threads that wait for a barrier can be replaced.
    enum Blocking: 1 { NOW = 0, DEFER_BLOCKING = 1 }

    /// The threads that wait, or the value that is computed.
    enum BarMode: 3 { SYNC = 0, ARV = 1, RED = 2 }
    /// The function of a barrier that reduces predicates.
    enum Reduction: 2 { POPC = 0, AND = 1, OR = 2 }
    /// The order that a fence establishes.
    enum Fence: 2 { SC = 0, EVERY "ALL" = 1 }
    /// The threads to which accesses become visible.
    enum Visible: 3 { CTA = 0, SM = 1, GPU = 2, SYS = 3 }
    /// Whether other threads of the warp are excluded.
    enum Exclusive: 1 { SHARED = 0, EXCLUSIVE = 1 }
    /// Whether the barrier is cleared.
    enum Clear: 1 { KEEP = 0, CLEAR = 1 }
    /// Whether the whole warp sleeps.
    enum WholeWarp: 1 { THREAD = 0, WARP = 1 }
    /// The test of a branch on a mask of threads.
    enum Divergence: 2 { DIV = 2, CONV = 3 }
    /// A barrier of results.
    enum Scoreboard: 3 { SB0 = 0, SB1 = 1, SB2 = 2, SB3 = 3, SB4 = 4, SB5 = 5 }
    /// Barriers of results.
    operand BarrierSet: 6 = crate::operand::BarrierSet<false>;
    /// A number of 6 bits.
    operand Number6: 6 = isa_core::operand::PrefixedHex<6>;
    /// The number of threads.
    operand Number12: 12 = isa_core::operand::PrefixedHex<12>;
    /// A mask of 16 bits.
    operand Number16: 16 = isa_core::operand::PrefixedHex<16>;
    /// A number of 20 bits.
    operand Number20: 20 = isa_core::operand::PrefixedHex<20>;
    /// 32 bits.
    operand Bits32: 32 = isa_core::operand::Unsigned<32>;

    /// An instruction that releases no barriers.
    group BRANCH : [GUARDED] {
        properties { unit = CONTROL; }
        exception { EncodingError<IllegalControl, "a branch releases no barriers"> = wr != 7 or rd != 7; }
    }
    /// An instruction that takes effect for the threads for which a predicate is true.
    group IF { encoding { field<87, 3> Pred pp = PT; field<90, 1> Flip pp.not = OFF; } }
    /// Branches.
    optype BRA : [BRANCH] {
        encoding { field<0, 9> Op op == BRA; form == 4; field<87, 4> Bits4 pp == 7; }
        syntax   { BRA to }
        operands { InList<pg, to>; OutList<>; }
        flow     { branch to; }
    }
    /// Branches if a predicate is true.
    optype BRA_IF : [BRANCH] {
        encoding { field<0, 9> Op op == BRA; form == 4; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; where pp != 7 or pp.not == ON; }
        syntax   { BRA {!}pp, to }
        operands { InList<pg, pp, to>; OutList<>; }
        flow     { branch to or next; }
    }
    /// Whether all threads meet again.
    enum Meeting: 2 { SOME = 0, RELIABLE = 1, RECONVERGENT = 2 }
    /// Declares the instruction at which divergent threads meet again.
    optype BSSY : [BRANCH, IF] {
        encoding { field<0, 9> Op op == BSSY; form == 4; field<16, 4> Barrier d; field<34, 30> Near30 to; }
        syntax   { BSSY {{!}pp, }d, to } operands { InList<pg, pp, to>; OutList<d>; }
    }
    /// Waits for divergent threads.
    optype BSYNC : [BRANCH, IF] {
        encoding { field<0, 9> Op op == BSYNC; form == 4; field<16, 4> Barrier d; }
        syntax   { BSYNC {{!}pp, }d } operands { InList<pg, pp, d>; OutList<>; }
    }
    /// Removes threads from the set that meets again.
    optype BREAK : [BRANCH, IF] {
        encoding { field<0, 9> Op op == BREAK; form == 4; field<16, 4> Barrier d; }
        syntax   { BREAK {{!}pp, }d } operands { InList<pg, pp>; OutList<d>; }
    }
    /// Whether the threads are certain to arrive.
    enum Reliable: 1 { SOME = 0, RELIABLE = 1 }
    /// Removes threads from the set that meets again.
    optype BREAK_MEETING : [BREAK] { encoding { field<72, 1> Reliable reliable = SOME; } syntax { BREAK{.reliable} {{!}pp, }d } }
    /// Branches if a uniform predicate is true.
    optype BRA_UNIFORM : [BRANCH] {
        encoding {
            field<0, 9> Op op == BRA; form == 2; field<91, 1> Bits1 uniform == 1; field<32, 1> Same same == U; field<87, 4> Bits4 pp == 7; field<24, 3> UPred up;
            field<27, 1> Flip up.not = OFF;
        }
        syntax   { "BRA.U" {!}up, to } operands { InList<pg, up, to>; OutList<>; } flow { branch to or next; }
    }
    group MEETING { encoding { field<72, 2> Meeting meeting = SOME; } }
    /// Declares the instruction at which divergent threads meet again.
    optype BSSY_MEETING : [BSSY, MEETING] { syntax { BSSY{.meeting} {{!}pp, }d, to } }
    /// Waits for divergent threads.
    optype BSYNC_MEETING : [BSYNC, MEETING] { syntax { BSYNC{.meeting} {{!}pp, }d } }
    /// The target of a branch before sm_90.
    group TO_48 { encoding { field<34, 48> Far48 to; } }
    /// The target of a branch from sm_90.
    group TO_56 { encoding { field<34, 48 : 16, 8> Far56 to; } }

    // ---- instructions -------------------------------------------------------------------------

    /// Does nothing.
    opcode NOP : [GUARDED] { properties { unit = CONTROL; } encoding { field<0, 9> Op op == NOP; form == 4; } syntax { NOP } operands { InList<pg>; OutList<>; } }
    /// Ends the thread.
    opcode EXIT : [BRANCH, IF] { encoding { field<0, 9> Op op == EXIT; form == 4; } syntax { EXIT{ {!}pp} } operands { InList<pg, pp>; OutList<>; } flow { stop if pp == 7 and pp.not == OFF; stop or next; } }
    for $N, $ON in (48, $(not SM90)), (56, SM90) {
        opcode BRA_$N : [BRA, TO_$N] requires $ON {}
        opcode BRA_IF_$N : [BRA_IF, TO_$N] else BRA_$N requires $ON {}
    }
    opcode BRA_U : [BRA_UNIFORM, TO_56] requires SM90 {}
    for $N, $ON in (48, $(not SM90)), (56, SM90) {
        /// Calls a function.
        opcode CALL_REL_NOINC_$N : [BRANCH, TO_$N] requires $ON {
            encoding { field<0, 9> Op op == CALL; form == 4; field<86, 1> Bits1 noinc == 1; field<87, 4> Bits4 pp == 7; }
            syntax   { "CALL.REL.NOINC" to } operands { InList<pg, to>; OutList<>; } flow { call to; }
        }
        /// Returns from a function to the address in two registers.
        opcode RET_REL_NODEC_$N : [BRANCH, TO_$N] requires $ON {
            encoding { field<0, 9> Op op == RET; form == 4; field<24, 8> Reg a; field<86, 1> Bits1 nodec == 1; field<87, 4> Bits4 pp == 7; }
            syntax   { "RET.REL.NODEC" a to } operands { InList<pg, a, to>; OutList<>; } flow { return; }
        }
    }
    for $N, $ON in (48, $(not SM90)), (56, SM90) {
        /// Calls a function at the sum of a distance and a register.
        opcode CALL_REL_R_$N : [BRANCH, TO_$N] else CALL_REL_NOINC_$N requires $ON {
            encoding { field<0, 9> Op op == CALL; form == 1; field<24, 8> Reg a; field<86, 1> Bits1 noinc == 1; field<87, 4> Bits4 pp == 7; }
            syntax   { "CALL.REL.NOINC" a to } operands { InList<pg, a, to>; OutList<>; }
        }
    }
    for $N, $BITS, $ON in (48, $(34, 48), $(not SM90)), (56, $(34, 48 : 16, 8), SM90) {
        /// A distance of a branch that is added to a register.
        operand Scaled$$N: $N = isa_core::operand::SignedHex<$N, 2>;
        /// Branches to the sum of a distance and a register.
        opcode BRX_$N : [BRANCH] requires $ON {
            encoding { field<0, 9> Op op == BRX; form == 4; field<24, 8> Reg a; field<$BITS> Scaled$$N to; field<87, 4> Bits4 pp == 7; }
            syntax   { BRX a to } operands { InList<pg, a>; OutList<>; }
        }
    }
    /// Branches if all threads of the warp do.
    opcode BRA_SAME : [BRANCH, TO_48] requires not SM90 {
        encoding { field<0, 9> Op op == BRA; form == 4; field<32, 2> Bits2 mode == 1; field<87, 4> Bits4 pp == 7; }
        syntax { "BRA.U" to }
        operands { InList<pg, to>; OutList<>; }
        flow { branch to or next; }
    }
    /// Branches if any thread of the warp does.
    opcode BRA_ANY : [BRANCH, TO_56] requires SM90 {
        encoding { field<0, 9> Op op == BRA; form == 4; field<32, 2> Bits2 mode == 1; field<84, 1> Bits1 any == 1; field<87, 4> Bits4 pp == 7; field<91, 1> Bits1 uniform == 0; }
        syntax { "BRA.U.ANY" to }
        operands { InList<pg, to>; OutList<>; }
        flow { branch to or next; }
    }
    /// Branches if the threads of the warp are together (CONV) or not (DIV).
    opcode BRA_TOGETHER : [BRANCH, TO_48] else BRA_DIV_U requires not SM90 {
        encoding { field<0, 9> Op op == BRA; form == 4; field<32, 2> Divergence mode; field<87, 4> Bits4 pp == 7; field<91, 1> Bits1 uniform == 0; }
        syntax { BRA.mode to }
        operands { InList<pg, to>; OutList<>; }
        flow { branch to or next; }
    }
    /// Calls a function at the address in two registers.
    opcode CALL_ABS_NOINC : [BRANCH] {
        encoding { field<0, 9> Op op == CALL_ABS; form == 1; field<24, 8> Reg a; field<86, 1> Bits1 noinc == 1; field<87, 4> Bits4 pp == 7; }
        syntax   { "CALL.ABS.NOINC" a } operands { InList<pg, a>; OutList<>; }
    }
    for $T, $TYPE, $WIDTH, $N, $AT, $ON in (U, UReg, 6, 48, 30, $(not SM90)), (V, UReg, 6, 56, 82, $(SM90 and not SM100)), (W, WideUReg, 8, 56, 82, SM100) {
        /// Branches if the threads of a mask are not all active (DIV) or all active (CONV).
        opcode BRA_DIV_$T : [BRANCH, TO_$N] requires $ON {
            encoding {
                field<0, 9> Op op == BRA; form == 4; field<91, 1> Bits1 uniform == 1; field<24, $WIDTH> $TYPE a; field<$AT, 1> Flip a.inv = OFF; field<32, 2> Divergence mode;
                field<87, 4> Bits4 pp == 7;
            }
            syntax   { BRA.mode {~}a, to } operands { InList<pg, a, to>; OutList<>; } flow { branch to or next; }
        }
    }
    for $T, $TYPE, $WIDTH, $ON in (U, UReg, 6, $(SM90 and not SM100)), (W, WideUReg, 8, SM100) {
        /// Chooses a thread.
        opcode ELECT_$T : [GUARDED] requires $ON {
            encoding { field<0, 9> Op op == ELECT; form == 4; field<16, $WIDTH> $TYPE d; field<81, 3> Pred pu; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
            syntax   { ELECT pu, d, {!}pp } operands { InList<pg, pp>; OutList<d, pu>; }
        }
    }
    /// Waits for all threads of the warp.
    opcode WARPSYNC_ALL : [BRANCH] requires SM90 {
        encoding { field<0, 9> Op op == WARPSYNC; form == 4; field<32, 32> Bits32 mask == 0; field<87, 4> Bits4 pp == 7; } syntax { "WARPSYNC.ALL" }
        operands { InList<pg>; OutList<>; }
    }
    /// Waits for the threads of a mask.
    opcode WARPSYNC_I : [BRANCH, IF] requires not SM90 {
        encoding { field<0, 9> Op op == WARPSYNC; form == 4; field<32, 32> Word mask; } syntax { WARPSYNC {{!}pp, }mask } operands { InList<pg, pp>; OutList<>; }
    }
    for $N, $AT, $EXCLUSIVE, $ON in (80, 32, 86, $(not SM90)), (90, 24, 85, SM90) {
        /// Waits for the threads of a mask in a register.
        opcode WARPSYNC_R_$N : [BRANCH, IF] requires $ON {
            encoding { field<0, 9> Op op == WARPSYNC; form == 1; field<$AT, 8> Reg a; field<$EXCLUSIVE, 1> Exclusive exclusive = SHARED; }
            syntax { WARPSYNC{.exclusive} {{!}pp, }a }
            operands { InList<pg, pp, a>; OutList<>; }
        }
    }
    /// Waits for the threads of a mask, and branches.
    opcode WARPSYNC_COLLECTIVE : [BRANCH, TO_56] requires SM90 {
        encoding { field<0, 9> Op op == WARPSYNC; form == 1; field<24, 8> Reg a; field<86, 1> Bits1 collective == 1; field<87, 4> Bits4 pp == 7; }
        syntax   { "WARPSYNC.COLLECTIVE" a, to } operands { InList<pg, a, to>; OutList<>; } flow { branch to or next; }
    }
    for $NAME, $TEXT, $OP, $FORM, $PP, $ON in
        (YIELD, "YIELD", YIELD, 4, 7, SM75), (ENDCOLLECTIVE, "ENDCOLLECTIVE", ENDCOLLECTIVE, 4, 7, SM90), (ACQBULK, "ACQBULK", ACQBULK, 4, 0, SM90),
        (PREEXIT, "PREEXIT", PREEXIT, 4, 0, SM90)
    {
        /// Lets other threads run (YIELD), ends a collective operation, or waits for or starts another grid.
        opcode $NAME : [BRANCH] requires $ON {
            encoding { field<0, 9> Op op == $OP; form == $FORM; field<87, 4> Bits4 pp == $PP; } syntax { "$TEXT" } operands { InList<pg>; OutList<>; }
        }
    }
    for $NAME, $FORM, $ON in (ERRBAR, 4, SM75), (CGAERRBAR, 2, SM90) {
        /// Waits until errors of memory are known.
        opcode $NAME : [BRANCH] requires $ON {
            encoding { field<0, 9> Op op == ERRBAR; form == $FORM; }
            syntax   { $NAME } operands { InList<pg>; OutList<>; }
        }
    }
    /// Waits until accesses to memory are visible to other threads.
    opcode MEMBAR : [GUARDED] {
        encoding { field<0, 9> Op op == MEMBAR; form == 4; field<76, 3> Visible scope; field<79, 2> Fence fence; } syntax { MEMBAR.fence.scope }
        operands { InList<pg>; OutList<>; }
    }
    for $N, $FLAG in (S, 0), (G, 1) {
        /// Waits for asynchronous accesses to shared (S) or global (G) memory.
        opcode FENCE_VIEW_ASYNC_$N : [GUARDED] requires SM90 {
            encoding { field<0, 9> Op op == FENCE; form == 1; field<72, 1> Bits1 global == $FLAG; } syntax { "FENCE.VIEW.ASYNC.$N" } operands { InList<pg>; OutList<>; }
        }
    }
    /// Invalidates the cache of level 1.
    opcode CCTL_IVALL : [BRANCH] {
        encoding { field<0, 9> Op op == CCTL; form == 4; field<24, 8> Bits8 a == 255; field<87, 3> Bits3 fn == 4; }
        syntax   { "CCTL.IVALL" } operands { InList<pg>; OutList<>; }
    }
    for $N, $FN in (PF1, 0), (PF2, 1) {
        /// Loads a line into the cache of level 1 or 2.
        opcode CCTL_$N : [GUARDED] {
            exception { EncodingError<IllegalControl, "a prefetch has no results"> = wr != 7; }
            encoding { field<0, 9> Op op == CCTL; form == 4; field<24, 8> Reg a; field<32, 32> Offset32 off; field<72, 1> Bits1 wide == 1; field<87, 3> Bits3 fn == $FN; }
            syntax { "CCTL.E.$N" address }
            operands { InList<pg, a>; OutList<>; AsmFormat<address: off, a> = Local32(); }
        }
    }
    /// An offset in bytes.
    operand Offset32: 32 = isa_core::operand::SignedHex<32>;
    format Local32 = isa_core::operand::FixedText<crate::operand::Local<32>>;
    /// Copies a barrier of divergent branches into a register.
    opcode BMOV_R : [GUARDED] {
        encoding { field<0, 9> Op op == BMOV_R; form == 1; field<16, 8> Reg d; field<24, 4> Barrier a; field<84, 1> Clear clear = KEEP; } syntax { "BMOV.32"{.clear} d, a }
        operands { InList<pg, a>; OutList<d>; }
    }
    /// Copies a register into a barrier of divergent branches.
    opcode BMOV_B : [GUARDED] {
        encoding { field<0, 9> Op op == BMOV_B; form == 1; field<24, 4> Barrier d; field<32, 8> Reg b; } syntax { "BMOV.32" d, b } operands { InList<pg, b>; OutList<d>; }
    }
    /// Reads the result of a barrier.
    opcode B2R_RESULT : [GUARDED] {
        encoding { field<0, 9> Op op == B2R; form == 1; field<16, 8> Reg d; field<78, 1> Bits1 result == 1; field<81, 3> Pred pu = PT; } syntax { "B2R.RESULT" d{, pu} }
        operands { InList<pg>; OutList<d, pu>; }
    }
    group NANOSLEEP : [GUARDED, IF] {
        encoding { field<0, 9> Op op == NANOSLEEP; field<85, 1> WholeWarp warp = THREAD; } syntax { NANOSLEEP{.warp} {{!}pp, }b } operands { InList<pg, pp, b>; OutList<>; }
    }
    /// Sleeps for a number of nanoseconds.
    opcode NANOSLEEP_R : [NANOSLEEP, b_PLAIN] { encoding { form == 1; } }
    /// Sleeps for a number of nanoseconds.
    opcode NANOSLEEP_I : [NANOSLEEP, b_I] { encoding { form == 4; } }
    for $K, $FORM, $ON in (C, 5, $(not SM100)), (U, 6, $(not SM100)), (W, 6, SM100) {
        /// Sleeps for a number of nanoseconds.
        opcode NANOSLEEP_$K : [NANOSLEEP, b_$K] requires $ON { encoding { form == $FORM; } }
    }
    /// Triggers counters.
    opcode PMTRIG : [BRANCH, IF] {
        encoding { field<0, 9> Op op == PMTRIG; form == 4; field<32, 16> Number16 mask; } syntax { PMTRIG {{!}pp, }mask } operands { InList<pg, pp>; OutList<>; }
    }
    /// Stops in the debugger.
    opcode BPT_TRAP : [BRANCH] {
        encoding { field<0, 9> Op op == BPT; form == 4; field<34, 20> Number20 b; field<84, 3> Bits3 mode == 3; } syntax { "BPT.TRAP" b } operands { InList<pg>; OutList<>; }
    }
    /// Waits until at most a number of operations of a barrier are not complete.
    opcode DEPBAR_LE : [GUARDED] {
        encoding {
            field<0, 9> Op op == DEPBAR; form == 4; field<32, 6> BarrierSet set = NONE; field<38, 6> Number6 count; field<44, 3> Scoreboard a; field<47, 1> Bits1 le == 1;
        }
        syntax { "DEPBAR.LE" a, count{, set} } operands { InList<pg>; OutList<>; }
    }
    /// Waits for barriers.
    opcode DEPBAR_SET : [GUARDED] {
        encoding { field<0, 9> Op op == DEPBAR; form == 4; field<32, 6> BarrierSet set; field<47, 1> Bits1 le == 0; } syntax { DEPBAR set } operands { InList<pg>; OutList<>; }
    }
    /// Ends a group of copies to shared memory.
    opcode LDGDEPBAR : [GUARDED] requires SM80 { encoding { field<0, 9> Op op == LDGDEPBAR; form == 4; } syntax { LDGDEPBAR } operands { InList<pg>; OutList<>; } }
    /// Reads the address of an instruction.
    opcode LEPC_75 : [GUARDED] requires not SM90 { encoding { field<0, 9> Op op == LEPC; form == 1; field<16, 8> Reg d; } syntax { LEPC d } operands { InList<pg>; OutList<d>; } }
    /// Reads the address of an instruction.
    opcode LEPC_90 : [GUARDED] requires SM90 {
        encoding { field<0, 9> Op op == LEPC; form == 4; field<16, 8> Reg d; field<26, 56> Far56 to; } syntax { LEPC d, to } operands { InList<pg, to>; OutList<d>; }
    }

    // ---- barriers of a block ------------------------------------------------------------------

    group BAR : [GUARDED] {
        properties { unit = SYNC; }
        encoding { field<0, 9> Op op == BAR; field<80, 1> Blocking blocking = NOW; field<77, 3> BarMode mode; }
        exception { EncodingError<IllegalControl, "a barrier of threads has no results"> = wr != 7; }
    }
    group BAR_WAIT : [BAR] { encoding { where mode != RED; } }
    group BAR_RED : [BAR] { encoding { mode == RED; field<74, 2> Reduction fn; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; } }
    for $N, $TAIL, $HEAD, $PP in (WAIT, $(), $("BAR".mode{.blocking}), $()), (RED, $(, {!}pp), $("BAR".mode.fn{.blocking}), $(, pp)) {
        /// Waits for the threads of a block; the number and the count are constants.
        opcode BAR_${N}_II : [BAR_$N] {
            encoding { form == 5; field<54, 4> Number4 a; field<42, 12> Number12 count = 0; } syntax { $HEAD a{, count}$TAIL } operands { InList<pg $PP>; OutList<>; }
        }
        /// Waits for the threads of a block; the number is in a register.
        opcode BAR_${N}_RI : [BAR_$N] {
            encoding { form == 2; field<32, 8> Reg a; field<42, 12> Number12 count = 0; } syntax { $HEAD a{, count}$TAIL } operands { InList<pg, a $PP>; OutList<>; }
        }
        /// Waits for the threads of a block; the count is in a register.
        opcode BAR_${N}_IR : [BAR_$N] {
            encoding { form == 4; field<54, 4> Number4 a; field<32, 8> Reg count; } syntax { $HEAD a, count$TAIL } operands { InList<pg, count $PP>; OutList<>; }
        }
        /// Waits for the threads of a block; a register contains the number and the count.
        opcode BAR_${N}_RR : [BAR_$N] { encoding { form == 1; field<32, 8> Reg a; } syntax { $HEAD a, a$TAIL } operands { InList<pg, a $PP>; OutList<>; } }
    }
    for $OP in BSSY, BSYNC, BREAK {
        opcode ${OP}_ANY : [$OP] requires not SM100 {}
        opcode ${OP}_MEET : [${OP}_MEETING] requires SM100 {}
    }
}
