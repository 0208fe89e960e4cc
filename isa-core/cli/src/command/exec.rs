//! The command `exec`, which runs code and prints the state that it wrote.
//!
//! If the machine has a program counter, the program is assembled completely, and the counter
//! selects the next instruction. Otherwise each statement is executed as soon as it has been read.

mod jsonl;
pub(in crate::command) mod request;

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Command};
use isa_core::machine::{Ended, Executor, RegisterFile, RegisterFiles, StateLocation, run_each};
use isa_core::parse::Parsed;
use isa_core::text::Line;

use crate::CommandError;
use crate::console::Console;
use crate::elf;
use crate::gdb;
use crate::input::{Chunk, Input};
use crate::output::Output;
use crate::profile::Profile;
use crate::program::{self, ParsedProgram};
use crate::set::{SizedWord, ToolSet};
use crate::simulator::{HaltMessage, Setting, Simulator, mask, sample_mask, show_places, titles};

use super::arguments::{
    DIAGNOSTIC_KEYS, PARAGRAPH_WIDTH, file_argument, filled, flag, joined, with_diagnostic_options,
    wrapped,
};
use super::usage_error::missing_command;
use super::values::{is_set, number, path, text, texts};
use super::{Streams, Subcommand};

/// The command `exec`, if the tool has a machine.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ExecCommand {
    input: Option<OsString>,
    /// Whether each line of the input is a request with its own state. No other option applies then.
    jsonl: bool,
    settings: Vec<Setting>,
    trace: bool,
    /// Whether all lanes of a warp execute the code.
    warp: bool,
    /// The maximum number of executed instructions.
    steps: u64,
    /// The port at which the program waits for gdb.
    gdb: Option<u16>,
}

impl Subcommand for ExecCommand {
    const NAME: &'static str = "exec";

    fn definition(profile: &Profile) -> Option<Command> {
        let machine = profile.machine.as_ref()?;
        let (name, samples) = (profile.name, profile.samples());
        let warp = profile.warp.as_ref();
        let steps = if machine.has_counter() { " [--steps N]" } else { "" };
        let option = if warp.is_some() { " [--warp]" } else { "" };
        let mut command = Command::new(Self::NAME)
            .about(match machine.has_counter() {
                true => "Executes a program",
                false => "Executes straight-line code",
            })
            .override_usage(format!(
                "{name} exec [FILE] [--set NAME=VALUE ...] [--trace | --gdb PORT]{option}{steps} | \
                 {name} exec --jsonl [FILE]",
            ))
            .arg(file_argument(input_help(profile)))
            .arg(
                Arg::new("set")
                    .long("set")
                    .value_name("NAME=VALUE")
                    .action(ArgAction::Append)
                    .help(wrapped(&set_help(machine))),
            )
            .arg(flag("trace", "Prints each executed word as in a listing, with the values that it reads and writes"));
        if let Some(warp) = warp {
            command = command.arg(flag("warp", &warp_help(warp)));
        }
        if machine.has_counter() {
            command = command.arg(
                Arg::new("steps")
                    .long("steps")
                    .value_name("N")
                    .allow_negative_numbers(true)
                    .help(wrapped("Stops with an error after N instructions (default: no limit)")),
            );
        }
        command = command.arg(
            Arg::new("gdb").long("gdb").value_name("PORT").allow_negative_numbers(true).help(wrapped(
                "Waits for the debugger gdb at this port of this computer, or at a free port if it is 0, and \
                 prints the address to standard error. In gdb, `monitor NAME` and `monitor NAME=VALUE` \
                 access each place that --set accepts",
            )),
        );
        let order = titles(machine.files, RegisterFile::is_written).join(", ");
        let command = command
            .arg(flag("jsonl", "Reads one request per line and prints one answer per line, in the same order"))
            .after_help(format!(
                "{}\n\n\
                 Example of a request:\n    \
                 {}\n\
                 `state` is optional; values are strings as for --set, integers, or true and false.\n\
                 The answer:\n    \
                 {}\n\
                 {}\n\n{DIAGNOSTIC_KEYS}",
                machine.placement() + &output_help(warp, &samples.written),
                samples.request,
                samples.answer,
                filled(
                    &format!(
                        "It contains all written state ({order}, in ascending order). If a request has an error, the \
                         answer is {{\"error\": \"...\"}}. Empty lines have no answer. Errors in requests do not change the exit status."
                    ),
                    PARAGRAPH_WIDTH
                ),
            ));
        Some(with_diagnostic_options(command))
    }

