//! Records words and texts with their results in a file, so that a changed set can be compared with its
//! earlier version.

use core::fmt;
use core::str::FromStr;
use std::collections::BTreeSet;

use isa_core::error::{DecodeError, DecodeErrorKind};
use isa_core::table::InstructionSet;
use isa_core::text::Line;

use crate::field_values::{boundary_values, max_value, with_value};
use crate::garble::garble;
use crate::spelling::spell;
use crate::text::{plain_reads_back, printed};
use crate::word_generator::WordGenerator;

/// Words and texts with their results.
///
/// A vector is one line of text. For a word it contains the digits, the opcode and the assembly, or
/// `-` and the reason why it is invalid. For a text it contains its word, or `-`, and the text. A
/// line that begins with `#` is a comment.
///
/// ```
/// use isa_verify::Vectors;
/// # mod before {
/// #     isa_core::define_isa! {
/// #         /// One instruction.
/// #         pub isa Tiny: u16;
/// #         operand Reg: 8 = isa_core::operand::Reg;
/// #         enum Op: 8 { NEG = 1 }
/// #         opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// #     }
/// # }
/// # mod after {
/// #     isa_core::define_isa! {
/// #         /// One instruction.
/// #         pub isa Tiny: u16;
/// #         operand Reg: 8 = isa_core::operand::Reg;
/// #         enum Op: 8 { NEG = 2 }
/// #         opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// #     }
/// # }
///
/// let vectors = Vectors::record(before::Tiny::SET, 1, 10);
/// assert!(vectors.differences(before::Tiny::SET).is_empty());
/// // With another number for the opcode.
/// assert!(!vectors.differences(after::Tiny::SET).is_empty());
///
/// let few: Vectors = "word 0105 | NEG | NEG R5;\nword 0000 | - | no opcode\ntext 0105 | NEG  R5 ;".parse()?;
/// assert_eq!(few.differences(before::Tiny::SET), [""; 0]);
/// # Ok::<(), isa_verify::vectors::NoVector>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vectors {
    /// The name of the set, for the first line of the file.
    name: String,
    lines: Vec<Vector>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Vector {
    /// A word with its opcode and its text. If the word is invalid, it has no opcode, and `is` contains
    /// the reason.
    Word { word: u128, opcode: Option<String>, is: String },
    /// A text with its word.
    Text { word: Option<u128>, text: String },
}

/// A line that is not a valid vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoVector {
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for NoVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: invalid vector: expected `word DIGITS | OPCODE | TEXT`, `word DIGITS | - | REASON` or \
             `text DIGITS-OR-- | TEXT`",
            self.line
        )
    }
}

impl core::error::Error for NoVector {}

impl Vectors {
    /// Records the results of a set: for each opcode, the boundary values of fields, all words that
    /// differ from a valid word in one bit, and `count` random words, spellings and damaged texts.
    #[must_use]
    pub fn record(set: &'static InstructionSet, seed: u64, count: u64) -> Self {
        let mut generator = WordGenerator::new(set, seed);
        let (mut words, mut texts) = (BTreeSet::new(), BTreeSet::new());
        for opcode in 0..generator.opcode_count() {
            add_words(&mut generator, opcode, count, &mut words);
            add_texts(&mut generator, opcode, count, &mut texts);
        }
        let words = words.into_iter().map(|word| {
            let (opcode, is) = found(set, word);
            Vector::Word { word, opcode, is }
        });
        let texts = texts.into_iter().map(|text| Vector::Text { word: read(set, &text), text });
        Vectors { name: set.name.to_owned(), lines: words.chain(texts).collect() }
    }

    /// Returns the number of vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns a sentence for each vector whose result in the set differs.
    #[must_use]
    pub fn differences(&self, set: &'static InstructionSet) -> Vec<String> {
        let differ = |vector: &Vector| match vector {
            Vector::Word { word, opcode, is } => {
                let now = found(set, *word);
                let shown = |(opcode, is): &(Option<String>, String)| match opcode {
                    Some(opcode) => format!("{opcode}, `{is}`"),
                    None => format!("invalid instruction ({is})"),
                };
                let before = (opcode.clone(), is.clone());
                (now != before)
                    .then(|| format!("{word:#x} is {}, and was {}", shown(&now), shown(&before)))
            }
            Vector::Text { word, text } => {
                let now = read(set, text);
                let shown = |word: Option<u128>| match word {
                    Some(word) => format!("parsed as {word:#x}"),
                    None => "refused".to_owned(),
                };
                (now != *word)
                    .then(|| format!("{text:?} is {}, and was {}", shown(now), shown(*word)))
            }
        };
        self.lines.iter().filter_map(differ).collect()
    }
}

