//! Items for the types of fields, which the source uses without declaring them.

use std::collections::{HashMap, HashSet};

use isa_compiler::similar;

use super::definition::{Definition, SourceLine};
use super::family::{DefinitionFamily, Family};
use super::values::ValuesFile;
use super::{Assumptions, NOTE, list_name};
use crate::code::{Code, code};
use crate::macro_call::{CallItem, ImportedValue, KNOWN, SectionLine, path_of};
use crate::{ImportError, is_name};

/// The prefix and suffix operators of operands, with their sub-fields.
const MARKS: [(&str, &str); 4] =
    [("\"-\"", "neg"), ("\"!\"", "not"), ("\"|\" \"|\"", "abs"), ("\"~\"", "inv")];

/// The formats in `isa-defs`.
const FORMATS: [&str; 1] = ["CvtFImm"];

/// The type of some fields, with the names of values that the source uses for it.
struct UsedType<'s> {
    name: Code,
    width: u32,
    names: Vec<String>,
    /// The definition or field that uses each name first.
    uses: HashMap<String, SourceLine<'s>>,
    /// Whether it must be a value set.
    is_set: bool,
    place: SourceLine<'s>,
}

impl<'s> UsedType<'s> {
    /// Returns the line that uses the name of a value first.
    fn use_of(&self, value: &str) -> &SourceLine<'s> {
        self.uses.get(value).unwrap_or(&self.place)
    }
}

/// Returns items for all types, formats and operators that definitions use and no other set declares.
pub(super) fn items<'s>(
    family: &Family<'_, 's>,
    assumed: &mut Assumptions<'_, 's>,
    faults: &mut Vec<ImportError>,
) -> Vec<CallItem> {
    let mut kinds = kinds(family, faults);
    collect(family, assumed.values, &mut kinds, faults);
    assumed.values.report_unused(kinds.iter().map(|kind| &*kind.name), faults);
    let (sets, operands): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|kind| kind.is_set);
    let mut items: Vec<CallItem> =
        operands.iter().filter_map(|kind| operand(kind, assumed, faults)).collect();
    items.extend(formats(family, assumed, faults));
    let fields = || family.defs.iter().flat_map(|def| &def.fields);
    let values = assumed.values;
    let given = values.affixes().filter(|name| MARKS.iter().all(|(_, known)| known != name));
    for name in MARKS.iter().map(|(_, name)| *name).chain(given) {
        let is_used = |field: &str| field.split_once('.').is_some_and(|(_, part)| part == name);
        let Some((_, place)) = fields().find(|(field, _)| is_used(&field.name)) else { continue };
        let known = MARKS.iter().find(|(_, known)| *known == name);
        let (texts, note) = match (values.affix(name), known) {
            (Some(texts), _) => (texts, ""),
            (None, known) => (code!("{}", known.map_or("", |(texts, _)| texts)), NOTE),
        };
        assumed.template.affixes.push((name.to_owned(), texts.to_string()));
        if values.is_declared_elsewhere(name) {
            continue;
        }
        if !note.is_empty() {
            assumed.assume(place, format!("assumed that `{name}` is the operator {}", &*texts));
        }
        match Code::name(name) {
            Ok(name) => {
                let text = code!("affix {} = {};{}", texts, name, spaced(note));
                items.push(CallItem::Line { doc: Vec::new(), text: text.at_line(place.origin()) });
            }
            Err(message) => faults.push(place.fault(message)),
        }
    }
    items.extend(sets.iter().filter_map(|kind| set(kind, assumed, faults)));
    items
}

/// Returns the types of all fields in order.
fn kinds<'s>(family: &Family<'_, 's>, faults: &mut Vec<ImportError>) -> Vec<UsedType<'s>> {
    let mut kinds: Vec<UsedType<'s>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (field, place) in family.defs.iter().flat_map(|def| &def.fields) {
        let width = field.pieces.iter().map(|(_, width)| width).sum();
        let at = *places.entry(&field.kind).or_insert(kinds.len());
        match kinds.get(at) {
            Some(kind) if kind.width != width => faults.push(place.fault(format!(
                "`{}` has {width} bits here, but {} bits above: rename one of them",
                &*kind.name, kind.width
            ))),
            Some(_) => {}
            None => kinds.push(UsedType {
                name: field.kind.clone(),
                width,
                names: Vec::new(),
                uses: HashMap::new(),
                is_set: false,
                place: *place,
            }),
        }
    }
    kinds
}

fn is_known(kind: &str, width: u32) -> bool {
    KNOWN.iter().any(|&(name, bits, ..)| (name, bits) == (kind, width))
}