    fn parse(profile: &Profile, matches: &ArgMatches) -> Result<Self, CommandError> {
        let (input, texts) = (path(matches, "file"), texts(matches, "set"));
        let [trace, jsonl, warp] = ["trace", "jsonl", "warp"].map(|name| is_set(matches, name));
        let (steps, gdb) = (number(matches, "steps")?, port(matches)?);
        if gdb.is_some() {
            let others = [("--jsonl", jsonl), ("--trace", trace), ("--steps", steps.is_some())];
            if let Some((other, _)) = others.into_iter().find(|(_, is_set)| *is_set) {
                return Err(CommandError::Usage(format!("--gdb cannot be used with {other}")));
            }
        }
        let with_warp = |last: &str| match profile.warp {
            Some(_) => format!("--set, --trace{last} --warp"),
            None => format!("--set{last} --trace"),
        };
        if jsonl {
            if trace || warp || !texts.is_empty() {
                let others = with_warp(" or");
                let message =
                    format!("--jsonl cannot be used with {others}: each request has its own state");
                return Err(CommandError::Usage(message));
            }
            return Ok(ExecCommand { input, jsonl, ..ExecCommand::default() });
        }
        let machine = if warp { &profile.warp } else { &profile.machine };
        let Some(machine) = machine else {
            return Err(CommandError::Usage(missing_command(profile)));
        };
        let example = profile.samples().setting;
        let settings = texts.iter().map(|text| {
            let wrong = |reason| CommandError::Usage(format!("--set {text}: {reason}"));
            Setting::parse(machine, text, &example).map_err(wrong)
        });
        let settings: Vec<Setting> = settings.collect::<Result<_, _>>()?;
        let places =
            settings.iter().zip(&texts).map(|(setting, text)| (setting.place, text.as_str()));
        machine
            .files
            .distinct(places)
            .map_err(|error| CommandError::Usage(format!("--set: {error}")))?;
        let steps = steps.unwrap_or(u64::MAX);
        Ok(ExecCommand { input, jsonl, settings, trace, warp, steps, gdb })
    }

    fn run(&self, profile: &Profile, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Streams { stdin, stdout, console, .. } = streams;
        if self.jsonl {
            return jsonl::run(profile, self.input.as_ref(), *stdin, *stdout, console);
        }
        let simulator = if self.warp { &profile.warp } else { &profile.machine };
        let Some(simulator) = simulator else { return Ok(()) };
        let mut input = Input::open(self.input.as_ref(), stdin)?;
        let is_object = input.begins_with(elf::MAGIC, console)?;
        let mut input = Some(input);
        simulator.start(&self.settings, profile.processor(), &mut |machine| {
            let Some(input) = input.take() else { return Ok(()) };
            let output = Output::stdout();
            let mut run = ProgramRun {
                set: profile.set,
                machine,
                gdb: self.gdb.map(|port| (port, simulator)),
                trace: self.trace,
                output,
                offset: 0,
                has_ended: false,
            };
            if self.trace {
                run.machine.state().start_trace();
            }
            let is_program = simulator.has_counter() || self.gdb.is_some();
            match program::needs_all_text(profile) || is_program {
                _ if is_object => run.object(profile, input, self.steps, console)?,
                true => run.program(profile, input, self.steps, console)?,
                false => run.statements(profile, input, console)?,
            }
            let places = run.machine.state().written();
            let text = show_places(&*run.machine.state(), &places, "");
            if self.trace && !text.is_empty() {
                run.output.put(b"\n")?;
            }
            run.output.put(text.as_bytes())?;
            run.output.commit(stdout)
        })
    }
}

