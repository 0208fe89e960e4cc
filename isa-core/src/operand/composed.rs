//! The macro `operand_text!`, which defines operand types whose text consists of fixed text and of other
//! operand types.

use super::Text;
use crate::text::{Cursor, Line, OperandError};

/// Defines operand types whose text consists of fixed text and of other operand types: addresses,
/// constants in memory, numbers after a prefix.
///
/// Each line contains the name of the type, a description of its text for messages, its parts, and its
/// text. A part has a name and an operand type. The bits of the parts are the bits of the operand, the
/// first part in the highest bits. A text begins with a string, which is printed unchanged. It also
/// contains names of parts, and groups in braces. A group also begins with a string. It is not printed if
/// the bits of all its parts are 0.
///
/// ```
/// use isa_core::operand::{OperandKind, Reg, SignedHex, Unsigned};
///
/// isa_core::operand_text! {
///     /// The number of cycles until the next instruction.
///     pub Stall "`?stall=` and a number": cycles: Unsigned<4> = ("?stall=" cycles);
///     /// A word of memory.
///     pub Address "an address (`[R2+0x8]`)": offset: SignedHex<16>, base: Reg =
///         ("[" base {"+" offset} "]");
/// }
///
/// assert_eq!("[R2 + -8]".parse::<Address>()?.to_string(), "[R2+-0x8]");
/// assert_eq!("[R2]".parse::<Address>()?.to_bits(), 2);
/// assert_eq!("?stall=12".parse::<Stall>()?.to_bits(), 12);
/// assert!("?stall=16".parse::<Stall>().is_err());
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// # Several texts
///
/// An operand can have several texts, joined by `or`. Before a text, brackets contain the values of parts
/// for which it is printed. The first text whose values match is printed. Usually the last text has no
/// values, or the texts have all values: `[wait = 0] ("?go") or [wait = 1] ("?wait")`.
/// The parser tries the texts in their order. In one text, a part can have another operand type of the
/// same width: `[offset: PrefixedHex<16>]`.
///
/// ```
/// use isa_core::operand::{PrefixedHex, Reg, SignedHex};
///
/// isa_core::operand_text! {
///     /// A word of memory. Without a register, the offset is an address.
///     pub Address "an address (`[R2+0x8]`)": offset: SignedHex<16>, base: Reg =
///         [base = 255] ("[" [offset: PrefixedHex<16>] "]") or ("[" base {"+" offset} "]");
/// }
///
/// assert_eq!("[0xfff8]".parse::<Address>()?.to_string(), "[0xfff8]");
/// assert_eq!("[RZ+-8]".parse::<Address>(), "[0xfff8]".parse());
/// assert_eq!("[R1+-8]".parse::<Address>()?.to_string(), "[R1+-0x8]");
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// A text can omit a part, if it has a value for it. If no text has the values of an operand, the last one
/// is printed, and does not parse to the same operand: see
/// [`READS_BACK`](crate::operand::OperandKind::READS_BACK). For example, a source is a register or the
/// number after the instruction, which is 0 if there is none:
///
/// ```
/// use isa_core::operand::{OperandKind, PrefixedHex, Reg};
///
/// isa_core::operand_text! {
///     /// A source.
///     pub Source "a register or a number": literal: PrefixedHex<16>, number: Reg =
///         [number = 255] ("#" literal) or [literal = 0] ("" number);
/// }
///
/// assert_eq!("#0x1234".parse::<Source>()?.to_bits(), 0x1234ff);
/// assert_eq!("R7".parse::<Source>()?.to_bits(), 7);
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// With `[literal = _]`, a text is printed for any value of a part that it does not contain, and parses
/// as 0. Use it if an operand with another value is invalid, or if [another placeholder determines this
/// value](crate::define_isa#words-of-two-widths).
///
/// # Parameters
///
/// If several types differ only in an operand type or in a width, declare one type with parameters:
/// `<U; N>` contains operand types, followed by numbers of type `u8` after the semicolon.
///
/// ```
/// use isa_core::operand::{OperandKind, Pred, Reg, SignedHex};
///
/// isa_core::operand_text! {
///     /// A word of memory at the sum of two registers and an offset of `N` bits.
///     pub Sum<U; N> "an address (`[R2+R3+0x8]`)": offset: SignedHex<N>, base: Reg, index: U =
///         ("[" base "+" index {"+" offset} "]");
/// }
///
/// assert_eq!("[R2+R3+8]".parse::<Sum<Reg, 12>>()?.to_bits(), 0x80203);
/// assert_eq!(<Sum<Pred, 24> as OperandKind>::WIDTH, 35);
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
///
/// To print several fields of a word with such a type, use [`FixedText`](crate::operand::FixedText) as the
/// format of their placeholder: `format Address = isa_core::operand::FixedText<crate::Address>;`.
///
/// The crate does not compile if a text lacks a part and has no value for it, or if a part with another
/// type has another width. A type with parameters is checked when a specification uses it.
///
/// ```compile_fail,E0080
/// isa_core::operand_text! {
///     /// The text does not contain `offset`.
///     pub Address "an address": offset: isa_core::operand::Reg, base: isa_core::operand::Reg = ("[" base "]");
/// }
/// ```
#[macro_export]
macro_rules! operand_text {
    ($(
        $(#[$doc:meta])*
        $vis:vis $kind:ident $(<$($type_param:ident),* $(; $($number_param:ident),+)?>)? $expects:literal:
            $($part:ident: $type:ty),+ =
            $($([$($given:ident = $value:tt),+])? ($first:literal $($piece:tt)*))or+;
    )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis struct $kind $(<$($type_param,)* $($(const $number_param: u8),+)?>)? (
            u64,
            ::core::marker::PhantomData<fn() -> ($($($type_param,)*)?)>,
        );

        #[allow(non_upper_case_globals, reason = "the constants have the names of the parts")]
        impl $(<$($type_param: $crate::operand::OperandKind,)* $($(const $number_param: u8),+)?>)? $kind $(<$($type_param,)* $($($number_param),+)?>)? {
            $crate::__operand_parts! { $($part: $type),+ }

            const TEXTS: &'static [$crate::operand::OperandText] = &[$(
                $crate::operand::OperandText {
                    given: &[$($((Self::$given, $crate::__text_value!($value))),+)?],
                    pieces: &[
                        $crate::operand::TextPiece::Text($first),
                        $($crate::__text_piece!($piece)),*
                    ],
                }
            ),+];
        }

        impl $(<$($type_param: $crate::operand::OperandKind,)* $($(const $number_param: u8),+)?>)? $crate::operand::OperandKind for $kind $(<$($type_param,)* $($($number_param),+)?>)? {
            type Value = u64;
            const WIDTH: u8 = 0 $(+ Self::$part.width)+;
            const EXPECTS: &'static str = $expects;
            const MAX_LEN: usize = $crate::operand::OperandText::check(Self::TEXTS, Self::WIDTH);
            const FORMS: &'static [&'static str] = &[$(concat!($first, "*")),+];
            const READS_BACK: Option<fn(Self) -> bool> =
                match $crate::operand::OperandText::always_read_back(Self::TEXTS) {
                    true => None,
                    false => Some(|it| $crate::operand::OperandText::reads_back(Self::TEXTS, it.0)),
                };

            fn from_bits(raw: u64) -> Self {
                Self(raw & (u64::MAX >> (64 - Self::WIDTH)), ::core::marker::PhantomData)
            }

            fn to_bits(self) -> u64 {
                self.0
            }

            fn read(
                cursor: &mut $crate::text::Cursor<'_>,
            ) -> Result<Self, $crate::text::OperandError> {
                $crate::operand::OperandText::read(Self::TEXTS, cursor, concat!("expected ", $expects))
                    .map(Self::from_bits)
            }

            fn write(self, line: &mut $crate::text::Line) {
                $crate::operand::OperandText::write(Self::TEXTS, self.0, line);
            }
        }

        $crate::__check_texts!($kind $(<$($type_param),* $(; $($number_param),+)?>)?);
        $crate::operand_traits!($kind $(<$($type_param),* $(; $($number_param),+)?>)?);
    )* };
}

