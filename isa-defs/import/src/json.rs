//! The JSON description that `isa export json` writes, back to source.
//!
//! A description has what each opcode is once all is inherited, and where each field and each condition was
//! said, so that groups come back. It has no Rust: kinds that are ready made are told by their texts,
//! others become types with these texts; bodies of semantics stay as comments.

mod kinds;
mod rows;

use serde_json::Value;

use crate::spec::{Item, Line, Node, Section, Spec};
use crate::{Fault, Format, Options, Source};

pub(crate) const FORMAT: Format =
    Format { name: "json", about: "A description that `isa export json` wrote, version 2", read };

/// What is wrong with a description, with the place in it.
type Read<T> = Result<T, String>;

fn read(files: &[Source<'_>], _: &Options<'_>) -> Result<Spec, Vec<Fault>> {
    let fault = |file: &Source<'_>, line, column, message| {
        vec![Fault { file: file.name.to_owned(), line, column, message }]
    };
    let [file] = files else {
        let second = files.get(1).or(files.first()).copied();
        let second = second.unwrap_or(Source { name: "", text: "" });
        return Err(fault(
            &second,
            1,
            1,
            "a description is one file: import each by itself".into(),
        ));
    };
    let set: Value = serde_json::from_str(file.text).map_err(|error| {
        fault(file, error.line().max(1), error.column().max(1), format!("this is no JSON: {error}"))
    })?;
    spec(&set).map_err(|message| {
        fault(file, 1, 1, format!("{message}; `isa export json` writes such descriptions"))
    })
}

fn spec(set: &Value) -> Read<Spec> {
    if (set["format"].as_str(), set["version"].as_u64()) != (Some("define-isa"), Some(2)) {
        return Err("this is no description of version 2 of the format define-isa".to_owned());
    }
    let mut widths = Vec::new();
    for width in list(set, "widths")? {
        widths.push(
            width
                .as_u64()
                .and_then(|width| u32::try_from(width).ok())
                .ok_or("`widths` are numbers")?,
        );
    }
    let mut spec = Spec {
        head: vec![
            "What the description does not have: Rust. Semantics stay as comments.".to_owned(),
        ],
        doc: doc(set)?,
        name: text(set, "name")?.to_owned(),
        widths,
        ..Spec::default()
    };
    spec.widths.sort_unstable();
    let called = rows::functions(set)?;
    if !called.is_empty() {
        spec.head.push(format!("Functions that conditions call: {}.", called.join(", ")));
    }
    let lanes = rows::lane_functions(set)?;
    if !lanes.is_empty() {
        spec.head.push(format!("Lanes by these functions are left out: {}.", lanes.join(", ")));
    }
    if set["any_case"] == true {
        spec.items.push(Item::Line { doc: Vec::new(), text: "text any_case;".to_owned() });
    }
    if let Some(order) = set["byte_order"].as_str().filter(|order| *order != "little_endian") {
        spec.items.push(Item::Line { doc: Vec::new(), text: format!("bytes {order};") });
    }
    if let Some(bits) = set["address_bits"].as_u64().filter(|bits| *bits != 64) {
        spec.items.push(Item::Line { doc: Vec::new(), text: format!("addresses {bits};") });
    }
    let texts = list(set, "texts")?;
    let rows = rows::all(set)?;
    for kind in list(set, "kinds")? {
        spec.items.push(kinds::item(kind, texts, &mut spec.before)?);
    }
    spec.items.extend(kinds::formats(&rows, texts, &mut spec.before)?);
    spec.items.extend(rows::affixes(&rows)?);
    kinds::close(&mut spec.before);
    let opcodes: Vec<&Value> = list(set, "opcodes")?.iter().collect();
    let (mut known, mut declared) = (Vec::new(), Vec::new());
    for group in list(set, "groups")? {
        // Each call that a set includes has the groups that it uses.
        let name = text(group, "name")?;
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        spec.items.push(Item::Node(group_node(group, &opcodes, set, &mut declared)?));
    }
    for row in list(set, "opcodes")? {
        rows::opcode(row, set, &mut spec.items)?;
    }
    Ok(spec)
}

