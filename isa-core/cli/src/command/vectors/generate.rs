//! Creates vectors: special values and each value of each modifier first, and then random ones.

use isa_core::Operands;
use isa_core::machine::{OperandStorage, RegisterFiles, StateLocation};
use isa_core::table::{Field, Init, Opcode};
use isa_core::text::Line;
use isa_verify::random::SplitMix64;
use isa_verify::word_generator::WordGenerator;

use super::special::{LaneRelation, special_values};
use super::{ExecutionVector, execute};
use crate::CommandError;
use crate::profile::Profile;
use crate::set::SizedWord;
use crate::simulator::Simulator;

/// Creates the vectors of opcodes.
pub(super) struct VectorGenerator<'p> {
    profile: &'p Profile,
    simulator: &'p Simulator,
    words: WordGenerator,
    seed: u64,
}

/// The number of words that are tried for a vector, and of executions that find the places that an
/// instruction reads: a loaded value can be the address of another place.
const ATTEMPTS: usize = 4;

impl<'p> VectorGenerator<'p> {
    pub(super) fn new(profile: &'p Profile, simulator: &'p Simulator, seed: u64) -> Self {
        let words = WordGenerator::new(profile.set.processor, seed);
        VectorGenerator { profile, simulator, words, seed }
    }

    /// Returns the vector of an opcode with this index. Returns `None` if no valid word is found, or if the
    /// text of the word does not assemble to it.
    pub(super) fn vector(
        &mut self,
        opcode: &'static Opcode,
        number: u64,
    ) -> Result<Option<ExecutionVector>, CommandError> {
        let set = self.profile.set;
        let Some(index) = set.processor.opcodes.iter().position(|row| core::ptr::eq(*row, opcode))
        else {
            return Ok(None);
        };
        // Each value of each modifier is used in turn.
        let settings = modifiers(opcode);
        let given = settings.get((number % (settings.len() as u64 + 1)) as usize);
        let given: Vec<(usize, u64)> = given.copied().into_iter().collect();
        let mut best = None;
        for _ in 0..ATTEMPTS {
            let word = self.words.find_legal_with(index, &given);
            let word = word.or_else(|| self.words.find_legal_with(index, &[]));
            let Some(word) = word else { break };
            let word = SizedWord { word, bits: opcode.width_of(word) };
            if !set.reads_back(opcode, word) {
                continue;
            }
            let vector = self.of_word(opcode, word, number)?;
            // Memory that continues at address 0 has no name.
            if !self.has_names(&vector) {
                continue;
            }
            // An instruction with a false guard does nothing. One in eight vectors may contain one.
            let has_effect = vector.result != Ok(Vec::new()) || number % 8 == 7;
            best = Some(vector);
            if has_effect {
                break;
            }
        }
        Ok(best)
    }

    /// Returns whether all places of a vector can be written as names.
    fn has_names(&self, vector: &ExecutionVector) -> bool {
        let files = self.simulator.files;
        let mut places = vector.state.iter().chain(vector.result.iter().flatten());
        places.all(|(place, _)| files.place(&files.name(*place)) == Ok(*place))
    }

    /// Returns the vector of a word. The values of the places that it reads depend on `number`.
    fn of_word(
        &self,
        opcode: &'static Opcode,
        word: SizedWord,
        number: u64,
    ) -> Result<ExecutionVector, CommandError> {
        let mut random = SplitMix64::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let files = self.simulator.files;
        let mut state: Vec<(StateLocation, u128)> = Vec::new();
        for _ in 0..ATTEMPTS {
            let (_, trace) = execute(self.profile, self.simulator, word, &state)?;
            let is_counter = |place| files.file(place).is_none_or(|file| file.is_counter());
            let read = trace.reads.into_iter().map(|(place, _)| place);
            let mut next: Vec<(StateLocation, u128)> = Vec::new();
            for place in read.filter(|place| !is_counter(*place)) {
                let known =
                    state.iter().find(|(known, _)| *known == place).map(|(_, value)| *value);
                let lane = lane_bits(files, opcode, word.word, place);
                let new = value(files.bits(place), lane, number, next.len(), &mut random);
                next.push((place, known.unwrap_or(new)));
            }
            let is_complete = next.len() == state.len();
            state = next;
            if is_complete {
                break;
            }
        }
        // Bytes of memory that overlap have one value.
        state.sort_unstable();
        state.dedup_by(|(next, _), (before, _)| {
            next.file == before.file && next.start - before.start < before.length
        });
        let (result, _) = execute(self.profile, self.simulator, word, &state)?;
        let mut asm = Line::new();
        opcode.print(word.word, &mut asm);
        let (opcode, asm) = (opcode.name.to_owned(), asm.to_string());
        Ok(ExecutionVector { opcode, word, asm, state, result })
    }
}

/// Returns the modifiers of an opcode with each of their values: the fields with named values that the
/// opcode does not fix.
pub(super) fn modifiers(opcode: &Opcode) -> Vec<(usize, u64)> {
    let fields = opcode.fields.iter().enumerate().filter(|(_, field)| is_modifier(field));
    fields
        .flat_map(|(place, field)| field.kind.values.iter().map(move |value| (place, value.raw)))
        .collect()
}

fn is_modifier(field: &Field) -> bool {
    let is_fixed = matches!(field.init, Init::Fixed(_));
    !is_fixed && !field.pieces.is_empty() && !field.kind.values.is_empty()
}

/// Returns the width of the lanes of a place. It is the width of the place if no operand declares lanes.
pub(super) fn lane_bits(
    files: RegisterFiles,
    opcode: &'static Opcode,
    word: u128,
    place: StateLocation,
) -> u32 {
    let mut operands = Operands::new(opcode, word);
    let operand = operands.find(|operand| {
        matches!(files.held(operand), Some(OperandStorage::Location(held)) if held == place)
    });
    let lanes = operand.and_then(|operand| operand.lanes());
    let bits = files.bits(place);
    lanes.map_or(bits, |lanes| u32::from(lanes.bits)).min(bits)
}

/// Returns the value of a place of `bits` bits with lanes of `lane` bits. `place` is the index among the
/// places of the vector. The first vectors have special values in each pair of two places.
fn value(bits: u32, lane: u32, number: u64, place: usize, random: &mut SplitMix64) -> u128 {
    let mask = u128::MAX >> (128 - bits.clamp(1, 128));
    let values = special_values(lane);
    let count = values.len() as u64;
    // After all pairs, half of the values are random.
    if number >= count * count && random.below(2) == 0 {
        return random.word() & mask;
    }
    let index = match place {
        0 => number,
        1 => number + number / count,
        _ => random.bits(),
    };
    let low = values[(index % count) as usize].0;
    let relation =
        LaneRelation::OF_LANES[(number / 2 + place as u64) as usize % LaneRelation::OF_LANES.len()];
    let mut value = low;
    for position in 1..bits / lane.max(1) {
        let other = match relation {
            LaneRelation::Opposite => low ^ 1 << (lane - 1),
            LaneRelation::Other => random.pick(values).0,
            LaneRelation::Equal | LaneRelation::Whole => low,
        };
        value |= other << (position * lane);
    }
    value & mask
}
