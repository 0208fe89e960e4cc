//! Properties of opcodes: `property latency: u8;` declares one, and a `properties` section sets its
//! value.

use proc_macro2::{Span, TokenStream};
use syn::parse::ParseStream;
use syn::{Result, Token};

use super::ast::{Docs, NodeDecl, Origin, PropertyDecl, PropertyLine, ValueRef};
use super::common::{help, parse_name, parse_number, parse_type_name, parse_value_ref};
use super::split;
use crate::diag::Diagnostics;

/// Parses `latency: u8`, which follows the keyword `property`.
pub(super) fn parse_property(
    docs: Docs,
    origin: &Origin,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<PropertyDecl> {
    let form = "expected the name and the type of a property: `property latency: u8;`";
    let parse = || {
        let name = parse_name(input)?;
        input.parse::<Token![:]>()?;
        Ok((name, parse_type_name(input)?))
    };
    let (name, ty) = parse().map_err(|error| help(error, form))?;
    diag.read_item("property", &name);
    Ok(PropertyDecl { docs, name, ty, origin: origin.clone() })
}

/// Parses the lines of a `properties` section into `node`. If a line has an error, it is reported and
/// left out.
pub(super) fn parse_properties(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        match split::parse(statement, parse_line) {
            Ok(line) => node.properties.push(line),
            Err(error) => {
                let form = "a line of `properties` is `name = value;`, for example `latency = 4;`";
                diag.syntax(help(error, form));
                node.incomplete = true;
            }
        }
    }
}

/// Parses `latency = 4`, `offset = -1` or `unit = ALU`.
fn parse_line(input: ParseStream<'_>) -> Result<PropertyLine> {
    let name = parse_name(input)?;
    input.parse::<Token![=]>()?;
    let minus: Option<Token![-]> = input.parse()?;
    let minus: Option<Span> = minus.map(|minus| minus.span);
    let value = match minus {
        Some(_) => ValueRef::Number(parse_number(input)?),
        None => parse_value_ref(input)?,
    };
    Ok(PropertyLine { name, value, minus })
}
