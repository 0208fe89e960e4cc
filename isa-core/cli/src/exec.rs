//! The command `exec`, which runs code and prints the state that it wrote.
//!
//! If the machine has a program counter, the program is assembled completely, and the counter
//! selects the next instruction. Otherwise each statement is executed as soon as it has been read.

use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::machine::{
    self, Ended, ExecuteError, Executor, Halt, NamedMachine, RegisterFiles, StateLocation,
};
use isa_core::parse::Parsed;
use isa_core::text::Line;

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::elf;
use super::input::Input;
use super::object::MAGIC;
use super::output::Output;
use super::program::Whole;
use super::set::{Set, Word};
use super::settings::{Setting, mask};
use super::source::{self, Visitor};
use super::tool::Profile;

/// The default maximum number of executed instructions.
pub(super) const STEPS: u64 = 1_000_000;

/// The arguments.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) settings: Vec<Setting>,
    pub(super) trace: bool,
    /// Whether all lanes of a warp execute the code.
    pub(super) warp: bool,
    /// The maximum number of executed instructions.
    pub(super) steps: u64,
}

pub(super) fn run(
    profile: &Profile,
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let simulator = if options.warp { &profile.warp } else { &profile.machine };
    let Some(simulator) = simulator else { return Ok(()) };
    let mut input = Input::open(options.input.as_ref(), stdin)?;
    let is_object = input.begins_with(MAGIC, console)?;
    let mut input = Some(input);
    simulator.start(&options.settings, profile.ends, &mut |machine| {
        let Some(input) = input.take() else { return Ok(()) };
        let output = Output::stdout();
        let mut run = Run {
            set: profile.set,
            machine,
            trace: options.trace,
            output,
            offset: 0,
            has_ended: false,
        };
        if options.trace {
            run.machine.state().start_trace();
        }
        match Whole::is_needed(profile) || simulator.has_counter() {
            _ if is_object => elf::execute(profile, input, options.steps, &mut run, console)?,
            true => run.whole(profile, input, options.steps, console)?,
            false => source::read_file(profile.set, input, &mut run, console)?,
        }
        let places = run.machine.state().written();
        let text = show_places(&*run.machine.state(), &places, "");
        if options.trace && !text.is_empty() {
            run.output.put(b"\n")?;
        }
        run.output.put(text.as_bytes())?;
        run.output.commit(stdout)
    })
}

/// A program during execution.
pub(super) struct Run<'m> {
    set: Set,
    machine: &'m mut dyn Executor,
    trace: bool,
    output: Output,
    /// The address of the next word.
    offset: u64,
    /// Whether the program has ended. Later statements are then not executed.
    has_ended: bool,
}

impl Visitor for Run<'_> {
    fn visit(
        &mut self,
        statement: &Parsed,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        if self.has_ended {
            return Ok(());
        }
        let word = Word { word: statement.word(), bits: self.set.0.bits };
        let bytes = self.set.bytes_of(word);
        let executed = self.machine.execute(&bytes[..word.bytes()]);
        self.has_ended = executed.as_ref().is_err_and(|fault| self.machine.is_end(fault));
        match executed {
            Err(fault) if !self.has_ended => {
                refuse(&fault, statement.span().clone(), chunk, console);
            }
            _ if self.trace => self.print_trace(word)?,
            _ => {}
        }
        self.offset += word.bytes() as u64;
        Ok(())
    }
}

/// Returns the code, title and label of the error for a trap or an invalid instruction.
pub(super) fn described(fault: &ExecuteError) -> (&'static str, String, &'static str) {
    match fault {
        ExecuteError::NoInstruction(error) => {
            ("no-instruction", format!("this cannot be executed: {error}"), "no instruction")
        }
        fault => ("trap", format!("this stops the machine: {fault}"), ""),
    }
}

/// Returns the title and help for a program that does not end within `steps` instructions.
pub(super) fn endless(steps: u64) -> (String, Vec<String>) {
    let title = format!("the program goes on behind {steps} instructions");
    (title, vec!["`--steps N` lets it execute more".to_owned()])
}

