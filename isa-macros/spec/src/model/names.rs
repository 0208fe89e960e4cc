//! Names of generated items: what two parts of a specification would both be called.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};

use super::{Kind, Model, Opcode, describe};
use crate::diag::{Code, Diagnostics};

/// What every encoding struct has, so that no field can be called so.
const METHODS: &[&str] = &["new", "decode", "encode", "operands", "execute"];

/// Reports names that are taken. Of two opcodes with one type name the later is left out; of two
/// fields with one method the later gets none.
pub(crate) fn resolve_clashes(model: &mut Model, diag: &mut Diagnostics) {
    let mut taken = type_names(model);
    model.included.retain(|included| {
        let ty = included.type_name.to_string();
        let what = format!("the included opcode `{}`", included.name);
        let Some((first, owner)) = taken.get(&ty) else {
            taken.insert(ty, (included.name.span(), what));
            return true;
        };
        let message = format!(
            "the type of {what} is called `{ty}`, as {owner} is\nhelp: include \
             each set once, and give opcodes of different sets different names"
        );
        let note = format!("{owner} takes the name `{ty}`");
        diag.error_with(Code::DuplicateName, included.name.span(), message, *first, note);
        false
    });
    let Model { opcodes, nodes, .. } = model;
    // Where each opcode stands then.
    let (mut places, mut count) = (Vec::new(), 0);
    opcodes.retain(|opcode| {
        let ty = opcode.type_name.to_string();
        let what = describe(&nodes[opcode.node]);
        let Some((first, owner)) = taken.get(&ty) else {
            taken.insert(ty, (opcode.name.span(), what));
            places.push(Some(count));
            count += 1;
            return true;
        };
        places.push(None);
        let message = format!(
            "the type of {what} would be called `{ty}`, as {owner} is; give one of the two \
             another name"
        );
        let note = format!("{owner} takes the name `{ty}`");
        diag.error_with(Code::DuplicateName, opcode.name.span(), message, *first, note);
        false
    });
    move_opcodes(model, &places);
    for index in 0..model.opcodes.len() {
        for field in method_clashes(model, &model.opcodes[index], diag) {
            model.fields[field].nameless = true;
        }
    }
}

/// Follows opcodes to other places; what belongs to one that has none is left out.
fn move_opcodes(model: &mut Model, places: &[Option<usize>]) {
    model.aliases.retain_mut(|alias| match places[alias.of] {
        Some(place) => {
            alias.of = place;
            true
        }
        None => false,
    });
    let opcodes = model.opcodes.iter_mut().chain(model.aliases.iter_mut().map(|a| &mut a.row));
    for opcode in opcodes {
        opcode.inside.retain_mut(|general| match places[general.opcode] {
            Some(place) => {
                general.opcode = place;
                true
            }
            None => false,
        });
    }
    for exception in &mut model.exceptions {
        exception.special = exception.special.and_then(|opcode| places[opcode]);
    }
}

/// The types that do not come from opcodes of this call.
fn type_names(model: &Model) -> BTreeMap<String, (Span, String)> {
    let own = |kind: &&Kind| kind.origin.is_none();
    let entry =
        |name: &Ident, what: &str| (name.to_string(), (name.span(), format!("{what} `{name}`")));
    let mut taken: BTreeMap<_, _> =
        model.kinds.iter().filter(own).map(|kind| entry(&kind.name, "the type")).collect();
    taken.extend([entry(&model.header.name, "the set")]);
    taken
}

/// The fields of an opcode whose methods another field or every instruction has.
fn method_clashes(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) -> Vec<usize> {
    let mut clashes = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let variable = opcode.fields.iter().copied().filter(|&id| !model.fields[id].is_fixed());
    for id in variable {
        let field = &model.fields[id];
        let method = field.text.replace('.', "_");
        if METHODS.contains(&method.as_str()) {
            let message = format!(
                "a field cannot be called `{}`: every instruction has a method `{method}`; give \
                 the field another name",
                field.text
            );
            diag.error(Code::DuplicateName, field.name.span(), message);
            clashes.push(id);
            continue;
        }
        let getter = format!("get_{method}");
        let other = seen.get(&method).or_else(|| seen.get(&getter)).copied();
        if let Some(other) = other {
            let other = &model.fields[other];
            let message = format!(
                "`{}` and `{}` would both have the method `{method}`; give one of the two \
                 another name",
                other.text, field.text
            );
            let note = format!("`{}` takes the method `{method}`", other.text);
            let (span, first) = (field.name.span(), other.name.span());
            diag.error_with(Code::DuplicateName, span, message, first, note);
            clashes.push(id);
            continue;
        }
        seen.extend([(method, id), (getter, id)]);
    }
    clashes
}