/// Adds the names of values that fields, value lists, modifiers and conditions use.
fn collect<'s>(
    family: &Family<'_, 's>,
    values: &ValuesFile<'_>,
    kinds: &mut [UsedType<'s>],
    faults: &mut Vec<ImportError>,
) {
    for kind in kinds.iter_mut() {
        kind.is_set = values.is_enum(&kind.name);
    }
    let places: HashMap<String, usize> =
        kinds.iter().enumerate().map(|(at, kind)| (kind.name.to_string(), at)).collect();
    let mut add = |kind: &str, names: &[&str], is_set: bool, place: SourceLine<'s>| {
        let Some(kind) = places.get(kind).and_then(|&at| kinds.get_mut(at)) else { return };
        if !kind.is_set
            && (is_known(&kind.name, kind.width) || values.operand(&kind.name).is_some())
        {
            return;
        }
        kind.is_set |= is_set;
        for name in names.iter().filter(|name| is_name(name)) {
            kind.is_set = true;
            if !kind.uses.contains_key(*name) {
                kind.uses.insert((*name).to_owned(), place);
                kind.names.push((*name).to_owned());
            }
        }
    };
    for (field, place) in family.defs.iter().flat_map(|def| &def.fields) {
        add(&field.kind, &[value(&field.value)], field.name.contains('.'), *place);
    }
    for def in family.defs {
        let kin = family.kin(def);
        for (name, values) in lists(def) {
            kin.fields(name).for_each(|field| add(&field.kind, &values, true, def.place));
        }
        for name in modifiers(&def.template) {
            match kin.fields(name).next() {
                Some(_) => {
                    kin.fields(name).for_each(|field| add(&field.kind, &[], true, def.place))
                }
                None => {
                    let lower = name.to_ascii_lowercase();
                    kin.fields(&lower).for_each(|field| add(&field.kind, &[name], true, def.place));
                }
            }
        }
        for (name, value) in compared(def) {
            kin.fields(name).for_each(|field| add(&field.kind, &[value], true, def.place));
        }
        unlisted(def, &kin, faults);
    }
}

/// Returns the value after the `=`, `==` or `!=` of a field.
fn value(text: &str) -> &str {
    text.trim_start_matches([' ', '=', '!']).trim_matches('"')
}

/// Reports a default that is not in the value list of its field, but is similar to a value in the list.
fn unlisted(
    def: &Definition<'_>,
    kin: &DefinitionFamily<'_, '_, '_>,
    faults: &mut Vec<ImportError>,
) {
    let defaults = def.fields.iter().filter(|(field, _)| field.value.starts_with(" = "));
    let mut listed: Option<HashMap<&str, Vec<&str>>> = None;
    for (field, place) in defaults {
        let listed = listed.get_or_insert_with(|| {
            let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
            for (name, values) in kin.defs().flat_map(|def| lists(def)) {
                all.entry(name).or_default().extend(values);
            }
            all
        });
        let last = field.name.rsplit('.').next().unwrap_or_default();
        let Some(values) = listed.get(last) else { continue };
        let value = value(&field.value);
        if values.contains(&value) {
            continue;
        }
        if let Some(near) = similar(value, values.iter().copied()) {
            faults.push(place.fault(format!(
                "no value `{value}` in the list of `.{last}`; did you mean `{near}`?"
            )));
        }
    }
}

/// Returns the value lists under a template, `.hsel2 = {.H1_H0*, .H0_H0}`.
fn lists<'d>(def: &'d Definition<'_>) -> Vec<(&'d str, Vec<&'d str>)> {
    let texts = def.lists.iter().filter_map(|line| match line {
        SectionLine::Code(text, _) => Some((list_name(text)?, text.split_once('=')?.1)),
        _ => None,
    });
    let lists = texts.map(|(name, values)| {
        let values = values.trim().trim_matches(['{', '}', ';']).split(',');
        let values = values.map(|value| value.trim().trim_matches(['.', '*']).trim()).collect();
        (name, values)
    });
    lists.collect()
}

/// Returns the words after dots in a template.
fn modifiers(template: &str) -> Vec<&str> {
    let word = |rest: &&str| !rest.is_empty();
    let words = template.split('.').skip(1).map(|rest| {
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
    });
    words.filter(word).collect()
}

/// Returns the fields and values that conditions compare.
fn compared<'d>(def: &'d Definition<'_>) -> Vec<(&'d str, &'d str)> {
    let mut all = Vec::new();
    for line in def.exception.iter().chain(&def.encoding) {
        let SectionLine::Code(text, _) = line else { continue };
        let other = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        for (at, sign) in text.match_indices("==").chain(text.match_indices("!=")) {
            let field = text[..at].trim_end().rsplit(other).next().unwrap_or_default();
            let right = text[at + sign.len()..].trim_start().trim_start_matches('"');
            all.push((field, right.split(other).next().unwrap_or_default()));
        }
    }
    all
}

