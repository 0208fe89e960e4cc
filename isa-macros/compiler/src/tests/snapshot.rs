//! Compares the formatted expansion of a tiny specification with a file.
//!
//! `BLESS=1 cargo test -p isa-compiler` rewrites the file. Review the difference as code.

use super::tokens;
use crate::pipeline::expand;

#[test]
fn the_expansion_of_a_tiny_specification() {
    let spec = include_str!("tiny.isa");
    let file: syn::File = syn::parse2(expand(tokens(spec))).unwrap();
    let actual = prettyplease::unparse(&file);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/tiny.expanded.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        actual == expected,
        "the expansion differs from {path}; run with BLESS=1 and read the difference"
    );
}

#[test]
fn the_same_input_gives_the_same_output_wherever_it_stands() {
    let spec = include_str!("tiny.isa");
    let expansion = expand(tokens(spec)).to_string();
    assert_eq!(expand(tokens(&format!("\n\n\n    {spec}"))).to_string(), expansion);
}
