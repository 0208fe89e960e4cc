//! `encoding` sections: `field<12, 3> Pred pg = PT;`

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Result, Token, token};

use super::ast::{Docs, FieldDecl, FieldName, InitDecl, NodeDecl, Number, ValueRef};
use super::common::{help, parse_docs, parse_name, parse_number};
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "a field is `field<position, width> Type name;`, with `= value` for a default \
                    or `== value` to fix it";

/// Parses all statements into `node`. Of a broken one the field's type and name are kept, where
/// they can be read.
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

/// One statement, or several between which the `;` is missing.
fn parse_statement(
    input: ParseStream<'_>,
    node: &mut NodeDecl,
    diag: &mut Diagnostics,
) -> Result<()> {
    loop {
        let docs = parse_docs(input)?;
        if names_a_value(input) {
            node.fields.push(parse_inherited(docs, input)?);
            return Ok(());
        }
        let keyword: Ident = input.parse()?;
        if keyword == "word" {
            input.parse::<Token![<]>()?;
            let word = parse_number(input)?;
            input.parse::<Token![>]>()?;
            match node.word {
                Some(first) => diag.repeated("word", &node.describe(), word.span, first.span),
                None => node.word = Some(word),
            }
        } else {
            check_keyword(&keyword)?;
            node.fields.push(parse_field(docs, input)?);
        }
        if input.is_empty() {
            return Ok(());
        }
        if !input.peek(Token![#]) && !input.fork().parse::<Ident>().is_ok_and(|i| i == "field") {
            return Err(input.error("`=`, `==` or `;` is meant here"));
        }
        diag.syntax(input.error("a `;` is missing before this"));
    }
}

fn check_keyword(keyword: &Ident) -> Result<()> {
    if keyword == "field" {
        return Ok(());
    }
    let hint = did_you_mean(&keyword.to_string(), ["field"]);
    let message = format!("`{keyword}` starts no field{hint}\nhelp: {FORM}");
    Err(syn::Error::new(keyword.span(), message))
}

/// Whether a statement starts with a name and what it is or is not, without place and type.
fn names_a_value(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    parse_field_name(&ahead).is_ok() && (ahead.peek(Token![=]) || ahead.peek(Token![!=]))
}

/// `op == ADD`, `sat = NoSAT`, `rd != 0`: an inherited field.
fn parse_inherited(docs: Docs, input: ParseStream<'_>) -> Result<FieldDecl> {
    let name = parse_field_name(input)?;
    let (pieces, bitless, ty) = (Vec::new(), false, name.base.clone());
    let forbidden = parse_forbidden(input)?;
    let init = if forbidden.is_empty() { parse_init(input)? } else { InitDecl::Required };
    Ok(FieldDecl { docs, pieces, bitless, ty, name, init, forbidden, inherits: true })
}

fn parse_field(docs: Docs, input: ParseStream<'_>) -> Result<FieldDecl> {
    let pieces = parse_pieces(input)?;
    let bitless = pieces.is_empty();
    let (ty, name) = (input.parse()?, parse_field_name(input)?);
    let forbidden = parse_forbidden(input)?;
    let init = if forbidden.is_empty() { parse_init(input)? } else { InitDecl::Required };
    Ok(FieldDecl { docs, pieces, bitless, ty, name, init, forbidden, inherits: false })
}

/// The field of a broken statement: what stands behind the `>`.
fn salvage(statement: TokenStream) -> Option<FieldDecl> {
    let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '>');
    let behind: TokenStream =
        statement.into_iter().skip_while(|tree| !is_end(tree)).skip(1).collect();
    let parser = |input: ParseStream<'_>| {
        let (ty, name) = (input.parse()?, parse_field_name(input)?);
        let init = parse_init(input).unwrap_or(InitDecl::Required);
        input.parse::<TokenStream>()?;
        let (docs, pieces, forbidden) = (Docs::default(), Vec::new(), Vec::new());
        Ok(FieldDecl { docs, pieces, bitless: false, ty, name, init, forbidden, inherits: false })
    };
    parser.parse2(behind).ok()
}

/// `<12, 3>`, or several pieces with the most significant first: `<31, 1 : 7, 1 : 25, 6>`. `<>`
/// is no piece.
fn parse_pieces(input: ParseStream<'_>) -> Result<Vec<(Number, Number)>> {
    input.parse::<Token![<]>()?;
    let mut pieces = Vec::new();
    if input.parse::<Option<Token![>]>>()?.is_some() {
        return Ok(pieces);
    }
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
    let base = parse_name(input)?;
    let dot = input.parse::<Option<Token![.]>>()?;
    let sub = dot.map(|_| parse_name(input)).transpose()?;
    Ok(FieldName { base, sub })
}

/// `!= value` or `!= {value, value}`.
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
        let message = "at least one value is meant here: `!= 0`, `!= {A, B}`";
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

/// A name, a name in quotes, a number, or `{}` for an empty set.
pub(crate) fn parse_value_ref(input: ParseStream<'_>) -> Result<ValueRef> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        return Ok(ValueRef::Name(name.value(), name.span()));
    }
    if input.peek(Ident::peek_any) {
        let name = parse_name(input)?;
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
