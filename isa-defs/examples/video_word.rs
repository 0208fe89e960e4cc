//! The video instructions as one function of numbers. A test compiles it to WebAssembly and proves
//! for all inputs that it agrees with the manual.

use core::hint::black_box;

use isa_core::machine::{GeneralRegs, State};
use isa_defs::video::VideoSimd;

/// Executes a word with these values in registers 1, 2 and 3. Returns register 4, or all ones if
/// the word is not a valid instruction.
#[inline(never)]
extern "C" fn execute(low: u64, high: u64, a: u32, b: u32, c: u32) -> u64 {
    let word = u128::from(high) << 64 | u128::from(low);
    let Ok(instruction) = VideoSimd::decode(word) else { return u64::MAX };
    let mut machine = State::new();
    for (number, value) in [(1, a), (2, b), (3, c)] {
        machine.set_reg(number, value);
    }
    instruction.execute(&mut machine);
    machine.reg(4).into()
}

fn main() {
    // vadd4.u32.u32.u32 r4, r1, r2, r3;
    let word: u128 = black_box(0x0000_0000_fac6_8803_0001_e002_0104_7288);
    let function: extern "C" fn(u64, u64, u32, u32, u32) -> u64 = execute;
    let function = black_box(function);
    println!("{:#010x}", function(word as u64, (word >> 64) as u64, 0x0102_0304, 0x1010_1010, 0));
}
