//! The command `asm`, which assembles text to words.

use std::ffi::OsString;

use clap::{ArgMatches, Command};
use isa_core::text::Line;

use crate::CommandError;
use crate::elf;
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;
use crate::program::{self, AssemblyParameters};
use crate::set::{SizedWord, ToolSet};

use super::arguments::{
    DIAGNOSTIC_KEYS, byte_counts, choice, digit_counts, elf_help, file_argument, output_option,
    start_address_option, with_diagnostic_options, word_formats,
};
use super::values::{path, start_address, text};
use super::{Streams, Subcommand};

/// The command `asm`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct AsmCommand {
    input: Option<OsString>,
    output: Option<OsString>,
    format: OutputFormat,
    /// The address of the first statement, if specified.
    start: Option<u64>,
}

impl Subcommand for AsmCommand {
    const NAME: &'static str = "asm";

    fn definition(profile: &Profile) -> Option<Command> {
        let (name, digits, bytes) = (profile.name, digit_counts(profile), byte_counts(profile));
        let (has_programs, first) = (profile.set.has_programs(), profile.set.first_byte());
        let start = if has_programs { " [--start-address ADDR]" } else { "" };
        let (elf, emitted, _) = elf_help(profile);
        let mut command = Command::new(Self::NAME)
            .about("Assembles instructions into words")
            .override_usage(format!("{name} asm [FILE] [--emit hex|bin|listing{elf}] [-o OUT]{start}"))
            .arg(file_argument("The assembly file; - or no FILE means standard input"))
            .arg(
                choice(
                    "emit",
                    word_formats(profile),
                    &format!(
                        "hex: one word per line, {digits} hexadecimal digits (default); bin: {bytes} bytes \
                         per word, {first}; listing: offset and word in a comment, followed \
                         by the instruction as `{name} dis` prints it; a listing assembles to the same \
                         words{emitted}"
                    ),
                )
                .value_name("FORM"),
            )
            .arg(output_option())
            .after_help(format!(
                "If the input has an error, nothing is written and OUT does not change. An existing file\n\
                 keeps its permissions, its owner and its links. If OUT is a pipe, a device, /dev/stdout\n\
                 or /dev/fd/N, the output goes to it directly.\n\n{DIAGNOSTIC_KEYS}"
            ));
        if has_programs {
            command = command.arg(start_address_option(
                "The address of the first statement (default: the address of a `.org` before all bytes, or 0)",
            ));
        }
        Some(with_diagnostic_options(command))
    }

    fn parse(_: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        Ok(AsmCommand {
            input: path(matches, "file"),
            output: path(matches, "output"),
            format: match text(matches, "emit") {
                Some("bin") => OutputFormat::Bin,
                Some("listing") => OutputFormat::Listing,
                Some("elf") => OutputFormat::Elf,
                _ => OutputFormat::Hex,
            },
            start: start_address(matches)?,
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let is_elf = self.format == OutputFormat::Elf;
        if is_elf {
            self.check_elf(profile)?;
        }
        let input = Input::open(self.input.as_ref(), streams.stdin)?;
        let output = Output::open(self.output.as_deref())?;
        let mut writer =
            WordWriter { set: profile.set, format: self.format, output, line: Line::new() };
        let console = &mut streams.console;
        if is_elf {
            writer.output.put(&elf::assemble(profile, input, console)?)?;
        } else {
            let parameters = AssemblyParameters {
                origin: self.start,
                // Other formats can contain data of any length.
                needs_whole_words: self.format == OutputFormat::Hex,
            };
            let put = |word, address| writer.put(word, address);
            program::assemble_words(profile, input, parameters, console, put)?;
        }
        writer.output.commit(streams.stdout)
    }
}

/// The format of the result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum OutputFormat {
    #[default]
    Hex,
    Bin,
    Listing,
    /// An ELF object.
    Elf,
}

impl AsmCommand {
    /// Returns an error if the tool cannot write an ELF object with these arguments.
    fn check_elf(&self, profile: &Profile) -> Result<(), CommandError> {
        if !elf::is_supported(profile) {
            return Err(CommandError::Usage(elf::refusal(profile)));
        }
        if self.start.is_some_and(|start| start != 0) {
            let message =
                "--start-address cannot be used with --emit elf: the linker chooses the addresses";
            return Err(CommandError::Usage(message.into()));
        }
        Ok(())
    }
}

/// Writes words in the format of the result.
struct WordWriter {
    set: ToolSet,
    format: OutputFormat,
    output: Output,
    line: Line,
}

impl WordWriter {
    #[inline]
    fn put(&mut self, word: SizedWord, address: u64) -> Result<(), CommandError> {
        self.line.clear();
        match self.format {
            OutputFormat::Hex => word.print_hex(&mut self.line),
            OutputFormat::Bin => return self.output.put(&self.set.bytes_of(word)[..word.bytes()]),
            OutputFormat::Listing => return self.list(word, address),
            // An object is written as a whole.
            OutputFormat::Elf => return Ok(()),
        }
        self.line.push(b'\n');
        self.output.put(self.line.as_bytes())
    }

    /// Prints the address and the word in a comment before the instruction. This listing can be
    /// assembled again.
    fn list(&mut self, word: SizedWord, address: u64) -> Result<(), CommandError> {
        self.set.print_place(address, word, &mut self.line);
        self.output.put(self.line.as_bytes())?;
        self.line.clear();
        match self.set.decode(word) {
            Ok(opcode) if self.set.reads_back(opcode, word) => {
                opcode.print(word.word, &mut self.line);
                self.output.put(self.line.as_bytes())?;
            }
            _ => self.output.put(self.set.data_line(word).as_bytes())?,
        }
        self.output.put(b"\n")
    }
}
