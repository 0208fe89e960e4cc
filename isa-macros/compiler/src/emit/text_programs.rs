//! Emits the texts that the print programs of a call share, and the steps by which the fast parser
//! parses a syntax.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::literals::{byte, hex};
use super::names::{GeneratedNames, text_fns};
use crate::core_path::CORE;
use crate::model::Model;
use crate::plan::limits::SHORT_TEXT;
use crate::plan::{
    BitRun, CombinedPart, Gather, ParseAffix, ParseArg, ParseKind, ParseName, ParseNames,
    ParseSlot, ParseStep, ParseSuffix, PrintPrograms, SelectedText, ShortText, TextTable,
};

pub(crate) fn emit_texts(
    model: &Model,
    names: &GeneratedNames,
    programs: &PrintPrograms,
) -> TokenStream {
    let (name, fields) = (&names.texts, &names.fields);
    let PrintPrograms { short, ready, defaults, gathers, wholes, .. } = programs;
    let (count, short) = (short.len() / SHORT_TEXT, Literal::byte_string(short));
    let (plain, tables) = (1 + ready.len(), 1 + ready.len() + wholes.len());
    let ready = ready.iter().map(|&text| text_fns(model, text));
    let wholes = wholes.iter().map(|whole| emit_whole(model, whole));
    let (gathers, len) = (gathers.iter().map(emit_gather), defaults.len());
    let defaults = defaults.iter().map(|places| {
        let places = places.iter().map(|place| Literal::usize_unsuffixed(*place));
        quote!(#CORE::table::defaults(&#fields, [#(#places),*]))
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #name: #CORE::table::TextPool = {
            static DEFAULTS: [#CORE::table::Cube; #len] = [#(#defaults),*];
            static TABLES: [&[#CORE::table::ShortText]; #tables] = [
                &#CORE::table::short_texts::<#count>(#short), #(#ready.ready,)* #(#wholes),*
            ];
            static SIZES: [usize; #tables] = #CORE::table::sizes(&TABLES);
            const ALL: usize = #CORE::table::sum(&SIZES);
            #CORE::table::TextPool {
                pool: &#CORE::table::pool::<ALL>(&TABLES),
                plain: #plain,
                sizes: &SIZES,
                defaults: &DEFAULTS,
                gathers: &[#(#gathers),*],
            }
        };
    }
}

fn emit_gather(gather: &Gather) -> TokenStream {
    let Gather { masks: [low, high], magic, shift } = *gather;
    let (low, high, magic) = (hex(low.into()), hex(high.into()), hex(magic.into()));
    let shift = Literal::u32_unsuffixed(shift);
    quote!(#CORE::table::BitGather::new([#low, #high], #magic, #shift))
}

fn emit_whole(model: &Model, whole: &CombinedPart) -> TokenStream {
    let CombinedPart { gather, defaults, runs, parts, behind } = whole;
    let count = Literal::usize_unsuffixed(gather.places());
    let (gather, defaults) = (emit_gather(gather), Literal::usize_unsuffixed(*defaults));
    let (runs, parts) = (emit_runs(runs), parts.iter().map(|part| emit_part(model, part)));
    quote!({
        static TABLE: ::core::option::Option<[#CORE::table::ShortText; #count]> =
            #CORE::table::whole(#gather, DEFAULTS[#defaults], #runs, &[#(#parts),*], #behind);
        #CORE::table::texts_of(&TABLE)
    })
}

fn emit_part(model: &Model, SelectedText { texts, runs }: &SelectedText) -> TokenStream {
    let (runs, texts) = (
        emit_runs(runs),
        match texts {
            TextTable::Ready(text) => {
                let text = text_fns(model, *text);
                quote!(#text.ready)
            }
            TextTable::Given(texts) => {
                let (core, texts) = (CORE, texts.iter().map(ShortText::as_str));
                quote!(&[#(#core::table::ShortText::EMPTY.with_str(#texts)),*])
            }
        },
    );
    quote!(#CORE::table::GroupPart { texts: #texts, runs: #runs })
}

fn emit_runs(runs: &[BitRun]) -> TokenStream {
    let runs = runs.iter().map(|&(position, width)| {
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!((#position, #width))
    });
    quote!(&[#(#runs),*])
}

pub(crate) fn emit_parse_steps(model: &Model, steps: &[ParseStep]) -> TokenStream {
    let steps = steps.iter().map(|step| emit_step(model, step));
    let core = CORE;
    quote!(&[#(#core::table::ParseStep::#steps),*])
}

fn emit_step(model: &Model, step: &ParseStep) -> TokenStream {
    match step {
        ParseStep::Text(text) => quote!(Text(#CORE::table::Chunk::new(#text))),
        ParseStep::Optional { first, over, takes } => {
            let (over, takes) = (byte(*over), bits(*takes));
            quote!(Optional(#CORE::table::Chunk::new(#first), #over, #takes))
        }
        ParseStep::Mnemonic => quote!(Mnemonic),
        ParseStep::Names(names) => {
            let names = emit_names(names);
            quote!(Names(#names))
        }
        ParseStep::Name(names) => {
            let names = emit_names(names);
            quote!(Name(#names))
        }
        ParseStep::Operand(slot) => emit_slot(model, slot),
        ParseStep::Tags(tags) => {
            let tags = tags.iter().map(|(symbol, kind)| {
                let (symbol, kind) = (byte(*symbol), emit_kind(model, kind));
                quote!((#symbol, #kind))
            });
            quote!(Tags(&[#(#tags),*]))
        }
        ParseStep::Among(places) => {
            let places = places.iter().copied().map(Literal::usize_unsuffixed);
            quote!(Among(&[#(#places),*]))
        }
        ParseStep::Fork(ways) => {
            let ways = ways.iter().map(|steps| {
                let steps = emit_parse_steps(model, steps);
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
