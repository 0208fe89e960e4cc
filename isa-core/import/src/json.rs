//! Import of the JSON description that `isa export json` writes.
//!
//! A description contains the opcodes after inheritance. It names the item that declares each field and
//! each condition, so the import can restore the groups. The description contains no Rust code.
//! Predefined operand types are recognized by their texts, and other types become types with a list of
//! their texts. Semantic functions become comments.

mod kinds;
mod rows;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::code::{Code, code};
use crate::plain::short;
use crate::spec::{Item, Line, Node, Section, Spec, listed};
use crate::{Fault, Format, Options, Source, set_name};

pub(crate) const FORMAT: Format =
    Format { name: "json", about: "A description that `isa export json` wrote, version 2", read };

/// An error in a description.
#[derive(Debug)]
struct Wrong {
    /// The address of the value, which identifies its position in the description.
    at: Option<*const Value>,
    message: String,
}

type Read<T> = Result<T, Wrong>;

impl From<String> for Wrong {
    fn from(message: String) -> Wrong {
        Wrong { at: None, message }
    }
}

impl From<&str> for Wrong {
    fn from(message: &str) -> Wrong {
        Wrong::from(message.to_owned())
    }
}

/// If code could not be made from a value, adds the value to the error.
fn of<T>(value: &Value, made: Result<T, String>) -> Read<T> {
    made.map_err(|message| Wrong { at: Some(value), message })
}

/// Returns the name under a key.
fn name(of_value: &Value, key: &str, make: fn(&str) -> Result<Code, String>) -> Read<Code> {
    of(&of_value[key], make(text(of_value, key)?))
}

/// Returns the names in a list.
fn names(list: &[&Value], make: fn(&str) -> Result<Code, String>) -> Read<Vec<Code>> {
    let name = |value: &&Value| of(value, make(value.as_str().unwrap_or_default()));
    list.iter().map(name).collect()
}

/// Finds the path of a value inside of another value, for example `opcodes[3].name`.
fn path(of: &Value, at: *const Value, path: &mut String) -> bool {
    if std::ptr::eq(of, at) {
        return true;
    }
    let length = path.len();
    let mut enter = |key: &str, inner: &Value| {
        *path += key;
        let found = self::path(inner, at, path);
        if !found {
            path.truncate(length);
        }
        found
    };
    match of {
        Value::Array(list) => {
            list.iter().enumerate().any(|(place, inner)| enter(&format!("[{place}]"), inner))
        }
        Value::Object(map) => map.iter().any(|(key, inner)| {
            let dot = if length == 0 { "" } else { "." };
            enter(&format!("{dot}{key}"), inner)
        }),
        _ => false,
    }
}

/// Returns the errors with their paths. Errors with the same message are combined.
fn described(set: &Value, all: Vec<Wrong>) -> Vec<String> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut firsts: Vec<(Wrong, usize)> = Vec::new();
    for wrong in all {
        let place = *known.entry(wrong.message.clone()).or_insert(firsts.len());
        match firsts.get_mut(place) {
            Some((_, more)) => *more += 1,
            None => firsts.push((wrong, 0)),
        }
    }
    let described = firsts.into_iter().map(|(Wrong { at, message }, more)| {
        let mut place = String::new();
        let text = match at.filter(|&at| path(set, at, &mut place)) {
            Some(_) => format!("`{}`: {message}", short(&place)),
            None => format!("{message}; `isa export json` writes such descriptions"),
        };
        if more > 0 { format!("{text}; and {more} more like it") } else { text }
    });
    described.collect()
}

