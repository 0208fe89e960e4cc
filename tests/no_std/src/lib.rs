//! Decodes, prints, assembles and executes without the standard library. If this crate links with
//! its own panic handler, nothing depends on `std`.
//!
//! `panics.py` searches the machine code for paths from the entry points to that handler: these are
//! panics that the compiler could not rule out.

#![no_std]

use isa_core::text::Line;
use isa_core::machine::{GeneralRegs, State};
use isa_defs::gpu::Gpu;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

fn word([high, low]: [u64; 2]) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// Executes the instruction in a word and returns register 0, or `u32::MAX` if the word is not
/// valid.
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

/// Returns the index of the opcode of a word, or `u32::MAX`.
#[unsafe(no_mangle)]
pub extern "C" fn isa_decode(high: u64, low: u64) -> u32 {
    Gpu::SET.index(word([high, low])).map_or(u32::MAX, |index| index as u32)
}

/// Returns whether the word is valid and its instruction encodes to the same word.
#[unsafe(no_mangle)]
pub extern "C" fn isa_encode(high: u64, low: u64) -> bool {
    let word = word([high, low]);
    Gpu::decode(word).is_ok_and(|instruction| instruction.encode().is_ok_and(|same| same == word))
}

/// Prints the text of a word to `line` and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn isa_print(high: u64, low: u64, line: &mut Line) -> usize {
    let word = word([high, low]);
    if let Ok(instruction) = Gpu::decode(word) {
        instruction.opcode().print(word, line);
    }
    line.as_str().len()
}

/// Executes a word and returns whether it is valid.
#[unsafe(no_mangle)]
pub extern "C" fn isa_execute(high: u64, low: u64, machine: &mut State<'_>) -> bool {
    let decoded = Gpu::decode(word([high, low]));
    decoded.is_ok_and(|instruction| {
        instruction.execute(machine);
        true
    })
}

/// Parses a text and returns whether it is one instruction. `word` then contains the low bits of
/// its word.
#[unsafe(no_mangle)]
pub extern "C" fn isa_parse(text: &Line, word: &mut u64) -> bool {
    let parsed = Gpu::SET.parse(text.as_str());
    parsed.is_ok_and(|parsed| {
        *word = parsed.word() as u64;
        true
    })
}
