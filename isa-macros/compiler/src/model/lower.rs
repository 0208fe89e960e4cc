//! Resolves names to indexes: field types, ancestors, fields, opcodes.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::quote;

use super::aliases::{lower_aliases, opcode_of};
use super::exceptions::lower_exceptions;
use super::features::{Features, lower_requirements};
use super::field_types::{lower_operand, lower_set};
use super::fields::{complete_fields, lower_fields};
use super::flow::{bind_flows, lower_flows};
use super::names::resolve_clashes;
use super::opcode_template::lower_texts;
use super::opcodes::lower_opcodes;
use super::operand_misuse::check_operand_misuse;
use super::parse_order::{ParseOrder, lower_parse_order};
use super::properties::{lower_properties, lower_property_types};
use super::references::resolve_references;
use super::short_words::{ShortWords, lower_short_words};
use super::special_cases::lower_special_cases;
use super::syntaxes::lower_syntaxes;
use super::{FieldType, Model, OperandFormat, at_node, describe, is_own_opcode};
use crate::diag::{Code, Diagnostics, did_you_mean, nearest, quoted};
use crate::syntax::ast::{Docs, Level, NodeDecl, SetHeader, Spec};

/// Resolves a specification. A part with an error is reported and replaced by a valid one with the
/// same name, so that uses of the name still compile.
pub(crate) fn lower(spec: Spec, diag: &mut Diagnostics) -> Model {
    let Spec {
        header,
        fingerprint,
        machine,
        machine_methods,
        machine_span: _,
        trap,
        trap_span: _,
        any_case,
        byte_order,
        byte_order_span: _,
        address_bits,
        address_bits_span: _,
        functions,
        sets,
        operands,
        formats,
        affixes,
        mut properties,
        mut features,
        requires,
        requires_span: _,
        mut nodes,
        included,
        imported,
        exports,
        iterations: _,
        start,
        is_deep: _,
    } = spec;
    let header = header.unwrap_or_else(|| nameless(start.unwrap_or_else(Span::call_site), diag));
    let bits = header.widths.iter().map(|width| width.value).max().unwrap_or(128) as u8;
    let sound =
        |(kind, sound): (FieldType, bool)| FieldType { broken: kind.broken | !sound, ..kind };
    let mut field_types: Vec<FieldType> = sets
        .into_iter()
        .map(|set| {
            diag.at_item("enum", &set.name);
            sound(diag.with_error_scope(false, |diag| lower_set(set, diag)))
        })
        .collect();
    field_types.extend(operands.into_iter().map(|operand| {
        diag.at_item("operand", &operand.name);
        sound(diag.with_error_scope(false, |diag| lower_operand(operand, diag)))
    }));
    diag.leave_item();
    let formats = formats
        .into_iter()
        .map(|f| OperandFormat {
            vis: f.vis,
            name: f.name,
            path: f.path,
            origin: f.origin,
            once: None,
        })
        .collect();
    drop_duplicates(&mut field_types, |kind| &kind.name, diag);
    drop_duplicates(&mut nodes, |node| &node.name, diag);
    drop_duplicates(&mut properties, |property| &property.name, diag);
    drop_duplicates(&mut features, |feature| &feature.name, diag);
    let properties = lower_property_types(properties, &field_types, diag);
    let lineage = lineages(&mut nodes, diag);
    complete_fields(&mut nodes, &lineage, diag);
    let fields = lower_fields(&nodes, &lineage, &mut field_types, bits, diag);
    let mut resolved_features = Features::lower(&features, diag);
    let sets = included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set)).filter_map(<[_]>::first);
    resolved_features.merge(sets.map(|opcode| (&*opcode.set, &opcode.name, opcode.place)), diag);
    let mut model = Model {
        header,
        fingerprint,
        machine,
        machine_methods,
        trap,
        any_case,
        byte_order: byte_order.unwrap_or_default(),
        address_bits: address_bits.unwrap_or(64),
        functions,
        field_types,
        formats,
        properties,
        nodes,
        lineage,
        fields,
        composite_operands: Vec::new(),
        exceptions: Vec::new(),
        short_words: ShortWords::new(),
        features: resolved_features,
        requirements: Vec::new(),
        flows: Vec::new(),
        predicates: Vec::new(),
        syntaxes: Vec::new(),
        opcodes: Vec::new(),
        aliases: Vec::new(),
        orders: vec![ParseOrder::default()],
        included,
        imported,
        exports,
        search: Rc::default(),
    };
    lower_exceptions(&mut model, diag);
    lower_short_words(&mut model, diag);
    lower_requirements(&mut model, requires, diag);
    lower_flows(&mut model, diag);
    lower_opcodes(&mut model, bits, diag);
    lower_special_cases(&mut model, diag);
    lower_aliases(&mut model, bits, diag);
    lower_properties(&mut model, diag);
    resolve_clashes(&mut model, diag);
    lower_syntaxes(&mut model, &affixes, diag);
    lower_parse_order(&mut model, diag);
    bind_flows(&mut model, diag);
    lower_texts(&mut model);
    check_operand_misuse(&mut model, diag);
    resolve_references(&mut model, diag);
    model
}

