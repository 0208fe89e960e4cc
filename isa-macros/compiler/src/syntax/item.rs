//! Items: the header, sets of values, operand types, formats, affixes.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{LitInt, LitStr, Result, Token, Visibility, braced, token};

use super::ast::{
    AffixDecl, ByteOrder, Docs, FormatDecl, Level, NumberLiteral, OperandDecl, Origin, SetDecl,
    SetHeader, Spec, ValueDecl,
};
use super::common::{
    help, parse_docs, parse_name, parse_number, parse_type_name, parse_value_name,
};
use super::feature::{parse_condition, parse_feature, parse_requires};
use super::import::parse_imported;
use super::machine::parse_method_classes;
use super::node::parse_node;
use super::properties::parse_property;
use super::split;
use super::split::ItemBody;
use super::suffix::declare_suffixes;
use crate::diag::{Code, Diagnostics, did_you_mean, nearest};

/// The keywords of items.
const KEYWORDS: &[&str] = &[
    "isa",
    "use",
    "include",
    "machine",
    "trap",
    "text",
    "bytes",
    "addresses",
    "functions",
    "enum",
    "operand",
    "format",
    "affix",
    "property",
    "feature",
    "requires",
    "group",
    "optype",
    "opcode",
    "alias",
    "synonym",
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
        if let Err(error) = parse_imported(item, origin, spec, diag) {
            diag.syntax(error);
        }
        return;
    }
    let source = origin.is_this_call().then(|| item.clone());
    let (body, tokens) = ItemBody::take(item);
    let mut rest = TokenStream::new();
    let parsed = split::parse(tokens, |input| {
        let docs = parse_docs(input)?;
        let vis: Visibility = input.parse()?;
        let vis = vis.into_token_stream();
        let Some(word) = parse_keyword(input, diag)? else {
            return skip_rest(input);
        };
        let exported = matches!(
            word.as_str(),
            "machine"
                | "trap"
                | "bytes"
                | "addresses"
                | "enum"
                | "operand"
                | "format"
                | "affix"
                | "property"
                | "feature"
                | "group"
                | "optype"
        );
        let level = Level::ALL.into_iter().find(|level| level.keyword() == word);
        match (word.as_str(), level) {
            (_, Some(level)) => {
                let known = spec.nodes.len();
                let parsed = parse_node(level, docs, origin, body, input, &mut spec.nodes, diag);
                for node in &mut spec.nodes[known..] {
                    spec.sets.extend(declare_suffixes(node, diag));
                }
                parsed?;
            }
            ("isa", _) => parse_header(docs, vis, input, &mut spec.header, diag)?,
            ("machine", _) => parse_machine(input, spec, diag)?,
            ("trap", _) => parse_trap(input, spec, diag)?,
            ("text", _) => parse_text(input, spec, diag)?,
            ("bytes", _) => parse_bytes(input, spec, diag)?,
            ("addresses", _) => parse_addresses(input, spec, diag)?,
            ("functions", _) => spec.functions.push(parse_functions(input, diag)?),
            ("enum", _) => parse_set(docs, vis, origin, body, input, &mut spec.sets, diag)?,
            ("operand", _) => parse_operand(docs, vis, origin, input, &mut spec.operands, diag)?,
            ("format", _) => spec.formats.push(parse_format(vis, origin, input, diag)?),
            ("affix", _) => spec.affixes.push(parse_affix(input, diag)?),
            ("property", _) => {
                spec.properties.push(parse_property(docs, origin, input, diag)?);
                end_item(input, diag)?;
            }
            ("feature", _) => {
                parse_feature(docs, origin, input, &mut spec.features, diag)?;
                end_item(input, diag)?;
            }
            ("requires", _) => parse_call_requirement(input, spec, diag)?,
            _ => return Err(input.error("expected `use PATH;` or `include PATH;`")),
        }
        // If a `;` is missing, the tokens of the next item follow here.
        rest = input.parse::<TokenStream>()?;
        if exported {
            spec.exports.extend(source.into_iter().flatten());
        }
        Ok(())
    });
    if let Err(error) = parsed {
        diag.syntax(error);
    }
    if !rest.is_empty() {
        parse_item(rest.into_iter().collect(), origin, spec, diag);
    }
}

