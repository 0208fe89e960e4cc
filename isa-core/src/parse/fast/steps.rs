//! The fast parser's state and steps for one statement.

use core::num::NonZeroU64;
use core::ops::Range;

use crate::bits::{SetBits, halves};
use crate::table::{
    Changes, MAX_ARGS, Opcode, ParseArg, ParseBranch, ParseKind, ParseNames, ParseProgram,
    ParseSlot, ParseStep, ParseSuffix, Plain, ValueLayout,
};
use crate::text::{Cursor, Window};

/// The maximum number of placeholders in a syntax for the fast parser, plus one index that no
/// syntax uses. The code calls a placeholder a `symbol`.
pub(super) const SYMBOLS: usize = 32;

/// Opcodes and aliases of a mnemonic that share a syntax.
#[derive(Clone, Copy)]
pub(super) struct OpcodeChoice<'w> {
    pub(super) spellings: &'w [&'static Opcode],
    /// The rows of the mnemonic, as indexes into `spellings`.
    pub(super) numbers: &'static [u16],
    /// The rows of the syntax, as indexes into `numbers`; empty if these are all rows of the
    /// mnemonic.
    pub(super) places: &'static [u16],
}

impl OpcodeChoice<'_> {
    /// Returns the first opcode in the bit set `live`, with its index.
    #[inline(always)]
    pub(super) fn first(&self, live: u64) -> Option<(usize, &'static Opcode)> {
        let bit = live.trailing_zeros() as usize;
        let place = match self.places {
            [] => bit,
            places => usize::from(*places.get(bit)?),
        };
        let number = usize::from(*self.numbers.get(place)?);
        Some((number, self.spellings.get(number)?))
    }
}

/// The progress of a parse, small enough that calls pass it in registers.
#[derive(Clone, Copy)]
pub(super) struct ParseState {
    /// The opcodes of the mnemonic that match the text, as bits. If none is left, the parse ends.
    pub(super) live: NonZeroU64,
    /// The lower half is the number of parsed bytes of the window. The upper half is the bit set of
    /// placeholders that have a value.
    done: u64,
}

impl ParseState {
    /// Creates the initial state for `count` opcodes.
    fn new(count: usize) -> Option<Self> {
        Some(ParseState { live: NonZeroU64::new(all_of(count))?, done: 0 })
    }

    #[inline(always)]
    pub(super) const fn at(self) -> usize {
        self.done as u32 as usize
    }

    /// Returns the bit set of placeholders that have a value.
    #[inline(always)]
    pub(super) const fn filled(self) -> u64 {
        self.done >> 32
    }

    /// Advances by `len` bytes of the window.
    #[inline(always)]
    const fn advanced(self, len: usize) -> Self {
        ParseState { done: self.done.wrapping_add(len as u64), ..self }
    }

    /// Keeps only the opcodes in `some`. Returns `None` if no opcode is left.
    #[inline(always)]
    fn only(self, some: u64) -> Option<Self> {
        Some(ParseState { live: NonZeroU64::new(self.live.get() & some)?, ..self })
    }

    /// Returns the first of the opcodes, as a bit.
    #[inline(always)]
    const fn first(self) -> u64 {
        let live = self.live.get();
        live & live.wrapping_neg()
    }
}

/// One parse of a statement.
// Data that changes in each step is stored in `ParseState`, which stays in registers. The fields of this
// type are in memory.
pub(super) struct FastParser<'w, 't> {
    window: Window<'w>,
    pub(super) values: [u64; SYMBOLS],
    /// The placeholders whose default a format used, as a bit set.
    pub(super) presumed: u64,
    pub(super) choice: OpcodeChoice<'w>,
    /// The bit positions of the placeholders whose positions are the same for all opcodes. `changes`
    /// contains the bits that were stored there.
    pub(super) places: ValueLayout,
    pub(super) changes: Changes,
    /// The position of the window in the text.
    pub(super) start: usize,
    pub(super) cursor: &'w mut Cursor<'t>,
}

