//! The command line of A64: `cargo run -p isa-a64 --features cli -- --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_a64::tool().main()
}
