//! Rust functions in conditions: `crate::is_move_wide(imm)`.
//!
//! The macro cannot evaluate these functions. It expands a condition with calls for each
//! combination of their results. A word that is invalid for all combinations is certainly invalid,
//! and every check treats the other words as possibly invalid. The expansion contains the results
//! of each function as a truth table, which rustc computes.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;

use super::condition_words::ResolvedCondition;
use super::cube::{Cube, bits};
use super::fields::Scope;
use super::{Model, Opcode, ResolvedField};
use crate::diag::{Code, Diagnostics, bits as bits_text};
use crate::syntax::ast::FunctionCall;

/// The maximum total width in bits of the arguments of one call. The truth table of such a call has
/// 8 KiB.
pub(super) const MOST_BITS: u32 = 16;

/// The maximum number of calls in one condition.
const MOST_CALLS: usize = 4;

/// A function with its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Predicate {
    /// The path of the function, and the path as text.
    pub(crate) path: TokenStream,
    pub(crate) name: String,
    /// The call as text.
    pub(crate) text: String,
    /// The widths of the fields.
    pub(crate) widths: Vec<u8>,
    /// The position and width of the pieces of all fields, the most significant first. The first
    /// argument is the least significant field.
    pub(crate) pieces: Vec<(u8, u8)>,
    /// The values for which it returns true, one bit for each value, if the macro knows them. It is
    /// then a comparison and not a function.
    pub(crate) values: Option<Vec<u8>>,
    pub(crate) span: Span,
}

/// Words that are invalid for certain results of functions.
#[derive(Debug, Clone)]
pub(crate) struct PredicateCase {
    /// The functions, as indexes into [`Model::predicates`], each with its result.
    pub(crate) when: Vec<(usize, bool)>,
    pub(crate) cubes: Vec<Cube>,
}

impl Predicate {
    /// Returns the function of a call, or reports an invalid call.
    fn new(call: &FunctionCall, fields: &[&ResolvedField], diag: &mut Diagnostics) -> Option<Self> {
        let widths: Vec<u8> =
            fields.iter().map(|field| field.pieces.iter().map(|(_, width)| width).sum()).collect();
        let span = call.path.span();
        let bits: u32 = widths.iter().map(|&width| u32::from(width)).sum();
        if let Some(field) = fields.iter().find(|field| field.pieces.is_empty()) {
            let message =
                format!("`{}` has no bits, so it cannot be an argument of a function", field.text);
            diag.error(Code::Predicate, span, message);
            return None;
        }
        if bits > MOST_BITS {
            let message = format!(
                "the fields of this function are too wide: expected at most {MOST_BITS} bits in \
                 total, found {}\nhelp: the expansion contains a table of all their values; use \
                 fewer fields, or write comparisons",
                bits_text(bits)
            );
            diag.error(Code::Predicate, span, message);
            return None;
        }
        let pieces = fields.iter().rev().flat_map(|field| field.pieces.iter().copied());
        Some(Predicate {
            path: call.path.clone(),
            name: call.name(),
            text: call.text(),
            widths,
            pieces: pieces.collect(),
            values: None,
            span,
        })
    }

    /// Creates the comparison `text`, which holds for the words in `cubes`. All their bits are in
    /// `mask`.
    pub(super) fn known(text: String, mask: u128, cubes: &[Cube], span: Span) -> Self {
        let mut pieces = Vec::new();
        let mut rest = mask;
        while rest != 0 {
            let low = rest.trailing_zeros();
            let width = (rest >> low).trailing_ones();
            pieces.insert(0, (low as u8, width as u8));
            rest &= !(u128::MAX >> (128 - width) << low);
        }
        let count = mask.count_ones();
        let mut values = vec![0u8; (1usize << count).div_ceil(8)];
        for number in 0..1usize << count {
            let places = bits(mask).enumerate();
            let word = places.filter(|(place, _)| number >> place & 1 == 1);
            let word = word.fold(0, |word, (_, bit)| word | bit);
            if cubes.iter().any(|cube| word & cube.mask == cube.value) {
                values[number / 8] |= 1 << (number % 8);
            }
        }
        let (path, name, widths) = (TokenStream::new(), text.clone(), vec![count as u8]);
        Predicate { path, name, text, widths, pieces, values: Some(values), span }
    }

    /// Returns whether it is the same function with the same arguments.
    fn is(&self, other: &Predicate) -> bool {
        self.has_same_table(other) && self.pieces == other.pieces
    }

