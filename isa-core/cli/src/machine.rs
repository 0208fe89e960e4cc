//! A common interface to the machines of a tool. Only this file contains code that is generic over the
//! machine and the set, because such code is compiled again for each machine and set.

use std::collections::BTreeSet;

use isa_core::Isa;
use isa_core::machine::{
    ExecuteError, Executor, Machine, NamedMachine, NamedWarp, Outcome, RegisterFiles, Simulation,
    State, StateLocation, Warp, fetch,
};

use super::Stop;
use super::settings::Setting;

/// A function that is called with a machine after its initial values are set.
pub(crate) type Body<'b> = &'b mut dyn FnMut(&mut dyn Executor) -> Result<(), Stop>;

/// Creates a machine, sets its initial values, and calls the function with it.
type Start = dyn Fn(&[Setting], Ends, Body<'_>) -> Result<(), Stop>;

/// Returns whether a trap with this text ends the program.
pub(crate) type Ends = fn(&str) -> bool;

/// Creates a machine of one type.
pub(crate) struct Simulator {
    pub(crate) files: RegisterFiles,
    pub(crate) lanes: usize,
    start: Box<Start>,
}

impl Simulator {
    /// Calls `body` with a machine that has the initial values in `settings`. Its programs end at
    /// the traps that `ends` accepts.
    pub(crate) fn start(
        &self,
        settings: &[Setting],
        ends: Ends,
        body: Body<'_>,
    ) -> Result<(), Stop> {
        (self.start)(settings, ends, body)
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
                "A program of text stands and starts at {pc}: with --set {pc}=0x40 at 0x40.\n\n"
            )
        })
    }

    /// Creates a simulator whose machines execute instructions with `execute`.
    pub(crate) fn of<I: Isa, M: NamedMachine + Default + 'static, O: Outcome>(
        execute: impl Fn(I, &mut M) -> O + 'static,
    ) -> Self {
        let start = move |settings: &[Setting], ends: Ends, body: Body<'_>| {
            let mut machine = M::default();
            give(settings, &mut machine);
            body(&mut Simulation::new(machine, &execute).ends(ends))
        };
        Simulator { files: M::default().files(), lanes: 1, start: Box::new(start) }
    }

    /// Creates a simulator of a warp with `N` lanes. `one` executes in a single lane, to record the
    /// registers that are written. `all` executes in all lanes.
    pub(crate) fn of_lanes<I: Isa, const N: usize>(
        one: impl Fn(I, &mut dyn Machine) + 'static,
        all: impl Fn(I, &mut Warp<'_, N>) + 'static,
    ) -> Self {
        let files = NamedWarp::<N>::default().files();
        let start = move |settings: &[Setting], _: Ends, body: Body<'_>| {
            let banks = banks(files, settings);
            let mut state = NamedWarp::<N>::default();
            for (number, bank) in (0..).zip(&banks) {
                state.warp.set_bank(number, bank);
            }
            give(settings, &mut state);
            let (one, all) = (&one, &all);
            body(&mut Lanes { state, one, all, isa: core::marker::PhantomData })
        };
        Simulator { files, lanes: N, start: Box::new(start) }
    }
}

impl core::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Simulator").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

/// Sets the initial values of a machine.
fn give(settings: &[Setting], machine: &mut dyn NamedMachine) {
    for setting in settings {
        for lane in 0..machine.lanes() {
            machine.set(setting.place, lane, setting.value(lane));
        }
    }
}

/// Returns the bytes of constant memory, up to the last byte that is set in each bank.
fn banks(files: RegisterFiles, settings: &[Setting]) -> [Vec<u8>; State::BANKS] {
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
struct Lanes<'e, 'c, I, One, All, const N: usize> {
    state: NamedWarp<'c, N>,
    one: &'e One,
    all: &'e All,
    isa: core::marker::PhantomData<fn() -> I>,
}

impl<I, One, All, const N: usize> Executor for Lanes<'_, '_, I, One, All, N>
where
    I: Isa,
    One: Fn(I, &mut dyn Machine),
    All: Fn(I, &mut Warp<'_, N>),
{
    fn state(&mut self) -> &mut dyn NamedMachine {
        &mut self.state
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        let instruction = fetch(bytes)?;
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
