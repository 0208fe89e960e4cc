use isa_core::machine::{GeneralRegs, State};

isa_core::define_isa! {
    /// Integer arithmetic in 32-bit words.
    pub isa Tiny: u32;

    /// A register: `R0` to `R254`, or `RZ`, which is 0.
    operand Reg: 8 = isa_core::operand::Reg;

    /// The operation.
    enum Op: 4 { ADD = 1, SUB = 2 }

    /// The handling of overflow.
    enum Limit: 1 { WRAP = 0, SAT = 1 }

    /// Two sources and a destination.
    group ALU {
        encoding {
            field< 0, 4> Op    op;
            field< 4, 1> Limit limit = WRAP;
            field< 8, 8> Reg   rd;
            field<16, 8> Reg   ra;
            field<24, 8> Reg   rb;
        }
        syntax   { ..{.limit} Rd, Ra, Rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
    }

    /// Adds.
    opcode ADD : [ALU] {
        encoding  { field<0, 4> Op op == ADD; }
        syntax    { ADD }
        semantics {
            Rd = match limit {
                Limit::WRAP => Ra.value.wrapping_add(Rb.value),
                Limit::SAT => Ra.value.saturating_add(Rb.value),
            };
        }
        examples  { ADD R0, R1, R2; ADD.SAT R0, R1, RZ; }
    }

    /// Subtracts.
    opcode SUB : [ALU] {
        encoding  { field<0, 4> Op op == ADD; }
        syntax    { SUB }
        semantics {
            Rd = match limit {
                Limit::WRAP => Ra.value.wrapping_sub(Rb.value),
                Limit::SAT => Ra.value.saturating_sub(Rb.value),
            };
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sub: Tiny = "SUB.SAT R0, R1, R2;".parse()?;
    assert_eq!(sub.encode()?, 0x0201_0012);
    assert_eq!(Tiny::decode(0x0201_0002)?.to_string(), "SUB R0, R1, R2;");

    let mut machine = State::new();
    machine.set_reg(1, 3);
    machine.set_reg(2, 5);
    sub.execute(&mut machine);
    assert_eq!(machine.reg(0), 0);
    Ok(())
}
