//! Maps and sets with a cheap hash function. The macro is usually compiled without optimisation,
//! and then the hash function of the standard library takes longer than the rest of a map
//! operation.

use std::hash::{BuildHasherDefault, Hasher};

/// A map that uses [`FastHasher`].
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// A set that uses [`FastHasher`].
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<FastHasher>>;

/// A hash function that returns the same values on every platform and in every run.
#[derive(Debug, Default)]
pub struct FastHasher(u64);

impl FastHasher {
    /// Adds a part of up to eight bytes.
    fn add(&mut self, part: u64) {
        // Multiplies by an odd constant with irregular bits, then combines both halves of the
        // product.
        let product = u128::from(self.0 ^ part ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for FastHasher {
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