/// Parses the value of `--gdb`.
fn port(matches: &ArgMatches) -> Result<Option<u16>, CommandError> {
    let port = text(matches, "gdb").map(|text| {
        text.parse().map_err(|_| {
            CommandError::Usage(format!(
                "invalid value for --gdb: expected a port from 0 to 65535, found `{text}`"
            ))
        })
    });
    port.transpose()
}

/// Returns the description of the input, for the help text.
fn input_help(profile: &Profile) -> &'static str {
    match elf::is_supported(profile) {
        true => {
            "The assembly file, or an ELF program at fixed addresses; - or no FILE means standard input"
        }
        false => "The assembly file; - or no FILE means standard input",
    }
}

/// Returns the help text of `--set`.
fn set_help(machine: &Simulator) -> String {
    let files = machine.files.0;
    let names = files.iter().map(RegisterFile::all).collect::<Vec<_>>().join(", ");
    let names = joined(names.split(", ").map(str::to_owned).collect(), "or");
    let flags = files.iter().find(|file| file.is_flags());
    let (zero, truths) = match flags {
        Some(file) => ("0 or false", format!(" {}s accept true, false, 1 and 0.", file.one())),
        None => ("0", String::new()),
    };
    let end = if truths.is_empty() { "." } else { ";" };
    format!(
        "Sets the initial value of {names} (default {zero}), decimal or hexadecimal \
         with 0x{end}{truths} You can write several settings after one --set",
    )
}

/// Returns the help text of `--warp`.
fn warp_help(warp: &Simulator) -> String {
    let (files, lanes) = (warp.files.0, warp.lanes);
    let own = files.iter().filter(|file| !file.is_common());
    let own = own.map(|file| format!("{}s", file.one().rsplit(' ').next().unwrap_or_default()));
    let (own, common) = (joined(own.collect(), "and"), titles(warp.files, RegisterFile::is_common));
    let common = joined(common, "and");
    let flag = files.iter().find(|file| file.is_flags());
    let masks = flag.map_or(String::new(), |file| {
        format!(
            "; a {} also accepts a mask in hexadecimal with 0x, in which bit 0 is lane 0",
            file.one()
        )
    });
    format!(
        "Executes in {lanes} lanes with separate {own}; all lanes share {common}. A value for --set \
         is one value for all lanes, a list of {lanes} values separated by commas, lane 0 first, or `lane` for \
         the lane's index{masks}. A trace contains only the values that each word writes"
    )
}

/// Small numbers as words.
const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

/// Returns the help text about the registers and flags that `exec` prints at the end.
fn output_help(warp: Option<&Simulator>, written: &str) -> String {
    let Some(warp) = warp else {
        return format!("Prints the state that was written, for example `{written}`.");
    };
    let number = warp.lanes.div_ceil(8);
    let number = NUMBERS.get(number).map_or_else(|| number.to_string(), ToString::to_string);
    let mut own = warp.files.0.iter().filter(|file| !file.is_common());
    let rows = own.clone().find(|file| !file.is_flags()).map_or("", RegisterFile::one);
    let masks = own.find(|file| file.is_flags()).map_or(String::new(), |file| {
        let sample = mask(warp.lanes, sample_mask(warp.lanes));
        format!(", and a {} as a mask: `{}0 = {sample}`", file.one(), file.title())
    });
    let text = format!(
        "Prints the state that was written, for example `{written}`. With --warp, a {rows} is printed as \
         its name and {number} lines of eight lanes{masks}."
    );
    filled(&text, PARAGRAPH_WIDTH)
}