/// Parses the keyword of an item. Another word is reported. If it is probably a misspelled keyword,
/// it is then parsed as that keyword.
fn parse_keyword(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<Option<String>> {
    let keyword = Ident::parse_any(input)?;
    let word = keyword.to_string();
    if KEYWORDS.contains(&word.as_str()) {
        return Ok(Some(word));
    }
    if word == "for" {
        let message = "`for` cannot have documentation or a visibility\nhelp: write them in its \
                       braces, at the items that it repeats";
        diag.error(Code::UnexpectedTokens, keyword.span(), message.to_owned());
        return Ok(None);
    }
    let bare = word.trim_start_matches("__Def").to_lowercase();
    let hint = did_you_mean(&bare, KEYWORDS.iter().copied());
    let message = format!(
        "expected an item, found `{word}`{hint}\nhelp: an item starts with `enum`, `operand`, \
         `format`, `affix`, `property`, `feature`, `requires`, `group`, `optype`, `opcode`, `alias`, `synonym`, `for`, \
         `isa`, `use`, `include`, `machine`, `trap`, `text`, `bytes`, `addresses` or `functions`"
    );
    diag.error(Code::UnexpectedTokens, keyword.span(), message);
    Ok(nearest(&bare, KEYWORDS.iter().copied()).map(str::to_owned))
}

/// Parses the `;` after an item. If the next item follows, only the missing `;` is reported.
fn end_item(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<()> {
    let next = input.fork();
    let is_item = next.call(parse_docs).is_ok()
        && next.parse::<Visibility>().is_ok()
        && Ident::parse_any(&next).is_ok_and(|word| KEYWORDS.contains(&word.to_string().as_str()));
    if is_item {
        diag.syntax(input.error("expected `;` before this"));
        return Ok(());
    }
    input.parse::<Token![;]>().map(drop)
}

/// Skips the rest of an item.
fn skip_rest(input: ParseStream<'_>) -> Result<()> {
    input.parse::<TokenStream>().map(drop)
}

/// Parses `NAME: u128;`, or several widths separated by `|`. The name is kept even if the rest has
/// an error.
fn parse_header(
    docs: Docs,
    vis: TokenStream,
    input: ParseStream<'_>,
    header: &mut Option<SetHeader>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let name = parse_type_name(input)?;
    if let Some(first) = header {
        let message = format!(
            "a call defines only one set, and the header already declares `{}`",
            first.name
        );
        return Err(syn::Error::new(name.span(), message));
    }
    let header = header.insert(SetHeader { docs, vis, name, widths: Vec::new() });
    input.parse::<Token![:]>()?;
    header.widths.push(parse_word_type(input)?);
    while input.parse::<Option<Token![|]>>()?.is_some() {
        header.widths.push(parse_word_type(input)?);
    }
    end_item(input, diag)?;
    header.widths.sort_by_key(|width| width.value);
    Ok(())
}

/// Parses `u` and a number of bits, a multiple of 8 up to 128: `u16`, `u24`, `u48`.
fn parse_word_type(input: ParseStream<'_>) -> Result<NumberLiteral> {
    let here = input.cursor().span();
    let meant = "expected a word type of whole bytes up to 128 bits, such as `u16`, `u24`, \
                 `u32`, `u64` or `u128`";
    let name = input.parse::<Ident>().map_err(|_| syn::Error::new(here, meant))?;
    let text = name.to_string();
    let digits = text.strip_prefix('u').filter(|digits| !digits.starts_with('0'));
    match digits.and_then(|digits| digits.parse().ok()) {
        Some(value @ 8..=128) if value % 8 == 0 => Ok(NumberLiteral { value, span: name.span() }),
        _ => Err(syn::Error::new(name.span(), meant)),
    }
}

/// Parses `path::Trait;` or `path::Trait { load: load; }`, allowed once in a call.
fn parse_machine(input: ParseStream<'_>, spec: &mut Spec, diag: &mut Diagnostics) -> Result<()> {
    let span = input.cursor().span();
    let form = "expected the trait of machines: `machine path::Trait;`";
    let path = parse_item_path(input).map_err(|error| help(error, form))?;
    let methods = if input.peek(token::Brace) {
        let block;
        braced!(block in input);
        Some(parse_method_classes(block.parse()?, diag))
    } else {
        end_item(input, diag).map_err(|error| help(error, form))?;
        None
    };
    if let Some(first) = spec.machine_span {
        diag.repeated("machine", "the call", span, first);
        return Ok(());
    }
    (spec.machine, spec.machine_methods) = (Some(path), methods);
    spec.machine_span = Some(span);
    Ok(())
}

/// Parses `path::Type;`, allowed once in a call.
fn parse_trap(input: ParseStream<'_>, spec: &mut Spec, diag: &mut Diagnostics) -> Result<()> {
    let span = input.cursor().span();
    let form = "expected the type of traps: `trap path::Type;`";
    let path = parse_type_path(input).map_err(|error| help(error, form))?;
    end_item(input, diag)?;
    match spec.trap_span {
        Some(first) => diag.repeated("trap", "the call", span, first),
        None => (spec.trap, spec.trap_span) = (Some(path), Some(span)),
    }
    Ok(())
}

/// Parses `any_case;`, allowed once in a call.
fn parse_text(input: ParseStream<'_>, spec: &mut Spec, diag: &mut Diagnostics) -> Result<()> {
    let meant = "expected `any_case`: `text any_case;` accepts any letter case";
    let word: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), meant))?;
    if word != "any_case" {
        return Err(syn::Error::new(word.span(), meant));
    }
    end_item(input, diag)?;
    match spec.any_case {
        Some(first) => diag.repeated("text", "the call", word.span(), first),
        None => spec.any_case = Some(word.span()),
    }
    Ok(())
}

