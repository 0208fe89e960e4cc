//! Kinds of fields, which the source names and does not declare.

use std::collections::BTreeMap;

use super::cut::Def;
use super::{Family, NOTE};
use crate::spec::{Item, KNOWN, Line, Value};
use crate::{Fault, is_name};

/// Marks at operands, with the sub-fields that they are written for.
const MARKS: [(&str, &str); 4] =
    [("\"-\"", "neg"), ("\"!\"", "not"), ("\"|\" \"|\"", "abs"), ("\"~\"", "inv")];

/// Formats of `isa-core`.
const FORMATS: [&str; 1] = ["CvtFImm"];

/// A kind, and the names of values that the source has for it.
struct Kind {
    name: String,
    width: u32,
    names: Vec<String>,
    /// Whether it cannot be an operand kind.
    is_set: bool,
}

/// Items for all that definitions speak of.
pub(super) fn items(family: &Family<'_, '_>, faults: &mut Vec<Fault>) -> Vec<Item> {
    let mut kinds = kinds(family, faults);
    collect(family, &mut kinds);
    let (sets, operands): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|kind| kind.is_set);
    let mut items: Vec<Item> = operands.iter().map(operand).collect();
    items.extend(formats(family));
    let fields = || family.defs.iter().flat_map(|def| &def.fields).map(|(field, _)| &field.name);
    let part = |part: &str| fields().any(|name| name.split_once('.').is_some_and(|n| n.1 == part));
    items.extend(MARKS.iter().filter(|(_, name)| part(name)).map(|(texts, name)| Item::Line {
        doc: Vec::new(),
        text: format!("affix {texts} = {name}; {NOTE}"),
    }));
    for kind in &sets {
        let most = 1_u64.checked_shl(kind.width).unwrap_or(u64::MAX);
        if kind.names.len() as u64 > most {
            let named =
                |def: &&Def<'_>| def.fields.iter().any(|(field, _)| field.kind == kind.name);
            let place = family
                .defs
                .iter()
                .find(named)
                .and_then(|def| def.fields.iter().find(|(field, _)| field.kind == kind.name));
            faults.extend(place.map(|(_, place)| {
                place.fault(format!(
                    "`{}` has {} values, for which {} bits are too few: {}",
                    kind.name,
                    kind.names.len(),
                    kind.width,
                    kind.names.join(", ")
                ))
            }));
        }
        items.push(set(kind));
    }
    items
}

/// The kinds of all fields in their order.
fn kinds(family: &Family<'_, '_>, faults: &mut Vec<Fault>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (field, place) in family.defs.iter().flat_map(|def| &def.fields) {
        let width = field.pieces.iter().map(|(_, width)| width).sum();
        match kinds.iter().find(|kind| kind.name == field.kind) {
            Some(kind) if kind.width != width => faults.push(place.fault(format!(
                "`{}` has {width} bits here and {} above: give one of the two another name",
                kind.name, kind.width
            ))),
            Some(_) => {}
            None => kinds.push(Kind {
                name: field.kind.clone(),
                width,
                names: Vec::new(),
                is_set: false,
            }),
        }
    }
    kinds
}

fn is_known(kind: &str, width: u32) -> bool {
    KNOWN.iter().any(|&(name, bits, ..)| (name, bits) == (kind, width))
}

/// Adds the names that fields, lists, modifiers and conditions have for the values of kinds.
fn collect(family: &Family<'_, '_>, kinds: &mut [Kind]) {
    let places: BTreeMap<String, usize> =
        kinds.iter().enumerate().map(|(at, kind)| (kind.name.clone(), at)).collect();
    let mut add = |kind: &str, names: &[&str], is_set: bool| {
        let Some(kind) = places.get(kind).and_then(|&at| kinds.get_mut(at)) else { return };
        if is_known(&kind.name, kind.width) {
            return;
        }
        kind.is_set |= is_set;
        for name in names.iter().filter(|name| is_name(name)) {
            kind.is_set = true;
            if !kind.names.iter().any(|known| known == name) {
                kind.names.push((*name).to_owned());
            }
        }
    };
    for (field, _) in family.defs.iter().flat_map(|def| &def.fields) {
        let value = field.value.trim_start_matches([' ', '=', '!']).trim_matches('"');
        add(&field.kind, &[value], field.name.contains('.'));
    }
    for def in family.defs {
        for (name, values) in lists(def) {
            family.fields(def, name).for_each(|field| add(&field.kind, &values, true));
        }
        for name in modifiers(&def.template) {
            match family.fields(def, name).next() {
                Some(_) => family.fields(def, name).for_each(|field| add(&field.kind, &[], true)),
                None => {
                    let lower = name.to_ascii_lowercase();
                    family.fields(def, &lower).for_each(|field| add(&field.kind, &[name], true));
                }
            }
        }
        for (name, value) in compared(def) {
            family.fields(def, name).for_each(|field| add(&field.kind, &[value], true));
        }
    }
}

