isa_core::define_isa! {
    /// An alias of an opcode that does not exist.
    pub isa Sums: u32;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Imm: 8 = isa_core::operand::Unsigned<8>;
    enum Op: 4 { ADD = 1, SUB = 2 }
    group WORD {
        encoding { field<0, 4> Op op; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Imm imm; }
        syntax { .. Rd, Ra, imm; }
    }
    opcode ADD : [WORD] { encoding { op == ADD; } syntax { ADD } }
    opcode SUB : [WORD] { encoding { op == SUB; } syntax { SUB } }
    alias NOP of AD { encoding { rd == 0; ra == 0; imm == 0; } syntax { NOP; } }
}

fn main() {}
