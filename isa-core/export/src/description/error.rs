//! Errors in a description, and their positions.

use std::fmt;

use serde_json::Value;

/// The reason why a text is not a description of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescriptionError {
    /// The position, for example `opcodes[3].fixed[0]`. It is empty for the whole description.
    path: String,
    message: String,
    /// The line and the column if the text is not JSON.
    position: Option<(usize, usize)>,
}

impl DescriptionError {
    /// Creates an error about a whole description.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        DescriptionError { path: String::new(), message: message.into(), position: None }
    }

    /// Returns the path of the value that is wrong, for example `opcodes[3].fixed[0]`. It is empty if the
    /// error is about the whole description.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the message without the path.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the line and the column, counted from 1, if the text is not JSON.
    #[must_use]
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "`{path}`: {}", self.message),
        }
    }
}

impl std::error::Error for DescriptionError {}

impl From<String> for DescriptionError {
    fn from(message: String) -> Self {
        DescriptionError::new(message)
    }
}

impl From<&str> for DescriptionError {
    fn from(message: &str) -> Self {
        DescriptionError::new(message)
    }
}

/// An error of the JSON parser, which knows the line.
impl From<serde_json::Error> for DescriptionError {
    fn from(error: serde_json::Error) -> Self {
        let position = Some((error.line().max(1), error.column().max(1)));
        DescriptionError { position, ..DescriptionError::new(format!("invalid JSON: {error}")) }
    }
}

/// An error in a value that has another type than the model.
impl From<serde_path_to_error::Error<serde_json::Error>> for DescriptionError {
    fn from(error: serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        DescriptionError { path, ..DescriptionError::new(reworded(&error.inner().to_string())) }
    }
}

/// Adds the position of an error inside of a larger value.
pub trait AtPath<T> {
    /// Prepends a step, which is a key, an index in brackets, or a path, to the path of an error.
    fn at(self, step: impl fmt::Display) -> Result<T, DescriptionError>;
}

impl<T, E: Into<DescriptionError>> AtPath<T> for Result<T, E> {
    fn at(self, step: impl fmt::Display) -> Result<T, DescriptionError> {
        self.map_err(|error| {
            let error = error.into();
            let dot = if error.path.is_empty() || error.path.starts_with('[') { "" } else { "." };
            DescriptionError { path: format!("{step}{dot}{}", error.path), ..error }
        })
    }
}

/// Returns the message that a value differs from the expected one.
pub(super) fn expected(expected: &str, found: &Value) -> String {
    let found = match found {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("`{}`", shortened(&other.to_string())),
    };
    format!("expected {expected}, found {found}")
}

/// Returns the message that a key is missing.
pub(super) fn missing(key: &str) -> String {
    format!("the key `{key}` is missing")
}

/// Converts a message of serde to the words of the other messages.
fn reworded(message: &str) -> String {
    if let Some(key) = message.strip_prefix("missing field `") {
        return missing(key.trim_end_matches('`'));
    }
    let prefixes = ["invalid type: ", "invalid value: ", "unknown variant ", "invalid "];
    let parts = prefixes.iter().find_map(|prefix| message.strip_prefix(prefix));
    let Some((found, expected)) = parts.and_then(|parts| parts.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list",
        "usize" => "a number",
        expected if expected.starts_with("struct ") => "an object",
        expected => expected,
    };
    let found = match found {
        "map" => "an object",
        "sequence" => "a list",
        found => found,
    };
    format!("expected {expected}, found {}", shortened(found))
}

/// Returns the beginning of a text that is too long for a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
