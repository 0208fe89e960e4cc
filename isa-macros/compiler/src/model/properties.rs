//! Properties of opcodes: their types, and the value that each opcode sets or inherits.

use proc_macro2::Ident;

use super::{FieldType, Model, at_node, describe};
use crate::diag::{Code, Diagnostics, did_you_mean, quoted};
use crate::syntax::ast::{NumberLiteral, PropertyDecl, PropertyLine, ValueRef};

/// A property that every opcode of the call has.
#[derive(Debug)]
pub(crate) struct ResolvedProperty {
    pub(crate) decl: PropertyDecl,
    pub(crate) ty: PropertyType,
}

/// The type of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PropertyType {
    Bool,
    /// A number of so many bits without a sign.
    Unsigned(u8),
    /// A number of so many bits with a sign.
    Signed(u8),
    /// A value set, as an index into [`Model::field_types`].
    Set(usize),
}

impl PropertyType {
    /// The types that are not value sets.
    const NUMBERS: [(&str, PropertyType); 7] = [
        ("bool", PropertyType::Bool),
        ("u8", PropertyType::Unsigned(8)),
        ("u16", PropertyType::Unsigned(16)),
        ("u32", PropertyType::Unsigned(32)),
        ("i8", PropertyType::Signed(8)),
        ("i16", PropertyType::Signed(16)),
        ("i32", PropertyType::Signed(32)),
    ];

    /// Returns the least and the greatest number of the type.
    fn range(self) -> Option<(i64, i64)> {
        match self {
            PropertyType::Unsigned(bits) => Some((0, (1 << bits) - 1)),
            PropertyType::Signed(bits) => Some((-1 << (bits - 1), (1 << (bits - 1)) - 1)),
            PropertyType::Bool | PropertyType::Set(_) => None,
        }
    }
}

/// Resolves the types of properties. A property with an unknown type is reported and left out.
pub(super) fn lower_property_types(
    decls: Vec<PropertyDecl>,
    field_types: &[FieldType],
    diag: &mut Diagnostics,
) -> Vec<ResolvedProperty> {
    let lowered = decls.into_iter().filter_map(|decl| {
        let name = decl.ty.to_string();
        let number = PropertyType::NUMBERS.iter().find(|(known, _)| name == *known);
        let ty = number.map(|(_, ty)| *ty).or_else(|| {
            let set = field_types.iter().position(|ty| ty.name == name)?;
            field_types[set].is_set().then_some(PropertyType::Set(set))
        });
        if ty.is_none() {
            report_type(&decl, field_types, diag);
        }
        Some(ResolvedProperty { ty: ty?, decl })
    });
    lowered.collect()
}

fn report_type(decl: &PropertyDecl, field_types: &[FieldType], diag: &mut Diagnostics) {
    let numbers = PropertyType::NUMBERS.iter().map(|(name, _)| *name);
    let sets: Vec<String> = field_types
        .iter()
        .filter(|ty| ty.is_set() && ty.is_known())
        .map(|ty| ty.name.to_string())
        .collect();
    let known = numbers.clone().chain(sets.iter().map(String::as_str));
    let message = format!(
        "expected the type of property `{}`, found `{}`{}\nhelp: the type is {}, or an `enum` of \
         the specification",
        decl.name,
        decl.ty,
        did_you_mean(&decl.ty.to_string(), known),
        quoted(numbers, ", "),
    );
    diag.error(Code::UnknownType, decl.ty.span(), message);
}

/// Finds the values of the properties of each opcode and alias: those of the nearest node that sets
/// them.
pub(super) fn lower_properties(model: &mut Model, diag: &mut Diagnostics) {
    let mut broken = Vec::new();
    let values: Vec<Vec<Option<i64>>> = (0..model.nodes.len())
        .map(|node| {
            at_node(&model.nodes[node], diag);
            let (values, sound) =
                diag.with_error_scope(false, |diag| values_of_node(model, node, diag));
            if !sound {
                broken.push(node);
            }
            values
        })
        .collect();
    for node in broken {
        model.nodes[node].incomplete = true;
    }
    let mut opcodes = std::mem::take(&mut model.opcodes);
    for opcode in &mut opcodes {
        at_node(&model.nodes[opcode.node], diag);
        let nearest = |property: usize| {
            model.lineage[opcode.node].iter().rev().find_map(|&node| values[node][property])
        };
        let own = model.properties.iter().enumerate().map(|(index, property)| {
            nearest(index).unwrap_or_else(|| {
                if !model.is_incomplete(opcode.node) {
                    report_missing(&opcode.name, property, diag);
                }
                0
            })
        });
        opcode.properties = own.collect();
    }
    diag.leave_item();
    model.opcodes = opcodes;
    for alias in &mut model.aliases {
        alias.row.properties.clone_from(&model.opcodes[alias.of].properties);
    }
}

