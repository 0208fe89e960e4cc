//! Decodes and prints words with a description.

use isa_core::table::{Cube, Piece, extract};

use super::{
    ConditionCase, Description, FieldType, FunctionResult, InvalidCombination, OpcodeDescription,
    OperandText, PrintPart,
};

fn is_in(patterns: &[Cube], word: u128) -> bool {
    patterns.iter().any(|pattern| pattern.contains(word))
}

impl FunctionResult {
    fn holds(&self, word: u128) -> bool {
        let bit = extract(&self.pieces, word) as usize;
        let byte = self.values.get(bit / 8).copied().unwrap_or_default();
        (byte >> (bit % 8) & 1 == 1) == self.is
    }
}

impl ConditionCase {
    fn contains(&self, word: u128) -> bool {
        self.when.iter().all(|function| function.holds(word)) && is_in(&self.words, word)
    }
}

impl InvalidCombination {
    fn contains(&self, word: u128) -> bool {
        is_in(&self.words, word) || self.cases.iter().any(|case| case.contains(word))
    }
}

impl OpcodeDescription {
    /// Returns the width of a word in bits.
    #[must_use]
    pub fn width_of(&self, word: u128) -> u8 {
        match &self.short {
            Some(short) if !is_in(&short.long, word) => short.bits,
            _ => self.bits,
        }
    }

    /// Returns the width of the words. If some are shorter, also returns the width of these and the
    /// patterns of the long words.
    pub(crate) fn widths(&self) -> (u8, Option<(u8, &[Cube])>) {
        (self.bits, self.short.as_ref().map(|short| (short.bits, &short.long[..])))
    }

    /// Returns the bits of a field or, after the fields, of a composite operand.
    pub(crate) fn pieces(&self, place: usize) -> &[Piece] {
        let view = || &self.views[place - self.fields.len()].pieces;
        self.fields.get(place).map_or_else(view, |field| &field.pieces)
    }

    /// Returns the value of a field or composite operand.
    fn value(&self, place: usize, word: u128) -> u64 {
        let fixed = self.fields.get(place).and_then(|field| field.fixed);
        match (self.pieces(place), fixed) {
            ([], Some(raw)) => raw,
            (pieces, _) => extract(pieces, word),
        }
    }

    /// Returns the reason why a word does not belong to the row, or `None` if the word belongs to it.
    pub(crate) fn refuses(&self, kinds: &[FieldType], word: u128) -> Option<String> {
        if !self.fixed.contains(word) {
            let other = self.fields.iter().find(|field| {
                field.fixed.is_some_and(|raw| raw != extract(&field.pieces, word))
                    && !field.pieces.is_empty()
            });
            return Some(match other {
                Some(field) => format!("`{}` has a different fixed value", field.name),
                None => "the fixed bits differ".to_owned(),
            });
        }
        let reserved = self.fields.iter().find(|field| {
            // A field without bits always has its fixed value.
            let value = u128::from(extract(&field.pieces, word));
            !field.pieces.is_empty() && is_in(&kinds[field.kind].reserved, value)
        });
        if let Some(field) = reserved {
            let value = extract(&field.pieces, word);
            return Some(format!("`{}` has no value {value:#x}", kinds[field.kind].name));
        }
        if let Some(rule) = self.illegal.iter().find(|rule| rule.contains(word)) {
            return Some(format!("{}: {}", rule.class, rule.reason));
        }
        (word & self.unused != 0).then(|| "unused bits are not 0".to_owned())
    }
}

impl Description {
    /// Returns the opcode called `name`.
    #[must_use]
    pub fn opcode(&self, name: &str) -> Option<&OpcodeDescription> {
        self.opcodes.iter().find(|row| row.name == name)
    }

    /// Returns the opcode of a word of `bits` bits.
    #[must_use]
    pub fn decode(&self, word: u128, bits: u8) -> Option<&OpcodeDescription> {
        self.opcodes.iter().find(|row| row.width_of(word) == bits && self.is_row(row, word))
    }

    fn is_row(&self, row: &OpcodeDescription, word: u128) -> bool {
        row.fixed.contains(word) && row.refuses(&self.kinds, word).is_none()
    }

    /// Returns the text of a word of an opcode.
    #[must_use]
    pub fn text(&self, opcode: &OpcodeDescription, word: u128) -> String {
        let mut text = String::new();
        let row = self.spelling(opcode, word);
        self.print(row, &row.prints, word, &mut text);
        text
    }

    /// Returns the row that prints a word.
    fn spelling<'d>(&'d self, opcode: &'d OpcodeDescription, word: u128) -> &'d OpcodeDescription {
        let mut printed = opcode.aliases.iter().filter(|alias| alias.printed);
        let alias = printed.find(|alias| {
            let mut unless = alias.unless.iter().flatten();
            self.is_row(&alias.row, word) && !unless.any(|cube| cube.contains(word))
        });
        alias.map_or(opcode, |alias| &alias.row)
    }

    fn print(&self, row: &OpcodeDescription, prints: &[PrintPart], word: u128, text: &mut String) {
        for print in prints {
            match print {
                PrintPart::Text(fixed) => text.push_str(fixed),
                PrintPart::Field(place) => self.field(row, *place, word, text),
                PrintPart::Optional(part) => {
                    let mut values = part.values.iter();
                    if values.all(|(place, raw)| row.value(*place, word) == *raw) == part.when {
                        self.print(row, &part.prints, word, text);
                    }
                }
            }
        }
    }

    fn field(&self, row: &OpcodeDescription, place: usize, word: u128, text: &mut String) {
        let value = row.value(place, word);
        let (own, args) = self.text_of(row, place);
        if let Some(own) = own {
            let args = args.iter().map(|arg| row.value(*arg, word));
            *text += &own.write(&std::iter::once(value).chain(args).collect::<Vec<_>>());
        } else if let Some(field) = row.fields.get(place) {
            text.push_str(&self.kinds[field.kind].name_of(value));
        }
    }

    /// Returns the text format of a field or composite operand, and the indexes of its arguments. The
    /// format is `None` if the values are printed by name.
    pub(crate) fn text_of<'d>(
        &'d self,
        row: &'d OpcodeDescription,
        place: usize,
    ) -> (Option<&'d OperandText>, &'d [usize]) {
        if let Some(format) = row.formats.iter().find(|format| format.place == place) {
            return (Some(&self.texts[format.text]), &format.args);
        }
        let field = row.fields.get(place);
        (field.and_then(|field| self.kinds[field.kind].text).map(|text| &self.texts[text]), &[])
    }
}

impl FieldType {
    /// Returns the name of a value, or its number.
    pub(crate) fn name_of(&self, raw: u64) -> String {
        let value = self.values.iter().find(|value| value.raw == raw);
        value.map_or_else(|| format!("{raw:#x}"), |value| value.name.clone())
    }
}
