//! Tests that common errors in specifications get helpful messages. The cases are in
//! `mistakes/*.txt`.
//!
//! A case has a title and either the lines of `mistakes/right.isa` that it replaces, with their
//! replacements, or a complete specification. The expected messages follow, each under its source
//! line and underlined token. `BLESS=1 cargo test -p isa-compiler mistakes` rewrites the messages.
//! Review the difference like an author of a specification who sees only these messages.

use std::fs;
use std::path::Path;

use super::{faults_of, tokens};
use crate::diag::SpecificationError;

const RIGHT: &str = include_str!("mistakes/right.isa");

/// The prefixes that mark the purpose of a line in a case.
const TITLE: &str = "== ";
const CHANGED: &str = "- ";
const WRITTEN: &str = "+ ";
const WHOLE: &str = "| ";
const REPORTED: &str = "> ";

/// Returns the specification of a case.
fn specification(case: &str) -> String {
    let lines = |mark: &str| -> Vec<&str> {
        case.lines().filter_map(|line| line.strip_prefix(mark)).collect()
    };
    let whole = lines(WHOLE);
    if !whole.is_empty() {
        return whole.join("\n") + "\n";
    }
    let (right, wrong) = (lines(CHANGED).join("\n"), lines(WRITTEN).join("\n"));
    assert_eq!(RIGHT.matches(&right).count(), 1, "{right}");
    RIGHT.replace(&right, &wrong)
}

/// Returns the source line of an error, with its token underlined, and the message.
fn show(fault: &SpecificationError, source: &str) -> String {
    let line = source.lines().nth(fault.line - 1).unwrap_or_default();
    let length = if fault.end.0 == fault.line { fault.end.1 } else { line.chars().count() + 1 };
    let before = " ".repeat(fault.column - 1);
    let carets = "^".repeat(length.saturating_sub(fault.column).max(1));
    let message = fault.message.replace('\n', &format!("\n{REPORTED}    "));
    format!("{REPORTED}{line}\n{REPORTED}{before}{carets}\n{REPORTED}  {message}\n")
}

/// Returns the case with the errors that the compiler reports for it.
fn report(case: &str) -> String {
    let kept = case.lines().filter(|line| !line.starts_with(REPORTED.trim_end()));
    let mut text: String = kept.map(|line| format!("{line}\n")).collect();
    let source = specification(case);
    let faults = match source.parse() {
        Ok(tokens) => faults_of(tokens),
        // rustc rejects text that is not a sequence of tokens before it calls the macro.
        Err(error) => return format!("{text}{REPORTED}{error}\n"),
    };
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text.extend(faults.iter().map(|fault| show(fault, &source)));
    text
}

#[test]
fn a_right_specification_has_no_mistake() {
    let faults: Vec<String> =
        faults_of(tokens(RIGHT)).iter().map(|fault| show(fault, RIGHT)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn mistakes_are_told_once_and_where_they_are() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/mistakes");
    let mut pages = Vec::new();
    super::ui::files(&directory, "txt", &mut pages);
    assert!(!pages.is_empty(), "no page of mistakes");
    let mut differ = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let title = format!("\n{TITLE}");
        let mut parts = text.split(&title);
        let mut now = parts.next().unwrap_or_default().trim_end().to_owned();
        for case in parts {
            now.push_str(&format!("\n\n{}", report(&format!("{TITLE}{case}")).trim_end()));
        }
        now.push('\n');
        if std::env::var_os("BLESS").is_some() {
            fs::write(&page, &now).unwrap();
        } else if now != text {
            differ.push(format!("{}\n{now}", page.display()));
        }
    }
    assert!(differ.is_empty(), "run with BLESS=1 and read what differs:\n{}", differ.join("\n"));
}