/// Creates a header to replace a missing one.
fn nameless(span: Span, diag: &mut Diagnostics) -> SetHeader {
    let message = "the set has no name; start with `pub isa Name: u128;`";
    diag.error(Code::MissingSection, span, message);
    let name = Ident::new("Nameless", Span::call_site());
    SetHeader { docs: Docs::default(), vis: quote!(pub(crate)), name, widths: Vec::new() }
}

/// Reports each name that an earlier item already has, and removes the later item.
fn drop_duplicates<T>(items: &mut Vec<T>, name: fn(&T) -> &Ident, diag: &mut Diagnostics) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    items.retain(|item| {
        let name = name(item);
        let Some(&first) = seen.get(&name.to_string()) else {
            seen.insert(name.to_string(), name.span());
            return true;
        };
        // If the names of items in loops lack the part that differs between iterations, the
        // iterations declare the same names. This is reported as one error with many names.
        let message = format!("`{name}` is declared twice; rename one of the two");
        diag.error_of(name, Code::DuplicateName, name.span(), message);
        let note = format!("`{name}` is first declared here");
        diag.error_of(name, Code::DuplicateName, first, note);
        false
    });
}

/// Returns, for each node, its ancestors and the node itself. Each is listed once, the most distant
/// ancestor first.
fn lineages(nodes: &mut [NodeDecl], diag: &mut Diagnostics) -> Vec<Vec<usize>> {
    let names = |keep: fn(&NodeDecl) -> bool| -> BTreeMap<String, usize> {
        let kept = nodes.iter().enumerate().filter(|(_, node)| keep(node));
        kept.map(|(i, node)| (node.name.to_string(), i)).collect()
    };
    let (by_name, opcodes) = (names(|node| !node.level.is_alias()), names(is_own_opcode));
    let aliases = names(|node| node.level.is_alias());
    let groups = names(|node| matches!(node.level, Level::Group | Level::Optype));
    let parents: Vec<Vec<usize>> = nodes
        .iter_mut()
        .map(|node| {
            at_node(node, diag);
            match node.of {
                Some(_) => opcode_of(node, &opcodes, &by_name, diag).into_iter().collect(),
                None => parents_of(node, &by_name, &groups, &aliases, diag),
            }
        })
        .collect();
    diag.leave_item();
    let mut lines = vec![Vec::new(); nodes.len()];
    // For each node, the last lineage that contains it.
    let mut last_line = vec![usize::MAX; nodes.len()];
    for node in 0..nodes.len() {
        let found = |cycle: &[usize]| report_cycle(nodes, cycle, diag);
        climb(node, &parents, &mut lines, &mut last_line, found);
    }
    lines
}

