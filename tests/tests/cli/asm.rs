use std::fs;
use std::time::Duration;

use isa_tests::processor;

use super::*;

const CODE: &[u8] = b"HADD2 R0, R1, R2; // a comment\n@!P0 HADD2.FTZ R4, -R1.H0_H0,\n\
    c[0x0][0x160]; /* ; */ .word 0x12345;\n";
const HEX: &str = "00000000000000000000000201007130\n\
    00000000000211000000016001048530\n\
    00000000000000000000000000012345\n";

#[test]
fn hex_is_one_word_a_line() {
    assert_eq!(isa(&["asm"], CODE).fine(), HEX);
    assert_eq!(isa(&["asm", "-", "--emit", "hex"], CODE).fine(), HEX);
    assert_eq!(isa(&["asm"], b" // nothing\n").fine(), "");
}

#[test]
fn bin_has_the_low_byte_first() {
    let outcome = isa(&["asm", "--emit=bin"], CODE);
    assert_eq!(outcome.status, Status::Success);
    assert_eq!(outcome.out.len(), 48);
    assert_eq!(outcome.out[..6], [0x30, 0x71, 0x00, 0x01, 0x02, 0x00]);
    let again = isa(&["dis", "--from", "bin"], &outcome.out);
    assert_eq!(isa(&["asm"], &again.out).fine(), HEX);
}

#[test]
fn a_listing_assembles_to_the_same_words() {
    let listing = isa(&["asm", "--emit", "listing"], CODE);
    let first = "/* 00000000  00000000000000000000000201007130 */  HADD2 R0, R1, R2;\n";
    assert!(listing.fine().starts_with(first), "{}", listing.text());
    assert_has(listing.text(), &["/* 00000020  ", ".word 0x00000000000000000000000000012345; // "]);
    assert_eq!(isa(&["asm"], &listing.out).fine(), HEX);
}

#[test]
fn all_errors_are_reported_with_line_and_caret() {
    let scratch = Scratch::new("errors");
    let code =
        b"HADD3 R0, R1, R2;\nHADD2 R0, R1, R2;\n  HADD2.FTS R0,\n    R1, R2; HADD2 R0, R1, R256;\n\
        HADD2.BF16_V2.FTZ R0, R1, R2;\nHADD2 R0, R1";
    let file = scratch.write("bad.s", code);
    let outcome = isa(&["asm", &file], b"");
    let err = outcome.failed(Status::Failure);
    for place in [":1:1\n", ":3:8\n", ":4:27\n", ":5:1\n", ":6:"] {
        assert_has(err, &[&format!("--> {file}{place}")]);
    }
    assert_has(
        err,
        &[
            "1 | HADD3 R0, R1, R2;\n",
            "  | ^^^^^",
            "did you mean `HADD2`?",
            "did you mean `.FTZ`?",
            "3 |   HADD2.FTS R0,\n",
            "error: 5 errors; nothing was written\n",
        ],
    );
    assert!(!err.contains('\u{1b}'));
}

#[test]
fn with_an_error_the_output_file_stays_as_it_is() {
    let scratch = Scratch::new("keep");
    let target = scratch.write("out.bin", b"old");
    let outcome = isa(&["asm", "--emit", "bin", "-o", &target], b"HADD2 R0, R1, R2; HADD2;");
    outcome.failed(Status::Failure);
    assert_eq!(fs::read(&target).ok().as_deref(), Some(&b"old"[..]));
    isa(&["asm", "-o", &scratch.path("new.hex")], b"x").failed(Status::Failure);
    assert_eq!(scratch.names(), ["out.bin"]);
}

