//! Branches, system calls, barriers and accesses to system registers.

use super::machine::{Control, System, Trap};

isa_core::define_isa! {
    /// Branches, system calls, barriers and accesses to system registers.
    pub isa Branch: u32;

    use crate::base::Base;

    /// The number of an exception, for example of a system call or a breakpoint.
    operand Code: 16 = isa_core::operand::Hex<16>;
    /// The accesses that a barrier orders, and the part of the system in which it orders them.
    enum Ordered: 4 {
        oshld = 1, oshst = 2, osh = 3, nshld = 5, nshst = 6, nsh = 7, ishld = 9, ishst = 10, ish = 11,
        ld = 13, st = 14, sy = 15,
    }
    format Barrier = isa_core::operand::NamedOr<Ordered, isa_core::operand::HashPrefixed<crate::base::Bits4>>;
    format Either = isa_core::operand::Either<crate::base::W, crate::base::X>;
    format BitNumber = isa_core::operand::FixedText<isa_core::operand::Unsigned<6>>;

    // ---- branches -----------------------------------------------------------------------------

    /// Branches.
    opcode b {
        encoding  { field<26, 6> Bits6 class == 0b000101; field<0, 26> To26 to; }
        syntax    { b to; }
        operands  { InList<to>; OutList<>; Order<to>; }
        semantics(cpu: Control) { cpu.branch(true, to.value); }
        flow      { branch to; }
    }
    /// Branches and writes the address of the next instruction to register 30.
    opcode bl {
        encoding  { field<26, 6> Bits6 class == 0b100101; field<0, 26> To26 to; field<> X lr == 30; }
        syntax    { bl to; }
        operands  { InList<to>; OutList<lr>; Order<to>; }
        semantics(cpu: Control) { lr = cpu.next(); cpu.branch(true, to.value); }
        flow      { call to; }
    }
    /// Branches if a condition is true.
    opcode b_cond {
        encoding {
            field<24, 8> Bits8 class == 0b01010100; field<4, 1> Bits1 o0 == 0;
            field<5, 19> To19 to; field<0, 4> Cond cond; field<> Flags nzcv == 0;
        }
        syntax    { b.cond to; }
        operands  { InList<to, nzcv>; OutList<>; }
        semantics(cpu: Control) { cpu.branch(nzcv.value.holds(cond.to_bits()), to.value); }
        flow      { branch to if cond in {al, nv}; branch to or next; }
    }
    for $OP, $BIT, $ZERO in (cbz, 0, ==), (cbnz, 1, !=) {
        for $R in W, X {
            /// Branches if a register is 0 (`cbz`) or not 0 (`cbnz`).
            opcode ${OP}_$R {
                encoding {
                    field<31, 1> Size sf == $R; field<25, 6> Bits6 class == 0b011010; field<24, 1> Bits1 op == $BIT;
                    field<5, 19> To19 to; field<0, 5> $R rt;
                }
                syntax    { $OP rt, to; }
                operands  { InList<rt, to>; OutList<>; Order<rt, to>; }
                semantics(cpu: Control) { cpu.branch(rt.value $ZERO 0, to.value); }
                flow      { branch to or next; }
            }
        }
    }
    for $OP, $BIT, $ZERO in (tbz, 0, ==), (tbnz, 1, !=) {
        /// Branches if a bit of a register is 0 (`tbz`) or 1 (`tbnz`).
        opcode $OP {
            encoding {
                field<31, 1> Bits1 b5; field<25, 6> Bits6 class == 0b011011; field<24, 1> Bits1 op == $BIT;
                field<19, 5> Bits5 b40; field<5, 14> To14 to; field<0, 5> X rt;
            }
            syntax    { $OP rt, "#" bit, to; }
            operands  {
                InList<rt, b5, b40, to>; OutList<>;
                AsmFormat<rt: b5, rt> = Either(); AsmFormat<bit: b5, b40> = BitNumber();
            }
            semantics(cpu: Control) {
                cpu.branch(rt.value >> (b5.value << 5 | b40.value) & 1 $ZERO 0, to.value);
            }
            flow      { branch to or next; }
        }
    }

    /// Branches to the address in a register.
    group TO_REGISTER {
        encoding { field<10, 22> Bits22 class; field<5, 5> X rn; }
        syntax   { .. rn; }
        operands { InList<rn>; OutList<>; Order<rn>; }
    }
    for $OP, $OPC, $FLOW in (br, 0b11_0101_1000_0111_1100_0000, branch),
        (ret, 0b11_0101_1001_0111_1100_0000, return)
    {
        /// Branches to the address in a register.
        opcode $OP : [TO_REGISTER] {
            encoding  { class == $OPC; }
            syntax    { $OP }
            semantics(cpu: Control) { cpu.jump(rn.value); }
            flow      { $FLOW rn; }
        }
    }
    alias ret_from_call of ret { encoding { rn == 30; } syntax { ret; } }
    /// Branches to the address in a register and writes the address of the next instruction to
    /// register 30.
    opcode blr : [TO_REGISTER] {
        encoding  { class == 0b11_0101_1000_1111_1100_0000; field<> X lr == 30; }
        syntax    { blr }
        operands  { OutList<lr>; }
        semantics(cpu: Control) { lr = cpu.next(); cpu.jump(rn.value); }
        flow      { call rn; }
    }
    for $OP, $WORD in (eret, 0xd69f03e0), (drps, 0xd6bf03e0) {
        /// Returns from an exception (`eret`) or from debug state (`drps`).
        opcode $OP {
            encoding  { field<0, 32> Bits32 word == $WORD; }
            syntax    { $OP; }
            operands  { InList<>; OutList<>; }
            semantics { return Err(Trap::Privileged); }
            flow      { return; }
        }
    }

    // ---- system calls -------------------------------------------------------------------------

    for $OP, $OPC, $LL, $TRAP in (svc, 0, 1, Trap::Supervisor(imm.value)),
        (hvc, 0, 2, Trap::Privileged), (smc, 0, 3, Trap::Privileged),
        (brk, 1, 0, Trap::Breakpoint(imm.value)), (hlt, 2, 0, Trap::Breakpoint(imm.value)),
        (dcps1, 5, 1, Trap::Privileged), (dcps2, 5, 2, Trap::Privileged), (dcps3, 5, 3, Trap::Privileged)
    {
        /// Causes an exception with a number.
        opcode $OP {
            encoding {
                field<24, 8> Bits8 class == 0b11010100; field<21, 3> Bits3 op == $OPC;
                field<2, 3> Bits3 op2 == 0; field<0, 2> Bits2 level == $LL; field<5, 16> Code imm;
            }
            syntax    { $OP "#" imm; }
            operands  { InList<imm>; OutList<>; Order<imm>; }
            semantics { let _ = imm; return Err($TRAP); }
            flow      { trap; }
        }
    }
    for $OP in dcps1, dcps2, dcps3 {
        alias ${OP}_alone of $OP { encoding { imm == 0; } syntax { $OP; } }
    }

    // ---- hints and barriers -------------------------------------------------------------------

    /// A hint, which a processor may ignore.
    opcode hint {
        encoding  { field<12, 20> Bits20 class == 0xd5032; field<5, 7> Bits7 imm; field<0, 5> Bits5 rt == 31; }
        syntax    { hint "#" imm; }
        operands  { InList<imm>; OutList<>; Order<imm>; }
        semantics { let _ = imm; }
    }
    for $OP, $IMM in (nop, 0), (yield, 1), (wfe, 2), (wfi, 3), (sev, 4), (sevl, 5), (dgh, 6), (csdb, 20) {
        alias hint_$OP of hint { encoding { imm == $IMM; } syntax { "$OP"; } }
    }

    /// A barrier between earlier and later instructions.
    group BARRIER {
        encoding { field<12, 20> Bits20 class == 0xd5033; field<5, 3> Bits3 op; field<0, 5> Bits5 rt == 31; }
        operands { InList<>; OutList<>; }
        semantics {}
    }
    for $OP, $OPC in (dsb, 4), (dmb, 5) {
        /// Orders memory accesses of a type in a part of the system.
        opcode $OP : [BARRIER] {
            encoding { op == $OPC; field<8, 4> Bits4 kind; }
            syntax   { $OP kind; }
            operands { AsmFormat<kind> = Barrier(kind); }
        }
    }
    alias ssbb of dsb { encoding { kind == 0; } syntax { ssbb; } }
    alias pssbb of dsb { encoding { kind == 4; } syntax { pssbb; } }
    for $OP, $OPC in (clrex, 2), (isb, 6) {
        /// Discards a reservation (`clrex`) or instructions that were already fetched (`isb`).
        opcode $OP : [BARRIER] { encoding { op == $OPC; field<8, 4> Bits4 kind = 15; } syntax { $OP{ "#" kind}; } }
    }

    // ---- system registers ---------------------------------------------------------------------

    /// System registers that user programs can access.
    enum Register: 15 {
        NZCV = 0x5a10, FPCR = 0x5a20, FPSR = 0x5a21, TPIDR_EL0 = 0x5e82, TPIDRRO_EL0 = 0x5e83,
        CTR_EL0 = 0x5801, DCZID_EL0 = 0x5807, CNTFRQ_EL0 = 0x5f00, CNTVCT_EL0 = 0x5f02,
    }
    /// Reads a system register.
    opcode mrs {
        encoding  { field<20, 12> Bits12 class == 0xd53; field<5, 15> Register register; field<0, 5> X rt; }
        syntax    { mrs rt, register; }
        operands  { InList<>; OutList<rt>; }
        semantics(cpu: System) { rt = cpu.system(register.to_bits())?; }
    }
    /// Writes a system register.
    opcode msr {
        encoding  { field<20, 12> Bits12 class == 0xd51; field<5, 15> Register register; field<0, 5> X rt; }
        syntax    { msr register, rt; }
        operands  { InList<rt>; OutList<>; }
        semantics(cpu: System) { cpu.set_system(register.to_bits(), rt.value)?; }
    }
}
