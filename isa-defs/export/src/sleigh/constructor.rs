//! Constructors: what they show, which words they fit, and what they compute.

use std::fmt::Write;

/// What a constructor shows: fixed text, or what stands for a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Text(String),
    Symbol(String),
}

/// A constructor without its name, or a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Constructor {
    pub(super) shown: Vec<Shown>,
    /// Comparisons and symbols, each of which a word must fit.
    pub(super) pattern: Vec<String>,
    /// What is computed while a word is decoded.
    pub(super) actions: Vec<String>,
    /// The value of a table; nothing in particular where this is empty.
    pub(super) value: String,
    /// What a table does.
    pub(super) does: String,
}

impl Constructor {
    /// A fixed text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Constructor { shown: vec![Shown::Text(text.into())], ..Constructor::default() }
    }

    /// A symbol that stands in the pattern.
    pub(super) fn symbol(name: &str) -> Self {
        let shown = vec![Shown::Symbol(name.to_owned())];
        Constructor { shown, pattern: vec![name.to_owned()], ..Constructor::default() }
    }

    /// The symbols that count as operands.
    pub(super) fn operands(&self) -> impl Iterator<Item = &str> {
        let pattern = self.pattern.iter().filter(|one| !one.contains('='));
        let shown = self.shown.iter().filter_map(|shown| match shown {
            Shown::Symbol(name) if !self.pattern.contains(name) => Some(name),
            _ => None,
        });
        pattern.chain(shown).map(String::as_str)
    }

    /// Appends what another shows and demands.
    pub(super) fn push(&mut self, other: Constructor) {
        let Constructor { shown, pattern, actions, value: _, does: _ } = other;
        for shown in shown {
            match (self.shown.last_mut(), shown) {
                (Some(Shown::Text(text)), Shown::Text(more)) => text.push_str(&more),
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

    /// Drops a text at the end of what is shown.
    pub(super) fn without_end(&mut self, end: &str) {
        if let Some(Shown::Text(text)) = self.shown.last_mut() {
            *text = text.strip_suffix(end).unwrap_or(text).to_owned();
            if text.is_empty() {
                self.shown.pop();
            }
        }
    }

    /// Appends to the pattern what it does not have.
    pub(super) fn demand(&mut self, pattern: impl IntoIterator<Item = String>) {
        for one in pattern {
            if !self.pattern.contains(&one) {
                self.pattern.push(one);
            }
        }
    }

    /// What is shown, as SLEIGH has it. Blanks at the end are dropped by SLEIGH where nothing stands
    /// behind them: there `nothing` does.
    fn display(&self, nothing: &str) -> String {
        let mut all: Vec<String> = self.shown.iter().map(Shown::quoted).collect();
        if self.ends_blank() {
            all.push(nothing.to_owned());
        }
        all.join("^")
    }

    pub(super) fn ends_blank(&self) -> bool {
        matches!(self.shown.last(), Some(Shown::Text(text)) if text.trim().is_empty())
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

impl Shown {
    fn quoted(&self) -> String {
        match self {
            Shown::Text(text) => format!("\"{text}\""),
            Shown::Symbol(name) => name.clone(),
        }
    }
}
