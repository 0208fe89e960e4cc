//! The instruction set of a tool, and the format of its words. The tool takes all information from
//! the tables of the set.

use isa_core::asm::Disassembler;
use isa_core::error::NoInstruction;
use isa_core::table::{ByteOrder, FeatureSet, InstructionSet, Opcode};
use isa_core::text::Line;

/// A set, whether every instruction round-trips through its text, and other names of directives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolSet {
    pub(crate) tables: &'static InstructionSet,
    /// The tables without the opcodes that do not exist with the features that are on. Commands that
    /// process all opcodes use them.
    pub(crate) processor: &'static InstructionSet,
    always_round_trips: bool,
    directive_names: &'static [(&'static str, &'static str)],
}

impl ToolSet {
    pub(crate) fn new(set: &'static InstructionSet) -> Self {
        let always_round_trips = set.always_reads_back();
        ToolSet { tables: set, processor: set, always_round_trips, directive_names: &[] }
    }

    /// Returns the set for a processor with these features. `None` chooses the features that the set
    /// turns on.
    pub(crate) fn with_features(self, features: Option<FeatureSet>) -> Self {
        if self.tables.features.is_empty() {
            return self;
        }
        let on = features.unwrap_or(self.tables.enabled);
        let tables = Box::leak(Box::new(self.tables.with_features(on)));
        ToolSet { tables, processor: self.tables.specialized(on), ..self }
    }

    /// Sets other names of directives.
    pub(crate) fn directives(self, names: &'static [(&'static str, &'static str)]) -> Self {
        ToolSet { directive_names: names, ..self }
    }

    /// Returns a disassembler whose text assembles with the directive names of this set.
    pub(crate) fn disassembler(self) -> Disassembler {
        Disassembler::new(self.tables).directives(self.directive_names)
    }

    /// Returns whether the text of an instruction assembles to the same word.
    #[inline]
    pub(crate) fn reads_back(self, opcode: &Opcode, word: SizedWord) -> bool {
        self.always_round_trips || opcode.reads_back(word.word)
    }

    /// Returns the number of bytes in a word, if it is the same for all words.
    #[inline]
    pub(crate) fn word_bytes(self) -> Option<usize> {
        match self.tables.widths {
            [width] => Some(usize::from(width.bits) / 8),
            _ => None,
        }
    }

    /// Returns the bytes of a word in the order of a file. The bytes beyond its width are 0.
    #[inline]
    pub(crate) fn bytes_of(self, SizedWord { word, bits }: SizedWord) -> [u8; 16] {
        self.tables.byte_order.bytes(word, bits)
    }

    /// Returns the word that is stored as `bytes` in a file.
    #[inline]
    pub(crate) fn word_of(self, bytes: &[u8]) -> SizedWord {
        let bits = (bytes.len() * 8) as u8;
        SizedWord { word: self.tables.byte_order.word(bytes, bits), bits }
    }

    /// Returns whether the lowest bits of a word come first in memory, instead of the highest.
    pub(crate) fn is_low_first(self) -> bool {
        self.tables.byte_order == ByteOrder::LittleEndian
    }

    /// Describes which byte of a word comes first in a file.
    pub(crate) fn first_byte(self) -> &'static str {
        match self.tables.byte_order {
            ByteOrder::BigEndian => "the highest byte first",
            ByteOrder::LittleEndianHalfwords => {
                "the highest half-word first, each half-word with its lowest byte first"
            }
            _ => "the lowest byte first",
        }
    }

    /// Describes which digits of a word come first if it is split into several parts.
    pub(crate) fn first_digits(self) -> &'static str {
        if self.is_low_first() { "low" } else { "high" }
    }

    /// Returns the widths of words in bits, the narrowest first.
    pub(crate) fn widths(self) -> impl Iterator<Item = u8> {
        self.tables.widths.iter().rev().map(|width| width.bits)
    }

    /// Returns the width of a word with `digits` hexadecimal digits.
    pub(crate) fn width_of(self, digits: usize) -> u8 {
        let mut widths = self.widths();
        widths.find(|&bits| hex_digits(bits) >= digits).unwrap_or(self.tables.bits)
    }

    /// Returns the smallest width of the wider instructions that begin with `word`.
    #[cold]
    pub(crate) fn begun_by(self, SizedWord { word, bits }: SizedWord) -> Option<u8> {
        let begins = |opcode: &&&Opcode| {
            // The word comes first in memory, and the following bits are unknown.
            let order = self.tables.byte_order;
            let first =
                |word| order.word(&order.bytes(word, bits)[..usize::from(bits / 8)], opcode.bits);
            let mask = (opcode.fixed.mask | opcode.unused) & first(u128::MAX);
            opcode.bits > bits && (first(word) ^ opcode.fixed.value) & mask == 0
        };
        self.tables.opcodes.iter().filter(begins).map(|opcode| opcode.bits).min()
    }

    /// Returns the opcode of a word.
    #[inline(always)]
    pub(crate) fn decode(
        self,
        SizedWord { word, bits }: SizedWord,
    ) -> Result<&'static Opcode, NoInstruction> {
        self.tables.decode_as(word, bits)
    }

    /// Returns whether a program must be read completely before it is assembled: if statements can
    /// have labels or different lengths.
    pub(crate) fn has_programs(self) -> bool {
        self.word_bytes().is_none() || self.tables.has_targets()
    }

    /// Appends the directive that assembles to a word.
    pub(crate) fn print_data(self, SizedWord { word, bits }: SizedWord, line: &mut Line) {
        self.tables.print_data_in(self.directive_names, word, bits, line);
    }

    /// Returns a word as a data directive with a comment.
    pub(crate) fn data_line(self, SizedWord { word, bits }: SizedWord) -> String {
        self.tables.data_line_in(self.directive_names, word, bits)
    }

    /// Appends a comment with the byte offset of a word and the word itself, padded to the width of
    /// the widest words.
    pub(crate) fn print_place(self, offset: u64, word: SizedWord, line: &mut Line) {
        line.push_str("/* ");
        line.push_hex(offset.into(), 8);
        line.push_str("  ");
        word.print_hex(line);
        if word.bits < self.tables.bits {
            (word.bits..self.tables.bits).step_by(4).for_each(|_| line.push(b' '));
        }
        line.push_str(" */  ");
    }
}

/// Returns the number of hexadecimal digits for `bits` bits.
pub(crate) const fn hex_digits(bits: u8) -> usize {
    (bits as usize).div_ceil(4)
}

/// A word with its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SizedWord {
    pub(crate) word: u128,
    /// The width in bits.
    pub(crate) bits: u8,
}

impl SizedWord {
    pub(crate) const fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// Appends all hexadecimal digits.
    #[inline]
    pub(crate) fn print_hex(self, line: &mut Line) {
        // With a constant number of digits, the compiler unrolls the loop.
        match self.bits {
            128 => line.push_hex(self.word, 32),
            64 => line.push_hex(self.word, 16),
            32 => line.push_hex(self.word, 8),
            bits => line.push_hex(self.word, hex_digits(bits) as u32),
        }
    }
}
