//! Branches, barriers and the end of a program.

isa_core::define_isa! {
    /// Branches, barriers and the end of a program.
    pub isa Control: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 { NOP = 0x118, BRA = 0x147, EXIT = 0x14d, BSSY = 0x145, BSYNC = 0x141, BAR = 0x11d, CALL = 0x144, WARPSYNC = 0x148, MEMBAR = 0x192, ERRBAR = 0x1ab, BREAK = 0x142, RET = 0x150, YIELD = 0x146, CCTL = 0x18f }
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

    /// An instruction that releases no barriers.
    group BRANCH : [GUARDED] {
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
        encoding { field<0, 9> Op op == BRA; form == 2; field<91, 1> Bits1 uniform == 1; field<32, 1> Same same == U; field<87, 4> Bits4 pp == 7; field<24, 3> UPred up; field<27, 1> Flip up.not = OFF; }
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
    opcode NOP : [GUARDED] { encoding { field<0, 9> Op op == NOP; form == 4; } syntax { NOP } operands { InList<pg>; OutList<>; } }
    /// Ends the thread.
    opcode EXIT : [BRANCH, IF] { encoding { field<0, 9> Op op == EXIT; form == 4; } syntax { EXIT{ {!}pp} } operands { InList<pg, pp>; OutList<>; } }
    /// Waits for all threads of a block.
    opcode BAR_SYNC : [GUARDED] {
        encoding { field<0, 9> Op op == BAR; form == 5; field<91, 1> Bits1 uniform == 0; field<54, 4> Number4 number; field<77, 3> Bits3 mode == 0; field<80, 1> Blocking blocking = NOW; }
        syntax   { "BAR.SYNC"{.blocking} number } operands { InList<pg, number>; OutList<>; }
        exception { EncodingError<IllegalControl, "a barrier of threads has no results"> = wr != 7; }
    }
    for $N, $ON in (48, $(not SM90)), (56, SM90) {
        opcode BRA_$N : [BRA, TO_$N] requires $ON {}
        opcode BRA_IF_$N : [BRA_IF, TO_$N] else BRA_$N requires $ON {}
    }
    opcode BRA_U : [BRA_UNIFORM, TO_56] requires SM90 {}
    /// Calls a function.
    opcode CALL_REL_NOINC : [BRANCH, TO_56] requires SM90 {
        encoding { field<0, 9> Op op == CALL; form == 4; field<86, 1> Bits1 noinc == 1; field<87, 4> Bits4 pp == 7; }
        syntax   { "CALL.REL.NOINC" to } operands { InList<pg, to>; OutList<>; } flow { call to; }
    }
    /// Returns from a function to the address in two registers.
    opcode RET_REL_NODEC : [BRANCH, TO_56] requires SM90 {
        encoding { field<0, 9> Op op == RET; form == 4; field<24, 8> Reg a; field<86, 1> Bits1 nodec == 1; field<87, 4> Bits4 pp == 7; }
        syntax   { "RET.REL.NODEC" a to } operands { InList<pg, a, to>; OutList<>; } flow { return; }
    }
    for $NAME, $TEXT, $OP, $FORM, $ON in
        (WARPSYNC_ALL, "WARPSYNC.ALL", WARPSYNC, 4, SM90), (YIELD, "YIELD", YIELD, 4, SM75)
    {
        /// Waits for all threads of the warp (WARPSYNC), or lets other threads run (YIELD).
        opcode $NAME : [BRANCH] requires $ON {
            encoding { field<0, 9> Op op == $OP; form == $FORM; field<87, 4> Bits4 pp == 7; }
            syntax   { "$TEXT" } operands { InList<pg>; OutList<>; }
        }
    }
    for $NAME, $FORM in (ERRBAR, 4), (CGAERRBAR, 2) {
        /// Waits until errors of memory are known.
        opcode $NAME : [BRANCH] requires SM90 {
            encoding { field<0, 9> Op op == ERRBAR; form == $FORM; }
            syntax   { $NAME } operands { InList<pg>; OutList<>; }
        }
    }
    /// Invalidates the cache of level 1.
    opcode CCTL_IVALL : [BRANCH] requires SM90 {
        encoding { field<0, 9> Op op == CCTL; form == 4; field<24, 8> Bits8 a == 255; field<89, 1> Bits1 ivall == 1; }
        syntax   { "CCTL.IVALL" } operands { InList<pg>; OutList<>; }
    }
    for $OP in BSSY, BSYNC, BREAK {
        opcode ${OP}_ANY : [$OP] requires not SM100 {}
        opcode ${OP}_MEET : [${OP}_MEETING] requires SM100 {}
    }
}
