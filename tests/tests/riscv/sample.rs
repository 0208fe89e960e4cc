//! 32-bit words to try: random ones, and such as are legal or nearly so.

use isa_riscv::Rv64imac;
use isa_verify::random::Random;

/// An endless sequence of words of which the two lowest bits are set, which says that they have
/// 32 bits.
pub(crate) struct Sample(Random);

impl Sample {
    pub(crate) const fn new(seed: u64) -> Self {
        Sample(Random::new(seed))
    }
}

impl Iterator for Sample {
    type Item = u32;

    /// One word in three is random; the others have the fixed bits of an opcode or alias and are random
    /// elsewhere, half of them with one bit changed.
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
