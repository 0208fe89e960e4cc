//! Imports of declarations and opcodes from other calls.
//!
//! A call cannot see the contents of another call. Therefore each call also defines a macro with
//! the name of its set, which passes on the declarations of the call. A call with `use
//! crate::base::Base;` expands to a call of that macro, which calls `define_isa!` again with the
//! declarations at the front:
//!
//! ```text
//! define_isa! { pub isa Halu: u128; use crate::base::Base; group ... }
//!   => crate::base::Base! { use use [crate::base] pub isa Halu: u128; group ... }
//!   => define_isa! { __imported use [crate::base] { group ALL ... } pub isa Halu: u128; ... }
//! ```
//!
//! Each step is an expansion inside the previous one, and the compiler limits the depth of
//! expansions. Therefore a large number of imports is divided into batches, which are expanded next
//! to each other. The result of a batch is a macro that passes on everything that the batch
//! imported. The call then imports each batch as if it were a set:
//!
//! ```text
//! define_isa! { pub isa All: u128; include a::A; ... include z::Z; }
//!   => define_isa! { include a::A; ... __part one; }     => macro_rules! one { ... }
//!      define_isa! { include n::N; ... __part two; }     => macro_rules! two { ... }
//!      define_isa! { pub isa All: u128; __join one; __join two; }
//! ```
//!
//! The macro of a set has one rule for `use`, which passes on the declarations, and one for
//! `include`, which passes on the opcodes. The call of the macro contains the keyword twice: the
//! first is matched by the rule, and the second keeps the position of the keyword.

use std::rc::Rc;

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Result;

use super::ast::{ComparableTokens, Imported, Origin, Spec};
use super::relative_path::seen_from;
use super::substitute::LoopValues;
use super::summary::read_included;
use super::{parse_items, split};
use crate::core_path::CORE;
use crate::diag::{Code, Diagnostics, quoted_first};

/// The maximum number of imports that are nested in each other. Each import needs two of the 128
/// nested expansions that the compiler allows.
const BATCH: usize = 24;

/// The maximum number of imports of a call. The number of batches that can be nested determines it.
const MOST: usize = 1000;

/// An import that still has to be expanded.
pub(crate) struct Import {
    /// `use` or `include`.
    pub(crate) mode: Ident,
    /// The macro to call: the path of the other set.
    pub(crate) path: TokenStream,
    /// The rest of the input.
    pub(crate) rest: TokenStream,
}

