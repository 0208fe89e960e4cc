//! The command line of RV64IMAC: `cargo run -p isa-riscv --features cli -- --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_riscv::tool().main()
}
