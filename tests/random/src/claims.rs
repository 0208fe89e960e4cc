//! Evaluates the compile-time assertions of an expansion about token patterns, as a Rust compiler
//! would.

use isa_core::operand::{
    Absolute, HashPrefixed, Hex, Meeting, Pred, Reg, Relative, Signed, Starts, Unsigned, are_apart,
    going_on, meetings, text_of,
};
use isa_core::table::Text;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::kinds::{Bank, Place, Sigil};

/// Returns the messages of the assertions of an expansion that fail. Returns `None` if the
/// expansion contains an assertion that this evaluator does not know.
#[must_use]
pub(crate) fn failing(expansion: &TokenStream) -> Option<Vec<String>> {
    let trees: Vec<TokenTree> = expansion.clone().into_iter().collect();
    let mut results: Vec<bool> = Vec::new();
    let mut messages = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Ident(name) = tree else { continue };
        let name = name.to_string();
        if !name.ends_with("_APART") {
            continue;
        }
        match trees.get(at + 1) {
            // `const __Toy_APART: [bool; 1] = ::isa_core::operand::are_apart(..)`
            Some(TokenTree::Punct(_)) => {
                let call =
                    trees[at..].iter().find_map(|tree| group(tree, Delimiter::Parenthesis))?;
                results = table(&call)?;
            }
            // `if !__Toy_APART[0] { panic!("{}", "..") }`
            Some(index) => {
                let place = group(index, Delimiter::Bracket)?.first()?.to_string();
                let place: usize = place.trim_end_matches("usize").parse().ok()?;
                let panic = group(trees.get(at + 2)?, Delimiter::Brace)?;
                let arguments = group(panic.last()?, Delimiter::Parenthesis)?;
                if !*results.get(place)? {
                    messages.push(crate::verdict::unescaped(&arguments.last()?.to_string()));
                }
            }
            None => return None,
        }
    }
    Some(messages)
}

fn group(tree: &TokenTree, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

fn by_comma(trees: &[TokenTree]) -> impl Iterator<Item = &[TokenTree]> {
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    trees.split(is_comma).filter(|part| !part.is_empty())
}

/// Evaluates `&::isa_core::operand::meetings(&[Starts::new(..), ..], &[("", 0, "", 1, false), ..]),
/// &[..]`.
fn table(arguments: &[TokenTree]) -> Option<Vec<bool>> {
    let [call, questions] = by_comma(arguments).collect::<Vec<_>>()[..] else { return None };
    let call = group(call.last()?, Delimiter::Parenthesis)?;
    let [starts, pairs] = by_comma(&call).collect::<Vec<_>>()[..] else { return None };
    let starts = group(starts.last()?, Delimiter::Bracket)?;
    let starts: Option<Vec<_>> = by_comma(&starts).map(start_of).collect();
    let starts = starts?;
    let pairs = group(pairs.last()?, Delimiter::Bracket)?;
    let found: Option<Vec<_>> = by_comma(&pairs).map(|pair| meeting(&starts, pair)).collect();
    let found = found?;
    let questions = group(questions.last()?, Delimiter::Bracket)?;
    by_comma(&questions).map(|question| answer(&found, question)).collect()
}

/// Evaluates `::isa_core::operand::Starts::new(..)`.
fn start_of(trees: &[TokenTree]) -> Option<Starts<'static>> {
    forms_of(&group(trees.last()?, Delimiter::Parenthesis)?).map(Starts::new)
}

/// Evaluates `::isa_core::operand::text_of::<PATH>().forms`, `::isa_core::operand::going_on(..)` of
/// such patterns, or a list of texts.
fn forms_of(trees: &[TokenTree]) -> Option<&'static [&'static str]> {
    if let Some(list) = trees.last().and_then(|tree| group(tree, Delimiter::Bracket)) {
        let texts = by_comma(&list).map(|text| text.first().map(leaked));
        return texts.collect::<Option<Vec<_>>>().map(|texts| &*texts.leak());
    }
    let is = |name: &str| trees.iter().any(|tree| tree.to_string().contains(name));
    let known: [(&str, Text); 11] = [
        ("Reg", text_of::<Reg>()),
        ("Pred", text_of::<Pred>()),
        ("Marked", text_of::<HashPrefixed<Unsigned<2>>>()),
        ("Hex", text_of::<Hex<5>>()),
        ("Signed", text_of::<Signed<3>>()),
        ("Unsigned", text_of::<Unsigned<2>>()),
        ("Absolute", text_of::<Absolute<4>>()),
        ("Relative", text_of::<Relative<4>>()),
        ("Bank", text_of::<Bank>()),
        ("Sigil", text_of::<Sigil>()),
        ("Place", text_of::<Place>()),
    ];
    let (_, text) = known.into_iter().find(|(name, _)| is(name))?;
    Some(if is("going_on") { going_on(&text) } else { text.forms })
}

fn leaked(literal: &TokenTree) -> &'static str {
    crate::verdict::unescaped(&literal.to_string()).leak()
}

/// Evaluates a question such as `&[&[0, 1], &[2]]`.
fn answer(found: &[Meeting], question: &[TokenTree]) -> Option<bool> {
    let number = |trees: &[TokenTree]| trees.first()?.to_string().parse().ok();
    let step = |trees: &[TokenTree]| -> Option<Vec<u32>> {
        by_comma(&group(trees.last()?, Delimiter::Bracket)?).map(number).collect()
    };
    let steps = group(question.last()?, Delimiter::Bracket)?;
    let steps: Option<Vec<_>> = by_comma(&steps).map(step).collect();
    let steps = steps?;
    let steps: Vec<&[u32]> = steps.iter().map(Vec::as_slice).collect();
    Some(are_apart(found, &[&steps]) == [true])
}

/// Evaluates a pair such as `("", 0, "", 1, false)`.
fn meeting(starts: &[Starts<'_>], trees: &[TokenTree]) -> Option<Meeting> {
    let parts = group(trees.first()?, Delimiter::Parenthesis)?;
    let parts: Vec<&TokenTree> = by_comma(&parts).filter_map(|part| part.first()).collect();
    let [a, a_forms, b, b_forms, fold] = parts[..] else { return None };
    let number = |tree: &TokenTree| tree.to_string().parse().ok();
    let pair =
        (leaked(a), number(a_forms)?, leaked(b), number(b_forms)?, fold.to_string() == "true");
    let [meeting] = meetings(starts, &[pair]);
    Some(meeting)
}
