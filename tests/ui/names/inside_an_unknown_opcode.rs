isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 4 { ADD = 1, SUB = 2 }

    opcode ADDI {
        encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; }
        syntax { ADDI rd; }
    }

    opcode NOP inside ADI {
        encoding { field<0, 4> Op op == SUB; field<8, 8> Reg rd == 255; }
        syntax { NOP; }
    }

    opcode SUBI insid ADDI {
        encoding { field<0, 4> Op op == SUB; field<8, 8> Reg rd; }
        syntax { SUBI rd; }
    }
}

fn main() {}
