//! The data of the compiled print programs: short texts, and steps that append them.
//!
//! The template interpreter needs a branch for each alternative of a template. The macro therefore
//! also compiles the template of each opcode to a list of steps. A step uses a few bits of the word
//! as the index of a prepared text of at most 31 bytes, and appends this text. Fixed text between
//! fields, prefix and suffix operators, and adjacent fields are combined in one table, so a line
//! takes about as many steps as it has operands and modifiers.

use super::field_bits::{FieldBits, split};
use super::text_pool::{BitGather, TextPool};
use crate::IS_SMALL;
use crate::bits::Cube;
use crate::text::ShortText;

/// The print program of an opcode. If it has no steps, the template interpreter prints the opcode.
#[derive(Debug, Clone, Copy)]
pub struct PrintProgram {
    /// The tables to which the steps refer.
    pub texts: &'static TextPool,
    /// The steps.
    pub steps: &'static [PrintStep],
    /// For each placeholder of the syntax, the position of its field in the word.
    pub places: &'static [FieldBits],
    /// The placeholders whose fields occupy several runs of bits, or appear in the template twice,
    /// as a bit set.
    pub(crate) split: u64,
}

impl PrintProgram {
    /// No steps.
    pub const NONE: PrintProgram = PrintProgram {
        texts: &TextPool { pool: &[], plain: 0, sizes: &[], defaults: &[], gathers: &[] },
        steps: &[],
        places: &[],
        split: 0,
    };

    /// Creates a program from the steps that are used: all steps before the end marker.
    #[must_use]
    pub const fn new(
        texts: &'static TextPool,
        steps: &'static [PrintStep],
        places: &'static [FieldBits],
    ) -> Self {
        if IS_SMALL {
            return PrintProgram::NONE;
        }
        let mut len = 0;
        while len < steps.len() && !steps[len].is_end() {
            len += 1;
        }
        PrintProgram { texts, steps: steps.split_at(len).0, places, split: split(places) }
    }
}

/// One step of a program: bits of the word select a text.
// The fields of a `BitGather` are separate here, so that a step contains no padding.
#[derive(Debug, Clone, Copy)]
pub struct PrintStep {
    masks: [u64; 2],
    magic: u64,
    /// Fixed text before the selected text, at most seven bytes, with its length in the highest
    /// byte.
    before: u64,
    /// The index in the pool of the text with index 0.
    first: u32,
    shift: u8,
    /// If the step has no texts: the field to print, as an index into the fields of the opcode, or the
    /// number of steps to skip.
    pub(crate) operand: u8,
    /// If the step skips other steps: the index of a masked pattern. If the step prints a field:
    /// the index of the field's format plus [`PrintStep::FORMATS`].
    defaults: u16,
}

impl PrintStep {
    /// The number of bytes from which a step is created.
    pub(super) const BYTES: usize = 8;

    /// A step that prints a whole optional group and replaces the following steps. If the texts of the
    /// whole group are not prepared, the following steps print the group.
    pub(super) const WHOLE: u8 = 0xfd;

    /// A step that skips other steps if fields have their defaults.
    pub(super) const SKIP: u8 = 0xff;

    /// The value of `first` in a step without texts. It is larger than the index of any text, and
    /// remains larger after the value of a field is added. Such a field has at most 32 bits.
    const NEVER: u32 = 1 << 31;

    /// The first value of `defaults` that marks a step that prints a field.
    const FORMATS: u16 = 1 << 15;

    /// The value of `defaults` for a field without a format. Like other formats, it includes
    /// [`PrintStep::FORMATS`].
    const NO_FORMAT: u16 = u16::MAX;

    /// The end marker after the steps.
    const END: PrintStep = PrintStep {
        masks: [0; 2],
        magic: 0,
        before: 0,
        first: Self::NEVER,
        shift: u8::MAX,
        operand: 0,
        defaults: Self::NO_FORMAT,
    };

    const fn is_end(&self) -> bool {
        self.shift == Self::END.shift
    }

