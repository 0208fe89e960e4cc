isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 4 { ADD = 1, SUB = 2 }
    enum Sign: 1 { PLUS = 0, MINUS = 1 }
    affix "-" = neg;

    group ALU {
        encoding {
            field<0, 4> Op op;
            field<4, 1> Sign ra.neg = PLUS;
            field<8, 8> Reg rd;
            field<16, 8> Reg ra;
        }
        syntax { .. Rd, {-}Ra; }
        operands { InList<ra>; OutList<rd>; Order<ra, rd>; }
    }
    opcode ADD : [ALU] { encoding { op == ADD; } syntax { ADD } }
    opcode SUB : [ALU] { encoding { op == SUB; } syntax { SUB } }
}

fn main() {}
