//! Test campaigns for decoders. They check that the decoder accepts exactly the words that are valid
//! according to the specification, and that the text of each word assembles to the same word.
//!
//! A decoded word is checked with a second evaluation of fields and conditions, which does not use the
//! masks and trees of the decoder ([`crate::model`]). If a campaign enumerates words, it also compares
//! the number of words of each opcode with a calculated number ([`crate::count`]). If the two numbers
//! are equal and each decoded word is valid, the decoder accepts all valid words.

use std::sync::Arc;

use isa_core::table::Cube;

use crate::campaign::{Campaign, Tally};
use crate::count::{deciding_bits, legal_words, legal_words_in};
use crate::field_values::with_value;
use crate::model::Model;
use crate::random::SplitMix64;
use crate::text::round_trip;
use crate::word_generator::WordGenerator;

/// A decoder under test, which maps a word to the index of its opcode.
pub type Decode = fn(u128) -> Option<usize>;

/// A decoder of streams under test, which maps bytes to the index of an opcode, a word and its
/// length.
pub type First = fn(&[u8]) -> Option<(usize, u128, usize)>;

const COUNTS: &str = "fields and conditions read a second time; counts by arithmetic";
const FIELDS: &str = "fields and conditions read a second time";

/// The number of times that each value of the fixed bits is tested, each time with other values in the
/// remaining bits.
const REPEATS: u64 = 2;

/// The number of valid words of each opcode whose neighbours are tested.
const NEIGHBOURHOODS: u64 = 2048;

/// Words are enumerated over at most this many bits.
const ENUMERATED: u32 = 20;

/// A set and the decoder to compare.
struct DecoderUnderTest {
    name: String,
    model: Arc<Model>,
    decode: Box<dyn Fn(u128) -> Option<usize> + Send + Sync>,
    /// For each opcode, whether its valid words can be counted by arithmetic.
    counted: Vec<bool>,
}

impl DecoderUnderTest {
    fn new(
        name: &str,
        model: &Arc<Model>,
        decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let counted = model.opcodes.iter().map(|row| legal_words(row).is_some()).collect();
        let (name, model, decode) = (name.to_owned(), Arc::clone(model), Box::new(decode));
        Arc::new(DecoderUnderTest { name, model, decode, counted })
    }

    /// Returns the number of opcodes that are counted.
    fn counts(&self) -> u64 {
        self.counted.iter().filter(|counted| **counted).count() as u64
    }
}

/// Returns the test campaigns for the decoders of a set. If words have at most 32 bits, the
/// campaigns cover all words, and otherwise samples. The names of the campaigns begin with `name`.
#[must_use]
pub fn any(name: &str, model: &Arc<Model>) -> Vec<Campaign> {
    let set = model.set;
    let decode = move |word| set.index(word).ok();
    match set.bits {
        ..=32 => narrow(name, model, decode, move |bytes| set.first(bytes).ok()),
        _ => wide(name, model, decode),
    }
}

/// Returns the campaigns for a set of wide words, which are sampled because they cannot be
/// enumerated.
#[must_use]
pub fn wide(
    name: &str,
    model: &Arc<Model>,
    decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
) -> Vec<Campaign> {
    let tested = DecoderUnderTest::new(name, model, decode);
    let mut campaigns = vec![plausible(&tested)];
    for opcode in 0..model.opcodes.len() {
        campaigns.extend(patterns(&tested, opcode));
        campaigns.push(flips(&tested, opcode));
    }
    campaigns
}

/// Returns the campaigns for a set with words of up to 32 bits. They test every word, both as a
/// word and as the beginning of a stream.
#[must_use]
pub fn narrow(
    name: &str,
    model: &Arc<Model>,
    decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
    first: impl Fn(&[u8]) -> Option<(usize, u128, usize)> + Send + Sync + 'static,
) -> Vec<Campaign> {
    let tested = DecoderUnderTest::new(name, model, decode);
    vec![words(&tested), streams(&tested, first)]
}

/// Tests all words of the set's largest width, which is at most 32 bits. A word of a smaller width has
/// zeros in the upper bits. A unit contains all words that differ only in the lowest 16 bits.
fn words(tested: &Arc<DecoderUnderTest>) -> Campaign {
    let (name, tested) = (format!("{}/words", tested.name), Arc::clone(tested));
    let units = 1 << tested.model.set.bits.saturating_sub(16);
    let size = [units, (1 << 16) + tested.counts()];
    Campaign::new(name, COUNTS, size, move |unit, tally| {
        tested.enumerate(u128::from(unit) << 16, 0xffff, tally);
    })
}

/// For each 16-bit value, tests a stream of random length that begins with this value and continues with
/// random bytes. The index of a unit is its seed.
fn streams(
    tested: &Arc<DecoderUnderTest>,
    first: impl Fn(&[u8]) -> Option<(usize, u128, usize)> + Send + Sync + 'static,
) -> Campaign {
    let (name, tested) = (format!("{}/streams", tested.name), Arc::clone(tested));
    Campaign::new(name, FIELDS, [1 << 10, 1 << 16], move |unit, tally| {
        let mut random = SplitMix64::new(unit);
        for start in 0..1 << 16 {
            let bytes = (random.bits() << 16 | start).to_le_bytes();
            let stream = &bytes[..random.below(8) as usize];
            let expected = tested.model.first_instruction(stream);
            let found = first(stream);
            tally.check(found == expected, || {
                format!("{stream:02x?} begins with {found:x?}, expected {expected:x?}")
            });
        }
    })
}

