use super::*;

#[test]
fn every_shell_has_completions_with_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = isa(&["completions", shell], b"");
        let parts = ["explain-error", "start-address", "error-limit", "listing", "jsonl", "color"];
        assert_has(outcome.fine(), &parts);
    }
}

#[test]
fn the_manual_page_has_every_command_with_its_options() {
    let outcome = isa(&["man"], b"");
    let page = outcome.fine();
    assert!(page.contains(".TH ISA 1"), "{page}");
    assert_has(page, &[".SH NAME", "\"ISA ASM\"", "\"ISA DIS\"", "\"ISA EXPLAIN-ERROR\""]);
    assert_has(page, &["\\-\\-start\\-address", "\\-\\-error\\-limit", "Exit status"]);
    // The notes keep their line breaks, because they contain tables.
    assert_eq!(page.matches("NOTES\n.nf\n").count(), page.matches("\n.fi\n").count());
    assert_has(page, &[".SH NOTES\n.nf\n", ".SS NOTES\n.nf\n"]);
    assert!(!page.contains("EXTRA"), "{page}");
}

#[test]
fn help_says_what_each_option_does() {
    for (command, options) in [
        ("asm", &["--emit", "--output", "--error-limit", "--json", "--color"][..]),
        ("dis", &["--from", "--strict", "--addresses", "--start-address", "--error-limit"]),
        ("explain", &["--asm", "--json", "WORD"]),
        ("exec", &["--set", "--trace", "--gdb", "--warp", "--jsonl", "--error-limit", "--json"]),
        ("list", &["--json", "PATTERN"]),
    ] {
        let outcome = isa(&[command, "--help"], b"");
        assert_has(outcome.fine(), options);
        assert!(outcome.text().lines().all(|line| line.chars().count() <= 110), "{command}");
    }
    assert_has(isa(&["--help"], b"").fine(), &["--version", "--color", "NO_COLOR", "TERM=dumb"]);
}
