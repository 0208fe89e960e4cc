use super::*;

/// Returns the bits that the rows of the table name, each once.
fn bits(text: &str) -> Vec<u32> {
    let rows = text.lines().skip_while(|line| !line.trim_start().starts_with("bits  "));
    let first = rows.skip(1).map_while(|line| line.split_whitespace().next());
    let mut bits = Vec::new();
    for range in first {
        let (high, low) = range.split_once("..").unwrap_or((range, range));
        if let (Ok(high), Ok(low)) = (high.parse::<u32>(), low.parse()) {
            bits.extend((low..=high).rev());
        }
    }
    bits
}

#[test]
fn every_bit_is_accounted_for() {
    let all: Vec<u32> = (0..128).rev().collect();
    for word in
        ["201007130", "0x00000000000211000000016001048530", "0", "ffffffffffffffffffffffffffffffff"]
    {
        let outcome = isa(&["explain", word], b"");
        assert_eq!(bits(outcome.text()), all, "{}", outcome.text());
    }
}

#[test]
fn fields_have_values_and_directions() {
    let outcome = isa(&["explain", "--asm", "@!P0 HADD2.FTZ R4, -R1.H0_H0, c[0x0][0x160];"], b"");
    let text = outcome.fine().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.starts_with(
            "@!P0 HADD2.FTZ R4, -R1.H0_H0, c[0x0][0x160]; word 0x00000000000211000000016001048530"
        ),
        "{text}"
    );
    let rows = [
        "53..32 vb",
        "0x160 c[0x0][0x160] (CMem, read, lanes 0b11 of 16 bits)",
        "31..24 ra 0x1 R1 (Reg, read, lanes 0b1 of 16 bits)",
        "23..16 rd 0x4 R4 (Reg, written, lanes 0b11 of 16 bits)",
        "15 pg.not 0x1 True",
        "14..12 pg 0x0 P0 (Pred, read)",
        "81..80 ra.hsel2 0x2 H0_H0",
        "76 ftz 0x1 FTZ",
        "7..0 optype 0x30 HADD2 (Optype, fixed",
    ];
    assert_has(&text, &rows);
}

#[test]
fn illegal_words_name_the_opcode_and_the_reason() {
    let outcome = isa(&["explain", "00000000000100000000000201007130"], b"");
    assert_eq!(outcome.status, Status::Failure);
    assert_has(outcome.text(), &["nearest opcode HADD2_RR", "ILLEGAL: reserved value", "ra.hsel2"]);
    assert_has(&outcome.err, &["ra.hsel2", "reserved"]);

    let outcome = isa(&["explain", "00000000400010000000000201007130"], b"");
    assert_eq!(outcome.status, Status::Failure);
    assert_has(outcome.text(), &["BF16_V2", ".FTZ", "IllegalBitFieldCombination", "H_ARITH"]);

    let outcome = isa(&["explain", "80000000000000000000000201007130"], b"");
    assert_has(outcome.text(), &["ILLEGAL: unused bits must be 0"]);

    let outcome = isa(&["explain", "0x201007f30"], b"");
    assert_eq!(outcome.status, Status::Failure);
    assert_has(outcome.text(), &["nearest opcode", "ILLEGAL: must be"]);
}

#[test]
fn several_instructions_are_explained_one_by_one() {
    let outcome = isa(&["explain", "--asm", "HADD2 R0, R1, R2; HADD2 R3, R4, UR5;"], b"");
    assert_eq!(outcome.fine().matches("\nopcode ").count(), 2);
}

#[test]
fn bad_subjects_are_reported() {
    let outcome = isa(&["explain", "0x12g"], b"");
    assert_has(
        outcome.failed(Status::Failure),
        &["`g` is not a hexadecimal digit", "<word>:1:5\n"],
    );
    let outcome = isa(&["explain", "--asm", "HADD3 R0, R1, R2;"], b"");
    assert_has(outcome.failed(Status::Failure), &["<asm>:1:1\n", "did you mean `HADD2`?"]);
    let outcome = isa(&["explain", "--asm", ""], b"");
    assert_has(outcome.failed(Status::Usage), &["no instruction"]);
}

#[test]
fn several_words_come_from_arguments_and_from_standard_input() {
    let words = ["201007130", "0x00000000000211000000016001048530"];
    let one_by_one = words.map(|word| isa(&["explain", word], b"").fine().to_owned()).join("\n");
    assert_eq!(isa(&["explain", words[0], words[1]], b"").fine(), one_by_one);
    let input = format!(" {}\n{}\n", words[0], words[1]);
    assert_eq!(isa(&["explain"], input.as_bytes()).fine(), one_by_one);
    assert_eq!(isa(&["explain", "-"], input.as_bytes()).fine(), one_by_one);
    assert_eq!(isa(&["explain", words[0], "-"], words[1].as_bytes()).fine(), one_by_one);
    // The tool's own listings also contain words.
    let listing = isa(&["dis", "--addresses"], input.as_bytes());
    assert_eq!(isa(&["explain"], &listing.out).fine(), one_by_one);
}

#[test]
fn bad_words_among_others_are_reported_behind_what_can_be_explained() {
    let outcome = isa(&["explain", "201007130", "zz", "0", "201007130"], b"");
    let (text, err) = outcome.partly();
    assert_eq!(text.matches("\nword ").count(), 3);
    assert_has(
        err,
        &["`z` is not a hexadecimal digit", "0x0 is not a valid instruction", "error: "],
    );
    assert!(!err.contains("written"), "{err}");
    let outcome = isa(&["explain"], b"201007130 x\n");
    let (text, err) = outcome.partly();
    assert_eq!(text.matches("\nword ").count(), 1);
    assert_has(err, &["<stdin>:1:11\n"]);
    let outcome = isa(&["explain", "zz"], b"");
    assert!(!outcome.failed(Status::Failure).contains("nothing was written"), "{}", outcome.err);
    assert!(outcome.err.ends_with("1 to 32 hexadecimal digits\n\n"), "{}", outcome.err);
}

#[test]
fn json_has_what_the_table_has() {
    let outcome = isa(&["explain", "--json", "201007130", "00000000000100000000000201007130"], b"");
    assert_eq!(outcome.status, Status::Failure);
    let objects: Vec<serde_json::Value> =
        outcome.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [good, bad] = &objects[..] else { panic!("{}", outcome.text()) };
    assert_eq!(good["word"], "0x00000000000000000000000201007130");
    assert_eq!(good["text"], "HADD2 R0, R1, R2;");
    assert_eq!((&good["legal"], &good["opcode"]), (&true.into(), &"HADD2_RR".into()));
    assert_eq!((&good["reason"], &good["exceptions"]), (&().into(), &serde_json::json!([])));
    let parts = good["parts"].as_array().unwrap();
    let mut next = 127;
    for part in parts.iter().filter(|part| !part["high"].is_null()) {
        assert_eq!(part["high"], next, "{part}");
        next = part["low"].as_i64().unwrap() - 1;
    }
    assert_eq!(next, -1);
    let rd = parts.iter().find(|part| part["field"] == "rd").unwrap();
    assert_eq!((&rd["meaning"], &rd["access"]), (&"R0".into(), &"write".into()));
    let optype = parts.iter().find(|part| part["field"] == "optype").unwrap();
    assert_eq!((&optype["fixed_by"], &optype["value"]), (&"HADD2".into(), &"0x30".into()));
    assert_eq!(bad["legal"], false);
    assert_has(bad["reason"].as_str().unwrap(), &["ra.hsel2", "reserved"]);
    assert_eq!(outcome.json()[0]["level"], "error");
}