#[test]
fn without_an_error_the_output_file_is_replaced() {
    let scratch = Scratch::new("replace");
    let target = scratch.write("out.hex", b"old");
    assert_eq!(isa(&["asm", "--output", &target], CODE).fine(), "");
    assert_eq!(fs::read(&target).ok().as_deref(), Some(HEX.as_bytes()));
    assert_eq!(scratch.names(), ["out.hex"]);
    // The output may overwrite its own source file.
    assert_eq!(isa(&["dis", &target], b"").fine().lines().count(), 3);
    let source = scratch.write("code.s", CODE);
    assert_eq!(isa(&["asm", &source, "-o", &source], b"").fine(), "");
    assert_eq!(fs::read(&source).ok().as_deref(), Some(HEX.as_bytes()));
    assert_eq!(isa(&["asm", "-o", "-"], CODE).fine(), HEX);
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_keep_the_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("link");
    let target = scratch.write("target", b"old");
    assert!(fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).is_ok());
    let link = scratch.path("link");
    assert!(symlink(&target, &link).is_ok());
    assert_eq!(isa(&["asm", "-o", &link], CODE).fine(), "");
    assert_eq!(fs::read(&target).ok().as_deref(), Some(HEX.as_bytes()));
    assert!(fs::symlink_metadata(&link).is_ok_and(|found| found.is_symlink()));
    assert!(fs::metadata(&target).is_ok_and(|found| found.permissions().mode() & 0o777 == 0o640));
    assert_eq!(isa(&["asm", "-o", "/dev/null"], CODE).fine(), "");
    assert!(fs::metadata("/dev/null").is_ok_and(|found| !found.is_file()));
}

#[test]
fn text_that_is_not_utf8_has_a_place() {
    let outcome = isa(&["asm"], b"\xef\xbb\xbfHADD2 R0, R1, R2;\n// caf\xe9 \xff\nHADX;");
    let err = outcome.failed(Status::Failure);
    let places = ["<stdin>:2:7\n", "<stdin>:2:9\n", "<stdin>:3:1\n", "invalid UTF-8", "3 errors"];
    assert_has(err, &places);
    let outcome = isa(&["asm"], &[0xfe; 4096]);
    assert_has(outcome.failed(Status::Failure), &["the rest of the file is not read"]);
    let outcome = isa(&["asm"], b"HADD2 R0, R1, R2; // \xc3");
    assert_has(outcome.failed(Status::Failure), &["<stdin>:1:22\n", "1 error;"]);
}

#[test]
fn a_comment_that_is_never_closed_is_one_error() {
    for code in [&b"HADD2 R0, R1, R2;\n /* x"[..], b"\n /* x", b"\n /*/"] {
        let outcome = isa(&["asm"], code);
        assert_has(
            outcome.failed(Status::Failure),
            &["<stdin>:2:2\n", "unterminated comment", "1 error;"],
        );
    }
    let mut long = b"\n  /*".to_vec();
    long.resize(1 << 20, b'x');
    let outcome = isa(&["asm"], &long);
    assert_has(outcome.failed(Status::Failure), &["<stdin>:2:3\n", "2 |   /*xxx", "1 error;"]);
}

#[test]
fn places_are_right_in_large_files() {
    let line = "HADD2 R0, R1, R2; /* ; ä */ HADD2 R0, // ;\n R1, R2;\n";
    let mut code = line.repeat(20_000);
    let errors = [1_000, 12_345, 19_999].map(|at| {
        let place = at * line.len() + line.find("R0,").unwrap_or(0);
        code.replace_range(place..place + 2, "XX");
        format!("<stdin>:{}:7\n", at * 2 + 1)
    });
    let outcome = isa(&["asm"], code.as_bytes());
    let err = outcome.failed(Status::Failure);
    let places: Vec<_> = err.lines().filter_map(|line| line.split_once("--> ")).collect();
    assert!(places.iter().map(|(_, place)| *place).eq(errors.iter().map(|error| error.trim())));
    assert_has(err, &["3 errors;"]);
}

/// Checks that a long text, which is parsed in chunks, gives the same result as its lines.
#[test]
fn long_text_is_read_as_its_lines_are() {
    let line = |number: usize| {
        let [high, low] = [number / 200, number % 200];
        format!("HADD2 R{low}, /* ;\n; */ R{high}, // ;\n R1;\n")
    };
    let lines: Vec<String> = (0..45_000).map(line).collect();
    let whole = isa(&["asm"], lines.concat().as_bytes());
    let pieces = lines.chunks(500).map(|lines| isa(&["asm"], lines.concat().as_bytes()));
    let pieces: String = pieces.map(|piece| piece.fine().to_owned()).collect();
    assert_eq!(pieces.lines().count(), lines.len());
    assert!(whole.fine() == pieces, "the words differ");
}

