//! Names to indices: kinds, ancestry, fields, opcodes.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use quote::format_ident;

use super::cube::{self, Cube};
use super::fields::{Scope, flatten, lower_exceptions, lower_fields};
use super::syntax::lower_syntaxes;
use super::{Field, Format, Kind, Model, Opcode, Shape, Value, describe, is_own_opcode};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{NodeDecl, OperandDecl, SetDecl, Spec};

/// Resolves a specification. `None` where it has no header, without which nothing can be named.
pub(crate) fn lower(spec: Spec, diag: &mut Diagnostics) -> Option<Model> {
    let Spec { header, machine, sets, operands, formats, affixes, nodes, included, exports } = spec;
    let Some(header) = header else {
        let message = "the set has no name; start with `pub isa Name: u128;`";
        diag.error(Code::MissingSection, Span::call_site(), message);
        return None;
    };
    let bits = header.widths.iter().map(|width| width.value).max().unwrap_or(128) as u8;
    let mut kinds: Vec<Kind> = sets.into_iter().map(|set| lower_set(set, diag)).collect();
    kinds.extend(operands.into_iter().map(|operand| lower_operand(operand, diag)));
    let formats = formats
        .into_iter()
        .map(|f| Format { vis: f.vis, name: f.name, path: f.path, origin: f.origin })
        .collect();
    report_duplicates(kinds.iter().map(|kind| &kind.name), diag);
    report_duplicates(nodes.iter().map(|node| &node.name), diag);
    let lineage = lineages(&nodes, diag);
    let fields = lower_fields(&nodes, &kinds, bits, diag);
    let mut model = Model {
        header,
        machine,
        kinds,
        formats,
        nodes,
        lineage,
        fields,
        exceptions: Vec::new(),
        syntaxes: Vec::new(),
        opcodes: Vec::new(),
        included,
        exports,
    };
    lower_exceptions(&mut model, diag);
    lower_opcodes(&mut model, bits, diag);
    lower_syntaxes(&mut model, &affixes, diag);
    Some(model)
}

fn report_duplicates<'n>(names: impl Iterator<Item = &'n Ident>, diag: &mut Diagnostics) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for name in names {
        if let Some(first) = seen.insert(name.to_string(), name.span()) {
            diag.error_with(
                Code::DuplicateName,
                name.span(),
                format!("`{name}` is declared twice; give one of the two another name"),
                first,
                format!("`{name}` is first declared here"),
            );
        }
    }
}

fn lower_set(set: SetDecl, diag: &mut Diagnostics) -> Kind {
    let SetDecl { docs, vis, name, width, values, origin } = set;
    let width = check_width(width.value, width.span, diag);
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        let raw = value.raw.value;
        if width < 64 && raw >> width != 0 {
            diag.error(
                Code::ValueTooWide,
                value.raw.span,
                format!("{raw} does not fit the {width} bits of `{name}`"),
            );
        } else if let Some(other) = kept.iter().find(|v| v.raw == raw || v.name == value.name) {
            diag.error_with(
                Code::DuplicateValue,
                value.name.span(),
                format!("`{}` repeats a name or a number of `{name}`: {raw}", value.name),
                other.name.span(),
                format!("`{}` is first given here", other.name),
            );
        } else {
            kept.push(Value { docs: value.docs, name: value.name, raw });
        }
    }
    let raws: Vec<u64> = kept.iter().map(|value| value.raw).collect();
    let reserved =
        if width > 24 && raws.is_empty() { Vec::new() } else { cube::missing_values(width, &raws) };
    Kind { docs, vis, name, width, shape: Shape::Set(kept), reserved, origin }
}

fn check_width(width: u64, span: Span, diag: &mut Diagnostics) -> u8 {
    if (1..=64).contains(&width) {
        return width as u8;
    }
    diag.error(Code::FieldWidth, span, format!("a width of {width} bits; it must be 1 to 64"));
    width.clamp(1, 64) as u8
}

fn lower_operand(operand: OperandDecl, diag: &mut Diagnostics) -> Kind {
    let OperandDecl { docs, vis, name, width, path, reserved, origin } = operand;
    let width = check_width(width.value, width.span, diag);
    let mut cubes = Vec::new();
    for (pattern, span) in reserved {
        match parse_pattern(&pattern, width) {
            Some(cube) => cubes.push(cube),
            None => diag.error(
                Code::ValueTooWide,
                span,
                format!("a pattern is at most {width} of `0`, `1` and `x`, such as \"x1\""),
            ),
        }
    }
    Kind { docs, vis, name, width, shape: Shape::Operand(path), reserved: cubes, origin }
}

/// `"1x"`: the lowest bits of a number; bits to the left are free.
fn parse_pattern(pattern: &str, width: u8) -> Option<Cube> {
    if pattern.len() > width.into() {
        return None;
    }
    pattern.chars().try_fold(Cube::ALL, |cube, c| {
        let (mask, value) = match c {
            '0' => (1, 0),
            '1' => (1, 1),
            'x' => (0, 0),
            _ => return None,
        };
        Some(Cube { mask: cube.mask << 1 | mask, value: cube.value << 1 | value })
    })
}

