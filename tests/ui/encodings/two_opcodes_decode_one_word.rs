isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    optype ALU { encoding { field<0, 2> Mode kind == A; field<8, 8> Reg rd; } }

    opcode ADD : [ALU] {
        encoding { field<2, 2> Mode low == B; field<4, 2> Mode high; }
        syntax { ADD.high rd; }
    }

    opcode SUB : [ALU] {
        encoding { field<4, 2> Mode high == B; field<2, 2> Mode low; }
        syntax { SUB.low rd; }
    }
}

fn main() {}
