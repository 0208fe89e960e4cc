//! Tests that every error code has a section in the documentation. The title of the section must be
//! the description of the code in `diag.rs`. The wrong example must cause the error with this code,
//! and the right example must cause no error.

use std::collections::BTreeMap;

use super::{calls, faults_of};

/// Codes of errors that only rustc can detect, in the expansion. Here their wrong examples have no
/// error; in the documentation they do not compile.
const COMPILED: &[&str] = &["ISA0039", "ISA0051"];

/// Returns the codes of the table in `diag.rs`, as a map from number to title. The title is the first
/// sentence of the code's documentation, in lower case and without the full stop.
fn table() -> BTreeMap<u16, String> {
    let file: syn::File = syn::parse_str(include_str!("../diag.rs")).unwrap();
    let codes = file.items.into_iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "Code" => Some(item.variants),
        _ => None,
    });
    let number = |value: &syn::Expr| match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse(),
        _ => panic!("a code of `enum Code` is no plain number"),
    };
    let numbered = |code: syn::Variant| {
        let documentation = documentation(&code);
        let (_, value) = code.discriminant.expect("each code has its number written out");
        let (title, _) = documentation.split_once('.').expect("a code has documentation");
        (number(&value).unwrap(), title[..1].to_lowercase() + &title[1..])
    };
    codes.expect("an enum `Code`").into_iter().map(numbered).collect()
}

/// Returns the documentation of a code as one line.
fn documentation(code: &syn::Variant) -> String {
    let line = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }),
            ..
        }) => Some(line.value().trim().to_owned()),
        _ => None,
    };
    code.attrs.iter().filter_map(line).collect::<Vec<_>>().join(" ")
}

/// Returns the code blocks of a section, each with the tag after its opening fence.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// Returns the errors of all calls in a block of Rust.
fn codes_in(block: &str) -> Vec<String> {
    let calls = calls(block.parse().unwrap());
    assert!(!calls.is_empty(), "no call in {block}");
    calls.into_iter().flat_map(faults_of).map(|fault| fault.message).collect()
}

#[test]
fn every_code_has_a_section() {
    let sections: Vec<String> = isa_core::codes::all()
        .map(|section| format!("{}: {}", section.code, section.title))
        .collect();
    let codes: Vec<String> =
        table().iter().map(|(number, title)| format!("ISA{number:04}: {title}")).collect();
    let missing: Vec<&String> = codes.iter().filter(|code| !sections.contains(code)).collect();
    assert!(missing.is_empty(), "codes.md needs sections with these titles: {missing:#?}");
    let wrong: Vec<&String> = sections.iter().filter(|title| !codes.contains(title)).collect();
    assert!(wrong.is_empty(), "diag.rs has no code for these sections of codes.md: {wrong:#?}");
    assert_eq!(sections, codes, "the sections of codes.md must be in the order of their codes");
}

#[test]
fn the_language_reference_lists_every_code() {
    let page = include_str!("../../../../isa-core/src/language.md");
    // The first cell of a row contains one or more codes: `ISA0002, 0003`.
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ISA")?.split('|').next());
    let listed: Vec<u16> =
        cells.flat_map(|cell| cell.split(", ")).flat_map(|code| code.trim().parse()).collect();
    for number in table().into_keys() {
        let found = listed.contains(&number);
        assert!(found, "the table of errors in language.md does not list ISA{number:04}");
    }
}

#[test]
fn a_wrong_example_has_its_fault_and_no_other() {
    for section in isa_core::codes::all() {
        let wrong = blocks(section.text).into_iter().find(|(tag, _)| *tag == "compile_fail");
        let (_, wrong) = wrong.unwrap_or_else(|| panic!("{} has no wrong example", section.code));
        let faults = codes_in(wrong);
        let own = format!("[{}]", section.code);
        let all_own = faults.iter().all(|fault| fault.starts_with(&own));
        let seen = !COMPILED.contains(&section.code);
        assert!(faults.is_empty() != seen && all_own, "{}: {faults:#?}", section.code);
    }
}

#[test]
fn a_right_example_has_no_fault() {
    for section in isa_core::codes::all() {
        let right = blocks(section.text).into_iter().find(|(tag, _)| tag.is_empty());
        let (_, right) = right.unwrap_or_else(|| panic!("{} has no right example", section.code));
        assert_eq!(codes_in(right), [""; 0], "{}", section.code);
    }
}
