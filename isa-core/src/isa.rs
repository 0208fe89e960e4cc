//! What the enums of all sets have in common, and what is done with many instructions at once.

use core::fmt::{self, Debug, Display};
use core::hash::Hash;
use core::marker::PhantomData;
use core::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError};
use crate::table::{InstructionSet, Opcode};

/// The instructions of a set: what the enum of every set is.
///
/// For code that works over any set, such as a tool or a test; what it asks for is what each enum
/// has anyway. What it provides works on many words at once, without an allocation.
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
    /// The smallest unsigned integer that holds every word.
    type Word: Copy;

    /// The tables of the set: every opcode, the decoder, the mnemonics.
    const SET: &'static InstructionSet;

    /// The instruction that a stream begins with, and its length in bytes. The bytes of each word stand
    /// as [`InstructionSet::byte_order`] says.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason, and a stream that ends inside of one.
    fn decode_first(bytes: &[u8]) -> Result<(Self, usize), DecodeError>;

    /// The word of the instruction.
    ///
    /// # Errors
    ///
    /// An illegal combination of values, with the reason.
    fn encode(self) -> Result<Self::Word, EncodeError>;

    /// The row of the instruction's opcode.
    fn opcode(self) -> &'static Opcode;

    /// Decodes words, as many as there are and `out` has room for, and says how many.
    ///
    /// # Errors
    ///
    /// The first word that is no instruction; what stands before it is decoded.
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
    fn decode_slice(words: &[Self::Word], out: &mut [Self]) -> Result<usize, AtIndex<DecodeError>> {
        each(words, out, |word| Self::try_from(word))
    }

    /// Encodes instructions, as many as there are and `words` has room for, and says how many.
    ///
    /// # Errors
    ///
    /// The first instruction whose values exclude each other; what stands before it is encoded.
    #[inline]
    fn encode_slice(
        instructions: &[Self],
        words: &mut [Self::Word],
    ) -> Result<usize, AtIndex<EncodeError>> {
        each(instructions, words, Self::encode)
    }

    /// The instructions of a stream, and the words in it that are none.
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

/// Fills `out` with what becomes of `items`.
#[inline]
fn each<T: Copy, U, E>(
    items: &[T],
    out: &mut [U],
    convert: impl Fn(T) -> Result<U, E>,
) -> Result<usize, AtIndex<E>> {
    let mut count = 0;
    for (&item, place) in items.iter().zip(out) {
        *place = convert(item).map_err(|error| AtIndex { index: count, error })?;
        count += 1;
    }
    Ok(count)
}

/// Which of several items an error is about.
#[derive(Debug, Clone, Copy)]
pub struct AtIndex<E> {
    /// The place of the item, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub error: E,
}

impl<E: Display> Display for AtIndex<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at index {}: {}", self.index, self.error)
    }
}

impl<E: Debug + Display> core::error::Error for AtIndex<E> {}

/// The instructions of a stream of bytes, each with its offset; of what is none, the reason. From
/// [`Isa::stream`].
///
/// Behind a word that is no instruction it goes on by the length that
/// [`InstructionSet::length`] gives, so that the items cover all bytes.
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
        // At least one byte, so that the end is reached whatever a table says.
        self.rest = self.rest.get(length.max(1)..).unwrap_or_default();
        self.offset += length.max(1);
        Some((offset, instruction))
    }
}

impl<I: Isa> core::iter::FusedIterator for Stream<'_, I> {}