/// A part of a template without a field in the source.
pub(super) struct MissingField {
    pub(super) name: String,
    /// The part as it is in the template.
    pub(super) part: String,
    /// The modifiers that this part can be in an example.
    pub(super) texts: Vec<String>,
}

/// Returns the modifiers and trailing attributes in the template of a definition that have no field
/// in it, its ancestors or its descendants.
pub(super) fn without_field(family: &Family<'_, '_>, def: &Definition<'_>) -> Vec<MissingField> {
    let lists = lists(def);
    if def.template.is_empty() {
        return Vec::new();
    }
    let kin = family.kin(def);
    let known = |name: &str| kin.fields(name).next().is_some();
    let mut gone = Vec::new();
    for name in modifiers(&def.template) {
        if known(name) || known(&name.to_ascii_lowercase()) {
            continue;
        }
        let listed = lists.iter().filter(|(list, _)| *list == name);
        let listed = listed.flat_map(|(_, values)| values).map(|value| (*value).to_owned());
        let braced = format!("{{.{name}}}");
        let part = if def.template.contains(&braced) { braced } else { format!(".{name}") };
        let texts = listed.chain([name.to_owned()]).collect();
        gone.push(MissingField { name: name.to_owned(), part, texts });
    }
    let settings = def.template.split_whitespace().filter_map(|word| word.strip_prefix('$'));
    for name in settings.map(|name| name.trim_end_matches(';')).filter(|name| !known(name)) {
        let part = format!(" ${name}");
        gone.push(MissingField { name: name.to_owned(), part, texts: Vec::new() });
    }
    gone
}

/// Returns the items of the formats that operands use.
fn formats(
    family: &Family<'_, '_>,
    assumed: &mut Assumptions<'_, '_>,
    faults: &mut Vec<ImportError>,
) -> Vec<CallItem> {
    let mut items = Vec::new();
    let mut known = HashSet::new();
    let lines = family.defs.iter().flat_map(|def| def.operands.iter().map(move |line| (def, line)));
    for (def, line) in lines {
        let SectionLine::Code(text, _) = line else { continue };
        let Some(format) = text.strip_prefix("AsmFormat").and_then(|rest| rest.split_once('='))
        else {
            continue;
        };
        let name = format.1.split('(').next().unwrap_or_default().trim();
        let given = assumed.values.format(name);
        if !known.insert(name) || given.is_none() && !FORMATS.contains(&name) {
            continue;
        }
        let code = Code::type_name(name);
        let path = match given {
            Some((path, line)) => Code::operand_type(path).map_err(|message| line.fault(message)),
            None => code
                .clone()
                .map(|name| code!("isa_defs::base::{}", name))
                .map_err(|message| def.place.fault(message)),
        };
        let (Ok(code), Ok(path)) = (code, path.map_err(|fault| faults.push(fault))) else {
            continue;
        };
        assumed.template.formats.push((name.to_owned(), path.to_string()));
        if assumed.values.is_declared_elsewhere(name) {
            continue;
        }
        let note = if given.is_some() { "" } else { NOTE };
        if given.is_none() {
            assumed.assume(&def.place, format!("assumed that `{name}` is `{}`", &*path));
        }
        let doc = "The format of an operand that depends on other fields.";
        items.push(CallItem::line(doc, code!("format {} = {};{}", code, path, spaced(note))));
    }
    items
}

/// Returns a comment with a blank before it, unless it is empty.
fn spaced(note: &'static str) -> Code {
    if note.is_empty() { Code::default() } else { code!(" {}", note) }
}

/// Returns an operand type. The values file has its Rust type, or the import assumes one.
fn operand(
    kind: &UsedType<'_>,
    assumed: &mut Assumptions<'_, '_>,
    faults: &mut Vec<ImportError>,
) -> Option<CallItem> {
    let UsedType { name, width, place, .. } = kind;
    let (path, doc, is_given) = match assumed.values.operand(name) {
        Some((text, line)) => match Code::operand_type(text) {
            Ok(path) => (path, "", true),
            Err(message) => {
                faults.push(line.fault(message));
                return None;
            }
        },
        None => match KNOWN.into_iter().find(|known| (known.0, known.1) == (&**name, *width)) {
            Some((known, _, more, doc)) => (code!("{}{}", path_of(known), more), doc, false),
            None => (code!("isa_core::operand::Unsigned<{}>", *width), "A number.", false),
        },
    };
    assumed.template.operands.push((name.to_string(), path.to_string()));
    if assumed.values.is_declared_elsewhere(name) {
        return None;
    }
    let note = if is_given { "" } else { NOTE };
    if !is_given {
        if let Some(near) = assumed.values.misspelled_type(name) {
            faults.push(misspelled(place, name, near, "[operands]"));
            return None;
        }
        let message =
            format!("assumed that `{}`, which has {width} bits, is `{}`", &**name, &*path);
        assumed.assume(place, message);
    }
    let text = code!("operand {}: {} = {};{}", name, *width, path, spaced(note));
    let doc = if doc.is_empty() { Vec::new() } else { vec![doc.to_owned()] };
    Some(CallItem::Line { doc, text: text.at_line(place.origin()) })
}

