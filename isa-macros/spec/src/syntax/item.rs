//! Items: the header, value sets, operand kinds, formats, affixes.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{LitStr, Result, Token, Visibility, braced, token};

use super::ast::{
    AffixDecl, Docs, FormatDecl, Header, Level, Number, OperandDecl, Origin, SetDecl, Spec,
    ValueDecl,
};
use super::body::Body;
use super::common::{help, parse_docs, parse_name, parse_number, parse_type_name};
use super::imported::parse_imported;
use super::node::parse_node;
use super::split;
use crate::diag::{Code, Diagnostics, did_you_mean, nearest};

/// The words an item may start with.
const KEYWORDS: &[&str] = &[
    "isa", "use", "include", "machine", "trap", "enum", "operand", "format", "affix", "group",
    "optype", "opcode", "alias", "synonym",
];

/// Parses one item into `spec`.
pub(crate) fn parse_item(
    item: Vec<TokenTree>,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) {
    if matches!(&item[..], [mark] if split::is_semicolon(mark)) {
        return;
    }
    if matches!(item.first(), Some(TokenTree::Ident(word)) if word == "__imported") {
        if let Err(error) = parse_imported(item, spec, diag) {
            diag.syntax(error);
        }
        return;
    }
    let source = origin.is_none().then(|| item.clone());
    let (body, tokens) = Body::take(item);
    let parsed = split::parse(tokens, |input| {
        let docs = parse_docs(input)?;
        let vis: Visibility = input.parse()?;
        let vis = vis.into_token_stream();
        let Some(word) = parse_keyword(input, diag)? else {
            return skip_rest(input);
        };
        let exported = matches!(
            word.as_str(),
            "machine" | "trap" | "enum" | "operand" | "format" | "affix" | "group" | "optype"
        );
        match word.as_str() {
            "isa" => parse_header(docs, vis, input, &mut spec.header)?,
            "machine" => {
                let span = input.cursor().span();
                let path = parse_path(input)?;
                match spec.machine_span {
                    Some(first) => diag.repeated("machine", "the call", span, first),
                    None => (spec.machine, spec.machine_span) = (Some(path), Some(span)),
                }
            }
            "trap" => {
                let span = input.cursor().span();
                let path = parse_type_path(input)?;
                input.parse::<Token![;]>()?;
                match spec.trap_span {
                    Some(first) => diag.repeated("trap", "the call", span, first),
                    None => (spec.trap, spec.trap_span) = (Some(path), Some(span)),
                }
            }
            "enum" => parse_set(docs, vis, origin, body, input, &mut spec.sets, diag)?,
            "operand" => parse_operand(docs, vis, origin, input, &mut spec.operands)?,
            "format" => spec.formats.push(parse_format(vis, origin, input)?),
            "affix" => spec.affixes.push(parse_affix(input)?),
            "group" => parse_node(Level::Group, docs, origin, body, input, &mut spec.nodes, diag)?,
            "optype" => {
                parse_node(Level::Optype, docs, origin, body, input, &mut spec.nodes, diag)?
            }
            "opcode" => {
                parse_node(Level::Opcode, docs, origin, body, input, &mut spec.nodes, diag)?
            }
            "alias" => parse_node(Level::Alias, docs, origin, body, input, &mut spec.nodes, diag)?,
            "synonym" => {
                parse_node(Level::Synonym, docs, origin, body, input, &mut spec.nodes, diag)?
            }
            _ => return Err(input.error("`use PATH;` or `include PATH;` is meant here")),
        }
        if exported {
            spec.exports.extend(source.into_iter().flatten());
        }
        Ok(())
    });
    if let Err(error) = parsed {
        diag.syntax(error);
    }
}

