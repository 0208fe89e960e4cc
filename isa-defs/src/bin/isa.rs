//! The `isa` tool: assembles, disassembles, explains and executes HALU and video instructions.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use isa_defs::cli::{self, Io};

fn main() -> ExitCode {
    let terminal = std::io::stderr().is_terminal();
    let status = cli::run(
        std::env::args_os().skip(1),
        Io {
            stdin: &mut std::io::stdin().lock(),
            stdout: &mut std::io::stdout().lock(),
            stderr: &mut std::io::stderr().lock(),
            color: terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            progress: terminal,
        },
    );
    // The tool flushed what it wrote; nothing can be done about a failure here.
    let _ = std::io::stdout().flush();
    status.into()
}
