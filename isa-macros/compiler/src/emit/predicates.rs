//! Emits the tables of Rust functions in conditions, which rustc evaluates.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::literals::emit_cubes;
use super::names::GeneratedNames;
use crate::check::Disjoint;
use crate::core_path::{CORE, Core};
use crate::model::{Model, Opcode, Predicate, PredicateCase};

/// Emits a table for each function. The table contains one bit for each combination of field values;
/// the first field is in the lowest bits of the index.
///
/// ```text
/// static __Toy_PREDICATE_0: [u8; 32] = {
///     let (mut table, mut value) = ([0; 32], 0u64);
///     while value < 256 {
///         if crate::is_even(value >> 0 & 255) {
///             table[(value / 8) as usize] |= 1 << (value % 8);
///         }
///         value += 1;
///     }
///     table
/// };
/// ```
pub(super) fn emit_predicates(model: &Model, names: &GeneratedNames) -> TokenStream {
    let tables =
        model.predicates.iter().enumerate().filter(|&(place, _)| first(model, place) == place);
    tables.map(|(place, predicate)| emit_table(predicate, &table(model, names, place))).collect()
}

fn emit_table(predicate: &Predicate, table: &Ident) -> TokenStream {
    let Predicate { path, widths, values, span, .. } = predicate;
    let bits: u32 = widths.iter().map(|&width| u32::from(width)).sum();
    let len = Literal::usize_unsuffixed((1usize << bits).div_ceil(8));
    if let Some(values) = values {
        let values = Literal::byte_string(values);
        return quote! {
            #[allow(non_upper_case_globals, reason = "named after the set")]
            static #table: [u8; #len] = *#values;
        };
    }
    let values = Literal::u64_unsuffixed(1 << bits);
    // rustc reports a wrong number of fields at the call.
    let (mut low, here) = (0, Span::call_site().located_at(*span));
    let arguments = widths.iter().map(|&width| {
        let (shift, mask) =
            (Literal::u32_unsuffixed(low), Literal::u64_unsuffixed((1 << width) - 1));
        low += u32::from(width);
        quote_spanned!(here=> value >> #shift & #mask)
    });
    let call = quote_spanned!(here=> #path(#(#arguments),*));
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        #[allow(long_running_const_eval, reason = "the number of values of the fields bounds it")]
        static #table: [u8; #len] = {
            let (mut table, mut value) = ([0; #len], 0u64);
            while value < #values {
                if #call {
                    table[(value / 8) as usize] |= 1 << (value % 8);
                }
                value += 1;
            }
            table
        };
    }
}

/// Returns the first predicate with the same function and field widths. Both use one table, even for
/// different fields.
fn first(model: &Model, place: usize) -> usize {
    let own = &model.predicates[place];
    model.predicates.iter().position(|it| it.has_same_table(own)).unwrap_or(place)
}

fn table(model: &Model, names: &GeneratedNames, place: usize) -> Ident {
    format_ident!("{}_{}", names.predicates, first(model, place))
}

/// Emits the cases of an exception.
pub(super) fn emit_cases(
    model: &Model,
    names: &GeneratedNames,
    cases: &[PredicateCase],
) -> TokenStream {
    let cases = cases.iter().map(|PredicateCase { when, cubes }| {
        let when = when.iter().map(|&(place, said)| {
            let Predicate { text, pieces, .. } = &model.predicates[place];
            let table = table(model, names, place);
            let pieces = pieces
                .iter()
                .map(|&(position, width)| quote!(#CORE::table::Piece::new(#position, #width)));
            quote!(#CORE::table::FunctionResult::new(
                #text, #CORE::table::TruthTable::new(&[#(#pieces),*], &#table), #said,
            ))
        });
        let cubes = emit_cubes(cubes);
        quote!(#CORE::table::ConditionCase { when: &[#(#when),*], cubes: #cubes })
    });
    quote!(&[#(#cases),*])
}

/// Emits the required result of a function, for example
/// `Said::new("crate::is_even(a)", TruthTable::new(&[Piece::new(0, 6)], &__Toy_PREDICATE_0), false)`.
fn emit_said(model: &Model, names: &GeneratedNames, (place, said): (usize, bool)) -> TokenStream {
    let Predicate { text, pieces, .. } = &model.predicates[place];
    let table = table(model, names, place);
    let pieces =
        pieces.iter().map(|&(position, width)| quote!(#CORE::table::Piece::new(#position, #width)));
    quote!(#CORE::table::FunctionResult::new(
        #text, #CORE::table::TruthTable::new(&[#(#pieces),*], &#table), #said,
    ))
}

/// Emits the functions of a validity check: functions whose result alone makes a word invalid, and the
/// cases of the other exceptions.
///
/// ```text
/// .with_functions(&[Said::new(..)], &[__Toy_EXCEPTIONS[4].cases])
/// ```
pub(super) fn emit_functions(
    model: &Model,
    names: &GeneratedNames,
    opcode: &Opcode,
) -> TokenStream {
    let identity = opcode.identity();
    let is_alone = |case: &PredicateCase| {
        case.when.len() == 1 && case.cubes.iter().any(|cube| cube.covers(identity))
    };
    let with_cases = opcode.exceptions.iter().filter(|&&id| !model.exceptions[id].cases.is_empty());
    let (alone, others): (Vec<usize>, Vec<usize>) = with_cases
        .partition(|&&id| matches!(&model.exceptions[id].cases[..], [it] if is_alone(it)));
    if alone.is_empty() && others.is_empty() {
        return TokenStream::new();
    }
    let table = &names.exceptions;
    let alone = alone.into_iter().flat_map(|id| &model.exceptions[id].cases[0].when);
    let alone = alone.map(|&said| emit_said(model, names, said));
    let others = others.into_iter().map(Literal::usize_unsuffixed);
    quote!(.with_functions(&[#(#alone),*], &[#(#table[#others].cases),*]))
}

/// Emits assertions that functions make the encodings of opcodes disjoint.
///
/// ```text
/// const _: () = if !are_disjoint(&[(&__Toy_PREDICATE_0, true), ..]) { panic!("{}", "..") };
/// ```
pub(super) fn emit_disjoint(
    model: &Model,
    names: &GeneratedNames,
    all: &[Disjoint],
) -> TokenStream {
    let assertions = all.iter().map(|Disjoint { said, span, message }| {
        let core = Core::at(*span);
        let said = said.iter().map(|&(place, said)| {
            let table = table(model, names, place);
            quote!((&#table, #said))
        });
        quote_spanned!(*span=>
            const _: () = if !#core::table::are_disjoint(&[#(#said),*]) {
                ::core::panic!("{}", #message)
            };
        )
    });
    assertions.collect()
}
