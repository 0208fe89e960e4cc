//! `operands` sections: `InList`, `OutList`, `Order`, `Bitwidth`, `Lanes`, `AsmFormat`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{LitInt, Result, Token, parenthesized};

use super::ast::{
    FieldName, FormatRef, LaneMask, LanesDecl, NodeDecl, NumberLiteral, OperandLists,
};
use super::common::{help, parse_field_name, parse_number, parse_type_name};
use super::condition::parse_function;
use super::split;
use crate::diag::{Code, Diagnostics, nearest};

const STATEMENTS: &[&str] = &["InList", "OutList", "Order", "Bitwidth", "Lanes", "AsmFormat"];

/// The maximum number of fields that a format depends on, in addition to the fields that it shows.
pub(crate) const MOST_ARGS: usize = 8;

const FORM: &str = "operand statements are `InList<a, b>;`, `OutList<d>;`, `Order<d, a, b>;`, \
                    `Bitwidth<a> = 32;`, `Lanes<a> = 16;` and `AsmFormat<a> = Format(a);`";

/// Parses all statements into `node`. If a statement has an error, it is reported and left out.
pub(crate) fn parse_operands(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        let place = node.describe();
        let parser =
            |input: ParseStream<'_>| parse_statements(input, &mut node.operands, &place, diag);
        if let Err(error) = split::parse(statement, parser) {
            diag.syntax(help(error, FORM));
            node.incomplete = true;
        }
    }
    if node.level.is_alias() {
        refuse_lists(node, diag);
    }
}

/// Reports operand lists of an alias. An alias only declares its syntax; its opcode declares the
/// operands that are read and written.
fn refuse_lists(node: &mut NodeDecl, diag: &mut Diagnostics) {
    let OperandLists { inputs, outputs, order, widths, lanes, formats } =
        std::mem::take(&mut node.operands);
    let lists = [("InList", inputs), ("OutList", outputs), ("Order", order)];
    let lists = lists.into_iter().filter_map(|(name, list)| Some((name, list?.0)));
    let widths = widths.iter().map(|(field, _)| ("Bitwidth", field.span()));
    let lanes = lanes.iter().map(|lanes| (lanes.keyword(), lanes.field.span()));
    for (name, span) in lists.chain(widths).chain(lanes) {
        let message = format!(
            "{} cannot have `{name}`: it executes as its opcode\nhelp: remove the line; the \
             placeholders of its template are fields of its opcode",
            node.describe()
        );
        diag.error(Code::InvalidAlias, span, message);
    }
    node.operands.formats = formats;
}

/// Parses one statement, or several with missing `;` between them.
fn parse_statements(
    input: ParseStream<'_>,
    lists: &mut OperandLists,
    place: &str,
    diag: &mut Diagnostics,
) -> Result<()> {
    loop {
        parse_statement(input, lists, place, diag)?;
        if !input.peek(syn::Ident) {
            return Ok(());
        }
        diag.syntax(input.error("expected `;` before this"));
    }
}

