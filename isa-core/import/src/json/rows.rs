//! Items for opcodes and aliases.

use std::collections::HashSet;

use isa_compiler::Fragment;
use serde_json::Value;

use super::kinds::is_said;
use super::{Index, Read, doc, list, name as named, names, number, of, text};
use crate::code::{Code, code};
use crate::spec::{Field, Item, Line, NOTE, Node, Section, listed, slots};

/// Returns all rows: each opcode, followed by its aliases.
pub(super) fn all(set: &Value) -> Read<Vec<&Value>> {
    let mut rows = Vec::new();
    for opcode in list(set, "opcodes")? {
        rows.push(opcode);
        rows.extend(list(opcode, "aliases")?.iter().map(|alias| &alias["row"]));
    }
    Ok(rows)
}

/// Returns the names of the functions that conditions call.
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

/// Returns the names of the functions that compute the lanes of operands.
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

/// Returns whether a function computes the lanes.
fn is_function(lanes: &Value) -> bool {
    lanes["mask"].as_str().is_some_and(|mask| mask.contains('('))
}

/// Returns the line of a field. It contains the field's value if `set_here` is true.
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
        kind: named(kind, "name", Code::type_name)?,
        name: named(field, "name", Code::field_name)?,
        value: if set_here { setting(field, kind)? } else { Code::default() },
        note: None,
    }))
}

/// Returns ` == value`, ` = value`, or nothing.
fn setting(field: &Value, kind: &Value) -> Read<Code> {
    for (key, sign) in [("fixed", "=="), ("default", "=")] {
        if field.get(key).is_some() {
            let raw = number(field, key)?;
            let values = list(kind, "values")?.iter();
            let value = values.filter(|value| value["raw"].is_string() || value["raw"].is_u64());
            let value = value.filter_map(|value| Some((value, number(value, "raw").ok()?)));
            let value = value.into_iter().find(|(_, other)| *other == raw);
            let value = match value {
                Some((value, _)) => named(value, "name", Code::value_name)?,
                None => Code::numeral(&format!("{raw:#x}")),
            };
            let ignored = if field["ignored"] == true { ", ignored" } else { "" };
            return Ok(code!(" {} {}{}", sign, value, ignored));
        }
    }
    Ok(Code::default())
}

/// Adds the conditions of a row that `place` declares, except the conditions that the sections already
/// contain.
pub(super) fn conditions(
    row: &Value,
    place: &str,
    encoding: &mut Vec<Line>,
    exception: &mut Vec<Line>,
) -> Read<()> {
    let add = |lines: &mut Vec<Line>, code: Code| {
        let line = Line::from(code);
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
                    Line::Field(field) if *field.name == *name => Some(field),
                    _ => None,
                });
                let place = &illegal["condition"];
                match declared {
                    Some(field) => field.value = of(place, Code::setting(value))?,
                    None => {
                        let code = Code::statement(Fragment::Encoding, &format!("{line};"));
                        add(encoding, of(place, code)?);
                    }
                }
            }
            "UnmetCondition" => {
                let said = reason.split('`').nth(1).ok_or("a reason names its condition")?;
                let text = format!("where {};", source(said));
                let code = Code::statement(Fragment::Encoding, &text);
                add(encoding, of(&illegal["reason"], code)?);
            }
            _ => {
                let class = of(&illegal["class"], Code::name(class))?;
                let head = code!("EncodingError<{}, {}>", class, Code::quoted(reason));
                let text = format!("{} = {condition};", &*head);
                let code = Code::statement(Fragment::Exception, &text);
                let code = of(&illegal["condition"], code)?;
                add(exception, code.broken(Fragment::Exception, "= "));
            }
        }
    }
    Ok(())
}

/// Returns a condition as source code. Values whose names begin with a digit are quoted.
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

/// Returns the prefix and suffix operators of operands, which are found by the printed texts.
pub(super) fn affixes(rows: &[&Value]) -> Read<Vec<Item>> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
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
            if known.insert(sign) {
                let (sign, part) = (Code::quoted(sign), of(&row["fields"], Code::name(part))?);
                let twice = mark["prints"][0] == "|";
                let twice = if twice { code!(" {}", sign) } else { Code::default() };
                let text = code!("affix {}{} = {};", sign, twice, part);
                found.push(Item::Line { doc: Vec::new(), text });
            }
        }
    }
    Ok(found)
}

