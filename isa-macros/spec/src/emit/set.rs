//! The enum of all instructions of the set.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::effects::{errors_doc, outcome, success};
use super::exec::machine_trait;
use super::names::{Names, set_bits, word_type};
use super::tables::emit_option;
use crate::model::Model;
use crate::plan::{Example, Member, Plan, Set};

/// The enum with its methods, and the test of its examples; nothing where it has no opcodes.
pub(crate) fn emit_set(Plan { model, set, .. }: &Plan<'_>, names: &Names) -> TokenStream {
    let Set { members, families, examples, .. } = set;
    if members.is_empty() {
        return TokenStream::new();
    }
    let types = emit_enum(model, names, members);
    let traits = emit_traits(model, families);
    let examples = emit_examples(model, examples);
    quote!(#types #traits #examples)
}

fn emit_enum(model: &Model, names: &Names, members: &[Member<'_>]) -> TokenStream {
    let (name, vis, attrs) = (&model.header.name, &model.header.vis, &model.header.docs.attrs);
    let fallback = attrs.is_empty().then(|| {
        let text = format!("An instruction of the set `{name}`.");
        quote!(#[doc = #text])
    });
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let paths: Vec<_> = members.iter().map(|member| &member.path).collect();
    let docs = members.iter().map(|m| {
        format!("`{}`, the opcode [`{}`].", m.mnemonic, m.path.to_string().replace(' ', ""))
    });
    let (coding, labels) = (emit_coding(model, names), emit_labels(model));
    let (execute, hidden) = (emit_execute(model, members), emit_hidden(model, members));
    quote! {
        #attrs #fallback
        #[derive(Copy)]
        #[allow(clippy::enum_variant_names, reason = "named after the opcodes")]
        #vis enum #name { #(#[doc = #docs] #variants(#paths),)* }

        #[automatically_derived]
        impl #name {
            #coding
            #labels
            #execute
            #hidden
        }
    }
}

/// What decodes and encodes.
fn emit_coding(model: &Model, names: &Names) -> TokenStream {
    let (vis, table, word) = (&model.header.vis, &names.set, word_type(set_bits(model)));
    quote! {
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
    }
}

/// What reads and prints with labels.
fn emit_labels(model: &Model) -> TokenStream {
    let vis = &model.header.vis;
    quote! {
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
    }
}

/// What the generated code itself needs.
fn emit_hidden(model: &Model, members: &[Member<'_>]) -> TokenStream {
    let (name, vis) = (&model.header.name, &model.header.vis);
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let paths = members.iter().map(|member| &member.path);
    let paths: Vec<_> = paths.collect();
    let indices = (0..members.len()).map(Literal::usize_unsuffixed);
    quote! {
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

/// `execute` of the set, where all its opcodes have semantics.
fn emit_execute(model: &Model, members: &[Member<'_>]) -> TokenStream {
    if !members.iter().all(|member| member.executes) {
        return TokenStream::new();
    }
    let (vis, bound) = (&model.header.vis, machine_trait(model));
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let calls = members.iter().map(|member| {
        let place = member.at;
        match (member.traps, &model.trap) {
            (true, Some(_)) => quote_spanned!(place=> i.execute(machine)?),
            // A fault that is reported.
            (true, None) => quote_spanned!(place=> { let _ = i.execute(machine); }),
            (false, _) => quote_spanned!(place=> i.execute(machine)),
        }
    });
    let warp_calls =
        members.iter().map(|member| quote_spanned!(member.at=> i.execute_warp(machine)));
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

fn emit_traits(model: &Model, families: &[(usize, &[TokenStream; 2])]) -> TokenStream {
    let (name, word) = (&model.header.name, word_type(set_bits(model)));
    let text = name.to_string();
    let included = families.iter().map(|(first, [instruction, opcode])| {
        quote! {
            #[automatically_derived]
            impl<__O: #opcode> ::core::convert::From<#instruction<__O>> for #name {
                fn from(instruction: #instruction<__O>) -> Self {
                    Self::__from_valid(#first + __O::INDEX, instruction.__word())
                }
            }
        }
    });
    let isa = emit_isa(model);
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
        #isa
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

/// The set as an `Isa`.
fn emit_isa(model: &Model) -> TokenStream {
    let (name, word) = (&model.header.name, word_type(set_bits(model)));
    quote! {
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
    }
}

/// A test that each example assembles, to an opcode of where it stands, and prints back.
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
