//! The assembler and disassembler of programs: labels, directives, sections and relocations.

mod ascii;
mod assembler;
mod complete;
mod constants;
mod data;
mod data_words;
mod dialect;
mod directive;
mod disassemble;
mod error;
mod globals;
mod labels;
mod line_mode;
mod padding;
mod relocation;
mod section;
mod symbol_types;

pub use assembler::{Assembler, Draft, Placed, Program, Statement};
pub use complete::{Completion, Meaning};
pub use dialect::DIRECTIVES;
pub use disassemble::{Disassembler, ListedBytes};
pub use error::{AssembleError, AssembleErrorKind, AssembleErrors, Missing};
pub use labels::LabelMap;
pub use relocation::{Reference, Relocation};
pub use section::Section;
pub use symbol_types::SymbolType;