fn report_missing(
    opcode: &Ident,
    ResolvedProperty { decl, .. }: &ResolvedProperty,
    diag: &mut Diagnostics,
) {
    let name = &decl.name;
    let message = format!("no value for property `{name}` in ");
    let help = format!(
        "\nhelp: set it in the opcode or in a group that the opcode inherits from: `properties \
         {{ {name} = ...; }}`"
    );
    diag.error_of_all(opcode, Code::Property, opcode.span(), [message, help]);
}

/// Returns the value that the node itself sets for each property.
fn values_of_node(model: &Model, node: usize, diag: &mut Diagnostics) -> Vec<Option<i64>> {
    let decl = &model.nodes[node];
    let mut values = vec![None; model.properties.len()];
    let mut lines: Vec<Option<&PropertyLine>> = vec![None; values.len()];
    for line in &decl.properties {
        let found = model.properties.iter().position(|property| property.decl.name == line.name);
        let Some(index) = found else {
            report_unknown(model, &line.name, diag);
            continue;
        };
        if let Some(first) = lines[index].replace(line) {
            let (what, place) = (line.name.to_string(), describe(decl));
            diag.repeated(&what, &place, line.name.span(), first.name.span());
            continue;
        }
        values[index] = value_of(model, &model.properties[index], line, diag);
    }
    values
}

fn report_unknown(model: &Model, name: &Ident, diag: &mut Diagnostics) {
    let names: Vec<String> = model.properties.iter().map(|p| p.decl.name.to_string()).collect();
    let hint = did_you_mean(&name.to_string(), names.iter().map(String::as_str));
    let message = format!(
        "unknown property `{name}`{hint}\nhelp: declare it with `property {name}: u8;`, or `use` \
         a set that declares it"
    );
    diag.error(Code::Property, name.span(), message);
}

/// Returns the value as a number, or `None` if an error is reported. A value of a value set is
/// represented by its bits.
fn value_of(
    model: &Model,
    property: &ResolvedProperty,
    PropertyLine { name, value, minus }: &PropertyLine,
    diag: &mut Diagnostics,
) -> Option<i64> {
    let span = value.span();
    let found = format!("{}{}", if minus.is_some() { "-" } else { "" }, value.text());
    let wrong = |expected: String| {
        let message =
            format!("wrong value of property `{name}`: expected {expected}, found `{found}`");
        (Code::Property, message)
    };
    let fault = match (property.ty, value) {
        (PropertyType::Bool, ValueRef::Name(text, _)) if text == "true" || text == "false" => {
            return Some(i64::from(text == "true"));
        }
        (PropertyType::Bool, _) => wrong("`true` or `false`".to_owned()),
        (PropertyType::Set(set), value) => {
            let set = &model.field_types[set];
            let named = match value {
                ValueRef::Name(text, _) => set.value_named(text),
                ValueRef::Number(_) => None,
            };
            if let Some(value) = named {
                return Some(value.raw as i64);
            }
            let names = || set.values().iter().map(|value| value.name.to_string());
            let all: Vec<String> = names().collect();
            let hint = did_you_mean(&found, all.iter().map(String::as_str));
            let (_, message) = wrong(format!("a value of `{}`", set.name));
            (Code::UnknownValue, message + &hint)
        }
        (ty, ValueRef::Number(NumberLiteral { value, .. })) => {
            let (least, greatest) = ty.range().unwrap_or_default();
            let number = i64::try_from(*value).unwrap_or(i64::MAX);
            let number = if minus.is_some() { -number } else { number };
            if (least..=greatest).contains(&number) {
                return Some(number);
            }
            wrong(format!("a number from {least} to {greatest}"))
        }
        (ty, ValueRef::Name(..)) => {
            let (least, greatest) = ty.range().unwrap_or_default();
            wrong(format!("a number from {least} to {greatest}"))
        }
    };
    diag.error(fault.0, span, fault.1);
    None
}
