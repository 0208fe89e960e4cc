//! What the methods of generated instruction types call.

use core::fmt;

use crate::asm::{Cursor, Line, Parsed, Site};
use crate::error::{EncodeError, ParseError};
use crate::operand::FieldValue;
use crate::table::{Access, Field, InstructionSet, Opcode, Operand as Row, low_bits};

/// Checks that the values in a word of `opcode` exist and do not exclude each other.
///
/// # Errors
///
/// A reserved value or an illegal combination.
#[inline]
pub fn encode(opcode: &'static Opcode, word: u128) -> Result<(), EncodeError> {
    opcode.validate(word).map_err(EncodeError::from)
}

/// Writes an instruction as assembly text; with the flag `#` without aliases.
///
/// # Errors
///
/// Those of the formatter.
pub fn display(opcode: &Opcode, word: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = Line::new();
    if f.alternate() {
        opcode.print_plain(word, &mut line);
    } else {
        opcode.print(word, &mut line);
    }
    f.pad(line.as_str())
}

/// Writes an instruction as the name of its type around its assembly text.
///
/// # Errors
///
/// Those of the formatter.
pub fn debug(name: &str, opcode: &Opcode, word: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = Line::new();
    opcode.print(word, &mut line);
    f.debug_tuple(name).field(&format_args!("{line}")).finish()
}

/// Reads a text that is exactly one instruction: its opcode's index in the set, and its word.
///
/// # Errors
///
/// Text that is no legal instruction. `.word` gives the instruction with those bits, if any.
pub fn parse_one(set: &'static InstructionSet, text: &str) -> Result<(usize, u128), ParseError> {
    one_of(set, text, set.parse(text)?)
}

/// As [`parse_one`], of a text that stands somewhere in a program.
///
/// # Errors
///
/// The same, and labels that the program does not have.
pub fn parse_one_at(
    set: &'static InstructionSet,
    text: &str,
    site: Site<'_>,
) -> Result<(usize, u128), ParseError> {
    one_of(set, text, set.parse_whole(Cursor::at_site(text, &site))?)
}

fn one_of(
    set: &'static InstructionSet,
    text: &str,
    parsed: Parsed,
) -> Result<(usize, u128), ParseError> {
    match parsed {
        Parsed::Instruction { opcode, word, .. } => Ok((opcode, word)),
        Parsed::Word { word, span } => match set.index(word) {
            Ok(opcode) => Ok((opcode, word)),
            Err(error) => Err(ParseError::illegal(text, span, error)),
        },
    }
}

/// Reads a text that is exactly one instruction of `opcode`, and gives its word.
///
/// # Errors
///
/// Text that is no legal instruction, or one of another opcode.
pub fn parse_as(
    set: &'static InstructionSet,
    opcode: &'static Opcode,
    text: &str,
) -> Result<u128, ParseError> {
    let (_, word) = parse_one(set, text)?;
    match opcode.validate(word) {
        Ok(()) => Ok(word),
        Err(error) => Err(ParseError::illegal(text, 0..text.len(), error)),
    }
}

/// The value of a field in a word.
#[inline]
#[must_use]
pub fn value_of<V: FieldValue>(field: &'static Field, word: u128) -> V {
    V::from_raw(field.get(word))
}

/// The value of a field in a word, from where its pieces are: each with its lowest bit and its
/// width, the most significant first.
///
/// Generated code has the pieces as constants where it executes: the tables of another crate are
/// no constants to the optimiser.
#[inline(always)]
#[must_use]
pub fn value_at<V: FieldValue>(pieces: &[(u8, u8)], word: u128) -> V {
    let gather = |raw: u128, &(position, width): &(u8, u8)| {
        // Of one half of the word alone where that has the piece: a shift over both is slow.
        let shifted = match (position, position + width) {
            (_, 0..=64) => (word as u64 >> position).into(),
            (64.., _) => ((word >> 64) as u64 >> (position - 64)).into(),
            _ => word >> position,
        };
        raw << width | shifted & low_bits(width)
    };
    V::from_raw(pieces.iter().fold(0, gather) as u64)
}

/// An operand of an instruction: what it is, how it is used, and where its bits are.
///
/// ```text
/// for operand in instruction.operands() {
///     println!("{} {:?} {}", operand.name(), operand.access(), operand.field().kind.name);
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    opcode: &'static Opcode,
    row: &'static Row,
    word: u128,
    place: usize,
}

