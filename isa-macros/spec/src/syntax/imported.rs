//! What another call hands on: its declarations, or a summary of its opcodes.

use proc_macro2::{Span, TokenTree};
use syn::Result;

use super::ast::{Imported, Origin, Spec};
use super::parse_items;
use super::summary::read_included;
use crate::diag::Diagnostics;

/// `__imported use [path] { declarations }` or `__imported include [path] { opcodes }`, as written
/// by another call.
pub(super) fn parse_imported(
    item: Vec<TokenTree>,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) -> Result<()> {
    let (mode, path, body) = match &item[..] {
        [_, TokenTree::Ident(mode), TokenTree::Group(path), TokenTree::Group(body)] => {
            (mode, path.stream(), body.stream())
        }
        _ => return Err(syn::Error::new(Span::call_site(), "this is no import")),
    };
    if mode == "include" {
        let included = read_included(body, &path, mode.span());
        let fault = || syn::Error::new(mode.span(), "this is no set that `define_isa!` defined");
        spec.included.extend(included.ok_or_else(fault)?);
    } else {
        let mut brought = Spec::default();
        parse_items(body.clone(), &Some(path.clone()), &mut brought, diag);
        take_declarations(brought, spec);
        spec.imported.push(Imported { module: path, declarations: body });
    }
    Ok(())
}

/// Adds what `brought` declares, once each: two imports may share a third.
fn take_declarations(brought: Spec, spec: &mut Spec) {
    let Spec { machine, trap, sets, operands, formats, affixes, nodes, .. } = brought;
    spec.machine = spec.machine.take().or(machine);
    spec.trap = spec.trap.take().or(trap);
    add_new(&mut spec.sets, sets, |a, b| a.name == b.name && same(&a.origin, &b.origin));
    add_new(&mut spec.operands, operands, |a, b| a.name == b.name && same(&a.origin, &b.origin));
    add_new(&mut spec.formats, formats, |a, b| a.name == b.name && same(&a.origin, &b.origin));
    add_new(&mut spec.affixes, affixes, |a, b| a.open == b.open && a.sub == b.sub);
    add_new(&mut spec.nodes, nodes, |a, b| a.name == b.name && same(&a.origin, &b.origin));
}

fn same(a: &Origin, b: &Origin) -> bool {
    a.as_ref().map(ToString::to_string) == b.as_ref().map(ToString::to_string)
}

fn add_new<T>(to: &mut Vec<T>, from: Vec<T>, equal: impl Fn(&T, &T) -> bool) {
    for item in from {
        if !to.iter().any(|known| equal(known, &item)) {
            to.push(item);
        }
    }
}
