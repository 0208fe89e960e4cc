//! Defines the trait that the enums of all sets implement, and operations on many instructions at
//! once.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;
use core::marker::PhantomData;
use core::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::table::{FeatureSet, InstructionSet, Opcode};

/// The instructions of a set. The enum of every set implements this trait.
///
/// It is intended for code that works with any set, such as a tool or a test. The required functions
/// and `SET` are also inherent items of each enum. The provided methods process many words at once,
/// without an allocation.
///
/// ```
/// use isa_core::Isa;
///
/// /// How many instructions of code have each mnemonic.
/// fn count<I: Isa>(code: &[u8], mnemonic: &str) -> usize {
///     let instructions = I::stream(code).filter_map(|(_, instruction)| instruction.ok());
///     instructions.filter(|i| i.opcode().syntax.mnemonic == mnemonic).count()
/// }
///
/// isa_core::define_isa! {
///     /// Two instructions.
///     isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { NEG = 1, NOT = 2 }
///     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
///     opcode NOT { encoding { field<8, 8> Op op == NOT; field<0, 8> Reg rd; } syntax { NOT Rd; } }
/// }
/// assert_eq!(count::<Tiny>(&[0, 1, 0, 2, 7, 1, 0xff, 0xff], "NEG"), 2);
/// ```
pub trait Isa:
    Copy
    + Eq
    + Hash
    + Debug
    + Display
    + FromStr<Err = ParseError>
    + TryFrom<Self::Word, Error = DecodeError>
    + 'static
{
    /// The smallest unsigned integer that can contain every word.
    type Word: Copy;

    /// The tables of the set: every opcode, the decoder, the mnemonics.
    const SET: &'static InstructionSet;

    /// Decodes the first instruction of a stream and returns its length in bytes. The bytes of each
    /// word have the order of [`InstructionSet::byte_order`].
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction, and an error if the stream ends
    /// inside of a word.
    fn decode_first(bytes: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// Does the same as [`Isa::decode_first`] for a processor with these features.
    ///
    /// # Errors
    ///
    /// Returns the same errors, and an error for a word that does not exist with these features.
    fn decode_first_with(features: FeatureSet, bytes: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// Returns the word of the instruction.
    ///
    /// # Errors
    ///
    /// Returns the reason if the combination of values is invalid.
    fn encode(self) -> Result<Self::Word, EncodeError>;

    /// Returns the row of the instruction's opcode.
    fn opcode(self) -> &'static Opcode;

    /// Decodes words until `words` ends or `out` is full, and returns the number of decoded words.
    ///
    /// # Errors
    ///
    /// Returns the first word that is not a valid instruction. The words before it are decoded.
    ///
    /// ```
    /// use isa_core::Isa;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 8 { NEG = 1 }
    /// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    /// # }
    ///
    /// let mut code = [Tiny::decode(0x0100)?; 4];
    /// assert_eq!(Tiny::decode_slice(&[0x0101, 0x0102], &mut code)?, 2);
    /// assert_eq!(code[1].to_string(), "NEG R2;");
    ///
    /// let mut words = [0; 2];
    /// assert_eq!(Tiny::encode_slice(&code, &mut words)?, 2);
    /// assert_eq!(words, [0x0101, 0x0102]);
    ///
    /// let error = Tiny::decode_slice(&[0x0101, 0x0302], &mut code).unwrap_err();
    /// assert_eq!((error.index, error.error.word()), (1, 0x0302));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn decode_slice(
        words: &[Self::Word],
        out: &mut [Self],
    ) -> Result<usize, IndexedError<DecodeError>> {
        each(words, out, |word| Self::try_from(word))
    }

    /// Encodes instructions until the input ends or `words` is full, and returns the number of encoded
    /// instructions.
    ///
    /// # Errors
    ///
    /// Returns the first instruction with an invalid combination of values. The instructions before
    /// it are encoded.
    #[inline]
    fn encode_slice(
        instructions: &[Self],
        words: &mut [Self::Word],
    ) -> Result<usize, IndexedError<EncodeError>> {
        each(instructions, words, Self::encode)
    }

    /// Returns an iterator over the instructions of a stream, with an error for each invalid word.
    ///
    /// ```
    /// use isa_core::Isa;
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 8 { NEG = 1 }
    /// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    /// # }
    ///
    /// let lines: Vec<String> = Tiny::stream(&[0x05, 0x01, 0x00, 0x00, 0x06, 0x01])
    ///     .map(|(offset, instruction)| match instruction {
    ///         Ok(instruction) => format!("{offset}: {instruction}"),
    ///         Err(error) => format!("{offset}: no instruction: {:#06x}", error.word()),
    ///     })
    ///     .collect();
    /// assert_eq!(lines, ["0: NEG R5;", "2: no instruction: 0x0000", "4: NEG R6;"]);
    /// ```
    #[must_use]
    fn stream(bytes: &[u8]) -> Stream<'_, Self> {
        Stream { rest: bytes, offset: 0, isa: PhantomData }
    }
}

/// Converts `items` until they end or `out` is full, and returns the number of converted items.
#[inline]
fn each<T: Copy, U, E>(
    items: &[T],
    out: &mut [U],
    convert: impl Fn(T) -> Result<U, E>,
) -> Result<usize, IndexedError<E>> {
    let mut count = 0;
    for (&item, place) in items.iter().zip(out) {
        *place = convert(item).map_err(|error| IndexedError { index: count, error })?;
        count += 1;
    }
    Ok(count)
}

/// An error, and the index of the item that caused it.
#[derive(Debug, Clone, Copy)]
pub struct IndexedError<E> {
    /// The index of the item, from 0.
    pub index: usize,
    /// The error.
    pub error: E,
}

impl<E: Display> Display for IndexedError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at index {}: {}", self.index, self.error)
    }
}

impl<E: Debug + Display> core::error::Error for IndexedError<E> {}

/// The instructions of a stream of bytes, each with its offset, or the reason if a word is invalid.
/// Returned by [`Isa::stream`].
///
/// After an invalid word, it skips as many bytes as [`InstructionSet::length`] returns, so the items
/// cover all bytes.
#[derive(Debug, Clone)]
pub struct Stream<'b, I> {
    rest: &'b [u8],
    offset: usize,
    isa: PhantomData<fn() -> I>,
}

impl<I: Isa> Iterator for Stream<'_, I> {
    type Item = (usize, Result<I, DecodeError>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let (instruction, length) = match I::decode_first(self.rest) {
            Ok((instruction, length)) => (Ok(instruction), length),
            Err(error) => (Err(error), I::SET.length_of_none(self.rest)),
        };
        let offset = self.offset;
        // At least one byte, so that the end is reached even if a table is invalid.
        self.rest = self.rest.get(length.max(1)..).unwrap_or_default();
        self.offset += length.max(1);
        Some((offset, instruction))
    }
}

impl<I: Isa> core::iter::FusedIterator for Stream<'_, I> {}
