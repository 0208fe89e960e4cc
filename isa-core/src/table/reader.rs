//! What assembly text is read by where it is written as it is printed: the template of a syntax,
//! laid out for all opcodes that share it at once.
//!
//! Sets of opcodes are bits: bit i is the i-th opcode of the mnemonic.

use super::{ReadPlaces, Text};
use crate::operand::{ListedKey, NumberedKey};

mod bytes;
mod keys;

pub(crate) use bytes::ByteSet;
pub use bytes::Chunk;
pub(crate) use keys::TextKeys;

/// A step of reading.
// Without the representation the compiler would hide what it is in a field of one of them, and
// take longer to find it.
#[derive(Debug)]
#[repr(u8)]
pub enum Read {
    /// Fixed text.
    Text(Chunk),
    /// A part that is there if this text is, and else some steps to go over; and the opcodes that
    /// have it.
    Optional(Chunk, u8, u64),
    /// The mnemonic.
    Mnemonic,
    /// The modifiers of the mnemonic.
    Names(ReadNames),
    /// An operand that is the name of a value, without marks and modifiers.
    Name(ReadNames),
    /// An operand with its marks and modifiers.
    Operand(ReadSlot),
    /// Settings behind a space each, in any order.
    Tags(&'static [(u8, ReadKind)]),
    /// From here on bit i of a set is the opcode with the i-th of these places among those that the
    /// mnemonic stands for in its call.
    Among(&'static [u16]),
    /// The ways on, where templates of one mnemonic part; nothing follows.
    Fork(&'static [Way]),
}

/// How a syntax is read.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The steps; none where a template has something that has no place here. Of a mnemonic with
    /// several syntaxes in a call, or with more than 64 opcodes, each syntax has the steps of all.
    pub steps: &'static [Read],
    /// How many of them need not be taken where the text begins with the mnemonic: those of what may
    /// stand before it, which begins with no letter, and of itself.
    pub(crate) behind: u8,
    /// Where what the steps read goes, where they are those of this syntax alone.
    pub(crate) places: ReadPlaces,
    /// Whether the steps are those of all syntaxes of the mnemonic.
    pub is_joint: bool,
}

impl Reader {
    /// No steps.
    pub const NONE: Reader = Reader::alone(&[], ReadPlaces::NONE);

    /// The steps of a syntax that has its mnemonic alone, and where what they read goes.
    #[must_use]
    pub const fn alone(steps: &'static [Read], places: ReadPlaces) -> Self {
        Reader { steps, behind: behind(steps), places, is_joint: false }
    }

    /// The steps of all syntaxes of a mnemonic.
    #[must_use]
    pub const fn joint(steps: &'static [Read]) -> Self {
        Reader { is_joint: true, ..Reader::alone(steps, ReadPlaces::NONE) }
    }
}

/// What [`Reader::behind`] says of some steps.
const fn behind(steps: &[Read]) -> u8 {
    let mut i = 0;
    while i < steps.len() && i < u8::MAX as usize {
        match &steps[i] {
            Read::Mnemonic => return i as u8 + 1,
            Read::Optional(text, over, _) if !text.begins_as_word() => i += 1 + *over as usize,
            _ => return 0,
        }
    }
    0
}

/// A way on.
#[derive(Debug)]
pub struct Way {
    /// What its text may begin with.
    pub(crate) first: ByteSet,
    pub(crate) steps: &'static [Read],
}

impl Way {
    /// The way of these steps.
    #[must_use]
    pub const fn new(steps: &'static [Read]) -> Self {
        let rest = match steps {
            [Read::Among(_), rest @ ..] => rest,
            rest => rest,
        };
        let first = match rest {
            [Read::Text(text), ..] if text.len > 0 => ByteSet::NONE.with(text.key as u8),
            [Read::Operand(slot), ..] => slot.first(),
            [Read::Name(names), ..] => names.first(),
            _ => ByteSet::ALL,
        };
        Way { first, steps }
    }
}

/// The modifiers that may stand at one place, each behind a dot.
#[derive(Debug)]
pub struct ReadNames {
    /// The symbols that must have a value behind them.
    pub(crate) required: u64,
    magic: u64,
    shift: u8,
    places: &'static [u8],
    names: &'static [ReadName],
}

impl ReadNames {
    /// No modifiers.
    pub const NONE: ReadNames = ReadNames::new(0, 0, 63, &[], &[]);

    /// The product of a name's bytes and `magic`, shifted right, is the number of its place, where
    /// the index of the first name with these bytes stands. Such names follow one another.
    #[must_use]
    pub const fn new(
        required: u64,
        magic: u64,
        shift: u8,
        places: &'static [u8],
        names: &'static [ReadName],
    ) -> Self {
        ReadNames { required, magic, shift, places, names }
    }

    /// What the names begin with.
    const fn first(&self) -> ByteSet {
        let (mut first, mut i) = (ByteSet::NONE, 0);
        while i < self.names.len() {
            match self.names[i].key {
                0 => return ByteSet::ALL,
                key => first = first.with(key as u8),
            }
            i += 1;
        }
        first
    }

    /// The name with these bytes that one opcode takes where some symbols have values, and the
    /// opcodes that take it at an earlier place; or the opcodes that take it at all.
    #[inline(always)]
    pub(crate) fn taken(
        &self,
        key: u64,
        filled: u64,
        opcode: u64,
    ) -> Result<(&'static ReadName, u64), u64> {
        let (mut place, mut elsewhere) = (self.place(key), 0);
        while let Some(name) = self.names.get(place)
            && name.key == key
        {
            if filled >> (name.symbol & 31) & 1 == 0 {
                if name.takes & opcode != 0 {
                    return Ok((name, elsewhere));
                }
                elsewhere |= name.takes;
            }
            place += 1;
        }
        Err(elsewhere)
    }

    /// Whether all symbols have values that must have one here, where these have some.
    #[inline(always)]
    pub(crate) const fn all_there(&self, filled: u64) -> bool {
        filled & self.required == self.required
    }

    /// The index of the first name with these bytes, if there are such names.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let place = key.wrapping_mul(self.magic) >> (self.shift & 63);
        self.places.get(place as usize).copied().unwrap_or(u8::MAX).into()
    }
}

/// A modifier's name.
#[derive(Debug)]
pub struct ReadName {
    /// The bytes of the name, the first lowest.
    pub key: u64,
    /// The opcodes of which a field takes it. The names with the same bytes stand in the order of
    /// the template, so that of an opcode the first counts whose symbol has no value yet.
    pub takes: u64,
    /// The symbol that it is a value of.
    pub symbol: u8,
    /// The value.
    pub raw: u64,
}

impl ReadName {
    /// A name with these fields.
    #[must_use]
    pub const fn new(key: u64, takes: u64, symbol: u8, raw: u64) -> Self {
        ReadName { key, takes, symbol, raw }
    }
}

/// An operand with everything that belongs to it.
#[derive(Debug)]
pub struct ReadSlot {
    /// What stands before it.
    pub(crate) before: Chunk,
    pub(crate) symbol: u8,
    /// The marks around it, the outermost first.
    pub(crate) marks: [ReadMark; 2],
    /// Whether a field takes a value where its mark is not there.
    pub(crate) fills: bool,
    /// What may follow the first byte of a text that is an operand by itself though it begins as
    /// with a mark, such as the digit of a negative number.
    pub(crate) own: ByteSet,
    pub(crate) kinds: &'static [ReadKind],
    /// The opcodes that have the operand.
    pub(crate) takes: u64,
    /// The usual operand.
    pub(crate) plain: Plain,
    /// Whether a modifier must stand behind it.
    pub(crate) is_open: bool,
    pub(crate) suffix: ReadSuffix,
    /// Whether the marks are closed before the modifiers, and not after them.
    pub(crate) closes_first: bool,
}

impl ReadSlot {
    /// An operand behind `before`: its symbol, its marks, the ways to read it, its modifiers.
    #[must_use]
    pub const fn new(
        before: &str,
        symbol: u8,
        marks: [ReadMark; 2],
        kinds: &'static [ReadKind],
        suffix: ReadSuffix,
    ) -> Self {
        let (mut own, mut i) = (ByteSet::NONE, 0);
        while i < kinds.len() {
            let (forms, mut j) = (kinds[i].text.forms, 0);
            // Few kinds begin as a mark does.
            let first = kinds[i].first;
            let begins_so = first.has(marks[0].open) || first.has(marks[1].open);
            while begins_so && j < forms.len() {
                let first = ByteSet::NONE.with_form(forms[j].as_bytes(), 0);
                if first.has(marks[0].open) || first.has(marks[1].open) {
                    own = own.with_form(forms[j].as_bytes(), 1);
                }
                j += 1;
            }
            i += 1;
        }
        let (before, fills) = (Chunk::new(before), marks[0].always | marks[1].always != 0);
        let plain = if fills { Plain::NONE } else { Plain::of(before, kinds) };
        let is_open = matches!(&suffix, ReadSuffix::Names(names) if names.required != 0);
        let takes = takes(kinds);
        let closes_first = false;
        ReadSlot {
            before,
            symbol,
            marks,
            fills,
            own,
            kinds,
            takes,
            plain,
            is_open,
            suffix,
            closes_first,
        }
    }

