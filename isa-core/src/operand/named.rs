//! Formats that print fields as the names of a value set.

use core::marker::PhantomData;

use super::forms::Joined;
use super::{ANYTHING, AsmFormat, NAME, OperandKind, begins_like};
use crate::operand::Kind;
use crate::text::{Cursor, Line, Message, OperandError, begins_name};

/// A set of named values. Each `enum` item of a specification implements it.
pub trait ValueSet {
    /// The table entry of the set, which contains its names.
    const KIND: &'static Kind;
}

/// One or several fields, printed as the names that a value set assigns to their bits. For example, an
/// alias can use this format to print a field with a different value set than its opcode.
///
/// ```
/// isa_core::define_isa! {
///     /// One of two numbers.
///     pub isa Choices: u16;
///     operand Bits4: 4 = isa_core::operand::Unsigned<4>;
///     /// When the first is taken.
///     enum Cond: 2 { eq = 0, ne = 1, ge = 2, lt = 3 }
///     /// When the second is taken.
///     enum Other: 2 { ne = 0, eq = 1, lt = 2, ge = 3 }
///     format Otherwise = isa_core::operand::Named<Other>;
///     opcode CHOOSE {
///         encoding { field<0, 4> Bits4 a; field<4, 4> Bits4 b; field<8, 2> Cond cond; }
///         syntax { CHOOSE a, b, cond; }
///     }
///     alias ZERO_IF of CHOOSE {
///         encoding { b == 0; }
///         syntax { ZERO_IF a, cond; }
///         operands { AsmFormat<cond> = Otherwise(cond); }
///     }
/// }
///
/// let zero: Choices = "ZERO_IF 3, eq;".parse().unwrap();
/// assert_eq!(format!("{zero} {zero:#}"), "ZERO_IF 3, eq; CHOOSE 3, 0, ne;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Named<E>(PhantomData<E>);

/// One or several fields, printed as a name of a value set. Values without a name are printed as an
/// operand of another type, whose texts differ from these names.
///
/// ```
/// use isa_core::operand::{Hex, HashPrefixed, NamedOr};
///
/// isa_core::define_isa! {
///     /// Orders accesses to memory.
///     pub isa Orders: u16;
///     operand Bits4: 4 = isa_core::operand::Unsigned<4>;
///     enum Kind: 4 { load = 1, store = 2, all = 15 }
///     format KindOr = NamedOr<Kind, HashPrefixed<Hex<4>>>;
///     opcode ORDER {
///         encoding { field<0, 4> Bits4 kind; }
///         syntax { ORDER kind; }
///         operands { AsmFormat<kind> = KindOr(kind); }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert_eq!("ORDER store;".parse::<Orders>()?.encode()?, 2);
/// assert_eq!("ORDER #10;".parse::<Orders>()?.to_string(), "ORDER #0xa;");
/// assert_eq!("ORDER #15;".parse::<Orders>()?.to_string(), "ORDER all;");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NamedOr<E, K>(PhantomData<(E, K)>);

impl<E: ValueSet> Named<E> {
    /// "one of the names of `Cond` (`eq`, `ne`, ...)"
    const EXPECTED: Message = {
        let mut message =
            Message::new().text("one of the names of `").text(E::KIND.name).text("` (");
        let mut i = 0;
        while i < 2 && i < E::KIND.values.len() {
            message = message.text("`").text(E::KIND.values[i].name).text("`, ");
            i += 1;
        }
        message.text("...)")
    };

    /// The length of the longest name, and whether all names are words that begin with a letter.
    const NAMES: (usize, bool) = {
        let (mut i, mut longest, mut words) = (0, 0, true);
        while i < E::KIND.values.len() {
            let name = E::KIND.values[i].name;
            longest = if name.len() > longest { name.len() } else { longest };
            words &= matches!(name.as_bytes(), [first, ..] if first.is_ascii_alphabetic() || *first == b'_');
            i += 1;
        }
        (longest, words)
    };

    fn name(raw: u64) -> Option<&'static str> {
        E::KIND.values.iter().find(|value| value.raw == raw).map(|value| value.name)
    }
}

impl<E: ValueSet> AsmFormat for Named<E> {
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize = Self::NAMES.0;
    const FORMS: &'static [&'static str] = if Self::NAMES.1 { &[NAME] } else { ANYTHING };

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let value = E::KIND.read_name(cursor);
        value.map(|value| value.raw).ok_or_else(|| cursor.fault(start, "unknown name"))
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push_str(Self::name(raw).unwrap_or_default());
    }
}

impl<E: ValueSet, K: OperandKind> NamedOr<E, K> {
    const EXPECTED: Message = Named::<E>::EXPECTED.text(", or ").text(K::EXPECTS);
    const BEGIN: Joined = {
        assert!(Named::<E>::NAMES.1, "the names must begin with letters");
        Joined::new(K::FORMS, &[NAME])
    };
}

impl<E: ValueSet, K: OperandKind> AsmFormat for NamedOr<E, K> {
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize =
        if K::MAX_LEN > Named::<E>::MAX_LEN { K::MAX_LEN } else { Named::<E>::MAX_LEN };
    const FORMS: &'static [&'static str] = Self::BEGIN.forms();

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let mut ahead = cursor.clone();
        // Operands of `K` may also begin with a letter.
        let is_name = begins_name(cursor.rest())
            && (E::KIND.read_name(&mut ahead).is_some() || !begins_like(K::FORMS, cursor));
        match is_name {
            true => Named::<E>::read(cursor, args),
            false => K::read(cursor).map(K::to_bits),
        }
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        match Named::<E>::name(raw) {
            Some(name) => line.push_str(name),
            None => K::from_bits(raw).write(line),
        }
    }
}
