//! The commands that a tool adds for its own set.

use std::io::Write;

use clap::{ArgMatches, Command};
use isa_core::shown::Shown;

use crate::CommandError;
use crate::custom_command::{CodeSection, CustomCommand, ProgramCode};
use crate::elf;
use crate::input::Input;
use crate::profile::Profile;
use crate::program::ParsedProgram;

use super::arguments::{DIAGNOSTIC_KEYS, file_argument, flag, with_diagnostic_options};
use super::values::{is_set, path};
use super::{ParsedCommand, Streams};

/// Returns the arguments and the help text of a command.
pub(super) fn definition(profile: &Profile, command: &CustomCommand) -> Command {
    let flags: String = command.flags.iter().map(|(name, _)| format!(" [--{name}]")).collect();
    let object =
        if elf::is_supported(profile) { "An ELF file, or assembly text" } else { "Assembly text" };
    let help = format!("{object}; - or no FILE means standard input");
    let definition = Command::new(command.name)
        .about(command.about)
        .override_usage(format!("{} {} [FILE]{flags}", profile.name, command.name))
        .arg(file_argument(&help))
        .args(command.flags.iter().map(|(name, help)| flag(name, help)))
        .after_help(DIAGNOSTIC_KEYS);
    with_diagnostic_options(definition)
}

/// Returns the command with the values of its arguments.
pub(super) fn parse<'p>(
    profile: &'p Profile,
    command: CustomCommand,
    matches: &ArgMatches,
) -> ParsedCommand<'p> {
    let file = path(matches, "file");
    let flags = command.flags.iter().map(|(name, _)| *name);
    let flags: Vec<&str> = flags.filter(|name| is_set(matches, name)).collect();
    Box::new(move |streams| {
        let Streams { stdin, stdout, console, .. } = streams;
        let mut input = Input::open(file.as_ref(), stdin)?;
        let code = if input.begins_with(elf::MAGIC, console)? {
            elf::code(profile, input, console)?
        } else {
            let parsed = ParsedProgram::read(profile, input, None, console)?;
            let program = &parsed.program;
            let labels = program.labels.iter();
            let labels = labels.map(|(name, address)| (name.to_owned(), address)).collect();
            let (set, name) = (profile.set, String::new());
            let section = CodeSection::new(set, name, program.origin, &program.bytes, labels);
            ProgramCode { set: profile.set.tables, sections: vec![section], file: Vec::new() }
        };
        let report = (command.run)(&code, &flags)
            .map_err(|why| CommandError::Usage(format!("{}: {}", command.name, Shown(&why))))?;
        stdout.write_all(report.text.as_bytes()).map_err(CommandError::printing)?;
        if report.is_success { Ok(()) } else { Err(CommandError::Different) }
    })
}