/// Returns the nodes of the parents. Reports a name that does not exist, and uses the parent that
/// was probably intended.
fn parents_of(
    node: &mut NodeDecl,
    by_name: &BTreeMap<String, usize>,
    groups: &BTreeMap<String, usize>,
    aliases: &BTreeMap<String, usize>,
    diag: &mut Diagnostics,
) -> Vec<usize> {
    let mut found = Vec::new();
    for parent in &node.parents {
        match by_name.get(&parent.to_string()) {
            Some(&index) => found.push(index),
            None if aliases.contains_key(&parent.to_string()) => {
                let message = format!(
                    "`{parent}` is an alias or synonym, which cannot be a parent\nhelp: name a \
                     group"
                );
                diag.error(Code::UnknownParent, parent.span(), message);
                node.incomplete = true;
            }
            None => {
                let known = || groups.keys().map(String::as_str).filter(|name| node.name != *name);
                let hint = did_you_mean(&parent.to_string(), known());
                let message = format!(
                    "unknown group or optype `{parent}`{hint}\nhelp: declare it with `group \
                     {parent} {{ ... }}`, or `use` a set that declares it"
                );
                diag.error(Code::UnknownParent, parent.span(), message);
                found.extend(nearest(&parent.to_string(), known()).map(|name| by_name[name]));
                node.incomplete = true;
            }
        }
    }
    found
}

/// Computes the lineages of a node and of all its ancestors that are not known yet. Each is
/// computed once, from the lineages of the parents. Cycles are passed to `found` and cut at their
/// last edge.
fn climb(
    node: usize,
    parents: &[Vec<usize>],
    lines: &mut [Vec<usize>],
    last_line: &mut [usize],
    mut found: impl FnMut(&[usize]),
) {
    // The path from the first node to the current one. Each entry contains its remaining parents.
    let mut path = vec![(node, parents[node].iter())];
    let mut on_path = BTreeMap::from([(node, 0)]);
    while let Some((at, rest)) = path.last_mut() {
        let at = *at;
        if !lines[at].is_empty() {
            path.pop();
            on_path.remove(&at);
        } else if let Some(&parent) = rest.next() {
            if let Some(&start) = on_path.get(&parent) {
                let cycle: Vec<usize> = path[start..].iter().map(|&(step, _)| step).collect();
                found(&cycle);
            } else if lines[parent].is_empty() {
                on_path.insert(parent, path.len());
                path.push((parent, parents[parent].iter()));
            }
        } else {
            let above = parents[at].iter().flat_map(|&parent| &lines[parent]).copied();
            let is_new = |step: &usize| std::mem::replace(&mut last_line[*step], at) != at;
            lines[at] = above.chain([at]).filter(is_new).collect();
        }
    }
}

/// The maximum number of members of a cycle that a message names.
const MOST_NAMED: usize = 8;

/// Reports a cycle once, at its first member, and marks its members as incomplete.
fn report_cycle(nodes: &mut [NodeDecl], cycle: &[usize], diag: &mut Diagnostics) {
    let Some(&first) = cycle.iter().min() else {
        return;
    };
    if cycle.iter().all(|&node| nodes[node].incomplete) {
        return;
    }
    let start = cycle.iter().position(|&node| node == first).unwrap_or(0);
    let ring = cycle[start..].iter().chain(&cycle[..start]).chain([&first]);
    let names = ring.map(|&node| &nodes[node].name);
    let between = " inherits from ";
    let ring = match cycle.len() {
        0..=MOST_NAMED => quoted(names, between),
        all => {
            let left = all - MOST_NAMED;
            let named = quoted(names.take(MOST_NAMED), between);
            format!("{named}, through {left} more, to `{}`", nodes[first].name)
        }
    };
    let message = format!(
        "{} is its own ancestor: {ring}\nhelp: remove one of them from the `[...]` of another",
        describe(&nodes[first]),
    );
    diag.error(Code::InheritanceCycle, nodes[first].name.span(), message);
    for &node in cycle {
        nodes[node].incomplete = true;
    }
}
