//! A common interface to the machines of a tool, and values of their registers and memory as text: in
//! `--set`, in requests, and in output. Only this file contains code that is generic over the machine and
//! the set, because such code is compiled again for each machine and set.

use std::collections::BTreeSet;
use std::rc::Rc;

use isa_core::Isa;
use isa_core::machine::{
    Ended, ExecuteError, ExecuteWord, Executor, Halt, Machine, NamedMachine, NamedWarp, Outcome,
    RegisterFiles, Simulation, State, StateLocation, Warp, fetch, number, run_each,
};
use isa_core::table::FeatureSet;

use crate::CommandError;

/// A function that is called with a machine after its initial values are set.
pub(crate) type MachineCallback<'b> =
    &'b mut dyn FnMut(&mut dyn Executor) -> Result<(), CommandError>;

/// Creates a machine, sets its initial values, and calls the function with it.
type StartMachine = dyn Fn(&[Setting], Processor, MachineCallback<'_>) -> Result<(), CommandError>;

/// The properties of a machine that do not depend on its type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Processor {
    pub(crate) ends: Ends,
    /// The features, if the user chose some.
    pub(crate) features: Option<FeatureSet>,
}

impl Processor {
    fn features_of<I: Isa>(self) -> FeatureSet {
        self.features.unwrap_or(I::SET.enabled)
    }
}

/// Returns whether a trap with this text ends the program.
pub(crate) type Ends = fn(&str) -> bool;

/// Creates a machine of one type.
#[derive(Clone)]
pub(crate) struct Simulator {
    pub(crate) files: RegisterFiles,
    pub(crate) lanes: usize,
    start: Rc<StartMachine>,
}

impl Simulator {
    /// Calls `body` with a machine that has the initial values in `settings`.
    pub(crate) fn start(
        &self,
        settings: &[Setting],
        processor: Processor,
        body: MachineCallback<'_>,
    ) -> Result<(), CommandError> {
        (self.start)(settings, processor, body)
    }

    /// Returns whether the machine has a program counter.
    pub(crate) fn has_counter(&self) -> bool {
        self.files.0.iter().any(isa_core::machine::RegisterFile::is_counter)
    }

    /// Returns the help about the address of a program in text form, or an empty text if the
    /// machine has no program counter.
    pub(crate) fn placement(&self) -> String {
        let counter = self.files.0.iter().find(|file| file.is_counter());
        counter.map_or_else(String::new, |file| {
            let pc = file.all();
            format!(
                "A program of assembly text is loaded and starts at {pc}. For example, --set {pc}=0x40 loads it\n\
                 at address 0x40.\n\n"
            )
        })
    }

    /// Creates a simulator whose machines execute instructions with the functions that `executor`
    /// returns.
    pub(crate) fn of<I: Isa, M: NamedMachine + Default + 'static, O: Outcome + 'static>(
        executor: fn(I) -> ExecuteWord<I::Word, M, O>,
    ) -> Self {
        let start = move |settings: &[Setting], processor: Processor, body: MachineCallback<'_>| {
            let mut machine = M::default();
            set_initial_values(settings, &mut machine);
            let features = processor.features_of::<I>();
            body(&mut Simulation::new(machine, executor).ends(processor.ends).features(features))
        };
        Simulator { files: M::default().files(), lanes: 1, start: Rc::new(start) }
    }

    /// Creates a simulator of a warp with `N` lanes. `one` executes in a single lane, to record the
    /// registers that are written. `all` executes in all lanes.
    pub(crate) fn of_lanes<I: Isa, const N: usize>(
        one: impl Fn(I, &mut dyn Machine) + 'static,
        all: impl Fn(I, &mut Warp<'_, N>) + 'static,
    ) -> Self {
        let files = NamedWarp::<N>::default().files();
        let start = move |settings: &[Setting], processor: Processor, body: MachineCallback<'_>| {
            let banks = constant_banks(files, settings);
            let mut state = NamedWarp::<N>::default();
            for (number, bank) in (0..).zip(&banks) {
                state.warp.set_bank(number, bank);
            }
            set_initial_values(settings, &mut state);
            let (one, all) = (&one, &all);
            let features = processor.features_of::<I>();
            let (breakpoints, isa) = (BTreeSet::new(), core::marker::PhantomData);
            body(&mut WarpExecutor { state, one, all, features, breakpoints, isa })
        };
        Simulator { files, lanes: N, start: Rc::new(start) }
    }
}

impl core::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Simulator").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

/// Sets the initial values of a machine.
pub(crate) fn set_initial_values(settings: &[Setting], machine: &mut dyn NamedMachine) {
    for setting in settings {
        for lane in 0..machine.lanes() {
            machine.set(setting.place, lane, setting.value(lane));
        }
    }
}

