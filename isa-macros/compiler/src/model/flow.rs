//! `flow` sections: the words that each row applies to, and the field of its target.

use proc_macro2::Span;

use super::conditions::Conditions;
use super::cube::Cube;
use super::predicates::{Predicate, PredicateCase};
use super::{Model, Opcode, at_node};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{FieldName, FlowDecl, FlowKind};

/// A row of a node's `flow` section.
#[derive(Debug)]
pub(crate) struct FlowRow {
    pub(crate) node: usize,
    pub(crate) kind: FlowKind,
    pub(crate) or_next: bool,
    target: Option<FieldName>,
    /// Whether the target is in memory, at the address that the operand contains.
    pub(crate) is_indirect: bool,
    /// The condition as text; `None` if the row applies to all remaining words.
    pub(crate) condition: Option<String>,
    /// The words that the row applies to.
    pub(crate) cubes: Vec<Cube>,
    /// The words that the row applies to for some results of functions.
    pub(crate) cases: Vec<PredicateCase>,
    pub(crate) span: Span,
}

/// Lowers the rows of all nodes, except their targets.
pub(super) fn lower_flows(model: &mut Model, diag: &mut Diagnostics) {
    let (mut flows, mut predicates) = (Vec::new(), model.predicates.clone());
    let mut broken = Vec::new();
    for (node, decl) in model.nodes.iter().enumerate() {
        let Some(rows) = decl.flow.as_deref() else { continue };
        at_node(decl, diag);
        let conditions = Conditions::of(model, node);
        for row in rows {
            match lower_row(node, row, &conditions, &mut predicates, diag) {
                Some(row) => flows.push(row),
                None => broken.push(node),
            }
        }
    }
    diag.leave_item();
    (model.flows, model.predicates) = (flows, predicates);
    for node in broken {
        model.nodes[node].incomplete = true;
    }
}

/// Returns the row of a declaration, or `None` if an error is reported.
fn lower_row(
    node: usize,
    FlowDecl { kind, target, is_indirect, or_next, condition, span }: &FlowDecl,
    conditions: &Conditions<'_>,
    predicates: &mut Vec<Predicate>,
    diag: &mut Diagnostics,
) -> Option<FlowRow> {
    let (cubes, cases) = match condition {
        Some(condition) => {
            conditions.lower(condition, false, ("condition", *span), predicates, diag)?
        }
        None => (vec![Cube::ALL], Vec::new()),
    };
    let condition = condition.as_ref().map(|condition| condition.text());
    let (kind, is_indirect, or_next, span) = (*kind, *is_indirect, *or_next, *span);
    let target = target.clone();
    Some(FlowRow { node, kind, or_next, target, is_indirect, condition, cubes, cases, span })
}

/// Gives every opcode the rows of the nearest node that has rows, and finds the targets of the
/// rows.
pub(super) fn bind_flows(model: &mut Model, diag: &mut Diagnostics) {
    let mut opcodes = std::mem::take(&mut model.opcodes);
    for opcode in &mut opcodes {
        let nodes = model.lineage[opcode.node].iter().rev();
        let Some(&node) = nodes.into_iter().find(|&&node| model.nodes[node].flow.is_some()) else {
            continue;
        };
        at_node(&model.nodes[opcode.node], diag);
        let own = model.flows.iter().enumerate().filter(|(_, row)| row.node == node);
        let bind = |diag: &mut Diagnostics| {
            own.map(|(index, row)| {
                let target = row.target.as_ref();
                (index, target.and_then(|target| target_of(opcode, target, model, diag)))
            })
            .collect()
        };
        let (flow, sound) = diag.with_error_scope(!opcode.is_valid, bind);
        opcode.flow = flow;
        opcode.is_valid &= sound;
    }
    model.opcodes = opcodes;
}

/// Returns the index of the target's field. A row names the field directly, or by its placeholder.
fn target_of(
    opcode: &Opcode,
    name: &FieldName,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<usize> {
    let dotted = name.dotted();
    let symbols = model.syntaxes[opcode.syntax].placeholders.iter().zip(&opcode.bind);
    let slots = symbols.filter(|(symbol, _)| symbol.is_operand());
    let mut named = slots.filter(|(symbol, _)| symbol.name == dotted);
    let of_slot = named.next().and_then(|(_, place)| opcode.operand_at((*place)?, model));
    let Some(place) = of_slot.or_else(|| opcode.field(model, &dotted)) else {
        let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
        let hint = did_you_mean(&dotted, known);
        let message = format!(
            "`{}` has no operand `{dotted}`{hint}\nhelp: name a field or a placeholder of the \
             template",
            opcode.name
        );
        diag.error_of(&opcode.name, Code::UnknownField, name.span(), message);
        return None;
    };
    let is_operand = match opcode.has_lists {
        true => opcode.operands.iter().any(|operand| operand.field == place),
        false => !model.field_types[opcode.field_at(model, place).ty].is_set(),
    };
    if !is_operand {
        let message = format!(
            "`{dotted}` is not an operand of `{}`, so it cannot be a target\nhelp: name an \
             operand, or add this one to `InList`",
            opcode.name
        );
        diag.error_of(&opcode.name, Code::Flow, name.span(), message);
        return None;
    }
    Some(place)
}
