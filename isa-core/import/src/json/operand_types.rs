//! Items for types and formats, whose texts are in the description.

use std::collections::HashSet;

use isa_core::table::Cube;
use isa_export::description::{
    AtPath, DescribedPart, Description, FieldType, NamedValue, OperandFormat, OperandText, TextRule,
};

use super::{Imported, LocatedRow, doc, names};
use crate::code::{Code, code};
use crate::macro_call::{self, CallItem, KNOWN, NOTE, path_of};

/// Returns the item of a type. Adds the Rust code that the item needs before the call.
pub(super) fn item(
    kind: &FieldType,
    texts: &[OperandText],
    before: &mut Vec<Code>,
) -> Imported<CallItem> {
    let name = Code::type_name(&kind.name).at("name")?;
    let width = u32::from(kind.width);
    if !kind.values.is_empty() {
        let values = kind.values.iter().enumerate();
        let values = values.map(|(at, one)| value(one).at(format_args!("values[{at}]")));
        let values = values.collect::<Imported<_>>()?;
        return Ok(CallItem::Values { doc: doc(&kind.doc), name, width, note: "", values });
    }
    let reserved: Vec<Code> =
        kind.reserved.iter().map(|cube| Code::quoted(&pattern(*cube, width))).collect();
    let text = kind.text.map(|text| &texts[text]);
    let path = predefined(kind, text);
    let (is_path, has_list) = match (&path, text) {
        (Some(path), _) => (code!(" = {}", path), false),
        (None, Some(OperandText { expects, rule: TextRule::List(list), .. })) => {
            listed(before, "listed", &code!("{}: {}", name, width), expects, list);
            (Code::default(), true)
        }
        (None, _) => (code!(" = isa_core::operand::Unsigned<{}>", width), false),
    };
    let reserved = macro_call::listed(", reserved(", &reserved, ")");
    let note = if path.is_none() && !has_list { NOTE } else { "" };
    let blank = if note.is_empty() { "" } else { " " };
    let text = code!("operand {}: {}{}{};{}{}", name, width, is_path, reserved, blank, note);
    Ok(CallItem::Line { doc: doc(&kind.doc), text })
}

fn value(value: &NamedValue) -> Imported<macro_call::ImportedValue> {
    let mut all = vec![Code::value_name(&value.name).at("name")?];
    all.extend(names(&value.also, "also", Code::value_name)?);
    let name = Code::joined(&all, " | ");
    Ok(macro_call::ImportedValue { doc: doc(&value.doc), name, raw: value.raw, note: "" })
}

/// Returns the pattern of a field's lowest bits, with `x` for bits outside the mask.
fn pattern(Cube { mask, value }: Cube, width: u32) -> String {
    let bit = |bit: u32| match (mask >> bit & 1, value >> bit & 1) {
        (0, _) => 'x',
        (_, 0) => '0',
        _ => '1',
    };
    let highest = (0..width).rev().find(|&bit| mask >> bit & 1 == 1).unwrap_or(0);
    (0..=highest).rev().map(bit).collect()
}

/// Returns the path of the type that prints the texts of `kind`.
fn predefined(kind: &FieldType, text: Option<&OperandText>) -> Option<Code> {
    let width = u32::from(kind.width);
    if let Some(known) = KNOWN.into_iter().find(|known| (known.0, known.1) == (&kind.name, width)) {
        return Some(path_of(known.0));
    }
    match &text?.rule {
        TextRule::Parts(parts) => {
            let number = numeral(parts, width, kind.target)?;
            Some(code!("isa_core::operand::{}", number))
        }
        TextRule::List(_) | TextRule::Unknown => None,
    }
}

