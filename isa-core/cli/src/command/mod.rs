//! The commands of a tool. Each command is a file in this folder with a type that implements
//! [`Subcommand`], and an entry in [`COMMANDS`].

mod arguments;
mod asm;
mod compare;
mod completions;
mod custom;
mod diff;
mod dis;
mod exec;
mod explain;
mod explain_error;
mod export;
mod grammar;
#[cfg(feature = "import")]
mod import;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
mod manual;
mod patch;
mod random;
mod usage_error;
mod values;
mod vectors;
mod verify;

use std::ffi::OsString;
use std::io::{Read, Write};

use clap::{Arg, ArgMatches, Command};
use isa_core::table::{FeatureError, FeatureSet};

use crate::console::{Console, DiagnosticStyle};
use crate::profile::Profile;
use crate::suggest;
use crate::{CommandError, Io, Status};

use arguments::{COLORS, choice, wrapped};
use usage_error::{missing_command, usage_error};
use values::diagnostic_style;

/// A command of the tool, with the values of its arguments.
trait Subcommand: Sized + 'static {
    /// The name on the command line.
    const NAME: &'static str;

    /// Returns the arguments and the help text, or `None` if this tool does not have the command.
    fn definition(profile: &Profile) -> Option<Command>;

    /// Parses the values of the arguments.
    fn parse(profile: &Profile, matches: &ArgMatches) -> Result<Self, CommandError>;

    /// Runs the command.
    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError>;
}

/// All commands, in the order of the help text.
const COMMANDS: &[CommandEntry] = &[
    CommandEntry::of::<asm::AsmCommand>(),
    CommandEntry::of::<dis::DisCommand>(),
    CommandEntry::of::<explain::ExplainCommand>(),
    CommandEntry::of::<explain_error::ExplainErrorCommand>(),
    CommandEntry::of::<patch::PatchCommand>(),
    CommandEntry::of::<exec::ExecCommand>(),
    CommandEntry::of::<list::ListCommand>(),
    CommandEntry::of::<random::RandomCommand>(),
    CommandEntry::of::<vectors::VectorsCommand>(),
    CommandEntry::of::<verify::VerifyCommand>(),
    CommandEntry::of::<compare::CompareCommand>(),
    CommandEntry::of::<compare::FlipsCommand>(),
    CommandEntry::of::<grammar::GrammarCommand>(),
    #[cfg(feature = "lsp")]
    CommandEntry::of::<lsp::LspCommand>(),
    CommandEntry::of::<manual::ManualCommand>(),
    CommandEntry::of::<export::ExportCommand>(),
    CommandEntry::of::<diff::DiffCommand>(),
    #[cfg(feature = "import")]
    CommandEntry::of::<import::ImportCommand>(),
    CommandEntry::of::<completions::CompletionsCommand>(),
    CommandEntry::of::<man::ManCommand>(),
];

/// A [`Subcommand`] without its type, so that one list can contain all of them.
struct CommandEntry {
    name: &'static str,
    definition: fn(&Profile) -> Option<Command>,
    parse: for<'p> fn(&'p Profile, &ArgMatches) -> Result<ParsedCommand<'p>, CommandError>,
}

/// Runs a command whose arguments have been parsed.
type ParsedCommand<'p> = Box<dyn FnOnce(&mut Streams<'_>) -> Result<(), CommandError> + 'p>;

impl CommandEntry {
    const fn of<S: Subcommand>() -> Self {
        CommandEntry {
            name: S::NAME,
            definition: S::definition,
            parse: |profile, matches| {
                let command = S::parse(profile, matches)?;
                Ok(Box::new(move |streams| command.run(profile, streams)))
            },
        }
    }
}

/// The streams of a command.
struct Streams<'a> {
    stdin: &'a mut dyn Read,
    stdin_is_terminal: bool,
    stdout: &'a mut dyn Write,
    stdout_is_terminal: bool,
    console: Console<'a>,
}

impl Streams<'_> {
    /// Disables progress if the output goes to a terminal. Used by commands that print results before
    /// they have read all input.
    fn stop_progress_on_terminal(&mut self) {
        if self.stdout_is_terminal {
            self.console.stop_progress();
        }
    }
}