    /// Creates a step from its bytes. Byte 0 is the type of the step or the index of a table, and byte
    /// 1 is the operand. The other bytes form three numbers: the first text in the common table, or the
    /// index of a field's format plus 1; the index of a gather; and the index plus 1 of the fixed text
    /// before the selected text.
    pub(super) const fn new(texts: &'static TextPool, bytes: &[u8; PrintStep::BYTES]) -> Self {
        let [what, operand, low, high, gather_low, gather_high, before_low, before_high] = *bytes;
        let base = number(low, high);
        if what == Self::SKIP {
            return PrintStep { operand, defaults: base, shift: 0, ..Self::END };
        }
        let gather = number(gather_low, gather_high) as usize;
        let gather =
            if gather < texts.gathers.len() { texts.gathers[gather] } else { BitGather::NONE };
        let place = match what {
            Self::WHOLE => texts.place(texts.plain + base as usize, 0, gather),
            0 => texts.place(0, base as usize, gather),
            what if (what as usize) < texts.plain => texts.place(what as usize, 0, gather),
            _ => None,
        };
        let first = match place {
            Some(place) => place,
            None => Self::NEVER,
        };
        let defaults = match base.checked_sub(1) {
            Some(format) if what != 0 => Self::FORMATS | format,
            _ => Self::NO_FORMAT,
        };
        let before = match number(before_low, before_high).checked_sub(1) {
            Some(place) if (place as usize) < texts.pool.len() => texts.pool[place as usize].head(),
            _ => 0,
        };
        let BitGather { masks, magic, shift } = gather;
        PrintStep { masks, magic, before, first, shift, operand, defaults }
    }

    /// Returns whether there is fixed text before the selected text.
    #[inline]
    pub(crate) const fn has_before(&self) -> bool {
        self.before != 0
    }

    /// Returns the fixed text before the selected text, and its length.
    #[inline(always)]
    pub(crate) const fn before(&self) -> ([u8; 8], u8) {
        (self.before.to_le_bytes(), (self.before >> 56) as u8)
    }

    /// Returns the number that is gathered from the bits of a word: the index of a text, or, if the
    /// step prints a field that is one run of bits, the value of this field.
    #[inline(always)]
    pub(crate) const fn number(&self, halves: [u64; 2]) -> u64 {
        BitGather { masks: self.masks, magic: self.magic, shift: self.shift }.number(halves)
    }

    /// Returns text `number` of the step.
    #[inline(always)]
    pub(crate) fn text(
        &self,
        pool: &'static [ShortText],
        number: u64,
    ) -> Option<&'static ShortText> {
        pool.get(usize::try_from(u64::from(self.first).wrapping_add(number)).ok()?)
    }

    /// Returns whether [`PrintStep::number`] returns the value of the field that the step prints.
    #[inline]
    pub(crate) const fn has_value(&self) -> bool {
        self.magic != 0
    }

    /// Returns the index of the format of the field that the step prints. If the field has no format,
    /// the result is not the index of any format.
    #[inline]
    pub(crate) const fn format(&self) -> usize {
        (self.defaults & !Self::FORMATS) as usize
    }

    /// Returns the masked pattern of the words for which the step skips other steps.
    #[inline]
    pub(crate) fn skips(&self, texts: &TextPool) -> Option<Cube> {
        texts.defaults.get(usize::from(self.defaults)).copied()
    }
}

/// Returns the number in two bytes. At compile time, this takes a fifth of the time of
/// `u16::from_le_bytes`.
const fn number(low: u8, high: u8) -> u16 {
    low as u16 | (high as u16) << 8
}

/// Creates the steps that are used from their bytes.
///
/// # Panics
///
/// Panics at compile time if there are not enough bytes.
#[doc(hidden)]
#[must_use]
pub const fn steps<const N: usize>(texts: &'static TextPool, bytes: &[u8]) -> [PrintStep; N] {
    let rows: &[[u8; PrintStep::BYTES]] = bytes.as_chunks().0;
    let taken = taken::<N>(texts, rows);
    let (mut steps, mut len, mut i) = ([PrintStep::END; N], 0, 0);
    while i < N {
        if taken[i] {
            steps[len] = PrintStep::new(texts, &rows[i]);
            if rows[i][0] == PrintStep::SKIP {
                steps[len].operand = count(&taken, i + 1, steps[len].operand as usize);
            }
            len += 1;
        }
        i += 1;
    }
    steps
}

