//! Opcodes with their inherited fields, exceptions and sections, before their templates are resolved.

use std::rc::Rc;

use proc_macro2::Ident;

use super::features::{of_opcode, requirements_by_node};
use super::fields::{Scope, flatten};
use super::names::type_name;
use super::opcode_template::OpcodeTemplate;
use super::parse_order::NO_ORDER;
use super::short_words::{unknown_width, word_node};
use super::{Model, Opcode, at_node, is_own_opcode};
use crate::diag::{Code, Diagnostics};
use crate::syntax::ast::NodeDecl;

/// Creates the opcodes that this call declares.
pub(super) fn lower_opcodes(model: &mut Model, bits: u8, diag: &mut Diagnostics) {
    let (exceptions, requirements) = (exceptions_by_node(model), requirements_by_node(model));
    for node in 0..model.nodes.len() {
        if is_own_opcode(&model.nodes[node]) {
            at_node(&model.nodes[node], diag);
            let mut opcode = lower_opcode(model, node, &exceptions, bits, diag);
            opcode.requirements = of_opcode(model, &opcode, &requirements);
            model.opcodes.push(opcode);
        }
    }
    diag.leave_item();
}

/// Returns the exceptions of each node.
pub(super) fn exceptions_by_node(model: &Model) -> Vec<Vec<usize>> {
    let mut exceptions = vec![Vec::new(); model.nodes.len()];
    for (place, exception) in model.exceptions.iter().enumerate() {
        exceptions[exception.node].push(place);
    }
    exceptions
}

/// Returns the opcode of a node, or an alias as an opcode. `exceptions` are the exceptions of each
/// node.
pub(super) fn lower_opcode(
    model: &Model,
    node: usize,
    exceptions: &[Vec<usize>],
    bits: u8,
    diag: &mut Diagnostics,
) -> Opcode {
    let incomplete = model.is_incomplete(node);
    let (mut opcode, sound) =
        diag.with_error_scope(incomplete, |diag| flatten_opcode(model, node, bits, diag));
    let inherited = model.lineage[node].iter().flat_map(|&node| &exceptions[node]).copied();
    // A line `word` overrides inherited ones together with their exceptions.
    let overridden = |id: &usize| {
        let short = opcode.short.as_ref().map(|short| short.exception);
        short != Some(*id) && model.short_words.values().any(|short| short.exception == *id)
    };
    opcode.exceptions = inherited.filter(|id| !overridden(id)).collect();
    opcode.exceptions.sort_unstable();
    let broken = opcode.fields.iter().any(|&field| model.fields[field].broken);
    opcode.is_valid = sound && !incomplete && !broken;
    opcode.has_valid_fields = opcode.is_valid;
    opcode
}

fn flatten_opcode(model: &Model, node: usize, bits: u8, diag: &mut Diagnostics) -> Opcode {
    let lineage = &model.lineage[node];
    let name = model.nodes[node].name.clone();
    let word_node = word_node(&model.nodes, lineage);
    let bits = match word_node.and_then(|node| model.nodes[node].word) {
        Some(width) if model.header.widths.iter().any(|w| w.value == width.value) => {
            width.value as u8
        }
        Some(width) => {
            diag.error(Code::WordWidth, width.span, unknown_width(model, width));
            bits
        }
        None => bits,
    };
    let fields = flatten(&model.nodes, lineage, &model.fields, diag);
    let ty = type_name(&model.nodes[node], diag);
    let scope = Scope { fields: &model.fields, ids: &fields };
    report_fields_beyond(&name, node, bits, &scope, diag);
    let last =
        |has: fn(&NodeDecl) -> bool| lineage.iter().rev().copied().find(|&n| has(&model.nodes[n]));
    Opcode {
        node,
        type_name: ty,
        name,
        bits,
        short: word_node.and_then(|node| model.short_words.get(&node)).map(Rc::clone),
        fixed: scope.fixed(),
        unused: scope.unused(bits),
        ignored: scope.ignored(),
        illegal: Vec::new(),
        unsure: Vec::new(),
        exceptions: Vec::new(),
        requirements: Vec::new(),
        parse_order: NO_ORDER,
        inside: Vec::new(),
        fields,
        composite_operands: Vec::new(),
        syntax: usize::MAX,
        bind: Vec::new(),
        text: OpcodeTemplate::default(),
        operands: Vec::new(),
        lanes: Vec::new(),
        hidden: Vec::new(),
        has_lists: lineage.iter().any(|&n| {
            let lists = &model.nodes[n].operands;
            lists.inputs.is_some() || lists.outputs.is_some()
        }),
        formats: Vec::new(),
        semantics: last(|node| node.semantics.is_some()),
        guard: last(|node| node.guard.is_some()),
        flow: Vec::new(),
        properties: Vec::new(),
        is_valid: true,
        has_valid_fields: true,
        has_valid_semantics: true,
        search: Rc::clone(&model.search),
    }
}

/// Reports fields outside the opcode's word. If a set has words of several widths, a field may fit
/// only some of them.
fn report_fields_beyond(
    opcode: &Ident,
    node: usize,
    bits: u8,
    scope: &Scope<'_>,
    diag: &mut Diagnostics,
) {
    for field in scope.all().filter(|field| !field.broken && !field.pieces.is_empty()) {
        let top = 127 - field.mask().leading_zeros();
        if top >= bits.into() {
            let span = if field.node == node { field.name.span() } else { opcode.span() };
            let message = format!(
                "`{}` ends at bit {top}, but the words of `{opcode}` have bits 0 to {}\nhelp: \
                 the width is declared by `word<{bits}>;`",
                field.text,
                bits - 1
            );
            diag.error(Code::FieldOutsideWord, span, message);
        }
    }
}
