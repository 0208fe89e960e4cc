//! Parser of the format's lines.

use super::arguments::{Argument, ArgumentTable};
use super::source_span::{SourceSpan, number};
use crate::plain::short;
use crate::{ImportError, Source};

/// Bits with a value.
#[derive(Debug, Clone)]
pub(super) struct FixedBitRange {
    pub(super) high: u32,
    pub(super) low: u32,
    pub(super) value: u64,
    /// The value in the spelling of the source.
    pub(super) text: String,
}

impl FixedBitRange {
    pub(super) fn mask(&self) -> u64 {
        run(self.low, self.high - self.low + 1)
    }
}

/// An instruction.
pub(super) struct Instruction<'s> {
    pub(super) place: SourceSpan<'s>,
    pub(super) name: &'s str,
    pub(super) args: Vec<Argument>,
    pub(super) fixed: Vec<FixedBitRange>,
    /// Pairs of arguments that must have the same bits. The text contains only the first argument of a
    /// pair.
    pub(super) equal: Vec<(String, String)>,
    pub(super) mask: u64,
    pub(super) value: u64,
    /// The width of its words in bits.
    pub(super) width: u32,
    /// The extension and the name of the base instruction, if this is a pseudo-instruction.
    pub(super) base: Option<(&'s str, &'s str)>,
}

pub(super) enum ParsedLine<'s> {
    Empty,
    Comment(&'s str),
    /// The import of an instruction: the extension and the instruction.
    Import(&'s str, &'s str),
    Instruction(Instruction<'s>),
}

/// Returns a mask of `width` bits from the position `low` up.
pub(super) fn run(low: u32, width: u32) -> u64 {
    ((1 << width) - 1) << low
}

/// Parses a line.
pub(super) fn read<'s>(
    file: Source<'s>,
    line: (usize, &'s str),
    table: &ArgumentTable,
) -> Result<ParsedLine<'s>, Vec<ImportError>> {
    let whole = SourceSpan { file: file.name, line, text: line.1.trim() };
    let text = whole.text;
    if text.is_empty() {
        return Ok(ParsedLine::Empty);
    }
    if let Some(comment) = text.strip_prefix('#') {
        return Ok(ParsedLine::Comment(comment.trim()));
    }
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let mut of = || {
        let word = words.next().unwrap_or(text);
        let pair = word.split_once("::");
        pair.ok_or_else(|| {
            vec![
                whole
                    .part(word)
                    .fault(format!("expected `extension::instruction` after `{first}`")),
            ]
        })
    };
    match first {
        "$import" => {
            let (extension, name) = of()?;
            Ok(ParsedLine::Import(extension, name))
        }
        "$pseudo_op" => {
            let base = of()?;
            let name = words.next().ok_or_else(|| {
                vec![whole.fault("expected a name after the base instruction".into())]
            })?;
            instruction(whole, name, words, table, Some(base)).map(ParsedLine::Instruction)
        }
        word if word.starts_with('$') => Err(vec![
            whole.part(word).fault(format!("expected `$import` or `$pseudo_op`, found `{word}`")),
        ]),
        name => instruction(whole, name, words, table, None).map(ParsedLine::Instruction),
    }
}

