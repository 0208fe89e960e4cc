//! Parts of addresses, which instructions put together: `%hi(label)`, `:lo12:label`.

/// A part of an address, as an operand names it: `%hi(table + 8)`.
///
/// A part is written as a fixed text, an address and a fixed text that ends it, which may be empty. Its
/// number is that which would otherwise stand in its place. [`PartOf`](super::PartOf) has an example.
#[derive(Debug, Clone, Copy)]
pub struct AddressPart {
    /// What the part begins with, `%hi(`.
    pub open: &'static str,
    /// What ends it, `)`.
    pub close: &'static str,
    of: Of,
}

/// What a part is the number of.
#[derive(Debug, Clone, Copy)]
enum Of {
    Address(fn(u64) -> i128),
    Distance(fn(u64) -> i128),
    Linker,
}

impl AddressPart {
    /// A part that is a number of the address.
    ///
    /// The beginning ends with a mark, such as `(` or `:`, so that it is no word that goes on. One that
    /// begins with `:` is for operands that do not stand directly behind the mnemonic, where it would
    /// make a label of that.
    ///
    /// # Panics
    ///
    /// At compile time, where the beginning is empty, ends with a letter, a digit or `_`, or has blanks,
    /// `*` or `~` in it, which mean something in [`FORMS`](super::OperandKind::FORMS).
    #[must_use]
    pub const fn new(
        open: &'static str,
        close: &'static str,
        of: fn(address: u64) -> i128,
    ) -> Self {
        Self::checked(open, close, Of::Address(of))
    }

    /// A part that is a number of the distance from the instruction's own address, modulo 2⁶⁴:
    /// `%pcrel_hi(`.
    ///
    /// # Panics
    ///
    /// As [`AddressPart::new`].
    #[must_use]
    pub const fn from_here(
        open: &'static str,
        close: &'static str,
        of: fn(distance: u64) -> i128,
    ) -> Self {
        Self::checked(open, close, Of::Distance(of))
    }

    /// A part that only a linker knows, such as the place of a label in a table that the linker makes. It
    /// is an error where no object is made.
    ///
    /// # Panics
    ///
    /// As [`AddressPart::new`].
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
        assert!(is_open, "a part of an address begins with a text that ends with a mark, `%hi(`");
        let mut i = 0;
        while i < bytes.len() {
            let is_plain = bytes[i].is_ascii_graphic() && !matches!(bytes[i], b'*' | b'~');
            assert!(is_plain, "a part of an address begins without blanks, `*` and `~`");
            i += 1;
        }
        AddressPart { open, close, of }
    }

    /// Whether the number depends on where the instruction stands.
    pub(crate) const fn counts_from_here(&self) -> bool {
        matches!(self.of, Of::Distance(_))
    }

    /// The message about a part whose end is missing.
    pub(crate) const fn unclosed(&self) -> &'static str {
        match self.close.as_bytes() {
            b")" => "expected `+`, `-` or `)` behind the address",
            _ => "expected the end of the part of an address",
        }
    }

    /// The number of an address, for an instruction at a place.
    pub(crate) fn number(&self, address: u64, place: Option<u64>) -> Result<i128, &'static str> {
        match self.of {
            Of::Address(of) => Ok(of(address)),
            Of::Distance(of) => match place {
                Some(place) => Ok(of(address.wrapping_sub(place))),
                None => Err("distances are known only within a program: write the number here"),
            },
            Of::Linker => Err("only a linker knows this part of an address: make an object"),
        }
    }
}

/// The parts of addresses of a [`PartOf`](super::PartOf).
pub trait AddressParts: 'static {
    /// The parts. None of them begins as another one does.
    const PARTS: &'static [AddressPart];
}
