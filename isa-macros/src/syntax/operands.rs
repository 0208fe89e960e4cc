//! `operands` sections: `InList`, `OutList`, `Order`, `Bitwidth`, `AsmFormat`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Result, Token, parenthesized};

use super::ast::{FieldName, FormatRef, OperandLists};
use super::encoding::parse_field_name;
use super::item::parse_number;
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const STATEMENTS: &[&str] = &["InList", "OutList", "Order", "Bitwidth", "AsmFormat"];

/// Parses all statements into `lists`; a broken one is reported and left out.
pub(crate) fn parse_operands(body: TokenStream, lists: &mut OperandLists, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        let parser = |input: ParseStream<'_>| parse_statement(input, lists);
        if let Err(error) = parser.parse2(statement) {
            diag.syntax(error);
        }
    }
}

fn parse_statement(input: ParseStream<'_>, lists: &mut OperandLists) -> Result<()> {
    let keyword: Ident = input.parse()?;
    let span = keyword.span();
    match keyword.to_string().as_str() {
        "InList" => set_list(&mut lists.inputs, span, input),
        "OutList" => set_list(&mut lists.outputs, span, input),
        "Order" => set_list(&mut lists.order, span, input),
        "Bitwidth" => {
            let field = parse_single(input)?;
            input.parse::<Token![=]>()?;
            lists.widths.push((field, parse_number(input)?));
            Ok(())
        }
        "AsmFormat" => {
            lists.formats.push(parse_format(input)?);
            Ok(())
        }
        word => {
            let hint = did_you_mean(word, STATEMENTS.iter().copied());
            let known = STATEMENTS.join("`, `");
            let message = format!("`{word}` starts no operand statement{hint}; they are `{known}`");
            Err(syn::Error::new(span, message))
        }
    }
}

fn set_list(
    list: &mut Option<(Span, Vec<FieldName>)>,
    span: Span,
    input: ParseStream<'_>,
) -> Result<()> {
    if list.is_some() {
        return Err(syn::Error::new(span, "this list is already given in this section"));
    }
    *list = Some((span, parse_list(input)?));
    Ok(())
}

/// `<a, b, c>`
fn parse_list(input: ParseStream<'_>) -> Result<Vec<FieldName>> {
    input.parse::<Token![<]>()?;
    let mut names = Vec::new();
    while !input.peek(Token![>]) {
        names.push(parse_field_name(input)?);
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    input.parse::<Token![>]>()?;
    Ok(names)
}

fn parse_single(input: ParseStream<'_>) -> Result<FieldName> {
    input.parse::<Token![<]>()?;
    let name = parse_field_name(input)?;
    input.parse::<Token![>]>()?;
    Ok(name)
}

/// `<vb> = CvtFImm(vb, hfmt_v2)`
fn parse_format(input: ParseStream<'_>) -> Result<FormatRef> {
    let field = parse_single(input)?;
    input.parse::<Token![=]>()?;
    let format = input.parse()?;
    let list;
    parenthesized!(list in input);
    let args = list.parse_terminated(parse_field_name, Token![,])?.into_iter().collect();
    Ok(FormatRef { field, format, args })
}
