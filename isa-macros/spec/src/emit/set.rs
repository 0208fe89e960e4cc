//! The set: its decode tree, its mnemonics, and the enum of all its instructions.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::effects::{errors_doc, outcome, success};
use super::exec::machine_trait;
use super::names::{Names, set_bits, word_type};
use super::sets::hex;
use crate::model::cube::Cube;
use crate::model::sieve::find_hash;
use crate::model::{Model, Opcode, derived, tree};

/// An opcode of the set: of this call, or included.
struct Member {
    variant: Ident,
    path: TokenStream,
    mnemonic: String,
    bits: u8,
    fixed: Cube,
    identity: Cube,
    executes: bool,
    /// Whether its `execute` gives a result.
    traps: bool,
    /// Where it is included.
    place: Option<Span>,
}

impl Member {
    /// Where its calls are shown: what an included opcode needs and the set lacks is the matter of
    /// the `include`.
    fn at(&self) -> Span {
        let here = Span::call_site();
        self.place.map_or(here, |place| here.located_at(place))
    }
}

/// The table and the enum of the set; nothing where it has no opcodes.
pub(crate) fn emit_set(model: &Model, names: &Names) -> TokenStream {
    let members = members(model);
    if members.is_empty() {
        return TokenStream::new();
    }
    let table = emit_table(model, names, &members);
    let types = emit_enum(model, names, &members);
    let traits = emit_traits(model);
    let examples = emit_examples(model);
    quote!(#table #types #traits #examples)
}

fn members(model: &Model) -> Vec<Member> {
    let included = model.included.iter().map(|opcode| {
        let path = &opcode.path;
        let variant = path.clone().into_iter().last().map(|tree| tree.to_string());
        Member {
            variant: derived(&variant.unwrap_or_default(), &opcode.name),
            path: path.clone(),
            mnemonic: opcode.mnemonic.clone(),
            bits: opcode.bits,
            fixed: Cube { mask: opcode.mask, value: opcode.value },
            identity: Cube { mask: opcode.mask, value: opcode.value },
            executes: opcode.executes,
            traps: opcode.traps,
            place: Some(opcode.place),
        }
    });
    let own = model.opcodes.iter().map(|opcode| {
        let ty = &opcode.type_name;
        Member {
            variant: ty.clone(),
            path: quote!(#ty),
            mnemonic: model.syntaxes[opcode.syntax].mnemonic.clone(),
            bits: opcode.bits,
            fixed: opcode.fixed,
            identity: opcode.identity(),
            executes: opcode.semantics.is_some(),
            traps: model.trap.is_some(),
            place: None,
        }
    });
    included.chain(own).collect()
}

/// An alias of an opcode of the set.
struct Spelling<'m> {
    /// The opcode, as the number of a member.
    opcode: usize,
    /// Which of its aliases.
    place: usize,
    mnemonic: &'m str,
}

/// The aliases of all members.
fn spellings(model: &Model) -> Vec<Spelling<'_>> {
    let included = model.included.iter().map(|opcode| {
        opcode.aliases.iter().map(|alias| alias.mnemonic.as_str()).collect::<Vec<_>>()
    });
    let own = (0..model.opcodes.len()).map(|opcode| {
        let syntaxes = model.aliases_of(opcode).map(|alias| alias.row.syntax);
        syntaxes.map(|syntax| model.syntaxes[syntax].mnemonic.as_str()).collect()
    });
    let numbered = included.chain(own).enumerate();
    let spelling = |opcode: usize, (place, mnemonic)| Spelling { opcode, place, mnemonic };
    numbered
        .flat_map(|(opcode, own)| own.into_iter().enumerate().map(move |one| spelling(opcode, one)))
        .collect()
}