impl<'w, 't> FastParser<'w, 't> {
    /// Starts a parse at the cursor with the opcodes of a choice.
    #[inline(always)]
    pub(super) fn new(
        window: Window<'w>,
        choice: OpcodeChoice<'w>,
        places: ValueLayout,
        cursor: &'w mut Cursor<'t>,
    ) -> Self {
        let (values, changes, start) = ([0; SYMBOLS], Changes::default(), cursor.position());
        FastParser { window, values, presumed: 0, choice, places, changes, start, cursor }
    }

    // Not inlined, so that the loop needs registers only for the state and the steps.
    #[inline(never)]
    pub(super) fn run(
        &mut self,
        reader: &'static ParseProgram,
        mnemonic: &Range<usize>,
    ) -> Option<(usize, u128)> {
        let (mut state, steps) = self.begin(reader, mnemonic)?;
        match self.follow(steps, mnemonic, &mut state)? {
            [] => self.finish(state),
            _ => None,
        }
    }

    /// Parses by the steps of all syntaxes of a mnemonic.
    pub(super) fn run_joint(
        &mut self,
        reader: &'static ParseProgram,
        mnemonic: &Range<usize>,
    ) -> Option<(usize, u128)> {
        let (mut state, mut steps) = self.begin(reader, mnemonic)?;
        // For each fork of the steps, the state before it and the remaining branches. Few templates
        // have more forks; the template interpreter parses their text.
        let mut forks: [(ParseState, u64, &'static [ParseBranch]); 12] = [(state, 0, &[]); 12];
        let mut open = 0usize;
        loop {
            match self.follow(steps, mnemonic, &mut state) {
                None => {}
                Some([]) => {
                    if let Some(found) = self.finish(state) {
                        return Some(found);
                    }
                }
                Some(ways) => {
                    *forks.get_mut(open)? = (state, self.presumed, ways);
                    open += 1;
                }
            }
            steps = loop {
                let (known, presumed, ways) = forks.get_mut(open.checked_sub(1)?)?;
                let byte = self.window.byte(known.at());
                match ways.iter().position(|way| way.first.has(byte)) {
                    None => open -= 1,
                    Some(place) => {
                        let way = ways.get(place)?;
                        *ways = ways.get(place + 1..)?;
                        (state, self.presumed) = (*known, *presumed);
                        break way.steps;
                    }
                }
            };
        }
    }

    /// Returns the initial state and the first steps of a parse. If the text begins with the mnemonic,
    /// the parse starts after the mnemonic.
    #[inline(always)]
    fn begin(
        &self,
        reader: &'static ParseProgram,
        mnemonic: &Range<usize>,
    ) -> Option<(ParseState, &'static [ParseStep])> {
        let state = ParseState::new(self.choice.numbers.len())?;
        match (reader.steps, reader.after_mnemonic, mnemonic.start) {
            ([], _, _) => None,
            (steps, after @ 1.., 0) => {
                Some((state.advanced(mnemonic.end), steps.get(usize::from(after)..)?))
            }
            (steps, _, _) => Some((state, steps)),
        }
    }

    /// Executes steps to their end, or to a fork, whose branches it returns.
    #[inline(always)]
    fn follow(
        &mut self,
        steps: &'static [ParseStep],
        mnemonic: &Range<usize>,
        known: &mut ParseState,
    ) -> Option<&'static [ParseBranch]> {
        let (mut rest, window, mut state) = (steps, self.window, *known);
        while let [step, following @ ..] = rest {
            rest = following;
            let next = window.load(state.at());
            state = match step {
                ParseStep::Operand(slot) if !slot.plain.text.begins(next) => {
                    self.slot(slot, state)?
                }
                ParseStep::Operand(slot) => match Self::plain(slot, window, state) {
                    Some((number, state)) => {
                        let state = self.fill(slot.symbol, number, state);
                        match slot.is_open | (window.byte(state.at()) == b'.') {
                            true => self.suffix(slot, state)?,
                            false => state,
                        }
                    }
                    None => self.slot(slot, state)?,
                },
                ParseStep::Names(names) if next as u8 == b'.' => self.names(names, state)?,
                ParseStep::Names(names) => names.all_there(state.filled()).then_some(state)?,
                ParseStep::Name(names) => self.one_name(names, state)?,
                ParseStep::Text(text) => text.begins(next).then_some(state.advanced(text.len()))?,
                ParseStep::Mnemonic if state.at() == mnemonic.start => {
                    state.advanced(mnemonic.len())
                }
                ParseStep::Mnemonic => return None,
                ParseStep::Optional(text, _, takes) if text.begins(next) => state.only(*takes)?,
                ParseStep::Optional(_, steps, _) => {
                    rest = rest.get(usize::from(*steps)..)?;
                    state
                }
                ParseStep::Tags(tags) if next as u8 == b' ' => self.tags(tags, state)?,
                ParseStep::Tags(_) => state,
                ParseStep::Among(places) => {
                    self.choice.places = places;
                    state.only(all_of(places.len()))?
                }
                ParseStep::Fork(ways) => {
                    *known = state;
                    return Some(ways);
                }
            };
        }
        *known = state;
        Some(&[])
    }

    /// Sets the value of the placeholder `symbol`.
    #[inline(always)]
    fn fill(&mut self, symbol: u8, value: u64, state: ParseState) -> ParseState {
        self.fill_if(symbol, value, 1, state)
    }

    /// Sets a value like [`FastParser::fill`]. If `there` is 0, the placeholder does not count as set.
    /// `value` must then be the default if the bit position of the placeholder is the same for all
    /// opcodes.
    #[inline(always)]
    fn fill_if(&mut self, symbol: u8, value: u64, there: u64, state: ParseState) -> ParseState {
        self.values[usize::from(symbol) % SYMBOLS] = value;
        self.places.put(symbol, value, &mut self.changes);
        ParseState { done: state.done | there << 32 << (symbol & 31), ..state }
    }

    /// Parses the number of an operand in its most common form. `None` means that the operand must be
    /// parsed in another form.
    #[inline(always)]
    fn plain(
        slot: &'static ParseSlot,
        window: Window<'_>,
        state: ParseState,
    ) -> Option<(u64, ParseState)> {
        let Plain { text, count, takes, others } = &slot.plain;
        let digits = state.advanced(text.len());
        let (number, len) = window.number_below(*count, digits.at())?;
        let taken = digits.advanced(len).only(*takes)?;
        // The first opcode must not expect another operand type.
        let first = taken.live.get() ^ (taken.live.get() - 1);
        (state.live.get() & others & first == 0).then_some((number, taken))
    }

    /// Parses an operand with its prefix and suffix operators and modifiers.
    #[inline(never)]
    fn slot(&mut self, slot: &'static ParseSlot, state: ParseState) -> Option<ParseState> {
        if !slot.before.begins(self.window.load(state.at())) {
            return None;
        }
        let state = state.advanced(slot.before.len());
        let (marks, state) = match slot.may_be_marked(self.window.byte(state.at())) {
            true => self.marks(slot, state)?,
            false => ([0; 2], state),
        };
        let (value, mut state) = self.operand(slot.kinds, slot.takes, state)?;
        state = self.fill(slot.symbol, value, state);
        if slot.fills | (marks[0] | marks[1] != 0) {
            for (mark, there) in slot.marks.iter().zip(marks) {
                let (value, there) = (mark.present ^ there ^ 1, there | u64::from(mark.always));
                state = self.fill_if(mark.symbol, value, there, state);
            }
        }
        let is_marked = marks[0] | marks[1] != 0;
        if slot.closes_first & is_marked {
            state = self.close(slot, marks, state)?;
        }
        if slot.is_open | (self.window.byte(state.at()) == b'.') {
            state = self.suffix(slot, state)?;
        }
        match is_marked & !slot.closes_first {
            true => self.close(slot, marks, state),
            false => Some(state),
        }
    }

    /// Parses the modifiers of an operand. At least one modifier is present or required.
    #[inline(never)]
    fn suffix(&mut self, slot: &'static ParseSlot, state: ParseState) -> Option<ParseState> {
        match &slot.suffix {
            ParseSuffix::Names(names) => self.names(names, state),
            ParseSuffix::Operand { symbol, takes, kinds } => {
                let (value, state) = self.operand(kinds, *takes, state.advanced(1))?;
                Some(self.fill(*symbol, value, state))
            }
        }
    }

    /// Parses the prefix operators before an operand. For each operator, the returned number is 1 if
    /// the operator is present, or else 0. The second operator is parsed without a branch, because
    /// branches on random input are mispredicted.
    #[inline(always)]
    fn marks(&self, slot: &'static ParseSlot, state: ParseState) -> Option<([u64; 2], ParseState)> {
        if slot.own.has(self.window.byte(state.at() + 1)) {
            // The operand itself may begin with this character.
            return Some(([0; 2], state));
        }
        let (mut marks, mut live, mut at) = ([0; 2], state.live.get(), state.at());
        for (mark, there) in slot.marks.iter().zip(&mut marks) {
            let bound = live & mark.bound;
            *there = u64::from((self.window.byte(at) == mark.open) & (bound != 0));
            live &= mark.bound | there.wrapping_sub(1);
            at += *there as usize;
        }
        Some((marks, state.advanced(at - state.at()).only(live)?))
    }

    #[inline(always)]
    fn close(
        &self,
        slot: &'static ParseSlot,
        marks: [u64; 2],
        state: ParseState,
    ) -> Option<ParseState> {
        let (mut open, mut len) = (false, 0);
        let ([outer, inner], [has_outer, has_inner]) = (&slot.marks, marks);
        for (mark, there) in [(inner, has_inner), (outer, has_outer)] {
            let closes = (mark.close != 0) & (there != 0);
            open |= closes & (self.window.byte(state.at() + len) != mark.close);
            len += usize::from(closes);
        }
        (!open).then_some(state.advanced(len))
    }

    #[inline(never)]
    fn names(&mut self, names: &'static ParseNames, mut state: ParseState) -> Option<ParseState> {
        while self.window.byte(state.at()) == b'.' {
            state = self.name(names, state.advanced(1))?;
        }
        names.all_there(state.filled()).then_some(state)
    }

    /// Parses an operand that is a name.
    #[inline(never)]
    fn one_name(&mut self, names: &'static ParseNames, state: ParseState) -> Option<ParseState> {
        self.name(names, state)
    }

    /// Parses the name at the current position.
    #[inline(always)]
    fn name(&mut self, names: &'static ParseNames, state: ParseState) -> Option<ParseState> {
        let (key, len) = self.window.short_word(state.at())?;
        let (name, elsewhere) = match names.taken(key, state.filled(), state.first()) {
            Ok(taken) => taken,
            // The first opcode does not accept the name, so the parse continues with the opcodes that
            // accept it.
            Err(all) => {
                let takers = state.only(all)?;
                names.taken(key, state.filled(), takers.first()).ok()?
            }
        };
        let state = state.advanced(len).only(name.takes & !elsewhere)?;
        Some(self.fill(name.symbol, name.raw, state))
    }

    /// Parses an operand that has one of the operand types `kinds`; `takes` contains the opcodes
    /// with these types.
    #[inline(always)]
    fn operand(
        &mut self,
        kinds: &'static [ParseKind],
        takes: u64,
        state: ParseState,
    ) -> Option<(u64, ParseState)> {
        let mut untried = state.live.get() & takes;
        for kind in kinds {
            let Some(taken) = state.only(kind.takes) else { continue };
            if let Some((value, at)) = self.read(kind, state)? {
                // An opcode that was not tried yet may precede the first opcode that accepts the
                // operand.
                if taken.live.get() & untried & untried.wrapping_neg() == 0 {
                    return None;
                }
                return Some((value, taken.advanced(at - state.at())));
            }
            untried &= !kind.takes;
        }
        None
    }

    /// Parses an operand of an operand type and returns its value and the position after it. The
    /// inner `None` means that the text is not an operand of this type. The outer `None` means that
    /// it is an invalid operand, and the parse fails.
    #[inline(always)]
    fn read(
        &mut self,
        kind: &'static ParseKind,
        state: ParseState,
    ) -> Option<Option<(u64, usize)>> {
        if let Some(names) = &kind.names
            && let Some((number, len)) = names.read(self.window, state.at())
        {
            return Some(Some((number, state.at() + len)));
        }
        if let Some(names) = &kind.listed
            && let Some((bits, len)) = names.read(self.window, state.at())
        {
            return Some(Some((bits, state.at() + len)));
        }
        match kind.first.has(self.window.byte(state.at())) {
            true => self.by_text(kind, state),
            false => Some(None),
        }
    }

    /// Parses like [`FastParser::read`], with the text function of the operand type.
    #[inline(never)]
    fn by_text(
        &mut self,
        kind: &'static ParseKind,
        state: ParseState,
    ) -> Option<Option<(u64, usize)>> {
        self.cursor.seek(self.start + state.at());
        let is_told = kind.told.has(self.window.byte(state.at()));
        if !is_told && !kind.text.looks_like(self.cursor) {
            return Some(None);
        }
        let mut args = [0; MAX_ARGS];
        for (place, arg) in args.iter_mut().zip(kind.args) {
            *place = match *arg {
                ParseArg::Always(value) => value,
                ParseArg::Shown { symbol, shift, width } => {
                    let shown = match state.filled() >> (symbol & 31) & 1 {
                        1 => self.values[usize::from(symbol) % SYMBOLS],
                        _ => {
                            self.presumed |= 1 << (symbol & 31);
                            default(self.choice.first(state.live.get())?.1, symbol)?
                        }
                    };
                    ParseArg::of(shift, width, shown)
                }
            };
        }
        let value = (kind.text.read)(self.cursor, args.get(..kind.args.len())?).ok()?;
        let at = self.cursor.position().checked_sub(self.start)?;
        (at <= Window::TEXT).then_some(Some((value, at)))
    }

    #[inline(never)]
    fn tags(
        &mut self,
        tags: &'static [(u8, ParseKind)],
        mut state: ParseState,
    ) -> Option<ParseState> {
        while self.window.byte(state.at()) == b' ' {
            state = state.advanced(1);
            let mut untried = tags.iter();
            let (symbol, value, at) = loop {
                let (symbol, kind) = untried.next()?;
                if state.filled() >> (symbol & 31) & 1 == 0
                    && let Some((value, at)) = self.read(kind, state)?
                {
                    break (*symbol, value, at);
                }
            };
            state = self.fill(symbol, value, state.advanced(at - state.at()));
        }
        Some(state)
    }
}

/// Returns a bit set of `count` opcodes.
#[inline(always)]
fn all_of(count: usize) -> u64 {
    u64::MAX.unbounded_shr(64u32.saturating_sub(count as u32))
}

/// Returns the default of the field that `opcode` binds to the placeholder `symbol`.
fn default(opcode: &'static Opcode, symbol: u8) -> Option<u64> {
    let place = opcode.program.places.get(usize::from(symbol))?;
    place.is_there().then(|| place.get(halves(opcode.start)))
}

impl FastParser<'_, '_> {
    /// Returns the word of a statement after its last step, and moves the cursor to its end.
    #[inline(always)]
    pub(super) fn finish(&mut self, state: ParseState) -> Option<(usize, u128)> {
        if state.at() > Window::TEXT {
            return None;
        }
        self.cursor.seek(self.start + state.at());
        self.build(state)
    }

