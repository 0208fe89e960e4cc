//! The command line of SASS: `cargo run -p isa-sass --features cli -- --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_sass::tool().main()
}
