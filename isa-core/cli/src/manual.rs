//! The command `manual`, which writes the set as HTML pages. The crate `isa-manual` implements it.

use std::ffi::OsString;
use std::fs;
use std::io::Write;

use clap::{Arg, Command as Parser, ValueHint, value_parser};
use isa_manual::{Manual, ManualError};

use super::Stop;
use super::command::wrapped;
use super::tool::Profile;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) folder: OsString,
    /// The file with the engine, a module of WebAssembly.
    pub(super) engine: Option<OsString>,
}

/// Returns the definition of the command line.
pub(super) fn command(name: &str) -> Parser {
    Parser::new("manual")
        .about("Writes the manual of the set: pages for a browser")
        .override_usage(format!("{name} manual [--engine FILE] FOLDER"))
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .required(true)
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::DirPath)
                .help(wrapped("Where to: a new folder, an empty one, or one with a manual, which it replaces")),
        )
        .arg(
            Arg::new("engine")
                .long("engine")
                .value_name("FILE")
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::FilePath)
                .help(wrapped("The engine of the set, a module of WebAssembly as the crate isa-web makes it: with it words are assembled, explained, changed and executed on the page `Try it`")),
        )
        .after_help(
            "Pages of each opcode, group, value set and operand kind, of the language and of all\n\
             words, with a search. They need no network and no server: open FOLDER/index.html, whose\n\
             path is printed. On an error FOLDER stays as it is; a run that is killed may leave\n\
             FOLDER.part, which the next one removes.",
        )
}

/// Writes the manual of a set into a folder, and prints the path of its first page.
pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let mut manual = Manual::new(profile.set.0).made_by(format!("{} manual", profile.full_name()));
    if let Some(sign) = profile.comment {
        manual = manual.comment(sign);
    }
    if let Some(path) = &options.engine {
        let name = path.to_string_lossy();
        manual = manual.engine(fs::read(path).map_err(|error| Stop::reading(&name, &error))?);
    }
    let index = manual.write(&options.folder).map_err(|error| match error {
        ManualError::Name(message) => Stop::Usage(message),
        ManualError::Engine => {
            let name = options.engine.as_deref().unwrap_or_default();
            Stop::System(format!("{}: {error}", name.to_string_lossy()))
        }
        error => Stop::System(error.to_string()),
    })?;
    writeln!(stdout, "{}", index.display()).map_err(Stop::printing)
}
