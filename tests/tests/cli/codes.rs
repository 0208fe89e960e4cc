use super::*;

#[test]
fn a_code_is_explained_however_it_is_written() {
    let outcome = isa(&["explain-error", "ISA0014"], b"");
    let text = outcome.fine();
    assert!(text.starts_with("ISA0014: two opcodes that decode the same word\n\n"), "{text}");
    assert_has(text, &["\nWrong:\n", "\nRight:\n", "\n    isa_core::define_isa! {\n"]);
    assert!(!text.contains("```") && !text.contains("\n\n\n"), "{text}");
    assert!(!text.contains("ISA0015"), "the next section:\n{text}");
    for code in ["isa0014", "isa14", "14", "0014"] {
        assert_eq!(isa(&["explain-error", code], b"").fine(), text, "{code}");
    }
}

#[test]
fn without_a_code_all_are_listed() {
    let outcome = isa(&["explain-error"], b"");
    let lines: Vec<&str> = outcome.fine().lines().collect();
    assert_eq!(lines[0], "ISA0001  unexpected tokens");
    assert!(lines.is_sorted(), "{lines:#?}");
    for line in &lines {
        let (code, title) = line.split_once("  ").unwrap();
        let explained = isa(&["explain-error", code], b"");
        assert!(explained.fine().starts_with(&format!("{code}: {title}\n")), "{line}");
    }
    assert!(lines.len() >= 29, "{}", lines.len());
}

#[test]
fn what_is_no_code_is_refused() {
    for code in ["", "ISA", "ISA0000", "ISA9999", "+14", "1.4", "ISA-1", "99999999999", "é14"] {
        let outcome = isa(&["explain-error", code], b"");
        assert_has(outcome.failed(Status::Usage), &["unknown code", "lists the codes"]);
    }
}
