//! Prints and parses operand types and enums.

use crate::reading::How;
use crate::spec::{Kind, KindText, Value as Name};
use crate::text::Text;

/// Returns the text of a value.
#[must_use]
pub fn show(kind: &Kind, raw: u64) -> String {
    show_as(kind, raw, 0)
}

/// Returns the text of a value. A `number` above 0 selects another of its names.
#[must_use]
pub fn show_as(kind: &Kind, raw: u64, number: usize) -> String {
    match &kind.text {
        KindText::Set(values) | KindText::Bank(values) => {
            let named = values.iter().find(|value| value.raw == raw);
            named.map_or_else(|| format!("?{raw}"), |value| value.name(number).to_owned())
        }
        KindText::Reg if raw == 255 => "RZ".to_owned(),
        KindText::Reg => format!("R{raw}"),
        KindText::Pred if raw == 7 => "PT".to_owned(),
        KindText::Pred => format!("P{raw}"),
        KindText::Signed | KindText::Target => {
            let top = 1i64 << (kind.width - 1);
            ((raw as i64 ^ top) - top).to_string()
        }
        KindText::Unsigned => raw.to_string(),
        // As C's `%#x` prints it.
        KindText::Hex if raw == 0 => "0".to_owned(),
        KindText::Hex => format!("{raw:#x}"),
        KindText::Marked => format!("#{raw}"),
        KindText::Sigil => format!("%r{raw}"),
        KindText::Place => format!("[{raw}]"),
    }
}

/// Returns whether the text begins like a text of the operand type, valid or not.
#[must_use]
pub fn begins(kind: &Kind, text: &Text<'_>) -> bool {
    let is_name = |names: &[Name]| names.iter().any(|name| name.is_read_as(text.peek_word()));
    match &kind.text {
        KindText::Set(values) => is_name(values),
        KindText::Reg => numbered(text.peek_word(), "R"),
        KindText::Pred => numbered(text.peek_word(), "P"),
        KindText::Signed | KindText::Unsigned | KindText::Hex => begins_number(text),
        KindText::Marked => text.clone().eat("#"),
        KindText::Target => begins_number(text) || !text.clone().label().is_empty(),
        KindText::Bank(names) => is_name(names) || numbered(text.peek_word(), "r"),
        KindText::Sigil => {
            let mut behind = text.clone();
            behind.eat("%") && numbered(behind.peek_word(), "r")
        }
        KindText::Place => {
            let mut behind = text.clone();
            behind.eat("[") && begins_digit(&behind)
        }
    }
}

fn begins_number(text: &Text<'_>) -> bool {
    let mut behind = text.clone();
    let _ = behind.eat("-") || behind.eat("+");
    begins_digit(&behind)
}

fn begins_digit(text: &Text<'_>) -> bool {
    text.peek_word().starts_with(|c: char| c.is_ascii_digit())
}

/// Returns whether a word is a prefix followed by a number, or the special name of the register
/// bank, in any letter case.
fn numbered(word: &str, prefix: &str) -> bool {
    let special = match prefix {
        "R" => "RZ",
        "P" => "PT",
        _ => "",
    };
    let is_prefix = word.get(..1).is_some_and(|first| first.eq_ignore_ascii_case(prefix));
    let number = word.get(1..).unwrap_or_default();
    !word.is_empty() && word.eq_ignore_ascii_case(special)
        || is_prefix && number.starts_with(|c: char| c.is_ascii_digit())
}

/// The value of an operand's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The bits of a field.
    Raw(u64),
    /// A label and the number that is added to it. Its address is known only in a program.
    Label(i128),
}

/// Parses one value of the operand type.
pub fn read(kind: &Kind, text: &mut Text<'_>, how: How) -> Option<Value> {
    if kind.text == KindText::Target {
        let label = text.label();
        if label.len() > 1 && label.starts_with('.') && !how.dotted {
            return None;
        }
        if !label.is_empty() {
            // A number after `.` always belongs to it.
            let further = if how.sums || label == "." { addend(text)? } else { 0 };
            return Some(Value::Label(further));
        }
    }
    read_raw(kind, text).map(Value::Raw)
}

/// Parses `+` or `-` and a number, if they follow.
fn addend(text: &mut Text<'_>) -> Option<i128> {
    let mut ahead = text.clone();
    let negative = ahead.eat("-");
    let has_number = (negative || ahead.eat("+")) && begins_digit(&ahead);
    if !has_number {
        return Some(0);
    }
    *text = ahead;
    let size = number(text.word())?;
    Some(if negative { -size } else { size })
}

fn read_raw(kind: &Kind, text: &mut Text<'_>) -> Option<u64> {
    let range = match kind.text {
        KindText::Signed | KindText::Target => {
            (-(1i128 << (kind.width - 1)), (1i128 << (kind.width - 1)) - 1)
        }
        _ => (0, (1i128 << kind.width) - 1),
    };
    match &kind.text {
        KindText::Set(values) | KindText::Bank(values) => {
            let word = text.word();
            values.iter().find(|value| value.is_read_as(word)).map(|value| value.raw)
        }
        KindText::Reg => bank(text.word(), "R", "RZ", 255),
        KindText::Pred => bank(text.word(), "P", "PT", 7),
        // If a set accepts any letter case, the text is in upper case.
        KindText::Sigil => {
            let word = text.word_behind("%")?;
            bank(word, "r", "", 4).or_else(|| bank(word, "R", "", 4))
        }
        KindText::Marked if !text.eat("#") => None,
        KindText::Place => {
            let is_number = text.eat("[") && begins_digit(text);
            let raw = if is_number { signed(text, range)? } else { return None };
            text.eat("]").then_some(raw)
        }
        KindText::Signed
        | KindText::Unsigned
        | KindText::Hex
        | KindText::Marked
        | KindText::Target => Some(signed(text, range)? & ((1 << kind.width) - 1)),
    }
}

/// Parses a number in a range.
fn signed(text: &mut Text<'_>, (low, high): (i128, i128)) -> Option<u64> {
    let negative = text.eat("-");
    let _ = !negative && text.eat("+");
    let size = number(text.word())?;
    let value = if negative { -size } else { size };
    (low..=high).contains(&value).then_some(value as u64)
}

fn bank(word: &str, prefix: &str, special: &str, count: u64) -> Option<u64> {
    if word == special && !special.is_empty() {
        return Some(count);
    }
    let digits = word.strip_prefix(prefix)?;
    let number = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    // Each number has only one name, so leading zeros are not accepted.
    number.filter(|number| *number < count && number.to_string() == digits)
}

fn number(word: &str) -> Option<i128> {
    // If letter case is significant, no text contains `0X`.
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit())),
    }
}
