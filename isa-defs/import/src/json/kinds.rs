//! Kinds and formats, which the description has the texts of.

use serde_json::Value;

use super::{Read, doc, list, number, text};
use crate::spec::{self, Item, KNOWN, NOTE};

/// The item of a kind, and the Rust before the call that it needs.
pub(super) fn item(kind: &Value, texts: &[Value], before: &mut Vec<String>) -> Read<Item> {
    let (name, width) = (text(kind, "name")?, number(kind, "width")?);
    let width = u32::try_from(width).unwrap_or(64);
    let values = list(kind, "values")?;
    if !values.is_empty() {
        let values = values.iter().map(value).collect::<Read<_>>()?;
        let doc = doc(kind)?;
        return Ok(Item::Values { doc, name: name.to_owned(), width, note: String::new(), values });
    }
    let mut reserved = Vec::new();
    for cube in list(kind, "reserved")? {
        reserved.push(format!("\"{}\"", pattern(cube, width)?));
    }
    let mut line = format!("operand {name}: {width}");
    let said = kind["text"].as_u64().and_then(|place| texts.get(place as usize));
    let path = ready(kind, said, width);
    let has_list = said.is_some_and(|said| said["list"].is_array());
    if let Some(path) = &path {
        line += &format!(" = isa_core::operand::{path}");
    } else if let (true, Some(said)) = (has_list, said) {
        listed(before, "listed", &format!("{name}: {width}"), said)?;
    } else {
        line += &format!(" = isa_core::operand::Unsigned<{width}>");
    }
    if !reserved.is_empty() {
        line += &format!(", reserved({})", reserved.join(", "));
    }
    let note = if path.is_none() && !has_list { format!(" {NOTE}") } else { String::new() };
    Ok(Item::Line { doc: doc(kind)?, text: format!("{line};{note}") })
}