fn parse_statement(
    input: ParseStream<'_>,
    lists: &mut OperandLists,
    place: &str,
    diag: &mut Diagnostics,
) -> Result<()> {
    let keyword: Ident = input.parse()?;
    let span = keyword.span();
    match known_statement(&keyword, diag) {
        "InList" => set_list(&mut lists.inputs, &keyword, input, place, diag),
        "OutList" => set_list(&mut lists.outputs, &keyword, input, place, diag),
        "Order" => set_list(&mut lists.order, &keyword, input, place, diag),
        "Bitwidth" => {
            let field = parse_single(input)?;
            input.parse::<Token![=]>()?;
            let width = parse_number(input)?;
            check_value_width(&width, diag);
            let counted = lists.lanes.iter().filter(|lanes| lanes.is_width);
            let known = lists.widths.iter().map(|(field, _)| field);
            let known = known.chain(counted.map(|lanes| &lanes.field));
            let is_new = is_new(known, &field, "Bitwidth", place, diag);
            if input.parse::<Option<Token![*]>>()?.is_some() {
                if !input.peek(Ident::peek_any) {
                    return Err(input.error(COUNT));
                }
                let mask = LaneMask::Call(parse_function(input, COUNT)?);
                let lanes = LanesDecl { is_width: true, field, bits: width, mask };
                lists.lanes.extend(is_new.then_some(lanes));
            } else {
                lists.widths.extend(is_new.then_some((field, width)));
            }
            Ok(())
        }
        "Lanes" => {
            let lanes = parse_lanes(input)?;
            let known = lists.lanes.iter().filter(|lanes| !lanes.is_width);
            let known = known.map(|lanes| &lanes.field);
            if is_new(known, &lanes.field, "Lanes", place, diag) {
                lists.lanes.push(lanes);
            }
            Ok(())
        }
        "AsmFormat" => {
            let format = parse_format(input, diag)?;
            let known = lists.formats.iter().map(|format| &format.field);
            if is_new(known, &format.field, "AsmFormat", place, diag) {
                lists.formats.push(format);
            }
            Ok(())
        }
        _ => {
            let message = format!(
                "expected an operand statement, found `{keyword}`\nhelp: {FORM}; write prose in \
                 a comment"
            );
            Err(syn::Error::new(span, message))
        }
    }
}

/// The form of a width that depends on fields.
const COUNT: &str = "expected a function of the fields on which the width depends: \
                     `Bitwidth<rd> = 32 * crate::registers(size);`";

/// Checks the width of a value, which has 16 bits in the tables.
fn check_value_width(width: &NumberLiteral, diag: &mut Diagnostics) {
    if !(1..=u64::from(u16::MAX)).contains(&width.value) {
        let message = format!(
            "width of a value out of range: expected 1 to {} bits, found {}",
            u16::MAX,
            width.value
        );
        diag.error(Code::FieldWidth, width.span, message);
    }
}

/// Returns the keyword of a statement. A word that is similar to a keyword is reported, and parsed
/// as this keyword.
fn known_statement(keyword: &Ident, diag: &mut Diagnostics) -> &'static str {
    let word = keyword.to_string();
    if let Some(statement) = STATEMENTS.iter().find(|statement| **statement == word) {
        return statement;
    }
    match nearest(&word, STATEMENTS.iter().copied()) {
        Some(statement) => {
            let message = format!(
                "expected an operand statement, found `{word}`; did you mean \
                         `{statement}`?"
            );
            diag.syntax(syn::Error::new(keyword.span(), message));
            statement
        }
        None => "",
    }
}

fn set_list(
    list: &mut Option<(Span, Vec<FieldName>)>,
    keyword: &Ident,
    input: ParseStream<'_>,
    place: &str,
    diag: &mut Diagnostics,
) -> Result<()> {
    let names = parse_list(input)?;
    // If `Order` contains a duplicate, this is reported later, together with the template.
    if keyword != "Order" {
        report_twice(&names, &keyword.to_string(), diag);
    }
    match list {
        Some((first, _)) => diag.repeated(&keyword.to_string(), place, keyword.span(), *first),
        None => *list = Some((keyword.span(), names)),
    }
    Ok(())
}

/// Reports a field that a list contains a second time.
fn report_twice(names: &[FieldName], list: &str, diag: &mut Diagnostics) {
    for (place, name) in names.iter().enumerate() {
        let first = names[..place].iter().find(|first| first.dotted() == name.dotted());
        if let Some(first) = first {
            diag.repeated(&name.dotted(), &format!("`{list}`"), name.span(), first.span());
        }
    }
}

/// Returns whether `known` does not contain `field`, so that `statement` is the first such
/// statement for the field. Any later statement is reported.
fn is_new<'f>(
    mut known: impl Iterator<Item = &'f FieldName>,
    field: &FieldName,
    statement: &str,
    place: &str,
    diag: &mut Diagnostics,
) -> bool {
    let first = known.find(|known| known.dotted() == field.dotted());
    if let Some(first) = first {
        let what = format!("{statement}<{}>", field.dotted());
        diag.repeated(&what, place, field.span(), first.span());
    }
    first.is_none()
}