/// Runs a tool on its arguments, without the program name.
pub(crate) fn run(profile: &Profile, args: Vec<OsString>, io: Io<'_>) -> Status {
    let Io { stdin, stdout, stderr, color, progress, stdin_is_terminal, stdout_is_terminal } = io;
    let mut console = Console::new(stderr, color, progress);
    console.set_style(DiagnosticStyle::guess(&args));
    let mut streams = Streams { stdin, stdin_is_terminal, stdout, stdout_is_terminal, console };
    let mut own = None;
    let result = parse(profile, &mut own, args)
        .and_then(|(command, style)| {
            streams.console.set_style(style);
            command(&mut streams)
        })
        .and_then(|()| streams.stdout.flush().map_err(CommandError::printing));
    let mut console = streams.console;
    console.release();
    match result {
        Ok(()) | Err(CommandError::Closed) => Status::Success,
        Err(CommandError::Reported) => {
            console.summary();
            Status::Failure
        }
        Err(CommandError::System(message)) => {
            console.message("system", &message);
            Status::Failure
        }
        Err(CommandError::Different) => Status::Failure,
        Err(CommandError::Trouble(message)) => {
            console.message("system", &message);
            Status::Usage
        }
        Err(CommandError::Usage(message)) => {
            console.message("usage", &message);
            Status::Usage
        }
    }
}

/// Parses the arguments after the program name. If the set has features, the tool for the chosen
/// features is stored in `own`.
fn parse<'p>(
    profile: &'p Profile,
    own: &'p mut Option<Profile>,
    args: Vec<OsString>,
) -> Result<(ParsedCommand<'p>, DiagnosticStyle), CommandError> {
    let args = [OsString::from(profile.name)].into_iter().chain(exec::spread_settings(args));
    let mut parser = definition(profile);
    let matches = match parser.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) => {
            let text = usage_error(profile, &error, &parser)?;
            return Ok((print(text), DiagnosticStyle::default()));
        }
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Err(CommandError::Usage(missing_command(profile)));
    };
    let style = diagnostic_style(matches)?;
    let profile = match profile.set.tables.features {
        [] => profile,
        _ => {
            let list = matches.get_one::<String>("features").map(String::as_str);
            let features = list.map(|list| features(profile, list)).transpose()?;
            own.insert(profile.with_features(features))
        }
    };
    let custom = profile.commands.iter().find(|command| command.name == name);
    let command = match (COMMANDS.iter().find(|entry| entry.name == name), custom) {
        (Some(entry), _) => (entry.parse)(profile, matches)?,
        (None, Some(command)) => custom::parse(profile, *command, matches),
        (None, None) => return Err(CommandError::Usage(missing_command(profile))),
    };
    Ok((command, style))
}

/// Parses the value of `--features`.
fn features(profile: &Profile, list: &str) -> Result<FeatureSet, CommandError> {
    let tables = profile.set.tables;
    tables.feature_set(list).map_err(|error| {
        let names = tables.features.iter().map(|feature| feature.name);
        let hint = match error {
            FeatureError::Unknown { name, .. } => suggest::hint(name, names.clone()),
            _ => String::new(),
        };
        let names = names.collect::<Vec<_>>().join(", ");
        CommandError::Usage(format!("--features: {error}{hint}\nthe features are {names}"))
    })
}

/// Returns a command that prints a help text or the version.
fn print(text: String) -> ParsedCommand<'static> {
    Box::new(move |streams| {
        streams.stdout.write_all(text.as_bytes()).map_err(CommandError::printing)
    })
}

/// The layout of a help text.
const HELP: &str = "{about}.\n\nusage: {usage}\n\n{all-args}{after-help}\n";

/// The note in the help text if there is no language server.
const NO_SERVER: &str = match cfg!(feature = "lsp") {
    true => "",
    false => "The command `lsp` requires the feature `lsp`, which this tool was built without.\n\n",
};

/// Returns the definition of the whole command line.
fn definition(profile: &Profile) -> Command {
    let name = profile.name;
    let without = match profile.machine {
        Some(_) => "",
        None => "The command `exec` requires a machine, which this tool does not have.\n\n",
    };
    let without = format!("{without}{NO_SERVER}");
    let tool = Command::new(name)
        .about(profile.about())
        .help_template("{about}.\n\nusage: {usage}\n\n{subcommands}\n\n{options}{after-help}\n")
        .override_usage(format!("{name} COMMAND [ARGUMENTS]"))
        .after_help(format!(
            "{without}`{name} COMMAND --help` describes the options of a command.\n\n\
             Exit status: 0 for success, 1 if the input has errors or a file cannot be read or written,\n\
             2 if the command line is invalid. Diagnostics are printed to standard error. They are\n\
             coloured if it is a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb is set.\n\
             CLICOLOR_FORCE enables colours everywhere, and --color overrides all of these.",
        ))
        .subcommand_required(true)
        .propagate_version(true)
        .args_override_self(true)
        .arg(
            choice("color", COLORS.to_vec(), "Whether to colour diagnostics: auto (default), always, never")
                .value_name("WHEN")
                .global(true),
        );
    let tool = match profile.set.tables.features {
        [] => tool,
        features => {
            let names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
            tool.arg(
                Arg::new("features")
                    .long("features")
                    .value_name("LIST")
                    .allow_hyphen_values(true)
                    .global(true)
                    .help(wrapped(&format!(
                        "The features of the processor, separated by commas: {}; a list that begins \
                         with + or - changes the default",
                        names.join(", ")
                    ))),
            )
        }
    };
    let commands = COMMANDS.iter().filter_map(|entry| (entry.definition)(profile));
    let own = profile.commands.iter().map(|command| custom::definition(profile, command));
    let commands = commands.chain(own);
    let commands = commands.map(|command| command.help_template(HELP).args_override_self(true));
    match profile.version {
        Some(version) => tool.version(version),
        None => tool.propagate_version(false),
    }
    .subcommands(commands)
}

