//! The fast parser's last step: the word of a statement.

use super::reading::{Quick, SYMBOLS, State};
use crate::bits::{SetBits, halves};
use crate::table::Changes;
use crate::text::Window;

impl Quick<'_, '_> {
    /// Returns the word of a statement after its last step, and moves the cursor to its end.
    #[inline(always)]
    pub(super) fn finish(&mut self, state: State) -> Option<(usize, u128)> {
        if state.at() > Window::TEXT {
            return None;
        }
        self.cursor.seek(self.start + state.at());
        self.build(state)
    }

    /// Returns the word of the first remaining opcode, if it is valid.
    #[inline(never)]
    fn build(&self, state: State) -> Option<(usize, u128)> {
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

    /// Builds the word like [`Quick::build`], for opcodes with a field in several runs of bits, or with
    /// bits that several parts of the text set. These parts must agree. Uses the first remaining opcode
    /// that can encode the values.
    #[inline(never)]
    fn build_split(&self, state: State) -> Option<(usize, u128)> {
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
