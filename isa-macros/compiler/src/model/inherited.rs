//! Fields that a child mentions only by name, as in `op == ADD;`, because a parent declares them.

use std::collections::BTreeSet;

use super::lower::at_node;
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{FieldDecl, InitDecl, NodeDecl};

/// Copies the inherited position and type to the fields that do not declare them.
pub(crate) fn complete_fields(
    nodes: &mut [NodeDecl],
    lineage: &[Vec<usize>],
    diag: &mut Diagnostics,
) {
    for node in nodes.iter_mut() {
        node.incomplete |= declares_twice(node);
    }
    for (node, line) in lineage.iter().enumerate() {
        let incomplete = line.iter().any(|&ancestor| nodes[ancestor].incomplete);
        at_node(&nodes[node], diag);
        let mut fields = std::mem::take(&mut nodes[node].fields);
        let mut unknown = false;
        // If the node itself declares the field, the field is declared twice, which is reported
        // elsewhere.
        let own: Vec<FieldDecl> = fields.iter().filter(|field| !field.inherits).cloned().collect();
        for field in fields.iter_mut().filter(|field| field.inherits) {
            let same = |other: &&FieldDecl| other.name.dotted() == field.name.dotted();
            match declared(nodes, line).chain(&own).find(same) {
                Some(declared) => {
                    (field.pieces, field.ty) = (declared.pieces.clone(), declared.ty.clone());
                    field.bitless = declared.bitless;
                    // A child may have another default, or fix the field.
                    let has_default = matches!(field.init, InitDecl::Default(_));
                    field.ignored |= declared.ignored && has_default;
                }
                None => {
                    diag.with_error_scope(incomplete, |diag| report(field, nodes, line, diag));
                    // It is unknown which field was intended.
                    unknown = true;
                }
            }
        }
        nodes[node].fields = fields;
        nodes[node].incomplete |= unknown;
    }
    diag.leave_item();
}

/// Returns whether a node declares two fields with the same name. One of the names is then probably
/// misspelled.
fn declares_twice(node: &NodeDecl) -> bool {
    let own = || node.fields.iter().filter(|field| !field.inherits);
    let names: BTreeSet<String> = own().map(|field| field.name.dotted()).collect();
    names.len() < own().count()
}

/// Returns the fields that ancestors declare with a position and a type.
fn declared<'n>(nodes: &'n [NodeDecl], line: &'n [usize]) -> impl Iterator<Item = &'n FieldDecl> {
    line.iter().flat_map(|&ancestor| &nodes[ancestor].fields).filter(|field| !field.inherits)
}

fn report(field: &FieldDecl, nodes: &[NodeDecl], line: &[usize], diag: &mut Diagnostics) {
    let name = field.name.dotted();
    let known: Vec<String> = declared(nodes, line).map(|field| field.name.dotted()).collect();
    let hint = did_you_mean(&name, known.iter().map(String::as_str));
    let message = format!(
        "no field `{name}` is inherited here{hint}\nhelp: `field<position, width> Type {name};` \
         declares one"
    );
    diag.error(Code::UnknownField, field.name.span(), message);
}