fn numeral(parts: &[DescribedPart], width: u32, target: bool) -> Option<Code> {
    match parts {
        [DescribedPart::Choice { of, .. }] => match of.as_slice() {
            [only] => numeral(only, width, target),
            [_, hex] => match hex.as_slice() {
                [DescribedPart::Text(prefix), DescribedPart::Number(number), ..]
                    if prefix == "0x" && number.hex == 1 =>
                {
                    let scale = u64::try_from(number.scale).ok()?;
                    match (target, scale.is_power_of_two(), scale.trailing_zeros()) {
                        (false, true, 0) => Some(code!("Hex<{}>", width)),
                        (true, true, 0) => Some(code!("Absolute<{}>", width)),
                        (true, true, shift) => Some(code!("Absolute<{}, {}>", width, shift)),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        },
        [DescribedPart::Text(mark), rest @ ..] if mark == "#" => {
            Some(code!("HashPrefixed<isa_core::operand::{}>", numeral(rest, width, target)?))
        }
        [DescribedPart::Number(number)] => {
            let bits = (number.bits.which, number.bits.low, number.bits.width);
            let is_plain = (bits, number.add, number.wrap, number.hex) == ((0, 0, width), 0, 0, 0);
            let scale = u64::try_from(number.scale).ok()?;
            let word = match (target, number.signed) {
                (true, true) => "Relative",
                (false, true) => "Signed",
                (false, false) => "Unsigned",
                (true, false) => return None,
            };
            let shift = scale.trailing_zeros();
            let has_unit = shift != 0 || target;
            let unit = if has_unit { code!(", {}", shift) } else { Code::default() };
            (is_plain && scale.is_power_of_two()).then(|| code!("{}<{}{}>", word, width, unit))
        }
        _ => None,
    }
}

/// Returns the items of all formats of operands, except those without a list of texts.
pub(super) fn formats(set: &Description, before: &mut Vec<Code>) -> Imported<Vec<CallItem>> {
    let mut items = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for row in LocatedRow::all(set) {
        for (at, format) in row.row.formats.iter().enumerate() {
            if !known.insert(&format.name) {
                continue;
            }
            let path = format!("formats[{at}].name");
            let own = Code::type_name(&format.name).at(&path).at(row)?;
            let text = &set.texts[format.text];
            let line = match &text.rule {
                _ if format.name == "CvtFImm" => {
                    code!("format CvtFImm = isa_defs::base::CvtFImm;")
                }
                TextRule::List(list) => {
                    listed(before, "listed_format", &own, &text.expects, list);
                    code!("format {};", own)
                }
                _ => match number(text) {
                    Some(kind) => code!(
                        "format {} = isa_core::operand::FixedText<isa_core::operand::{}>;",
                        own,
                        kind
                    ),
                    None => continue,
                },
            };
            items.push(CallItem::Line { doc: Vec::new(), text: line });
        }
    }
    Ok(items)
}

/// Returns whether a format has an item.
pub(super) fn has_item(format: &OperandFormat, texts: &[OperandText]) -> bool {
    let text = &texts[format.text];
    format.name == "CvtFImm" || matches!(text.rule, TextRule::List(_)) || number(text).is_some()
}

/// Returns the type in `isa_core::operand` for a text that is a single number.
fn number(text: &OperandText) -> Option<Code> {
    match &text.rule {
        TextRule::Parts(parts) => numeral(parts, *text.widths.first()?, false),
        TextRule::List(_) | TextRule::Unknown => None,
    }
}

/// Adds a type that prints the texts of a list.
fn listed(
    before: &mut Vec<Code>,
    word: &'static str,
    head: &Code,
    expects: &str,
    texts: &[String],
) {
    let (mut forms, mut known) = (Vec::new(), HashSet::new());
    for one in texts {
        let digits = one.trim_end_matches(|c: char| c.is_ascii_digit());
        let form = if digits.len() < one.len() { format!("{digits}0") } else { one.clone() };
        if !known.contains(&form) {
            forms.push(Code::quoted(&form));
            known.insert(form);
        }
    }
    let expects = Code::quoted(expects);
    let forms = Code::joined(&forms, ", ");
    before.push(code!("{}!({}, {}, &[{}], &[", word, head, expects, forms));
    let mut line = Code::default();
    for one in texts {
        if line.len() + one.len() > 90 {
            before.push(code!("   {}", line));
            line = Code::default();
        }
        line = code!("{} {},", line, Code::quoted(one));
    }
    before.extend([code!("   {}", line), code!("]);"), Code::default()]);
}

/// Inserts the macros and functions that the types in `before` use at the start of `before`.
pub(super) fn close(before: &mut Vec<Code>) {
    let uses = |word: &str| before.iter().any(|line| line.starts_with(word));
    let mut head: Vec<Code> = Vec::new();
    for (word, text) in [("listed!", KINDS), ("listed_format!", FORMATS)] {
        if uses(word) {
            head.extend(text.lines().map(|line| code!("{}", line)));
        }
    }
    if !head.is_empty() {
        head.extend(SHARED.lines().map(|line| code!("{}", line)));
    }
    before.splice(..0, head);
}

const KINDS: &str = include_str!("listed.rs.in");
const FORMATS: &str = include_str!("listed_format.rs.in");
const SHARED: &str = include_str!("shared.rs.in");
