isa_core::define_isa! {
    /// Arithmetic on registers.
    pub isa Calc: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    /// Whether an operand is negated.
    enum Sign: 1 { Plus = 0, Minus = 1 }
    /// The operation.
    enum Op: 3 { ADD = 1, SUB = 2, ABS = 3, NOT = 4 }
    /// The handling of overflow.
    enum Limit: 1 { WRAP = 0, SAT = 1 }
    affix "-" = neg;

    /// Fields of all instructions.
    group ALU {
        encoding {
            field<0, 3> Op op;
            field<4, 8> Reg rd;
            field<12, 8> Reg ra;
            field<20, 1> Sign ra.neg = Plus;
        }
    }

    optype SUM : [ALU] {
        encoding {
            /// Limits the result.
            field<3, 1> Limit limit = WRAP;
            field<21, 8> Reg rb;
            field<29, 1> Sign rb.neg = Plus;
        }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        exception {
            EncodingError<IllegalBitFieldCombination, "no limit on negated sums">
                = limit == SAT and rb.neg == Minus;
        }
        semantics {
            let right = if bool::from(Rb.neg) { Rb.value.wrapping_neg() } else { Rb.value };
            Rd = clamp(Ra.value, right, limit);
        }
    }

    /// Adds two numbers.
    opcode ADD_RR : [SUM] {
        encoding { field<0, 3> Op op == ADD; }
        syntax { ADD{.limit} Rd, {-}Ra, {-}Rb; }
        examples { ADD.SAT R1, R2, R3; }
    }

    /// Subtracts two numbers.
    opcode Minus2 : [SUM] {
        encoding { field<0, 3> Op op == SUB; }
        syntax { SUB{.SAT} Rd, {-}Ra, {-}Rb; }
    }

    /// Counts down to zero.
    alias COUNT of Minus2 {
        encoding { rb == 1; rb.neg == Plus; ra.neg == Plus; limit == SAT; }
        syntax { COUNT rd, ra; }
        examples { COUNT R1, R2; }
    }
//~ FAULTY
}

/// A sum, as the semantics have it.
pub fn clamp(left: u32, right: u32, limit: Limit) -> u32 {
    match limit {
        Limit::WRAP => left.wrapping_add(right),
        Limit::SAT => left.saturating_add(right),
    }
}

/// Uses of what the specification declares.
pub fn uses() -> Result<u32, isa_core::EncodeError> {
    let add = AddRr::new(Reg::R1, Reg::R2, Reg::R3).limit(Limit::SAT).ra_neg(true);
    let add = add.rd(Reg::R4).ra(Reg::R5);
    let minus: Minus2 = Minus2::new(Reg::R1, Reg::R2, Reg::R3).limit(add.get_limit());
    if let Calc::AddRr(add) = add.into() {
        return add.encode();
    }
    read(minus).encode()
}

fn read<O: CalcIsSum>(instruction: CalcInstruction<O>) -> CalcInstruction<O> {
    instruction.rb_neg(instruction.get_rb_neg())
}