fn value(value: &Value) -> Read<spec::Value> {
    let also = value["also"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let names = [text(value, "name")?].into_iter().chain(also);
    let names: Vec<String> = names.map(name).collect();
    Ok(spec::Value {
        doc: doc(value)?,
        name: names.join(" | "),
        raw: number(value, "raw")?,
        note: String::new(),
    })
}

/// A name as specifications have it: in quotes if Rust would not take it.
pub(super) fn name(name: &str) -> String {
    if crate::is_name(name) { name.to_owned() } else { format!("\"{name}\"") }
}

/// The lowest bits of a field, `x` for those that a comparison leaves open.
fn pattern(cube: &Value, width: u32) -> Read<String> {
    let part = |at: usize| {
        let digits = cube[at].as_str().and_then(|text| text.strip_prefix("0x"));
        let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.ok_or("`reserved` has masks and values")
    };
    let (mask, value) = (part(0)?, part(1)?);
    let bit = |bit: u32| match (mask >> bit & 1, value >> bit & 1) {
        (0, _) => 'x',
        (_, 0) => '0',
        _ => '1',
    };
    let highest = (0..width.min(64)).rev().find(|&bit| mask >> bit & 1 == 1).unwrap_or(0);
    Ok((0..=highest).rev().map(bit).collect())
}

/// The type in `isa_core::operand` that writes these texts.
fn ready(kind: &Value, said: Option<&Value>, width: u32) -> Option<String> {
    let name = kind["name"].as_str()?;
    if KNOWN.iter().any(|known| (known.0, known.1) == (name, width)) {
        return Some(name.to_owned());
    }
    numeral(said?["parts"].as_array()?, width, kind["target"] == true)
}

fn numeral(parts: &[Value], width: u32, target: bool) -> Option<String> {
    let whole = [0, 0, u64::from(width)];
    match parts {
        [part] if part["choice"].is_array() => match part["of"].as_array()?.as_slice() {
            [only] => numeral(only.as_array()?, width, target),
            [_, hex] if hex[0] == "0x" && hex[1]["hex"] == 1 => {
                let scale: u64 = hex[1]["scale"].as_str()?.parse().ok()?;
                match (target, scale.is_power_of_two(), scale.trailing_zeros()) {
                    (false, true, 0) => Some(format!("Hex<{width}>")),
                    (true, true, 0) => Some(format!("Absolute<{width}>")),
                    (true, true, shift) => Some(format!("Absolute<{width}, {shift}>")),
                    _ => None,
                }
            }
            _ => None,
        },
        [mark, rest @ ..] if mark == "#" => {
            Some(format!("Marked<isa_core::operand::{}>", numeral(rest, width, target)?))
        }
        [part] => {
            let plain = part["number"] == Value::from(whole.to_vec())
                && part["add"] == "0"
                && part["wrap"] == 0
                && part["hex"] == 0;
            let scale: u64 = part["scale"].as_str()?.parse().ok()?;
            let word = match (target, part["signed"] == true) {
                (true, true) => "Relative",
                (false, true) => "Signed",
                (false, false) => "Unsigned",
                (true, false) => return None,
            };
            let shift = scale.trailing_zeros();
            let unit = if shift == 0 && !target { String::new() } else { format!(", {shift}") };
            (plain && scale.is_power_of_two()).then(|| format!("{word}<{width}{unit}>"))
        }
        _ => None,
    }
}

/// The items of all formats of operands. Those without a list of texts are left out.
pub(super) fn formats(
    rows: &[&Value],
    texts: &[Value],
    before: &mut Vec<String>,
) -> Read<Vec<Item>> {
    let mut items = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for row in rows {
        for format in list(row, "formats")? {
            let name = text(format, "name")?;
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            let said = texts
                .get(number(format, "text")? as usize)
                .ok_or("`text` is a place in `texts`")?;
            let line = match (name, said["list"].is_array()) {
                ("CvtFImm", _) => "format CvtFImm = isa_core::operand::CvtFImm;".to_owned(),
                (_, false) if numbers(said).is_some() => {
                    let kind = numbers(said).unwrap_or_default();
                    format!("format {name} = isa_core::operand::Shown<isa_core::operand::{kind}>;")
                }
                (_, true) => {
                    listed(before, "listed_format", name, said)?;
                    format!("format {name};")
                }
                _ => continue,
            };
            items.push(Item::Line { doc: Vec::new(), text: line });
        }
    }
    Ok(items)
}

/// Whether a format has an item.
pub(super) fn is_said(format: &Value, texts: &[Value]) -> bool {
    let said = format["text"].as_u64().and_then(|place| texts.get(place as usize));
    format["name"] == "CvtFImm"
        || said.is_some_and(|said| said["list"].is_array() || numbers(said).is_some())
}

/// The type in `isa_core::operand` of a text that is one number.
fn numbers(said: &Value) -> Option<String> {
    let width = u32::try_from(said["widths"][0].as_u64()?).ok()?;
    numeral(said["parts"].as_array()?, width, false)
}

/// A type that writes the texts of a list.
fn listed(before: &mut Vec<String>, word: &str, head: &str, said: &Value) -> Read<()> {
    let texts: Vec<&str> = list(said, "list")?.iter().filter_map(Value::as_str).collect();
    let mut forms: Vec<String> = Vec::new();
    for one in &texts {
        let digits = one.trim_end_matches(|c: char| c.is_ascii_digit());
        let form = if digits.len() < one.len() { format!("{digits}0") } else { (*one).to_owned() };
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    let array = |all: Vec<String>| format!("&[{}]", all.join(", "));
    let quoted = |text: &String| format!("{text:?}");
    let forms = array(forms.iter().map(quoted).collect());
    before.push(format!("{word}!({head}, {:?}, {forms}, &[", text(said, "expects")?));
    let mut line = String::new();
    for one in texts {
        if line.len() + one.len() > 90 {
            before.push(format!("   {line}"));
            line.clear();
        }
        line += &format!(" {one:?},");
    }
    before.extend([format!("   {line}"), "]);".to_owned(), String::new()]);
    Ok(())
}

/// Puts what these types are made of in front of them.
pub(super) fn close(before: &mut Vec<String>) {
    let uses = |word: &str| before.iter().any(|line| line.starts_with(word));
    let mut head = String::new();
    for (word, text) in [("listed!", KINDS), ("listed_format!", FORMATS)] {
        if uses(word) {
            head += text;
        }
    }
    if !head.is_empty() {
        head += SHARED;
    }
    before.splice(..0, head.lines().map(str::to_owned));
}

const KINDS: &str = include_str!("listed.rs.in");
const FORMATS: &str = include_str!("listed_format.rs.in");
const SHARED: &str = include_str!("shared.rs.in");
