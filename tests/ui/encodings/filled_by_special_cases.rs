isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Bit: 1 { LOW = 0, HIGH = 1 }

    opcode MOVE {
        encoding { field<0, 1> Bit dir; field<8, 8> Reg rd; }
        syntax { MOVE.dir rd; }
    }

    opcode DOWN inside MOVE {
        encoding { field<0, 1> Bit dir == LOW; field<8, 8> Reg rd; }
        syntax { DOWN rd; }
    }

    opcode UP inside MOVE {
        encoding { field<0, 1> Bit dir == HIGH; field<8, 8> Reg rd; }
        syntax { UP rd; }
    }
}

fn main() {}
