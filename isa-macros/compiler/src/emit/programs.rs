//! Emits the texts that the print programs of a call share.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::{Names, text_fns};
use super::sets::hex;
use crate::core_path::CORE;
use crate::model::Model;
use crate::plan::limits::SHORT_TEXT;
use crate::plan::{Gather, Part, Programs, Run, ShortText, Texts, Whole};

pub(crate) fn emit_texts(model: &Model, names: &Names, programs: &Programs) -> TokenStream {
    let (name, fields) = (&names.texts, &names.fields);
    let Programs { short, ready, defaults, gathers, wholes, .. } = programs;
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

fn emit_whole(model: &Model, whole: &Whole) -> TokenStream {
    let Whole { gather, defaults, runs, parts, behind } = whole;
    let count = Literal::usize_unsuffixed(gather.places());
    let (gather, defaults) = (emit_gather(gather), Literal::usize_unsuffixed(*defaults));
    let (runs, parts) = (emit_runs(runs), parts.iter().map(|part| emit_part(model, part)));
    quote!({
        static TABLE: ::core::option::Option<[#CORE::table::ShortText; #count]> =
            #CORE::table::whole(#gather, DEFAULTS[#defaults], #runs, &[#(#parts),*], #behind);
        #CORE::table::texts_of(&TABLE)
    })
}

fn emit_part(model: &Model, Part { texts, runs }: &Part) -> TokenStream {
    let (runs, texts) = (
        emit_runs(runs),
        match texts {
            Texts::Ready(text) => {
                let text = text_fns(model, *text);
                quote!(#text.ready)
            }
            Texts::Given(texts) => {
                let (core, texts) = (CORE, texts.iter().map(ShortText::as_str));
                quote!(&[#(#core::table::ShortText::EMPTY.with_str(#texts)),*])
            }
        },
    );
    quote!(#CORE::table::GroupPart { texts: #texts, runs: #runs })
}

fn emit_runs(runs: &[Run]) -> TokenStream {
    let runs = runs.iter().map(|&(position, width)| {
        let (position, width) = (Literal::u8_unsuffixed(position), Literal::u8_unsuffixed(width));
        quote!((#position, #width))
    });
    quote!(&[#(#runs),*])
}
