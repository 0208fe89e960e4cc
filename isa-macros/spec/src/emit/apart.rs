//! Assertions that operand kinds and formats are told apart by their text.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::names::Names;
use crate::check::{Apart, Forms, Pairs, Side};

/// An assertion for each claim, at the opcode that needs it. What several opcodes claim is found
/// out once.
pub(crate) fn emit_apart(names: &Names, claims: &[Apart]) -> TokenStream {
    if claims.is_empty() {
        return TokenStream::new();
    }
    let (table, mut forms) = (&names.apart, Vec::new());
    let (mut known, mut questions) = (HashMap::new(), Vec::new());
    let assertions = claims.iter().map(|claim| {
        let steps = numbered(&claim.steps, &mut forms);
        let place = *known.entry((steps, claim.fold)).or_insert_with_key(|(steps, fold)| {
            questions.push(emit_question(steps, *fold));
            questions.len() - 1
        });
        let (place, message) = (Literal::usize_unsuffixed(place), &claim.message);
        quote_spanned!(claim.span=>
            const _: () = if !#table[#place] { ::core::panic!("{}", #message) };
        )
    });
    let assertions: Vec<TokenStream> = assertions.collect();
    let (len, count) = (questions.len(), forms.len());
    let forms = forms.iter().map(|(_, forms)| forms);
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        const #table: [bool; #len] = {
            const FORMS: [&[&str]; #count] = [#(#forms),*];
            [#(#questions),*]
        };
        #(#assertions)*
    }
}

/// The two texts of a pair: what each begins with, and the number of its forms.
type Pair = (String, u16, String, u16);

/// The steps of a claim, with forms by their number in a list.
fn numbered(steps: &[Pairs], forms: &mut Vec<(String, TokenStream)>) -> Vec<Vec<Pair>> {
    let mut number = |side: &Side| {
        let (key, emitted) = match &side.forms {
            Forms::Of(reader) => {
                let path = &reader.path;
                (path.text.clone(), quote!(#path.forms))
            }
            Forms::Given(forms) => (format!("{forms:?}"), quote!(&[#(#forms),*])),
        };
        let known = forms.iter().position(|(known, _)| *known == key);
        let number = known.unwrap_or_else(|| {
            forms.push((key, emitted));
            forms.len() - 1
        });
        u16::try_from(number).unwrap_or(u16::MAX)
    };
    let mut pair =
        |(a, b): &(Side, Side)| (a.prefix.clone(), number(a), b.prefix.clone(), number(b));
    steps.iter().map(|alike| alike.iter().map(&mut pair).collect()).collect()
}

/// Whether what a claim says is so.
fn emit_question(steps: &[Vec<Pair>], fold: bool) -> TokenStream {
    let steps = steps.iter().map(|pairs| {
        let pairs = pairs.iter().map(|(a, a_forms, b, b_forms)| {
            let [a_forms, b_forms] = [*a_forms, *b_forms].map(Literal::u16_unsuffixed);
            quote!((#a, #a_forms, #b, #b_forms))
        });
        quote!(&[#(#pairs),*])
    });
    quote!(::isa_core::operand::are_apart(&FORMS, &[#(#steps),*], #fold))
}