/// Reports a trap or an invalid instruction.
fn refuse(
    fault: &ExecuteError,
    span: core::ops::Range<usize>,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
) {
    let (code, title, label) = described(fault);
    console.report(&chunk.diagnostic(code, span, title, label.into(), vec![]));
}

impl Run<'_> {
    /// Assembles the whole program and runs it.
    fn whole(
        &mut self,
        profile: &Profile,
        input: Input<'_>,
        steps: u64,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        let origin = self.machine.state().next().unwrap_or_default();
        let whole = Whole::read(profile, input, Some(origin), console)?;
        let code = [(origin, whole.program.bytes.as_slice())];
        if let Err((address, fault)) = self.run(origin, &code, steps)? {
            let span = whole.statement(address).map_or(0..0, |statement| statement.span.clone());
            let mut chunk = whole.chunk();
            match fault {
                Halt::Error(fault) => refuse(&fault, span, &mut chunk, console),
                Halt::Endless => {
                    let (title, help) = endless(steps);
                    console.report(&chunk.diagnostic("endless", span, title, String::new(), help));
                }
            }
            return Err(Stop::Reported);
        }
        Ok(())
    }

    /// Stores data in the memory of the machine.
    #[cfg(feature = "elf")]
    pub(super) fn load(&mut self, address: u64, bytes: &[u8]) {
        self.machine.state().load_program(address, bytes);
    }

    /// Runs code at the given addresses, starting at `entry`.
    pub(super) fn run(
        &mut self,
        entry: u64,
        code: &[(u64, &[u8])],
        steps: u64,
    ) -> Result<Ended, Stop> {
        let set = self.set;
        machine::run_parts(set.0, self.machine, (entry, code), steps, &mut |machine, at, bytes| {
            if !self.trace {
                return Ok(());
            }
            let text = trace_text(set, at, set.word_of(bytes), machine);
            self.output.put(text.as_bytes())
        })
    }

    /// Prints the word and its effects.
    fn print_trace(&mut self, word: Word) -> Result<(), Stop> {
        let text = trace_text(self.set, self.offset, word, self.machine);
        self.output.put(text.as_bytes())
    }
}

/// Returns a word as in a listing, followed by its effects.
fn trace_text(set: Set, address: u64, word: Word, machine: &mut dyn Executor) -> String {
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

/// Formats registers and memory with their values, on lines that begin with `indent`. If there are
/// several lanes, a register is printed as a table, and a flag as a mask.
fn show_places(state: &dyn NamedMachine, places: &[StateLocation], indent: &str) -> String {
    let (files, lanes) = (state.files(), state.lanes());
    let mut text = String::new();
    for &place in places {
        let (name, bits) = (files.name(place), files.bits(place));
        let is_common = files.file(place).is_none_or(|file| file.is_common());
        let value = match bits {
            _ if lanes == 1 || is_common => files.show(place, state.get(place, 0)),
            1 => {
                let bits = (0..lanes).map(|lane| state.get(place, lane) << lane);
                mask(lanes, bits.fold(0, |mask, bit| mask | bit))
            }
            _ => {
                let row: Vec<u128> = (0..lanes).map(|lane| state.get(place, lane)).collect();
                text += &format!("{indent}{name}\n{}", table(&row, bits, indent));
                continue;
            }
        };
        text += &format!("{indent}{name} = {value}\n");
    }
    text
}

/// Formats the values of a register in all lanes. Each line contains eight values after the index of
/// their first lane.
fn table(row: &[u128], bits: u32, indent: &str) -> String {
    let (mut text, digits) = (String::new(), bits.div_ceil(4) as usize);
    for (line, values) in row.chunks(8).enumerate() {
        text += &format!("{indent}{:4} ", line * 8);
        for &value in values {
            text += &format!(" 0x{value:0digits$x}");
        }
        text.push('\n');
    }
    text
}
