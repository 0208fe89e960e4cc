//! The shortest text of a number.

use core::fmt;

use super::format::Format;
use super::text::Bounded;

/// A finite magnitude as the fewest decimal digits that no other binary64 is nearest to, of those the
/// nearest, as Rust's `{:?}` has them.
///
/// The digits are those of an approximation to 90 bits. That it is near enough for every number of both
/// formats is a test: there are 65,536.
pub(super) struct Shortest {
    digits: u64,
    /// The number is `digits * 10^exponent`.
    exponent: i32,
}

impl Shortest {
    /// Of the magnitude with these bits, which is finite and not 0.
    pub(super) fn of(format: Format, magnitude: u16) -> Self {
        let field = i32::from(magnitude >> format.fraction_bits);
        let hidden = u16::from(field != 0) << format.fraction_bits;
        let fraction = magnitude & (format.min_normal() - 1);
        let number = u64::from(fraction | hidden).max(1);
        let unit = field.max(1) - (format.bias + format.fraction_bits) as i32;
        let (scaled, mut exponent) = scaled(number, unit);
        // Half of what a binary64 counts by there, the number by twice a significand of 53 bits, and what
        // the approximation lacks: a tie counts. A power of two has half of that below it.
        let near = u128::from((scaled >> (number.leading_zeros() - 10)) as u64 / number + 2);
        let below = if number.is_power_of_two() { near / 2 } else { near };
        let mut place = 10_000_000_000_000_000_000;
        exponent += 19;
        loop {
            // No place is 0: this division has no panic that the compiler cannot rule out.
            let digits = ((scaled >> FRACTION) as u64).checked_div(place).unwrap_or_default();
            let rest = scaled - (u128::from(digits * place) << FRACTION);
            let more = (u128::from(place) << FRACTION) - rest;
            let (down, up) = (rest <= below, more <= near);
            if down || up || place == 1 {
                let is_up = up && (!down || rest >= more);
                return Shortest { digits: digits + u64::from(is_up), exponent };
            }
            place /= 10;
            exponent -= 1;
        }
    }
}

/// The bits behind the point of a number that is scaled.
const FRACTION: u32 = 32;

/// `number * 2^unit` as a number of 60 to 64 bits before the point, or fewer where that is exact, and a
/// power of ten. `number` is below 2^11, the product below 2^128.
fn scaled(number: u64, unit: i32) -> (u128, i32) {
    let mut number = u128::from(number);
    if unit >= 0 {
        number <<= unit;
        let more = (128 - number.leading_zeros()).saturating_sub(64);
        // Each power of ten takes away 3.32 bits.
        let tens = (more * 1233).div_ceil(4096);
        let divisor = 10u128.pow(tens);
        let whole = number.checked_div(divisor).unwrap_or_default();
        let rest = (number - whole * divisor) << FRACTION;
        let rest = rest.checked_div(divisor).unwrap_or_default();
        return (whole << FRACTION | rest, tens as i32);
    }
    let (mut unit, mut tens) = (unit, 0);
    // Larger by powers of ten, and smaller by powers of two.
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

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;

        let mut room = [0; 20];
        let mut text = Bounded::new(&mut room);
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
