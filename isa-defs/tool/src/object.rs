//! JSON objects, each on one line, with their keys in the order in which they are given.

use core::fmt::{Display, Write as _};

/// An object in the making.
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Object {
        Object("{".into())
    }

    /// Adds a value that is JSON as it prints: a number, a truth, an object.
    pub(super) fn raw(&mut self, key: &str, value: impl Display) -> &mut Self {
        let separator = if self.0.len() > 1 { ", " } else { "" };
        let _ = write!(self.0, "{separator}\"{key}\": {value}");
        self
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.raw(key, quoted(text))
    }

    pub(super) fn text_or_null(&mut self, key: &str, text: Option<&str>) -> &mut Self {
        self.raw_or_null(key, text.map(quoted))
    }

    pub(super) fn raw_or_null(&mut self, key: &str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.raw(key, value),
            None => self.raw(key, "null"),
        }
    }

    /// Adds a list of values that are JSON as they print.
    pub(super) fn list<T: Display>(
        &mut self,
        key: &str,
        values: impl Iterator<Item = T>,
    ) -> &mut Self {
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        self.raw(key, format_args!("[{}]", values.join(", ")))
    }

    pub(super) fn finish(self) -> String {
        self.0 + "}"
    }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_json_with_their_keys_in_order() {
        let mut object = Object::new();
        object.text("b", "x\"\n\u{1b}").raw("a", 7).text_or_null("n", None);
        object.list("l", [1, 2].iter());
        let text = object.finish();
        assert!(text.starts_with("{\"b\": ") && !text.contains('\n'), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        assert_eq!(read["b"], "x\"\n\u{1b}");
        assert_eq!((&read["a"], &read["n"]), (&7.into(), &serde_json::Value::Null));
        assert_eq!(read["l"][1], 2);
    }
}
