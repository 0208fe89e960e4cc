//! Assembly text: the line that is printed into, the cursor that is read from, and the loops
//! that print and parse by a template.

mod cursor;
mod line;
mod print;

pub use cursor::{Cursor, Fault};
pub use line::Line;
pub use print::{MAX_ARGS, print_word};
