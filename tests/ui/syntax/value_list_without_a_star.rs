isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Mode mode = A; field<8, 8> Reg rd; }
        syntax {
            MOVE{.mode} Rd;

            .mode = {.A, .B, .C}
        }
    }
}

fn main() {}
