//! The command `vectors`, which writes instructions with operand values and the expected results, checks
//! such a file, and reports the combinations that a file covers.

mod coverage;
mod file;
mod generate;
mod special;

use std::ffi::OsString;

use clap::{ArgMatches, Command};
use isa_core::machine::{StateLocation, Trace};
use isa_core::shown::Shown;

use crate::CommandError;
use crate::input::Input;
use crate::output::Output;
use crate::profile::Profile;
use crate::set::SizedWord;
use crate::simulator::{Setting, Simulator};

use self::coverage::Coverage;
use self::file::VectorFormat;
use self::generate::VectorGenerator;
use super::arguments::{choice, flag, number_option, output_option, path_option, repeated_option};
use super::list;
use super::usage_error::missing_command;
use super::values::{is_set, number, path, text, texts};
use super::{Streams, Subcommand};

/// The command `vectors`, if the tool has a machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VectorsCommand {
    /// The number of vectors for each opcode.
    count: u64,
    seed: u64,
    /// The patterns that select opcodes. Without a pattern, all opcodes are used.
    only: Vec<String>,
    format: VectorFormat,
    output: Option<OsString>,
    action: Action,
}

/// The actions of the command.
#[derive(Debug, Clone, PartialEq)]
enum Action {
    Write,
    /// Executes the vectors of a file.
    Check(OsString),
    /// Reports the combinations that the vectors of a file cover, as text or as a page.
    Cover {
        file: OsString,
        lists_missing: bool,
        as_page: bool,
    },
}

/// The default number of vectors for each opcode.
const COUNT: u64 = 100;

impl Subcommand for VectorsCommand {
    const NAME: &'static str = "vectors";

    fn definition(profile: &Profile) -> Option<Command> {
        profile.machine.as_ref()?;
        let name = profile.name;
        Some(
            Command::new(Self::NAME)
                .about("Writes instructions with operand values and expected results")
                .override_usage(format!(
                    "{name} vectors [--count N] [--seed S] [--only PATTERN ...] [--format jsonl|plain] [-o OUT]\n       \
                     {name} vectors --check FILE\n       \
                     {name} vectors --coverage FILE [--only PATTERN ...] [--missing | --html] [-o OUT]"
                ))
                .arg(number_option("count", &format!("The number of vectors for each opcode (default {COUNT})")))
                .arg(number_option("seed", "The seed; the same seed writes the same vectors (default 1)"))
                .arg(repeated_option("only", "PATTERN", &format!(
                    "Only opcodes whose name or mnemonic matches PATTERN, as for `{name} list`; may be repeated"
                )))
                .arg(
                    choice("format", vec!["jsonl", "plain"], "jsonl: one JSON object per line (default); plain: \
                         one line of text per vector")
                    .value_name("FORM"),
                )
                .arg(path_option("check", "Executes the vectors in FILE and reports those with other results"))
                .arg(path_option("coverage", "Reports the combinations of opcode, modifier, special value and \
                     relation of lanes that the vectors in FILE cover"))
                .arg(flag("missing", "Lists the combinations that FILE does not cover"))
                .arg(flag("html", "Writes the coverage as a page with a heat map"))
                .arg(output_option())
                .after_help(
                    "The first vectors of each opcode use special values and each value of each modifier; the\n\
                     others are random. A vector in JSON contains opcode, word, asm, state (the initial values of\n\
                     the places that the instruction reads), and either expected (the values of the places that\n\
                     it writes) or trap (the message). A plain vector is `ASM | STATE | EXPECTED`, where STATE and\n\
                     EXPECTED are `NAME=VALUE` separated by spaces, or `-`; EXPECTED can also be `trap MESSAGE`.\n\
                     Empty lines and lines that begin with # are ignored. An instruction is executed alone, at\n\
                     address 0 if the machine has a program counter.",
                ),
        )
    }

    fn parse(profile: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        if profile.machine.is_none() {
            return Err(CommandError::Usage(missing_command(profile)));
        }
        let usage = |message: &str| Err(CommandError::Usage(message.to_owned()));
        let (check, coverage) = (path(matches, "check"), path(matches, "coverage"));
        let [lists_missing, as_page] = ["missing", "html"].map(|name| is_set(matches, name));
        let action = match (check, coverage) {
            (Some(_), Some(_)) => return usage("--check cannot be used with --coverage"),
            (_, None) if lists_missing => return usage("--missing requires --coverage FILE"),
            (_, None) if as_page => return usage("--html requires --coverage FILE"),
            _ if lists_missing && as_page => return usage("--missing cannot be used with --html"),
            (Some(file), None) => Action::Check(file),
            (None, Some(file)) => Action::Cover { file, lists_missing, as_page },
            (None, None) => Action::Write,
        };
        let (reader, ignored): (&str, &[&str]) = match action {
            Action::Write => ("", &[]),
            Action::Check(_) => ("check", &["count", "seed", "format", "only", "output"]),
            Action::Cover { .. } => ("coverage", &["count", "seed", "format"]),
        };
        if let Some(option) = ignored.iter().find(|option| matches.contains_id(option)) {
            return usage(&format!("--{option} cannot be used with --{reader}"));
        }
        Ok(VectorsCommand {
            count: number(matches, "count")?.unwrap_or(COUNT),
            seed: number(matches, "seed")?.unwrap_or(1),
            only: texts(matches, "only"),
            format: match text(matches, "format") {
                Some("plain") => VectorFormat::Plain,
                _ => VectorFormat::JsonLines,
            },
            output: path(matches, "output"),
            action,
        })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Some(simulator) = &profile.machine else { return Ok(()) };
        match &self.action {
            Action::Write => self.write(profile, simulator, streams),
            Action::Check(file) => check(profile, simulator, file, streams),
            Action::Cover { file, lists_missing, as_page } => {
                let VectorFile { vectors, .. } = read(profile, simulator, file, streams)?;
                let chosen = list::chosen(profile, &self.only)?;
                let mut coverage = Coverage::new(simulator.files, &chosen);
                for (_, vector) in &vectors {
                    coverage.add(profile.set, vector);
                }
                let mut output = Output::open(self.output.as_deref())?;
                let name = profile.set.tables.name;
                let text = match (as_page, lists_missing) {
                    (true, _) => coverage.page(name),
                    (_, true) => coverage.missing(),
                    _ => coverage.text(),
                };
                output.put(text.as_bytes())?;
                output.commit(streams.stdout)
            }
        }
    }
}

