//! One statement on its way from text to word.

use core::ops::Range;

use crate::asm::Cursor;
use crate::asm::candidates::Bits;
use crate::asm::print::MAX_ARGS;
use crate::asm::window::Window;
use crate::table::{Opcode, Read, ReadArg, ReadKind, ReadNames, ReadSlot, ReadSuffix, Way, halves};

/// The most symbols of a syntax that is read so, and one that none has.
pub(super) const SYMBOLS: usize = 32;

/// Opcodes and aliases of a mnemonic that share a syntax.
#[derive(Clone, Copy)]
pub(super) struct Choice<'w> {
    pub(super) spellings: &'w [&'static Opcode],
    /// The numbers of those of the mnemonic among `spellings`.
    pub(super) numbers: &'static [u16],
    /// The places of those of the syntax among `numbers`; empty where they are all.
    pub(super) places: &'static [u16],
}

impl Choice<'_> {
    /// The first of some opcodes of the choice, with its number.
    #[inline(always)]
    fn first(&self, live: u64) -> Option<(usize, &'static Opcode)> {
        let bit = live.trailing_zeros() as usize;
        let place = match self.places {
            [] => bit,
            places => usize::from(*places.get(bit)?),
        };
        let number = usize::from(*self.numbers.get(place)?);
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

/// One reading of a statement.
// Nothing that is not inlined gets a reference to all of it, so that the state is in registers.
pub(super) struct Quick<'w, 't> {
    window: Window<'w>,
    state: State,
    values: &'w mut [u64; SYMBOLS],
    choice: Choice<'w>,
    /// Where in the text the window begins.
    start: usize,
    cursor: &'w mut Cursor<'t>,
}

impl<'w, 't> Quick<'w, 't> {
    /// Begins at the cursor with the opcodes of a choice.
    #[inline(always)]
    pub(super) fn new(
        window: Window<'w>,
        choice: Choice<'w>,
        cursor: &'w mut Cursor<'t>,
        values: &'w mut [u64; SYMBOLS],
    ) -> Self {
        let state = State { at: 0, live: all_of(choice.numbers.len()), filled: 0, presumed: 0 };
        Quick { window, state, values, choice, start: cursor.position(), cursor }
    }

    #[inline(always)]
    pub(super) fn run(
        &mut self,
        steps: &'static [Read],
        mnemonic: &Range<usize>,
    ) -> Option<(usize, u128)> {
        match self.follow(steps, mnemonic)? {
            [] => self.finish(),
            _ => None,
        }
    }

    /// Reads by the steps of all syntaxes of a mnemonic.
    pub(super) fn run_joint(
        &mut self,
        steps: &'static [Read],
        mnemonic: &Range<usize>,
    ) -> Option<(usize, u128)> {
        // What was known where ways part, and the ways that are left there. Few templates part more often;
        // those are left to the walk.
        let mut forks: [(State, &'static [Way]); 12] = [(self.state, &[]); 12];
        let (mut open, mut steps) = (0usize, steps);
        loop {
            match self.follow(steps, mnemonic) {
                None => {}
                Some([]) => {
                    if let Some(found) = self.finish() {
                        return Some(found);
                    }
                }
                Some(ways) => {
                    *forks.get_mut(open)? = (self.state, ways);
                    open += 1;
                }
            }
            steps = loop {
                let (state, ways) = forks.get_mut(open.checked_sub(1)?)?;
                let byte = self.window.byte(state.at);
                match ways.iter().position(|way| way.first.has(byte)) {
                    None => open -= 1,
                    Some(place) => {
                        let way = ways.get(place)?;
                        *ways = ways.get(place + 1..)?;
                        self.state = *state;
                        break way.steps;
                    }
                }
            };
        }
    }

    /// Follows steps to their end, or to where ways part, which it gives.
    #[inline(always)]
    fn follow(
        &mut self,
        steps: &'static [Read],
        mnemonic: &Range<usize>,
    ) -> Option<&'static [Way]> {
        if steps.is_empty() {
            return None;
        }
        let mut rest = steps.iter();
        while let Some(step) = rest.next() {
            match step {
                Read::Operand(slot) => self.slot(slot)?,
                Read::Names(names) => self.names(names)?,
                Read::Name(names) => self.name(names, self.state.at)?,
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
                Read::Optional(text, steps, takes) => {
                    if text.begins(self.window.load(self.state.at)) {
                        self.state.live &= takes;
                    } else {
                        rest = rest.as_slice().get(usize::from(*steps)..)?.iter();
                    }
                }
                Read::Tags(tags) => self.tags(tags)?,
                Read::Among(places) => {
                    self.choice.places = places;
                    self.state.live &= all_of(places.len());
                }
                Read::Fork(ways) => return Some(ways),
            }
        }
        Some(&[])
    }

    #[inline(always)]
    fn finish(&mut self) -> Option<(usize, u128)> {
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
        if let Some(value) = self.plain(slot) {
            self.fill(slot.symbol, value);
            return match slot.is_open | (self.window.byte(self.state.at) == b'.') {
                true => self.suffix(slot),
                false => Some(()),
            };
        }
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
        self.suffix(slot)?;
        match marks {
            [0, 0] => Some(()),
            marks => self.close(slot, marks),
        }
    }

    /// The number of the usual operand: one of numbered names, without marks, of the kind that comes
    /// first. `None` says nothing.
    #[inline(always)]
    fn plain(&mut self, slot: &'static ReadSlot) -> Option<u64> {
        let text = slot.plain.filter(|text| text.begins(self.window.load(self.state.at)))?;
        let kind = slot.kinds.first()?;
        let (takes, all) = (self.state.live & kind.takes, self.state.live & slot.takes);
        let (number, behind) =
            kind.names.as_ref()?.number(self.window, self.state.at + text.len())?;
        // No other kind comes first in the order of the opcodes.
        if takes & all & all.wrapping_neg() == 0 {
            return None;
        }
        (self.state.at, self.state.live) = (behind, takes);
        Some(number)
    }

    /// The modifiers of an operand.
    #[inline(always)]
    fn suffix(&mut self, slot: &'static ReadSlot) -> Option<()> {
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
        Some(())
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
        let ([outer, inner], [has_outer, has_inner]) = (&slot.marks, marks);
        for (mark, there) in [(inner, has_inner), (outer, has_outer)] {
            let closes = (mark.close != 0) & (there != 0);
            open |= closes & (self.window.byte(self.state.at) != mark.close);
            self.state.at += usize::from(closes);
        }
        (!open).then_some(())
    }

    #[inline(always)]
    fn names(&mut self, names: &'static ReadNames) -> Option<()> {
        while self.window.byte(self.state.at) == b'.' {
            self.name(names, self.state.at + 1)?;
        }
        // Without opcodes left none has the word.
        (self.state.filled & names.required == names.required).then_some(())
    }

    /// The name at a place.
    #[inline(always)]
    fn name(&mut self, names: &'static ReadNames, at: usize) -> Option<()> {
        let (key, len) = self.window.short_word(at)?;
        let first = self.state.live & self.state.live.wrapping_neg();
        let State { filled, live, .. } = self.state;
        let (name, elsewhere) = match names.taken(key, filled, first) {
            Ok(taken) => taken,
            // The first opcode does not take it: the first does that does.
            Err(all) => {
                let takers = all & live;
                names.taken(key, filled, takers & takers.wrapping_neg()).ok()?
            }
        };
        self.state.live &= name.takes & !elsewhere;
        self.state.at = at + len;
        self.fill(name.symbol, name.raw);
        Some(())
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
            by_text(kind, self.cursor, self.start, self.state, self.values, &self.choice);
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
        if self.state.filled & self.state.presumed != 0 {
            return None;
        }
        if self.state.filled & opcode.program.split != 0 {
            return build_split(&self.choice, self.state.live, self.state.filled, self.values);
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
        ((excess == 0) & opcode.screen.passes(word)).then_some((number, word))
    }
}

/// So many opcodes.
#[inline(always)]
fn all_of(count: usize) -> u64 {
    u64::MAX.unbounded_shr(64u32.saturating_sub(count as u32))
}

/// As [`Quick::build`], where an opcode has a field in several runs of bits, or bits that several
/// places of the text show, which must agree: the first of the opcodes left that the values fit.
#[inline(never)]
fn build_split(
    choice: &Choice<'_>,
    mut live: u64,
    filled: u64,
    values: &[u64; SYMBOLS],
) -> Option<(usize, u128)> {
    let filled = || Bits(filled).map(|symbol| (symbol as u8, values[symbol as usize % SYMBOLS]));
    while let Some((number, opcode)) = choice.first(live) {
        let mut word = opcode.start;
        for (symbol, value) in filled() {
            word = opcode.bound(symbol)?.1.set(word, value);
        }
        let agrees = |(symbol, value)| {
            opcode.bound(symbol).is_some_and(|(_, field)| field.get(word) == value)
        };
        if filled().all(agrees) && opcode.screen.passes(word) {
            return Some((number, word));
        }
        live &= live.wrapping_sub(1);
    }
    None
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
    let is_told = cursor.rest().first().is_some_and(|&byte| kind.told.has(byte));
    if !is_told && !kind.text.looks_like(cursor) {
        return (None, state);
    }
    let mut read = || {
        let mut args = [0; MAX_ARGS];
        for (place, arg) in args.iter_mut().zip(kind.args) {
            *place = match *arg {
                ReadArg::Always(value) => value,
                ReadArg::Shown { symbol, shift, width } => {
                    let shown = match state.filled >> (symbol & 31) & 1 {
                        1 => values[usize::from(symbol) % SYMBOLS],
                        _ => {
                            state.presumed |= 1 << (symbol & 31);
                            default(choice.first(state.live)?.1, symbol)?
                        }
                    };
                    ReadArg::of(shift, width, shown)
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
