//! Exports the JSON description that `isa-core` writes.

use isa_core::table::InstructionSet;

use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "json",
    about: "A description of the whole set as one JSON object",
    make: Generator::OfWords(make),
};

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let name = format!("{}.json", plain(set.name));
    Ok(vec![ExportFile { name, text: format!("{}\n", isa_core::describe::json(set)) }])
}
