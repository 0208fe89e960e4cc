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
    // A complete mnemonic that is not the name of an opcode.
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
    assert_eq!((&field("pg")["default"], &field("pg")["fixed"]), (&"0x7".into(), &().into()));
    assert_eq!(field("optype")["fixed"], "0x30");
    let text = isa(&["list", "HADD2_RR"], b"");
    assert!(text.fine().contains(one["syntax"].as_str().unwrap()));
    assert_eq!(isa(&["list", "--json", "HADD2_RR"], b"").fine().lines().count(), 1);
}

isa_core::define_isa! {
    /// An instruction with 64-bit numbers.
    isa Wide: u128;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Number: 56 = isa_core::operand::Hex<56>;
    operand Whole: 64 = isa_core::operand::Hex<64>;
    opcode SET {
        encoding {
            field<0, 8> Reg rd; field<8, 56> Number key == 0x20_0000_0000_0001;
            field<64, 64> Whole value = 0xffff_ffff_8000_0002;
        }
        syntax { SET Rd{, value}; }
    }
}

/// Asserts that JSON contains only numbers that scripts can represent exactly.
fn assert_exact(json: &serde_json::Value) {
    match json {
        serde_json::Value::Number(number) => {
            assert!(number.as_f64().unwrap().abs() < 9_007_199_254_740_992.0, "{number}");
        }
        serde_json::Value::Array(all) => all.iter().for_each(assert_exact),
        serde_json::Value::Object(all) => all.values().for_each(assert_exact),
        _ => {}
    }
}

#[test]
fn numbers_of_64_bits_are_text_in_json() {
    let tool = isa_cli::Tool::<Wide>::new("wide");
    let word = "ffffffff800000022000000000000105";
    for (args, input) in [
        (&["list", "--json"][..], ""),
        (&["explain", "--json", word], ""),
        (&["export", "json"], ""),
        (&["asm", "--json"], "SET R1, 0x1ffffffffffffffff;"),
    ] {
        let outcome = run(&tool, args, input.as_bytes());
        let text = format!("{}{}", outcome.text(), outcome.err);
        assert!(!text.is_empty());
        text.lines().for_each(|line| assert_exact(&serde_json::from_str(line).unwrap()));
    }
    let listed = run(&tool, &["list", "--json"], b"");
    let object: serde_json::Value = serde_json::from_str(listed.fine()).unwrap();
    let fields = object["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap();
    assert_exact(&object);
    assert_eq!(field("key")["fixed"], "0x20000000000001");
    assert_eq!(field("value")["default"], "0xffffffff80000002");
}

/// Returns the objects that the RISC-V tool lists.
fn rv_objects(args: &[&str]) -> Vec<serde_json::Value> {
    let listed = rv(&[&["--json"], args].concat());
    listed.fine().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the output of `list` of the RISC-V tool.
fn rv(args: &[&str]) -> Outcome {
    run(&isa_riscv::tool(), &[&["list"], args].concat(), b"")
}

#[test]
fn aliases_and_synonyms_are_listed_with_what_their_words_must_have() {
    let line = "BEQZ  beqz rs1:Reg, offset:Branch;  alias of BEQ where rs2 is zero (0x0)\n";
    assert!(rv(&["beqz"]).fine().lines().any(|found| found.contains("  alias of BEQ where ")));
    assert_eq!(rv(&["BEQ?"]).fine(), line);
    let synonym = "BLEU  bleu rs2:Reg, rs1:Reg, offset:Branch;  synonym of BGEU\n";
    assert_eq!(rv(&["bleu"]).fine(), synonym);
    let nop = rv(&["nop"]);
    let values = "alias of ADDI where rd is zero (0x0); rs1 is zero (0x0); imm is 0 (0x0)\n";
    assert!(nop.fine().contains(values), "{}", nop.fine());
    // An alias follows its opcode, also in a complete list.
    let all = rv(&[]);
    let names: Vec<&str> = all.fine().lines().filter_map(|line| line.split(' ').next()).collect();
    let at = names.iter().position(|name| *name == "BEQ").unwrap();
    assert_eq!(names[at + 1], "BEQZ");
    assert_eq!(rv(&["*"]).fine(), all.fine());
    let missed = rv(&["beqzz"]);
    assert_has(missed.failed(Status::Usage), &["matches `beqzz`; did you mean `BEQZ`?"]);
}

#[test]
fn objects_of_aliases_name_their_opcode() {
    let objects = rv_objects(&["BEQ?", "bgt", "BLT"]);
    let object = |name: &str| objects.iter().find(|object| object["name"] == name).unwrap();
    let alias = object("BEQZ");
    assert_eq!((&alias["alias_of"], &alias["printed"]), (&"BEQ".into(), &true.into()));
    assert_eq!(
        (&alias["mnemonic"], &alias["condition"]),
        (&"beqz".into(), &"rs2 is zero (0x0)".into())
    );
    assert_eq!(alias["mask"], "0x01f0707f");
    let synonym = object("BGT");
    assert_eq!((&synonym["alias_of"], &synonym["printed"]), (&"BLT".into(), &false.into()));
    assert!(synonym["condition"].is_null() && synonym.get("condition").is_some());
    assert!(object("BLT").get("alias_of").is_none());
}

#[test]
fn bits_of_a_split_field_begin_with_the_highest() {
    // imm[12|10:5] is in bits 31 to 25 of a branch, imm[4:1|11] in bits 11 to 7.
    let objects = rv_objects(&["BEQ"]);
    let beq = objects.iter().find(|object| object["name"] == "BEQ").unwrap();
    let fields = beq["fields"].as_array().unwrap();
    let offset = fields.iter().find(|field| field["name"] == "offset").unwrap();
    assert_eq!(offset["bits"], serde_json::json!([[31, 31], [7, 7], [30, 25], [11, 8]]));
    let described = run(&isa_riscv::tool(), &["export", "json"], b"");
    let described: serde_json::Value = serde_json::from_str(described.fine()).unwrap();
    let opcodes = described["opcodes"].as_array().unwrap();
    let beq = opcodes.iter().find(|object| object["name"] == "BEQ").unwrap();
    let fields = beq["fields"].as_array().unwrap();
    let offset = fields.iter().find(|field| field["name"] == "offset").unwrap();
    assert_eq!(offset["pieces"], serde_json::json!([[31, 1], [7, 1], [25, 6], [8, 4]]));
    assert_has(rv(&["--help"]).fine(), &["the field's low bits last"]);
}
