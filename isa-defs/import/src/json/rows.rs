//! Opcodes and aliases.

use serde_json::Value;

use super::kinds::{is_said, name as named};
use super::{Read, doc, list, number, text};
use crate::spec::{Field, Item, Line, NOTE, Node, Section, slots};

/// All rows: opcodes, and their aliases behind each.
pub(super) fn all(set: &Value) -> Read<Vec<&Value>> {
    let mut rows = Vec::new();
    for opcode in list(set, "opcodes")? {
        rows.push(opcode);
        rows.extend(list(opcode, "aliases")?.iter().map(|alias| &alias["row"]));
    }
    Ok(rows)
}

/// The functions that conditions call.
pub(super) fn functions(set: &Value) -> Read<Vec<&str>> {
    let mut names = Vec::new();
    for row in all(set)? {
        let cases = list(row, "illegal")?.iter().filter_map(|illegal| illegal["cases"].as_array());
        for said in cases.flatten().filter_map(|case| case["when"].as_array()).flatten() {
            let name = text(said, "function")?.split('(').next().unwrap_or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// The functions that say the lanes of operands.
pub(super) fn lane_functions(set: &Value) -> Read<Vec<&str>> {
    let mut names = Vec::new();
    for row in list(set, "opcodes")? {
        let lanes = row["lanes"].as_array().into_iter().flatten().filter(|one| is_function(one));
        for mask in lanes.filter_map(|one| one["mask"].as_str()) {
            let name = mask.split('(').next().unwrap_or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Whether a function says the lanes.
fn is_function(lanes: &Value) -> bool {
    lanes["mask"].as_str().is_some_and(|mask| mask.contains('('))
}

pub(super) fn parents(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(" : [{}]", names.join(", ")) }
}

/// A line of a field, with what it is set to if that is `set_here`.
pub(super) fn field(field: &Value, set_here: bool, set: &Value) -> Read<Line> {
    let kind = number(field, "kind")?;
    let kind = &set["kinds"][kind as usize];
    let mut pieces = Vec::new();
    for piece in list(field, "pieces")? {
        let part = |at: usize| piece[at].as_u64().and_then(|part| u32::try_from(part).ok());
        pieces.push(part(0).zip(part(1)).ok_or("`pieces` are positions and widths")?);
    }
    Ok(Line::Field(Field {
        pieces,
        kind: text(kind, "name")?.to_owned(),
        name: text(field, "name")?.to_owned(),
        value: if set_here { setting(field, kind)? } else { String::new() },
        note: String::new(),
    }))
}

/// ` == value`, ` = value`, or nothing.
fn setting(field: &Value, kind: &Value) -> Read<String> {
    for (key, sign) in [("fixed", "=="), ("default", "=")] {
        if field.get(key).is_some() {
            let raw = number(field, key)?;
            let value = list(kind, "values")?.iter().find(|value| number(value, "raw") == Ok(raw));
            let value = value.and_then(|value| value["name"].as_str()).map(named);
            let ignored = if field["ignored"] == true { ", ignored" } else { "" };
            return Ok(format!(
                " {sign} {}{ignored}",
                value.unwrap_or_else(|| format!("{raw:#x}"))
            ));
        }
    }
    Ok(String::new())
}

/// Adds what a row says of values in a place, unless it stands there.
pub(super) fn conditions(
    row: &Value,
    place: &str,
    encoding: &mut Vec<Line>,
    exception: &mut Vec<Line>,
) -> Read<()> {
    let add = |lines: &mut Vec<Line>, text: String| {
        let line = Line::Text(text);
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    for illegal in list(row, "illegal")?.iter().filter(|illegal| illegal["declared_in"] == place) {
        let (class, reason) = (text(illegal, "class")?, text(illegal, "reason")?);
        let condition = source(text(illegal, "condition")?);
        match class {
            "SpecialCase" => {}
            "ForbiddenValue" => {
                let line = condition.replacen(" == ", " != ", 1).replacen(" in {", " != {", 1);
                let (name, value) = line.split_at(line.find(' ').unwrap_or(line.len()));
                let declared = encoding.iter_mut().find_map(|line| match line {
                    Line::Field(field) if field.name == name => Some(field),
                    _ => None,
                });
                match declared {
                    Some(field) => field.value = value.to_owned(),
                    None => add(encoding, format!("{line};")),
                }
            }
            "UnmetCondition" => {
                let said = reason.split('`').nth(1).ok_or("a reason names its condition")?;
                add(encoding, format!("where {};", source(said)));
            }
            _ => add(exception, format!("EncodingError<{class}, {reason:?}>\n    = {condition};")),
        }
    }
    Ok(())
}

/// A condition as source: values whose names begin with a digit stand in quotes.
fn source(condition: &str) -> String {
    let is_name = |word: &str| {
        let number = word.strip_prefix("0x").is_some() || word.bytes().all(|b| b.is_ascii_digit());
        word.starts_with(|c: char| c.is_ascii_digit()) && !number
    };
    let words = condition.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.map(|word| {
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        let (word, rest) = word.split_at(end);
        if is_name(word) { format!("{word:?}{rest}") } else { format!("{word}{rest}") }
    });
    words.collect()
}

/// Marks at operands, by what is printed with them.
pub(super) fn affixes(rows: &[&Value]) -> Read<Vec<Item>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for row in rows {
        let (mut open, mut marks) = (vec![list(row, "prints")?], Vec::new());
        while let Some(prints) = open.pop() {
            for some in prints {
                if some["part"] == "mark" {
                    marks.push(some);
                }
                open.extend(some["prints"].as_array());
            }
        }
        for mark in marks {
            let value = mark.get("when").or(mark.get("unless"));
            let place = value.and_then(|value| value[0][0].as_u64()).unwrap_or(u64::MAX);
            let field = row["fields"][place as usize]["name"].as_str().unwrap_or_default();
            let (Some((_, part)), Some(sign)) =
                (field.rsplit_once('.'), mark["prints"][0].as_str())
            else {
                continue;
            };
            let sign = sign.to_owned();
            if found.iter().all(|(known, _)| *known != sign) {
                found.push((sign, part.to_owned()));
            }
        }
    }
    let item = |(sign, part): (String, String)| {
        let twice = if sign == "|" { format!(" {sign:?}") } else { String::new() };
        Item::Line { doc: Vec::new(), text: format!("affix {sign:?}{twice} = {part};") }
    };
    Ok(found.into_iter().map(item).collect())
}

/// An opcode with its aliases and what stays a comment.
pub(super) fn opcode(row: &Value, set: &Value, items: &mut Vec<Item>) -> Read<()> {
    let name = text(row, "name")?;
    let groups: Vec<&str> = list(row, "groups")?.iter().filter_map(Value::as_str).collect();
    let of = |name: &str| list(set, "groups").ok()?.iter().find(|group| group["name"] == name);
    let inherited = |name: &&str| {
        let heirs = groups.iter().filter_map(|heir| of(heir)?["parents"].as_array());
        heirs.flatten().any(|parent| parent == *name)
    };
    let direct: Vec<&str> = groups.iter().copied().filter(|name| !inherited(name)).collect();
    let reason = format!("these words are `{name}`");
    let around = list(set, "opcodes")?.iter().filter(|other| {
        other["illegal"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|illegal| illegal["reason"] == reason.as_str())
    });
    let around: Vec<&str> = around.filter_map(|other| other["name"].as_str()).collect();
    let inside =
        if around.is_empty() { String::new() } else { format!(" inside {}", around.join(", ")) };
    let mut encoding = Vec::new();
    if list(set, "widths")?.len() > 1 {
        encoding.push(Line::Text(format!("word<{}>;", number(row, "bits")?)));
    }
    for one in list(row, "fields")?.iter().filter(|field| field["declared_in"] == name) {
        encoding.push(field(one, true, set)?);
    }
    let after = row.get("after").map_or(Ok(String::new()), |after| behind(after, set))?;
    let head = format!("opcode {name}{}{inside}{after}", parents(&direct));
    items.push(Item::Node(node(row, head, encoding, set)?));
    if let Some(body) = row["semantics"].as_str() {
        let lines = body.lines().map(|line| format!("    {line}"));
        items.push(Item::Comment(
            [format!("semantics of {name}:")].into_iter().chain(lines).collect(),
        ));
    }
    let aliases = list(row, "aliases")?;
    for (at, alias) in aliases.iter().enumerate() {
        if is_unsaid(&alias["row"], set)? {
            let (of, row) = (name, &alias["row"]);
            let (name, syntax) = (text(row, "name")?, text(row, "syntax")?);
            items.push(Item::Comment(vec![format!(
                "alias {name} of {}, `{syntax}`: how it is written is not in the source",
                of
            )]));
            continue;
        }
        items.push(Item::Node(spelling(alias, &aliases[at + 1..], row, set)?));
    }
    Ok(())
}

/// An alias or a synonym.
fn spelling(alias: &Value, later: &[Value], of: &Value, set: &Value) -> Read<Node> {
    let row = &alias["row"];
    let name = text(row, "name")?;
    let mut encoding = Vec::new();
    for field in list(row, "fields")?.iter().filter(|field| field["declared_in"] == name) {
        let kind = &set["kinds"][number(field, "kind")? as usize];
        let value = setting(field, kind)?;
        if !value.is_empty() {
            encoding.push(Line::Text(format!("{}{value};", text(field, "name")?)));
        }
    }
    let word = if alias["printed"] == true { "alias" } else { "synonym" };
    let mut head = format!("{word} {name} of {}", text(of, "name")?);
    if alias["printed"] == true {
        let shares = |other: &&Value| other["printed"] == true && meet(row, &other["row"]);
        let before = later.iter().filter(shares).filter_map(|other| other["row"]["name"].as_str());
        let before: Vec<&str> = before.collect();
        if !before.is_empty() {
            head += &format!(" before {}", before.join(", "));
        }
    }
    head += &behind(&alias["after"], set)?;
    node(row, head, encoding, set)
}

/// ` else NAME, ...`, or nothing where all rows that are read first stay comments.
fn behind(after: &Value, set: &Value) -> Read<String> {
    let names = after.as_array().ok_or("`after` is a list of names")?;
    let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    for row in all(set)? {
        if is_unsaid(row, set)? {
            names.retain(|name| row["name"] != *name);
        }
    }
    Ok(if names.is_empty() { String::new() } else { format!(" else {}", names.join(", ")) })
}

/// Whether some words have the fixed bits of both, which are illegal for neither, and neither has all
/// fixed bits of the other.
fn meet(a: &Value, b: &Value) -> bool {
    let (Some(first), Some(second)) = (cube(&a["fixed"]), cube(&b["fixed"])) else { return false };
    let illegal = |row: &Value, fixed: (u128, u128)| {
        let all = row["illegal"].as_array().into_iter().flatten();
        let mut words = all.filter_map(|illegal| illegal["words"].as_array()).flatten();
        words.any(|words| {
            cube(words)
                .is_some_and(|(mask, value)| mask & fixed.0 == mask && mask & fixed.1 == value)
        })
    };
    let both = (first.0 | second.0, first.1 | second.1);
    (first.1 ^ second.1) & first.0 & second.0 == 0
        && first.0 & second.0 != first.0
        && first.0 & second.0 != second.0
        && !illegal(a, both)
        && !illegal(b, both)
}

/// A mask and a value.
fn cube(words: &Value) -> Option<(u128, u128)> {
    let part = |at: usize| u128::from_str_radix(words[at].as_str()?.strip_prefix("0x")?, 16).ok();
    part(0).zip(part(1))
}

fn node(row: &Value, head: String, mut encoding: Vec<Line>, set: &Value) -> Read<Node> {
    let mut exception = Vec::new();
    conditions(row, text(row, "name")?, &mut encoding, &mut exception)?;
    let examples = list(row, "examples")?.iter().filter_map(Value::as_str);
    let examples = examples.map(|example| Line::Text(example.to_owned()));
    let flow = row["flow"].as_array().into_iter().flatten().map(flow).collect::<Read<Vec<_>>>()?;
    let is_alias = !head.starts_with("opcode");
    let mut sections = vec![
        Section::new("encoding", encoding),
        Section::new("syntax", [Line::Text(template(row)?)]),
        Section::new("operands", operands(row, set, is_alias)?),
        Section::new("exception", exception),
        Section::new("flow", flow),
        Section::new("examples", examples),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(Node { doc: doc(row)?, head, sections })
}

/// A row that says where some words go on.
fn flow(row: &Value) -> Read<Line> {
    let target = row["target"].as_str().map(|target| format!(" {target}"));
    let next = if row["or_next"] == true { " or next" } else { "" };
    let condition = match text(row, "condition")? {
        "" => String::new(),
        condition => format!(" if {}", source(condition)),
    };
    let (kind, target) = (text(row, "kind")?, target.unwrap_or_default());
    Ok(Line::Text(format!("{kind}{target}{next}{condition};")))
}

/// The template as source: in quotes what is printed and no mark, and what Rust takes for something else.
fn template(row: &Value) -> Read<String> {
    let (mnemonic, syntax) = (text(row, "mnemonic")?, text(row, "syntax")?.trim_end());
    let (before, rest) = match syntax.find(mnemonic) {
        Some(at) => syntax.split_at(at + mnemonic.len()),
        None => ("", syntax),
    };
    let mut out = match crate::is_name(mnemonic) {
        true => before.to_owned(),
        false => before.replace(mnemonic, &format!("{mnemonic:?}")),
    };
    let names = |list: &Value, key: &str| -> Vec<String> {
        let all = list.as_array().into_iter().flatten();
        all.filter_map(|one| one[key].as_str().map(str::to_lowercase)).collect()
    };
    let slots = [names(&row["fields"], "name"), names(&row["views"], "slot")].concat();
    let printed = row["prints"].to_string();
    let mut rest = rest;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end.max(c.len_utf8())];
        let fixed = crate::is_name(word)
            && !out.ends_with(['.', '$'])
            && !slots.contains(&word.to_lowercase())
            && printed.contains(word);
        let quoted = fixed || matches!(c, '(' | ')' | '[' | ']' | '0'..='9');
        // With blanks, since Rust has prefixes and suffixes of literals.
        out += &if quoted { format!(" {word:?} ") } else { word.to_owned() };
        rest = &rest[word.len()..];
    }
    Ok(out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" ;", ";"))
}

/// The operands in the order of the slots, if that can be told.
fn order(row: &Value, all: &[Value]) -> Read<Option<String>> {
    if !list(row, "views")?.is_empty() {
        return Ok(None);
    }
    let slots = slots(text(row, "syntax")?, text(row, "mnemonic")?);
    let operands: Vec<&str> = all.iter().filter_map(|one| one["field"].as_str()).collect();
    let called = |slot: &String| {
        let is = |name: &&&str| **name == slot.as_str() || **name == slot.to_lowercase();
        operands.iter().find(is).copied()
    };
    let by_name: Option<Vec<&str>> = slots.iter().map(called).collect();
    // Slots that are called otherwise are told by their places alone.
    let fields = list(row, "fields")?;
    let fits = |(slot, operand): (&String, &&str)| match called(slot) {
        Some(name) => name == *operand,
        None => fields.iter().all(|field| field["name"] != slot.as_str()),
    };
    let by_place = slots.len() == operands.len() && slots.iter().zip(&operands).all(fits);
    let order = by_name.or_else(|| by_place.then(|| operands.clone()));
    Ok(order.filter(|order| !order.is_empty()).map(|order| order.join(", ")))
}

/// The fields that a view shows, by their bits.
fn shown_by<'v>(view: &Value, fields: &'v [Value]) -> Read<Vec<&'v str>> {
    let mut names = Vec::new();
    let mut pieces = list(view, "pieces")?.as_slice();
    while !pieces.is_empty() {
        let fits = |field: &&Value| {
            let own = field["pieces"].as_array();
            own.is_some_and(|own| !own.is_empty() && pieces.starts_with(own))
        };
        let field = fields.iter().find(fits).ok_or("`pieces` of a view are those of fields")?;
        names.push(text(field, "name")?);
        pieces = &pieces[list(field, "pieces")?.len()..];
    }
    Ok(names)
}

/// Whether a row has a slot whose text nothing in the description says.
fn is_unsaid(row: &Value, set: &Value) -> Read<bool> {
    let (count, texts) = (list(row, "fields")?.len(), list(set, "texts")?);
    let of_view = |format: &&Value| format["place"].as_u64().is_some_and(|at| at as usize >= count);
    Ok(list(row, "formats")?.iter().filter(of_view).any(|format| !is_said(format, texts)))
}

fn operands(row: &Value, set: &Value, is_alias: bool) -> Read<Vec<Line>> {
    let mut lines = Vec::new();
    let all = list(row, "operands")?;
    if !is_alias && !all.is_empty() {
        let of = |accesses: [&str; 2]| {
            let some =
                all.iter().filter(|one| accesses.iter().any(|access| one["access"] == *access));
            some.filter_map(|one| one["field"].as_str()).collect::<Vec<_>>().join(", ")
        };
        lines.push(format!("InList<{}>;", of(["read", "read-write"])));
        lines.push(format!("OutList<{}>;", of(["write", "read-write"])));
        if let Some(order) = order(row, all)? {
            lines.push(format!("Order<{order}>;"));
        }
        for one in all {
            let bits = number(one, "bits")?;
            if bits > 0 {
                lines.push(format!("Bitwidth<{}> = {bits};", text(one, "field")?));
            }
        }
        for one in row["lanes"].as_array().into_iter().flatten().filter(|one| !is_function(one)) {
            let mask = one["mask"].as_str().map(|mask| format!(" * {mask}")).unwrap_or_default();
            let bits = number(one, "bits")?;
            lines.push(format!("Lanes<{}> = {bits}{mask};", text(one, "field")?));
        }
    }
    let fields = list(row, "fields")?;
    for format in list(row, "formats")? {
        let (place, name) = (number(format, "place")? as usize, text(format, "name")?);
        let shown = |place: usize| fields.get(place).and_then(|field| field["name"].as_str());
        let args = list(format, "args")?.iter().filter_map(Value::as_u64);
        let args: Vec<&str> = args.filter_map(|place| shown(place as usize)).collect();
        let known = is_said(format, list(set, "texts")?);
        lines.push(match (shown(place), known) {
            (Some(field), true) => {
                let args = [field].into_iter().chain(args).collect::<Vec<_>>().join(", ");
                format!("AsmFormat<{field}> = {name}({args});")
            }
            (None, true) => {
                let view = &row["views"][place.saturating_sub(fields.len())];
                let shown = shown_by(view, fields)?.join(", ");
                format!(
                    "AsmFormat<{}: {shown}> = {name}({});",
                    text(view, "slot")?,
                    args.join(", ")
                )
            }
            (field, false) => {
                format!("// AsmFormat<{}> = {name}(); {NOTE}", field.unwrap_or_default())
            }
        });
    }
    Ok(lines.into_iter().map(Line::Text).collect())
}
