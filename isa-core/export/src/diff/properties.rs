//! Compares the remaining properties of two descriptions, so that every difference is reported as a
//! change.

use isa_core::table::{Cube, Piece};

use crate::description::{
    AliasDescription, Description, FieldDescription, FieldType, FlowRule, GroupDescription,
    InvalidCombination, LaneAccess, NamedValue, OpcodeDescription, OperandAccess, OperandText,
};

use super::opcodes::OpcodeComparison;
use super::{Change, ChangeKind};

/// A row together with the items to which it refers, so that rows of two sets can be compared.
#[derive(PartialEq)]
pub(super) struct ResolvedOpcode<'d> {
    row: OpcodeDescription,
    kinds: Vec<TypeContent<'d>>,
    texts: Vec<&'d OperandText>,
}

/// The contents of a value set or an operand type without its documentation.
#[derive(PartialEq)]
struct TypeContent<'d> {
    name: &'d str,
    values: Vec<(&'d str, u64, &'d [String])>,
    reserved: &'d [Cube],
    text: Option<&'d OperandText>,
    target: bool,
}

fn content<'d>(set: &'d Description, kind: usize) -> TypeContent<'d> {
    let FieldType { name, values, reserved, text, target, .. } = &set.kinds[kind];
    let values = values.iter().map(|value| (&*value.name, value.raw, &*value.also)).collect();
    let text = text.map(|text| &set.texts[text]);
    TypeContent { name, values, reserved, text, target: *target }
}

/// Returns a row together with the items to which it refers.
pub(super) fn resolved<'d>(set: &'d Description, row: &OpcodeDescription) -> ResolvedOpcode<'d> {
    let (mut kinds, mut texts) = (Vec::new(), Vec::new());
    let mut row = row.clone();
    resolve(set, &mut row, &mut kinds, &mut texts);
    ResolvedOpcode { row, kinds, texts }
}

fn resolve<'d>(
    set: &'d Description,
    row: &mut OpcodeDescription,
    kinds: &mut Vec<TypeContent<'d>>,
    texts: &mut Vec<&'d OperandText>,
) {
    for field in &mut row.fields {
        kinds.push(content(set, std::mem::take(&mut field.kind)));
    }
    for format in &mut row.formats {
        texts.push(&set.texts[std::mem::take(&mut format.text)]);
    }
    for alias in &mut row.aliases {
        resolve(set, &mut alias.row, kinds, texts);
    }
}

/// Returns the changes of fields, each with the name of its field. The name is empty if the change does
/// not affect any word.
pub(super) fn fields(
    old: (&Description, &OpcodeDescription),
    new: (&Description, &OpcodeDescription),
    compared: &OpcodeComparison,
) -> Vec<(Change, String)> {
    let mut changes = Vec::new();
    let mut change = |name: &str, what: ChangeKind, message: String| {
        changes.push((Change::new(what, &new.1.name, message), name.to_owned()));
    };
    let old_name = |name: &str| {
        let found = compared.renamed.iter().find(|(_, to)| to == name);
        found.map_or(name.to_owned(), |(from, _)| from.clone())
    };
    for field in &new.1.fields {
        let name = &field.name;
        let Some(other) = old.1.fields.iter().find(|other| other.name == old_name(name)) else {
            change(name, ChangeKind::Field, format!("new field `{name}`: {}", bits(&field.pieces)));
            continue;
        };
        if other.name != *name {
            // The name is empty, because renaming a field does not change any word.
            change(
                "",
                ChangeKind::Renamed,
                format!("the field `{}` was renamed to `{name}`", other.name),
            );
        }
        let said = differences((old.0, other), (new.0, field));
        if !said.is_empty() {
            change(name, ChangeKind::Field, format!("the field `{name}` {}", said.join("; ")));
        }
        if other.doc != field.doc {
            change("", ChangeKind::Doc, format!("the documentation of the field `{name}` changed"));
        }
        if other.declared_in != field.declared_in {
            let message = format!("the field `{name}` is now declared in `{}`", field.declared_in);
            change("", ChangeKind::Set, message);
        }
    }
    for field in &old.1.fields {
        let mut kept = new.1.fields.iter();
        if !kept.any(|other| old_name(&other.name) == field.name) {
            let message = format!("removed field `{}`: {}", field.name, bits(&field.pieces));
            change(&field.name, ChangeKind::Field, message);
        }
    }
    changes
}

