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
    Finder, InstructionSet, Mnemonic, Opcode, Read, ReadKind, ReadNames, ReadSlot, ReadSuffix,
    halves,
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
        let (choice, start) = (Choice { spellings: self.spellings, numbers }, cursor.position());
        let mut values = [0; SYMBOLS];
        let state = State { at: 0, live, filled: 0, presumed: 0 };
        let mut quick =
            Quick { window, state, values: &mut values, choice: &choice, start, cursor };
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

/// The opcodes and aliases of a mnemonic.
struct Choice<'w> {
    spellings: &'w [&'static Opcode],
    /// Their numbers.
    numbers: &'static [u16],
}

impl Choice<'_> {
    /// The first of some of them, with its number.
    #[inline(always)]
    fn first(&self, live: u64) -> Option<(usize, &'static Opcode)> {
        let number = usize::from(*self.numbers.get(live.trailing_zeros() as usize)?);
        Some((number, self.spellings.get(number)?))
    }
}

/// What is known so far.
#[derive(Clone, Copy)]
struct State {
    /// How much of the window is read.
    at: usize,
    /// The opcodes of the mnemonic that the text fits, as bits.
    live: u64,
    /// The symbols that have a value.
    filled: u64,
    /// The symbols that a format took the default of.
    presumed: u64,
}

/// One reading.
// Nothing that is not inlined gets a reference to all of it, so that the state is in registers.
struct Quick<'w, 't> {
    window: Window<'w>,
    state: State,
    values: &'w mut [u64; SYMBOLS],
    choice: &'w Choice<'w>,
    /// Where in the text the window begins.
    start: usize,
    cursor: &'w mut Cursor<'t>,
}

impl Quick<'_, '_> {
    #[inline(always)]
    fn run(&mut self, steps: &'static [Read], mnemonic: &Range<usize>) -> Option<(usize, u128)> {
        if steps.is_empty() {
            return None;
        }
        let mut rest = steps.iter();
        while let Some(step) = rest.next() {
            match step {
                Read::Operand(slot) => self.slot(slot)?,
                Read::Names(names) => self.names(names)?,
                Read::Text(text) => {
                    if !text.begins(self.window.load(self.state.at)) {
                        return None;
                    }
                    self.state.at += text.len();
                }
                Read::Mnemonic => {
                    if self.state.at != mnemonic.start {
                        return None;
                    }
                    self.state.at = mnemonic.end;
                }
                Read::Optional(text, steps) => {
                    if !text.begins(self.window.load(self.state.at)) {
                        rest = rest.as_slice().get(usize::from(*steps)..)?.iter();
                    }
                }
                Read::Tags(tags) => self.tags(tags)?,
            }
        }
        if self.state.at > Window::TEXT {
            return None;
        }
        self.cursor.seek(self.start + self.state.at);
        self.build()
    }

    #[inline(always)]
    fn fill(&mut self, symbol: u8, value: u64) {
        self.values[usize::from(symbol) % SYMBOLS] = value;
        self.state.filled |= 1 << (symbol & 31);
    }

