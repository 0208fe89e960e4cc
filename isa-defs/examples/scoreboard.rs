//! Fills the issue fields of a program: `$sched`, the cycles to wait before the next instruction is
//! issued, and `$req`, the barriers to wait for.
//!
//! The set declares a latency for each opcode as a property. The operands of the instructions define
//! which results an instruction needs. The latencies are examples and do not describe a real GPU.
//!
//! ```text
//! printf 'LOAD R1, R2;\nLOAD R3, R4;\nMUL R5, R1, R1;\nADD R6, R5, R3;' |
//!     cargo run -p isa-defs --example scoreboard
//! ```

use std::collections::HashMap;
use std::io::Read;

use isa_core::ParseError;
use isa_core::operand::{OperandKind, Reg};
use isa_core::table::Access;
use isa_defs::base::{Barriers, Wait};

/// The instruction set of the example.
mod timed {
    isa_core::define_isa! {
        /// Three instructions with their latencies.
        pub isa Timed: u128;

        use isa_defs::base::Base;

        /// The operation.
        enum TimedOp: 8 { ADD = 1, MUL = 2, LOAD = 3 }

        /// The part of the processor that executes an instruction.
        enum Unit: 2 { ALU = 0, FMA = 1, MEMORY = 2 }

        /// The unit that executes the opcode.
        property unit: Unit;

        /// The number of cycles until the result can be read. It is 0 if the number is not known in
        /// advance. Such an instruction sets a barrier when its result is ready.
        property latency: u8;

        /// The barrier that an instruction sets when its result is ready.
        enum Barrier: 3 { NONE = 0, SB0 = 1, SB1 = 2, SB2 = 3, SB3 = 4, SB4 = 5, SB5 = 6 }

        /// Every instruction.
        group TIMED : [ALL] {
            encoding {
                field<  0, 8> TimedOp op;
                field< 16, 8> Reg     rd;
                field< 24, 8> Reg     ra;
                field<122, 3> Barrier sets = NONE;
            }
            operands   { OutList<rd>; }
            properties { unit = ALU; latency = 4; }
        }

        /// Adds or multiplies two registers.
        group ARITHMETIC : [TIMED] {
            encoding { field<32, 8> Reg rb; }
            syntax   { ..{.sets} Rd, Ra, Rb $sched $req; }
            operands { InList<ra, rb>; Order<rd, ra, rb>; }
        }

        /// Adds two registers.
        opcode ADD : [ARITHMETIC] { encoding { op == ADD; } syntax { ADD } }

        /// Multiplies two registers.
        opcode MUL : [ARITHMETIC] {
            encoding   { op == MUL; }
            syntax     { MUL }
            properties { unit = FMA; latency = 6; }
        }

        /// Loads a register from memory.
        opcode LOAD : [TIMED] {
            encoding   { op == LOAD; }
            syntax     { LOAD{.sets} Rd, Ra $sched $req; }
            operands   { InList<ra>; Order<rd, ra>; }
            properties { unit = MEMORY; latency = 0; }
        }
    }
}

use timed::{Barrier, Timed};

/// An earlier result that may not be ready yet.
#[derive(Clone, Copy, PartialEq)]
enum Pending {
    /// The result can be read from this cycle on.
    From(u32),
    /// The result is ready when this barrier is set.
    Barrier(u8),
}

/// Parses the instructions of a block without branches, one in a line, and fills their issue fields.
///
/// # Errors
///
/// Returns the error of the first line that is not an instruction.
pub(crate) fn schedule(program: &str) -> Result<Vec<Timed>, ParseError> {
    let mut block: Vec<Timed> = Vec::new();
    let mut pending: HashMap<u64, Pending> = HashMap::new();
    // The earliest cycle in which the next instruction can be issued, and the barriers in turn.
    let (mut cycle, mut barriers) = (0, (0..6).cycle());
    for line in program.lines().filter(|line| !line.trim().is_empty()) {
        let instruction: Timed = line.trim().parse()?;
        // An instruction waits for the registers that it reads, and for those that it overwrites.
        let (mut ready, mut required) = (cycle, Barriers::EMPTY);
        for operand in instruction.operands() {
            match pending.get(&operand.bits()).copied() {
                Some(Pending::From(from)) => ready = ready.max(from),
                Some(own @ Pending::Barrier(barrier)) => {
                    required = required.with(barrier);
                    // All results with this barrier are ready after the wait.
                    pending.retain(|_, other| *other != own);
                }
                None => {}
            }
        }
        // `?WAIT4` of an instruction delays the next instruction by 4 cycles.
        if let Some(before) = block.last_mut() {
            let delay = u8::try_from(ready - cycle).ok().and_then(Wait::new);
            *before = before.with_sched(delay.expect("latencies are at most 16"));
        }
        cycle = ready + 1;
        let (result, sets) = match instruction.latency() {
            0 => {
                let barrier = barriers.next().expect("the numbers repeat");
                let sets = Barrier::from_bits(u64::from(barrier) + 1).expect("six barriers");
                (Pending::Barrier(barrier), sets)
            }
            latency => (Pending::From(ready + u32::from(latency)), Barrier::NONE),
        };
        let written = instruction.operands().filter(|operand| operand.access() != Access::Read);
        for register in
            written.map(|operand| operand.bits()).filter(|bits| *bits != Reg::RZ.to_bits())
        {
            pending.insert(register, result);
        }
        block.push(instruction.with_req(required).with_sets(sets));
    }
    Ok(block)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut program = String::new();
    std::io::stdin().read_to_string(&mut program)?;
    for instruction in schedule(&program)? {
        println!("{instruction} // {}", instruction.unit());
    }
    Ok(())
}
