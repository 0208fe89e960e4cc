//! What an expansion asserts of the forms of types, evaluated as a Rust compiler would.

use isa_core::operand::{OperandKind, Pred, Reg, Signed, Unsigned, are_apart};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What one side of a comparison begins with, and the number of its forms.
type Pair = (&'static str, u16, &'static str, u16);

/// The messages of the assertions that fail in an expansion; `None` where it asserts what this does
/// not know.
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
            // `const __Toy_APART: [bool; 1] = { .. }`
            Some(TokenTree::Punct(_)) => {
                let body = trees[at..].iter().find_map(|tree| group(tree, Delimiter::Brace))?;
                results = table(&body)?;
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

/// `const FORMS: [..] = [..]; [are_apart(..), ..]`
fn table(body: &[TokenTree]) -> Option<Vec<bool>> {
    let lists: Vec<Vec<TokenTree>> =
        body.iter().filter_map(|tree| group(tree, Delimiter::Bracket)).collect();
    let [_, forms, questions] = &lists[..] else { return None };
    let forms: Option<Vec<_>> = by_comma(forms).map(forms_of).collect();
    let forms = forms?;
    by_comma(questions).map(|question| answer(&forms, question)).collect()
}

/// `::isa_core::operand::text_of::<PATH>().forms`, or a list of texts.
fn forms_of(trees: &[TokenTree]) -> Option<&'static [&'static str]> {
    if let Some(list) = trees.last().and_then(|tree| group(tree, Delimiter::Bracket)) {
        let texts = by_comma(&list).map(|text| text.first().map(leaked));
        return texts.collect::<Option<Vec<_>>>().map(|texts| &*texts.leak());
    }
    let is = |name: &str| trees.iter().any(|tree| tree.to_string() == name);
    let known = [
        ("Reg", Reg::FORMS),
        ("Pred", Pred::FORMS),
        ("Signed", Signed::<3>::FORMS),
        ("Unsigned", Unsigned::<2>::FORMS),
    ];
    known.into_iter().find(|(name, _)| is(name)).map(|(_, forms)| forms)
}

fn leaked(literal: &TokenTree) -> &'static str {
    crate::verdict::unescaped(&literal.to_string()).leak()
}

/// `::isa_core::operand::are_apart(&FORMS, &[&[("", 0, "", 1)]], false)`
fn answer(forms: &[&[&str]], question: &[TokenTree]) -> Option<bool> {
    let arguments = group(question.last()?, Delimiter::Parenthesis)?;
    let [_, steps, fold] = by_comma(&arguments).collect::<Vec<_>>()[..] else { return None };
    let steps = group(steps.last()?, Delimiter::Bracket)?;
    let mut all: Vec<&'static [Pair]> = Vec::new();
    for step in by_comma(&steps) {
        let pairs = group(step.last()?, Delimiter::Bracket)?;
        let pairs: Option<Vec<Pair>> = by_comma(&pairs).map(pair).collect();
        all.push(pairs?.leak());
    }
    Some(are_apart(forms, &all, fold.first()?.to_string() == "true"))
}

fn pair(trees: &[TokenTree]) -> Option<Pair> {
    let parts = group(trees.first()?, Delimiter::Parenthesis)?;
    let parts: Vec<&TokenTree> = by_comma(&parts).filter_map(|part| part.first()).collect();
    let [a, a_forms, b, b_forms] = parts[..] else { return None };
    let number = |tree: &TokenTree| tree.to_string().trim_end_matches("u16").parse().ok();
    Some((leaked(a), number(a_forms)?, leaked(b), number(b_forms)?))
}