    /// An operand with its marks and modifiers.
    #[inline(always)]
    fn slot(&mut self, slot: &'static ReadSlot) -> Option<()> {
        if !slot.before.begins(self.window.load(self.state.at)) {
            return None;
        }
        self.state.at += slot.before.len();
        let (marks, live) = match slot.may_be_marked(self.window.byte(self.state.at)) {
            true => self.marks(slot),
            false => ([0; 2], self.state.live),
        };
        self.state.live = live;
        let value = self.operand(slot.kinds, slot.takes)?;
        self.fill(slot.symbol, value);
        if slot.fills | (marks[0] | marks[1] != 0) {
            for (mark, there) in slot.marks.iter().zip(marks) {
                self.values[usize::from(mark.symbol) % SYMBOLS] = mark.present ^ there ^ 1;
                self.state.filled |= (there | u64::from(mark.always)) << (mark.symbol & 31);
            }
        }
        match &slot.suffix {
            ReadSuffix::Names(names) => self.names(names)?,
            ReadSuffix::Operand { symbol, takes, kinds } => {
                if self.window.byte(self.state.at) == b'.' {
                    self.state.at += 1;
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
        if slot.own.has(self.window.byte(self.state.at + 1)) {
            // The operand by itself may begin so.
            return ([0; 2], self.state.live);
        }
        let (mut marks, mut live) = ([0; 2], self.state.live);
        for (mark, there) in slot.marks.iter().zip(&mut marks) {
            let bound = live & mark.bound;
            *there = u64::from((self.window.byte(self.state.at) == mark.open) & (bound != 0));
            live &= mark.bound | there.wrapping_sub(1);
            self.state.at += *there as usize;
        }
        (marks, live)
    }

    #[inline(always)]
    fn close(&mut self, slot: &'static ReadSlot, marks: [u64; 2]) -> Option<()> {
        let mut open = false;
        for (mark, there) in slot.marks.iter().zip(marks).rev() {
            let closes = (mark.close != 0) & (there != 0);
            open |= closes & (self.window.byte(self.state.at) != mark.close);
            self.state.at += usize::from(closes);
        }
        (!open).then_some(())
    }

    #[inline(always)]
    fn names(&mut self, names: &'static ReadNames) -> Option<()> {
        while self.window.byte(self.state.at) == b'.' {
            let (key, len) = self.window.short_word(self.state.at + 1)?;
            let first = self.state.live & self.state.live.wrapping_neg();
            let mut alike = names.from(key).iter();
            let name = loop {
                let name = alike.next().filter(|name| name.key == key)?;
                if name.takes & first != 0 && self.state.filled >> (name.symbol & 31) & 1 == 0 {
                    break name;
                }
            };
            self.state.live &= name.fits;
            self.state.at += 1 + len;
            self.fill(name.symbol, name.raw);
        }
        // Without opcodes left none has the word.
        (self.state.filled & names.required == names.required).then_some(())
    }

    /// Reads an operand of one of some kinds, which are those of the opcodes `takes`.
    #[inline(always)]
    fn operand(&mut self, kinds: &'static [ReadKind], takes: u64) -> Option<u64> {
        let mut untried = self.state.live & takes;
        for kind in kinds {
            let takes = self.state.live & kind.takes;
            if takes == 0 {
                continue;
            }
            if let Some(value) = self.read(kind) {
                // Another may come first in the order of the opcodes.
                if takes & untried & untried.wrapping_neg() == 0 {
                    return None;
                }
                self.state.live &= takes;
                return Some(value);
            }
            untried &= !kind.takes;
        }
        None
    }

    /// Reads an operand of a kind, if the text is one.
    #[inline(always)]
    fn read(&mut self, kind: &'static ReadKind) -> Option<u64> {
        if let Some(names) = &kind.names
            && let Some((number, behind)) = names.read(self.window, self.state.at)
        {
            self.state.at = behind;
            return Some(number);
        }
        if kind.first.has(self.window.byte(self.state.at)) { self.call(kind) } else { None }
    }

    /// Reads an operand by its text function. Where that fails, no opcode is left.
    #[inline(always)]
    fn call(&mut self, kind: &'static ReadKind) -> Option<u64> {
        self.cursor.seek(self.start + self.state.at);
        let (value, state) =
            by_text(kind, self.cursor, self.start, self.state, self.values, self.choice);
        self.state = state;
        value
    }

    #[inline(always)]
    fn tags(&mut self, tags: &'static [(u8, ReadKind)]) -> Option<()> {
        while self.window.byte(self.state.at) == b' ' {
            self.state.at += 1;
            let mut untried = tags.iter();
            let (symbol, value) = loop {
                let (symbol, kind) = untried.next()?;
                if self.state.filled >> (symbol & 31) & 1 == 0
                    && let Some(value) = self.read(kind)
                {
                    break (*symbol, value);
                }
            };
            self.fill(symbol, value);
        }
        Some(())
    }

    /// The word of the first opcode left, if it is legal.
    #[inline(always)]
    fn build(&self) -> Option<(usize, u128)> {
        let (number, opcode) = self.choice.first(self.state.live)?;
        if self.state.filled & (self.state.presumed | opcode.program.split) != 0 {
            return None;
        }
        let places = opcode.program.places;
        let ([mut low, mut high], mut below, mut above) = ([0; 2], 0, 0);
        let (mut rest, mut excess) = (self.state.filled, 0);
        while rest != 0 {
            let symbol = rest.trailing_zeros() as usize % SYMBOLS;
            rest &= rest - 1;
            let place = places.get(symbol)?;
            let bits = self.values[symbol].rotate_left(place.turn);
            let ours = [bits & place.masks[0], bits & place.masks[1]];
            (low, high) = (low | ours[0], high | ours[1]);
            (below, above) = (below | place.masks[0], above | place.masks[1]);
            excess |= bits ^ ours[0] ^ ours[1];
        }
        let start = halves(opcode.start);
        (low, high) = (low | start[0] & !below, high | start[1] & !above);
        let word = u128::from(high) << 64 | u128::from(low);
        (excess == 0 && opcode.check(word)).then_some((number, word))
    }
}

/// Reads an operand by its text function from where the cursor stands. Where the text is meant as
/// one and is none, no opcode is left.
#[inline(never)]
fn by_text(
    kind: &'static ReadKind,
    cursor: &mut Cursor<'_>,
    start: usize,
    mut state: State,
    values: &[u64; SYMBOLS],
    choice: &Choice<'_>,
) -> (Option<u64>, State) {
    if !kind.told && !(kind.text.looks_like)(cursor) {
        return (None, state);
    }
    let mut read = || {
        let mut args = [0; MAX_ARGS];
        for (place, &symbol) in args.iter_mut().zip(kind.args) {
            *place = match state.filled >> (symbol & 31) & 1 {
                1 => values[usize::from(symbol) % SYMBOLS],
                _ => {
                    state.presumed |= 1 << (symbol & 31);
                    default(choice.first(state.live)?.1, symbol)?
                }
            };
        }
        let value = (kind.text.read)(cursor, args.get(..kind.args.len())?).ok()?;
        state.at = cursor.position().checked_sub(start)?;
        (state.at <= Window::TEXT).then_some(value)
    };
    let value = read();
    if value.is_none() {
        state.live = 0;
    }
    (value, state)
}

/// The default of the field that an opcode has for a symbol.
fn default(opcode: &'static Opcode, symbol: u8) -> Option<u64> {
    let place = opcode.program.places.get(usize::from(symbol))?;
    place.is_there().then(|| place.get(halves(opcode.start)))
}