/// For each node, its ancestors and itself, each once, the most distant first.
fn lineages(nodes: &[NodeDecl], diag: &mut Diagnostics) -> Vec<Vec<usize>> {
    let by_name: BTreeMap<String, usize> =
        nodes.iter().enumerate().map(|(i, node)| (node.name.to_string(), i)).collect();
    let parents: Vec<Vec<usize>> =
        nodes.iter().map(|node| parents_of(node, &by_name, diag)).collect();
    (0..nodes.len())
        .map(|node| {
            let mut line = Vec::new();
            climb(node, &parents, &mut Vec::new(), &mut line, nodes, diag);
            line
        })
        .collect()
}

fn parents_of(
    node: &NodeDecl,
    by_name: &BTreeMap<String, usize>,
    diag: &mut Diagnostics,
) -> Vec<usize> {
    let mut found = Vec::new();
    for parent in &node.parents {
        match by_name.get(&parent.to_string()) {
            Some(&index) => found.push(index),
            None => {
                let known = by_name.keys().map(String::as_str);
                let hint = did_you_mean(&parent.to_string(), known);
                let message = format!("no group or optype is called `{parent}`{hint}");
                diag.error(Code::UnknownParent, parent.span(), message);
            }
        }
    }
    found
}

fn climb(
    node: usize,
    parents: &[Vec<usize>],
    path: &mut Vec<usize>,
    line: &mut Vec<usize>,
    nodes: &[NodeDecl],
    diag: &mut Diagnostics,
) {
    if path.contains(&node) {
        let message = format!("{} is its own ancestor", describe(&nodes[node]));
        diag.error(Code::InheritanceCycle, nodes[node].name.span(), message);
        return;
    }
    path.push(node);
    for &parent in &parents[node] {
        climb(parent, parents, path, line, nodes, diag);
    }
    path.pop();
    if !line.contains(&node) {
        line.push(node);
    }
}

fn lower_opcodes(model: &mut Model, bits: u8, diag: &mut Diagnostics) {
    for node in 0..model.nodes.len() {
        if is_own_opcode(&model.nodes[node]) {
            let opcode = lower_opcode(model, node, bits, diag);
            model.opcodes.push(opcode);
        }
    }
}

fn lower_opcode(model: &Model, node: usize, bits: u8, diag: &mut Diagnostics) -> Opcode {
    let lineage = &model.lineage[node];
    let name = model.nodes[node].name.clone();
    let word = lineage.iter().rev().find_map(|&n| model.nodes[n].word);
    let bits = match word {
        Some(width) if model.header.widths.iter().any(|w| w.value == width.value) => {
            width.value as u8
        }
        Some(width) => {
            let message = format!("the set has no words of {} bits", width.value);
            diag.error(Code::WordWidth, width.span, message);
            bits
        }
        None => bits,
    };
    let fields = flatten(&model.nodes, lineage, &model.fields, diag);
    let scope = Scope { fields: &model.fields, ids: &fields };
    let last =
        |has: fn(&NodeDecl) -> bool| lineage.iter().rev().copied().find(|&n| has(&model.nodes[n]));
    Opcode {
        node,
        type_name: type_name(&name),
        name,
        bits,
        fixed: scope.fixed(),
        unused: scope.unused(bits),
        illegal: illegal(model, lineage, &scope),
        exceptions: (0..model.exceptions.len())
            .filter(|&e| lineage.contains(&model.exceptions[e].node))
            .collect(),
        fields,
        syntax: usize::MAX,
        bind: Vec::new(),
        operands: Vec::new(),
        formats: Vec::new(),
        semantics: last(|node| node.semantics.is_some()),
        guard: last(|node| node.guard.is_some()),
    }
}

/// The illegal words among those with the opcode's fixed bits, as few cubes as that needs.
fn illegal(model: &Model, lineage: &[usize], scope: &Scope<'_>) -> Vec<Cube> {
    let fixed = scope.fixed();
    let reserved = scope.all().filter(|field| !field.is_fixed()).flat_map(|field: &Field| {
        model.kinds[field.kind].reserved.iter().map(|&cube| field.lift(cube))
    });
    let exceptions =
        model.exceptions.iter().filter(|e| lineage.contains(&e.node)).flat_map(|e| &e.cubes);
    let mut cubes: Vec<Cube> = reserved
        .chain(exceptions.copied())
        .filter(|cube| cube.and(fixed).is_some())
        .map(|cube| Cube { mask: cube.mask & !fixed.mask, value: cube.value & !fixed.mask })
        .collect();
    cube::simplify(&mut cubes);
    cubes
}

/// `HADD2_RR` becomes `Hadd2Rr`, with the place of the name in the specification.
fn type_name(name: &Ident) -> Ident {
    format_ident!("{}", camel(&name.to_string()), span = name.span())
}

/// `HADD2_RR` as `Hadd2Rr`.
pub(crate) fn camel(name: &str) -> String {
    let mut camel = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        if let Some(first) = letters.next() {
            camel.extend(first.to_uppercase());
            camel.push_str(&letters.as_str().to_lowercase());
        }
    }
    camel
}