/// Parses `big_endian;`, allowed once in a call.
fn parse_bytes(input: ParseStream<'_>, spec: &mut Spec, diag: &mut Diagnostics) -> Result<()> {
    let meant = "expected the order of bytes in memory: `bytes big_endian;`, `bytes \
                 little_endian_halfwords;` or the default `bytes little_endian;`";
    let word: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), meant))?;
    let order = ByteOrder::ALL.into_iter().find(|order| word == order.name());
    let order = order.ok_or_else(|| syn::Error::new(word.span(), meant))?;
    end_item(input, diag)?;
    match spec.byte_order_span {
        Some(first) => diag.repeated("bytes", "the call", word.span(), first),
        None => (spec.byte_order, spec.byte_order_span) = (Some(order), Some(word.span())),
    }
    Ok(())
}

/// Parses `32;`, allowed once in a call.
fn parse_addresses(input: ParseStream<'_>, spec: &mut Spec, diag: &mut Diagnostics) -> Result<()> {
    let here = input.cursor().span();
    let meant = || syn::Error::new(here, "expected a width of 8 to 64 bits: `addresses 32;`");
    let number = parse_number(input).map_err(|_| meant())?;
    let bits = u8::try_from(number.value).ok().filter(|bits| (8..=64).contains(bits));
    let bits = bits.ok_or_else(meant)?;
    end_item(input, diag)?;
    match spec.address_bits_span {
        Some(first) => diag.repeated("addresses", "the call", here, first),
        None => (spec.address_bits, spec.address_bits_span) = (Some(bits), Some(here)),
    }
    Ok(())
}

/// Parses the features that all opcodes of the call require: `SM90;`, allowed once in a call.
fn parse_call_requirement(
    input: ParseStream<'_>,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) -> Result<()> {
    let span = input.cursor().span();
    let condition = parse_condition(input)?;
    end_item(input, diag)?;
    match spec.requires_span {
        Some(first) => diag.repeated("requires", "the call", span, first),
        None => (spec.requires, spec.requires_span) = (Some(condition), Some(span)),
    }
    Ok(())
}

