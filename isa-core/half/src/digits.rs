//! Converts numbers to decimal digits. Eight digits are stored in one 64-bit number, the first digit in
//! the lowest byte.

/// Eight times the character `0`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Returns the eight decimal digits of a number below 10^8.
#[inline]
pub(crate) const fn decimal(number: u32) -> u64 {
    // Each step splits every part into the upper and the lower half of its digits. Multiplications and
    // shifts replace divisions; the quotients are exact for all numbers with this number of digits.
    let pair = (number / 10_000) as u64 | ((number % 10_000) as u64) << 32;
    let hundreds = ((pair * 10_486) >> 20) & 0x7f_0000_007f;
    let parts = hundreds | (pair - 100 * hundreds) << 16;
    let tens = ((parts * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | (parts - 10 * tens) << 8) + ZEROS
}

/// Removes leading zeros from eight digits, but keeps the last digit. Returns the remaining digits and
/// their count.
#[inline]
pub(crate) const fn without_zeros(digits: u64) -> (u64, usize) {
    let zeros = ((digits ^ ZEROS) | 1 << 56).trailing_zeros() & !7;
    (digits >> zeros, 8 - zeros as usize / 8)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::format;

    use super::{decimal, without_zeros};

    #[test]
    fn digits_are_those_of_fmt() {
        // All values of the lowest five digits, followed by all values of the highest five.
        let low = (0..100_000).chain((0..100_000).map(|number| number * 1_000 + 999));
        for number in low {
            assert_eq!(decimal(number).to_le_bytes(), *format!("{number:08}").as_bytes());
            let (text, len) = without_zeros(decimal(number));
            assert_eq!(text.to_le_bytes()[..len], *format!("{number}").as_bytes());
        }
    }
}
