//! Prints instructions with the steps of their print programs.

use crate::bits::halves;
use crate::table::{Field, Format, Opcode, PrintStep};
use crate::text::{COPY, Line, ROOM, ShortText};

impl Opcode {
    /// Prints by steps from the start of the output, and returns the length of the text.
    pub(super) fn print_steps(
        &self,
        steps: &'static [PrintStep],
        word: u128,
        output: &mut impl StepOutput,
    ) -> usize {
        let (halves, pool) = (halves(word), self.program.texts.pool);
        let (mut at, mut rest) = (0, steps.iter());
        while let Some(step) = rest.next() {
            if step.has_before() {
                at = append_before(output.room(), at, step);
            }
            let number = step.number(halves);
            if let Some(text) = step.text(pool, number) {
                at = append(output.room(), at, text);
            } else if let Some(cube) = step.skips(self.program.texts) {
                if cube.contains(word) {
                    rest = rest.as_slice().get(step.operand.into()..).unwrap_or_default().iter();
                }
            } else {
                at = output.write_field(at, self, (step, number), word);
            }
        }
        at.into()
    }

    /// Returns the field that a step without texts prints, with its value and its format. `number` is
    /// the number that the step gathered from the word.
    #[inline(always)]
    fn field_of(
        &self,
        (step, number): (&PrintStep, u64),
        word: u128,
    ) -> Option<((&'static Field, u64), Option<&'static Format>)> {
        let field = self.at(step.operand.into())?;
        let raw = if step.has_value() { number } else { field.get(word) };
        Some(((field, raw), self.formats.get(step.format())))
    }
}

/// The output of steps. It consists of a buffer to which texts are copied, and a line for text that a
/// function prints.
pub(super) trait StepOutput {
    fn room(&mut self) -> &mut [u8; ROOM];

    /// Prints the field that a step of an opcode refers to at a position of the buffer, and returns
    /// the position after it.
    fn write_field(
        &mut self,
        at: u16,
        opcode: &Opcode,
        step: (&'static PrintStep, u64),
        word: u128,
    ) -> u16;
}

/// A line serves both as the buffer and as the line.
impl StepOutput for Line {
    #[inline]
    fn room(&mut self) -> &mut [u8; ROOM] {
        self.room()
    }

    #[inline(always)]
    fn write_field(
        &mut self,
        at: u16,
        opcode: &Opcode,
        step: (&'static PrintStep, u64),
        word: u128,
    ) -> u16 {
        self.set_len(at.into());
        if let Some((value, format)) = opcode.field_of(step, word) {
            opcode.print_value(value, format, word, None, self);
        }
        self.as_bytes().len() as u16
    }
}

/// A buffer in a listing, with a separate line.
pub(super) struct Within<'r> {
    pub(super) room: &'r mut [u8; ROOM],
    pub(super) scratch: &'r mut Option<Line>,
}

impl StepOutput for Within<'_> {
    #[inline]
    fn room(&mut self) -> &mut [u8; ROOM] {
        self.room
    }

    #[inline(always)]
    fn write_field(
        &mut self,
        at: u16,
        opcode: &Opcode,
        step: (&'static PrintStep, u64),
        word: u128,
    ) -> u16 {
        print_value_through(self.scratch, (self.room, at), opcode, step, word)
    }
}

/// Prints a field into the line `scratch`, copies its text to position `at` of the buffer `room`,
/// and returns the position after the text.
// This is a separate function, so that all values in the loop over steps stay in registers. This saves
// 8 % of the time for a line of a kernel. Printing into a `Line` does not use this function, because it
// would not save time.
#[inline(never)]
fn print_value_through(
    scratch: &mut Option<Line>,
    (room, at): (&mut [u8; ROOM], u16),
    opcode: &Opcode,
    step: (&'static PrintStep, u64),
    word: u128,
) -> u16 {
    let scratch = cleared(scratch);
    if let Some((value, format)) = opcode.field_of(step, word) {
        opcode.write_value(value, format, word, None, scratch);
    }
    put(room, at, scratch)
}

/// Returns the line, empty; creates it when it is first needed.
pub(super) fn cleared(scratch: &mut Option<Line>) -> &mut Line {
    let line = scratch.get_or_insert_with(Line::new);
    line.clear();
    line
}

/// Limits a position in a buffer, so that a copy of fixed size fits after it. The lines of all opcodes
/// end before this limit.
#[inline(always)]
fn within(at: u16) -> usize {
    const { assert!(Line::CAPACITY + COPY <= ROOM) };
    usize::from(at).min(Line::CAPACITY)
}

/// Copies a text to a position, and returns the position after it.
#[inline(always)]
fn append(room: &mut [u8; ROOM], at: u16, text: &ShortText) -> u16 {
    let place = within(at);
    room[place..place + COPY].copy_from_slice(text.padded());
    at.wrapping_add(text.len_byte().into())
}

/// Copies the fixed text before a step like [`append`].
#[inline(always)]
fn append_before(room: &mut [u8; ROOM], at: u16, step: &PrintStep) -> u16 {
    let (bytes, len) = step.before();
    let place = within(at);
    room[place..place + bytes.len()].copy_from_slice(&bytes);
    at.wrapping_add(len.into())
}

/// Copies the text of a line like [`append`].
#[inline]
pub(super) fn put(room: &mut [u8; ROOM], at: u16, line: &Line) -> u16 {
    let (place, len) = (within(at), line.as_bytes().len());
    if len <= COPY {
        room[place..place + COPY].copy_from_slice(line.head::<COPY>());
    } else if let Some(place) = room.get_mut(place..place + len) {
        place.copy_from_slice(line.as_bytes());
    }
    at.wrapping_add(len as u16)
}
