use isa_core::machine::{GeneralRegs, State};
use isa_core::operand::Reg;

use crate::gpu::Gpu;
use crate::shift::{Far, ShlRr};

#[test]
fn shifts_by_32_and_more() -> Result<(), Box<dyn std::error::Error>> {
    let shift = ShlRr::new(Reg::R0, Reg::R1, Reg::R2);
    assert_eq!(shift.encode()?, 0x02_0100_7150);
    let mut machine = State::new();
    machine.set_reg(1, 0x8000_0001);
    machine.set_reg(2, 33);
    for (far, expected) in [(Far::ZERO, 0), (Far::WRAP, 2)] {
        let instruction = Gpu::decode(shift.far(far).encode()?)?;
        instruction.execute(&mut machine);
        assert_eq!(machine.reg(0), expected, "{instruction}");
    }
    Ok(())
}
