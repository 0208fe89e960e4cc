//! A checker of schedules: finds instructions that are issued before their operands are ready.
//!
//! The hardware does not compare the registers of instructions that are in progress. The control word of
//! each instruction contains the schedule instead:
//!
//! - `?stall=N` delays the next instruction by `N` cycles. An instruction with a *fixed latency*, for
//!   example FADD, needs enough stalls between it and the instructions that read its result.
//! - An instruction with a *variable latency*, for example a load, sets a barrier: `&wr=N` when its results
//!   are written, `&rd=N` when its sources are read and may be overwritten.
//! - `&req={N}` waits until all instructions that set a barrier have released it.
//!
//! [`check`] follows all paths through the code of a section, and reports each [`Finding`]:
//!
//! ```
//! use isa_sass::Sass;
//! use isa_sass::schedule::{FindingKind, check};
//!
//! let set = Sass::SET.with_features(Sass::SET.feature_set("SM90")?);
//! let words = ["FADD R1, R2, R3 ?stall=2;", "FMUL R4, R1, R1 ?stall=4;", "EXIT ?stall=5;"];
//! let words = words.map(|text| set.parse(text).unwrap().word());
//! let findings = check(&set, 0, &words);
//! assert_eq!(findings[0].kind, FindingKind::ShortStall);
//! assert_eq!(findings[0].cycles, Some((4, 2)));
//! assert_eq!(findings[0].advice, "write `?stall=4` at 0x0");
//! # Ok::<(), isa_core::table::FeatureError>(())
//! ```
//!
//! A word that does not decode, and an opcode without a unit (see [`Unit`]), is assumed to have waited for all
//! results, and its own results are not checked. Such an instruction is reported only if it reads a result that needs
//! a wait, or if its guard is not ready.

#[cfg(feature = "cli")]
pub(crate) mod command;
mod effect;
mod flow;
mod latency;
mod state;

use core::fmt::{self, Display, Formatter};
use std::collections::BTreeMap;

use isa_core::error::DecodeErrorKind;
use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::{InstructionContext, Line};

#[cfg(feature = "info")]
pub(crate) use effect::registers;
pub use effect::{AnyRegister, File};

use crate::Unit;

use effect::{ControlWord, Effect, barrier_set};
use flow::{BYTES, ControlFlow};
use latency::Chip;
use state::{Reason, State, Violation};

/// An error in a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of the error.
    pub kind: FindingKind,
    /// The address and the text of the instruction that is issued too early, or that has the error.
    pub place: (u64, String),
    /// The address and the text of the earlier instruction that it depends on.
    pub earlier: Option<(u64, String)>,
    /// The register that both instructions use.
    pub register: Option<AnyRegister>,
    /// The needed and the actual number of cycles between the instructions, if the latency is fixed.
    pub cycles: Option<(u8, u8)>,
    /// The change that corrects the error.
    pub advice: String,
}

/// The kind of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// The stalls between two instructions are shorter than the latency.
    ShortStall,
    /// An instruction reads a register before it waits for the result.
    ReadBeforeWrite,
    /// An instruction overwrites a register before it waits for the earlier result, which then replaces the
    /// later one.
    WriteBeforeWrite,
    /// An instruction overwrites a register before it waits until an earlier instruction has read it.
    WriteBeforeRead,
    /// No instruction waits for a barrier that an instruction sets.
    UnusedBarrier,
    /// The control word is not valid for the instruction.
    IllegalControl,
}

impl FindingKind {
    /// Returns the description of the error.
    fn title(self) -> &'static str {
        match self {
            FindingKind::ShortStall => "the stall is too short",
            FindingKind::ReadBeforeWrite => "an instruction reads a result without a wait for it",
            FindingKind::WriteBeforeWrite => {
                "an instruction overwrites a result without a wait for it"
            }
            FindingKind::WriteBeforeRead => {
                "an instruction overwrites a source without a wait for its reader"
            }
            FindingKind::UnusedBarrier => "no instruction waits for the barrier",
            FindingKind::IllegalControl => "the control word is not valid",
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}: {}", self.place.0, self.kind.title())?;
        if let Some(register) = self.register {
            write!(f, ": {register}")?;
        }
        if let Some((needed, actual)) = self.cycles {
            write!(f, " (expected {needed} cycles, found {actual})")?;
        }
        for (address, text) in self.earlier.iter().chain([&self.place]) {
            write!(f, "\n  {address:#06x}  {text}")?;
        }
        write!(f, "\n  help: {}", self.advice)
    }
}