/// Returns the error of a name that the values file lacks, but that is similar to one of its names.
fn misspelled(place: &SourceLine<'_>, name: &str, near: &str, table: &str) -> ImportError {
    place.fault_at_name(name, format!(
        "the values file has no `{name}`; did you mean `{near}`? If `{name}` is new, add it below `{table}`"
    ))
}

/// Returns a value set. The values file has the numbers of values. Other values get the least free
/// numbers, in the order in which the source uses their names.
fn set(
    kind: &UsedType<'_>,
    assumed: &mut Assumptions<'_, '_>,
    faults: &mut Vec<ImportError>,
) -> Option<CallItem> {
    let UsedType { name, width, place, .. } = kind;
    if let Some(near) = assumed.values.misspelled_type(name) {
        faults.push(misspelled(place, name, near, &format!("[enums.{}]", &**name)));
        return None;
    }
    let limit = 1_u64.checked_shl(*width).unwrap_or(u64::MAX);
    let given = assumed.values.values(name);
    for (value, raw, line) in &given {
        if *raw >= limit {
            let message = format!(
                "expected a number of `{}` below {limit}, found `{value} = {raw}`",
                &**name
            );
            faults.push(line.fault(message));
        }
    }
    let mut values: Vec<(String, u64, &'static str)> =
        given.iter().map(|&(value, raw, _)| (value.to_owned(), raw, "")).collect();
    let is_given = |value: &str| given.iter().any(|(known, ..)| *known == value);
    let mut used: HashSet<u64> = given.iter().map(|&(_, raw, _)| raw).collect();
    let mut free = (0..).filter(move |raw| used.insert(*raw));
    let mut new = Vec::new();
    let named = kind.names.iter().filter(|value| !is_given(value)).map(|value| (value.clone(), ""));
    let other = opposite(kind).filter(|other| !is_given(other) && given.is_empty());
    for value in kind.names.iter().filter(|value| !is_given(value)) {
        if let Some(near) = similar(value, given.iter().map(|(known, ..)| *known)) {
            let table = format!("[enums.{}]", &**name);
            faults.push(misspelled(kind.use_of(value), value, near, &table));
        }
    }
    for (value, note) in named.chain(other.map(|other| (other, NOTE))) {
        let raw = free.next().unwrap_or_default();
        new.push(format!("`{value} = {raw}`"));
        values.push((value, raw, note));
    }
    if values.len() as u64 > limit {
        let names: Vec<&str> = values.iter().map(|(value, ..)| value.as_str()).collect();
        faults.push(place.fault(format!(
            "`{}` has {} values, but only {width} bits: {}",
            &**name,
            values.len(),
            names.join(", ")
        )));
    }
    values.sort_by_key(|&(_, raw, _)| raw);
    let all = values.iter().map(|(value, raw, _)| (value.clone(), *raw)).collect();
    assumed.template.enums.push((name.to_string(), all));
    if assumed.values.is_declared_elsewhere(name) {
        return None;
    }
    if !new.is_empty() {
        let numbers = new.join(", ");
        assumed.assume(place, format!("assumed numbers of `{}`: {numbers}", &**name));
    }
    let value = |(name, raw, note): (String, u64, &'static str)| {
        Ok(ImportedValue { doc: Vec::new(), name: Code::value_name(&name)?, raw, note })
    };
    match values.into_iter().map(value).collect::<Result<_, String>>() {
        Ok(values) => Some(CallItem::Values {
            doc: vec![format!("The values of `{}` that the source names.", &**name)],
            name: name.clone().at_line(place.origin()),
            width: *width,
            note: match (given.is_empty(), new.is_empty()) {
                (_, true) => "",
                (true, false) => "/* the numbers are not in the source */",
                (false, false) => "/* some numbers are not in the source */",
            },
            values,
        }),
        Err(message) => {
            faults.push(place.fault(message));
            None
        }
    }
}

/// Returns the other value of one bit, if the source names only one.
fn opposite(kind: &UsedType<'_>) -> Option<String> {
    let [one] = kind.names.as_slice() else { return None };
    let other = match (one.as_str(), one.strip_prefix("No")) {
        ("False", _) => "True".to_owned(),
        ("True", _) => "False".to_owned(),
        (_, Some(on)) if is_name(on) => on.to_owned(),
        (on, _) => format!("No{on}"),
    };
    (kind.width == 1).then_some(other)
}
