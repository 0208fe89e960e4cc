//! Exports the JSON description that `isa-core` writes.

use isa_core::table::InstructionSet;

use super::{File, Format, Make, Refused, plain};

pub(crate) const FORMAT: Format = Format {
    name: "json",
    about: "All that the tables say of the set, as one JSON object",
    make: Make::OfWords(make),
};

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<File>, Refused> {
    let name = format!("{}.json", plain(set.name));
    Ok(vec![File { name, text: format!("{}\n", isa_core::describe::json(set)) }])
}