/// Checks the texts of a type without parameters. Those of a type with parameters are checked when the type
/// is used.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_texts {
    ($kind:ident) => {
        const _: usize = <$kind as $crate::operand::OperandKind>::MAX_LEN;
    };
    ($kind:ident <$($param:tt)*) => {};
}

/// Defines a constant for each part of an operand.
#[doc(hidden)]
#[macro_export]
macro_rules! __operand_parts {
    ($part:ident: $type:ty $(, $rest:ident: $rest_type:ty)*) => {
        const $part: $crate::operand::OperandPart = $crate::operand::OperandPart {
            low: 0 $(+ <$rest_type as $crate::operand::OperandKind>::WIDTH)*,
            width: <$type as $crate::operand::OperandKind>::WIDTH,
            text: &$crate::operand::text_of::<$type>(),
        };
        $crate::__operand_parts! { $($rest: $rest_type),* }
    };
    () => {};
}

/// Returns the value of a part for which a text is printed. `_` is any value.
#[doc(hidden)]
#[macro_export]
macro_rules! __text_value {
    (_) => {
        ::core::option::Option::None
    };
    ($value:literal) => {
        ::core::option::Option::Some($value)
    };
}

/// Builds a piece of the text of an operand.
#[doc(hidden)]
#[macro_export]
macro_rules! __text_piece {
    ($text:literal) => { $crate::operand::TextPiece::Text($text) };
    ($part:ident) => { $crate::operand::TextPiece::Part(Self::$part) };
    ([$part:ident: $type:ty]) => {
        $crate::operand::TextPiece::Part(Self::$part.with(
            <$type as $crate::operand::OperandKind>::WIDTH,
            &$crate::operand::text_of::<$type>(),
        ))
    };
    ({$first:literal $($piece:tt)*}) => {
        $crate::operand::TextPiece::Group($first, &[$($crate::__text_piece!($piece)),*])
    };
}

