//! Emits the items of the set: the enum of all instructions, and the table with its decode tree and its
//! mnemonics.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::exec::{errors_doc, machine_trait, outcome, success};
use super::literals::{emit_option, hex};
use super::names::{GeneratedNames, escape, set_bits, word_type};
use super::properties::emit_accessors as emit_property_accessors;
use crate::core_path::CORE;
use crate::model::cube::Cube;
use crate::model::names::SET_METHODS;
use crate::model::{Model, derived};
use crate::plan::limits::layout;
use crate::plan::{
    DecodeTree, Example, Member, Mnemonic, MnemonicTable, Plan, Root, Set, WordWidth,
};
use crate::syntax::ast::{ByteOrder, CommonMember, Feature};

/// Emits the enum with its methods, and the test of its examples, or nothing if the set has no opcodes.
pub(crate) fn emit_set(Plan { model, set, .. }: &Plan<'_>, names: &GeneratedNames) -> TokenStream {
    if set.members.is_empty() {
        return TokenStream::new();
    }
    let (types, methods) = (emit_enum(model, &set.members), emit_methods(model, names, set));
    let (execute, warp) = (emit_execute(model, &set.members), emit_warp(model, names, set));
    let accessors = emit_accessors(model, names, set);
    let examples = emit_examples(model, &set.examples);
    quote!(#types #methods #accessors #execute #warp #examples)
}

/// Emits the accessors of the fields and properties that all opcodes have. A field whose accessors would
/// have the name of another method has none.
fn emit_accessors(model: &Model, names: &GeneratedNames, set: &Set<'_>) -> TokenStream {
    let (name, vis, table) = (&model.header.name, &model.header.vis, &names.set);
    let mut taken: BTreeSet<String> = SET_METHODS.map(str::to_owned).into();
    taken.extend(set.properties.iter().map(|property| property.name.clone()));
    let mut methods = TokenStream::new();
    for CommonMember { name: field, text, index, ty } in &set.fields {
        let get = field.replace('.', "_");
        let with = format!("with_{get}");
        if taken.contains(&get) || taken.contains(&with) {
            continue;
        }
        taken.extend([get.clone(), with.clone()]);
        let (get, with) = (escape(&derived(&get, name)), derived(&with, name));
        let (get_doc, with_doc) = (format!("Gets {text}."), format!("Sets {text}."));
        let index = Literal::usize_unsuffixed(*index);
        methods.extend(quote! {
            #[doc = #with_doc] #with #[doc = #get_doc] #get [#ty] [#table.opcodes[0].fields[#index]]
        });
    }
    let properties = emit_property_accessors(&set.properties, name);
    let properties = (!properties.is_empty())
        .then(|| quote!(#CORE::__private::properties! { #vis #name #properties }));
    let fields = (!methods.is_empty())
        .then(|| quote!(#CORE::__private::accessors! { #vis [] [#name] #methods }));
    quote!(#fields #properties)
}

fn emit_enum(model: &Model, members: &[Member<'_>]) -> TokenStream {
    let (name, vis, attrs) = (&model.header.name, &model.header.vis, &model.header.docs.attrs);
    let fallback = attrs.is_empty().then(|| {
        let text = format!("An instruction of the set `{name}`.");
        quote!(#[doc = #text])
    });
    let variants = members.iter().map(|member| &member.variant);
    let paths = members.iter().map(|member| &member.path);
    let docs = members.iter().map(|m| {
        let path = m.path.to_string().replace(' ', "");
        match m.mnemonic {
            "" => format!("The opcode [`{path}`]."),
            mnemonic => format!("`{mnemonic}`, the opcode [`{path}`]."),
        }
    });
    quote! {
        #attrs #fallback
        #[derive(Copy)]
        #[allow(clippy::enum_variant_names, reason = "named after the opcodes")]
        #vis enum #name { #(#[doc = #docs] #variants(#paths),)* }
    }
}

/// Emits the methods of the enum that depend on the names of its variants.
fn emit_methods(
    model: &Model,
    names: &GeneratedNames,
    Set { members, families, .. }: &Set<'_>,
) -> TokenStream {
    let (name, vis, table) = (&model.header.name, &model.header.vis, &names.set);
    let word = word_type(set_bits(model));
    let variants = members.iter().enumerate().map(|(index, Member { variant, path, .. })| {
        let index = Literal::usize_unsuffixed(index);
        quote!(#index #variant [#path])
    });
    let included = families.iter().map(|(first, [instruction, opcode])| {
        let first = Literal::usize_unsuffixed(*first);
        quote!(#first [#instruction] [#opcode])
    });
    let own = (!model.opcodes.is_empty()).then(|| {
        let first = Literal::usize_unsuffixed(model.included.len());
        let GeneratedNames { instruction, opcode_trait, .. } = names;
        quote!(#first [#instruction] [#opcode_trait])
    });
    quote! {
        #CORE::__private::set! {
            #vis #name #word #table { #(#variants)* } { #(#included)* #own }
        }
    }
}

/// Emits `execute` of the set, if all its opcodes have semantics.
fn emit_execute(model: &Model, members: &[Member<'_>]) -> TokenStream {
    if !members.iter().all(|member| member.executes) {
        return TokenStream::new();
    }
    let (name, vis, bound) = (&model.header.name, &model.header.vis, machine_trait(model));
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let calls = members.iter().map(|member| {
        let place = member.at;
        match (member.traps, &model.trap) {
            (true, Some(_)) => quote_spanned!(place=> i.execute(machine)?),
            // This was already reported as an error.
            (true, None) => quote_spanned!(place=> { let _ = i.execute(machine); }),
            (false, _) => quote_spanned!(place=> i.execute(machine)),
        }
    });
    let (outcome, success, errors) = (outcome(model), success(model), errors_doc(model));
    let word = word_type(set_bits(model));
    let included = model.included.len();
    let functions = members.iter().zip(calls.clone()).enumerate().map(|(index, (member, call))| {
        let (path, place) = (&member.path, member.at);
        match index < included {
            // The opcode may have another word and another result.
            true => quote_spanned! {place=> |word, machine| {
                let i = <#path>::__from_valid(::core::convert::Into::into(word));
                #call;
                #success
            }},
            false => quote!(<#path>::__run_word),
        }
    });
    quote! {
        #[automatically_derived]
        impl #name {
            /// Returns the function that executes the words of this opcode.
            ///
            /// Like [`execute`](Self::execute), it executes an instruction on a machine. A simulator that
            /// stores the function and the word of each instruction does not have to select the opcode
            /// again. The function does not check the word: it must be a valid word of the same opcode.
            #[must_use]
            #vis fn executor<__M: #bound + ?::core::marker::Sized>(
                self,
            ) -> fn(#word, &mut __M) #outcome {
                match self { #(Self::#variants(_) => #functions,)* }
            }

            /// Executes the instruction on a machine: fetches its input operands, computes the
            /// results, and stores them. If the guard of the instruction is false, nothing happens.
            #errors
            #vis fn execute<__M: #bound + ?::core::marker::Sized>(
                self, machine: &mut __M,
            ) #outcome {
                match self { #(Self::#variants(i) => #calls,)* }
                #success
            }
        }
    }
}

/// Emits the methods of the set for a warp, if opcodes have semantics. If a warp cannot execute all opcodes
/// of a set that includes others, the set must declare a machine, because the machines of the included sets
/// are not known here.
fn emit_warp(
    model: &Model,
    names: &GeneratedNames,
    Set { members, families, .. }: &Set<'_>,
) -> Option<TokenStream> {
    let has_warp = |member: &&Member<'_>| member.executes && !member.traps;
    let is_complete = model.trap.is_none() && members.iter().all(|member| has_warp(&member));
    let has_machine = is_complete || model.machine.is_some() || model.included.is_empty();
    if !has_machine || !members.iter().any(|member| member.executes) {
        return None;
    }
    let (name, vis, bound) = (&model.header.name, &model.header.vis, machine_trait(model));
    let word = word_type(set_bits(model));
    let all = is_complete.then(|| quote!(all));
    let with = members.iter().filter(has_warp).map(|Member { variant, path, at, .. }| {
        quote_spanned!(*at=> #variant [<#path>::__run_warp_word])
    });
    let own = (!model.opcodes.is_empty())
        .then(|| (model.included.len(), names.instruction.to_token_stream()));
    let included = families.iter().map(|(first, [instruction, _])| (*first, instruction.clone()));
    let families = included.chain(own).collect::<Vec<_>>().into_iter().rev();
    let families = families.map(|(first, instruction)| {
        let (at, first) = (members[first].at, Literal::usize_unsuffixed(first));
        quote_spanned!(at=> #first [<#instruction<()>>::__guarded_lanes])
    });
    Some(quote! {
        #CORE::__private::warp! {
            #all #vis #name #word [#bound] { #(#with)* } { #(#families)* }
        }
    })
}

/// Emits a test for the examples: each must assemble to an opcode that inherits from the node of the
/// example, and must be printed as the same text, or as its canonical text if it declares one.
fn emit_examples(model: &Model, examples: &[Example<'_>]) -> TokenStream {
    if examples.is_empty() {
        return TokenStream::new();
    }
    let set = &model.header.name;
    let rows = examples.iter().map(|Example { text, canonical, members }| {
        let canonical = emit_option(canonical.map(|text| quote!(#text)));
        quote!((#text, #canonical, &[#(#members),*]))
    });
    let name = format_ident!("__{set}_examples");
    quote!(#CORE::__private::examples! { #name #set [#(#rows),*] })
}

/// Emits the rows of the set and its table, or nothing if the set has no opcodes.
pub(crate) fn emit_table(
    Plan { model, set, .. }: &Plan<'_>,
    names: &GeneratedNames,
) -> TokenStream {
    let Set { members, families, aliases, tree, widths, finder, mnemonics, .. } = set;
    if members.is_empty() {
        return TokenStream::new();
    }
    let (table, name) = (&names.set, model.header.name.to_string());
    let (doc, bits) = (model.header.docs.text.trim(), set_bits(model));
    let (rows, opcodes, count) = (&names.rows, &names.opcodes, members.len());
    let included = families.iter().map(|&(first, _)| {
        let path = &members[first].path;
        quote!(#path::__rows())
    });
    let tables = included.chain((!model.opcodes.is_empty()).then(|| quote!(&#opcodes)));
    let (tree, widths) = (emit_tree(tree), widths.iter().map(emit_width));
    let spelled = emit_spelled(set, names);
    let aliased = aliases.iter().map(|alias| Literal::usize_unsuffixed(alias.opcode));
    let finder = emit_finder(finder);
    let mnemonics = mnemonics.iter().map(|Mnemonic { text, spellings, calls }| {
        let spellings = spellings.iter().map(number);
        let calls = calls.iter().map(|call| {
            let call = call.iter().map(number);
            quote!([#(#call)*])
        });
        quote!(#text [#(#spellings)*] #(#calls)*)
    });
    let any_case = model.any_case.is_some();
    let address_bits = Literal::u8_unsuffixed(model.address_bits);
    let byte_order = match model.byte_order {
        ByteOrder::LittleEndian => quote!(LittleEndian),
        ByteOrder::BigEndian => quote!(BigEndian),
        ByteOrder::LittleEndianHalfwords => quote!(LittleEndianHalfwords),
    };
    let features = emit_features(model);
    let layout = layout().map(Literal::u64_unsuffixed);
    quote! {
        const _: () = #CORE::table::assert_layout(&[#(#layout),*]);
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #rows: [&#CORE::table::Opcode; #count] =
            #CORE::table::rows([#(#tables),*]);
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: #CORE::table::InstructionSet = #CORE::table::InstructionSet {
            name: #name, doc: #CORE::table::described_doc(#doc), bits: #bits, widths: &[#(#widths),*],
            opcodes: &#rows, spellings: #spelled,
            aliased: &[#(#aliased),*],
            tree: #tree,
            finder: #finder,
            mnemonics: #CORE::__private::mnemonics![#(#mnemonics)*],
            any_case: #any_case, address_bits: #address_bits,
            byte_order: #CORE::table::ByteOrder::#byte_order, #features
        };
    }
}

/// Emits the features of the set.
fn emit_features(model: &Model) -> TokenStream {
    let features = model.features.all.iter().map(|feature| {
        let Feature { name, doc, includes, excludes } = feature;
        let (includes, excludes) = (hex(*includes), hex(*excludes));
        quote!(#CORE::table::Feature::new(
            #name, #CORE::table::described_doc(#doc), #includes, #excludes,
        ))
    });
    let enabled = match model.features.default {
        0 => quote!(#CORE::table::FeatureSet::EMPTY),
        bits => {
            let bits = hex(bits);
            quote!(#CORE::table::FeatureSet::from_bits(#bits))
        }
    };
    quote!(features: &[#(#features),*], enabled: #enabled,)
}

/// Emits the list of all rows that a text can be parsed as: the rows of the set, followed by the rows
/// of aliases.
fn emit_spelled(Set { members, aliases, .. }: &Set<'_>, names: &GeneratedNames) -> TokenStream {
    let (rows, count, more) = (&names.rows, members.len(), aliases.len());
    if more == 0 {
        return quote!(&#rows);
    }
    let aliases = aliases.iter().map(|alias| {
        let opcode = Literal::usize_unsuffixed(alias.opcode);
        let place = Literal::usize_unsuffixed(alias.place);
        quote!(#rows[#opcode].aliases[#place].row)
    });
    let all = count + more;
    quote!(&#CORE::table::both::<#count, #more, #all>(&#rows, [#(#aliases),*]))
}

fn emit_tree(DecodeTree { root, nodes, entries, general }: &DecodeTree) -> TokenStream {
    let count = nodes.len();
    let bytes = nodes.iter().flat_map(|(gather, base)| {
        let entry = u64::from(*base) | u64::from(gather.shift) << 32;
        let [low, high] = gather.masks;
        [low, high, gather.magic, entry].into_iter().flat_map(u64::to_le_bytes)
    });
    let nodes = Literal::byte_string(&bytes.collect::<Vec<u8>>());
    let entries: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let (entries, general) = (Literal::byte_string(&entries), general.iter().map(number));
    let root = match root {
        Some(Root { half, mask, magic, bits }) => {
            let half = Literal::u8_unsuffixed(*half);
            let (mask, magic) = (hex((*mask).into()), hex((*magic).into()));
            let shift = Literal::u32_unsuffixed(64 - bits);
            quote!(#CORE::table::DecodeRoot::new(#half, #mask, #magic, #shift))
        }
        None => quote!(#CORE::table::DecodeRoot::NONE),
    };
    quote! {
        #CORE::table::DecodeTree {
            root: #root,
            nodes: &#CORE::table::nodes::<#count>(#nodes),
            entries: #entries.as_chunks().0,
            general: &[#(#general),*],
        }
    }
}

fn emit_finder(MnemonicTable { magic, shift, entries, has_dots }: &MnemonicTable) -> TokenStream {
    if entries.is_empty() {
        return quote!(#CORE::table::Finder::NONE);
    }
    let (magic, shift) = (hex((*magic).into()), Literal::u32_unsuffixed(*shift));
    let entries = Literal::byte_string(entries);
    let dots = has_dots.then(|| quote!(.with_dots()));
    quote!(#CORE::table::Finder::new(#magic, #shift, #entries) #dots)
}

fn emit_width(WordWidth { bits, common, starts }: &WordWidth) -> TokenStream {
    let bits = Literal::u8_unsuffixed(*bits);
    let common = emit_cube(*common);
    let starts = match starts {
        None => quote!(::core::option::Option::None),
        Some(starts) => {
            let starts = starts.iter().map(|start| emit_cube(*start));
            quote!(::core::option::Option::Some(&[#(#starts),*]))
        }
    };
    quote! {
        #CORE::table::Width { bits: #bits, common: #common, starts: #starts }
    }
}

fn emit_cube(Cube { mask, value }: Cube) -> TokenStream {
    let [mask, value] = [mask, value].map(Literal::u128_unsuffixed);
    quote!(#CORE::table::Cube { mask: #mask, value: #value })
}

fn number(number: &u16) -> Literal {
    Literal::u16_unsuffixed(*number)
}
