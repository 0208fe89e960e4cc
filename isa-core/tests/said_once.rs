//! Tests that only the `operand` line declares reserved values, and only `Order` the order of
//! operands.

use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::Unsigned;

isa_core::define_isa! {
    /// Selects by a condition, which is an operand with a value set as its type.
    isa Selects: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Even: 4 = isa_core::operand::Unsigned<4>, reserved("1", "000x");
    enum Cond: 2 { eq = 0, ne = 1 }

    /// Adds a number if the condition is `eq`.
    opcode SELECT {
        encoding {
            field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 2> Cond cond; field<20, 4> Even by;
        }
        syntax { SELECT Rd, Ra, Cd, By; }
        operands { InList<ra, by>; OutList<rd>; Order<rd, ra, cond, by>; }
        semantics {
            Rd = match cond {
                Cond::eq => Ra.value + By.value as u32,
                Cond::ne => Ra.value,
            };
        }
    }
}

#[test]
fn a_value_set_among_the_operands_is_a_setting() {
    let select: Selects = "SELECT R1, R2, eq, 6;".parse().expect("an instruction");
    assert_eq!(select.encode().ok(), Some(0x0060_0201));
    let mut machine = State::new();
    machine.set_reg(2, 100);
    select.execute(&mut machine);
    assert_eq!(machine.reg(1), 106);
    assert_eq!(select.operands().count(), 3, "the condition is none of them");
}

#[test]
fn the_operand_line_alone_says_what_is_reserved() {
    for number in [1, 2, 3, 15] {
        let is_legal = number == 2;
        assert_eq!(Selects::decode(number << 20).is_ok(), is_legal, "{number}");
        let text = format!("SELECT R0, R0, eq, {number};");
        assert_eq!(text.parse::<Selects>().is_ok(), is_legal, "{number}");
        let by = Unsigned::<4>::new(number.into()).expect("a number");
        let select = Select::new(Reg::R0, Reg::R0, Cond::eq, by);
        assert_eq!(select.encode().is_ok(), is_legal, "{number}");
    }
}
