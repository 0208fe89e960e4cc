//! A small JSON writer for objects on one line. The keys are written in the order of the calls.
//!
//! ```
//! use isa_core::json::Object;
//!
//! let mut object = Object::new();
//! object.text("name", "NEG").raw("bits", 16).text_or_null("doc", None).list("widths", [1, 2].iter());
//! assert_eq!(object.finish(), r#"{"name": "NEG", "bits": 16, "doc": null, "widths": [1, 2]}"#);
//! ```

use alloc::string::{String, ToString};
use core::fmt::{Display, Write as _};

use crate::shown::is_shown;

/// An object to which keys can be added.
#[derive(Debug, Clone)]
pub struct Object(String);

impl Default for Object {
    fn default() -> Self {
        Object::new()
    }
}

impl Object {
    /// Creates an object without keys.
    #[must_use]
    pub fn new() -> Object {
        Object("{".into())
    }

    /// Adds a value whose printed form is JSON, such as a number, a boolean or an object.
    pub fn raw(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.add(key, &value)
    }

    /// Implements [`Object::raw`] once for all types.
    #[inline(never)]
    fn add(&mut self, key: &str, value: &dyn Display) -> &mut Self {
        let separator = if self.0.len() > 1 { ", " } else { "" };
        let _ = write!(self.0, "{separator}\"{key}\": {value}");
        self
    }

    /// Adds a string.
    #[inline(never)]
    pub fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.add(key, &quoted(text))
    }

    /// Adds a string or `null`.
    #[inline(never)]
    pub fn text_or_null(&mut self, key: &str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(key, text),
            None => self.add(key, &"null"),
        }
    }

    /// Adds a value whose printed form is JSON, or `null`.
    pub fn raw_or_null(&mut self, key: &str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.raw(key, value),
            None => self.raw(key, "null"),
        }
    }

    /// Adds a list of values whose printed forms are JSON.
    pub fn list<T: Display>(&mut self, key: &str, values: impl Iterator<Item = T>) -> &mut Self {
        self.add(key, &array(values.map(|value| value.to_string())))
    }

    /// Returns the object as text.
    #[must_use]
    pub fn finish(self) -> String {
        self.0 + "}"
    }
}

/// Returns a JSON array of values that are JSON.
#[must_use]
pub fn array(mut values: impl Iterator<Item = String>) -> String {
    array_of(&mut || values.next())
}

// A closure instead of a `dyn Iterator`, whose table of functions would contain `nth` and `size_hint`
// of every iterator.
fn array_of(next: &mut dyn FnMut() -> Option<String>) -> String {
    let mut array = String::from("[");
    while let Some(value) = next() {
        array.push_str(if array.len() > 1 { ", " } else { "" });
        array.push_str(&value);
    }
    array.push(']');
    array
}

/// Returns a text as a JSON string, in quotes. Characters that may not be shown
/// ([`is_shown`]) are escapes, so that the string is safe on a terminal.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            c if is_shown(c) => quoted.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(quoted, "\\u{unit:04x}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_are_escaped_as_others_do() {
        for (text, json) in [
            ("a\"b\\c/", r#""a\"b\\c/""#),
            ("\n\r\t\u{8}\u{c}", r#""\n\r\t\b\f""#),
            ("\0\u{1b}\u{7f}\u{e9}\u{1f600}", "\"\\u0000\\u001b\\u007f\u{e9}\u{1f600}\""),
            // A character above 16 bits is escaped as two UTF-16 units.
            ("\u{9b}\u{202e}\u{e0041}", r#""\u009b\u202e\udb40\udc41""#),
        ] {
            assert_eq!(quoted(text), json);
        }
    }
}