    /// Returns the word of the first remaining opcode, if it is valid.
    #[inline(never)]
    fn build(&self, state: ParseState) -> Option<(usize, u128)> {
        let (number, opcode) = self.choice.first(state.live.get())?;
        if state.filled() & self.presumed != 0 {
            return None;
        }
        if state.filled() & opcode.program.split != 0 {
            return self.build_split(state);
        }
        let places = opcode.program.places;
        let ([mut low, mut high], mut below, mut above) = ([0; 2], 0, 0);
        let Changes { halves: changed, mut excess } = self.changes;
        let mut rest = state.filled() & !self.places.symbols;
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
        let word = u128::from(high ^ changed[1]) << 64 | u128::from(low ^ changed[0]);
        ((excess == 0) & opcode.screen.passes(word)).then_some((number, word))
    }

    /// Builds the word like [`FastParser::build`], for opcodes with a field in several runs of bits, or with
    /// bits that several parts of the text set. These parts must agree. Uses the first remaining opcode
    /// that can encode the values.
    #[inline(never)]
    fn build_split(&self, state: ParseState) -> Option<(usize, u128)> {
        let filled = || {
            let symbols = SetBits(state.filled());
            symbols.map(|symbol| (symbol as u8, self.values[symbol as usize % SYMBOLS]))
        };
        let mut live = state.live.get();
        while let Some((number, opcode)) = self.choice.first(live) {
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
}
