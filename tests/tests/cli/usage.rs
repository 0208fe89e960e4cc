use super::*;

pub(super) const COMMANDS: [&str; 17] = [
    "asm",
    "dis",
    "explain",
    "explain-error",
    "exec",
    "list",
    "random",
    "vectors",
    "verify",
    "compare",
    "flips",
    "grammar",
    "manual",
    "export",
    "diff",
    "completions",
    "man",
];

#[test]
fn help_and_version_are_answers() {
    let help = isa(&["--help"], b"");
    assert_has(help.fine(), &COMMANDS);
    assert_eq!(isa(&["help"], b"").text(), help.text());
    assert_has(isa(&["-h"], b"").fine(), &["Exit status"]);
    assert_has(isa(&["--version"], b"").fine(), &["isa ", env!("CARGO_PKG_VERSION_MAJOR")]);
    for command in COMMANDS {
        let help = isa(&[command, "--help"], b"");
        assert_has(help.fine(), &[&format!("usage: isa {command}")]);
        assert_eq!(isa(&["help", command], b"").text(), help.text());
        assert_eq!(isa(&[command, "-V"], b"").fine(), isa(&["-V"], b"").text());
    }
}

#[test]
fn usage_errors_have_hints_and_status_2() {
    for (args, part) in [
        (&[][..], "missing command"),
        (&["dsi"], "did you mean `dis`?"),
        (&["asm", "--emmit", "hex"], "did you mean `--emit`?"),
        (&["asm", "--emit", "hexx"], "did you mean `hex`?"),
        (&["asm", "a", "b"], "unexpected argument `b`"),
        (&["dis", "--form", "bin"], "did you mean `--from`?"),
        (&["dis", "--strictly"], "unknown option `--strictly`"),
        (&["explain"], "missing word"),
        (&["asm", ""], "expected a file name for FILE, or - for standard input"),
        (&["asm", "-o", ""], "expected a file name for --output, or - for standard output"),
        (&["exec", "--set", "R1"], "NAME=VALUE"),
        (&["exec", "--set", "r1=1"], "did you mean `R1`?"),
        (&["exec", "--set", "R1=0x100000000"], "32 bits"),
        (&["exec", "--set", "P0=maybe"], "expected true, false"),
        (&["exec", "--set", "RZ=0"], "always 0"),
        (&["exec", "--set", "c[0][2]=0"], "multiple of 4"),
        (&["exec", "--jsonl", "--set", "R1=1"], "--jsonl cannot be used with --set"),
        (&["exec", "--jsonl", "--warp"], "--jsonl cannot be used with --set"),
        (&["exec", "--set", "R1=1,2"], "R1: a value for each lane requires --warp"),
        (&["exec", "--warp", "--set", "R1=1,2"], "R1: expected one value or 32 values, found 2"),
        (&["exec", "--warp", "--set", "R1=1,x"], "R1, lane 1: `x` is not a number"),
        (&["exec", "--warp", "--set", "R1=lanes"], "R1: `lanes` is not a number"),
        (&["exec", "--warp", "--set", "UR1=lane"], "UR1: expected one value, because all lanes"),
        (&["exec", "--set", "c[0][4]=1,2", "--warp"], "all lanes share this register"),
        (&["exec", "--warp", "--set", "P0=lane"], "P0: a predicate cannot contain"),
        (&["exec", "--warp", "--set", "P0=0x100000000"], "P0: `0x100000000` does not fit"),
        (
            &["exec", "--warp", "--set", "P0=12"],
            "expected true, false, 1 or 0, found `12`; a mask such as ",
        ),
        (&["explain-error", "ISA0014", "ISA0015"], "unexpected argument `ISA0015`"),
        (&["explain-error", "ISB0014"], "did you mean `ISA0014`?"),
        (&["explain-error", "E0308"], "unknown code `E0308`"),
        (&["list", "all"], "no opcode or mnemonic matches `all`"),
        (&["list", "HADD3"], "did you mean `HADD2`?"),
        (&["list", "--all"], "unknown option `--all`"),
        (
            &["asm", "--color", "sometimes"],
            "invalid value for --color: expected one of auto, always, never",
        ),
        (&["asm", "--error-limit=-1"], "invalid value for --error-limit: expected a number"),
        (&["explain", "1", "--asm", "x"], "--asm cannot be used with WORD"),
        (&["completions", "fihs"], "did you mean `fish`?"),
    ] {
        let outcome = isa(args, b"");
        assert_has(outcome.failed(Status::Usage), &[part]);
    }
}

#[test]
fn files_that_cannot_be_read_or_written_are_status_1() {
    let scratch = Scratch::new("files");
    let missing = scratch.path("missing/file");
    for args in [
        &["asm", &missing][..],
        &["dis", &missing],
        &["exec", &missing],
        &["exec", "--jsonl", &missing],
        &["exec", "--warp", &missing],
        &["asm", &scratch.path("")],
        &["asm", "-", "-o", &missing],
        &["asm", "-", "-o", &scratch.path("")],
    ] {
        let outcome = isa(args, b"");
        assert_has(outcome.failed(Status::Failure), &["cannot ", "isa-tests"]);
    }
    assert!(scratch.names().is_empty());
}

#[test]
fn list_has_every_opcode_with_its_own_operands() {
    let outcome = isa(&["list"], b"");
    let text = outcome.fine();
    for name in ["HADD2_RR", "HADD2_RC", "HADD2_RU"] {
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
    }
    assert_has(text, &["HADD2{.hfmt_v2}{.FTZ}", "rd:Reg, {-}", "urb:UReg", ":CMem"]);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for args in [&["asm", "\u{1b}[31m"][..], &["\u{1b}[31m"], &["explain", "\u{1b}[31m"]] {
        let outcome = isa(args, b"\x1b[31m;");
        assert!(!outcome.err.contains('\u{1b}'), "{:?}", outcome.err);
    }
}
