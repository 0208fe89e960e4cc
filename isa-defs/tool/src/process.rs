//! The tool as a process: its streams, and what the environment says about colour.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use super::{Io, Profile, run};

/// Runs a tool on the arguments and the streams of this process.
pub(crate) fn main(profile: &Profile, stdout_is_closed: bool) -> ExitCode {
    let is_terminal = io::stderr().is_terminal();
    let variable = |name: &str| std::env::var_os(name);
    let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut stdout: Box<dyn Write> = match stdout_is_closed {
        true => Box::new(Closed),
        false => Box::new(io::stdout().lock()),
    };
    let io = Io {
        stdin: &mut io::stdin().lock(),
        stdout: &mut *stdout,
        stderr: &mut io::stderr().lock(),
        color: is_coloured(is_terminal, variable),
        progress: is_terminal && !is_dumb,
        stdin_is_terminal: io::stdin().is_terminal(),
        stdout_is_terminal: io::stdout().is_terminal(),
    };
    run(profile, std::env::args_os().skip(1).collect(), io).into()
}

/// Whether diagnostics are coloured: NO_COLOR comes first, then CLICOLOR_FORCE, then CLICOLOR, then
/// what standard error is.
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

/// A standard output that was closed when the process began.
struct Closed;

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes {
            [] => Ok(0),
            _ => Err(io::Error::other("it is closed")),
        }
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
