//! Emits assertions that operand types and formats are distinguished by their text.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::names::GeneratedNames;
use crate::check::{DisjointnessClaim, Pairs, TextStart, TokenPatterns};
use crate::core_path::CORE;
use isa_bdd::HashMap;

/// Emits an assertion for each claim, at the opcode that requires it. A claim that several opcodes
/// share is evaluated once, and each pair of texts is compared once.
///
/// ```text
/// const __Toy_APART: [bool; 1] =
///     are_apart(
///         &meetings(
///             &[Starts::new(text_of::<Reg>().forms), ..],
///             &[("", 0, "", 1, false), ..],
///         ),
///         &[&[&[0, 1]]],
///     );
/// const _: () = if !__Toy_APART[0] { panic!("{}", "..") };
/// ```
pub(crate) fn emit_apart(names: &GeneratedNames, claims: &[DisjointnessClaim]) -> TokenStream {
    if claims.is_empty() {
        return TokenStream::new();
    }
    let (table, mut texts) = (&names.apart, ClaimTexts::default());
    let (mut known, mut questions) = (HashMap::default(), Vec::new());
    let assertions = claims.iter().map(|claim| {
        let steps = texts.steps(&claim.steps, claim.fold);
        let place = *known.entry(steps).or_insert_with_key(|steps| {
            questions.push(emit_question(steps));
            questions.len() - 1
        });
        let (place, message) = (Literal::usize_unsuffixed(place), &claim.message);
        quote_spanned!(claim.span=>
            const _: () = if !#table[#place] { ::core::panic!("{}", #message) };
        )
    });
    let assertions: Vec<TokenStream> = assertions.collect();
    let len = questions.len();
    let starts = texts.forms.iter().map(|forms| quote!(#CORE::operand::Starts::new(#forms)));
    let pairs = texts.pairs.iter().map(|(a, a_forms, b, b_forms, fold)| {
        let [a_forms, b_forms] = [*a_forms, *b_forms].map(Literal::u16_unsuffixed);
        quote!((#a, #a_forms, #b, #b_forms, #fold))
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        const #table: [bool; #len] = #CORE::operand::are_apart(
            &#CORE::operand::meetings(
                &[#(#starts),*],
                &[#(#pairs),*],
            ),
            &[#(#questions),*],
        );
        #(#assertions)*
    }
}

/// Two texts at one position. Each text is given by its prefix and the index of its token patterns. The
/// last element states whether letter case is ignored.
type TextPair = (String, u16, String, u16, bool);

/// The texts in claims, without duplicates.
#[derive(Default)]
struct ClaimTexts {
    /// Lists of token patterns, and the index of each list by a key.
    forms: Vec<TokenStream>,
    known: HashMap<String, usize>,
    pairs: Vec<TextPair>,
    places: HashMap<TextPair, u32>,
}

impl ClaimTexts {
    /// Returns the steps of a claim, with pairs replaced by their indexes.
    fn steps(&mut self, steps: &[Pairs], fold: bool) -> Vec<Vec<u32>> {
        let mut step = |pairs: &Pairs| {
            let pairs = pairs.iter().map(|(a, b)| self.pair(a, b, fold));
            let mut pairs: Vec<u32> = pairs.collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        steps.iter().map(&mut step).collect()
    }

    /// Returns the index of a pair. The order of the two texts does not matter.
    fn pair(&mut self, a: &TextStart, b: &TextStart, fold: bool) -> u32 {
        let side = |texts: &mut Self, side: &TextStart| (side.prefix.clone(), texts.number(side));
        let (mut a, mut b) = (side(self, a), side(self, b));
        if b < a {
            std::mem::swap(&mut a, &mut b);
        }
        let pair = (a.0, a.1, b.0, b.1, fold);
        let pairs = &mut self.pairs;
        *self.places.entry(pair).or_insert_with_key(|pair| {
            pairs.push(pair.clone());
            u32::try_from(pairs.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// Returns the index of the token patterns of a text.
    fn number(&mut self, side: &TextStart) -> u16 {
        let (key, emitted) = match &side.forms {
            TokenPatterns::Of(reader) => {
                let path = &reader.path;
                (path.text.clone(), quote!(#path.forms))
            }
            TokenPatterns::GoingOn(reader) => {
                let path = &reader.path;
                (format!("{} ..", path.text), quote!(#CORE::operand::going_on(&#path)))
            }
            TokenPatterns::Given(forms) => (format!("{forms:?}"), quote!(&[#(#forms),*])),
        };
        let number = *self.known.entry(key).or_insert_with(|| {
            self.forms.push(emitted);
            self.forms.len() - 1
        });
        u16::try_from(number).unwrap_or(u16::MAX)
    }
}

/// Emits the steps of a claim.
fn emit_question(steps: &[Vec<u32>]) -> TokenStream {
    let steps = steps.iter().map(|pairs| {
        let pairs = pairs.iter().copied().map(Literal::u32_unsuffixed);
        quote!(&[#(#pairs),*])
    });
    quote!(&[#(#steps),*])
}
