//! Emits the steps by which the fast parser parses a syntax.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::text_fns;
use super::sets::hex;
use super::tables::byte;
use crate::core_path::CORE;
use crate::model::Model;
use crate::plan::{
    ParseAffix, ParseArg, ParseKind, ParseName, ParseNames, ParseSlot, ParseSuffix, Read,
};

pub(crate) fn emit_reader(model: &Model, steps: &[Read]) -> TokenStream {
    let steps = steps.iter().map(|step| emit_step(model, step));
    let core = CORE;
    quote!(&[#(#core::table::ParseStep::#steps),*])
}

fn emit_step(model: &Model, step: &Read) -> TokenStream {
    match step {
        Read::Text(text) => quote!(Text(#CORE::table::Chunk::new(#text))),
        Read::Optional { first, over, takes } => {
            let (over, takes) = (byte(*over), bits(*takes));
            quote!(Optional(#CORE::table::Chunk::new(#first), #over, #takes))
        }
        Read::Mnemonic => quote!(Mnemonic),
        Read::Names(names) => {
            let names = emit_names(names);
            quote!(Names(#names))
        }
        Read::Name(names) => {
            let names = emit_names(names);
            quote!(Name(#names))
        }
        Read::Operand(slot) => emit_slot(model, slot),
        Read::Tags(tags) => {
            let tags = tags.iter().map(|(symbol, kind)| {
                let (symbol, kind) = (byte(*symbol), emit_kind(model, kind));
                quote!((#symbol, #kind))
            });
            quote!(Tags(&[#(#tags),*]))
        }
        Read::Among(places) => {
            let places = places.iter().copied().map(Literal::usize_unsuffixed);
            quote!(Among(&[#(#places),*]))
        }
        Read::Fork(ways) => {
            let ways = ways.iter().map(|steps| {
                let steps = emit_reader(model, steps);
                quote!(#CORE::table::ParseBranch::new(#steps))
            });
            quote!(Fork(&[#(#ways),*]))
        }
    }
}

fn emit_slot(model: &Model, slot: &ParseSlot) -> TokenStream {
    let ParseSlot { before, symbol, marks, kinds, suffix, closes_first } = slot;
    let (symbol, kinds) = (byte(*symbol), emit_kinds(model, kinds));
    let none = std::iter::repeat_with(|| quote!(#CORE::table::ParseAffix::NONE));
    let marks = marks.iter().map(emit_mark).chain(none).take(2);
    let suffix = match suffix {
        ParseSuffix::Operand(symbol, kinds) => {
            let (symbol, kinds) = (byte(*symbol), emit_kinds(model, kinds));
            quote!(#CORE::table::ParseSuffix::operand(#symbol, #kinds))
        }
        ParseSuffix::Names(names) => {
            let names = emit_names(names);
            quote!(#CORE::table::ParseSuffix::Names(#names))
        }
    };
    let order = closes_first.then(|| quote!(.closing_first()));
    quote!(Operand(#CORE::table::ParseSlot::new(
        #before, #symbol, [#(#marks),*], #kinds, #suffix
    ) #order))
}

fn emit_mark(mark: &ParseAffix) -> TokenStream {
    let &ParseAffix { open, close, symbol, always, present, bound } = mark;
    let open = Literal::byte_character(open);
    let close = match close {
        0 => Literal::u8_unsuffixed(0),
        close => Literal::byte_character(close),
    };
    let (symbol, present) = (byte(symbol), Literal::u64_unsuffixed(present));
    let bound = bits(bound);
    quote!(#CORE::table::ParseAffix::new(#open, #close, #symbol, #always, #present, #bound))
}

fn emit_kinds(model: &Model, kinds: &[ParseKind]) -> TokenStream {
    let kinds = kinds.iter().map(|kind| emit_kind(model, kind));
    quote!(&[#(#kinds),*])
}

fn emit_kind(model: &Model, ParseKind { text, args, takes }: &ParseKind) -> TokenStream {
    let (text, args) = (text_fns(model, *text), args.iter().map(emit_arg));
    let takes = bits(*takes);
    quote!(#CORE::table::ParseKind::new(#takes, &#text, &[#(#args),*]))
}

fn emit_arg(arg: &ParseArg) -> TokenStream {
    match *arg {
        ParseArg::Shown { symbol, shift, width } => {
            let symbol = byte(symbol);
            quote!(#CORE::table::ParseArg::Shown { symbol: #symbol, shift: #shift, width: #width })
        }
        ParseArg::Always(raw) => quote!(#CORE::table::ParseArg::Always(#raw)),
    }
}

fn emit_names(names: &ParseNames) -> TokenStream {
    let ParseNames::Hashed { required, magic, shift, places, names } = names else {
        return quote!(#CORE::table::ParseNames::NONE);
    };
    let (required, magic, shift) = (bits(*required), bits(*magic), Literal::u32_unsuffixed(*shift));
    let (places, names) = (Literal::byte_string(places), names.iter().map(emit_name));
    quote!(#CORE::table::ParseNames::new(
        #required, #magic, #shift, #places, &[#(#names),*]
    ))
}

fn emit_name(&ParseName { key, takes, symbol, raw }: &ParseName) -> TokenStream {
    let (key, takes, symbol) = (bits(key), bits(takes), byte(symbol));
    let raw = Literal::u64_unsuffixed(raw);
    quote!(#CORE::table::ParseName::new(#key, #takes, #symbol, #raw))
}

/// Returns a 64-bit number, such as a set of opcodes.
fn bits(number: u64) -> Literal {
    hex(number.into())
}
