//! Exact counts of words, from 0 to 2^128.

use std::fmt;

/// A number of words: at most 2^128, which is one more than `u128::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Count {
    /// The multiple of 2^128: 1 for the count 2^128, otherwise 0. It must be the first field,
    /// because counts are compared field by field.
    all: u128,
    rest: u128,
}

impl Count {
    /// Zero words.
    pub const ZERO: Count = Count { all: 0, rest: 0 };
    /// One word.
    pub const ONE: Count = Count { all: 0, rest: 1 };

    /// Returns 2 to the power of `bits`, or 2^128 if `bits` is larger than 128.
    #[must_use]
    pub const fn power(bits: u32) -> Count {
        match bits {
            128.. => Count { all: 1, rest: 0 },
            _ => Count { all: 0, rest: 1 << bits },
        }
    }

    /// Returns the sum of both counts.
    #[must_use]
    pub fn plus(self, other: Count) -> Count {
        let (rest, carry) = self.rest.overflowing_add(other.rest);
        Count { all: self.all + other.all + u128::from(carry), rest }
    }

    /// Returns this count minus `part`, which must not be larger.
    #[must_use]
    pub fn minus(self, part: Count) -> Count {
        let (rest, borrow) = self.rest.overflowing_sub(part.rest);
        Count { all: self.all.saturating_sub(part.all + u128::from(borrow)), rest }
    }

    /// Returns this count multiplied by 2 to the power of `bits`.
    #[must_use]
    pub fn times_power(self, bits: u32) -> Count {
        match bits {
            0 => self,
            128.. => Count { all: self.rest, rest: 0 },
            _ => {
                Count { all: self.all << bits | self.rest >> (128 - bits), rest: self.rest << bits }
            }
        }
    }

    /// Converts a number of items to a count.
    #[must_use]
    pub const fn number(count: usize) -> Count {
        Count { all: 0, rest: count as u128 }
    }

    /// Returns whether the count is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Count::ZERO
    }

    /// Returns the approximate binary logarithm, or 0 if the count is zero. A drawing can use it as
    /// the size of an area.
    #[must_use]
    pub fn log2(self) -> f64 {
        match self.share_of(Count::ONE) {
            0.0 => 0.0,
            words => words.log2(),
        }
    }

    /// Returns the approximate quotient of this count and `whole`.
    #[must_use]
    pub fn share_of(self, whole: Count) -> f64 {
        let number = |size: Count| size.all as f64 * 2f64.powi(128) + size.rest as f64;
        number(self) / number(whole)
    }

    /// Formats the exact count for people: a small number in digits, a larger one as an odd number
    /// times a power of 2.
    #[must_use]
    pub const fn powers(self) -> Powers {
        Powers(self)
    }
}

/// Prints a count as described at [`Count::powers`].
#[derive(Debug, Clone, Copy)]
pub struct Powers(Count);

impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { all, rest } = self.0;
        let power = rest.trailing_zeros();
        match rest >> power.min(127) {
            _ if all > 0 => f.write_str("2^128"),
            _ if rest < 10_000 => rest.fmt(f),
            1 => write!(f, "2^{power}"),
            odd if power > 0 => write!(f, "{odd} × 2^{power}"),
            odd => odd.fmt(f),
        }
    }
}

impl From<u128> for Count {
    fn from(count: u128) -> Self {
        Count { all: 0, rest: count }
    }
}

/// Prints the count in decimal digits.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all {
            0 => self.rest.fmt(f),
            // The count is 2^128, because no set of words is larger.
            _ => f.pad("340282366920938463463374607431768211456"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn the_largest_number_is_counted_exactly() {
        let half = Count::power(127);
        assert_eq!(half.plus(half), Count::power(128));
        assert_eq!(Count::power(128).minus(half), half);
        assert_eq!(Count::power(100).times_power(28), Count::power(128));
        assert_eq!(Count::power(128).to_string(), "340282366920938463463374607431768211456");
        assert_eq!(
            Count::power(127).plus(half.minus(Count::ONE)).to_string(),
            u128::MAX.to_string()
        );
    }

    #[test]
    fn numbers_are_shown_exactly() {
        let three = Count::power(20).plus(Count::power(21));
        assert_eq!(three.powers().to_string(), "3 × 2^20");
        assert_eq!(Count::power(128).powers().to_string(), "2^128");
        assert_eq!(Count::power(5).powers().to_string(), "32");
        assert_eq!(three.minus(Count::ONE).powers().to_string(), "3145727");
        assert!((three.share_of(Count::power(22)) - 0.75).abs() < 1e-9);
    }
}