/// Returns the bytes of constant memory, up to the last byte that is set in each bank.
fn constant_banks(files: RegisterFiles, settings: &[Setting]) -> [Vec<u8>; State::BANKS] {
    let mut banks = [const { Vec::new() }; State::BANKS];
    for setting in settings {
        let StateLocation { start, length, .. } = setting.place;
        let Some((_, size)) = files.file(setting.place).and_then(|file| file.bank_sizes()) else {
            continue;
        };
        let (bank, from) = ((start / size) as usize, (start % size) as usize);
        let Some(bank) = banks.get_mut(bank) else { continue };
        let to = from + length as usize;
        bank.resize(bank.len().max(to), 0);
        bank[from..to].copy_from_slice(&setting.value(0).to_le_bytes()[..length as usize]);
    }
    banks
}

/// A machine with several lanes.
struct WarpExecutor<'e, 'c, I, One, All, const N: usize> {
    state: NamedWarp<'c, N>,
    one: &'e One,
    all: &'e All,
    features: FeatureSet,
    breakpoints: BTreeSet<u64>,
    isa: core::marker::PhantomData<fn() -> I>,
}

impl<I, One, All, const N: usize> Executor for WarpExecutor<'_, '_, I, One, All, N>
where
    I: Isa,
    One: Fn(I, &mut dyn Machine),
    All: Fn(I, &mut Warp<'_, N>),
{
    fn state(&mut self) -> &mut dyn NamedMachine {
        &mut self.state
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        let instruction = fetch(self.features, bytes)?;
        self.state.take_noted();
        for lane in 0..N {
            (self.one)(instruction, &mut self.state.note(lane));
            // Every lane that writes at all writes all outputs of the word, so the first lane that
            // writes is enough.
            if self.state.has_noted() {
                break;
            }
        }
        (self.all)(instruction, &mut self.state.warp);
        Ok(())
    }

    fn run(&mut self, steps: u64) -> Ended {
        let breakpoints = core::mem::take(&mut self.breakpoints);
        let ended = run_each(I::SET, self, steps, &mut |machine, _, _| {
            let next = machine.state().next();
            if breakpoints.contains(&next) { Err((next, Halt::Endless)) } else { Ok(()) }
        });
        self.breakpoints = breakpoints;
        ended.unwrap_or_else(Err)
    }

    fn add_breakpoint(&mut self, address: u64) -> bool {
        self.breakpoints.insert(address);
        true
    }

    fn remove_breakpoint(&mut self, address: u64) -> bool {
        self.breakpoints.remove(&address)
    }
}

/// Returns the names of the register files that `choose` selects, for a sentence: `R, UR, P`.
pub(crate) fn titles(
    files: RegisterFiles,
    choose: impl Fn(&isa_core::machine::RegisterFile) -> bool,
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let titles = files.0.iter().filter(|file| choose(file)).map(|file| file.title());
    titles.filter(|title| seen.insert(title.clone())).collect()
}

/// The message about a program that stopped with an error.
pub(crate) struct HaltMessage {
    pub(crate) code: &'static str,
    pub(crate) title: String,
    /// A short message about the instruction in a text.
    pub(crate) label: &'static str,
    pub(crate) help: Vec<String>,
}

impl HaltMessage {
    /// Describes a trap or an invalid instruction.
    pub(crate) fn of_trap(fault: &ExecuteError) -> Self {
        let (code, title, label) = match fault {
            ExecuteError::NoInstruction(error) => (
                "no-instruction",
                format!("cannot execute this instruction: {error}"),
                "invalid instruction",
            ),
            fault => ("trap", format!("trap: {fault}"), ""),
        };
        HaltMessage { code, title, label, help: Vec::new() }
    }

    /// Describes the reason why a program stopped that may execute `steps` instructions.
    pub(crate) fn of_halt(halt: &Halt, steps: u64) -> Self {
        match halt {
            Halt::Error(fault) => HaltMessage::of_trap(fault),
            Halt::Endless => HaltMessage {
                code: "endless",
                title: format!("the program has not ended after {steps} instructions"),
                label: "",
                help: vec!["increase the limit with `--steps N`".to_owned()],
            },
        }
    }
}

/// The initial value of a register or memory location.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) place: StateLocation,
    /// One value for all lanes, or one value for each lane.
    values: Vec<u128>,
}

impl Setting {
    /// Creates a setting with the same value for all lanes.
    pub(crate) fn new(place: StateLocation, value: u128) -> Self {
        Setting { place, values: vec![value] }
    }