/// A part of an operand: some of its bits.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct OperandPart {
    /// The lowest bit.
    pub low: u8,
    pub width: u8,
    pub text: &'static Text,
}

impl OperandPart {
    /// Returns the same bits with another text.
    ///
    /// # Panics
    ///
    /// Panics at compile time if the width differs.
    #[must_use]
    pub const fn with(self, width: u8, text: &'static Text) -> Self {
        assert!(
            width == self.width,
            "the operand type in brackets must have the width of the part"
        );
        OperandPart { text, ..self }
    }

    const fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width)) << self.low
    }
}

/// A piece of the text of an operand.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum TextPiece {
    Text(&'static str),
    Part(OperandPart),
    /// Text and further pieces that are not printed if the bits of all parts are 0.
    Group(&'static str, &'static [TextPiece]),
}

/// One of the texts of an operand.
#[doc(hidden)]
pub struct OperandText {
    /// The values for which the text is printed. `None` is any value.
    pub given: &'static [(OperandPart, Option<u64>)],
    pub pieces: &'static [TextPiece],
}

impl OperandText {
    /// Returns the length of the longest text.
    ///
    /// # Panics
    ///
    /// Panics at compile time if a text does not contain all `width` bits.
    #[must_use]
    pub const fn check(texts: &[OperandText], width: u8) -> usize {
        assert!(width <= 64, "an operand has at most 64 bits");
        let (mut i, mut longest) = (0, 0);
        while i < texts.len() {
            let (shown, len) = contents(texts[i].pieces);
            let shown = shown | texts[i].given_bits();
            assert!(
                shown == u64::MAX >> (64 - width),
                "a text must contain every part of the operand"
            );
            longest = if len > longest { len } else { longest };
            i += 1;
        }
        longest
    }

    /// Returns the mask and the bits of the given values.
    const fn pattern(&self) -> (u64, u64) {
        let (mut mask, mut bits, mut i) = (0, 0, 0);
        while i < self.given.len() {
            if let (part, Some(value)) = self.given[i] {
                (mask, bits) = (mask | part.mask(), bits | value << part.low);
            }
            i += 1;
        }
        (mask, bits)
    }

    /// Returns the bits of all parts with given values.
    const fn given_bits(&self) -> u64 {
        let (mut mask, mut i) = (0, 0);
        while i < self.given.len() {
            mask |= self.given[i].0.mask();
            i += 1;
        }
        mask
    }