/// A group; `declared` are the groups and the fields that were declared so far.
fn group_node<'v>(
    group: &'v Value,
    rows: &[&'v Value],
    set: &Value,
    declared: &mut Vec<(&'v str, &'v str)>,
) -> Read<Node> {
    let name = text(group, "name")?;
    let parents: Vec<&str> = list(group, "parents")?.iter().filter_map(Value::as_str).collect();
    let word = if group["optype"] == true { "optype" } else { "group" };
    let head = format!("{word} {name}{}", rows::parents(&parents));
    let mut encoding = Vec::new();
    let mut known: Vec<&str> = Vec::new();
    for field in own_fields(name, rows, set)? {
        let named = text(field, "name")?;
        let older = |&(of, field): &(&str, &str)| field == named && inherits(set, name, of);
        let is_set = field["declared_in"] == name;
        if !known.contains(&named) && (is_set || !declared.iter().any(older)) {
            known.push(named);
            declared.push((name, named));
            // What its opcodes say otherwise they say themselves.
            let mut same = rows.iter().flat_map(|row| row["fields"].as_array()).flatten();
            let agree = is_set
                && same.all(|other| {
                    (&other["declared_in"], &other["name"])
                        != (&field["declared_in"], &field["name"])
                        || (&other["fixed"], &other["default"])
                            == (&field["fixed"], &field["default"])
                });
            encoding.push(rows::field(field, agree, set)?);
        }
    }
    let mut exception: Vec<Line> = Vec::new();
    for row in rows {
        rows::conditions(row, name, &mut encoding, &mut exception)?;
    }
    let mut sections =
        vec![Section::new("encoding", encoding), Section::new("exception", exception)];
    sections.retain(|section| !section.lines.is_empty());
    Ok(Node { doc: doc(group)?, head, sections })
}

/// The fields that a group declares. Those that all its heirs set stand in their places among the others:
/// where such a field stands in a row says that it is an older one than those behind it.
fn own_fields<'v>(group: &str, rows: &[&'v Value], set: &Value) -> Read<Vec<&'v Value>> {
    let mut fields = Vec::new();
    let has = |row: &&&Value| {
        row["groups"].as_array().is_some_and(|all| all.iter().any(|one| one == group))
    };
    for row in rows {
        let all = list(row, "fields")?;
        let Some(last) = all.iter().rposition(|field| field["declared_in"] == group) else {
            continue;
        };
        for field in &all[..=last] {
            let from = text(field, "declared_in")?;
            let same = |other: &Value| {
                ["name", "kind", "pieces"].iter().all(|key| other[*key] == field[*key])
            };
            let everywhere = || {
                rows.iter()
                    .filter(has)
                    .all(|row| row["fields"].as_array().is_some_and(|all| all.iter().any(same)))
            };
            let heir = row["name"] == from || inherits(set, from, group);
            if from == group || heir && everywhere() {
                fields.push(field);
            }
        }
    }
    Ok(fields)
}

/// Whether a group inherits from another.
fn inherits(set: &Value, heir: &str, of: &str) -> bool {
    let mut open = vec![heir];
    let mut known = Vec::new();
    while let Some(name) = open.pop() {
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let groups = set["groups"].as_array().into_iter().flatten();
        let parents = groups.filter(|group| group["name"] == name);
        let parents = parents.filter_map(|group| group["parents"].as_array()).flatten();
        open.extend(parents.filter_map(Value::as_str));
    }
    heir != of && known.contains(&of)
}

/// A text under a key.
fn text<'v>(of: &'v Value, key: &str) -> Read<&'v str> {
    of[key].as_str().ok_or_else(|| missing(of, key, "text"))
}

/// A list under a key.
fn list<'v>(of: &'v Value, key: &str) -> Read<&'v Vec<Value>> {
    of[key].as_array().ok_or_else(|| missing(of, key, "list"))
}

/// A number under a key, as a number or in hexadecimal text.
fn number(of: &Value, key: &str) -> Read<u64> {
    let value = of.get(key);
    let digits = value.and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
    let hex = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    hex.or_else(|| value?.as_u64()).ok_or_else(|| missing(of, key, "number"))
}

fn missing(of: &Value, key: &str, what: &str) -> String {
    match of["name"].as_str() {
        Some(name) => format!("`{key}` of `{name}` is no {what}"),
        None => format!("`{key}` is no {what}"),
    }
}

/// The lines of a documentation.
fn doc(of: &Value) -> Read<Vec<String>> {
    Ok(text(of, "doc")?
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
        .collect())
}
