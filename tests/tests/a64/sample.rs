//! Words to test: random words, valid words, and words that are almost valid.

use isa_a64::A64;
use isa_core::table::Opcode;
use isa_verify::random::SplitMix64;

/// Masks and values of classes of instructions. The set contains all instructions of these classes.
const CLASSES: &[(u32, u32)] = &[
    // Immediates, and registers only.
    (0x1c00_0000, 0x1000_0000),
    (0x0e00_0000, 0x0a00_0000),
    // Branches: to an offset, with a condition, with a register test, to a register.
    (0x7c00_0000, 0x1400_0000),
    (0xfe00_0000, 0x5400_0000),
    (0x7c00_0000, 0x3400_0000),
    (0xfe00_0000, 0xd600_0000),
    // System calls, hints, barriers.
    (0xff00_0000, 0xd400_0000),
    (0xffff_f01f, 0xd503_201f),
    (0xffff_f0ff, 0xd503_305f),
    (0xffff_f0ff, 0xd503_309f),
    (0xffff_f0ff, 0xd503_30bf),
    (0xffff_f0ff, 0xd503_30df),
    // Some system registers.
    (0xffdf_ffe0, 0xd51b_4200),
    (0xffdf_ffc0, 0xd51b_4400),
    (0xffdf_ffe0, 0xd51b_d040),
    (0xffff_ffe0, 0xd53b_d060),
    (0xffff_ffe0, 0xd53b_0020),
    (0xffff_ffe0, 0xd53b_00e0),
    (0xffff_ffe0, 0xd53b_e000),
    (0xffff_ffe0, 0xd53b_e040),
    // Memory: exclusive and ordered accesses, literal loads, register pairs, single registers.
    (0x3f00_0000, 0x0800_0000),
    (0x3f00_0000, 0x1800_0000),
    (0x3e00_0000, 0x2800_0000),
    (0x3e00_0000, 0x3800_0000),
];

/// The vector operations that the set contains. If the flag is true, `u` may also be 1, which gives
/// two operations.
const VECTORS: [(u32, bool); 18] = [
    (0, true),
    (2, true),
    (3, true),
    (4, true),
    (6, true),
    (7, true),
    (8, true),
    (12, true),
    (13, true),
    (14, true),
    (15, true),
    (16, true),
    (17, true),
    (18, true),
    (19, false),
    (20, true),
    (21, true),
    (23, false),
];

/// Returns whether a word is in one of the classes.
pub(crate) fn is_in_a_class(word: u32) -> bool {
    let vector = word & 0x9f20_0400 == 0x0e20_0400;
    let mut operations = VECTORS.iter();
    CLASSES.iter().any(|&(mask, value)| word & mask == value)
        || vector && operations.any(|&(op, u)| word >> 11 & 31 == op && (u || word >> 29 & 1 == 0))
}

/// The positions of five-bit register fields.
const REGISTERS: [u32; 4] = [0, 5, 10, 16];

/// An endless sequence of words of the classes.
pub(crate) struct Sample(SplitMix64);

impl Sample {
    pub(crate) const fn new(seed: u64) -> Self {
        Sample(SplitMix64::new(seed))
    }
}

/// Returns random bits. In half of the words, some operands have extreme values or are equal.
pub(crate) fn edged(random: &mut SplitMix64) -> u32 {
    let mut bits = random.bits() as u32;
    if random.below(2) == 0 {
        return bits;
    }
    let first = random.bits() as u32 & 31;
    for place in REGISTERS {
        let value = match random.below(6) {
            0 | 1 => 31,
            2 => 0,
            3 => first,
            _ => continue,
        };
        bits = bits & !(31 << place) | value << place;
    }
    match random.below(4) {
        // Immediates with more bits.
        0 => bits & !(0xfff << 10),
        1 => bits | 0xffff << 5,
        _ => bits,
    }
}

impl Iterator for Sample {
    type Item = u32;

    /// Returns the next word. One word in three is random. The others have the fixed bits of an
    /// opcode or alias and are random elsewhere, and one in four of them has one bit inverted.
    fn next(&mut self) -> Option<u32> {
        let rows: &[&Opcode] = A64::SET.spellings;
        loop {
            let Sample(random) = self;
            let bits = edged(random);
            let word = match random.below(3) {
                0 => bits,
                // One in a hundred is a vector instruction in any case.
                1 if random.below(30) == 0 => bits & 0x60ff_ffff | 0x0e20_0400,
                _ => {
                    let row = random.pick(rows);
                    let legal = bits & !(row.fixed.mask | row.unused) as u32;
                    let flip = if random.below(4) == 0 { 1 << random.below(32) } else { 0 };
                    (legal | row.fixed.value as u32) ^ flip
                }
            };
            if is_in_a_class(word) {
                return Some(word);
            }
        }
    }
}
