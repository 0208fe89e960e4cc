//! Reading of text that is written as it is printed.
//!
//! This is the first walk of [`super::walk`] with everything that it looks for laid out before:
//! the names of modifiers by their bytes, the ways to read an operand with the opcodes that have
//! each. It knows no errors and no free spelling; where anything is not as expected it gives up,
//! and the walk reads the statement from the start. What it accepts, the walk reads the same.

use super::Cursor;
use super::cursor::WORD;
use super::print::MAX_ARGS;
use crate::table::{Opcode, Read, ReadKind, ReadMark, ReadName, halves};

/// The most symbols of a syntax that is read so.
const SYMBOLS: usize = 32;

/// One reading.
pub(super) struct Quick<'w, 't> {
    cursor: &'w mut Cursor<'t>,
    /// The opcodes of the mnemonic, by their numbers.
    opcodes: &'w [&'static Opcode],
    numbers: &'static [u16],
    live: u64,
    filled: u64,
    /// The symbols that a format took the default of.
    presumed: u64,
    values: [u64; SYMBOLS],
}

impl<'w, 't> Quick<'w, 't> {
    pub(super) fn new(
        cursor: &'w mut Cursor<'t>,
        opcodes: &'w [&'static Opcode],
        numbers: &'static [u16],
    ) -> Self {
        let live = u64::MAX.unbounded_shr(64u32.saturating_sub(numbers.len() as u32));
        Quick { cursor, opcodes, numbers, live, filled: 0, presumed: 0, values: [0; SYMBOLS] }
    }

    /// Reads the statement, and gives the opcode's number and the word.
    pub(super) fn run(
        &mut self,
        steps: &'static [Read],
        mnemonic: &core::ops::Range<usize>,
    ) -> Option<(usize, u128)> {
        let mut rest = steps;
        while let [step, behind @ ..] = rest {
            rest = behind;
            match step {
                Read::Text(text) => self.text(text)?,
                Read::Optional(text, steps) => {
                    if !begins(self.cursor.rest(), text) {
                        rest = rest.get(usize::from(*steps)..)?;
                    }
                }
                Read::Mnemonic => {
                    if self.cursor.position() != mnemonic.start {
                        return None;
                    }
                    self.cursor.seek(mnemonic.end);
                }
                Read::Names(names, required) => {
                    self.names(names)?;
                    if self.filled & required != *required {
                        return None;
                    }
                }
                Read::Operand(symbol, marks, kinds) => self.marked(*symbol, marks, kinds)?,
                Read::Close(marks) => self.close(marks)?,
                Read::Dotted(symbol, kinds) => {
                    if self.cursor.rest().first() == Some(&b'.') {
                        self.cursor.advance(1);
                        self.operand(*symbol, kinds)?.then_some(())?;
                    }
                }
                Read::Tags(tags) => self.tags(tags)?,
            }
        }
        self.build()
    }

    #[inline]
    fn fill(&mut self, symbol: u8, value: u64) {
        self.values[usize::from(symbol) % SYMBOLS] = value;
        self.filled |= 1 << (symbol & 31);
    }

    #[inline]
    fn value(&self, symbol: u8) -> u64 {
        self.values[usize::from(symbol) % SYMBOLS]
    }

    #[inline]
    fn is_filled(&self, symbol: u8) -> bool {
        self.filled >> (symbol & 31) & 1 == 1
    }

    #[inline]
    fn text(&mut self, text: &str) -> Option<()> {
        let found = begins(self.cursor.rest(), text);
        found.then(|| self.cursor.advance(text.len()))
    }

    /// An operand without marks, or else with some.
    fn marked(
        &mut self,
        symbol: u8,
        marks: &'static [ReadMark],
        kinds: &'static [ReadKind],
    ) -> Option<()> {
        let plain = self.operand(symbol, kinds)?;
        for mark in marks {
            let there =
                !plain && self.live & mark.bound != 0 && begins(self.cursor.rest(), mark.open);
            if there {
                self.live &= mark.bound;
                self.cursor.advance(mark.open.len());
            }
            self.fill(mark.symbol, mark.present ^ u64::from(!there));
        }
        (plain || self.operand(symbol, kinds)?).then_some(())
    }

    fn close(&mut self, marks: &'static [ReadMark]) -> Option<()> {
        for mark in marks.iter().rev() {
            if self.value(mark.symbol) == mark.present {
                self.text(mark.close)?;
            }
        }
        Some(())
    }

    fn names(&mut self, names: &'static [ReadName]) -> Option<()> {
        while let [b'.', rest @ ..] = self.cursor.rest() {
            let (key, len) = key(rest)?;
            let first = self.live & self.live.wrapping_neg();
            let fits = |name: &&ReadName| {
                name.key == key && name.takes & first != 0 && !self.is_filled(name.symbol)
            };
            let name = names.iter().find(fits)?;
            if self.live & name.fits == 0 {
                return None;
            }
            self.live &= name.fits;
            self.cursor.advance(1 + len);
            self.fill(name.symbol, name.raw);
        }
        Some(())
    }

    /// Reads an operand, and says whether one is there.
    fn operand(&mut self, symbol: u8, kinds: &'static [ReadKind]) -> Option<bool> {
        let mut untried = kinds.iter();
        while let Some(kind) = untried.next() {
            let takes = self.live & kind.takes;
            if takes == 0 || !(kind.text.looks_like)(self.cursor) {
                continue;
            }
            // Another may come first in the order of the opcodes.
            let first = takes.trailing_zeros();
            if untried.any(|other| (self.live & other.takes).trailing_zeros() < first) {
                return None;
            }
            let value = self.read(kind)?;
            self.live = takes;
            self.fill(symbol, value);
            return Some(true);
        }
        Some(false)
    }

    fn read(&mut self, kind: &'static ReadKind) -> Option<u64> {
        let mut args = [0; MAX_ARGS];
        for (place, &symbol) in args.iter_mut().zip(kind.args) {
            *place = if self.is_filled(symbol) {
                self.value(symbol)
            } else {
                self.presumed |= 1 << (symbol & 31);
                self.default(symbol)?
            };
        }
        (kind.text.read)(self.cursor, args.get(..kind.args.len())?).ok()
    }

    /// The default of a field in the first of the opcodes.
    fn default(&self, symbol: u8) -> Option<u64> {
        let (_, opcode) = self.first()?;
        let Place { position, width } = Place::of(opcode, symbol)?;
        Some((opcode.start.unbounded_shr(position) as u64) & mask(width))
    }

    fn tags(&mut self, tags: &'static [(u8, ReadKind)]) -> Option<()> {
        while self.cursor.rest().first() == Some(&b' ') {
            self.cursor.advance(1);
            let fits = |(symbol, kind): &&(u8, ReadKind)| {
                !self.is_filled(*symbol) && (kind.text.looks_like)(self.cursor)
            };
            let (symbol, kind) = tags.iter().find(fits)?;
            let value = self.read(kind)?;
            self.fill(*symbol, value);
        }
        Some(())
    }

    #[inline]
    fn first(&self) -> Option<(usize, &'static Opcode)> {
        let number = usize::from(*self.numbers.get(self.live.trailing_zeros() as usize)?);
        Some((number, self.opcodes.get(number)?))
    }

    /// The word of the first opcode left, if it is legal.
    fn build(&self) -> Option<(usize, u128)> {
        if self.presumed & self.filled != 0 {
            return None;
        }
        let (number, opcode) = self.first()?;
        let mut word = halves(opcode.start);
        let mut rest = self.filled;
        while rest != 0 {
            let symbol = rest.trailing_zeros();
            rest &= rest - 1;
            let Place { position, width } = Place::of(opcode, symbol as u8)?;
            let (value, mask) = (self.values[symbol as usize % SYMBOLS], mask(width));
            // A field that the opcode lacks has no bits.
            if width != 0 && value & !mask != 0 {
                return None;
            }
            let half = &mut word[position as usize / 64 % 2];
            *half = *half & !(mask << (position % 64)) | (value & mask) << (position % 64);
        }
        let word = u128::from(word[1]) << 64 | u128::from(word[0]);
        opcode.check(word).then_some((number, word))
    }
}