/// Checks the code of a section, whose first instruction has the address `start`. `set` must have the
/// features of the chip. Returns the findings in the order of their addresses.
#[must_use]
pub fn check(set: &InstructionSet, start: u64, words: &[u128]) -> Vec<Finding> {
    let opcodes: Vec<_> = words.iter().map(|&word| set.decode(word).ok()).collect();
    let checker = Checker {
        chip: Chip::of(set),
        start,
        words,
        effects: opcodes
            .iter()
            .zip(words)
            .map(|(opcode, &word)| Effect::of(*opcode, word))
            .collect(),
        flow: ControlFlow::of(&opcodes, words, start),
        opcodes,
    };
    let mut findings: Vec<_> = words
        .iter()
        .enumerate()
        .filter_map(|(index, &word)| checker.illegal_control(set, index, word))
        .chain(checker.violations())
        .collect();
    findings.sort_by_key(|finding| finding.place.0);
    findings
}

/// The decoded code of a section.
struct Checker<'w> {
    chip: Chip,
    start: u64,
    words: &'w [u128],
    opcodes: Vec<Option<&'static Opcode>>,
    effects: Vec<Effect>,
    flow: ControlFlow,
}

/// Returns the assembly of a word at an address. A word without an opcode is data.
pub(crate) fn text(opcode: Option<&Opcode>, address: u64, word: u128) -> String {
    let Some(opcode) = opcode else { return format!(".word {word:#034x}") };
    let mut line = Line::new();
    opcode.print_at(word, InstructionContext::new(address, &()), &mut line);
    line.to_string()
}

