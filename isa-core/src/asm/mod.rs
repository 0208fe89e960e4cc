//! Assembly text: the line that is printed into, the cursor that is read from, and the loops
//! that print and parse by a template.

mod candidates;
mod cursor;
mod line;
mod listing;
mod parse;
mod print;
mod quick;
mod site;
mod walk;

pub use candidates::Candidates;
pub use cursor::{Cause, Cursor, Fault};
pub(crate) use cursor::{WORD, begins_name};
pub use line::Line;
pub use listing::Listing;
pub use parse::{MAX_SYMBOLS, Parsed};
pub use print::{MAX_ARGS, print_word};
pub use site::{At, Labels, Site};