/// Returns the differences between two versions of a field.
fn differences(
    old: (&Description, &FieldDescription),
    new: (&Description, &FieldDescription),
) -> Vec<String> {
    let mut said = Vec::new();
    let (from, to) = (old.1, new.1);
    if from.pieces != to.pieces {
        said.push(format!("now has {} instead of {}", bits(&to.pieces), bits(&from.pieces)));
    }
    let [was, is] = [(old.0, from), (new.0, to)].map(|(set, field)| content(set, field.kind));
    if was != is {
        said.push(match was.name == is.name {
            true => format!("has the type `{}`, which changed", is.name),
            false => format!("has the type `{}` instead of `{}`", is.name, was.name),
        });
    }
    let value = |set: &Description, field: &FieldDescription, raw: Option<u64>| {
        raw.map_or("nothing".to_owned(), |raw| set.kinds[field.kind].name_of(raw))
    };
    for (word, a, b) in [("fixed", from.fixed, to.fixed), ("left out", from.default, to.default)] {
        if a != b {
            let (a, b) = (value(old.0, from, a), value(new.0, to, b));
            let verb = if word == "fixed" { "is fixed to" } else { "defaults to" };
            said.push(format!("{verb} {b} instead of {a}"));
        }
    }
    if from.ignored != to.ignored {
        said.push(if to.ignored { "is ignored" } else { "is no longer ignored" }.to_owned());
    }
    said
}

fn bits(pieces: &[Piece]) -> String {
    let one = |piece: &Piece| match piece.width {
        1 => format!("{}", piece.position),
        width => format!("{}..={}", piece.position, piece.position + width - 1),
    };
    match pieces {
        [] => "no bits".to_owned(),
        [Piece { width: 1, position }] => format!("bit {position}"),
        pieces => format!("bits {}", pieces.iter().map(one).collect::<Vec<_>>().join(" and ")),
    }
}

/// Describes the rows that the parser tries first.
fn parse_order(rows: &[String]) -> String {
    match rows {
        [] => "in no particular order".to_owned(),
        rows => format!("after `{}`", rows.join("`, `")),
    }
}

/// Adds the other differences between two versions of an opcode.
pub(super) fn row(
    old: (&Description, &OpcodeDescription),
    new: (&Description, &OpcodeDescription),
    changes: &mut Vec<Change>,
) {
    let (from, to) = (old.1, new.1);
    let mut change = |what, message: String| changes.push(Change::new(what, &to.name, message));
    if from.syntax != to.syntax {
        change(ChangeKind::Syntax, format!("`{}` changed to `{}`", from.syntax, to.syntax));
    } else if shown(old) != shown(new) {
        change(ChangeKind::Syntax, "the formats of operands changed".to_owned());
    }
    if from.after != to.after {
        change(ChangeKind::Syntax, format!("now parsed {}", parse_order(&to.after)));
    }
    if from.operands != to.operands {
        let [from, to] = [from, to].map(|row| operands(&row.operands));
        change(ChangeKind::Operand, format!("{to}; was {from}"));
    }
    rules(&from.illegal, &to.illegal, &mut change);
    aliases(old, new, &mut change);
    if from.groups != to.groups {
        let message = format!(
            "now in the groups {} instead of {}",
            to.groups.join(", "),
            from.groups.join(", ")
        );
        change(ChangeKind::Set, message);
    }
    if from.flow != to.flow {
        let [from, to] = [from, to].map(|row| flow(&row.flow));
        change(ChangeKind::Semantics, format!("the control flow is `{to}`; was `{from}`"));
    }
    if from.lanes != to.lanes {
        let [from, to] = [from, to].map(|row| lanes(&row.lanes));
        change(ChangeKind::Semantics, format!("{to}; was {from}"));
    }
    let mut names: Vec<&String> = from.properties.keys().chain(to.properties.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let message = match (from.properties.get(name), to.properties.get(name)) {
            (a, b) if a == b => continue,
            (Some(from), Some(to)) => format!("the property `{name}` is {to}; was {from}"),
            (None, Some(to)) => format!("new property `{name}`: {to}"),
            (_, None) => format!("removed property `{name}`"),
        };
        change(ChangeKind::Property, message);
    }
    if from.semantics != to.semantics {
        change(ChangeKind::Semantics, "the semantics changed".to_owned());
    }
    if from.doc != to.doc {
        change(ChangeKind::Doc, "the documentation changed".to_owned());
    }
    if from.examples != to.examples {
        change(ChangeKind::Doc, "the examples changed".to_owned());
    }
    if changes.is_empty() {
        let message = "the description changed, but not the words and texts";
        changes.push(Change::new(ChangeKind::Set, &to.name, message));
    }
}