impl Checker<'_> {
    /// Returns the address and the text of an instruction.
    fn place(&self, index: usize) -> (u64, String) {
        let address = self.start.wrapping_add(index as u64 * BYTES);
        let opcode = self.opcodes.get(index).copied().flatten();
        let word = self.words.get(index).copied().unwrap_or_default();
        (address, text(opcode, address, word))
    }

    /// Reports a word that does not decode because of its control word.
    fn illegal_control(&self, set: &InstructionSet, index: usize, word: u128) -> Option<Finding> {
        let DecodeErrorKind::Illegal { opcode, exception, .. } = set.decode(word).err()?.kind()
        else {
            return None;
        };
        if exception.class != "IllegalControl" {
            return None;
        }
        let (address, _) = self.place(index);
        Some(Finding {
            kind: FindingKind::IllegalControl,
            place: (address, text(Some(opcode), address, word)),
            earlier: None,
            register: None,
            cycles: None,
            advice: exception.reason.to_owned(),
        })
    }

    /// Computes the state at the start of each block, and then reports the violated dependencies.
    fn violations(&self) -> Vec<Finding> {
        let mut states: BTreeMap<usize, State> = BTreeMap::new();
        let mut work: Vec<usize> = Vec::new();
        // The first block, and then each block that no other block leads to.
        for root in self.flow.blocks() {
            if states.contains_key(&root) {
                continue;
            }
            states.insert(root, State::default());
            work.push(root);
            while let Some(block) = work.pop() {
                let Some(entry) = states.get(&block).cloned() else { continue };
                let exit = self.run(block, entry, &mut |_, _| {});
                for edge in self.flow.edges(block) {
                    let mut state = exit.clone();
                    if edge.is_return {
                        state.clear();
                    }
                    if let Some(guard) = edge.guard {
                        state.assume(guard);
                    }
                    let is_new = !states.contains_key(&edge.target);
                    if states.entry(edge.target).or_default().join(&state) || is_new {
                        work.push(edge.target);
                    }
                }
            }
        }
        let mut worst: BTreeMap<(usize, Reason), (usize, Violation)> = BTreeMap::new();
        for (&block, state) in &states {
            self.run(block, state.clone(), &mut |index, violation| {
                let missing = |it: &Violation| it.cycles.map(|(needed, actual)| needed - actual);
                let found = worst.entry((violation.producer, violation.reason));
                let found = found.or_insert((index, violation));
                if missing(&violation) > missing(&found.1) {
                    *found = (index, violation);
                }
            });
        }
        let unused = worst.values().filter(|(_, violation)| violation.cycles.is_none());
        let unused = unused.map(|(_, violation)| (violation.producer, violation.barriers));
        let unused: BTreeMap<usize, u8> = unused.collect();
        let unused = unused.iter().filter_map(|(&index, &set)| self.unused_barrier(index, set));
        let findings = worst.values().map(|(index, violation)| self.finding(*index, violation));
        findings.chain(unused).collect()
    }

    /// Issues the instructions of a block, and returns the state after the last one.
    fn run(
        &self,
        block: usize,
        mut state: State,
        report: &mut dyn FnMut(usize, Violation),
    ) -> State {
        for index in self.flow.instructions(block) {
            state.issue(self.chip, &self.effects, index, &mut |violation| {
                report(index, violation);
            });
        }
        state
    }

    /// Describes a violated dependency.
    fn finding(&self, index: usize, violation: &Violation) -> Finding {
        let kind = match (violation.cycles, violation.reason) {
            (Some(_), _) | (_, Reason::BarrierDelay) => FindingKind::ShortStall,
            (None, Reason::ReadAfterWrite) => FindingKind::ReadBeforeWrite,
            (None, Reason::WriteAfterWrite) => FindingKind::WriteBeforeWrite,
            (None, Reason::WriteAfterRead) => FindingKind::WriteBeforeRead,
        };
        let (place, earlier) = (self.place(index), self.place(violation.producer));
        let control = |index| self.words.get(index).map(|&word| ControlWord::of(word));
        let advice = match (violation.cycles, control(violation.producer), control(index)) {
            (Some((needed, actual)), Some(first), _) => {
                lengthened(first.cycles() + (needed - actual), earlier.0)
            }
            (None, Some(first), Some(own)) if violation.barriers != 0 => {
                // Sources are usually read long before results are written.
                let is_read = kind == FindingKind::WriteBeforeRead && barrier_set(first.rd) != 0;
                let last = violation.barriers.trailing_zeros() as u8;
                let barrier = if is_read { first.rd } else { last };
                let waits = shown_barriers(own.req | barrier_set(barrier));
                format!("write `&req={waits}` at {:#x}", place.0)
            }
            (_, Some(first), _) => {
                let name = if kind == FindingKind::WriteBeforeRead { "rd" } else { "wr" };
                let used = first.sets();
                let free = (0..6).find(|&barrier| used & barrier_set(barrier) == 0).unwrap_or(0);
                format!(
                    "set a barrier, for example `&{name}={free}` at {:#x}, and wait for it, \
                     `&req={{{free}}}` at {:#x}",
                    earlier.0, place.0
                )
            }
            _ => String::new(),
        };
        Finding {
            kind,
            place,
            earlier: Some(earlier),
            register: violation.register,
            cycles: violation.cycles,
            advice,
        }
    }

    /// Reports the barriers of the instruction `index` if another instruction depends on them, but no
    /// instruction on any path waits for them.
    ///
    /// Other barriers without a wait are not errors. `ptxas` leaves them in code if the result of a load is
    /// not used, or if another barrier is released later.
    fn unused_barrier(&self, index: usize, barriers: u8) -> Option<Finding> {
        let own = self.effects.get(index)?.control;
        let barriers = barriers & own.sets();
        let waits = |index: usize| {
            let effect = self.effects.get(index);
            effect.is_some_and(|it| it.unit == Unit::UNKNOWN || it.control.req & barriers != 0)
        };
        if barriers == 0 || self.flow.reaches(index, &waits) {
            return None;
        }
        let place = self.place(index);
        Some(Finding {
            kind: FindingKind::UnusedBarrier,
            advice: format!(
                "wait for the barrier, `&req={}`, before its instruction's registers are used",
                shown_barriers(barriers)
            ),
            place,
            earlier: None,
            register: None,
            cycles: None,
        })
    }
}

/// Returns the advice to increase a stall.
fn lengthened(stall: u8, address: u64) -> String {
    match stall {
        0..=11 => format!("write `?stall={stall}` at {address:#x}"),
        12..=15 => format!("write `?stall={stall} ?yield` at {address:#x}"),
        _ => {
            let rest = stall - 15;
            format!(
                "write `?stall=15 ?yield` at {address:#x}, and delay the reader by {rest} more cycles"
            )
        }
    }
}

/// Returns the text of a set of barriers, for example `{0,2}`.
fn shown_barriers(set: u8) -> String {
    let names: Vec<_> = (0..6u8)
        .filter(|&barrier| set & barrier_set(barrier) != 0)
        .map(|barrier| barrier.to_string())
        .collect();
    format!("{{{}}}", names.join(","))
}
