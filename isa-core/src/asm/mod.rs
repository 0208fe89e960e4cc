//! Assembly text: the line that is printed into, the cursor that is read from, and the loops
//! that print and parse by a template.

mod cursor;
mod line;

pub use cursor::{Cursor, Fault};
pub use line::Line;
