//! The command `import`, which converts descriptions from other projects to source of a set. The
//! crate `isa-import` implements it.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;

use clap::{Arg, ArgMatches, Command as Parser, ValueHint, value_parser};
use isa_core::shown::Shown;
use isa_import::{FORMATS, Source, format};

use super::Stop;
use super::args::text;
use super::command::{output, wrapped};
use super::console::Console;
use super::export::{format_arg, list};
use super::input::Input;
use super::output::Output;

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    format: String,
    files: Vec<OsString>,
    name: Option<String>,
    fields: Option<OsString>,
    output: Option<OsString>,
}

/// Returns the definition of the command line.
pub(super) fn command(name: &str) -> Parser {
    let formats = FORMATS.iter().map(|format| (format.name, format.about));
    let path = |arg: Arg| arg.value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath);
    let file = Arg::new("file").value_name("FILE").required(true).num_args(1..);
    let fields = Arg::new("fields").long("fields").value_name("FILE");
    Parser::new("import")
        .about("Writes others' descriptions of a set as source of one")
        .override_usage(format!("{name} import FORMAT FILE... [OPTIONS]"))
        .arg(format_arg(formats.clone()).help("What the files are, one of those below"))
        .arg(
            path(file)
                .help(wrapped("The description, in one file or several; - is standard input")),
        )
        .arg(output())
        .arg(Arg::new("name").long("name").value_name("NAME").help(wrapped("The name of the set")))
        .arg(
            path(fields).help(wrapped(
                "Places of arguments for riscv-opcodes, lines `\"name\", high, low`",
            )),
        )
        .after_help(format!(
            "{}\nThe result is a call of `define_isa!`, in which comments say what the \
             description does not.",
            list(formats)
        ))
}

pub(super) fn options(found: &ArgMatches) -> Options {
    let path = |name| found.try_get_one::<OsString>(name).ok().flatten().cloned();
    let files = found.try_get_many::<OsString>("file").ok().flatten();
    Options {
        format: text(found, "format").unwrap_or_default().into(),
        files: files.into_iter().flatten().cloned().collect(),
        name: text(found, "name").map(str::to_owned),
        fields: path("fields"),
        output: path("output"),
    }
}

/// Writes the source, or reports everything that cannot be imported.
pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let Some(format) = format(&options.format) else {
        return Err(Stop::Usage(format!("no format `{}`", options.format)));
    };
    let mut texts = Vec::new();
    for path in options.files.iter().chain(&options.fields) {
        let (name, text) = Input::text(path, stdin)?;
        // The source contains the name of the file, but not of its folder.
        let name = Path::new(&name).file_name().unwrap_or_default().to_string_lossy();
        let name = Shown(&name).to_string();
        texts.push((name, text));
    }
    let sources: Vec<Source<'_>> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    let (files, fields) = sources.split_at(options.files.len());
    let settings = isa_import::ImportOptions {
        name: options.name.as_deref(),
        fields: fields.first().copied(),
    };
    match format.source(files, &settings) {
        Ok(source) => {
            let mut output = Output::open(options.output.as_deref())?;
            output.put(source.as_bytes())?;
            output.commit(stdout)
        }
        Err(faults) => {
            faults.iter().for_each(|fault| console.report_plain("import", &fault.to_string()));
            Err(Stop::Reported)
        }
    }
}
