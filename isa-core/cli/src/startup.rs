//! Detects which standard streams were closed when the process started.
//!
//! Rust code cannot detect this later: before `main`, Rust opens the null device for each closed
//! standard stream. Output to it disappears without an error, and its input is empty. A null device
//! that the parent process opened on purpose looks the same.

use std::io::{self, Read, Write};

/// Whether standard input and standard output were closed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closed {
    pub(super) stdin: bool,
    pub(super) stdout: bool,
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::{io::fcntl_getfd, stdio};

    static STDIN: AtomicBool = AtomicBool::new(false);
    static STDOUT: AtomicBool = AtomicBool::new(false);

    /// Records whether file descriptors 0 and 1 are closed, with one system call for each.
    extern "C" fn look() {
        STDIN.store(fcntl_getfd(stdio::stdin()).is_err(), Ordering::Relaxed);
        STDOUT.store(fcntl_getfd(stdio::stdout()).is_err(), Ordering::Relaxed);
    }

    /// The C library calls the functions of this section before `main`.
    #[allow(
        unsafe_code,
        reason = "a section of its own is promised to hold what the loader expects"
    )]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = look;

    pub(super) fn closed() -> super::Closed {
        let [stdin, stdout] = [&STDIN, &STDOUT].map(|closed| closed.load(Ordering::Relaxed));
        super::Closed { stdin, stdout }
    }
}

/// On other systems, closed streams are not detected.
#[cfg(not(target_os = "linux"))]
mod at_start {
    pub(super) fn closed() -> super::Closed {
        super::Closed { stdin: false, stdout: false }
    }
}

/// Returns which standard streams were closed when the process started.
pub(super) fn closed() -> Closed {
    at_start::closed()
}

/// A standard stream that was closed when the process started. Every use of it is an error.
pub(super) struct Stream;

fn error() -> io::Error {
    io::Error::other("it is closed")
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(error()) }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(error()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
