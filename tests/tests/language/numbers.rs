//! Numbers as operands, and values that a field cannot have.

use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::{OperandKind, Reg};

mod set {
    isa_core::define_isa! {
        pub isa Jumps: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        /// A distance in half-words.
        operand Far: 8 = isa_core::operand::Signed<8, 1>;
        /// A size.
        operand Size: 6 = isa_core::operand::Unsigned<6>;
        enum Op: 2 { ADD = 1, FILL = 2 }
        enum Mode: 2 { A = 0, B = 1, C = 2 }

        /// A branch whose offset has two pieces in reverse order.
        opcode ADD {
            encoding {
                field<0, 2> Op op == ADD;
                field<8, 8> Reg rd != 255;
                field<20, 4 : 16, 4> Far by != 0;
            }
            syntax    { ADD Rd, By; }
            operands  { InList<rd, by>; OutList<rd>; Order<rd, by>; }
            semantics { Rd = Rd.wrapping_add_signed(By.value as i32); }
        }
        opcode FILL {
            encoding {
                field<0, 2> Op op == FILL;
                field<8, 6> Size size;
                field<16, 2> Mode mode != {A, C};
            }
            syntax { FILL.mode Size; }
        }
    }
}

#[test]
fn numbers_are_signed_and_counted_in_units() {
    use set::{Add, Far, Jumps, Size};
    let add = Add::new(Reg::R3, Far::new(-4).unwrap());
    assert_eq!(add.encode().unwrap(), 0x00fe_0301);
    assert_eq!(add.to_string(), "ADD R3, -4;");
    assert_eq!("ADD R3, -0x4;".parse::<Jumps>().unwrap(), add.into());
    let mut machine = State::new();
    machine.set_reg(3, 10);
    add.execute(&mut machine);
    assert_eq!(machine.reg(3), 6);
    for wrong in ["ADD R3, 3;", "ADD R3, 256;", "ADD R3, -258;", "ADD R3, R4;"] {
        let error = wrong.parse::<Jumps>().unwrap_err().to_string();
        assert!(error.contains("a multiple of 2 from -256 to 254"), "{wrong}: {error}");
    }
    assert_eq!(Size::WIDTH, 6);
}

#[test]
fn forbidden_values_are_refused_everywhere() {
    use set::{Add, Far, Fill, Jumps, Mode, Size};
    let zero = Far::new(0).unwrap();
    let error = Add::new(Reg::R1, zero).encode().unwrap_err().to_string();
    assert!(error.contains("`by` cannot be 0 here"), "{error}");
    assert!("ADD R1, 0;".parse::<Jumps>().is_err());
    assert!("ADD RZ, 2;".parse::<Jumps>().is_err());
    assert!(Jumps::decode(0x0000_0101).is_err());
    assert!(Jumps::decode(0x0001_0101).is_ok());
    let legal: Vec<u32> = (0..4).filter(|mode| Jumps::decode(mode << 16 | 2).is_ok()).collect();
    assert_eq!(legal, [1]);
    let error = Fill::new(Mode::C, Size::new(0).unwrap()).encode().unwrap_err().to_string();
    assert!(error.contains("`mode` cannot be A or C here"), "{error}");
}
