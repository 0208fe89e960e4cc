//! Checks that properties have accessors and that included sets have the properties of this call.

use std::rc::Rc;

use crate::diag::{Code, Diagnostics};
use crate::model::Model;
use crate::model::names::SET_METHODS;

/// Reports a property that has the name of a method of the set's enum.
pub(crate) fn check_property_names(model: &Model, diag: &mut Diagnostics) {
    let own = model.properties.iter().map(|property| &property.decl);
    for decl in own.filter(|decl| decl.origin.is_this_call()) {
        let name = decl.name.to_string();
        if SET_METHODS.contains(&name.as_str()) {
            let message = format!(
                "a property cannot be called `{name}`, because every instruction has a method \
                 `{name}`; rename the property"
            );
            diag.error(Code::DuplicateName, decl.name.span(), message);
        }
    }
}

/// Reports an included set whose opcodes lack a property that this call declares or imports.
pub(crate) fn check_included_properties(model: &Model, diag: &mut Diagnostics) {
    for opcodes in model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set)) {
        let first = &opcodes[0];
        for decl in model.properties.iter().map(|property| &property.decl) {
            let mut known = first.set.properties.iter();
            let found = known.find(|other| decl.name == other.name);
            let (name, ty) = (&decl.name, &decl.ty);
            let fault = match found {
                None => format!("the included opcode `{}` has no property `{name}`", first.name),
                Some(other) if *ty != other.text => format!(
                    "the property `{name}` of the included opcode `{}` has another type: expected \
                     `{ty}`, found `{}`",
                    first.name, other.text
                ),
                Some(_) => continue,
            };
            let message = format!(
                "{fault}\nhelp: declare `property {name}: {ty};` in one set, and `use` that set in \
                 every call"
            );
            diag.error(Code::Property, first.place, message);
        }
    }
}
