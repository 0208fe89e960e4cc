//! Assertions that operand kinds and formats are told apart by their text.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::check::{Apart, Forms, Side};

/// An assertion for each claim, at the opcode that needs it.
pub(crate) fn emit_apart(claims: &[Apart]) -> TokenStream {
    claims.iter().map(emit_claim).collect()
}

fn emit_claim(claim: &Apart) -> TokenStream {
    let Apart { span, steps, fold, message } = claim;
    let steps = steps.iter().map(|alike| {
        let pairs = alike.iter().map(|(a, b)| {
            let (a, b) = (emit_side(a), emit_side(b));
            quote!((#a, #b))
        });
        quote!(&[#(#pairs),*])
    });
    let steps = quote!(&[#(#steps),*]);
    quote_spanned!(*span=>
        const _: () = if !::isa_core::operand::are_apart(#steps, #fold) {
            ::core::panic!("{}", #message)
        };
    )
}

fn emit_side(side: &Side) -> TokenStream {
    let prefix = &side.prefix;
    let forms = match &side.forms {
        Forms::Of(reader) => {
            let path = &reader.path;
            quote!(#path.forms)
        }
        Forms::Given(forms) => quote!(&[#(#forms),*]),
    };
    quote!(::isa_core::operand::Start { prefix: #prefix, forms: #forms })
}
