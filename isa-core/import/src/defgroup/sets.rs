//! Items for the types of fields, which the source uses without declaring them.

use std::collections::{HashMap, HashSet};

use isa_compiler::similar;

use super::definition::{Definition, SourceLine};
use super::family::{DefinitionFamily, Family};
use super::{NOTE, list_name};
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
    known: HashSet<String>,
    /// Whether it must be a value set.
    is_set: bool,
    place: SourceLine<'s>,
}

/// Returns items for all types, formats and operators that definitions use.
pub(super) fn items(family: &Family<'_, '_>, faults: &mut Vec<ImportError>) -> Vec<CallItem> {
    let mut kinds = kinds(family, faults);
    collect(family, &mut kinds, faults);
    let (sets, operands): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|kind| kind.is_set);
    let mut items: Vec<CallItem> = operands.iter().map(operand).collect();
    items.extend(formats(family));
    let fields = || family.defs.iter().flat_map(|def| &def.fields).map(|(field, _)| &field.name);
    let parts: HashSet<&str> =
        fields().filter_map(|name| name.split_once('.')).map(|(_, part)| part).collect();
    items.extend(MARKS.iter().filter(|(_, name)| parts.contains(name)).map(|&(texts, name)| {
        CallItem::Line { doc: Vec::new(), text: code!("affix {} = {}; {}", texts, name, NOTE) }
    }));
    for kind in &sets {
        let most = 1_u64.checked_shl(kind.width).unwrap_or(u64::MAX);
        if kind.names.len() as u64 > most {
            faults.push(kind.place.fault(format!(
                "`{}` has {} values, for which {} bits are too few: {}",
                &*kind.name,
                kind.names.len(),
                kind.width,
                kind.names.join(", ")
            )));
        }
        match set(kind) {
            Ok(item) => items.push(item),
            Err(message) => faults.push(kind.place.fault(message)),
        }
    }
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
                "`{}` has {width} bits here and {} above: give one of the two another name",
                &*kind.name, kind.width
            ))),
            Some(_) => {}
            None => kinds.push(UsedType {
                name: field.kind.clone(),
                width,
                names: Vec::new(),
                known: HashSet::new(),
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
fn collect(family: &Family<'_, '_>, kinds: &mut [UsedType<'_>], faults: &mut Vec<ImportError>) {
    let places: HashMap<String, usize> =
        kinds.iter().enumerate().map(|(at, kind)| (kind.name.to_string(), at)).collect();
    let mut add = |kind: &str, names: &[&str], is_set: bool| {
        let Some(kind) = places.get(kind).and_then(|&at| kinds.get_mut(at)) else { return };
        if is_known(&kind.name, kind.width) {
            return;
        }
        kind.is_set |= is_set;
        for name in names.iter().filter(|name| is_name(name)) {
            kind.is_set = true;
            if kind.known.insert((*name).to_owned()) {
                kind.names.push((*name).to_owned());
            }
        }
    };
    for (field, _) in family.defs.iter().flat_map(|def| &def.fields) {
        add(&field.kind, &[value(&field.value)], field.name.contains('.'));
    }
    for def in family.defs {
        let kin = family.kin(def);
        for (name, values) in lists(def) {
            kin.fields(name).for_each(|field| add(&field.kind, &values, true));
        }
        for name in modifiers(&def.template) {
            match kin.fields(name).next() {
                Some(_) => kin.fields(name).for_each(|field| add(&field.kind, &[], true)),
                None => {
                    let lower = name.to_ascii_lowercase();
                    kin.fields(&lower).for_each(|field| add(&field.kind, &[name], true));
                }
            }
        }
        for (name, value) in compared(def) {
            kin.fields(name).for_each(|field| add(&field.kind, &[value], true));
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
fn formats(family: &Family<'_, '_>) -> Vec<CallItem> {
    let mut items = Vec::new();
    let used = |name: &str| {
        family.defs.iter().flat_map(|def| &def.operands).any(|line| {
            matches!(line, SectionLine::Code(text, _) if text.starts_with("AsmFormat")
                && text.contains(&format!("{name}(")))
        })
    };
    for name in FORMATS.into_iter().filter(|name| used(name)) {
        let doc = "How an operand is written that other fields have a part in.";
        let text = code!("format {} = isa_defs::base::{}; {}", name, name, NOTE);
        items.push(CallItem::line(doc, text));
    }
    items
}

fn operand(kind: &UsedType<'_>) -> CallItem {
    let UsedType { name, width, .. } = kind;
    let known = KNOWN.into_iter().find(|known| (known.0, known.1) == (&**name, *width));
    let (path, more, doc) = match known {
        Some((known, _, more, doc)) => (path_of(known), more, doc),
        None => (code!("isa_core::operand::Unsigned<{}>", *width), "", "A number."),
    };
    let text = code!("operand {}: {} = {}{}; {}", name, *width, path, more, NOTE);
    CallItem::line(doc, text)
}

/// Returns a value set whose values are numbered in the order in which the source uses their names.
fn set(kind: &UsedType<'_>) -> Result<CallItem, String> {
    let mut names = kind.names.clone();
    let other = match names.as_slice() {
        [one] if kind.width == 1 => Some(match (one.as_str(), one.strip_prefix("No")) {
            ("False", _) => "True".to_owned(),
            ("True", _) => "False".to_owned(),
            (_, Some(on)) if is_name(on) => on.to_owned(),
            (on, _) => format!("No{on}"),
        }),
        _ => None,
    };
    let said = names.len();
    names.extend(other);
    let value = |(raw, name): (u64, String)| {
        let note = if (raw as usize) < said { "" } else { NOTE };
        Ok(ImportedValue { doc: Vec::new(), name: Code::value_name(&name)?, raw, note })
    };
    Ok(CallItem::Values {
        doc: vec![format!("The values of `{}` that the source names.", &*kind.name)],
        name: kind.name.clone(),
        width: kind.width,
        note: "/* the numbers are not in the source */",
        values: (0..).zip(names).map(value).collect::<Result<_, String>>()?,
    })
}