/// The formats of a row: the index of the field, the name of the format, its text and its arguments.
type Formats<'d> = Vec<(usize, &'d str, &'d OperandText, &'d [usize])>;

/// The composite operands of a row.
type Views<'d> = Vec<(&'d str, &'d [Piece])>;

fn shown<'d>((set, row): (&'d Description, &'d OpcodeDescription)) -> (Formats<'d>, Views<'d>) {
    let formats = row.formats.iter();
    let formats = formats.map(|own| (own.place, &*own.name, &set.texts[own.text], &*own.args));
    let views = row.views.iter().map(|view| (&*view.slot, &*view.pieces));
    (formats.collect(), views.collect())
}

fn operands(operands: &[OperandAccess]) -> String {
    let one = |OperandAccess { field, access, bits, .. }: &OperandAccess| {
        format!("{field} {access} {bits}")
    };
    let all: Vec<String> = operands.iter().map(one).collect();
    if all.is_empty() { "no operands".to_owned() } else { format!("operands {}", all.join(", ")) }
}

/// Returns the lanes of operands in the syntax of a specification.
fn lanes(lanes: &[LaneAccess]) -> String {
    let one = |LaneAccess { field, bits, mask, count }: &LaneAccess| {
        let keyword = if count.is_some() { "Bitwidth" } else { "Lanes" };
        let factor = mask.as_ref().or(count.as_ref()).map(|factor| format!(" * {factor}"));
        format!("`{keyword}<{field}> = {bits}{}`", factor.unwrap_or_default())
    };
    let lines: Vec<String> = lanes.iter().map(one).collect();
    if lines.is_empty() { "no lanes".to_owned() } else { lines.join(", ") }
}

/// Returns the rows of `flow` in the syntax of a specification.
fn flow(rows: &[FlowRule]) -> String {
    let one = |FlowRule { kind, or_next, target, is_indirect, condition, .. }: &FlowRule| {
        let star = if *is_indirect { "*" } else { "" };
        let target = target.iter().map(|target| format!(" {star}{target}"));
        let next = or_next.then(|| " or next".to_owned());
        let condition = Some(condition).filter(|condition| !condition.is_empty());
        let condition = condition.map(|condition| format!(" if {condition}"));
        let behind: String = target.chain(next).chain(condition).collect();
        format!("{kind}{behind};")
    };
    let all: Vec<String> = rows.iter().map(one).collect();
    if all.is_empty() { "next;".to_owned() } else { all.join(" ") }
}

fn rules(
    old: &[InvalidCombination],
    new: &[InvalidCombination],
    change: &mut impl FnMut(ChangeKind, String),
) {
    let same = |a: &InvalidCombination, b: &InvalidCombination| {
        (&a.class, &a.reason, &a.condition) == (&b.class, &b.reason, &b.condition)
    };
    let said = |rule: &InvalidCombination| {
        format!("`{}`, {}: {}", rule.condition, rule.class, rule.reason)
    };
    for rule in new {
        match old.iter().find(|other| same(other, rule)) {
            None => change(ChangeKind::Rule, format!("new exception: {}", said(rule))),
            Some(other) if (&other.words, &other.cases) != (&rule.words, &rule.cases) => {
                change(
                    ChangeKind::Rule,
                    format!("the exception rejects different words: {}", said(rule)),
                );
            }
            Some(other) if other.declared_in != rule.declared_in => {
                let message = format!(
                    "the exception is now declared in `{}`: {}",
                    rule.declared_in,
                    said(rule)
                );
                change(ChangeKind::Rule, message);
            }
            Some(_) => {}
        }
    }
    for rule in old.iter().filter(|rule| !new.iter().any(|other| same(rule, other))) {
        change(ChangeKind::Rule, format!("removed exception: {}", said(rule)));
    }
}

