//! Loops: `for $R, $BITS in (W, 32), (X, 64) { ... }`, the items in braces once for each turn.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use syn::{Error, Result};

use super::split;
use super::text::is_word;

/// The items of a loop with the values of one turn.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) items: TokenStream,
    /// What the names stand for, for messages: "`R` is `W`".
    pub(super) title: String,
}

/// The most turns that the loops of a call have, those inside of others counted for each turn.
pub(super) const MOST_TURNS: usize = 1 << 16;

const FORM: &str = "a loop is `for $NAME in VALUE, VALUE { ... }`, or with several names `for $A, \
                    $B in (VALUE, VALUE), (VALUE, VALUE) { ... }`";

/// Whether an item is a loop.
pub(super) fn is_loop(item: &[TokenTree]) -> bool {
    matches!(item.first(), Some(TokenTree::Ident(word)) if word == "for")
}

/// The turns of a loop.
pub(super) fn turns(item: &[TokenTree]) -> Result<Vec<Turn>> {
    let fault = |at: &TokenTree, what: &str| Error::new(at.span(), format!("{what}\nhelp: {FORM}"));
    let (last, head) = item.split_last().ok_or_else(|| Error::new(Span::call_site(), FORM))?;
    let TokenTree::Group(body) = last else {
        return Err(fault(last, "the items of this loop are missing"));
    };
    let is_in = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "in");
    let Some(middle) = head.iter().position(is_in) else {
        return Err(fault(&item[0], "this loop has no `in`"));
    };
    let names =
        names(&head[1..middle]).map_err(|at| fault(&at, "a name is meant here, `$NAME`"))?;
    let mut turns = Vec::new();
    for part in split::by_comma(head[middle + 1..].iter().cloned().collect()) {
        if let Some(numbers) = range(&part) {
            for number in numbers? {
                let number = TokenTree::from(Literal::u64_unsuffixed(number));
                turns.push(turn(&names, vec![vec![number]], body, &part[0])?);
            }
            continue;
        }
        let values = match &part[..] {
            [TokenTree::Group(group)]
                if group.delimiter() == Delimiter::Parenthesis && names.len() > 1 =>
            {
                split::by_comma(group.stream())
            }
            _ => vec![part.clone()],
        };
        turns.push(turn(&names, values, body, &part[0])?);
    }
    match turns.is_empty() {
        true => Err(fault(&head[middle], "this loop has no values")),
        false => Ok(turns),
    }
}

/// `$A, $B`; where that is not so, the token at which it ends.
fn names(trees: &[TokenTree]) -> std::result::Result<Vec<Ident>, TokenTree> {
    let parts = split::by_comma(trees.iter().cloned().collect()).into_iter();
    parts
        .map(|part| match &part[..] {
            [TokenTree::Punct(mark), TokenTree::Ident(name)] if mark.as_char() == '$' => {
                Ok(name.clone())
            }
            // No part between commas is empty.
            part => Err(part[0].clone()),
        })
        .collect()
}

/// The numbers of `0..4`.
fn range(part: &[TokenTree]) -> Option<Result<std::ops::Range<u64>>> {
    let [
        TokenTree::Literal(first),
        TokenTree::Punct(a),
        TokenTree::Punct(b),
        TokenTree::Literal(end),
    ] = part
    else {
        return None;
    };
    if (a.as_char(), b.as_char()) != ('.', '.') {
        return None;
    }
    let number = |literal: &Literal| {
        let number = syn::parse2::<syn::LitInt>(TokenTree::from(literal.clone()).into())?;
        number.base10_parse::<u64>()
    };
    let range = || {
        let range = number(first)?..number(end)?;
        match range.end.saturating_sub(range.start) {
            0 => Err(Error::new(end.span(), "no number is in this range")),
            count if count > MOST_TURNS as u64 => Err(Error::new(end.span(), too_many())),
            _ => Ok(range),
        }
    };
    Some(range())
}

/// The message about a call whose loops have too many turns.
pub(super) fn too_many() -> String {
    format!("the loops of this call have more than {MOST_TURNS} turns")
}

fn turn(
    names: &[Ident],
    values: Vec<Vec<TokenTree>>,
    body: &Group,
    first: &TokenTree,
) -> Result<Turn> {
    if values.len() != names.len() {
        let (have, need) = (values.len(), names.len());
        let message = format!(
            "the values of this turn are {have}, the names of the loop {need}\nhelp: {FORM}; a value with commas stands \
             in parentheses of its own"
        );
        return Err(Error::new(first.span(), message));
    }
    let shown = |value: &[TokenTree]| {
        let tokens: TokenStream = value.iter().cloned().collect();
        tokens.to_string()
    };
    let title =
        names.iter().zip(&values).map(|(name, value)| format!("`{name}` is `{}`", shown(value)));
    let title = title.collect::<Vec<_>>().join(" and ");
    let pairs = names.iter().map(Ident::to_string).zip(values).collect();
    Ok(Turn { items: Values { pairs }.fill(body.stream(), true)?, title })
}

/// What the names of a loop stand for in one turn.
struct Values {
    pairs: Vec<(String, Vec<TokenTree>)>,
}

impl Values {
    fn of(&self, name: &Ident) -> Option<&[TokenTree]> {
        let (_, value) = self.pairs.iter().find(|(known, _)| name == known)?;
        Some(value)
    }