/// Adds an opcode with its aliases, and comments for the parts that have no source code.
pub(super) fn opcode(row: &Value, index: &Index<'_>, items: &mut Vec<Item>) -> Read<()> {
    let own = text(row, "name")?;
    let name = named(row, "name", Code::name)?;
    let groups: Vec<&Value> = list(row, "groups")?.iter().collect();
    let known = groups.iter().filter_map(|group| index.groups.get(group.as_str()?));
    let above = known.filter_map(|group| group["parents"].as_array()).flatten();
    let above: HashSet<&str> = above.filter_map(Value::as_str).collect();
    let is_direct = |group: &&Value| group.as_str().is_some_and(|name| !above.contains(name));
    let direct: Vec<&Value> = groups.into_iter().filter(is_direct).collect();
    let parents = listed(" : [", &names(&direct, Code::name)?, "]");
    let around = index.around.get(own).map_or(&[][..], Vec::as_slice);
    let inside = listed(" inside ", &names(around, Code::name)?, "");
    let mut encoding = Vec::new();
    if index.has_widths {
        encoding.push(code!("word<{}>;", number(row, "bits")?).into());
    }
    for one in list(row, "fields")?.iter().filter(|field| field["declared_in"] == own) {
        encoding.push(field(one, true, index.set)?);
    }
    let after = row.get("after").map_or(Ok(Code::default()), |after| behind(after, index))?;
    let head = code!("opcode {}{}{}{}", name, parents, inside, after);
    items.push(Item::Node(node(row, head, encoding, index.set, false)?));
    if let Some(body) = row["semantics"].as_str() {
        let lines = body.lines().map(|line| format!("    {line}"));
        items.push(Item::Comment(
            [format!("semantics of {own}:")].into_iter().chain(lines).collect(),
        ));
    }
    let aliases = list(row, "aliases")?;
    for (at, alias) in aliases.iter().enumerate() {
        if is_unsaid(&alias["row"], index.set)? {
            let row = &alias["row"];
            let (name, syntax) = (text(row, "name")?, text(row, "syntax")?);
            items.push(Item::Comment(vec![format!(
                "alias {name} of {own}, `{syntax}`: how it is written is not in the source"
            )]));
            continue;
        }
        items.push(Item::Node(spelling(alias, &aliases[at + 1..], &name, index)?));
    }
    Ok(())
}

/// Returns an alias or a synonym.
fn spelling(alias: &Value, later: &[Value], opcode: &Code, index: &Index<'_>) -> Read<Node> {
    let row = &alias["row"];
    let own = text(row, "name")?;
    let mut encoding = Vec::new();
    for field in list(row, "fields")?.iter().filter(|field| field["declared_in"] == own) {
        let kind = &index.set["kinds"][number(field, "kind")? as usize];
        let value = setting(field, kind)?;
        if !value.is_empty() {
            encoding.push(code!("{}{};", named(field, "name", Code::field_name)?, value).into());
        }
    }
    let printed = alias["printed"] == true;
    let shares = |other: &&Value| other["printed"] == true && meet(row, &other["row"]);
    let before: Vec<&Value> = match printed {
        true => later.iter().filter(shares).map(|other| &other["row"]["name"]).collect(),
        false => Vec::new(),
    };
    let before = listed(" before ", &names(&before, Code::name)?, "");
    let word = if printed { "alias" } else { "synonym" };
    let after = behind(&alias["after"], index)?;
    let name = named(row, "name", Code::name)?;
    let head = code!("{} {} of {}{}{}", word, name, opcode, before, after);
    node(row, head, encoding, index.set, true)
}

/// Returns ` else NAME, ...`, or nothing if all rows that are parsed first are only comments.
fn behind(after: &Value, index: &Index<'_>) -> Read<Code> {
    let all = after.as_array().ok_or("`after` is a list of names")?.iter();
    let is_said = |name: &&Value| name.as_str().is_some_and(|name| !index.unsaid.contains(name));
    Ok(listed(" else ", &names(&all.filter(is_said).collect::<Vec<_>>(), Code::name)?, ""))
}

/// Returns whether two rows share valid words. Returns false if one of the rows has all fixed bits
/// of the other row.
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

