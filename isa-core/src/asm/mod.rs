//! Assembly text: the line that is printed into, the cursor that is read from, and the loops
//! that print and parse by a template.

mod candidates;
mod cursor;
mod line;
mod parse;
mod print;
mod walk;

pub use candidates::Candidates;
pub use cursor::{Cursor, Fault};
pub use line::Line;
pub use parse::{MAX_SYMBOLS, Parsed};
pub use print::{MAX_ARGS, print_word};
