//! Words to try: random ones, and such as are legal or nearly so.

use isa_a64::A64;
use isa_core::table::Opcode;
use isa_verify::random::Random;

/// Bits of a word, and values of them: a class of instructions, all of which the set has.
const CLASSES: &[(u32, u32)] = &[
    // A number in the word; registers alone.
    (0x1c00_0000, 0x1000_0000),
    (0x0e00_0000, 0x0a00_0000),
    // Branches: to a distance, by a condition, by a register, to a register.
    (0x7c00_0000, 0x1400_0000),
    (0xfe00_0000, 0x5400_0000),
    (0x7c00_0000, 0x3400_0000),
    (0xfe00_0000, 0xd600_0000),
    // Calls of the system, hints, barriers.
    (0xff00_0000, 0xd400_0000),
    (0xffff_f01f, 0xd503_201f),
    (0xffff_f0ff, 0xd503_305f),
    (0xffff_f0ff, 0xd503_309f),
    (0xffff_f0ff, 0xd503_30bf),
    (0xffff_f0ff, 0xd503_30df),
    // Some registers of the system.
    (0xffdf_ffe0, 0xd51b_4200),
    (0xffdf_ffc0, 0xd51b_4400),
    (0xffdf_ffe0, 0xd51b_d040),
    (0xffff_ffe0, 0xd53b_d060),
    (0xffff_ffe0, 0xd53b_0020),
    (0xffff_ffe0, 0xd53b_00e0),
    (0xffff_ffe0, 0xd53b_e000),
    (0xffff_ffe0, 0xd53b_e040),
    // Memory: exclusive and ordered, beside the instruction, of two registers, of one.
    (0x3f00_0000, 0x0800_0000),
    (0x3f00_0000, 0x1800_0000),
    (0x3e00_0000, 0x2800_0000),
    (0x3e00_0000, 0x3800_0000),
];

/// Which operations on vectors the set has, of two kinds each where `u` may be 1 as well.
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

/// Whether the set has the class of a word.
pub(crate) fn is_in_a_class(word: u32) -> bool {
    let vector = word & 0x9f20_0400 == 0x0e20_0400;
    let mut operations = VECTORS.iter();
    CLASSES.iter().any(|&(mask, value)| word & mask == value)
        || vector && operations.any(|&(op, u)| word >> 11 & 31 == op && (u || word >> 29 & 1 == 0))
}

/// Where operands of five bits lie.
const REGISTERS: [u32; 4] = [0, 5, 10, 16];

/// An endless sequence of words of the classes.
pub(crate) struct Sample(Random);

impl Sample {
    pub(crate) const fn new(seed: u64) -> Self {
        Sample(Random::new(seed))
    }
}

/// Random bits; one word in two has some operands at their edges, or twice the same.
pub(crate) fn edged(random: &mut Random) -> u32 {
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
        // Numbers of more bits.
        0 => bits & !(0xfff << 10),
        1 => bits | 0xffff << 5,
        _ => bits,
    }
}

impl Iterator for Sample {
    type Item = u32;

    /// One word in three is random; the others have the fixed bits of an opcode or alias and are
    /// random elsewhere, one in four of them with one bit changed.
    fn next(&mut self) -> Option<u32> {
        let rows: &[&Opcode] = A64::SET.spellings;
        loop {
            let Sample(random) = self;
            let bits = edged(random);
            let word = match random.below(3) {
                0 => bits,
                // One in a hundred is a vector by itself.
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
