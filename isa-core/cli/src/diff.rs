//! The command `diff`, which prints the differences between two descriptions, of this set or any
//! other.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};

use clap::{Arg, ArgMatches, Command as Parser, ValueHint, value_parser};
use isa_core::shown::Shown;
use isa_export::description::Description;
use isa_export::diff::Difference;

use super::Stop;
use super::command::{flag, wrapped};
use super::input::Input;
use super::output::Output;
use super::tool::Profile;

mod page;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    old: OsString,
    new: OsString,
    json: bool,
    /// The output file of the HTML page.
    html: Option<OsString>,
}

/// Returns the definition of the command line.
pub(super) fn command(name: &str) -> Parser {
    let file = |id: &'static str, value: &'static str, help: &str| {
        Arg::new(id)
            .value_name(value)
            .required(true)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .help(wrapped(help))
    };
    Parser::new("diff")
        .about("Says what is different between two versions of a set")
        .override_usage(format!("{name} diff OLD NEW [--json] [--html FILE]"))
        .arg(file("old", "OLD", &format!(
            "The description of the old version, as `{name} export json` prints it; - is standard input"
        )))
        .arg(file("new", "NEW", "That of the new version"))
        .arg(flag("json", "Each change as a JSON object on a line of its own (keys below)"))
        .arg(
            Arg::new("html")
                .long("html")
                .value_name("FILE")
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::FilePath)
                .help(wrapped("Writes the changes as a page too, with the fields of each changed opcode drawn before and now; - is standard output, for the page alone")),
        )
        .after_help(
            "Of which sets the descriptions are does not matter. Each change is a line; where it\n\
             alters what a word means, another has the number of such words, one of them, and its\n\
             text before and now. A word means its opcode, the values of its fields, and its text.\n\n\
             With --json an object has what, places (opcodes, kinds or groups), message, and words\n\
             (how many, as text), bits, witness, before and after, null where no word is altered.\n\n\
             Exit status: 0 nothing is different, 1 something is, 2 a description cannot be read.",
        )
}

pub(super) fn options(found: &ArgMatches) -> Options {
    let path = |name: &str| {
        found.try_get_one::<OsString>(name).ok().flatten().cloned().unwrap_or_default()
    };
    let html = found.get_one::<OsString>("html").cloned();
    Options { old: path("old"), new: path("new"), json: found.get_flag("json"), html }
}

/// Prints all changes.
pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    if options.html.as_ref().is_some_and(|path| path.is_empty()) {
        return Err(Stop::Usage(
            "--html needs the name of a file, or - for standard output".into(),
        ));
    }
    let old = read(&options.old, stdin)?;
    let new = read(&options.new, stdin)?;
    let difference = Difference::between(&old, &new);
    let text = match options.json {
        true => difference.changes.iter().map(|change| change.json() + "\n").collect(),
        false => difference.to_string(),
    };
    if let Some(path) = &options.html {
        let made_by = format!("{} diff", profile.full_name());
        let page = page::page(&old, &new, &difference, made_by);
        let mut output = Output::open(Some(path))?;
        output.put(page.as_bytes())?;
        output.commit(stdout)?;
    }
    if options.html.as_deref() != Some(OsStr::new("-")) {
        stdout.write_all(text.as_bytes()).map_err(Stop::printing)?;
    }
    if difference.is_empty() { Ok(()) } else { Err(Stop::Different) }
}

/// Reads a description. `-` is standard input.
fn read(path: &OsString, stdin: &mut dyn Read) -> Result<Description, Stop> {
    let (name, text) = Input::text(path, stdin).map_err(|stop| match stop {
        Stop::System(message) => Stop::Trouble(message),
        stop => stop,
    })?;
    text.parse().map_err(|error| Stop::Trouble(format!("{}: {error}", Shown(&name))))
}
