//! The position in assembly text that parsers share, the line into which printers print, and the labels
//! of a program.

mod address;
mod address_part;
mod context;
mod cursor;
pub(crate) mod digits;
mod line;
mod message;
mod name;
mod quoted;
mod short_text;
mod style;
mod window;

pub use address_part::{AddressPart, AddressParts};
#[cfg(feature = "alloc")]
pub(crate) use context::Linker;
pub use context::{InstructionContext, Labels};
pub use cursor::{Cause, Cursor, OperandError};
pub(crate) use cursor::{OVER_64_BITS, WORD, word_len};
pub use line::Line;
pub(crate) use line::{COPY, ROOM};
pub(crate) use message::Message;
#[cfg(feature = "alloc")]
pub(crate) use name::beginnings;
pub(crate) use name::{begins_name, is_label, is_name};
#[cfg(feature = "alloc")]
pub(crate) use quoted::OPEN_QUOTE;
#[cfg(feature = "alloc")]
pub(crate) use quoted::quoted;
pub use quoted::quoted_len;
pub use short_text::{ShortText, short_texts};
pub use style::Style;
pub(crate) use window::Window;