/// Parses `<a, b, c>`.
fn parse_list(input: ParseStream<'_>) -> Result<Vec<FieldName>> {
    if let Some((inside, _, span, _)) = input.cursor().any_group() {
        let names: String =
            inside.token_stream().into_iter().map(|tree| tree.to_string()).collect();
        let names = names.replace(',', ", ");
        let message = format!("write a list in angle brackets: `<{names}>`");
        return Err(syn::Error::new(span.open(), message));
    }
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

/// Parses a `Lanes` line after its keyword: `<ra> = 16 * half_lanes(ra.hsel2)`.
fn parse_lanes(input: ParseStream<'_>) -> Result<LanesDecl> {
    const MEANT: &str = "expected the fields on which the lanes depend: \
                         `half_lanes(ra.hsel2)`\nhelp: if the lanes are the same in every \
                         encoding, write them as a number, `16 * 0b01`";
    let field = parse_single(input)?;
    input.parse::<Token![=]>()?;
    if !input.peek(LitInt) {
        let message = "expected the width of a lane: `Lanes<ra> = 16;`, or with a mask of the \
                       used lanes, `Lanes<ra> = 16 * half_lanes(ra.hsel2);`";
        return Err(input.error(message));
    }
    let bits = parse_number(input)?;
    let mask = match input.parse::<Option<Token![*]>>()? {
        None => LaneMask::All,
        Some(_) if input.peek(LitInt) => LaneMask::Number(parse_number(input)?),
        Some(_) => LaneMask::Call(parse_function(input, MEANT)?),
    };
    Ok(LanesDecl { is_width: false, field, bits, mask })
}

/// Parses `<vb> = CvtFImm(vb, hfmt_v2)`, or `<amount: immr, imms> = Shift(sf)` for a composite
/// operand.
fn parse_format(input: ParseStream<'_>, diag: &mut Diagnostics) -> Result<FormatRef> {
    input.parse::<Token![<]>()?;
    let field = parse_field_name(input)?;
    let mut shows = Vec::new();
    let mut next = input.parse::<Option<Token![:]>>()?.is_some();
    while next {
        shows.push(parse_field_name(input)?);
        next = input.parse::<Option<Token![,]>>()?.is_some() && !input.peek(Token![>]);
    }
    input.parse::<Token![>]>()?;
    input.parse::<Token![=]>()?;
    let format = parse_type_name(input)?;
    let list;
    parenthesized!(list in input);
    let args = list.parse_terminated(parse_field_name, Token![,])?.into_iter().collect();
    let mut format = FormatRef { field, shows, format, args };
    let own = usize::from(format.shows.is_empty());
    if own == 1 {
        check_first(&mut format, diag);
    }
    if let Some(beyond) = format.args.get(own + MOST_ARGS) {
        let message = format!(
            "`{}` has {} arguments, expected at most {}\nhelp: remove the fields on which the \
             text does not depend",
            format.format,
            format.args.len(),
            own + MOST_ARGS
        );
        return Err(syn::Error::new(beyond.span(), message));
    }
    Ok(format)
}

/// Reports arguments if the first one is not the field itself, which is the convention in vendors'
/// files. The field is then added to the arguments.
fn check_first(FormatRef { field, format, args, .. }: &mut FormatRef, diag: &mut Diagnostics) {
    let Some(first) = args.first() else { return };
    let own = field.dotted();
    if first.dotted() == own {
        return;
    }
    let shown: Vec<String> = args.iter().map(FieldName::dotted).collect();
    let message = format!(
        "expected `{own}` as the first argument of `{format}`, found `{}`\nhelp: the first argument \
         is the field that is printed: `AsmFormat<{own}> = {format}({own}, {})`",
        first.dotted(),
        shown.join(", ")
    );
    diag.syntax(syn::Error::new(first.span(), message));
    args.insert(0, field.clone());
}
