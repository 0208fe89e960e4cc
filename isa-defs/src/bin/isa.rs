//! The `isa` tool: assembles, disassembles, explains and executes HALU and video instructions.

use std::process::ExitCode;

fn main() -> ExitCode {
    isa_defs::cli::tool().stdout_was_closed(startup::stdout_was_closed()).main()
}

/// What nobody can see once Rust code runs: its start opens the null device for each standard stream
/// that is closed, and what is written there vanishes without an error. A device that a parent has
/// opened on purpose looks the same.
#[cfg(target_os = "linux")]
mod startup {
    use std::sync::atomic::{AtomicBool, Ordering};

    static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Notes whether file 1 is open, by one system call.
    extern "C" fn look() {
        let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
        STDOUT_WAS_CLOSED.store(flags.is_err(), Ordering::Relaxed);
    }

    /// The C library calls the functions of this section before `main`.
    #[allow(
        unsafe_code,
        reason = "a section of its own is promised to hold what the loader expects"
    )]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = look;

    pub(super) fn stdout_was_closed() -> bool {
        STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
    }
}

/// On other systems a standard output that is closed is not noticed.
#[cfg(not(target_os = "linux"))]
mod startup {
    pub(super) fn stdout_was_closed() -> bool {
        false
    }
}
