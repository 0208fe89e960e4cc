//! `encoding` sections: `field<12, 3> Pred pg = PT;`

use proc_macro2::{Ident, Literal, Punct, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitInt, Result, Token, token};

use super::ast::{
    Condition, Docs, FieldDecl, InitDecl, NodeDecl, NumberLiteral, ShortWordDecl, ValueRef,
    WhereDecl,
};
use super::common::{
    help, parse_docs, parse_field_name, parse_name, parse_number, parse_value_ref,
};
use super::condition::{parse_condition_until, with_form};
use super::feature::parse_requires;
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "a field is `field<position, width> Type name;`, with `= value` for a default \
                    or `== value` to fix it";

/// Parses all statements into `node`. If a statement has an error, the type and name of its field
/// are kept if they can be parsed.
pub(crate) fn parse_encoding(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        let known = node.fields.len();
        let parser = |input: ParseStream<'_>| parse_statement(input, node, diag);
        if let Err(error) = split::parse(statement.clone(), parser) {
            diag.syntax(help(error, FORM));
            let saved = if node.fields.len() == known { salvage(statement) } else { None };
            node.incomplete |= saved.is_none();
            node.fields.extend(saved);
        }
    }
}

/// Parses one statement, or several with missing `;` between them.
fn parse_statement(
    input: ParseStream<'_>,
    node: &mut NodeDecl,
    diag: &mut Diagnostics,
) -> Result<()> {
    loop {
        let docs = parse_docs(input)?;
        if names_a_value(input) {
            node.fields.push(parse_inherited(docs, input)?);
            if ends_statement(input, diag)? {
                return Ok(());
            }
            continue;
        }
        if input.peek(Token![where]) {
            let span = input.parse::<Token![where]>()?.span;
            let condition = parse_where(span, input)?;
            node.wheres.push(WhereDecl { condition, span });
            if ends_statement(input, diag)? {
                return Ok(());
            }
            continue;
        }
        if input.peek(Token![<]) {
            return Err(input.error(format!("expected `field` before this\nhelp: {FORM}")));
        }
        let keyword = parse_name(input)?;
        if keyword == "word" {
            let (word, short) = (parse_width(input)?, parse_short_word(input)?);
            match node.word {
                Some(first) => diag.repeated("word", &node.describe(), word.span, first.span),
                None => (node.word, node.short) = (Some(word), short),
            }
        } else {
            check_keyword(&keyword, input)?;
            node.fields.push(parse_field(docs, input)?);
        }
        if ends_statement(input, diag)? {
            return Ok(());
        }
    }
}

/// Parses the `<64>` of `word<64>`.
fn parse_width(input: ParseStream<'_>) -> Result<NumberLiteral> {
    input.parse::<Token![<]>()?;
    let width = parse_number(input)?;
    input.parse::<Token![>]>()?;
    Ok(width)
}

const SHORT_FORM: &str = "words of two widths are `word<64> if condition else word<32>;`: the long \
                          words are those that satisfy the condition";

/// Parses `if condition else word<32>` after a width.
fn parse_short_word(input: ParseStream<'_>) -> Result<Option<ShortWordDecl>> {
    let Some(keyword) = input.parse::<Option<Token![if]>>()? else { return Ok(None) };
    let (span, form) = (keyword.span, |error| help(error, SHORT_FORM));
    if input.is_empty() {
        return Err(form(syn::Error::new(span, "expected a condition after this")));
    }
    let condition = parse_condition_until(input, |rest| rest.peek(Token![else]))?;
    if input.parse::<Option<Token![else]>>()?.is_none() {
        return Err(form(syn::Error::new(span, "expected `else` after the condition")));
    }
    let is_word = input.fork().parse::<Ident>().is_ok_and(|word| word == "word");
    if !is_word {
        return Err(form(input.error("expected the width of the other words")));
    }
    input.parse::<Ident>()?;
    let width = parse_width(input)?;
    Ok(Some(ShortWordDecl { condition, width, span }))
}

/// Parses the condition after `where`, up to the end of the statement or the start of another one.
fn parse_where(keyword: Span, input: ParseStream<'_>) -> Result<Condition> {
    if input.is_empty() {
        return Err(with_form(syn::Error::new(keyword, "expected a condition after this")));
    }
    parse_condition_until(input, |rest| rest.peek(Token![,]) || starts_statement(rest))
}

