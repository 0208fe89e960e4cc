//! The number of valid words of each opcode, computed in three ways: by arithmetic, by the decoder,
//! and by hand.

use isa_core::table::{Cube, InstructionSet};
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_riscv::Rv64imac;
use isa_verify::count::{deciding_bits, legal_words, legal_words_in};
use isa_verify::field_values::{bit_positions, field_value, with_value};
use isa_verify::word_generator::WordGenerator;

/// Tries every value of the bits that decide whether a word is valid. Multiplies the number of
/// valid words by the number of values of the other bits.
fn by_decoder(generator: &mut WordGenerator, opcode: usize) -> u128 {
    let word = generator.legal(opcode);
    let row = generator.opcode(opcode);
    let tried = deciding_bits(row);
    let covered: u32 = row.free().map(|index| row.opcode.fields[index].width()).sum();
    assert!(tried.len() <= 20, "{} has too many bits to try", row.opcode.name);
    let legal = (0..1u64 << tried.len()).filter(|number| {
        let word = tried.iter().enumerate().fold(word, |word, (i, &place)| {
            word & !(1 << place) | u128::from(number >> i & 1) << place
        });
        generator.model.set.index(word).ok() == Some(opcode)
    });
    (legal.count() as u128) << (covered - tried.len() as u32)
}

fn check_counts(set: &'static InstructionSet) {
    let mut generator = WordGenerator::new(set, 1);
    for opcode in 0..generator.opcode_count() {
        let expected = legal_words(generator.opcode(opcode)).unwrap();
        assert_eq!(by_decoder(&mut generator, opcode), expected, "{}", set.opcodes[opcode].name);
    }
}

#[test]
fn arithmetic_and_decoder_agree() {
    check_counts(Halu::SET);
    check_counts(Gpu::SET);
    check_counts(Rv64imac::SET);
}

/// Checks that the counts of halves, quarters and so on, chosen by any bits, add up to the count of
/// all words.
#[test]
fn parts_add_up() {
    for set in [Gpu::SET, Rv64imac::SET] {
        let mut generator = WordGenerator::new(set, 3);
        for opcode in 0..generator.opcode_count() {
            for _ in 0..20 {
                let chosen = [0; 6].map(|_| generator.random.below(u64::from(set.bits)));
                let mask = chosen.iter().fold(0, |mask, bit| mask | 1_u128 << bit);
                let (mut value, mut sum) = (0_u128, 0);
                loop {
                    sum +=
                        legal_words_in(generator.opcode(opcode), Cube::new(mask, value)).unwrap();
                    value = value.wrapping_sub(mask) & mask;
                    if value == 0 {
                        break;
                    }
                }
                assert_eq!(Some(sum), legal_words(generator.opcode(opcode)), "{mask:#x}");
            }
        }
    }
}

/// An odd factor and a power of two for each opcode.
///
/// The factor contains a 3 for each half-select, a 5 for the formats with `.FTZ` and `.SAT` of an
/// addition or multiplication (of a fused one there are 8), and a 7 for half of the comparisons. In
/// video it contains a 3 for `.sat` and `.add`, and a 3 or a 15 for the mask.
const BY_HAND: [(&str, u128, u32); 39] = [
    ("HADD2_RR", 3 * 3 * 5, 45),
    ("HADD2_RU", 3 * 3 * 5, 43),
    ("HADD2_RI", 3 * 5, 67),
    ("HADD2_RC", 3 * 3 * 5, 57),
    ("HMUL2_RR", 3 * 3 * 5, 44),
    ("HMUL2_RU", 3 * 3 * 5, 42),
    ("HMUL2_RI", 3 * 5, 66),
    ("HMUL2_RC", 3 * 3 * 5, 56),
    ("HFMA2_RRR", 3 * 3 * 3, 57),
    ("HFMA2_RRI", 3 * 3, 79),
    ("HFMA2_RIR", 3 * 3, 79),
    ("HFMA2_RRU", 3 * 3 * 3, 55),
    ("HFMA2_RUR", 3 * 3 * 3, 55),
    ("HFMA2_RRC", 3 * 3 * 3, 69),
    ("HFMA2_RCR", 3 * 3 * 3, 69),
    ("HMNMX2_RR", 3 * 3, 49),
    ("HMNMX2_RU", 3 * 3, 47),
    ("HMNMX2_RI", 3, 71),
    ("HMNMX2_RC", 3 * 3, 61),
    ("HSETP2_RR", 3 * 3 * 3 * 7, 47),
    ("HSETP2_RU", 3 * 3 * 3 * 7, 45),
    ("HSETP2_RI", 3 * 3 * 7, 69),
    ("HSETP2_RC", 3 * 3 * 3 * 7, 59),
    ("HSET2_RR", 3 * 3 * 3 * 7, 50),
    ("HSET2_RU", 3 * 3 * 3 * 7, 48),
    ("HSET2_RI", 3 * 3 * 7, 72),
    ("HSET2_RC", 3 * 3 * 3 * 7, 62),
    ("vadd2", 3 * 3, 57),
    ("vsub2", 3 * 3, 57),
    ("vavrg2", 3 * 3, 57),
    ("vabsdiff2", 3 * 3, 57),
    ("vmin2", 3 * 3, 57),
    ("vmax2", 3 * 3, 57),
    ("vadd4", 3 * 15, 73),
    ("vsub4", 3 * 15, 73),
    ("vavrg4", 3 * 15, 73),
    ("vabsdiff4", 3 * 15, 73),
    ("vmin4", 3 * 15, 73),
    ("vmax4", 3 * 15, 73),
];

#[test]
fn counts_by_hand() {
    let generator = WordGenerator::new(Gpu::SET, 1);
    let opcodes = generator.opcode_count();
    assert_eq!(opcodes, BY_HAND.len(), "`BY_HAND` must contain a line for each opcode");
    for (name, factor, shift) in BY_HAND {
        let row = generator.model.opcodes.iter().find(|row| row.opcode.name == name);
        assert_eq!(legal_words(row.expect(name)), Some(factor << shift), "{name}");
    }
}

/// Checks two assumptions of the arithmetic: fields do not share bits, and reading a field returns
/// the value that was written.
#[test]
fn fields_are_apart() {
    for set in [Gpu::SET, Rv64imac::SET] {
        check_apart(WordGenerator::new(set, 2));
    }
}

fn check_apart(mut generator: WordGenerator) {
    for opcode in 0..generator.opcode_count() {
        let row = generator.opcode(opcode).opcode;
        let mut all: Vec<u32> = row.fields.iter().flat_map(|field| bit_positions(field)).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{}", row.name);
        for field in row.fields.iter().filter(|field| !field.pieces.is_empty()) {
            let (word, raw) = (generator.random.word(), generator.raw(field));
            let changed = with_value(field, word, raw);
            assert_eq!(
                (field_value(field, changed), field.get(changed)),
                (raw, raw),
                "{}",
                field.name
            );
            assert_eq!(field.set(word, raw), changed, "{}", field.name);
            assert_eq!(changed & !field.mask(), word & !field.mask(), "{}", field.name);
            assert_eq!(
                bit_positions(field).iter().fold(0, |mask, bit| mask | 1 << bit),
                field.mask()
            );
        }
    }
}