fn read(files: &[Source<'_>], options: &Options<'_>) -> Result<Spec, Vec<Fault>> {
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
    spec(&set, options).map_err(|wrong| {
        let messages = described(&set, wrong).into_iter();
        messages.flat_map(|message| fault(file, 1, 1, message)).collect()
    })
}

/// Returns the specification. Returns errors for all invalid types, groups and opcodes, one error
/// for each.
fn spec(set: &Value, options: &Options<'_>) -> Result<Spec, Vec<Wrong>> {
    let mut spec = head(set, options).map_err(|wrong| vec![wrong])?;
    let mut wrong = items(set, &mut spec).map_err(|wrong| vec![wrong])?;
    kinds::close(&mut spec.before);
    if let Err(more) = nodes(set, &mut spec, &mut wrong) {
        wrong.push(more);
    }
    if wrong.is_empty() { Ok(spec) } else { Err(wrong) }
}

/// Returns the specification without items.
fn head(set: &Value, options: &Options<'_>) -> Read<Spec> {
    if (set["format"].as_str(), set["version"].as_u64()) != (Some("define-isa"), Some(2)) {
        return Err("this is no description of version 2 of the format define-isa".into());
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
        name: match options.name {
            Some(_) => set_name(options, "")?,
            None => name(set, "name", Code::type_name)?,
        },
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
    Ok(spec)
}

/// Adds the items before the groups. Returns the errors in types.
fn items(set: &Value, spec: &mut Spec) -> Read<Vec<Wrong>> {
    let mut add = |text| spec.items.push(Item::Line { doc: Vec::new(), text });
    if set["any_case"] == true {
        add(code!("text any_case;"));
    }
    if let Some(order) = set["byte_order"].as_str().filter(|order| *order != "little_endian") {
        let known = ["big_endian", "little_endian_halfwords"];
        let order = known.into_iter().find(|known| *known == order).ok_or_else(|| {
            format!(
                "expected `little_endian`, `big_endian` or `little_endian_halfwords`, found `{}`",
                short(order)
            )
        });
        add(code!("bytes {};", of(&set["byte_order"], order)?));
    }
    if let Some(bits) = set["address_bits"].as_u64().filter(|bits| *bits != 64) {
        add(code!("addresses {};", bits));
    }
    let mut wrong = Vec::new();
    let texts = list(set, "texts")?;
    let rows = rows::all(set)?;
    for kind in list(set, "kinds")? {
        match kinds::item(kind, texts, &mut spec.before) {
            Ok(item) => spec.items.push(item),
            Err(error) => wrong.push(error),
        }
    }
    spec.items.extend(kinds::formats(&rows, texts, &mut spec.before)?);
    spec.items.extend(rows::affixes(&rows)?);
    Ok(wrong)
}

/// Adds groups and opcodes.
fn nodes(set: &Value, spec: &mut Spec, wrong: &mut Vec<Wrong>) -> Read<()> {
    let opcodes: Vec<&Value> = list(set, "opcodes")?.iter().collect();
    let index = Index::new(set)?;
    let mut known = HashSet::new();
    let mut declared = HashMap::new();
    for group in list(set, "groups")? {
        // Each call that a set includes lists the groups that it uses, so groups can be repeated.
        if !known.insert(text(group, "name")?) {
            continue;
        }
        match group_node(group, &index, &mut declared) {
            Ok(node) => spec.items.push(Item::Node(node)),
            Err(error) => wrong.push(error),
        }
    }
    for row in &opcodes {
        wrong.extend(rows::opcode(row, &index, &mut spec.items).err());
    }
    Ok(())
}

/// Indexes for frequent lookups in a description.
struct Index<'v> {
    set: &'v Value,
    /// The groups by name.
    groups: HashMap<&'v str, &'v Value>,
    /// The opcodes by the groups that they inherit from and by the groups that declare their fields
    /// and conditions.
    rows: HashMap<&'v str, Vec<&'v Value>>,
    /// For each opcode, the names of the opcodes that contain its words.
    around: HashMap<&'v str, Vec<&'v Value>>,
    /// The opcodes and aliases whose text is not in the description.
    unsaid: HashSet<&'v str>,
    has_widths: bool,
}

impl<'v> Index<'v> {
    fn new(set: &'v Value) -> Read<Self> {
        let mut groups = HashMap::new();
        for group in list(set, "groups")? {
            groups.entry(text(group, "name")?).or_insert(group);
        }
        let (mut rows, mut around) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for row in list(set, "opcodes")? {
            let own = row["groups"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let parts = ["fields", "illegal"].map(|key| row[key].as_array().into_iter().flatten());
            let said = parts.into_iter().flatten();
            let said = said.filter_map(|part| part["declared_in"].as_str());
            let names: HashSet<&str> = own.chain(said).collect();
            names.into_iter().for_each(|name| rows.entry(name).or_default().push(row));
            let illegal = row["illegal"].as_array().into_iter().flatten();
            let reasons = illegal.filter_map(|illegal| illegal["reason"].as_str());
            let special = reasons
                .filter_map(|reason| reason.strip_prefix("these words are `")?.strip_suffix('`'));
            for name in special.collect::<HashSet<_>>() {
                around.entry(name).or_default().push(&row["name"]);
            }
        }
        let mut unsaid = HashSet::new();
        for row in rows::all(set)? {
            if rows::is_unsaid(row, set)? {
                unsaid.extend(row["name"].as_str());
            }
        }
        let has_widths = list(set, "widths")?.len() > 1;
        Ok(Index { set, groups, rows, around, unsaid, has_widths })
    }

    /// Returns the opcodes of a group.
    fn rows(&self, group: &str) -> &[&'v Value] {
        self.rows.get(group).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a group inherits from another.
    fn inherits(&self, heir: &str, of: &str) -> bool {
        let mut open = vec![heir];
        let mut known = HashSet::new();
        while let Some(name) = open.pop() {
            if known.insert(name) {
                let parents = self.groups.get(name).and_then(|group| group["parents"].as_array());
                open.extend(parents.into_iter().flatten().filter_map(Value::as_str));
            }
        }
        heir != of && known.contains(of)
    }
}

/// Returns the item of a group. For each field that is already declared, `declared` contains the groups
/// that declare it.
fn group_node<'v>(
    group: &'v Value,
    index: &Index<'v>,
    declared: &mut HashMap<&'v str, Vec<&'v str>>,
) -> Read<Node> {
    let own = text(group, "name")?;
    let parents: Vec<&Value> = list(group, "parents")?.iter().collect();
    let word = if group["optype"] == true { "optype" } else { "group" };
    let parents = listed(" : [", &names(&parents, Code::name)?, "]");
    let head = code!("{} {}{}", word, name(group, "name", Code::name)?, parents);
    let rows = index.rows(own);
    let mut encoding = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for field in own_fields(own, rows, index)? {
        let named = text(field, "name")?;
        if known.contains(named) {
            continue;
        }
        let is_set = field["declared_in"] == own;
        let mut older = declared.get(named).into_iter().flatten();
        if is_set || !older.any(|of| index.inherits(own, of)) {
            known.insert(named);
            declared.entry(named).or_default().push(own);
            // If opcodes of the group have different values, each opcode declares its own.
            let mut same = rows.iter().flat_map(|row| row["fields"].as_array()).flatten();
            let agree = is_set
                && same.all(|other| {
                    (&other["declared_in"], &other["name"])
                        != (&field["declared_in"], &field["name"])
                        || (&other["fixed"], &other["default"])
                            == (&field["fixed"], &field["default"])
                });
            encoding.push(rows::field(field, agree, index.set)?);
        }
    }
    let mut exception: Vec<Line> = Vec::new();
    for row in rows {
        rows::conditions(row, own, &mut encoding, &mut exception)?;
    }
    let mut sections =
        vec![Section::new("encoding", encoding), Section::new("exception", exception)];
    sections.retain(|section| !section.lines.is_empty());
    Ok(Node { doc: doc(group)?, head, sections })
}

/// Returns the fields that a group declares. If all opcodes of the group contain a field that a
/// descendant declares, the result includes this field too, so that the order of the fields stays the
/// same.
fn own_fields<'v>(group: &str, rows: &[&'v Value], index: &Index<'v>) -> Read<Vec<&'v Value>> {
    let mut fields = Vec::new();
    let has = |row: &&&Value| {
        row["groups"].as_array().is_some_and(|all| all.iter().any(|one| one == group))
    };
    let mut heirs: HashMap<&str, bool> = HashMap::new();
    let mut everywhere: HashMap<[String; 3], bool> = HashMap::new();
    for row in rows {
        let all = list(row, "fields")?;
        let Some(last) = all.iter().rposition(|field| field["declared_in"] == group) else {
            continue;
        };
        for field in &all[..=last] {
            let from = text(field, "declared_in")?;
            if from == group {
                fields.push(field);
                continue;
            }
            let inherits = || index.inherits(from, group);
            if row["name"] != from && !*heirs.entry(from).or_insert_with(inherits) {
                continue;
            }
            const KEYS: [&str; 3] = ["name", "kind", "pieces"];
            let same = |other: &Value| KEYS.iter().all(|key| other[*key] == field[*key]);
            let is_in =
                |row: &&Value| row["fields"].as_array().is_some_and(|all| all.iter().any(same));
            let key = KEYS.map(|key| field[key].to_string());
            let all_have = || rows.iter().filter(has).all(is_in);
            if *everywhere.entry(key).or_insert_with(all_have) {
                fields.push(field);
            }
        }
    }
    Ok(fields)
}

/// Returns the text under a key.
fn text<'v>(of: &'v Value, key: &str) -> Read<&'v str> {
    of[key].as_str().ok_or_else(|| missing(of, key, "text"))
}

/// Returns the list under a key.
fn list<'v>(of: &'v Value, key: &str) -> Read<&'v Vec<Value>> {
    of[key].as_array().ok_or_else(|| missing(of, key, "list"))
}

/// Returns the number under a key, which is a JSON number or a hexadecimal text.
fn number(of: &Value, key: &str) -> Read<u64> {
    let value = of.get(key);
    let digits = value.and_then(Value::as_str).and_then(|text| text.strip_prefix("0x"));
    let hex = digits.and_then(|digits| crate::number(digits, 16));
    hex.or_else(|| value?.as_u64()).ok_or_else(|| missing(of, key, "number"))
}

fn missing(of: &Value, key: &str, what: &str) -> Wrong {
    Wrong::from(match of["name"].as_str() {
        Some(name) => format!("`{key}` of `{}` is no {what}", short(name)),
        None => format!("`{key}` is no {what}"),
    })
}

/// Returns the lines of the documentation.
fn doc(of: &Value) -> Read<Vec<String>> {
    Ok(text(of, "doc")?
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned())
        .collect())
}
