//! Import of the JSON description that `isa export json` writes.
//!
//! A description contains the opcodes after inheritance. It names the item that declares each field and
//! each condition, so the import can restore the groups. The description contains no Rust code.
//! Predefined operand types are recognized by their texts, and other types become types with a list of
//! their texts. Semantic functions become comments.

mod opcodes;
mod operand_types;

use std::collections::{HashMap, HashSet};
use std::fmt;

use isa_core::table::Piece;
use isa_export::description::{
    AtPath, Description, DescriptionError, FieldDescription, GroupDescription, OpcodeDescription,
};

use crate::code::{Code, code};
use crate::macro_call::{CallItem, CallNode, MacroCall, NodeSection, SectionLine, listed};
use crate::plain::short;
use crate::{ImportError, ImportFormat, ImportOptions, Source, set_name};

pub(crate) const FORMAT: ImportFormat = ImportFormat {
    name: "json",
    about: "A description that `isa export json` wrote, version 2",
    read,
};

type Imported<T> = Result<T, DescriptionError>;

/// An opcode or the row of an alias, which is displayed as its path in the description.
#[derive(Clone, Copy)]
struct LocatedRow<'d> {
    row: &'d OpcodeDescription,
    /// The index of the opcode.
    opcode: usize,
    /// The index of the alias.
    alias: Option<usize>,
}

impl fmt::Display for LocatedRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "opcodes[{}]", self.opcode)?;
        self.alias.map_or(Ok(()), |alias| write!(f, ".aliases[{alias}].row"))
    }
}

impl<'d> LocatedRow<'d> {
    /// Returns the opcodes of a set.
    fn opcodes(set: &'d Description) -> impl Iterator<Item = Self> {
        let opcodes = set.opcodes.iter().enumerate();
        opcodes.map(|(opcode, row)| LocatedRow { row, opcode, alias: None })
    }

    /// Returns each opcode, followed by its aliases.
    fn all(set: &'d Description) -> impl Iterator<Item = Self> {
        LocatedRow::opcodes(set).flat_map(|opcode| [opcode].into_iter().chain(opcode.aliases()))
    }

    /// Returns the aliases of an opcode.
    fn aliases(self) -> impl Iterator<Item = Self> {
        let aliases = self.row.aliases.iter().enumerate();
        aliases.map(move |(at, alias)| LocatedRow { row: &alias.row, alias: Some(at), ..self })
    }
}

/// Returns the names in a list, which is the value of a key.
fn names(
    list: &[String],
    key: &str,
    make: fn(&str) -> Result<Code, String>,
) -> Imported<Vec<Code>> {
    let names = list.iter().enumerate();
    names.map(|(at, name)| make(name).at(format_args!("{key}[{at}]"))).collect()
}

/// Returns the errors as messages with their paths. Errors with the same message are combined.
fn described(all: &[DescriptionError]) -> Vec<String> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut firsts: Vec<(&DescriptionError, usize)> = Vec::new();
    for error in all {
        let place = *known.entry(error.message()).or_insert(firsts.len());
        match firsts.get_mut(place) {
            Some((_, more)) => *more += 1,
            None => firsts.push((error, 0)),
        }
    }
    let described = firsts.into_iter().map(|(error, more)| {
        let text = match error.path() {
            "" => error.to_string(),
            path => format!("`{}`: {}", short(path), error.message()),
        };
        if more > 0 { format!("{text}; and {more} more like it") } else { text }
    });
    described.collect()
}

fn read(files: &[Source<'_>], options: &ImportOptions<'_>) -> Result<MacroCall, Vec<ImportError>> {
    let fault = |file: &Source<'_>, (line, column), message| ImportError {
        file: file.name.to_owned(),
        line,
        column,
        message,
    };
    let [file] = files else {
        let second = files.get(1).or(files.first()).copied();
        let second = second.unwrap_or(Source { name: "", text: "" });
        let message = "expected one file: import each description separately";
        return Err(vec![fault(&second, (1, 1), message.to_owned())]);
    };
    let set: Description = file.text.parse().map_err(|error: DescriptionError| {
        vec![fault(file, error.position().unwrap_or((1, 1)), error.to_string())]
    })?;
    macro_call(&set, options).map_err(|errors| {
        let messages = described(&errors).into_iter();
        messages.map(|message| fault(file, (1, 1), message)).collect()
    })
}

/// Returns the call. Returns errors for all invalid types, groups and opcodes, one error for each.
fn macro_call(
    set: &Description,
    options: &ImportOptions<'_>,
) -> Result<MacroCall, Vec<DescriptionError>> {
    let mut call = head(set, options).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    if let Err(error) = items(set, &mut call, &mut errors) {
        return Err(vec![error]);
    }
    operand_types::close(&mut call.before);
    nodes(set, &mut call, &mut errors);
    if errors.is_empty() { Ok(call) } else { Err(errors) }
}

