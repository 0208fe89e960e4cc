isa_core::define_isa! {
    /// An alias without valid words.
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
    opcode INC : [WORD] { encoding { field<4, 4> Op kind == ADD; op == SUB; imm != 0; } syntax { INC } }
    alias NOP of INC { encoding { imm == 0; } syntax { NOP Rd, Ra; } }
}

fn main() {}
