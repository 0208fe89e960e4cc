//! Nodes: groups, optypes, opcodes, aliases and synonyms with their sections.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Result, Token, braced, bracketed, parenthesized, token};

use super::ast::{Docs, Example, Level, MachineHandle, NodeDecl, OperandLists, Origin};
use super::common::{help, parse_name};
use super::feature::{REQUIRES, is_requires, parse_requires};
use super::split::{BodySection, ItemBody};
use super::{assembly_text, encoding, exception, flow, operands, properties, split, template};
use crate::diag::{Code, Diagnostics, did_you_mean, nearest};

const SECTIONS: &[&str] = &[
    "encoding",
    "syntax",
    "operands",
    "exception",
    "semantics",
    "guard",
    "flow",
    "properties",
    "examples",
];

/// Parses `NAME : [PARENT, ...] { sections }`. A node with a name is kept, even if the rest is
/// incomplete.
pub(crate) fn parse_node(
    level: Level,
    docs: Docs,
    origin: &Origin,
    body: ItemBody,
    input: ParseStream<'_>,
    nodes: &mut Vec<NodeDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let name = parse_name(input)?;
    let mut node = NodeDecl {
        level,
        docs,
        name,
        parents: Vec::new(),
        inside: Vec::new(),
        of: None,
        before: Vec::new(),
        after: Vec::new(),
        requires: None,
        word: None,
        short: None,
        fields: Vec::new(),
        wheres: Vec::new(),
        exceptions: Vec::new(),
        template: None,
        operands: OperandLists::default(),
        semantics: None,
        source: None,
        lanes: None,
        handle: None,
        guard: None,
        flow: None,
        properties: Vec::new(),
        examples: Vec::new(),
        origin: origin.clone(),
        incomplete: false,
    };
    diag.read_item(level.keyword(), &node.name);
    let parsed = parse_body(&mut node, body, input, diag);
    node.incomplete |= parsed.is_err();
    nodes.push(node);
    let form = match level {
        Level::Alias => {
            "expected `alias NAME of OPCODE { sections }`, optionally with `before ALIAS` or \
             `else NAME` before the braces"
                .to_owned()
        }
        Level::Synonym => "expected `synonym NAME of OPCODE { sections }`, optionally with `else \
                           NAME` before the braces"
            .to_owned(),
        Level::Opcode => {
            "expected `opcode NAME { sections }` or `opcode NAME : [PARENT, ...] inside OPCODE { \
             sections }`, optionally with `else NAME` or `requires FEATURE` before the braces"
                .to_owned()
        }
        _ => {
            let word = level.keyword();
            format!(
                "expected `{word} NAME {{ sections }}` or `{word} NAME : [PARENT, ...] {{ \
                     sections }}`"
            )
        }
    };
    parsed.map_err(|error| help(error, &form))
}

fn parse_body(
    node: &mut NodeDecl,
    body: ItemBody,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<()> {
    if node.level.is_alias() {
        parse_alias(node, input)?;
    } else {
        node.parents = parse_parents(input)?;
        node.inside = parse_inside(node.level, input)?;
        node.after = parse_else(node.level, input)?;
        node.requires = parse_requires(input)?;
        if node.requires.is_some() && input.peek(Token![:]) {
            return Err(input.error("write parents before `requires`"));
        }
    }
    let braces;
    braced!(braces in input);
    let mut once = Vec::new();
    if let ItemBody::Sections(sections) = body {
        for BodySection { keyword, handle, body, braces } in sections {
            let word = known_section(&keyword, diag);
            if word == "semantics" && node.semantics.is_none() {
                node.source = source_of(braces);
            }
            let handle = handle.and_then(|inside| parse_handle(node, inside, diag));
            add_section(node, (keyword, word, None, handle, body), &mut once, diag);
        }
    }
    while !braces.is_empty() {
        match parse_section(node, &braces, diag) {
            Ok(section) => add_section(node, section, &mut once, diag),
            Err(error) => {
                diag.syntax(help(error, "a section is `name { ... }`"));
                node.incomplete = true;
                skip_section(&braces)?;
            }
        }
    }
    Ok(())
}

/// Skips everything up to the end of the next `{...}`.
fn skip_section(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        let tree = input.parse::<TokenTree>()?;
        if matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) {
            break;
        }
    }
    Ok(())
}