impl VectorsCommand {
    fn write(
        &self,
        profile: &Profile,
        simulator: &Simulator,
        streams: &mut Streams<'_>,
    ) -> Result<(), CommandError> {
        let chosen = list::chosen(profile, &self.only)?;
        let mut generator = VectorGenerator::new(profile, simulator, self.seed);
        let mut output = Output::open(self.output.as_deref())?;
        for opcode in chosen {
            for number in 0..self.count {
                if let Some(vector) = generator.vector(opcode, number)? {
                    output.put(vector.line(simulator.files, self.format).as_bytes())?;
                }
            }
        }
        output.commit(streams.stdout)
    }
}

/// An instruction with the initial state and the expected result.
#[derive(Debug, Clone, PartialEq)]
struct ExecutionVector {
    /// The name of the opcode.
    opcode: String,
    word: SizedWord,
    asm: String,
    /// The initial values of the places that the instruction reads. All others are 0 or false.
    state: Vec<(StateLocation, u128)>,
    result: ExecutionResult,
}

/// The values of the written places, or the message of a trap.
type ExecutionResult = Result<Vec<(StateLocation, u128)>, String>;

/// Executes one instruction. Returns its result and the places that it read and wrote.
fn execute(
    profile: &Profile,
    simulator: &Simulator,
    word: SizedWord,
    state: &[(StateLocation, u128)],
) -> Result<(ExecutionResult, Trace), CommandError> {
    let settings: Vec<Setting> =
        state.iter().map(|&(place, value)| Setting::new(place, value)).collect();
    let mut executed = (Ok(Vec::new()), Trace::default());
    simulator.start(&settings, profile.processor(), &mut |machine| {
        machine.state().start_trace();
        machine.state().begin(0, word.bytes() as u64);
        let bytes = profile.set.bytes_of(word);
        let result = machine.execute(&bytes[..word.bytes()]);
        let state = machine.state();
        let trace = state.take_trace();
        let written = state.written().into_iter().map(|place| (place, state.get(place, 0)));
        // After a jump, the program counter is the address of the next instruction.
        let (next, files) = (state.next(), state.files());
        let is_counter =
            |place: StateLocation| files.file(place).is_some_and(|file| file.is_counter());
        let written = written.map(|(place, value)| match is_counter(place) {
            true => (place, next.into()),
            false => (place, value),
        });
        executed = (result.map(|()| written.collect()).map_err(|fault| fault.to_string()), trace);
        Ok(())
    })?;
    Ok(executed)
}

/// The vectors of a file.
struct VectorFile {
    /// The name of the file for messages.
    name: String,
    /// Each vector with its line.
    vectors: Vec<(usize, ExecutionVector)>,
}

/// Reads the vectors of a file. Reports all lines that are not vectors.
fn read(
    profile: &Profile,
    simulator: &Simulator,
    file: &OsString,
    streams: &mut Streams<'_>,
) -> Result<VectorFile, CommandError> {
    let (name, text) = Input::text(file, streams.stdin)?;
    let name = Shown(&name).to_string();
    let (mut vectors, mut errors) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.lines()) {
        match ExecutionVector::parse(profile, simulator.files, text) {
            Ok(Some(vector)) => vectors.push((line, vector)),
            Ok(None) => {}
            Err((column, message)) => errors.push(format!("{name}:{line}:{column}: {message}")),
        }
    }
    if errors.is_empty() {
        return Ok(VectorFile { name, vectors });
    }
    let more = errors.len().saturating_sub(MOST_ERRORS);
    errors.truncate(MOST_ERRORS);
    if more > 0 {
        errors.push(format!("and {more} more invalid lines"));
    }
    Err(CommandError::System(errors.join("\n")))
}

/// The maximum number of errors that are printed.
const MOST_ERRORS: usize = 20;

/// Executes the vectors of a file. Prints the vectors with another result, and the number of all vectors.
fn check(
    profile: &Profile,
    simulator: &Simulator,
    file: &OsString,
    streams: &mut Streams<'_>,
) -> Result<(), CommandError> {
    let VectorFile { name, vectors } = read(profile, simulator, file, streams)?;
    let (mut text, mut differences) = (String::new(), 0);
    for (line, vector) in &vectors {
        let (result, _) = execute(profile, simulator, vector.word, &vector.state)?;
        if result != vector.result {
            differences += 1;
            if differences <= MOST_ERRORS {
                let shown = |result| file::result_text(simulator.files, result);
                text += &format!(
                    "{name}:{line}: {}: expected {}, found {}\n",
                    vector.asm,
                    shown(&vector.result),
                    shown(&result),
                );
            }
        }
    }
    text += &format!("{} vectors, {differences} with another result\n", vectors.len());
    streams.stdout.write_all(text.as_bytes()).map_err(CommandError::printing)?;
    match differences {
        0 => Ok(()),
        _ => Err(CommandError::Different),
    }
}
