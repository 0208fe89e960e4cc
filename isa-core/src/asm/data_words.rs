//! Words with an explicit width. In text, the number of digits specifies the width.

use alloc::format;
use alloc::string::{String, ToString};

use super::dialect;
use super::dialect::{Dialect, Directive};
use crate::error::NoInstruction;
use crate::print::print_word;
use crate::table::{ByteOrder, InstructionSet, Opcode};
use crate::text::Line;

impl InstructionSet {
    /// Returns the opcode of a word of the given width in bits.
    ///
    /// # Errors
    ///
    /// Returns an error if the word is not an instruction, or if it is an instruction of another width.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn decode_as(&self, word: u128, bits: u8) -> Result<&'static Opcode, NoInstruction> {
        match self.decode(word) {
            Ok(opcode) if opcode.width_of(word) == bits => Ok(opcode),
            found => Err(self.no_instruction(word, bits, found.ok())),
        }
    }

    /// Returns the reason why a word of the given width is not an instruction. The same number may be
    /// an instruction of another width.
    #[cold]
    fn no_instruction(&self, word: u128, bits: u8, found: Option<&Opcode>) -> NoInstruction {
        match found {
            // Only in little-endian order does a narrow word begin like a wider word with the same
            // number.
            Some(opcode) if self.byte_order == ByteOrder::LittleEndian => {
                NoInstruction::Width { word: bits, instruction: opcode.width_of(word) }
            }
            _ => NoInstruction::Refused(self.refuse_as(self.choice(), word, bits)),
        }
    }

    /// Returns the words in the bytes of a statement. An instruction is one word. Data is split
    /// into words of the narrowest width, and single bytes at the end.
    pub fn words_of<'b>(&self, mut bytes: &'b [u8]) -> impl Iterator<Item = &'b [u8]> + use<'b> {
        let mut lengths = self.widths.iter().map(|width| usize::from(width.bits) / 8);
        let is_word = lengths.clone().any(|length| length == bytes.len());
        let narrowest = lengths.next_back().unwrap_or(1);
        core::iter::from_fn(move || {
            let length = match bytes.len() {
                0 => return None,
                length if is_word => length,
                length if length >= narrowest => narrowest,
                _ => 1,
            };
            let (word, behind) = bytes.split_at(length);
            bytes = behind;
            Some(word)
        })
    }

    /// Appends the directive that assembles to the bytes of a word. It is `.word` for a word of the
    /// widest width, and otherwise the directive for numbers of that size. If there is no such
    /// directive, it is `.byte` with each of the bytes.
    pub fn print_data(&self, word: u128, bits: u8, line: &mut Line) {
        self.print_data_in(&[], word, bits, line);
    }

    /// Appends the same directive as [`print_data`](Self::print_data), for programs in which directives
    /// have additional `names`: [`Assembler::directives`](super::Assembler::directives). If `.word` has
    /// another size in such a program, a directive of the right size is used instead.
    pub fn print_data_in(
        &self,
        names: &'static [(&'static str, &'static str)],
        word: u128,
        bits: u8,
        line: &mut Line,
    ) {
        let bytes = self.byte_order.bytes(word, bits);
        self.print_bytes_in(names, bytes.get(..usize::from(bits / 8)).unwrap_or(&bytes), line);
    }

    /// Appends the same directive as [`print_data_in`](Self::print_data_in) for the word in
    /// `bytes`, which may be only the beginning of a word.
    pub(super) fn print_bytes_in(
        &self,
        names: &'static [(&'static str, &'static str)],
        bytes: &[u8],
        line: &mut Line,
    ) {
        let dialect = Dialect { names, ..Dialect::NONE };
        let (size, bits) = (bytes.len(), bytes.len() as u8 * 8);
        let meant = if bits == self.bits { dialect.find(".word") } else { None };
        let directive = match meant {
            Some(Directive::Word) => {
                return print_word(self.byte_order.word(bytes, bits), bits, line);
            }
            Some(Directive::Data(data)) if data.size() == size => Some(".word"),
            _ => dialect::of_size(size),
        };
        match directive {
            Some(directive) => {
                line.push_str(directive);
                line.push_str(" 0x");
                // Data may have another byte order than words.
                line.push_hex(self.byte_order.of_data().word(bytes, bits), u32::from(bits) / 4);
            }
            None => {
                line.push_str(".byte");
                for (place, &byte) in bytes.iter().enumerate() {
                    line.push_str(if place == 0 { " 0x" } else { ", 0x" });
                    line.push_hex(byte.into(), 2);
                }
            }
        }
        line.push(b';');
    }

    /// Returns a word as data, with a comment. The comment is the reason why it is not an
    /// instruction, or its text if that assembles to another word.
    #[must_use]
    #[cold]
    pub fn data_line(&self, word: u128, bits: u8) -> String {
        self.data_line_in(&[], word, bits)
    }

    /// Returns the same line as [`data_line`](Self::data_line), for programs in which directives
    /// have additional `names`, as in [`print_data_in`](Self::print_data_in).
    #[must_use]
    #[cold]
    pub fn data_line_in(
        &self,
        names: &'static [(&'static str, &'static str)],
        word: u128,
        bits: u8,
    ) -> String {
        let (mut line, mut text) = (Line::new(), Line::new());
        self.print_data_in(names, word, bits, &mut line);
        match self.decode_as(word, bits) {
            Ok(opcode) => {
                opcode.print(word, &mut text);
                format!("{line} // {text} assembles to other bits")
            }
            Err(error) => format!("{line} // {}", error.to_string().replace(['\n', '\r'], " ")),
        }
    }
}
