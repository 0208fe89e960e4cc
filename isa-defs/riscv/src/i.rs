//! RV64I, the base instructions: arithmetic in 64 and 32 bits, memory and branches. Also Zifencei.

use super::machine::{Control, Memory, Trap, lt, sext_w, zext_w};

isa_core::define_isa! {
    /// The 64-bit base integer instructions.
    pub isa Rv64i: u32;

    use super::base::Base;
    use super::formats::Formats;

    // ---- arithmetic with two registers --------------------------------------------------------

    /// Arithmetic on two 64-bit registers.
    group OP : [R] { encoding { opcode == OP; } }

    /// Adds and ignores overflow.
    opcode ADD  : [OP] { encoding { funct3 == 0; funct7 == 0x00; } syntax { add }
        semantics { rd = rs1.value.wrapping_add(rs2.value); } }
    /// Subtracts.
    opcode SUB  : [OP] { encoding { funct3 == 0; funct7 == 0x20; } syntax { sub }
        semantics { rd = rs1.value.wrapping_sub(rs2.value); } }
    /// Shifts left by the low six bits of the second register.
    opcode SLL  : [OP] { encoding { funct3 == 1; funct7 == 0x00; } syntax { sll }
        semantics { rd = rs1.value << (rs2.value & 63); } }
    /// Writes 1 if the first register is less than the second as a signed number, otherwise 0.
    opcode SLT  : [OP] { encoding { funct3 == 2; funct7 == 0x00; } syntax { slt }
        semantics { rd = lt(rs1.value, rs2.value).into(); } }
    /// Writes 1 if the first register is less than the second as an unsigned number, otherwise 0.
    opcode SLTU : [OP] { encoding { funct3 == 3; funct7 == 0x00; } syntax { sltu }
        semantics { rd = (rs1.value < rs2.value).into(); } }
    /// Computes the bitwise exclusive or.
    opcode XOR  : [OP] { encoding { funct3 == 4; funct7 == 0x00; } syntax { xor }
        semantics { rd = rs1.value ^ rs2.value; } }
    /// Shifts right by the low six bits of the second register, and fills with zeros.
    opcode SRL  : [OP] { encoding { funct3 == 5; funct7 == 0x00; } syntax { srl }
        semantics { rd = rs1.value >> (rs2.value & 63); } }
    /// Shifts right by the low six bits of the second register, and fills with copies of the sign bit.
    opcode SRA  : [OP] { encoding { funct3 == 5; funct7 == 0x20; } syntax { sra }
        semantics { rd = (rs1.value as i64 >> (rs2.value & 63)) as u64; } }
    /// Computes the bitwise or.
    opcode OR   : [OP] { encoding { funct3 == 6; funct7 == 0x00; } syntax { or }
        semantics { rd = rs1.value | rs2.value; } }
    /// Computes the bitwise and.
    opcode AND  : [OP] { encoding { funct3 == 7; funct7 == 0x00; } syntax { and }
        semantics { rd = rs1.value & rs2.value; } }

    /// Arithmetic on the low 32 bits of two registers. The result is sign-extended.
    group OP_32 : [R] { encoding { opcode == OP_32; } }

    /// Adds.
    opcode ADDW : [OP_32] { encoding { funct3 == 0; funct7 == 0x00; } syntax { addw }
        semantics { rd = sext_w(rs1.value.wrapping_add(rs2.value)); } }
    /// Subtracts.
    opcode SUBW : [OP_32] { encoding { funct3 == 0; funct7 == 0x20; } syntax { subw }
        semantics { rd = sext_w(rs1.value.wrapping_sub(rs2.value)); } }
    /// Shifts left by the low five bits of the second register.
    opcode SLLW : [OP_32] { encoding { funct3 == 1; funct7 == 0x00; } syntax { sllw }
        semantics { rd = sext_w(rs1.value << (rs2.value & 31)); } }
    /// Shifts right by the low five bits of the second register, and fills with zeros.
    opcode SRLW : [OP_32] { encoding { funct3 == 5; funct7 == 0x00; } syntax { srlw }
        semantics { rd = sext_w(zext_w(rs1.value) >> (rs2.value & 31)); } }
    /// Shifts right by the low five bits of the second register, and fills with copies of bit 31.
    opcode SRAW : [OP_32] { encoding { funct3 == 5; funct7 == 0x20; } syntax { sraw }
        semantics { rd = (rs1.value as i32 >> (rs2.value & 31)) as u64; } }

    // ---- arithmetic with a number -------------------------------------------------------------

    /// Arithmetic on a 64-bit register and an immediate.
    group OP_IMM : [I] {
        encoding { opcode == OP_IMM; field<12, 3> Bits3 funct3; }
        syntax   { .. rd, rs1, imm; }
        operands { Order<rd, rs1, imm>; }
    }

    /// Adds an immediate.
    opcode ADDI  : [OP_IMM] { encoding { funct3 == 0; } syntax { addi }
        semantics { rd = rs1.value.wrapping_add_signed(imm.value); } }
    /// Writes 1 if the register is less than the immediate as a signed number, otherwise 0.
    opcode SLTI  : [OP_IMM] { encoding { funct3 == 2; } syntax { slti }
        semantics { rd = lt(rs1.value, imm.value as u64).into(); } }
    /// Writes 1 if the register is less than the sign-extended immediate as an unsigned number,
    /// otherwise 0.
    opcode SLTIU : [OP_IMM] { encoding { funct3 == 3; } syntax { sltiu }
        semantics { rd = (rs1.value < imm.value as u64).into(); } }
    /// Computes the bitwise exclusive or with an immediate.
    opcode XORI  : [OP_IMM] { encoding { funct3 == 4; } syntax { xori }
        semantics { rd = rs1.value ^ imm.value as u64; } }
    /// Computes the bitwise or with an immediate.
    opcode ORI   : [OP_IMM] { encoding { funct3 == 6; } syntax { ori }
        semantics { rd = rs1.value | imm.value as u64; } }
    /// Computes the bitwise and with an immediate.
    opcode ANDI  : [OP_IMM] { encoding { funct3 == 7; } syntax { andi }
        semantics { rd = rs1.value & imm.value as u64; } }

    /// Adds an immediate to the low 32 bits and sign-extends the sum.
    opcode ADDIW : [I] {
        encoding  { opcode == OP_IMM_32; field<12, 3> Bits3 funct3 == 0; }
        syntax    { addiw rd, rs1, imm; }
        operands  { Order<rd, rs1, imm>; }
        semantics { rd = sext_w(rs1.value.wrapping_add_signed(imm.value)); }
    }

    /// Shifts a 64-bit register by an immediate.
    group SHIFT : [WORD] {
        encoding {
            opcode == OP_IMM;
            field< 7, 5> Reg rd;
            field<12, 3> Bits3 funct3;
            field<15, 5> Reg rs1;
            field<20, 6> Shamt shamt;
            field<26, 6> Bits6 funct6;
        }
        syntax   { .. rd, rs1, shamt; }
        operands { InList<rs1, shamt>; OutList<rd>; Order<rd, rs1, shamt>; }
    }

    /// Shifts left.
    opcode SLLI : [SHIFT] { encoding { funct3 == 1; funct6 == 0x00; } syntax { slli }
        semantics { rd = rs1.value << shamt.value; } }
    /// Shifts right and fills with zeros.
    opcode SRLI : [SHIFT] { encoding { funct3 == 5; funct6 == 0x00; } syntax { srli }
        semantics { rd = rs1.value >> shamt.value; } }
    /// Shifts right and fills with copies of the sign bit.
    opcode SRAI : [SHIFT] { encoding { funct3 == 5; funct6 == 0x10; } syntax { srai }
        semantics { rd = (rs1.value as i64 >> shamt.value) as u64; } }

    /// Shifts the low 32 bits by an immediate and sign-extends the result.
    group SHIFT_32 : [WORD] {
        encoding {
            opcode == OP_IMM_32;
            field< 7, 5> Reg rd;
            field<12, 3> Bits3 funct3;
            field<15, 5> Reg rs1;
            field<20, 5> ShamtW shamt;
            field<25, 7> Bits7 funct7;
        }
        syntax   { .. rd, rs1, shamt; }
        operands { InList<rs1, shamt>; OutList<rd>; Order<rd, rs1, shamt>; }
    }

    /// Shifts left.
    opcode SLLIW : [SHIFT_32] { encoding { funct3 == 1; funct7 == 0x00; } syntax { slliw }
        semantics { rd = sext_w(rs1.value << shamt.value); } }
    /// Shifts right and fills with zeros.
    opcode SRLIW : [SHIFT_32] { encoding { funct3 == 5; funct7 == 0x00; } syntax { srliw }
        semantics { rd = sext_w(zext_w(rs1.value) >> shamt.value); } }
    /// Shifts right and fills with copies of bit 31.
    opcode SRAIW : [SHIFT_32] { encoding { funct3 == 5; funct7 == 0x20; } syntax { sraiw }
        semantics { rd = (rs1.value as i32 >> shamt.value) as u64; } }

    /// Loads a sign-extended 32-bit number whose low 12 bits are 0.
    opcode LUI   : [U] { encoding { opcode == LUI; } syntax { lui }
        semantics { rd = sext_w(imm.value << 12); } }
    /// Adds a sign-extended 32-bit number whose low 12 bits are 0 to the address of the
    /// instruction.
    opcode AUIPC : [U] { encoding { opcode == AUIPC; } syntax { auipc }
        semantics(hart: Control) { rd = hart.pc().wrapping_add(sext_w(imm.value << 12)); } }

    // ---- memory -------------------------------------------------------------------------------

    /// Loads from the sum of a register and an offset.
    group LOAD : [I] {
        encoding { opcode == LOAD; field<12, 3> Size funct3; }
        syntax   { .. rd, imm "(" rs1 ")"; }
        operands { Order<rd, imm, rs1>; }
        semantics(hart: Memory) {
            rd = hart.load(rs1.value.wrapping_add_signed(imm.value), funct3)?;
        }
    }

    /// Loads a byte and sign-extends it.
    opcode LB  : [LOAD] { encoding { funct3 == B; } syntax { lb } }
    /// Loads two bytes and sign-extends them.
    opcode LH  : [LOAD] { encoding { funct3 == H; } syntax { lh } }
    /// Loads four bytes and sign-extends them.
    opcode LW  : [LOAD] { encoding { funct3 == W; } syntax { lw } }
    /// Loads eight bytes.
    opcode LD  : [LOAD] { encoding { funct3 == D; } syntax { ld } }
    /// Loads a byte and zero-extends it.
    opcode LBU : [LOAD] { encoding { funct3 == BU; } syntax { lbu } }
    /// Loads two bytes and zero-extends them.
    opcode LHU : [LOAD] { encoding { funct3 == HU; } syntax { lhu } }
    /// Loads four bytes and zero-extends them.
    opcode LWU : [LOAD] { encoding { funct3 == WU; } syntax { lwu } }

    /// Stores to the sum of a register and an offset.
    group STORE : [S] {
        encoding { opcode == STORE; field<12, 3> Size funct3; }
        semantics(hart: Memory) {
            hart.store(rs1.value.wrapping_add_signed(imm.value), funct3, rs2.value)?;
        }
    }

    /// Stores the low byte.
    opcode SB : [STORE] { encoding { funct3 == B; } syntax { sb } }
    /// Stores the low two bytes.
    opcode SH : [STORE] { encoding { funct3 == H; } syntax { sh } }
    /// Stores the low four bytes.
    opcode SW : [STORE] { encoding { funct3 == W; } syntax { sw } }
    /// Stores all eight bytes.
    opcode SD : [STORE] { encoding { funct3 == D; } syntax { sd } }

    // ---- control flow -------------------------------------------------------------------------

    /// Branches if a comparison is true.
    group BRANCH : [B] { encoding { opcode == BRANCH; } flow { branch offset or next; } }

    /// Branches if the registers are equal.
    opcode BEQ  : [BRANCH] { encoding { funct3 == 0; } syntax { beq }
        semantics(hart: Control) { hart.branch(rs1.value == rs2.value, offset.value); } }
    /// Branches if the registers are not equal.
    opcode BNE  : [BRANCH] { encoding { funct3 == 1; } syntax { bne }
        semantics(hart: Control) { hart.branch(rs1.value != rs2.value, offset.value); } }
    /// Branches if the first register is less than the second as a signed number.
    opcode BLT  : [BRANCH] { encoding { funct3 == 4; } syntax { blt }
        semantics(hart: Control) { hart.branch(lt(rs1.value, rs2.value), offset.value); } }
    /// Branches if the first register is not less than the second as a signed number.
    opcode BGE  : [BRANCH] { encoding { funct3 == 5; } syntax { bge }
        semantics(hart: Control) { hart.branch(!lt(rs1.value, rs2.value), offset.value); } }
    /// Branches if the first register is less than the second as an unsigned number.
    opcode BLTU : [BRANCH] { encoding { funct3 == 6; } syntax { bltu }
        semantics(hart: Control) { hart.branch(rs1.value < rs2.value, offset.value); } }
    /// Branches if the first register is not less than the second as an unsigned number.
    opcode BGEU : [BRANCH] { encoding { funct3 == 7; } syntax { bgeu }
        semantics(hart: Control) { hart.branch(rs1.value >= rs2.value, offset.value); } }

    /// Jumps and writes the address of the next instruction to a register. By convention, a jump
    /// that writes `ra` or `t0` is a call.
    opcode JAL  : [J] { encoding { opcode == JAL; } syntax { jal }
        semantics(hart: Control) { rd = hart.next(); hart.branch(true, offset.value); }
        flow { call offset if rd in {1, 5}; branch offset; } }
    /// Jumps to the sum of a register and an offset, with bit 0 cleared. Writes the address of the
    /// next instruction to a register.
    opcode JALR : [I] {
        encoding { opcode == JALR; field<12, 3> Bits3 funct3 == 0; }
        syntax   { jalr rd, imm "(" rs1 ")"; }
        operands { Order<rd, imm, rs1>; }
        semantics(hart: Control) {
            rd = hart.next();
            hart.jump(rs1.value.wrapping_add_signed(imm.value) & !1);
        }
        flow { call rs1 if rd in {1, 5}; return rs1 if rd == 0 and rs1 in {1, 5}; branch rs1; }
    }

    // ---- fences and the environment -----------------------------------------------------------

    /// A fence. The manual reserves the fields that no fence uses, and requires implementations to
    /// ignore them.
    group MISC_MEM : [WORD] {
        encoding {
            opcode == MISC_MEM;
            field< 7, 5> Reg rd = 0, ignored;
            field<12, 3> Bits3 funct3;
            field<15, 5> Reg rs1 = 0, ignored;
        }
        operands { InList<>; OutList<>; }
    }

    /// Orders earlier accesses of the types `pred` before later accesses of the types `succ`. A
    /// mode that the manual reserves is ignored.
    opcode FENCE : [MISC_MEM] {
        encoding {
            funct3 == 0;
            field<20, 4> Accesses succ;
            field<24, 4> Accesses pred;
            field<28, 4> Bits4 mode = 0, ignored;
        }
        syntax    { fence pred, succ; }
        semantics { }
    }
    /// A fence of reads and writes that lets a read pass an earlier write.
    opcode FENCE_TSO : [MISC_MEM] inside FENCE {
        encoding {
            funct3 == 0;
            field<20, 4> Accesses succ == 3;
            field<24, 4> Accesses pred == 3;
            field<28, 4> Bits4 mode == 8;
        }
        syntax    { "fence.tso"; }
        semantics { }
    }
    /// Makes earlier stores visible to later instruction fetches.
    opcode FENCE_I : [MISC_MEM] requires Zifencei {
        encoding { funct3 == 1; field<20, 12> Bits12 unused = 0, ignored; }
        syntax   { "fence.i"; }
        semantics(hart: Memory) { hart.fence_i(); }
    }

    /// Transfers control to the environment.
    group ENVIRONMENT : [WORD] {
        encoding { opcode == SYSTEM; field<20, 12> Bits12 funct12; }
        operands { InList<>; OutList<>; }
        flow     { trap; }
    }

    /// Requests a service from the environment.
    opcode ECALL  : [ENVIRONMENT] { encoding { funct12 == 0; } syntax { ecall; }
        semantics { return Err(Trap::EnvironmentCall); } }
    /// Transfers control to a debugger.
    opcode EBREAK : [ENVIRONMENT] { encoding { funct12 == 1; } syntax { ebreak; }
        semantics { return Err(Trap::Breakpoint); } }

    // ---- aliases and synonyms -----------------------------------------------------------------

    alias NOP    of ADDI { encoding { rd == 0; rs1 == 0; imm == 0; } syntax { nop; } }
    alias LI     of ADDI before MV { encoding { rs1 == 0; } syntax { li rd, imm; } }
    alias MV     of ADDI { encoding { imm == 0; } syntax { mv rd, rs1; } }
    alias SEXT_W of ADDIW { encoding { imm == 0; } syntax { "sext.w" rd, rs1; } }
    synonym ZEXT_B of ANDI { encoding { imm == 255; } syntax { "zext.b" rd, rs1; } }
    alias NOT    of XORI { encoding { imm == 0xfff; } syntax { not rd, rs1; } }
    alias NEG    of SUB { encoding { rs1 == 0; } syntax { neg rd, rs2; } }
    alias NEGW   of SUBW { encoding { rs1 == 0; } syntax { negw rd, rs2; } }
    alias SEQZ   of SLTIU { encoding { imm == 1; } syntax { seqz rd, rs1; } }
    alias SNEZ   of SLTU { encoding { rs1 == 0; } syntax { snez rd, rs2; } }
    alias SLTZ   of SLT before SGTZ { encoding { rs2 == 0; } syntax { sltz rd, rs1; } }
    alias SGTZ   of SLT { encoding { rs1 == 0; } syntax { sgtz rd, rs2; } }

    alias BEQZ of BEQ { encoding { rs2 == 0; } syntax { beqz rs1, offset; } }
    alias BNEZ of BNE { encoding { rs2 == 0; } syntax { bnez rs1, offset; } }
    alias BLEZ of BGE before BGEZ { encoding { rs1 == 0; } syntax { blez rs2, offset; } }
    alias BGEZ of BGE { encoding { rs2 == 0; } syntax { bgez rs1, offset; } }
    alias BLTZ of BLT before BGTZ { encoding { rs2 == 0; } syntax { bltz rs1, offset; } }
    alias BGTZ of BLT { encoding { rs1 == 0; } syntax { bgtz rs2, offset; } }
    synonym BGT  of BLT { syntax { bgt rs2, rs1, offset; } }
    synonym BLE  of BGE { syntax { ble rs2, rs1, offset; } }
    synonym BGTU of BLTU { syntax { bgtu rs2, rs1, offset; } }
    synonym BLEU of BGEU { syntax { bleu rs2, rs1, offset; } }

    // Synonyms without an offset, for an offset of 0. Jumps also have synonyms with the offset after a
    // comma.
    for $OP, $TEXT in (LB, lb), (LH, lh), (LW, lw), (LD, ld), (LBU, lbu), (LHU, lhu), (LWU, lwu) {
        synonym ${OP}_AT_0 of $OP { encoding { imm == 0; } syntax { $TEXT rd, "(" rs1 ")"; } }
    }
    for $OP, $TEXT in (SB, sb), (SH, sh), (SW, sw), (SD, sd) {
        synonym ${OP}_AT_0 of $OP { encoding { imm == 0; } syntax { $TEXT rs2, "(" rs1 ")"; } }
    }
    synonym JALR_BY of JALR { syntax { jalr rd, rs1, imm; } }
    synonym CALL_BY of JALR { encoding { rd == 1; } syntax { jalr rs1, imm; } }
    synonym JR_BY   of JALR { encoding { rd == 0; } syntax { jr rs1, imm; } }

    alias JUMP    of JAL { encoding { rd == 0; } syntax { j offset; } }
    alias JAL_RA  of JAL { encoding { rd == 1; } syntax { jal offset; } }
    alias RET     of JALR { encoding { rd == 0; rs1 == 1; imm == 0; } syntax { ret; } }
    alias JR      of JALR { encoding { rd == 0; imm == 0; } syntax { jr rs1; } }
    alias JR_AT   of JALR { encoding { rd == 0; } syntax { jr imm "(" rs1 ")"; } }
    alias CALL    of JALR { encoding { rd == 1; imm == 0; } syntax { jalr rs1; } }
    alias JALR_TO of JALR before JR_AT, CALL_AT { encoding { imm == 0; } syntax { jalr rd, rs1; } }
    alias CALL_AT of JALR { encoding { rd == 1; } syntax { jalr imm "(" rs1 ")"; } }
    alias FENCE_ALL of FENCE { encoding { pred == 15; succ == 15; } syntax { fence; } }
}
