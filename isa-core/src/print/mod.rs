//! Printing of single instructions: by the steps of a print program, or by the template.

mod display_at;
mod listing;
mod steps;
mod style;
mod template;

pub use display_at::DisplayAt;
pub use listing::Listing;
pub use template::print_word;
