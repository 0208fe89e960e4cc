mod spec {
    isa_core::define_isa! {
        pub isa Toy: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Mode: 2 { A = 0, B = 1, C = 2 }

        /// The error: `Mode` has no value `D`.
        opcode ADD {
            encoding {
                field< 0, 2> Mode mode = D;
                field< 8, 8> Reg  rd;
                field<16, 8> Reg  ra;
                field<24, 8> Reg  rb;
            }
            syntax { ADD{.mode} Rd, Ra, Rb; }
            operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
            semantics { Rd = Ra.value.wrapping_add(Rb.value); }
        }
    }
}

use isa_core::machine::State;
use isa_core::operand::Reg;
use spec::{Add, Mode, Toy};

fn build() -> Add {
    Add::new(Reg::R0, Reg::R1, Reg::R2).mode(Mode::B).rb(Reg::RZ)
}

fn read(inst: Add) -> (Mode, Reg) {
    (inst.get_mode(), inst.get_rd())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let word: u32 = build().encode()?;
    let inst = Toy::decode(word)?;
    assert_eq!(inst, Toy::try_from(word)?);
    assert_eq!(inst.to_string().parse::<Toy>()?, Toy::from(build()));
    assert_eq!(Add::try_from(word)?, "ADD R0, R1, RZ;".parse::<Add>()?);
    println!("{inst:?} {:?} {}", read(build()), Add::OPCODE.name);
    inst.execute(&mut State::new());
    build().execute(&mut State::new());
    println!("{} {}", inst.operands().count(), Toy::SET.name);
    match inst {
        Toy::Add(add) => println!("{:?}", Mode::from_bits(add.get_mode().to_bits())),
    }
    Ok(())
}
