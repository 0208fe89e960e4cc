//! Fragments of specifications from other programs, each checked by the parser of the language.

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use super::common::{parse_field_name, parse_name, parse_type_name, parse_value_name};
use super::{parse_spec, split};
use crate::diag::{Diagnostics, nearest};

/// A fragment of a specification, for programs that generate specifications as text.
///
/// ```
/// use isa_compiler::Fragment;
///
/// assert!(Fragment::Encoding.check("field<0, 4> Op op == ADD;").is_ok());
/// assert!(Fragment::Encoding.check("field<0, 4> Op op == ADD; } opcode B {").is_err());
/// assert!(Fragment::Name.check("ADD").is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fragment {
    /// The name of a group, optype, opcode or alias.
    Name,
    /// The name of a set, an operand type, an `enum` or a format. It must not be a keyword of Rust.
    TypeName,
    /// The name of a field, `ra` or `ra.neg`.
    FieldName,
    /// The name of a value: a word, or a word in quotes.
    ValueName,
    /// A statement of `encoding`.
    Encoding,
    /// The template of `syntax`.
    Template,
    /// A list of values below a template, `.rnd = {.RN*, .RP}`.
    ValueList,
    /// A statement of `operands`.
    Operands,
    /// A statement of `exception`.
    Exception,
    /// A row of `flow`.
    Flow,
    /// A line of `examples`.
    Example,
    /// The Rust type of an operand type, with `reserved(...)` and similar parts, as it is written after
    /// `operand Name: 8 = `.
    OperandType,
}

impl Fragment {
    /// Checks that `text` is exactly one fragment of this sort: all brackets are balanced, all
    /// quotes are closed, and the parser of the language accepts it. Such a text cannot end the
    /// construct around it.
    ///
    /// # Errors
    ///
    /// Returns the first message of the parser as one line.
    pub fn check(self, text: &str) -> Result<(), String> {
        let Ok(tokens) = text.parse::<TokenStream>() else {
            return Err("expected tokens with balanced brackets and closed quotes".to_owned());
        };
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        if split::nested_too_deep(&trees).is_some() {
            return Err(format!("expected at most {} nested brackets", split::MOST_NESTED));
        }
        if let Some(literal) = prefixed_literal(tokens.clone()) {
            return Err(format!("expected a number or text in plain quotes, found `{literal}`"));
        }
        let parsed = match self {
            Fragment::Name => split::parse(tokens, parse_name).map(drop),
            Fragment::TypeName => split::parse(tokens, parse_type_name).map(drop),
            Fragment::FieldName => split::parse(tokens, parse_field_name).map(drop),
            Fragment::ValueName => split::parse(tokens, parse_value_name).map(drop),
            Fragment::ValueList => return section("syntax", quote!(X; #tokens), 2),
            Fragment::OperandType => return operand_type(&trees, &tokens),
            _ => return self.statement(&trees, tokens),
        };
        parsed.map_err(|error| one_line(&error.to_string()))
    }

    /// Checks one statement and its `;`.
    fn statement(self, trees: &[TokenTree], tokens: TokenStream) -> Result<(), String> {
        let ends = trees.iter().filter(|tree| split::is_semicolon(tree)).count();
        if ends != 1 || !trees.last().is_some_and(split::is_semicolon) || trees.len() == 1 {
            return Err("expected one statement that ends with `;`".to_owned());
        }
        if matches!(&trees[0], TokenTree::Punct(mark) if mark.as_char() == '#') {
            return Err("expected a statement, found an attribute".to_owned());
        }
        let word = match self {
            Fragment::Template => "syntax",
            Fragment::Operands => "operands",
            Fragment::Exception => "exception",
            Fragment::Flow => "flow",
            Fragment::Example => "examples",
            _ => "encoding",
        };
        section(word, tokens, 1)
    }
}

/// Returns the name among `known` for which `name` is probably a misspelling. Letter case is
/// ignored.
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    nearest(name, known)
}

/// Checks the rest of an item `operand`.
fn operand_type(trees: &[TokenTree], tokens: &TokenStream) -> Result<(), String> {
    if trees.is_empty() || trees.iter().any(split::is_semicolon) {
        return Err("expected the path of a Rust type".to_owned());
    }
    let mut diag = Diagnostics::default();
    parse_spec(quote!(operand X: 8 = #tokens;), &mut diag);
    diag.take_first().map_or(Ok(()), |message| Err(one_line(&message)))
}

/// Checks the body of the section `word`. A `syntax` section must have `parts` parts.
fn section(word: &str, body: TokenStream, parts: usize) -> Result<(), String> {
    let mut diag = Diagnostics::default();
    let word = Ident::new(word, Span::call_site());
    let spec = parse_spec(quote!(opcode X { #word { #body } }), &mut diag);
    if let Some(message) = diag.take_first() {
        return Err(one_line(&message));
    }
    let template = spec.nodes.first().and_then(|node| node.template.as_ref());
    match template {
        Some(template) if template.values.len() + 1 != parts => {
            Err("expected one list of values, `.field = {.DEFAULT*, .OTHER}`".to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns a message as one line, without its code and with its help at the end.
fn one_line(message: &str) -> String {
    let text = match message.split_once("] ") {
        Some((code, rest)) if code.starts_with("[ISA") => rest,
        _ => message,
    };
    text.replace('\n', "; ")
}

/// Returns the first literal with a prefix, such as `r"..."`, or in single quotes.
fn prefixed_literal(tokens: TokenStream) -> Option<String> {
    let mut open = vec![tokens.into_iter()];
    while let Some(trees) = open.last_mut() {
        match trees.next() {
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(TokenTree::Literal(literal)) => {
                let text = literal.to_string();
                if !text.starts_with(|c: char| c.is_ascii_digit() || c == '"' || c == '-') {
                    return Some(text);
                }
            }
            // A lifetime.
            Some(TokenTree::Punct(mark))
                if mark.as_char() == '\'' && mark.spacing() == Spacing::Joint =>
            {
                return Some("'".to_owned());
            }
            Some(_) => {}
            None => drop(open.pop()),
        }
    }
    None
}
