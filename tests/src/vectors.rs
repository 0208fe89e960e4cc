//! Reads vector files: one case per line, fields separated by ` | `, and comments that begin with
//! `#`.

use std::path::{Path, PathBuf};

/// One line of a vector file.
#[derive(Debug)]
pub struct Case {
    /// The file and line, for error messages.
    pub place: String,
    /// The fields.
    pub fields: Vec<String>,
}

/// Returns the cases of `tests/vectors/{name}`.
///
/// # Panics
///
/// Panics if the file cannot be read or contains no case, because a test without cases shows
/// nothing.
#[must_use]
pub fn read(name: &str) -> Vec<Case> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "vectors", name].iter().collect();
    read_as(name, &path)
}

/// Returns the cases of any file of this form. Messages contain only its file name.
///
/// # Panics
///
/// Panics in the same cases as [`read`].
#[must_use]
pub fn read_file(path: &Path) -> Vec<Case> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read_as(&name, path)
}

fn read_as(name: &str, path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cases: Vec<Case> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        .map(|(i, line)| Case {
            place: format!("{name}:{}", i + 1),
            fields: line.split(" | ").map(str::to_owned).collect(),
        })
        .collect();
    assert!(!cases.is_empty(), "{name} has no case");
    cases
}

/// Parses a word of 32 hexadecimal digits.
///
/// # Panics
///
/// Panics if the text is not a hexadecimal number.
#[must_use]
pub fn word(text: &str) -> u128 {
    u128::from_str_radix(text, 16).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Replaces the escapes `\n` and `\t` by the characters.
#[must_use]
pub fn unescape(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t")
}

/// Reports all failures of a file together, or prints the number of cases.
///
/// # Panics
///
/// Panics if there is a failure.
pub fn report(name: &str, cases: usize, failures: &[String]) {
    let shown: Vec<&String> = failures.iter().take(20).collect();
    assert!(failures.is_empty(), "{name}: {} of {cases} fail: {shown:#?}", failures.len());
    println!("{name}: {cases} cases");
}
