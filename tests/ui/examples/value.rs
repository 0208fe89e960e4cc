isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Pred: 3 = isa_core::operand::Pred;
    enum Op: 2 { ADD = 0, CMP = 1 }
    enum Rnd: 2 { RN = 0, RM = 1, RP = 2 }
    enum Sat: 1 { NoSAT = 0, SAT = 1 }

    opcode ADD {
        encoding {
            field<0, 2> Op op == ADD; field<2, 2> Rnd rnd = RN; field<4, 1> Sat sat = NoSAT;
            field<5, 3> Pred pg = PT; field<8, 8> Reg rd; field<16, 8> Reg ra;
        }
        syntax { {@pg} ADD{.SAT}{.rnd} Rd, Ra; }
        examples {
            ADD R1, R2;
        }
    }
    opcode CMP {
        encoding {
            field<0, 2> Op op == CMP; field<2, 2> Rnd cond; field<4, 2> Rnd mode;
            field<8, 8> Reg rd; field<16, 8> Reg ra;
        }
        syntax { CMP.cond Rd, "[" Ra "]", Mode; }
        examples {
            CMP.RN R1, [R2], RZ;
            CMP.RN R1, [R2], RP, RM;
        }
    }
}

fn main() {}
