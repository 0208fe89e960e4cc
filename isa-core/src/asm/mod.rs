//! Parsing and printing of assembly text, for single instructions and for programs with labels.

mod address;
#[cfg(feature = "alloc")]
mod ascii;
#[cfg(feature = "alloc")]
mod assemble;
mod candidates;
#[cfg(feature = "alloc")]
mod complete;
#[cfg(feature = "alloc")]
mod constants;
mod cursor;
#[cfg(feature = "alloc")]
mod data;
#[cfg(feature = "alloc")]
mod directive;
#[cfg(feature = "alloc")]
mod disassemble;
#[cfg(feature = "alloc")]
mod globals;
#[cfg(feature = "alloc")]
mod labels;
mod line;
#[cfg(feature = "alloc")]
mod lines;
mod listing;
mod name;
mod parse;
mod print;
mod quick;
mod quoted;
#[cfg(feature = "alloc")]
mod relocation;
#[cfg(feature = "alloc")]
mod section;
mod site;
#[cfg(feature = "alloc")]
mod space;
mod style;
#[cfg(feature = "alloc")]
mod types;
mod walk;
#[cfg(feature = "alloc")]
mod width;
mod window;

#[cfg(feature = "alloc")]
pub use assemble::{Assembler, Draft, Placed, Program, Statement};
pub(crate) use candidates::AT_ONCE;
pub use candidates::Candidates;
#[cfg(feature = "alloc")]
pub use complete::{Completion, Meaning};
pub(crate) use cursor::begins_name;
pub use cursor::{Cause, Cursor, Fault};
#[cfg(feature = "alloc")]
pub use directive::DIRECTIVES;
#[cfg(feature = "alloc")]
pub(crate) use directive::main_directives;
#[cfg(feature = "alloc")]
pub use disassemble::{Disassembler, Listed};
#[cfg(feature = "alloc")]
pub use labels::LabelMap;
pub use line::Line;
#[cfg(feature = "alloc")]
pub(crate) use lines::OPEN as OPEN_QUOTE;
pub use listing::Listing;
pub use parse::{MAX_SYMBOLS, Parsed};
pub use print::{MAX_ARGS, print_word};
pub use quoted::quoted_len;
#[cfg(feature = "alloc")]
pub use relocation::{Reference, Relocation};
#[cfg(feature = "alloc")]
pub use section::Section;
#[cfg(feature = "alloc")]
pub(crate) use site::Linker;
pub use site::{At, Labels, Site};
pub use style::Style;
#[cfg(feature = "alloc")]
pub use types::SymbolType;
pub(crate) use window::Window;
