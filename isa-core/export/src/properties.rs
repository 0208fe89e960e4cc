//! The properties of opcodes as numbers, for formats that contain a list for each property.

use isa_core::table::{InstructionSet, PropertyValue};

/// The values of a property.
pub(crate) struct PropertyColumn {
    /// The name of the property.
    pub(crate) name: &'static str,
    /// The name, type and documentation of the property, in one line.
    pub(crate) about: String,
    /// A number for each opcode: 1 for `true`, and the value in the encoding of a named value. It is 0 if
    /// the opcode does not have the property.
    pub(crate) numbers: Vec<i64>,
}

/// Returns the properties of a set.
pub(crate) fn columns(set: &'static InstructionSet) -> Vec<PropertyColumn> {
    let columns = set.properties().into_iter().map(|property| {
        let number = |value: Option<PropertyValue>| match value {
            Some(PropertyValue::Bool(value)) => i64::from(value),
            Some(PropertyValue::Number(value)) => value,
            Some(PropertyValue::Named(value)) => value.raw.cast_signed(),
            None => 0,
        };
        let values = set.opcodes.iter().map(|opcode| opcode.properties.get(property.name));
        let about = format!("{}: {}. {}", property.name, property.ty.name(), property.doc);
        PropertyColumn {
            name: property.name,
            about: super::valid_words::line(&about),
            numbers: values.map(number).collect(),
        }
    });
    columns.collect()
}