fn instruction<'s>(
    whole: SourceSpan<'s>,
    name: &'s str,
    words: impl Iterator<Item = &'s str>,
    table: &ArgumentTable,
    base: Option<(&'s str, &'s str)>,
) -> Result<Instruction<'s>, Vec<ImportError>> {
    let mut faults = Vec::new();
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
        let meant = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
        faults.push(whole.part(name).fault(format!(
            "expected a mnemonic of letters, digits, `.` and `_`, found `{}`: write `{}`",
            short(name),
            short(&meant)
        )));
    }
    let (mut names, mut fixed): (Vec<SourceSpan<'s>>, Vec<FixedBitRange>) = Default::default();
    let mut equal = Vec::new();
    let mut taken = 0_u64;
    for word in words {
        let place = whole.part(word);
        let mask = if let Some((one, other)) = equality(place, table) {
            names.push(one);
            equal.push((other, one));
            table.place(one.text).map_or(0, |(high, low)| run(low, high - low + 1))
        } else if word.contains('=') || word.contains("..") {
            match bits(word, table) {
                Ok(bits) => {
                    let mask = bits.mask();
                    fixed.push(bits);
                    mask
                }
                Err(message) => {
                    faults.push(place.fault(message));
                    continue;
                }
            }
        } else {
            names.push(place);
            table.place(word).map_or(0, |(high, low)| run(low, high - low + 1))
        };
        if taken & mask != 0 {
            let bit = (taken & mask).trailing_zeros();
            faults.push(place.fault(format!("bit {bit} is specified twice")));
        }
        taken |= mask;
    }
    let width = if taken >> 16 == 0 { 16 } else { 32 };
    let free = !taken & run(0, width);
    if faults.is_empty() && free != 0 && names.iter().all(|name| table.place(name.text).is_some()) {
        let bit = free.trailing_zeros();
        faults.push(
            whole
                .part(name)
                .fault(format!("bit {bit} is not specified: write `{bit}=0` or add an argument")),
        );
    }
    let width_of = |name: &SourceSpan<'_>| table.place(name.text).map(|(high, low)| high - low);
    for (at, (other, one)) in equal.iter().enumerate() {
        if equal[..at].iter().any(|(earlier, _)| earlier.text == other.text) {
            faults.push(
                other.fault(format!("`{}` is already equal to another argument", other.text)),
            );
        } else if !names.iter().any(|name| name.text == other.text) {
            let message = format!("`{}` is not an argument of this line", other.text);
            faults.push(other.fault(message));
        } else if width_of(other) != width_of(one) {
            let message = format!("`{}` has a different width", other.text);
            faults.push(other.fault(message));
        }
    }
    let args = table.operands(&names).unwrap_or_else(|more| {
        faults.extend(more);
        Vec::new()
    });
    if !faults.is_empty() {
        return Err(faults);
    }
    let mask = fixed.iter().fold(0, |mask, bits| mask | bits.mask());
    let value = fixed.iter().fold(0, |value, bits| value | bits.value << bits.low);
    let equal = equal.iter().map(|(other, one)| (other.text.to_owned(), one.text.to_owned()));
    let equal = equal.collect();
    Ok(Instruction { place: whole, name, args, fixed, equal, mask, value, width, base })
}

/// Parses `rs2=rs1`, which declares that two arguments have the same bits.
fn equality<'s>(
    place: SourceSpan<'s>,
    table: &ArgumentTable,
) -> Option<(SourceSpan<'s>, SourceSpan<'s>)> {
    let (one, other) = place.text.split_once('=')?;
    let both = table.place(one).is_some() && table.place(other).is_some();
    both.then(|| (place.part(one), place.part(other)))
}

/// Parses `word`, which fixes some bits to a value: `14..12=0`, `25=1`, `rd=0`.
fn bits(word: &str, table: &ArgumentTable) -> Result<FixedBitRange, String> {
    let meant = || {
        "expected `high..low=value`, `bit=value`, `argument=value` or `argument=argument`"
            .to_owned()
    };
    let (place, text) = word.split_once('=').ok_or_else(meant)?;
    let value = number(text).ok_or_else(meant)?;
    let (high, low) = match place.split_once("..") {
        Some((high, low)) => number(high).zip(number(low)).ok_or_else(meant)?,
        None => match (number(place), table.place(place)) {
            (Some(bit), _) => (bit, bit),
            (None, Some((high, low))) => (high.into(), low.into()),
            _ => return Err(meant()),
        },
    };
    if high < low || high > 31 {
        return Err(
            "invalid bit range: expected the higher bit first, and bits from 31 to 0".to_owned()
        );
    }
    if value >> (high - low + 1) != 0 {
        return Err(format!("{text} does not fit into {} bits", high - low + 1));
    }
    Ok(FixedBitRange { high: high as u32, low: low as u32, value, text: text.to_owned() })
}