    /// Returns whether it is the same function, with arguments of the same widths.
    pub(crate) fn has_same_table(&self, other: &Predicate) -> bool {
        self.name == other.name && self.widths == other.widths && self.values == other.values
    }
}

/// Returns the index in `known` of the called function. `known` contains all functions of the
/// condition.
pub(super) fn lower_call(
    call: &FunctionCall,
    fields: &[&ResolvedField],
    known: &mut Vec<Predicate>,
    diag: &mut Diagnostics,
) -> Option<usize> {
    let predicate = Predicate::new(call, fields, diag)?;
    if let Some(place) = known.iter().position(|other| other.is(&predicate)) {
        return Some(place);
    }
    if known.len() == MOST_CALLS {
        let message = format!(
            "expected at most {MOST_CALLS} functions in a condition\nhelp: split it into several \
             `where` lines or exceptions, or write one function of all these fields"
        );
        diag.error(Code::Predicate, predicate.span, message);
        return None;
    }
    known.push(predicate);
    Some(known.len() - 1)
}

/// Returns the words that satisfy a condition with `count` functions: first the words that satisfy
/// it for all results, then the other words for each combination of results. Returns `None` if the
/// words cannot be listed.
pub(super) fn split(
    words: &ResolvedCondition,
    count: usize,
) -> Option<(Vec<Cube>, Vec<PredicateCase>)> {
    if count == 0 {
        return Some((words.cubes()?, Vec::new()));
    }
    let choices: Vec<Vec<bool>> = (0..1usize << count)
        .map(|choice| (0..count).map(|place| choice >> place & 1 == 1).collect())
        .collect();
    let certain = ResolvedCondition::And(choices.iter().map(|said| words.given(said)).collect());
    let mut cases = Vec::new();
    for said in &choices {
        let cubes = words.given(said).cubes()?;
        let outside = ResolvedCondition::Not(Box::new(certain.clone()));
        let more =
            ResolvedCondition::And(vec![ResolvedCondition::Any(cubes.clone()), outside]).cubes()?;
        if !more.is_empty() {
            cases.push(PredicateCase { when: said.iter().copied().enumerate().collect(), cubes });
        }
    }
    Some((certain.cubes()?, cases))
}

/// Adds the functions of a condition to those of the model, and updates their indexes in the cases.
pub(super) fn number(cases: &mut [PredicateCase], own: Vec<Predicate>, known: &mut Vec<Predicate>) {
    let places: Vec<usize> = own
        .into_iter()
        .map(|predicate| {
            known.iter().position(|other| other.is(&predicate)).unwrap_or_else(|| {
                known.push(predicate);
                known.len() - 1
            })
        })
        .collect();
    let numbers = cases.iter_mut().flat_map(|case| &mut case.when);
    numbers.for_each(|(predicate, _)| *predicate = places[*predicate]);
}

/// Returns the results that functions must have for every valid word of an opcode. Only results
/// that a single exception implies are found.
pub(crate) fn needed(model: &Model, opcode: &Opcode) -> Vec<(usize, bool)> {
    let identity = opcode.identity();
    let mut needed = Vec::new();
    for &id in &opcode.exceptions {
        let cases = &model.exceptions[id].cases;
        let Some(first) = cases.first() else { continue };
        // The combinations of results for which no word is valid.
        let never = cases.iter().filter(|case| case.cubes.iter().any(|cube| cube.covers(identity)));
        let never: Vec<_> = never.map(|case| &case.when).collect();
        for (place, &(predicate, _)) in first.when.iter().enumerate() {
            for said in [false, true] {
                let opposite = never.iter().filter(|when| when[place].1 != said).count();
                if opposite == 1 << (first.when.len() - 1) {
                    needed.push((predicate, said));
                }
            }
        }
    }
    needed
}

/// Returns the arguments of a call. `find` reports a name that does not exist.
pub(super) fn fields_of<'m>(
    call: &FunctionCall,
    scope: &Scope<'m>,
    find: impl Fn(
        &crate::syntax::ast::FieldName,
        &Scope<'m>,
        &mut Diagnostics,
    ) -> Option<&'m ResolvedField>,
    diag: &mut Diagnostics,
) -> Option<Vec<&'m ResolvedField>> {
    let fields: Vec<Option<&ResolvedField>> =
        call.fields.iter().map(|name| find(name, scope, diag)).collect();
    fields.into_iter().collect()
}
