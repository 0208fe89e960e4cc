//! The command `import`, which converts descriptions from other projects to source of a set. The
//! crate `isa-import` implements it.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use isa_core::shown::Shown;
use isa_import::{FORMATS, ImportError, Source, format};

use crate::CommandError;
use crate::console::{Console, Diagnostic, SourceLocation, excerpt};
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;

use super::arguments::{
    file_argument, flag, format_argument, format_help, number_option, output_option, path_option,
    repeated_option, wrapped,
};
use super::values::{is_set, number, path, text, texts};
use super::{Streams, Subcommand};

/// The command `import`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ImportCommand {
    format: String,
    files: Vec<OsString>,
    name: Option<String>,
    fields: Option<OsString>,
    width: Option<u32>,
    values: Option<OsString>,
    uses: Vec<String>,
    positions: bool,
    check: bool,
    output: Option<OsString>,
}

impl Subcommand for ImportCommand {
    const NAME: &'static str = "import";

    fn definition(profile: &Profile) -> Option<Command> {
        let name = profile.name;
        let formats = FORMATS.iter().map(|format| (format.name, format.about));
        Some(
            Command::new(Self::NAME)
                .about("Converts a description in another format to source for define_isa!")
                .override_usage(format!("{name} import FORMAT FILE... [OPTIONS]"))
                .arg(
                    format_argument(formats.clone()).help("The format of the files: one of those listed below"),
                )
                .arg(
                    file_argument("The files of the description; - means standard input")
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
                    "The bit positions of arguments for riscv-opcodes, in lines such as `\"name\", high, low`",
                ))
                .arg(number_option(
                    "width",
                    "The width of instruction words in bits, for defgroup",
                ))
                .arg(path_option(
                    "values",
                    "A TOML file with facts that the definitions do not contain, for example the numbers of \
                     values. If the file does not exist, the import creates it with its assumptions",
                ))
                .arg(repeated_option(
                    "use",
                    "PATH",
                    "The path of a set that declares missing types and groups, for defgroup",
                ))
                .arg(flag("positions", "Adds a comment with the file and line of each definition"))
                .arg(flag(
                    "check",
                    "Checks the result and reports each error at its line in FILE, without writing any source",
                ))
                .after_help(format!(
                    "{}\nThe result is a call of `define_isa!`. Comments mark everything that the \
                     description does not contain.",
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
            width: match number(matches, "width")?.map(u32::try_from) {
                Some(Ok(width @ 8..=128)) => Some(width),
                None => None,
                Some(_) => {
                    let message = "invalid value for `--width`: expected 8 to 128 bits";
                    return Err(CommandError::Usage(message.to_owned()));
                }
            },
            values: path(matches, "values"),
            uses: texts(matches, "use"),
            positions: is_set(matches, "positions"),
            check: is_set(matches, "check"),
            output: path(matches, "output"),
        })
    }

    /// Writes the source, or reports everything that cannot be imported.
    fn run(&self, _: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, console, .. } = streams;
        let Some(format) = format(&self.format) else {
            return Err(CommandError::Usage(format!("unknown format `{}`", self.format)));
        };
        let (values, new_values) = match &self.values {
            Some(path) if path != "-" && !Path::new(path).exists() => (None, Some(path)),
            path => (path.as_ref(), None),
        };
        let mut texts = Vec::new();
        for path in self.files.iter().chain(&self.fields).chain(values) {
            let (name, text) = Input::text(path, *stdin)?;
            // The source contains the name of the file, but not of its folder.
            let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
            let name = Shown(&name).to_string();
            texts.push((name, text));
        }
        let sources: Vec<Source<'_>> =
            texts.iter().map(|(name, text)| Source { name, text }).collect();
        let (files, others) = sources.split_at(self.files.len());
        let (fields, values) = others.split_at(usize::from(self.fields.is_some()));
        let uses: Vec<&str> = self.uses.iter().map(String::as_str).collect();
        let settings = isa_import::ImportOptions {
            name: self.name.as_deref(),
            fields: fields.first().copied(),
            width: self.width,
            values: values.first().copied(),
            uses: &uses,
            positions: self.positions,
            standalone: self.check,
        };
        if self.check {
            return match format.check(files, &settings) {
                Ok(errors) | Err(errors) if !errors.is_empty() => {
                    errors.iter().for_each(|error| report(console, error, &sources));
                    Err(CommandError::Reported)
                }
                _ => Ok(()),
            };
        }
        match format.import(files, &settings) {
            Ok(imported) => {
                let warnings = imported.assumptions.iter();
                warnings.for_each(|one| console.warning("assumption", &one.to_string()));
                if let (Some(path), Some(text)) = (new_values, &imported.values) {
                    let mut output = Output::open(Some(path))?;
                    output.put(text.as_bytes())?;
                    output.commit(*stdout)?;
                }
                let mut output = Output::open(self.output.as_deref())?;
                output.put(imported.source.as_bytes())?;
                output.commit(*stdout)
            }
            Err(errors) => {
                errors.iter().for_each(|error| console.report_plain("import", &error.to_string()));
                Err(CommandError::Reported)
            }
        }
    }
}

/// Reports an error at its line of one of the files, with the help of its message.
fn report(console: &mut Console<'_>, error: &ImportError, files: &[Source<'_>]) {
    let mut lines = error.message.lines();
    let first = lines.next().unwrap_or_default();
    let code = first.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let (code, title) =
        code.map_or(("", first.to_owned()), |(code, title)| (code, title.to_owned()));
    let help = lines.map(|line| line.strip_prefix("help: ").unwrap_or(line).to_owned()).collect();
    let file = files.iter().find(|file| file.name == error.file);
    let line = file.and_then(|file| file.text.lines().nth(error.line.checked_sub(1)?));
    let (Some(file), Some(line)) = (file, line) else {
        return console.report_plain("import", &error.to_string());
    };
    let at = line.char_indices().nth(error.column - 1).map_or(line.len(), |(at, _)| at);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = &line[at..];
    let length = rest.find(|c| !is_word(c)).filter(|length| *length > 0);
    let length = length.or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(0);
    let span = at..at + length;
    let (from, shown) = excerpt(line, 0, &span);
    let end = error.column + line[span.clone()].chars().count();
    let start = (line.as_ptr() as usize - file.text.as_ptr() as usize) as u64;
    console.report(&Diagnostic {
        code: if code.is_empty() { "import" } else { code },
        title,
        label: String::new(),
        help,
        file: file.name,
        place: SourceLocation::Text {
            line: error.line,
            column: error.column,
            end: (error.line, end),
            shown,
            span: span.start - from..span.end - from,
        },
        span: start + span.start as u64..start + span.end as u64,
    });
}
