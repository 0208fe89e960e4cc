//! The text of operand kinds and value sets, written and read.

use crate::spec::{Kind, KindText};
use crate::text::Text;

/// The text of a value.
#[must_use]
pub fn show(kind: &Kind, raw: u64) -> String {
    show_as(kind, raw, 0)
}

/// The text of a value, with another of its names for each `number` but 0.
#[must_use]
pub fn show_as(kind: &Kind, raw: u64, number: usize) -> String {
    match &kind.text {
        KindText::Set(values) => {
            let named = values.iter().find(|value| value.raw == raw);
            named.map_or_else(|| format!("?{raw}"), |value| value.name(number).to_owned())
        }
        KindText::Reg if raw == 255 => "RZ".to_owned(),
        KindText::Reg => format!("R{raw}"),
        KindText::Pred if raw == 7 => "PT".to_owned(),
        KindText::Pred => format!("P{raw}"),
        KindText::Signed => {
            let top = 1i64 << (kind.width - 1);
            ((raw as i64 ^ top) - top).to_string()
        }
        KindText::Unsigned => raw.to_string(),
        // As C's `%#x` writes it.
        KindText::Hex if raw == 0 => "0".to_owned(),
        KindText::Hex => format!("{raw:#x}"),
        KindText::Marked => format!("#{raw}"),
    }
}

/// Whether the text begins as one of the kind does, right or wrong.
#[must_use]
pub fn begins(kind: &Kind, text: &Text<'_>) -> bool {
    match &kind.text {
        KindText::Set(values) => {
            let word = text.peek_word();
            values.iter().any(|value| value.is_read_as(word))
        }
        KindText::Reg => numbered(text.peek_word(), "R"),
        KindText::Pred => numbered(text.peek_word(), "P"),
        KindText::Signed | KindText::Unsigned | KindText::Hex => begins_number(text),
        KindText::Marked => text.clone().eat("#"),
    }
}

fn begins_number(text: &Text<'_>) -> bool {
    let mut behind = text.clone();
    let _ = behind.eat("-") || behind.eat("+");
    behind.peek_word().starts_with(|c: char| c.is_ascii_digit())
}

/// A prefix with a number behind it, or the special name of the bank.
fn numbered(word: &str, prefix: &str) -> bool {
    let special = if prefix == "R" { "RZ" } else { "PT" };
    let number = word.strip_prefix(prefix).unwrap_or_default();
    word == special || number.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads one value of the kind.
pub fn read(kind: &Kind, text: &mut Text<'_>) -> Option<u64> {
    match &kind.text {
        KindText::Set(values) => {
            let word = text.word();
            values.iter().find(|value| value.is_read_as(word)).map(|value| value.raw)
        }
        KindText::Reg => bank(text.word(), "R", "RZ", 255),
        KindText::Pred => bank(text.word(), "P", "PT", 7),
        KindText::Marked if !text.eat("#") => None,
        KindText::Signed | KindText::Unsigned | KindText::Hex | KindText::Marked => {
            let negative = text.eat("-");
            let _ = !negative && text.eat("+");
            let size = number(text.word())?;
            let value = if negative { -size } else { size };
            let (low, high) = match kind.text {
                KindText::Signed => (-(1i128 << (kind.width - 1)), (1i128 << (kind.width - 1)) - 1),
                _ => (0, (1i128 << kind.width) - 1),
            };
            let mask = (1i128 << kind.width) - 1;
            (low..=high).contains(&value).then_some((value & mask) as u64)
        }
    }
}

fn bank(word: &str, prefix: &str, special: &str, count: u64) -> Option<u64> {
    if word == special {
        return Some(count);
    }
    let digits = word.strip_prefix(prefix)?;
    let number = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    // One name a number: no zeros in front.
    number.filter(|number| *number < count && number.to_string() == digits)
}

fn number(word: &str) -> Option<i128> {
    // Where the letter case counts no text has a `0X`.
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit())),
    }
}