/// Adds the words of an opcode that are recorded.
fn add_words(generator: &mut WordGenerator, opcode: usize, count: u64, words: &mut BTreeSet<u128>) {
    let bits = generator.opcode(opcode).opcode.bits;
    let Some(legal) = generator.find_legal_with(opcode, &[]) else { return };
    words.extend((0..bits).map(|bit| legal ^ 1 << bit));
    for &field in generator.opcode(opcode).opcode.fields {
        let edges = boundary_values(field);
        let step = edges.len().div_ceil(EDGES).max(1);
        for raw in edges.into_iter().step_by(step) {
            let legal = generator.find_legal_with(opcode, &[]).unwrap_or(legal);
            words.insert(with_value(field, legal, raw));
        }
    }
    add_edges(generator, opcode, words);
    for alias in 0..generator.opcode(opcode).opcode.aliases.len() {
        words.extend((0..count.div_ceil(4)).filter_map(|_| generator.aliased(opcode, alias)));
    }
    for _ in 0..count {
        words.extend(generator.find_legal_with(opcode, &[]));
        words.insert(generator.plausible(opcode) & u128::MAX >> (128 - u32::from(bits)));
    }
}

/// Adds words at the edges of the exceptions of an opcode. An edge is a pair of values of the fields of a
/// condition that differ by 1 in one field, and that the condition does not both accept.
fn add_edges(generator: &mut WordGenerator, opcode: usize, words: &mut BTreeSet<u128>) {
    let row = generator.opcode(opcode);
    let mut all = Vec::new();
    for condition in &row.conditions {
        let fields = condition.fields();
        let values = fields.iter().map(|&field| boundary_values(row.opcode.fields[field]));
        let values: Vec<Vec<u64>> = values.collect();
        if values.iter().map(Vec::len).product::<usize>() > MOST_COMBINATIONS {
            continue;
        }
        let combinations = values.iter().fold(vec![Vec::new()], |all, values| {
            let with = |combination: &Vec<u64>| {
                let longer = |&value| [&combination[..], &[value]].concat();
                values.iter().map(longer).collect::<Vec<_>>()
            };
            all.iter().flat_map(with).collect()
        });
        let holds = |values: &[u64]| {
            let value = |field| fields.iter().position(|&known| known == field);
            condition.holds(&|field| value(field).map_or(0, |place| values[place]))
        };
        for place in 0..fields.len() {
            let mut edges = Vec::new();
            for below in &combinations {
                let mut above = below.clone();
                above[place] += 1;
                let fits = above[place] <= max_value(row.opcode.fields[fields[place]]);
                if fits && holds(below) != holds(&above) {
                    edges.extend([below.clone(), above]);
                }
            }
            let step = edges.len().div_ceil(EDGES) | 1;
            let given = |values: Vec<u64>| fields.iter().copied().zip(values).collect::<Vec<_>>();
            all.extend(edges.into_iter().step_by(step).map(given));
        }
    }
    for given in all {
        // Other exceptions may reject a word before this one.
        words.extend((0..4).map(|_| generator.filled(opcode, &given)));
    }
}

/// The maximum number of combinations of field values that are tried for an exception.
const MOST_COMBINATIONS: usize = 1 << 14;

/// The maximum number of values of a field that are recorded.
const EDGES: usize = 32;

/// Adds the texts of an opcode that are recorded.
fn add_texts(
    generator: &mut WordGenerator,
    opcode: usize,
    count: u64,
    texts: &mut BTreeSet<String>,
) {
    let row = generator.opcode(opcode).opcode;
    let mut other = String::new();
    let aliases = row.aliases.len() as u64;
    for number in 0..count {
        // Every other word belongs to an alias, if there is one.
        let alias = (number % 2 == 1).then(|| (number / 2).checked_rem(aliases)).flatten();
        let aliased = alias.and_then(|alias| generator.aliased(opcode, alias as usize));
        let word = aliased.or_else(|| generator.find_legal_with(opcode, &[]));
        let Some(word) = word else { return };
        let mut plain = Line::new();
        row.print_plain(word, &mut plain);
        let aliases = row.aliases.iter().map(|alias| alias.row).filter(|row| row.check(word));
        for row in core::iter::once(row).chain(aliases) {
            if plain_reads_back(row, word) {
                texts.insert(spell(row, word, &mut generator.random));
            }
        }
        let damaged = garble(plain.as_str(), &other, &mut generator.random);
        // Texts in which a token is repeated three hundred times are not recorded, because people also
        // read the file. The properties test such texts.
        texts.extend(Some(damaged).filter(|text| text.len() < LONGEST));
        texts.insert(plain.to_string());
        other = printed(row, word).to_string();
    }
}

/// The maximum length of a text in a file, in bytes.
const LONGEST: usize = 500;