fn aliases(
    old: (&Description, &OpcodeDescription),
    new: (&Description, &OpcodeDescription),
    change: &mut impl FnMut(ChangeKind, String),
) {
    let named = |all: &'_ [AliasDescription], name: &str| {
        all.iter().position(|alias| alias.row.name == name)
    };
    let how = |alias: &AliasDescription| if alias.printed { "printed" } else { "only parsed" };
    let (from, to) = (&old.1.aliases, &new.1.aliases);
    for alias in to {
        let name = &alias.row.name;
        let Some(other) = named(from, name).map(|place| &from[place]) else {
            let message = format!("new alias `{name}`, {}: `{}`", how(alias), alias.row.syntax);
            change(ChangeKind::Alias, message);
            continue;
        };
        if alias.printed != other.printed {
            change(ChangeKind::Alias, format!("the alias `{name}` is now {}", how(alias)));
        }
        if other.row.syntax != alias.row.syntax {
            let (from, to) = (&other.row.syntax, &alias.row.syntax);
            change(ChangeKind::Alias, format!("the alias `{name}`: `{from}` changed to `{to}`"));
        } else if shown((old.0, &other.row)) != shown((new.0, &alias.row)) {
            change(
                ChangeKind::Alias,
                format!("the formats of operands of the alias `{name}` changed"),
            );
        }
        let words = |row: &OpcodeDescription| (row.fixed, row.unused, row.illegal.clone());
        if words(&other.row) != words(&alias.row) || other.unless != alias.unless {
            change(ChangeKind::Alias, format!("the alias `{name}` applies to different words"));
        }
        if other.after != alias.after {
            change(
                ChangeKind::Alias,
                format!("the alias `{name}` is now parsed {}", parse_order(&alias.after)),
            );
        }
        if other.row.doc != alias.row.doc || other.row.examples != alias.row.examples {
            change(ChangeKind::Doc, format!("the documentation of the alias `{name}` changed"));
        }
    }
    for alias in from.iter().filter(|alias| named(to, &alias.row.name).is_none()) {
        change(ChangeKind::Alias, format!("removed alias `{}`", alias.row.name));
    }
    let order = |all: &[AliasDescription], others: &[AliasDescription]| -> Vec<String> {
        let kept = all.iter().filter(|alias| named(others, &alias.row.name).is_some());
        kept.map(|alias| alias.row.name.clone()).collect()
    };
    let kept = order(to, from);
    if kept != order(from, to) {
        change(ChangeKind::Alias, format!("the order of aliases changed: {}", kept.join(", ")));
    }
}

/// Adds the differences between the value sets and operand types of two sets.
pub(super) fn kinds(old: &Description, new: &Description, changes: &mut Vec<Change>) {
    let mut left: Vec<&FieldType> = old.kinds.iter().collect();
    for kind in &new.kinds {
        let Some(place) = left.iter().position(|other| other.name == kind.name) else {
            let message = format!("new type of {} bits", kind.width);
            changes.push(Change::new(ChangeKind::Kind, &kind.name, message));
            continue;
        };
        let other = left.remove(place);
        let mut change =
            |what, message: String| changes.push(Change::new(what, &kind.name, message));
        values(&other.values, &kind.values, &mut change);
        if other.width != kind.width {
            change(
                ChangeKind::Kind,
                format!("now has {} bits instead of {}", kind.width, other.width),
            );
        }
        if other.reserved != kind.reserved {
            change(ChangeKind::Kind, "the reserved values changed".to_owned());
        }
        let text =
            |set: &Description, kind: &FieldType| kind.text.map(|text| set.texts[text].clone());
        if text(old, other) != text(new, kind) {
            change(ChangeKind::Kind, "the text changed".to_owned());
        }
        if other.target != kind.target {
            let message = if kind.target { "is now a target" } else { "is no longer a target" };
            change(ChangeKind::Kind, message.to_owned());
        }
        if other.doc != kind.doc {
            change(ChangeKind::Doc, "the documentation changed".to_owned());
        }
    }
    for kind in left {
        changes.push(Change::new(ChangeKind::Kind, &kind.name, "removed type"));
    }
}

