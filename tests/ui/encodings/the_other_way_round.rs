isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 4 { ADD = 1, SUB = 2 }

    opcode ADD inside NOP {
        encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; }
        syntax { ADD rd; }
    }

    opcode NOP {
        encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd == 255; }
        syntax { NOP; }
    }
}

fn main() {}
