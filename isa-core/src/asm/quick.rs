//! Reading of text that is written as it is printed.
//!
//! This is the first walk of [`super::walk`] with everything that it looks for laid out before: fixed
//! text is compared eight bytes at once, names of modifiers are found by their bytes as a number,
//! registers are read without a call, and marks are taken without a jump. It knows no errors and no
//! free spelling; where anything is not as expected it gives up, and the walk reads the statement
//! from the start. What it accepts, the walk reads the same.

use core::ops::Range;

use super::Cursor;
use super::print::MAX_ARGS;
use super::window::Window;
use crate::table::{
    Finder, InstructionSet, Mnemonic, Opcode, Place, Read, ReadKind, ReadNames, ReadSlot,
    ReadSuffix, halves,
};

/// The most symbols of a syntax that is read so, and one that none has.
const SYMBOLS: usize = 32;

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
        let (mnemonic, span) = self.plain_mnemonic(cursor, window)?;
        let first = self.spellings.get(usize::from(*mnemonic.opcodes.first()?))?;
        // As many as share the syntax: there are no others of the mnemonic.
        if mnemonic.opcodes.len() != usize::from(first.syntax.heirs) {
            return None;
        }
        let numbers = mnemonic.opcodes;
        let live = u64::MAX.unbounded_shr(64u32.saturating_sub(numbers.len() as u32));
        let mut quick = Quick {
            window,
            at: 0,
            live,
            filled: 0,
            presumed: 0,
            values: [0; SYMBOLS],
            spellings: self.spellings,
            numbers,
            start: cursor.position(),
            cursor,
        };
        quick.run(first.syntax.reader, &span)
    }

    /// The mnemonic, behind a guard if there is one, and its place in the window.
    #[inline(always)]
    fn plain_mnemonic(
        &self,
        cursor: &Cursor<'_>,
        window: Window<'_>,
    ) -> Option<(&'static Mnemonic, Range<usize>)> {
        if self.finder.entries.is_empty() {
            let (mnemonic, span) = self.mnemonic(&mut cursor.clone()).ok()?;
            let start = cursor.position();
            return Some((mnemonic, span.start.checked_sub(start)?..span.end.checked_sub(start)?));
        }
        let mut at = 0;
        if window.byte(0) == b'@' {
            at = 1 + usize::from(window.byte(1) == b'!');
            at += window.word_len(at) + 1;
        }
        let len = window.word_len(at);
        let head = window.load(at) & u64::MAX.unbounded_shr(64u32.saturating_sub(8 * len as u32));
        let key = Finder::mix(head, window.byte((at + len).wrapping_sub(1)), len);
        let mnemonic = self.mnemonics.get(self.finder.find(key)?)?;
        let fits = mnemonic.text.len() == len && is_at(window, at, mnemonic.text.as_bytes());
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

/// One reading.
struct Quick<'w, 't> {
    window: Window<'w>,
    /// How much of the window is read.
    at: usize,
    /// The opcodes of the mnemonic that the text fits, as bits.
    live: u64,
    filled: u64,
    /// The symbols that a format took the default of.
    presumed: u64,
    values: [u64; SYMBOLS],
    spellings: &'w [&'static Opcode],
    /// The opcodes and aliases of the mnemonic, by their numbers.
    numbers: &'static [u16],
    /// Where in the text the window begins.
    start: usize,
    cursor: &'w mut Cursor<'t>,
}

impl Quick<'_, '_> {
    #[inline(always)]
    fn run(&mut self, steps: &'static [Read], mnemonic: &Range<usize>) -> Option<(usize, u128)> {
        let mut rest = steps;
        if rest.is_empty() {
            return None;
        }
        while let [step, behind @ ..] = rest {
            rest = behind;
            match step {
                Read::Operand(slot) => self.slot(slot)?,
                Read::Names(names) => self.names(names)?,
                Read::Text(text) => {
                    if !text.begins(self.window.load(self.at)) {
                        return None;
                    }
                    self.at += text.len();
                }
                Read::Mnemonic => {
                    if self.at != mnemonic.start {
                        return None;
                    }
                    self.at = mnemonic.end;
                }
                Read::Optional(text, steps) => {
                    if !text.begins(self.window.load(self.at)) {
                        rest = rest.get(usize::from(*steps)..)?;
                    }
                }
                Read::Tags(tags) => self.tags(tags)?,
            }
        }
        if self.at > Window::TEXT {
            return None;
        }
        self.cursor.seek(self.start + self.at);
        self.build()
    }

