//! Formats changes for people and as JSON.

use std::fmt::{self, Display, Formatter};

use isa_core::json::Object;
use isa_core::shown::Shown;

use super::{AlteredWords, Change, ChangeKind, Difference};

/// The maximum number of items that are named for a change.
const MOST: usize = 8;

impl ChangeKind {
    /// Returns the type as one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Renamed => "renamed",
            ChangeKind::Becomes => "becomes",
            ChangeKind::Legal => "legal",
            ChangeKind::Illegal => "illegal",
            ChangeKind::Field => "field",
            ChangeKind::Text => "text",
            ChangeKind::Alias => "alias",
            ChangeKind::Value => "value",
            ChangeKind::Kind => "kind",
            ChangeKind::Operand => "operand",
            ChangeKind::Rule => "rule",
            ChangeKind::Syntax => "syntax",
            ChangeKind::Property => "property",
            ChangeKind::Semantics => "semantics",
            ChangeKind::Set => "set",
            ChangeKind::Doc => "doc",
        }
    }
}

/// Prints a line for each change, followed by a line with an example word if there is one. The last line
/// contains the number of words whose meaning changed.
impl Display for Difference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for change in &self.changes {
            writeln!(f, "{change}")?;
        }
        match self.is_empty() {
            true => Ok(()),
            false if self.altered == 0.into() => f.write_str("no word changes its meaning\n"),
            false if self.altered == 1.into() => f.write_str("1 word changes its meaning\n"),
            false => writeln!(f, "{} words change their meaning", self.altered),
        }
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:9} ", self.what.name())?;
        match &self.places[..] {
            [] => {}
            places if places.len() <= MOST => write!(f, "{}: ", Shown(&places.join(", ")))?,
            places => {
                let (named, others) = (&places[..MOST], places.len() - MOST);
                write!(f, "{} and {others} more: ", Shown(&named.join(", ")))?;
            }
        }
        write!(f, "{}", Shown(&self.message))?;
        let Some(AlteredWords { count, bits, witness, before, after }) = &self.words else {
            return Ok(());
        };
        let digits = 2 + usize::from(*bits).div_ceil(4);
        let words = if *count == 1.into() { "word" } else { "words, for example" };
        let (before, after) = (Shown(before), Shown(after));
        write!(f, "\n          {count} {words} {witness:#0digits$x}: `{before}`, now `{after}`")
    }
}

impl Change {
    /// Returns the change as a JSON object on one line. `what`, `places` and `message` describe the
    /// change. `words`, `bits`, `witness`, `before` and `after` are null if the change does not affect
    /// the meaning of any word. `words` is a number as a string, because it may exceed 2^53.
    #[must_use]
    pub fn json(&self) -> String {
        let mut object = Object::new();
        object.text("what", self.what.name());
        object.list("places", self.places.iter().map(|place| isa_core::json::quoted(place)));
        object.text("message", &self.message);
        let words = self.words.as_ref();
        object.text_or_null("words", words.map(|words| words.count.to_string()).as_deref());
        object.raw_or_null("bits", words.map(|words| words.bits));
        let witness = words.map(|words| {
            let digits = 2 + usize::from(words.bits).div_ceil(4);
            format!("{:#0digits$x}", words.witness)
        });
        object.text_or_null("witness", witness.as_deref());
        object.text_or_null("before", words.map(|words| &*words.before));
        object.text_or_null("after", words.map(|words| &*words.after));
        object.finish()
    }
}