impl Import {
    /// Returns the call that imports the declarations.
    pub(crate) fn expand(self) -> TokenStream {
        let Import { mode, path, rest } = self;
        if mode == JOIN {
            return quote! { #path ! { #rest } };
        }
        let module = module_of(&path);
        quote! { #path ! { #mode #mode [#module] #rest } }
    }
}

/// The words that come before imported declarations, before the name of a batch that is being
/// built, and before the name of a batch that is imported.
const IMPORTED: &str = "__imported";
const PART: &str = "__part";
const JOIN: &str = "__join";

/// Returns the calls that expand the imports of `input` in batches, if there are many.
pub(crate) fn expand_chunks(input: &TokenStream) -> Option<TokenStream> {
    // If the call already imports something, its imports are not divided again.
    let first = input.clone().into_iter().next();
    if [IMPORTED, JOIN].iter().any(|word| is_word(first.as_ref(), word)) {
        return None;
    }
    let (imports, rest): (Vec<_>, Vec<_>) =
        split::items(input.clone()).into_iter().partition(|item| as_import(item).is_some());
    if imports.len() <= BATCH {
        return None;
    }
    if let Some(TokenTree::Ident(first_beyond)) = imports.get(MOST).and_then(|item| item.first()) {
        let mut diag = Diagnostics::default();
        let message = format!(
            "this call imports {} sets, expected at most {MOST}\nhelp: include some of them in \
             another set, and include that set",
            imports.len()
        );
        diag.error(Code::UnexpectedTokens, first_beyond.span(), message);
        return Some(diag.finish());
    }
    // Macros from two calls in one module must have different names.
    let (hash, _) = super::hashed(input.clone());
    let (part, join) = (format_ident!("{PART}"), format_ident!("{JOIN}"));
    let (mut calls, mut joins) = (TokenStream::new(), TokenStream::new());
    for (number, batch) in imports.chunks(BATCH).enumerate() {
        let name = format_ident!("__isa_part_{hash:016x}_{number}");
        let batch: TokenStream = batch.iter().flatten().cloned().collect();
        calls.extend(quote! { #CORE::__define_isa! { [#CORE] #batch #part #name; } });
        joins.extend(quote! { #join #name; });
    }
    let rest: TokenStream = rest.into_iter().flatten().collect();
    Some(quote! { #calls #CORE::__define_isa! { [#CORE] #joins #rest } })
}

/// Returns the macro of a batch after its imports were expanded.
pub(crate) fn expand_fragment(input: &TokenStream) -> Option<TokenStream> {
    // The first word is sufficient to recognize most other calls.
    let first = input.clone().into_iter().next();
    if !is_word(first.as_ref(), IMPORTED) {
        return None;
    }
    let mut trees: Vec<TokenTree> = input.clone().into_iter().collect();
    let [.., part, TokenTree::Ident(name), end] = &trees[..] else {
        return None;
    };
    if !is_word(Some(part), PART) || !split::is_semicolon(end) {
        return None;
    }
    let name = name.clone();
    trees.truncate(trees.len() - 3);
    let dollar = Punct::new('$', Spacing::Joint);
    let rest = quote!(__isa_rest);
    Some(quote! {
        macro_rules! #name {
            (#dollar (#dollar #rest:tt)*) => {
                #CORE::__define_isa! { [#CORE] #(#trees)* #dollar (#dollar #rest)* }
            };
        }
    })
}

fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

/// Finds the last `use PATH;` or `include PATH;` among the items. Each import is inserted at the
/// front, so starting with the last one keeps the order of the specification.
pub(crate) fn find_import(input: &TokenStream) -> Option<Import> {
    let items = split::items(input.clone());
    let (index, mode, path) = items
        .iter()
        .enumerate()
        .rev()
        .find_map(|(i, item)| as_import(item).map(|(m, p)| (i, m, p)))?;
    let rest =
        items.into_iter().enumerate().filter(|&(i, _)| i != index).flat_map(|(_, item)| item);
    let rest = rest.collect();
    Some(Import { mode, path, rest })
}

fn as_import(item: &[TokenTree]) -> Option<(Ident, TokenStream)> {
    let mut trees = item.iter().cloned();
    let Some(TokenTree::Ident(mode)) = trees.next() else {
        return None;
    };
    if mode != "use" && mode != "include" && mode != JOIN {
        return None;
    }
    let path: TokenStream = trees.take_while(|tree| !split::is_semicolon(tree)).collect();
    let is_path = !path.is_empty()
        && path.clone().into_iter().all(|tree| match tree {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '$'),
            _ => false,
        });
    is_path.then_some((mode, path))
}

/// Returns the path of the module that contains a set: the path of the set without the last
/// segment.
fn module_of(path: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = path.clone().into_iter().collect();
    let end = trees.iter().rposition(|tree| matches!(tree, TokenTree::Punct(_)));
    match end {
        Some(end) => trees[..end.saturating_sub(1)].iter().cloned().collect(),
        None => quote!(self),
    }
}

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
        _ => return Err(syn::Error::new(Span::call_site(), "expected an import")),
    };
    let path = match origin.module() {
        Some(module) => seen_from(&module.tokens, path),
        None => path,
    };
    if mode == "include" {
        let included = read_included(body, &path, mode.span());
        let fault = || syn::Error::new(mode.span(), "expected a set that `define_isa!` defines");
        spec.included.extend(included.ok_or_else(fault)?);
    } else {
        let mut brought = Spec { is_deep: spec.is_deep, ..Spec::default() };
        let origin = Origin::Module(Rc::new(ComparableTokens::from(path.clone())));
        parse_items(body.clone(), &LoopValues::default(), &origin, &mut brought, diag);
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
    let properties = || spec.properties.iter().map(|one| (&one.name, &one.origin)).collect();
    brought.properties.retain(|one| is_new(&one.name, &one.origin, properties()));
    let features = || spec.features.iter().map(|one| (&one.name, &one.origin)).collect();
    brought.features.retain(|one| is_new(&one.name, &one.origin, features()));
    let nodes = || spec.nodes.iter().map(|node| (&node.name, &node.origin)).collect();
    brought.nodes.retain(|node| is_new(&node.name, &node.origin, nodes()));
    let Some((_, first, second)) = clashes.first() else { return };
    let path = |origin: &Origin| origin.module().map(|path| path.text.replace(' ', ""));
    let message = format!(
        "{} declared in `{}` and in `{}`\nhelp: `use` one of the two, or move the common \
         declarations to a set that both use",
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
        machine_methods,
        trap,
        byte_order,
        address_bits,
        sets,
        operands,
        formats,
        affixes,
        properties,
        features,
        nodes,
        ..
    } = brought;
    if spec.machine.is_none() {
        (spec.machine, spec.machine_methods) = (machine, machine_methods);
    }
    spec.trap = spec.trap.take().or(trap);
    spec.byte_order = spec.byte_order.or(byte_order);
    spec.address_bits = spec.address_bits.or(address_bits);
    add_new(&mut spec.sets, sets, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.operands, operands, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.formats, formats, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.affixes, affixes, |a, b| a.open == b.open && a.sub == b.sub);
    add_new(&mut spec.properties, properties, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.features, features, |a, b| a.name == b.name && a.origin == b.origin);
    add_new(&mut spec.nodes, nodes, |a, b| a.name == b.name && a.origin == b.origin);
}

fn add_new<T>(to: &mut Vec<T>, from: Vec<T>, equal: impl Fn(&T, &T) -> bool) {
    for item in from {
        if !to.iter().any(|known| equal(known, &item)) {
            to.push(item);
        }
    }
}
