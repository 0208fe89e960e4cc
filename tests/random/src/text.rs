//! A position in a text. White space and comments between tokens are skipped.

/// The rest of a text.
#[derive(Debug, Clone)]
pub struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    /// Starts at the beginning of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Text(text)
    }

    fn skip(&mut self) {
        loop {
            self.0 = self.0.trim_start();
            if let Some(rest) = self.0.strip_prefix("//") {
                self.0 = rest.split_once('\n').map_or("", |(_, rest)| rest);
            } else if let Some(rest) = self.0.strip_prefix("/*") {
                self.0 = rest.split_once("*/").map_or("", |(_, rest)| rest);
            } else {
                return;
            }
        }
    }

    /// Returns whether nothing is left.
    pub fn is_done(&mut self) -> bool {
        self.skip();
        self.0.is_empty()
    }

    /// Consumes a literal if it is next, and returns whether it was.
    pub fn eat(&mut self, text: &str) -> bool {
        self.skip();
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Consumes letters, digits and `_`.
    pub fn word(&mut self) -> &'t str {
        self.skip();
        let end = self.0.find(|c| !is_word(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// Consumes a sign and the letters, digits and `_` directly after it, and returns the latter.
    /// Returns `None` if the sign is not next.
    pub fn word_behind(&mut self, sign: &str) -> Option<&'t str> {
        let is_there = self.eat(sign);
        let is_joined = self.0.starts_with(is_word);
        (is_there && is_joined).then(|| self.word())
    }

    /// Consumes the name of a label: a word that does not begin with a digit, or `.` and the
    /// letters, digits, dots, `$` and `_` after it. Returns an empty text if there is none.
    pub fn label(&mut self) -> &'t str {
        self.skip();
        match self.0.as_bytes() {
            [b'0'..=b'9', ..] => "",
            [b'.', ..] => {
                let is_behind = |c: char| is_word(c) || c == '.' || c == '$';
                let end = self.0[1..].find(|c| !is_behind(c)).map_or(self.0.len(), |end| end + 1);
                let (label, rest) = self.0.split_at(end);
                self.0 = rest;
                label
            }
            _ => self.word(),
        }
    }

    /// Returns the next letters, digits and `_` without consuming them.
    #[must_use]
    pub fn peek_word(&self) -> &'t str {
        self.clone().word()
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
