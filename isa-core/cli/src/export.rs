//! The command `export`, which writes the set in a format for other programs. The crate
//! `isa-export` implements it.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command as Parser, ValueHint, value_parser};
use isa_export::{ExportFile, FORMATS, format};

use super::Stop;
use super::command::wrapped;
use super::tool::Profile;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) format: String,
    pub(super) folder: Option<OsString>,
}

/// Returns the definition of the command line.
pub(super) fn command(name: &str) -> Parser {
    let formats = FORMATS.iter().map(|format| (format.name, format.about));
    Parser::new("export")
        .about("Writes the set for other programs")
        .override_usage(format!("{name} export FORMAT [FOLDER]"))
        .arg(format_arg(formats.clone()).help("In which form, one of those below"))
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::DirPath)
                .help(wrapped("Where to: files there of the same names are replaced; without it one file is printed")),
        )
        .after_help(format!(
            "{}\nThe paths of what is written into FOLDER are printed.",
            list(formats)
        ))
}

/// Returns the argument FORMAT, which accepts the names of `formats`.
pub(super) fn format_arg(formats: impl Iterator<Item = (&'static str, &'static str)>) -> Arg {
    Arg::new("format")
        .value_name("FORMAT")
        .required(true)
        .value_parser(PossibleValuesParser::new(formats.map(|(name, _)| name)))
        .hide_possible_values(true)
}

/// Lists the formats with their descriptions, for a help text.
pub(super) fn list<'f>(formats: impl Iterator<Item = (&'f str, &'f str)> + Clone) -> String {
    let width = formats.clone().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines = formats.map(|(name, about)| format!("  {name:width$}  {about}\n"));
    format!("Formats:\n\n{}", lines.collect::<String>())
}

/// Prints a single file, or writes files into a folder and prints their paths.
pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdout: &mut dyn Write,
) -> Result<(), Stop> {
    let Some(format) = format(&options.format) else {
        return Err(Stop::Usage(format!("no format `{}`", options.format)));
    };
    let files = format.files_with(profile.set.0, profile.comment);
    let files = files.map_err(|error| Stop::System(error.to_string()))?;
    match (&options.folder, files.as_slice()) {
        (Some(folder), files) => write_all(Path::new(folder), files, stdout),
        (None, [file]) => stdout.write_all(file.text.as_bytes()).map_err(Stop::printing),
        (None, _) => Err(Stop::Usage(format!(
            "`export {}` writes {} files and needs a FOLDER",
            options.format,
            files.len()
        ))),
    }
}

/// Writes all files. Each is written under a temporary name and renamed after all of them are
/// complete.
fn write_all(folder: &Path, files: &[ExportFile], stdout: &mut dyn Write) -> Result<(), Stop> {
    let saving = |path: &Path| {
        let name = path.to_string_lossy().into_owned();
        move |error| Stop::saving(&name, &error)
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
        writeln!(stdout, "{}", path.display()).map_err(Stop::printing)?;
    }
    Ok(())
}