    /// Returns the operand with its marks closed before its modifiers.
    #[must_use]
    pub const fn closing_first(mut self) -> Self {
        self.closes_first = true;
        self
    }
}

/// The usual operand: one of names that are numbered by their bits, of the kind that comes first,
/// without marks.
#[derive(Debug)]
pub(crate) struct Plain {
    /// The text before the number of the operand.
    pub(crate) text: Chunk,
    /// How many numbers there are.
    pub(crate) count: u8,
    /// The opcodes that read it so.
    pub(crate) takes: u64,
    /// The opcodes that read it in another way.
    pub(crate) others: u64,
}

impl Plain {
    /// No text is one.
    const NONE: Plain = Plain { text: Chunk::NEVER, count: 0, takes: 0, others: 0 };

    /// That of some kinds, behind fixed text.
    const fn of(before: Chunk, kinds: &'static [ReadKind]) -> Self {
        let [ReadKind { takes, names: Some(names), .. }, ..] = kinds else { return Self::NONE };
        match before.then(names.prefix) {
            Some(text) if names.counts_bits => {
                let others = self::takes(kinds) & !*takes;
                Plain { text, count: names.count, takes: *takes, others }
            }
            _ => Self::NONE,
        }
    }
}

impl ReadSlot {
    /// What the operand, with what stands before it, begins with.
    const fn first(&self) -> ByteSet {
        if self.before.len > 0 {
            return ByteSet::NONE.with(self.before.key as u8);
        }
        let (mut first, mut i) = (ByteSet::NONE, 0);
        while i < self.kinds.len() {
            first = first.or(self.kinds[i].first);
            if let Some(names) = &self.kinds[i].names {
                first = if names.prefix.len > 0 {
                    first.with(names.prefix.key as u8)
                } else {
                    ByteSet::ALL
                };
            }
            i += 1;
        }
        if self.marks[0].bound != 0 {
            first = first.with(self.marks[0].open);
        }
        if self.marks[1].bound != 0 {
            first = first.with(self.marks[1].open);
        }
        first
    }

