//! `encoding` sections: `field<12, 3> Pred pg = PT;`

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Result, Token, token};

use super::ast::{Docs, FieldDecl, FieldName, InitDecl, NodeDecl, Number, ValueRef};
use super::item::{parse_docs, parse_number};
use super::split;
use crate::diag::Diagnostics;

/// Parses all statements into `node`; a broken one is reported and left out.
pub(crate) fn parse_encoding(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        let parser = |input: ParseStream<'_>| parse_statement(input, node);
        if let Err(error) = parser.parse2(statement) {
            diag.syntax(error);
        }
    }
}

fn parse_statement(input: ParseStream<'_>, node: &mut NodeDecl) -> Result<()> {
    let docs = parse_docs(input)?;
    let keyword: Ident = input.parse()?;
    if keyword == "word" {
        input.parse::<Token![<]>()?;
        node.word = Some(parse_number(input)?);
        input.parse::<Token![>]>()?;
        return Ok(());
    }
    node.fields.push(parse_field(docs, &keyword, input)?);
    Ok(())
}

fn parse_field(docs: Docs, keyword: &Ident, input: ParseStream<'_>) -> Result<FieldDecl> {
    if keyword != "field" {
        let message = format!(
            "`{keyword}` starts no field; write `field<position, width> Type name;`, with \
             `= value` for a default or `== value` to fix it"
        );
        return Err(syn::Error::new(keyword.span(), message));
    }
    let pieces = parse_pieces(input)?;
    let ty = input.parse()?;
    let name = parse_field_name(input)?;
    let init = parse_init(input)?;
    Ok(FieldDecl { docs, pieces, ty, name, init })
}

/// `<12, 3>`, or several pieces with the most significant first: `<31, 1 : 7, 1 : 25, 6>`.
fn parse_pieces(input: ParseStream<'_>) -> Result<Vec<(Number, Number)>> {
    input.parse::<Token![<]>()?;
    let mut pieces = Vec::new();
    loop {
        let position = parse_number(input)?;
        input.parse::<Token![,]>()?;
        pieces.push((position, parse_number(input)?));
        if input.parse::<Option<Token![:]>>()?.is_none() {
            break;
        }
    }
    input.parse::<Token![>]>()?;
    Ok(pieces)
}

/// `pg` or `pg.not`.
pub(crate) fn parse_field_name(input: ParseStream<'_>) -> Result<FieldName> {
    let base = Ident::parse_any(input)?;
    let dot = input.parse::<Option<Token![.]>>()?;
    let sub = dot.map(|_| Ident::parse_any(input)).transpose()?;
    Ok(FieldName { base, sub })
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

/// A name, a name in quotes, a number, or `{}` for an empty set.
pub(crate) fn parse_value_ref(input: ParseStream<'_>) -> Result<ValueRef> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        return Ok(ValueRef::Name(name.value(), name.span()));
    }
    if input.peek(Ident::peek_any) {
        let name = Ident::parse_any(input)?;
        return Ok(ValueRef::Name(name.to_string(), name.span()));
    }
    if input.peek(token::Brace) {
        let (braces, span) =
            input.step(|cursor| match cursor.group(proc_macro2::Delimiter::Brace) {
                Some((inside, span, rest)) => Ok(((inside.eof(), span.join()), rest)),
                None => Err(cursor.error("a value")),
            })?;
        if braces {
            return Ok(ValueRef::Number(Number { value: 0, span }));
        }
        return Err(syn::Error::new(span, "only `{}`, the empty set, is a value in braces"));
    }
    parse_number(input).map(ValueRef::Number)
}
