//! The number, the format and the locations of reported errors.

use isa_defs::gpu::Gpu;

use super::*;

fn shown(outcome: &Outcome) -> usize {
    outcome.err.matches("--> ").count()
}

#[test]
fn twenty_errors_are_shown_and_the_others_counted() {
    let bad = "HADX;\n".repeat(5_000);
    let cases: [(&[&str], &str, &str); 4] = [
        (&["asm"], &bad, "nothing was written"),
        (&["exec"], &bad, "nothing was written"),
        (&["dis"], &bad, "all valid input is printed"),
        (&["dis", "--strict"], &bad, "nothing was written"),
    ];
    for (args, input, consequence) in cases {
        let outcome = isa(args, input.as_bytes());
        let count = 5_000;
        let more = count - 20;
        assert_eq!(shown(&outcome), 20, "{args:?}");
        assert!(outcome.err.len() < 10_000, "{} bytes", outcome.err.len());
        let last = format!(
            "error: {count} errors, {more} of them not shown (`--error-limit 0` shows all); \
            {consequence}\n"
        );
        assert!(outcome.err.ends_with(&last), "{args:?}: {}", outcome.err);
    }
    let outcome = isa(&["explain"], "zz 0 ".repeat(500).as_bytes());
    assert_has(&outcome.err, &["error: 1000 errors, 980 of them not shown"]);
}

#[test]
fn the_limit_can_be_set() {
    let bad = "HADX;\n".repeat(100);
    for (limit, count) in [("1", 1), ("3", 3), ("99", 99), ("100", 100), ("0", 100)] {
        let outcome = isa(&["asm", "--error-limit", limit], bad.as_bytes());
        assert_eq!(shown(&outcome), count, "{limit}");
        assert_eq!(outcome.err.contains("of them not shown"), count < 100, "{limit}");
        let outcome = isa(&["dis", &format!("--error-limit={limit}")], bad.as_bytes());
        assert_eq!(shown(&outcome), count, "{limit}");
    }
    let outcome = isa(&["asm", "--error-limit", "few"], b"");
    assert_has(outcome.failed(Status::Usage), &["expected a number, or 0 for all errors"]);
}

#[test]
fn diagnostics_are_json_where_that_is_asked_for() {
    let code = "HADD2 R0, R1, R2; // \u{e4}\nHADD2.FTX R0, R1, R2;\nHADX;";
    let outcome = isa(&["asm", "--json"], code.as_bytes());
    assert_eq!((outcome.status, outcome.text()), (Status::Failure, ""));
    let [first, second, last] = &outcome.json()[..] else { panic!("{}", outcome.err) };
    assert_eq!((&first["level"], &first["code"]), (&"error".into(), &"unknown-modifier".into()));
    assert_eq!((&first["file"], &first["line"]), (&"<stdin>".into(), &2.into()));
    assert_eq!((&first["column"], &first["end_column"]), (&6.into(), &10.into()));
    let start = code.find(".FTX").unwrap();
    assert_eq!(first["span"], serde_json::json!([start, start + 4]));
    assert_eq!(first["text"], "HADD2.FTX R0, R1, R2;");
    assert_has(first["help"][0].as_str().unwrap(), &["did you mean `.FTZ`?"]);
    assert_eq!(second["code"], "unknown-mnemonic");
    assert_eq!(
        (&last["level"], &last["message"]),
        (&"note".into(), &"2 errors; nothing was written".into())
    );
    for (args, input) in [
        (&["dis", "--json"][..], &b"zz"[..]),
        (&["dis", "--json", "--from", "bin"], b"abc"),
        (&["dis", "--json", "--strict"], b"0"),
        (&["exec", "--json"], b".word 0;"),
        (&["explain", "--json", "zz"], b""),
        (&["asm", "--json", "missing/file"], b""),
        (&["asm", "--json", "--what"], b""),
    ] {
        let outcome = isa(args, input);
        assert_ne!(outcome.status, Status::Success, "{args:?}");
        assert_eq!(outcome.json()[0]["level"], "error", "{args:?}");
    }
    let bytes = isa(&["dis", "--json", "--from", "bin"], &[0; 35]);
    assert_eq!(bytes.json()[0]["span"], serde_json::json!([32, 35]));
    // Each JSON object has all keys, even for an error without a location.
    let text = isa(&["dis", "--json"], b"zz");
    let usage = isa(&["asm", "--json", "--what"], b"");
    let keys = |object: &serde_json::Value| -> Vec<String> {
        object.as_object().into_iter().flat_map(|object| object.keys().cloned()).collect()
    };
    let expected = keys(&text.json()[0]);
    assert_eq!(expected.len(), 12, "{expected:?}");
    for object in [text.json(), bytes.json(), usage.json()].concat() {
        assert_eq!(keys(&object), expected, "{object}");
    }
}

