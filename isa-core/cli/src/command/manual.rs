//! The command `manual`, which writes the set as HTML pages. The crate `isa-manual` implements it.

use std::ffi::OsString;
use std::fs;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use isa_manual::{Manual, ManualError};

use crate::CommandError;
use crate::profile::Profile;

use super::arguments::{path_option, wrapped};
use super::values::path;
use super::{Streams, Subcommand};

/// The command `manual`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ManualCommand {
    folder: OsString,
    /// The file with the engine, a module of WebAssembly.
    engine: Option<OsString>,
    /// The language tag of the pages.
    language: Option<String>,
}

impl Subcommand for ManualCommand {
    const NAME: &'static str = "manual";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Writes the manual of the set as HTML pages")
                .override_usage(format!("{name} manual [--engine FILE] [--lang TAG] FOLDER"))
                .arg(
                    Arg::new("folder")
                        .value_name("FOLDER")
                        .required(true)
                        .value_parser(value_parser!(OsString))
                        .value_hint(ValueHint::DirPath)
                        .help(wrapped("The output folder: a new folder, an empty folder, or a folder with a manual, which is replaced")),
                )
                .arg(
                    path_option("engine", "The engine of the set, a WebAssembly module that the crate isa-web builds; with it, readers can assemble, explain, edit and execute words on the page `Try it`"),
                )
                .arg(Arg::new("lang").long("lang").value_name("TAG").help(wrapped(
                    "The language of the descriptions, such as `zh` or `en-GB`; by default, the script of most words determines it",
                )))
                .after_help(
                    "The manual has a page for each opcode, group, value set and operand type, a reference of\n\
                     the assembly language, a map of all words, and a search. The pages need no network and no\n\
                     server: open FOLDER/index.html, whose path is printed. If there is an error, FOLDER does\n\
                     not change. If the command is killed, it may leave FOLDER.part, which the next run removes.",
                )
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        Ok(ManualCommand {
            folder: path(matches, "folder").unwrap_or_default(),
            engine: path(matches, "engine"),
            language: matches.get_one::<String>("lang").cloned(),
        })
    }

    /// Writes the manual of a set into a folder, and prints the path of its first page.
    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let mut manual =
            Manual::new(profile.set.processor).made_by(format!("{} manual", profile.full_name()));
        if let Some(sign) = profile.comment {
            manual = manual.comment(sign);
        }
        if let Some(tag) = &self.language {
            manual = manual.language(tag);
        }
        if let Some(path) = &self.engine {
            let name = path.to_string_lossy();
            manual = manual
                .engine(fs::read(path).map_err(|error| CommandError::reading(&name, &error))?);
        }
        let index = manual.write(&self.folder).map_err(|error| match error {
            ManualError::Name(message) => CommandError::Usage(message),
            ManualError::Language(_) => CommandError::Usage(format!("--lang: {error}")),
            ManualError::Engine => {
                let name = self.engine.as_deref().unwrap_or_default();
                CommandError::System(format!("{}: {error}", name.to_string_lossy()))
            }
            error => CommandError::System(error.to_string()),
        })?;
        writeln!(streams.stdout, "{}", index.display()).map_err(CommandError::printing)
    }
}
