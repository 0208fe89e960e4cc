//! Summaries of the opcodes of a call as tokens, for calls that include it.
//!
//! A summary contains only the data that the rules across sets need. The data that all opcodes of a
//! call share comes first. The rest of each opcode is one literal, so that a set of thousands of
//! opcodes needs few tokens:
//!
//! ```text
//! [module] [HaluInstruction] [HaluOpcode] [[reader] [reader]] [little_endian]
//!     ["sched ..." [Wait]] ["unit ..." [Unit]] ["SM90 ..."] {
//!     HADD2_RR Hadd2Rr "..." ALIAS "..." ;
//! }
//! ```
//!
//! The literal of an opcode consists of lines: its numbers, its mnemonic, its text summary, and the
//! fields that fix its bits. A line for each limit follows. The literal of an alias consists of its mnemonic and text summary.

use std::fmt::Write as _;
use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree, token_stream};
use quote::quote;

use super::ast::{ByteOrder, CommonMember, Feature, Included, IncludedAlias, IncludedSet};
use super::relative_path::seen_from;

/// Returns the tokens of opcodes. The opcodes of one set must be next to each other.
pub(crate) fn included_tokens(opcodes: &[Included]) -> TokenStream {
    let sets = opcodes.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    let sets = sets.filter_map(|opcodes| {
        let IncludedSet {
            module,
            module_text: _,
            family,
            readers,
            byte_order,
            features,
            fields,
            properties,
        } = &*opcodes.first()?.set;
        let order = Ident::new(byte_order.name(), Span::call_site());
        let features = features.iter().map(feature_literal);
        let [fields, properties] = [fields, properties].map(|members| member_tokens(members));
        let [instruction, opcode_trait] = family;
        let opcodes: TokenStream = opcodes.iter().flat_map(opcode_tokens).collect();
        Some(quote! {
            [#module] [#instruction] [#opcode_trait] [#([#readers])*] [#order] [#fields]
            [#properties] [#(#features)*] { #opcodes }
        })
    });
    sets.collect()
}

/// Returns the literal of a feature.
fn feature_literal(feature: &Feature) -> Literal {
    let Feature { name, doc, includes, excludes } = feature;
    Literal::string(&format!("{name}\n{includes:x} {excludes:x}\n{doc}"))
}

/// Parses the literal of a feature.
fn read_feature(text: &str) -> Option<Feature> {
    let mut lines = text.splitn(3, '\n');
    let name = lines.next()?.to_owned();
    let (includes, excludes) = lines.next()?.split_once(' ')?;
    let [includes, excludes] = [includes, excludes].map(|mask| u128::from_str_radix(mask, 16));
    Some(Feature {
        name,
        includes: includes.ok()?,
        excludes: excludes.ok()?,
        doc: lines.next()?.to_owned(),
    })
}

/// Returns the tokens of the fields or the properties that all opcodes of a call have.
fn member_tokens(members: &[CommonMember]) -> TokenStream {
    let tokens = members.iter().map(|CommonMember { name, text, index, ty }| {
        let lines = Literal::string(&format!("{name}\n{index}\n{text}"));
        quote!(#lines [#ty])
    });
    tokens.collect()
}

fn opcode_tokens(opcode: &Included) -> Vec<TokenTree> {
    let aliases = opcode.aliases.iter().flat_map(|alias| {
        let lines = format!("{}\n{}", alias.mnemonic, alias.text);
        [TokenTree::Ident(alias.name.clone()), Literal::string(&lines).into()]
    });
    let (name, type_name) = (opcode.name.clone(), opcode.type_name.clone());
    let mut tokens: Vec<TokenTree> =
        vec![name.into(), type_name.into(), Literal::string(&lines(opcode)).into()];
    tokens.extend(aliases);
    tokens.push(proc_macro2::Punct::new(';', proc_macro2::Spacing::Alone).into());
    tokens
}

/// Returns the contents of an opcode's literal.
fn lines(opcode: &Included) -> String {
    let Included { bits, short, mask, value, unused, executes, traps, illegal, .. } = opcode;
    let (executes, traps) = (u8::from(*executes), u8::from(*traps));
    let mut text = bits.to_string();
    if let Some((bits, long)) = short {
        let _ = write!(text, ":{bits}");
        for (mask, value) in long {
            let _ = write!(text, ":{mask:x}:{value:x}");
        }
    }
    let _ = write!(text, " {executes} {traps} {mask:x} {value:x} {unused:x}");
    for (mask, value) in illegal {
        let _ = write!(text, " {mask:x} {value:x}");
    }
    for line in [&opcode.mnemonic, &opcode.text, &opcode.fixes] {
        text.push('\n');
        text.push_str(line);
    }
    for [words, features] in &opcode.limits {
        text.push('\n');
        for (place, (mask, value)) in words.iter().chain(features).enumerate() {
            let between = if place == words.len() { ";" } else { " " };
            let _ = write!(text, "{between}{mask:x} {value:x}");
        }
    }
    text
}

/// Parses the tokens of [`included_tokens`] for a call with `include` at `place`. `module` is the
/// module of the included call. Returns `None` if the tokens do not have the form of a summary.
pub(super) fn read_included(
    tokens: TokenStream,
    module: &TokenStream,
    place: Span,
) -> Option<Vec<Included>> {
    let mut trees = tokens.into_iter();
    let mut included = Vec::new();
    while let Some(first) = trees.next() {
        let own = bracketed(first)?;
        let is_own = own.is_empty();
        let module = if is_own { module.clone() } else { seen_from(module, own) };
        let mut path = || Some(complete(&module, bracketed(trees.next()?)?));
        let family = [path()?, path()?];
        let readers = bracketed(trees.next()?)?.into_iter();
        let readers = readers.map(|reader| Some(complete(&module, bracketed(reader)?)));
        let readers = readers.collect::<Option<_>>()?;
        let order = bracketed(trees.next()?)?.to_string();
        let byte_order = ByteOrder::ALL.into_iter().find(|known| known.name() == order)?;
        let fields = read_members(bracketed(trees.next()?)?, &module)?;
        let properties = read_members(bracketed(trees.next()?)?, &module)?;
        let features = bracketed(trees.next()?)?.into_iter();
        let features = features.map(|text| read_feature(&string(text)?)).collect::<Option<_>>()?;
        let module_text = module.to_string();
        let set = Rc::new(IncludedSet {
            module,
            module_text,
            family,
            readers,
            byte_order,
            features,
            fields,
            properties,
        });
        let TokenTree::Group(opcodes) = trees.next()? else { return None };
        let mut opcodes = opcodes.stream().into_iter();
        while let Some(first) = opcodes.next() {
            included.push(read_opcode(&set, first, &mut opcodes, place)?);
        }
    }
    Some(included)
}

/// Parses the tokens of [`member_tokens`].
fn read_members(tokens: TokenStream, module: &TokenStream) -> Option<Vec<CommonMember>> {
    let mut trees = tokens.into_iter();
    let mut members = Vec::new();
    while let Some(lines) = trees.next() {
        let lines = string(lines)?;
        let mut lines = lines.splitn(3, '\n');
        let (name, index) = (lines.next()?.to_owned(), lines.next()?.parse().ok()?);
        let (text, path) = (lines.next()?.to_owned(), bracketed(trees.next()?)?);
        let ty = if path.is_empty() { path } else { complete(module, path) };
        members.push(CommonMember { name, text, index, ty });
    }
    Some(members)
}

/// Adds the module of a call to a path that consists of a single name.
fn complete(module: &TokenStream, path: TokenStream) -> TokenStream {
    let is_bare = path.clone().into_iter().nth(1).is_none();
    if is_bare { quote!(#module::#path) } else { seen_from(module, path) }
}

fn read_opcode(
    set: &Rc<IncludedSet>,
    first: TokenTree,
    rest: &mut token_stream::IntoIter,
    place: Span,
) -> Option<Included> {
    let (name, type_name) = (word(first)?, word(rest.next()?)?);
    let text = string(rest.next()?)?;
    let mut lines = text.split('\n');
    let mut numbers = lines.next()?.split(' ');
    let (bits, short) = read_widths(numbers.next()?)?;
    let mut flag = || Some(numbers.next()?.parse::<u8>().ok()? != 0);
    let (executes, traps) = (flag()?, flag()?);
    let mut next_word = || u128::from_str_radix(numbers.next()?, 16).ok();
    let (mask, value, unused) = (next_word()?, next_word()?, next_word()?);
    let mut illegal = Vec::new();
    while let Some(mask) = next_word() {
        illegal.push((mask, next_word()?));
    }
    let mut line = || Some(lines.next()?.to_owned());
    let (mnemonic, text, fixes) = (line()?, line()?, line()?);
    let limits = lines.map(read_limit).collect::<Option<_>>()?;
    let mut aliases = Vec::new();
    loop {
        match rest.next()? {
            TokenTree::Punct(_) => break,
            name => {
                let (name, text) = (word(name)?, string(rest.next()?)?);
                let (mnemonic, text) = text.split_once('\n')?;
                let (mnemonic, text) = (mnemonic.to_owned(), text.to_owned());
                aliases.push(IncludedAlias { name, mnemonic, text });
            }
        }
    }
    let path = complete(&set.module, TokenTree::Ident(type_name.clone()).into());
    let set = Rc::clone(set);
    Some(Included {
        set,
        name,
        type_name,
        path,
        mnemonic,
        bits,
        short,
        mask,
        value,
        unused,
        illegal,
        limits,
        executes,
        traps,
        place,
        text,
        fixes,
        aliases,
    })
}

/// The width of short words, and the long words as masked patterns.
type ShortWords = (u8, Vec<(u128, u128)>);

/// Parses the width of an opcode's words, for example `32`, or the width, the width of its short words
/// and the patterns of the long words: `64:32:ff:ff`.
fn read_widths(text: &str) -> Option<(u8, Option<ShortWords>)> {
    let mut parts = text.split(':');
    let bits = parts.next()?.parse().ok()?;
    let Some(short) = parts.next() else { return Some((bits, None)) };
    let numbers = parts.map(|part| u128::from_str_radix(part, 16).ok());
    let numbers = numbers.collect::<Option<Vec<_>>>()?;
    let long = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    Some((bits, Some((short.parse().ok()?, long))))
}

/// Parses masked patterns of words and, after a semicolon, of features.
fn read_limit(line: &str) -> Option<[Vec<(u128, u128)>; 2]> {
    let cubes = |text: &str| -> Option<Vec<(u128, u128)>> {
        let numbers = text.split_whitespace().map(|number| u128::from_str_radix(number, 16).ok());
        let numbers = numbers.collect::<Option<Vec<u128>>>()?;
        Some(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    };
    let (words, features) = line.split_once(';')?;
    Some([cubes(words)?, cubes(features)?])
}

fn bracketed(tree: TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    }
}

fn word(tree: TokenTree) -> Option<Ident> {
    match tree {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    }
}

fn string(tree: TokenTree) -> Option<String> {
    match tree {
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            // `syn` examines each byte, which is slow for thousands of opcodes.
            unescaped(&text).or_else(|| match syn::Lit::new(literal) {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Returns the value of a literal that contains only the escapes that [`lines`] needs, or `None` if
/// it contains other escapes.
fn unescaped(literal: &str) -> Option<String> {
    let mut parts = literal.strip_prefix('"')?.strip_suffix('"')?.split('\\');
    let mut text = parts.next()?.to_owned();
    while let Some(part) = parts.next() {
        let (byte, rest) = match part.as_bytes().first() {
            None => ('\\', parts.next()?),
            Some(b'n') => ('\n', &part[1..]),
            Some(b'"') => ('"', &part[1..]),
            Some(_) => return None,
        };
        text.push(byte);
        text.push_str(rest);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> TokenStream {
        quote! {
            [] [XInstruction] [XOpcode] [[__isa_text_Reg] [a::b()]] [big_endian] ["sched\n3\n`sched`: `Wait`, bits 8..=11" [Wait]]
            ["unit\n0\nUnit" [Unit] "latency\n1\nu8" []] ["F\n1 0\nFloats." "D\n3 4\n"] {
                ADD Add "16 1 0 ff 1 f0 3 1\nADD\n!%0\";\"\nop == ADD\n f 2 f0 10;1 0 2 2" MOVE "MOVE\n!%1";
                SUB Sub "16:8:f:3:f0:10 0 1 ff 2 f0\nSUB\n!\nop == SUB";
            }
        }
    }

    #[test]
    fn what_is_read_is_what_was_written_with_its_place() {
        let module = quote!(crate::x);
        let read = read_included(tokens(), &module, Span::call_site()).unwrap();
        let [add, sub] = &read[..] else { panic!("{read:#?}") };
        assert_eq!((add.mask, add.value, add.unused), (0xff, 1, 0xf0));
        assert_eq!((&add.illegal[..], &add.fixes[..]), (&[(3, 1)][..], "op == ADD"));
        assert_eq!(add.limits, [[vec![(0xf, 2), (0xf0, 0x10)], vec![(1, 0), (2, 2)]]]);
        assert_eq!((add.set.features[1].includes, add.set.features[1].excludes), (3, 4));
        assert_eq!((sub.bits, sub.executes, sub.traps), (16, false, true));
        assert_eq!((&add.short, &sub.short), (&None, &Some((8, vec![(0xf, 3), (0xf0, 0x10)]))));
        assert_eq!(add.path.to_string(), quote!(crate::x::Add).to_string());
        assert_eq!(add.aliases[0].mnemonic, "MOVE");
        let expected = quote! {
            [crate::x] [crate::x::XInstruction] [crate::x::XOpcode]
            [[crate::x::__isa_text_Reg] [a::b()]] [big_endian] ["sched\n3\n`sched`: `Wait`, bits 8..=11" [crate::x::Wait]]
            ["unit\n0\nUnit" [crate::x::Unit] "latency\n1\nu8" []] ["F\n1 0\nFloats." "D\n3 4\n"] {
                ADD Add "16 1 0 ff 1 f0 3 1\nADD\n!%0\";\"\nop == ADD\n f 2 f0 10;1 0 2 2" MOVE "MOVE\n!%1";
                SUB Sub "16:8:f:3:f0:10 0 1 ff 2 f0\nSUB\n!\nop == SUB";
            }
        };
        assert_eq!(included_tokens(&read).to_string(), expected.to_string());
        // If a third call includes the opcodes, their paths remain unchanged.
        let again = read_included(expected.clone(), &quote!(crate::y), Span::call_site()).unwrap();
        assert_eq!(included_tokens(&again).to_string(), expected.to_string());
    }

    #[test]
    fn a_literal_has_the_value_that_syn_finds() {
        for text in ["", "a\nb", "\\", "\\\\n\"x\"\n", "tab\t", "it's", "\\\n", "\u{7f}é", "\r"] {
            let literal = TokenTree::from(Literal::string(text));
            assert_eq!(string(literal.clone()).as_deref(), Some(text));
            let own = unescaped(&literal.to_string());
            assert!(own.is_none_or(|own| own == text), "{literal}");
        }
        assert_eq!(string(TokenTree::from(Literal::character('"'))), None);
        assert_eq!(string(TokenTree::from(Literal::byte_string(b"x"))), None);
    }

    #[test]
    fn anything_else_is_nothing() {
        let all: Vec<TokenTree> = tokens().into_iter().collect();
        for missing in 0..all.len() {
            let rest = all[..missing].iter().chain(&all[missing + 1..]).cloned().collect();
            let read = read_included(rest, &quote!(crate::x), Span::call_site());
            assert!(read.is_none(), "without {}", all[missing]);
        }
        let short = quote!([] [X] [Y] [] { ADD Add "16 1 0 ff 1 f0 3\nADD\n!\nop"; });
        assert!(read_included(short, &quote!(crate::x), Span::call_site()).is_none());
    }
}
