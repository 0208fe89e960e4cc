//! The parts that all statements share: names (which are not reserved words of Rust), numbers, field
//! names, values, doc comments.

use proc_macro2::{Delimiter, Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Lifetime, Lit, LitFloat, LitInt, LitStr, Result, Token, token};

use super::assembly_text::is_word;
use super::ast::{Docs, FieldName, NumberLiteral, ValueName, ValueRef};

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
        let message = format!("`{name}` cannot be a name in Rust; use another name");
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
        let message = format!(
            "write a name that begins with a digit in quotes: `\"{text}\" = \
                               NUMBER`"
        );
        return Err(syn::Error::new(number.span(), message));
    }
    let ident = if input.peek(LitStr) { None } else { Some(parse_name(input)?) };
    if let Some(ident) = ident.clone().filter(|_| !input.peek(LitStr)) {
        return Ok(plain_value_name(ident));
    }
    let literal: LitStr = input.parse()?;
    let (text, span) = (literal.value(), literal.span());
    if !is_value_name(&text) {
        let message = format!(
            "`{text}` cannot be the name of a value\nhelp: a name in quotes consists of ASCII \
             letters, digits and `_`, and of single dots between them"
        );
        return Err(syn::Error::new(span, message));
    }
    if let Ok(name) = Ident::parse_any(&input.fork()) {
        let message = format!("write the name in Rust before the text: `{name} \"{text}\"`");
        return Err(syn::Error::new(name.span(), message));
    }
    // The Rust name only gets the position of the text, because a rename in Rust must not change
    // the assembly text.
    let derived = || rust_name(&text, span.resolved_at(Span::call_site()));
    Ok(ValueName { ident: ident.unwrap_or_else(derived), text })
}

/// Returns whether a text in quotes can be the name of a value: words with single dots between them.
pub(super) fn is_value_name(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii() && is_word(c));
    text.split('.').all(is_part)
}

/// Returns the name of a value that has the same spelling in Rust and in assembly.
pub(super) fn plain_value_name(ident: Ident) -> ValueName {
    ValueName { text: ident.to_string(), ident }
}

