//! Parsing of the names of labels and constants.
//!
//! Compilers emit names that contain dots, such as `mul.constprop.0`, but in a template a modifier may
//! follow a target, as in `loop.Z`. Before a `:`, in directives and in operands without modifiers, a
//! name includes all its dots. If modifiers may follow, the name includes a dot only if the program has
//! a label of that name. Otherwise the dot begins a modifier.

use crate::text::{Cursor, WORD, word_len};

impl<'t> Cursor<'t> {
    /// Parses the name of a label in an operand. It consists of letters, digits and `_`. If it begins
    /// with a dot, it can also contain `.` and `$`. The result is empty if there is no name, or if the
    /// text begins with a digit.
    ///
    /// A dot after letters may begin a modifier. It belongs to the name if the program has a label or a
    /// constant whose name includes the dot. If there are several such names, the longest name is used.
    ///
    /// ```
    /// use isa_core::text::{Cursor, InstructionContext};
    ///
    /// let labels = [("mul.part.0", 0x1000)];
    /// let site = InstructionContext::new(0, &labels);
    /// assert_eq!(Cursor::in_context("mul.part.0.Z", &site).name(), "mul.part.0");
    /// assert_eq!(Cursor::in_context("div.part.0.Z", &site).name(), "div");
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

    /// Parses the name of a label with all its dots, regardless of the labels that exist. It consists
    /// of letters, digits and `_` with dots between them. If it begins with a dot, it can also contain
    /// `$` and consecutive dots. Names before a `:` and in directives are parsed in this way.
    ///
    /// ```
    /// use isa_core::text::Cursor;
    ///
    /// assert_eq!(Cursor::new("mul.part.0: ").whole_name(), "mul.part.0");
    /// ```
    #[inline(never)]
    pub fn whole_name(&mut self) -> &'t str {
        self.skip_trivia();
        self.take(whole_name_len(self.rest()))
    }

    /// Returns whether a text that contains dots is one name.
    #[cold]
    #[inline(never)]
    fn is_whole(&self, name: &str) -> bool {
        self.takes_dots() || self.context_unasked().is_some_and(|site| site.labels.has(name))
    }
}

/// Returns whether a byte can continue the name of a label that begins with a dot.
pub(crate) const fn is_name(byte: u8) -> bool {
    WORD[byte as usize] || matches!(byte, b'.' | b'$')
}

/// Returns whether a text begins with the name of a label, or with `.`.
pub(crate) fn begins_name(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.'))
}

/// Returns the length of the name of a label, or `.`, at the start of a text.
fn name_len(text: &[u8]) -> usize {
    match text {
        [b'.', rest @ ..] => 1 + rest.iter().position(|&byte| !is_name(byte)).unwrap_or(rest.len()),
        _ if begins_name(text) => word_len(text),
        _ => 0,
    }
}

/// Returns the length of the name of a label with all its dots, or `.`, at the start of a text.
fn whole_name_len(text: &[u8]) -> usize {
    let mut len = name_len(text);
    // A name that begins with a dot already includes the others.
    while len > 0
        && let [b'.', behind @ ..] = text.get(len..).unwrap_or_default()
        && let more @ 1.. = word_len(behind)
    {
        len += 1 + more;
    }
    len
}

/// Returns a name and its beginnings up to each of its dots, the longest first.
pub(crate) fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    core::iter::successors(Some(name), |name| {
        name.get(..name.bytes().rposition(|byte| byte == b'.')?)
    })
}

/// Returns whether a text can be the name of a label: it is parsed as one, and is not `.`.
pub(crate) fn is_label(text: &str) -> bool {
    !matches!(text, "" | ".") && whole_name_len(text.as_bytes()) == text.len()
}
