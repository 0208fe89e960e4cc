//! Instruction sets for other programs.
//!
#![doc = include_str!("../README.md")]

mod c;
mod choice;
mod decodetree;
pub mod description;
pub mod diff;
mod json;
mod legal;
mod names;
mod python;
pub mod sleigh;
mod smt;
mod tree_sitter;
pub mod vocabulary;

use std::fmt;

use isa_core::table::InstructionSet;

#[doc = include_str!("elsewhere.md")]
pub mod elsewhere {}

/// All formats, in the order of their names.
pub const FORMATS: &[Format] = &[
    c::FORMAT,
    decodetree::FORMAT,
    json::FORMAT,
    python::FORMAT,
    sleigh::FORMAT,
    smt::FORMAT,
    tree_sitter::FORMAT,
];

/// The format of a name.
#[must_use]
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A form in which other programs read an instruction set.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line without a full stop.
    pub about: &'static str,
    make: Make,
}

/// How the files of a format are made.
#[derive(Debug, Clone, Copy)]
enum Make {
    OfWords(fn(&'static InstructionSet) -> Result<Vec<File>, Refused>),
    /// What begins a comment decides as well, where statements end with their lines.
    OfTexts(fn(&'static InstructionSet, Option<&'static str>) -> Result<Vec<File>, Refused>),
}

impl Format {
    /// A set in this format, the file that others are read from first; statements end with `;`. Errors:
    /// the format cannot say what the set needs.
    pub fn files(&self, set: &'static InstructionSet) -> Result<Vec<File>, Refused> {
        self.files_with(set, None)
    }

    /// As [`Format::files`]; with `lines` statements end with their lines too, and this sign begins a
    /// comment besides `//`, empty for no other sign.
    pub fn files_with(
        &self,
        set: &'static InstructionSet,
        lines: Option<&'static str>,
    ) -> Result<Vec<File>, Refused> {
        match self.make {
            Make::OfWords(make) => make(set),
            Make::OfTexts(make) => make(set, lines),
        }
    }
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, by that of the set, without a folder.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// Why a format cannot say what a set needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(String);

impl Refused {
    /// With a message in a sentence that names the set's part and the limit of the format.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Refused(message.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// The name of a set as files and other languages have it: in lower case, with `_` for what is no letter
/// and no digit.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    isa_core::define_isa! {
        /// An opcode that implies an operand, of values that have no number 0.
        isa Implied: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 8 { NEG = 1 }
        enum Mode: 2 { FAST = 1, SLOW = 2 }
        opcode NEG {
            encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; field<> Mode mode == FAST; }
            syntax { NEG.mode Rd; }
        }
    }

    #[test]
    fn a_field_without_bits_reserves_no_word() {
        let text = isa_core::describe::json(Implied::SET).to_string();
        let set: description::Description = text.parse().unwrap();
        let neg = set.decode(0x0105, 16).expect("a word of NEG");
        assert_eq!(set.text(neg, 0x0105), Implied::decode(0x0105).unwrap().to_string());
        assert!(set.decode(0x0205, 16).is_none());
    }

    #[test]
    fn names_are_in_order_and_found() {
        assert!(FORMATS.is_sorted_by_key(|format| format.name));
        for format in FORMATS {
            assert_eq!(super::format(format.name).map(|found| found.about), Some(format.about));
        }
        assert!(super::format("none").is_none());
        assert_eq!(plain("RV64 IMAC"), "rv64_imac");
    }
}
