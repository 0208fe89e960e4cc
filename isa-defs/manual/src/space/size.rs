//! Numbers of words, of which there may be as many as 2^128.

use std::fmt;

/// How many words there are of some sort: at most 2^128, one more than a `u128` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Size {
    /// Whole times 2^128; compared first.
    all: u128,
    rest: u128,
}

impl Size {
    pub(crate) const ZERO: Size = Size { all: 0, rest: 0 };
    pub(crate) const ONE: Size = Size { all: 0, rest: 1 };

    /// 2 to the power of `bits`, for up to 128.
    pub(crate) const fn power(bits: u32) -> Size {
        match bits {
            128.. => Size { all: 1, rest: 0 },
            _ => Size { all: 0, rest: 1 << bits },
        }
    }

    pub(crate) fn plus(self, other: Size) -> Size {
        let (rest, carry) = self.rest.overflowing_add(other.rest);
        Size { all: self.all + other.all + u128::from(carry), rest }
    }

    /// What is left without a part of it.
    pub(crate) fn minus(self, part: Size) -> Size {
        let (rest, borrow) = self.rest.overflowing_sub(part.rest);
        Size { all: self.all.saturating_sub(part.all + u128::from(borrow)), rest }
    }

    /// So many times as many.
    pub(crate) fn times_power(self, bits: u32) -> Size {
        match bits {
            0 => self,
            128.. => Size { all: self.rest, rest: 0 },
            _ => {
                Size { all: self.all << bits | self.rest >> (128 - bits), rest: self.rest << bits }
            }
        }
    }

    /// So many.
    pub(crate) const fn number(count: usize) -> Size {
        Size { all: 0, rest: count as u128 }
    }

    pub(crate) fn is_zero(self) -> bool {
        self == Size::ZERO
    }

    /// About the power of 2, for the area of a picture; 0 for none.
    pub(crate) fn log2(self) -> f64 {
        match self.share_of(Size::ONE) {
            0.0 => 0.0,
            words => words.log2(),
        }
    }

    /// About which part of `whole` it is.
    pub(crate) fn share_of(self, whole: Size) -> f64 {
        let number = |size: Size| size.all as f64 * 2f64.powi(128) + size.rest as f64;
        number(self) / number(whole)
    }

    /// The exact number in decimal digits.
    pub(crate) fn digits(self) -> String {
        if self.all == 0 {
            return self.rest.to_string();
        }
        // 2^128 is the only number of words as high as that.
        "340282366920938463463374607431768211456".into()
    }
}

/// Exactly: a small number in digits, another as an odd number times a power of 2.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all == 0 && self.rest < 10_000 {
            return self.rest.fmt(f);
        }
        if self.all > 0 {
            return f.write_str("2^128");
        }
        let power = self.rest.trailing_zeros();
        match self.rest >> power {
            1 => write!(f, "2^{power}"),
            odd if power > 0 => write!(f, "{odd} × 2^{power}"),
            odd => odd.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn the_largest_number_is_counted_exactly() {
        let half = Size::power(127);
        assert_eq!(half.plus(half), Size::power(128));
        assert_eq!(Size::power(128).minus(half), half);
        assert_eq!(Size::power(100).times_power(28), Size::power(128));
        assert_eq!(Size::power(128).digits(), "340282366920938463463374607431768211456");
        assert_eq!(Size::power(127).plus(half.minus(Size::ONE)).digits(), u128::MAX.to_string());
    }

    #[test]
    fn numbers_are_shown_exactly() {
        let three = Size::power(20).plus(Size::power(21));
        assert_eq!(three.to_string(), "3 × 2^20");
        assert_eq!(Size::power(128).to_string(), "2^128");
        assert_eq!(Size::power(5).to_string(), "32");
        assert_eq!(three.minus(Size::ONE).to_string(), "3145727");
        assert!((three.share_of(Size::power(22)) - 0.75).abs() < 1e-9);
    }
}
