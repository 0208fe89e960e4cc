//! Prints a number with the fewest digits.

use core::fmt;

use crate::buffer::BufferWriter;
use crate::format::FloatFormat;

/// A finite magnitude. It is printed like Rust's `{:?}` prints an f64, with the fewest decimal digits
/// that identify its binary64 value. If several numbers have this many digits, the nearest one is
/// printed.
///
/// The digits are computed from an approximation with 90 bits. A test shows that this is precise
/// enough for all 65,536 numbers of both formats.
pub(crate) struct ShortestDecimal {
    digits: u64,
    /// The number is `digits * 10^exponent`.
    exponent: i32,
}

impl ShortestDecimal {
    /// Computes the digits of the value that is encoded as `magnitude`, which must be finite and
    /// not 0.
    pub(crate) fn of(format: FloatFormat, magnitude: u16) -> Self {
        let field = i32::from(magnitude >> format.fraction_bits);
        let hidden = u16::from(field != 0) << format.fraction_bits;
        let fraction = magnitude & (format.min_normal() - 1);
        let number = u64::from(fraction | hidden).max(1);
        let unit = field.max(1) - (format.bias + format.fraction_bits) as i32;
        let (scaled, mut exponent) = scaled(number, unit);
        // `near` is half of the distance to the next binary64 (the number divided by twice a 53-bit
        // significand), plus the error of the approximation. A decimal at exactly half of the distance
        // is accepted. Below a power of two, the distance is half as large.
        let near = u128::from((scaled >> (number.leading_zeros() - 10)) as u64 / number + 2);
        let below = if number.is_power_of_two() { near / 2 } else { near };
        let mut place = 10_000_000_000_000_000_000;
        exponent += 19;
        loop {
            // `place` is never 0. `checked_div` is used because the compiler cannot prove this, and
            // the code must not contain a panic.
            let digits = ((scaled >> FRACTION) as u64).checked_div(place).unwrap_or_default();
            let rest = scaled - (u128::from(digits * place) << FRACTION);
            let more = (u128::from(place) << FRACTION) - rest;
            let (down, up) = (rest <= below, more <= near);
            if down || up || place == 1 {
                let is_up = up && (!down || rest >= more);
                return ShortestDecimal { digits: digits + u64::from(is_up), exponent };
            }
            place /= 10;
            exponent -= 1;
        }
    }
}

/// The number of fraction bits of a scaled number.
const FRACTION: u32 = 32;

/// Returns `number * 2^unit` as a fixed-point number with 60 to 64 integer bits, or fewer if this
/// is exact, and a power of ten. `number` must be below 2^11, and the product below 2^128.
fn scaled(number: u64, unit: i32) -> (u128, i32) {
    let mut number = u128::from(number);
    if unit >= 0 {
        number <<= unit;
        // The number in base 2^32. The last digit is the fraction.
        let [a, b, c, d] = [96, 64, 32, 0].map(|low| (number >> low) as u32);
        let (mut digits, mut tens) = ([a, b, c, d, 0], 0);
        // Divides by ten until 64 bits remain.
        while digits[0] | digits[1] != 0 {
            let mut rest = 0;
            for digit in &mut digits {
                let part = rest << 32 | u64::from(*digit);
                *digit = (part / 10) as u32;
                rest = part % 10;
            }
            tens += 1;
        }
        return (digits.iter().fold(0, |all, &digit| all << 32 | u128::from(digit)), tens);
    }
    let (mut unit, mut tens) = (unit, 0);
    // Multiplies by powers of ten and divides by powers of two.
    loop {
        let zeros = number.leading_zeros();
        number <<= zeros;
        unit -= zeros as i32;
        if unit < -64 - 30 {
            (number, unit, tens) = ((number >> 30) * 1_000_000_000, unit + 30, tens - 9);
        } else if unit < -67 {
            (number, unit, tens) = ((number >> 4) * 10, unit + 4, tens - 1);
        } else {
            return (number >> (-unit - FRACTION as i32), tens);
        }
    }
}

impl fmt::Display for ShortestDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;

        let mut room = [0; 20];
        let mut text = BufferWriter::new(&mut room);
        write!(text, "{}", self.digits)?;
        let digits = text.as_str();
        // The number is `0.digits * 10^point`.
        let point = digits.len() as i32 + self.exponent;
        let zeros =
            |f: &mut fmt::Formatter<'_>, count| (0..count).try_for_each(|_| f.write_str("0"));
        let (whole, behind) = match point {
            -3..=0 => {
                f.write_str("0.")?;
                zeros(f, -point)?;
                return f.write_str(digits);
            }
            1..=16 => digits.split_at_checked(point as usize).unwrap_or((digits, "")),
            _ => digits.split_at_checked(1).unwrap_or_default(),
        };
        f.write_str(whole)?;
        if !behind.is_empty() {
            write!(f, ".{behind}")?;
        }
        match point {
            1..=16 => zeros(f, point - whole.len() as i32),
            _ => write!(f, "e{}", point - 1),
        }
    }
}
