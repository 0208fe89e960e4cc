//! The text of one statement in a buffer of fixed size, so that eight bytes can be loaded at any
//! position without a bounds check.

use crate::text::WORD;

/// A part of a text, with zeros after the end of the text.
///
/// Positions wrap around, so no position is out of bounds. The parser must check at the end of a
/// statement that its position does not exceed [`Window::TEXT`].
#[derive(Clone, Copy)]
pub(crate) struct Window<'t>(pub(crate) &'t [u8; Window::SIZE]);

/// The top bits of eight bytes.
const TOPS: u64 = all(0x80);

impl Window<'_> {
    /// The number of bytes that may be parsed.
    pub(crate) const TEXT: usize = 256;

    pub(crate) const SIZE: usize = Self::TEXT + 8;

    /// Loads eight bytes, the first in the lowest bits.
    #[inline(always)]
    pub(crate) fn load(self, at: usize) -> u64 {
        let at = at % Self::TEXT;
        self.0[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub(crate) fn byte(self, at: usize) -> u8 {
        self.0[at % Self::TEXT]
    }

    /// Returns whether a letter, a digit or `_` is at a position.
    #[inline(always)]
    pub(crate) fn is_word(self, at: usize) -> bool {
        WORD[usize::from(self.byte(at))]
    }

    /// Returns the length of the word at a position.
    #[inline(always)]
    pub(crate) fn word_len(self, at: usize) -> usize {
        let mut len = 0;
        loop {
            let ends = word_ends(self.load(at + len));
            let more = ends.trailing_zeros() as usize / 8;
            len += more;
            if more < 8 || len > Self::TEXT {
                return len;
            }
        }
    }

    /// Returns the first bytes of the word at a position, at most eight, and its length.
    #[inline(always)]
    pub(crate) fn word(self, at: usize) -> (u64, usize) {
        match self.short_word(at) {
            Some(word) => word,
            None => match self.word_len(at) {
                0 => (0, 0),
                len => (self.load(at), len),
            },
        }
    }

    /// Returns the bytes of the word at a position, and its length; `None` if there is no word, or
    /// if it has more than 8 bytes.
    #[inline(always)]
    pub(crate) fn short_word(self, at: usize) -> Option<(u64, usize)> {
        let bytes = self.load(at);
        let ends = word_ends(bytes);
        let len = ends.trailing_zeros() as usize / 8;
        if len == 8 {
            return (!self.is_word(at + 8)).then_some((bytes, 8));
        }
        let below = ends ^ ends.wrapping_sub(1);
        (len > 0).then_some((bytes & below >> 8, len))
    }

    /// Returns the number at a position and its length. The number must have at most three digits
    /// and be less than `count`.
    #[inline(always)]
    pub(crate) fn number_below(self, count: u16, at: usize) -> Option<(u64, usize)> {
        // Digits become 0 to 9. In each of the four low bytes of `others`, the top bit is set if the
        // byte is not a digit. The top bit of the fifth byte is always set.
        let values = self.load(at) as u32 ^ 0x3030_3030;
        let large = (values & 0x7f7f_7f7f) + 0x7676_7676;
        let others = u64::from((large | values) & 0x8080_8080) | 1 << 39;
        let (bits, len) = (others.trailing_zeros() & !7, others.trailing_zeros() / 8);
        if len.wrapping_sub(1) > 2 {
            return None;
        }
        let aligned = values << (32 - bits);
        let number = (aligned >> 8 & 0xff) * 100 + (aligned >> 16 & 0xff) * 10 + (aligned >> 24);
        // A leading 0 before other digits is an error, and so are letters after the digits.
        let needless = (len > 1) & (values & 0xff == 0);
        let len = len as usize;
        let fine = !needless & (number < count.into()) & !self.is_word(at + len);
        fine.then_some((number.into(), len))
    }
}

/// Returns the top bit of each byte that is not a letter, a digit or `_`. Some control characters
/// count as letters, which is harmless because no name contains them.
#[inline(always)]
const fn word_ends(bytes: u64) -> u64 {
    // Letters become lower case, digits remain unchanged, and `_` becomes 0x7f. A byte is in a range if
    // `at_least` differs for the two bounds of the range, so the results are combined by `^`.
    let low = (bytes | all(0x20)) & !TOPS;
    let digits = at_least(low, b'0') ^ at_least(low, b'9' + 1);
    let letters = at_least(low, b'a') ^ at_least(low, b'z' + 1);
    (!(digits ^ letters ^ at_least(low, 0x7f)) | bytes) & TOPS
}

/// Repeats a byte eight times.
const fn all(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// Returns the top bit of each byte that is at least `least`. No byte may have its top bit set.
#[inline(always)]
const fn at_least(bytes: u64, least: u8) -> u64 {
    bytes + all(0x80 - least)
}

#[cfg(test)]
mod tests {
    use super::word_ends;
    use crate::text::{WORD, Window};

    #[test]
    fn ends_of_words() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                for other in [0, b'a', 0xff] {
                    let mut bytes = [other; 8];
                    bytes[place] = byte;
                    let ends = word_ends(u64::from_le_bytes(bytes));
                    let is_word = WORD[usize::from(byte)] || matches!(byte, 0x10..=0x19 | 0x7f);
                    assert_eq!(ends >> (8 * place) & 0xff == 0, is_word, "{byte}");
                    assert_eq!(ends & !super::TOPS, 0);
                }
            }
        }
    }

    #[test]
    fn words() {
        let mut bytes = [0; Window::SIZE];
        bytes[..21].copy_from_slice(b"HADD2.BF16_V2 vabsdif");
        bytes[21..25].copy_from_slice(b"f4;1");
        let window = Window(&bytes);
        let key = |text: &[u8; 8]| u64::from_le_bytes(*text);
        assert_eq!(window.short_word(0), Some((key(b"HADD2\0\0\0"), 5)));
        assert_eq!(window.short_word(5), None);
        assert_eq!(window.short_word(6), Some((key(b"BF16_V2\0"), 7)));
        assert_eq!(window.short_word(14), None, "nine bytes");
        assert_eq!(window.short_word(15), Some((key(b"absdiff4"), 8)));
        assert_eq!((window.word_len(14), window.word_len(13)), (9, 0));
        bytes.fill(b'x');
        assert!(Window(&bytes).word_len(0) > Window::TEXT, "it ends all the same");
    }
}
