//! Maps with a hash of few steps. Authors mostly compile the macro without optimisation, where the hash
//! of the standard library takes longer than all else that a map does.

use std::hash::{BuildHasherDefault, Hasher};

/// A map with [`Quick`] as its hash.
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Quick>>;
/// A set with [`Quick`] as its hash.
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Quick>>;

/// A hash that is the same wherever it is computed.
#[derive(Debug, Default)]
pub struct Quick(u64);

impl Quick {
    /// Takes up to eight bytes in, as a number.
    fn add(&mut self, part: u64) {
        // Multiplied by an odd number without a pattern, all bits of the product laid over each other.
        let product = u128::from(self.0 ^ part ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut part = [0; 8];
            part[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(part));
        }
    }

    fn write_u8(&mut self, part: u8) {
        self.add(part.into());
    }

    fn write_u64(&mut self, part: u64) {
        self.add(part);
    }

    fn write_usize(&mut self, part: usize) {
        self.add(part as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
