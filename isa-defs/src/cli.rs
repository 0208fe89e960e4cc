//! The `isa` tool as a value: [`tool`] returns an object whose commands are functions of arguments
//! and streams.
//!
//! ```
//! use isa_defs::cli::{Io, Status, tool};
//!
//! let (mut input, mut output, mut errors) = (&b"HADD2 R0, R1, R2;"[..], vec![], vec![]);
//! let status = tool().run(["asm"], Io::of(&mut input, &mut output, &mut errors));
//! assert_eq!(status, Status::Success);
//! assert_eq!(output, b"00000000000000000000000201007130\n");
//! ```

pub use isa_cli::{Io, Samples, Status, Tool};
use isa_core::machine::{Machine, Recorder};

use crate::gpu::Gpu;

/// Returns the `isa` tool.
#[must_use]
pub fn tool() -> Tool<Gpu> {
    Tool::new("isa")
        .about("Assembles, disassembles, explains and executes GPU instructions")
        .version(env!("CARGO_PKG_VERSION"))
        .machine(|_| {
            |word, machine: &mut Recorder| {
                if let Ok(instruction) = Gpu::decode(word) {
                    execute(instruction, machine);
                }
            }
        })
        .warp::<32>(execute, |instruction, warp| instruction.execute_warp(warp))
        .samples(Samples {
            setting: "R1=0x3c003c00".into(),
            written: "R0 = 0x40004000".into(),
            request: r#"{"asm": "HADD2 R0, R1, R2;", "state": {"R1": "0x3c003c00", "P0": true}}"#
                .into(),
            answer: r#"{"state": {"R0": "0x40004000"}}"#.into(),
        })
}

/// Executes an instruction. The machine is a trait object, so the semantics are compiled only once for
/// both machines.
fn execute(instruction: Gpu, machine: &mut dyn Machine) {
    instruction.execute(machine);
}
