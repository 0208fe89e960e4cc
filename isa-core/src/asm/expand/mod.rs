//! The layer in front of the assembler: macros, repetitions, conditions, included files, local labels and
//! some directives of the GNU assembler, which become other directives.
//!
//! The layer expands the text of a program to a text without these directives, and knows the origin of
//! each part of the result. It does not parse instructions, so it works for every set. A program that
//! contains none of them is not copied.

mod arguments;
mod blocks;
mod conditions;
mod constants;
mod data;
mod expander;
mod macros;
mod trace;

use alloc::string::String;
use alloc::vec::Vec;

pub(super) use expander::{Expander, Settings};
pub use trace::SourceFile;
pub(super) use trace::{Origin, Origins};

use crate::text::{character_len, quoted_len};
use trace::Traced;

/// A function that returns the contents of a file that a program includes, or the reason why there is
/// none.
pub(super) type ReadFile<'f> = &'f mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// An expanded program.
pub(super) struct Expanded {
    text: Traced,
    pub(super) origins: Origins,
}

impl Expanded {
    pub(super) fn text(&self) -> &str {
        &self.text.text
    }

    /// Returns the origin of a range of the text.
    pub(super) fn origin(&self, span: core::ops::Range<usize>) -> Origin {
        self.text.origin(span)
    }
}

/// An error in a directive of this layer.
pub(super) struct ExpansionError {
    pub(super) origin: Origin,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// The directives of this layer. A name that ends in `*` is a prefix.
const NAMES: [&str; 42] = [
    ".macro",
    ".endm",
    ".endmacro",
    ".exitm",
    ".purgem",
    ".altmacro",
    ".noaltmacro",
    ".rept",
    ".rep",
    ".irp*",
    ".endr",
    ".if*",
    ".else*",
    ".endif",
    ".include",
    ".incbin",
    ".err",
    ".error",
    ".warning",
    ".print",
    ".abort",
    ".end",
    ".equiv",
    ".eqv",
    ".pushsection",
    ".popsection",
    ".previous",
    ".subsection",
    ".comm",
    ".lcomm",
    ".local",
    ".fill",
    ".float",
    ".single",
    ".double",
    ".uleb128",
    ".sleb128",
    ".octa",
    ".symver",
    ".linkonce",
    ".reloc",
    ".bundle_*",
];

/// Returns whether a statement that begins with this word belongs to this layer.
fn is_own(word: &str) -> bool {
    NAMES.iter().any(|name| match name.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => *name == word,
    })
}

/// Returns whether a program may contain text of this layer. The answer may be wrong for text in comments
/// and in quotes, which costs only time.
pub(super) fn is_needed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut is_start) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b' ' | b'\t' | b'\r' => at += 1,
            b'\n' | b';' | b':' | b'/' => (at, is_start) = (at + 1, true),
            b'"' => (at, is_start) = (at + quoted_len(rest).max(1), false),
            b'\'' => (at, is_start) = (at + character_len(bytes, at).max(1), false),
            _ => {
                let is_part = |byte: &u8| crate::text::is_name(*byte);
                let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
                let sign = usize::from(byte == b'*');
                let behind = rest.get(length + sign..).unwrap_or_default();
                if is_start {
                    let word = text.get(at..at + length).unwrap_or_default();
                    let next = behind.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                    let is_local = byte.is_ascii_digit() && next == Some(&b':');
                    let is_marker = byte == b'#';
                    let is_assignment = next == Some(&b'=') && (length > 0 || byte == b'*');
                    if is_own(word) || is_local || is_marker || is_assignment {
                        return true;
                    }
                }
                (at, is_start) = (at + length.max(1), false);
            }
        }
    }
    false
}
