//! Evaluates numbers that depend on loop variables: `${N + 1}`, `${1 << N}`.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{BinOp, Error, Expr, Lit, Result};

/// The maximum number of tokens of an expression, and the maximum number of characters of an
/// expression in text. The limit exists because the parser and the evaluation are recursive.
pub(super) const MOST: usize = 128;

/// Returns whether the tokens of `${...}` consist of numbers, names and operators, and at least one
/// name is known.
pub(super) fn is_sum(tokens: TokenStream, is_known: &dyn Fn(&str) -> bool) -> bool {
    is_arithmetic(tokens.clone()) && has_known(tokens, is_known)
}

/// Returns whether there are tokens, and all of them are names, numbers, operators or parentheses.
/// [`number`] decides which operators are valid.
pub(super) fn is_arithmetic(tokens: TokenStream) -> bool {
    let mut trees = tokens.into_iter().peekable();
    trees.peek().is_some()
        && trees.all(|tree| match tree {
            TokenTree::Ident(_) | TokenTree::Literal(_) => true,
            TokenTree::Punct(mark) => "+-*/%<>=!&|^".contains(mark.as_char()),
            TokenTree::Group(group) => {
                group.delimiter() == Delimiter::Parenthesis && is_arithmetic(group.stream())
            }
        })
}

fn has_known(tokens: TokenStream, is_known: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => is_known(&name.to_string()),
        TokenTree::Group(group) => has_known(group.stream(), is_known),
        _ => false,
    })
}

/// Evaluates the tokens, given the values of their names. The messages do not depend on these
/// values, because an error is the same in each iteration of a loop.
pub(super) fn number<'v>(
    tokens: TokenStream,
    span: Span,
    of: &dyn Fn(&str) -> Option<&'v [TokenTree]>,
) -> Result<u64> {
    let sum = ConstSum { of, span };
    if count(tokens.clone()) > MOST {
        return Err(sum.unread());
    }
    let parsed = syn::parse2::<Expr>(tokens).map_err(|_| sum.unread())?;
    let number = sum.evaluate(&parsed)?;
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| {
        Error::new(
            span,
            "the result is not a number of 64 bits: it is negative, too large, or a division by 0",
        )
    })
}

fn count(tokens: TokenStream) -> usize {
    let size = |tree| match tree {
        TokenTree::Group(group) => 1 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(size).sum()
}

struct ConstSum<'s, 'v> {
    of: &'s dyn Fn(&str) -> Option<&'v [TokenTree]>,
    span: Span,
}

impl ConstSum<'_, '_> {
    /// Evaluates an expression. Returns `None` if a step has no result.
    fn evaluate(&self, sum: &Expr) -> Result<Option<i128>> {
        Ok(match sum {
            Expr::Paren(inner) => self.evaluate(&inner.expr)?,
            Expr::Lit(literal) => Some(self.literal(&literal.lit)?),
            Expr::Path(path) => Some(self.value(path.path.require_ident()?)?),
            Expr::Binary(both) => match (self.evaluate(&both.left)?, self.evaluate(&both.right)?) {
                (Some(left), Some(right)) => self.step(left, &both.op, right)?,
                _ => None,
            },
            _ => return Err(self.unread()),
        })
    }

    fn step(&self, left: i128, sign: &BinOp, right: i128) -> Result<Option<i128>> {
        let power = || u32::try_from(right).ok().and_then(|right| 2i128.checked_pow(right));
        Ok(match sign {
            BinOp::Add(_) => left.checked_add(right),
            BinOp::Sub(_) => left.checked_sub(right),
            BinOp::Mul(_) => left.checked_mul(right),
            BinOp::Div(_) => left.checked_div(right),
            BinOp::Rem(_) => left.checked_rem(right),
            BinOp::Shl(_) => power().and_then(|power| left.checked_mul(power)),
            BinOp::Shr(_) => power().map(|power| left.div_euclid(power)),
            _ => return Err(self.unread()),
        })
    }

    fn value(&self, name: &Ident) -> Result<i128> {
        let wrong = |what| Err(Error::new(self.span, format!("`{name}` {what}")));
        match (self.of)(&name.to_string()) {
            Some([TokenTree::Literal(literal)]) => {
                let number = self.literal(&Lit::new(literal.clone()));
                number.or_else(|_| wrong("is not a number here"))
            }
            Some(_) => wrong("is not a number here"),
            None => wrong("is not the name of an enclosing loop"),
        }
    }

    fn literal(&self, literal: &Lit) -> Result<i128> {
        match literal {
            Lit::Int(number) if number.suffix().is_empty() => {
                number.base10_parse().map_err(|_| self.unread())
            }
            _ => Err(self.unread()),
        }
    }

    fn unread(&self) -> Error {
        let message = "expected an expression of numbers and loop names with `+`, `-`, `*`, `/`, \
                       `%`, `<<` and `>>`: `${N + 1}`";
        Error::new(self.span, message)
    }
}