    pub(crate) fn value(&self, lane: usize) -> u128 {
        let value = self.values.get(lane).or(self.values.first());
        value.copied().unwrap_or_default()
    }

    /// Parses `R1=0x3c003c00`. If the machine has several lanes, the value may also be a list with one
    /// value for each lane.
    pub(crate) fn parse(machine: &Simulator, text: &str, example: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("expected NAME=VALUE, for example {example}"))?;
        let place = machine.files.place(name).map_err(|error| error.to_string())?;
        if machine.lanes > 1 {
            return lanes(machine, place, value).map(|values| Setting { place, values });
        }
        if value == "lane" || value.contains(',') {
            let name = machine.files.name(place);
            return Err(format!("{name}: a value for each lane requires --warp"));
        }
        parse_value(machine.files, place, value).map(|value| Setting::new(place, value))
    }
}

/// Parses the value of a register or memory location.
pub(crate) fn parse_value(
    files: RegisterFiles,
    place: StateLocation,
    text: &str,
) -> Result<u128, String> {
    files.value(place, text).map_err(|reason| format!("{}: {reason}", files.name(place)))
}

/// Parses one value for all lanes, a list with one value for each lane, the word `lane`, or the mask of
/// a flag.
fn lanes(machine: &Simulator, place: StateLocation, text: &str) -> Result<Vec<u128>, String> {
    let Simulator { files, lanes, .. } = *machine;
    let name = files.name(place);
    let wrong = |reason: String| format!("{name}: {reason}");
    let is_common = files.file(place).is_none_or(|file| file.is_common());
    let is_flag = files.is_flag(place);
    let noun = files.file(place).map_or("", |file| file.one());
    match text {
        _ if is_common && (text == "lane" || text.contains(',')) => {
            Err(wrong("expected one value, because all lanes share this register".into()))
        }
        "lane" if is_flag => Err(wrong(format!("a {noun} cannot contain a lane index"))),
        "lane" => Ok((0..lanes as u128).collect()),
        _ if text.contains(',') => list(machine, place, text),
        _ if is_flag && text.starts_with("0x") => {
            let mask = number(text, lanes as u32).map_err(|error| wrong(error.to_string()))?;
            Ok((0..lanes).map(|lane| mask >> lane & 1).collect())
        }
        _ => match parse_value(files, place, text) {
            Ok(value) => Ok(vec![value]),
            Err(reason) if is_flag => Err(format!(
                "{reason}; a mask such as {} is also valid",
                mask(lanes, sample_mask(lanes))
            )),
            Err(reason) => Err(reason),
        },
    }
}

/// Parses a list with one value for each lane.
fn list(machine: &Simulator, place: StateLocation, text: &str) -> Result<Vec<u128>, String> {
    let Simulator { files, lanes, .. } = *machine;
    let name = files.name(place);
    let texts = text.split(',').map(str::trim).enumerate();
    let read = |(lane, text)| {
        files.value(place, text).map_err(|reason| format!("{name}, lane {lane}: {reason}"))
    };
    let values: Vec<u128> = texts.map(read).collect::<Result<_, _>>()?;
    let count = values.len();
    match count == lanes {
        true => Ok(values),
        false => Err(format!("{name}: expected one value or {lanes} values, found {count}")),
    }
}

/// Formats a mask with one bit for each lane, if there are several lanes.
pub(crate) fn mask(lanes: usize, mask: u128) -> String {
    format!("0x{mask:0digits$x}", digits = lanes.div_ceil(4))
}

/// Returns an example mask for messages, which contains the lower half of the lanes.
pub(crate) fn sample_mask(lanes: usize) -> u128 {
    !u128::MAX.unbounded_shl(lanes as u32 / 2)
}

/// Returns the values of a flag in all lanes as a mask, in which bit 0 is lane 0.
pub(crate) fn lane_mask(state: &dyn NamedMachine, flag: StateLocation) -> u128 {
    let bits = (0..state.lanes()).map(|lane| state.get(flag, lane).unbounded_shl(lane as u32));
    bits.fold(0, |mask, bit| mask | bit)
}

/// Formats registers and memory with their values, on lines that begin with `indent`. If there are
/// several lanes, a register is printed as a table, and a flag as a mask.
pub(crate) fn show_places(
    state: &dyn NamedMachine,
    places: &[StateLocation],
    indent: &str,
) -> String {
    let (files, lanes) = (state.files(), state.lanes());
    let mut text = String::new();
    for &place in places {
        let (name, bits) = (files.name(place), files.bits(place));
        let is_common = files.file(place).is_none_or(|file| file.is_common());
        let value = match bits {
            _ if lanes == 1 || is_common => files.show(place, state.get(place, 0)),
            1 => mask(lanes, lane_mask(state, place)),
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