/// Returns the call without items.
fn head(set: &Description, options: &ImportOptions<'_>) -> Imported<MacroCall> {
    let mut call = MacroCall {
        head: vec!["The description contains no Rust code, so semantics are comments.".to_owned()],
        doc: doc(&set.doc),
        name: match options.name {
            Some(_) => set_name(options, "")?,
            None => Code::type_name(&set.name).at("name")?,
        },
        widths: set.widths.iter().map(|width| u32::from(*width)).collect(),
        ..MacroCall::default()
    };
    call.widths.sort_unstable();
    let called = opcodes::functions(set);
    if !called.is_empty() {
        call.head.push(format!(
            "Conditions call these functions, which you must write: {}.",
            called.join(", ")
        ));
    }
    let lanes = opcodes::lane_functions(set);
    if !lanes.is_empty() {
        call.head.push(format!(
            "Lanes and widths that depend on these functions are omitted: {}.",
            lanes.join(", ")
        ));
    }
    Ok(call)
}

/// Adds the items before the groups, and the errors in types.
fn items(
    set: &Description,
    call: &mut MacroCall,
    errors: &mut Vec<DescriptionError>,
) -> Imported<()> {
    let mut add = |text| call.items.push(CallItem::Line { doc: Vec::new(), text });
    if set.any_case {
        add(code!("text any_case;"));
    }
    if set.byte_order != "little_endian" {
        add(code!("bytes {};", Code::name(&set.byte_order).at("byte_order")?));
    }
    if set.address_bits != 64 {
        add(code!("addresses {};", set.address_bits));
    }
    for (at, kind) in set.kinds.iter().enumerate() {
        match operand_types::item(kind, &set.texts, &mut call.before) {
            Ok(item) => call.items.push(item),
            error => errors.extend(error.at(format_args!("kinds[{at}]")).err()),
        }
    }
    call.items.extend(operand_types::formats(set, &mut call.before)?);
    call.items.extend(opcodes::affixes(set)?);
    call.items.extend(opcodes::property_items(set)?);
    Ok(())
}

/// Adds groups and opcodes.
fn nodes(set: &Description, call: &mut MacroCall, errors: &mut Vec<DescriptionError>) {
    let index = DescriptionIndex::new(set);
    let mut known = HashSet::new();
    let mut declared = HashMap::new();
    for (at, group) in set.groups.iter().enumerate() {
        // Each call that a set includes lists the groups that it uses, so groups can be repeated.
        if !known.insert(&group.name) {
            continue;
        }
        match group_node((at, group), &index, &mut declared) {
            Ok(node) => call.items.push(CallItem::Node(node)),
            Err(error) => errors.push(error),
        }
    }
    for row in LocatedRow::opcodes(set) {
        errors.extend(opcodes::opcode(row, &index, &mut call.items).err());
    }
}

/// Indexes for frequent lookups in a description.
struct DescriptionIndex<'d> {
    set: &'d Description,
    /// The groups by name.
    groups: HashMap<&'d str, &'d GroupDescription>,
    /// The opcodes by the groups that they inherit from and by the groups that declare their fields
    /// and conditions.
    rows: HashMap<&'d str, Vec<LocatedRow<'d>>>,
    /// For each opcode, the opcodes that contain its words.
    around: HashMap<&'d str, Vec<LocatedRow<'d>>>,
    /// The opcodes and aliases whose text is not in the description.
    unsaid: HashSet<&'d str>,
}

impl<'d> DescriptionIndex<'d> {
    fn new(set: &'d Description) -> Self {
        let mut groups: HashMap<&str, _> = HashMap::new();
        for group in &set.groups {
            groups.entry(&group.name).or_insert(group);
        }
        let (mut rows, mut around) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for row in LocatedRow::opcodes(set) {
            let OpcodeDescription { groups, fields, illegal, .. } = row.row;
            let declaring = fields.iter().map(|field| &field.declared_in);
            let declaring = declaring.chain(illegal.iter().map(|illegal| &illegal.declared_in));
            let names: HashSet<&str> = groups.iter().chain(declaring).map(String::as_str).collect();
            names.into_iter().for_each(|name| rows.entry(name).or_default().push(row));
            let special = illegal.iter().filter_map(|illegal| {
                illegal.reason.strip_prefix("this encoding belongs to `")?.strip_suffix('`')
            });
            for name in special.collect::<HashSet<_>>() {
                around.entry(name).or_default().push(row);
            }
        }
        let unsaid = LocatedRow::all(set).filter(|row| opcodes::is_unsaid(row.row, set));
        let unsaid = unsaid.map(|row| row.row.name.as_str()).collect();
        DescriptionIndex { set, groups, rows, around, unsaid }
    }