/// Inserts `--set` before each additional setting that follows one `--set`.
pub(crate) fn spread_settings(args: Vec<OsString>) -> Vec<OsString> {
    let mut spread = Vec::with_capacity(args.len());
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        let is_set = arg == "--set";
        let has_value = arg.to_str().is_some_and(|arg| arg.starts_with("--set="));
        let ends = arg == "--";
        spread.push(arg);
        if ends {
            break;
        }
        if !is_set && !has_value {
            continue;
        }
        if is_set {
            spread.extend(args.next());
        }
        let is_setting = |arg: &OsString| arg.to_str().is_some_and(looks_like_setting);
        while let Some(setting) = args.next_if(is_setting) {
            spread.push("--set".into());
            spread.push(setting);
        }
    }
    spread.extend(args);
    spread
}

/// Returns whether an argument after a setting is another setting: a short word or a memory
/// location, followed by `=`.
fn looks_like_setting(argument: &str) -> bool {
    let Some((name, _)) = argument.split_once('=') else {
        return false;
    };
    let is_word =
        |name: &str| name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match name.split_once('[') {
        Some((name, _)) => !name.is_empty() && is_word(name),
        None => is_word(name),
    }
}

/// The number of zeros after data that are loaded. If a program has more, their memory is allocated when it
/// writes to them.
const MAX_ZEROS: u64 = 32 << 20;

/// A program during execution.
struct ProgramRun<'m> {
    set: ToolSet,
    machine: &'m mut dyn Executor,
    /// The port of the debugger, and the properties of the machine.
    gdb: Option<(u16, &'m Simulator)>,
    trace: bool,
    output: Output,
    /// The address of the next word.
    offset: u64,
    /// Whether the program has ended. Later statements are then not executed.
    has_ended: bool,
}

impl ProgramRun<'_> {
    /// Executes each statement as soon as it has been read.
    fn statements(
        &mut self,
        profile: &Profile,
        input: Input<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        program::for_each_statement(profile.set, input, console, |statement, chunk, console| {
            self.statement(statement, chunk, console)
        })
    }

    fn statement(
        &mut self,
        statement: &Parsed,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        if self.has_ended {
            return Ok(());
        }
        let word = SizedWord { word: statement.word(), bits: self.set.tables.bits };
        let bytes = self.set.bytes_of(word);
        let executed = self.machine.execute(&bytes[..word.bytes()]);
        self.has_ended = executed.as_ref().is_err_and(|fault| self.machine.is_end(fault));
        match executed {
            Err(fault) if !self.has_ended => {
                report(HaltMessage::of_trap(&fault), statement.span().clone(), chunk, console);
            }
            _ if self.trace => self.print_trace(word)?,
            _ => {}
        }
        self.offset += word.bytes() as u64;
        Ok(())
    }

    /// Assembles the whole program and runs it.
    fn program(
        &mut self,
        profile: &Profile,
        input: Input<'_>,
        steps: u64,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        let origin = self.machine.state().next();
        let parsed = ParsedProgram::read(profile, input, Some(origin), console)?;
        self.machine.state().load_program(origin, &parsed.program.bytes);
        let Err((address, halt)) = self.run(profile, steps, console)? else { return Ok(()) };
        let span = parsed.statement(address).map_or(0..0, |statement| statement.span.clone());
        report(HaltMessage::of_halt(&halt, steps), span, &mut parsed.chunk(), console);
        Err(CommandError::Reported)
    }

    /// Loads and runs an ELF file.
    fn object(
        &mut self,
        profile: &Profile,
        input: Input<'_>,
        steps: u64,
        console: &mut Console<'_>,
    ) -> Result<(), CommandError> {
        elf::execute(profile, input, steps, console, &mut |program, console| {
            let state = self.machine.state();
            let mut left = MAX_ZEROS;
            for &(address, bytes, zeros) in &program.data {
                let zeros = if zeros <= left { zeros } else { 0 };
                left -= zeros;
                state.load_data(address, bytes, zeros as usize);
            }
            for &(address, bytes) in &program.code {
                state.load_program(address, bytes);
            }
            state.begin(program.entry, program.entry);
            self.run(profile, steps, console)
        })
    }

    /// Runs the loaded program.
    fn run(
        &mut self,
        profile: &Profile,
        steps: u64,
        console: &mut Console<'_>,
    ) -> Result<Ended, CommandError> {
        if let Some((port, simulator)) = self.gdb {
            return gdb::debug(profile, simulator, self.machine, port, console);
        }
        if !self.trace {
            return Ok(self.machine.run(steps));
        }
        let set = self.set;
        run_each(set.tables, self.machine, steps, &mut |machine, at, bytes| {
            let text = trace_text(set, at, set.word_of(bytes), machine);
            self.output.put(text.as_bytes())
        })
    }

    /// Prints the word and its effects.
    fn print_trace(&mut self, word: SizedWord) -> Result<(), CommandError> {
        let text = trace_text(self.set, self.offset, word, self.machine);
        self.output.put(text.as_bytes())
    }
}

