//! C: the most common instructions in 16 bits.

use super::machine::{Control, Memory, Trap, sext_w};

isa_core::define_isa! {
    /// The most common instructions, encoded in 16 bits.
    pub isa Rv64c: u16;

    use super::base::Base;
    requires C;

    /// A signed number.
    operand Imm6: 6 = isa_core::operand::Signed<6>;
    /// A number to add to the stack pointer, in units of 16 bytes.
    operand StackStep: 6 = isa_core::operand::Signed<6, 4>;
    /// An offset from the stack pointer, in units of four bytes.
    operand StackOffset: 8 = isa_core::operand::Unsigned<8, 2>;
    /// An offset from a register, in units of four bytes.
    operand Offset4: 5 = isa_core::operand::Unsigned<5, 2>;
    /// An offset from a register, in units of eight bytes.
    operand Offset8: 5 = isa_core::operand::Unsigned<5, 3>;
    /// An offset from the stack pointer, in units of four bytes.
    operand StackOffset4: 6 = isa_core::operand::Unsigned<6, 2>;
    /// An offset from the stack pointer, in units of eight bytes.
    operand StackOffset8: 6 = isa_core::operand::Unsigned<6, 3>;
    /// The distance of a jump in bytes.
    operand CJump: 11 = isa_core::operand::Relative<11, 1>;
    /// The distance of a branch in bytes.
    operand CBranch: 8 = isa_core::operand::Relative<8, 1>;

    // ---- formats ------------------------------------------------------------------------------

    /// Every 16-bit instruction.
    group CWORD { encoding { field<0, 2> Bits2 op; field<13, 3> Bits3 funct3; } }

    /// An operation on a register and an immediate. The register is a source and the destination.
    group CI : [CWORD] {
        encoding { field<7, 5> Reg rd; field<12, 1 : 2, 5> Imm6 imm; }
        syntax   { .. rd, imm; }
        operands { InList<rd, imm>; OutList<rd>; Order<rd, imm>; }
    }

    /// Arithmetic on a register that is a source and the destination.
    group CALU : [CWORD] { encoding { op == 1; funct3 == 4; field<7, 3> CReg rd; } }

    /// A shift by an immediate.
    group CSHIFT : [CALU] {
        encoding { field<10, 2> Bits2 funct2; field<12, 1 : 2, 5> Shamt shamt; }
        syntax   { .. rd, shamt; }
        operands { InList<rd, shamt>; OutList<rd>; Order<rd, shamt>; }
    }

    /// A shift with the encoded distance 0, which does nothing.
    group CSHIFT64 : [CALU] {
        encoding  { field<10, 2> Bits2 funct2; }
        syntax    { .. rd; }
        operands  { InList<rd>; OutList<rd>; Order<rd>; }
        semantics { let _ = rd; }
    }

    /// Arithmetic with a second register.
    group CA : [CALU] {
        encoding { field<10, 3> Bits3 funct; field<5, 2> Bits2 funct2; field<2, 3> CReg rs2; }
        syntax   { .. rd, rs2; }
        operands { InList<rd, rs2>; OutList<rd>; Order<rd, rs2>; }
    }

    /// An instruction that can use all 32 registers.
    group CANY : [CWORD] { encoding { op == 2; funct3 == 4; field<12, 1> Bits1 funct1; } }

    /// An operation on a register and a second register other than `zero`.
    group CR : [CANY] {
        encoding { field<7, 5> Reg rd; field<2, 5> Reg rs2 != 0; }
        syntax   { .. rd, rs2; }
    }

    /// Jumps to the address in a register.
    group CJR : [CANY] {
        encoding { field<7, 5> Reg rs1 != 0; }
        syntax   { .. rs1; }
        operands { InList<rs1>; OutList<>; Order<rs1>; }
    }

    /// A load or store at a register plus an offset in units of four bytes.
    group C_WORD_AT : [CWORD] {
        encoding { op == 0; field<7, 3> CReg rs1; field<5, 1 : 10, 3 : 6, 1> Offset4 imm; }
    }
    /// A load or store at a register plus an offset in units of eight bytes.
    group C_DOUBLE_AT : [CWORD] {
        encoding { op == 0; field<7, 3> CReg rs1; field<5, 2 : 10, 3> Offset8 imm; }
    }
    /// A load.
    group C_LOAD : [CWORD] {
        encoding { field<2, 3> CReg rd; }
        syntax   { .. rd, imm "(" rs1 ")"; }
        operands { InList<imm, rs1>; OutList<rd>; Order<rd, imm, rs1>; }
    }
    /// A store.
    group C_STORE : [CWORD] {
        encoding { field<2, 3> CReg rs2; }
        syntax   { .. rs2, imm "(" rs1 ")"; }
        operands { InList<rs2, imm, rs1>; OutList<>; Order<rs2, imm, rs1>; }
    }
    /// A load from the stack.
    group C_LOAD_SP : [CWORD] {
        encoding { op == 2; field<7, 5> Reg rd != 0; field<> Reg rs1 == 2; }
        syntax   { .. rd, imm "(" rs1 ")"; }
        operands { InList<imm, rs1>; OutList<rd>; Order<rd, imm, rs1>; }
    }
    /// A store to the stack.
    group C_STORE_SP : [CWORD] {
        encoding { op == 2; field<2, 5> Reg rs2; field<> Reg rs1 == 2; }
        syntax   { .. rs2, imm "(" rs1 ")"; }
        operands { InList<rs2, imm, rs1>; OutList<>; Order<rs2, imm, rs1>; }
    }

    // ---- op 0 ---------------------------------------------------------------------------------

    /// An illegal instruction by definition, so memory that is filled with zeros does not execute.
    opcode C_UNIMP : [CWORD] { encoding { op == 0; funct3 == 0; } syntax { "c.unimp"; }
        operands { InList<>; OutList<>; }
        semantics { return Err(Trap::IllegalInstruction); }
        flow { stop; } }

    /// Computes an address on the stack.
    opcode C_ADDI4SPN : [CWORD] {
        encoding {
            op == 0; funct3 == 0; field<2, 3> CReg rd;
            field<7, 4 : 11, 2 : 5, 1 : 6, 1> StackOffset imm != 0; field<> Reg rs1 == 2;
        }
        syntax    { "c.addi4spn" rd, rs1, imm; }
        operands  { InList<rs1, imm>; OutList<rd>; Order<rd, rs1, imm>; }
        semantics { rd = rs1.value.wrapping_add(imm.value); }
    }
    /// Loads four bytes.
    opcode C_LW : [C_WORD_AT, C_LOAD]    { encoding { funct3 == 2; } syntax { "c.lw" }
        semantics(m: Memory) { rd = m.load(rs1.value.wrapping_add(imm.value), Size::W)?; } }
    /// Loads eight bytes.
    opcode C_LD : [C_DOUBLE_AT, C_LOAD]  { encoding { funct3 == 3; } syntax { "c.ld" }
        semantics(m: Memory) { rd = m.load(rs1.value.wrapping_add(imm.value), Size::D)?; } }
    /// Stores four bytes.
    opcode C_SW : [C_WORD_AT, C_STORE]   { encoding { funct3 == 6; } syntax { "c.sw" }
        semantics(m: Memory) { m.store(rs1.value.wrapping_add(imm.value), Size::W, rs2.value)?; } }
    /// Stores eight bytes.
    opcode C_SD : [C_DOUBLE_AT, C_STORE] { encoding { funct3 == 7; } syntax { "c.sd" }
        semantics(m: Memory) { m.store(rs1.value.wrapping_add(imm.value), Size::D, rs2.value)?; } }

    // ---- op 1 ---------------------------------------------------------------------------------

    /// Adds an immediate.
    opcode C_ADDI : [CI] { encoding { op == 1; funct3 == 0; } syntax { "c.addi" }
        semantics { rd = rd.wrapping_add_signed(imm.value); } }
    /// Does nothing. An immediate other than 0 is a hint.
    opcode C_NOP : [CWORD] inside C_ADDI {
        encoding {
            op == 1; funct3 == 0; field<7, 5> Reg rd == 0; field<12, 1 : 2, 5> Imm6 imm = 0;
        }
        syntax    { "c.nop" { imm }; }
        operands  { InList<imm>; OutList<>; Order<imm>; }
        semantics { let _ = imm; }
    }
    /// Adds an immediate to the low 32 bits and sign-extends the sum.
    opcode C_ADDIW : [CI] { encoding { op == 1; funct3 == 1; rd != 0; } syntax { "c.addiw" }
        semantics { rd = sext_w(rd.wrapping_add_signed(imm.value)); } }
    /// Loads an immediate.
    opcode C_LI : [CI] {
        encoding { op == 1; funct3 == 2; }
        syntax    { "c.li" }
        operands  { InList<imm>; }
        semantics { rd = imm.value as u64; }
    }
    /// Moves the stack pointer.
    opcode C_ADDI16SP : [CWORD] {
        encoding {
            op == 1; funct3 == 3; field<7, 5> Reg rd == 2;
            field<12, 1 : 3, 2 : 5, 1 : 2, 1 : 6, 1> StackStep imm != 0;
        }
        syntax    { "c.addi16sp" rd, imm; }
        operands  { InList<rd, imm>; OutList<rd>; Order<rd, imm>; }
        semantics { rd = rd.wrapping_add_signed(imm.value); }
    }
    /// Loads the upper part of a number.
    opcode C_LUI : [CWORD] {
        encoding {
            op == 1; funct3 == 3; field<7, 5> Reg rd != 2; field<12, 1 : 2, 5> CUpper imm != 0;
        }
        syntax    { "c.lui" rd, imm; }
        operands  { InList<imm>; OutList<rd>; Order<rd, imm>; }
        semantics { rd = sext_w((imm.value as u64) << 12); }
    }
    /// Shifts right and fills with zeros.
    opcode C_SRLI : [CSHIFT] { encoding { funct2 == 0; } syntax { "c.srli" }
        semantics { rd >>= shamt.value; } }
    /// Shifts right and fills with copies of the sign bit.
    opcode C_SRAI : [CSHIFT] { encoding { funct2 == 1; } syntax { "c.srai" }
        semantics { rd = (rd as i64 >> shamt.value) as u64; } }
    /// A shift by 64 bits on 128-bit processors. On 64-bit processors it is a hint.
    opcode C_SRLI64 : [CSHIFT64] inside C_SRLI { encoding { funct2 == 0; } syntax { "c.srli64" } }
    /// A shift by 64 bits on 128-bit processors. On 64-bit processors it is a hint.
    opcode C_SRAI64 : [CSHIFT64] inside C_SRAI { encoding { funct2 == 1; } syntax { "c.srai64" } }
    /// Computes the bitwise and with an immediate.
    opcode C_ANDI : [CALU] {
        encoding { field<10, 2> Bits2 funct2 == 2; field<12, 1 : 2, 5> Imm6 imm; }
        syntax    { "c.andi" rd, imm; }
        operands  { InList<rd, imm>; OutList<rd>; Order<rd, imm>; }
        semantics { rd &= imm.value as u64; }
    }
    /// Subtracts.
    opcode C_SUB  : [CA] { encoding { funct == 3; funct2 == 0; } syntax { "c.sub" }
        semantics { rd = rd.wrapping_sub(rs2.value); } }
    /// Computes the bitwise exclusive or.
    opcode C_XOR  : [CA] { encoding { funct == 3; funct2 == 1; } syntax { "c.xor" }
        semantics { rd ^= rs2.value; } }
    /// Computes the bitwise or.
    opcode C_OR   : [CA] { encoding { funct == 3; funct2 == 2; } syntax { "c.or" }
        semantics { rd |= rs2.value; } }
    /// Computes the bitwise and.
    opcode C_AND  : [CA] { encoding { funct == 3; funct2 == 3; } syntax { "c.and" }
        semantics { rd &= rs2.value; } }
    /// Subtracts the low 32 bits and sign-extends the difference.
    opcode C_SUBW : [CA] { encoding { funct == 7; funct2 == 0; } syntax { "c.subw" }
        semantics { rd = sext_w(rd.wrapping_sub(rs2.value)); } }
    /// Adds the low 32 bits and sign-extends the sum.
    opcode C_ADDW : [CA] { encoding { funct == 7; funct2 == 1; } syntax { "c.addw" }
        semantics { rd = sext_w(rd.wrapping_add(rs2.value)); } }
    /// Jumps.
    opcode C_J : [CWORD] {
        encoding {
            op == 1; funct3 == 5;
            field<12, 1 : 8, 1 : 9, 2 : 6, 1 : 7, 1 : 2, 1 : 11, 1 : 3, 3> CJump offset;
        }
        syntax   { "c.j" offset; }
        operands { InList<offset>; OutList<>; Order<offset>; }
        semantics(hart: Control) { hart.branch(true, offset.value); }
        flow     { branch offset; }
    }
    /// Compares a register with 0 and branches.
    group CB : [CWORD] {
        encoding {
            op == 1; field<7, 3> CReg rs1;
            field<12, 1 : 5, 2 : 2, 1 : 10, 2 : 3, 2> CBranch offset;
        }
        syntax   { .. rs1, offset; }
        operands { InList<rs1, offset>; OutList<>; Order<rs1, offset>; }
        flow     { branch offset or next; }
    }
    /// Branches if the register is 0.
    opcode C_BEQZ : [CB] { encoding { funct3 == 6; } syntax { "c.beqz" }
        semantics(hart: Control) { hart.branch(rs1.value == 0, offset.value); } }
    /// Branches if the register is not 0.
    opcode C_BNEZ : [CB] { encoding { funct3 == 7; } syntax { "c.bnez" }
        semantics(hart: Control) { hart.branch(rs1.value != 0, offset.value); } }

    // ---- op 2 ---------------------------------------------------------------------------------

    /// Shifts left.
    opcode C_SLLI : [CWORD] {
        encoding { op == 2; funct3 == 0; field<7, 5> Reg rd; field<12, 1 : 2, 5> Shamt shamt; }
        syntax    { "c.slli" rd, shamt; }
        operands  { InList<rd, shamt>; OutList<rd>; Order<rd, shamt>; }
        semantics { rd <<= shamt.value; }
    }
    /// A shift by 64 bits on 128-bit processors. On 64-bit processors it is a hint.
    opcode C_SLLI64 : [CWORD] inside C_SLLI {
        encoding { op == 2; funct3 == 0; field<7, 5> Reg rd; }
        syntax    { "c.slli64" rd; }
        operands  { InList<rd>; OutList<rd>; Order<rd>; }
        semantics { let _ = rd; }
    }
    /// Loads four bytes from the stack.
    opcode C_LWSP : [C_LOAD_SP] {
        encoding { funct3 == 2; field<2, 2 : 12, 1 : 4, 3> StackOffset4 imm; }
        syntax   { "c.lwsp" }
        semantics(m: Memory) { rd = m.load(rs1.value.wrapping_add(imm.value), Size::W)?; }
    }
    /// Loads eight bytes from the stack.
    opcode C_LDSP : [C_LOAD_SP] {
        encoding { funct3 == 3; field<2, 3 : 12, 1 : 5, 2> StackOffset8 imm; }
        syntax   { "c.ldsp" }
        semantics(m: Memory) { rd = m.load(rs1.value.wrapping_add(imm.value), Size::D)?; }
    }
    /// Stores four bytes to the stack.
    opcode C_SWSP : [C_STORE_SP] {
        encoding { funct3 == 6; field<7, 2 : 9, 4> StackOffset4 imm; }
        syntax   { "c.swsp" }
        semantics(m: Memory) { m.store(rs1.value.wrapping_add(imm.value), Size::W, rs2.value)?; }
    }
    /// Stores eight bytes to the stack.
    opcode C_SDSP : [C_STORE_SP] {
        encoding { funct3 == 7; field<7, 3 : 10, 3> StackOffset8 imm; }
        syntax   { "c.sdsp" }
        semantics(m: Memory) { m.store(rs1.value.wrapping_add(imm.value), Size::D, rs2.value)?; }
    }

    /// Copies a register.
    opcode C_MV : [CR] {
        encoding { funct1 == 0; }
        syntax    { "c.mv" }
        operands  { InList<rs2>; OutList<rd>; Order<rd, rs2>; }
        semantics { rd = rs2.value; }
    }
    /// Adds.
    opcode C_ADD : [CR] {
        encoding { funct1 == 1; }
        syntax    { "c.add" }
        operands  { InList<rd, rs2>; OutList<rd>; Order<rd, rs2>; }
        semantics { rd = rd.wrapping_add(rs2.value); }
    }
    /// Jumps to the address in a register.
    opcode C_JR   : [CJR] { encoding { funct1 == 0; } syntax { "c.jr" }
        semantics(hart: Control) { hart.jump(rs1.value & !1); }
        flow { return rs1 if rs1 in {1, 5}; branch rs1; } }
    /// Jumps to the address in a register and writes the address of the next instruction to `ra`.
    opcode C_JALR : [CJR] {
        encoding { funct1 == 1; field<> Reg rd == 1; }
        syntax   { "c.jalr" }
        operands { OutList<rd>; }
        semantics(hart: Control) { rd = hart.next(); hart.jump(rs1.value & !1); }
        flow     { call rs1; }
    }
    /// Transfers control to a debugger.
    opcode C_EBREAK : [CANY] { encoding { funct1 == 1; } syntax { "c.ebreak"; }
        operands { InList<>; OutList<>; }
        semantics { return Err(Trap::Breakpoint); }
        flow { trap; } }

    // ---- synonyms -----------------------------------------------------------------------------

    // Synonyms without an offset, for an offset of 0.
    for $OP, $TEXT in (C_LW, "c.lw"), (C_LD, "c.ld"), (C_LWSP, "c.lwsp"), (C_LDSP, "c.ldsp") {
        synonym ${OP}_AT_0 of $OP { encoding { imm == 0; } syntax { $TEXT rd, "(" rs1 ")"; } }
    }
    for $OP, $TEXT in (C_SW, "c.sw"), (C_SD, "c.sd"), (C_SWSP, "c.swsp"), (C_SDSP, "c.sdsp") {
        synonym ${OP}_AT_0 of $OP { encoding { imm == 0; } syntax { $TEXT rs2, "(" rs1 ")"; } }
    }
    synonym C_ADDI_TO_ZERO of C_NOP else C_ADDI { syntax { "c.addi" rd, imm; } }
}