    #[inline(always)]
    fn fill(&mut self, symbol: u8, value: u64) {
        self.values[usize::from(symbol) % SYMBOLS] = value;
        self.filled |= 1 << (symbol & 31);
    }

    /// An operand with its marks and modifiers.
    #[inline(always)]
    fn slot(&mut self, slot: &'static ReadSlot) -> Option<()> {
        if !slot.before.begins(self.window.load(self.at)) {
            return None;
        }
        self.at += slot.before.len();
        let (marks, live) = match slot.may_be_marked(self.window.byte(self.at)) {
            true => self.marks(slot),
            false => ([0; 2], self.live),
        };
        self.live = live;
        let value = self.operand(slot.kinds, slot.takes)?;
        self.fill(slot.symbol, value);
        if slot.fills | (marks[0] | marks[1] != 0) {
            for (mark, there) in slot.marks.iter().zip(marks) {
                self.values[usize::from(mark.symbol) % SYMBOLS] = mark.present ^ there ^ 1;
                self.filled |= (there | u64::from(mark.always)) << (mark.symbol & 31);
            }
        }
        match &slot.suffix {
            ReadSuffix::Names(names) => self.names(names)?,
            ReadSuffix::Operand { symbol, takes, kinds } => {
                if self.window.byte(self.at) == b'.' {
                    self.at += 1;
                    let value = self.operand(kinds, *takes)?;
                    self.fill(*symbol, value);
                }
            }
        }
        match marks {
            [0, 0] => Some(()),
            marks => self.close(slot, marks),
        }
    }

    /// Takes the marks before an operand, the second without a jump: which of them are there is
    /// random. Gives which are, and the opcodes that have those.
    #[inline(always)]
    fn marks(&mut self, slot: &'static ReadSlot) -> ([u64; 2], u64) {
        if slot.own.has(self.window.byte(self.at + 1)) {
            // The operand by itself may begin so.
            return ([0; 2], self.live);
        }
        let (mut marks, mut live) = ([0; 2], self.live);
        for (mark, there) in slot.marks.iter().zip(&mut marks) {
            let bound = live & mark.bound;
            *there = u64::from((self.window.byte(self.at) == mark.open) & (bound != 0));
            live &= mark.bound | there.wrapping_sub(1);
            self.at += *there as usize;
        }
        (marks, live)
    }

    #[inline(always)]
    fn close(&mut self, slot: &'static ReadSlot, marks: [u64; 2]) -> Option<()> {
        let mut open = false;
        for (mark, there) in slot.marks.iter().zip(marks).rev() {
            let closes = (mark.close != 0) & (there != 0);
            open |= closes & (self.window.byte(self.at) != mark.close);
            self.at += usize::from(closes);
        }
        (!open).then_some(())
    }

    #[inline(always)]
    fn names(&mut self, names: &'static ReadNames) -> Option<()> {
        while self.window.byte(self.at) == b'.' {
            let (key, len) = self.window.short_word(self.at + 1)?;
            let first = self.live & self.live.wrapping_neg();
            let mut alike = names.from(key).iter();
            let name = loop {
                let name = alike.next().filter(|name| name.key == key)?;
                if name.takes & first != 0 && self.filled >> (name.symbol & 31) & 1 == 0 {
                    break name;
                }
            };
            self.live &= name.fits;
            self.at += 1 + len;
            self.fill(name.symbol, name.raw);
        }
        // Without opcodes left none has the word.
        (self.filled & names.required == names.required).then_some(())
    }