/// Returns a mask and a value.
fn cube(words: &Value) -> Option<(u128, u128)> {
    let part = |at: usize| crate::digits(words[at].as_str()?.strip_prefix("0x")?, 16);
    part(0).zip(part(1))
}

fn node(
    row: &Value,
    head: Code,
    mut encoding: Vec<Line>,
    set: &Value,
    is_alias: bool,
) -> Read<Node> {
    let mut exception = Vec::new();
    conditions(row, text(row, "name")?, &mut encoding, &mut exception)?;
    let example = |example: &Value| {
        let text = example.as_str().unwrap_or_default();
        of(example, Code::statement(Fragment::Example, text)).map(Line::from)
    };
    let examples = list(row, "examples")?.iter().map(example).collect::<Read<Vec<_>>>()?;
    let flow = row["flow"].as_array().into_iter().flatten().map(flow).collect::<Read<Vec<_>>>()?;
    let template = Code::statement(Fragment::Template, &template(row)?);
    let mut sections = vec![
        Section::new("encoding", encoding),
        Section::new("syntax", [of(&row["syntax"], template)?.into()]),
        Section::new("operands", operands(row, set, is_alias)?),
        Section::new("exception", exception),
        Section::new("flow", flow),
        Section::new("examples", examples),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(Node { doc: doc(row)?, head, sections })
}

/// Returns a row of the `flow` section.
fn flow(row: &Value) -> Read<Line> {
    let star = if row["indirect"] == true { "*" } else { "" };
    let target = row["target"].as_str().map(|target| format!(" {star}{target}"));
    let next = if row["or_next"] == true { " or next" } else { "" };
    let condition = match text(row, "condition")? {
        "" => String::new(),
        condition => format!(" if {}", source(condition)),
    };
    let (kind, target) = (text(row, "kind")?, target.unwrap_or_default());
    let text = format!("{kind}{target}{next}{condition};");
    of(row, Code::statement(Fragment::Flow, &text)).map(Line::from)
}

/// Returns the template as source code. It quotes printed names, and characters that have another
/// meaning in the source, such as brackets and digits.
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
        // Blanks are needed because Rust literals can have prefixes and suffixes.
        out += &if quoted { format!(" {word:?} ") } else { word.to_owned() };
        rest = &rest[word.len()..];
    }
    Ok(out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" ;", ";"))
}

/// Returns the operands in the order of the placeholders, if it can be determined.
fn order<'v>(row: &'v Value, all: &'v [Value]) -> Read<Option<Vec<&'v Value>>> {
    if !list(row, "views")?.is_empty() {
        return Ok(None);
    }
    let slots = slots(text(row, "syntax")?, text(row, "mnemonic")?);
    let operands: Vec<&Value> = all.iter().map(|one| &one["field"]).collect();
    let called = |slot: &String| {
        let lower = slot.to_lowercase();
        operands.iter().copied().find(|name| **name == slot.as_str() || **name == lower.as_str())
    };
    let by_name: Option<Vec<&Value>> = slots.iter().map(called).collect();
    // Placeholders with other names are only identified by their positions.
    let fields = list(row, "fields")?;
    let fits = |(slot, operand): (&String, &&Value)| match called(slot) {
        Some(name) => name == *operand,
        None => fields.iter().all(|field| field["name"] != slot.as_str()),
    };
    let by_place = slots.len() == operands.len() && slots.iter().zip(&operands).all(fits);
    let order = by_name.or_else(|| by_place.then(|| operands.clone()));
    Ok(order.filter(|order| !order.is_empty()))
}

/// Returns the fields that a composite operand consists of, by their bits.
fn shown_by<'v>(view: &Value, fields: &'v [Value]) -> Read<Vec<&'v Value>> {
    let mut names = Vec::new();
    let mut pieces = list(view, "pieces")?.as_slice();
    while !pieces.is_empty() {
        let fits = |field: &&Value| {
            let own = field["pieces"].as_array();
            own.is_some_and(|own| !own.is_empty() && pieces.starts_with(own))
        };
        let field = fields.iter().find(fits).ok_or("`pieces` of a view are those of fields")?;
        names.push(&field["name"]);
        pieces = &pieces[list(field, "pieces")?.len()..];
    }
    Ok(names)
}

