//! What another call hands on: its declarations, and a summary of each of its opcodes.
//!
//! The summary holds what the rules across sets need and no more: the fixed bits, the illegal
//! words, the mnemonic with the kinds of its operands, and the paths of the types.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::Bracket;
use syn::{LitInt, LitStr, Result, Token, braced, bracketed};

use super::ast::{Imported, Included, IncludedAlias, Origin, Spec};
use super::parse_items;
use crate::diag::Diagnostics;

/// `use [path] { declarations }`, as written by another call.
pub(super) fn parse_imported(
    input: ParseStream<'_>,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) -> Result<()> {
    let mode = Ident::parse_any(input)?;
    let path;
    bracketed!(path in input);
    let path: TokenStream = path.parse()?;
    let body;
    braced!(body in input);
    let body: TokenStream = body.parse()?;
    let mut brought = Spec::default();
    parse_items(body.clone(), &Some(path.clone()), &mut brought, diag);
    if mode == "include" {
        let module: Rc<str> = path.to_string().into();
        for opcode in &mut brought.included {
            opcode.place = mode.span();
            opcode.module = match is_bare(&opcode.path) {
                true => Rc::clone(&module),
                false => module_of(&opcode.path),
            };
            opcode.path = complete(&path, &opcode.path);
            opcode.family = opcode.family.each_ref().map(|part| complete(&path, part));
            let aliases = opcode.aliases.iter_mut().map(|alias| &mut alias.readers);
            for readers in aliases.chain([&mut opcode.readers]) {
                *readers = readers.iter().map(|reader| complete(&path, reader)).collect();
            }
        }
        spec.included.extend(brought.included);
    } else {
        take_declarations(brought, spec);
        spec.imported.push(Imported { module: path, declarations: body });
    }
    Ok(())
}

/// The path of an opcode's type, which a set gives without its own module.
fn complete(module: &TokenStream, path: &TokenStream) -> TokenStream {
    if is_bare(path) { quote!(#module::#path) } else { path.clone() }
}

fn is_bare(path: &TokenStream) -> bool {
    path.clone().into_iter().nth(1).is_none()
}

fn module_of(path: &TokenStream) -> Rc<str> {
    let path = path.to_string();
    path.rsplit_once("::").map_or("", |(module, _)| module.trim_end()).into()
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

/// The summary of an opcode, as written by [`included_tokens`].
pub(super) fn parse_included(input: ParseStream<'_>) -> Result<Included> {
    let name = input.parse()?;
    let path;
    bracketed!(path in input);
    let path = path.parse()?;
    let family = [parse_bracketed(input)?, parse_bracketed(input)?];
    let (mnemonic, text, readers) = parse_text(input)?;
    let mut aliases = Vec::new();
    while input.peek(syn::Ident) {
        let name = input.parse()?;
        let (mnemonic, text, readers) = parse_text(input)?;
        aliases.push(IncludedAlias { name, mnemonic, text, readers });
    }
    let fixes = input.parse::<LitStr>()?.value();
    let bits = input.parse::<LitInt>()?.base10_parse()?;
    let executes = input.parse::<LitInt>()?.base10_parse::<u8>()? != 0;
    let traps = input.parse::<LitInt>()?.base10_parse::<u8>()? != 0;
    let (mask, value, unused) = (parse_word(input)?, parse_word(input)?, parse_word(input)?);
    let mut illegal = Vec::new();
    while !input.peek(Token![;]) {
        illegal.push((parse_word(input)?, parse_word(input)?));
    }
    input.parse::<Token![;]>()?;
    Ok(Included {
        name,
        path,
        module: Rc::from(""),
        mnemonic,
        bits,
        mask,
        value,
        unused,
        illegal,
        executes,
        traps,
        place: Span::call_site(),
        text,
        readers,
        fixes,
        family,
        aliases,
    })
}

/// A mnemonic, the text that has it, and the readers in that.
fn parse_text(input: ParseStream<'_>) -> Result<(String, String, Vec<TokenStream>)> {
    let mnemonic = input.parse::<LitStr>()?.value();
    let text = input.parse::<LitStr>()?.value();
    let mut readers = Vec::new();
    while input.peek(Bracket) {
        readers.push(parse_bracketed(input)?);
    }
    Ok((mnemonic, text, readers))
}

fn parse_bracketed(input: ParseStream<'_>) -> Result<TokenStream> {
    let inside;
    bracketed!(inside in input);
    inside.parse()
}

fn parse_word(input: ParseStream<'_>) -> Result<u128> {
    input.parse::<LitInt>()?.base10_parse()
}

/// The summary of an opcode for calls that include this one.
pub(crate) fn included_tokens(opcode: &Included) -> TokenStream {
    let Included {
        name,
        path,
        module: _,
        mnemonic,
        bits,
        mask,
        value,
        unused,
        illegal,
        executes,
        traps,
        place: _,
        text,
        readers,
        fixes,
        family,
        aliases,
    } = opcode;
    let aliases = aliases.iter().map(|IncludedAlias { name, mnemonic, text, readers }| {
        quote!(#name #mnemonic #text #([#readers])*)
    });
    let [instruction, opcode_trait] = family;
    let word = |w: &u128| proc_macro2::Literal::u128_unsuffixed(*w);
    let words = [mask, value, unused].map(word);
    let illegal = illegal.iter().flat_map(|(m, v)| [word(m), word(v)]);
    let bits = proc_macro2::Literal::u8_unsuffixed(*bits);
    let [executes, traps] =
        [executes, traps].map(|flag| proc_macro2::Literal::u8_unsuffixed(u8::from(*flag)));
    quote! { __opcode #name [#path] [#instruction] [#opcode_trait] #mnemonic #text #([#readers])* #(#aliases)* #fixes #bits #executes #traps #(#words)* #(#illegal)* ; }
}
