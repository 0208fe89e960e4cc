//! Rewrites `return;` in a semantic function: the generated function returns the outputs, so the outputs
//! are added after `return`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::plan::find;

/// Adds the outputs after each `return` without a value that returns from the semantic function. A
/// `return` from a closure or a function inside it remains unchanged.
pub(super) fn with_outputs(body: &TokenStream, outputs: &TokenStream) -> TokenStream {
    let mut trees = body.clone().into_iter().peekable();
    let mut output = TokenStream::new();
    let mut place = ReturnContext::Start;
    while let Some(tree) = trees.next() {
        let next = place.after(&tree);
        let is_return = matches!(&tree, TokenTree::Ident(word) if word == "return");
        match &tree {
            // A copy would lose the spans of the braces, so a group without changes is kept.
            TokenTree::Group(group)
                if !place.is_inner() && find(group.stream(), "return").is_some() =>
            {
                let inside = with_outputs(&group.stream(), outputs);
                let mut copy = proc_macro2::Group::new(group.delimiter(), inside);
                copy.set_span(group.span());
                output.extend([TokenTree::Group(copy)]);
            }
            _ => output.extend([tree]),
        }
        if is_return && !place.is_inner() && trees.peek().is_none_or(ends) {
            output.extend(outputs.clone());
        }
        place = next;
    }
    output
}

fn ends(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ','))
}

/// The context before a token, which determines whether a `return` leaves the semantic function.
#[derive(Clone, Copy, PartialEq)]
enum ReturnContext {
    /// No token, or a token that an expression follows. A `|` here begins a closure.
    Start,
    /// An operand. A `|` after it is an operator.
    Operand,
    /// A `|` that is an operator, or the first character of `||`.
    Pipe,
    /// The parameters of a closure, up to the next `|`.
    Parameters,
    /// The body of a closure, up to the end of the expression.
    Closure,
    /// A function or an `async` block, up to its braces.
    Function,
}

impl ReturnContext {
    /// Returns whether a `return` here only leaves a closure or function inside the semantic function.
    fn is_inner(self) -> bool {
        !matches!(self, ReturnContext::Start | ReturnContext::Operand | ReturnContext::Pipe)
    }

    fn after(self, tree: &TokenTree) -> ReturnContext {
        match (self, tree) {
            (ReturnContext::Parameters, TokenTree::Punct(mark)) if mark.as_char() == '|' => {
                ReturnContext::Closure
            }
            // The tokens were not parameters: the `|` came before the first pattern of a match arm.
            (ReturnContext::Parameters, TokenTree::Punct(mark)) if mark.as_char() == '=' => {
                ReturnContext::Start
            }
            (ReturnContext::Parameters, _) => ReturnContext::Parameters,
            (ReturnContext::Closure, TokenTree::Punct(mark))
                if matches!(mark.as_char(), ';' | ',') =>
            {
                ReturnContext::Start
            }
            (ReturnContext::Closure, _) => ReturnContext::Closure,
            (ReturnContext::Function, TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Brace => ReturnContext::Start,
                _ => ReturnContext::Function,
            },
            (ReturnContext::Function, TokenTree::Punct(mark)) if mark.as_char() == ';' => {
                ReturnContext::Start
            }
            (ReturnContext::Function, _) => ReturnContext::Function,
            (ReturnContext::Start, TokenTree::Punct(mark)) if mark.as_char() == '|' => {
                ReturnContext::Parameters
            }
            (ReturnContext::Operand, TokenTree::Punct(mark)) if mark.as_char() == '|' => {
                ReturnContext::Pipe
            }
            (_, TokenTree::Punct(_)) => ReturnContext::Start,
            (_, TokenTree::Ident(word)) => ReturnContext::behind_word(&word.to_string()),
            (_, TokenTree::Group(_) | TokenTree::Literal(_)) => ReturnContext::Operand,
        }
    }

    fn behind_word(word: &str) -> ReturnContext {
        match word {
            "fn" | "async" => ReturnContext::Function,
            "return" | "break" | "move" | "static" | "in" | "if" | "match" | "while" | "else" => {
                ReturnContext::Start
            }
            _ => ReturnContext::Operand,
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::with_outputs;

    #[test]
    fn a_return_gets_the_outputs_and_one_inside_something_stays() {
        let outputs = quote!((Rd,));
        let changes = |before, after: proc_macro2::TokenStream| {
            let made = with_outputs(&before, &outputs).to_string();
            assert_eq!(made, after.to_string(), "of {before}");
        };
        let stays = |body: proc_macro2::TokenStream| changes(body.clone(), body);
        changes(quote!(Rd = 1; return;), quote!(Rd = 1; return (Rd,);));
        changes(
            quote!(if a | b {
                return;
            }),
            quote!(if a | b {
                return (Rd,);
            }),
        );
        changes(
            quote!(if a || b {
                return;
            }),
            quote!(if a || b {
                return (Rd,);
            }),
        );
        changes(
            quote!(match x {
                A | B => return,
                C => {
                    return;
                }
            }),
            quote!(match x {
                A | B => return (Rd,),
                C => {
                    return (Rd,);
                }
            }),
        );
        changes(quote!(let f = |x, y| x; return;), quote!(let f = |x, y| x; return (Rd,);));
        changes(quote!(fn f() { return; } return;), quote!(fn f() { return; } return (Rd,);));
        stays(quote!(let f = |x, y| { return; };));
        stays(quote!(let f = move || return;));
        stays(quote!(a.map(|x| {
            if x {
                return;
            }
        })));
        stays(quote!(return 5;));
        stays(quote!(let r = async { return; };));
    }
}