/// Returns whether a row contains a placeholder whose text is not in the description.
pub(super) fn is_unsaid(row: &Value, set: &Value) -> Read<bool> {
    let (count, texts) = (list(row, "fields")?.len(), list(set, "texts")?);
    let of_view = |format: &&Value| format["place"].as_u64().is_some_and(|at| at as usize >= count);
    Ok(list(row, "formats")?.iter().filter(of_view).any(|format| !is_said(format, texts)))
}

fn operands(row: &Value, set: &Value, is_alias: bool) -> Read<Vec<Line>> {
    let mut lines = Vec::new();
    let all = list(row, "operands")?;
    if !is_alias && !all.is_empty() {
        lists(row, all, &mut lines)?;
    }
    let fields = list(row, "fields")?;
    let joined =
        |all: &[&Value]| Ok::<_, super::Wrong>(Code::joined(&names(all, Code::field_name)?, ", "));
    for format in list(row, "formats")? {
        let (place, name) = (number(format, "place")? as usize, text(format, "name")?);
        let shown = |place: usize| fields.get(place).map(|field| &field["name"]);
        let args = list(format, "args")?.iter().filter_map(Value::as_u64);
        let args: Vec<&Value> = args.filter_map(|place| shown(place as usize)).collect();
        // If an alias fixes an operand, its template may lack the operand. The format of the
        // operand then has no effect.
        if is_alias && !prints(&row["prints"], place) {
            continue;
        }
        if !is_said(format, list(set, "texts")?) {
            let field = shown(place).and_then(Value::as_str).unwrap_or_default();
            lines.push(Line::Comment(format!(" AsmFormat<{field}> = {name}(); {NOTE}")));
            continue;
        }
        let name = named(format, "name", Code::type_name)?;
        lines.push(Line::from(match shown(place) {
            Some(field) => {
                let all: Vec<&Value> = [field].into_iter().chain(args).collect();
                code!("AsmFormat<{}> = {}({});", joined(&[field])?, name, joined(&all)?)
            }
            None => {
                let view = &row["views"][place.saturating_sub(fields.len())];
                let (slot, shown) =
                    (named(view, "slot", Code::field_name)?, shown_by(view, fields)?);
                code!("AsmFormat<{}: {}> = {}({});", slot, joined(&shown)?, name, joined(&args)?)
            }
        }));
    }
    Ok(lines)
}

/// Returns true if a part of a printed template is the field or composite operand with an index.
fn prints(part: &Value, place: usize) -> bool {
    match part {
        Value::Array(parts) => parts.iter().any(|part| prints(part, place)),
        Value::Object(part) => part.get("prints").is_some_and(|parts| prints(parts, place)),
        _ => part.as_u64() == Some(place as u64),
    }
}

/// Adds the lists of operands that are read and written, and their widths.
fn lists(row: &Value, all: &[Value], lines: &mut Vec<Line>) -> Read<()> {
    let joined =
        |all: &[&Value]| Ok::<_, super::Wrong>(Code::joined(&names(all, Code::field_name)?, ", "));
    let those = |accesses: [&str; 2]| {
        let some = all.iter().filter(|one| accesses.iter().any(|access| one["access"] == *access));
        joined(&some.map(|one| &one["field"]).collect::<Vec<_>>())
    };
    lines.push(code!("InList<{}>;", those(["read", "read-write"])?).into());
    lines.push(code!("OutList<{}>;", those(["write", "read-write"])?).into());
    if let Some(order) = order(row, all)? {
        lines.push(code!("Order<{}>;", joined(&order)?).into());
    }
    for one in all {
        let bits = number(one, "bits")?;
        if bits > 0 {
            lines.push(code!("Bitwidth<{}> = {};", joined(&[&one["field"]])?, bits).into());
        }
    }
    for one in row["lanes"].as_array().into_iter().flatten().filter(|one| !is_function(one)) {
        let mask = match one["mask"].as_str() {
            Some(_) => code!(" * {}", joined(&[&one["mask"]])?),
            None => Code::default(),
        };
        let bits = number(one, "bits")?;
        lines.push(code!("Lanes<{}> = {}{};", joined(&[&one["field"]])?, bits, mask).into());
    }
    Ok(())
}
