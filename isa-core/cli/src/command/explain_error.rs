//! The command `explain-error`, which explains an error code of the specification language.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, value_parser};
use isa_core::codes::{self, Explanation};

use crate::CommandError;
use crate::profile::Profile;
use crate::suggest;

use super::arguments::wrapped;
use super::values::path;
use super::{Streams, Subcommand};

/// The command `explain-error`.
pub(crate) struct ExplainErrorCommand {
    /// The code, or `None` for the list of all codes.
    code: Option<String>,
}

impl Subcommand for ExplainErrorCommand {
    const NAME: &'static str = "explain-error";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Explains an error code of define_isa!")
                .override_usage(format!("{name} explain-error [CODE]"))
                .arg(Arg::new("code").value_name("CODE").value_parser(value_parser!(OsString)).help(
                    wrapped("The code in an error message, for example ISA0014 or 14; no CODE lists all codes"),
                ))
                .after_help("Prints the meaning of the code, the usual causes, a wrong example and a correct one.")
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let code = path(matches, "code");
        Ok(ExplainErrorCommand { code: code.map(|code| code.to_string_lossy().into_owned()) })
    }

    /// Prints the section of a code, or the list of all codes.
    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let text = match self.code.as_deref() {
            None => codes::all()
                .map(|Explanation { code, title, .. }| format!("{code}  {title}\n"))
                .collect(),
            Some(code) => plain(&codes::explain(code).ok_or_else(|| unknown(profile.name, code))?),
        };
        streams.stdout.write_all(text.as_bytes()).map_err(CommandError::printing)
    }
}

fn unknown(name: &str, code: &str) -> CommandError {
    let hint = suggest::hint(code, codes::all().map(|known| known.code));
    CommandError::Usage(format!(
        "unknown code `{code}`{hint}\n`{name} explain-error` lists the codes"
    ))
}

/// Returns the section as plain text, with indented examples and without the lines that only a test
/// needs.
fn plain(section: &Explanation) -> String {
    let mut text = format!("{}: {}\n\n", section.code, section.title);
    let mut in_example = false;
    let mut blank = false;
    for line in section.text.lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        if in_example && (line == "#" || line.starts_with("# ")) {
            continue;
        }
        // Removing a fence must not leave two consecutive empty lines.
        if line.is_empty() && blank {
            continue;
        }
        blank = line.is_empty();
        let indent = if in_example && !blank { "    " } else { "" };
        text += &format!("{indent}{line}\n");
    }
    text
}
