//! Converts numbers to digits and digits to numbers. Eight digits are stored in one 64-bit number, the
//! first digit in the lowest byte.

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

/// Returns the eight hexadecimal digits of a number, in lower case.
#[inline]
pub(crate) const fn hex(number: u32) -> u64 {
    let mut digits = number as u64;
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = ((digits + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    (digits + ZEROS + letters * (b'a' - b'0' - 10) as u64).swap_bytes()
}

/// Removes leading zeros from eight digits, but keeps the last digit. Returns the remaining digits and
/// their count.
#[inline]
pub(crate) const fn without_zeros(digits: u64) -> (u64, usize) {
    let zeros = ((digits ^ ZEROS) | 1 << 56).trailing_zeros() & !7;
    (digits >> zeros, 8 - zeros as usize / 8)
}

/// Parses a number with few enough digits that it fits 64 bits. `None` means that the general parser
/// must decide.
#[inline]
pub(crate) fn short_number(word: &[u8]) -> Option<u64> {
    let (mut number, mut is_wrong) = (0u64, false);
    match word {
        [b'0', b'x', digits @ ..] if matches!(digits.len(), 1..=16) => {
            for &byte in digits {
                let letter = (byte | 0x20).wrapping_sub(b'a');
                let digit = byte.wrapping_sub(b'0');
                let value = if digit > 9 { letter.wrapping_add(10) } else { digit };
                is_wrong |= (digit > 9) & (letter > 5);
                number = number << 4 | u64::from(value & 15);
            }
        }
        digits if matches!(digits.len(), 1..=19) => {
            for &byte in digits {
                let digit = byte.wrapping_sub(b'0');
                is_wrong |= digit > 9;
                number = number.wrapping_mul(10).wrapping_add(digit.into());
            }
        }
        _ => return None,
    }
    (!is_wrong).then_some(number)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::format;

    use super::{decimal, hex, without_zeros};

    #[test]
    fn digits_are_those_of_fmt() {
        // All values of the lowest five digits, followed by all values of the highest five.
        let low = (0..100_000).chain((0..100_000).map(|number| number * 1_000 + 999));
        for number in low {
            assert_eq!(decimal(number).to_le_bytes(), *format!("{number:08}").as_bytes());
        }
        for number in (0..=0xffff).flat_map(|half| [half, half << 16, half << 16 | 0xa5f0]) {
            assert_eq!(hex(number).to_le_bytes(), *format!("{number:08x}").as_bytes());
        }
    }

    #[test]
    fn leading_zeros_go() {
        for number in [0, 1, 10, 99, 100, 12_345, 1_000_000, 9_999_999, 10_000_000, 99_999_999] {
            let (text, len) = without_zeros(decimal(number));
            assert_eq!(text.to_le_bytes()[..len], *format!("{number}").as_bytes());
        }
    }
}
