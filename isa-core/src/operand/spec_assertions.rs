//! Compile-time checks that a specification agrees with the Rust type of an operand type. The macro
//! cannot see the Rust type, so generated code reports these errors, in the style of the macro's
//! own messages.

use super::OperandKind;
use crate::bits::Cube;
use crate::text::Message;

/// Returns the bits of the operand with the given name, for the tables that the macro emits. `kind` is
/// the name of the operand type in the specification.
///
/// # Panics
///
/// Panics at compile time if [`OperandKind::NAMED`] does not contain the name.
#[must_use]
#[track_caller]
pub const fn bits_of<K: OperandKind>(kind: &str, name: &str) -> u64 {
    let mut i = 0;
    while i < K::NAMED.len() {
        let (known, bits) = K::NAMED[i];
        if equal(known.as_bytes(), name.as_bytes()) {
            return bits;
        }
        i += 1;
    }
    panic!("{}", unknown_name::<K>(kind, name).as_str())
}

/// The maximum number of operands that a message lists.
const MOST_NAMED: usize = 8;

const fn unknown_name<K: OperandKind>(kind: &str, name: &str) -> Message {
    let message = Message::new();
    let message = message.text("[ISA0005] `").text(kind).text("` has no operand `").text(name);
    if K::NAMED.is_empty() {
        return message.text("`; write its bits as a number");
    }
    let (mut message, mut i) = (message.text("`; write its bits as a number, or one of `"), 0);
    while i < K::NAMED.len() && i < MOST_NAMED {
        message = message.text(if i == 0 { "" } else { "`, `" }).text(K::NAMED[i].0);
        i += 1;
    }
    message.text(if i < K::NAMED.len() { "`, ..." } else { "`" })
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Asserts at compile time that an `operand` line declares the same width as the Rust type, and the
/// same reserved values, if the Rust type lists any.
///
/// # Panics
///
/// Panics at compile time if they disagree.
#[track_caller]
pub const fn assert_agrees<K: OperandKind>(kind: &str, width: u8, reserved: &[Cube]) {
    if K::WIDTH != width {
        panic!("{}", other_width::<K>(kind, width).as_str());
    }
    let same = has_all(reserved, K::RESERVED) && has_all(K::RESERVED, reserved);
    if !same && !K::RESERVED.is_empty() {
        panic!("{}", other_reserved::<K>(kind).as_str());
    }
}

const fn other_width<K: OperandKind>(kind: &str, width: u8) -> Message {
    let message = Message::new().text("[ISA0039] the width of `").text(kind).text("` is ");
    let message =
        message.number(K::WIDTH as i128).text(" in its Rust type and ").number(width as i128);
    message.text(" here; write `operand ").text(kind).text(": ").number(K::WIDTH as i128).text("`")
}

const fn other_reserved<K: OperandKind>(kind: &str) -> Message {
    let message = Message::new().text("[ISA0039] the Rust type of `").text(kind);
    let (mut message, mut i) = (message.text("` reserves other values; write `reserved("), 0);
    while i < K::RESERVED.len() {
        message = message.text(if i == 0 { "\"" } else { ", \"" });
        message = message.pattern(K::RESERVED[i]).text("\"");
        i += 1;
    }
    message.text(")`")
}

const fn has_all(all: &[Cube], some: &[Cube]) -> bool {
    let mut i = 0;
    while i < some.len() {
        let (mut found, mut j) = (false, 0);
        while j < all.len() {
            found |= all[j].mask == some[i].mask && all[j].value == some[i].value;
            j += 1;
        }
        if !found {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::{OperandKind, Reg, Unsigned};
    use super::{assert_agrees, bits_of, equal, other_reserved, other_width, unknown_name};
    use crate::bits::Cube;
    use crate::text::{Cursor, Line, OperandError};

    /// A number of 22 bits that is a multiple of 4.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Aligned(u64);

    impl OperandKind for Aligned {
        type Value = u64;
        const WIDTH: u8 = 22;
        const EXPECTS: &'static str = "a multiple of 4";
        const MAX_LEN: usize = 7;
        const RESERVED: &'static [Cube] = &[Cube::new(1, 1), Cube::new(2, 2)];

        fn from_bits(raw: u64) -> Self {
            Aligned(raw)
        }

        fn to_bits(self) -> u64 {
            self.0
        }

        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            cursor.number().map(|number| Aligned(number as u64))
        }

        fn write(self, line: &mut Line) {
            line.push_decimal(self.0);
        }
    }

    #[test]
    fn what_agrees_passes() {
        assert_agrees::<Reg>("Reg", 8, &[]);
        assert_agrees::<Aligned>("Aligned", 22, &[Cube::new(1, 1), Cube::new(2, 2)]);
        // If the type lists no reserved values, only the line declares them.
        assert_agrees::<Reg>("Reg", 8, &[Cube::new(1, 1)]);
        assert_eq!(bits_of::<Reg>("Reg", "RZ"), 255);
    }

    #[test]
    fn what_disagrees_is_told_with_what_to_write() {
        assert_eq!(
            other_width::<Aligned>("Const", 102).as_str(),
            "[ISA0039] the width of `Const` is 22 in its Rust type and 102 here; write `operand \
             Const: 22`"
        );
        assert_eq!(
            other_reserved::<Aligned>("Aligned").as_str(),
            "[ISA0039] the Rust type of `Aligned` reserves other values; write `reserved(\"1\", \
             \"1x\")`"
        );
        let named = unknown_name::<Reg>("Reg", "RX");
        assert!(named.as_str().ends_with("as a number, or one of `RZ`"), "{}", named.as_str());
        let unnamed = unknown_name::<Unsigned<32>>("Number", "ONE");
        assert!(unnamed.as_str().ends_with("write its bits as a number"), "{}", unnamed.as_str());
    }

    #[test]
    fn names_are_equal_as_a_whole() {
        for (a, b) in [("", ""), ("RZ", "RZ")] {
            assert!(equal(a.as_bytes(), b.as_bytes()));
        }
        for (a, b) in [("", "R"), ("R", "RZ"), ("RX", "RZ"), ("XZ", "RZ"), ("RZ", "rz")] {
            assert!(!equal(a.as_bytes(), b.as_bytes()) && !equal(b.as_bytes(), a.as_bytes()));
        }
    }

    #[test]
    #[should_panic(expected = "[ISA0005] `Reg` has no operand `R`; write its bits as a number")]
    fn an_unknown_name_panics() {
        let _ = bits_of::<Reg>("Reg", "R");
    }

    #[test]
    #[should_panic(expected = "[ISA0039] the Rust type of `Aligned` reserves other values")]
    fn another_value_of_the_same_bits_panics() {
        assert_agrees::<Aligned>("Aligned", 22, &[Cube::new(1, 0), Cube::new(2, 2)]);
    }

    #[test]
    #[should_panic(expected = "[ISA0039] the width of `Reg` is 8 in its Rust type and 7 here")]
    fn another_width_panics() {
        assert_agrees::<Reg>("Reg", 7, &[]);
    }

    #[test]
    #[should_panic(expected = "[ISA0039] the Rust type of `Aligned` reserves other values")]
    fn reserved_values_of_the_type_that_the_line_leaves_out_panic() {
        assert_agrees::<Aligned>("Aligned", 22, &[]);
    }
}
