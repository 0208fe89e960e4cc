//! The command `import`, which converts descriptions from other projects to source of a set. The
//! crate `isa-import` implements it.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use isa_core::shown::Shown;
use isa_import::{FORMATS, Source, format};

use crate::CommandError;
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;

use super::arguments::{
    file_argument, format_argument, format_help, output_option, path_option, wrapped,
};
use super::values::{path, text};
use super::{Streams, Subcommand};

/// The command `import`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ImportCommand {
    format: String,
    files: Vec<OsString>,
    name: Option<String>,
    fields: Option<OsString>,
    output: Option<OsString>,
}

impl Subcommand for ImportCommand {
    const NAME: &'static str = "import";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let formats = FORMATS.iter().map(|format| (format.name, format.about));
        Some(
            Command::new(Self::NAME)
                .about("Writes others' descriptions of a set as source of one")
                .override_usage(format!("{name} import FORMAT FILE... [OPTIONS]"))
                .arg(
                    format_argument(formats.clone()).help("What the files are, one of those below"),
                )
                .arg(
                    file_argument("The description, in one file or several; - is standard input")
                        .required(true)
                        .num_args(1..),
                )
                .arg(output_option())
                .arg(
                    Arg::new("name")
                        .long("name")
                        .value_name("NAME")
                        .help(wrapped("The name of the set")),
                )
                .arg(path_option(
                    "fields",
                    "Places of arguments for riscv-opcodes, lines `\"name\", high, low`",
                ))
                .after_help(format!(
                    "{}\nThe result is a call of `define_isa!`, in which comments say what the \
                     description does not.",
                    format_help(formats)
                )),
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let files = matches.try_get_many::<OsString>("file").ok().flatten();
        Ok(ImportCommand {
            format: text(matches, "format").unwrap_or_default().into(),
            files: files.into_iter().flatten().cloned().collect(),
            name: text(matches, "name").map(str::to_owned),
            fields: path(matches, "fields"),
            output: path(matches, "output"),
        })
    }

    /// Writes the source, or reports everything that cannot be imported.
    fn run(&self, _: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, console, .. } = streams;
        let Some(format) = format(&self.format) else {
            return Err(CommandError::Usage(format!("no format `{}`", self.format)));
        };
        let mut texts = Vec::new();
        for path in self.files.iter().chain(&self.fields) {
            let (name, text) = Input::text(path, *stdin)?;
            // The source contains the name of the file, but not of its folder.
            let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
            let name = Shown(&name).to_string();
            texts.push((name, text));
        }
        let sources: Vec<Source<'_>> =
            texts.iter().map(|(name, text)| Source { name, text }).collect();
        let (files, fields) = sources.split_at(self.files.len());
        let settings = isa_import::ImportOptions {
            name: self.name.as_deref(),
            fields: fields.first().copied(),
        };
        match format.source(files, &settings) {
            Ok(source) => {
                let mut output = Output::open(self.output.as_deref())?;
                output.put(source.as_bytes())?;
                output.commit(*stdout)
            }
            Err(faults) => {
                faults.iter().for_each(|fault| console.report_plain("import", &fault.to_string()));
                Err(CommandError::Reported)
            }
        }
    }
}