fn parse_parents(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Ok(Vec::new());
    }
    if !input.peek(token::Bracket) {
        return Err(input.error("write parents in brackets: `: [PARENT, ...]`"));
    }
    let list;
    bracketed!(list in input);
    let parents = list.parse_terminated(parse_name, Token![,])?;
    Ok(parents.into_iter().collect())
}

/// Parses `inside OPCODE, ...`: the opcodes that this one is a special case of.
fn parse_inside(level: Level, input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if input.peek(token::Bracket) || input.peek(token::Paren) {
        return Err(input.error("write parents after a colon, in brackets: `: [PARENT, ...]`"));
    }
    if !input.peek(syn::Ident::peek_any) || input.peek(Token![else]) || is_requires(input) {
        return Ok(Vec::new());
    }
    let meant = "expected `: [PARENT, ...]` or `{ sections }`";
    let span = expect_word("inside", meant, input)?;
    if level != Level::Opcode {
        let message = "only an opcode can be declared `inside` another: a group or optype has no \
                       encodings";
        return Err(syn::Error::new(span, message));
    }
    parse_names(input)
}

/// Parses `of OPCODE`, `before ALIAS, ...` of an alias, and `else FORM, ...`.
fn parse_alias(node: &mut NodeDecl, input: ParseStream<'_>) -> Result<()> {
    expect_word("of", "expected the opcode, `of OPCODE`", input)?;
    node.of = Some(parse_name(input)?);
    if let Some(condition) = parse_requires(&input.fork())? {
        let message =
            "an alias or synonym cannot have `requires`, because it exists if its opcode exists";
        return Err(syn::Error::new(condition.span(), message));
    }
    if !input.peek(token::Brace) && !input.peek(Token![else]) {
        let span = expect_word("before", "expected `{ sections }`", input)?;
        if node.level == Level::Synonym {
            let message = "a synonym cannot have `before`, because it is never printed";
            return Err(syn::Error::new(span, message));
        }
        node.before = parse_names(input)?;
    }
    node.after = parse_else(node.level, input)?;
    Ok(())
}

/// Parses `else FORM, ...`: the opcodes and aliases that are parsed first.
fn parse_else(level: Level, input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let Some(token) = input.parse::<Option<Token![else]>>()? else { return Ok(Vec::new()) };
    if level != Level::Opcode && !level.is_alias() {
        let message =
            "only an opcode, alias or synonym can have `else`: a group or optype is not parsed";
        return Err(syn::Error::new(token.span, message));
    }
    parse_names(input)
}

/// Parses a word that is not a keyword of Rust. For any other word, returns an error that shows the
/// expected form.
fn expect_word(word: &str, meant: &str, input: ParseStream<'_>) -> Result<Span> {
    let here = input.cursor().span();
    let found = Ident::parse_any(input).map_err(|_| syn::Error::new(here, meant))?;
    if found == word {
        return Ok(found.span());
    }
    let hint = did_you_mean(&found.to_string(), [word]);
    Err(syn::Error::new(found.span(), format!("{meant}, found `{found}`{hint}")))
}

/// Parses one name, or several separated by commas.
fn parse_names(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let mut names = vec![parse_name(input)?];
    while input.parse::<Option<Token![,]>>()?.is_some() {
        names.push(parse_name(input)?);
    }
    Ok(names)
}

