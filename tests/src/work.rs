//! The instructions that the benchmarks process.

use isa_core::table::{Field, Init, InstructionSet};

use isa_verify::field_values::with_value;
use isa_verify::random::SplitMix64;
use isa_verify::word_generator::WordGenerator;

/// The number of instructions: they fit into the second-level cache, but are too many for the
/// branch predictor to learn.
pub const COUNT: usize = 8192;

/// Instructions in random order, with their assembly.
#[derive(Debug)]
pub struct Work {
    /// A description of the instructions.
    pub name: &'static str,
    /// The encoded words.
    pub words: Vec<u128>,
    /// The assembly, one line per instruction.
    pub text: String,
}

impl Work {
    fn new(name: &'static str, set: &'static InstructionSet, words: Vec<u128>) -> Self {
        let mut text = String::new();
        for &word in &words {
            let row = set.decode(word).expect("the words are legal");
            let mut line = isa_core::text::Line::new();
            row.print(word, &mut line);
            text.push_str(line.as_str());
            text.push('\n');
        }
        Work { name, words, text }
    }

    /// Returns the lines of the assembly, including their line ends.
    #[must_use]
    pub fn lines(&self) -> Vec<&str> {
        self.text.split_inclusive('\n').collect()
    }
}

/// Creates instructions with all opcodes equally often, random fields, and common numbers as
/// immediates.
#[must_use]
pub fn mixed(set: &'static InstructionSet) -> Work {
    let mut generator = WordGenerator::new(set, 1);
    let words = (0..COUNT).map(|_| {
        let opcode = generator.random.below(set.opcodes.len() as u64) as usize;
        let word = generator.legal(opcode);
        plain_immediates(set, opcode, word, &mut generator.random)
    });
    Work::new("evenly mixed opcodes, random fields", set, words.collect())
}

/// Creates instructions in the proportions of a typical kernel, with most fields at their defaults.
///
/// # Panics
///
/// Panics if the set does not have one of the opcodes.
#[must_use]
pub fn kernel(set: &'static InstructionSet) -> Work {
    let shares = [
        ("HFMA2_RRR", 30),
        ("HFMA2_RCR", 6),
        ("HFMA2_RRI", 4),
        ("HADD2_RR", 14),
        ("HADD2_RI", 6),
        ("HADD2_RC", 4),
        ("HMUL2_RR", 10),
        ("HMUL2_RU", 4),
        ("HMNMX2_RR", 4),
        ("HSETP2_RR", 6),
        ("HSETP2_RI", 2),
        ("HSET2_RR", 2),
        ("vadd2", 4),
        ("vmin4", 2),
        ("vabsdiff4", 2),
    ];
    let pool: Vec<usize> = shares
        .iter()
        .flat_map(|&(name, share)| {
            let opcode = set.opcodes.iter().position(|opcode| opcode.name == name);
            vec![opcode.expect("the opcode is one of the set"); share]
        })
        .collect();
    let mut generator = WordGenerator::new(set, 2);
    let words = (0..COUNT).map(|_| {
        let opcode = *generator.random.pick(&pool);
        let word = usual(&mut generator, opcode);
        plain_immediates(set, opcode, word, &mut generator.random)
    });
    Work::new("kernel-like code", set, words.collect())
}

/// Returns a valid word in which each optional field keeps its default in eleven of twelve cases.
fn usual(generator: &mut WordGenerator, opcode: usize) -> u128 {
    loop {
        let fields = generator.opcode(opcode).opcode.fields;
        let mut given = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            if let Init::Default(raw) = field.init
                && generator.random.below(12) != 0
            {
                given.push((index, raw));
            }
        }
        let word = generator.filled(opcode, &given);
        if generator.opcode(opcode).invalid_reason(word).is_none() {
            return word;
        }
    }
}

/// Returns the word with random immediates replaced by numbers that are common in programs.
fn plain_immediates(
    set: &'static InstructionSet,
    opcode: usize,
    word: u128,
    random: &mut SplitMix64,
) -> u128 {
    const HALF: [u64; 8] = [0x0000, 0x3c00, 0xbc00, 0x3800, 0x4000, 0x2e66, 0xc500, 0x4248];
    const BRAIN: [u64; 8] = [0x0000, 0x3f80, 0xbf80, 0x3f00, 0x4000, 0x3dcd, 0xc0a0, 0x4049];
    let fields = set.opcodes[opcode].fields;
    let is_brain = |field: &&&Field| field.name == "hfmt_v2" && field.get(word) == 1;
    let lanes = if fields.iter().any(|field| is_brain(&field)) { &BRAIN } else { &HALF };
    let immediates = fields.iter().filter(|field| field.kind.name == "F16ImmX2");
    immediates.fold(word, |word, field| {
        with_value(field, word, random.pick(lanes) << 16 | random.pick(lanes))
    })
}