/// Checks that offsets count the bytes of the file, independently of the tool's internal form.
#[test]
fn spans_are_bytes_of_the_file() {
    let line = "HADD2 R0, R1, R2; // \u{e4}\n";
    let mut code = b"\xef\xbb\xbf".to_vec();
    code.extend(line.repeat(30_000).bytes());
    code.extend(b"// caf\xe9 \xff\xfe\nHADX;\n");
    let at = code.len() - "HADX;\n".len();
    let outcome = isa(&["asm", "--json"], &code);
    let objects = outcome.json();
    let unknown = objects.iter().find(|object| object["code"] == "unknown-mnemonic").unwrap();
    assert_eq!(unknown["span"], serde_json::json!([at, at + 4]));
    assert_eq!(unknown["line"], 30_002);
}

#[test]
fn colour_can_be_asked_for_and_refused() {
    let mut input = &b"HADX;"[..];
    for (args, color, coloured) in [
        (&["asm"][..], true, true),
        (&["asm", "--color", "never"], true, false),
        (&["asm", "--color=auto"], true, true),
        (&["asm", "--color", "always"], false, true),
        (&["--color", "always", "asm"], false, true),
        (&["asm", "--color", "always", "--what"], false, true),
    ] {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        tool().run(args, Io { color, ..Io::of(&mut input, &mut out, &mut err) });
        input = b"HADX;";
        assert_eq!(err.contains(&0x1b), coloured, "{args:?} {}", String::from_utf8_lossy(&err));
    }
}

#[test]
fn a_missing_semicolon_is_reported_behind_the_last_token() {
    for (code, place) in [
        ("HADD2 R0, R1, R2\nHADD2 R3, R4, R5;\n", "1:17"),
        ("HADD2 R0, R1, R2 // no\n\n /* ; */\nHADD2 R3, R4, R5;\n", "1:17"),
        ("HADD2 R0, R1, R2   ", "1:17"),
        ("HADD2 R0, R1, R2\n", "1:17"),
        ("HADD2 R0, R1, R2 /* x */ HADD2 R3, R4, R5;", "1:17"),
        ("HADD2 R0, R1, R2 ?WAIT3\nHADD2 R3, R4, R5;", "1:24"),
        ("HADD2 R0, R1, -|R2.H1_H1|\n@P0 HADD2 R3, R4, R5;", "1:26"),
        ("\n  HADD2 R0,\n  R1, R2\n.word 0x12;", "3:9"),
        (".word 0x12\nHADD2 R3, R4, R5;", "1:11"),
        (".word 0x12 // no\n", "1:11"),
        ("vadd4.u32.u32.u32 r1, r2, r3, r4\nHADD2 R3, R4, R5;", "1:33"),
        ("HADD2 R0, R1\nHADD2 R3, R4, R5;", "1:13"),
    ] {
        let outcome = isa(&["asm"], code.as_bytes());
        let place = format!("<stdin>:{place}\n");
        assert_has(outcome.failed(Status::Failure), &[&place, "expected `", "1 error;"]);
    }
    let error = "HADD2 R0, R1, R2\n".parse::<Gpu>().unwrap_err();
    assert_eq!(error.span, 16..16);
    assert_eq!(error.title().to_string(), "expected `;`, found the end of the text");
}

#[test]
fn where_lines_end_statements_a_message_speaks_of_the_end_of_the_line() {
    let rv = |text: &str| run(&isa_riscv::tool(), &["asm", "--json"], text.as_bytes()).json();
    let titles = [
        ("add a0, a1\nnop\n", "expected `,`, found the end of the line"),
        ("add a0, a1 # three are needed\nnop\n", "expected `,`, found the end of the line"),
        ("add a0, a1 /* x\n y */\nnop\n", "expected `,`, found the end of the line"),
        ("add a0, a1", "expected `,`, found the end of the line"),
        ("add a0, a1; nop\n", "expected `,`, found `;`"),
    ];
    for (text, title) in titles {
        assert_eq!(rv(text)[0]["message"], title, "{text:?}");
    }
}
