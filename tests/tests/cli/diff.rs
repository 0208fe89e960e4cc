//! The command `diff`: its output for two descriptions, and its exit status.

use isa_tests::tools::Temporary;

use super::any_set::subjects;
use super::*;

fn file(text: &str) -> Temporary {
    let file = Temporary::new("json");
    fs::write(&file.0, text).unwrap();
    file
}

#[test]
fn versions_of_each_set_are_compared() {
    for subject in subjects() {
        let text = (subject.run)(&["export", "json"], b"").text().to_owned();
        let old = file(&text);
        let path = old.0.to_str().unwrap();
        assert_eq!((subject.run)(&["diff", path, path], b"").fine(), "");
        assert_eq!((subject.run)(&["diff", "-", path], text.as_bytes()).fine(), "");
        // The same set without its last opcode.
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let gone = json["opcodes"].as_array_mut().and_then(Vec::pop).unwrap();
        let new = json.to_string();
        let name = gone["name"].as_str().unwrap();
        let outcome = (subject.run)(&["diff", path, "-"], new.as_bytes());
        assert_eq!((outcome.status, outcome.err.as_str()), (Status::Failure, ""));
        let said = outcome.text();
        assert_has(
            said,
            &[
                &format!("removed   {name}: the opcode was removed"),
                &format!("illegal   {name}: no longer valid\n"),
                " meaning\n",
            ],
        );
        let outcome = (subject.run)(&["diff", path, "-", "--json"], new.as_bytes());
        let illegal = outcome.text().lines().map(|line| serde_json::from_str(line).unwrap());
        let mut illegal = illegal.filter(|change: &serde_json::Value| change["what"] == "illegal");
        let change = illegal.next().unwrap();
        let witness = change["witness"].as_str().unwrap();
        assert_eq!(change["places"], serde_json::json!([name]));
        assert_has(said, &[witness, change["before"].as_str().unwrap()]);
    }
}

#[test]
fn changes_that_alter_no_word_can_be_left_out() {
    let text = isa(&["export", "json"], b"").text().to_owned();
    let old = file(&text);
    let path = old.0.to_str().unwrap();
    let doc = text.replacen("Adds two pairs", "Sums two pairs", 1);
    assert_ne!(doc, text);
    let all = isa(&["diff", path, "-"], doc.as_bytes());
    assert_eq!(all.status, Status::Failure);
    assert_has(all.text(), &["doc "]);
    assert_eq!(isa(&["diff", "--words", path, "-"], doc.as_bytes()).status, Status::Success);
    let both = doc.replace("\"name\":\"FTZ\"", "\"name\":\"FZ\"");
    let outcome = isa(&["diff", "--words", path, "-"], both.as_bytes());
    assert_eq!(outcome.status, Status::Failure);
    assert!(!outcome.text().contains("doc "), "{}", outcome.text());
    assert_has(outcome.text(), &["FTZ", "FZ"]);
}

/// Returns a description in which one key of the first field, which has 4 bits, has another value.
fn with_field(text: &str, key: &str, value: &str) -> String {
    let mut set: serde_json::Value = serde_json::from_str(text).unwrap();
    let field = &mut set["opcodes"][0]["fields"][0];
    field[key] = match key {
        "pieces" => serde_json::json!([[112, 2], [113, 2]]),
        _ => value.into(),
    };
    set.to_string()
}

/// Checks that a number with a changed scale is compared quickly, although few words keep the same
/// text.
#[test]
fn numbers_of_other_scales_are_compared_fast() {
    let set = isa_core::describe::json(isa_riscv::Rv64imac::SET).to_string();
    let with_scale = |scale: &str| {
        let mut set: serde_json::Value = serde_json::from_str(&set).unwrap();
        let texts = set["texts"].as_array_mut().unwrap().iter_mut();
        for text in texts.filter(|text| text["parts"][0]["signed"] == false) {
            if text["widths"] != serde_json::json!([20]) {
                continue;
            }
            text["parts"][0]["scale"] = scale.into();
        }
        set.to_string().parse::<isa_export::description::Description>().unwrap()
    };
    let begun = std::time::Instant::now();
    let difference =
        isa_export::diff::Difference::between(&with_scale("1"), &with_scale("1431655765"));
    // All words of LUI and AUIPC except those with the number 0.
    let count = isa_export::diff::Count::from(2 * 32 * ((1 << 20) - 1));
    assert_eq!(difference.altered, count, "{difference:?}");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn what_cannot_be_read_is_status_2() {
    let text = isa(&["export", "json"], b"").text().to_owned();
    let good = file(&text);
    let path = good.0.to_str().unwrap();
    for (damaged, message) in [
        (
            text.replacen(r#""version":2"#, r#""version":1"#, 1),
            "`version`: unsupported version of the format: expected 2, found 1",
        ),
        (
            text.replacen(r#""fixed":["0x"#, r#""fixed":["0y"#, 1),
            "`opcodes[0].fixed[0]`: expected a string of at most 128 bits",
        ),
        (
            text.replacen(r#""prints":["#, r#""prints":[200,"#, 1),
            "`opcodes[0].prints[0]`: expected a number from 0 to",
        ),
        (
            text.replacen(r#","unused":"#, r#","used":"#, 1),
            "`opcodes[0]`: the key `unused` is missing",
        ),
        (
            text.replacen(r#""float":[0,16,16]"#, r#""float":[0,16,7]"#, 1),
            ".of[0][0].float`: expected 16 bits of a value, found 7 at bit 16 of 32",
        ),
        (
            text.replacen(r#""float":[0,16,16]"#, r#""float":[0,17,16]"#, 1),
            ".float`: expected 16 bits of a value, found 16 at bit 17 of 32",
        ),
        (
            text.replacen(r#""widths":[128]"#, r#""widths":[0]"#, 1),
            "`widths[0]`: expected a number from 1",
        ),
        (
            text.replacen(r#""widths":[128]"#, r#""widths":[129]"#, 1),
            "`widths[0]`: expected a number from 1 to 128",
        ),
        (
            text.replacen(r#""widths":[128]"#, r#""widths":[128,128]"#, 1),
            "`widths`: duplicate width",
        ),
        (
            text.replacen(r#""address_bits":64"#, r#""address_bits":0"#, 1),
            "`address_bits`: expected a number from 8 to 64",
        ),
        (
            text.replacen(r#""byte_order":"little"#, r#""byte_order":"middle"#, 1),
            "`byte_order`: expected one of `little_endian`, ",
        ),
        (
            text.replacen(r#""unused":"0x"#, r#""unused":"0x+"#, 1),
            "`opcodes[0].unused`: expected a string of at most 128 bits",
        ),
        (
            text.replacen(r#""access":"write""#, r#""access":"wirte""#, 1),
            ".access`: expected one of `read`, `write`, `read-write`",
        ),
        (
            with_field(&text, "default", "0x10"),
            "`opcodes[0].fields[0].default`: expected a string of at most 4 bits",
        ),
        (with_field(&text, "pieces", ""), "`opcodes[0].fields[0]`: `pieces` overlap"),
        (text[..text.len() / 2].to_owned(), "invalid JSON: EOF while parsing"),
        ("[]".to_owned(), "not a description of an instruction set"),
        (String::new(), "invalid JSON"),
    ] {
        let outcome = isa(&["diff", path, "-"], damaged.as_bytes());
        assert_has(outcome.failed(Status::Usage), &["<stdin>: ", message]);
    }
    let outcome = isa(&["diff", path, "/none/such"], b"");
    assert_has(outcome.failed(Status::Usage), &["cannot read /none/such"]);
}
