//! Generates random valid instructions and programs, to test other tools.

use std::collections::BTreeSet;
use std::sync::Arc;

use isa_core::asm::Disassembler;
use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::Line;

use crate::field_values::{max_value, with_value};
use crate::model::Model;
use crate::text::{bytes_of, printed};
use crate::word_generator::WordGenerator;

/// An endless sequence of random valid instructions of a set. The same seed gives the same
/// sequence.
///
/// Boundary values of fields are more frequent than in a uniform distribution. Instructions in
/// which most fields have their defaults are more frequent too. All opcodes are equally likely,
/// unless you call [`Generator::weigh`].
///
/// ```
/// use isa_verify::Generator;
/// # isa_core::define_isa! {
/// #     /// Two instructions.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     operand Target: 8 = isa_core::operand::Relative<8, 1>;
/// #     enum Op: 8 { DEC = 1, BNZ = 2 }
/// #     opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
/// #     opcode BNZ {
/// #         encoding { field<8, 8> Op op == BNZ; field<0, 8> Target to; } syntax { BNZ to; }
/// #     }
/// # }
///
/// let few: Vec<_> = Generator::new(Tiny::SET, 7).take(100).collect();
/// assert!(few.iter().all(|one| Tiny::decode(one.word as u16).is_ok()));
/// assert!(Generator::new(Tiny::SET, 7).take(100).eq(few));
///
/// // Nine in ten are branches, and in a program most of these lead to a label.
/// let weight = |opcode: &isa_core::table::Opcode| if opcode.name == "BNZ" { 9 } else { 1 };
/// let program = Generator::new(Tiny::SET, 7).weigh(weight).program(20);
/// assert!(program.text().contains("BNZ L_"), "{}", program.text());
/// assert_eq!(program.bytes().len(), 40);
/// ```
#[derive(Debug)]
pub struct Generator {
    words: WordGenerator,
    /// The weight of each opcode.
    weights: Vec<u32>,
}

/// A random instruction.
#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    /// The opcode.
    pub opcode: &'static Opcode,
    /// The word. A narrow word is in the low bits.
    pub word: u128,
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.opcode, other.opcode) && self.word == other.word
    }
}

impl Eq for Instruction {}

impl Instruction {
    /// Returns the canonical text, including the `;`.
    #[must_use]
    pub fn text(&self) -> Line {
        printed(self.opcode, self.word)
    }

    /// Returns the bytes in memory order.
    #[must_use]
    pub fn bytes(&self, set: &InstructionSet) -> Vec<u8> {
        bytes_of(set, self.opcode, self.word)
    }
}

/// A random program.
#[derive(Debug, Clone)]
pub struct RandomProgram {
    /// The set.
    pub set: &'static InstructionSet,
    /// The address of the first instruction.
    pub origin: u64,
    /// The instructions in memory order.
    pub instructions: Vec<Instruction>,
}

impl RandomProgram {
    /// Returns the bytes in memory order.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.instructions.iter().flat_map(|one| one.bytes(self.set)).collect()
    }

    /// Returns the text, one instruction on each line, with labels at the targets.
    #[must_use]
    pub fn text(&self) -> String {
        Disassembler::new(self.set).origin(self.origin).disassemble(&self.bytes())
    }
}

/// The number of attempts to find a target that is the address of an instruction.
const TARGETS: usize = 32;

impl Generator {
    /// Creates a generator for a set.
    #[must_use]
    pub fn new(set: &'static InstructionSet, seed: u64) -> Self {
        Generator::over(&Arc::new(Model::new(set)), seed)
    }

    /// Creates a generator that shares the model of its set.
    #[must_use]
    pub fn over(model: &Arc<Model>, seed: u64) -> Self {
        Generator { words: WordGenerator::of(model, seed), weights: vec![1; model.opcodes.len()] }
    }

    /// Sets a weight for each opcode: weight 4 is four times as likely as weight 1, and an opcode
    /// of weight 0 is left out.
    #[must_use]
    pub fn weigh(mut self, weight: impl Fn(&'static Opcode) -> u32) -> Self {
        self.weights = self.words.model.opcodes.iter().map(|row| weight(row.opcode)).collect();
        self
    }

    /// Returns a random opcode, or `None` if all weights are 0.
    fn opcode(&mut self) -> Option<usize> {
        let sum: u64 = self.weights.iter().map(|weight| u64::from(*weight)).sum();
        if sum == 0 {
            return None;
        }
        let mut place = self.words.random.below(sum);
        self.weights.iter().position(|weight| {
            let found = place < u64::from(*weight);
            place = place.saturating_sub((*weight).into());
            found
        })
    }

    /// Returns a program of `count` instructions at address 0x1000. Most targets are addresses of
    /// its instructions.
    #[must_use]
    pub fn program(&mut self, count: usize) -> RandomProgram {
        let set = self.words.model.set;
        let instructions = self.by_ref().take(count).collect();
        let mut program = RandomProgram { set, origin: 0x1000, instructions };
        let mut address = program.origin;
        let mut places = Vec::new();
        for instruction in &program.instructions {
            places.push(address);
            address += u64::from(instruction.opcode.width_of(instruction.word)) / 8;
        }
        let starts: BTreeSet<u64> = places.iter().copied().collect();
        for (instruction, &address) in program.instructions.iter_mut().zip(&places) {
            if let Some(word) = self.aimed(*instruction, address, &starts) {
                instruction.word = word;
            }
        }
        program
    }

    /// Returns the word with its target changed to an address in `starts`. Returns `None` if the word
    /// has no target, or if no such address is found.
    fn aimed(&mut self, one: Instruction, address: u64, starts: &BTreeSet<u64>) -> Option<u128> {
        let Instruction { opcode, word } = one;
        let row = opcode.fields.iter().position(|field| field.kind.is_target())?;
        let field = opcode.fields[row];
        let last = max_value(field);
        let span = starts.last()?.saturating_sub(*starts.first()?) + 2;
        let first = *starts.first()?;
        for _ in 0..TARGETS {
            // A distance in either direction, or an address, in units of one to eight bytes.
            let unit = self.words.random.below(4);
            let distance = self.words.random.below(span) >> unit;
            let raw = match self.words.random.below(5) {
                0 | 1 => distance,
                2 | 3 => distance.wrapping_neg(),
                _ => (first >> unit).wrapping_add(distance),
            } & last;
            let leads = field.kind.target(raw, address).is_some_and(|to| starts.contains(&to));
            let aimed = with_value(field, word, raw);
            let same = |index: usize| {
                let legal: &Opcode = self.words.model.set.opcodes[index];
                core::ptr::eq(legal, opcode)
            };
            if leads && self.words.model.legal(aimed).is_some_and(same) {
                return Some(aimed);
            }
        }
        None
    }
}

impl Iterator for Generator {
    type Item = Instruction;

    /// Returns the next instruction. Returns `None` only if no opcode is left to choose from.
    fn next(&mut self) -> Option<Instruction> {
        loop {
            let index = self.opcode()?;
            let opcode = self.words.opcode(index).opcode;
            match self.words.find_legal_with(index, &[]) {
                Some(word) => return Some(Instruction { opcode, word }),
                // An opcode without valid words.
                None => self.weights[index] = 0,
            }
        }
    }
}
