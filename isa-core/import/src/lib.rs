//! Imports other projects' descriptions of instruction sets as source code of `define_isa!`.
//!
#![doc = include_str!("../README.md")]

mod check;
mod code;
mod defgroup;
mod json;
mod macro_call;
mod plain;
mod riscv;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use code::Code;
use macro_call::MacroCall;

/// All formats, sorted by name.
pub const FORMATS: &[ImportFormat] = &[defgroup::FORMAT, json::FORMAT, riscv::FORMAT];

/// Returns the format with a name.
#[must_use]
pub fn format(name: &str) -> Option<&'static ImportFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A file format for descriptions of instruction sets.
#[derive(Debug, Clone, Copy)]
pub struct ImportFormat {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// A description of the format, in one line without a full stop.
    pub about: &'static str,
    read: fn(&[Source<'_>], &ImportOptions<'_>) -> Result<MacroCall, Vec<ImportError>>,
}

impl ImportFormat {
    /// Returns the source code of one `define_isa!` call for `files`, which form one sequence. The result
    /// depends only on the arguments.
    ///
    /// # Errors
    ///
    /// Returns an error for each position at which the files are invalid.
    pub fn import(
        &self,
        files: &[Source<'_>],
        options: &ImportOptions<'_>,
    ) -> Result<ImportResult, Vec<ImportError>> {
        let spec = self.call(files, options)?;
        let (source, _) = write::write(&spec);
        Ok(ImportResult { source, assumptions: spec.assumptions, values: spec.values })
    }

    /// Returns only the source code of [`ImportFormat::import`].
    ///
    /// # Errors
    ///
    /// Returns an error for each position at which the files are invalid.
    pub fn source(
        &self,
        files: &[Source<'_>],
        options: &ImportOptions<'_>,
    ) -> Result<String, Vec<ImportError>> {
        self.import(files, options).map(|imported| imported.source)
    }

    /// Compiles the result of [`ImportFormat::import`] and returns the errors of the compiler at the
    /// lines of the input from which they result. The list is empty if the definitions are valid.
    /// Declarations that another call contains (`uses`) are replaced by assumptions.
    ///
    /// # Errors
    ///
    /// Returns an error for each position at which the files are invalid.
    pub fn check(
        &self,
        files: &[Source<'_>],
        options: &ImportOptions<'_>,
    ) -> Result<Vec<ImportError>, Vec<ImportError>> {
        let spec = self.call(files, &ImportOptions { standalone: true, ..*options })?;
        let (source, origins) = write::write(&spec);
        let files = files.iter().chain(&options.values).map(Source::without_mark).collect();
        Ok(check::errors(&source, &origins, files))
    }

    fn call(
        &self,
        files: &[Source<'_>],
        options: &ImportOptions<'_>,
    ) -> Result<MacroCall, Vec<ImportError>> {
        let files: Vec<Source<'_>> = files.iter().map(Source::without_mark).collect();
        let fields = options.fields.as_ref().map(Source::without_mark);
        let values = options.values.as_ref().map(Source::without_mark);
        let name = options.name.map(Code::type_name).transpose();
        let name = name.map_err(|message| vec![ImportError::of_option("--name", message)])?;
        let options = ImportOptions { fields, values, ..*options };
        let mut spec = (self.read)(&files, &options).map_err(folded)?;
        if let Some(name) = name {
            spec.name = name;
        }
        if options.positions {
            spec.files = files.iter().map(|file| file.name.to_owned()).collect();
        }
        Ok(spec)
    }
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportResult {
    /// The source code of the call.
    pub source: String,
    /// What the import assumed because the files do not contain it, each with the line that needs it.
    pub assumptions: Vec<ImportError>,
    /// The text of a values file that states the assumptions, if the format has such files.
    pub values: Option<String>,
}

/// Returns the name of the set: the given name, or the name in the source.
fn set_name(options: &ImportOptions<'_>, own: &str) -> Result<Code, String> {
    let Some(given) = options.name else {
        return Code::type_name(own).map_err(|_| {
            let found = plain::short(own);
            format!("the file name `{found}` is not a valid set name: write `--name NAME`")
        });
    };
    Code::type_name(given)
}

/// Combines errors with the same message into one error at the position of the first.
fn folded(faults: Vec<ImportError>) -> Vec<ImportError> {
    const SHOWN: usize = 3;
    let mut known: HashMap<(String, String), (usize, Vec<usize>)> = HashMap::new();
    let mut firsts: Vec<ImportError> = Vec::new();
    for fault in faults {
        match known.entry((fault.file.clone(), fault.message.clone())) {
            Entry::Occupied(mut entry) => entry.get_mut().1.push(fault.line),
            Entry::Vacant(entry) => {
                entry.insert((firsts.len(), Vec::new()));
                firsts.push(fault);
            }
        }
    }
    for (place, lines) in known.into_values().filter(|(_, lines)| !lines.is_empty()) {
        let more = if lines.len() > SHOWN { ", ..." } else { "" };
        let shown: Vec<String> = lines.iter().take(SHOWN).map(usize::to_string).collect();
        let word = if lines.len() == 1 { "line" } else { "lines" };
        firsts[place].message +=
            &format!("; and {} more like it, {word} {}{more}", lines.len(), shown.join(", "));
    }
    firsts
}

/// A file of a description.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The name of the file, without its folder.
    pub name: &'s str,
    /// The text of the file.
    pub text: &'s str,
}

impl Source<'_> {
    /// Removes the byte order mark.
    fn without_mark(&self) -> Self {
        Source { text: self.text.strip_prefix('\u{feff}').unwrap_or(self.text), ..*self }
    }
}

/// Settings for information that a description does not contain.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions<'s> {
    /// The name of the set. If it is missing, the name is derived from the source.
    pub name: Option<&'s str>,
    /// A file with the positions of further arguments, for `riscv-opcodes`. Each line has the form
    /// `"name", high, low`.
    pub fields: Option<Source<'s>>,
    /// The width of instruction words in bits, for `defgroup`. If it is missing, the fields determine it.
    pub width: Option<u32>,
    /// A values file in TOML, for `defgroup`: the facts that the definitions lack.
    pub values: Option<Source<'s>>,
    /// The paths of sets that declare the types and groups that the definitions lack, for `defgroup`.
    pub uses: &'s [&'s str],
    /// Whether a comment at each definition names its file and line.
    pub positions: bool,
    /// Whether the result contains assumed declarations instead of imports of `uses`.
    pub standalone: bool,
}

/// An error in a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1, or 0 if the error is not in a file.
    pub line: usize,
    /// The column of the error in characters, counted from 1.
    pub column: usize,
    /// The message, including a suggestion.
    pub message: String,
}

impl ImportError {
    /// Creates an error in an option of the command line.
    fn of_option(option: &str, message: String) -> Self {
        ImportError { file: option.to_owned(), line: 0, column: 0, message }
    }

    /// Creates an error at `part` of a line of a file.
    fn at(file: &str, (number, line): (usize, &str), part: &str, message: String) -> Self {
        // If `part` is not a slice of the line, the error refers to the beginning of the line.
        let bytes = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        let column = line.get(..bytes).map_or(0, |before| before.chars().count()) + 1;
        ImportError { file: file.to_owned(), line: number, column, message }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The name of a file and text in a message can contain line breaks.
        let (file, message) = (plain::line(&self.file), plain::line(&self.message));
        match self.line {
            0 => write!(f, "{file}: {message}"),
            line => write!(f, "{file}:{line}:{}: {message}", self.column),
        }
    }
}

impl std::error::Error for ImportError {}

/// Returns whether a text is a name in Rust.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Parses a number that consists only of digits. Unlike the parsers of Rust, it does not accept a
/// sign.
fn digits(text: &str, radix: u32) -> Option<u128> {
    let is_number = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    if is_number { u128::from_str_radix(text, radix).ok() } else { None }
}

/// Parses a number that consists only of digits and fits into a type.
fn number<T: TryFrom<u128>>(text: &str, radix: u32) -> Option<T> {
    T::try_from(digits(text, radix)?).ok()
}

/// Returns the lines of a text with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}
