//! Emits the macro of a call. A call that imports this call invokes the macro to get its declarations.

use std::rc::Rc;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::names::GeneratedNames;
use crate::check::{CheckResult, fixed_fields};
use crate::core_path::CORE;
use crate::model::Alias;
use crate::model::cube::Cube;
use crate::model::features::limits;
use crate::plan::Plan;
use crate::syntax::ast::{Imported, Included, IncludedAlias, IncludedSet};
use crate::syntax::included_tokens;

/// Emits `macro_rules! Halu`, under a hidden name and re-exported under the name of the set.
pub(crate) fn emit_export(
    plan: &Plan<'_>,
    names: &GeneratedNames,
    checked: &CheckResult,
) -> TokenStream {
    let model = plan.model;
    let name = &model.header.name;
    let mut opcodes = included_tokens(&model.included);
    opcodes.extend(included_tokens(&summaries(plan, names, checked)));
    let imported = model.imported.iter().map(|Imported { module, declarations }| {
        let module = with_dollar_crate(module.clone());
        quote!(__imported use [#module] { #declarations })
    });
    let declarations = with_dollar_crate(model.exports.clone());
    let declarations = quote!(#(#imported)* #declarations);
    let opcodes = with_dollar_crate(opcodes);
    // All exported macros of a crate share one namespace, and several sets of a crate may have the same
    // name.
    let hash = model.fingerprint;
    let hidden = format_ident!("__isa_export_{name}_{hash:016x}");
    let public = model.header.vis.to_string() == "pub";
    let export = public.then(|| quote!(#[macro_export]));
    let vis = if public { quote!(pub) } else { quote!(pub(crate)) };
    let [mode, path, rest] = ["mode", "path", "rest"].map(|part| {
        let (dollar, part) = (dollar(), format_ident!("__isa_{part}"));
        quote!(#dollar #part)
    });
    let dollar = dollar();
    let rule = |word: &str, body: TokenStream| {
        let word = format_ident!("{word}");
        quote! {
            (#word #mode:tt [#dollar (#path:tt)*] #dollar (#rest:tt)*) => {
                #CORE::__define_isa! {
                    [#CORE] __imported #mode [#dollar (#path)*] { #body }
                    #dollar (#rest)*
                }
            };
        }
    };
    let rules = [rule("use", declarations), rule("include", opcodes)];
    quote! {
        #export
        #[doc(hidden)]
        macro_rules! #hidden { #(#rules)* }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "only calls that import this one use it")]
        #vis use #hidden as #name;
    }
}

/// Returns the properties of this call's opcodes that other calls need. The paths do not contain the
/// module of this call; the other calls add it.
fn summaries(
    Plan { model, set, .. }: &Plan<'_>,
    names: &GeneratedNames,
    checked: &CheckResult,
) -> Vec<Included> {
    let (texts, alias_texts) = checked.summaries.split_at(model.opcodes.len());
    let mut aliases = vec![Vec::new(); model.opcodes.len()];
    for (Alias { row, of, .. }, text) in model.aliases.iter().zip(alias_texts) {
        let mnemonic = model.syntaxes[row.syntax].mnemonic.clone();
        let (name, text) = (row.name.clone(), text.clone());
        aliases[*of].push(IncludedAlias { name, mnemonic, text });
    }
    let GeneratedNames { instruction, opcode_trait, .. } = names;
    let included_set = Rc::new(IncludedSet {
        module: TokenStream::new(),
        module_text: String::new(),
        family: [quote!(#instruction), quote!(#opcode_trait)],
        readers: checked.readers.clone(),
        byte_order: model.byte_order,
        features: model.features.all.clone(),
        fields: set.own_fields.clone(),
        properties: set.own_properties.clone(),
    });
    let pairs =
        |cubes: &[Cube]| cubes.iter().map(|cube| (cube.mask, cube.value)).collect::<Vec<_>>();
    let included = model.opcodes.iter().zip(texts).zip(aliases).map(|((opcode, text), aliases)| {
        let ty = &opcode.type_name;
        let identity = opcode.identity();
        Included {
            set: Rc::clone(&included_set),
            name: opcode.name.clone(),
            type_name: ty.clone(),
            path: quote!(#ty),
            mnemonic: model.syntaxes[opcode.syntax].mnemonic.clone(),
            bits: opcode.bits,
            short: opcode.short.as_ref().map(|short| (short.bits, pairs(&short.long))),
            mask: identity.mask,
            value: identity.value,
            unused: opcode.unused,
            illegal: pairs(&opcode.illegal),
            limits: limits(model, opcode)
                .iter()
                .map(|limit| [pairs(&limit.words), pairs(&limit.features)])
                .collect(),
            executes: opcode.semantics.is_some(),
            traps: model.trap.is_some(),
            place: opcode.name.span(),
            text: text.clone(),
            fixes: fixed_fields(model, opcode),
            aliases,
        }
    });
    included.collect()
}

/// Returns a `$` for the body of a `macro_rules!`.
fn dollar() -> Punct {
    Punct::new('$', Spacing::Joint)
}

/// Replaces `crate` by `$crate`, so that a path has the same meaning in another crate.
fn with_dollar_crate(tokens: TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) if ident == "crate" => {
                // The token keeps the author's span. `$crate` therefore refers to the author's crate,
                // and not to the crate of a macro around the call.
                output.extend([dollar().into(), Ident::new("crate", ident.span()).into()]);
            }
            TokenTree::Group(group) => {
                let inner = with_dollar_crate(group.stream());
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                output.push(copy.into());
            }
            other => output.push(other),
        }
    }
    output.into_iter().collect()
}