    /// Whether a mark begins with this byte.
    #[inline(always)]
    pub(crate) fn may_be_marked(&self, byte: u8) -> bool {
        (byte == self.marks[0].open) | (byte == self.marks[1].open)
    }
}

/// What stands behind an operand.
#[derive(Debug)]
pub enum ReadSuffix {
    /// Names.
    Names(ReadNames),
    /// A modifier that is read as an operand is.
    Operand {
        /// The symbol.
        symbol: u8,
        /// The opcodes that have it.
        takes: u64,
        /// The ways to read it.
        kinds: &'static [ReadKind],
    },
}

impl ReadSuffix {
    /// A modifier that is read as an operand is.
    #[must_use]
    pub const fn operand(symbol: u8, kinds: &'static [ReadKind]) -> Self {
        ReadSuffix::Operand { symbol, takes: takes(kinds), kinds }
    }
}

/// The opcodes that have one of some kinds.
const fn takes(kinds: &[ReadKind]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < kinds.len() {
        all |= kinds[i].takes;
        i += 1;
    }
    all
}

/// A mark at an operand.
#[derive(Debug, Clone, Copy)]
pub struct ReadMark {
    /// The byte before the operand.
    pub(crate) open: u8,
    /// The byte behind it; 0 for a prefix.
    pub(crate) close: u8,
    /// The symbol of its field.
    pub(crate) symbol: u8,
    /// 1 where the field takes a value if the mark is not there: one that is not its default.
    pub(crate) always: u8,
    /// The value that it stands for.
    pub(crate) present: u64,
    /// The opcodes that have the field.
    pub(crate) bound: u64,
}

impl ReadMark {
    /// No mark. No opcode has it, and no syntax that is laid out has so many symbols.
    pub const NONE: ReadMark = ReadMark::new(0xff, 0, 31, false, 0, 0);

    /// A mark with these fields.
    #[must_use]
    pub const fn new(
        open: u8,
        close: u8,
        symbol: u8,
        always: bool,
        present: u64,
        bound: u64,
    ) -> Self {
        ReadMark { open, close, symbol, always: always as u8, present, bound }
    }
}

/// What the text of a format depends on.
#[derive(Debug, Clone, Copy)]
pub enum ReadArg {
    /// A field that the text shows before it: the low `width` bits of a symbol's value behind the
    /// lowest `shift` ones.
    Shown {
        /// The symbol.
        symbol: u8,
        /// The position of the field in what the symbol shows.
        shift: u8,
        /// The width of the field in bits.
        width: u8,
    },
    /// A field that has this value in all opcodes that read so.
    Always(u64),
}

impl ReadArg {
    /// The argument, where the symbol has this value.
    #[inline]
    pub(crate) fn of(shift: u8, width: u8, value: u64) -> u64 {
        value >> (shift & 63) & (u64::MAX >> (64u8.wrapping_sub(width) & 63))
    }
}

/// A way to read an operand.
#[derive(Debug)]
pub struct ReadKind {
    /// The opcodes that read it so.
    pub(crate) takes: u64,
    /// The text functions.
    pub(crate) text: &'static Text,
    /// What the text depends on.
    pub(crate) args: &'static [ReadArg],
    /// What the text may begin with.
    pub(crate) first: ByteSet,
    /// The first bytes that alone tell that the text is meant as this kind.
    pub(crate) told: ByteSet,
    /// The names, where the kind is one of numbered names.
    pub(crate) names: Option<NumberedKey>,
    /// The names, where the kind is one of listed names.
    pub(crate) listed: Option<ListedKey>,
}

impl ReadKind {
    /// A way to read an operand by its text functions, for the opcodes that `takes` says.
    #[must_use]
    pub const fn new(takes: u64, text: &'static Text, args: &'static [ReadArg]) -> Self {
        let TextKeys { first, told, mut names, mut listed } = text.keys;
        if !args.is_empty() {
            (names, listed) = (None, None);
        }
        ReadKind { takes, text, args, first, told, names, listed }
    }
}

#[cfg(test)]
mod tests;
