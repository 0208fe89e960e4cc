//! Implements the methods of generated instruction types.

use core::fmt;

use crate::bits::low_bits;
use crate::error::{EncodeError, ParseError};
use crate::operand::FieldValue;
use crate::parse::Parsed;
use crate::table::{Access, Field, InstructionSet, Lanes, Opcode, OperandRow as Row};
use crate::text::{Cursor, InstructionContext, Line};

/// Checks that the values in a word of `opcode` exist and can be combined.
///
/// # Errors
///
/// Returns an error for a reserved value or an invalid combination.
#[inline]
pub fn encode(opcode: &'static Opcode, word: u128) -> Result<(), EncodeError> {
    opcode.validate(word).map_err(EncodeError::from)
}

/// Prints an instruction as assembly text. With the flag `#` it does not use aliases.
///
/// # Errors
///
/// Returns the errors of the formatter.
pub fn display(opcode: &Opcode, word: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = Line::new();
    if f.alternate() {
        opcode.print_plain(word, &mut line);
    } else {
        opcode.print(word, &mut line);
    }
    f.pad(line.as_str())
}

/// Prints the name of an instruction's type and its assembly text in parentheses.
///
/// # Errors
///
/// Returns the errors of the formatter.
pub fn debug(name: &str, opcode: &Opcode, word: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut line = Line::new();
    opcode.print(word, &mut line);
    f.debug_tuple(name).field(&format_args!("{line}")).finish()
}

/// Parses a text that consists of exactly one instruction, and returns the index of its opcode in
/// the set and its word.
///
/// # Errors
///
/// Returns an error if the text is not a valid instruction. `.word` returns the instruction with
/// these bits, if there is one.
pub fn parse_one(set: &InstructionSet, text: &str) -> Result<(usize, u128), ParseError> {
    one_of(set, text, set.parse(text)?)
}

/// Does the same as [`parse_one`] for a text at a position in a program.
///
/// # Errors
///
/// Returns the same errors, and an error for a label that the program does not define.
pub fn parse_one_at(
    set: &'static InstructionSet,
    text: &str,
    site: InstructionContext<'_>,
) -> Result<(usize, u128), ParseError> {
    one_of(set, text, set.parse_whole(Cursor::in_context(text, &site))?)
}

fn one_of(set: &InstructionSet, text: &str, parsed: Parsed) -> Result<(usize, u128), ParseError> {
    match parsed {
        Parsed::Instruction { opcode, word, .. } => Ok((opcode, word)),
        Parsed::Word { word, span } => match set.index(word) {
            Ok(opcode) => Ok((opcode, word)),
            Err(error) => Err(ParseError::illegal(text, span, error)),
        },
    }
}

/// Parses a text that consists of exactly one instruction of `opcode`, and returns its word.
///
/// # Errors
///
/// Returns an error if the text is not a valid instruction, or if it belongs to another opcode.
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

/// Returns the value of a field in a word.
#[inline]
#[must_use]
pub fn value_of<V: FieldValue>(field: &'static Field, word: u128) -> V {
    V::from_raw(field.get(word))
}

/// Returns the value of a field in a word. `pieces` contains the lowest bit and the width of each
/// piece, the most significant first.
///
/// Generated code passes the pieces as constants in semantic functions, because the optimiser does
/// not know the contents of tables in another crate.
#[inline(always)]
#[must_use]
pub fn value_at<V: FieldValue>(pieces: &[(u8, u8)], word: u128) -> V {
    let gather = |raw: u128, &(position, width): &(u8, u8)| {
        // Uses only one half of the word if it contains the piece, because shifting both halves is
        // slow.
        let shifted = match (position, position + width) {
            (_, 0..=64) => (word as u64 >> position).into(),
            (64.., _) => ((word >> 64) as u64 >> (position - 64)).into(),
            _ => word >> position,
        };
        raw << width | shifted & low_bits(width)
    };
    V::from_raw(pieces.iter().fold(0, gather) as u64)
}

