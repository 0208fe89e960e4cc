//! Parsing and disassembly of words in hexadecimal.

use isa_core::table::InstructionSet;
use isa_core::text::Line;

/// Parses a word. It must have all its digits, because their number determines its width.
pub(crate) fn read(set: &InstructionSet, text: &str) -> Result<(u128, u8), String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    // The narrowest width that is sufficient for the digits. Leading zeros select a wider word.
    let mut widths = set.widths.iter().rev().map(|width| width.bits);
    let width = widths.find(|bits| digits.len() <= usize::from(*bits).div_ceil(4));
    let word = hexadecimal(digits.as_bytes()).zip(width);
    word.ok_or_else(|| {
        let digits = usize::from(set.bits).div_ceil(4);
        format!(
            "invalid word: expected up to {digits} hexadecimal digits, found `{}`",
            shortened(text)
        )
    })
}

/// Parses a number of up to 32 digits.
fn hexadecimal(digits: &[u8]) -> Option<u128> {
    // The two halves are parsed separately, because 128-bit multiplications are slow on a 32-bit
    // machine.
    let half = |digits: &[u8]| {
        let each = digits.iter().map(|&digit| char::from(digit).to_digit(16));
        each.into_iter().try_fold(0, |number: u64, digit| Some(number << 4 | u64::from(digit?)))
    };
    let (high, low) = digits.split_at(digits.len().saturating_sub(16));
    let number = u128::from(half(high)?) << 64 | u128::from(half(low)?);
    (1..=32).contains(&digits.len()).then_some(number)
}

/// Returns the beginning of a text, for messages.
fn shortened(text: &str) -> String {
    let mut start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// Disassembles the words in a text, one line for each word.
pub(crate) fn disassemble(
    set: &'static InstructionSet,
    directives: &'static [(&'static str, &'static str)],
    text: &str,
) -> String {
    let always = set.always_reads_back();
    let mut lines = String::with_capacity(text.len() * 2);
    let mut line = Line::new();
    for text in text.split_ascii_whitespace() {
        match read(set, text) {
            Ok((word, bits)) => match set.decode_as(word, bits) {
                Ok(opcode) if always || opcode.reads_back(word) => {
                    line.clear();
                    opcode.print(word, &mut line);
                    lines.push_str(line.as_str());
                }
                _ => lines.push_str(&set.data_line_in(directives, word, bits)),
            },
            Err(message) => {
                lines.push_str("// ");
                lines.push_str(&message);
            }
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::hexadecimal;

    #[test]
    fn digits_are_read_in_halves() {
        for text in ["0", "f", "123456789abcdef", "0123456789abcdef", "10000000000000000"] {
            assert_eq!(hexadecimal(text.as_bytes()), u128::from_str_radix(text, 16).ok(), "{text}");
        }
        assert_eq!(hexadecimal(&[b'F'; 32]), Some(u128::MAX));
        for text in ["", "+1", "g", "0x1", "1 ", "00000000000000000000000000000000f"] {
            assert_eq!(hexadecimal(text.as_bytes()), None, "{text}");
        }
    }
}