    /// Returns the opcodes of a group.
    fn rows(&self, group: &str) -> &[LocatedRow<'d>] {
        self.rows.get(group).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a group inherits from another.
    fn inherits(&self, heir: &str, of: &str) -> bool {
        let mut open = vec![heir];
        let mut known = HashSet::new();
        while let Some(name) = open.pop() {
            if known.insert(name) {
                let parents = self.groups.get(name).map(|group| &group.parents);
                open.extend(parents.into_iter().flatten().map(String::as_str));
            }
        }
        heir != of && known.contains(of)
    }
}

/// Returns the item of a group. For each field that is already declared, `declared` contains the groups
/// that declare it.
fn group_node<'d>(
    (at, group): (usize, &'d GroupDescription),
    index: &DescriptionIndex<'d>,
    declared: &mut HashMap<&'d str, Vec<&'d str>>,
) -> Imported<CallNode> {
    let own = group.name.as_str();
    let path = format!("groups[{at}]");
    let parents = listed(" : [", &names(&group.parents, "parents", Code::name).at(&path)?, "]");
    let word = if group.optype { "optype" } else { "group" };
    let head = code!("{} {}{}", word, Code::name(own).at("name").at(&path)?, parents);
    let rows = index.rows(own);
    let mut encoding = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (row, at) in own_fields(own, rows, index) {
        let field = &row.row.fields[at];
        if known.contains(field.name.as_str()) {
            continue;
        }
        let is_set = field.declared_in == own;
        let mut older = declared.get(field.name.as_str()).into_iter().flatten();
        if is_set || !older.any(|of| index.inherits(own, of)) {
            known.insert(&field.name);
            declared.entry(&field.name).or_default().push(own);
            // If opcodes of the group have different values, each opcode declares its own.
            let mut same = rows.iter().flat_map(|row| &row.row.fields);
            let agree = is_set
                && same.all(|other| {
                    (&other.declared_in, &other.name) != (&field.declared_in, &field.name)
                        || (other.fixed, other.default) == (field.fixed, field.default)
                });
            let line = opcodes::field(field, agree, index.set);
            encoding.push(line.at(format_args!("fields[{at}]")).at(row)?);
        }
    }
    let mut exception: Vec<SectionLine> = Vec::new();
    for row in rows {
        opcodes::conditions(row.row, own, &mut encoding, &mut exception).at(row)?;
    }
    let mut sections =
        vec![NodeSection::new("encoding", encoding), NodeSection::new("exception", exception)];
    sections.retain(|section| !section.lines.is_empty());
    Ok(CallNode { doc: doc(&group.doc), head, sections })
}

/// Returns the fields that a group declares, as opcodes and indexes. If all opcodes of the group contain
/// a field that a descendant declares, the result includes this field too, so that the order of the
/// fields stays the same.
fn own_fields<'d>(
    group: &str,
    rows: &[LocatedRow<'d>],
    index: &DescriptionIndex<'d>,
) -> Vec<(LocatedRow<'d>, usize)> {
    let mut fields = Vec::new();
    let has = |row: &&LocatedRow<'_>| row.row.groups.iter().any(|one| one == group);
    let mut heirs: HashMap<&str, bool> = HashMap::new();
    let mut everywhere: HashMap<(&str, usize, &[Piece]), bool> = HashMap::new();
    for row in rows {
        let all = &row.row.fields;
        let Some(last) = all.iter().rposition(|field| field.declared_in == group) else {
            continue;
        };
        for (at, field) in all[..=last].iter().enumerate() {
            let from = field.declared_in.as_str();
            if from == group {
                fields.push((*row, at));
                continue;
            }
            let inherits = || index.inherits(from, group);
            if row.row.name != from && !*heirs.entry(from).or_insert_with(inherits) {
                continue;
            }
            let key = |field: &'d FieldDescription| (&*field.name, field.kind, &*field.pieces);
            let is_in = |row: &LocatedRow<'d>| row.row.fields.iter().any(|o| key(o) == key(field));
            let all_have = || rows.iter().filter(has).all(is_in);
            if *everywhere.entry(key(field)).or_insert_with(all_have) {
                fields.push((*row, at));
            }
        }
    }
    fields
}

/// Returns the lines of documentation.
fn doc(text: &str) -> Vec<String> {
    text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned()).collect()
}