#[test]
fn a_file_may_be_one_line() {
    let mut code = "HADD2 R0, R1, R2; ".repeat(100_000);
    assert_eq!(isa(&["asm"], code.as_bytes()).fine().len(), 3_300_000);
    code.push_str("HADD3 R0, R1, R2;");
    let outcome = isa(&["asm"], code.as_bytes());
    assert_has(outcome.failed(Status::Failure), &["<stdin>:1:1800001\n", "^^^^^", "1 error;"]);
}

#[test]
fn an_instruction_without_end_is_an_error() {
    let mut code = b"HADD2 R0, /*".to_vec();
    code.resize(17 << 20, b' ');
    code.extend_from_slice(b"*/ R1, R2;");
    let outcome = isa(&["asm"], &code);
    assert_has(outcome.failed(Status::Failure), &["<stdin>:1:1\n", "no `;`"]);
}

#[test]
fn large_output_is_spooled() {
    let code = "HADD2 R0, R1, R2;\n".repeat(300_000);
    let outcome = isa(&["asm"], code.as_bytes());
    assert_eq!(outcome.fine().len(), 300_000 * 33);
    let outcome = isa(&["asm"], format!("{code}HADD2").as_bytes());
    outcome.failed(Status::Failure);
}

/// Returns the processor time of a run, if the system reports it.
fn time_of(run: impl FnOnce()) -> Option<Duration> {
    let start = processor::of_this_thread()?;
    run();
    Some(processor::of_this_thread()? - start)
}

/// Checks that each column of a line is computed only once, and that errors beyond the limit are
/// not formatted.
#[test]
fn many_errors_on_one_line_take_seconds_at_most() {
    let rv: fn(&[u8]) -> Outcome = |text| run(&isa_riscv::tool(), &["asm"], text);
    for (asm, statement) in [(rv, "foo;"), (|text| isa(&["asm"], text), "ä;")] {
        let time = time_of(|| {
            let outcome = asm(statement.repeat(200_000).as_bytes());
            let last = 1 + 19 * statement.chars().count();
            let err = outcome.failed(Status::Failure);
            assert_has(err, &["<stdin>:1:1\n", &format!("<stdin>:1:{last}\n"), "200000 errors"]);
            assert!(err.lines().all(|line| line.chars().count() <= 150), "lines are cut");
        });
        assert!(time.is_none_or(|time| time < Duration::from_secs(20)), "{time:?}");
    }
}

/// Checks that the labels of a program are compared with the names in only a limited number of
/// errors.
#[test]
fn many_errors_about_labels_take_seconds_at_most() {
    let unknown = |i: usize| format!("l{i}: bnez a0, m{i}\n");
    let far = |i: usize| format!("l{i}: bnez a0, l{}\n", (i + 10_000) % 20_000);
    for text in [(0..20_000).map(unknown).collect(), (0..20_000).map(far).collect::<String>()] {
        let time = time_of(|| {
            let outcome = run(&isa_riscv::tool(), &["asm"], text.as_bytes());
            assert_has(outcome.failed(Status::Failure), &["<stdin>:1:14\n", "of them not shown"]);
        });
        assert!(time.is_none_or(|time| time < Duration::from_secs(20)), "{time:?}");
    }
    let globals: String = (0..100_000).map(|i| format!(".globl g{i}\n")).collect();
    let time =
        time_of(|| assert_eq!(run(&isa_riscv::tool(), &["asm"], globals.as_bytes()).fine(), ""));
    assert!(time.is_none_or(|time| time < Duration::from_secs(20)), "{time:?}");
}

#[test]
fn a_program_begins_at_its_first_org() {
    let text = b".org 0x200\nstart: j start\n";
    let listing = |args: &[&str]| run(&isa_riscv::tool(), args, text);
    let placed = listing(&["asm", "--emit", "listing"]);
    assert_has(placed.fine(), &["/* 00000200  0000006f */"]);
    assert_eq!(placed.fine().lines().count(), 1);
    let bytes = listing(&["asm", "--emit", "bin", "--start-address", "0x1fc"]);
    assert_eq!(bytes.out, [0, 0, 0, 0, 0x6f, 0, 0, 0]);
}
