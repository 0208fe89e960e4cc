//! The assembler and disassembler of programs: labels, directives, sections and relocations.

mod ascii;
mod assemble;
mod complete;
mod constants;
mod data;
mod dialect;
mod directive;
mod disassemble;
mod error;
mod globals;
mod labels;
mod lines;
mod relocation;
mod section;
mod space;
mod types;
mod width;

pub use assemble::{Assembler, Draft, Placed, Program, Statement};
pub use complete::{Completion, Meaning};
pub use dialect::DIRECTIVES;
pub use disassemble::{Disassembler, Listed};
pub use error::{AssembleError, AssembleErrorKind, AssembleErrors, Missing};
pub use labels::LabelMap;
pub use relocation::{Reference, Relocation};
pub use section::Section;
pub use types::SymbolType;