fn values(old: &[NamedValue], new: &[NamedValue], change: &mut impl FnMut(ChangeKind, String)) {
    let named = |all: &[NamedValue], name: &str| all.iter().any(|value| value.name == name);
    for value in new {
        let NamedValue { name, also, raw, doc } = value;
        let Some(other) = old.iter().find(|other| other.name == *name) else {
            let renamed = old.iter().find(|other| other.raw == *raw && !named(new, &other.name));
            match renamed {
                Some(other) => {
                    change(
                        ChangeKind::Renamed,
                        format!("the value `{}` was renamed to `{name}`", other.name),
                    );
                }
                None => change(ChangeKind::Value, format!("new value `{name}` = {raw:#x}")),
            }
            continue;
        };
        if other.raw != *raw {
            change(
                ChangeKind::Value,
                format!("the value `{name}` is {raw:#x} instead of {:#x}", other.raw),
            );
        }
        if other.also != *also {
            change(ChangeKind::Value, format!("the value `{name}` is now also spelled {also:?}"));
        }
        if other.doc != *doc {
            change(ChangeKind::Doc, format!("the documentation of the value `{name}` changed"));
        }
    }
    for value in old.iter().filter(|value| !named(new, &value.name)) {
        let kept = new.iter().any(|other| other.raw == value.raw && !named(old, &other.name));
        if !kept {
            change(ChangeKind::Value, format!("removed value `{}` = {:#x}", value.name, value.raw));
        }
    }
}

/// Adds the differences between two sets as a whole.
pub(super) fn set(old: &Description, new: &Description, changes: &mut Vec<Change>) {
    let mut change =
        |what, place: &str, message: String| changes.push(Change::new(what, place, message));
    if old.name != new.name {
        change(
            ChangeKind::Renamed,
            "",
            format!("the set `{}` was renamed to `{}`", old.name, new.name),
        );
    }
    if old.doc != new.doc {
        change(ChangeKind::Doc, "", "the documentation of the set changed".to_owned());
    }
    if old.widths != new.widths {
        change(
            ChangeKind::Set,
            "",
            format!("words have {:?} bits instead of {:?}", new.widths, old.widths),
        );
    }
    if old.any_case != new.any_case {
        let which = if new.any_case { "case-insensitive" } else { "case-sensitive" };
        change(ChangeKind::Set, "", format!("assembly text is now {which}"));
    }
    if old.byte_order != new.byte_order {
        let message = format!("the byte order is {} instead of {}", new.byte_order, old.byte_order);
        change(ChangeKind::Set, "", message);
    }
    if old.address_bits != new.address_bits {
        let message =
            format!("addresses have {} bits instead of {}", new.address_bits, old.address_bits);
        change(ChangeKind::Set, "", message);
    }
    for group in &new.groups {
        let GroupDescription { name, doc, optype, parents } = group;
        match old.groups.iter().find(|other| other.name == *name) {
            None => change(ChangeKind::Set, name, "new group".to_owned()),
            Some(other) => {
                if (&other.optype, &other.parents) != (optype, parents) {
                    change(
                        ChangeKind::Set,
                        name,
                        format!("the parents of the group are now {parents:?}"),
                    );
                }
                if other.doc != *doc {
                    change(ChangeKind::Doc, name, "the documentation changed".to_owned());
                }
            }
        }
    }
    for group in &old.groups {
        if !new.groups.iter().any(|other| other.name == group.name) {
            change(ChangeKind::Set, &group.name, "removed group".to_owned());
        }
    }
}