    /// Parses an operand. `expected` is the message if no text begins at the cursor.
    pub fn read(
        texts: &[OperandText],
        cursor: &mut Cursor<'_>,
        expected: &'static str,
    ) -> Result<u64, OperandError> {
        cursor.skip_trivia();
        let mut furthest: Option<OperandError> = None;
        for text in texts {
            let mut ahead = cursor.clone();
            match read_pieces(text.pieces, &mut ahead, text.pattern().1, expected) {
                Ok(raw) => {
                    *cursor = ahead;
                    return Ok(raw);
                }
                Err(fault)
                    if furthest
                        .as_ref()
                        .is_none_or(|known| known.span.start < fault.span.start) =>
                {
                    furthest = Some(fault);
                }
                Err(_) => {}
            }
        }
        Err(furthest.unwrap_or_else(|| cursor.fault(cursor.position(), expected)))
    }

    /// Prints an operand.
    pub fn write(texts: &[OperandText], raw: u64, line: &mut Line) {
        if let Some(text) = OperandText::find(texts, raw).or(texts.last()) {
            write_pieces(text.pieces, raw, line);
        }
    }

    /// Returns the first text whose values an operand has.
    #[must_use]
    pub fn find(texts: &[OperandText], raw: u64) -> Option<&OperandText> {
        texts.iter().find(|text| {
            let (mask, bits) = text.pattern();
            raw & mask == bits
        })
    }

    /// Returns whether the text of every operand certainly parses to the operand: every operand has a
    /// text, and the text of each part parses to the part.
    #[must_use]
    pub const fn always_read_back(texts: &[OperandText]) -> bool {
        let (mut always, mut i) = (true, 0);
        while i < texts.len() {
            always &= parts_always_read_back(texts[i].pieces);
            i += 1;
        }
        always && (texts[i - 1].pattern().0 == 0 || are_all_values(texts))
    }

    /// Returns whether the text of an operand parses to the operand.
    #[must_use]
    pub fn reads_back(texts: &[OperandText], raw: u64) -> bool {
        OperandText::find(texts, raw).is_some_and(|text| parts_read_back(text.pieces, raw))
    }
}

/// Returns whether every text has values of the same parts, and one of the texts has each of these values.
const fn are_all_values(texts: &[OperandText]) -> bool {
    let mask = texts[0].pattern().0;
    let mut i = 0;
    while i < texts.len() {
        let (own, bits) = texts[i].pattern();
        let mut k = 0;
        while k < i {
            if texts[k].pattern().1 == bits {
                return false;
            }
            k += 1;
        }
        if own != mask {
            return false;
        }
        i += 1;
    }
    texts.len() as u128 == 1 << mask.count_ones()
}

/// Returns the bits of all parts, and the length of the longest text.
const fn contents(pieces: &[TextPiece]) -> (u64, usize) {
    let (mut bits, mut len, mut i) = (0, 0, 0);
    while i < pieces.len() {
        match pieces[i] {
            TextPiece::Text(text) => len += text.len(),
            TextPiece::Part(part) => (bits, len) = (bits | part.mask(), len + part.text.max_len),
            TextPiece::Group(text, inner) => {
                let (more, inner) = contents(inner);
                (bits, len) = (bits | more, len + text.len() + inner);
            }
        }
        i += 1;
    }
    (bits, len)
}

