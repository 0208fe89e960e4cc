//! Instruction words: what is decoded is what the specification says is legal, and its text
//! assembles to the word.
//!
//! A word that is decoded is looked up in a second reading of fields and conditions, without the
//! masks and trees of the decoder ([`crate::model`]). Where words are enumerated, their number by
//! opcode is compared with arithmetic ([`crate::count`]): as many words, each of them legal, are
//! all the legal words there are.

use std::sync::Arc;

use isa_core::table::Cube;

use crate::campaign::{Campaign, Tally};
use crate::count::{deciding_bits, legal_words, legal_words_in};
use crate::model::Model;
use crate::random::Random;
use crate::space::{Space, with};
use crate::text::round_trip;

/// A decoder under test: from a word to the number of its opcode.
pub type Decode = fn(u128) -> Option<usize>;

/// A decoder of streams under test: from bytes to a number of an opcode, a word, its length.
pub type First = fn(&[u8]) -> Option<(usize, u128, usize)>;

const COUNTS: &str = "fields and conditions read a second time; counts by arithmetic";
const FIELDS: &str = "fields and conditions read a second time";

/// How often each value of the fixed bits is met, with other values elsewhere.
const REPEATS: u64 = 2;

/// Legal words an opcode whose neighbours are tried.
const NEIGHBOURHOODS: u64 = 2048;

/// Words are enumerated over no more bits than these.
const ENUMERATED: u32 = 20;

/// A set with the decoder to be compared.
struct Subject {
    name: String,
    model: Arc<Model>,
    decode: Box<dyn Fn(u128) -> Option<usize> + Send + Sync>,
    /// For each opcode whether its legal words can be counted by arithmetic.
    counted: Vec<bool>,
}

impl Subject {
    fn new(
        name: &str,
        model: &Arc<Model>,
        decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let counted = model.rows.iter().map(|row| legal_words(row).is_some()).collect();
        let (name, model, decode) = (name.to_owned(), Arc::clone(model), Box::new(decode));
        Arc::new(Subject { name, model, decode, counted })
    }

    /// How many opcodes are counted.
    fn counts(&self) -> u64 {
        self.counted.iter().filter(|counted| **counted).count() as u64
    }
}

/// The campaigns over the decoders of a set: where no word has more than 32 bits, over all words,
/// else over samples of them. Their names begin with `name`.
#[must_use]
pub fn any(name: &str, model: &Arc<Model>) -> Vec<Campaign> {
    let set = model.set;
    let decode = move |word| set.index(word).ok();
    match set.bits {
        ..=32 => narrow(name, model, decode, move |bytes| set.first(bytes).ok()),
        _ => wide(name, model, decode),
    }
}

/// The campaigns over a set of wide words: what cannot be enumerated is sampled.
#[must_use]
pub fn wide(
    name: &str,
    model: &Arc<Model>,
    decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
) -> Vec<Campaign> {
    let subject = Subject::new(name, model, decode);
    let mut campaigns = vec![plausible(&subject)];
    for opcode in 0..model.rows.len() {
        campaigns.extend(patterns(&subject, opcode));
        campaigns.push(flips(&subject, opcode));
    }
    campaigns
}

/// The campaigns over a set of words of up to 32 bits: all words, each as a word and as the
/// beginning of a stream.
#[must_use]
pub fn narrow(
    name: &str,
    model: &Arc<Model>,
    decode: impl Fn(u128) -> Option<usize> + Send + Sync + 'static,
    first: impl Fn(&[u8]) -> Option<(usize, u128, usize)> + Send + Sync + 'static,
) -> Vec<Campaign> {
    let subject = Subject::new(name, model, decode);
    vec![words(&subject), streams(&subject, first)]
}

/// All words of 32 bits, or of as many as the widest have, the shorter ones being those with zeros
/// above. A unit is the bits above the lowest 16.
fn words(subject: &Arc<Subject>) -> Campaign {
    let (name, subject) = (format!("{}/words", subject.name), Arc::clone(subject));
    let units = 1 << subject.model.set.bits.saturating_sub(16);
    let size = [units, (1 << 16) + subject.counts()];
    Campaign::new(name, COUNTS, size, move |unit, tally| {
        subject.enumerate(u128::from(unit) << 16, 0xffff, tally);
    })
}

/// Streams that begin with each 16 bits, of random length, with random bytes behind. The number
/// of a unit is their seed.
fn streams(
    subject: &Arc<Subject>,
    first: impl Fn(&[u8]) -> Option<(usize, u128, usize)> + Send + Sync + 'static,
) -> Campaign {
    let (name, subject) = (format!("{}/streams", subject.name), Arc::clone(subject));
    Campaign::new(name, FIELDS, [1 << 10, 1 << 16], move |unit, tally| {
        let mut random = Random::new(unit);
        for start in 0..1 << 16 {
            let bytes = (random.bits() << 16 | start).to_le_bytes();
            let stream = &bytes[..random.below(8) as usize];
            let expected = subject.model.beginning(stream);
            let found = first(stream);
            tally.check(found == expected, || {
                format!("{stream:02x?} begins with {found:x?}, expected {expected:x?}")
            });
        }
    })
}

