//! The data of the fast parser, which parses assembly text that is written as it is printed: the
//! template of a syntax, prepared for all opcodes that share it.
//!
//! Sets of opcodes are bit sets: bit i is the i-th opcode of the mnemonic.

use super::ValueLayout;
use crate::operand::{ByteSet, Chunk, ListedKey, NumberedKey, Text, TextKeys};

/// A step of the fast parser.
// Without `repr`, the compiler would store the discriminant in a field of one variant, where it
// takes longer to read.
#[derive(Debug)]
#[repr(u8)]
pub enum ParseStep {
    /// Fixed text.
    Text(Chunk),
    /// An optional group that begins with this text. If the text is missing, the given number of
    /// steps is skipped. The last field contains the opcodes that have the group.
    Optional(Chunk, u8, u64),
    /// The mnemonic.
    Mnemonic,
    /// The modifiers of the mnemonic.
    Names(ParseNames),
    /// An operand that is the name of a value, without prefix or suffix operators and without
    /// modifiers.
    Name(ParseNames),
    /// An operand with its prefix and suffix operators and its modifiers.
    Operand(ParseSlot),
    /// Trailing attributes, each after a space, in any order.
    Tags(&'static [(u8, ParseKind)]),
    /// Renumbers the opcodes: in the following steps, bit i of a set is the opcode whose index is
    /// element i of this list. The indexes refer to the list of the mnemonic's opcodes in one call
    /// of the macro.
    Among(&'static [u16]),
    /// The alternatives at the position where templates of one mnemonic differ. It is the last
    /// step.
    Fork(&'static [ParseBranch]),
}

/// The parse steps of a syntax.
#[derive(Debug, Clone, Copy)]
pub struct ParseProgram {
    /// The steps; empty if the fast parser has no step for some part of the template. If a mnemonic
    /// has several syntaxes in a call, or more than 64 opcodes, each syntax contains the steps of
    /// all.
    pub steps: &'static [ParseStep],
    /// The number of steps that can be skipped if the text begins with the mnemonic: the steps for the
    /// mnemonic and for the optional text before it. It is 0 if the optional text can begin like a
    /// word, or if a step before the mnemonic is not optional.
    pub(crate) after_mnemonic: u8,
    /// The bits in which the parsed values are stored, if the steps belong only to this syntax.
    pub(crate) places: ValueLayout,
    /// Whether the steps belong to all syntaxes of the mnemonic.
    pub is_joint: bool,
}

impl ParseProgram {
    /// No steps.
    pub const NONE: ParseProgram = ParseProgram::alone(&[], ValueLayout::NONE);

    /// Creates the steps of a syntax that is the only one of its mnemonic, and the bits of its
    /// values.
    #[must_use]
    pub const fn alone(steps: &'static [ParseStep], places: ValueLayout) -> Self {
        ParseProgram { steps, after_mnemonic: after_mnemonic(steps), places, is_joint: false }
    }

    /// Creates the steps of all syntaxes of a mnemonic.
    #[must_use]
    pub const fn joint(steps: &'static [ParseStep]) -> Self {
        ParseProgram { is_joint: true, ..ParseProgram::alone(steps, ValueLayout::NONE) }
    }
}

/// Returns the value of [`ParseProgram::after_mnemonic`] for `steps`.
const fn after_mnemonic(steps: &[ParseStep]) -> u8 {
    let mut i = 0;
    while i < steps.len() && i < u8::MAX as usize {
        match &steps[i] {
            ParseStep::Mnemonic => return i as u8 + 1,
            ParseStep::Optional(text, over, _) if !text.begins_as_word() => i += 1 + *over as usize,
            _ => return 0,
        }
    }
    0
}

/// An alternative.
#[derive(Debug)]
pub struct ParseBranch {
    /// The bytes with which its text can begin.
    pub(crate) first: ByteSet,
    pub(crate) steps: &'static [ParseStep],
}

impl ParseBranch {
    /// Creates an alternative from its steps.
    #[must_use]
    pub const fn new(steps: &'static [ParseStep]) -> Self {
        let rest = match steps {
            [ParseStep::Among(_), rest @ ..] => rest,
            rest => rest,
        };
        let first = match rest {
            [ParseStep::Text(text), ..] if text.len > 0 => ByteSet::NONE.with(text.key as u8),
            [ParseStep::Operand(slot), ..] => slot.first(),
            [ParseStep::Name(names), ..] => names.first(),
            _ => ByteSet::ALL,
        };
        ParseBranch { first, steps }
    }
}

/// The modifiers that are possible at one position, each after a dot.
#[derive(Debug)]
pub struct ParseNames {
    /// The placeholders of the template that must have a value after this position, as a bit set.
    pub(crate) required: u64,
    magic: u64,
    shift: u8,
    places: &'static [u8],
    names: &'static [ParseName],
}

impl ParseNames {
    /// No modifiers.
    pub const NONE: ParseNames = ParseNames::new(0, 0, 63, &[], &[]);

    /// Creates a table of names, which a perfect-hash multiply searches: the bytes of a name times
    /// `magic`, shifted right by `shift`, select an entry of `places`. The entry is the index of
    /// the first name with these bytes. Names with the same bytes are adjacent.
    #[must_use]
    pub const fn new(
        required: u64,
        magic: u64,
        shift: u8,
        places: &'static [u8],
        names: &'static [ParseName],
    ) -> Self {
        ParseNames { required, magic, shift, places, names }
    }

    /// Returns the bytes with which the names can begin.
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

    /// Looks up a modifier by the bytes of its name, for the set of opcodes `opcode`. `filled` contains
    /// the placeholders that already have values; names for these placeholders are skipped. Returns the
    /// first entry that an opcode in the set accepts, and the opcodes of the entries before it. If
    /// there is no such entry, the error contains the opcodes that accept the name.
    #[inline(always)]
    pub(crate) fn taken(
        &self,
        key: u64,
        filled: u64,
        opcode: u64,
    ) -> Result<(&'static ParseName, u64), u64> {
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

    /// Returns whether `filled` contains all placeholders that must have a value after this
    /// position.
    #[inline(always)]
    pub(crate) const fn all_there(&self, filled: u64) -> bool {
        filled & self.required == self.required
    }

    /// Returns the index of the first name with the bytes `key`, or an index without a name.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let place = key.wrapping_mul(self.magic) >> (self.shift & 63);
        self.places.get(place as usize).copied().unwrap_or(u8::MAX).into()
    }
}

/// The name of a modifier.
#[derive(Debug)]
pub struct ParseName {
    /// The bytes of the name, the first in the lowest bits.
    pub key: u64,
    /// The opcodes that have a field for this value. Names with the same bytes are in the order of
    /// the template, so the first name whose placeholder has no value yet applies.
    pub takes: u64,
    /// The placeholder that gets the value.
    pub symbol: u8,
    /// The value.
    pub raw: u64,
}

impl ParseName {
    /// Creates a name from its fields.
    #[must_use]
    pub const fn new(key: u64, takes: u64, symbol: u8, raw: u64) -> Self {
        ParseName { key, takes, symbol, raw }
    }
}

/// An operand with its operators and modifiers.
#[derive(Debug)]
pub struct ParseSlot {
    /// The text before the operand.
    pub(crate) before: Chunk,
    pub(crate) symbol: u8,
    /// The prefix and suffix operators of the operand, the outermost first.
    pub(crate) marks: [ParseAffix; 2],
    /// Whether a missing operator sets a field to a value other than its default.
    pub(crate) fills: bool,
    /// The possible second bytes of operands whose first byte is also the byte of an operator. For
    /// example, a negative number begins with `-`, and its second byte is a digit.
    pub(crate) own: ByteSet,
    pub(crate) kinds: &'static [ParseKind],
    /// The opcodes that have the operand.
    pub(crate) takes: u64,
    /// The most common operand.
    pub(crate) plain: Plain,
    /// Whether a modifier must follow.
    pub(crate) is_open: bool,
    pub(crate) suffix: ParseSuffix,
    /// Whether the closing text of the operators is before the modifiers, and not after them.
    pub(crate) closes_first: bool,
}

impl ParseSlot {
    /// Creates an operand that follows the text `before`, from its placeholder, its operators, its
    /// operand types and its modifiers.
    #[must_use]
    pub const fn new(
        before: &str,
        symbol: u8,
        marks: [ParseAffix; 2],
        kinds: &'static [ParseKind],
        suffix: ParseSuffix,
    ) -> Self {
        let (mut own, mut i) = (ByteSet::NONE, 0);
        while i < kinds.len() {
            let (forms, mut j) = (kinds[i].text.forms, 0);
            // Few operand types begin with the byte of an operator.
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
        let is_open = matches!(&suffix, ParseSuffix::Names(names) if names.required != 0);
        let takes = takes(kinds);
        let closes_first = false;
        ParseSlot {
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

    /// Returns the operand with the closing text of its operators before its modifiers.
    #[must_use]
    pub const fn closing_first(mut self) -> Self {
        self.closes_first = true;
        self
    }
}

/// The most common form of an operand: a name of the first operand type that consists of a prefix and
/// the value as a number, without operators.
#[derive(Debug)]
pub(crate) struct Plain {
    /// The text before the number of the operand.
    pub(crate) text: Chunk,
    /// The number of names with the prefix.
    pub(crate) count: u16,
    /// The opcodes that parse the operand in this way.
    pub(crate) takes: u64,
    /// The opcodes that parse the operand in another way.
    pub(crate) others: u64,
}

impl Plain {
    /// Matches no text.
    const NONE: Plain = Plain { text: Chunk::NEVER, count: 0, takes: 0, others: 0 };

    /// Returns the most common form of an operand that has one of the operand types `kinds` and
    /// follows the fixed text `before`.
    const fn of(before: Chunk, kinds: &'static [ParseKind]) -> Self {
        let [ParseKind { takes, names: Some(names), .. }, ..] = kinds else { return Self::NONE };
        match before.then(names.prefix) {
            Some(text) if names.counts_bits => {
                let others = self::takes(kinds) & !*takes;
                Plain { text, count: names.count, takes: *takes, others }
            }
            _ => Self::NONE,
        }
    }
}

impl ParseSlot {
    /// Returns the bytes with which the operand can begin, including the text before it.
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

    /// Returns whether an operator begins with `byte`.
    #[inline(always)]
    pub(crate) fn may_be_marked(&self, byte: u8) -> bool {
        (byte == self.marks[0].open) | (byte == self.marks[1].open)
    }
}

/// The modifiers after an operand.
#[derive(Debug)]
pub enum ParseSuffix {
    /// Names.
    Names(ParseNames),
    /// A modifier that is parsed as an operand.
    Operand {
        /// The symbol.
        symbol: u8,
        /// The opcodes that have the modifier.
        takes: u64,
        /// The operand types of the modifier.
        kinds: &'static [ParseKind],
    },
}

impl ParseSuffix {
    /// Creates a modifier that is parsed as an operand.
    #[must_use]
    pub const fn operand(symbol: u8, kinds: &'static [ParseKind]) -> Self {
        ParseSuffix::Operand { symbol, takes: takes(kinds), kinds }
    }
}

/// Returns the opcodes that have one of the operand types `kinds`.
const fn takes(kinds: &[ParseKind]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < kinds.len() {
        all |= kinds[i].takes;
        i += 1;
    }
    all
}

/// A prefix or suffix operator of an operand.
#[derive(Debug, Clone, Copy)]
pub struct ParseAffix {
    /// The byte before the operand.
    pub(crate) open: u8,
    /// The byte after the operand; 0 for a prefix.
    pub(crate) close: u8,
    /// The placeholder of its field.
    pub(crate) symbol: u8,
    /// 1 if the field gets a value other than its default when the operator is missing.
    pub(crate) always: u8,
    /// The value of the field if the operator is present.
    pub(crate) present: u64,
    /// The opcodes that have the field.
    pub(crate) bound: u64,
}

impl ParseAffix {
    /// No operator. No opcode has it, and no syntax with parse steps has a placeholder with index
    /// 31.
    pub const NONE: ParseAffix = ParseAffix::new(0xff, 0, 31, false, 0, 0);

    /// Creates an operator from its fields.
    #[must_use]
    pub const fn new(
        open: u8,
        close: u8,
        symbol: u8,
        always: bool,
        present: u64,
        bound: u64,
    ) -> Self {
        ParseAffix { open, close, symbol, always: always as u8, present, bound }
    }
}

/// An argument of a format.
#[derive(Debug, Clone, Copy)]
pub enum ParseArg {
    /// A field that is parsed before the format: `width` bits of the value of a placeholder,
    /// starting at bit `shift`.
    Shown {
        /// The symbol.
        symbol: u8,
        /// The position of the field in the value of the placeholder.
        shift: u8,
        /// The width of the field in bits.
        width: u8,
    },
    /// A field that has this value in all opcodes that use the format.
    Always(u64),
}

impl ParseArg {
    /// Returns `width` bits of `value`, starting at bit `shift`.
    #[inline]
    pub(crate) fn of(shift: u8, width: u8, value: u64) -> u64 {
        value >> (shift & 63) & (u64::MAX >> (64u8.wrapping_sub(width) & 63))
    }
}

/// An operand type of an operand.
#[derive(Debug)]
pub struct ParseKind {
    /// The opcodes that use this operand type.
    pub(crate) takes: u64,
    /// The functions that parse it.
    pub(crate) text: &'static Text,
    /// The arguments of the parse function.
    pub(crate) args: &'static [ParseArg],
    /// The bytes with which the text can begin.
    pub(crate) first: ByteSet,
    /// The bytes that are sufficient to recognize the type: a text that begins with one of them
    /// always begins with one of the type's forms.
    pub(crate) told: ByteSet,
    /// The names, if the type has numbered names.
    pub(crate) names: Option<NumberedKey>,
    /// The names, if the type has listed names.
    pub(crate) listed: Option<ListedKey>,
}

impl ParseKind {
    /// Creates an operand type with the parse functions `text` for the opcodes in `takes`. `args`
    /// are the arguments of its format.
    #[must_use]
    pub const fn new(takes: u64, text: &'static Text, args: &'static [ParseArg]) -> Self {
        let TextKeys { first, told, mut names, mut listed } = text.keys;
        if !args.is_empty() {
            (names, listed) = (None, None);
        }
        ParseKind { takes, text, args, first, told, names, listed }
    }
}

#[cfg(test)]
mod tests;