#[cfg(test)]
mod tests {
    use isa_core::machine::Recorder;

    use super::*;
    use crate::Tool;
    use crate::console::color_choice;

    isa_core::define_isa! {
        /// One instruction.
        isa Tiny: u128;
        operand Reg: 8 = isa_core::operand::Reg;
        operand Op: 8 = isa_core::operand::Unsigned<8>;
        opcode NOT {
            encoding { field<8, 8> Op op == 1; field<0, 8> Reg rd; } syntax { NOT Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = !Rd; }
        }
    }

    fn tiny() -> Tool<Tiny> {
        Tool::new("isa").machine(Tiny::executor::<Recorder>).warp::<32>(
            |instruction, lane| instruction.execute(lane),
            |instruction, warp| instruction.execute_warp(warp),
        )
    }

    fn parsed(line: &str) -> Result<(), String> {
        let args = line.split_whitespace().map(OsString::from).collect();
        parse(&tiny().profile, &mut None, args).map(drop).map_err(|error| match error {
            CommandError::Usage(message) => message,
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn the_commands_are_put_together_well() {
        definition(&tiny().profile).debug_assert();
        definition(&Tool::<Tiny>::new("bare").profile).debug_assert();
        let colors = COLORS.iter().filter_map(|when| color_choice(when));
        assert!(colors.eq([true, false]));
    }

    #[test]
    fn wrong_lines_are_explained() {
        for (line, part) in [
            ("", "missing command"),
            ("--color always", "missing command"),
            ("asn", "did you mean `asm`?"),
            ("help asn", "did you mean `asm`?"),
            ("--hlep", "did you mean `--help`?"),
            ("asm --emti hex", "did you mean `--emit`?"),
            ("asm --emit hxe", "did you mean `hex`?"),
            (
                "asm --emit hxe",
                "invalid value for --emit: expected one of hex, bin, listing, found `hxe`",
            ),
            ("asm --emit", "missing value for --emit"),
            ("asm a b", "unexpected argument `b`\nusage: isa asm [FILE]"),
            ("dis -x", "unknown option `-x`"),
            ("dis --strict=1", "strict"),
            ("dis --start-address x", "--start-address: `x` is not a number"),
            ("dis --error-limit many", "expected a number, or 0 for all errors"),
            (
                "asm --color maybe",
                "invalid value for --color: expected one of auto, always, never, found `maybe`",
            ),
            ("explain 1 --asm x", "--asm cannot be used with WORD"),
            ("exec --set", "missing value for --set"),
            ("exec --set R1", "NAME=VALUE"),
            ("exec --set R999=1", "R0 to R254"),
            ("exec --set R1=1 r2=1", "did you mean `R2`?"),
            ("exec --set R1=1 R1=2", "--set: `R1=1` and `R1=2` both set R1"),
            ("exec --set P0=1 --set R1=1 --set=P0=0", "--set: `P0=1` and `P0=0` both set P0"),
            ("exec --set c[0][4]=1 c[0x0][0x4]=1", "`c[0][4]=1` and `c[0x0][0x4]=1` both set"),
            ("exec --warp --set R1=1 R1=lane", "--set: `R1=1` and `R1=lane` both set R1"),
            ("exec --jsonl --trace", "--jsonl cannot be used with --set"),
            ("exec --jsonl --warp", "--jsonl cannot be used with --set"),
            ("exec --set R1=1,2", "R1: a value for each lane requires --warp"),
            ("exec --set R1=lane", "R1: a value for each lane requires --warp"),
            ("exec --wrap", "did you mean `--warp`?"),
            ("explain-error 1 2", "unexpected argument `2`"),
            ("explain-error --all", "unknown option `--all`"),
            ("completions", "SHELL is missing"),
            ("completions bsh", "did you mean `bash`?"),
            ("completions tcsh", "invalid value for SHELL: expected one of bash, zsh"),
            ("man asm", "unexpected argument `asm`"),
            ("diff a.json", "NEW is missing"),
            ("export", "FORMAT is missing"),
            ("export jsn", "did you mean `json`?"),
            ("manual", "FOLDER is missing"),
        ] {
            let message = parsed(line).err().unwrap_or_default();
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