/// The lists under a template, `.hsel2 = {.H1_H0*, .H0_H0}`.
fn lists<'d>(def: &'d Def<'_>) -> Vec<(&'d str, Vec<&'d str>)> {
    let texts = def.syntax.iter().filter_map(|line| match line {
        Line::Text(text) => text.trim().strip_prefix('.'),
        _ => None,
    });
    let lists = texts.filter_map(|text| {
        let (name, values) = text.split_once('=')?;
        let values = values.trim().trim_matches(['{', '}', ';']).split(',');
        let values = values.map(|value| value.trim().trim_matches(['.', '*'])).collect();
        Some((name.trim(), values))
    });
    lists.collect()
}

/// The words behind dots in a template.
fn modifiers(template: &str) -> Vec<&str> {
    let word = |rest: &&str| !rest.is_empty();
    let words = template.split('.').skip(1).map(|rest| {
        rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default()
    });
    words.filter(word).collect()
}

/// Fields and values that conditions compare.
fn compared<'d>(def: &'d Def<'_>) -> Vec<(&'d str, &'d str)> {
    let mut all = Vec::new();
    for line in def.exception.iter().chain(&def.encoding) {
        let Line::Text(text) = line else { continue };
        if text.starts_with("//") {
            continue;
        }
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        for (at, sign) in text.match_indices("==").chain(text.match_indices("!=")) {
            let left = text[..at].trim_end();
            let field = &left[left.rfind(|c| !name(c)).map_or(0, |end| end + 1)..];
            let right = text[at + sign.len()..].trim_start().trim_start_matches('"');
            let value = &right[..right.find(|c| !name(c)).unwrap_or(right.len())];
            all.push((field, value));
        }
    }
    all
}

/// A part of a template for which the source has no field.
pub(super) struct Gone {
    pub(super) name: String,
    /// As the template has it.
    pub(super) part: String,
    /// The modifiers that it would be in a text.
    pub(super) texts: Vec<String>,
}

/// The modifiers and settings in the template of a definition for which its kin has no field.
pub(super) fn without_field(family: &Family<'_, '_>, def: &Def<'_>) -> Vec<Gone> {
    let lists = lists(def);
    let known = |name: &str| family.fields(def, name).next().is_some();
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
        gone.push(Gone { name: name.to_owned(), part, texts });
    }
    let settings = def.template.split_whitespace().filter_map(|word| word.strip_prefix('$'));
    for name in settings.map(|name| name.trim_end_matches(';')).filter(|name| !known(name)) {
        let part = format!(" ${name}");
        gone.push(Gone { name: name.to_owned(), part, texts: Vec::new() });
    }
    gone
}

/// The formats of operands.
fn formats(family: &Family<'_, '_>) -> Vec<Item> {
    let mut items = Vec::new();
    let used = |name: &str| {
        family.defs.iter().flat_map(|def| &def.operands).any(|line| {
            matches!(line, Line::Text(text) if text.starts_with("AsmFormat")
                && text.contains(&format!("{name}(")))
        })
    };
    for name in FORMATS.iter().filter(|name| used(name)) {
        let doc = "How an operand is written that other fields have a part in.";
        let text = format!("format {name} = isa_core::operand::{name}; {NOTE}");
        items.push(Item::line(doc, text));
    }
    items
}

fn operand(kind: &Kind) -> Item {
    let Kind { name, width, .. } = kind;
    let (path, more, doc) = match KNOWN.iter().find(|known| (known.0, known.1) == (name, *width)) {
        Some((known, _, more, doc)) => ((*known).to_owned(), *more, *doc),
        None => (format!("Unsigned<{width}>"), "", "A number."),
    };
    Item::line(doc, format!("operand {name}: {width} = isa_core::operand::{path}{more}; {NOTE}"))
}

/// A set with numbers in the order in which the source has the names.
fn set(kind: &Kind) -> Item {
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
        Value { doc: Vec::new(), name, raw, note: note.to_owned() }
    };
    Item::Values {
        doc: vec![format!("The values of `{}` that the source names.", kind.name)],
        name: kind.name.clone(),
        width: kind.width,
        note: "/* the numbers are not in the source */".to_owned(),
        values: (0..).zip(names).map(value).collect(),
    }
}