/// Returns whether a section that is allowed only once is repeated. If it is, reports this.
fn stands_twice(
    word: &'static str,
    span: Span,
    once: &mut Vec<(&'static str, Span)>,
    node: &NodeDecl,
    diag: &mut Diagnostics,
) -> bool {
    let Some(&(_, first)) = once.iter().find(|(known, _)| *known == word) else {
        once.push((word, span));
        return false;
    };
    diag.repeated(word, &node.describe(), span, first);
    true
}

/// A section: its keyword, the name of the section as which the keyword was parsed, and the lanes,
/// the handle and the body.
type ParsedSection = (Ident, &'static str, Option<Ident>, Option<MachineHandle>, TokenStream);

/// Parses one section of a body that is not regular.
fn parse_section(
    node: &mut NodeDecl,
    input: ParseStream<'_>,
    diag: &mut Diagnostics,
) -> Result<ParsedSection> {
    let keyword = Ident::parse_any(input)?;
    if !SECTIONS.contains(&keyword.to_string().as_str())
        && (input.peek(Token![=]) || input.peek(Token![<]) || input.peek(Token![.]))
    {
        let message = "write a field in `encoding { ... }`";
        return Err(syn::Error::new(keyword.span(), message));
    }
    let word = known_section(&keyword, diag);
    let is_semantics = word == "semantics";
    let lanes = if is_semantics { parse_lanes(input)? } else { None };
    let mut handle = None;
    if is_semantics && input.peek(token::Paren) {
        let inside;
        parenthesized!(inside in input);
        handle = parse_handle(node, inside.parse()?, diag);
    }
    let body;
    let braces = braced!(body in input);
    if is_semantics && node.semantics.is_none() {
        node.source = source_of(braces.span.join());
    }
    Ok((keyword, word, lanes, handle, body.parse()?))
}

/// Adds a section. `once` contains the positions of earlier sections, if such a section is allowed
/// only once.
fn add_section(
    node: &mut NodeDecl,
    (keyword, word, lanes, handle, body): ParsedSection,
    once: &mut Vec<(&'static str, Span)>,
    diag: &mut Diagnostics,
) {
    let counts_once = matches!(word, "syntax" | "semantics" | "guard" | "flow");
    if counts_once && stands_twice(word, keyword.span(), once, node, diag) {
        return;
    }
    if node.level.is_alias() && matches!(word, "semantics" | "guard" | "flow" | "properties") {
        let message = format!(
            "{} cannot have `{word}`: it executes as its opcode\nhelp: remove the section; the \
             placeholders of its template are fields of its opcode",
            node.describe()
        );
        diag.error(Code::InvalidAlias, keyword.span(), message);
        return;
    }
    match word {
        "encoding" => encoding::parse_encoding(body, node, diag),
        "exception" => exception::parse_exceptions(body, node, diag),
        "operands" => operands::parse_operands(body, node, diag),
        "syntax" => {
            let parser =
                |diag: &mut Diagnostics| template::parse_template(body, keyword.span(), diag);
            let (template, sound) = diag.with_error_scope(false, parser);
            node.template = template;
            node.incomplete |= !sound;
        }
        "semantics" => {
            (node.semantics, node.lanes, node.handle) = (Some(body), lanes, handle);
        }
        "guard" => node.guard = Some(body),
        "flow" => flow::parse_flow(body, node, diag),
        "properties" => properties::parse_properties(body, node, diag),
        "examples" => parse_examples(body, node, diag),
        _ => node.incomplete = true,
    }
}

/// Returns the source text between two braces, without the common indentation of its lines.
fn source_of(braces: Span) -> Option<String> {
    let text = braces.source_text()?;
    let inside = text.strip_prefix('{')?.strip_suffix('}')?.trim_end();
    let lines = || inside.lines().filter(|line| !line.trim().is_empty());
    // The first line begins at the brace, so it has no indentation.
    let start = inside.lines().next().unwrap_or_default();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let common = lines().filter(|line| *line != start).map(indent).min().unwrap_or(0);
    let cut = |line: &str| line.get(common.min(indent(line))..).unwrap_or_default().to_owned();
    let rest = inside.lines().skip(1).map(cut);
    let all: Vec<String> = [start.trim().to_owned()].into_iter().chain(rest).collect();
    Some(all.join("\n").trim_matches('\n').to_owned())
}

/// Parses `<LANES>` after the keyword.
fn parse_lanes(input: ParseStream<'_>) -> Result<Option<Ident>> {
    if !input.peek(Token![<]) {
        return Ok(None);
    }
    let parse = || {
        input.parse::<Token![<]>()?;
        let name = input.parse()?;
        input.parse::<Token![>]>()?;
        Ok(Some(name))
    };
    parse().map_err(|error| {
        help(
            error,
            "expected a name for the number of lanes: \
                                         `semantics<LANES>`",
        )
    })
}

/// Parses the parentheses between the keyword and the braces: `(hart: Memory + Jump)`.
fn parse_handle(
    node: &mut NodeDecl,
    inside: TokenStream,
    diag: &mut Diagnostics,
) -> Option<MachineHandle> {
    let handle = split::parse(inside, |inside| {
        let name = inside.parse()?;
        inside.parse::<Token![:]>()?;
        let bounds = Punctuated::<syn::Path, Token![+]>::parse_separated_nonempty(inside)?;
        Ok(MachineHandle { name, bounds: bounds.iter().map(ToTokens::to_token_stream).collect() })
    });
    let form = "expected a name and traits for the machine: `semantics(hart: path::Memory + \
                path::Jump)`";
    node.incomplete |= handle.is_err();
    handle.map_err(|error| diag.syntax(help(error, form))).ok()
}

/// Parses lines of assembly. If a line is printed as a different text, an arrow after the line is
/// followed by that text.
fn parse_examples(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for line in split::statements(body) {
        let mut trees = line.clone().into_iter();
        let arrow = ['=', '>'].map(|mark| is_mark(trees.next().as_ref(), mark));
        if arrow != [true, true] {
            let quoted = line.clone().into_iter().next().filter(is_string);
            if let Some(quoted) = quoted {
                let message = "write an example without quotes: `ADD R0, R1, R2;`";
                diag.error(Code::Example, quoted.span(), message);
                continue;
            }
            let (text, lexemes) =
                (assembly_text::assembly(line.clone()) + ";", assembly_text::lexemes(line));
            node.examples.push(Example { text, lexemes, canonical: None });
            continue;
        }
        let text = assembly_text::assembly(trees.collect()) + ";";
        match node.examples.last_mut() {
            Some(example) if example.canonical.is_none() => example.canonical = Some(text),
            _ => {
                let span = line.into_iter().next().map_or_else(Span::call_site, |t| t.span());
                let message = "write `=>` after a line and its `;`: `ADD.RN R1; => ADD R1;`";
                diag.error(Code::Example, span, message);
            }
        }
    }
}

fn is_string(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Literal(text) if text.to_string().starts_with('"'))
}

fn is_mark(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Returns the name of a section. Another word is reported, and replaced by the section that was
/// probably intended.
fn known_section(keyword: &Ident, diag: &mut Diagnostics) -> &'static str {
    let word = keyword.to_string();
    if let Some(section) = SECTIONS.iter().find(|section| **section == word) {
        return section;
    }
    let bare = word.trim_start_matches("__").to_lowercase();
    let bare = if bare == "operandinfo" { "operands" } else { bare.as_str() };
    let hint = match bare {
        REQUIRES => "; write it before the braces".to_owned(),
        _ => did_you_mean(bare, SECTIONS.iter().copied()),
    };
    let message = format!(
        "unknown section `{word}`{hint}\nhelp: the sections are `{}`",
        SECTIONS.join("`, `")
    );
    diag.error(Code::UnexpectedTokens, keyword.span(), message);
    nearest(bare, SECTIONS.iter().copied()).unwrap_or("")
}
