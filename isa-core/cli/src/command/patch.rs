//! The command `patch`, which replaces instructions of an ELF file.

use std::ffi::OsString;
use std::io::Read;

use clap::{Arg, ArgMatches, Command};

use crate::CommandError;
use crate::elf::{self, Patch};
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;

use super::arguments::{
    DIAGNOSTIC_KEYS, file_argument, output_option, path_option, with_diagnostic_options, wrapped,
};
use super::values::{path, text};
use super::{Streams, Subcommand};

/// The command `patch`.
#[derive(Debug, PartialEq)]
pub(crate) struct PatchCommand {
    file: OsString,
    place: String,
    source: AssemblySource,
    output: Option<OsString>,
}

/// The source of the new instructions.
#[derive(Debug, PartialEq)]
enum AssemblySource {
    Argument(String),
    File(OsString),
}

impl Subcommand for PatchCommand {
    const NAME: &'static str = "patch";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        if !elf::is_supported(profile) {
            return None;
        }
        Some(with_diagnostic_options(
            Command::new(Self::NAME)
                .about("Replaces instructions in an ELF file")
                .override_usage(format!(
                    "{name} patch FILE --at PLACE ASSEMBLY [-o OUT]\n       \
                     {name} patch FILE --at PLACE --from SOURCE [-o OUT]"
                ))
                .arg(file_argument("The object or program").required(true))
                .arg(Arg::new("assembly").value_name("ASSEMBLY").allow_hyphen_values(true).help(wrapped(
                    "The new instructions; the last `;` can be omitted",
                )))
                .arg(Arg::new("at").long("at").value_name("PLACE").required(true).help(wrapped(
                    "The place of the first instruction to replace: the name of a symbol or of a section, NAME+OFFSET with an \
                     offset in bytes, or an address",
                )))
                .arg(path_option("from", "Reads the new instructions from a file; - means standard input")
                    .value_name("SOURCE"))
                .arg(output_option().help(wrapped(
                    "The output file; without OUT, FILE itself is changed",
                )))
                .after_help(format!(
                    "Prints the old and the new instructions. Only their bytes in the file change. The assembly can\n\
                     use the symbols of the file as labels. The new instructions must have the length of the old\n\
                     ones, and must not replace an instruction that a linker changes. If there is an error, no file\n\
                     changes.\n\n{DIAGNOSTIC_KEYS}"
                )),
        ))
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let source = match (text(matches, "assembly"), path(matches, "from")) {
            (Some(text), None) => AssemblySource::Argument(text.to_owned()),
            (None, Some(path)) => AssemblySource::File(path),
            _ => {
                let message = "expected either ASSEMBLY or --from SOURCE";
                return Err(CommandError::Usage(message.to_owned()));
            }
        };
        Ok(PatchCommand {
            file: path(matches, "file").unwrap_or_default(),
            place: text(matches, "at").unwrap_or_default().to_owned(),
            source,
            output: path(matches, "output"),
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, console, .. } = streams;
        let (mut argument, mut nothing) = (String::new(), std::io::empty());
        let is_stdin = matches!(&self.source, AssemblySource::File(path) if path == "-");
        let (of_text, of_file): (&mut dyn Read, &mut dyn Read) =
            if is_stdin { (*stdin, &mut nothing) } else { (&mut nothing, *stdin) };
        let text = match &self.source {
            AssemblySource::Argument(text) => {
                argument.push_str(text.trim_end());
                if profile.comment.is_none() && !argument.ends_with(';') {
                    argument.push(';');
                }
                Input::new("ASSEMBLY", argument.as_bytes())
            }
            AssemblySource::File(path) => Input::open(Some(path), of_text)?,
        };
        let input = Input::open(Some(&self.file), of_file)?;
        let patch = Patch { place: &self.place, text };
        let (bytes, report) = elf::patch(profile, input, patch, console)?;
        let output = self.output.as_ref().unwrap_or(&self.file);
        let mut file = Output::open(Some(output))?;
        file.put(&bytes)?;
        file.commit(*stdout)?;
        if output == "-" {
            return Ok(());
        }
        stdout.write_all(report.as_bytes()).map_err(CommandError::printing)
    }
}
