//! Reading of text that is written as it is printed.
//!
//! This is the first walk of [`super::walk`] with everything that it looks for laid out before: fixed
//! text is compared eight bytes at once, names of modifiers are found by their bytes as a number,
//! registers are read without a call, and marks are taken without a jump. It knows no errors and no
//! free spelling; where anything is not as expected it gives up, and the walk reads the statement
//! from the start. What it accepts, the walk reads the same.

use core::ops::Range;

use super::Cursor;
use super::window::Window;
use crate::table::{Finder, InstructionSet, Mnemonic, ReadPlaces};

mod reading;
mod word;

use reading::{Choice, Quick};

impl InstructionSet {
    /// Reads the statement at the cursor if it is written as it is printed, and gives the number
    /// of the opcode or alias and the word.
    #[inline]
    pub(super) fn quick(&self, cursor: &mut Cursor<'_>) -> Option<(usize, u128)> {
        match cursor.rest().first_chunk() {
            Some(bytes) => self.quick_within(cursor, Window(bytes)),
            None => self.quick_at_end(cursor),
        }
    }

    /// As [`InstructionSet::quick`], where the text ends soon.
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
        let choice = Choice { spellings, numbers, places: &[] };
        let mut quick = Quick::new(window, choice, reader.places, cursor);
        let (number, word) = quick.run(reader, &span)?;
        // What is read where others do not read is left to the walk.
        self.spellings.get(number)?.after.is_empty().then_some((number, word))
    }

    /// As [`InstructionSet::quick_within`], where a mnemonic has several syntaxes, or several calls have
    /// it: one call after another, since no two syntaxes accept one text.
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
            // What every opcode of the mnemonic takes is read before it is said whose text it is.
            let choice = Choice { spellings, numbers, places: &[] };
            let mut quick = Quick::new(window, choice, ReadPlaces::NONE, cursor);
            if let Some((number, word)) = quick.run_joint(reader, span) {
                // What is read where others do not read is left to the walk.
                return spellings.get(number)?.after.is_empty().then_some((number, word));
            }
            cursor.seek(start);
        }
        None
    }

    /// The mnemonic, behind a guard of the usual form if there is one, and its place in the window.
    #[inline(always)]
    fn plain_mnemonic(
        &self,
        cursor: &Cursor<'_>,
        window: Window<'_>,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        let mut at = 0;
        if !window.is_word(0) {
            // A guard: a mark, perhaps another, a name and a blank.
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
        // Words that differ behind their first bytes are rare.
        let fits = is_same && (len <= 8 || is_at(window, at, mnemonic.text.as_bytes()));
        fits.then_some((mnemonic, at..at + len))
    }
}

/// Whether a text stands at a place.
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
    use super::{Finder, Window, is_at};

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
