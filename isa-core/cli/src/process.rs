//! Runs the tool as a process, with its standard streams and the environment variables about
//! colour.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use super::{Io, Profile, run, startup};

/// Runs a tool on the arguments and the streams of this process.
pub(crate) fn main(profile: &Profile) -> ExitCode {
    let closed = startup::closed();
    let is_terminal = io::stderr().is_terminal();
    let variable = |name: &str| std::env::var_os(name);
    let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let mut stdout: Box<dyn Write> = match closed.stdout {
        true => Box::new(startup::Stream),
        false => Box::new(io::stdout().lock()),
    };
    let mut stdin: Box<dyn Read> = match closed.stdin {
        true => Box::new(startup::Stream),
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
