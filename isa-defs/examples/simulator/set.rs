//! The instructions of the simulator: the set `Gpu`, and a family with integers, memory and control.

use isa_core::machine::Machine;

/// The state of a thread in addition to its registers, for semantics with a handle.
pub(crate) trait Thread: Machine {
    /// Returns the value of a special register.
    fn special(&self, register: kernel::Special) -> u32;

    /// Adds a number to a word of global memory, and returns the previous value of the word.
    fn add(&mut self, address: u32, number: u32) -> u32;
}

pub(crate) mod kernel {
    isa_core::define_isa! {
        /// Integers, memory and control. The simulator executes the opcodes without semantics.
        pub isa Kernel: u128;

        use isa_defs::base::Base;
        machine super::Thread;

        operand Imm: 32 = isa_core::operand::Signed<32>;
        operand Target: 24 = isa_core::operand::Relative<24, 4>;

        /// The operation. `Gpu` does not use these numbers.
        enum KernelOp: 8 {
            MOV = 0x50, IADD = 0x51, IMAD = 0x52, SHL = 0x53, SHR = 0x54, AND = 0x55, ISETP = 0x56,
            S2R = 0x58, LD = 0x59, ST = 0x5a, ATOM = 0x5b, BRA = 0x5c, BAR = 0x5d, EXIT = 0x5e,
        }
        /// A comparison of signed integers.
        enum Compare: 3 { LT = 1, EQ = 2, LE = 3, GT = 4, NE = 5, GE = 6 }
        /// Global memory, or the shared memory of a block.
        enum Space: 1 { G = 0, S = 1 }
        /// The number of the thread in its block, and the position of the block in the grid.
        enum Special: 2 { SR_TID = 0, SR_CTAID_X = 1, SR_CTAID_Y = 2 }

        // ---- integers -------------------------------------------------------------------------

        group RESULT { encoding { field<16, 8> Reg rd; } operands { OutList<rd>; } }
        group BY_REG { encoding { field<8, 4> SType stype == RR; field<32, 8>  Reg  b; } }
        group BY_IMM { encoding { field<8, 4> SType stype == RI; field<32, 32> Imm  b; } }

        /// Copies a constant.
        optype MOV : [GUARDED, RESULT] {
            encoding { field<0, 8> KernelOp op == MOV; }
            syntax   { {@{!}pg} MOV Rd, SrcB $sched $req; }
            operands { InList<pg, b>; Order<pg, rd, b>; }
        }
        opcode MOV_I : [MOV, BY_IMM] { semantics { Rd = SrcB.value as u32; } }
        opcode MOV_C : [MOV] {
            encoding  { field<8, 4> SType stype == RC; field<32, 22> CMem b; }
            semantics { Rd = SrcB.value; }
        }

        /// Operations with two sources.
        group BINARY : [GUARDED, RESULT] {
            encoding { field<0, 8> KernelOp op; field<24, 8> Reg ra; }
            syntax   { {@{!}pg} .. Rd, Ra, SrcB $sched $req; }
            operands { InList<pg, ra, b>; Order<pg, rd, ra, b>; }
        }
        optype IADD : [BINARY] { encoding { op == IADD; } syntax { IADD } }
        opcode IADD_R : [IADD, BY_REG] { semantics { Rd = Ra.value.wrapping_add(SrcB.value); } }
        opcode IADD_I : [IADD, BY_IMM] { semantics { Rd = Ra.value.wrapping_add(SrcB.value as u32); } }
        opcode SHL : [BINARY, BY_IMM] {
            encoding { op == SHL; } syntax { SHL } semantics { Rd = Ra.value.wrapping_shl(SrcB.value as u32); }
        }
        opcode SHR : [BINARY, BY_IMM] {
            encoding { op == SHR; } syntax { SHR } semantics { Rd = Ra.value.wrapping_shr(SrcB.value as u32); }
        }
        opcode AND : [BINARY, BY_IMM] {
            encoding { op == AND; } syntax { AND } semantics { Rd = Ra.value & SrcB.value as u32; }
        }
        /// Multiplies two integers and adds a third.
        opcode IMAD : [GUARDED, RESULT] {
            encoding  {
                field<0, 8> KernelOp op == IMAD;
                field<24, 8> Reg ra; field<32, 8> Reg rb; field<64, 8> Reg rc;
            }
            syntax    { {@{!}pg} IMAD Rd, Ra, Rb, Rc $sched $req; }
            operands  { InList<pg, ra, rb, rc>; Order<pg, rd, ra, rb, rc>; }
            semantics { Rd = Ra.value.wrapping_mul(Rb.value).wrapping_add(Rc.value); }
        }
        /// Compares two signed integers.
        optype ISETP : [GUARDED] {
            encoding {
                field<0, 8> KernelOp op == ISETP; field<24, 8> Reg ra;
                field<16, 3> Pred pd; field<20, 3> Compare cmp;
            }
            syntax   { {@{!}pg} ISETP.cmp Pd, Ra, SrcB $sched $req; }
            operands { InList<pg, ra, b>; OutList<pd>; Order<pg, pd, ra, b>; }
        }
        opcode ISETP_R : [ISETP, BY_REG] { semantics { Pd = super::holds(cmp, Ra.value, SrcB.value); } }
        opcode ISETP_I : [ISETP, BY_IMM] {
            semantics { Pd = super::holds(cmp, Ra.value, SrcB.value as u32); }
        }

        // ---- semantics with a handle, which run for one lane after another --------------------

        /// Reads a special register.
        opcode S2R : [GUARDED, RESULT] {
            encoding { field<0, 8> KernelOp op == S2R; field<32, 2> Special from; }
            syntax   { {@{!}pg} S2R Rd, from $sched $req; }
            operands { InList<pg>; Order<pg, rd, from>; }
            semantics(thread: super::Thread) { Rd = thread.special(from); }
        }
        /// Accesses the word at the address in a register plus an offset in bytes.
        group ACCESS : [GUARDED] {
            encoding { field<0, 8> KernelOp op; field<24, 8> Reg ra; field<32, 32> Imm offset; }
            syntax   { {@{!}pg} .. $sched $req; }
        }
        /// Adds to a word of global memory, and returns its previous value.
        opcode ATOM : [ACCESS, RESULT] {
            encoding { op == ATOM; field<64, 8> Reg rb; }
            syntax   { ATOM Rd, "[" Ra, offset "]", Rb }
            operands { InList<pg, ra, offset, rb>; Order<pg, rd, ra, offset, rb>; }
            semantics(thread: super::Thread) {
                Rd = thread.add(Ra.value.wrapping_add(offset.value as u32), Rb.value);
            }
        }

        // ---- opcodes that the simulator executes ----------------------------------------------

        /// Loads a word.
        opcode LD : [ACCESS, RESULT] {
            encoding { op == LD; field<72, 1> Space space; }
            syntax   { LD.space Rd, "[" Ra, offset "]" }
            operands { InList<pg, ra, offset>; Order<pg, rd, ra, offset>; }
        }
        /// Stores a word.
        opcode ST : [ACCESS] {
            encoding { op == ST; field<64, 8> Reg rb; field<72, 1> Space space; }
            syntax   { ST.space "[" Ra, offset "]", Rb }
            operands { InList<pg, ra, offset, rb>; OutList<>; Order<pg, ra, offset, rb>; }
        }
        group CONTROL : [GUARDED] {
            encoding { field<0, 8> KernelOp op; }
            syntax   { {@{!}pg} .. $sched $req; }
            operands { InList<pg>; OutList<>; Order<pg>; }
        }
        /// Branches in the lanes in which the guard is true.
        opcode BRA : [CONTROL] {
            encoding { op == BRA; field<32, 24> Target to; }
            syntax   { BRA to }
            operands { InList<pg, to>; Order<pg, to>; }
            flow     { branch to; }
        }
        /// Waits for the other warps of the block.
        opcode BAR : [CONTROL] { encoding { op == BAR; } syntax { BAR } }
        /// Ends the lanes in which the guard is true.
        opcode EXIT : [CONTROL] { encoding { op == EXIT; } syntax { EXIT } flow { stop; } }
    }
}

isa_core::define_isa! {
    /// The instructions of `Gpu` and of the family.
    pub isa Simulated: u128;

    machine self::Thread;
    include isa_defs::gpu::Gpu;
    include self::kernel::Kernel;
}

/// Returns whether a comparison of two signed integers holds.
pub(crate) fn holds(comparison: kernel::Compare, a: u32, b: u32) -> bool {
    let (order, bits) = ((a as i32).cmp(&(b as i32)), comparison.to_bits());
    // The bits 0, 1 and 2 of a comparison are set if it includes less, equal and greater.
    bits >> (order as i8 + 1) & 1 == 1
}
