//! Operators that compute a part of an address: `%hi(label)`, `:lo12:label`. Several instructions
//! together compute the whole address.

/// A part of an address as an operand: `%hi(table + 8)`.
///
/// Its text consists of a fixed text, an address and a fixed closing text, which may be empty. The
/// operand is equivalent to the number that the operator computes. [`AddressPartOr`](crate::operand::AddressPartOr) has an
/// example.
#[derive(Debug, Clone, Copy)]
pub struct AddressPart {
    /// The text before the address, `%hi(`.
    pub open: &'static str,
    /// The text after the address, `)`.
    pub close: &'static str,
    of: Of,
}

/// The function that computes the number, by the type of its input.
#[derive(Debug, Clone, Copy)]
enum Of {
    Address(fn(u64) -> i128),
    Distance(fn(u64) -> i128),
    Linker,
}

impl AddressPart {
    /// Returns an operator that computes a number from the address.
    ///
    /// `open` must end with a punctuation character, such as `(` or `:`, because the address would
    /// otherwise continue its last word. If it begins with `:`, the operand must not directly follow
    /// the mnemonic, because the colon would make the mnemonic a label.
    ///
    /// # Panics
    ///
    /// Panics at compile time if `open` is empty, ends with a letter, a digit or `_`, or contains white
    /// space, `*` or `~`. The characters `*` and `~` have a special meaning in
    /// [`FORMS`](crate::operand::OperandKind::FORMS).
    #[must_use]
    pub const fn new(
        open: &'static str,
        close: &'static str,
        of: fn(address: u64) -> i128,
    ) -> Self {
        Self::checked(open, close, Of::Address(of))
    }

    /// Returns an operator that computes a number from the distance to the instruction's own
    /// address, modulo 2⁶⁴: `%pcrel_hi(`.
    ///
    /// # Panics
    ///
    /// See [`AddressPart::new`].
    #[must_use]
    pub const fn from_here(
        open: &'static str,
        close: &'static str,
        of: fn(distance: u64) -> i128,
    ) -> Self {
        Self::checked(open, close, Of::Distance(of))
    }

    /// Returns an operator that only a linker can compute, such as the position of a label in a
    /// table that the linker creates. Its use is an error unless the output is an object file.
    ///
    /// # Panics
    ///
    /// See [`AddressPart::new`].
    #[must_use]
    pub const fn of_linker(open: &'static str, close: &'static str) -> Self {
        Self::checked(open, close, Of::Linker)
    }

    const fn checked(open: &'static str, close: &'static str, of: Of) -> Self {
        let bytes = open.as_bytes();
        let is_open = match bytes {
            [.., last] => !last.is_ascii_alphanumeric() && *last != b'_',
            [] => false,
        };
        assert!(is_open, "the name of an address operator must end with punctuation, as in `%hi(`");
        let mut i = 0;
        while i < bytes.len() {
            let is_plain = bytes[i].is_ascii_graphic() && !matches!(bytes[i], b'*' | b'~');
            assert!(
                is_plain,
                "the name of an address operator must not contain blanks, `*` or `~`"
            );
            i += 1;
        }
        AddressPart { open, close, of }
    }

    /// Returns whether the number depends on the address of the instruction.
    pub(crate) const fn counts_from_here(&self) -> bool {
        matches!(self.of, Of::Distance(_))
    }

    /// Returns the message for a missing closing text.
    pub(crate) const fn unclosed(&self) -> &'static str {
        match self.close.as_bytes() {
            b")" => "expected `+`, `-` or `)` after the address",
            _ => "expected the end of the address operator",
        }
    }

    /// Returns the number that the operator computes for an address, in an instruction at `place`.
    pub(crate) fn number(&self, address: u64, place: Option<u64>) -> Result<i128, &'static str> {
        match self.of {
            Of::Address(of) => Ok(of(address)),
            Of::Distance(of) => match place {
                Some(place) => Ok(of(address.wrapping_sub(place))),
                None => Err("distances are known only in a program: write a number instead"),
            },
            Of::Linker => {
                Err("only a linker can compute this address operator: assemble to an object file")
            }
        }
    }
}

/// The list of address operators of a [`AddressPartOr`](crate::operand::AddressPartOr).
pub trait AddressParts: 'static {
    /// The operators. The `open` text of an operator must not begin with the `open` text of another.
    const PARTS: &'static [AddressPart];
}
