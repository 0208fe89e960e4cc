//! Exports instruction sets for other programs.
//!
#![doc = include_str!("../README.md")]

mod c;
mod csv;
mod decision_tree;
mod decodetree;
pub mod description;
pub mod diff;
mod json;
mod masked_patterns;
mod properties;
mod python;
pub mod sleigh;
mod smt;
mod systemverilog;
mod tree_sitter;
mod unique_names;
mod valid_words;
pub mod vocabulary;

use std::fmt;

use isa_core::table::InstructionSet;

#[doc = include_str!("elsewhere.md")]
pub mod elsewhere {}

/// All formats, sorted by name.
pub const FORMATS: &[ExportFormat] = &[
    c::FORMAT,
    csv::FORMAT,
    decodetree::FORMAT,
    json::FORMAT,
    python::FORMAT,
    sleigh::FORMAT,
    smt::FORMAT,
    systemverilog::FORMAT,
    tree_sitter::FORMAT,
];

/// Returns the format called `name`.
#[must_use]
pub fn format(name: &str) -> Option<&'static ExportFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A format for instruction sets that other programs can read.
#[derive(Debug, Clone, Copy)]
pub struct ExportFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// The description, one line without a full stop.
    pub about: &'static str,
    make: Generator,
}

/// The function that generates the files of a format.
#[derive(Debug, Clone, Copy)]
enum Generator {
    OfWords(fn(&'static InstructionSet) -> Result<Vec<ExportFile>, ExportError>),
    /// Also depends on the sign that begins a comment if statements end at the end of a line.
    OfTexts(
        fn(&'static InstructionSet, Option<&'static str>) -> Result<Vec<ExportFile>, ExportError>,
    ),
}

impl ExportFormat {
    /// Returns the files of a set in this format. The first file is the one that the other program loads
    /// first. Statements end with `;`. If the set has features, the files describe a processor with those
    /// that are on. Returns an error if the format cannot express a part of the set.
    pub fn files(&self, set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
        self.files_with(set, None)
    }

    /// Does the same as [`ExportFormat::files`]. If `lines` is `Some`, statements also end at the end of a
    /// line. The text in `lines` begins a comment in addition to `//`, unless it is empty.
    pub fn files_with(
        &self,
        set: &'static InstructionSet,
        lines: Option<&'static str>,
    ) -> Result<Vec<ExportFile>, ExportError> {
        // Formats without features describe one processor.
        let set = if set.features.is_empty() { set } else { set.specialized(set.enabled) };
        let short = set.opcodes.iter().find(|opcode| opcode.short.is_some());
        if let Some(opcode) = short.filter(|_| !self.has_short_words()) {
            return Err(ExportError::new(format!(
                "{} cannot express that words of `{}` have two widths; the format `json` can",
                self.name, opcode.name
            )));
        }
        match self.make {
            Generator::OfWords(make) => make(set),
            Generator::OfTexts(make) => make(set, lines),
        }
    }
}

impl ExportFormat {
    /// Returns whether the format can express opcodes with words of two widths, or does not depend on
    /// widths.
    fn has_short_words(&self) -> bool {
        [json::FORMAT.name, tree_sitter::FORMAT.name].contains(&self.name)
    }
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// The name without a folder, derived from the name of the set.
    pub name: String,
    /// The contents.
    pub text: String,
}

/// The reason why a format cannot express a feature of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportError(String);

impl ExportError {
    /// Creates an error from a sentence that names the part of the set and the limit of the format.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        ExportError(message.into())
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExportError {}

/// Returns the name of a set for files and other languages: in lower case, with `_` instead of
/// characters that are not ASCII letters or digits.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    isa_core::define_isa! {
        /// An opcode with an implied operand, whose values do not include 0.
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
        assert!(FORMATS.is_sorted_by_key(|format| format.name), "sort the lines of `FORMATS`");
        for format in FORMATS {
            let (name, page) = (format.name, include_str!("../README.md"));
            assert!(page.contains(&format!("\n| `{name}` |")), "README.md does not list `{name}`");
            assert_eq!(super::format(format.name).map(|found| found.about), Some(format.about));
        }
        assert!(super::format("none").is_none());
        assert_eq!(plain("RV64 IMAC"), "rv64_imac");
    }

    mod short_words {
        use super::super::*;

        isa_core::define_isa! {
            /// A move from a register, or of the number after it.
            isa Moves: u16 | u32;
            operand Reg: 8 = isa_core::operand::Reg;
            operand Number: 16 = isa_core::operand::Hex<16>;
            opcode MOVE {
                encoding {
                    word<32> if ra == 255 else word<16>;
                    field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 16> Number n = 0;
                }
                syntax { MOVE rd, ra{, n}; }
            }
        }

        #[test]
        fn words_of_two_widths_are_described_or_refused() {
            for format in FORMATS.iter().filter(|format| !format.has_short_words()) {
                let error = format.files(Moves::SET).unwrap_err().to_string();
                assert!(error.contains("that words of `MOVE` have two widths"), "{error}");
            }
            assert!(tree_sitter::FORMAT.files(Moves::SET).is_ok());
            let text = isa_core::describe::json(Moves::SET).to_string();
            let set: description::Description = text.parse().unwrap();
            for (word, bits) in [(0x0201, 16), (0x0005_ff01, 32), (0xff01, 32)] {
                let row = set.decode(word, bits).expect("a word");
                assert_eq!(set.text(row, word), Moves::decode(word as u32).unwrap().to_string());
                assert!(set.decode(word, 48 - bits).is_none());
            }
            assert!(set.decode(0x0005_0201, 32).is_none());
            let other = text.replace(r#""short":{"bits":16"#, r#""short":{"bits":32"#);
            let error = other.parse::<description::Description>().unwrap_err().to_string();
            assert!(error.contains("opcodes[0].short"), "{error}");
        }
    }
}
