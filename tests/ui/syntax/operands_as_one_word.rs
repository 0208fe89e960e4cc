//! Two operands that are printed without a blank between them: register 1 and the number 2 would be `R12`.

isa_core::define_isa! {
    isa Toy: u32;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Imm: 8 = isa_core::operand::Unsigned<8>;
    enum Op: 4 { ADD = 0, SUB = 1 }
    opcode ADD {
        encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Imm by; }
        syntax { ADD rd _ by; }
    }
    opcode SUB {
        encoding { field<0, 4> Op op == SUB; field<8, 8> Reg rd; field<16, 8> Imm by; }
        syntax { SUB by _ "x" rd; }
    }
}

fn main() {}