/// Parses the path of a file: `"lanes.rs";`.
fn parse_functions(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<Literal> {
    let meant = "expected the file with the functions that semantics call, relative to this file: \
                 `functions \"lanes.rs\";`";
    let file: LitStr = input.parse().map_err(|error| syn::Error::new(error.span(), meant))?;
    end_item(input, diag)?;
    Ok(file.token())
}

/// Parses a path that ends in the name of an item.
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

/// Parses the path of a type, optionally with generic arguments: `isa_core::operand::Signed<12>`.
fn parse_type_path(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    let path = parse_item_path(&ahead)?;
    if !ahead.peek(Token![<]) && !ahead.peek(Token![::]) {
        input.advance_to(&ahead);
        return Ok(path);
    }
    Ok(input.parse::<syn::Path>()?.into_token_stream())
}

/// Parses `NAME: WIDTH { NAME = NUMBER, ... }`.
fn parse_set(
    docs: Docs,
    vis: TokenStream,
    origin: &Origin,
    body: ItemBody,
    input: ParseStream<'_>,
    sets: &mut Vec<SetDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let name = parse_type_name(input)?;
    diag.read_item("enum", &name);
    let width = parse_colon_width(input);
    let width = width.map_err(|error| diag.syntax(help(error, SET_FORM))).ok();
    while !input.is_empty() && !input.peek(token::Brace) {
        input.parse::<TokenTree>()?;
    }
    let braces;
    braced!(braces in input);
    let mut values = match body {
        ItemBody::Values(values) => values,
        ItemBody::Sections(_) | ItemBody::Unread => Vec::new(),
    };
    let mut incomplete = false;
    for value in split::by_comma(braces.parse::<TokenStream>()?) {
        let value = value.into_iter().collect();
        let known = values.len();
        let parser = |input: ParseStream<'_>| parse_value(input, &mut values, diag);
        if let Err(error) = split::parse(value, parser) {
            diag.syntax(help(error, "a value is `NAME = NUMBER`"));
            incomplete |= values.len() == known;
        }
    }
    let origin = origin.clone();
    sets.push(SetDecl { docs, vis, name, width, values, incomplete, origin });
    Ok(())
}

const SET_FORM: &str = "a value set is `enum NAME: WIDTH { NAME = NUMBER, ... }`";

fn parse_colon_width(input: ParseStream<'_>) -> Result<NumberLiteral> {
    input.parse::<Token![:]>()?;
    let word = input.fork().parse::<Ident>();
    if let Some(bits) =
        word.ok().and_then(|word| word.to_string().strip_prefix('u').map(str::to_owned))
        && bits.parse::<u8>().is_ok()
    {
        return Err(input.error("expected a number of bits, found a type"));
    }
    parse_number(input)
}

/// Parses `NAME = NUMBER`, optionally with other names after the first, `NAME | NAME = NUMBER`.
/// Also parses several values with missing `,` between them. The name is kept even if the rest has
/// an error.
fn parse_value(
    input: ParseStream<'_>,
    values: &mut Vec<ValueDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    loop {
        let docs = parse_docs(input)?;
        let name = parse_value_name(input)?;
        values.push(ValueDecl { docs, name, also: Vec::new(), raw: None, requires: None });
        while input.parse::<Option<Token![|]>>()?.is_some() {
            let other = parse_value_name(input)?;
            if let Some(value) = values.last_mut() {
                value.also.push(other);
            }
        }
        input.parse::<Token![=]>()?;
        let raw = parse_number(input)?;
        if let Some(value) = values.last_mut() {
            value.raw = Some(raw);
            value.requires = parse_requires(input)?;
        }
        if input.peek(Token![;]) {
            diag.syntax(input.error("expected `,` between values, found `;`"));
            input.parse::<Token![;]>()?;
        } else if input.peek(Token![#]) || input.peek(Ident::peek_any) || input.peek(LitStr) {
            diag.syntax(input.error("expected `,` before this"));
        }
        if input.is_empty() {
            return Ok(());
        }
    }
}

/// Parses an element of `reserved(...)`: a pattern of bits in quotes, a number, or a range of numbers. Adds the
/// patterns of the numbers.
fn parse_reserved(
    list: ParseStream<'_>,
    width: &NumberLiteral,
    reserved: &mut Vec<(String, Span)>,
) -> Result<()> {
    if list.peek(LitStr) {
        let pattern: LitStr = list.parse()?;
        reserved.push((pattern.value(), pattern.span()));
        return Ok(());
    }
    if !list.peek(LitInt) {
        let message =
            "expected patterns of bits in quotes, numbers or ranges: `reserved(\"111\", 0, 5..8)`";
        return Err(list.error(message));
    }
    let first = parse_number(list)?;
    let mut end = first.value.checked_add(1);
    if list.peek(Token![..=]) {
        list.parse::<Token![..=]>()?;
        end = parse_number(list)?.value.checked_add(1);
    } else if list.parse::<Option<Token![..]>>()?.is_some() {
        end = Some(parse_number(list)?.value);
    }
    let bits = width.value.min(64) as u32;
    let fits = |end: &u64| *end > first.value && u128::from(*end) <= 1 << bits;
    let Some(end) = end.filter(fits) else {
        let message = format!(
            "reserved numbers out of range: expected numbers below {} in ascending order",
            1u128 << bits
        );
        return Err(syn::Error::new(first.span, message));
    };
    // The largest aligned blocks of numbers, each of which is one pattern.
    let mut start = first.value;
    while start < end {
        let mut size = start.trailing_zeros().min(bits);
        while u128::from(start) + (1 << size) > end.into() {
            size -= 1;
        }
        let digit = |bit: u32| match bit < size {
            true => 'x',
            false => char::from(b'0' + (start >> bit & 1) as u8),
        };
        reserved.push(((0..bits).rev().map(digit).collect(), first.span));
        start += 1 << size;
    }
    Ok(())
}

/// Parses `NAME: WIDTH [= path] [, reserved("pattern", ...)];`. The name is kept even if the rest
/// has an error.
fn parse_operand(
    docs: Docs,
    vis: TokenStream,
    origin: &Origin,
    input: ParseStream<'_>,
    operands: &mut Vec<OperandDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let name = parse_type_name(input)?;
    diag.read_item("operand", &name);
    let (path, reserved, origin) = (None, Vec::new(), origin.clone());
    operands.push(OperandDecl { docs, vis, name, width: None, path, reserved, origin });
    let form = "an operand type is `operand NAME: WIDTH = path::to::Type;`";
    let (width, path, reserved) =
        parse_operand_rest(input, diag).map_err(|error| help(error, form))?;
    if let Some(operand) = operands.last_mut() {
        (operand.width, operand.path, operand.reserved) = (Some(width), path, reserved);
    }
    Ok(())
}

type OperandRest = (NumberLiteral, Option<TokenStream>, Vec<(String, Span)>);

fn parse_operand_rest(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<OperandRest> {
    let width = parse_colon_width(input)?;
    let path = if input.parse::<Option<Token![=]>>()?.is_some() {
        Some(parse_type_path(input)?)
    } else {
        None
    };
    let mut reserved = Vec::new();
    let is_listed = input.fork().parse::<Ident>().is_ok_and(|word| word == "reserved");
    if is_listed {
        diag.syntax(input.error("expected `,` before this"));
    }
    if is_listed || input.parse::<Option<Token![,]>>()?.is_some() {
        let word: Ident = input.parse()?;
        if word != "reserved" {
            return Err(syn::Error::new(word.span(), "expected `reserved(\"...\")`"));
        }
        if !input.peek(token::Paren) {
            return Err(input.error("expected parentheses: `reserved(\"...\")`"));
        }
        let list;
        syn::parenthesized!(list in input);
        while !list.is_empty() {
            parse_reserved(&list, &width, &mut reserved)?;
            if list.parse::<Option<Token![,]>>()?.is_none() && !list.is_empty() {
                return Err(list.error("expected `,` before this"));
            }
        }
        if path.is_none() && input.peek(Token![=]) {
            let message = "write the type before the patterns: `operand NAME: WIDTH = \
                           path::to::Type, reserved(\"...\");`";
            return Err(input.error(message));
        }
    }
    end_item(input, diag)?;
    Ok((width, path, reserved))
}

fn parse_equals_path(input: ParseStream<'_>) -> Result<Option<TokenStream>> {
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok(None);
    }
    parse_type_path(input).map(Some)
}

/// Parses `NAME [= path];`.
fn parse_format(
    vis: TokenStream,
    origin: &Origin,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<FormatDecl> {
    let name = parse_type_name(input)?;
    diag.read_item("format", &name);
    let path = parse_equals_path(input)?;
    end_item(input, diag)?;
    Ok(FormatDecl { vis, name, path, origin: origin.clone() })
}

/// Parses `"-" = neg;` or `"|" "|" = abs;`.
fn parse_affix(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<AffixDecl> {
    let mut marks = Vec::new();
    while !input.is_empty() && !input.peek(Token![=]) {
        if input.peek(LitStr) {
            marks.push(input.parse::<LitStr>()?.value());
            continue;
        }
        let mark = input.parse::<TokenTree>()?;
        let message = format!("expected text in quotes: `affix \"{mark}\" = name;`");
        diag.syntax(syn::Error::new(mark.span(), message));
        marks.push(mark.to_string());
    }
    if !(1..=2).contains(&marks.len()) {
        let form = "expected one or two texts in quotes: `affix \"-\" = name;`, `affix \"|\" \
                    \"|\" = name;`";
        return Err(input.error(form));
    }
    input.parse::<Token![=]>()?;
    let sub = parse_name(input)?;
    end_item(input, diag)?;
    let close = if marks.len() == 2 { marks.swap_remove(1) } else { String::new() };
    Ok(AffixDecl { open: marks.swap_remove(0), close, sub })
}
