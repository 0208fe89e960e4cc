//! The command `diff`: what it prints of two descriptions, and with which status it ends.

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
                &format!("removed   {name}: the opcode is no more"),
                &format!("illegal   {name}: legal no more\n"),
                " something else\n",
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
fn what_cannot_be_read_is_status_2() {
    let text = isa(&["export", "json"], b"").text().to_owned();
    let good = file(&text);
    let path = good.0.to_str().unwrap();
    for (damaged, message) in [
        (text.replacen(r#""version":2"#, r#""version":1"#, 1), "`version`: this is version 1"),
        (
            text.replacen(r#""fixed":["0x"#, r#""fixed":["0y"#, 1),
            "`opcodes[0].fixed[0]`: a text of at most 128 bits",
        ),
        (
            text.replacen(r#""prints":["#, r#""prints":[200,"#, 1),
            "`opcodes[0].prints[0]`: a number from 0 to",
        ),
        (
            text.replacen(r#","unused":"#, r#","used":"#, 1),
            "`opcodes[0]`: the key `unused` is missing",
        ),
        (text[..text.len() / 2].to_owned(), "this is no JSON: EOF while parsing"),
        ("[]".to_owned(), "this is no description of an instruction set"),
        (String::new(), "this is no JSON"),
    ] {
        let outcome = isa(&["diff", path, "-"], damaged.as_bytes());
        assert_has(outcome.failed(Status::Usage), &["<stdin>: ", message]);
    }
    let outcome = isa(&["diff", path, "/none/such"], b"");
    assert_has(outcome.failed(Status::Usage), &["cannot read /none/such"]);
}