    /// Reads an operand of one of some kinds, which are those of the opcodes `takes`.
    #[inline(always)]
    fn operand(&mut self, kinds: &'static [ReadKind], takes: u64) -> Option<u64> {
        let mut untried = self.live & takes;
        for kind in kinds {
            let takes = self.live & kind.takes;
            if takes == 0 {
                continue;
            }
            if let Some(value) = self.read(kind)? {
                // Another may come first in the order of the opcodes.
                if takes & untried & untried.wrapping_neg() == 0 {
                    return None;
                }
                self.live = takes;
                return Some(value);
            }
            untried &= !kind.takes;
        }
        None
    }

    /// Reads an operand of a kind; `Some(None)` where the text is none.
    #[inline(always)]
    fn read(&mut self, kind: &'static ReadKind) -> Option<Option<u64>> {
        if let Some(names) = &kind.names
            && let Some((number, behind)) = names.read(self.window, self.at)
        {
            self.at = behind;
            return Some(Some(number));
        }
        if !kind.first.has(self.window.byte(self.at)) {
            return Some(None);
        }
        self.call(kind)
    }

    #[inline(never)]
    fn call(&mut self, kind: &'static ReadKind) -> Option<Option<u64>> {
        self.cursor.seek(self.start + self.at);
        if !kind.told && !(kind.text.looks_like)(self.cursor) {
            return Some(None);
        }
        let mut args = [0; MAX_ARGS];
        for (place, &symbol) in args.iter_mut().zip(kind.args) {
            *place = match self.filled >> (symbol & 31) & 1 {
                1 => self.values[usize::from(symbol) % SYMBOLS],
                _ => {
                    self.presumed |= 1 << (symbol & 31);
                    self.default(symbol)?
                }
            };
        }
        let value = (kind.text.read)(self.cursor, args.get(..kind.args.len())?).ok()?;
        self.at = self.cursor.position().checked_sub(self.start)?;
        (self.at <= Window::TEXT).then_some(Some(value))
    }

    /// The default of a field in the first of the opcodes.
    fn default(&self, symbol: u8) -> Option<u64> {
        let (_, opcode) = self.first()?;
        let place = opcode.program.places.get(usize::from(symbol))?;
        (place.mask != 0).then_some(place.get(halves(opcode.start)))
    }

    #[inline(always)]
    fn tags(&mut self, tags: &'static [(u8, ReadKind)]) -> Option<()> {
        while self.window.byte(self.at) == b' ' {
            self.at += 1;
            let mut untried = tags.iter();
            let (symbol, value) = loop {
                let (symbol, kind) = untried.next()?;
                if self.filled >> (symbol & 31) & 1 == 0
                    && let Some(value) = self.read(kind)?
                {
                    break (*symbol, value);
                }
            };
            self.fill(symbol, value);
        }
        Some(())
    }

    #[inline(always)]
    fn first(&self) -> Option<(usize, &'static Opcode)> {
        let number = usize::from(*self.numbers.get(self.live.trailing_zeros() as usize)?);
        Some((number, self.spellings.get(number)?))
    }

    /// The word of the first opcode left, if it is legal.
    #[inline(always)]
    fn build(&self) -> Option<(usize, u128)> {
        if self.presumed & self.filled != 0 {
            return None;
        }
        let (number, opcode) = self.first()?;
        let places = opcode.program.places;
        let [mut low, mut high] = halves(opcode.start);
        let (mut rest, mut excess) = (self.filled, 0);
        while rest != 0 {
            let symbol = rest.trailing_zeros() as usize % SYMBOLS;
            rest &= rest - 1;
            let &Place { mask, turn, upper } = places.get(symbol)?;
            let bits = self.values[symbol].rotate_left(turn.into());
            let above = mask & u64::from(upper & 1).wrapping_neg();
            let below = mask ^ above;
            low = low & !below | bits & below;
            high = high & !above | bits & above;
            excess |= bits & !mask | u64::from(upper >> 1);
        }
        let word = u128::from(high) << 64 | u128::from(low);
        (excess == 0 && opcode.check(word)).then_some((number, word))
    }
}