/// The word that an item starts with. Another word is reported, and read as the one that is
/// probably meant, if any.
fn parse_keyword(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<Option<String>> {
    let keyword = Ident::parse_any(input)?;
    let word = keyword.to_string();
    if word.starts_with("__") || KEYWORDS.contains(&word.as_str()) {
        return Ok(Some(word));
    }
    let hint = did_you_mean(&word, KEYWORDS.iter().copied());
    let message = format!(
        "`{word}` starts no item{hint}\nhelp: an item starts with `enum`, `operand`, `format`, \
         `affix`, `group`, `optype`, `opcode`, `alias`, `synonym`, `isa`, `use`, `include`, \
         `machine` or `trap`"
    );
    diag.error(Code::Unreadable, keyword.span(), message);
    Ok(nearest(&word, KEYWORDS.iter().copied()).map(str::to_owned))
}

/// Leaves out what is left of an item.
fn skip_rest(input: ParseStream<'_>) -> Result<()> {
    input.parse::<TokenStream>().map(drop)
}

/// `NAME: u128;`, or several widths joined by `|`. The name is kept whatever follows it.
fn parse_header(
    docs: Docs,
    vis: TokenStream,
    input: ParseStream<'_>,
    header: &mut Option<Header>,
) -> Result<()> {
    let name = parse_type_name(input)?;
    if let Some(first) = header {
        let message =
            format!("the set is already called `{}`; one call defines one set", first.name);
        return Err(syn::Error::new(name.span(), message));
    }
    let header = header.insert(Header { docs, vis, name, widths: Vec::new() });
    input.parse::<Token![:]>()?;
    header.widths.push(parse_word_type(input)?);
    while input.parse::<Option<Token![|]>>()?.is_some() {
        header.widths.push(parse_word_type(input)?);
    }
    input.parse::<Token![;]>()?;
    header.widths.sort_by_key(|width| width.value);
    Ok(())
}

fn parse_word_type(input: ParseStream<'_>) -> Result<Number> {
    let name: Ident = input.parse()?;
    let value = match name.to_string().as_str() {
        "u16" => 16,
        "u32" => 32,
        "u64" => 64,
        "u128" => 128,
        _ => {
            let message = "a word type is meant here: `u16`, `u32`, `u64` or `u128`";
            return Err(syn::Error::new(name.span(), message));
        }
    };
    Ok(Number { value, span: name.span() })
}

/// Everything up to the `;`.
fn parse_path(input: ParseStream<'_>) -> Result<TokenStream> {
    let path = parse_item_path(input)?;
    input.parse::<Token![;]>()?;
    Ok(path)
}

/// A path that ends in the name of an item.
fn parse_item_path(input: ParseStream<'_>) -> Result<TokenStream> {
    let path = input.call(syn::Path::parse_mod_style)?;
    let last = path.segments.len().saturating_sub(1);
    for (place, segment) in path.segments.iter().enumerate() {
        if place == last || segment.ident == "Self" {
            syn::parse2::<Ident>(segment.ident.to_token_stream())?;
        }
    }
    Ok(path.into_token_stream())
}

/// A path of a type, perhaps with generic arguments: `isa_core::operand::Signed<12>`.
fn parse_type_path(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    let path = parse_item_path(&ahead)?;
    if !ahead.peek(Token![<]) && !ahead.peek(Token![::]) {
        input.advance_to(&ahead);
        return Ok(path);
    }
    Ok(input.parse::<syn::Path>()?.into_token_stream())
}

/// `NAME: WIDTH { NAME = NUMBER, ... }`
fn parse_set(
    docs: Docs,
    vis: TokenStream,
    origin: &Origin,
    body: Body,
    input: ParseStream<'_>,
    sets: &mut Vec<SetDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let name = parse_type_name(input)?;
    let width = parse_colon_width(input);
    let width = width.map_err(|error| diag.syntax(help(error, SET_FORM))).ok();
    while !input.is_empty() && !input.peek(token::Brace) {
        input.parse::<TokenTree>()?;
    }
    let braces;
    braced!(braces in input);
    let mut values = match body {
        Body::Values(values) => values,
        Body::Sections(_) | Body::Unread => Vec::new(),
    };
    for value in split::by_comma(braces.parse::<TokenStream>()?) {
        let value = value.into_iter().collect();
        let parser = |input: ParseStream<'_>| parse_value(input, &mut values);
        if let Err(error) = split::parse(value, parser) {
            diag.syntax(help(error, "a value is `NAME = NUMBER`"));
        }
    }
    sets.push(SetDecl { docs, vis, name, width, values, origin: origin.clone() });
    Ok(())
}

const SET_FORM: &str = "a set of values is `enum NAME: WIDTH { NAME = NUMBER, ... }`";

fn parse_colon_width(input: ParseStream<'_>) -> Result<Number> {
    input.parse::<Token![:]>()?;
    parse_number(input)
}

/// `NAME = NUMBER`. The name is kept whatever follows it.
fn parse_value(input: ParseStream<'_>, values: &mut Vec<ValueDecl>) -> Result<()> {
    let docs = parse_docs(input)?;
    let name = parse_name(input)?;
    values.push(ValueDecl { docs, name, raw: None });
    input.parse::<Token![=]>()?;
    let raw = parse_number(input)?;
    if let Some(value) = values.last_mut() {
        value.raw = Some(raw);
    }
    Ok(())
}

/// `NAME: WIDTH [= path] [, reserved("pattern", ...)];`. The name is kept whatever follows it.
fn parse_operand(
    docs: Docs,
    vis: TokenStream,
    origin: &Origin,
    input: ParseStream<'_>,
    operands: &mut Vec<OperandDecl>,
) -> Result<()> {
    let name = parse_type_name(input)?;
    let (path, reserved, origin) = (None, Vec::new(), origin.clone());
    operands.push(OperandDecl { docs, vis, name, width: None, path, reserved, origin });
    let form = "an operand kind is `operand NAME: WIDTH = path::to::Type;`";
    let (width, path, reserved) = parse_operand_rest(input).map_err(|error| help(error, form))?;
    if let Some(operand) = operands.last_mut() {
        (operand.width, operand.path, operand.reserved) = (Some(width), path, reserved);
    }
    Ok(())
}

type OperandRest = (Number, Option<TokenStream>, Vec<(String, Span)>);

fn parse_operand_rest(input: ParseStream<'_>) -> Result<OperandRest> {
    let width = parse_colon_width(input)?;
    let path = if input.parse::<Option<Token![=]>>()?.is_some() {
        Some(parse_type_path(input)?)
    } else {
        None
    };
    let mut reserved = Vec::new();
    if input.parse::<Option<Token![,]>>()?.is_some() {
        let word: Ident = input.parse()?;
        if word != "reserved" {
            return Err(syn::Error::new(word.span(), "`reserved(\"...\")` is meant here"));
        }
        let list;
        syn::parenthesized!(list in input);
        for pattern in list.parse_terminated(|p| p.parse::<LitStr>(), Token![,])? {
            reserved.push((pattern.value(), pattern.span()));
        }
    }
    input.parse::<Token![;]>()?;
    Ok((width, path, reserved))
}

fn parse_equals_path(input: ParseStream<'_>) -> Result<Option<TokenStream>> {
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok(None);
    }
    parse_item_path(input).map(Some)
}

/// `NAME [= path];`
fn parse_format(vis: TokenStream, origin: &Origin, input: ParseStream<'_>) -> Result<FormatDecl> {
    let name = parse_type_name(input)?;
    let path = parse_equals_path(input)?;
    input.parse::<Token![;]>()?;
    Ok(FormatDecl { vis, name, path, origin: origin.clone() })
}

/// `"-" = neg;` or `"|" "|" = abs;`
fn parse_affix(input: ParseStream<'_>) -> Result<AffixDecl> {
    let open: LitStr = input.parse()?;
    let close = if input.peek(LitStr) { input.parse::<LitStr>()?.value() } else { String::new() };
    input.parse::<Token![=]>()?;
    let sub = parse_name(input)?;
    input.parse::<Token![;]>()?;
    Ok(AffixDecl { open: open.value(), close, sub })
}