/// Returns whether another statement starts here.
fn starts_statement(input: ParseStream<'_>) -> bool {
    let is_field = input.fork().parse::<Ident>().is_ok_and(|word| word == "field");
    is_field || input.peek(Token![#]) || input.peek(Token![where]) || names_a_value(input)
}

/// Returns whether a statement ends here. Reports a missing `;` before another statement.
fn ends_statement(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<bool> {
    if input.is_empty() {
        return Ok(true);
    }
    if input.peek(Token![,]) {
        diag.syntax(input.error("expected `;` at the end of a statement, found `,`"));
        input.parse::<Token![,]>()?;
        return Ok(input.is_empty());
    }
    if !starts_statement(input) {
        return Err(input.error("expected `=`, `==` or `;`"));
    }
    diag.syntax(input.error("expected `;` before this"));
    Ok(false)
}

fn check_keyword(keyword: &Ident, input: ParseStream<'_>) -> Result<()> {
    if keyword == "field" {
        return Ok(());
    }
    if input.peek(Token![:]) {
        return Err(input.error("expected `==` to fix a field, or `=` to set its default"));
    }
    let hint = did_you_mean(&keyword.to_string(), ["field", "where"]);
    let message = format!("expected a field, found `{keyword}`{hint}\nhelp: {FORM}");
    Err(syn::Error::new(keyword.span(), message))
}

/// Returns whether a statement starts with a name and a value, without a position and a type.
fn names_a_value(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    parse_field_name(&ahead).is_ok() && (ahead.peek(Token![=]) || ahead.peek(Token![!=]))
}

/// Parses `op == ADD`, `sat = NoSAT`, `rd != 0`: an inherited field.
fn parse_inherited(docs: Docs, input: ParseStream<'_>) -> Result<FieldDecl> {
    let name = parse_field_name(input)?;
    let (pieces, bitless, ty) = (Vec::new(), false, name.base.clone());
    let forbidden = parse_forbidden(input)?;
    let init = if forbidden.is_empty() { parse_init(input)? } else { InitDecl::Required };
    let ignored = parse_ignored(&init, input)?;
    if let Some(condition) = parse_requires(input)? {
        let message = "an inherited field cannot have `requires`\nhelp: write it at the \
                       declaration of the field, or after the name of the opcode";
        return Err(syn::Error::new(condition.span(), message));
    }
    let (inherits, requires) = (true, None);
    Ok(FieldDecl { docs, pieces, bitless, ty, name, init, forbidden, inherits, ignored, requires })
}

fn parse_field(docs: Docs, input: ParseStream<'_>) -> Result<FieldDecl> {
    let pieces = parse_pieces(input)?;
    let bitless = pieces.is_empty();
    let ty: Ident = input.parse()?;
    if input.peek(Token![:]) || input.is_empty() {
        let message =
            format!("write the type before the name: `field<position, width> Type {ty};`");
        return Err(syn::Error::new(ty.span(), message));
    }
    let name = parse_field_name(input)?;
    let forbidden = parse_forbidden(input)?;
    let init = if forbidden.is_empty() { parse_init(input)? } else { InitDecl::Required };
    let ignored = parse_ignored(&init, input)?;
    let (inherits, requires) = (false, parse_requires(input)?);
    Ok(FieldDecl { docs, pieces, bitless, ty, name, init, forbidden, inherits, ignored, requires })
}

/// Parses `, ignored` after a default.
fn parse_ignored(init: &InitDecl, input: ParseStream<'_>) -> Result<bool> {
    let ahead = input.fork();
    if ahead.parse::<Token![,]>().is_err() {
        return Ok(false);
    }
    let Ok(word) = ahead.call(Ident::parse_any) else { return Ok(false) };
    if word != "ignored" {
        let is_meant = ahead.is_empty() && !did_you_mean(&word.to_string(), ["ignored"]).is_empty();
        let message = format!("expected `ignored`, found `{word}`");
        return if is_meant { Err(syn::Error::new(word.span(), message)) } else { Ok(false) };
    }
    if !matches!(init, InitDecl::Default(_)) {
        let message = "an ignored field must have a default, which is encoded: `= 0, ignored`";
        return Err(syn::Error::new(word.span(), message));
    }
    input.parse::<Token![,]>()?;
    input.call(Ident::parse_any)?;
    Ok(true)
}

/// Parses the type and name, after the `>`, of a statement with an error.
fn salvage(statement: TokenStream) -> Option<FieldDecl> {
    let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '>');
    let behind: TokenStream =
        statement.into_iter().skip_while(|tree| !is_end(tree)).skip(1).collect();
    let parser = |input: ParseStream<'_>| {
        let (ty, name) = (input.parse()?, parse_field_name(input)?);
        let init = parse_init(input).unwrap_or(InitDecl::Required);
        input.parse::<TokenStream>()?;
        let (docs, pieces, forbidden) = (Docs::default(), Vec::new(), Vec::new());
        let (bitless, inherits, ignored, requires) = (false, false, false, None);
        Ok(FieldDecl {
            docs,
            pieces,
            bitless,
            ty,
            name,
            init,
            forbidden,
            inherits,
            ignored,
            requires,
        })
    };
    parser.parse2(behind).ok()
}

/// Parses `<12, 3>`, or several pieces with the most significant first: `<31, 1 : 7, 1 : 25, 6>`.
/// The result of `<>` is empty.
fn parse_pieces(input: ParseStream<'_>) -> Result<Vec<(NumberLiteral, NumberLiteral)>> {
    if let Some((inside, _, span, _)) = input.cursor().any_group() {
        let bits = inside.token_stream();
        let bits: Vec<TokenTree> = bits.into_iter().collect();
        let meant = match &bits[..] {
            [TokenTree::Literal(first), TokenTree::Punct(mark), TokenTree::Literal(second)] => {
                bits_between(first, mark, second)
            }
            _ => None,
        };
        let meant = meant.unwrap_or_else(|| "<position, width>".to_owned());
        let message = format!("write the bits of a field in angle brackets: `field{meant}`");
        return Err(syn::Error::new(span.open(), message));
    }
    input.parse::<Token![<]>()?;
    let mut pieces = Vec::new();
    if input.parse::<Option<Token![>]>>()?.is_some() {
        return Ok(pieces);
    }
    loop {
        let position = parse_number(input)?;
        if let Some(error) = bit_range(position, input) {
            return Err(error);
        }
        if input.peek(Token![>]) {
            let message = format!("expected a width: one bit is `<{}, 1>`", position.value);
            return Err(syn::Error::new(position.span, message));
        }
        input.parse::<Token![,]>()?;
        pieces.push((position, parse_number(input)?));
        if input.parse::<Option<Token![:]>>()?.is_none() {
            break;
        }
    }
    input.parse::<Token![>]>()?;
    Ok(pieces)
}

/// Returns the error for `31:24`, `31..24` or `31..=24`. These forms name the highest and the
/// lowest bit instead of a position and a width.
fn bit_range(from: NumberLiteral, input: ParseStream<'_>) -> Option<syn::Error> {
    if !input.peek(Token![:]) && !input.peek(Token![..]) {
        return None;
    }
    let ahead = input.fork();
    while !ahead.is_empty() && !ahead.peek(LitInt) {
        ahead.parse::<TokenTree>().ok()?;
    }
    let to = parse_number(&ahead).ok()?;
    let (low, high) = (from.value.min(to.value), from.value.max(to.value));
    let message = format!(
        "write bits {low} to {high} as `<{low}, {}>`: the lowest bit and the number of bits",
        (high - low).saturating_add(1)
    );
    Some(syn::Error::new(from.span, message))
}

/// Converts the contents of other brackets to the valid form: both `[31:24]` and `(24, 8)` mean
/// `<24, 8>`.
fn bits_between(first: &Literal, mark: &Punct, second: &Literal) -> Option<String> {
    let (first, second): (u64, u64) =
        (first.to_string().parse().ok()?, second.to_string().parse().ok()?);
    match mark.as_char() {
        ',' => Some(format!("<{first}, {second}>")),
        ':' if first >= second => {
            Some(format!("<{second}, {}>", (first - second).saturating_add(1)))
        }
        _ => None,
    }
}

/// Parses `!= value` or `!= {value, value}`.
fn parse_forbidden(input: ParseStream<'_>) -> Result<Vec<ValueRef>> {
    if input.parse::<Option<Token![!=]>>()?.is_none() {
        return Ok(Vec::new());
    }
    if !input.peek(token::Brace) {
        return Ok(vec![parse_value_ref(input)?]);
    }
    let list;
    let braces = syn::braced!(list in input);
    let values = list.parse_terminated(parse_value_ref, Token![,])?;
    if values.is_empty() {
        let message = "expected at least one value: `!= 0`, `!= {A, B}`";
        return Err(syn::Error::new(braces.span.join(), message));
    }
    Ok(values.into_iter().collect())
}

fn parse_init(input: ParseStream<'_>) -> Result<InitDecl> {
    if input.parse::<Option<Token![==]>>()?.is_some() {
        return Ok(InitDecl::Fixed(parse_value_ref(input)?));
    }
    if input.parse::<Option<Token![=]>>()?.is_some() {
        return Ok(InitDecl::Default(parse_value_ref(input)?));
    }
    Ok(InitDecl::Required)
}
