//! Random specifications.

mod conditions;
mod encodings;
mod inits;
mod templates;
mod texts;

pub use encodings::encodings;
pub use texts::texts;
