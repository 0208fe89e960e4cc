isa_core::define_isa! {
    /// Three aliases whose `before` declarations form a cycle.
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
    alias MOVE of ADD before LOAD { encoding { imm == 0; } syntax { MOVE Rd, Ra; } }
    alias LOAD of ADD before TEST { encoding { ra == 0; } syntax { LOAD Rd, imm; } }
    alias TEST of ADD before MOVE { encoding { rd == 0; } syntax { TEST Ra, imm; } }
}

fn main() {}
