isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Bit: 1 { LOW = 0, HIGH = 1 }

    opcode DOWN {
        encoding { field<0, 1> Bit dir == LOW; field<1, 1> Bit far; field<8, 8> Reg rd; }
        syntax { DOWN.far rd; }
    }

    opcode UP {
        encoding { field<0, 1> Bit dir == HIGH; field<1, 1> Bit far; field<8, 8> Reg rd; }
        syntax { UP.far rd; }
    }

    opcode FAR {
        encoding { field<0, 1> Bit dir; field<1, 1> Bit far == HIGH; field<8, 8> Reg rd; }
        syntax { FAR.dir rd; }
    }
}

fn main() {}
