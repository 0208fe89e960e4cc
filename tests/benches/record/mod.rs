//! Records the measurements of a benchmark for the program `figures`.

use std::fs::OpenOptions;
use std::io::Write;

/// Appends a measurement to the file in the environment variable `ISA_FIGURES`, if it is set: the
/// table, the row, the implementation, and the nanoseconds per unit of work.
pub(crate) fn record(table: &str, row: &str, who: &str, time: f64) {
    let Some(path) = std::env::var_os("ISA_FIGURES") else { return };
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| writeln!(file, "{table}\t{row}\t{who}\t{time}"));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
