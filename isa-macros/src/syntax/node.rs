//! Groups, optypes and opcodes with their sections.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Result, Token, braced, bracketed};

use super::ast::{Docs, Level, NodeDecl, OperandLists, Origin};
use super::{encoding, exception, operands, split, template, text};
use crate::diag::{Code, Diagnostics, did_you_mean};

const SECTIONS: &[&str] =
    &["encoding", "syntax", "operands", "exception", "semantics", "guard", "examples"];

/// `NAME : [PARENT, ...] { sections }`
pub(crate) fn parse_node(
    level: Level,
    docs: Docs,
    origin: &Origin,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<NodeDecl> {
    let name = input.parse()?;
    let mut node = NodeDecl {
        level,
        docs,
        name,
        parents: parse_parents(input)?,
        word: None,
        fields: Vec::new(),
        exceptions: Vec::new(),
        template: None,
        operands: OperandLists::default(),
        semantics: None,
        guard: None,
        examples: Vec::new(),
        origin: origin.clone(),
    };
    let body;
    braced!(body in input);
    while !body.is_empty() {
        parse_section(&mut node, &body, diag)?;
    }
    Ok(node)
}

fn parse_parents(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Ok(Vec::new());
    }
    let list;
    bracketed!(list in input);
    let parents = Punctuated::<Ident, Token![,]>::parse_terminated(&list)?;
    Ok(parents.into_iter().collect())
}

fn parse_section(
    node: &mut NodeDecl,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let keyword = Ident::parse_any(input)?;
    let body;
    braced!(body in input);
    let body: TokenStream = body.parse()?;
    match keyword.to_string().as_str() {
        "encoding" => encoding::parse_encoding(body, node, diag),
        "exception" => node.exceptions.extend(exception::parse_exceptions(body, diag)),
        "operands" => operands::parse_operands(body, &mut node.operands, diag),
        "syntax" => node.template = template::parse_template(body, keyword.span(), diag),
        "semantics" => node.semantics = Some(body),
        "guard" => node.guard = Some(body),
        "examples" => {
            let lines = split::statements(body);
            node.examples.extend(lines.into_iter().map(|line| text::assembly(line) + ";"));
        }
        word => {
            let hint = did_you_mean(word, SECTIONS.iter().copied());
            let message = format!(
                "`{word}` is no section{hint}\nhelp: the sections are `{}`",
                SECTIONS.join("`, `")
            );
            diag.error(Code::Unreadable, keyword.span(), message);
        }
    }
    Ok(())
}
