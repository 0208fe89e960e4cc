#![cfg_attr(any(not(doctest), isa_codes), doc = include_str!("codes.md"))]
// The tests of isa-compiler check both examples of each code without rustc: the wrong one has only
// this error, and the right one has none. To check the wrong examples with rustc, one process for
// each is required: `RUSTDOCFLAGS="--cfg isa_codes" cargo test --doc -p isa-core`, a step of
// `.ci/run`.

/// The page that contains the sections.
const PAGE: &str = include_str!("codes.md");

/// The start of a section's heading.
const HEADING: &str = "\n## ISA";

/// The section of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code, as in a message: `ISA0014`.
    pub code: &'static str,
    /// The error in a few words.
    pub title: &'static str,
    /// The meaning, a wrong example and a right one, in Markdown.
    pub text: &'static str,
}

/// Returns the section of a code, written `ISA0014`, `isa14` or `14`.
///
/// ```
/// let overlap = isa_core::codes::explain("ISA0014").unwrap();
/// assert_eq!(overlap.title, "two opcodes that decode one word");
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
/// assert_eq!((first.code, first.title), ("ISA0001", "text that cannot be read"));
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

/// Returns the number of a code, with or without its letters.
fn number(code: &str) -> Option<u16> {
    let digits = match code.get(..3) {
        Some(letters) if letters.eq_ignore_ascii_case("isa") => code.get(3..)?,
        _ => code,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}
