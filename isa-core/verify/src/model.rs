//! The reference implementation of validity: it tries every opcode, field by field.
//!
//! It uses only what the author of a specification wrote: the fields with their positions and
//! values, and the source text of the conditions of exceptions. It does not use the decode tree and
//! the masks that `define_isa!` computes, so the decoder can be compared with it.
//!
//! ```
//! use isa_verify::model::{Model, Verdict, InvalidReason};
//!
//! # isa_core::define_isa! {
//! #     /// One instruction.
//! #     isa Tiny: u16;
//! #     operand Reg: 8 = isa_core::operand::Reg;
//! #     enum Op: 7 { NEG = 1 }
//! #     opcode NEG { encoding { field<8, 7> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
//! # }
//! let model = Model::new(Tiny::SET);
//! assert_eq!(model.classify(0x0105), Verdict::Legal(0));
//! assert_eq!(model.classify(0x8105), Verdict::Illegal(0, InvalidReason::Uncovered));
//! assert_eq!(model.classify(0x0205), Verdict::NoSuchOpcode);
//! ```

use isa_core::error::{DecodeError, DecodeErrorKind};
use isa_core::table::{ByteOrder, Field, Init, InstructionSet, Opcode};

use crate::condition::FieldCondition;
use crate::field_values::{bit_positions, field_value};

mod word_prefixes;

use word_prefixes::WordPrefixes;

/// Returns the word that is stored in memory as `bytes` with the byte order `order`, computed byte
/// by byte.
fn in_order(order: ByteOrder, bytes: &[u8]) -> u128 {
    let number = |bytes: &mut dyn Iterator<Item = &u8>| {
        bytes.fold(0, |word, byte| word << 8 | u128::from(*byte))
    };
    match order {
        ByteOrder::BigEndian => number(&mut bytes.iter()),
        ByteOrder::LittleEndianHalfwords => {
            number(&mut bytes.chunks(2).flat_map(|halfword| halfword.iter().rev()))
        }
        _ => number(&mut bytes.iter().rev()),
    }
}

/// All opcodes of a set in the form that the reference implementation uses.
#[derive(Debug)]
pub struct Model {
    /// The set.
    pub set: &'static InstructionSet,
    /// The opcodes, in the order of the set.
    pub opcodes: Vec<OpcodeModel>,
    prefixes: WordPrefixes,
}

/// The conditions under which a word is an instruction of one opcode.
#[derive(Debug)]
pub struct OpcodeModel {
    /// The opcode.
    pub opcode: &'static Opcode,
    /// The conditions of its exceptions, in order.
    pub conditions: Vec<FieldCondition>,
    /// The bits that no field covers.
    pub uncovered: u128,
    fixed: Vec<(&'static Field, u64)>,
    free: Vec<(usize, Existing)>,
}

/// The values that a field can have.
#[derive(Debug)]
enum Existing {
    All,
    /// For each value, whether it exists.
    Named(Vec<bool>),
    /// The existing values in ascending order, for a field that is too wide for such a list.
    Sorted(Vec<u64>),
    /// The operand type declares its reserved values.
    Kind,
}

/// The maximum number of bits of a field whose values are listed.
const LISTED: u32 = 16;

/// The classification of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A valid instruction of the opcode with this index in the set.
    Legal(usize),
    /// The word does not have the fixed fields of any opcode.
    NoSuchOpcode,
    /// The word has the fixed fields of this opcode, but is invalid for another reason.
    Illegal(usize, InvalidReason),
}

/// The reason why a word of an opcode is invalid. If there are several reasons, the first in this
/// order is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidReason {
    /// A field, by its index, has a reserved value. It is the first such field.
    Value(usize),
    /// The condition of an exception, by its index, is true. It is the first such exception.
    Exception(usize),
    /// A bit that no field covers is set.
    Uncovered,
}

impl Model {
    /// Creates the model of a set.
    #[must_use]
    pub fn new(set: &'static InstructionSet) -> Self {
        let opcodes: Vec<OpcodeModel> =
            set.opcodes.iter().map(|&opcode| OpcodeModel::new(opcode)).collect();
        Model { set, prefixes: WordPrefixes::of(set, &opcodes), opcodes }
    }

