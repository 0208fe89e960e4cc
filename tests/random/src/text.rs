//! A place in a text, with white space and comments skipped between tokens.

/// The rest of a text.
#[derive(Debug, Clone)]
pub struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    /// All of a text.
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

    /// Whether nothing is left.
    pub fn is_done(&mut self) -> bool {
        self.skip();
        self.0.is_empty()
    }

    /// Takes fixed text, if it stands here.
    pub fn eat(&mut self, text: &str) -> bool {
        self.skip();
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Takes letters, digits and `_`.
    pub fn word(&mut self) -> &'t str {
        self.skip();
        let end = self.0.find(|c| !is_word(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// Takes a sign and the letters, digits and `_` directly behind it, and gives those; `None` where the sign
    /// does not stand here.
    pub fn word_behind(&mut self, sign: &str) -> Option<&'t str> {
        let is_there = self.eat(sign);
        let is_joined = self.0.starts_with(is_word);
        (is_there && is_joined).then(|| self.word())
    }

    /// Takes the name of a label: a word that begins with no digit, or `.` and what letters, digits, dots, `$`
    /// and `_` stand behind it. Empty where there is none.
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

    /// The letters, digits and `_` that stand here.
    #[must_use]
    pub fn peek_word(&self) -> &'t str {
        self.clone().word()
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