/// An operand of an instruction: its type, its access, and its bits.
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
    /// Returns the opcode of the instruction.
    #[must_use]
    pub const fn opcode(&self) -> &'static Opcode {
        self.opcode
    }

    /// Returns the word of the instruction.
    #[must_use]
    pub const fn word(&self) -> u128 {
        self.word
    }

    /// Returns the index of the operand in the instruction, from 0, in the order of the text.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.place
    }

    /// Returns the name in the specification, for example `rd` or `urb`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.field().name
    }

    /// Returns the field that contains the operand, with its bits in the word, its type and its
    /// documentation.
    #[must_use]
    pub fn field(&self) -> &'static Field {
        self.opcode.fields[usize::from(self.row.field)]
    }

    /// Returns the name of the operand's type, for example `Reg` or `CMem`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.field().kind.name
    }

    /// Returns whether the instruction reads or writes the operand.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.row.access
    }

    /// Returns the width of its value in bits: the `Bitwidth` of the specification, which may depend
    /// on fields of the word, or else the width of the operand type, or else 0.
    #[must_use]
    pub fn width(&self) -> u16 {
        let mut rows = self.opcode.lanes.iter().filter(|row| row.field == self.row.field);
        rows.find_map(|row| row.width(self.opcode, self.word)).unwrap_or(self.row.bits)
    }

    /// Returns the address that the operand refers to in an instruction at `address`, such as the
    /// target of a branch. Returns `None` if its type is not a target.
    #[must_use]
    pub fn target(&self, address: u64) -> Option<u64> {
        self.opcode.target(self.field(), self.word, address)
    }

    /// Returns the lanes of the operand's value that the instruction reads or writes, from a `Lanes`
    /// line of the specification, or from a `Bitwidth` line that depends on fields. Without such a line
    /// it returns `None`, and the instruction may use any bit of the value.
    ///
    /// Lanes of an input operand that are not in the mask do not influence the instruction. Lanes of an
    /// output operand that are not in the mask keep their values. Lanes that are not in the mask of an
    /// operand that is both read and written keep their values and do not influence anything else. If a
    /// guard is false, nothing is read or written.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     pub isa Tiny: u32;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 4 { WIDEN = 1 }
    /// #     enum Half: 1 { H0 = 0, H1 = 1 }
    /// #     opcode WIDEN {
    /// #         encoding {
    /// #             field<0, 4> Op op == WIDEN; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 1> Half ra.half;
    /// #         }
    /// #         syntax { WIDEN Rd, Ra.half; }
    /// #         operands { InList<ra>; OutList<rd>; Order<rd, ra>; Lanes<ra> = 16 * half(ra.half); }
    /// #     }
    /// # }
    /// # const fn half(number: u64) -> u64 { 1 << number }
    /// let widen: Tiny = "WIDEN R1, R2.H1;".parse()?;
    /// let [rd, ra] = [0, 1].map(|place| widen.operands().nth(place).unwrap());
    /// assert_eq!(rd.lanes(), None);
    /// let lanes = ra.lanes().expect("a line of the specification");
    /// assert_eq!((lanes.bits, lanes.mask), (16, 0b10));
    /// assert!(lanes.ranges().eq([16..32]));
    /// # Ok::<(), isa_core::ParseError>(())
    /// ```
    #[must_use]
    pub fn lanes(&self) -> Option<Lanes> {
        let opcode = self.opcode();
        let row = opcode.lanes.iter().find(|row| row.field == self.row.field)?;
        Some(row.of_width(opcode, self.width(), self.word()))
    }

    /// Returns the index of its field in the opcode.
    pub(crate) fn place(&self) -> usize {
        self.row.field.into()
    }

    /// Returns the bits of the field in this instruction.
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
    /// Returns the operands of a word of `opcode`.
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

/// The reason why an example in a specification is wrong.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a line cannot be boxed without an allocator")]
pub enum ExampleError {
    /// The example does not assemble.
    Refused(&'static str, ParseError),
    /// The example assembles to an opcode that does not inherit from the item that contains the
    /// example.
    OtherOpcode(&'static str, &'static Opcode),
    /// The printed text does not assemble to the same word.
    NoRoundTrip(&'static str),
    /// The printed text differs from the text after the arrow in the specification.
    OtherText(&'static str, &'static str, Line),
}

impl fmt::Display for ExampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExampleError::Refused(text, error) => write!(f, "the example `{text}`: {error}"),
            ExampleError::OtherOpcode(text, opcode) => {
                write!(
                    f,
                    "the example `{text}` assembles to {}, not to the item that contains it",
                    opcode.name
                )
            }
            ExampleError::NoRoundTrip(text) => {
                write!(f, "the example `{text}` does not round-trip")
            }
            ExampleError::OtherText(text, expected, printed) => {
                let printed = printed.as_str();
                write!(f, "the example `{text}` prints as `{printed}`, not as `{expected}`")
            }
        }
    }
}

impl core::error::Error for ExampleError {}

/// Returns whether two texts are equal except for white space.
fn same_text(a: &str, b: &str) -> bool {
    a.split_whitespace().flat_map(str::bytes).eq(b.split_whitespace().flat_map(str::bytes))
}

/// Assembles and prints the examples of a specification. Each element of `examples` contains an
/// example, its expected printed text if the specification contains one, and the opcodes to which the
/// example may belong.
///
/// # Errors
///
/// Returns the first example that is wrong.
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
