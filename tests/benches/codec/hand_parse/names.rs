//! Mnemonics and modifiers, which are found by perfect hashes.

/// Returns a name as a number, with the first byte in the lowest bits.
pub(super) const fn key(name: &str) -> u64 {
    let (name, mut key, mut i) = (name.as_bytes(), 0, 0);
    while i < name.len() {
        key |= (name[i] as u64) << (8 * i);
        i += 1;
    }
    key
}

/// Returns a number with the same byte eight times.
pub(super) const fn all(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// A perfect hash of keys: the index is in the top bits of a product.
pub(super) struct Names<const N: usize> {
    magic: u64,
    keys: [u64; N],
    values: [u64; N],
}

impl<const N: usize> Names<N> {
    pub(super) const fn new(names: &[(u64, u64)]) -> Self {
        let mut magic = 0x9e37_79b9_7f4a_7c15u64;
        'search: loop {
            magic ^= magic << 13;
            magic ^= magic >> 7;
            magic ^= magic << 17;
            let (mut keys, mut values, mut i) = ([u64::MAX; N], [0; N], 0);
            while i < names.len() {
                let place = (names[i].0.wrapping_mul(magic) >> (64 - N.ilog2())) as usize;
                if keys[place] != u64::MAX {
                    continue 'search;
                }
                (keys[place], values[place]) = names[i];
                i += 1;
            }
            return Names { magic, keys, values };
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<u64> {
        let place = (key.wrapping_mul(self.magic) >> (64 - N.ilog2())) as usize % N;
        (self.keys[place] == key).then_some(self.values[place])
    }
}

/// The mnemonics by their first eight bytes. If there is a ninth byte, it is a digit, and the key
/// is XORed with its value.
pub(super) static MNEMONICS: Names<64> = Names::new(&[
    (key("HADD2"), 0x30),
    (key("HFMA2"), 0x31),
    (key("HMUL2"), 0x32),
    (key("HSET2"), 0x33),
    (key("HSETP2"), 0x34),
    (key("HMNMX2"), 0x40),
    (key("vadd2"), 0x80),
    (key("vsub2"), 0x81),
    (key("vavrg2"), 0x82),
    (key("vabsdiff") ^ 2, 0x83),
    (key("vmin2"), 0x84),
    (key("vmax2"), 0x85),
    (key("vadd4"), 0x88),
    (key("vsub4"), 0x89),
    (key("vavrg4"), 0x8a),
    (key("vabsdiff") ^ 4, 0x8b),
    (key("vmin4"), 0x8c),
    (key("vmax4"), 0x8d),
]);

/// Returns the entry of a modifier: the position of its field in the upper half, the mask of the
/// field, and the value.
const fn modifier(name: &str, position: u64, mask: u64, value: u64) -> (u64, u64) {
    (key(name), position | mask << 8 | value << 16)
}

/// All modifiers of the HALU family. Their fields are in the upper 64 bits.
pub(super) static MODIFIERS: Names<64> = Names::new(&[
    modifier("F16_V2", 30, 1, 0),
    modifier("BF16_V2", 30, 1, 1),
    modifier("FTZ", 12, 1, 1),
    modifier("SAT", 13, 1, 1),
    modifier("RN", 14, 3, 0),
    modifier("RM", 14, 3, 1),
    modifier("RP", 14, 3, 2),
    modifier("RZ", 14, 3, 3),
    modifier("F32", 27, 1, 1),
    modifier("RELU", 28, 1, 1),
    modifier("AND", 20, 3, 0),
    modifier("OR", 20, 3, 1),
    modifier("XOR", 20, 3, 2),
    modifier("LT", 22, 15, 1),
    modifier("EQ", 22, 15, 2),
    modifier("LE", 22, 15, 3),
    modifier("GT", 22, 15, 4),
    modifier("NE", 22, 15, 5),
    modifier("GE", 22, 15, 6),
    modifier("NUM", 22, 15, 7),
    modifier("NAN", 22, 15, 8),
    modifier("LTU", 22, 15, 9),
    modifier("EQU", 22, 15, 10),
    modifier("LEU", 22, 15, 11),
    modifier("GTU", 22, 15, 12),
    modifier("NEU", 22, 15, 13),
    modifier("GEU", 22, 15, 14),
    modifier("BM", 26, 1, 0),
    modifier("BF", 26, 1, 1),
]);