/// Where an opcode has the field of a symbol: a run of bits in one half of the word.
struct Place {
    position: u32,
    width: u32,
}

impl Place {
    /// `None` where the field is no such run.
    #[inline]
    fn of(opcode: &Opcode, symbol: u8) -> Option<Place> {
        let places = opcode.program.places.as_chunks::<2>().0;
        let [position, width] = *places.get(usize::from(symbol))?;
        (width <= 64).then_some(Place { position: position.into(), width: width.into() })
    }
}

const fn mask(width: u32) -> u64 {
    u64::MAX.unbounded_shr(64 - width)
}

/// The bytes of the word that a text begins with, and how many; `None` beyond 8.
#[inline]
fn key(text: &[u8]) -> Option<(u64, usize)> {
    let bytes = match text.first_chunk::<9>() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; 9];
            for (to, from) in bytes.iter_mut().zip(text) {
                *to = *from;
            }
            bytes
        }
    };
    let word = bytes.iter().enumerate();
    let word = word.fold(0u32, |word, (i, &byte)| word | u32::from(WORD[usize::from(byte)]) << i);
    let len = word.trailing_ones();
    let [head @ .., _] = bytes;
    let key = u64::from_le_bytes(head) & u64::MAX.unbounded_shr(64u32.saturating_sub(8 * len));
    (1..=8).contains(&len).then_some((key, len as usize))
}

/// Whether some bytes begin with a text, which is short.
#[inline]
fn begins(bytes: &[u8], text: &str) -> bool {
    bytes.len() >= text.len() && bytes.iter().zip(text.as_bytes()).all(|(a, b)| a == b)
}