/// Returns the opcode and the text of a word. If the word is invalid, returns the reason instead of the
/// text.
fn found(set: &'static InstructionSet, word: u128) -> (Option<String>, String) {
    match set.decode(word) {
        Ok(opcode) => (Some(opcode.name.to_owned()), printed(opcode, word).to_string()),
        Err(error) => (None, reason(&error)),
    }
}

/// Returns the reason why a word is invalid. The reason contains only names from the specification, so
/// that the messages of the library can change.
fn reason(error: &DecodeError) -> String {
    match error.kind() {
        DecodeErrorKind::NoSuchOpcode { .. } => "no opcode".to_owned(),
        DecodeErrorKind::ReservedValue { opcode, field, raw, .. } => {
            format!("{} = {raw:#x} of {}", field.name, opcode.name)
        }
        DecodeErrorKind::Illegal { opcode, exception, .. } => {
            let text = exception.reason.replace(['\n', '\r'], " ");
            format!("{} of {}: {text}", exception.class, opcode.name)
        }
        DecodeErrorKind::UnusedBits { opcode, .. } => format!("unused bits of {}", opcode.name),
        DecodeErrorKind::OtherOpcode { opcode, .. } => format!("not of {}", opcode.name),
        DecodeErrorKind::Unavailable { opcode, requirement, .. } => {
            format!("{} requires {}", opcode.name, requirement.condition)
        }
        _ => "invalid instruction".to_owned(),
    }
}

/// Returns the word that a text is parsed as.
fn read(set: &'static InstructionSet, text: &str) -> Option<u128> {
    set.parse(text).ok().map(|parsed| parsed.word())
}

impl fmt::Display for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Words and texts of the set `{}` with their meanings, written by isa-verify.",
            self.name
        )?;
        for line in &self.lines {
            match line {
                Vector::Word { word, opcode, is } => {
                    let opcode = opcode.as_deref().unwrap_or("-");
                    writeln!(f, "word {word:x} | {opcode} | {}", escaped(is))?;
                }
                Vector::Text { word: Some(word), text } => {
                    writeln!(f, "text {word:x} | {}", escaped(text))?;
                }
                Vector::Text { word: None, text } => writeln!(f, "text - | {}", escaped(text))?,
            }
        }
        Ok(())
    }
}

impl FromStr for Vectors {
    type Err = NoVector;

    fn from_str(text: &str) -> Result<Self, NoVector> {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        let vector = |(at, line): (usize, &str)| parse_line(line).ok_or(NoVector { line: at + 1 });
        let lines = lines.map(vector).collect::<Result<_, _>>()?;
        Ok(Vectors { name: String::new(), lines })
    }
}

fn parse_line(line: &str) -> Option<Vector> {
    let digits = |text: &str| u128::from_str_radix(text, 16).ok();
    if let Some(rest) = line.strip_prefix("word ") {
        let (word, rest) = rest.split_once(" | ")?;
        let (opcode, is) = rest.split_once(" | ")?;
        let opcode = (opcode != "-").then(|| opcode.to_owned());
        return Some(Vector::Word { word: digits(word)?, opcode, is: unescaped(is)? });
    }
    let (word, text) = line.strip_prefix("text ")?.split_once(" | ")?;
    let word = if word == "-" { None } else { Some(digits(word)?) };
    Some(Vector::Text { word, text: unescaped(text)? })
}

/// Converts a text to one line of ASCII characters. Other characters are escaped, for example as
/// `\u{e9}`.
fn escaped(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '\\' => line.push_str("\\\\"),
            ' '..='~' => line.push(c),
            _ => line.extend(c.escape_unicode()),
        }
    }
    line
}

fn unescaped(line: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('\\') {
        text.push_str(before);
        if let Some(behind) = behind.strip_prefix('\\') {
            text.push('\\');
            rest = behind;
            continue;
        }
        let (digits, behind) = behind.strip_prefix("u{")?.split_once('}')?;
        text.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = behind;
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_a_line() {
        for text in ["", "a | b", "\\", "\\u{41}", "\n\r\t\0", "\u{e9}\u{1f600}", "# a", " "] {
            let line = escaped(text);
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
            assert_eq!(unescaped(&line).as_deref(), Some(text));
        }
        for line in ["\\", "\\u{", "\\u{x}", "\\u{d800}", "\\n"] {
            assert_eq!(unescaped(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_no_vector_is_named() {
        for line in ["word", "word x | A | B", "word 1 | A", "text 1", "text x | y", "w 1 | A | B"]
        {
            let text = format!("# first\n\n{line}\n");
            assert_eq!(text.parse::<Vectors>(), Err(NoVector { line: 3 }), "{line}");
        }
        assert_eq!("# alone\n".parse::<Vectors>().map(|vectors| vectors.len()), Ok(0));
    }
}