impl Operand {
    /// The opcode of the instruction.
    #[must_use]
    pub const fn opcode(&self) -> &'static Opcode {
        self.opcode
    }

    /// The word of the instruction.
    #[must_use]
    pub const fn word(&self) -> u128 {
        self.word
    }

    /// Which of the instruction's operands it is, from 0, in the order of the text.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.place
    }

    /// The name in the specification, `rd` or `urb`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.field().name
    }

    /// The field that holds the operand: its bits in the word, its kind, its documentation.
    #[must_use]
    pub fn field(&self) -> &'static Field {
        self.opcode.fields[usize::from(self.row.field)]
    }

    /// The name of the operand's kind, `Reg` or `CMem`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.field().kind.name
    }

    /// Whether the instruction reads or writes it.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.row.access
    }

    /// The width of its value in bits: what `Bitwidth` says, else what the
    /// kind says, else 0.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.row.bits
    }

    /// The address that the operand stands for where the instruction is at `address`: where a
    /// branch goes. `None` where its kind is no target.
    #[must_use]
    pub fn target(&self, address: u64) -> Option<u64> {
        self.opcode.target(self.field(), self.word, address)
    }

    /// The place of its field among those of the opcode.
    pub(crate) fn place(&self) -> usize {
        self.row.field.into()
    }

    /// What the table has of the operand.
    pub(crate) const fn row(&self) -> &'static Row {
        self.row
    }

    /// The bits of the field in this instruction.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.field().get(self.word)
    }
}

/// The operands of an instruction, in the order of its text.
#[derive(Debug, Clone)]
pub struct Operands {
    opcode: &'static Opcode,
    rows: core::iter::Enumerate<core::slice::Iter<'static, Row>>,
    word: u128,
}

impl Operands {
    /// The operands of a word of `opcode`.
    #[must_use]
    pub fn new(opcode: &'static Opcode, word: u128) -> Self {
        Operands { opcode, rows: opcode.operands.iter().enumerate(), word }
    }
}

impl Iterator for Operands {
    type Item = Operand;

    fn next(&mut self) -> Option<Operand> {
        let Operands { opcode, rows, word } = self;
        rows.next().map(|(place, row)| Operand { opcode, row, word: *word, place })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl ExactSizeIterator for Operands {}

/// Why a specification's example is none.
#[derive(Debug, Clone)]
pub enum ExampleError {
    /// It does not assemble.
    Refused(&'static str, ParseError),
    /// It assembles to an opcode that has nothing to do with where it stands.
    OtherOpcode(&'static str, &'static Opcode),
    /// What it prints as does not assemble to the same word.
    NoRoundTrip(&'static str),
    /// It prints as other text than what the specification says behind an arrow.
    OtherText(&'static str, &'static str, Line),
}

impl fmt::Display for ExampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExampleError::Refused(text, error) => write!(f, "the example `{text}`: {error}"),
            ExampleError::OtherOpcode(text, opcode) => {
                write!(f, "the example `{text}` is one of {}, not of where it stands", opcode.name)
            }
            ExampleError::NoRoundTrip(text) => {
                write!(f, "the example `{text}` does not print back to its own word")
            }
            ExampleError::OtherText(text, expected, printed) => {
                let printed = printed.as_str();
                write!(f, "the example `{text}` prints as `{printed}`, not as `{expected}`")
            }
        }
    }
}

impl core::error::Error for ExampleError {}

/// Whether two texts are the same but for white space.
fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().flat_map(str::bytes).eq(b.split_whitespace().flat_map(str::bytes))
}

/// Assembles and prints the examples of a specification, each with what it prints as, where the
/// specification says that, and the opcodes it may be of.
///
/// # Errors
///
/// The first example that is wrong.
#[expect(clippy::result_large_err, reason = "only tests call it, once a specification")]
pub fn check_examples(
    set: &'static InstructionSet,
    examples: &[(&'static str, Option<&'static str>, &[usize])],
) -> Result<(), ExampleError> {
    for &(text, canonical, heirs) in examples {
        let refused = |error| ExampleError::Refused(text, error);
        let (opcode, word) = parse_one(set, text).map_err(refused)?;
        let row = set.opcodes[opcode];
        if !heirs.contains(&opcode) {
            return Err(ExampleError::OtherOpcode(text, row));
        }
        let mut line = Line::new();
        row.print(word, &mut line);
        if parse_one(set, line.as_str()).ok() != Some((opcode, word)) {
            return Err(ExampleError::NoRoundTrip(text));
        }
        if let Some(canonical) = canonical
            && !same_text(canonical, line.as_str())
        {
            return Err(ExampleError::OtherText(text, canonical, line));
        }
    }
    Ok(())
}