/// For an opcode: every value of the bits that decide whether a word is legal, with random bits
/// elsewhere. In half of the units the fixed bits are the opcode's, in the others they take all
/// values.
/// None where these are too many.
fn patterns(subject: &Arc<Subject>, opcode: usize) -> Option<Campaign> {
    let subject = Arc::clone(subject);
    let row = &subject.model.rows[opcode];
    let name = format!("{}/patterns/{}", subject.name, row.opcode.name);
    let tried = deciding_bits(row).iter().fold(0, |mask, bit| mask | 1_u128 << bit);
    let fixed = subject.fixed_bits();
    if tried.count_ones() > ENUMERATED || fixed.count_ones() > ENUMERATED {
        return None;
    }
    let values = 1 << fixed.count_ones();
    let size = [values * REPEATS * 2, (1 << tried.count_ones()) + subject.counts()];
    Some(Campaign::new(name, COUNTS, size, move |unit, tally| {
        let mut space = Space::of(&subject.model, unit);
        let legal = space.uniform(opcode);
        let value = match unit / values < REPEATS {
            true => legal & fixed,
            false => scatter(u128::from(unit % values), fixed),
        };
        subject.enumerate(legal & !(fixed | tried) | value, tried, tally);
    }))
}

/// Legal words of an opcode, all equally likely, and all words that differ in one or two bits.
/// The number of a unit is its seed.
fn flips(subject: &Arc<Subject>, opcode: usize) -> Campaign {
    let subject = Arc::clone(subject);
    let row = &subject.model.rows[opcode];
    let name = format!("{}/flips/{}", subject.name, row.opcode.name);
    let bits = u32::from(row.opcode.bits);
    let cases = u64::from(1 + bits + bits * (bits - 1) / 2);
    Campaign::new(name, FIELDS, [NEIGHBOURHOODS, cases], move |unit, tally| {
        let legal = Space::of(&subject.model, unit).uniform(opcode);
        subject.compare(legal, tally);
        for one in 0..bits {
            subject.compare(legal ^ 1 << one, tally);
            for other in 0..one {
                subject.compare(legal ^ 1 << one ^ 1 << other, tally);
            }
        }
    })
}

/// Words with the fixed fields of some opcode, of which some are legal.
fn plausible(subject: &Arc<Subject>) -> Campaign {
    let (name, subject) = (format!("{}/plausible", subject.name), Arc::clone(subject));
    Campaign::new(name, FIELDS, [1 << 12, 1 << 14], move |unit, tally| {
        let mut space = Space::of(&subject.model, unit);
        for _ in 0..1 << 14 {
            let opcode = space.random.below(space.opcodes() as u64) as usize;
            let word = space.plausible(opcode);
            subject.compare(word, tally);
        }
    })
}

impl Subject {
    /// Compares the answer to one word with the model's.
    fn compare(&self, word: u128, tally: &mut Tally) {
        let (found, expected) = ((self.decode)(word), self.model.legal(word));
        let wrong = match found {
            _ if found != expected => Some(format!("{found:?}, expected {expected:?}")),
            Some(_) => round_trip(self.model.set, word).err(),
            None => None,
        };
        tally.check(wrong.is_none(), || format!("{word:#034x}: {}", wrong.unwrap_or_default()));
    }

    /// Decodes each word that differs from one in nothing but the bits of a mask; what is decoded
    /// must be legal, and as much of each opcode as arithmetic says.
    fn enumerate(&self, word: u128, tried: u128, tally: &mut Tally) {
        let rows = &self.model.rows;
        let mut counts = vec![0_u128; rows.len()];
        let mut value = 0_u128;
        loop {
            let word = word & !tried | value;
            let wrong = (self.decode)(word).and_then(|index| {
                counts[index] += 1;
                let legal = rows[index].is_legal(word);
                let text = || round_trip(self.model.set, word).err();
                if legal { text() } else { Some(format!("no {}", rows[index].opcode.name)) }
            });
            tally.check(wrong.is_none(), || format!("{word:#034x}: {}", wrong.unwrap_or_default()));
            // The next number that has no bits but those of the mask.
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

    /// The bits that any opcode fixes.
    fn fixed_bits(&self) -> u128 {
        let fixed = self.model.rows.iter().flat_map(|row| row.fixed());
        fixed.fold(0, |mask, (field, _)| mask | with(field, 0, u64::MAX))
    }
}

/// The low bits of a number in the places of a mask.
fn scatter(number: u128, mask: u128) -> u128 {
    let places = (0..128).filter(|place| mask >> place & 1 == 1);
    places.enumerate().fold(0, |word, (i, place)| word | (number >> i & 1) << place)
}
