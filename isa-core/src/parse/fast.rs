//! The fast parser, for text that is spelled as it is printed.
//!
//! It makes the same decisions as the first parse of [`super::template`], with prepared data. It compares
//! literals eight bytes at a time, and looks up the name of a modifier by the number that its bytes
//! form. It parses registers without a call and prefix operators without a branch. It does not report
//! errors and does not accept other spellings. If the text is not as expected, it gives up, and the
//! template interpreter parses the statement from the start. If the fast parser accepts a text, its
//! result equals the result of the template interpreter.

use core::ops::Range;

use crate::table::{Finder, InstructionSet, Mnemonic, ValueLayout};
use crate::text::{Cursor, Window};

mod steps;

use steps::{FastParser, OpcodeChoice};

impl InstructionSet {
    /// Parses the statement at the cursor if it is spelled as it is printed. Returns the index of
    /// the opcode or alias, and the word.
    #[inline]
    pub(super) fn quick(&self, cursor: &mut Cursor<'_>) -> Option<(usize, u128)> {
        match cursor.rest().first_chunk() {
            Some(bytes) => self.quick_within(cursor, Window(bytes)),
            None => self.quick_at_end(cursor),
        }
    }

    /// Parses like [`InstructionSet::quick`] if the rest of the text is shorter than a window.
    #[inline(never)]
    fn quick_at_end(&self, cursor: &mut Cursor<'_>) -> Option<(usize, u128)> {
        let (mut bytes, rest) = ([0; Window::SIZE], cursor.rest());
        bytes.get_mut(..rest.len())?.copy_from_slice(rest);
        self.quick_within(cursor, Window(&bytes))
    }

    #[inline(always)]
    fn quick_within(&self, cursor: &mut Cursor<'_>, window: Window<'_>) -> Option<(usize, u128)> {
        let named = self.plain_mnemonic(cursor, window);
        let (mnemonic, span) = named.or_else(|| Some((self.nameless()?, 0..0)))?;
        let first = self.spellings.get(usize::from(*mnemonic.opcodes.first()?))?;
        let reader = &first.syntax.reader;
        if reader.is_joint || !mnemonic.calls.is_empty() {
            return self.quick_of_several(cursor, window, mnemonic, &span);
        }
        let (spellings, numbers) = (self.spellings, mnemonic.opcodes);
        let choice = OpcodeChoice { spellings, numbers, places: &[] };
        let mut quick = FastParser::new(window, choice, reader.places, cursor);
        let (number, word) = quick.run(reader, &span)?;
        // If other rows take precedence, the template interpreter decides.
        self.spellings.get(number)?.after.is_empty().then_some((number, word))
    }

    /// Parses like [`InstructionSet::quick_within`] if a mnemonic has several syntaxes, or several
    /// calls declare it. It tries one call after the other and uses the first result, because no two
    /// syntaxes accept the same text.
    #[inline(never)]
    fn quick_of_several(
        &self,
        cursor: &mut Cursor<'_>,
        window: Window<'_>,
        mnemonic: &'static Mnemonic,
        span: &Range<usize>,
    ) -> Option<(usize, u128)> {
        let (spellings, start) = (self.spellings, cursor.position());
        let calls = match mnemonic.calls {
            [] => core::slice::from_ref(&mnemonic.opcodes),
            calls => calls,
        };
        for &numbers in calls {
            let reader = &spellings.get(usize::from(*numbers.first()?))?.syntax.reader;
            // The part that all opcodes of the mnemonic share is parsed before the syntax is known.
            let choice = OpcodeChoice { spellings, numbers, places: &[] };
            let mut quick = FastParser::new(window, choice, ValueLayout::NONE, cursor);
            if let Some((number, word)) = quick.run_joint(reader, span) {
                // If other rows take precedence, the template interpreter decides.
                return spellings.get(number)?.after.is_empty().then_some((number, word));
            }
            cursor.seek(start);
        }
        None
    }

    /// Returns the mnemonic and its position in the window. A guard of the usual form may precede the
    /// mnemonic.
    #[inline(always)]
    fn plain_mnemonic(
        &self,
        cursor: &Cursor<'_>,
        window: Window<'_>,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        let mut at = 0;
        if !window.is_word(0) {
            // A guard: one or two punctuation characters, a name and a space.
            at = 1 + usize::from(!window.is_word(1));
            at += window.word_len(at) + 1;
        }
        let (head, len) = window.word(at);
        if !self.finder.decides(window.byte(at + len)) {
            let (mnemonic, span) = self.mnemonic(&mut cursor.clone())?;
            let start = cursor.position();
            return Some((mnemonic, span.start.checked_sub(start)?..span.end.checked_sub(start)?));
        }
        let key = Finder::mix(head, window.byte((at + len).wrapping_sub(1)), len);
        let mnemonic = self.mnemonics.get(self.finder.find(key)?)?;
        let is_same = (mnemonic.head == head) & (mnemonic.text.len() == len);
        // Words that differ only after their first eight bytes are rare.
        let fits = is_same && (len <= 8 || is_at(window, at, mnemonic.text.as_bytes()));
        fits.then_some((mnemonic, at..at + len))
    }
}

/// Returns whether the window contains a text at a position.
#[inline(always)]
fn is_at(window: Window<'_>, at: usize, text: &[u8]) -> bool {
    let behind = at + text.len();
    match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            let ends = [window.load(at), window.load(behind - 8)];
            text.len() <= 16 && ends == [u64::from_le_bytes(*first), u64::from_le_bytes(*last)]
        }
        _ => match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                let ends = [window.load(at) as u32, window.load(behind - 4) as u32];
                ends == [u32::from_le_bytes(*first), u32::from_le_bytes(*last)]
            }
            _ => (0..).zip(text).all(|(i, &byte)| window.byte(at + i) == byte),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Finder, is_at};
    use crate::text::Window;

    #[test]
    fn words_of_different_lengths_have_different_keys() {
        let key = |len| Finder::mix(u64::from_le_bytes(*b"vabsdiff"), b'2', len);
        for len in 0..64 {
            assert!((0..len).all(|other| key(other) != key(len)), "{len}");
        }
    }

    #[test]
    fn a_mnemonic_is_compared_as_a_whole() {
        let text = b"abcdefghijklmnop";
        for at in [0, 3] {
            for len in 1..=text.len() {
                let mut bytes = [b'.'; Window::SIZE];
                bytes[at..at + len].copy_from_slice(&text[..len]);
                assert!(is_at(Window(&bytes), at, &text[..len]), "{len}");
                assert!(!is_at(Window(&bytes), at + 1, &text[..len]), "{len}");
                for other in at..at + len {
                    bytes[other] ^= 1;
                    assert!(!is_at(Window(&bytes), at, &text[..len]), "{len} {other}");
                    bytes[other] ^= 1;
                }
            }
        }
        assert!(!is_at(Window(&[b'a'; Window::SIZE]), 0, &[b'a'; 17]), "that is left to the walk");
    }
}
