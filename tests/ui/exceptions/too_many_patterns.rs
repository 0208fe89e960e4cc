isa_core::define_isa! {
    isa Toy: u64;
    operand Reg: 8 = isa_core::operand::Reg;
    opcode SUM {
        encoding {
            field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Reg rb;
            field<24, 8> Reg rc; field<32, 8> Reg re;
        }
        syntax { SUM Rd, Ra, Rb, Rc, Re; }
        exception {
            EncodingError<Illegal, "one is R1">
                = rd != 1 and ra != 1 and rb != 1 and rc != 1 and re != 1;
        }
    }
}

fn main() {}
