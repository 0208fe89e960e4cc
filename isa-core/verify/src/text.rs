//! Checks the assembly text of words.

use isa_core::parse::Parsed;
use isa_core::print::print_word;
use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::{Cursor, Line};

use crate::field_values::field_value;

/// Returns the assembly text of a word, or `.word` if it is invalid.
#[must_use]
pub fn disassemble(set: &'static InstructionSet, word: u128) -> Line {
    let mut line = Line::new();
    match set.decode(word) {
        Ok(opcode) => opcode.print(word, &mut line),
        Err(_) => print_word(word, set.bits, &mut line),
    }
    line
}

/// Returns the printed form of an opcode's word.
#[must_use]
pub fn printed(opcode: &Opcode, word: u128) -> Line {
    let mut line = Line::new();
    opcode.print(word, &mut line);
    line
}

/// Returns the bytes of an opcode's word in memory order.
#[must_use]
pub fn bytes_of(set: &InstructionSet, opcode: &Opcode, word: u128) -> Vec<u8> {
    let bits = opcode.width_of(word);
    set.byte_order.bytes(word, bits).into_iter().take(usize::from(bits) / 8).collect()
}

/// Checks that a word disassembles to a text that assembles to exactly this word.
///
/// # Errors
///
/// Returns a message if it assembles to another word or does not assemble.
pub fn round_trip(set: &'static InstructionSet, word: u128) -> Result<(), String> {
    let line = disassemble(set, word);
    let text = line.as_str();
    let parsed = set.parse(text).map_err(|error| format!("{text}: {error}"))?;
    let opcode = match parsed {
        Parsed::Instruction { opcode, .. } => Some(opcode),
        Parsed::Word { .. } => None,
    };
    if parsed.word() != word || opcode != set.index(word).ok() {
        return Err(format!("{text}: assembles to {parsed:x?}"));
    }
    if *parsed.span() != (0..text.len()) {
        return Err(format!("{text}: only {:?} was parsed", parsed.span()));
    }
    Ok(())
}

/// Returns whether the fast parser accepts the printed form of a valid word.
///
/// # Errors
///
/// Returns a message if the fast parser returns another word.
pub fn is_read_as_printed(set: &'static InstructionSet, word: u128) -> Result<bool, String> {
    let line = disassemble(set, word);
    let text = line.as_str();
    let parsed = set.parse_next_as_printed(&mut Cursor::new(text));
    if parsed.is_some() && parsed != set.parse(text).ok() {
        return Err(format!("{text}: its printed text parses to {parsed:x?}"));
    }
    Ok(parsed.is_some())
}

/// Returns whether the template of an opcode or alias parses the text of its word as the same values,
/// and the bits that the text does not show have their default values.
#[must_use]
pub fn plain_reads_back(row: &'static Opcode, word: u128) -> bool {
    let raw = |place: usize| row.at(place).map_or(0, |field| field_value(field, word));
    if row.written(word) != word {
        return false;
    }
    row.bind.iter().map(|&place| usize::from(place)).all(|place| {
        let format = row.formats.iter().find(|format| usize::from(format.field) == place);
        let args = format
            .map_or(Vec::new(), |format| format.args.iter().map(|&arg| raw(arg.into())).collect());
        let own = || row.at(place).and_then(|field| field.kind.text);
        let text = format.map(|format| format.text).or_else(own);
        let reads_back = text.and_then(|text| text.reads_back);
        reads_back.is_none_or(|reads_back| reads_back(raw(place), &args))
    })
}
