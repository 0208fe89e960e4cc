//! Runs the tool as a process, with its standard streams and the environment variables about
//! colour.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use crate::Io;
use crate::command::run;
use crate::profile::Profile;

/// Runs a tool on the arguments and the streams of this process.
pub(crate) fn main(profile: &Profile) -> ExitCode {
    let closed = closed();
    let is_terminal = io::stderr().is_terminal();
    let variable = |name: &str| std::env::var_os(name);
    let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut stdout: Box<dyn Write> = match closed.stdout {
        true => Box::new(ClosedStream),
        false => Box::new(io::stdout().lock()),
    };
    let mut stdin: Box<dyn Read> = match closed.stdin {
        true => Box::new(ClosedStream),
        false => Box::new(io::stdin().lock()),
    };
    let io = Io {
        stdin: &mut *stdin,
        stdout: &mut *stdout,
        stderr: &mut io::stderr().lock(),
        color: is_coloured(is_terminal, variable),
        progress: is_terminal && !is_dumb,
        stdin_is_terminal: io::stdin().is_terminal(),
        stdout_is_terminal: io::stdout().is_terminal(),
    };
    run(profile, std::env::args_os().skip(1).collect(), io).into()
}

/// Returns whether diagnostics are coloured. NO_COLOR disables colour if it is set. Otherwise,
/// CLICOLOR_FORCE enables colour if it is set and not 0. If neither applies, diagnostics are
/// coloured if standard error is a terminal, CLICOLOR is not 0, and TERM is not `dumb`.
fn is_coloured(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    let is_set = |name: &str| variable(name).is_some_and(|found| !found.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

/// Whether standard input and standard output were closed when the process started.
///
/// Rust code cannot detect this later: before `main`, Rust opens the null device for each closed
/// standard stream. Output to it disappears without an error, and its input is empty. A null device
/// that the parent process opened on purpose looks the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosedStreams {
    pub(crate) stdin: bool,
    pub(crate) stdout: bool,
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
        reason = "the section contains a pointer to a function of the type that the C library calls"
    )]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEFORE_MAIN: extern "C" fn() = look;

    pub(crate) fn closed() -> super::ClosedStreams {
        let [stdin, stdout] = [&STDIN, &STDOUT].map(|closed| closed.load(Ordering::Relaxed));
        super::ClosedStreams { stdin, stdout }
    }
}

/// On other systems, closed streams are not detected.
#[cfg(not(target_os = "linux"))]
mod at_start {
    pub(crate) fn closed() -> super::ClosedStreams {
        super::ClosedStreams { stdin: false, stdout: false }
    }
}

/// Returns which standard streams were closed when the process started.
pub(crate) fn closed() -> ClosedStreams {
    at_start::closed()
}

/// A standard stream that was closed when the process started. Every use of it is an error.
pub(crate) struct ClosedStream;

fn error() -> io::Error {
    io::Error::other("it is closed")
}

impl Read for ClosedStream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(error()) }
    }
}

impl Write for ClosedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(error()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_about_colour() {
        for (is_terminal, variables, coloured) in [
            (true, &[][..], true),
            (false, &[], false),
            (true, &[("NO_COLOR", "1")], false),
            (true, &[("NO_COLOR", "")], true),
            (true, &[("TERM", "dumb")], false),
            (true, &[("TERM", "xterm"), ("CLICOLOR", "1")], true),
            (true, &[("CLICOLOR", "0")], false),
            (false, &[("CLICOLOR_FORCE", "1")], true),
            (false, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true),
            (false, &[("CLICOLOR_FORCE", "0")], false),
            (true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(is_coloured(is_terminal, variable), coloured, "{is_terminal} {variables:?}");
        }
    }
}
