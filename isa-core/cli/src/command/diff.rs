//! The command `diff`, which prints the differences between two descriptions, of this set or any
//! other.

mod page;

use std::ffi::{OsStr, OsString};
use std::io::Read;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use isa_core::shown::Shown;
use isa_export::description::Description;
use isa_export::diff::Difference;

use crate::CommandError;
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;

use super::arguments::{flag, path_option, wrapped};
use super::values::path;
use super::{Streams, Subcommand};

/// The command `diff`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DiffCommand {
    old: OsString,
    new: OsString,
    json: bool,
    /// Whether changes that alter no word are left out.
    words: bool,
    /// The output file of the HTML page.
    html: Option<OsString>,
}

impl Subcommand for DiffCommand {
    const NAME: &'static str = "diff";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let file = |id: &'static str, value: &'static str, help: &str| {
            Arg::new(id)
                .value_name(value)
                .required(true)
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::FilePath)
                .help(wrapped(help))
        };
        Some(
            Command::new(Self::NAME)
                .about("Compares two versions of a set")
                .override_usage(format!("{name} diff OLD NEW [--words] [--json] [--html FILE]"))
                .arg(file("old", "OLD", &format!(
                    "The description of the old version, as `{name} export json` prints it; - means standard input"
                )))
                .arg(file("new", "NEW", "The description of the new version"))
                .arg(flag("words", "Prints only changes that alter the meaning of words"))
                .arg(flag("json", "Prints each change as one JSON object per line (keys below)"))
                .arg(
                    path_option("html", "Also writes the changes as an HTML page, with drawings of the fields of each changed opcode; - prints only the page, to standard output"),
                )
                .after_help(
                    "The descriptions can be of any sets. Each change is printed on one line. If it alters the\n\
                     meaning of words, a second line contains the number of these words, an example, and the\n\
                     text of the example before and after the change. The meaning of a word is its opcode,\n\
                     the values of its fields, and its text.\n\n\
                     With --json an object contains `what`, `places` (opcodes, operand types or groups),\n\
                     `message`, and `words` (their number as text), `bits`, `witness`, `before` and `after`,\n\
                     which are null if the change alters no word.\n\n\
                     Exit status: 0 if the descriptions are equal, 1 if they differ, 2 if a description\n\
                     cannot be read. With --words, only changes that alter the meaning of words count.",
                )
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        Ok(DiffCommand {
            old: path(matches, "old").unwrap_or_default(),
            new: path(matches, "new").unwrap_or_default(),
            json: matches.get_flag("json"),
            words: matches.get_flag("words"),
            html: path(matches, "html"),
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, .. } = streams;
        if self.html.as_ref().is_some_and(|path| path.is_empty()) {
            return Err(CommandError::Usage(
                "expected a file name for --html, or - for standard output".into(),
            ));
        }
        let old = read(&self.old, *stdin)?;
        let new = read(&self.new, *stdin)?;
        let mut difference = Difference::between(&old, &new);
        if self.words {
            difference = difference.of_words();
        }
        let text = match self.json {
            true => difference.changes.iter().map(|change| change.json() + "\n").collect(),
            false => difference.to_string(),
        };
        if let Some(path) = &self.html {
            let made_by = format!("{} diff", profile.full_name());
            let page = page::page(&old, &new, &difference, made_by);
            let mut output = Output::open(Some(path))?;
            output.put(page.as_bytes())?;
            output.commit(*stdout)?;
        }
        if self.html.as_deref() != Some(OsStr::new("-")) {
            stdout.write_all(text.as_bytes()).map_err(CommandError::printing)?;
        }
        if difference.is_empty() { Ok(()) } else { Err(CommandError::Different) }
    }
}

/// Reads a description. `-` is standard input.
fn read(path: &OsString, stdin: &mut dyn Read) -> Result<Description, CommandError> {
    let (name, text) = Input::text(path, stdin).map_err(|stop| match stop {
        CommandError::System(message) => CommandError::Trouble(message),
        stop => stop,
    })?;
    text.parse().map_err(|error| CommandError::Trouble(format!("{}: {error}", Shown(&name))))
}
