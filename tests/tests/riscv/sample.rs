//! 32-bit words to test: random words, valid words, and words that are almost valid.

use isa_riscv::Rv64imac;
use isa_verify::random::SplitMix64;

/// An endless sequence of words whose two lowest bits are set, which means that they have 32 bits.
pub(crate) struct Sample(SplitMix64);

impl Sample {
    pub(crate) const fn new(seed: u64) -> Self {
        Sample(SplitMix64::new(seed))
    }
}

impl Iterator for Sample {
    type Item = u32;

    /// Returns the next word. One word in three is random. The others have the fixed bits of an
    /// opcode or alias and are random elsewhere, and half of them have one bit inverted.
    fn next(&mut self) -> Option<u32> {
        let Sample(random) = self;
        let bits = random.bits() as u32;
        let word = match random.below(3) {
            0 => bits,
            choice => {
                let wide = |row: &&&_| -> bool {
                    let row: &isa_core::table::Opcode = row;
                    row.bits == 32
                };
                let rows: Vec<_> = Rv64imac::SET.spellings.iter().filter(wide).collect();
                let row = random.pick(&rows);
                let legal = bits & !(row.fixed.mask | row.unused) as u32 | row.fixed.value as u32;
                let flip = if choice == 1 { 0 } else { 1 << random.below(32) };
                legal ^ flip
            }
        };
        Some(word | 3)
    }
}
