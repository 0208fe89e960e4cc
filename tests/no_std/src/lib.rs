//! Decodes, prints, assembles and executes without the standard library. That this links with a
//! panic handler of its own shows that nothing brings `std` in.
//!
//! `panics.py` looks in the machine code for ways from the entry points to that handler: panics that
//! the compiler could not rule out.

#![no_std]

use isa_core::asm::Line;
use isa_core::machine::{GeneralRegs, State};
use isa_defs::gpu::Gpu;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

fn word([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// Runs the instruction in a word and gives register 0, or all ones for no instruction.
#[unsafe(no_mangle)]
pub extern "C" fn run(high: u64, low: u64) -> u32 {
    let word = word([high, low]);
    let Ok(instruction) = Gpu::decode(word) else { return u32::MAX };
    let mut line = Line::new();
    instruction.opcode().print(word, &mut line);
    let Ok(again) = line.as_str().parse::<Gpu>() else { return u32::MAX };
    let mut machine = State::new();
    again.execute(&mut machine);
    machine.reg(0)
}

/// The number of the opcode of a word, or all ones.
#[unsafe(no_mangle)]
pub extern "C" fn isa_decode(high: u64, low: u64) -> u32 {
    Gpu::SET.index(word([high, low])).map_or(u32::MAX, |index| index as u32)
}

/// Whether the instruction in a word encodes to the word.
#[unsafe(no_mangle)]
pub extern "C" fn isa_encode(high: u64, low: u64) -> bool {
    let word = word([high, low]);
    Gpu::decode(word).is_ok_and(|instruction| instruction.encode().is_ok_and(|same| same == word))
}

/// The text of a word; its length.
#[unsafe(no_mangle)]
pub extern "C" fn isa_print(high: u64, low: u64, line: &mut Line) -> usize {
    let word = word([high, low]);
    if let Ok(instruction) = Gpu::decode(word) {
        instruction.opcode().print(word, line);
    }
    line.as_str().len()
}

/// Executes a word; whether it is an instruction.
#[unsafe(no_mangle)]
pub extern "C" fn isa_execute(high: u64, low: u64, machine: &mut State<'_>) -> bool {
    let decoded = Gpu::decode(word([high, low]));
    decoded.is_ok_and(|instruction| {
        instruction.execute(machine);
        true
    })
}

/// Reads a text that is one instruction; whether it is, with its word.
#[unsafe(no_mangle)]
pub extern "C" fn isa_parse(text: &Line, word: &mut u64) -> bool {
    let parsed = Gpu::SET.parse(text.as_str());
    parsed.is_ok_and(|parsed| {
        *word = parsed.word() as u64;
        true
    })
}
