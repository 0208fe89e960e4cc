//! What statements of every kind are made of: names, numbers, doc comments.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Lifetime, LitInt, LitStr, Result};

use super::ast::{Docs, Number};

/// Doc comments and other attributes.
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

/// The name of a field, a value or an opcode: any word, keywords of Rust included, that can be
/// a name in Rust at least as `r#word`.
pub(crate) fn parse_name(input: ParseStream<'_>) -> Result<Ident> {
    let word = Ident::parse_any(input);
    nameable(&word.map_err(|error| syn::Error::new(error.span(), "expected a name"))?)
}

/// The word without `r#`, unless Rust has names for nothing of that spelling.
pub(crate) fn nameable(word: &Ident) -> Result<Ident> {
    let text = word.to_string();
    let name = if text.starts_with("r#") { word.unraw() } else { word.clone() };
    if matches!(text.trim_start_matches("r#"), "self" | "Self" | "super" | "crate" | "_") {
        let message = format!("`{name}` cannot be a name in Rust; take another");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(name)
}

/// The name of a type or a set: a word that is no keyword of Rust.
pub(crate) fn parse_type_name(input: ParseStream<'_>) -> Result<Ident> {
    let name: Ident = input.parse()?;
    if name != name.unraw() {
        return Err(syn::Error::new(name.span(), "a name without `r#` is meant here"));
    }
    Ok(name)
}

/// A number with its place.
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
        return wrong(format!("a number without a type suffix is meant here{hint}"));
    }
    match literal.base10_parse() {
        Ok(value) => Ok(Number { value, span: literal.span() }),
        Err(_) => wrong("a number of at most 64 bits is meant here".to_owned()),
    }
}

/// A fault of the parser with a line on what is meant, unless it has one.
pub(crate) fn help(error: syn::Error, form: &str) -> syn::Error {
    let text = error.to_string();
    let is_plain = text.starts_with("expected") || text.starts_with("unexpected");
    if !is_plain || text.contains("\nhelp: ") {
        return error;
    }
    syn::Error::new(error.span(), format!("{text}\nhelp: {form}"))
}