    /// Classifies a word. If the word has the fixed fields of several opcodes, such as a special case
    /// and its general form, the result refers to the opcode for which the word is valid. If there is
    /// none, it refers to the first of these opcodes.
    ///
    /// # Panics
    ///
    /// Panics if a word is a valid instruction of two opcodes, because the model then has no
    /// answer.
    #[must_use]
    pub fn classify(&self, word: u128) -> Verdict {
        if let Some(index) = self.legal(word) {
            return Verdict::Legal(index);
        }
        let wrong = |(index, row): (usize, &OpcodeModel)| {
            Some(Verdict::Illegal(index, row.invalid_reason(word)?))
        };
        self.candidates(word).find_map(wrong).unwrap_or(Verdict::NoSuchOpcode)
    }

    /// Returns the opcodes whose fixed fields a word has.
    fn candidates(&self, word: u128) -> impl Iterator<Item = (usize, &OpcodeModel)> {
        self.opcodes.iter().enumerate().filter(move |(_, row)| row.has_fixed_fields(word))
    }

    /// Returns the opcode for which a word is valid.
    ///
    /// # Panics
    ///
    /// Panics if there are two such opcodes.
    #[must_use]
    pub fn legal(&self, word: u128) -> Option<usize> {
        let mut rows = self.candidates(word).filter(|(_, row)| row.invalid_reason(word).is_none());
        let (index, row) = rows.next()?;
        if let Some((_, other)) = rows.next() {
            panic!("{word:#x} is {} and {}", row.opcode.name, other.opcode.name);
        }
        Some(index)
    }

    /// Returns the opcode, the word and the length of the word in bytes at the beginning of a stream. At
    /// most one of the words of all widths that begin there is valid.
    ///
    /// # Panics
    ///
    /// Panics in the same case as [`Model::legal`].
    #[must_use]
    pub fn first_instruction(&self, stream: &[u8]) -> Option<(usize, u128, usize)> {
        let of_width = |length: usize| {
            let bytes = stream.get(..length)?;
            let word = in_order(self.set.byte_order, bytes);
            let index = self.legal(word)?;
            let bits = usize::from(self.opcodes[index].opcode.width_of(word));
            (bits == length * 8).then_some((index, word, length))
        };
        let widths = self.set.widths.iter().map(|width| usize::from(width.bits) / 8);
        widths.filter_map(of_width).next()
    }

    /// Returns the length in bytes of the word, valid or not, at the beginning of a stream. Returns
    /// `None` if the stream is shorter than any word, or does not begin like the words of an opcode.
    /// Also returns `None` if the set has only one width, or if the fixed bits do not distinguish the
    /// opcodes of different widths.
    #[must_use]
    pub fn length(&self, stream: &[u8]) -> Option<usize> {
        self.prefixes.length(stream)
    }

    /// Returns whether an error agrees with this model. The error must contain the reason why its word
    /// is invalid for one of the opcodes whose fixed fields the word has.
    #[must_use]
    pub fn explains(&self, error: &DecodeError) -> bool {
        let word = error.word();
        match self.classify(word) {
            Verdict::Legal(_) => false,
            Verdict::NoSuchOpcode => matches!(error.kind(), DecodeErrorKind::NoSuchOpcode { .. }),
            Verdict::Illegal(..) => self.candidates(word).any(|(_, row)| {
                row.invalid_reason(word).is_some_and(|wrong| {
                    row.matches_error(wrong, &error.kind(), word)
                        || row.is_special(wrong, word)
                            && row.matches_error(InvalidReason::Uncovered, &error.kind(), word)
                })
            }),
        }
    }
}

impl OpcodeModel {
    fn new(opcode: &'static Opcode) -> Self {
        let covered = opcode.fields.iter().flat_map(|field| bit_positions(field));
        let uncovered = covered.fold(u128::MAX, |rest, bit| rest & !(1 << bit));
        let fields = opcode.fields.iter().copied().enumerate();
        let fixed = fields.clone().filter_map(|(_, field)| match field.init {
            // A field without bits does not restrict a word.
            Init::Fixed(raw) if !field.pieces.is_empty() => Some((field, raw)),
            _ => None,
        });
        let free = fields.filter(|(_, field)| !matches!(field.init, Init::Fixed(_)));
        let exceptions = opcode.exceptions.iter();
        OpcodeModel {
            opcode,
            conditions: exceptions.map(|exception| FieldCondition::of(exception, opcode)).collect(),
            uncovered,
            fixed: fixed.collect(),
            free: free.map(|(index, field)| (index, Existing::of(field))).collect(),
        }
    }

