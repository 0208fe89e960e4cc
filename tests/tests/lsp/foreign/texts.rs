//! Texts with one statement on each line, and the items of each statement.

use isa_core::parse::Parsed;
use isa_core::text::Line;
use isa_verify::generate::Generator;

use super::super::subjects::{Numbers, Subject};

/// A text of lines without errors.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) lines: Vec<Shape>,
}

/// The numbers of items of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// The number of modifiers of the mnemonic.
    pub(super) modifiers: usize,
    /// The number of operands, counted by commas.
    pub(super) operands: usize,
}

/// Text between two tokens.
const GAPS: [&str; 6] = [" ", "  ", "\t", "/* a; R1 */", " /**/ ", " "];
/// Text that may follow a statement.
const BEHIND: [&str; 6] = ["", "", "", " // R1; 5", " /* ; */", " // .word"];
/// Text that is inserted into a damaged line. It must not begin a comment or end a statement,
/// because that would affect other lines.
const SCRAPS: [&str; 12] = ["@", "R", "0", ".", ",", "é", "]", "|", " ", "(", "$", "-"];

/// Counts the items of a statement in printed form.
fn shape(subject: &Subject, text: &str) -> Shape {
    let (_, mnemonic) = subject.set.mnemonic_in(text).unwrap_or_else(|| panic!("{text}"));
    let rest = &text[mnemonic.end..].trim_end_matches(';');
    let modified = rest.find(' ').unwrap_or(rest.len());
    let modifiers = rest[..modified].matches('.').count();
    let (mut depth, mut commas) = (0, 0);
    for c in rest.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    // Trailing attributes, which follow the operands, are not counted.
    let behind = rest[modified..].trim_start();
    let has_operand = !(behind.is_empty() || behind.starts_with(['?', '&']));
    Shape { modifiers, operands: commas + usize::from(has_operand) }
}

/// Returns the examples of a set's specification, one on each line.
pub(super) fn examples(subject: &Subject) -> Text {
    let all = subject.set.spellings.iter().flat_map(|opcode| opcode.examples);
    let all: Vec<String> = all.map(|text| canonical(subject, text)).collect();
    let lines = all.iter().map(|text| shape(subject, text)).collect();
    Text { text: all.join("\n"), lines }
}

/// Returns a statement in printed form.
fn canonical(subject: &Subject, text: &str) -> String {
    let mut line = Line::new();
    match subject.set.parse(text) {
        Ok(Parsed::Instruction { opcode, word, .. }) => {
            subject.set.opcodes[opcode].print(word, &mut line)
        }
        other => panic!("{text}: {other:?}"),
    }
    line.to_string()
}

/// Returns random valid lines, with labels if the set has them, and with gaps between tokens.
pub(super) fn random(subject: &Subject, seed: u64, count: usize) -> Text {
    let mut numbers = Numbers(0x5eed_0001 ^ seed << 8);
    let program = subject.has_labels;
    let mut generator = Generator::new(subject.set, seed + 1);
    let all: Vec<String> = match program {
        true => generator.program(count).text().lines().map(str::to_owned).collect(),
        false => generator.take(count).map(|one| one.text().to_string()).collect(),
    };
    let (mut text, mut lines) = (String::new(), Vec::new());
    for line in all.iter().filter(|line| !line.trim().is_empty()) {
        let statement = line.trim();
        match statement.ends_with(':') || statement.starts_with('.') {
            // A label or data.
            true => text += statement,
            false => {
                lines.push(shape(subject, statement));
                text += &spaced(statement, &mut numbers);
                text += BEHIND[numbers.below(BEHIND.len())];
            }
        }
        text.push('\n');
    }
    Text { text, lines }
}

/// Adds gaps around the commas, brackets and spaces of a statement. There is no gap around a dot,
/// because after a space it would begin the name of a label.
fn spaced(statement: &str, numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for c in statement.chars() {
        let can_have =
            matches!(c, ' ' | ',' | '[' | ']' | '(' | ')' | '|' | ';') && numbers.below(4) == 0;
        if can_have {
            text += GAPS[numbers.below(GAPS.len())];
        }
        text.push(c);
    }
    text
}

/// Returns the text with an error in about every fifth line that contains a statement, and the
/// numbers of these lines.
pub(super) fn damaged(whole: &Text, seed: u64) -> (String, Vec<usize>) {
    let mut numbers = Numbers(0xda3a_6ed1 ^ seed << 8);
    let (mut text, mut places) = (String::new(), Vec::new());
    for (number, line) in whole.text.lines().enumerate() {
        let end = line.find(';').unwrap_or(0);
        if numbers.below(5) > 0 || end < 2 || line[..end].contains('*') || line.ends_with(':') {
            text += line;
        } else {
            places.push(number);
            let at = numbers.below(end);
            let scrap = SCRAPS[numbers.below(SCRAPS.len())];
            let gone = numbers.below(2);
            text += &line[..at];
            text += if numbers.below(3) == 0 { "" } else { scrap };
            text += &line[at + gone..];
        }
        text.push('\n');
    }
    (text, places)
}
