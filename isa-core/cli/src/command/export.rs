//! The command `export`, which writes the set in a format for other programs. The crate
//! `isa-export` implements it.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use isa_export::{ExportFile, FORMATS, format};

use crate::CommandError;
use crate::profile::Profile;

use super::arguments::{format_argument, format_help, wrapped};
use super::values::{path, text};
use super::{Streams, Subcommand};

/// The command `export`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ExportCommand {
    format: String,
    folder: Option<OsString>,
}

impl Subcommand for ExportCommand {
    const NAME: &'static str = "export";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let formats = FORMATS.iter().map(|format| (format.name, format.about));
        Some(
            Command::new(Self::NAME)
                .about("Exports the set for other programs")
                .override_usage(format!("{name} export FORMAT [FOLDER]"))
                .arg(format_argument(formats.clone()).help("The format: one of those listed below"))
                .arg(
                    Arg::new("folder")
                        .value_name("FOLDER")
                        .value_parser(value_parser!(OsString))
                        .value_hint(ValueHint::DirPath)
                        .help(wrapped("The output folder, in which existing files are overwritten; without FOLDER, a single file is printed")),
                )
                .after_help(format!(
                    "{}\nIf you pass FOLDER, the paths of the written files are printed.",
                    format_help(formats)
                ))
        )
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        Ok(ExportCommand {
            format: text(matches, "format").unwrap_or_default().into(),
            folder: path(matches, "folder"),
        })
    }

    /// Prints a single file, or writes files into a folder and prints their paths.
    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Some(format) = format(&self.format) else {
            return Err(CommandError::Usage(format!("unknown format `{}`", self.format)));
        };
        let files = format.files_with(profile.set.processor, profile.comment);
        let files = files.map_err(|error| CommandError::System(error.to_string()))?;
        match (&self.folder, files.as_slice()) {
            (Some(folder), files) => write_all(Path::new(folder), files, streams.stdout),
            (None, [file]) => {
                streams.stdout.write_all(file.text.as_bytes()).map_err(CommandError::printing)
            }
            (None, _) => Err(CommandError::Usage(format!(
                "FOLDER is missing: `export {}` writes {} files",
                self.format,
                files.len()
            ))),
        }
    }
}

/// Writes all files. Each is written under a temporary name and renamed after all of them are
/// complete.
fn write_all(
    folder: &Path,
    files: &[ExportFile],
    stdout: &mut dyn Write,
) -> Result<(), CommandError> {
    let saving = |path: &Path| {
        let name = path.to_string_lossy().into_owned();
        move |error| CommandError::saving(&name, &error)
    };
    fs::create_dir_all(folder).map_err(saving(folder))?;
    let part = |file: &ExportFile| folder.join(format!("{}.part", file.name));
    let written = files
        .iter()
        .try_for_each(|file| fs::write(part(file), &file.text).map_err(saving(&part(file))));
    if written.is_err() {
        files.iter().for_each(|file| _ = fs::remove_file(part(file)));
        return written;
    }
    for file in files {
        let path = folder.join(&file.name);
        fs::rename(part(file), &path).map_err(saving(&path))?;
        writeln!(stdout, "{}", path.display()).map_err(CommandError::printing)?;
    }
    Ok(())
}