/// Returns a flag for each step that is true if the step is used. For an optional group, either the
/// step that prints the whole group is used, if its texts exist, or the steps that print its parts.
pub(super) const fn taken<const N: usize>(
    texts: &'static TextPool,
    rows: &[[u8; PrintStep::BYTES]],
) -> [bool; N] {
    let (mut taken, mut i) = ([false; N], 0);
    while i < N {
        let [what, over, ..] = rows[i];
        let is_whole = what == PrintStep::WHOLE;
        taken[i] = !is_whole || PrintStep::new(texts, &rows[i]).first != PrintStep::NEVER;
        i += if is_whole && taken[i] { 1 + over as usize } else { 1 };
    }
    taken
}

/// Returns how many of `len` flags from an index on are set.
pub(super) const fn count(flags: &[bool], from: usize, len: usize) -> u8 {
    let (mut i, mut count) = (from, 0);
    while i < from + len {
        count += flags[i] as u8;
        i += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::bits::halves;

    const fn text(text: &str) -> ShortText {
        ShortText::EMPTY.with_str(text)
    }

    /// Two tables of plain texts, a table for whole groups without texts, and one with two texts.
    static TEXTS: TextPool = TextPool {
        pool: &[
            text("c0"),
            text("c1"),
            text("c2"),
            text("c3"),
            text("a"),
            text("b"),
            text("d"),
            text("e"),
        ],
        plain: 2,
        sizes: &[4, 2, 0, 2],
        defaults: &[Cube { mask: 1, value: 1 }, Cube { mask: 2, value: 0 }],
        gathers: &[
            BitGather::NONE,
            BitGather::new([1, 0], 1 << 63, 63),
            BitGather::new([0, 3], 1 << 62, 62),
        ],
    };

    fn of([a, b, c, d, e, f]: [u8; 6]) -> PrintStep {
        PrintStep::new(&TEXTS, &[a, b, c, d, e, f, 0, 0])
    }

    fn texts<const N: usize>(step: &PrintStep, words: [u128; N]) -> [Option<&'static str>; N] {
        words.map(|word| step.text(TEXTS.pool, step.number(halves(word))).map(ShortText::as_str))
    }

    #[test]
    fn bits_of_the_word_number_a_text() {
        assert_eq!(texts(&of([1, 0, 0, 0, 1, 0]), [0, 1, 2]), [Some("a"), Some("b"), Some("a")]);
        assert_eq!(texts(&of([0, 0, 2, 0, 1, 0]), [0, 1]), [Some("c2"), Some("c3")]);
        let high = [0, 1 << 64, 2 << 64, 3 << 64];
        let four = [Some("c0"), Some("c1"), Some("c2"), Some("c3")];
        assert_eq!(texts(&of([0, 0, 0, 0, 2, 0]), high), four);
        assert_eq!(texts(&of([0, 0, 3, 0, 0, 0]), [0, 1]), [Some("c3"); 2], "no bits");
        assert_eq!(texts(&of([0, 0, 3, 0, 9, 0]), [0, 1]), [Some("c3"); 2], "no such gather");
        assert_eq!(texts(&of([0, 0, 3, 0, 1, 1]), [0, 1]), [Some("c3"); 2], "nor number 257");
        assert_eq!(of([1, 7, 0, 0, 0, 0]).operand, 7);
        // Texts that do not exist, because too few follow the first one, the table is missing, or the
        // index is 256 too large.
        for bytes in [
            [0, 0, 3, 0, 1, 0],
            [0, 0, 1, 0, 2, 0],
            [2, 0, 0, 0, 0, 0],
            [9, 0, 0, 0, 0, 0],
            [0, 0, 0, 1, 0, 0],
        ] {
            let step = of(bytes);
            assert_eq!(texts(&step, [0, 1]), [None; 2], "{bytes:?}");
            assert_eq!(step.skips(&TEXTS), None);
            assert!(!step.is_end());
        }
    }

    #[test]
    fn a_field_of_a_kind_has_a_format_or_none() {
        let second = of([1, 7, 2, 0, 1, 0]);
        assert_eq!((second.operand, second.format()), (7, 1));
        assert_eq!(texts(&second, [0, 1]), [Some("a"), Some("b")]);
        assert_eq!(of([0xfe, 7, 0x34, 0x12, 0, 0]).format(), 0x1233);
        for none in [of([1, 7, 0, 0, 1, 0]), of([0, 0, 2, 0, 1, 0])] {
            assert!(none.format() > 0x7f00, "{}", none.format());
        }
    }

    #[test]
    fn steps_over_others() {
        let skip = of([PrintStep::SKIP, 3, 1, 0, 0, 0]);
        assert_eq!((skip.skips(&TEXTS), skip.operand), (Some(TEXTS.defaults[1]), 3));
        assert_eq!((texts(&skip, [0]), skip.is_end()), ([None], false));
        assert_eq!(of([PrintStep::SKIP, 3, 0, 1, 0, 0]).skips(&TEXTS), None, "number 256");

        let whole = of([PrintStep::WHOLE, 2, 1, 0, 1, 0]);
        assert_eq!(texts(&whole, [0, 1]), [Some("d"), Some("e")]);
        assert_eq!(texts(&of([PrintStep::WHOLE, 2, 0, 0, 1, 0]), [0]), [None], "it has no texts");
    }

    #[test]
    fn a_whole_part_is_taken_where_it_has_texts() {
        let [there, missing] =
            [[PrintStep::WHOLE, 2, 1, 0, 1, 0, 0, 0], [PrintStep::WHOLE, 2, 0, 0, 1, 0, 0, 0]];
        let plain = [0, 0, 0, 0, 1, 0, 0, 0];
        let taken = |rows: &[_]| taken::<5>(&TEXTS, rows);
        assert_eq!(taken(&[there, plain, plain, plain, plain]), [true, false, false, true, true]);
        assert_eq!(taken(&[missing, plain, plain, plain, plain]), [false, true, true, true, true]);
        assert_eq!((count(&[true, false, true, true], 1, 2), count(&[true; 4], 0, 3)), (1, 3));

        // A step that skips three others. The first of them replaces the following two, or is not
        // used.
        for (part, over, len) in [(there, 1, 3), (missing, 2, 4)] {
            let rows = [[PrintStep::SKIP, 3, 0, 0, 0, 0, 0, 0], part, plain, plain, plain];
            let laid = Vec::from(steps::<5>(&TEXTS, rows.as_flattened())).leak();
            assert_eq!(laid[0].operand, over);
            let program = PrintProgram::new(&TEXTS, laid, &[]);
            assert_eq!(program.steps.len(), len);
            assert!(laid[len..].iter().all(PrintStep::is_end));
        }
    }

    /// Tests that a step without texts selects no text of the pool, whatever the value of its
    /// field. Otherwise that text would be printed instead of the field.
    #[test]
    fn no_number_leads_from_a_step_without_texts_into_a_pool() {
        let of_field = PrintStep::new(&TEXTS, &[0xfe, 7, 0, 0, 2, 0, 2, 0]);
        for number in [0, 3, u64::from(u32::MAX)] {
            assert!(of_field.text(TEXTS.pool, number).is_none());
        }
    }

    #[test]
    fn a_field_has_a_value_and_a_text_before() {
        let of_field = PrintStep::new(&TEXTS, &[0xfe, 7, 0, 0, 2, 0, 2, 0]);
        assert_eq!((of_field.before().1, &of_field.before().0[..2]), (2, &b"c1"[..]));
        assert!(of_field.has_value() && of_field.number(halves(3 << 64)) == 3);
        let split = PrintStep::new(&TEXTS, &[0xfe, 7, 0, 0, 0, 0, 0, 0]);
        assert_eq!((split.before().1, split.has_value()), (0, false));
        let no_such_text = PrintStep::new(&TEXTS, &[1, 7, 0, 0, 1, 0, 9, 1]);
        assert_eq!(no_such_text.before(), ([0; 8], 0));
    }
}