    /// Returns whether a word has the fixed fields of the opcode.
    #[must_use]
    pub fn has_fixed_fields(&self, word: u128) -> bool {
        self.fixed.iter().all(|(field, raw)| field_value(field, word) == *raw)
    }

    /// Returns whether a word is a valid instruction of the opcode.
    #[must_use]
    pub fn is_legal(&self, word: u128) -> bool {
        self.has_fixed_fields(word) && self.invalid_reason(word).is_none()
    }

    /// Returns the reason why a word with the fixed fields is invalid.
    #[must_use]
    pub fn invalid_reason(&self, word: u128) -> Option<InvalidReason> {
        let get = |index: usize| self.value(index, word);
        let missing = |(index, values): &&(usize, Existing)| {
            !values.contains(self.opcode.fields[*index], get(*index))
        };
        if let Some((index, _)) = self.free.iter().find(missing) {
            return Some(InvalidReason::Value(*index));
        }
        if let Some(index) = self.conditions.iter().position(|one| one.holds(&get)) {
            return Some(InvalidReason::Exception(index));
        }
        (word & self.uncovered != 0).then_some(InvalidReason::Uncovered)
    }

    /// Returns whether a word has the fixed fields of a special case of the opcode, but is invalid for
    /// the special case because a bit is set that no field covers.
    fn is_special(&self, wrong: InvalidReason, word: u128) -> bool {
        let InvalidReason::Exception(index) = wrong else { return false };
        self.opcode.exceptions[index].class == "SpecialCase" && word & self.uncovered != 0
    }

    /// Returns the value of a field, by its index: the fixed value, even if the field has no bits,
    /// or else the value in the word.
    #[must_use]
    pub fn value(&self, index: usize, word: u128) -> u64 {
        let field = self.opcode.fields[index];
        match field.init {
            Init::Fixed(raw) => raw,
            _ => field_value(field, word),
        }
    }

    /// Returns the indexes of the fields that the opcode does not fix.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        self.free.iter().map(|(index, _)| *index)
    }

    /// Returns the fields that the opcode fixes, and their values.
    #[must_use]
    pub fn fixed(&self) -> &[(&'static Field, u64)] {
        &self.fixed
    }

    /// Returns whether a field, by its index, can have a value.
    #[must_use]
    pub fn has_value(&self, field: usize, raw: u64) -> bool {
        let known = self.free.iter().find(|(index, _)| *index == field);
        known.is_none_or(|(_, values)| values.contains(self.opcode.fields[field], raw))
    }

    /// Returns whether the error type `kind` contains the reason `wrong`.
    #[must_use]
    pub fn matches_error(&self, wrong: InvalidReason, kind: &DecodeErrorKind, word: u128) -> bool {
        let same = |opcode: &Opcode| core::ptr::eq(opcode, self.opcode);
        match (wrong, *kind) {
            (
                InvalidReason::Value(index),
                DecodeErrorKind::ReservedValue { opcode, field, raw, .. },
            ) => {
                let known = self.opcode.fields[index];
                same(opcode) && core::ptr::eq(field, known) && raw == field_value(known, word)
            }
            (
                InvalidReason::Exception(index),
                DecodeErrorKind::Illegal { opcode, exception, .. },
            ) => same(opcode) && core::ptr::eq(exception, self.opcode.exceptions[index]),
            (InvalidReason::Uncovered, DecodeErrorKind::UnusedBits { opcode, .. }) => same(opcode),
            _ => false,
        }
    }
}

impl Existing {
    fn of(field: &Field) -> Self {
        match (field.kind.values, field.kind.reserved) {
            ([], []) => Existing::All,
            ([], _) => Existing::Kind,
            (values, _) => {
                let mut raws: Vec<u64> = values.iter().map(|value| value.raw).collect();
                raws.sort_unstable();
                if field.width() > LISTED {
                    return Existing::Sorted(raws);
                }
                let mut named = vec![false; 1 << field.width()];
                raws.into_iter().for_each(|raw| named[raw as usize] = true);
                Existing::Named(named)
            }
        }
    }

    fn contains(&self, field: &Field, raw: u64) -> bool {
        match self {
            Existing::All => true,
            Existing::Named(named) => named.get(raw as usize) == Some(&true),
            Existing::Sorted(raws) => raws.binary_search(&raw).is_ok(),
            Existing::Kind => {
                let raw = u128::from(raw);
                field.kind.reserved.iter().all(|cube| raw & cube.mask != cube.value)
            }
        }
    }
}
