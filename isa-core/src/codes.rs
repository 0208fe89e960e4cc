#![cfg_attr(any(not(doctest), isa_codes), doc = include_str!("codes.md"))]
// Each code has a wrong and a right example. The tests of isa-compiler check, without rustc, that the
// wrong example causes only this error and that the right example causes none. A step of `.ci/run` also
// compiles the examples, which takes one rustc process for each wrong example:
// `RUSTDOCFLAGS="--cfg isa_codes" cargo test --doc -p isa-core`.

/// The page that contains the sections.
const PAGE: &str = include_str!("codes.md");

/// The beginning of the heading of a section.
const HEADING: &str = "\n## ISA";

/// The section of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code, as in a message: `ISA0014`.
    pub code: &'static str,
    /// A short description of the error.
    pub title: &'static str,
    /// The explanation, with a wrong and a right example, in Markdown.
    pub text: &'static str,
}

/// Returns the section of a code, which can be written as `ISA0014`, `isa14` or `14`.
///
/// ```
/// let overlap = isa_core::codes::explain("ISA0014").unwrap();
/// assert_eq!(overlap.title, "two opcodes that decode the same word");
/// assert_eq!(isa_core::codes::explain("14"), Some(overlap));
/// assert_eq!(isa_core::codes::explain("E0308"), None);
/// ```
#[must_use]
pub fn explain(code: &str) -> Option<Explanation> {
    let number = number(code)?;
    all().find(|section| self::number(section.code) == Some(number))
}

/// Returns the sections of all codes, in the order of their numbers.
///
/// ```
/// let first = isa_core::codes::all().next().unwrap();
/// assert_eq!((first.code, first.title), ("ISA0001", "unexpected tokens"));
/// assert!(first.text.contains("Wrong:"));
/// ```
pub fn all() -> impl Iterator<Item = Explanation> {
    PAGE.match_indices(HEADING).filter_map(|(start, _)| {
        let section = PAGE.get(start + HEADING.len() - "ISA".len()..)?;
        let end = section.find(HEADING).unwrap_or(section.len());
        let (heading, text) = section.get(..end)?.split_once('\n')?;
        let (code, title) = heading.split_once(": ")?;
        Some(Explanation { code, title, text: text.trim() })
    })
}

/// Parses the number of a code, with or without the letters `ISA`.
fn number(code: &str) -> Option<u16> {
    let digits = match code.get(..3) {
        Some(letters) if letters.eq_ignore_ascii_case("isa") => code.get(3..)?,
        _ => code,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
