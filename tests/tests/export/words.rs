//! Test words and the expected output for them.

use std::process::Command;

use isa_core::table::{Field, Init, InstructionSet, Opcode};
use isa_tests::tools::run;
use isa_verify::word_generator::WordGenerator;

/// The number of words of a set in an ordinary test.
pub(crate) const FEW: usize = 10_000;
/// The number of words in a campaign.
pub(crate) const MANY: usize = 1_000_000;
/// The number of words that a program processes in one run.
const AT_ONCE: usize = 50_000;

/// Returns the fields that an opcode does not fix.
pub(crate) fn open(opcode: &Opcode) -> impl Iterator<Item = &'static Field> {
    let is_open =
        |field: &&Field| !(field.pieces.is_empty() || matches!(field.init, Init::Fixed(_)));
    opcode.fields.iter().copied().filter(is_open)
}

/// Returns the expected line for a word: the number of its opcode, of one width or of any, and the
/// fields that are not fixed, or -1.
fn said(set: &'static InstructionSet, width: Option<u8>, word: u128) -> String {
    let is_asked = |number: &usize| width.is_none_or(|width| set.opcodes[*number].bits == width);
    let Some(number) = set.index(word).ok().filter(is_asked) else { return "-1".to_owned() };
    let fields = open(set.opcodes[number]);
    let fields = fields.map(|field| format!(" {}={:x}", field.name, field.get(word)));
    format!("{number}{}", fields.collect::<String>())
}

/// Returns random words of a set, the same number for each opcode: valid words, words with its
/// fixed bits, and both with one inverted bit. If `width` is given, only words of this width are
/// returned.
pub(crate) fn words(generator: &mut WordGenerator, width: Option<u8>, count: usize) -> Vec<u128> {
    let set = generator.model.set;
    let is_asked = |opcode: &usize| width.is_none_or(|width| set.opcodes[*opcode].bits == width);
    let opcodes: Vec<usize> = (0..generator.opcode_count()).filter(is_asked).collect();
    let mut words = Vec::with_capacity(count + 4);
    for opcode in opcodes.into_iter().cycle() {
        if words.len() >= count {
            break;
        }
        let bits = set.opcodes[opcode].bits;
        let last = u128::MAX >> (128 - bits);
        let own = [generator.legal(opcode), generator.plausible(opcode) & last];
        let turned = own.map(|word| word ^ 1 << generator.random.below(bits.into()));
        words.extend(own.into_iter().chain(turned));
    }
    words
}

/// Compares the output of a program for words with the expected lines of the set.
pub(crate) fn compare(
    set: &'static InstructionSet,
    width: Option<u8>,
    count: usize,
    program: impl Fn() -> Command,
) {
    let (mut generator, mut legal, mut all) = (WordGenerator::new(set, 20), 0, 0);
    while all < count {
        let words = words(&mut generator, width, (count - all).min(AT_ONCE));
        let input = words.iter().map(|word| format!("{word:x}\n")).collect();
        let output = run(&mut program(), input);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", set.name);
        let printed = String::from_utf8(output.stdout).expect("text");
        let mut lines = printed.lines();
        for word in &words {
            let expected = said(set, width, *word);
            assert_eq!(lines.next(), Some(expected.as_str()), "{} {word:#x}", set.name);
            legal += usize::from(expected != "-1");
        }
        assert_eq!(lines.next(), None);
        all += words.len();
    }
    println!("{}: {all} words, {legal} legal", set.name);
    assert!(legal * 4 > all && legal < all, "{legal} of {all} words are legal");
}
