//! Other projects' descriptions of instruction sets as source of `define_isa!`.
//!
#![doc = include_str!("../README.md")]

mod defgroup;
mod json;
mod riscv;
mod spec;
mod write;

use std::fmt;

use spec::Spec;

/// All formats, in the order of their names.
pub const FORMATS: &[Format] = &[defgroup::FORMAT, json::FORMAT, riscv::FORMAT];

/// The format of a name.
#[must_use]
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A form in which others describe instruction sets.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line without a full stop.
    pub about: &'static str,
    read: fn(&[Source<'_>], &Options<'_>) -> Result<Spec, Vec<Fault>>,
}

impl Format {
    /// Source of one call of `define_isa!` from files, which follow on each other. Errors: all places at
    /// which the files cannot be read.
    pub fn source(
        &self,
        files: &[Source<'_>],
        options: &Options<'_>,
    ) -> Result<String, Vec<Fault>> {
        let mut spec = (self.read)(files, options)?;
        if let Some(name) = options.name {
            spec.name = name.to_owned();
            spec.note.clear();
        }
        Ok(write::write(&spec))
    }
}

/// A file of a description.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// Its name, without a folder.
    pub name: &'s str,
    /// What it holds.
    pub text: &'s str,
}

/// What a description does not say and whoever imports it may.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'s> {
    /// The name of the set; without one it is made of a name of the source.
    pub name: Option<&'s str>,
    /// Places of further arguments, for `riscv-opcodes`: lines `"name", high, low`.
    pub fields: Option<Source<'s>>,
}

/// Why a description cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl Fault {
    /// At a place in a line, which is a part of it, of a file.
    fn at(file: &str, (number, line): (usize, &str), part: &str, message: String) -> Self {
        // A part that is no part of the line is shown at its beginning.
        let bytes = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        let column = line.get(..bytes).map_or(0, |before| before.chars().count()) + 1;
        Fault { file: file.to_owned(), line: number, column, message }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for Fault {}

/// Whether a text is a name in Rust.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Lines of a text with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}