/// Returns the name in Rust of a value with the spelling `text`. It is the spelling with `_` instead of
/// dots or, if that is not a valid name in Rust, with a `_` before it.
pub(crate) fn rust_name(text: &str, span: Span) -> Ident {
    let text = text.replace('.', "_");
    let is_name = !text.starts_with(|c: char| c.is_ascii_digit()) && !is_never_a_name(&text);
    if is_name { Ident::new(&text, span) } else { Ident::new(&format!("_{text}"), span) }
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
pub(crate) fn parse_number(input: ParseStream<'_>) -> Result<NumberLiteral> {
    let literal = input.parse::<LitInt>();
    let literal = literal.map_err(|error| syn::Error::new(error.span(), "expected a number"))?;
    let wrong = |message: String| Err(syn::Error::new(literal.span(), message));
    let (digits, suffix) = (literal.base10_digits(), literal.suffix());
    if digits.starts_with('-') {
        return wrong(
            "expected a number without a sign; write its bits, for example `0xff`".to_owned(),
        );
    }
    if input.peek(Lifetime) {
        return wrong("write a number as in Rust: `10`, `0x1f`, `0b0010`".to_owned());
    }
    if !suffix.is_empty() {
        let text = literal.to_string();
        let in_base = |end: char, prefix: &str| {
            let digits =
                text.strip_suffix(end).or_else(|| text.strip_suffix(end.to_ascii_uppercase()))?;
            let radix = if prefix == "0x" { 16 } else { 2 };
            let is_number = digits.chars().all(|digit| digit.is_digit(radix));
            is_number.then(|| format!("; write `{prefix}{digits}`"))
        };
        let hint = in_base('h', "0x").or_else(|| in_base('b', "0b")).unwrap_or_default();
        return wrong(format!("expected a number without a type suffix{hint}"));
    }
    match literal.base10_parse() {
        Ok(value) => Ok(NumberLiteral { value, span: literal.span() }),
        Err(_) => wrong("expected a number of at most 64 bits".to_owned()),
    }
}

/// Parses `pg` or `pg.not`.
pub(crate) fn parse_field_name(input: ParseStream<'_>) -> Result<FieldName> {
    let base = parse_name(input)?;
    let dot = input.parse::<Option<Token![.]>>()?;
    let sub = dot.map(|_| parse_name(input)).transpose()?;
    Ok(FieldName { base, sub })
}

/// Parses a name, a name in quotes, a number, or `{}` for an empty set.
pub(crate) fn parse_value_ref(input: ParseStream<'_>) -> Result<ValueRef> {
    if input.peek(LitStr) {
        let name: LitStr = input.parse()?;
        return Ok(ValueRef::Name(name.value(), name.span()));
    }
    if input.peek(Ident::peek_any) {
        let name = parse_name(input)?;
        if input.peek(Token![::]) {
            let ahead = input.fork();
            ahead.parse::<Token![::]>()?;
            let value = ahead.call(Ident::parse_any).unwrap_or_else(|_| name.clone());
            let message = format!("write a value without its value set: `{value}`");
            return Err(syn::Error::new(name.span(), message));
        }
        return Ok(ValueRef::Name(name.to_string(), name.span()));
    }
    if input.peek(token::Brace) {
        let (braces, span) = input.step(|cursor| match cursor.group(Delimiter::Brace) {
            Some((inside, span, rest)) => Ok(((inside.eof(), span.join()), rest)),
            None => Err(cursor.error("a value")),
        })?;
        if braces {
            return Ok(ValueRef::Number(NumberLiteral { value: 0, span }));
        }
        return Err(syn::Error::new(span, "only the empty set `{}` is a value in braces"));
    }
    parse_number(input).map(ValueRef::Number)
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

/// The words that cannot be an identifier in the edition that reserves the most words: the strict
/// and the reserved keywords of all editions.
///
/// A macro cannot know the edition of its caller, and a raw identifier is valid in every edition.
#[rustfmt::skip]
const RESERVED: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The reserved words that cannot be a raw identifier either.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Returns whether Rust reserves a word in any edition.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Returns whether a word cannot be a name in Rust, not even as `r#word`.
pub(crate) fn is_never_a_name(word: &str) -> bool {
    NEVER_RAW.contains(&word)
}

#[cfg(test)]
mod tests {
    use proc_macro2::Ident;

    use super::*;

    /// The lists of *The Rust Reference*, section Keywords, each named after its first edition.
    const STRICT: &str = "as break const continue crate else enum extern false fn for if impl in let \
                          loop match mod move mut pub ref return self Self static struct super trait \
                          true type unsafe use where while _";
    const STRICT_2018: &str = "async await dyn";
    const FOR_LATER: &str =
        "abstract become box do final macro override priv typeof unsized virtual yield";
    const FOR_LATER_2018: &str = "try";
    const FOR_LATER_2024: &str = "gen";
    const WEAK: &str = "macro_rules raw safe union auto default";

    #[test]
    fn all_editions_are_covered() {
        let lists = [STRICT, STRICT_2018, FOR_LATER, FOR_LATER_2018, FOR_LATER_2024];
        let mut words: Vec<&str> = lists.iter().flat_map(|list| list.split(' ')).collect();
        words.sort_unstable();
        assert_eq!(words, RESERVED);
        for word in WEAK.split(' ') {
            assert!(!is_reserved(word), "{word}");
        }
    }

    /// `syn` reserves the words of the edition 2021, and knows which of them cannot be raw
    /// identifiers.
    #[test]
    fn the_parser_agrees() {
        for word in RESERVED {
            let is_name = syn::parse_str::<Ident>(word).is_ok();
            assert_eq!(is_name, word == "gen", "{word}");
            let is_raw = syn::parse_str::<Ident>(&format!("r#{word}")).is_ok();
            assert_eq!(is_raw, !is_never_a_name(word), "{word}");
        }
    }
}