/// Returns whether the text of each part parses to the part for all bits.
const fn parts_always_read_back(pieces: &[TextPiece]) -> bool {
    let mut i = 0;
    while i < pieces.len() {
        let always = match pieces[i] {
            TextPiece::Text(_) => true,
            TextPiece::Part(part) => part.text.reads_back.is_none(),
            TextPiece::Group(_, inner) => parts_always_read_back(inner),
        };
        if !always {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether the text of each part parses to the part.
fn parts_read_back(pieces: &[TextPiece], raw: u64) -> bool {
    pieces.iter().all(|piece| match piece {
        TextPiece::Text(_) => true,
        TextPiece::Part(part) => {
            let bits = (raw & part.mask()) >> part.low;
            part.text.reads_back.is_none_or(|reads_back| reads_back(bits, &[]))
        }
        TextPiece::Group(_, inner) => parts_read_back(inner, raw),
    })
}

/// Parses pieces, and adds the bits of their parts to `raw`.
fn read_pieces(
    pieces: &[TextPiece],
    cursor: &mut Cursor<'_>,
    mut raw: u64,
    expected: &'static str,
) -> Result<u64, OperandError> {
    for piece in pieces {
        match piece {
            TextPiece::Text(text) if cursor.eat_text(text) => {}
            TextPiece::Text(_) => return Err(cursor.fault(cursor.position(), expected)),
            TextPiece::Part(part) => raw |= (part.text.read)(cursor, &[])? << part.low,
            TextPiece::Group(text, inner) => {
                if cursor.eat_text(text) {
                    raw = read_pieces(inner, cursor, raw, expected)?;
                }
            }
        }
    }
    Ok(raw)
}

fn write_pieces(pieces: &[TextPiece], raw: u64, line: &mut Line) {
    for piece in pieces {
        match piece {
            TextPiece::Text(text) => line.push_str(text),
            TextPiece::Part(part) => {
                (part.text.write)((raw & part.mask()) >> part.low, &[], line);
            }
            TextPiece::Group(text, inner) => {
                if contents(inner).0 & raw != 0 {
                    line.push_str(text);
                    write_pieces(inner, raw, line);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::{String, ToString};

    use crate::operand::{OperandKind, PrefixedHex, Reg, SignedHex, Unsigned, parse};

    crate::operand_text! {
        Address "an address (`[R2.X4+0x8]`)": offset: SignedHex<12>, base: Reg, by: Unsigned<2> =
            [base = 255, by = 0, offset = 0] ("[RZ]")
            or [base = 255, by = 0] ("[" [offset: PrefixedHex<12>] "]")
            or ("[" base {".X" by} {"+" offset} "]");
        Order "`?go` or `?wait`": wait: Unsigned<1> = [wait = 0] ("?go") or [wait = 1] ("?wait");
        Wide "two numbers": high: PrefixedHex<32>, low: PrefixedHex<32> = ("w(" high "," low ")");
    }

    #[test]
    fn every_operand_is_read_back() {
        for raw in 0..1 << Address::WIDTH {
            let (offset, base, by) = ((raw >> 10) as i16, raw >> 2 & 255, raw & 3);
            let signed = offset << 4 >> 4;
            let sign = if signed < 0 { "-" } else { "" };
            let expected = match (base, by) {
                (255, 0) if offset == 0 => "[RZ]".to_string(),
                (255, 0) => std::format!("[{offset:#x}]"),
                _ => {
                    let base = if base == 255 { "RZ".to_string() } else { std::format!("R{base}") };
                    let by = if by == 0 { String::new() } else { std::format!(".X{by}") };
                    let size = signed.unsigned_abs();
                    let offset = match size {
                        0 => String::new(),
                        _ => std::format!("+{sign}{size:#x}"),
                    };
                    std::format!("[{base}{by}{offset}]")
                }
            };
            let address = Address::from_bits(raw);
            assert_eq!(address.to_string(), expected, "{raw:#x}");
            assert!(expected.len() <= Address::MAX_LEN);
            assert_eq!(parse(&expected), Ok(address), "{expected}");
        }
        for text in ["?go", "?wait", "w(0xffffffff,0x0)"] {
            let order = parse::<Order>(text).map(|order| order.to_string());
            let text_of = order.or_else(|_| parse::<Wide>(text).map(|wide| wide.to_string()));
            assert_eq!(text_of.as_deref(), Ok(text));
        }
        assert_eq!(parse::<Wide>("w(1, 2)").map(Wide::to_bits), Ok(0x1_0000_0002));
        assert_eq!((Address::MAX_LEN, Order::MAX_LEN), ("[R254.X3+-0x800]".len(), "?wait".len()));
        assert_eq!(Address::FORMS, ["[RZ]*", "[*", "[*"]);
    }

    #[test]
    fn the_error_of_the_text_that_got_furthest_is_reported() {
        let error =
            |text: &str| parse::<Address>(text).map_err(|error| (error.span, error.message));
        for (text, at, message) in [
            ("R1", 0, "expected an address (`[R2.X4+0x8]`)"),
            ("[R1", 3, "expected an address (`[R2.X4+0x8]`)"),
            ("[R1+0x800]", 4, "out of range: expected a number from -2048 to 2047"),
            ("[R1.X4]", 5, "out of range: expected a number from 0 to 3"),
            ("[0x1000]", 1, "out of range: expected a number from 0 to 4095"),
        ] {
            let (span, found) = error(text).expect_err(text);
            assert_eq!((span.start, found), (at, message), "{text}");
        }
    }
}
