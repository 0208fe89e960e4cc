//! Names of labels and constants, as a cursor takes them.
//!
//! Compilers write names with dots inside, `mul.constprop.0`, while a template may have modifiers behind a
//! target, `loop.Z`. In front of a `:`, in directives and in operands without modifiers a name is whole. Where
//! modifiers may follow, the labels of the program decide: a name that none has is read as a word with
//! modifiers.

use super::Cursor;
use super::cursor::{WORD, word_len};

impl<'t> Cursor<'t> {
    /// Takes the name of a label where an operand may stand: letters, digits and `_`, or behind a `.` also
    /// `.` and `$`. Empty where none stands there, or a digit first.
    ///
    /// A dot behind letters may begin a modifier. It belongs to the name where the program has a label or
    /// a constant of that name, of several the longest.
    ///
    /// ```
    /// use isa_core::asm::{Cursor, Site};
    ///
    /// let labels = [("mul.part.0", 0x1000)];
    /// let site = Site::new(0, &labels);
    /// assert_eq!(Cursor::at_site("mul.part.0.Z", &site).name(), "mul.part.0");
    /// assert_eq!(Cursor::at_site("div.part.0.Z", &site).name(), "div");
    /// ```
    #[inline(never)]
    pub fn name(&mut self) -> &'t str {
        self.skip_trivia();
        let word = name_len(self.rest());
        let whole = self.clone().whole_name();
        let is_name = |name: &&str| name.len() <= word || self.is_whole(name);
        let name = beginnings(whole).find(is_name);
        self.take(name.map_or(0, str::len))
    }

    /// Takes the name of a label with all its dots, whatever labels there are: letters, digits and `_` with
    /// dots between, or behind a `.` also `.` and `$`. So names stand in front of a `:` and in directives.
    ///
    /// ```
    /// use isa_core::asm::Cursor;
    ///
    /// assert_eq!(Cursor::new("mul.part.0: ").whole_name(), "mul.part.0");
    /// ```
    #[inline(never)]
    pub fn whole_name(&mut self) -> &'t str {
        self.skip_trivia();
        self.take(whole_name_len(self.rest()))
    }

    /// Whether a text with dots inside is one name.
    #[cold]
    #[inline(never)]
    fn is_whole(&self, name: &str) -> bool {
        self.takes_dots() || self.site_unasked().is_some_and(|site| site.labels.has(name))
    }
}

/// Whether the name of a label that begins with a dot can go on with a byte.
pub(super) const fn is_name(byte: u8) -> bool {
    WORD[byte as usize] || matches!(byte, b'.' | b'$')
}

/// Whether the name of a label, or `.`, begins a text.
pub(crate) fn begins_name(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.'))
}

/// How many bytes of a text are the name of a label, or `.`.
fn name_len(text: &[u8]) -> usize {
    match text {
        [b'.', rest @ ..] => 1 + rest.iter().position(|&byte| !is_name(byte)).unwrap_or(rest.len()),
        _ if begins_name(text) => word_len(text),
        _ => 0,
    }
}

/// How many bytes of a text are the name of a label with all its dots, or `.`.
fn whole_name_len(text: &[u8]) -> usize {
    let mut len = name_len(text);
    // A name that begins with a dot has the others already.
    while len > 0
        && let [b'.', behind @ ..] = text.get(len..).unwrap_or_default()
        && let more @ 1.. = word_len(behind)
    {
        len += 1 + more;
    }
    len
}

/// A name, and what it begins with up to its dots, the longest first.
pub(super) fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(name), |name| {
        name.get(..name.bytes().rposition(|byte| byte == b'.')?)
    })
}

/// Whether a text can be the name of a label: it is read back as one, and is not `.`.
pub(crate) fn is_label(text: &str) -> bool {
    !matches!(text, "" | ".") && whole_name_len(text.as_bytes()) == text.len()
}
