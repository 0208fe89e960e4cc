//! Operand type for numbers with a `#` before them.

use super::{NAME, NumeralBits, OperandKind, TextPart};
use crate::bits::Cube;
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError, begins_name};

/// A number of another operand type with a `#` before it, or a label without a `#`: `#8`, `#-4`,
/// `loop`.
///
/// If labels are not possible, you can write the `#` in the template instead: `"#" imm`. A target
/// can be a label, which has no `#`.
///
/// ```
/// use isa_core::operand::{HashPrefixed, Relative, Signed, parse};
///
/// /// How far a branch goes.
/// type Branch = HashPrefixed<Relative<8, 1>>;
///
/// let branch: Branch = parse("#-8")?;
/// assert_eq!(branch.get().get(), -8);
/// assert_eq!(branch.to_string(), "#-8");
/// assert!(parse::<Branch>("-8").is_err());
/// assert!(parse::<Branch>("loop").is_err(), "no such label here");
/// assert!(parse::<HashPrefixed<Signed<8>>>("#loop").is_err());
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashPrefixed<K>(K);

impl<K: OperandKind> HashPrefixed<K> {
    const EXPECTED: Message = Message::new().text(K::EXPECTS).text(", behind a `#`");
    const HAS_NAMES: bool = {
        let (mut i, mut found) = (0, false);
        while i < K::FORMS.len() {
            found |= matches!(K::FORMS[i].as_bytes(), [b'_']);
            i += 1;
        }
        found
    };

    /// Creates the operand from the operand without the `#`.
    #[must_use]
    pub const fn new(operand: K) -> Self {
        HashPrefixed(operand)
    }

    /// Returns the operand without the `#`.
    #[must_use]
    pub const fn get(self) -> K {
        self.0
    }
}

impl<K: OperandKind> OperandKind for HashPrefixed<K> {
    type Value = K::Value;

    const WIDTH: u8 = K::WIDTH;
    const VALUE_BITS: u16 = K::VALUE_BITS;
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    // The longest text of a target is a label, which has no `#`.
    const MAX_LEN: usize = if K::TARGET.is_some() { K::MAX_LEN } else { 1 + K::MAX_LEN };
    const FORMS: &'static [&'static str] =
        if Self::HAS_NAMES { &["#*", ".*", NAME] } else { &["#*"] };
    const RESERVED: &'static [Cube] = K::RESERVED;
    const PARTS: &'static [TextPart] = match K::PARTS {
        [] => &[],
        _ => {
            &[TextPart::Text("#"), TextPart::Choice { bits: NumeralBits::low(0), of: &[K::PARTS] }]
        }
    };
    const NAMED: &'static [(&'static str, u64)] = K::NAMED;
    const TARGET: Option<fn(Self, u64) -> u64> = match K::TARGET {
        Some(_) => Some(|to, address| K::TARGET.map_or(address, |target| target(to.0, address))),
        None => None,
    };
    const READS_BACK: Option<fn(Self) -> bool> = match K::READS_BACK {
        Some(_) => Some(|marked| K::READS_BACK.is_none_or(|reads_back| reads_back(marked.0))),
        None => None,
    };

    #[inline]
    fn from_bits(raw: u64) -> Self {
        HashPrefixed(K::from_bits(raw))
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let is_name = Self::HAS_NAMES && begins_name(cursor.rest());
        if !is_name && !cursor.eat(b'#') {
            return Err(cursor.fault(cursor.position(), "expected `#` before the number"));
        }
        K::read(cursor).map(HashPrefixed)
    }

    fn write(self, line: &mut Line) {
        line.push(b'#');
        self.0.write(line);
    }
}

impl<K: OperandKind> core::fmt::Display for HashPrefixed<K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut line = Line::new();
        self.write(&mut line);
        f.pad(line.as_str())
    }
}

/// The value is the value of the operand without the `#`.
impl<M: ?Sized, K: Source<M>> Source<M> for HashPrefixed<K> {
    #[inline]
    fn fetch(self, machine: &M) -> K::Value {
        self.0.fetch(machine)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::HashPrefixed;
    use crate::operand::{Hex, OperandKind, Relative, Signed, parse};
    use crate::text::{Cursor, InstructionContext};

    #[test]
    fn numbers_have_the_mark_and_labels_none() {
        type Near = HashPrefixed<Relative<8, 1>>;
        for raw in 0..256 {
            let near = Near::from_bits(raw);
            assert_eq!((near.to_bits(), near.get().to_bits()), (raw, raw));
            assert_eq!(parse(&near.to_string()), Ok(near));
            let target = Near::TARGET.unwrap()(near, 0x1000);
            assert_eq!(target, near.get().target(0x1000));
        }
        let labels = [("there", 0x1010)];
        let site = InstructionContext::new(0x1000, &labels);
        let read = |text| Near::read(&mut Cursor::in_context(text, &site));
        assert_eq!(read("there").map(Near::to_bits), Ok(8));
        assert_eq!(read("# 16").map(Near::to_bits), Ok(8));
        assert_eq!(read(".").map(Near::to_bits), Ok(0));
        assert_eq!(read("16").unwrap_err().to_string(), "expected `#` before the number");
        assert!(read("elsewhere").is_err() && read("#").is_err() && read("").is_err());
    }

    #[test]
    fn what_is_no_target_has_no_names() {
        assert_eq!(
            (HashPrefixed::<Hex<8>>::FORMS, HashPrefixed::<Hex<8>>::MAX_LEN),
            (&["#*"][..], 5)
        );
        assert!(HashPrefixed::<Hex<8>>::TARGET.is_none());
        assert_eq!(parse::<HashPrefixed<Hex<8>>>("#17").unwrap().to_string(), "#0x11");
        assert!(parse::<HashPrefixed<Signed<8>>>("there").is_err());
    }
}
