//! Defines the short texts that print programs copy.

use super::limits::SHORT_TEXT;

/// A short ASCII text in the format of the tables: its bytes, followed by zeros, and its length in the
/// last byte. It is an array and not a `String`, because the expansion of a call contains thousands of
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShortText([u8; SHORT_TEXT]);

impl ShortText {
    /// The empty text.
    pub(super) const EMPTY: Self = ShortText([0; SHORT_TEXT]);

    /// Creates a short text. Returns `None` if the text is too long or not ASCII.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT_TEXT];
        bytes[SHORT_TEXT - 1] = text.len() as u8;
        let room = bytes[..SHORT_TEXT - 1].get_mut(..text.len()).filter(|_| text.is_ascii())?;
        room.copy_from_slice(text.as_bytes());
        Some(ShortText(bytes))
    }

    /// Returns the text.
    pub(crate) fn as_str(&self) -> &str {
        str::from_utf8(&self.0[..self.len()]).unwrap_or_default()
    }

    /// Returns the bytes as in the tables.
    pub(super) const fn bytes(&self) -> &[u8; SHORT_TEXT] {
        &self.0
    }

    fn len(&self) -> usize {
        usize::from(self.0[SHORT_TEXT - 1])
    }

    /// Concatenates two texts. Returns `None` if the result is too long.
    pub(super) fn then(&self, other: &Self) -> Option<Self> {
        let (start, end) = (self.len(), self.len() + other.len());
        let mut bytes = self.0;
        bytes[..SHORT_TEXT - 1].get_mut(start..end)?.copy_from_slice(&other.0[..other.len()]);
        bytes[SHORT_TEXT - 1] = end as u8;
        Some(ShortText(bytes))
    }
}

impl std::fmt::Debug for ShortText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::ShortText;

    #[test]
    fn texts_are_short_and_of_ascii() {
        let text = |text: &str| ShortText::new(text).map(|text| text.as_str().to_owned());
        let longest = "x".repeat(31);
        assert_eq!(text(&longest), Some(longest.clone()));
        assert_eq!(text(&"x".repeat(32)), None);
        assert_eq!(text("ä"), None);
        assert_eq!(text(""), Some(String::new()));
        let both = |a: &str, b: &str| {
            let both = ShortText::new(a)?.then(&ShortText::new(b)?)?;
            assert_eq!(Some(both), ShortText::new(both.as_str()));
            Some(both.as_str().to_owned())
        };
        assert_eq!(both("ADD", ".SAT").as_deref(), Some("ADD.SAT"));
        assert_eq!(both(&longest, "").as_deref(), Some(&*longest));
        assert_eq!(both(&longest, "x"), None);
    }
}
