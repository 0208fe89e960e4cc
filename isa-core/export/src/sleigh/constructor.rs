//! Represents constructors: their output, the words that they match, and their semantics.

use std::fmt::Write;

/// A part of a constructor's output: a constant text or a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputPart {
    Text(String),
    Symbol(String),
}

/// A constructor without its name, or a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Constructor {
    pub(super) shown: Vec<OutputPart>,
    /// Comparisons and symbols, all of which a word must match.
    pub(super) pattern: Vec<String>,
    /// The assignments that are executed while a word is decoded.
    pub(super) actions: Vec<String>,
    /// The exported value of a table, or an empty text if the value is not used.
    pub(super) value: String,
    /// The semantics of a table.
    pub(super) does: String,
}

impl Constructor {
    /// Creates a constructor that prints a constant text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Constructor { shown: vec![OutputPart::Text(text.into())], ..Constructor::default() }
    }

    /// Creates a constructor that matches and prints a symbol.
    pub(super) fn symbol(name: &str) -> Self {
        let shown = vec![OutputPart::Symbol(name.to_owned())];
        Constructor { shown, pattern: vec![name.to_owned()], ..Constructor::default() }
    }

    /// Returns the symbols that SLEIGH counts as operands.
    pub(super) fn operands(&self) -> impl Iterator<Item = &str> {
        let pattern = self.pattern.iter().filter(|one| !one.contains('='));
        let shown = self.shown.iter().filter_map(|shown| match shown {
            OutputPart::Symbol(name) if !self.pattern.contains(name) => Some(name),
            _ => None,
        });
        pattern.chain(shown).map(String::as_str)
    }

    /// Appends the output and the pattern of another constructor.
    pub(super) fn push(&mut self, other: Constructor) {
        let Constructor { shown, pattern, actions, value: _, does: _ } = other;
        for shown in shown {
            match (self.shown.last_mut(), shown) {
                (Some(OutputPart::Text(text)), OutputPart::Text(more)) => text.push_str(&more),
                (_, shown) => self.shown.push(shown),
            }
        }
        self.demand(pattern);
        for action in actions {
            if !self.actions.contains(&action) {
                self.actions.push(action);
            }
        }
    }

    /// Removes a text from the end of the output.
    pub(super) fn without_end(&mut self, end: &str) {
        if let Some(OutputPart::Text(text)) = self.shown.last_mut() {
            *text = text.strip_suffix(end).unwrap_or(text).to_owned();
            if text.is_empty() {
                self.shown.pop();
            }
        }
    }

    /// Appends conditions to the pattern unless it contains them already.
    pub(super) fn demand(&mut self, pattern: impl IntoIterator<Item = String>) {
        for one in pattern {
            if !self.pattern.contains(&one) {
                self.pattern.push(one);
            }
        }
    }

    /// Returns the output in the syntax of SLEIGH. SLEIGH drops spaces at the end of the output. If the
    /// output ends with spaces, this function therefore appends the table `nothing`.
    fn display(&self, nothing: &str) -> String {
        let mut all: Vec<String> = self.shown.iter().map(OutputPart::quoted).collect();
        if self.ends_blank() {
            all.push(nothing.to_owned());
        }
        all.join("^")
    }

    pub(super) fn ends_blank(&self) -> bool {
        matches!(self.shown.last(), Some(OutputPart::Text(text)) if text.trim().is_empty())
    }

    pub(super) fn line(&self, nothing: &str) -> String {
        let Constructor { pattern, actions, .. } = self;
        let mut pattern = pattern.clone();
        if self.ends_blank() {
            pattern.push(nothing.to_owned());
        }
        let display = self.display(nothing);
        let mut line = format!("{display} is {}", pattern.join(" & "));
        if !actions.is_empty() {
            let _ = write!(line, " [ {} ]", actions.join(" "));
        }
        line
    }
}

impl OutputPart {
    fn quoted(&self) -> String {
        match self {
            OutputPart::Text(text) => format!("\"{text}\""),
            OutputPart::Symbol(name) => name.clone(),
        }
    }
}