    /// The value of `$NAME` or `${NAME}`, given what stands behind the `$`.
    fn behind_dollar(&self, tree: &TokenTree) -> Option<(&[TokenTree], Span)> {
        let name = match tree {
            TokenTree::Ident(name) => name.clone(),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                syn::parse2::<Ident>(group.stream()).ok()?
            }
            _ => return None,
        };
        Some((self.of(&name)?, name.span()))
    }

    /// The tokens with every name replaced; `is_items` where they are items, and no part of one.
    fn fill(&self, tokens: TokenStream, is_items: bool) -> Result<TokenStream> {
        let mut filled: Vec<TokenTree> = Vec::new();
        let mut trees = tokens.into_iter().peekable();
        // Whether the last token ends with a value, so that a name may go on behind it.
        let mut is_value = false;
        while let Some(tree) = trees.next() {
            let is_dollar =
                |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '$');
            let mut ahead = trees.clone();
            let joins = is_dollar(&tree) && ahead.next_if(is_dollar).is_some();
            let next = ahead.next().filter(|_| is_dollar(&tree));
            if let Some((value, span)) = next.as_ref().and_then(|next| self.behind_dollar(next)) {
                trees = ahead;
                if is_items && !joins && is_behind_name(&filled, value) {
                    return Err(apart(next, span));
                }
                match filled.pop() {
                    Some(TokenTree::Ident(before))
                        if joins || before.to_string().ends_with('_') =>
                    {
                        filled.push(joined(before.to_string(), value, before.span())?);
                    }
                    before => {
                        filled.extend(before);
                        filled.extend(value.iter().map(|tree| placed(tree.clone(), span)));
                    }
                }
                is_value = true;
                continue;
            }
            let was_value = std::mem::replace(&mut is_value, false);
            let tree = match tree {
                TokenTree::Ident(name) if was_value && name.to_string().starts_with('_') => {
                    let Some(before) = filled.pop() else { continue };
                    let (text, span) = (before.to_string(), before.span());
                    is_value = true;
                    joined(text, &[name.into()], span)?
                }
                TokenTree::Group(group) => {
                    let is_items = is_items && is_in_loop(&filled);
                    let inside = self.fill(group.stream(), is_items)?;
                    let mut copy = Group::new(group.delimiter(), inside);
                    copy.set_span(group.span());
                    copy.into()
                }
                TokenTree::Literal(literal) => self.in_text(literal).into(),
                other => other,
            };
            filled.push(tree);
        }
        Ok(filled.into_iter().collect())
    }

    /// Quoted text and documentation with every name in it replaced.
    fn in_text(&self, literal: Literal) -> Literal {
        let text = literal.to_string();
        let mut rest = text.as_str();
        if !text.ends_with(['"', '#']) || !rest.contains('$') {
            return literal;
        }
        let mut filled = String::new();
        while let Some((before, behind)) = rest.split_once('$') {
            filled.push_str(before);
            let inside = behind.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let (name, tail) = inside.unwrap_or_else(|| {
                behind.split_at(behind.find(|c| !is_word(c)).unwrap_or(behind.len()))
            });
            match self.pairs.iter().find(|(known, _)| known == name) {
                Some((_, value)) => {
                    let tokens: TokenStream = value.iter().cloned().collect();
                    filled.push_str(&tokens.to_string());
                    rest = tail;
                }
                None => {
                    filled.push('$');
                    rest = behind;
                }
            }
        }
        filled.push_str(rest);
        match filled.parse::<Literal>() {
            Ok(mut filled) => {
                filled.set_span(literal.span());
                filled
            }
            Err(_) => literal,
        }
    }
}

/// What has a name behind its keyword.
const NAMED: [&str; 8] =
    ["group", "optype", "opcode", "alias", "synonym", "enum", "operand", "format"];

/// Whether the name of an item stands at the end of these tokens, where a value behind it can only be
/// meant as a part of the name.
fn is_behind_name(filled: &[TokenTree], value: &[TokenTree]) -> bool {
    let [rest @ .., TokenTree::Ident(keyword), TokenTree::Ident(name)] = filled else {
        return false;
    };
    let begins = match rest.last() {
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
        Some(TokenTree::Punct(mark)) => mark.as_char() == ';',
        other => other.is_none(),
    };
    let is_part = match value {
        [TokenTree::Ident(word)] => word != "inside" && word != "of",
        [TokenTree::Literal(_)] => true,
        _ => false,
    };
    let goes_on = name.to_string().ends_with('_');
    begins && is_part && !goes_on && NAMED.iter().any(|word| keyword == word)
}

/// Whether the last of these items, which is not yet at its end, is a loop.
fn is_in_loop(filled: &[TokenTree]) -> bool {
    let is_end = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    };
    let start = filled.iter().rposition(is_end).map_or(0, |end| end + 1);
    filled.get(start..).is_some_and(is_loop)
}

/// The fault of a value behind a name that it is no part of.
fn apart(next: Option<TokenTree>, span: Span) -> Error {
    let value = next.map(|next| next.to_string().replace(' ', "")).unwrap_or_default();
    let message = format!(
        "the value of `${value}` is a word of its own here, no part of the name before it\nhelp: \
         `$${value}` joins it to that name; where the name ends with `_`, `${value}` does"
    );
    Error::new(span, message)
}

/// A name that goes on with a value.
fn joined(before: String, value: &[TokenTree], span: Span) -> Result<TokenTree> {
    let [value] = value else {
        let message = "a value in a name is one word or one number";
        return Err(Error::new(span, message));
    };
    let text = format!("{before}{value}");
    match syn::parse_str::<Ident>(&text) {
        // It stands where its first part does, and is not spelled as that is.
        Ok(_) => Ok(Ident::new(&text, Span::call_site().located_at(span)).into()),
        Err(_) => Err(Error::new(span, format!("`{text}` is no name"))),
    }
}

/// A token with its own context at another place.
fn placed(mut tree: TokenTree, span: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(span));
    tree
}
