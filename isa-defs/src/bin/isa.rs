//! The `isa` tool: assembles, disassembles, explains and executes HALU and video instructions.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_defs::cli::tool().main()
}
