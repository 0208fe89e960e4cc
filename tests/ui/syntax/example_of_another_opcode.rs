isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { COPY = 0, SWAP = 1 }

    opcode COPY {
        encoding { field<0, 2> Op op == COPY; field<8, 8> Reg rd; }
        syntax { COPY rd; }
        examples { COPY R1; SWAP R2; }
    }
}

fn main() {}
