//! One case of a property: its input, and its failure.

use core::fmt;

use isa_core::table::InstructionSet;

use crate::set_under_test::SetUnderTest;
use crate::word_generator::WordGenerator;

/// A case that is being tested. If it fails, the message contains the last word and the last text.
pub(crate) struct TestCase<'s> {
    pub(crate) subject: &'s SetUnderTest,
    pub(crate) generator: WordGenerator,
    /// The index of the case.
    pub(crate) number: u64,
    pub(crate) word: Option<u128>,
    pub(crate) text: Option<String>,
    property: &'s str,
    seed: u64,
}

impl<'s> TestCase<'s> {
    pub(crate) fn new(
        subject: &'s SetUnderTest,
        property: &'s str,
        seed: u64,
        number: u64,
    ) -> Self {
        // Each case has its own random numbers, so that it can be repeated alone.
        let name = property
            .bytes()
            .fold(seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let generator =
            WordGenerator::of(&subject.model, name ^ number.wrapping_mul(0xd129_0d3d_e6f6_55e5));
        TestCase { subject, generator, number, word: None, text: None, property, seed }
    }

    pub(crate) fn set(&self) -> &'static InstructionSet {
        self.subject.set
    }

    /// Returns the opcode of the case. Successive cases use successive opcodes.
    pub(crate) fn opcode(&self) -> usize {
        (self.number % self.generator.opcode_count().max(1) as u64) as usize
    }

    /// Returns a valid word of the case's opcode. Half of the cases use the boundary values of
    /// fields, one after the other, and a quarter use a word of an alias if there is one.
    pub(crate) fn legal(&mut self) -> Result<(usize, u128), String> {
        let opcode = self.opcode();
        let turn = self.number / self.generator.opcode_count().max(1) as u64;
        let aliases = self.set().opcodes[opcode].aliases.len() as u64;
        if aliases > 0 && turn % 4 == 3 {
            let alias = self.generator.random.below(aliases) as usize;
            if let Some(word) = self.generator.aliased(opcode, alias) {
                self.word = Some(word);
                return Ok((opcode, word));
            }
        }
        let edge = turn.is_multiple_of(2).then(|| self.edge(opcode, turn / 2)).flatten();
        let found = edge.and_then(|edge| self.generator.find_legal_with(opcode, &[edge]));
        let found = found.or_else(|| self.generator.find_legal_with(opcode, &[]));
        let name = self.set().opcodes[opcode].name;
        let word = found.ok_or_else(|| format!("no valid word of {name} found"))?;
        self.word = Some(word);
        Ok((opcode, word))
    }

    /// Returns the boundary value for a round: successive rounds use successive values.
    fn edge(&self, opcode: usize, turn: u64) -> Option<(usize, u64)> {
        let edges = self.subject.edges(opcode);
        let place = turn.checked_rem(edges.len() as u64)?;
        edges.get(place as usize).copied()
    }

    pub(crate) fn failure(&self, message: String) -> Failure {
        let word = self.word.map(|word| {
            let opcode = self.set().decode(word).ok();
            let bits = opcode.map_or(self.set().bits, |opcode| opcode.bits);
            let name = opcode.map_or("invalid instruction", |opcode| opcode.name);
            format!("{word:#0width$x}, {name}", width = usize::from(bits).div_ceil(4) + 2)
        });
        Failure {
            set: self.set().name,
            property: self.property.to_owned(),
            seed: self.seed,
            case: self.number,
            word,
            text: self.text.clone(),
            message,
        }
    }
}

/// A failure, with everything that is needed to repeat it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The name of the set.
    pub set: &'static str,
    /// The name of the property.
    pub property: String,
    /// The seed of the run.
    pub seed: u64,
    /// The index of the case, from 0.
    pub case: u64,
    /// The word, with its opcode.
    pub word: Option<String>,
    /// The assembly text.
    pub text: Option<String>,
    /// The message, with the expected and the actual result.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { set, property, seed, case, .. } = self;
        write!(f, "{set}: {property}: case {case} of seed {seed}")?;
        if let Some(word) = &self.word {
            write!(f, "\n  word   {word}")?;
        }
        if let Some(text) = &self.text {
            write!(f, "\n  text   {text:?}")?;
        }
        write!(f, "\n  wrong  {}", self.message)?;
        write!(f, "\n  again  ISA_CHECK={property}:{seed}:{case} in the environment of the test")
    }
}

impl core::error::Error for Failure {}
