use super::*;

fn names(args: &[&str]) -> Vec<String> {
    let outcome = isa(&[&["list"], args].concat(), b"");
    let first = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    outcome.fine().lines().map(first).collect()
}

#[test]
fn patterns_choose_by_name_and_mnemonic() {
    let hadd2 = ["HADD2_RR", "HADD2_RU", "HADD2_RI", "HADD2_RC"];
    assert_eq!(names(&["HADD2"]), hadd2);
    assert_eq!(names(&["hadd2"]), hadd2);
    assert_eq!(names(&["hadd2*"]), hadd2);
    assert_eq!(names(&["hadd2_r?"]), hadd2);
    assert_eq!(names(&["HADD2_RR"]), ["HADD2_RR"]);
    assert_eq!(names(&["*_RR", "vadd2"]).last().map(String::as_str), Some("vadd2"));
    // A mnemonic that is no opcode's name, as a whole.
    assert_eq!(names(&["HADD?"]), hadd2);
    assert_eq!(names(&["*"]), names(&[]));
}

#[test]
fn json_has_an_opcode_a_line() {
    let all = isa(&["list", "--json"], b"");
    let objects: Vec<serde_json::Value> =
        all.fine().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), names(&[]).len());
    let one = objects.iter().find(|object| object["name"] == "HADD2_RR").unwrap();
    assert_eq!((&one["mnemonic"], &one["bits"]), (&"HADD2".into(), &128.into()));
    let fields = one["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_eq!(field("rd")["bits"], serde_json::json!([[23, 16]]));
    assert_eq!(field("rd")["access"], "write");
    assert_eq!((&field("pg")["default"], &field("pg")["fixed"]), (&7.into(), &().into()));
    assert_eq!(field("optype")["fixed"], 48);
    let text = isa(&["list", "HADD2_RR"], b"");
    assert!(text.fine().contains(one["syntax"].as_str().unwrap()));
    assert_eq!(isa(&["list", "--json", "HADD2_RR"], b"").fine().lines().count(), 1);
}
