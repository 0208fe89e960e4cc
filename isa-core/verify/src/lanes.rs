//! Compares the `Lanes` lines of operands with execution. Lanes that are not listed must not influence
//! the result, and must keep their values.

use std::collections::BTreeMap;

use isa_core::Operands;
use isa_core::machine::{NamedMachine, OperandStorage, RegisterFile, RegisterFiles, StateLocation};
use isa_core::table::{Access, LaneRow, Opcode};

use crate::case::TestCase;
use crate::parse_check::ensure;
use crate::set_under_test::Execution;
use crate::text::{bytes_of, printed};

/// The bits of a place that the operands of an instruction contain, read and write.
#[derive(Clone, Copy)]
struct AccessedBits {
    /// The bits of the place that operands contain.
    held: u128,
    /// The bits of the place that the instruction may read.
    read: u128,
    /// The bits of the place that the instruction may write.
    written: u128,
    /// Whether there is a `Lanes` line for one of the operands.
    is_said: bool,
}

/// Executes a valid word in a random state, and again with other values in the bits that must not
/// influence the result.
pub(crate) fn lanes(case: &mut TestCase<'_>) -> Result<(), String> {
    let opcode: &'static Opcode = case.set().opcodes[case.opcode()];
    if opcode.lanes.is_empty() {
        return Ok(());
    }
    let (_, word) = case.legal()?;
    case.text = Some(printed(opcode, word).to_string());
    are_there(opcode, word)?;
    let (bytes, seed) = (bytes_of(case.set(), opcode, word), case.generator.random.bits());
    let (mut pair, noise) = (ExecutionPair::default(), case.generator.random.word());
    let first = case.subject.execute_from(&bytes, seed, &mut |machine| {
        pair.files = machine.files().0;
        pair.places = places(machine, opcode, word);
        pair.before[0] = pair.values(machine);
    })?;
    let second = case.subject.execute_from(&bytes, seed, &mut |machine| {
        for (&(place, lane), before) in &pair.before[0] {
            let AccessedBits { held, read, is_said, .. } = pair.places[&place];
            if is_said {
                machine.set(place, lane, before ^ noise & held & !read);
            }
        }
        pair.before[1] = pair.values(machine);
    })?;
    match (first, second) {
        (Some(first), Some(second)) => pair.compare(&first, &second),
        _ => Ok(()),
    }
}

/// LocationValues of places in each thread of the machine.
type LocationValues = BTreeMap<(StateLocation, usize), u128>;

/// Two executions of a word.
#[derive(Default)]
struct ExecutionPair {
    files: &'static [RegisterFile],
    /// The places of the operands.
    places: BTreeMap<StateLocation, AccessedBits>,
    /// The values of these places before each of the two executions.
    before: [LocationValues; 2],
}

/// Checks that each `Lanes` line lists only lanes that exist in its operand.
fn are_there(opcode: &'static Opcode, word: u128) -> Result<(), String> {
    for operand in Operands::new(opcode, word) {
        let name = operand.name();
        let is_of = |row: &&&LaneRow| opcode.fields[usize::from(row.field)].name == name;
        let row = opcode.lanes.iter().find(is_of).filter(|row| !row.function.is_empty());
        let (Some(row), Some(lanes)) = (row, operand.lanes()) else { continue };
        let (mask, function) = (row.mask(opcode, word), row.function);
        ensure(mask == lanes.mask, || {
            format!("`{function}` returns {mask:#b}, but `{name}` has only {:#b}", lanes.mask)
        })?;
    }
    Ok(())
}

/// Returns the places of all operands.
fn places(
    machine: &dyn NamedMachine,
    opcode: &'static Opcode,
    word: u128,
) -> BTreeMap<StateLocation, AccessedBits> {
    let (files, mut places) = (machine.files(), BTreeMap::new());
    for operand in Operands::new(opcode, word) {
        let Some(OperandStorage::Location(place)) = files.held(&operand) else { continue };
        let all = low(files.bits(place));
        let (held, said) = match operand.lanes() {
            None => (all, all),
            Some(lanes) => (all & low(operand.width().into()), lanes.value_bits()),
        };
        let bits: &mut AccessedBits = places.entry(place).or_insert(AccessedBits {
            held,
            read: 0,
            written: 0,
            is_said: false,
        });
        bits.held |= held;
        bits.is_said |= operand.lanes().is_some();
        bits.read |= if operand.access() == Access::Write { 0 } else { said };
        bits.written |= if operand.access() == Access::Read { 0 } else { said };
    }
    let all: Vec<StateLocation> = places.keys().copied().collect();
    // Bytes of memory that belong to two overlapping operands are not checked.
    places.retain(|place, _| !all.iter().any(|other| other != place && overlap(*place, *other)));
    places
}

/// Returns whether two places share a byte of memory.
fn overlap(a: StateLocation, b: StateLocation) -> bool {
    let behind = |place: StateLocation| place.start.saturating_add(place.length);
    a.file == b.file && a.start < behind(b) && b.start < behind(a)
}

/// Returns a mask of the lowest bits.
fn low(bits: u32) -> u128 {
    u128::MAX.unbounded_shr(128_u32.saturating_sub(bits))
}

impl ExecutionPair {
    fn values(&self, machine: &dyn NamedMachine) -> LocationValues {
        let threads = 0..machine.lanes();
        let all = self.places.keys().flat_map(|&place| threads.clone().map(move |at| (place, at)));
        all.map(|(place, at)| ((place, at), machine.get(place, at))).collect()
    }

    /// Checks that both executions write the same places, with the same values in the lanes that
    /// are written, and that each execution keeps the values of the other lanes.
    fn compare(&self, first: &Execution, second: &Execution) -> Result<(), String> {
        let wrong = |what: &str| {
            let [a, b] = [(first, 0), (second, 1)].map(|(after, at)| self.show(after, at));
            format!("{what}: {a}; {b}")
        };
        let which =
            |after: &Execution| after.written.iter().map(|(place, _)| *place).collect::<Vec<_>>();
        let same = first.next == second.next && which(first) == which(second);
        ensure(same, || {
            wrong("lanes that are not declared as read affect the control flow or the destinations")
        })?;
        let mut thread = BTreeMap::new();
        for (&(place, one), &(_, two)) in first.written.iter().zip(&second.written) {
            let at: &mut usize = thread.entry(place).or_default();
            // A place that is written but is not a destination operand is written as a whole.
            let destination = self.places.get(&place).filter(|bits| bits.written != 0);
            let kept = destination.map_or(0, |bits| bits.held & !bits.written);
            ensure((one ^ two) & !kept == 0, || {
                wrong("lanes that are not declared as read affect the result")
            })?;
            for (value, before) in [one, two].into_iter().zip(&self.before) {
                let stays = before.get(&(place, *at)).is_none_or(|old| (value ^ old) & kept == 0);
                ensure(stays, || wrong("lanes that are not declared as written change"))?;
            }
            *at += 1;
        }
        Ok(())
    }

    /// Describes an execution, for example `from R1 = 0x00000001 it writes R2 = 0x00000002`.
    fn show(&self, after: &Execution, at: usize) -> String {
        let files = RegisterFiles(self.files);
        let one = |(place, value): (StateLocation, u128)| {
            format!("{} = {}", files.name(place), files.show(place, value))
        };
        let before = self.before[at].iter().map(|((place, _), value)| one((*place, *value)));
        let written = after.written.iter().map(|&written| one(written));
        let [before, written] = [before.collect::<Vec<_>>(), written.collect()];
        format!("from {} it writes {}", before.join(", "), written.join(", "))
    }
}
