//! The parts of a call that come from another call: its declarations, or a summary of its opcodes.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenTree};
use syn::Result;

use super::ast::{Imported, Origin, Spec, Spelled};
use super::parse_items;
use super::relative::seen_from;
use super::substitute::Values;
use super::summary::read_included;
use crate::diag::{Code, Diagnostics, quoted_first};

/// Parses `__imported use [path] { declarations }` or `__imported include [path] { opcodes }` as
/// another call emits it, in the module `origin` if it is known.
pub(super) fn parse_imported(
    item: Vec<TokenTree>,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) -> Result<()> {
    let (mode, path, body) = match &item[..] {
        [_, TokenTree::Ident(mode), TokenTree::Group(path), TokenTree::Group(body)] => {
            (mode, path.stream(), body.stream())
        }
        _ => return Err(syn::Error::new(Span::call_site(), "this is no import")),
    };
    let path = match origin {
        Some(module) => seen_from(&module.tokens, path),
        None => path,
    };
    if mode == "include" {
        let included = read_included(body, &path, mode.span());
        let fault = || syn::Error::new(mode.span(), "this is no set that `define_isa!` defined");
        spec.included.extend(included.ok_or_else(fault)?);
    } else {
        let mut brought = Spec { is_deep: spec.is_deep, ..Spec::default() };
        let origin = Some(Rc::new(Spelled::from(path.clone())));
        parse_items(body.clone(), &Values::default(), &origin, &mut brought, diag);
        drop_clashes(&mut brought, spec, mode.span(), diag);
        brought.machine = brought.machine.map(|machine| seen_from(&path, machine));
        brought.trap = brought.trap.map(|trap| seen_from(&path, trap));
        take_declarations(brought, spec);
        spec.imported.push(Imported { module: path, declarations: body });
    }
    Ok(())
}

/// Reports names that two imports declare. The error is at the later import, `brought`, and its
/// declarations with these names are removed.
fn drop_clashes(brought: &mut Spec, spec: &Spec, place: Span, diag: &mut Diagnostics) {
    let mut clashes: Vec<(String, Origin, Origin)> = Vec::new();
    let mut is_new = |name: &Ident, origin: &Origin, known: Vec<(&Ident, &Origin)>| {
        let other = known.into_iter().find(|(other, from)| *other == name && *from != origin);
        let Some((_, other)) = other else { return true };
        clashes.push((name.to_string(), other.clone(), origin.clone()));
        false
    };
    let kinds = || {
        let sets = spec.sets.iter().map(|set| (&set.name, &set.origin));
        sets.chain(spec.operands.iter().map(|kind| (&kind.name, &kind.origin))).collect()
    };
    brought.sets.retain(|set| is_new(&set.name, &set.origin, kinds()));
    brought.operands.retain(|kind| is_new(&kind.name, &kind.origin, kinds()));
    let nodes = || spec.nodes.iter().map(|node| (&node.name, &node.origin)).collect();
    brought.nodes.retain(|node| is_new(&node.name, &node.origin, nodes()));
    let Some((_, first, second)) = clashes.first() else { return };
    let path = |origin: &Origin| origin.as_ref().map(|path| path.text.replace(' ', ""));
    let message = format!(
        "{} declared in `{}` and in `{}`\nhelp: `use` one of the two, or declare what both need in \
         a set that they use",
        match &clashes[..] {
            [(name, ..)] => format!("`{name}` is"),
            _ => format!("{} are", quoted_first(clashes.iter().map(|(name, ..)| name))),
        },
        path(first).unwrap_or_default(),
        path(second).unwrap_or_default()
    );
    diag.error(Code::DuplicateName, place, message);
}

/// Adds the declarations of `brought`. A declaration may already be there, because two imports may
/// both import a third call; it is not added again.
fn take_declarations(brought: Spec, spec: &mut Spec) {
    let Spec {
        machine,
        trap,
        byte_order,
        address_bits,
        sets,
        operands,
        formats,
        affixes,
        nodes,
        ..
    } = brought;
    spec.machine = spec.machine.take().or(machine);
    spec.trap = spec.trap.take().or(trap);
    spec.byte_order = spec.byte_order.or(byte_order);
    spec.address_bits = spec.address_bits.or(address_bits);
    add_new(&mut spec.sets, sets, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.operands, operands, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.formats, formats, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.affixes, affixes, |a, b| a.open == b.open && a.sub == b.sub);
    add_new(&mut spec.nodes, nodes, |a, b| a.name == b.name && a.origin == b.origin);
}

fn add_new<T>(to: &mut Vec<T>, from: Vec<T>, equal: impl Fn(&T, &T) -> bool) {
    for item in from {
        if !to.iter().any(|known| equal(known, &item)) {
            to.push(item);
        }
    }
}