/// Tests, for an opcode, every value of the bits that decide whether a word is valid, with random values
/// in the other bits. In half of the units the fixed bits have the values of the opcode, and in the
/// other half they have every value. Returns `None` if there are too many values.
fn patterns(tested: &Arc<DecoderUnderTest>, opcode: usize) -> Option<Campaign> {
    let tested = Arc::clone(tested);
    let row = &tested.model.opcodes[opcode];
    let name = format!("{}/patterns/{}", tested.name, row.opcode.name);
    let tried = deciding_bits(row).iter().fold(0, |mask, bit| mask | 1_u128 << bit);
    let fixed = tested.fixed_bits();
    if tried.count_ones() > ENUMERATED || fixed.count_ones() > ENUMERATED {
        return None;
    }
    let values = 1 << fixed.count_ones();
    let size = [values * REPEATS * 2, (1 << tried.count_ones()) + tested.counts()];
    Some(Campaign::new(name, COUNTS, size, move |unit, tally| {
        let mut generator = WordGenerator::of(&tested.model, unit);
        let legal = generator.uniform(opcode);
        let value = match unit / values < REPEATS {
            true => legal & fixed,
            false => scatter(u128::from(unit % values), fixed),
        };
        tested.enumerate(legal & !(fixed | tried) | value, tried, tally);
    }))
}

/// Tests valid words of an opcode, chosen with equal probability, and all words that differ from
/// them in one or two bits. The index of a unit is its seed.
fn flips(tested: &Arc<DecoderUnderTest>, opcode: usize) -> Campaign {
    let tested = Arc::clone(tested);
    let row = &tested.model.opcodes[opcode];
    let name = format!("{}/flips/{}", tested.name, row.opcode.name);
    let bits = u32::from(row.opcode.bits);
    let cases = u64::from(1 + bits + bits * (bits - 1) / 2);
    Campaign::new(name, FIELDS, [NEIGHBOURHOODS, cases], move |unit, tally| {
        let legal = WordGenerator::of(&tested.model, unit).uniform(opcode);
        tested.compare(legal, tally);
        for one in 0..bits {
            tested.compare(legal ^ 1 << one, tally);
            for other in 0..one {
                tested.compare(legal ^ 1 << one ^ 1 << other, tally);
            }
        }
    })
}

/// Tests words with the fixed fields of an opcode. Some of them are valid.
fn plausible(tested: &Arc<DecoderUnderTest>) -> Campaign {
    let (name, tested) = (format!("{}/plausible", tested.name), Arc::clone(tested));
    Campaign::new(name, FIELDS, [1 << 12, 1 << 14], move |unit, tally| {
        let mut generator = WordGenerator::of(&tested.model, unit);
        for _ in 0..1 << 14 {
            let opcode = generator.random.below(generator.opcode_count() as u64) as usize;
            let word = generator.plausible(opcode);
            tested.compare(word, tally);
        }
    })
}

impl DecoderUnderTest {
    /// Compares the decoder's result for one word with the model.
    fn compare(&self, word: u128, tally: &mut Tally) {
        let (found, expected) = ((self.decode)(word), self.model.legal(word));
        let wrong = match found {
            _ if found != expected => Some(format!("{found:?}, expected {expected:?}")),
            Some(index) => self.text_error(index, word),
            None => None,
        };
        tally.check(wrong.is_none(), || format!("{word:#034x}: {}", wrong.unwrap_or_default()));
    }

    /// Returns the error in the assembly of a word. If the assembly belongs to a different word, a
    /// listing contains the word as data, and there is nothing to compare. This happens if no text shows
    /// the ignored bits, or if the parser tries another row with the same text first.
    fn text_error(&self, index: usize, word: u128) -> Option<String> {
        let opcode = self.model.opcodes[index].opcode;
        opcode.reads_back(word).then(|| round_trip(self.model.set, word).err()).flatten()
    }

    /// Decodes all words that differ from `word` only in the bits of `tried`. The decoded words
    /// must be valid. For each opcode, their number must equal the number that is computed from the
    /// fields.
    fn enumerate(&self, word: u128, tried: u128, tally: &mut Tally) {
        let rows = &self.model.opcodes;
        let mut counts = vec![0_u128; rows.len()];
        let mut value = 0_u128;
        loop {
            let word = word & !tried | value;
            let wrong = (self.decode)(word).and_then(|index| {
                counts[index] += 1;
                let legal = rows[index].is_legal(word);
                if legal {
                    self.text_error(index, word)
                } else {
                    Some(format!("not a valid {}", rows[index].opcode.name))
                }
            });
            tally.check(wrong.is_none(), || format!("{word:#034x}: {}", wrong.unwrap_or_default()));
            // The next number whose bits are 0 outside of the mask.
            value = value.wrapping_sub(tried) & tried;
            if value == 0 {
                break;
            }
        }
        let cube = Cube::new(!tried, word & !tried);
        for ((row, count), counted) in rows.iter().zip(counts).zip(&self.counted) {
            let Some(expected) = legal_words_in(row, cube).filter(|_| *counted) else { continue };
            let name = row.opcode.name;
            tally.compare(count, expected, || format!("words of {name} in {:#x}", cube.value));
        }
    }

    /// Returns the bits that at least one opcode fixes.
    fn fixed_bits(&self) -> u128 {
        let fixed = self.model.opcodes.iter().flat_map(|row| row.fixed());
        fixed.fold(0, |mask, (field, _)| mask | with_value(field, 0, u64::MAX))
    }
}

/// Moves the low bits of a number to the positions of a mask.
fn scatter(number: u128, mask: u128) -> u128 {
    let places = (0..128).filter(|place| mask >> place & 1 == 1);
    places.enumerate().fold(0, |word, (i, place)| word | (number >> i & 1) << place)
}
