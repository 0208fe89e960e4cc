//! The parts that all statements share: names, numbers, doc comments.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Lifetime, Lit, LitFloat, LitInt, LitStr, Result};

use super::ast::{Docs, Number, ValueName};
use super::keyword::{is_never_a_name, is_reserved};
use super::text::is_word;

/// Parses doc comments and other attributes.
pub(crate) fn parse_docs(input: ParseStream<'_>) -> Result<Docs> {
    let attrs = Attribute::parse_outer(input)?;
    let mut docs = Docs::default();
    for attr in attrs {
        if attr.path().is_ident("doc")
            && let Ok(value) = attr.meta.require_name_value()
        {
            let value = value.value.to_token_stream();
            if let Ok(line) = syn::parse2::<LitStr>(value) {
                docs.text.push_str(&line.value());
                docs.text.push('\n');
            }
        }
        docs.attrs.extend(attr.to_token_stream());
    }
    Ok(docs)
}

/// Parses the name of a field, a value or an opcode. The name may be a keyword, as long as Rust
/// accepts it as a name, if necessary as `r#word`.
pub(crate) fn parse_name(input: ParseStream<'_>) -> Result<Ident> {
    let word = Ident::parse_any(input);
    nameable(&word.map_err(|error| syn::Error::new(error.span(), "expected a name"))?)
}

/// Returns the word without `r#`. Fails if the word cannot be a name in Rust.
pub(crate) fn nameable(word: &Ident) -> Result<Ident> {
    let text = word.to_string();
    let name = if text.starts_with("r#") { word.unraw() } else { word.clone() };
    if is_never_a_name(text.trim_start_matches("r#")) {
        let message = format!("`{name}` cannot be a name in Rust; take another");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(name)
}

/// Parses the name of a value: a word, or the assembly spelling in quotes, optionally after the
/// name in Rust.
pub(crate) fn parse_value_name(input: ParseStream<'_>) -> Result<ValueName> {
    if input.peek(LitInt) || input.peek(LitFloat) {
        let number: Lit = input.parse()?;
        let text = number.to_token_stream();
        let message = format!("what begins with a digit stands in quotes: `\"{text}\" = NUMBER`");
        return Err(syn::Error::new(number.span(), message));
    }
    let ident = if input.peek(LitStr) { None } else { Some(parse_name(input)?) };
    if let Some(ident) = ident.clone().filter(|_| !input.peek(LitStr)) {
        return Ok(plain_value_name(ident));
    }
    let literal: LitStr = input.parse()?;
    let (text, span) = (literal.value(), literal.span());
    if text.is_empty() || !text.chars().all(|c| c.is_ascii() && is_word(c)) {
        let dot = if text.contains('.') { ", and a dot begins the next modifier" } else { "" };
        let message = format!(
            "`{text}` cannot be the name of a value\nhelp: a name in quotes is one word of ASCII \
             letters, digits and `_`: it is read as one{dot}"
        );
        return Err(syn::Error::new(span, message));
    }
    if let Ok(name) = Ident::parse_any(&input.fork()) {
        let message = format!("the name in Rust stands before the text: `{name} \"{text}\"`");
        return Err(syn::Error::new(name.span(), message));
    }
    // The Rust name only gets the position of the text, because a rename in Rust must not change
    // the assembly text.
    let derived = || rust_name(&text, span.resolved_at(Span::call_site()));
    Ok(ValueName { ident: ident.unwrap_or_else(derived), text })
}

/// Returns the name of a value that has the same spelling in Rust and in assembly.
pub(super) fn plain_value_name(ident: Ident) -> ValueName {
    ValueName { text: ident.to_string(), ident }
}

/// Returns the name in Rust of a value with the spelling `text`. It is the spelling itself or, if
/// the spelling is not a valid name in Rust, the spelling with a `_` before it.
pub(crate) fn rust_name(text: &str, span: Span) -> Ident {
    let is_name = !text.starts_with(|c: char| c.is_ascii_digit()) && !is_never_a_name(text);
    if is_name { Ident::new(text, span) } else { Ident::new(&format!("_{text}"), span) }
}

/// Parses the name of a type or an `enum`, which is not a keyword of Rust.
pub(crate) fn parse_type_name(input: ParseStream<'_>) -> Result<Ident> {
    let name: Ident = input.parse()?;
    if name != name.unraw() {
        return Err(syn::Error::new(name.span(), "expected a name without `r#`"));
    }
    // `syn` accepts words that are reserved only in later editions.
    if is_reserved(&name.to_string()) {
        let message = format!("expected identifier, found keyword `{name}`");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(name)
}

/// Parses a number and its position.
pub(crate) fn parse_number(input: ParseStream<'_>) -> Result<Number> {
    let literal = input.parse::<LitInt>();
    let literal = literal.map_err(|error| syn::Error::new(error.span(), "expected a number"))?;
    let wrong = |message: String| Err(syn::Error::new(literal.span(), message));
    let (digits, suffix) = (literal.base10_digits(), literal.suffix());
    if digits.starts_with('-') {
        return wrong("a number has no sign here; write its bits, as `0xff`".to_owned());
    }
    if input.peek(Lifetime) {
        return wrong("a number is written as in Rust: `10`, `0x1f`, `0b0010`".to_owned());
    }
    if !suffix.is_empty() {
        let text = literal.to_string();
        let in_base = |end: char, prefix: &str| {
            let digits =
                text.strip_suffix(end).or_else(|| text.strip_suffix(end.to_ascii_uppercase()))?;
            let radix = if prefix == "0x" { 16 } else { 2 };
            let is_number = digits.chars().all(|digit| digit.is_digit(radix));
            is_number.then(|| format!("; such a number is written `{prefix}{digits}`"))
        };
        let hint = in_base('h', "0x").or_else(|| in_base('b', "0b")).unwrap_or_default();
        return wrong(format!("expected a number without a type suffix{hint}"));
    }
    match literal.base10_parse() {
        Ok(value) => Ok(Number { value, span: literal.span() }),
        Err(_) => wrong("expected a number of at most 64 bits".to_owned()),
    }
}

/// Adds a line of help with the expected form to an error of the parser, unless it has one.
pub(crate) fn help(error: syn::Error, form: &str) -> syn::Error {
    let text = error.to_string();
    let is_plain = text.starts_with("expected") || text.starts_with("unexpected");
    if !is_plain || text.contains("\nhelp: ") {
        return error;
    }
    syn::Error::new(error.span(), format!("{text}\nhelp: {form}"))
}