fn emit_table(model: &Model, names: &Names, members: &[Member]) -> TokenStream {
    let (table, name) = (&names.set, model.header.name.to_string());
    let (doc, bits) = (model.header.docs.text.trim(), set_bits(model));
    let cubes: Vec<Cube> = members.iter().map(|member| member.identity).collect();
    let tree::Tree { root, nodes, entries, general } = tree::build(&cubes);
    let root = emit_root(root);
    let nodes = nodes.iter().map(|&(position, width, base)| {
        let base = Literal::u32_unsuffixed(base);
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!(::isa_core::table::Node { position: #position, width: #width, base: #base })
    });
    let number = |n: &u16| Literal::u16_unsuffixed(*n);
    let (entries, general) = (entries.iter().map(number), general.iter().map(number));
    let widths = emit_widths(members);
    let spellings = spellings(model);
    let mnemonics = members.iter().map(|member| member.mnemonic.as_str());
    let mnemonics = mnemonics.chain(spellings.iter().map(|spelling| spelling.mnemonic));
    let mut by_text: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for (index, mnemonic) in mnemonics.enumerate() {
        by_text.entry(mnemonic).or_default().push(index as u16);
    }
    let (rows, count) = (&names.rows, members.len());
    let included = included_families(model).into_iter().map(|(first, _)| {
        let path = &members[first].path;
        quote!(#path::__ROWS)
    });
    let opcodes = &names.opcodes;
    let tables = included.chain((!model.opcodes.is_empty()).then(|| quote!(&#opcodes)));
    let aliases = spellings.iter().map(|spelling| {
        let opcode = Literal::usize_unsuffixed(spelling.opcode);
        let place = Literal::usize_unsuffixed(spelling.place);
        quote!(#rows[#opcode].aliases[#place].row)
    });
    let spelled = match spellings.len() {
        0 => quote!(&#rows),
        more => {
            let all = count + more;
            quote!(&::isa_core::table::both::<#count, #more, #all>(&#rows, [#(#aliases),*]))
        }
    };
    let aliased = spellings.iter().map(|spelling| Literal::usize_unsuffixed(spelling.opcode));
    let texts: Vec<&str> = by_text.keys().copied().collect();
    let finder = emit_finder(&texts);
    let mnemonics = by_text.iter().map(|(text, opcodes)| {
        let opcodes = opcodes.iter().map(number);
        quote!(::isa_core::table::Mnemonic { text: #text, opcodes: &[#(#opcodes),*] })
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #rows: [&::isa_core::table::Opcode; #count] =
            ::isa_core::table::rows([#(#tables),*]);
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: ::isa_core::table::InstructionSet = ::isa_core::table::InstructionSet {
            name: #name, doc: #doc, bits: #bits, widths: &[#(#widths),*],
            opcodes: &#rows, spellings: #spelled,
            aliased: &[#(#aliased),*],
            tree: ::isa_core::table::DecodeTree {
                root: #root, nodes: &[#(#nodes),*], entries: &[#(#entries),*], general: &[#(#general),*],
            },
            finder: #finder,
            mnemonics: &[#(#mnemonics),*],
        };
    }
}

/// Leads to each of some mnemonics; where one has a dot, or there are too many, they are searched
/// for.
fn emit_finder(mnemonics: &[&str]) -> TokenStream {
    let keys: Vec<u64> = mnemonics.iter().map(|text| key(text.as_bytes())).collect();
    let fewest = mnemonics.len().next_power_of_two().ilog2().max(1);
    let plain = mnemonics.len() < 255 && !mnemonics.iter().any(|text| text.contains('.'));
    let found = (fewest..fewest + 4)
        .filter(|_| plain)
        .find_map(|bits| Some((bits, find_hash(&keys, u64::MAX, bits)?)));
    let Some((bits, magic)) = found else { return quote!(::isa_core::table::Finder::NONE) };
    let mut entries = vec![0u8; 1 << bits];
    for (number, key) in (1..).zip(keys) {
        entries[(key.wrapping_mul(magic) >> (64 - bits)) as usize] = number;
    }
    let (magic, shift) = (hex(magic.into()), Literal::u32_unsuffixed(64 - bits));
    let entries = Literal::byte_string(&entries);
    quote!(::isa_core::table::Finder::new(#magic, #shift, #entries))
}

/// As `isa_core::table::Finder` has it: the first eight bytes, the last, and the length.
fn key(word: &[u8]) -> u64 {
    let first = word.iter().take(8).rev().fold(0, |key, &byte| key << 8 | u64::from(byte));
    let last = word.last().copied().unwrap_or_default();
    first ^ u64::from(last) << 13 ^ (word.len() as u64) << 58
}

fn emit_root(root: Option<tree::Root>) -> TokenStream {
    match root {
        Some(tree::Root { half, mask, magic, bits }) => {
            let half = Literal::u8_unsuffixed(half);
            let (mask, magic) = (hex(mask.into()), hex(magic.into()));
            let shift = Literal::u32_unsuffixed(64 - bits);
            quote!(::isa_core::table::Root::new(#half, #mask, #magic, #shift))
        }
        None => quote!(::isa_core::table::Root::NONE),
    }
}

/// The widths of the words, the widest first, with what their opcodes fix alike.
fn emit_widths(members: &[Member]) -> Vec<TokenStream> {
    let mut widths: BTreeMap<u8, Cube> = BTreeMap::new();
    for Member { bits, fixed, .. } in members {
        let common = widths.entry(*bits).or_insert(*fixed);
        let mask = common.mask & fixed.mask & !(common.value ^ fixed.value);
        *common = Cube { mask, value: common.value & mask };
    }
    let narrowest = widths.keys().next().copied().unwrap_or(128);
    let shared = u128::MAX >> (128 - narrowest);
    let emit = |(bits, common): (&u8, &Cube)| {
        let bits = Literal::u8_unsuffixed(*bits);
        let [mask, value] =
            [common.mask & shared, common.value & shared].map(Literal::u128_unsuffixed);
        quote! {
            ::isa_core::table::Width {
                bits: #bits, common: ::isa_core::table::Cube { mask: #mask, value: #value },
            }
        }
    };
    widths.iter().rev().map(emit).collect()
}

fn emit_enum(model: &Model, names: &Names, members: &[Member]) -> TokenStream {
    let (name, vis, attrs) = (&model.header.name, &model.header.vis, &model.header.docs.attrs);
    let (table, word) = (&names.set, word_type(set_bits(model)));
    let fallback = attrs.is_empty().then(|| {
        let text = format!("An instruction of the set `{name}`.");
        quote!(#[doc = #text])
    });
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let paths: Vec<_> = members.iter().map(|member| &member.path).collect();
    let docs = members.iter().map(|m| {
        format!("`{}`, the opcode [`{}`].", m.mnemonic, m.path.to_string().replace(' ', ""))
    });
    let indices = (0..members.len()).map(Literal::usize_unsuffixed);
    let execute = emit_execute(model, members);
    quote! {
        #attrs #fallback
        #[derive(Copy)]
        #[allow(clippy::enum_variant_names, reason = "named after the opcodes")]
        #vis enum #name { #(#[doc = #docs] #variants(#paths),)* }

        #[automatically_derived]
        impl #name {
            /// The tables of the set: every opcode, the decoder, the mnemonics.
            #vis const SET: &'static ::isa_core::table::InstructionSet = &#table;

            /// The instruction with this word.
            ///
            /// # Errors
            ///
            /// A word that is no instruction, with the reason.
            #[inline]
            #vis fn decode(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                let (tree, opcodes) = const { (Self::SET.tree, Self::SET.opcodes) };
                let index = Self::SET.index_by(tree, opcodes, word as u128)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word as u128))
            }

            /// The instruction that a stream begins with, and its length in bytes. Of each word
            /// the lowest byte comes first.
            ///
            /// # Errors
            ///
            /// A word that is no instruction, with the reason, and a stream that ends inside of
            /// one.
            #vis fn decode_first(
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), ::isa_core::DecodeError> {
                let (index, word, length) = Self::SET.first(bytes)?;
                ::core::result::Result::Ok((Self::__from_valid(index, word), length))
            }

            /// The word of the instruction.
            ///
            /// # Errors
            ///
            /// An illegal combination of values, with the reason.
            #[inline]
            #vis fn encode(self) -> ::core::result::Result<#word, ::isa_core::EncodeError> {
                let (opcode, word) = self.__parts();
                ::isa_core::encode(opcode, word).map(|()| word as #word)
            }

            /// The row of the instruction's opcode.
            #[must_use]
            #vis fn opcode(self) -> &'static ::isa_core::table::Opcode {
                self.__parts().0
            }

            /// The operands in the order of the text, with what each is and how it is used.
            #vis fn operands(self) -> ::isa_core::Operands {
                let (opcode, word) = self.__parts();
                ::isa_core::Operands::new(opcode, word)
            }

            /// Reads a text that is exactly one instruction, at an address of a program with these
            /// labels.
            ///
            /// # Errors
            ///
            /// Text that is no legal instruction.
            #vis fn parse_at(
                text: &str,
                address: u64,
                labels: &dyn ::isa_core::asm::Labels,
            ) -> ::core::result::Result<Self, ::isa_core::ParseError> {
                let site = ::isa_core::asm::Site::new(address, labels);
                let (index, word) = ::isa_core::parse_one_at(Self::SET, text, site)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }

            /// The instruction as it is printed at an address, with labels for its targets.
            #[must_use]
            #vis fn at<'l>(
                self,
                address: u64,
                labels: &'l dyn ::isa_core::asm::Labels,
            ) -> ::isa_core::asm::At<'l> {
                let (opcode, word) = self.__parts();
                ::isa_core::asm::At::new(opcode, word, ::isa_core::asm::Site::new(address, labels))
            }

            #execute

            #[doc(hidden)]
            #[must_use]
            #[inline]
            #vis fn __from_valid(index: usize, word: u128) -> Self {
                const BLANK: &[#name] = &[#(#name::#variants(#paths::__from_valid(0)),)*];
                // Chosen from a table, and all variants have the word at one place: no branch.
                // Without a panic, so that none is in the decoder.
                let mut instruction = *BLANK.get(index).unwrap_or(&BLANK[0]);
                match &mut instruction { #(Self::#variants(i) => *i = #paths::__from_valid(word),)* }
                instruction
            }

            #[doc(hidden)]
            #[must_use]
            #[inline]
            #vis fn __parts(self) -> (&'static ::isa_core::table::Opcode, u128) {
                let (index, word) = self.__pair();
                (const { Self::SET.opcodes }[index], word)
            }

            #[inline]
            fn __pair(self) -> (usize, u128) {
                let word: u128 = match self { #(Self::#variants(i) => i.__word(),)* };
                let index: usize = match self { #(Self::#variants(_) => #indices,)* };
                (index, word)
            }
        }
    }
}

/// `execute` of the set, where all its opcodes have semantics.
fn emit_execute(model: &Model, members: &[Member]) -> TokenStream {
    if !members.iter().all(|member| member.executes) {
        return TokenStream::new();
    }
    let (vis, bound) = (&model.header.vis, machine_trait(model));
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let calls = members.iter().map(|member| {
        let place = member.at();
        match (member.traps, &model.trap) {
            (true, Some(_)) => quote_spanned!(place=> i.execute(machine)?),
            // A fault that is reported.
            (true, None) => quote_spanned!(place=> { let _ = i.execute(machine); }),
            (false, _) => quote_spanned!(place=> i.execute(machine)),
        }
    });
    let warp_calls =
        members.iter().map(|member| quote_spanned!(member.at()=> i.execute_warp(machine)));
    let (outcome, success, errors) = (outcome(model), success(model), errors_doc(model));
    let traps = model.trap.is_some() || members.iter().any(|member| member.traps);
    let warp = (!traps).then(|| {
        quote! {
            /// Runs the instruction on all active lanes of a warp, where its guard is true.
            #vis fn execute_warp<const __N: usize>(
                self, machine: &mut ::isa_core::machine::Warp<'_, __N>,
            ) where for<'w> ::isa_core::machine::Lane<'w, __N>: #bound {
                match self { #(Self::#variants(i) => #warp_calls,)* }
            }
        }
    });
    quote! {
        /// Runs the instruction on a machine: fetches what it reads, computes, and stores what
        /// it writes. Nothing happens where its guard is false.
        #errors
        #vis fn execute<__M: #bound + ?::core::marker::Sized>(self, machine: &mut __M) #outcome {
            match self { #(Self::#variants(i) => #calls,)* }
            #success
        }

        #warp
    }
}

fn emit_traits(model: &Model) -> TokenStream {
    let (name, word) = (&model.header.name, word_type(set_bits(model)));
    let text = name.to_string();
    let included = included_families(model).into_iter().map(|(first, [instruction, opcode])| {
        quote! {
            #[automatically_derived]
            impl<__O: #opcode> ::core::convert::From<#instruction<__O>> for #name {
                fn from(instruction: #instruction<__O>) -> Self {
                    Self::__from_valid(#first + __O::INDEX, instruction.__word())
                }
            }
        }
    });
    quote! {
        #(#included)*
        // The derived ones would be checked once more for each opcode.
        #[automatically_derived]
        impl ::core::clone::Clone for #name {
            #[inline]
            fn clone(&self) -> Self { *self }
        }
        #[automatically_derived]
        impl ::core::cmp::PartialEq for #name {
            #[inline]
            fn eq(&self, other: &Self) -> bool { self.__pair() == other.__pair() }
        }
        #[automatically_derived]
        impl ::core::cmp::Eq for #name {}
        #[automatically_derived]
        impl ::core::hash::Hash for #name {
            fn hash<__H: ::core::hash::Hasher>(&self, state: &mut __H) {
                ::core::hash::Hash::hash(&self.__pair(), state);
            }
        }
        #[automatically_derived]
        impl ::isa_core::Isa for #name {
            type Word = #word;
            const SET: &'static ::isa_core::table::InstructionSet = Self::SET;
            #[inline]
            fn decode_first(
                bytes: &[u8],
            ) -> ::core::result::Result<(Self, usize), ::isa_core::DecodeError> {
                Self::decode_first(bytes)
            }
            #[inline]
            fn encode(self) -> ::core::result::Result<#word, ::isa_core::EncodeError> {
                Self::encode(self)
            }
            fn opcode(self) -> &'static ::isa_core::table::Opcode {
                Self::opcode(self)
            }
        }
        ::isa_core::__serde!([] #name, #word);
        #[automatically_derived]
        impl ::core::str::FromStr for #name {
            type Err = ::isa_core::ParseError;
            fn from_str(text: &str) -> ::core::result::Result<Self, ::isa_core::ParseError> {
                let (index, word) = ::isa_core::parse_one(Self::SET, text)?;
                ::core::result::Result::Ok(Self::__from_valid(index, word))
            }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<#word> for #name {
            type Error = ::isa_core::DecodeError;
            fn try_from(word: #word) -> ::core::result::Result<Self, ::isa_core::DecodeError> {
                Self::decode(word)
            }
        }
        #[automatically_derived]
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let (opcode, word) = self.__parts();
                ::isa_core::display(opcode, word, f)
            }
        }
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let (opcode, word) = self.__parts();
                ::isa_core::debug(#text, opcode, word, f)
            }
        }
    }
}

/// The calls whose opcodes are included, each with the place of its first one.
fn included_families(model: &Model) -> Vec<(usize, &[TokenStream; 2])> {
    let mut families: Vec<(usize, &[TokenStream; 2], String)> = Vec::new();
    for (place, opcode) in model.included.iter().enumerate() {
        let name = opcode.set.family[0].to_string();
        if !families.iter().any(|(_, _, known)| *known == name) {
            families.push((place, &opcode.set.family, name));
        }
    }
    families.into_iter().map(|(first, family, _)| (first, family)).collect()
}

/// A test that each example assembles, to an opcode of where it stands, and prints back.
fn emit_examples(model: &Model) -> TokenStream {
    let set = &model.header.name;
    let rows = model.nodes.iter().enumerate().filter(|(_, node)| node.origin.is_none());
    let rows: Vec<TokenStream> = rows
        .flat_map(|(index, node)| {
            let of = model.aliases.iter().find(|alias| alias.row.node == index);
            let heir = |&(place, o): &(usize, &Opcode)| match of {
                Some(alias) => place == alias.of,
                None => model.lineage[o.node].contains(&index),
            };
            let heirs = model.opcodes.iter().enumerate().filter(heir);
            let heirs: Vec<usize> = heirs.map(|(i, _)| model.included.len() + i).collect();
            // Nothing can be said of the examples of a group that no opcode inherits.
            node.examples
                .iter()
                .filter(|_| !heirs.is_empty())
                .map(|example| {
                    let text = &example.text;
                    let canonical = match &example.canonical {
                        Some(text) => quote!(::core::option::Option::Some(#text)),
                        None => quote!(::core::option::Option::None),
                    };
                    quote!((#text, #canonical, &[#(#heirs),*]))
                })
                .collect::<Vec<_>>()
        })
        .collect();
    if rows.is_empty() {
        return TokenStream::new();
    }
    let name = format_ident!("__{set}_examples");
    quote! {
        #[cfg(test)]
        #[allow(non_snake_case, unnameable_test_items, reason = "named after the set")]
        #[test]
        fn #name() {
            if let ::core::result::Result::Err(error) =
                ::isa_core::check_examples(#set::SET, &[#(#rows),*])
            {
                ::core::panic!("{error}");
            }
        }
    }
}