/// Reports the reason why a program stopped.
fn report(
    message: HaltMessage,
    span: core::ops::Range<usize>,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
) {
    let HaltMessage { code, title, label, help } = message;
    console.report(&chunk.diagnostic(code, span, title, label.into(), help));
}

/// Returns a word as in a listing, followed by its effects.
fn trace_text(set: ToolSet, address: u64, word: SizedWord, machine: &mut dyn Executor) -> String {
    let mut line = Line::new();
    set.print_place(address, word, &mut line);
    // The word has been executed, so it is a valid instruction.
    if let Ok(opcode) = set.decode(word) {
        opcode.print(word.word, &mut line);
    }
    let state = machine.state();
    let (files, trace) = (state.files(), state.take_trace());
    if state.lanes() > 1 {
        let places: Vec<StateLocation> = trace.writes.into_iter().map(|(place, _)| place).collect();
        return match show_places(state, &places, "    ").as_str() {
            "" => format!("{line}\n    writes nothing\n"),
            text => format!("{line}\n{text}"),
        };
    }
    let (reads, writes) = (list(files, &trace.reads), list(files, &trace.writes));
    format!("{line}\n    reads   {reads}\n    writes  {writes}\n")
}

fn list(files: RegisterFiles, entries: &[(StateLocation, u128)]) -> String {
    if entries.is_empty() {
        return "nothing".into();
    }
    let entries = entries
        .iter()
        .map(|&(place, value)| format!("{} = {}", files.name(place), files.show(place, value)));
    entries.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use isa_core::machine::Recorder;

    use super::*;
    use crate::Tool;

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

    fn parsed(line: &str) -> Option<ExecCommand> {
        let tool = Tool::new("isa").machine(Tiny::executor::<Recorder>);
        let parser = ExecCommand::definition(&tool.profile)?;
        let args = spread_settings(line.split_whitespace().map(OsString::from).collect());
        ExecCommand::parse(&tool.profile, &parser.try_get_matches_from(args).ok()?).ok()
    }

    #[test]
    fn settings_end_at_the_file() {
        let setting = |name| Setting::new(Recorder::FILES.place(name).unwrap(), 1);
        let expected = ExecCommand {
            input: Some("code.s".into()),
            settings: ["R1", "c[0][4]", "P0"].map(setting).into(),
            trace: false,
            warp: false,
            steps: u64::MAX,
            jsonl: false,
            gdb: None,
        };
        for line in [
            "exec --set R1=1 c[0][4]=1 P0=1 code.s",
            "exec code.s --set R1=1 --set c[0][4]=1 --set=P0=1",
            "exec --set=R1=1 c[0][4]=1 --set P0=1 code.s",
            "exec --set R1=1 c[0][4]=1 --set P0=true -- code.s",
        ] {
            assert_eq!(parsed(line).as_ref(), Some(&expected), "{line}");
        }
    }
}
