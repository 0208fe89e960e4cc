//! Decodes, prints, assembles and executes without the standard library. That this links with a
//! panic handler of its own shows that nothing brings `std` in.

#![no_std]

use isa_core::asm::Line;
use isa_core::machine::{GeneralRegs, State};
use isa_defs::gpu::Gpu;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Runs the instruction in a word and gives register 0, or all ones for no instruction.
#[unsafe(no_mangle)]
pub extern "C" fn run(high: u64, low: u64) -> u32 {
    let word = u128::from(high) << 64 | u128::from(low);
    let Ok(instruction) = Gpu::decode(word) else { return u32::MAX };
    let mut line = Line::new();
    instruction.opcode().print(word, &mut line);
    let Ok(again) = line.as_str().parse::<Gpu>() else { return u32::MAX };
    let mut machine = State::new();
    again.execute(&mut machine);
    machine.reg(0)
}
