//! Items for types and formats, whose texts are in the description.

use std::collections::HashSet;

use serde_json::Value;

use super::{Read, doc, list, name as named, number, of, text};
use crate::code::{Code, code};
use crate::spec::{self, Item, KNOWN, NOTE};

/// Returns the item of a type. Adds the Rust code that the item needs before the call.
pub(super) fn item(kind: &Value, texts: &[Value], before: &mut Vec<Code>) -> Read<Item> {
    let name = named(kind, "name", Code::type_name)?;
    let width = u32::try_from(number(kind, "width")?).unwrap_or(64);
    let values = list(kind, "values")?;
    if !values.is_empty() {
        let values = values.iter().map(value).collect::<Read<_>>()?;
        return Ok(Item::Values { doc: doc(kind)?, name, width, note: "", values });
    }
    let mut reserved = Vec::new();
    for cube in list(kind, "reserved")? {
        reserved.push(Code::quoted(&pattern(cube, width)?));
    }
    let said = kind["text"].as_u64().and_then(|place| texts.get(place as usize));
    let path = ready(kind, said, width);
    let has_list = said.is_some_and(|said| said["list"].is_array());
    let is_path = match (&path, said) {
        (Some(path), _) => code!(" = isa_core::operand::{}", path),
        (None, Some(said)) if has_list => {
            listed(before, "listed", &code!("{}: {}", name, width), said)?;
            Code::default()
        }
        (None, _) => code!(" = isa_core::operand::Unsigned<{}>", width),
    };
    let reserved = spec::listed(", reserved(", &reserved, ")");
    let note = if path.is_none() && !has_list { NOTE } else { "" };
    let blank = if note.is_empty() { "" } else { " " };
    let text = code!("operand {}: {}{}{};{}{}", name, width, is_path, reserved, blank, note);
    Ok(Item::Line { doc: doc(kind)?, text })
}

fn value(value: &Value) -> Read<spec::Value> {
    let also = value["also"].as_array().into_iter().flatten();
    let mut names = vec![named(value, "name", Code::value_name)?];
    for other in also {
        names.push(of(other, Code::value_name(other.as_str().unwrap_or_default()))?);
    }
    let (doc, raw) = (doc(value)?, number(value, "raw")?);
    Ok(spec::Value { doc, name: Code::joined(&names, " | "), raw, note: "" })
}

/// Returns the pattern of a field's lowest bits, with `x` for bits outside the mask.
fn pattern(cube: &Value, width: u32) -> Read<String> {
    let part = |at: usize| {
        let digits = cube[at].as_str().and_then(|text| text.strip_prefix("0x"));
        let number = digits.and_then(|digits| crate::number::<u64>(digits, 16));
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

/// Returns the type in `isa_core::operand` that prints the texts of `kind`.
fn ready(kind: &Value, said: Option<&Value>, width: u32) -> Option<Code> {
    let name = kind["name"].as_str()?;
    if let Some(known) = KNOWN.into_iter().find(|known| (known.0, known.1) == (name, width)) {
        return Some(code!("{}", known.0));
    }
    numeral(said?["parts"].as_array()?, width, kind["target"] == true)
}

fn numeral(parts: &[Value], width: u32, target: bool) -> Option<Code> {
    let whole = [0, 0, u64::from(width)];
    let scale_of = |part: &Value| crate::number::<u64>(part["scale"].as_str()?, 10);
    match parts {
        [part] if part["choice"].is_array() => match part["of"].as_array()?.as_slice() {
            [only] => numeral(only.as_array()?, width, target),
            [_, hex] if hex[0] == "0x" && hex[1]["hex"] == 1 => {
                let scale = scale_of(&hex[1])?;
                match (target, scale.is_power_of_two(), scale.trailing_zeros()) {
                    (false, true, 0) => Some(code!("Hex<{}>", width)),
                    (true, true, 0) => Some(code!("Absolute<{}>", width)),
                    (true, true, shift) => Some(code!("Absolute<{}, {}>", width, shift)),
                    _ => None,
                }
            }
            _ => None,
        },
        [mark, rest @ ..] if mark == "#" => {
            Some(code!("Marked<isa_core::operand::{}>", numeral(rest, width, target)?))
        }
        [part] => {
            let plain = part["number"] == Value::from(whole.to_vec())
                && part["add"] == "0"
                && part["wrap"] == 0
                && part["hex"] == 0;
            let scale = scale_of(part)?;
            let word = match (target, part["signed"] == true) {
                (true, true) => "Relative",
                (false, true) => "Signed",
                (false, false) => "Unsigned",
                (true, false) => return None,
            };
            let shift = scale.trailing_zeros();
            let has_unit = shift != 0 || target;
            let unit = if has_unit { code!(", {}", shift) } else { Code::default() };
            (plain && scale.is_power_of_two()).then(|| code!("{}<{}{}>", word, width, unit))
        }
        _ => None,
    }
}

/// Returns the items of all formats of operands, except those without a list of texts.
pub(super) fn formats(rows: &[&Value], texts: &[Value], before: &mut Vec<Code>) -> Read<Vec<Item>> {
    let mut items = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for row in rows {
        for format in list(row, "formats")? {
            let name = text(format, "name")?;
            if !known.insert(name) {
                continue;
            }
            let own = named(format, "name", Code::type_name)?;
            let said = texts
                .get(number(format, "text")? as usize)
                .ok_or("`text` is a place in `texts`")?;
            let line = match (name, said["list"].is_array()) {
                ("CvtFImm", _) => code!("format CvtFImm = isa_core::operand::CvtFImm;"),
                (_, false) if numbers(said).is_some() => {
                    let kind = numbers(said).unwrap_or_default();
                    code!("format {} = isa_core::operand::Shown<isa_core::operand::{}>;", own, kind)
                }
                (_, true) => {
                    listed(before, "listed_format", &own, said)?;
                    code!("format {};", own)
                }
                _ => continue,
            };
            items.push(Item::Line { doc: Vec::new(), text: line });
        }
    }
    Ok(items)
}

/// Returns whether a format has an item.
pub(super) fn is_said(format: &Value, texts: &[Value]) -> bool {
    let said = format["text"].as_u64().and_then(|place| texts.get(place as usize));
    format["name"] == "CvtFImm"
        || said.is_some_and(|said| said["list"].is_array() || numbers(said).is_some())
}

/// Returns the type in `isa_core::operand` for a text that is a single number.
fn numbers(said: &Value) -> Option<Code> {
    let width = u32::try_from(said["widths"][0].as_u64()?).ok()?;
    numeral(said["parts"].as_array()?, width, false)
}

/// Adds a type that prints the texts of a list.
fn listed(before: &mut Vec<Code>, word: &'static str, head: &Code, said: &Value) -> Read<()> {
    let texts: Vec<&str> = list(said, "list")?.iter().filter_map(Value::as_str).collect();
    let (mut forms, mut known) = (Vec::new(), HashSet::new());
    for one in &texts {
        let digits = one.trim_end_matches(|c: char| c.is_ascii_digit());
        let form = if digits.len() < one.len() { format!("{digits}0") } else { (*one).to_owned() };
        if !known.contains(&form) {
            forms.push(Code::quoted(&form));
            known.insert(form);
        }
    }
    let expects = Code::quoted(text(said, "expects")?);
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
    Ok(())
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
