//! A: atomic operations on memory.

isa_core::define_isa! {
    /// Atomic operations, each for four and for eight bytes.
    pub isa Rv64a: u32;

    use super::base::Base;
    use super::formats::Formats;

    /// How many bytes.
    enum Width: 3 { w = 2, d = 3 }

    /// What other accesses may not pass the operation: later ones (`aq`), earlier ones (`rl`).
    enum Ordering: 2 { relaxed = 0, rl = 1, aq = 2, aqrl = 3 }

    /// At the address in a register.
    group ATOMIC : [WORD] {
        encoding {
            opcode == AMO;
            field< 7, 5> Reg rd;
            field<12, 3> Width width;
            field<15, 5> Reg rs1;
            field<25, 2> Ordering order = relaxed;
            field<27, 5> Uimm5 funct5;
        }
    }

    /// Loads, and reserves the address.
    opcode LR : [ATOMIC] {
        encoding { funct5 == 0x02; }
        syntax   { lr.width{.order} rd, "(" rs1 ")"; }
        operands { InList<rs1>; OutList<rd>; Order<rd, rs1>; }
    }

    /// Exchanges memory with something made of memory and a register; memory was what goes to
    /// the destination.
    group AMO : [ATOMIC] {
        encoding { field<20, 5> Reg rs2; }
        syntax   { .. .width{.order} rd, rs2, "(" rs1 ")"; }
        operands { InList<rs2, rs1>; OutList<rd>; Order<rd, rs2, rs1>; }
    }

    /// Stores where the address is still reserved; 0 says that it was.
    opcode SC      : [AMO] { encoding { funct5 == 0x03; } syntax { sc } }
    /// The register alone.
    opcode AMOSWAP : [AMO] { encoding { funct5 == 0x01; } syntax { amoswap } }
    /// The sum.
    opcode AMOADD  : [AMO] { encoding { funct5 == 0x00; } syntax { amoadd } }
    /// Bits in which the two differ.
    opcode AMOXOR  : [AMO] { encoding { funct5 == 0x04; } syntax { amoxor } }
    /// Bits that both have.
    opcode AMOAND  : [AMO] { encoding { funct5 == 0x0c; } syntax { amoand } }
    /// Bits that either has.
    opcode AMOOR   : [AMO] { encoding { funct5 == 0x08; } syntax { amoor } }
    /// The less of signed numbers.
    opcode AMOMIN  : [AMO] { encoding { funct5 == 0x10; } syntax { amomin } }
    /// The greater of signed numbers.
    opcode AMOMAX  : [AMO] { encoding { funct5 == 0x14; } syntax { amomax } }
    /// The less of unsigned numbers.
    opcode AMOMINU : [AMO] { encoding { funct5 == 0x18; } syntax { amominu } }
    /// The greater of unsigned numbers.
    opcode AMOMAXU : [AMO] { encoding { funct5 == 0x1c; } syntax { amomaxu } }
}
